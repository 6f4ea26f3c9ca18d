/* compress_pieces.h - compressed bytes in which some words can be exchanged for others of their length: for answers that
 * are given again (recall.h), in which the tokens of forms are new each time.
 *
 * A word stands in what was compressed as it is, in a block of its own, so another one can be written over it. Whether
 * nothing else refers to it is tried out, with other words, before anybody gets such bytes. That also keeps words and text
 * apart in length: what a word is does not change how long an answer is.
 *
 * Inside src/http only. Any thread.
 */
#ifndef HTTP_COMPRESS_PIECES_H
#define HTTP_COMPRESS_PIECES_H

#include <stdbool.h>
#include <stddef.h>

#include "http/encoding.h"

struct arena;

struct compress_piece {
    const char *text;
    size_t size;
    bool is_word;
};

struct compressed_pieces {
    char *data; /* in the arena */
    size_t size;
    size_t *places; /* of each piece that is a word: where it stands in data */
};

/* Compresses pieces, one after another. False: it cannot be done so. */
bool compress_pieces(enum encoding e, const struct compress_piece *pieces, size_t count, struct arena *a,
                     struct compressed_pieces *out);

/* Writes the words of these pieces, otherwise alike, into the copy `data` of such bytes. */
void compress_exchange(enum encoding e, const struct compress_piece *pieces, size_t count, const size_t *places,
                       char *data, size_t size);

#endif
