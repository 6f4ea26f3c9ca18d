/* visit_filter.c - the visitor's filters: see filter.h. One thread at a time per visit.
 *
 * The cached form is ready to be looked through: one record for each filter, and behind them their texts.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/keyword.h"
#include "base/source.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/filter.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

static int filter_by_id(const void *x, const void *y)
{
    uint64_t a = ((const struct filter *)x)->id, b = ((const struct filter *)y)->id;
    return a < b ? -1 : a > b;
}

/* One entry of the hash; false if it is damaged. */
static bool parse_filter(struct arena *a, const char *id, const char *value, struct filter *out)
{
    static const char letters[] = {
#define X(id, letter, word) letter,
        FILTER_CONTEXT_TABLE(X)
#undef X
    };
    *out = (struct filter){.id = strtoull(id, NULL, 10)};
    for (; *value && *value != ':'; value++) {
        const char *place = memchr(letters, *value, sizeof(letters));
        out->places |= place ? 1u << (place - letters) : 0;
        out->whole_word |= *value == 'w';
        out->hides |= *value == 'x';
        out->is_empty |= *value == 'e';
    }
    char *end = NULL;
    out->until_ms = *value ? strtoull(value + 1, &end, 10) : 0;
    if (!end || *end != ':') {
        return false;
    }
    out->phrase = end + 1;
    out->folded = keyword_fold(a, out->phrase);
    return true;
}

struct packed_filter {
    uint64_t id, until_ms;
    uint32_t places, flags, phrase, folded; /* the texts: offsets within all */
};

struct packed_filters {
    uint64_t version, count;
    struct packed_filter all[];
};

enum { PACKED_WHOLE = 1, PACKED_HIDES = 2, PACKED_EMPTY = 4 };

static void filters_remember(struct visit *v, const struct filter *all, size_t count)
{
    size_t at = sizeof(struct packed_filters) + count * sizeof(struct packed_filter), size = at;
    for (size_t i = 0; i < count; i++) {
        size += strlen(all[i].phrase) + strlen(all[i].folded) + 2;
    }
    struct packed_filters *out = arena_zero(v->arena, size);
    *out = (struct packed_filters){v->filters.version, count};
    for (size_t i = 0; i < count; i++) {
        size_t phrase = strlen(all[i].phrase) + 1, folded = strlen(all[i].folded) + 1;
        unsigned flags = (all[i].whole_word ? PACKED_WHOLE : 0) | (all[i].hides ? PACKED_HIDES : 0) |
                         (all[i].is_empty ? PACKED_EMPTY : 0);
        out->all[i] = (struct packed_filter){all[i].id, all[i].until_ms, all[i].places,
                                             flags,     (uint32_t)at,    (uint32_t)(at + phrase)};
        memcpy((char *)out + at, all[i].phrase, phrase);
        memcpy((char *)out + at + phrase, all[i].folded, folded);
        at += phrase + folded;
    }
    cache_put(v->social->cache, CACHE_FILTERS, v->claimed, out, size, store_batch_marked(v->reads.answers));
}

/* What the process remembers, if it is of the version that has come. */
static bool filters_recall(struct visit *v)
{
    size_t size;
    const struct packed_filters *packed = cache_get(v->social->cache, CACHE_FILTERS, v->claimed, v->arena, &size);
    if (!packed || packed->version != v->filters.version) {
        return false;
    }
    struct filter *all = arena_alloc(v->arena, (packed->count + 1) * sizeof(*all));
    for (size_t i = 0; i < packed->count; i++) {
        const struct packed_filter *p = &packed->all[i];
        all[i] = (struct filter){.id = p->id,
                                 .until_ms = p->until_ms,
                                 .places = p->places,
                                 .whole_word = p->flags & PACKED_WHOLE,
                                 .hides = p->flags & PACKED_HIDES,
                                 .is_empty = p->flags & PACKED_EMPTY,
                                 .phrase = (const char *)packed + p->phrase,
                                 .folded = (const char *)packed + p->folded};
    }
    v->filters.all = all;
    v->filters.count = (size_t)packed->count;
    return true;
}

static enum err take_filters(struct visit *v, void *unused)
{
    (void)unused;
    const struct store_reply *r = visit_reply(v, v->filters.reply);
    if (r->type != STORE_ARRAY) {
        return ERR_PROTOCOL;
    }
    struct filter *all = arena_alloc(v->arena, (r->count / 2 + 1) * sizeof(*all));
    size_t n = 0;
    for (size_t i = 0; i + 1 < r->count; i += 2) {
        n += parse_filter(v->arena, store_text(&r->items[i]), store_text(&r->items[i + 1]), &all[n]);
    }
    qsort(all, n, sizeof(*all), filter_by_id);
    v->filters.all = all;
    v->filters.count = n;
    v->filters.is_known = true;
    filters_remember(v, all, n);
    return ERR_OK;
}

static void settle_filters(struct visit *v)
{
    if (v->filters.version == 0 || filters_recall(v)) {
        v->filters.is_known = true;
        return;
    }
    v->filters.reply = store_command(v->reads.batch, id_bucket(v->claimed), "HGETALL",
                                     key_id(v->arena, KEY_FILTERS, v->claimed), NULL);
    visit_then(v, take_filters, NULL);
}

void visit_filters_settle(struct visit *v, uint64_t version)
{
    v->filters.version = version;
    if (v->filters.is_wanted) {
        settle_filters(v);
    }
}

void visit_filters_none(struct visit *v)
{
    v->filters = (struct visit_filters){.is_wanted = true, .is_known = true};
}

void visit_want_filters(struct visit *v)
{
    if (!v->claimed || v->filters.is_wanted) {
        return;
    }
    v->filters.is_wanted = true;
    if (v->is_known) {
        settle_filters(v);
    }
}

bool visit_filters_are_known(const struct visit *v)
{
    return v->filters.is_known || !v->filters.is_wanted;
}

const struct filter *visit_filters(const struct visit *v, size_t *count)
{
    *count = v->filters.count;
    return v->filters.all;
}

const struct filter *visit_filter_of(const struct visit *v, unsigned place, const char *text, const char *warning)
{
    const struct filter *found = NULL;
    struct keyword_text folded[2] = {{.folded = NULL}, {.folded = NULL}};
    uint64_t now = clock_site_ms();
    for (size_t i = 0; i < v->filters.count && !(found && found->hides); i++) {
        const struct filter *f = &v->filters.all[i];
        if (f->until_ms > now) {
            source_until_site(now, f->until_ms);
        }
        if (f->is_empty || !(f->places & 1u << place) || (f->until_ms && f->until_ms <= now) || (found && !f->hides)) {
            continue;
        }
        if (!folded[0].folded) {
            folded[0] = keyword_text_of(v->arena, text);
            folded[1] = keyword_text_of(v->arena, warning);
        }
        if (keyword_is_in(&folded[0], f->folded, f->whole_word) ||
            keyword_is_in(&folded[1], f->folded, f->whole_word)) {
            found = f;
        }
    }
    return found;
}
