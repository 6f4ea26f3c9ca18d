/* job_parts.h - what the life of a job (job.c) and the queue of a process (job_queue.c) have in common. */
#ifndef SOCIAL_CORE_JOB_PARTS_H
#define SOCIAL_CORE_JOB_PARTS_H

#include <stdint.h>

struct arena;
struct job;
struct job_field;
struct social;
struct store_batch;
struct store_reply;

#define JOB_LEASE_MS 6000

/* The end (ms) of a lease that begins now. */
uint64_t job_lease(void);

/* Adds the command that takes an attempt back, because the job was not really tried: its lease ended while it waited
 * here, there is no room for it in the queue, or the engine is full. */
void job_wait_add(struct store_batch *b, const struct job *j);

/* The job of this id and these fields, names and values in turn; texts stay those of the reply. NULL if it is not
 * understood. */
struct job *job_read(struct social *s, struct arena *a, const struct store_reply *id, const struct store_reply *fields);

/* The fields that its class adds to a job, and where they lie. */
const struct job_field *job_fields(const struct job *j);
void *job_member(struct job *j, const struct job_field *f);

#endif
