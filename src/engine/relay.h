/* relay.h - what the engine says, line by line into our log.
 *
 * Internal to src/engine. Threads: the supervisor's; relay_last after that thread has said that it is done.
 */
#ifndef ENGINE_RELAY_H
#define ENGINE_RELAY_H

#include <stdbool.h>
#include <stddef.h>

struct relay {
    char line[2048];
    size_t length;
    char last[256]; /* last line of weight, for the report of a failed start */
    bool hushed;
};

/* Reads what is there; false at the end of the pipe. */
bool relay_read(struct relay *r, int fd);

/* From now on everything is only of interest for debugging: the engine is being stopped. */
void relay_hush(struct relay *r);

const char *relay_last(const struct relay *r);
void relay_forget(struct relay *r); /* relay_last from here on */

#endif
