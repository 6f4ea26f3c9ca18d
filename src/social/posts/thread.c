/* thread.c - see thread.h. Any thread. */
#include "social/posts/thread.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/posts/post.h"
#include "store/store.h"

#define ASIDE " -" /* how the member of a reply ends that is not for everybody */

uint64_t thread_root(const struct post *p)
{
    return p->thread ? p->thread : p->id;
}

const char *thread_member(struct arena *a, const struct thread_entry *e)
{
    char own[ID_SIZE], above[ID_SIZE], whose[ID_SIZE];
    return arena_printf(a, "%s %s %s%s", id_write(e->id, own), id_write(e->parent, above), id_write(e->author, whose),
                        e->is_aside ? ASIDE : "");
}

struct thread_entry thread_entry_of_post(const struct post *p)
{
    return (struct thread_entry){p->id, p->reply_to, p->author.id, !post_is_for_all(p)};
}

struct thread_entry thread_entry_of(const char *member)
{
    struct thread_entry e = {.id = 0};
    size_t first = strcspn(member, " "), second = member[first] ? strcspn(member + first + 1, " ") : 0;
    const char *parent = member + first + 1, *author = parent + second + 1;
    if (!member[first] || !parent[second]) {
        return e;
    }
    size_t third = strcspn(author, " ");
    bool is_aside = strcmp(author + third, ASIDE) == 0;
    if (author[third] && !is_aside) {
        return e;
    }
    e = (struct thread_entry){id_parse_n(member, first), id_parse_n(parent, second), id_parse_n(author, third),
                              is_aside};
    return e.parent && e.author ? e : (struct thread_entry){.id = 0};
}

static int compare_entries(const void *x, const void *y)
{
    const struct thread_entry *a = x, *b = y;
    if (a->parent != b->parent) {
        return a->parent < b->parent ? -1 : 1;
    }
    return (a->id > b->id) - (a->id < b->id);
}

struct thread thread_of(struct arena *a, const struct store_reply *members)
{
    struct thread t = {.entries = arena_alloc(a, (members->count + 1) * sizeof(*t.entries))};
    for (size_t i = 0; i < members->count; i++) {
        struct thread_entry e = thread_entry_of(store_text(&members->items[i]));
        if (e.id) {
            t.entries[t.count++] = e;
            t.newest = e.id > t.newest ? e.id : t.newest;
        }
    }
    qsort(t.entries, t.count, sizeof(*t.entries), compare_entries);
    return t;
}

/* The first entry that answers the post; t->count when none does. */
static size_t first_answer(const struct thread *t, uint64_t parent)
{
    size_t low = 0, high = t->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->entries[middle].parent < parent) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < t->count && t->entries[low].parent == parent ? low : t->count;
}

size_t thread_answers(const struct thread *t, uint64_t id)
{
    size_t first = first_answer(t, id), n = 0;
    while (first + n < t->count && t->entries[first + n].parent == id) {
        n++;
    }
    return n;
}

static const struct thread_entry *find_entry(const struct thread *t, uint64_t id)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->entries[i].id == id) {
            return &t->entries[i];
        }
    }
    return NULL;
}

void thread_add(struct arena *a, struct thread *t, uint64_t parent, const uint64_t *ids, size_t count)
{
    struct thread_entry *all = arena_alloc(a, (t->count + count + 1) * sizeof(*all));
    memcpy(all, t->entries, t->count * sizeof(*all));
    size_t n = t->count;
    for (size_t i = 0; i < count; i++) {
        if (!find_entry(t, ids[i])) {
            all[n++] = (struct thread_entry){.id = ids[i], .parent = parent};
        }
    }
    t->entries = all;
    t->count = n;
    qsort(all, n, sizeof(*all), compare_entries);
}

static int compare_ids(const void *x, const void *y)
{
    const struct thread_entry *a = x, *b = y;
    return (a->id > b->id) - (a->id < b->id);
}

size_t thread_ancestors(struct arena *a, const struct thread *t, uint64_t parent, size_t most, uint64_t *out)
{
    struct thread_entry *by_id = arena_alloc(a, (t->count + 1) * sizeof(*by_id));
    size_t n = 0;
    memcpy(by_id, t->entries, t->count * sizeof(*by_id));
    if (parent && most) {
        qsort(by_id, t->count, sizeof(*by_id), compare_ids);
    }
    while (parent && n < most) {
        out[n++] = parent;
        const struct thread_entry wanted = {.id = parent},
                                  *e = bsearch(&wanted, by_id, t->count, sizeof(*by_id), compare_ids);
        parent = e ? e->parent : 0;
    }
    for (size_t i = 0; i < n / 2; i++) { /* the nearest came first */
        uint64_t near = out[i];
        out[i] = out[n - 1 - i];
        out[n - 1 - i] = near;
    }
    return n;
}

struct thread_place *thread_descendants(struct arena *a, const struct thread *t, uint64_t id, size_t *count)
{
    struct thread_place *out = arena_alloc(a, (t->count + 1) * sizeof(*out));
    size_t *next = arena_alloc(a, (t->count + 1) * sizeof(*next)); /* the next answer, at each depth */
    uint64_t *parents = arena_alloc(a, (t->count + 1) * sizeof(*parents));
    size_t level = 0, n = 0;
    next[0] = first_answer(t, id);
    parents[0] = id;
    while (n < t->count) { /* damaged data could go round in a circle */
        size_t i = next[level];
        if (i >= t->count || t->entries[i].parent != parents[level]) {
            if (level-- == 0) {
                break;
            }
            continue;
        }
        next[level]++;
        out[n++] = (struct thread_place){t->entries[i].id, (unsigned)level + 1};
        if (level + 1 < t->count) {
            level++;
            parents[level] = t->entries[i].id;
            next[level] = first_answer(t, t->entries[i].id);
        }
    }
    *count = n;
    return out;
}

size_t thread_people(struct arena *a, const struct thread *t, uint64_t root_author)
{
    uint64_t *authors = arena_alloc(a, (t->count + 1) * sizeof(*authors));
    size_t n = 0, people = 0;
    authors[n++] = root_author;
    for (size_t i = 0; i < t->count; i++) {
        if (t->entries[i].author && !t->entries[i].is_aside) {
            authors[n++] = t->entries[i].author;
        }
    }
    qsort(authors, n, sizeof(*authors), id_oldest_first);
    for (size_t i = 0; i < n; i++) {
        people += i == 0 || authors[i] != authors[i - 1];
    }
    return people;
}
