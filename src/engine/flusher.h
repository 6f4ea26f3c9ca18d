/* flusher.h - brings the embedded engine's append-only file to the disk once a second.
 *
 * Why not the engine itself (appendfsync everysec): while its own fsync runs, it keeps the writes of clients in memory,
 * for up to two seconds, and acknowledges them all the same; a kill -9 of the engine then loses acknowledged writes.
 * With appendfsync no it hands every write to the kernel before it answers, so a kill loses nothing, and this thread
 * bounds what a power cut can take to about a second, as everysec would. The price: the engine's next write may have to
 * wait for a slow disk.
 *
 * Threads: one of its own.
 */
#ifndef ENGINE_FLUSHER_H
#define ENGINE_FLUSHER_H

struct flusher;

/* Starts on the engine's data directory, which need not hold a file yet. */
struct flusher *flusher_start(const char *data_directory);

/* NULL is allowed. The engine brings the rest to the disk when it ends in order. */
void flusher_stop(struct flusher *f);

#endif
