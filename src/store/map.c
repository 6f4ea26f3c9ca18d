/* map.c - see map.h. Threads: any; constant after map_new. */
#include "store/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/id.h"
#include "base/panic.h"
#include "config/config.h"
#include "store/audit.h"
#include "store/connection.h"
#include "store/link.h"
#include "store/pool_link.h"
#include "store/tls.h"

struct map {
    struct link **links;
    size_t count;
    bool apart;
    uint64_t command_us;
    struct connection_target *target; /* of the one node there is; NULL: the links know */
};

static void target_free(struct connection_target *t)
{
    if (t) {
        audit_free(t->audit);
        store_tls_free(t->tls);
        url_clear(&t->url);
        free(t);
    }
}

static struct connection_target *target_new(const struct config *c, FILE *report)
{
    struct connection_target *t = mem_zero(1, sizeof(*t));
    t->connect_us = (uint64_t)c->redis.connect_timeout * 1000;
    t->command_us = (uint64_t)c->redis.command_timeout * 1000;
    bool usable = url_read(&t->url, c, report);
    if (usable && t->url.tls) {
        t->tls = store_tls_new(c->redis.tls_ca, report);
        usable = t->tls != NULL;
    }
    if (!usable) {
        target_free(t);
        return NULL;
    }
    t->password_file = c->redis.password_file && *c->redis.password_file ? c->redis.password_file : NULL;
    t->audit = audit_new(c, &t->url);
    return t;
}

struct map *map_over(struct link *const *links, size_t count, bool apart, uint64_t command_us)
{
    require(count > 0 && count <= ID_BUCKETS);
    struct map *m = mem_zero(1, sizeof(*m));
    m->links = mem_alloc(count * sizeof(struct link *));
    memcpy(m->links, links, count * sizeof(struct link *));
    m->count = count;
    m->apart = apart;
    m->command_us = command_us;
    return m;
}

struct map *map_new(const struct config *c, FILE *report)
{
    struct connection_target *t = target_new(c, report);
    if (!t) {
        return NULL;
    }
    struct link *link = pool_link_new(t, (size_t)c->redis.connections, (size_t)c->redis.shared_connections);
    struct map *m = map_over(&link, 1, false, t->command_us);
    m->target = t;
    return m;
}

void map_free(struct map *m)
{
    if (!m) {
        return;
    }
    for (size_t n = 0; n < m->count; n++) {
        link_free(m->links[n]);
    }
    target_free(m->target);
    free(m->links);
    free(m);
}

size_t map_nodes(const struct map *m)
{
    return m->count;
}

size_t map_node(const struct map *m, unsigned bucket)
{
    require(bucket < ID_BUCKETS);
    return bucket * m->count / ID_BUCKETS;
}

struct link *map_link(const struct map *m, size_t node)
{
    require(node < m->count);
    return m->links[node];
}

size_t map_groups(const struct map *m)
{
    return m->apart ? ID_BUCKETS : m->count;
}

size_t map_group(const struct map *m, unsigned bucket)
{
    return m->apart ? bucket : map_node(m, bucket);
}

struct audit *map_audit(const struct map *m, size_t node)
{
    require(node < m->count);
    return m->target ? m->target->audit : NULL;
}

const struct connection_target *map_target(const struct map *m)
{
    return m->target;
}

uint64_t map_command_us(const struct map *m)
{
    return m->command_us;
}
