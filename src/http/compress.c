/* compress.c - see compress.h.
 *
 * Measured on a page of 27,007 bytes: zstd level 1 makes 5,727 of it in 40 us, level 3 5,525 in 48 us with three times the
 * memory; libdeflate level 1 5,755 in 55 us, level 2 5,796 in 101 us. So both run at level 1, where a compressor has
 * 160 and 200 KB. Compressing uses a core and nothing else: more compressors than a few for each core would only be
 * memory, which a compressor for each of 512 threads would be (180 MB).
 */
#include "http/compress.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "base/clock.h"
#include "base/mutex.h"

#define LEVEL 1
#define PER_CORE 2
#define MOST 16

/* Each kind is made when it is first asked for. */
struct compressor {
    struct compressor *next;
    ZSTD_CCtx *zstd;
    struct libdeflate_compressor *gzip;
};

/* The one used last is given out first: it is still in the processor's cache, and what a quiet site does not need is
 * never made. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t given_back;
    pthread_once_t once;
    struct compressor *idle;
    struct compressor all[MOST];
    unsigned made, most;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

static void compressors_prepare(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    long most = (cores < 1 ? 1 : cores) * PER_CORE;
    pool.most = most > MOST ? MOST : (unsigned)most;
    clock_condition(&pool.given_back);
}

static struct compressor *compressor_take(void)
{
    pthread_once(&pool.once, compressors_prepare);
    mutex_lock(&pool.lock);
    while (!pool.idle && pool.made == pool.most) {
        mutex_wait(&pool.given_back, &pool.lock);
    }
    struct compressor *c = pool.idle;
    if (c) {
        pool.idle = c->next;
    } else {
        c = &pool.all[pool.made++];
    }
    mutex_unlock(&pool.lock);
    return c;
}

static void compressor_give_back(struct compressor *c)
{
    mutex_lock(&pool.lock);
    c->next = pool.idle;
    pool.idle = c;
    pthread_cond_signal(&pool.given_back);
    mutex_unlock(&pool.lock);
}

static size_t make_zstd(struct compressor *c, const void *data, size_t size, void *out, size_t room)
{
    c->zstd = c->zstd ? c->zstd : ZSTD_createCCtx();
    size_t made = c->zstd ? ZSTD_compressCCtx(c->zstd, out, room, data, size, LEVEL) : 0;
    return ZSTD_isError(made) ? 0 : made;
}

static size_t make_gzip(struct compressor *c, const void *data, size_t size, void *out, size_t room)
{
    c->gzip = c->gzip ? c->gzip : libdeflate_alloc_compressor(LEVEL);
    return c->gzip ? libdeflate_gzip_compress(c->gzip, data, size, out, room) : 0;
}

size_t compress_bound(enum encoding e, size_t size)
{
    return e == ENCODING_ZSTD ? ZSTD_compressBound(size) : libdeflate_gzip_compress_bound(NULL, size);
}

size_t compress_bytes(enum encoding e, const void *data, size_t size, void *out, size_t room)
{
    struct compressor *c = compressor_take();
    size_t made = e == ENCODING_ZSTD ? make_zstd(c, data, size, out, room) : make_gzip(c, data, size, out, room);
    compressor_give_back(c);
    return made;
}

unsigned compress_count(void)
{
    mutex_lock(&pool.lock);
    unsigned made = pool.made;
    mutex_unlock(&pool.lock);
    return made;
}
