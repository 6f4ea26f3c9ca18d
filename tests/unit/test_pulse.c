/* test_pulse.c - whether an engine answers: a socket of our own plays the engine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/pulse.h"

#define MS 1000

static char directory[] = "/tmp/retwis-test-pulse-XXXXXX";
static char path[64];

struct engine {
    int listener, client;
};

static struct engine listen_there(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    struct engine e = {.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), .client = -1};
    snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
    unlink(path);
    assert_int_equal(bind(e.listener, (struct sockaddr *)&a, sizeof(a)), 0);
    assert_int_equal(listen(e.listener, 8), 0);
    return e;
}

/* Looks at it for so long, with the engine that answers what it is asked (NULL: nothing); returns the longest
 * silence. */
static uint64_t watch(struct pulse *p, struct engine *e, unsigned ms, const char *answer)
{
    uint64_t longest = 0, silent;
    char bytes[64];
    for (uint64_t end = clock_monotonic_us() + ms * MS; clock_monotonic_us() < end; clock_sleep_ms(10)) {
        silent = pulse_look(p);
        longest = silent > longest ? silent : longest;
        if (e->client < 0) {
            e->client = accept(e->listener, NULL, NULL);
        }
        if (answer && e->client >= 0 && recv(e->client, bytes, sizeof(bytes), MSG_DONTWAIT) > 0) {
            assert_true(send(e->client, answer, strlen(answer), MSG_NOSIGNAL) > 0);
        }
    }
    return longest;
}

static void forget(struct engine *e)
{
    close(e->client);
    close(e->listener);
}

/* Any answer is one, also that of an engine that has no time. */
static void test_silence(void **state)
{
    (void)state;
    struct pulse p;
    struct engine e = listen_there();
    pulse_begin(&p, path);
    watch(&p, &e, 2500, "-LOADING not yet\r\n");
    assert_in_range(pulse_look(&p), 0, 2000 * MS);
    assert_true(watch(&p, &e, 2500, NULL) >= 2000 * MS);
    uint64_t before = pulse_look(&p);
    watch(&p, &e, 200, "+PONG\r\n");
    assert_true(pulse_look(&p) < before); /* the question of before is answered at last */
    close(e.client);
    e.client = -1;
    watch(&p, &e, 1200, NULL); /* whoever closes a connection does not hang */
    assert_true(pulse_look(&p) < before);
    pulse_end(&p);
    forget(&e);
}

static void test_nobody(void **state)
{
    (void)state;
    struct pulse p;
    struct engine nobody = {.listener = -1, .client = -1};
    unlink(path);
    pulse_begin(&p, path);
    assert_true(watch(&p, &nobody, 300, NULL) >= 200 * MS);
    pulse_end(&p);
}

/* Time in which nobody looked (the machine slept) counts for a second at most. */
static void test_absence(void **state)
{
    (void)state;
    struct pulse p;
    unlink(path);
    pulse_begin(&p, path);
    clock_sleep_ms(1600);
    assert_in_range(pulse_look(&p), 900 * MS, 1000 * MS);
    pulse_end(&p);
}

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(directory)) {
        return -1;
    }
    snprintf(path, sizeof(path), "%s/socket", directory);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_nobody),
        cmocka_unit_test(test_absence),
    };
    return cmocka_run_group_tests_name("pulse", tests, setup, teardown);
}
