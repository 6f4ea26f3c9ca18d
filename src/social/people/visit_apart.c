/* visit_apart.c - see visit_apart.h. One thread at a time per visit. */
#include "social/people/visit_apart.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/source.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

/* The cached form of the set. */
struct packed_apart {
    uint64_t version, count;
    struct apart all[];
};

/* Flags and end of what the key says of one. */
static struct apart parse_apart(uint64_t uid, const char *letters)
{
    static const struct {
        char letter;
        enum apart_flag flag;
    } known[] = {{'b', APART_BLOCKS}, {'B', APART_BLOCKED_BY}, {'m', APART_MUTES}, {'n', APART_MUTES_NOTICES}};
    struct apart out = {.uid = uid};
    for (; *letters && *letters != ':'; letters++) {
        for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
            out.flags |= known[i].letter == *letters ? (unsigned)known[i].flag : 0;
        }
    }
    out.until_ms = *letters ? strtoull(letters + 1, NULL, 10) : 0;
    return out;
}

static int apart_by_uid(const void *x, const void *y)
{
    uint64_t a = ((const struct apart *)x)->uid, b = ((const struct apart *)y)->uid;
    return a < b ? -1 : a > b;
}

static void ask_apart(struct visit *v)
{
    v->apart.is_asked = true;
    v->apart.reply =
        store_command(v->reads.batch, id_bucket(v->claimed), "HGETALL", key_id(v->arena, KEY_APART, v->claimed), NULL);
}

static enum err take_apart(struct visit *v, void *unused)
{
    (void)unused;
    const struct store_reply *r = visit_reply(v, v->apart.reply);
    if (r->type != STORE_ARRAY) {
        return ERR_PROTOCOL;
    }
    size_t count = r->count / 2, size = sizeof(struct packed_apart) + count * sizeof(struct apart);
    struct packed_apart *packed = arena_alloc(v->arena, size);
    packed->version = v->apart.version;
    packed->count = count;
    for (size_t i = 0; i < count; i++) {
        packed->all[i] = parse_apart(id_parse(store_text(&r->items[2 * i])), store_text(&r->items[2 * i + 1]));
    }
    qsort(packed->all, count, sizeof(*packed->all), apart_by_uid);
    v->apart.all = packed->all;
    v->apart.count = count;
    v->apart.is_known = true;
    cache_put(v->social->cache, CACHE_APART, v->claimed, packed, size, store_batch_marked(v->reads.answers));
    return ERR_OK;
}

/* The version is known: the set is in hand, or remembered as it is, or asked for with the next round. */
static enum err settle_apart(struct visit *v)
{
    struct visit_apart *p = &v->apart;
    if (p->is_asked) {
        return take_apart(v, NULL);
    }
    if (p->version == 0) {
        visit_apart_none(v);
    } else if (p->all && p->guessed_version == p->version) {
        p->is_known = true;
    } else {
        ask_apart(v);
        visit_then(v, take_apart, NULL);
    }
    return ERR_OK;
}

enum err visit_apart_settle(struct visit *v, uint64_t version)
{
    v->apart.version = version;
    return v->apart.is_wanted ? settle_apart(v) : ERR_OK;
}

void visit_apart_none(struct visit *v)
{
    v->apart = (struct visit_apart){.is_wanted = true, .is_known = true};
}

void visit_want_apart(struct visit *v)
{
    struct visit_apart *p = &v->apart;
    if (!v->claimed || p->is_wanted) {
        return;
    }
    p->is_wanted = true;
    if (v->is_known && p->version == 0) {
        p->is_known = true;
        return;
    }
    size_t size;
    const struct packed_apart *packed = cache_get(v->social->cache, CACHE_APART, v->claimed, v->arena, &size);
    if (packed) {
        p->guessed_version = packed->version;
        p->all = packed->all;
        p->count = (size_t)packed->count;
    }
    if (v->is_known) {
        settle_apart(v);
    } else if (!packed) {
        ask_apart(v);
    }
}

/* --- looking -------------------------------------------------------------------------------------------------------
 * */

void visit_apart_put(struct visit *v, uint64_t uid, const char *value)
{
    struct apart *one = arena_alloc(v->arena, sizeof(*one));
    *one = parse_apart(uid, value);
    v->apart.all = one;
    v->apart.count = 1;
    v->apart.is_known = true;
}

bool visit_apart_is_known(const struct visit *v)
{
    return v->apart.is_known;
}

static unsigned flags_now(const struct apart *p)
{
    uint64_t now = p->until_ms ? clock_site_ms() : 0;
    bool is_over = p->until_ms && now >= p->until_ms;
    if (p->until_ms && !is_over) {
        source_until_site(now, p->until_ms);
    }
    return is_over ? p->flags & ~(unsigned)(APART_MUTES | APART_MUTES_NOTICES) : p->flags;
}

unsigned visit_apart(const struct visit *v, uint64_t uid)
{
    const struct visit_apart *p = &v->apart;
    const struct apart key = {.uid = uid};
    const struct apart *found =
        p->is_known && p->count ? bsearch(&key, p->all, p->count, sizeof(key), apart_by_uid) : NULL;
    return found ? flags_now(found) : 0;
}
