/* progress.h - a bar on the terminal while a long command works; nothing when standard error is no terminal.
 *
 * Threads: any one at a time per struct.
 */
#ifndef COMMAND_PROGRESS_H
#define COMMAND_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool shown; /* standard error is a terminal */
    bool dirty; /* something stands on the line */
    uint64_t drawn_us, began_us;
};

struct progress progress_begin(void);

/* Draws it, at most some times a second: what is being done, and how much of it. total 0: unknown. */
void progress_show(struct progress *p, const char *what, uint64_t done, uint64_t total);

/* Clears the line. */
void progress_end(struct progress *p);

/* Since the beginning. */
double progress_seconds(const struct progress *p);

#endif
