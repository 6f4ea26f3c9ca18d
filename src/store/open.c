/* open.c - opening and closing a store, and waiting for it. Batches are in batch.c and run.c, its health in health.c.
 *
 * Threads: any, but for open and close.
 */
#include <arpa/inet.h>
#include <stdlib.h>

#include <openssl/x509.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/confine.h"
#include "base/id.h"
#include "base/panic.h"
#include "config/config.h"
#include "engine/engine.h"
#include "store/batch.h"
#include "store/keys.h"
#include "store/link.h"
#include "store/listener.h"
#include "store/map.h"
#include "store/memo.h"
#include "store/script.h"
#include "store/store.h"
#include "store/url.h"
#include "store/watch.h"

#define DNS_PORT 53
#define READY_POLL_FIRST_MS 2
#define READY_POLL_LAST_MS 50

struct store *store_over(struct map *map, const char *prefix)
{
    struct store *s = mem_zero(1, sizeof(*s));
    s->map = map;
    s->prefix = mem_dup(prefix);
    pthread_mutex_init(&s->lock, NULL);
    keys_setup(s->prefix);
    return s;
}

struct store *store_open(const struct config *c, FILE *report)
{
    script_setup();
    struct map *map = map_new(c, report);
    if (!map) {
        return NULL;
    }
    return store_over(map, c->redis.prefix);
}

void store_remember(struct store *s, size_t bytes)
{
    const struct connection_target *t = map_target(s->map);
    if (t && bytes && !s->memo) {
        s->memo = memo_new(watch_new(t), bytes);
    }
}

void store_remembered(struct store *s, struct kept_numbers *out)
{
    memo_count(s->memo, out);
}

void store_close(struct store *s)
{
    if (s) {
        require(!s->listeners);
        memo_free(s->memo);
        map_free(s->map);
        pthread_mutex_destroy(&s->lock);
        free(s->prefix);
        free(s);
    }
}

size_t store_nodes(const struct store *s)
{
    return map_nodes(s->map);
}

unsigned store_node_bucket(const struct store *s, size_t node)
{
    unsigned bucket = 0;
    while (bucket + 1 < ID_BUCKETS && map_node(s->map, bucket) != node) {
        bucket++;
    }
    return bucket;
}

void store_reset(struct store *s)
{
    for (size_t n = 0; n < map_nodes(s->map); n++) {
        link_reset(map_link(s->map, n));
    }
}

void store_end(struct store *s)
{
    for (size_t n = 0; n < map_nodes(s->map); n++) {
        link_cut(map_link(s->map, n));
    }
    listeners_end(s);
    if (s->memo) {
        memo_end(s->memo);
    }
}

/* What the C library reads to find an address, and what it asks when the answer is long. */
static void confine_names(struct confine *k)
{
    confine_allow(k, CONFINE_READ, "/etc");
    confine_allow_beside(k, "/etc/resolv.conf");
    confine_connect(k, DNS_PORT);
}

/* Where OpenSSL looks for the authorities of the system, and where Debian's links lead. */
static void confine_authorities(struct confine *k)
{
    const char *const places[] = {X509_get_default_cert_dir(),
                                  X509_get_default_cert_file(),
                                  getenv(X509_get_default_cert_dir_env()),
                                  getenv(X509_get_default_cert_file_env()),
                                  "/usr/share/ca-certificates",
                                  "/usr/local/share/ca-certificates"};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        if (places[i]) {
            confine_allow(k, CONFINE_READ, places[i]);
        }
    }
}

void store_confine(const struct config *c, struct confine *k)
{
    struct url u = {0};
    if (!engine_is_embedded(c) && url_parse(&u, c->redis.url, stderr) && u.host) {
        unsigned char bytes[16];
        confine_connect(k, (unsigned)u.port);
        if (inet_pton(AF_INET, u.host, bytes) != 1 && inet_pton(AF_INET6, u.host, bytes) != 1) {
            confine_names(k);
        }
        if (u.tls) {
            confine_authorities(k);
        }
    }
    url_clear(&u);
}

static enum err ping(struct store *s)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(s, a);
    store_command(b, 0, "PING", NULL);
    enum err e = store_run(b);
    arena_free(a);
    return e;
}

enum err store_wait_ready(struct store *s, uint64_t timeout_ms)
{
    uint64_t end = clock_monotonic_us() + timeout_ms * 1000;
    uint64_t pause = READY_POLL_FIRST_MS;
    for (;;) {
        enum err e = ping(s);
        if (e == ERR_OK || e == ERR_CONFIG || clock_monotonic_us() >= end) {
            return e;
        }
        clock_sleep_ms(pause);
        pause = pause * 2 < READY_POLL_LAST_MS ? pause * 2 : READY_POLL_LAST_MS;
        store_reset(s);
    }
}
