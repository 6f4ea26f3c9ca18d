/* job_steps.h - what each type of job does. One call is one bounded step; the queue calls again until *done. */
#ifndef SOCIAL_CORE_JOB_STEPS_H
#define SOCIAL_CORE_JOB_STEPS_H

#include <stdbool.h>

#include "base/err.h"

struct arena;
struct job;
struct social;

typedef enum err (*job_step)(struct social *s, struct arena *a, struct job *j, bool *done);

enum err job_step_signup(struct social *s, struct arena *a, struct job *j, bool *done); /* sign_up.c */
enum err job_step_fanout(struct social *s, struct arena *a, struct job *j, bool *done); /* fanout.c */
enum err job_step_unpost(struct social *s, struct arena *a, struct job *j, bool *done); /* fanout.c */
enum err job_step_follow(struct social *s, struct arena *a, struct job *j, bool *done); /* follow.c */
enum err job_step_purge(struct social *s, struct arena *a, struct job *j, bool *done);  /* purge.c */

#endif
