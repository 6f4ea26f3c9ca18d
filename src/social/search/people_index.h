/* people_index.h - the index of people, by the beginnings of their names, and that of tags. Both are sorted sets without scores, one for
 * each first letter, whose members begin with what they are found by.
 *
 * Of people these are the words of the user name and of the display name (base/words.h); in scripts without gaps one may begin at
 * any sign, so all ends of such a run are there. As with posts, what the index says is compared with what stands in the record.
 *
 * Threads: any.
 */
#ifndef SOCIAL_SEARCH_PEOPLE_INDEX_H
#define SOCIAL_SEARCH_PEOPLE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct store_batch;
struct user;
struct user_index;

#define PEOPLE_WORDS 20 /* of a name, by which somebody is found */

/* What somebody is found by: folded words, and all ends of runs of signs if `all_ends`; NULL ends them. */
const char *const *people_words(struct arena *a, const char *text, bool all_ends);

/* Whether each of these words begins one of the user's. */
bool people_match(struct arena *a, const struct user *u, const char *const *asked);

/* Adds the read of the first `most` entries that begin with this word to a batch. Rows are entries. */
size_t people_find_add(struct store_batch *b, struct arena *a, const char *word, unsigned most);
size_t tags_find_add(struct store_batch *b, struct arena *a, const char *word, unsigned most);

/* The user of an entry, 0 if it is none; the tag of an entry, NULL if it is none. */
uint64_t people_entry_user(const char *entry);
const char *tag_entry_tag(const char *entry);

/* Adds a question for each entry that the user has: its score. For the check. */
void people_look_add(struct store_batch *b, struct arena *a, const struct user *u);

/* An entry in parts: the text of the key that it belongs into. For the check. */
const char *people_entry_key(struct arena *a, const char *entry);
bool people_entry_fits(struct arena *a, const char *entry, const struct user *u);

/* Tags, comma separated (posts/tags.h). */
void tag_index_add(struct store_batch *b, struct arena *a, const char *tags);

/* What a tag is found by: its words in one. */
const char *tag_folded(struct arena *a, const char *tag);

/* Handed over at start. */
extern const struct user_index search_people;

#endif
