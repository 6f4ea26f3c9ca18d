/* social_epoch.c - the epoch of the home timelines, the mode that the site is served in, and the engine's clock.
 *
 * Homes are caches that were filled by the rules of one mode. A server that starts in another mode than the site's
 * begins a new epoch, and every home is then built again from the truth by its next visit. No home has a hole, even
 * while servers of several modes are running:
 *
 *   A process of mode A stores a post at t1. It reads the site's mode at t2 > t1, in the round trip of the deliveries
 *   (fanout.c), before it answers the author. If that is A, there are two cases. The epoch of t2 began after t1: then
 *   all its homes are built from a truth that has the post. Or it began before t1: then A was the mode at t1 too, and
 *   the post reached all homes by A's rule. If the mode is another one, the process moves the epoch on (t3 > t1), and
 *   all homes of the new epoch are built from a truth that has the post. The post's job, which is written in one step
 *   with the post, knows the mode A and ends only after this: a process that takes it over from a dead one compares
 *   again.
 *
 * An event tells the others of the new epoch. In the milliseconds until its process has heard of it, a page judges a
 * home by the epoch before and shows it as it was a moment ago; what it stores then belongs to the epoch before, which
 * nobody believes. While nothing is trusted (event.h) each visit asks for the epoch. A process that finds the site in
 * another mode than its own is foreign: it logs that, writes no posts and stores no homes until it is started again,
 * and merges its pages from the truth.
 *
 * The engine's clock is the site's. post_create.lua compares each post's id with it, so that ids are in order within
 * the bounds that social.h names, whatever the clocks of the servers are. When the engine's own clock is set back, ids
 * and marks lie ahead of it: the epoch moves on, and until the clock has caught up, deliveries are put at their places.
 *
 * Threads: any; see social.h.
 */
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/secret.h"
#include "config/config.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define NEWEST_LOOKED_AT 100 /* of the public timeline, for ids ahead of the clock */

const char *social_mode(const struct social *s)
{
    static const char *const names[] = {[CONFIG_PUSH] = "push", [CONFIG_PULL] = "pull", [CONFIG_HYBRID] = "hybrid"};
    return names[s->config->timeline.mode];
}

static void raise_to(_Atomic uint64_t *value, uint64_t least)
{
    uint64_t known = atomic_load(value);
    while (known < least && !atomic_compare_exchange_weak(value, &known, least)) {
    }
}

void social_take_epoch(struct social *s, uint64_t epoch, const char *mode)
{
    bool is_foreign = strcmp(mode, social_mode(s)) != 0;
    if (epoch < atomic_load(&s->epoch)) {
        return; /* an older reply than another thread's; or a restored backup, about which epoch.lua decides */
    }
    if (is_foreign != atomic_exchange(&s->is_foreign, is_foreign)) {
        if (is_foreign) {
            log_error("social",
                      "the site is served in mode %s by now, and this server in %s: it takes no posts until it is "
                      "restarted with the same timeline.mode",
                      mode, social_mode(s));
        } else {
            log_info("social", "the site is served in mode %s again, like this server", mode);
        }
    }
    raise_to(&s->epoch, epoch);
}

static size_t ask_site(struct store_batch *b, struct arena *a, unsigned fields)
{
    return record_ask_at(b, KEY_GLOBAL_BUCKET, key_plain(a, KEY_SITE, KEY_GLOBAL_BUCKET), RECORD_SITE, fields);
}

size_t social_epoch_add(struct store_batch *b, struct arena *a)
{
    return ask_site(b, a, SITE_MODE | SITE_EPOCH);
}

void social_epoch_take(struct social *s, const struct store_reply *r)
{
    struct record_site site;
    record_site_take(r, SITE_MODE | SITE_EPOCH, &site);
    if (*site.mode) {
        social_take_epoch(s, (uint64_t)site.epoch, site.mode);
    }
}

void social_hear_epoch(struct social *s, const struct event *e)
{
    if (e->kind == EVENT_EPOCH) {
        social_take_epoch(s, e->id, e->text);
    }
}

/* --- the clock ----------------------------------------------------------------------------------------------------- */

void social_saw_time(struct social *s, uint64_t engine_ms)
{
    raise_to(&s->clock_ms, engine_ms);
}

/* Takes the answer to TIME. True when the clock has been set back since the last one. */
static bool take_time(struct social *s, const struct store_reply *time, uint64_t asked_us)
{
    uint64_t believed = clock_site_ms(), now = store_time_ms(time);
    if (!now) {
        return false;
    }
    clock_site_set(now, asked_us, clock_monotonic_us());
    uint64_t last = atomic_exchange(&s->clock_ms, now);
    believed = believed > last ? believed : last;
    if (last <= now + SOCIAL_AHEAD_MS) {
        return false;
    }
    log_warning("social", "the engine's clock was set back by %llu s", (unsigned long long)(believed - now) / 1000);
    raise_to(&s->ahead_ms, believed);
    return true;
}

/* Takes the newest public posts: whether the clock is now behind the time when they were written. */
static void take_newest(struct social *s, const struct store_reply *newest)
{
    uint64_t latest = 0;
    for (size_t i = 0; i < newest->count; i++) {
        uint64_t ms = id_ms(id_parse(store_text(&newest->items[i])));
        latest = ms > latest ? ms : latest;
    }
    if (latest > clock_site_ms() + SOCIAL_AHEAD_MS && latest > atomic_load(&s->ahead_ms)) {
        log_warning("social", "there are posts whose time is %llu s ahead of the engine's clock",
                    (unsigned long long)(latest - clock_site_ms()) / 1000);
        raise_to(&s->ahead_ms, latest);
    }
}

bool social_is_ahead(const struct social *s)
{
    uint64_t ahead = atomic_load(&s->ahead_ms);
    return ahead && clock_site_ms() <= ahead + SOCIAL_DISORDER_MS;
}

/* --- the epoch ----------------------------------------------------------------------------------------------------- */

/* An engine that refuses writes still gives the epoch, so pages can be read. */
static enum err read_epoch(struct social *s, struct arena *a)
{
    struct store_batch *b = store_batch_new(s->store, a);
    size_t reply = ask_site(b, a, SITE_MODE | SITE_EPOCH | SITE_KEY);
    enum err e = store_run(b);
    struct record_site site;
    record_site_take(store_reply(b, reply), SITE_MODE | SITE_EPOCH | SITE_KEY, &site);
    if (e == ERR_OK && strcmp(site.mode, social_mode(s)) != 0) {
        e = ERR_READ_ONLY; /* in another mode than before: a new epoch would have to be written */
    }
    if (e == ERR_OK) {
        social_take_key(s, site.key);
        social_take_epoch(s, (uint64_t)site.epoch, social_mode(s));
    }
    return e;
}

static enum err run_script(struct social *s, struct arena *a, enum script_epoch_what what)
{
    char key[SECRET_KEY_TEXT_SIZE];
    secret_key_write(social_key(s), key);
    const struct script_epoch in = {.own_mode = social_mode(s),
                                    .own_key = key,
                                    .what = what,
                                    .known = (int64_t)atomic_load(&s->epoch),
                                    .seen_ahead = (int64_t)atomic_load(&s->ahead_ms),
                                    .kept = EVENT_CHANGES_KEPT,
                                    .nonce = secret_random_u64(),
                                    .served = !atomic_load(&s->is_foreign)};
    uint64_t began_ms = clock_site_ms(); /* or later */
    struct store_batch *b = store_batch_new(s->store, a);
    size_t reply = script_epoch_add(b, &in);
    enum err e = store_run(b);
    if (e == ERR_OK) {
        struct script_epoch_reply r;
        script_epoch_take(store_reply(b, reply), &r);
        social_take_key(s, r.key);
        social_take_epoch(s, (uint64_t)r.epoch, r.mode);
        raise_to(&s->ahead_ms, (uint64_t)r.ahead);
        if (r.moved) {
            atomic_store(&s->moved_ms, began_ms);
        }
    } else if (e == ERR_READ_ONLY) {
        e = read_epoch(s, a);
    }
    secret_wipe(key, sizeof(key));
    return e;
}

/* Twice, because the first call opens a connection, and the clock is known the more exactly, the quicker the answer. */
static enum err read_clock(struct social *s, struct arena *a)
{
    enum err e = ERR_OK;
    for (unsigned i = 0; i < 2 && e == ERR_OK; i++) {
        struct store_batch *b = store_batch_new(s->store, a);
        uint64_t asked_us = clock_monotonic_us();
        store_command(b, KEY_GLOBAL_BUCKET, "TIME", NULL);
        e = store_run(b);
        if (e == ERR_OK) {
            take_time(s, store_reply(b, 0), asked_us);
        }
    }
    return e;
}

static enum err read_newest(struct social *s, struct arena *a)
{
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, KEY_GLOBAL_BUCKET, "LRANGE", key_plain(a, KEY_TIMELINE, KEY_GLOBAL_BUCKET), "0",
                  store_last(a, NEWEST_LOOKED_AT), NULL);
    enum err e = store_run(b);
    if (e == ERR_OK) {
        take_newest(s, store_reply(b, 0));
    }
    return e;
}

enum err social_enter_epoch(struct social *s, bool begins)
{
    struct arena *a = arena_new();
    enum err e = read_clock(s, a);
    e = e == ERR_OK ? read_newest(s, a) : e;
    e = e == ERR_OK ? run_script(s, a, begins ? EPOCH_WHAT_BEGIN : EPOCH_WHAT_LOOK) : e;
    arena_free(a);
    return e;
}

enum err social_move_epoch(struct social *s)
{
    struct arena *a = arena_new();
    enum err e = run_script(s, a, EPOCH_WHAT_MOVE);
    arena_free(a);
    return e;
}

enum err social_look(struct social *s)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(s->store, a);
    uint64_t asked_us = clock_monotonic_us();
    size_t time = store_command(b, KEY_GLOBAL_BUCKET, "TIME", NULL);
    size_t reply = ask_site(b, a, SITE_MODE | SITE_EPOCH | SITE_AHEAD);
    enum err e = store_run(b);
    struct record_site site;
    record_site_take(store_reply(b, reply), SITE_MODE | SITE_EPOCH | SITE_AHEAD, &site);
    bool is_older = (uint64_t)site.epoch < atomic_load(&s->epoch);
    if (e == ERR_OK && *site.mode) {
        social_take_epoch(s, (uint64_t)site.epoch, site.mode);
        raise_to(&s->ahead_ms, (uint64_t)site.ahead);
    }
    if (e == ERR_OK && take_time(s, store_reply(b, time), asked_us)) {
        e = run_script(s, a, EPOCH_WHAT_MOVE);
    } else if (e == ERR_OK && is_older) {
        e = run_script(s, a, EPOCH_WHAT_LOOK);
    }
    arena_free(a);
    return e;
}
