/* see.c - see see.h. One thread at a time per visit. */
#include "social/posts/see.h"

#include "social/people/filter.h"
#include "social/people/tie.h"
#include "social/people/visit.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_exclusive.h"
#include "social/people/visit_read.h"
#include "social/people/visit_ties.h"
#include "social/posts/post.h"
#include "store/calls.h"

/* Which filters are applied there; FILTER_PLACES: none. */
static const unsigned char filtered_in[] = {
    [SEE_HOME] = FILTER_PLACE_HOME,       [SEE_LIST] = FILTER_PLACE_HOME,     [SEE_PUBLIC] = FILTER_PLACE_PUBLIC,
    [SEE_PROFILE] = FILTER_PLACE_ACCOUNT, [SEE_THREAD] = FILTER_PLACE_THREAD, [SEE_NOTICE] = FILTER_PLACE_NOTIFICATIONS,
    [SEE_SEARCH] = FILTER_PLACE_PUBLIC,   [SEE_POST] = FILTER_PLACES,         [SEE_TAG] = FILTER_PLACE_HOME,
};

void see_want(struct visit *v, enum see_place place, bool by_following)
{
    visit_want_apart(v);
    if (place == SEE_HOME) {
        visit_want_exclusive(v);
        visit_want_ties(v);
    }
    if (filtered_in[place] < FILTER_PLACES) {
        visit_want_filters(v);
    }
    if (by_following) {
        visit_want_following(v);
    }
}

bool see_is_ready(const struct visit *v, enum see_place place, bool by_following)
{
    return visit_apart_is_known(v) && (filtered_in[place] == FILTER_PLACES || visit_filters_are_known(v)) &&
           (place != SEE_HOME || (visit_exclusive_is_known(v) && visit_ties_are_known(v))) &&
           (v->following_known || !by_following || !v->viewer.id);
}

/* Whether something stands between the two that hides a post of the other's here. */
static bool is_kept_apart(unsigned flags, enum see_place place)
{
    if (flags & (APART_BLOCKS | APART_BLOCKED_BY)) {
        return true;
    }
    return flags & APART_MUTES && place != SEE_PROFILE && place != SEE_POST && place != SEE_NOTICE;
}

/* Where people find posts of those whom they do not know. */
static bool are_strangers(enum see_place place)
{
    return place == SEE_PUBLIC || place == SEE_SEARCH || place == SEE_TAG;
}

/* Whether the post is for the visitor, who is not its author. */
static bool is_for(const struct visit *v, const struct post *p, enum see_place place)
{
    bool is_for_strangers = are_strangers(place);
    if (place == SEE_SEARCH && !p->author.is_indexable) {
        return false;
    }
    bool is_follower = v->following_known && visit_follows(v, p->author.id);
    if (p->author.state == USER_STATE_LIMITED && (is_for_strangers || !is_follower)) {
        return false;
    }
    switch (p->visibility) {
    case VISIBILITY_PUBLIC:
        return true;
    case VISIBILITY_UNLISTED:
        return !is_for_strangers;
    case VISIBILITY_PRIVATE:
        return !is_for_strangers && (is_follower || post_addresses(p, v->viewer.id));
    default:
        return !is_for_strangers && place != SEE_HOME && place != SEE_LIST && post_addresses(p, v->viewer.id);
    }
}

/* Whether it answers somebody whom the visitor does not follow; neither of them is the visitor. */
static bool answers_stranger(const struct visit *v, const struct post *p)
{
    uint64_t to = p->reply_author;
    return p->reply_to && to != p->author.id && to != v->viewer.id && !(v->following_known && visit_follows(v, to));
}

/* Whether the visitor wants no boosts of whoever wrote it, or no posts in that language. */
static bool is_left_out(const struct visit *v, const struct post *p)
{
    const struct tie *tie = visit_tie(v, p->author.id);
    const struct post *said = p->boosted ? p->boosted : p;
    return tie && ((p->boost && tie->hides_boosts) || !tie_wants(tie, said->language));
}

/* Whether the visitor does not want it in his home, though it may be seen elsewhere. */
static bool is_unwanted(const struct visit *v, const struct post *p, enum see_place place)
{
    bool is_home = place == SEE_HOME || place == SEE_TAG;
    return (is_home && visit_is_exclusive(v, p->author.id)) ||
           (place == SEE_HOME && !v->viewer.home_replies && answers_stranger(v, p)) ||
           (place == SEE_HOME && is_left_out(v, p));
}

/* Of one that is no boost, or but for what it boosts. */
static enum sight own_sight(const struct visit *v, const struct post *p, enum see_place place)
{
    if (v->viewer.id && v->viewer.id == p->author.id) {
        return (place != SEE_PUBLIC && place != SEE_TAG) || p->visibility == VISIBILITY_PUBLIC ? SIGHT_FULL
                                                                                               : SIGHT_HIDDEN;
    }
    bool is_hidden = user_is_hidden(&p->author, v->viewer.id) || is_kept_apart(visit_apart(v, p->author.id), place) ||
                     !is_for(v, p, place) || is_unwanted(v, p, place);
    return is_hidden ? SIGHT_HIDDEN : SIGHT_FULL;
}

/* Whoever wrote it, of a boost what it boosts, and whoever boosted it. */
static enum sight whole_sight(const struct visit *v, const struct post *p, enum see_place place)
{
    if (!p->boost) {
        return own_sight(v, p, place);
    }
    bool is_there = p->boosted && p->boosted->id && !p->boosted->boost && !are_strangers(place);
    enum see_place there = place == SEE_PROFILE ? SEE_THREAD : place == SEE_HOME ? SEE_LIST : place;
    bool is_seen = is_there && own_sight(v, p, place) == SIGHT_FULL && own_sight(v, p->boosted, there) == SIGHT_FULL;
    return is_seen ? SIGHT_FULL : SIGHT_HIDDEN;
}

enum sight post_sight(const struct visit *v, const struct post *p, enum see_place place,
                      const struct filter_match **met)
{
    const struct post *shown = p->boosted ? p->boosted : p;
    enum sight sight = whole_sight(v, p, place);
    *met = NULL;
    bool is_own = v->viewer.id && (p->author.id == v->viewer.id || shown->author.id == v->viewer.id);
    if (sight == SIGHT_HIDDEN || is_own || v->filters.count == 0 || filtered_in[place] == FILTER_PLACES) {
        return sight;
    }
    const struct filter_subject of = {shown->text, shown->spoiler, shown->id, p->id};
    bool hides;
    const struct filter_match *matches = visit_filter_matches(v, filtered_in[place], &of, &hides);
    *met = hides ? NULL : matches;
    return hides ? SIGHT_HIDDEN : SIGHT_FULL;
}

bool see_call(const struct post *p, uint64_t uid, struct script_see *out)
{
    bool is_own = p->author.id == uid, is_addressed = post_addresses(p, uid);
    bool is_for_followers = !is_addressed && p->visibility == VISIBILITY_PRIVATE;
    *out = (struct script_see){.author = is_own ? 0 : p->author.id,
                               .follows = !is_own && (is_for_followers || p->author.state == USER_STATE_LIMITED)};
    bool is_for_him = is_addressed || p->visibility != VISIBILITY_DIRECT;
    return is_own || (is_for_him && !user_is_hidden(&p->author, uid));
}
