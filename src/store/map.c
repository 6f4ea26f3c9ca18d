/* map.c - see map.h. Threads: any; constant after map_new. */
#include "store/map.h"

#include <stdlib.h>

#include "base/id.h"
#include "base/panic.h"
#include "config/config.h"
#include "store/audit.h"
#include "store/connection.h"
#include "store/tls.h"

struct map {
    struct connection_target target;
    struct pool *pool;
};

struct map *map_new(const struct config *c, FILE *report)
{
    struct map *m = mem_zero(1, sizeof(*m));
    m->target.connect_us = (uint64_t)c->redis.connect_timeout * 1000;
    m->target.command_us = (uint64_t)c->redis.command_timeout * 1000;
    bool usable = url_read(&m->target.url, c, report);
    if (usable && m->target.url.tls) {
        m->target.tls = store_tls_new(c->redis.tls_ca, report);
        usable = m->target.tls != NULL;
    }
    if (!usable) {
        map_free(m);
        return NULL;
    }
    m->target.password_file = c->redis.password_file && *c->redis.password_file ? c->redis.password_file : NULL;
    m->target.audit = audit_new(c, &m->target.url);
    m->pool = pool_new(&m->target, (size_t)c->redis.connections);
    return m;
}

void map_free(struct map *m)
{
    if (!m) {
        return;
    }
    pool_free(m->pool);
    audit_free(m->target.audit);
    store_tls_free(m->target.tls);
    url_clear(&m->target.url);
    free(m);
}

size_t map_nodes(const struct map *m)
{
    (void)m;
    return 1;
}

size_t map_node(const struct map *m, unsigned bucket)
{
    (void)m;
    require(bucket < ID_BUCKETS);
    return 0;
}

struct pool *map_pool(struct map *m, size_t node)
{
    require(node < map_nodes(m));
    return m->pool;
}

struct audit *map_audit(struct map *m, size_t node)
{
    require(node < map_nodes(m));
    return m->target.audit;
}

uint64_t map_command_us(const struct map *m)
{
    return m->target.command_us;
}
