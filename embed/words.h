/* words.h - the names in the tables of src/store: keys.h, record.h, answer.h. The program is compiled with the same
 * files. */
#ifndef EMBED_WORDS_H
#define EMBED_WORDS_H

#include <stdbool.h>

enum shape { SHAPE_PLAIN, SHAPE_ID, SHAPE_ID_TEXT, SHAPE_TEXT };

/* A word of KEY_TABLE. */
struct key_row {
    const char *id, *word;
    enum shape shape;
};

/* Each NULL if there is none. */
const struct key_row *key_find(const char *id);
const char *word_of_answer(const char *id);

bool record_is(const char *id);

/* The text that Lua reads for KEY_USER, USER_NAME, USER_SHOWN …; NULL if no table has it. */
const char *word_of_table(const char *id);

#endif
