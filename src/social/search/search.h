/* search.h - what pages ask: posts by their words, people and tags by the beginnings of their names.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_SEARCH_SEARCH_H
#define SOCIAL_SEARCH_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "social/people/people.h"

struct post;
struct visit;

#define SEARCH_SHOWN 40  /* people and tags, on pages: who wants fewer types more */
#define SEARCH_MOST 1000 /* people, tags and posts that one question can bring: no more are looked at */

struct search_posts {
    struct post *posts; /* newest first */
    size_t count;
    uint64_t
        older_id; /* what follows is older than that; 0: nothing does. It may be there though this page is not full: few fit */
    bool is_empty; /* there was nothing to look for */
    bool is_whole; /* the index has all posts; else it is being built, and has the newest */
};

/* The posts that fit (query.h) and that this visitor may find: the public ones, and his own. `below` 0: the newest. Two round trips;
 * more only when few of those that may fit do, and then at most search.posts posts are looked at (or twice the limit). */
const struct search_posts *search_posts_ask(struct visit *v, const char *text, uint64_t below, unsigned limit);

/* The same among the posts of one user alone, by his id; with no words all of them. */
const struct search_posts *search_posts_of_ask(struct visit *v, uint64_t uid, const char *text, uint64_t below,
                                               unsigned limit);

/* At most `most` of the people each of whose names or words of their names the text has the beginning: those whom the visitor follows first (of whom he
 * follows 500 at least, however many have such a name). Nobody with whom he is at odds (blocks). */
const struct people *search_people_ask(struct visit *v, const char *text, size_t most);

struct search_tag {
    const char *name;
    int64_t posts; /* at most TIMELINE_TAG_SIZE, which are kept */
};

struct search_tags {
    struct search_tag *tags;
    size_t count;
};

/* At most `most` of the tags that begin with the text: those with most posts, or the shortest, first. */
enum search_order { SEARCH_BY_USE, SEARCH_BY_LENGTH };
const struct search_tags *search_tags_ask(struct visit *v, const char *text, enum search_order order, size_t most);

#endif
