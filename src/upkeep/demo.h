/* demo.h - fills a site with invented people: for newcomers who want to see something, for tests and benches.
 *
 * Names, profiles, relations and texts follow from the seed alone; times are relative to now (and so are ids,
 * which hold them). Few people have very many followers, many have few. Posts are in eight languages, with
 * mentions, tags, links and answers, and become more frequent towards the present.
 *
 * It writes with the same scripts as everybody, hundreds in a batch and with several threads, so the data are like
 * those of a real history. Only nothing is delivered: homes of these people are dropped and built by their first visit,
 * and the public timeline gets its posts at the end.
 *
 * Threads: any; starts some of its own and waits for them.
 */
#ifndef UPKEEP_DEMO_H
#define UPKEEP_DEMO_H

#include <stdint.h>

#include "base/err.h"
#include "social/people/user.h"
#include "upkeep/demo_options.h"

struct social;

struct demo_report {
    uint64_t users, posts, relations;
    char name[USER_NAME_MAX + 1]; /* the one with most followers */
};

/* People whose names are taken get other names. After ERR_BUSY and engine errors, the data written until then stay and
 * are consistent. */
enum err demo_fill(struct social *s, const struct demo_options *o, struct demo_report *out);

#endif
