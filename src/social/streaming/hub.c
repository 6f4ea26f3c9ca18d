/* hub.c - see hub.h. Threads: one lock around everything; the thread of the events writes, those of listeners read. */
#include "social/streaming/hub.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "store/keys.h"
#include "store/store.h"

#define NETWORK_MAX 63

struct hub_listener {
    struct hub *hub;
    struct hub_listener *before, *behind;
    uint64_t next; /* of the ring */
    uint64_t account;
    int fd;
    bool is_woken;
    char network[NETWORK_MAX + 1];
};

struct hub {
    pthread_mutex_t lock;
    struct hub_entry ring[HUB_KEPT]; /* entry n lies at n % HUB_KEPT; the texts are the hub's */
    uint64_t next;
    struct hub_place at;
    bool is_placed; /* the process has begun to hear */
    _Atomic bool is_ending;
    struct hub_listener *first;
};

struct hub *hub_open(void)
{
    struct hub *h = mem_zero(1, sizeof(*h));
    pthread_mutex_init(&h->lock, NULL);
    return h;
}

void hub_close(struct hub *h)
{
    for (size_t i = 0; i < HUB_KEPT; i++) {
        free((char *)h->ring[i].text);
    }
    pthread_mutex_destroy(&h->lock);
    free(h);
}

/* --- hearing ------------------------------------------------------------------------------------------------------- */

static bool is_for_listeners(const struct event *e)
{
    switch (e->kind) {
    case EVENT_POST:
        return e->text[0] != '\0';
    case EVENT_NEW:
    case EVENT_NOTICE:
    case EVENT_TALK:
    case EVENT_FILTERS:
    case EVENT_SESSIONS:
    case EVENT_USER:
        return true;
    default:
        return false;
    }
}

/* With the lock. */
static void wake_all(struct hub *h)
{
    static const uint64_t one = 1;
    for (struct hub_listener *l = h->first; l; l = l->behind) {
        if (!l->is_woken) {
            l->is_woken = write(l->fd, &one, sizeof(one)) == sizeof(one);
        }
    }
}

static void push_event(struct hub *h, const struct event *e)
{
    struct hub_entry *at = &h->ring[h->next % HUB_KEPT];
    free((char *)at->text);
    *at = (struct hub_entry){e->kind, e->id, mem_dup(e->text), e->partition, e->number};
    h->next++;
    wake_all(h);
}

void hub_hear(struct social *s, const struct event *e)
{
    struct hub *h = s->hub;
    if (!h || (!e->number && !e->ends)) {
        return; /* what this process did itself: it hears of it once more */
    }
    mutex_lock(&h->lock);
    if (e->ends) {
        memcpy(h->at.numbers, e->ends, sizeof(h->at.numbers));
        h->is_placed = true;
        push_event(h, e);
    } else {
        h->at.numbers[e->partition] = e->number;
        if (is_for_listeners(e)) {
            push_event(h, e);
        }
    }
    mutex_unlock(&h->lock);
}

bool hub_hears(struct social *s)
{
    return cache_is_trusted(s->cache);
}

/* --- listening ----------------------------------------------------------------------------------------------------- */

/* With the lock. */
static bool has_room(const struct hub *h, const struct hub_limits *limits, uint64_t account, const char *network)
{
    unsigned all = 0, same_account = 0, same_network = 0;
    for (const struct hub_listener *l = h->first; l; l = l->behind) {
        all++;
        same_account += l->account == account;
        same_network += strcmp(l->network, network) == 0;
    }
    return all < limits->all && same_account < limits->account && same_network < limits->network;
}

struct hub_listener *hub_join(struct social *s, const struct hub_limits *limits, uint64_t account, const char *network,
                              struct hub_place *at)
{
    struct hub *h = s->hub;
    struct hub_listener *l = mem_zero(1, sizeof(*l));
    snprintf(l->network, sizeof(l->network), "%s", network);
    l->hub = h;
    l->account = account;
    l->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    mutex_lock(&h->lock);
    bool may = l->fd >= 0 && h->is_placed && !atomic_load(&h->is_ending) && has_room(h, limits, account, l->network);
    if (may) {
        l->next = h->next;
        l->behind = h->first;
        if (h->first) {
            h->first->before = l;
        }
        h->first = l;
        *at = h->at;
    }
    mutex_unlock(&h->lock);
    if (!may) {
        if (l->fd >= 0) {
            close(l->fd);
        }
        free(l);
    }
    return may ? l : NULL;
}

void hub_leave(struct hub_listener *l)
{
    struct hub *h = l->hub;
    mutex_lock(&h->lock);
    *(l->before ? &l->before->behind : &h->first) = l->behind;
    if (l->behind) {
        l->behind->before = l->before;
    }
    mutex_unlock(&h->lock);
    close(l->fd);
    free(l);
}

int hub_fd(const struct hub_listener *l)
{
    return l->fd;
}

bool hub_take(struct hub_listener *l, struct arena *a, const struct hub_place *at, struct hub_entry *out, size_t most,
              size_t *count)
{
    struct hub *h = l->hub;
    uint64_t scrap;
    *count = 0;
    mutex_lock(&h->lock);
    bool keeps_up = l->next + HUB_KEPT >= h->next;
    bool is_lost = false; /* then that is told before anything else */
    while (keeps_up && !is_lost && *count < most && l->next < h->next) {
        const struct hub_entry *e = &h->ring[l->next++ % HUB_KEPT];
        is_lost = e->number == 0;
        if (is_lost || e->number > at->numbers[e->partition]) { /* else it was replayed */
            out[*count] = *e;
            out[(*count)++].text = arena_dup(a, e->text);
        }
    }
    if (l->next == h->next && l->is_woken) {
        l->is_woken = read(l->fd, &scrap, sizeof(scrap)) != sizeof(scrap);
    }
    mutex_unlock(&h->lock);
    return keeps_up;
}

struct hub_place hub_at(struct social *s)
{
    mutex_lock(&s->hub->lock);
    struct hub_place at = s->hub->at;
    mutex_unlock(&s->hub->lock);
    return at;
}

void hub_end(struct social *s)
{
    mutex_lock(&s->hub->lock);
    atomic_store(&s->hub->is_ending, true);
    wake_all(s->hub);
    mutex_unlock(&s->hub->lock);
}

bool hub_is_ending(const struct hub_listener *l)
{
    return atomic_load(&l->hub->is_ending);
}

/* --- what was missed ----------------------------------------------------------------------------------------------- */

/* Takes what one partition has; false: something is missing. */
static bool take_missed(const struct store_reply *entries, unsigned partition, uint64_t from, uint64_t to,
                        struct hub_entry *out, size_t *count)
{
    bool is_whole = from <= to;
    for (size_t i = 0; i < entries->count; i++) {
        uint64_t number = event_number(&entries->items[i]);
        const struct event e = event_of(&entries->items[i]);
        is_whole = is_whole && number == from + 1;
        from = number;
        if (is_for_listeners(&e)) {
            out[(*count)++] = (struct hub_entry){e.kind, e.id, e.text, partition, number};
        }
    }
    return is_whole && from == to;
}

enum err hub_replay(struct social *s, struct arena *a, const struct hub_place *from, const struct hub_place *to,
                    struct hub_entry **out, size_t *count, bool *gap)
{
    struct store_batch *b = store_batch_new(s->store, a);
    for (unsigned i = 0; i < EVENT_PARTITIONS; i++) {
        store_command(b, i, "XRANGE", key_plain(a, KEY_EVENTS, i),
                      arena_printf(a, "0-%llu", (unsigned long long)from->numbers[i] + 1),
                      arena_printf(a, "0-%llu", (unsigned long long)to->numbers[i]), NULL);
    }
    enum err e = store_run(b);
    size_t room = 0;
    *count = 0;
    *gap = false;
    for (unsigned i = 0; e == ERR_OK && i < EVENT_PARTITIONS; i++) {
        room += store_reply(b, i)->count;
    }
    *out = arena_alloc(a, (room + 1) * sizeof(**out));
    for (unsigned i = 0; e == ERR_OK && i < EVENT_PARTITIONS; i++) {
        *gap |= !take_missed(store_reply(b, i), i, from->numbers[i], to->numbers[i], *out, count);
    }
    return e;
}
