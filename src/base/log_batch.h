/* log_batch.h - how lines leave for standard error: at once, or gathered, many in one write(2). Inside log.c, but for start
 * and end.
 *
 * Lines that may wait do so for LOG_BATCH_MS at most; a line that may not takes all that wait along, before it, so lines
 * keep their order. When little is written nothing waits at all. A process that is killed takes with it what has been
 * waiting; one that ends in order writes it.
 *
 * Threads: any. start and end are called by one thread at a time.
 */
#ifndef BASE_LOG_BATCH_H
#define BASE_LOG_BATCH_H

#include <stddef.h>

#define LOG_BATCH_MS 50

/* Starts the thread that writes what waits; before and after it nothing waits. */
void log_batch_start(void);
void log_batch_end(void);

/* One whole line, at once, with all that wait. */
void log_batch_write(const char *line, size_t size);

/* One whole line that may wait. */
void log_batch_later(const char *line, size_t size);

#endif
