/* trips.c - what a round trip to the engine costs: many threads that read a little, think a little, and so on.
 *
 *     trips WAY THREADS SECONDS        WAY: how many connections are shared; 0 is a connection for each call (a pool)
 *
 * prints trips a second, their p50 and p99 in us, and the processor time of a trip in us: ours, the kernel's part of that,
 * the engine's. Three GETs a trip over a Unix socket, and 20 us of other work beside each.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/panic.h"
#include "base/secret.h"
#include "engine/engine.h"
#include "private_redis.h"
#include "store/store.h"

#define WORK_US 20
#define MOST 2000000
#define POOL 16

struct worker {
    pthread_t thread;
    struct store *store;
    unsigned number;
};

static _Atomic bool over;
static _Atomic size_t count;
static uint32_t *times;

static unsigned turns; /* of WORK_US: counted, because asking for the time of a thread is a system call */

static void work(unsigned n)
{
    for (volatile unsigned i = 0; i < n; i++) {
    }
}

/* The quickest of some tries: the machine may be busy. */
static void calibrate(void)
{
    uint64_t best = UINT64_MAX;
    for (unsigned i = 0; i < 200; i++) {
        uint64_t start = clock_monotonic_us();
        work(1000000);
        uint64_t time = clock_monotonic_us() - start;
        best = time < best ? time : best;
    }
    turns = (unsigned)(UINT64_C(1000000) * WORK_US / best);
}

static void trip(const struct worker *w, struct arena *a)
{
    char key[32];
    struct store_batch *b = store_batch_new(w->store, a);
    for (unsigned i = 0; i < 3; i++) {
        snprintf(key, sizeof(key), "{0}:%u", (w->number * 3 + i) % 100);
        store_command(b, 0, "GET", key, NULL);
    }
    uint64_t start = clock_monotonic_us();
    require(store_run(b) == ERR_OK);
    size_t n = atomic_fetch_add(&count, 1);
    if (n < MOST) {
        times[n] = (uint32_t)(clock_monotonic_us() - start);
    }
}

static void *travel(void *argument)
{
    struct arena *a = arena_new();
    while (!over) {
        trip(argument, a);
        arena_reset(a);
        work(turns);
    }
    arena_free(a);
    return NULL;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static double us_of(struct timeval t)
{
    return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

/* Processor time of the engine so far. */
static double engine_us(pid_t pid)
{
    char path[64];
    unsigned long user = 0, kernel = 0;
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "r");
    require(f && fscanf(f, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &kernel) == 2);
    fclose(f);
    return (double)(user + kernel) * 1e6 / (double)sysconf(_SC_CLK_TCK);
}

static void fill(struct store *s)
{
    char key[32];
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(s, a);
    for (unsigned i = 0; i < 100; i++) {
        snprintf(key, sizeof(key), "{0}:%u", i);
        store_command(b, 0, "SET", key, "a value of some forty characters, as they are", NULL);
    }
    require(store_run(b) == ERR_OK);
    arena_free(a);
}

static void measure(struct store *s, const struct private_redis *engine, unsigned threads, unsigned seconds)
{
    struct worker *workers = mem_zero(threads, sizeof(*workers));
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    double engine_before = engine_us(engine->pid);
    for (unsigned i = 0; i < threads; i++) {
        workers[i] = (struct worker){.store = s, .number = i};
        require(pthread_create(&workers[i].thread, NULL, travel, &workers[i]) == 0);
    }
    clock_sleep_ms(seconds * 1000);
    over = true;
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    getrusage(RUSAGE_SELF, &after);
    double n = (double)count, engine_after = engine_us(engine->pid);
    size_t kept = count < MOST ? count : MOST;
    qsort(times, kept, sizeof(*times), compare);
    double user = us_of(after.ru_utime) - us_of(before.ru_utime),
           kernel = us_of(after.ru_stime) - us_of(before.ru_stime);
    printf("%.0f %u %u %.1f %.1f %.1f\n", n / seconds, times[kept / 2], times[kept * 99 / 100],
           (user + kernel) / n - WORK_US, kernel / n, (engine_after - engine_before) / n);
    free(workers);
}

int main(int argc, char **argv)
{
    secret_setup();
    log_setup(LOG_ERROR, false);
    if (argc > 1 && strcmp(argv[1], "engine") == 0) {
        return engine_main(argc - 1, argv + 1);
    }
    require(argc == 4);
    struct private_redis engine;
    private_redis_embedded = true;
    private_redis_start(&engine, NULL);
    struct config c = private_redis_config(engine.url);
    c.redis.connections = POOL;
    c.redis.shared_connections = atoi(argv[1]);
    struct store *s = store_open(&c, stderr);
    require(s);
    times = mem_zero(MOST, sizeof(*times));
    fill(s);
    calibrate();
    measure(s, &engine, (unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]));
    store_close(s);
    private_redis_stop(&engine);
    free(times);
    return 0;
}
