/* notify.h - how people learn of a post that mentions or answers them, and forget it when it is gone.
 *
 * Posts know nothing of notices, so notices hand over a row (struct social_parts). What is told in the bucket of the
 * one who learns of it (a follow, a favourite) needs no row: the script that writes it tells
 * (store/scripts/include/notice.lua).
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_NOTIFY_H
#define SOCIAL_POSTS_NOTIFY_H

#include <stdint.h>

struct arena;
struct post;
struct store_batch;
struct store_reply;

struct notify {
    /* Adds what tells all whom the post concerns, and those who want to be told of its author's posts (`watchers`: their
     * uids; NULL: nobody). Harmless when repeated. */
    void (*post_add)(struct store_batch *b, struct arena *a, const struct post *p, const struct store_reply *watchers);

    /* Adds what follows from the new words of a post: whom it mentions for the first time is told now, and those of these
     * people (as below) whom it does not concern any more were never told. Harmless when repeated. */
    void (*people_edit_add)(struct store_batch *b, struct arena *a, const struct post *p, const char *people);

    /* Adds what tells somebody who boosts it that it was edited. Harmless when repeated. */
    void (*edited_add)(struct store_batch *b, struct arena *a, uint64_t uid, const struct post *p);

    /* Whom it concerns, for the job that cleans up after it: uids, comma separated; "" for nobody. */
    const char *(*people)(struct arena *a, const struct post *p);

    /* Adds what takes away all that these people, and the author, were told of a post. */
    void (*post_end_add)(struct store_batch *b, struct arena *a, uint64_t author, uint64_t post, const char *people);
};

#endif
