/* index.h - the index of words: for each word the posts that have it, by which search_posts.c finds them.
 *
 * The words of all public posts are found by all; those of other posts by their author alone, so they lie under names of his own
 * (<uid>/<word>) and nobody else's question ever comes upon them. What the index says is a guess: a post is loaded, judged
 * (posts/see.h) and compared with what was looked for before anybody sees it. So it may hold what was deleted or edited; it must
 * not lack anything, which the durable jobs of posts see to (posts/index.h).
 *
 * Words lie in slots (KEY_WORDS), and these in INDEX_REGIONS buckets: few, so that a post is indexed by as many scripts at most, and
 * enough that no node of a cluster carries all of it.
 *
 * A list costs what is written into it at once, not what is in it: so what is written now and then waits (fresh.h) until there is
 * more of it.
 *
 * The room search/, in the order to read it: this file, fresh.h (posts that wait for it), build.h (the index made anew), query.h (what somebody looks for), hits.h (which posts
 * may have it), search_posts.c, people_index.h, search.h (what pages ask).
 *
 * Threads: any.
 */
#ifndef SOCIAL_SEARCH_INDEX_H
#define SOCIAL_SEARCH_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/words.h"

struct arena;
struct post;
struct social;
struct store_batch;

#define INDEX_REGIONS 16
#define INDEX_SLOTS 512   /* of each region */
#define INDEX_WHOLE "all" /* SITE_SEARCH when all posts are in it */

/* Where a word lies: the text of its slot's key, from which the bucket follows (key_text_bucket). */
const char *index_slot(struct arena *a, const char *word);

/* The slots by number, of INDEX_REGIONS * INDEX_SLOTS. */
const char *index_slot_at(struct arena *a, unsigned number);

/* The i-th word of a text as the index has it: for a sign that joins the one before it both of them. Of such a sign the single one is there too. */
const char *index_word(struct arena *a, const struct words *w, size_t i);

/* The name under which words of a user's posts that are not public lie. */
const char *index_own_word(struct arena *a, uint64_t uid, const char *word);

/* The words by which a post is found: its content warning's and its text's. */
struct words index_words_of(struct social *s, struct arena *a, const struct post *p);

/* The words that posts have (INDEX_AT_ONCE of posts/index.h at most), each with those that have it: sorted by place. For calls of the scripts word_add, word_end
 * and word_has, of which each takes those of one region. */
struct index_rows {
    struct script_word_add_row *items;
    size_t count;
};
void index_rows_of(struct social *s, struct arena *a, const struct post *posts, size_t count, struct index_rows *out);

/* Puts posts that are stored into the lists of their words; those that are gone meanwhile are passed over. Two round trips. */
enum err index_stored(struct social *s, struct arena *a, const uint64_t *ids, size_t count);

/* How many from there on go into one call. */
size_t index_rows_together(const struct index_rows *r, size_t from);

/* What posts/index.h says, for lists: fresh.c hands it over. */
void index_posts_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *posts, size_t count);
void index_post_end_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *post);
void index_words_end_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *now,
                         const struct post *earlier, size_t count);

/* The tags of a post, for those who look for tags. */
void index_tags_add(struct store_batch *b, struct arena *a, const struct post *post);

#endif
