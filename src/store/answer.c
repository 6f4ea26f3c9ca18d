/* answer.c - see answer.h. */
#include "store/answer.h"

#include <string.h>

#include "store/store.h"

static const char *const words[ANSWER_COUNT] = {"",
#define X(id, word, means) word,
                                                ANSWER_TABLE(X)
#undef X
};

enum answer script_answer(const struct store_reply *r)
{
    const char *word = store_text(store_item(r, 0));
    for (int a = ANSWER_NONE + 1; a < ANSWER_COUNT; a++) {
        if (strcmp(words[a], word) == 0) {
            return (enum answer)a;
        }
    }
    return ANSWER_NONE;
}
