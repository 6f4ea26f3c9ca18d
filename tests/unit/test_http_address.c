/* test_http_address.c - addresses, networks, the client behind proxies, where to listen, connections per address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/secret.h"
#include "http/address.h"
#include "http/listen.h"
#include "http/pairs.h"
#include "http/peer_count.h"

static struct address address(const char *text)
{
    struct address a;
    assert_true(address_parse(text, strlen(text), &a));
    return a;
}

static const char *written(const char *text)
{
    static char out[ADDRESS_SIZE];
    struct address a = address(text);
    address_write(&a, out);
    return out;
}

static void reads_and_writes(void **state)
{
    static const char *const bad[] = {"",          "1",    "1.2.3",    "1.2.3.4.5",
                                      "1.2.3.256", ":",    "[::1",     "[::1]x",
                                      "::1::",     "name", "1.2.3.4 ", "aaaa:bbbb:cccc:dddd:eeee:ffff:aaaa:bbbb:cccc"};
    struct address a;
    (void)state;
    assert_string_equal(written("192.0.2.1"), "192.0.2.1");
    assert_string_equal(written("192.0.2.1:8080"), "192.0.2.1");
    assert_string_equal(written("::ffff:192.0.2.1"), "192.0.2.1");
    assert_string_equal(written("2001:DB8::1"), "2001:db8::1");
    assert_string_equal(written("[2001:db8::1]:443"), "2001:db8::1");
    assert_string_equal(written("fe80::1%eth0"), "fe80::1");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_false(address_parse(bad[i], strlen(bad[i]), &a));
    }
}

static void groups_ipv6_by_64(void **state)
{
    char out[ADDRESS_SIZE];
    (void)state;
    struct address a = address("2001:db8:1:2:3:4:5:6");
    struct address group = address_group(&a);
    address_write(&group, out);
    assert_string_equal(out, "2001:db8:1:2::");
    a = address("192.0.2.77");
    group = address_group(&a);
    assert_memory_equal(&a, &group, sizeof(a));
}

static bool has(const char *networks, const char *text)
{
    struct address_list l;
    char bad[64];
    struct address a = address(text);
    assert_true(address_list_parse(networks, &l, bad, sizeof(bad)));
    bool found = address_list_has(&l, &a);
    address_list_free(&l);
    return found;
}

static void matches_networks(void **state)
{
    (void)state;
    assert_true(has("10.0.0.0/8, 192.0.2.1", "10.255.0.1"));
    assert_true(has("10.0.0.0/8,192.0.2.1", "192.0.2.1"));
    assert_false(has("10.0.0.0/8 192.0.2.1", "192.0.2.2"));
    assert_false(has("10.0.0.0/9", "10.128.0.1"));
    assert_true(has("2001:db8::/33", "2001:db8:7fff::1"));
    assert_false(has("2001:db8::/33", "2001:db8:8000::1"));
    assert_true(has("0.0.0.0/0", "8.8.8.8"));
    assert_false(has("0.0.0.0/0", "2001:db8::1"));
    assert_true(has("::/0", "8.8.8.8"));
    assert_false(has("", "127.0.0.1"));
}

static void names_the_bad_network(void **state)
{
    static const char *const bad[] = {"10.0.0.0/33", "10.0.0.0/", "10.0.0.0/a",   "::/129",
                                      "/8",          "proxy",     "10.0.0.0/0008"};
    struct address_list l;
    char name[64];
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        char list[64];
        snprintf(list, sizeof(list), "127.0.0.1, %s", bad[i]);
        assert_false(address_list_parse(list, &l, name, sizeof(name)));
        assert_string_equal(name, bad[i]);
        assert_int_equal(l.count, 0);
    }
}

/* What X-Forwarded-For headers (separated by |) say when 10.0.0.0/8 is trusted. */
static const char *forwarded(const char *headers)
{
    static char out[ADDRESS_SIZE];
    struct arena *arena = arena_new();
    struct address_list trusted;
    struct http_pairs pairs = {0};
    struct address found;
    char copy[256], bad[64];
    snprintf(copy, sizeof(copy), "%s", headers);
    for (char *h = strtok(copy, "|"); h; h = strtok(NULL, "|")) {
        pairs_add(arena, &pairs, "x-forwarded-for", h);
    }
    assert_true(address_list_parse("10.0.0.0/8", &trusted, bad, sizeof(bad)));
    strcpy(out, "none");
    if (address_forwarded(&pairs, &trusted, &found)) {
        address_write(&found, out);
    }
    address_list_free(&trusted);
    arena_free(arena);
    return out;
}

static void finds_the_client_behind_proxies(void **state)
{
    (void)state;
    assert_string_equal(forwarded("192.0.2.1"), "192.0.2.1");
    assert_string_equal(forwarded("6.6.6.6, 192.0.2.1"), "192.0.2.1");
    assert_string_equal(forwarded("6.6.6.6, 192.0.2.1, 10.1.1.1,10.2.2.2"), "192.0.2.1");
    assert_string_equal(forwarded("6.6.6.6|192.0.2.1|10.1.1.1"), "192.0.2.1");
    assert_string_equal(forwarded("10.9.9.9, 10.1.1.1"), "10.9.9.9");
    assert_string_equal(forwarded("6.6.6.6, rubbish, 10.1.1.1"), "none");
    assert_string_equal(forwarded("rubbish"), "none");
    assert_string_equal(forwarded("rubbish|10.1.1.1"), "none"); /* as in one header */
    assert_string_equal(forwarded("2001:db8::7"), "2001:db8::7");
    assert_string_equal(forwarded(""), "none");
}

static const char *option(const char *text)
{
    static char out[512];
    struct listen_list l = {.count = 0};
    FILE *report = tmpfile();
    strcpy(out, "refused");
    if (listen_parse("http.listen", text, HTTP_DOOR_SITE, &l, report)) {
        char *made = listen_option(&l);
        snprintf(out, sizeof(out), "%s", made);
        free(made);
    }
    fclose(report);
    return out;
}

static void reads_where_to_listen(void **state)
{
    static const char *const bad[] = {"",
                                      "x",
                                      "80x",
                                      "65536",
                                      "-1",
                                      "127.0.0.1",
                                      "127.0.0.1:",
                                      "::1:80",
                                      "[::1]80",
                                      "[127.0.0.1]:80",
                                      "example.org:80",
                                      "80ss",
                                      "+80",
                                      "80r",
                                      "relative/path",
                                      "/a:b"};
    (void)state;
    assert_string_equal(option("127.0.0.1:8080, [::1]:8443s,/run/h.sock"), "127.0.0.1:8080,[::1]:8443s,x/run/h.sock");
    assert_string_equal(option("/a,127.0.0.1:1,/b"), "127.0.0.1:1,x/a,x/b");
    assert_string_equal(option("localhost:0"), "127.0.0.1:0");
    const char *everywhere = option("8080");
    assert_string_equal(everywhere + (everywhere[0] == '+'), "8080");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_string_equal(option(bad[i]), "refused");
    }
}

static enum http_door door_of(const struct listen_list *l, const char *address, unsigned port)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    if (inet_pton(AF_INET, address, &v4.sin_addr) == 1) {
        return listen_door(l, (struct sockaddr *)&v4);
    }
    assert_int_equal(inet_pton(AF_INET6, address, &v6.sin6_addr), 1);
    return listen_door(l, (struct sockaddr *)&v6);
}

static enum http_door door_of_path(const struct listen_list *l, const char *path)
{
    struct sockaddr_un here = {.sun_family = AF_UNIX};
    strcpy(here.sun_path, path);
    return listen_door(l, (struct sockaddr *)&here);
}

/* Two doors may have one port at different addresses. */
static void knows_its_doors(void **state)
{
    struct listen_list l = {.count = 0};
    (void)state;
    assert_true(listen_parse("http.listen", "192.0.2.1:80, 8080, /run/a", HTTP_DOOR_SITE, &l, stderr));
    assert_true(listen_parse("metrics.listen", "127.0.0.1:80, [::1]:80, 9180, /run/b", HTTP_DOOR_METRICS, &l, stderr));
    assert_int_equal(door_of(&l, "192.0.2.1", 80), HTTP_DOOR_SITE);
    assert_int_equal(door_of(&l, "127.0.0.1", 80), HTTP_DOOR_METRICS);
    assert_int_equal(door_of(&l, "::ffff:127.0.0.1", 80), HTTP_DOOR_METRICS);
    assert_int_equal(door_of(&l, "::1", 80), HTTP_DOOR_METRICS);
    assert_int_equal(door_of(&l, "::2", 80), HTTP_DOOR_SITE);
    assert_int_equal(door_of(&l, "192.0.2.1", 9180), HTTP_DOOR_METRICS);
    assert_int_equal(door_of(&l, "127.0.0.1", 8080), HTTP_DOOR_SITE);
    assert_int_equal(door_of_path(&l, "/run/a"), HTTP_DOOR_SITE);
    assert_int_equal(door_of_path(&l, "/run/b"), HTTP_DOOR_METRICS);
    assert_int_equal(door_of_path(&l, "/run/bb"), HTTP_DOOR_SITE);
}

static void counts_connections(void **state)
{
    (void)state;
    struct peer_count *p = peer_count_new();
    for (unsigned i = 0; i < 5000; i++) {
        struct address a = {{0}};
        memcpy(a.bytes, &i, sizeof(i));
        peer_count_add(p, &a);
        peer_count_add(p, &a);
    }
    struct address last = {{0x87, 0x13}};
    assert_int_equal(peer_count_get(p, &last), 2);
    peer_count_drop(p, &last);
    assert_int_equal(peer_count_get(p, &last), 1);
    peer_count_drop(p, &last);
    assert_int_equal(peer_count_get(p, &last), 0);
    peer_count_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_writes),      cmocka_unit_test(groups_ipv6_by_64),
        cmocka_unit_test(matches_networks),      cmocka_unit_test(names_the_bad_network),
        cmocka_unit_test(reads_where_to_listen), cmocka_unit_test(finds_the_client_behind_proxies),
        cmocka_unit_test(knows_its_doors),       cmocka_unit_test(counts_connections),
    };
    secret_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
