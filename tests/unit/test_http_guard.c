/* test_http_guard.c - who is let in: the guard's accept over real sockets, without a server behind it. Nobody takes a
 * connection there, so all of them wait. And what a connection may take, for tests that play the thread of one. */
#define _GNU_SOURCE /* accept4 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/secret.h"
#include "http/guard.h"
#include "http/guard_accept.h"
#include "http/guard_watch.h"

#define THREADS 4
#define QUEUE 4
#define PATIENCE_MS 20000
#define REQUEST_MS 60000
#define KEEP_ALIVE_MS 30000

static struct sockaddr_in address;
static int listener;
static int clients[THREADS + QUEUE + 1], taken[THREADS + QUEUE];

/* Where clients come from, by IPv4; 0: from where they do. */
static uint32_t from_afar;

/* Instead of the C library's. */
int accept(int fd, struct sockaddr *from, socklen_t *length)
{
    int taken_in = accept4(fd, from, length, 0);
    if (taken_in >= 0 && from_afar) {
        ((struct sockaddr_in *)(void *)from)->sin_addr.s_addr = htonl(from_afar);
    }
    return taken_in;
}

static int dial(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
    return fd;
}

static int take_in(void)
{
    struct sockaddr_storage from;
    socklen_t length = sizeof(from);
    return guard_accept(listener, (struct sockaddr *)&from, &length);
}

static void fill_house(void)
{
    for (size_t i = 0; i < THREADS + QUEUE; i++) {
        clients[i] = dial();
        taken[i] = take_in();
        assert_true(taken[i] >= 0);
    }
}

/* What the server says to one who is not let in; tries that long. */
static ssize_t refused_with(int client, char *out, size_t size)
{
    uint64_t end = clock_monotonic_us() + PATIENCE_MS * 1000ull;
    struct pollfd p = {.fd = client, .events = POLLIN};
    while (poll(&p, 1, 0) == 0) {
        assert_int_equal(take_in(), -1);
        assert_int_equal(errno, EAGAIN);
        assert_true(clock_monotonic_us() < end);
    }
    return recv(client, out, size, 0);
}

static void refuses_in_words_that_are_understood(void **state)
{
    char said[512];
    uint64_t refused = metric_get(METRIC_CONNECTIONS_REFUSED);
    (void)state;
    fill_house();
    clients[THREADS + QUEUE] = dial();
    ssize_t n = refused_with(clients[THREADS + QUEUE], said, sizeof(said) - 1);
    assert_true(n > 0);
    said[n] = '\0';
    assert_true(strncmp(said, "HTTP/1.1 503 ", 13) == 0 && strstr(said, "Retry-After"));
    assert_int_equal(metric_get(METRIC_CONNECTIONS_REFUSED), refused + 1);
}

static void says_nothing_on_a_tls_port(void **state)
{
    char said[512];
    unsigned port = ntohs(address.sin_port);
    uint64_t refused = metric_get(METRIC_CONNECTIONS_REFUSED);
    (void)state;
    guard_tls_ports(&port, 1);
    fill_house();
    clients[THREADS + QUEUE] = dial();
    assert_int_equal(refused_with(clients[THREADS + QUEUE], said, sizeof(said)), 0);
    assert_int_equal(metric_get(METRIC_CONNECTIONS_REFUSED), refused + 1);
}

/* Of more handshakes than half of the threads, those end whose clients say nothing, and not those who wait for us. */
static void ends_silent_handshakes(void **state)
{
    unsigned port = ntohs(address.sin_port);
    (void)state;
    guard_tls_ports(&port, 1);
    for (int i = 0; i < THREADS + 2; i++) {
        clients[i] = dial();
        if (i % 2) {
            assert_int_equal(send(clients[i], "\x16\x03\x01", 3, 0), 3);
        }
        taken[i] = take_in();
        assert_true(taken[i] >= 0);
    }
    assert_int_equal(atomic_load(&guard_table.handshakes), THREADS + 2);
    for (int i = 0; i < THREADS + 2; i += 2) { /* shut for reading here: what the client sends then is refused */
        uint64_t end = clock_monotonic_us() + PATIENCE_MS * 1000ull;
        while (!atomic_load(&guard_slot_of(taken[i])->expired)) {
            assert_true(clock_monotonic_us() < end);
            clock_sleep_ms(10);
        }
    }
    for (int i = 1; i < THREADS + 2; i += 2) {
        assert_false(atomic_load(&guard_slot_of(taken[i])->expired));
    }
}

static void counts_a_handshake_until_it_ends(void **state)
{
    unsigned port = ntohs(address.sin_port);
    (void)state;
    guard_tls_ports(&port, 1);
    clients[0] = dial();
    taken[0] = take_in();
    assert_int_equal(atomic_load(&guard_slot_of(taken[0])->state), HANDSHAKE);
    uint64_t deadline = atomic_load(&guard_slot_of(taken[0])->deadline);
    guard_attach(taken[0]);
    guard_greeted();
    assert_int_equal(atomic_load(&guard_table.handshakes), 1);
    guard_take();
    assert_int_equal(atomic_load(&guard_table.handshakes), 0);
    assert_int_equal(atomic_load(&guard_table.taken), 1);
    assert_int_equal(atomic_load(&guard_slot_of(taken[0])->state), FRESH);
    assert_true(atomic_load(&guard_slot_of(taken[0])->deadline) > deadline);
    guard_leave();
    assert_int_equal(atomic_load(&guard_table.open), 0);
}

/* Sends some bytes and reads them as the server would. */
static void read_some(size_t count)
{
    char bytes[64] = "";
    assert_int_equal(send(clients[0], bytes, count, 0), count);
    assert_int_equal(guard_recv(taken[0], bytes, sizeof(bytes), 0), count);
}

/* How much came is counted from the end of the request before. */
static void counts_the_bytes_of_one_request(void **state)
{
    (void)state;
    clients[0] = dial();
    taken[0] = take_in();
    guard_attach(taken[0]);
    for (unsigned request = 0; request < 3; request++) {
        read_some(10);
        read_some(20);
        assert_int_equal(guard_received(), 30);
        guard_working();
        guard_writing(100);
        guard_idle();
        assert_int_equal(guard_received(), 0);
    }
    guard_leave();
}

static uint64_t deadline_ms(void)
{
    return atomic_load(&guard_slot_of(taken[0])->deadline) / 1000;
}

/* Whoever sends or fetches much has the time for it that a slow line needs: 16 KB in a second, but for the first 64
 * KB. */
static void gives_time_for_what_is_large(void **state)
{
    (void)state;
    clients[0] = dial();
    taken[0] = take_in();
    guard_attach(taken[0]);
    read_some(10);
    uint64_t small = deadline_ms();
    guard_reading(64 * 1024);
    assert_int_equal(deadline_ms(), small);
    guard_reading(200 * 1024);
    assert_int_equal(deadline_ms() - small, (200 - 64) * 1000 / 16);
    uint64_t start = clock_monotonic_us() / 1000;
    guard_writing(1024 * 1024 + 64 * 1024);
    assert_true(deadline_ms() + 1000 >= start + REQUEST_MS + 64000); /* the guard's clock is a little behind */
    guard_leave();
}

/* What the connection does must have ended so many ms after its beginning: a moment ago, on a busy machine a long
 * one. */
static void assert_deadline_in(uint64_t ms)
{
    uint64_t now = clock_monotonic_us() / 1000;
    assert_in_range(deadline_ms(), now + ms / 2, now + ms);
}

/* What a connection does, one after the other, and the time that it has for each. */
static void gives_everything_its_time(void **state)
{
    (void)state;
    clients[0] = dial();
    taken[0] = take_in();
    guard_attach(taken[0]);
    assert_deadline_in(REQUEST_MS);
    for (unsigned request = 0; request < 2; request++) {
        read_some(10);
        assert_deadline_in(REQUEST_MS);
        guard_working(); /* a handler takes what it takes */
        assert_int_equal(deadline_ms(), 0);
        guard_writing(100);
        assert_deadline_in(REQUEST_MS);
        guard_idle();
        assert_deadline_in(KEEP_ALIVE_MS);
    }
    guard_leave();
    assert_int_equal(deadline_ms(), 0);
}

/* --- connections of one address ------------------------------------------------------------------------------------ */

#define PER_ADDRESS 2
#define CLIENT 0xcb007101 /* 203.0.113.1 */

/* The next client comes from that address. Whether he is let in. */
static bool comes_from(uint32_t ip, unsigned client)
{
    from_afar = ip;
    clients[client] = dial();
    taken[client] = take_in();
    return taken[client] >= 0;
}

static void leaves(unsigned client)
{
    guard_attach(taken[client]);
    guard_leave();
}

static void counts_connections_of_an_address(void **state)
{
    (void)state;
    guard_table.limits.per_address = PER_ADDRESS;
    uint64_t refused = metric_get(METRIC_CONNECTIONS_REFUSED);
    assert_true(comes_from(CLIENT, 0) && comes_from(CLIENT, 1));
    assert_false(comes_from(CLIENT, 2));
    assert_int_equal(metric_get(METRIC_CONNECTIONS_REFUSED), refused + 1);
    assert_true(comes_from(CLIENT + 1, 3));
    leaves(0);
    assert_true(comes_from(CLIENT, 4)); /* what has ended is not counted */
    assert_false(comes_from(CLIENT, 5));
}

/* Behind it any number of people may be. */
static void counts_no_connections_of_a_trusted_proxy(void **state)
{
    (void)state;
    struct address_list proxies;
    char bad[64];
    assert_true(address_list_parse("203.0.113.1", &proxies, bad, sizeof(bad)));
    guard_table.limits.per_address = PER_ADDRESS;
    guard_table.limits.trusted = &proxies;
    for (unsigned i = 0; i < THREADS; i++) {
        assert_true(comes_from(CLIENT, i));
    }
    for (unsigned i = 0; i < THREADS; i++) {
        leaves(i);
    }
    assert_true(comes_from(CLIENT + 1, THREADS) && comes_from(CLIENT + 1, THREADS + 1));
    assert_false(comes_from(CLIENT + 1, THREADS + 2));
    address_list_free(&proxies);
}

static int setup(void **state)
{
    static const struct address_list nobody;
    const struct guard_limits limits = {.threads = THREADS,
                                        .queue = QUEUE,
                                        .per_address = 40,
                                        .request_ms = REQUEST_MS,
                                        .keep_alive_ms = KEEP_ALIVE_MS,
                                        .trusted = &nobody};
    socklen_t length = sizeof(address);
    (void)state;
    memset(clients, -1, sizeof(clients));
    memset(taken, -1, sizeof(taken));
    from_afar = 0;
    address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(listener, 64) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        return -1;
    }
    guard_start(&limits);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    guard_stop();
    for (size_t i = 0; i < sizeof(clients) / sizeof(clients[0]); i++) {
        close(clients[i]);
    }
    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
        close(taken[i]);
    }
    close(listener);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(refuses_in_words_that_are_understood),
        TEST(says_nothing_on_a_tls_port),
        TEST(ends_silent_handshakes),
        TEST(counts_a_handshake_until_it_ends),
        TEST(counts_the_bytes_of_one_request),
        TEST(gives_time_for_what_is_large),
        TEST(gives_everything_its_time),
        TEST(counts_connections_of_an_address),
        TEST(counts_no_connections_of_a_trusted_proxy),
    };
    secret_setup();
    log_setup(LOG_ERROR, false);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
