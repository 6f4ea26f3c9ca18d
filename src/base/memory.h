/* memory.h - how much memory this process may have: the machine's, or less when its control group or container says so;
 * and over how many heaps the C library spreads what it takes.
 *
 * What this is not: allocation (panic.h, arena.h).
 *
 * Threads: any; memory_setup before there are others.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdint.h>

/* At most as many heaps as processors. The library would make eight times as many, each as large as its busiest moment was
 * and none of which gives back what another could use. */
void memory_setup(void);

/* Bytes; UINT64_MAX when the system does not say. */
uint64_t memory_available(void);

/* The smallest limit of the control groups that `list` (the form of /proc/self/cgroup) names and of those above them,
 * below `root` (/sys/fs/cgroup), of version 1 and 2. Bytes; UINT64_MAX without a limit, or when nothing can be read. */
uint64_t memory_group_limit(const char *list, const char *root);

#endif
