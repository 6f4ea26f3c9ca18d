/* test_http_compress_pieces.c - compressed bytes in which words are exchanged: what comes out has the new words and the old
 * text, for every encoding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <libdeflate.h>
#include <zstd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/secret.h"
#include "http/compress_pieces.h"

#define ROOM 200000
#define PIECES 9

static struct arena *arena;

static int pieces_setup(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int pieces_teardown(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static const char *new_word(void)
{
    char *word = arena_alloc(arena, SECRET_TOKEN_SIZE);
    secret_token(word);
    return word;
}

/* A page: text, word, text …; `token` stands in it several times. */
static void make_page(struct compress_piece pieces[PIECES], const char *token, const char *once, size_t size)
{
    for (size_t i = 0; i < PIECES; i++) {
        struct buffer text = buffer_make(arena);
        while (text.length < size) {
            buffer_printf(&text,
                          "<p class=\"post\" id=\"%zu\">words and %zu words</p>\n<input name=csrf_token value=\"",
                          text.length * 7919 % 1000, i);
        }
        const char *word = i == 3 ? once : token;
        pieces[i] = i % 2 ? (struct compress_piece){word, strlen(word), true}
                          : (struct compress_piece){buffer_string(&text), text.length, false};
    }
}

static const char *expand(enum encoding e, const char *data, size_t size)
{
    char *out = arena_alloc(arena, ROOM);
    size_t got = 0;
    if (e == ENCODING_ZSTD) {
        got = ZSTD_decompress(out, ROOM - 1, data, size);
        assert_false(ZSTD_isError(got));
    } else {
        struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
        assert_int_equal(libdeflate_gzip_decompress(d, data, size, out, ROOM - 1, &got), LIBDEFLATE_SUCCESS);
        libdeflate_free_decompressor(d);
    }
    out[got] = '\0';
    return out;
}

static const char *joined(const struct compress_piece *pieces, size_t count)
{
    struct buffer all = buffer_make(arena);
    for (size_t i = 0; i < count; i++) {
        buffer_add(&all, pieces[i].text, pieces[i].size);
    }
    return buffer_string(&all);
}

static void exchange(enum encoding e, size_t size)
{
    struct compress_piece before[PIECES], after[PIECES];
    struct compressed_pieces made;
    make_page(before, new_word(), new_word(), size);
    assert_true(compress_pieces(e, before, PIECES, arena, &made));
    assert_string_equal(expand(e, made.data, made.size), joined(before, PIECES));
    assert_true(made.size < strlen(joined(before, PIECES)) / 2);
    make_page(after, new_word(), new_word(), size);
    char *copy = arena_dup_n(arena, made.data, made.size);
    compress_exchange(e, after, PIECES, made.places, copy, made.size);
    assert_string_equal(expand(e, copy, made.size), joined(after, PIECES));
    assert_string_equal(expand(e, made.data, made.size), joined(before, PIECES)); /* what is kept stays */
}

static void words_are_exchanged(void **state)
{
    (void)state;
    const size_t sizes[] = {400, 2000, 15000};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        for (int again = 0; again < 20; again++) {
            exchange(ENCODING_ZSTD, sizes[i]);
            exchange(ENCODING_GZIP, sizes[i]);
        }
    }
}

static void a_body_without_words(void **state)
{
    (void)state;
    const char *text = "{\"words\": \"words and words and words and words\"}";
    const struct compress_piece one[] = {{text, strlen(text), false}};
    for (enum encoding e = ENCODING_GZIP; e < ENCODINGS; e++) {
        struct compressed_pieces made;
        assert_true(compress_pieces(e, one, 1, arena, &made));
        assert_string_equal(expand(e, made.data, made.size), text);
    }
}

/* A text that begins as the word does leads to it: other words would change the text. That is found out. */
static void a_text_that_leads_to_a_word_is_found_out(void **state)
{
    (void)state;
    const char *word = new_word();
    const char *text = arena_printf(arena, "beginning %s middle %s end", word, word);
    for (enum encoding e = ENCODING_GZIP; e < ENCODINGS; e++) {
        const struct compress_piece pieces[] = {
            {"beginning of it ", 16, false}, {word, strlen(word), true}, {text, strlen(text), false}};
        struct compressed_pieces made;
        if (compress_pieces(e, pieces, 3, arena, &made)) { /* then the text stands there by itself */
            const struct compress_piece others[] = {
                pieces[0], {new_word(), strlen(word), true}, {text, strlen(text), false}};
            compress_exchange(e, others, 3, made.places, made.data, made.size);
            assert_string_equal(expand(e, made.data, made.size), joined(others, 3));
        }
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, pieces_setup, pieces_teardown)
    const struct CMUnitTest tests[] = {
        TEST(words_are_exchanged),
        TEST(a_body_without_words),
        TEST(a_text_that_leads_to_a_word_is_found_out),
    };
    secret_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
