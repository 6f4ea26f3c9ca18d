/* compress_pieces.c - see compress_pieces.h.
 *
 * zstd: each piece is flushed, and a word, which nothing makes shorter, becomes a raw block. gzip: zlib writes a word with
 * level 0, as a stored block, and goes on with what it knows (libdeflate compresses faster, but only whole bodies); the
 * checksum at the end is made anew.
 */
#include "http/compress_pieces.h"

#include <libdeflate.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/arena.h"

#define LEVEL 1
#define GZIP_TRAILER 8     /* checksum and length */
#define ROOM_OF_PIECE 64   /* for the headers of its blocks */
#define RAW_BLOCK_HEADER 3 /* of zstd */
#define WINDOW_OF_GZIP (15 + 16)
#define ALIKE 64 /* words as far apart may be alike */

/* What is being written. */
struct sink {
    char *data;
    size_t size, room;
};

static size_t whole_size(const struct compress_piece *pieces, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        size += pieces[i].size;
    }
    return size;
}

/* Other words in place of these, all different: where two were alike, the second would be written as a reference. */
static struct compress_piece *other_words(const struct compress_piece *pieces, size_t count, unsigned char change,
                                          struct arena *a)
{
    struct compress_piece *others = arena_alloc(a, count * sizeof(*others));
    for (size_t i = 0; i < count; i++) {
        others[i] = pieces[i];
        if (pieces[i].is_word) {
            char *word = arena_alloc(a, pieces[i].size + 1);
            for (size_t k = 0; k < pieces[i].size; k++) {
                word[k] = (char)((unsigned char)pieces[i].text[k] ^ change ^ (unsigned char)(i % ALIKE));
            }
            others[i].text = word;
        }
    }
    return others;
}

/* --- zstd ---------------------------------------------------------------------------------------------------------- */

static bool zstd_add(ZSTD_CCtx *c, const struct compress_piece *p, bool is_last, struct sink *out)
{
    ZSTD_inBuffer in = {p->text, p->size, 0};
    ZSTD_outBuffer to = {out->data, out->room, out->size};
    size_t left = ZSTD_compressStream2(c, &to, &in, is_last ? ZSTD_e_end : ZSTD_e_flush);
    out->size = to.pos;
    return left == 0;
}

/* Whether it ends with this raw block. */
static bool is_raw_block(const struct sink *out, size_t from, const struct compress_piece *p)
{
    return out->size == from + RAW_BLOCK_HEADER + p->size &&
           memcmp(out->data + from + RAW_BLOCK_HEADER, p->text, p->size) == 0;
}

static bool zstd_pieces(const struct compress_piece *pieces, size_t count, struct sink *out, size_t *places)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    bool good = c && !ZSTD_isError(ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, LEVEL)) &&
                !ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(c, whole_size(pieces, count)));
    for (size_t i = 0; good && i < count; i++) {
        size_t from = out->size;
        good = zstd_add(c, &pieces[i], i + 1 == count, out);
        if (good && pieces[i].is_word) {
            good = is_raw_block(out, from, &pieces[i]);
            places[i] = from + RAW_BLOCK_HEADER;
        }
    }
    ZSTD_freeCCtx(c);
    return good;
}

/* --- gzip ---------------------------------------------------------------------------------------------------------- */

static bool gzip_add(z_stream *z, const struct compress_piece *p, bool is_last, struct sink *out)
{
    if (deflateParams(z, p->is_word ? 0 : LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
        return false;
    }
    z->next_in = (unsigned char *)(uintptr_t)p->text;
    z->avail_in = (unsigned)p->size;
    int done = deflate(z, is_last ? Z_FINISH : Z_SYNC_FLUSH);
    out->size = out->room - z->avail_out;
    return done == (is_last ? Z_STREAM_END : Z_OK) && z->avail_in == 0;
}

static const char *find_stored(const struct sink *out, size_t from, const struct compress_piece *p)
{
    for (size_t at = from; at + p->size <= out->size; at++) {
        if (memcmp(out->data + at, p->text, p->size) == 0) {
            return out->data + at;
        }
    }
    return NULL;
}

static bool gzip_pieces(const struct compress_piece *pieces, size_t count, struct sink *out, size_t *places)
{
    z_stream z = {.next_out = (unsigned char *)out->data, .avail_out = (unsigned)out->room};
    bool good = deflateInit2(&z, LEVEL, Z_DEFLATED, WINDOW_OF_GZIP, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    for (size_t i = 0; good && i < count; i++) {
        size_t from = out->size;
        good = gzip_add(&z, &pieces[i], i + 1 == count, out);
        const char *stored = good && pieces[i].is_word ? find_stored(out, from, &pieces[i]) : NULL;
        good = good && (stored || !pieces[i].is_word);
        places[i] = stored ? (size_t)(stored - out->data) : 0;
    }
    deflateEnd(&z);
    return good;
}

static uint32_t checksum_of(const struct compress_piece *pieces, size_t count)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum = libdeflate_crc32(sum, pieces[i].text, pieces[i].size);
    }
    return sum;
}

/* --- trying it out ------------------------------------------------------------------------------------------------- */

static bool expands_to(enum encoding e, const char *data, size_t size, char *room, size_t expected)
{
    size_t got = 0;
    if (e == ENCODING_ZSTD) {
        got = ZSTD_decompress(room, expected, data, size);
    } else {
        struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
        bool good = d && libdeflate_gzip_decompress(d, data, size, room, expected, &got) == LIBDEFLATE_SUCCESS;
        libdeflate_free_decompressor(d);
        got = good ? got : 0;
    }
    return got == expected;
}

static bool can_be_exchanged(enum encoding e, const struct compress_piece *pieces, size_t count, struct arena *a,
                             const struct compressed_pieces *made)
{
    size_t size = whole_size(pieces, count), at = 0;
    const struct compress_piece *others = other_words(pieces, count, ALIKE, a);
    char *copy = arena_dup_n(a, made->data, made->size), *room = arena_alloc(a, size + 1);
    compress_exchange(e, others, count, made->places, copy, made->size);
    bool same = expands_to(e, copy, made->size, room, size);
    for (size_t i = 0; same && i < count; i++) {
        same = memcmp(room + at, others[i].text, others[i].size) == 0;
        at += others[i].size;
    }
    return same;
}

bool compress_pieces(enum encoding e, const struct compress_piece *pieces, size_t count, struct arena *a,
                     struct compressed_pieces *out)
{
    struct sink to = {.room = ZSTD_COMPRESSBOUND(whole_size(pieces, count)) + (count + 1) * ROOM_OF_PIECE};
    to.data = arena_alloc(a, to.room);
    out->places = arena_zero(a, count * sizeof(*out->places));
    const struct compress_piece *others = other_words(pieces, count, 2 * ALIKE, a);
    bool good = e == ENCODING_ZSTD ? zstd_pieces(others, count, &to, out->places)
                                   : gzip_pieces(others, count, &to, out->places);
    out->data = to.data;
    out->size = to.size;
    if (!good || !can_be_exchanged(e, pieces, count, a, out)) {
        return false;
    }
    compress_exchange(e, pieces, count, out->places, out->data, out->size);
    return true;
}

void compress_exchange(enum encoding e, const struct compress_piece *pieces, size_t count, const size_t *places,
                       char *data, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].is_word) {
            memcpy(data + places[i], pieces[i].text, pieces[i].size);
        }
    }
    if (e == ENCODING_GZIP) {
        uint32_t sum = checksum_of(pieces, count);
        for (int i = 0; i < 4; i++) { /* least significant byte first: RFC 1952 */
            data[size - GZIP_TRAILER + (size_t)i] = (char)(sum >> (8 * i));
        }
    }
}
