/* visit_filter.c - the visitor's filters: see filter.h. One thread at a time per visit. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/keyword.h"
#include "base/source.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/filter.h"
#include "social/people/filter_text.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

static int filter_by_id(const void *x, const void *y)
{
    uint64_t a = ((const struct filter *)x)->id, b = ((const struct filter *)y)->id;
    return a < b ? -1 : a > b;
}

/* All of them in one piece: the head, filters, their words, their posts, texts. A pointer is an offset in it. */
struct packed_filters {
    uint64_t version, count, keywords, posts;
};

struct packing {
    struct filter *filters;
    struct filter_keyword *keywords;
    struct filter_post *posts;
    char *base, *texts;
};

static struct packing packing_of(char *base, const struct packed_filters *head)
{
    struct packing p = {.base = base, .filters = (void *)(base + sizeof(*head))};
    p.keywords = (void *)(p.filters + head->count);
    p.posts = (void *)(p.keywords + head->keywords);
    p.texts = (char *)(p.posts + head->posts);
    return p;
}

static const char *pack_text(struct packing *p, const char *text)
{
    size_t size = strlen(text) + 1;
    memcpy(p->texts, text, size);
    uintptr_t at = (uintptr_t)(p->texts - p->base);
    p->texts += size;
    return (const char *)at;
}

static void pack_filter(struct packing *p, const struct filter *f)
{
    struct filter *out = p->filters++;
    *out = *f;
    out->title = pack_text(p, f->title);
    out->value = pack_text(p, f->value);
    out->keywords = (void *)((char *)p->keywords - (uintptr_t)p->base);
    out->posts = (void *)((char *)p->posts - (uintptr_t)p->base);
    for (size_t i = 0; i < f->keyword_count; i++) {
        const struct filter_keyword *k = &f->keywords[i];
        *p->keywords++ =
            (struct filter_keyword){k->id, k->whole_word, pack_text(p, k->phrase), pack_text(p, k->folded)};
    }
    for (size_t i = 0; i < f->post_count; i++) {
        *p->posts++ = f->posts[i];
    }
}

static void filters_remember(struct visit *v, const struct filter *all, size_t count)
{
    struct packed_filters head = {v->filters.version, count, 0, 0};
    size_t texts = 0;
    for (size_t i = 0; i < count; i++) {
        texts += strlen(all[i].title) + strlen(all[i].value) + 2;
        head.keywords += all[i].keyword_count;
        head.posts += all[i].post_count;
        for (size_t k = 0; k < all[i].keyword_count; k++) {
            texts += strlen(all[i].keywords[k].phrase) + strlen(all[i].keywords[k].folded) + 2;
        }
    }
    size_t size = sizeof(head) + count * sizeof(*all) + head.keywords * sizeof(*all->keywords) +
                  head.posts * sizeof(*all->posts) + texts;
    char *out = arena_zero(v->arena, size);
    memcpy(out, &head, sizeof(head));
    struct packing p = packing_of(out, &head);
    for (size_t i = 0; i < count; i++) {
        pack_filter(&p, &all[i]);
    }
    cache_put(v->social->cache, CACHE_FILTERS, v->claimed, out, size, store_batch_marked(v->reads.answers));
}

static const char *unpacked(const char *base, const char *offset)
{
    return base + (uintptr_t)offset;
}

/* What the process remembers, if it is of the version that has come. */
static bool filters_recall(struct visit *v)
{
    size_t size;
    char *base = (char *)cache_get(v->social->cache, CACHE_FILTERS, v->claimed, v->arena, &size); /* a copy of ours */
    const struct packed_filters *head = (void *)base;
    if (!head || head->version != v->filters.version) {
        return false;
    }
    struct packing p = packing_of(base, head);
    for (size_t i = 0; i < head->count; i++) {
        struct filter *f = &p.filters[i];
        f->title = unpacked(base, f->title);
        f->value = unpacked(base, f->value);
        f->keywords = (void *)(base + (uintptr_t)f->keywords);
        f->posts = (void *)(base + (uintptr_t)f->posts);
    }
    for (size_t i = 0; i < head->keywords; i++) {
        p.keywords[i].phrase = unpacked(base, p.keywords[i].phrase);
        p.keywords[i].folded = unpacked(base, p.keywords[i].folded);
    }
    v->filters.all = p.filters;
    v->filters.count = (size_t)head->count;
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
        n += filter_parse(v->arena, store_text(&r->items[i]), store_text(&r->items[i + 1]), &all[n]);
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

/* The texts, folded when the first filter wants them. */
struct folded_texts {
    struct keyword_text text, warning;
    bool is_there;
};

static void fold_texts(const struct visit *v, const struct filter_subject *of, struct folded_texts *t)
{
    if (!t->is_there) {
        *t = (struct folded_texts){keyword_text_of(v->arena, of->text), keyword_text_of(v->arena, of->warning), true};
    }
}

/* NULL: it does not meet this filter. */
static struct filter_match *match_filter(const struct visit *v, const struct filter *f, const struct filter_subject *of,
                                         struct folded_texts *t)
{
    struct filter_match m = {.filter = f};
    for (size_t i = 0; i < f->keyword_count; i++) {
        const struct filter_keyword *k = &f->keywords[i];
        fold_texts(v, of, t);
        if (keyword_is_in(&t->text, k->folded, k->whole_word) || keyword_is_in(&t->warning, k->folded, k->whole_word)) {
            m.keywords = m.keywords ? m.keywords : arena_alloc(v->arena, f->keyword_count * sizeof(*m.keywords));
            m.keywords[m.keyword_count++] = k->phrase;
        }
    }
    for (size_t i = 0; i < f->post_count && !m.post; i++) {
        uint64_t post = f->posts[i].post;
        m.post = post && (post == of->post || post == of->boost) ? post : 0;
    }
    if (!m.keyword_count && !m.post) {
        return NULL;
    }
    struct filter_match *out = arena_alloc(v->arena, sizeof(*out));
    *out = m;
    return out;
}

const struct filter_match *visit_filter_matches(const struct visit *v, unsigned place, const struct filter_subject *of,
                                                bool *hides)
{
    const struct filter_match *warnings = NULL, *others = NULL, **last_warning = &warnings, **last_other = &others;
    struct folded_texts texts = {.is_there = false};
    uint64_t now = clock_site_ms();
    *hides = false;
    for (size_t i = 0; i < v->filters.count && !*hides; i++) {
        const struct filter *f = &v->filters.all[i];
        if (f->until_ms > now) {
            source_until_site(now, f->until_ms);
        }
        if (!(f->places & 1u << place) || (f->until_ms && f->until_ms <= now)) {
            continue;
        }
        struct filter_match *m = match_filter(v, f, of, &texts);
        if (m) {
            *hides = f->action == FILTER_HIDE;
            const struct filter_match ***last = f->action == FILTER_WARN ? &last_warning : &last_other;
            **last = m;
            *last = &m->next;
        }
    }
    *last_warning = others;
    return warnings;
}
