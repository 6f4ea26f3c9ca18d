/* job.h - durable work: what must still happen after an answer was given (deliveries, the other side of a follow,
 * clean-up). A job is stored in the bucket of its owner, in the same step as the change that asks for it.
 *
 * A job has a lease: the process that made it works on it at once; when a process dies, the lease ends and any
 * other process takes the job over. Every job may run more than once, so each is written to be harmless when repeated.
 *
 * Threads: job_run on the thread that made the job; workers and one sweeper of their own.
 */
#ifndef SOCIAL_CORE_JOB_H
#define SOCIAL_CORE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "store/calls.h"

struct arena;
struct social;
struct store_batch;
struct store_reply;

struct job;

/* What a job does. One call is one bounded step, in memory of its own (`a`); it is called again until *done. On an
 * error the job stays, and the end of its lease brings it back. */
typedef enum err (*job_step)(struct social *s, struct arena *a, struct job *j, bool *done);

/* A field of a job's record that only its class knows, and where it lies in the struct of the class. */
struct job_field {
    unsigned field; /* JOB_POST … of record.h; 0 ends the table */
    enum job_kind {
        JOB_TEXT, /* const char *; "" if the record has none */
        JOB_ID,   /* uint64_t; 0 if the record has none */
        JOB_FLAG, /* bool; the record says "1" */
    } kind;
    size_t offset;
};

/* What may be unfinished while a job waits: `retwis check` does not report it until the job is done. */
#define JOB_ABOUT_OWNER 1u /* everything of its owner's but his posts */
#define JOB_ABOUT_POST 2u  /* the post that its field "post" names */

/* A class of jobs is a row like this one. Features hand theirs over at start (struct social_parts). */
struct job_class {
    const char *name; /* the record's "type"; it never changes, because jobs of an older version may wait */
    job_step step;
    size_t size;                    /* of its struct, which begins with struct job */
    const struct job_field *fields; /* NULL: none */
    unsigned about;
    bool needs_post; /* there is nothing left to do when its post is gone */
};

struct job {
    const struct job_class *class;
    uint64_t id;        /* in the bucket of its owner */
    uint64_t nonce;     /* random: two processes may give the same id to jobs of theirs. 0: written by version 0.1.0 */
    unsigned stale;     /* how often its id was somebody else's */
    uint64_t uid;       /* the owner */
    const char *cursor; /* how far it is; "0" at the beginning */
    bool resumed;       /* taken over from a worker that may have done a part already */
};

/* A new job of the user, in memory only; the caller's script stores it. It is the first member of its class's struct,
 * whose other members are empty. */
void *job_new(struct arena *a, const struct job_class *class, uint64_t uid);

/* The class of this name among those that were handed over; NULL: none, or one of a newer version. */
const struct job_class *job_class(const struct social *s, const char *name);

/* The arguments of scripts that store, save or end the job; its lease begins now. */
struct script_job job_call(const struct job *j);

/* True when a script that was to store the job says that its id is another's (ANSWER_STALE): the job has a new one, and
 * the script is to be called again. False for every other answer, and when it has happened too often: then the answer
 * stays ANSWER_STALE. */
bool job_is_stale(struct job *j, enum answer answer);

/* The job's id and nonce: the words by which scripts know a job. */
const char *job_id_text(struct arena *a, const struct job *j);
const char *job_nonce_text(struct arena *a, const struct job *j);

/* Stores a job that no change asks for and that consists of its type and its owner only. */
enum err job_store(struct social *s, struct arena *a, struct job *j);

/* Works on a job until it is done. On failure the job stays, and the end of its lease brings it back. */
enum err job_run(struct social *s, struct arena *a, struct job *j);

/* Works on a job for one step, and gives the rest to the workers: for whoever's answer waits for the first step. */
enum err job_begin(struct social *s, struct arena *a, struct job *j);

/* Gives the rest of a job to the workers of this process; a command-line tool has none and does the work itself. */
void job_hand_over(struct social *s, struct arena *a, struct job *j);

/* Adds the commands that end the job / save a cursor and prolong the lease. The second's reply is for job_is_there. */
void job_done_add(struct store_batch *b, const struct job *j);
size_t job_save_add(struct store_batch *b, const struct job *j, const char *cursor);
/* False when somebody else finished the job meanwhile. */
bool job_is_there(const struct store_reply *saved);

/* Saves the cursor: ERR_NOT_FOUND when somebody else finished the job. */
enum err job_save(struct social *s, struct arena *a, struct job *j, const char *cursor);

/* Starts config's timeline.workers and the sweeper; job_stop lets them finish their step and ends them. */
void job_start(struct social *s);
void job_stop(struct social *s);

/* One sweep: claims every job whose lease is over. Tools run them on this thread; a server gives them to its workers.
 * *found is the number of claimed jobs. */
enum err job_sweep(struct social *s, unsigned *found);

/* Jobs waiting in this process. */
unsigned job_waiting(struct social *s);

/* Puts the numbers of this process and of the whole site among the metrics. Without the engine the old ones stay. */
enum err job_measure(struct social *s, struct arena *a);

#endif
