/* check.c - see check.h: how suspects are confirmed and mended, and the order of everything. The looks at the data are
 * in check_keys.c, check_people.c, check_tokens.c, check_posts.c, check_index.c, check_relations.c, check_apart.c, check_reactions.c,
 * check_boosts.c, check_lists.c, check_talks.c, check_search.c, check_jobs.c and check_homes.c; the way to all keys is in check_walk.c.
 *
 * The walk is made in phases (keys; names; users; posts and relations; everything derived from them), each mended
 * before the next begins, so that the next phase of the same pass no longer meets what an earlier repair removed.
 * Things that were looked at too early for that (somebody who is removed in one bucket may stand in a list of another)
 * are found by the next pass. After each pass that mended something there is another one, so one run mends everything
 * and a second run finds nothing.
 *
 * Threads: that of the caller.
 */
#include "upkeep/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/panic.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "store/store.h"
#include "upkeep/check_look.h"

#define LOOK_AT_ONCE 256
#define QUEUE_MAX 8192
#define PAUSE_MS 250 /* before each further look: a change in several steps takes milliseconds */
#define FURTHER_LOOKS 2
#define MOST_PASSES 5 /* on a site in use there may always be something new */

static const struct {
    check_look look;
    check_mend mend;
} sorts[LOOKS] = {
    [LOOK_TYPE] = {check_look_types, check_mend_key},
    [LOOK_NAME] = {check_look_names, check_mend_name},
    [LOOK_USER] = {check_look_users, check_mend_user},
    [LOOK_LISTED] = {check_look_listed, check_mend_entry},
    [LOOK_OWNED] = {check_look_owned, check_mend_key},
    [LOOK_SESSION] = {check_look_sessions, check_mend_session},
    [LOOK_TOKEN] = {check_look_token, check_mend_key},
    [LOOK_TOKENS] = {check_look_tokens, check_mend_key},
    [LOOK_LOGIN] = {check_look_logins, check_mend_entry},
    [LOOK_LATEST] = {check_look_latest, check_mend_entry},
    [LOOK_FAMOUS] = {check_look_famous, check_mend_entry},
    [LOOK_NEWCOMER] = {check_look_newcomers, check_mend_newcomer},
    [LOOK_POST] = {check_look_posts, check_mend_post},
    [LOOK_OWN] = {check_look_own, check_mend_entry},
    [LOOK_NEWEST] = {check_look_newest, check_mend_key},
    [LOOK_FOLLOWS] = {check_look_follows, check_mend_relation},
    [LOOK_FOLLOWED] = {check_look_followed, check_mend_relation},
    [LOOK_ASKS] = {check_look_asks, check_mend_relation},
    [LOOK_ASKED] = {check_look_asked, check_mend_relation},
    [LOOK_APART] = {check_look_apart, check_mend_apart},
    [LOOK_TIE] = {check_look_ties, check_mend_tie},
    [LOOK_WATCHER] = {check_look_watchers, check_mend_tie},
    [LOOK_REMARK] = {check_look_remarks, check_mend_entry},
    [LOOK_TIMES] = {check_look_times, check_mend_times},
    [LOOK_LIST] = {check_look_lists, check_mend_list},
    [LOOK_LISTING] = {check_look_listings, check_mend_entry},
    [LOOK_MEMBERS] = {check_look_memberships, check_mend_key},
    [LOOK_MEMBER] = {check_look_members, check_mend_entry},
    [LOOK_FAVOURITED] = {check_look_favourited, check_mend_favourite},
    [LOOK_FAVOURITES] = {check_look_favourites, check_mend_key},
    [LOOK_FAVOURER] = {check_look_favourers, check_mend_favourite},
    [LOOK_BOOKMARK] = {check_look_bookmarks, check_mend_entry},
    [LOOK_BOOST] = {check_look_boost, check_mend_boost},
    [LOOK_BOOSTED] = {check_look_boosted, check_mend_boost},
    [LOOK_BOOSTS] = {check_look_boosts, check_mend_key},
    [LOOK_BOOSTER] = {check_look_boosters, check_mend_boost},
    [LOOK_PIN] = {check_look_pins, check_mend_entry},
    [LOOK_QUIET] = {check_look_quiet, check_mend_entry},
    [LOOK_INTEREST] = {check_look_interests, check_mend_entry},
    [LOOK_INDEX] = {check_look_index, check_mend_entry},
    [LOOK_INDEXED] = {check_look_indexed, check_mend_indexed},
    [LOOK_REPLIES] = {check_look_replies, check_mend_key},
    [LOOK_HISTORY] = {check_look_history, check_mend_key},
    [LOOK_LENGTH] = {check_look_length, check_mend_length},
    [LOOK_PUBLIC] = {check_look_public, check_mend_public},
    [LOOK_JOB] = {check_look_jobs, check_mend_job},
    [LOOK_QUEUED] = {check_look_queued, check_mend_entry},
    [LOOK_DEAD] = {check_look_dead, check_mend_job},
    [LOOK_HOME] = {check_look_homes, check_mend_home},
    [LOOK_STRANGE] = {check_look_strange, check_mend_entry},
    [LOOK_DIRECT] = {check_look_direct, check_mend_direct},
    [LOOK_TALK] = {check_look_talk, check_mend_talk},
    [LOOK_TALKED] = {check_look_talked, check_mend_talked},
    [LOOK_TALKS] = {check_look_talks, check_mend_talk},
    [LOOK_NOTICE] = {check_look_notices, check_mend_notice},
    [LOOK_WORDED] = {check_look_worded, check_mend_indexed},
    [LOOK_FINDABLE] = {check_look_findable, check_mend_findable},
    [LOOK_NAMING] = {check_look_naming, check_mend_entry},
    [LOOK_TAGNAME] = {check_look_tagnames, check_mend_entry},
    [LOOK_WORD] = {check_look_word_lists, check_mend_entry},
    [LOOK_WORDPART] = {check_look_word_parts, check_mend_key},
    [LOOK_POSTED] = {check_look_posted, check_mend_key},
    [LOOK_ENDLESS] = {check_look_endless, check_mend_endless},
};

/* --- looking -------------------------------------------------------------------------------------------------------
 * */

static enum err check_look_at(struct check *c, struct check_item *items, size_t count)
{
    arena_reset(c->work);
    return sorts[items->look].look(c, c->work, items, count);
}

/* Looks again at all suspects of one sort; clears those that are right, or will become right by themselves. */
static enum err look_again_at(struct check *c, enum look sort)
{
    struct check_item items[LOOK_AT_ONCE];
    size_t at[LOOK_AT_ONCE];
    enum err e = ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < c->queued;) {
        size_t n = 0;
        for (; e == ERR_OK && i < c->queued && n < LOOK_AT_ONCE; i++) {
            if (c->queue[i].look != sort || !c->queue[i].found) {
                continue;
            }
            bool pending;
            arena_reset(c->work);
            e = check_is_pending(c, c->work, &c->queue[i], &pending);
            if (pending) {
                c->queue[i].found = CHECK_NONE;
            } else {
                at[n] = i;
                items[n++] = c->queue[i];
            }
        }
        e = e == ERR_OK && n ? check_look_at(c, items, n) : e;
        for (size_t k = 0; k < n; k++) {
            bool same = items[k].other == c->queue[at[k]].other; /* the same post of a home, say */
            c->queue[at[k]].found = same ? items[k].found : CHECK_NONE;
        }
    }
    return e;
}

static enum err look_again(struct check *c)
{
    uint64_t since = clock_wall_ms() - c->queued_ms;
    if (since < PAUSE_MS) {
        clock_sleep_ms(PAUSE_MS - since);
    }
    enum err e = ERR_OK;
    for (int sort = 0; e == ERR_OK && sort < LOOKS; sort++) {
        e = look_again_at(c, (enum look)sort);
    }
    c->queued_ms = clock_wall_ms();
    return e;
}

/* Mends what is still wrong now, since mending one thing may have mended another. A thing can have several faults,
 * which are found one after the other. */
static enum err mend(struct check *c, struct check_item item)
{
    enum check_kind first = item.found, tried = CHECK_NONE;
    enum err e = check_look_at(c, &item, 1);
    c->report->kinds[first].mended += e == ERR_OK && item.found != first;
    while (e == ERR_OK && item.found && item.found != tried && *check_info(item.found)->mended) {
        tried = item.found;
        if (tried != first) {
            check_note(c, &item);
        }
        arena_reset(c->work);
        e = sorts[item.look].mend(c, c->work, &item);
        bool refused = e == ERR_NOT_FOUND || e == ERR_CONFLICT; /* somebody changed it: what is it now? */
        e = e == ERR_OK || refused ? check_look_at(c, &item, 1) : e;
        c->report->kinds[tried].mended += e == ERR_OK && item.found != tried;
    }
    return e;
}

/* Confirms what is in the queue, reports it, mends it if wanted, and empties the queue. */
static enum err suspects_settle(struct check *c)
{
    enum err e = ERR_OK;
    c->again = true;
    for (int i = 0; e == ERR_OK && c->queued && i < FURTHER_LOOKS; i++) {
        e = look_again(c);
    }
    for (size_t i = 0; e == ERR_OK && i < c->queued; i++) {
        if (c->queue[i].found) {
            check_note(c, &c->queue[i]);
            e = c->options->repair ? mend(c, c->queue[i]) : ERR_OK;
        }
    }
    c->again = false;
    c->queued = 0;
    arena_reset(c->suspects);
    return e;
}

/* The first look at items of one sort; suspects are queued. */
static enum err first_look(struct check *c, struct check_item *items, size_t count)
{
    enum err e = ERR_OK;
    for (size_t done = 0; e == ERR_OK && done < count; done += LOOK_AT_ONCE) {
        size_t n = count - done < LOOK_AT_ONCE ? count - done : LOOK_AT_ONCE;
        e = check_look_at(c, items + done, n);
        for (size_t i = done; e == ERR_OK && i < done + n; i++) {
            if (!items[i].found) {
                continue;
            }
            if (c->queued == QUEUE_MAX) {
                e = suspects_settle(c);
            }
            struct check_item *suspect = &c->queue[c->queued++];
            *suspect = items[i];
            suspect->key = arena_dup(c->suspects, items[i].key);
            suspect->text = items[i].text ? arena_dup(c->suspects, items[i].text) : NULL;
            c->queued_ms = clock_wall_ms();
        }
    }
    return e;
}

/* --- the whole -----------------------------------------------------------------------------------------------------
 * */

static enum err check_count_keys(struct check *c)
{
    arena_reset(c->work);
    struct store_batch *b = store_batch_new(c->social->store, c->work);
    size_t nodes = store_nodes(c->social->store);
    for (size_t n = 0; n < nodes; n++) {
        store_command(b, store_node_bucket(c->social->store, n), "DBSIZE", NULL);
    }
    enum err e = store_run(b);
    for (size_t n = 0; e == ERR_OK && n < nodes; n++) {
        c->total += (uint64_t)store_integer(store_reply(b, n));
    }
    return e;
}

/* Jobs that a dead process left behind are done first, and jobs that the repair queued are done at its end. */
static enum err finish_jobs(struct check *c)
{
    unsigned found = 0;
    enum err e = ERR_OK;
    do {
        e = c->options->repair ? job_sweep(c->social, &found) : ERR_OK;
    } while (e == ERR_OK && found);
    return e;
}

static uint64_t count_mended(const struct check_report *r)
{
    uint64_t n = 0;
    for (int k = CHECK_NONE + 1; k < CHECK_KINDS; k++) {
        n += check_info((enum check_kind)k)->class == CHECK_NOTE ? 0 : r->kinds[k].mended;
    }
    return n;
}

/* Forgets everything that this pass will find again, and who was seen to exist; keeps what was mended. */
static void begin_pass(struct check *c)
{
    struct check_report *r = c->report;
    for (int k = CHECK_NONE + 1; k < CHECK_KINDS; k++) {
        uint64_t n = r->kinds[k].count = r->kinds[k].mended;
        for (; n < CHECK_EXAMPLES; n++) {
            r->kinds[k].examples[n] = NULL;
        }
    }
    r->keys = r->users = r->posts = r->relations = c->total = 0;
    memset(c->alive, 0, CHECK_ALIVE_SLOTS * sizeof(*c->alive));
    memset(c->authors, 0, CHECK_AUTHOR_SLOTS * sizeof(*c->authors));
}

static enum err pass(struct check *c)
{
    begin_pass(c);
    enum err e = check_count_keys(c);
    e = e == ERR_OK ? finish_jobs(c) : e;
    for (c->phase = 0; e == ERR_OK && c->phase < CHECK_PHASES; c->phase++) {
        c->seen = 0;
        e = check_walk(c);
        e = e == ERR_OK ? suspects_settle(c) : e;
    }
    return e == ERR_OK ? finish_jobs(c) : e;
}

static enum err check_passes(struct check *c)
{
    uint64_t before;
    enum err e;
    unsigned passes = 0;
    do {
        before = count_mended(c->report);
        e = pass(c);
    } while (e == ERR_OK && count_mended(c->report) > before && ++passes < MOST_PASSES);
    return e;
}

enum err check_run(struct social *s, struct arena *a, const struct check_options *o, struct check_report *out)
{
    memset(out, 0, sizeof(*out));
    struct check c = {.social = s, .options = o, .report = out, .report_arena = a, .first_look = first_look};
    struct arena **arenas[] = {&c.chunk, &c.rows, &c.work, &c.suspects};
    for (size_t i = 0; i < sizeof(arenas) / sizeof(*arenas); i++) {
        *arenas[i] = arena_new();
    }
    c.queue = mem_alloc(QUEUE_MAX * sizeof(*c.queue));
    c.alive = mem_zero(CHECK_ALIVE_SLOTS, sizeof(*c.alive));
    c.authors = mem_zero(CHECK_AUTHOR_SLOTS, sizeof(*c.authors));
    enum err e = check_passes(&c);
    free(c.authors);
    free(c.alive);
    free(c.queue);
    for (size_t i = 0; i < sizeof(arenas) / sizeof(*arenas); i++) {
        arena_free(*arenas[i]);
    }
    return e;
}
