/* fresh.h - posts that were written just now and are not in the index yet: they wait, with their words, in one small hash
 * (KEY_FRESH) that every question reads beside the lists. So a post is found as soon as it is acknowledged, and costs its author
 * two small commands; when FRESH_MANY wait, a worker puts them all into the lists together, which costs a tenth of putting each
 * there alone.
 *
 * It is that hash which is durable: what a process that dies has not put into the lists still waits, is found, and goes there with
 * the next posts. A post leaves it only when all its words are in the lists, so whoever reads the hash first misses nothing. (Of a
 * cluster, where two nodes answer when they like, a question may miss one for a moment.)
 *
 * Threads: any; the job a worker's.
 */
#ifndef SOCIAL_SEARCH_FRESH_H
#define SOCIAL_SEARCH_FRESH_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/search/hits.h"

struct arena;
struct post_index;
struct social;
struct store_batch;
struct store_reply;

#define FRESH_MANY 128 /* a question reads all of them: some ten kilobytes */

/* Handed over at start: new posts wait, all others go into the lists. */
extern const struct post_index search_index;

/* Asks whether it waits: 1. */
size_t fresh_look_add(struct store_batch *b, struct arena *a, uint64_t post);

/* All are gone: there is no index. */
void fresh_drop_add(struct store_batch *b, struct arena *a);

/* Puts all that wait into the lists. */
enum err fresh_settle(struct social *s, struct arena *a);

/* Asks for all that wait, before the lists in the same batch. */
size_t fresh_ask(struct store_batch *b, struct arena *a);

/* Of these the posts that may have the word (a name of index.h) and are older than `below` (0: all), newest first: some too many, and
 * none too few. Those of others that are not public are not among them. */
struct hit_list fresh_hits(struct arena *a, const struct store_reply *all, const char *word, uint64_t uid,
                           uint64_t below);

#endif
