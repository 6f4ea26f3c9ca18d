/* map.h - which node holds a bucket, and the link to it.
 *
 * One node today, which holds all 1024 buckets. A cluster needs more links and another map_node, and nothing else
 * changes: batches, and commands with several keys, are split by its answers.
 *
 * Internal to src/store. Threads: any.
 */
#ifndef STORE_MAP_H
#define STORE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct audit;
struct config;
struct connection_target;
struct link;
struct map;

/* Reads config.redis; NULL with a line on report if it cannot be used. Nothing is connected yet. */
struct map *map_new(const struct config *c, FILE *report);

/* A map of one or more existing links, which become its own: each node holds its share of the buckets, in their order.
 * `apart`: the nodes refuse commands with keys of several buckets, as those of a cluster do. A batch may take
 * `command_us`. */
struct map *map_over(struct link *const *links, size_t count, bool apart, uint64_t command_us);

void map_free(struct map *m);

size_t map_nodes(const struct map *m);
size_t map_node(const struct map *m, unsigned bucket);
struct link *map_link(const struct map *m, size_t node);

/* Keys may stand in one command if their buckets are of one group. Groups are numbered from 0. */
size_t map_groups(const struct map *m);
size_t map_group(const struct map *m, unsigned bucket);

/* What is known about the fitness of a node; NULL for our own engine. */
struct audit *map_audit(const struct map *m, size_t node);

/* How to reach the node, if there is one alone; NULL: there are several, or links without connections. */
const struct connection_target *map_target(const struct map *m);

/* How long a batch may take. */
uint64_t map_command_us(const struct map *m);

#endif
