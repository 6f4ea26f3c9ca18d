/* test_http_compress.c - which encoding a client gets, what goes out on the wire, and what the length tells nobody. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <libdeflate.h>
#include <pthread.h>
#include <unistd.h>
#include <zstd.h>

#include "base/arena.h"
#include "http/compress.h"
#include "http/encoding.h"
#include "http/pairs.h"
#include "http/response.h"

#define SIZE 30000

static struct arena *arena;
static struct http_request req;
static struct http_response resp;
static char page[SIZE + 1];

static int begin(void **state)
{
    (void)state;
    arena = arena_new();
    for (size_t i = 0; i < SIZE; i++) {
        page[i] = "<p class=\"post\">words and words</p>\n"[i % 36];
    }
    for (size_t i = 0; i < SIZE; i += 97) {
        page[i] = (char)('a' + i * 7919 % 26);
    }
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

/* --- which --------------------------------------------------------------------------------------------------------- */

static void chooses_by_the_clients_weights(void **state)
{
    (void)state;
    static const struct {
        const char *accept;
        enum encoding dynamic, file;
    } rows[] = {
        {NULL, ENCODING_NONE, ENCODING_NONE},
        {"", ENCODING_NONE, ENCODING_NONE},
        {"gzip, deflate, br, zstd", ENCODING_ZSTD, ENCODING_GZIP},
        {"gzip, deflate", ENCODING_GZIP, ENCODING_GZIP},
        {"zstd", ENCODING_ZSTD, ENCODING_NONE},
        {"ZSTD ; Q=1.000", ENCODING_ZSTD, ENCODING_NONE},
        {"x-gzip", ENCODING_GZIP, ENCODING_GZIP},
        {"*", ENCODING_GZIP, ENCODING_GZIP},
        {"*;q=0", ENCODING_NONE, ENCODING_NONE},
        {"gzip;q=0, *", ENCODING_NONE, ENCODING_NONE},
        {"zstd;q=0, *;q=0.1", ENCODING_GZIP, ENCODING_GZIP},
        {"zstd;q=0.5, gzip;q=0.8", ENCODING_GZIP, ENCODING_GZIP},
        {"zstd;q=0.8,\tgzip;q=0.799", ENCODING_ZSTD, ENCODING_GZIP},
        {"gzip;q=0.001", ENCODING_GZIP, ENCODING_GZIP},
        {"gzip;q=0.5, identity", ENCODING_NONE, ENCODING_NONE},
        {"gzip;q=0.5, identity;q=0.5", ENCODING_GZIP, ENCODING_GZIP},
        {"identity;q=0, gzip;q=0.2", ENCODING_GZIP, ENCODING_GZIP},
        {"identity", ENCODING_NONE, ENCODING_NONE},
        {"gzip;q=0.000", ENCODING_NONE, ENCODING_NONE},
        /* not well formed: as if it were not there */
        {"gzip;q=", ENCODING_NONE, ENCODING_NONE},
        {"gzip;q=2", ENCODING_NONE, ENCODING_NONE},
        {"gzip;q=1.001", ENCODING_NONE, ENCODING_NONE},
        {"gzip;q=0.1234", ENCODING_NONE, ENCODING_NONE},
        {"gzip;q=-1", ENCODING_NONE, ENCODING_NONE},
        {"gzip;q=1e3", ENCODING_NONE, ENCODING_NONE},
        {"gzip;level=9", ENCODING_NONE, ENCODING_NONE},
        {"gzip;", ENCODING_NONE, ENCODING_NONE},
        {"gzip q=1", ENCODING_NONE, ENCODING_NONE},
        {"gzip;q=x, zstd", ENCODING_ZSTD, ENCODING_NONE},
        {"gzipped, xgzip, gzi, zst, zstd1", ENCODING_NONE, ENCODING_NONE},
        {",,;,;q=1, ,gzip,", ENCODING_GZIP, ENCODING_GZIP},
        {"\"gzip\"", ENCODING_NONE, ENCODING_NONE},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (encoding_choose(rows[i].accept) != rows[i].dynamic ||
            encoding_choose_gzip(rows[i].accept) != rows[i].file) {
            fail_msg("%s", rows[i].accept);
        }
    }
    assert_null(encoding_name(ENCODING_NONE));
    assert_string_equal(encoding_name(ENCODING_ZSTD), "zstd");
}

/* --- on the wire --------------------------------------------------------------------------------------------------- */

static void prepare(const char *accept)
{
    arena_reset(arena);
    req = (struct http_request){.arena = arena, .method = HTTP_GET, .id = "id", .compresses = true};
    if (accept) {
        pairs_add(arena, &req.headers, "accept-encoding", accept);
    }
    resp = response_make(arena);
    buffer_add(&resp.body, page, SIZE);
}

/* The answer as it goes out; its body in one piece behind the head. */
static const char *wire_of(bool head)
{
    const struct response_wire wire = {.keep_alive = true, .head = head};
    const unsigned char *rest;
    size_t rest_size;
    struct buffer out = response_write(&req, &resp, &wire, &rest, &rest_size);
    buffer_add(&out, rest ? (const char *)rest : "", rest_size);
    return buffer_string(&out);
}

static size_t length_of(const char *wire)
{
    return strtoul(strstr(wire, "Content-Length: ") + strlen("Content-Length: "), NULL, 10);
}

static const char *expand(const char *wire, enum encoding e)
{
    const char *body = strstr(wire, "\r\n\r\n") + 4;
    char *out = arena_zero(arena, SIZE + 2);
    size_t size = 0;
    if (e == ENCODING_ZSTD) {
        size = ZSTD_decompress(out, SIZE + 1, body, length_of(wire));
    } else {
        struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
        assert_int_equal(libdeflate_gzip_decompress(d, body, length_of(wire), out, SIZE + 1, &size), 0);
        libdeflate_free_decompressor(d);
    }
    assert_int_equal(size, SIZE);
    return out;
}

static void sends_what_the_client_can_read(void **state)
{
    (void)state;
    static const enum encoding all[] = {ENCODING_ZSTD, ENCODING_GZIP};
    for (size_t i = 0; i < 2; i++) {
        prepare(encoding_name(all[i]));
        const char *wire = wire_of(false);
        assert_non_null(strstr(wire, arena_printf(arena, "\r\nContent-Encoding: %s\r\n", encoding_name(all[i]))));
        assert_non_null(strstr(wire, "\r\nVary: Accept-Encoding\r\n"));
        assert_true(length_of(wire) < SIZE / 5);
        assert_memory_equal(expand(wire, all[i]), page, SIZE);
        size_t length = length_of(wire);
        wire = wire_of(true);
        assert_int_equal(length_of(wire), length);
        assert_non_null(strstr(wire, "\r\nContent-Encoding: "));
        assert_string_equal(strstr(wire, "\r\n\r\n"), "\r\n\r\n");
    }
}

/* Its body as it is; `varies`: another client would get another. */
static void assert_plain(bool varies)
{
    const char *wire = wire_of(false);
    assert_null(strstr(wire, "\r\nContent-Encoding: "));
    assert_int_equal(strstr(wire, "\r\nVary: Accept-Encoding\r\n") != NULL, varies);
    assert_int_equal(length_of(wire), resp.body.length);
    assert_memory_equal(strstr(wire, "\r\n\r\n") + 4, resp.body.data, resp.body.length);
}

static void leaves_alone_what_is_not_worth_it(void **state)
{
    (void)state;
    prepare(NULL);
    assert_plain(true);
    prepare("br");
    assert_plain(true);
    prepare("zstd");
    req.compresses = false;
    assert_plain(false);
    prepare("zstd");
    resp.body.length = 1023;
    assert_plain(false);
    prepare("zstd");
    resp.content_type = "image/png";
    assert_plain(false);
    prepare("zstd");
    resp.status = 304;
    assert_null(strstr(wire_of(false), "Content-Encoding"));
    prepare("zstd");
    resp.body = buffer_make(arena);
    uint64_t x = 1;
    for (size_t i = 0; i < 4096; i++) { /* noise, which would become longer */
        x = x * 6364136223846793005u + 1442695040888963407u;
        buffer_char(&resp.body, (char)(x >> 56));
    }
    assert_plain(true);
}

static bool is_compressed(bool secure, bool session, const char *sent_by)
{
    prepare("gzip");
    req.secure = secure;
    if (session) {
        pairs_add(arena, &req.cookies, http_session_cookie(&req), "7.secret");
    }
    if (sent_by) {
        pairs_add(arena, &req.headers, "sec-fetch-site", sent_by);
    }
    bool compressed = strstr(wire_of(false), "\r\nContent-Encoding: ") != NULL;
    if (!compressed) {
        assert_plain(true);
    }
    return compressed;
}

/* Another site that has a member's browser ask can learn nothing from how long the answer is. */
static void what_another_site_asked_for_is_not_compressed(void **state)
{
    (void)state;
    assert_true(is_compressed(true, true, "same-origin"));
    assert_true(is_compressed(true, true, "none"));
    assert_false(is_compressed(true, true, "cross-site"));
    assert_false(is_compressed(true, true, "same-site"));
    assert_false(is_compressed(true, true, NULL));
    assert_true(is_compressed(true, false, NULL));
    assert_true(is_compressed(true, false, "cross-site"));
    assert_false(is_compressed(false, true, "cross-site"));
    assert_true(is_compressed(false, true, NULL));
}

/* --- many at once -------------------------------------------------------------------------------------------------- */

#define THREADS 40

static void *press(void *wrong)
{
    static const enum encoding all[] = {ENCODING_GZIP, ENCODING_ZSTD};
    for (int i = 0; i < 20; i++) {
        char *out = malloc(SIZE + 1000), *back = malloc(SIZE);
        enum encoding e = all[i % 2];
        assert_true(out && back && compress_bound(e, SIZE) <= SIZE + 1000);
        size_t size = compress_bytes(e, page, SIZE, out, SIZE + 1000);
        bool good = size > 0 && size < SIZE;
        if (good && e == ENCODING_ZSTD) {
            good = ZSTD_decompress(back, SIZE, out, size) == SIZE && memcmp(back, page, SIZE) == 0;
        }
        *(bool *)wrong = *(bool *)wrong || !good;
        free(out);
        free(back);
    }
    return NULL;
}

static void compressors_are_few_whoever_asks(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    bool wrong[THREADS] = {false};
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, press, &wrong[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_false(wrong[i]);
    }
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    assert_in_range(compress_count(), 1, cores * 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(chooses_by_the_clients_weights),    TEST(sends_what_the_client_can_read),
        TEST(leaves_alone_what_is_not_worth_it), TEST(what_another_site_asked_for_is_not_compressed),
        TEST(compressors_are_few_whoever_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
