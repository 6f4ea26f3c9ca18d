/* test_http_meter.c - the limit on reading: whose requests count for whom, and in how much memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <malloc.h>

#include "base/arena.h"
#include "base/secret.h"
#include "http/area.h"
#include "http/meter.h"
#include "http/pairs.h"
#include "http/read_limit.h"

#define SECOND 1000000u
#define MANY 1000000u

static const struct config_limit three = {3, 30}; /* one each ten seconds */
static const uint64_t now = 1000 * (uint64_t)SECOND;

/* How many of `tries` are let through at that time. */
static unsigned pass(struct meter *m, uint64_t who, const struct config_limit *l, uint64_t when, unsigned tries)
{
    unsigned passed = 0;
    for (unsigned i = 0; i < tries; i++) {
        if (meter_wait(m, who, l, when) == 0) {
            meter_add(m, who, l, when);
            passed++;
        }
    }
    return passed;
}

static void counts_each_caller(void **state)
{
    struct meter *m = meter_new(512);
    (void)state;
    assert_int_equal(pass(m, 7, &three, now, 5), 3);
    assert_int_equal(meter_wait(m, 7, &three, now), 10 * SECOND);
    assert_int_equal(pass(m, 8, &three, now, 5), 3);
    assert_int_equal(pass(m, 7, &three, now + 9 * SECOND, 5), 0);
    assert_int_equal(meter_wait(m, 7, &three, now + 9 * SECOND), SECOND);
    assert_int_equal(pass(m, 7, &three, now + 10 * SECOND, 5), 1);
    assert_int_equal(pass(m, 7, &three, now + 100 * SECOND, 5), 3);
    assert_int_equal(meter_left(meter_used(m, 7, now + 100 * SECOND), &three), 0);
    assert_int_equal(meter_left(meter_used(m, 7, now + 110 * SECOND), &three), 1);
    assert_int_equal(meter_used(m, 7, now + 110 * SECOND), 20 * SECOND);
    assert_int_equal(meter_left(meter_used(m, 7, now + 130 * SECOND), &three), 3);
    const struct config_limit none = {0, 60};
    assert_int_equal(pass(m, 9, &none, now, 5), 0);
    meter_free(m);
}

/* A million addresses: not a byte more, and who floods alone stays where he is. */
static void has_a_fixed_size(void **state)
{
    struct meter *m = meter_new(4096);
    (void)state;
    uint64_t flooder = secret_spread("flooder");
    assert_int_equal(pass(m, flooder, &three, now, 5), 3);
    size_t before = mallinfo2().uordblks;
    for (unsigned i = 0; i < MANY; i++) {
        char name[32];
        snprintf(name, sizeof(name), "192.0.%u.%u", i / 256, i % 256);
        pass(m, secret_spread(name), &three, now, 1);
    }
    assert_int_equal(mallinfo2().uordblks, before);
    assert_int_equal(pass(m, flooder, &three, now, 5), 0);
    meter_free(m);
}

static void remembers_members(void **state)
{
    struct meter *m = meter_new(512);
    (void)state;
    assert_false(meter_has(m, 5, now));
    meter_keep(m, 5, now + SECOND);
    assert_true(meter_has(m, 5, now));
    assert_false(meter_has(m, 5, now + SECOND));
    meter_keep(m, 5, now + 3 * SECOND);
    assert_true(meter_has(m, 5, now + SECOND));
    meter_drop(m, 5);
    assert_false(meter_has(m, 5, now));
    meter_free(m);
}

/* --- whom a request counts for ------------------------------------------------------------------------------------- */

static struct arena *arena;
static struct read_limit *limit;

/* One request by that address (with the networks of an IPv6 one) and cookie; `account` is what the page finds. */
static bool asks_for(const struct http_route *route, const char *address, const char *wide, const char *wider,
                     const char *cookie, uint64_t account)
{
    struct http_request req = {.arena = arena,
                               .address = address,
                               .networks = {address, wide, wider},
                               .route = route,
                               .area = area_find(NULL, "/")};
    if (cookie) {
        pairs_add(arena, &req.cookies, "retwis", cookie);
    }
    unsigned seconds = read_limit_take(limit, &req);
    req.is_asked = seconds == 0;
    req.account = account;
    read_limit_learn(limit, &req);
    return seconds == 0;
}

static bool asks(const char *address, const char *wide, const char *wider, const char *cookie, uint64_t account)
{
    static const struct http_route route = {.path = "/public"};
    return asks_for(&route, address, wide, wider, cookie, account);
}

static unsigned ask(unsigned tries, const char *address, const char *cookie, uint64_t account)
{
    unsigned passed = 0;
    for (unsigned i = 0; i < tries; i++) {
        passed += asks(address, NULL, NULL, cookie, account);
    }
    return passed;
}

static void counts_members_by_account(void **state)
{
    (void)state;
    assert_int_equal(ask(1, "192.0.2.1", "7.secret", 7), 1); /* for the address: nobody knew the cookie yet */
    assert_int_equal(ask(1, "192.0.2.1", "8.secret", 8), 1);
    assert_int_equal(ask(20, "192.0.2.1", NULL, 0), 8);
    assert_int_equal(ask(20, "192.0.2.1", "7.secret", 7), 10);
    assert_int_equal(ask(20, "198.51.100.1", "7.secret", 7), 0);
    assert_int_equal(ask(20, "192.0.2.1", "8.secret", 8), 10);
    assert_int_equal(ask(5, "198.51.100.1", "7.other", 7), 1); /* another session, the same account */
}

static void believes_no_cookie(void **state)
{
    (void)state;
    assert_int_equal(ask(20, "192.0.2.1", "7.guess", 0), 10);
    assert_int_equal(ask(20, "192.0.2.1", "8.guess", 0), 0);
    assert_int_equal(ask(2, "192.0.2.2", "9.secret", 9), 2);
    assert_int_equal(ask(1, "192.0.2.2", "9.secret", 0), 1); /* it has ended: counted once more for the account */
    assert_int_equal(ask(20, "192.0.2.2", "9.secret", 0), 9);
}

static void counts_wide_networks(void **state)
{
    unsigned passed = 0;
    (void)state;
    for (unsigned i = 0; i < 30; i++) {
        const char *address = arena_printf(arena, "2001:db8:0:%x::", i);
        passed += asks(address, "2001:db8::/56", "2001:db8::/48", NULL, 0);
    }
    assert_int_equal(passed, 20);
    for (unsigned i = 0; i < 60; i++) {
        const char *address = arena_printf(arena, "2001:db8:0:%x00::", i);
        passed += asks(address, arena_printf(arena, "%s/56", address), "2001:db8::/48", NULL, 0);
    }
    assert_int_equal(passed, 40);
    assert_true(asks("2001:db8:1::", "2001:db8:1::/56", "2001:db8:1::/48", NULL, 0));
}

/* A search counts as a page, and its own limit holds besides: by account, by address and by wider networks. */
static void counts_searches_besides(void **state)
{
    static const struct http_route search = {.path = "/search", .flags = HTTP_SEARCHING};
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(asks_for(&search, "192.0.2.1", NULL, NULL, NULL, 0), i < 4);
    }
    assert_int_equal(ask(20, "192.0.2.1", NULL, 0), 6); /* what was refused was not counted */
    assert_false(asks_for(&search, "192.0.2.1", NULL, NULL, NULL, 0));
    assert_true(asks_for(&search, "192.0.2.2", NULL, NULL, "7.secret", 7)); /* for the address */
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(asks_for(&search, "192.0.2.2", NULL, NULL, "7.secret", 7), i < 4);
    }
    assert_int_equal(ask(10, "192.0.2.3", NULL, 0), 10);
    assert_false(asks_for(&search, "192.0.2.3", NULL, NULL, NULL, 0));
    unsigned passed = 0;
    for (unsigned i = 0; i < 12; i++) {
        const char *address = arena_printf(arena, "2001:db8:0:%x::", i);
        passed += asks_for(&search, address, "2001:db8::/56", "2001:db8::/48", NULL, 0);
    }
    assert_int_equal(passed, 8);
}

static void leaves_the_rest_alone(void **state)
{
    static const struct http_route health = {.path = "/health", .flags = HTTP_UNCOUNTED};
    (void)state;
    struct http_request req = {
        .arena = arena, .networks = {"192.0.2.1"}, .route = &health, .area = area_find(NULL, "/")};
    for (unsigned i = 0; i < 20; i++) {
        assert_int_equal(read_limit_take(limit, &req), 0);
    }
    req.route = NULL;
    req.unlimited = true;
    for (unsigned i = 0; i < 20; i++) {
        assert_int_equal(read_limit_take(limit, &req), 0);
    }
    req.unlimited = false;
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(read_limit_take(limit, &req), 0);
    }
    unsigned seconds = read_limit_take(limit, &req);
    assert_true(seconds > 350 && seconds <= 360);
    assert_int_equal(read_limit_take(NULL, &req), 0);
}

static int setup(void **state)
{
    struct config c = {
        .limits = {.enabled = true, .read = {10, 3600}, .search = {4, 3600}, .network_56 = 2, .network_48 = 4}};
    (void)state;
    arena = arena_new();
    limit = read_limit_new(&c);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    read_limit_free(limit);
    arena_free(arena);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_each_caller), cmocka_unit_test(has_a_fixed_size), cmocka_unit_test(remembers_members),
        TEST(counts_members_by_account),      TEST(believes_no_cookie),           TEST(counts_wide_networks),
        TEST(counts_searches_besides),        TEST(leaves_the_rest_alone),
    };
    secret_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
