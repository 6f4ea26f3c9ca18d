/* compress.h - bytes made smaller for the wire: zstd and gzip (libdeflate), at their quickest levels.
 *
 * The compressors are few, shared by all threads and made when they are first needed; they live as long as the process
 * and allocate nothing per answer. What may be compressed is response.c's to say.
 *
 * Threads: any. A thread that finds all compressors in use waits for one, some ten microseconds.
 */
#ifndef HTTP_COMPRESS_H
#define HTTP_COMPRESS_H

#include <stddef.h>

#include "http/encoding.h"

/* Bytes that `size` bytes may become at most, whatever they are. */
size_t compress_bound(enum encoding e, size_t size);

/* Compresses into out, which has compress_bound bytes. The size of the result; 0 if it could not be made. */
size_t compress_bytes(enum encoding e, const void *data, size_t size, void *out, size_t room);

/* How many compressors there are, for tests. */
unsigned compress_count(void);

#endif
