/* match.c - see match.h. A chained hash table of keys; under each key a list of what hangs there. */
#include "social/streaming/match.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/panic.h"
#include "base/secret.h"
#include "social/streaming/match_post.h"
#include "social/streaming/match_query.h"

#define FIRST_SLOTS 256 /* a power of two */

struct hook;

struct slot {
    struct slot *next;
    struct hook *first;
    uint64_t hash;
    uint64_t seen; /* the last post that had the key: it may have it often */
    size_t count;  /* of hooks */
    size_t length;
    char key[];
};

/* What is looked at when a post has the key. */
struct hook {
    struct slot *slot;
    struct hook *next, **link;
    struct match_listener *listener;
    const char *parts; /* each with a NUL, and one more at the end; NULL: none */
    const struct match_box *box;
};

struct match_listener {
    struct match_listener *next, **link;
    void *owner;
    uint64_t told; /* the last post that it wants */
    char *texts;   /* all parts of its hooks */
    struct match_box *boxes;
    size_t count;
    struct hook hooks[];
};

struct match_index {
    struct slot **slots;
    size_t size, used;
    struct match_listener *listeners;
    uint64_t post; /* how many were looked for */
    unsigned char secret[32];
};

/* --- keys ---------------------------------------------------------------------------------------------------------- */

static struct slot **slot_find(struct match_index *m, const char *key, size_t length, uint64_t hash)
{
    struct slot **at = &m->slots[hash & (m->size - 1)];
    while (*at && ((*at)->hash != hash || (*at)->length != length || memcmp((*at)->key, key, length) != 0)) {
        at = &(*at)->next;
    }
    return at;
}

static void slots_grow(struct match_index *m)
{
    size_t size = 2 * m->size;
    struct slot **slots = mem_zero(size, sizeof(struct slot *));
    for (size_t i = 0; i < m->size; i++) {
        for (struct slot *s = m->slots[i], *next; s; s = next) {
            next = s->next;
            s->next = slots[s->hash & (size - 1)];
            slots[s->hash & (size - 1)] = s;
        }
    }
    free(m->slots);
    m->slots = slots;
    m->size = size;
}

static struct slot *slot_take(struct match_index *m, const char *key)
{
    size_t length = strlen(key);
    uint64_t hash = secret_digest(m->secret, key, length);
    struct slot **at = slot_find(m, key, length, hash), *s = *at;
    if (s) {
        return s;
    }
    s = mem_zero(1, sizeof(*s) + length);
    s->hash = hash;
    s->length = length;
    memcpy(s->key, key, length);
    *at = s;
    if (++m->used > m->size) {
        slots_grow(m);
    }
    return s;
}

static void slot_drop(struct match_index *m, struct slot *s)
{
    struct slot **at = slot_find(m, s->key, s->length, s->hash);
    *at = s->next;
    m->used--;
    free(s);
}

/* --- listeners ----------------------------------------------------------------------------------------------------- */

static void hook_hang(struct match_index *m, struct hook *h, const char *key)
{
    struct slot *s = slot_take(m, key);
    h->slot = s;
    h->next = s->first;
    h->link = &s->first;
    if (s->first) {
        s->first->link = &h->next;
    }
    s->first = h;
    s->count++;
}

static void hook_take_off(struct match_index *m, struct hook *h)
{
    *h->link = h->next;
    if (h->next) {
        h->next->link = h->link;
    }
    if (--h->slot->count == 0) {
        slot_drop(m, h->slot);
    }
}

/* The key under which fewest hang; of those the longest, which fewest posts will have. */
static const char *best_key(struct match_index *m, const struct match_rule *r)
{
    const char *best = NULL;
    size_t best_count = 0, best_length = 0;
    for (size_t i = 0; i < r->key_count; i++) {
        size_t length = strlen(r->keys[i]);
        const struct slot *s = *slot_find(m, r->keys[i], length, secret_digest(m->secret, r->keys[i], length));
        size_t count = s ? s->count : 0;
        if (!best || count < best_count || (count == best_count && length > best_length)) {
            best = r->keys[i];
            best_count = count;
            best_length = length;
        }
    }
    return best;
}

struct needs {
    size_t hooks, bytes, boxes;
};

static struct needs needs_of(const struct match_query *q)
{
    struct needs n = {0, 0, 0};
    for (size_t i = 0; i < q->count; i++) {
        const struct match_rule *r = &q->rules[i];
        n.hooks += r->box ? r->key_count : 1;
        n.boxes += r->box != NULL;
        for (size_t k = 0; k < r->part_count; k++) {
            n.bytes += strlen(r->parts[k]) + 1;
        }
        n.bytes += r->part_count > 0;
    }
    return n;
}

/* Copies the parts to *to, and moves it behind them. NULL: there are none. */
static const char *parts_copy(const struct match_rule *r, char **to)
{
    const char *start = *to;
    for (size_t k = 0; k < r->part_count; k++) {
        size_t size = strlen(r->parts[k]) + 1;
        memcpy(*to, r->parts[k], size);
        *to += size;
    }
    if (r->part_count > 0) {
        *(*to)++ = '\0';
    }
    return r->part_count > 0 ? start : NULL;
}

static void rule_hang(struct match_index *m, struct match_listener *l, const struct match_rule *r, const char *parts,
                      const struct match_box *box)
{
    for (size_t k = 0; k < (box ? r->key_count : 1); k++) {
        struct hook *h = &l->hooks[l->count++];
        *h = (struct hook){.listener = l, .parts = parts, .box = box};
        hook_hang(m, h, box ? r->keys[k] : best_key(m, r));
    }
}

struct match_listener *match_add(struct match_index *m, const struct match_query *q, void *owner)
{
    struct needs n = needs_of(q);
    struct match_listener *l = mem_zero(1, sizeof(*l) + n.hooks * sizeof(struct hook));
    char *text = l->texts = n.bytes ? mem_alloc(n.bytes) : NULL;
    struct match_box *box = l->boxes = n.boxes ? mem_alloc(n.boxes * sizeof(*box)) : NULL;
    l->owner = owner;
    for (size_t i = 0; i < q->count; i++) {
        const struct match_rule *r = &q->rules[i];
        const char *parts = parts_copy(r, &text);
        if (r->box) {
            *box = *r->box;
        }
        rule_hang(m, l, r, parts, r->box ? box++ : NULL);
    }
    l->next = m->listeners;
    l->link = &m->listeners;
    if (l->next) {
        l->next->link = &l->next;
    }
    m->listeners = l;
    return l;
}

void match_remove(struct match_index *m, struct match_listener *l)
{
    for (size_t i = 0; i < l->count; i++) {
        hook_take_off(m, &l->hooks[i]);
    }
    *l->link = l->next;
    if (l->next) {
        l->next->link = l->link;
    }
    free(l->texts);
    free(l->boxes);
    free(l);
}

struct match_index *match_new(void)
{
    struct match_index *m = mem_zero(1, sizeof(*m));
    m->size = FIRST_SLOTS;
    m->slots = mem_zero(m->size, sizeof(struct slot *));
    secret_random(m->secret, sizeof(m->secret));
    return m;
}

void match_free(struct match_index *m)
{
    while (m->listeners) {
        match_remove(m, m->listeners);
    }
    free(m->slots);
    free(m);
}

/* --- posts --------------------------------------------------------------------------------------------------------- */

static bool hook_fits(const struct hook *h, const struct match_post *p)
{
    for (const char *part = h->parts; part && *part; part += strlen(part) + 1) {
        if (!match_post_has(p, part)) {
            return false;
        }
    }
    return !h->box || (p->latitude >= h->box->south && p->latitude <= h->box->north && p->longitude >= h->box->west &&
                       p->longitude <= h->box->east);
}

size_t match_find(struct match_index *m, const struct match_post *p, void (*hit)(void *context, void *owner),
                  void *context)
{
    uint64_t post = ++m->post;
    size_t looked = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct match_key *k = &p->keys[i];
        struct slot *s = *slot_find(m, k->text, k->length, secret_digest(m->secret, k->text, k->length));
        if (!s || s->seen == post) {
            continue;
        }
        s->seen = post;
        for (struct hook *h = s->first; h; h = h->next, looked++) {
            if (h->listener->told != post && hook_fits(h, p)) {
                h->listener->told = post;
                hit(context, h->listener->owner);
            }
        }
    }
    return looked;
}
