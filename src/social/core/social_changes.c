/* social_changes.c - the change log: what was deleted or edited, told to the caches of all processes.
 *
 * An entry is k (kind), i (id) and n (a random number); its own id is 0-<number>, so that entries are counted 1, 2, 3. A page reads
 * the log from the last entry that the process has applied, that entry included: when it comes back with another content,
 * or not at all, then this is not the log that was applied (a failover to a replica that was behind, a backup restored), its
 * numbers mean something else, and the process forgets everything. The next number may be one that it has seen before,
 * so what a process knows is (life, number): each time everything is forgotten because of that, another life begins.
 *
 * Threads: any; change_lock guards `change` and `change_mark`, and one thread at a time applies entries.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/secret.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/timelines/celebrity.h"
#include "store/keys.h"
#include "store/store.h"

#define READ_MOST 257 /* the last one applied and 256 more; if there are still more: forget everything */
#define READ_MOST_TEXT "257"

#define LIFE_SHIFT 40 /* a change is life << LIFE_SHIFT | number */
#define NUMBER_MASK ((UINT64_C(1) << LIFE_SHIFT) - 1)

void social_announce(struct store_batch *b, struct arena *a, char kind, uint64_t id)
{
    char digits[ID_SIZE];
    char kind_text[2] = {kind, '\0'};
    const char *key = key_plain(a, KEY_CHANGES, KEY_GLOBAL_BUCKET);
    const char *arguments[] = {
        SOCIAL_CHANGES_KEPT, "k", kind_text, "i", id_write(id, digits), "n", id_text(a, secret_random_u64())};
    store_script(b, KEY_GLOBAL_BUCKET, SCRIPT_ANNOUNCE, 1, &key, sizeof(arguments) / sizeof(*arguments), arguments);
}

struct social_changes social_changes_add(struct social *s, struct store_batch *b, struct arena *a)
{
    struct social_changes asked;
    mutex_lock(&s->change_lock);
    asked.known = s->change;
    asked.mark = s->change_mark;
    mutex_unlock(&s->change_lock);
    const char *from = arena_printf(a, "0-%llu", (unsigned long long)(asked.known & NUMBER_MASK));
    asked.reply = store_command(b, KEY_GLOBAL_BUCKET, "XREVRANGE", key_plain(a, KEY_CHANGES, KEY_GLOBAL_BUCKET), "+",
                                from, "COUNT", READ_MOST_TEXT, NULL);
    return asked;
}

static uint64_t number_of(const struct store_reply *entry)
{
    const char *dash = strchr(store_text(store_item(entry, 0)), '-');
    return dash ? strtoull(dash + 1, NULL, 10) & NUMBER_MASK : 0;
}

/* What tells an entry from another of the same number: a sum over its fields, never 0. */
static uint64_t mark_of(const struct store_reply *entry)
{
    uint64_t sum = 14695981039346656037u;
    const struct store_reply *fields = store_item(entry, 1);
    for (size_t i = 0; i < fields->count; i++) {
        for (const char *p = store_text(&fields->items[i]); *p; p++) {
            sum = (sum ^ (unsigned char)*p) * 1099511628211u;
        }
        sum *= 1099511628211u;
    }
    return sum | 1;
}

static void apply(struct social *s, const struct store_reply *entry)
{
    const struct store_reply *fields = store_item(entry, 1);
    uint64_t id = id_parse(store_text(store_field(fields, "i")));
    switch (store_text(store_field(fields, "k"))[0]) {
    case 'p':
        cache_forget(s->cache, CACHE_POST, id);
        break;
    case 'r':
        cache_forget(s->cache, CACHE_REPLIES, id);
        break;
    case 'u':
        cache_forget(s->cache, CACHE_USER, id);
        break;
    case 'c':
        celebrity_forget(s);
        break;
    case 'e':
        social_take_epoch(s, strtoull(store_text(store_field(fields, "i")), NULL, 10),
                          store_text(store_field(fields, "m")));
        break;
    default: /* of a newer version: better to know nothing than something wrong */
        cache_clear(s->cache);
    }
}

/* Goes to the newest of these entries without having seen all before it. */
static void forget_all(struct social *s, const struct store_reply *entries, uint64_t life)
{
    uint64_t newest = entries->count ? number_of(&entries->items[0]) : 0;
    s->change = life << LIFE_SHIFT | newest;
    s->change_mark = entries->count ? mark_of(&entries->items[0]) : 0;
    cache_clear(s->cache);
    celebrity_forget(s);
}

/* Where the entries, newest first, have this number; SIZE_MAX: nowhere. */
static size_t find(const struct store_reply *entries, uint64_t number)
{
    size_t i = 0;
    while (i < entries->count && number_of(&entries->items[i]) > number) {
        i++;
    }
    return i < entries->count && number_of(&entries->items[i]) == number ? i : SIZE_MAX;
}

static void forget_other_log(struct social *s, const struct store_reply *entries)
{
    log_warning("social", "the change log is another than before (data restored, or a failover): "
                          "everything that was remembered is forgotten");
    forget_all(s, entries, (s->change >> LIFE_SHIFT) + 1);
}

/* Whether the log behind these entries has the one of this number and mark. When there are more new ones than are read at
 * once, it is not among them and nobody knows. */
static bool has(const struct store_reply *entries, uint64_t number, uint64_t mark)
{
    size_t at = find(entries, number);
    return number == 0 || entries->count == READ_MOST || (at != SIZE_MAX && mark_of(&entries->items[at]) == mark);
}

/* Applies what is new in entries that are as new as what was applied before, or newer. The lock is held. */
static void advance(struct social *s, const struct store_reply *entries)
{
    uint64_t life = s->change >> LIFE_SHIFT, now = s->change & NUMBER_MASK;
    size_t at = find(entries, now);
    if (!has(entries, now, s->change_mark)) {
        forget_other_log(s, entries);
        return;
    }
    if (at == SIZE_MAX && number_of(&entries->items[entries->count - 1]) > now + 1) {
        forget_all(s, entries, life);
        return;
    }
    for (size_t i = at == SIZE_MAX ? entries->count : at; i-- > 0;) {
        s->change = life << LIFE_SHIFT | number_of(&entries->items[i]);
        s->change_mark = mark_of(&entries->items[i]);
        apply(s, &entries->items[i]);
    }
}

void social_changes_take(struct social *s, struct store_batch *b, const struct social_changes *asked)
{
    const struct store_reply *entries = store_reply(b, asked->reply);
    uint64_t number = asked->known & NUMBER_MASK;
    if (entries->type != STORE_ARRAY || (entries->count == 0 && number == 0)) {
        return;
    }
    uint64_t newest = entries->count ? number_of(&entries->items[0]) : 0;
    uint64_t mark = entries->count ? mark_of(&entries->items[0]) : 0;
    if (newest == number && mark == asked->mark) {
        return; /* nearly always: nothing new */
    }
    mutex_lock(&s->change_lock);
    bool same_life = s->change >> LIFE_SHIFT == asked->known >> LIFE_SHIFT;
    if (same_life && !has(entries, number, asked->mark)) {
        forget_other_log(s, entries);
    } else if (newest && newest >= (s->change & NUMBER_MASK)) {
        advance(s, entries);
    }
    if (newest == (s->change & NUMBER_MASK) && mark == s->change_mark) {
        store_batch_mark(b, cache_token(s->cache)); /* its replies are as new as all that was heard of */
    }
    mutex_unlock(&s->change_lock);
}
