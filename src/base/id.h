/* id.h - 64-bit ids that carry their time and their bucket.
 *
 *     id = unix_ms << 16 | bucket << 6 | sequence
 *
 * 1024 buckets are the logical shards of the data: the bucket of any user or post can be read off its id, so no lookup
 * table is needed. On every wire an id is a decimal string. From May 2018 (ID_FIRST_MS) until the year 2453 every id
 * has exactly ID_DIGITS digits, so that comparing two id strings byte by byte compares their numbers: Redis' BYLEX
 * ranges and the Lua scripts (whose numbers are doubles and cannot hold an id) rely on it.
 *
 * What this is not: a guarantee of uniqueness between processes; six bits of sequence cannot give one. The script that
 * creates the record refuses an id that exists ("stale"), and the caller takes another one. A call that is repeated
 * after a lost reply carries the same random nonce, which tells it from a call of somebody else
 * (store/scripts/include/job.lua).
 */
#ifndef BASE_ID_H
#define BASE_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

#define ID_BUCKETS 1024
#define ID_DIGITS 18
#define ID_FIRST_MS 1525878906250u /* 10^(ID_DIGITS - 1) >> 16: earlier ids have a digit less */
#define ID_SIZE 21                 /* decimal digits of any uint64_t and NUL */

/* A new id in the bucket, by site time (clock.h): newer than `newer_than` (0 for none) and, unless the clock was set
 * back, not older than any id that this process drew by the clock. Of two ids of the same ms the one of the greater
 * bucket is the greater. If newer_than lies ahead of the clock, so does the id, and somebody else may have the same
 * one: the caller's script finds that out, as it must for ids of other processes. */
uint64_t id_new(unsigned bucket, uint64_t newer_than);

/* Whether ids can be made of the time that the machine's clock shows. Nothing that writes starts without that. If the
 * clock is put back later, ids go on from the newest one, and never below ID_FIRST_MS. */
bool id_clock_is_usable(void);

/* The smallest id of a moment: what a time cursor starts from. */
uint64_t id_of_ms(uint64_t wall_ms);

uint64_t id_ms(uint64_t id);
unsigned id_bucket(uint64_t id);

/* Decimal form; returns out. */
char *id_write(uint64_t id, char out[ID_SIZE]);

/* The same in the arena. */
const char *id_text(struct arena *a, uint64_t id);

/* Strict: ID_DIGITS digits, nothing else; 0 for anything else (0 is never an id). */
uint64_t id_parse(const char *text);
uint64_t id_parse_n(const char *text, size_t length);

/* Order of ids, for qsort and bsearch. */
int id_oldest_first(const void *x, const void *y);
int id_newest_first(const void *x, const void *y);

/* Whether the id is among `ids`, which are sorted oldest first. ids may be NULL if count is 0. */
bool id_is_among(uint64_t id, const uint64_t *ids, size_t count);

/* The bucket of a user, from the folded name; FNV-1a, spread over ID_BUCKETS. Never changes: it is in the data. */
unsigned id_bucket_of_name(const char *folded_name);
unsigned id_bucket_of_bytes(const char *text, size_t length);

#endif
