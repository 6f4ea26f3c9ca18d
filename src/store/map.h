/* map.h - which node holds a bucket.
 *
 * Internal to src/store. One node today, which holds all 1024; a cluster replaces the body of map_node and fills more
 * nodes, and nothing else changes: batches are split by what this answers.
 *
 * Threads: any.
 */
#ifndef STORE_MAP_H
#define STORE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "store/pool.h"

struct audit;
struct config;
struct map;

/* Reads config.redis; NULL with a line on report if it cannot be used. Nothing is connected yet. */
struct map *map_new(const struct config *c, FILE *report);
void map_free(struct map *m);

size_t map_nodes(const struct map *m);
size_t map_node(const struct map *m, unsigned bucket);
struct pool *map_pool(struct map *m, size_t node);

/* What is known about the fitness of a node; NULL for our own engine. */
struct audit *map_audit(struct map *m, size_t node);

/* How long a batch may take. */
uint64_t map_command_us(const struct map *m);

#endif
