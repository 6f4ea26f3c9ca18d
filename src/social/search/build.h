/* build.h - the index of search made anew, by a job: all of it is dropped, then come the people, then the posts from the newest to the
 * oldest, so that search answers at once and goes further back minute by minute.
 *
 * What is written meanwhile goes into the index like always; the job comes upon it once more, which changes nothing. SITE_SEARCH says
 * how far it is. A server that starts on data without an index (of an older version) stores the job; one that has search switched
 * off stores it to have the index dropped.
 *
 * Threads: build_begin and build_now the caller's; the job a worker's.
 */
#ifndef SOCIAL_SEARCH_BUILD_H
#define SOCIAL_SEARCH_BUILD_H

#include "base/err.h"

struct arena;
struct job_class;
struct social;

/* At start: stores the job if one is needed. The workers take it up within seconds. */
enum err build_begin(struct social *s, struct arena *a);

/* Rebuilds on this thread: for the command. What is left if it fails is taken up by a server. */
enum err build_now(struct social *s, struct arena *a);

extern const struct job_class build_job;

#endif
