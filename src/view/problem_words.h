/* problem_words.h - what is wrong with a person's input, in words of the catalogue. Threads: any. */
#ifndef VIEW_PROBLEM_WORDS_H
#define VIEW_PROBLEM_WORDS_H

#include <stdint.h>

struct arena;
struct locale;
struct problem;

#define RULE_WAIT "rate_limit" /* the rule of a problem whose count is the seconds to wait */

enum wait_words {
    WAIT_WORDS_RETRY, /* when to try again */
    WAIT_WORDS_LIMIT, /* that it was too often, and when to try again */
    WAIT_WORDS_KINDS
};

/* How long to wait: in seconds, from two minutes on in minutes, from two hours on in hours, rounded up. */
const char *wait_words(struct arena *a, const struct locale *l, enum wait_words what, uint64_t seconds);

/* "A post needs some text.": error_<rule> with its numbers. In the arena, or of the catalogue. */
const char *problem_words(struct arena *a, const struct locale *l, const struct problem *problem);

#endif
