/* test_http_recall.c - answers that are given again: to whom, until when, and what is new in each of them. */
#include "dispatch_case.h"

#include <libdeflate.h>
#include <zstd.h>

#include "base/source.h"
#include "http/recall.h"

static source_place place; /* of what the page below is made of */
static unsigned made;      /* how often it was */
static const char *says;   /* its words */
static bool sets, writes, works_after;
static int answers;

static void do_nothing(void *unused)
{
    (void)unused;
}

static void show_kept(struct http_request *r, struct http_response *out)
{
    made++;
    source_add(&place, atomic_load(&place));
    if (writes) {
        source_unknown();
    }
    if (sets) {
        http_set_cookie(r, out, "other", "1", 5);
    }
    if (works_after) {
        http_after(r, do_nothing, NULL);
    }
    r->is_asked = true;
    r->is_settled = true;
    r->account = http_cookie(r, "retwis") ? 77 : 0;
    http_header(out, "Link", "<x>");
    out->content_type = "text/html; charset=utf-8";
    out->status = answers;
    buffer_printf(&out->body, "%s[%s|%s|%s]", says, http_csrf_token(r, out), http_fresh_key(r),
                  http_csrf_token(r, out));
}

static void show_plain(struct http_request *r, struct http_response *out)
{
    (void)r;
    made++;
    source_add(&place, atomic_load(&place));
    out->content_type = "application/json";
    buffer_text(&out->body, "{}");
}

static const struct http_route kept_routes[] = {
    {HTTP_GET, "/kept", show_kept, WHO_ANYONE, .flags = HTTP_RECALLED, .help = ""},
    {HTTP_GET, "/own", show_kept, WHO_MEMBER, .flags = HTTP_RECALLED, .help = ""},
    {HTTP_GET, "/anew", show_kept, WHO_ANYONE, .help = ""},
    {0},
};
static const struct http_route *const kept_tables[] = {kept_routes, NULL};
static const struct http_route plain_routes[] = {
    {HTTP_GET, "/api/plain", show_plain, WHO_ANYONE, .flags = HTTP_RECALLED, .help = ""},
    {0},
};
static const struct http_route *const plain_tables[] = {plain_routes, NULL};
static const struct http_area kept_pages = {.path = "/", .tables = kept_tables, .verify = verify, .denied = on_denied};
static const struct http_area plain_api = {.path = "/api", .tables = plain_tables, .credential = HTTP_BEARER};
static const struct http_area *const kept_areas[] = {&kept_pages, &plain_api, NULL};

static int recall_setup(void **state)
{
    static const struct http_application app = {.areas = kept_areas};
    (void)state;
    arena = arena_new();
    dispatcher = dispatch_new(&app, "", 4 << 20);
    made = 0;
    says = "words";
    sets = writes = works_after = false;
    answers = 200;
    return 0;
}

/* The answer; whether the handler made it. */
static const char *ask(const char *path, const char *session, bool *anew)
{
    unsigned before = made;
    prepare(HTTP_GET, path);
    req.origin = "http://site.example";
    if (session) {
        with_cookie("retwis", session);
    }
    run();
    *anew = made != before;
    return buffer_string(&resp.body);
}

static bool is_anew(const char *path, const char *session)
{
    bool anew;
    ask(path, session, &anew);
    return anew;
}

static void given_until_something_changes(void **state)
{
    (void)state;
    assert_true(is_anew("/kept", "7.one"));
    assert_false(is_anew("/kept", "7.one"));
    assert_int_equal(resp.status, 200);
    assert_string_equal(resp.content_type, "text/html; charset=utf-8");
    assert_string_equal(out_header("Link"), "<x>");
    assert_true(req.is_asked && req.is_settled);
    assert_int_equal(req.account, 77);
    source_change(&place, atomic_load(&place) + 1);
    says = "other words";
    bool anew;
    assert_memory_equal(ask("/kept", "7.one", &anew), "other words[", 12);
    assert_true(anew);
    assert_false(is_anew("/kept", "7.one"));
}

static void only_where_the_route_says_so(void **state)
{
    (void)state;
    assert_true(is_anew("/anew", "7.one"));
    assert_true(is_anew("/anew", "7.one"));
}

static void words_that_must_be_new_are(void **state)
{
    (void)state;
    bool anew;
    const char *first = arena_dup(arena, ask("/kept", "7.one", &anew));
    const char *token = arena_dup(arena, req.csrf_token), *once = arena_dup(arena, req.fresh_key);
    const char *second = ask("/kept", "7.one", &anew);
    assert_false(anew);
    assert_int_equal(strlen(first), strlen(second));
    assert_null(strstr(second, token));
    assert_null(strstr(second, once));
    assert_string_equal(second, arena_printf(arena, "words[%s|%s|%s]", req.csrf_token, req.fresh_key, req.csrf_token));
    assert_int_equal(strlen(req.fresh_key), HTTP_FRESH_KEY_LENGTH);
    assert_true(secret_veiled_equal(key, "csrf 7.one", req.csrf_token));
}

static void nobody_gets_what_is_anothers(void **state)
{
    (void)state;
    is_anew("/kept", "7.one");
    assert_true(is_anew("/kept", "7.two"));
    assert_true(is_anew("/kept", NULL));
    assert_true(is_anew("/own", "7.one"));
    assert_int_equal((is_anew("/own", NULL), resp.status), 401);
    assert_false(is_anew("/kept", "7.two"));
}

/* Asks with one more thing that the answer may depend on. */
static bool is_anew_with(void (*add)(const char *name, const char *value), const char *name, const char *value)
{
    unsigned before = made;
    prepare(HTTP_GET, "/kept");
    req.origin = "http://site.example";
    with_cookie("retwis", "7.one");
    add(name, value);
    run();
    return made != before;
}

static void with_query(const char *name, const char *value)
{
    pairs_add(arena, &req.query, name, value);
}

static void with_origin(const char *name, const char *value)
{
    (void)name;
    req.origin = value;
}

static void all_that_it_depends_on_is_told_apart(void **state)
{
    (void)state;
    assert_true(is_anew("/kept", "7.one"));
    assert_true(is_anew_with(with_query, "max_id", "1"));
    assert_true(is_anew_with(with_query, "max_id", "2"));
    assert_true(is_anew_with(with_query, "min_id", "2"));
    assert_true(is_anew_with(with_cookie, "max_id", "2"));
    assert_true(is_anew_with(with_cookie, "theme", "dark"));
    assert_true(is_anew_with(with_cookie, "theme", "light"));
    assert_true(is_anew_with(with_header, "accept-language", "es"));
    assert_true(is_anew_with(with_origin, "", "https://site.example"));
    assert_false(is_anew_with(with_query, "max_id", "1"));
    assert_false(is_anew_with(with_cookie, "theme", "dark"));
    assert_false(is_anew_with(with_header, "user-agent", "x")); /* no page depends on it */
}

static void strangers_share_and_have_tokens_of_their_own(void **state)
{
    (void)state;
    bool anew;
    ask("/kept", NULL, &anew);
    assert_non_null(out_header("Set-Cookie"));
    const char *one = arena_dup(arena, out_header("Set-Cookie"));
    ask("/kept", NULL, &anew);
    assert_false(anew);
    assert_non_null(out_header("Set-Cookie"));
    assert_string_not_equal(out_header("Set-Cookie"), one);
    assert_memory_equal(out_header("Set-Cookie"), "retwis_visitor=", 15);
    assert_true(secret_veiled_equal(key, arena_printf(arena, "csrf %s", req.csrf_cookie), req.csrf_token));
    prepare(HTTP_GET, "/kept");
    req.origin = "http://site.example";
    with_cookie("retwis_visitor", "somebody");
    unsigned before = made;
    run();
    assert_int_equal(made, before);
    assert_null(out_header("Set-Cookie"));
    assert_true(secret_veiled_equal(key, "csrf somebody", req.csrf_token));
}

static void some_answers_are_never_kept(void **state)
{
    (void)state;
    sets = true;
    assert_true(is_anew("/kept", "7.one"));
    sets = false;
    writes = true;
    assert_true(is_anew("/kept", "7.one"));
    writes = false;
    works_after = true;
    assert_true(is_anew("/kept", "7.one"));
    works_after = false;
    answers = 404;
    assert_true(is_anew("/kept", "7.one"));
    answers = 200;
    char *large = arena_alloc(arena, 256 * 1024 + 1);
    memset(large, 'x', 256 * 1024);
    large[256 * 1024] = '\0';
    says = large;
    assert_true(is_anew("/kept", "7.one"));
    says = "words";
    assert_true(is_anew("/kept", "7.one"));
    assert_false(is_anew("/kept", "7.one"));
}

static bool plain_is_anew(enum http_method method, const char *token)
{
    unsigned before = made;
    prepare(method, "/api/plain");
    req.origin = "http://site.example";
    if (token) {
        with_header("authorization", token);
    }
    run();
    assert_string_equal(buffer_string(&resp.body), "{}");
    assert_string_equal(resp.content_type, "application/json");
    return made != before;
}

/* The body of the answer that was given last, compressed and expanded again; NULL: it is not kept so. */
static const char *compressed(enum encoding e)
{
    size_t size, got = 0;
    const char *data = recall_compressed(&resp, e, &size);
    char *out = arena_zero(arena, 10000);
    if (data && e == ENCODING_ZSTD) {
        assert_false(ZSTD_isError(ZSTD_decompress(out, 9999, data, size)));
    } else if (data) {
        struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
        assert_int_equal(libdeflate_gzip_decompress(d, data, size, out, 9999, &got), LIBDEFLATE_SUCCESS);
        libdeflate_free_decompressor(d);
    }
    return data ? out : NULL;
}

static void it_is_compressed_once_with_words_of_its_own(void **state)
{
    (void)state;
    assert_true(is_anew("/kept", "7.one"));
    assert_null(compressed(ENCODING_ZSTD)); /* it was made, not given again */
    for (int i = 0; i < 3; i++) {
        for (enum encoding e = ENCODING_GZIP; e < ENCODINGS; e++) {
            assert_false(is_anew("/kept", "7.one"));
            assert_string_equal(compressed(e), buffer_string(&resp.body));
        }
    }
    source_change(&place, atomic_load(&place) + 1);
    says = "nouns"; /* as long as before */
    assert_true(is_anew("/kept", "7.one"));
    assert_false(is_anew("/kept", "7.one"));
    assert_string_equal(compressed(ENCODING_GZIP), buffer_string(&resp.body));
}

static void an_area_of_tokens_knows_no_cookies(void **state)
{
    (void)state;
    assert_true(plain_is_anew(HTTP_GET, "Bearer one"));
    assert_true(plain_is_anew(HTTP_GET, "Bearer two"));
    assert_true(plain_is_anew(HTTP_GET, NULL));
    assert_false(plain_is_anew(HTTP_GET, "Bearer one"));
    assert_false(plain_is_anew(HTTP_HEAD, "Bearer one"));
    assert_null(out_header("Set-Cookie"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, recall_setup, teardown)
        CASE(given_until_something_changes),        CASE(only_where_the_route_says_so),
        CASE(words_that_must_be_new_are),           CASE(nobody_gets_what_is_anothers),
        CASE(all_that_it_depends_on_is_told_apart), CASE(strangers_share_and_have_tokens_of_their_own),
        CASE(some_answers_are_never_kept),          CASE(it_is_compressed_once_with_words_of_its_own),
        CASE(an_area_of_tokens_knows_no_cookies),
    };
    (void)setup;
    secret_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
