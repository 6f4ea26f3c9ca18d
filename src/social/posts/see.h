/* see.h - who may see a post, and where: the one function that decides it, for every path.
 *
 * Places differ. A post that is not for everybody is still seen by those whom it is for, but never where strangers find
 * posts; and whoever mutes somebody does not want to meet him, but may look for him. What is hidden is as if it did not
 * exist.
 *
 *                 home, lists     public, tags     profile         around a post    the post itself
 *     own         seen            public alone     seen            seen             seen
 *     blocked, either way: hidden everywhere
 *     muted       hidden          hidden           seen            hidden           seen
 *     public      seen            seen             seen            seen             seen
 *     unlisted    seen            hidden           seen            seen             seen
 *     private     by those who follow its author, and those whom it addresses; hidden in public and tags
 *     direct      own alone       hidden           by those whom it addresses
 *
 * An administrator may have limited the author: then his posts are seen by those who follow him alone, whom they address or
 * not, and stand nowhere where strangers find posts; or suspended him: then nobody else sees any (people/user.h).
 *
 * A home also leaves out answers to people whom its reader does not follow: half of a conversation tells him nothing.
 * His own answers, those to himself and those that people give to their own posts stay; and he may want to see them all
 * (struct user, home_replies). Which answers a list shows is the list's matter.
 *
 * A boost is seen by those who may see both it and, in that place, what it boosts, be it an answer; of whom somebody
 * mutes he is shown nothing on the profiles of others. Strangers find no boosts.
 *
 * What comes to a home by a tag is a post that strangers may find, an answer to whomever it is; who is muted, or on an
 * exclusive list, does not come that way either.
 *
 * Search shows what public timelines show, but for the posts of those who do not want to be found by their words, and
 * one's own posts whatever their visibility.
 *
 * A home leaves out the boosts of those of whom its reader wants none, and what they write or boost in other languages than
 * he wants of them (people/tie.h).
 *
 * Who is on one of the reader's exclusive lists is hidden in his home: there is the list for that.
 *
 * Posts of others that meet a filter of the reader's (people/filter.h) are hidden, or stand behind a warning, in the
 * places that the filter names; never the post itself.
 *
 * Whose posts stand in a home or list is another matter: that of the timeline.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_POSTS_SEE_H
#define SOCIAL_POSTS_SEE_H

#include <stdbool.h>
#include <stdint.h>

struct filter_match;
struct post;
struct script_see;
struct visit;

enum see_place {
    SEE_HOME,    /* posts of the people whom the reader has chosen: home */
    SEE_PUBLIC,  /* where strangers find posts: the public timeline, tags */
    SEE_PROFILE, /* the posts of one person, on his page */
    SEE_THREAD,  /* around a post, and in notices: what it answers, what answers it */
    SEE_POST,    /* the post itself, that the reader came for; and what he may do something with */
    SEE_LIST,    /* posts of the people whom the reader has put on one of his lists */
    SEE_SEARCH,  /* what the reader looked for by its words */
    SEE_TAG,     /* in a home, what came there by a tag that the reader follows */
    SEE_NOTICE,  /* of which the reader is told: as the post itself, but for filters */
};

enum sight { SIGHT_FULL, SIGHT_HIDDEN };

/* For actions: what their script has to make sure of (scripts/include/see.lua) before this user may do something with
 * the post, as he sees the post itself. False: it is not for him, whatever it would find. */
bool see_call(const struct post *p, uint64_t uid, struct script_see *out);

/* How the visitor sees a post in that place. What it is decided by must be known: see_is_ready. *met: the filters that it
 * meets, behind the first of which it stands if that warns; NULL: none. */
enum sight post_sight(const struct visit *v, const struct post *p, enum see_place place,
                      const struct filter_match **met);

/* Asks for what decides it in that place, with the next round; `by_following`: it is also a matter of whom the visitor
 * follows. */
void see_want(struct visit *v, enum see_place place, bool by_following);

/* Whether that is known: after the first round always, unless it was asked with that one and what the process
 * remembered turned out to be old. Then it is known after the second. */
bool see_is_ready(const struct visit *v, enum see_place place, bool by_following);

#endif
