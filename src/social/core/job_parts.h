/* job_parts.h - what the life of a job (job.c) and the queue of a process (job_queue.c) have in common. */
#ifndef SOCIAL_CORE_JOB_PARTS_H
#define SOCIAL_CORE_JOB_PARTS_H

#include <stdbool.h>

struct arena;
struct job;
struct store_batch;
struct store_reply;

#define JOB_LEASE_MS 6000

/* The end (ms) of a lease that begins now. */
const char *job_lease_text(struct arena *a);

/* Adds the command that takes an attempt back, because what happened to the job was none: its lease ended while it waited here, there
 * is no room for it in the queue, or the engine is full. */
void job_wait_add(struct store_batch *b, struct arena *a, const struct job *j);

/* The job of this id and these fields, names and values in turn; texts stay those of the reply. False if it is not understood. */
bool job_read(const struct store_reply *id, const struct store_reply *fields, struct job *j);

#endif
