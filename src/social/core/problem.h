/* problem.h - what is wrong with a person's input: which field breaks which rule, and the numbers that the message
 * needs.
 *
 * The words are made by pages/ and api/ from the catalogue key "error_<rule>".
 */
#ifndef SOCIAL_CORE_PROBLEM_H
#define SOCIAL_CORE_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

struct problem {
    const char *field; /* name of the form field */
    const char *rule;  /* e.g. "username_taken" */
    int64_t least;     /* the numbers of the rule, where it has any: {min} and {max} of the message */
    int64_t most;
    int64_t count; /* the number found: {count} */
};

#define PROBLEMS_MAX 8

struct problems {
    struct problem items[PROBLEMS_MAX];
    unsigned count;
    unsigned retry_after; /* seconds to wait, with ERR_TOO_MANY */
};

/* Notes one; only the first of a field is kept. */
void problem_add(struct problems *p, const char *field, const char *rule);
void problem_add_numbers(struct problems *p, const char *field, const char *rule, int64_t least, int64_t most,
                         int64_t count);

/* The rules of a tidied text: only characters that can be shown, and not too many. */
struct problem_text_rule {
    const char *field, *unclean, *too_long;
    int64_t most; /* code points */
    bool one_line;
};
void problem_check_text(struct problems *p, const char *text, const struct problem_text_rule *rule);

#endif
