/* complain.h - what is wrong with what somebody gave a command, in the words of the site's English catalogue.
 *
 * Threads: the main thread.
 */
#ifndef COMMAND_COMPLAIN_H
#define COMMAND_COMPLAIN_H

struct arena;
struct problems;

/* A line on standard error for each. */
void complain_problems(struct arena *a, const struct problems *p);

#endif
