/* test_http_request.c - which requests are refused and with which status, and what the others become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/secret.h"
#include "http/pairs.h"
#include "http/request.h"

static struct arena *arena;
static struct http_request req;
static size_t body_size;
static struct address_list trusted, unlimited;
static struct request_peer peer;
static const char *public_url = "";

/* Headers as "Name: value|Name: value". */
static void add_headers(const char *text)
{
    char *copy = arena_dup(arena, text);
    for (char *h = strtok(copy, "|"); h; h = strtok(NULL, "|")) {
        char *colon = strstr(h, ": ");
        assert_non_null(colon);
        *colon = '\0';
        pairs_add(arena, &req.headers, h, colon + 2);
    }
}

static int head(const char *method, const char *target, const char *version, const char *headers)
{
    const char *why = NULL;
    const char *question = strchr(target, '?');
    struct request_raw raw = {.method = method, .version = version};
    raw.target = question ? arena_dup_n(arena, target, (size_t)(question - target)) : target;
    raw.query = question ? question + 1 : NULL;
    if (strncmp(target, "http", 4) == 0) {
        raw.https = target[4] == 's';
        raw.authority = strchr(target, '/') + 2;
        raw.authority_length = strcspn(raw.authority, "/");
        raw.target = raw.authority + raw.authority_length;
    }
    const struct request_rules rules = {public_url, &trusted, 1000, &unlimited};
    req = (struct http_request){.arena = arena};
    add_headers(headers);
    int status = request_head(&req, &raw, &peer, &rules, &body_size, &why);
    assert_true((status == 0) == (why == NULL));
    return status;
}

static int get(const char *target)
{
    return head("GET", target, "1.1", "Host: localhost");
}

static int with(const char *headers)
{
    char all[4096];
    snprintf(all, sizeof(all), "Host: localhost|%s", headers);
    return head("POST", "/", "1.1", all);
}

static void reads_a_request(void **state)
{
    (void)state;
    assert_int_equal(head("GET", "/@alice/?a=1&b=%C3%A9", "1.1",
                          "Host: Example.org:8080|COOKIE: a=1; b=2|X-Thing: two words  |Accept-Language: en"),
                     0);
    assert_int_equal(req.method, HTTP_GET);
    assert_string_equal(req.path, "/@alice");
    assert_string_equal(req.host, "Example.org:8080");
    assert_string_equal(req.origin, "http://Example.org:8080");
    assert_string_equal(http_query(&req, "b"), "\xc3\xa9");
    assert_string_equal(http_header_in(&req, "x-thing"), "two words");
    assert_string_equal(http_cookie(&req, "b"), "2");
}

static void wants_one_good_host(void **state)
{
    (void)state;
    assert_int_equal(head("GET", "/", "1.1", ""), 400);
    assert_int_equal(head("GET", "/", "1.0", ""), 0);
    assert_int_equal(head("GET", "/", "1.1", "Host: a|Host: a"), 400);
    assert_int_equal(head("GET", "/", "1.1", "Host: "), 400);
    assert_int_equal(head("GET", "/", "1.1", "Host: a/b"), 400);
    assert_int_equal(head("GET", "/", "1.1", "Host: a@b"), 400);
    assert_int_equal(head("GET", "/", "1.1", "Host: [::1]:80"), 0);
    assert_int_equal(head("GET", "http://here:80/x", "1.1", "Host: here:80"), 0);
    assert_string_equal(req.path, "/x");
}

static void prefers_the_host_of_the_request_line(void **state)
{
    (void)state;
    assert_int_equal(head("GET", "http://there:80/x", "1.1", "Host: here"), 0);
    assert_string_equal(req.host, "there:80");
    assert_string_equal(req.origin, "http://there:80");
    assert_int_equal(head("GET", "http://there/x", "1.1", ""), 400);
    assert_int_equal(head("GET", "http://there/x", "1.1", "Host: :::"), 400);
    assert_string_equal(req.host, "localhost");
    assert_int_equal(head("GET", "http://user@there/x", "1.1", "Host: there"), 400);
    assert_int_equal(head("GET", "http:///x", "1.1", "Host: there"), 400);
    assert_int_equal(head("GET", "http://there/x", "1.0", ""), 0);
    assert_int_equal(head("GET", "https://there/x", "1.1", "Host: there"), 421);
    peer.tls = true;
    assert_int_equal(head("GET", "https://there/x", "1.1", "Host: there"), 0);
    assert_string_equal(req.origin, "https://there");
    peer.tls = false;
}

static void takes_an_asterisk_with_options_only(void **state)
{
    (void)state;
    assert_int_equal(head("OPTIONS", "*", "1.1", "Host: a"), 0);
    assert_string_equal(req.path, "*");
    assert_int_equal(head("GET", "*", "1.1", "Host: a"), 400);
    assert_string_equal(req.path, "*");
}

static void refuses_odd_lengths(void **state)
{
    static const char *const bad[] = {"+5", "-5", "5 5", "5,5", "0x5", "", "1e3", "5;", "\xb2"};
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        char header[64];
        snprintf(header, sizeof(header), "Content-Length: %s", bad[i]);
        assert_int_equal(with(header), 400);
    }
    assert_int_equal(with("Content-Length: 5|Content-Length: 5"), 400);
    assert_int_equal(with("Content-Length: 1000"), 0);
    assert_int_equal(body_size, 1000);
    static const char *const huge[] = {"99999999999999999999", "0000000005"}; /* more digits than a length can have */
    for (size_t i = 0; i < sizeof(huge) / sizeof(huge[0]); i++) {
        char header[64];
        snprintf(header, sizeof(header), "Content-Length: %s", huge[i]);
        assert_int_equal(with(header), 0);
        assert_true(body_size == SIZE_MAX); /* body.c refuses it */
    }
    assert_int_equal(with("Transfer-Encoding: chunked"), 411);
    assert_int_equal(with("Transfer-Encoding: identity|Content-Length: 5"), 400);
    assert_int_equal(body_size, 0);
}

static void refuses_odd_headers(void **state)
{
    char many[4096] = "Host: localhost";
    (void)state;
    assert_int_equal(with("Bad Name: x"), 400);
    assert_int_equal(with("Bad(Name: x"), 400);
    for (int i = 1; i < REQUEST_HEADERS - 1; i++) {
        strcat(many, "|A: b");
    }
    assert_int_equal(head("GET", "/", "1.1", many), 0);
    strcat(many, "|A: b");
    assert_int_equal(head("GET", "/", "1.1", many), 431);
}

static void normalises_paths(void **state)
{
    static const char *const good[][2] = {{"/", "/"},
                                          {"/home", "/home"},
                                          {"/home/", "/home"},
                                          {"//a///b//", "/a/b"},
                                          {"/a%20b", "/a b"},
                                          {"/a+b", "/a+b"},
                                          {"/%61", "/a"},
                                          {"/...", "/..."},
                                          {"/.well-known/x", "/.well-known/x"},
                                          {"/tags/%C3%A9", "/tags/\xc3\xa9"}};
    static const char *const bad[] = {"/%00",  "/a%2fb",    "/a%2Fb", "/%5c", "/%5C..", "/../x", "/a/./b",
                                      "/a/..", "/%2e%2e/x", "/%2E",   "/%0a", "/%7f",   "/%ff",  "/%c0%af",
                                      "/%",    "/%4",       "/%g0",   "",     "x",      "*"};
    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_int_equal(get(good[i][0]), 0);
        assert_string_equal(req.path, good[i][1]);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(get(bad[i]), 400);
    }
    assert_int_equal(get("/?a=%"), 400);
    assert_int_equal(get("/?a=%ff"), 400);
    assert_int_equal(get("/api/v1/x%00y"), 400);
    assert_string_equal(req.path, "/api/v1/x"); /* enough to know in whose words it is refused */
}

static void limits_the_url(void **state)
{
    char url[REQUEST_URL_SIZE + 3];
    (void)state;
    memset(url, 'a', sizeof(url));
    url[0] = '/';
    url[REQUEST_PATH_SIZE] = '\0';
    assert_int_equal(get(url), 0);
    url[REQUEST_PATH_SIZE] = 'a';
    url[REQUEST_PATH_SIZE + 1] = '\0';
    assert_int_equal(get(url), 414);
    url[REQUEST_PATH_SIZE] = '?'; /* which is in neither part */
    assert_int_equal(get(url), 0);
    url[REQUEST_PATH_SIZE + 1] = 'a';
    url[REQUEST_URL_SIZE + 1] = '\0';
    assert_int_equal(get(url), 0);
    url[REQUEST_URL_SIZE + 1] = 'a';
    url[REQUEST_URL_SIZE + 1] = 'a';
    url[REQUEST_URL_SIZE + 2] = '\0';
    assert_int_equal(get(url), 414);
}

static void knows_the_methods(void **state)
{
    (void)state;
    assert_int_equal(head("PATCH", "/", "1.1", "Host: a"), 0);
    assert_int_equal(head("TRACE", "/", "1.1", "Host: a"), 405);
    assert_int_equal(head("get", "/", "1.1", "Host: a"), 405);
}

static void set_peer(const char *address, bool local, bool tls)
{
    peer = (struct request_peer){.local = local, .tls = tls};
    if (address) {
        assert_true(address_parse(address, strlen(address), &peer.address));
    }
}

static void believes_only_trusted_proxies(void **state)
{
    const char *said = "Host: example.org|X-Forwarded-For: 6.6.6.6, 2001:db8:1:2:3::4|X-Forwarded-Proto: https";
    (void)state;
    set_peer("192.0.2.1", false, false);
    assert_int_equal(head("GET", "/", "1.1", said), 0);
    assert_string_equal(req.address, "192.0.2.1");
    assert_string_equal(req.origin, "http://example.org");
    set_peer("10.0.0.1", false, false);
    assert_int_equal(head("GET", "/", "1.1", said), 0);
    assert_string_equal(req.address, "2001:db8:1:2:3::4");
    assert_string_equal(req.networks[0], "2001:db8:1:2::");
    assert_string_equal(req.networks[1], "2001:db8:1::/56");
    assert_string_equal(req.networks[2], "2001:db8:1::/48");
    assert_null(req.networks[3]);
    assert_string_equal(req.origin, "https://example.org");
    set_peer(NULL, true, false);
    assert_int_equal(head("GET", "/", "1.1", said), 0);
    assert_string_equal(req.address, "2001:db8:1:2:3::4");
    assert_int_equal(head("GET", "/", "1.1", "Host: a"), 0);
    assert_string_equal(req.address, "local");
    set_peer("192.0.2.1", false, true);
    assert_int_equal(head("GET", "/", "1.1", "Host: a"), 0);
    assert_true(req.secure);
    public_url = "https://site.example//";
    assert_int_equal(head("GET", "/", "1.1", "Host: a"), 0);
    assert_string_equal(req.origin, "https://site.example");
    public_url = "";
}

/* What came from this peer with this header: C in the clear, S for HTTPS only, H so that the browser is told so. */
static const char *scheme(const char *address, bool tls, const char *header)
{
    static char out[4];
    set_peer(address, address == NULL, tls);
    char headers[128];
    snprintf(headers, sizeof(headers), "Host: a%s%s", *header ? "|" : "", header);
    assert_int_equal(head("GET", "/", "1.1", headers), 0);
    snprintf(out, sizeof(out), "%s%s%s", req.in_clear ? "C" : "", req.secure ? "S" : "", req.hsts == 1000 ? "H" : "");
    return out;
}

static void knows_what_came_in_the_clear(void **state)
{
    static const char https[] = "X-Forwarded-Proto: https", http[] = "X-Forwarded-Proto: http";
    (void)state;
    assert_string_equal(scheme("192.0.2.1", false, ""), "");
    assert_string_equal(scheme("192.0.2.1", false, https), "");
    assert_string_equal(scheme("192.0.2.1", true, ""), "S");
    assert_string_equal(scheme("10.0.0.1", false, https), "S");
    public_url = "http://site.example";
    assert_string_equal(scheme("192.0.2.1", false, ""), "");
    assert_string_equal(scheme("192.0.2.1", true, ""), "S");
    public_url = "https://site.example";
    assert_string_equal(scheme("192.0.2.1", true, http), "SH");
    assert_string_equal(scheme("192.0.2.1", false, ""), "CS");
    assert_string_equal(scheme("192.0.2.1", false, http), "CS");
    assert_string_equal(scheme("192.0.2.1", false, https), "SH"); /* a proxy that is not declared */
    assert_string_equal(scheme("192.0.2.1", false, "X-Forwarded-Proto: httpsx"), "CS");
    assert_string_equal(scheme("10.0.0.1", false, https), "SH");
    assert_string_equal(scheme("10.0.0.1", false, ""), "SH");
    assert_string_equal(scheme("10.0.0.1", false, http), "CS");
    assert_string_equal(scheme("10.0.0.1", false, "X-Forwarded-Proto: HTTPS, http"), "SH");
    assert_string_equal(scheme(NULL, false, ""), "SH");
    assert_string_equal(scheme(NULL, false, http), "CS");
    public_url = "";
}

/* Whose address is not sure is in no list, and this machine and a proxy are in none either: whom do they ask for? Who
 * comes by another door needs none. */
static void knows_whom_it_does_not_know(void **state)
{
    static const char *const passed_on[] = {"Host: a|X-Forwarded-For: 127.0.0.1", "Host: a|Forwarded: for=127.0.0.1",
                                            "Host: a|Via: 1.1 proxy", "Host: a|X-Real-IP: 127.0.0.1"};
    (void)state;
    set_peer("192.0.2.1", false, false);
    assert_int_equal(head("GET", "/", "1.1", "Host: a"), 0);
    assert_true(http_client_is_allowed(&req, "::1, 192.0.2.0/24"));
    assert_false(http_client_is_allowed(&req, "::1, 10.0.0.0/8"));
    assert_false(http_client_is_allowed(&req, ""));
    for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++) { /* by a proxy that is not declared */
        assert_int_equal(head("GET", "/", "1.1", passed_on[i]), 0);
        assert_string_equal(req.address, "192.0.2.1");
        assert_false(http_client_is_allowed(&req, "0.0.0.0/0"));
    }
    set_peer("127.0.0.1", false, false); /* as a plain proxy_pass here asks */
    assert_int_equal(head("GET", "/", "1.0", "Host: 127.0.0.1:8080|Connection: close"), 0);
    assert_false(http_client_is_allowed(&req, "127.0.0.1, 0.0.0.0/0"));
    set_peer("10.0.0.1", false, false); /* and one on another machine, though trusted */
    assert_int_equal(head("GET", "/", "1.1", "Host: a"), 0);
    assert_false(http_client_is_allowed(&req, "10.0.0.1"));
    assert_int_equal(head("GET", "/", "1.1", "Host: a|X-Forwarded-For: 10.0.0.7"), 0);
    assert_false(http_client_is_allowed(&req, "10.0.0.0/8"));
    assert_int_equal(head("GET", "/", "1.1", passed_on[0]), 0);
    assert_false(http_client_is_allowed(&req, "127.0.0.1"));
    assert_int_equal(head("GET", "/", "1.1", "Host: a|X-Forwarded-For: 192.0.2.7"), 0);
    assert_true(http_client_is_allowed(&req, "192.0.2.7"));
    assert_int_equal(head("GET", "/", "1.1", "Host: a|X-Forwarded-For: unknown"), 0);
    assert_false(http_client_is_allowed(&req, "10.0.0.1"));
    set_peer(NULL, true, false);
    assert_int_equal(head("GET", "/", "1.1", "Host: a"), 0);
    assert_false(http_client_is_allowed(&req, "0.0.0.0/0, ::/0"));
    assert_int_equal(head("GET", "/", "1.1", passed_on[0]), 0);
    assert_false(http_client_is_allowed(&req, "127.0.0.1"));
    peer.door = HTTP_DOOR_TOOLS;
    assert_int_equal(head("GET", "/", "1.1", "Host: a"), 0);
    assert_true(http_client_is_allowed(&req, ""));
    peer.door = HTTP_DOOR_METRICS;
    assert_int_equal(head("GET", "/", "1.1", "Host: a"), 0);
    assert_true(http_client_is_allowed(&req, ""));
}

static void tells_this_machine_but_nobody_behind_it(void **state)
{
    static const struct {
        const char *peer, *headers;
        bool told;
    } cases[] = {
        {"127.0.0.1", "Host: a", true},
        {"::1", "Host: a", true},
        {"127.0.0.1", "Host: a|X-Forwarded-For: 127.0.0.1", false},
        {"127.0.0.1", "Host: a|Via: 1.1 proxy", false},
        {"10.0.0.1", "Host: a|X-Forwarded-For: 127.0.0.1", false}, /* trusted */
        {"192.0.2.1", "Host: a", false},
        {"192.0.2.7", "Host: a", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        set_peer(cases[i].peer, false, false);
        assert_int_equal(head("GET", "/", "1.1", cases[i].headers), 0);
        assert_int_equal(http_client_may_know(&req, "192.0.2.7"), cases[i].told);
    }
    set_peer(NULL, true, false);
    assert_int_equal(head("GET", "/", "1.1", "Host: a"), 0); /* a Unix socket that a proxy uses */
    assert_false(http_client_may_know(&req, "0.0.0.0/0"));
    peer.door = HTTP_DOOR_TOOLS;
    assert_int_equal(head("GET", "/", "1.1", "Host: a"), 0);
    assert_true(http_client_may_know(&req, ""));
}

static void knows_when_to_close(void **state)
{
    (void)state;
    assert_int_equal(with("A: b"), 0);
    assert_true(request_keep_alive(&req, "1.1"));
    assert_false(request_keep_alive(&req, "1.0"));
    assert_int_equal(with("Connection: Keep-Alive, x"), 0);
    assert_true(request_keep_alive(&req, "1.0"));
    assert_int_equal(with("Connection: close"), 0);
    assert_false(request_keep_alive(&req, "1.1"));
    assert_int_equal(with("Connection: keep-alive, Upgrade|Upgrade: h2c"), 0);
    assert_false(request_keep_alive(&req, "1.1"));
}

static void ids_differ(void **state)
{
    char a[17], b[17];
    (void)state;
    request_id(a);
    request_id(b);
    assert_int_equal(strlen(a), 16);
    assert_int_equal(strspn(a, "0123456789abcdef"), 16);
    assert_string_not_equal(a, b);
}

static int setup(void **state)
{
    char bad[64];
    (void)state;
    arena = arena_new();
    set_peer("192.0.2.1", false, false);
    return address_list_parse("10.0.0.0/8", &trusted, bad, sizeof(bad)) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    address_list_free(&trusted);
    arena_free(arena);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads_a_request),
        TEST(wants_one_good_host),
        TEST(refuses_odd_lengths),
        TEST(refuses_odd_headers),
        TEST(normalises_paths),
        TEST(limits_the_url),
        TEST(knows_the_methods),
        TEST(believes_only_trusted_proxies),
        TEST(knows_when_to_close),
        TEST(ids_differ),
        TEST(knows_whom_it_does_not_know),
        TEST(tells_this_machine_but_nobody_behind_it),
        TEST(knows_what_came_in_the_clear),

        TEST(prefers_the_host_of_the_request_line),
        TEST(takes_an_asterisk_with_options_only),
    };
    secret_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
