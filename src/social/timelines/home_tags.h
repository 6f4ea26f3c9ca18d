/* home_tags.h - the tags that a visitor follows, in his home: the posts of their timelines (tag:<tag>), merged with the
 * window each time that it is read. For home.c only.
 *
 * They are never stored in a home, so a tag is there with all its posts from the moment at which it is followed, leaves
 * nothing behind, and costs those who write nothing; and a home is the same in all modes. The tags are asked in the first
 * round, as the process remembers them; when that turns out to be old, as soon as they are known.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_TIMELINES_HOME_TAGS_H
#define SOCIAL_TIMELINES_HOME_TAGS_H

#include "social/timelines/timeline.h"

struct visit;

struct home_tags {
    struct timeline_query query;
    struct timeline_ids ids;    /* without a hole from the cursor to the last of them, in the direction of reading */
    struct timeline_ids behind; /* those nearest to the cursor on its other side: at least ONCE_BEHIND, if there are */
    bool is_ready;              /* the ids are those of the tags that he follows now */
    bool is_whole;              /* nothing follows them */
    bool is_asked;              /* with the next round, or the one that has come back */
    const char *const *tags;    /* that were asked */
    size_t count, first_reply;
    size_t each; /* ids that each was asked for */
};

/* Asks in the first round, if it is remembered which tags he follows. */
void home_tags_begin(struct visit *v, struct home_tags *t, const struct timeline_query *q);

/* Takes what was asked with the round that has come back. If it is no use, and it is known what to ask instead, asks
 * that with the next. To be called in each step. */
void home_tags_step(struct visit *v, struct home_tags *t);

/* Asks each tag for so many ids: those in hand are used up. */
void home_tags_more(struct visit *v, struct home_tags *t, size_t each);

/* What the tags have, up to where they are known, united with ids that reach as far in the direction of reading as these
 * do; `is_whole`: they reach all the way. */
struct timeline_ids home_tags_unite(struct visit *v, const struct home_tags *t, const struct timeline_ids *ids,
                                    bool is_whole);

/* The same ids, and those of tags behind the cursor. */
struct timeline_ids home_tags_behind(struct visit *v, const struct home_tags *t, const struct timeline_ids *ids);

/* Sets by_tag of those that came by a tag. */
void home_tags_mark(const struct home_tags *t, struct post_load *loads, size_t count);

#endif
