/* demo_text.h - names, profiles and posts out of the lists of demo_words.h, and the random numbers that choose.
 *
 * Everything follows from a seed and a number, so the order in which threads work does not matter. Threads: any.
 */
#ifndef UPKEEP_DEMO_TEXT_H
#define UPKEEP_DEMO_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "social/people/user.h"
#include "social/posts/post.h"

struct arena;
struct buffer;

struct demo_random {
    uint64_t state;
};

/* The random numbers of one thing: the seed, what sort of thing, which. */
enum demo_stream {
    DEMO_PERSON,
    DEMO_AUDIENCE,
    DEMO_PLAN,
    DEMO_TEXT,
    DEMO_RENAME,
    DEMO_FRAME,
    DEMO_BOOST,
    DEMO_CHOICE,
    DEMO_TAGS,
    DEMO_SAFETY,
    DEMO_REACTION,
    DEMO_PLACE
};
struct demo_random demo_random_at(uint64_t seed, enum demo_stream stream, uint64_t number);
uint64_t demo_random_next(struct demo_random *r);
uint64_t demo_random_below(struct demo_random *r, uint64_t n);
double demo_random_unit(struct demo_random *r); /* 0 <= x < 1 */

/* The language of a person, and how often this language occurs before him: that gives him his name. */
unsigned demo_language_of(uint64_t seed, uint64_t person);

/* The n-th name of a language: distinct for distinct n. `shown` is the display name. */
void demo_name(uint64_t seed, unsigned language, uint64_t n, char name[USER_NAME_MAX + 1], struct buffer *shown);

void demo_bio(struct buffer *out, uint64_t seed, unsigned language, uint64_t person);

/* What a post consists of. */
struct demo_text {
    unsigned language;
    bool is_reply;
    const char *mention; /* name; NULL: nobody */
};
void demo_write(struct buffer *out, uint64_t seed, uint64_t number, const struct demo_text *t);

/* For whom a post is: a few are unlisted, fewer for followers. And what stands before it: of a few a word of warning,
 * else NULL. */
enum visibility demo_visibility(uint64_t seed, uint64_t number);
const char *demo_warning(uint64_t seed, uint64_t number, unsigned language);

/* Where it was written, of a few; else NULL. In the arena. */
const char *demo_place(struct arena *a, uint64_t seed, uint64_t number);

#endif
