/* check_look.h - internal to check*.c: one look at one thing, as often as it takes.
 *
 * The look of an item's sort reads what it needs in one to three batches for many items at once and says for each what
 * it found. The same function serves the walk (everything, pipelined), the second and third look at suspects, and the
 * last one before mending.
 *
 * Threads: that of the check.
 */
#ifndef UPKEEP_CHECK_LOOK_H
#define UPKEEP_CHECK_LOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "upkeep/check_item.h"

/* Looks at items of one sort: sets `found` of each. `a` is reset afterwards. */
typedef enum err (*check_look)(struct check *c, struct arena *a, struct check_item *items, size_t count);
/* Mends what was found. */
typedef enum err (*check_mend)(struct check *c, struct arena *a, const struct check_item *item);

enum err check_look_types(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_names(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_users(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_listed(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_owned(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_sessions(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_token(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_tokens(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_logins(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_latest(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_famous(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_posts(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_own(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_newest(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_follows(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_followed(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_asks(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_asked(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_apart(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_times(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_lists(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_listings(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_memberships(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_members(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_favourited(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_favourites(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_favourers(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_bookmarks(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_boost(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_boosted(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_boosts(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_boosters(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_pins(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_quiet(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_ties(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_watchers(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_mend_tie(struct check *c, struct arena *a, const struct check_item *item);
enum err check_look_remarks(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_interests(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_index(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_indexed(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_newcomers(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_endless(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_posted(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_replies(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_history(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_length(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_public(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_jobs(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_queued(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_dead(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_homes(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_notices(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_direct(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_talk(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_talked(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_talks(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_strange(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_worded(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_findable(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_naming(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_tagnames(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_word_lists(struct check *c, struct arena *a, struct check_item *items, size_t count);
enum err check_look_word_parts(struct check *c, struct arena *a, struct check_item *items, size_t count);

enum err check_mend_name(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_user(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_session(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_post(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_relation(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_apart(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_list(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_favourite(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_boost(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_times(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_indexed(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_newcomer(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_endless(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_public(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_length(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_job(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_notice(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_direct(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_talk(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_talked(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_findable(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_home(struct check *c, struct arena *a, const struct check_item *item);
/* Removes the key / the entry from its key; an entry that is only out of order gets the right score. */
enum err check_mend_key(struct check *c, struct arena *a, const struct check_item *item);
enum err check_mend_entry(struct check *c, struct arena *a, const struct check_item *item);

/* The walk: hands every key of the phase, and every entry of these, to c->first_look, those of one sort at a time. */
enum err check_walk(struct check *c);

/* Whether a job is waiting that will put the item right. */
enum err check_is_pending(struct check *c, struct arena *a, const struct check_item *item, bool *pending);

#endif
