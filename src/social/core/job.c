/* job.c - the life of a job: made, stored, run step by step, saved, ended. Who runs it and when: job_queue.c. What it
 * does: its class. Any thread.
 */
#include "social/core/job.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/panic.h"
#include "base/secret.h"
#include "social/core/job_parts.h"
#include "social/core/social.h"
#include "store/keys.h"
#include "store/store.h"

#define STALE_TRIES 10

const struct job_class *job_class(const struct social *s, const char *name)
{
    const struct job_class *const *c = s->parts->jobs;
    while (*c && strcmp((*c)->name, name) != 0) {
        c++;
    }
    return *c;
}

const struct job_field *job_fields(const struct job *j)
{
    static const struct job_field none[] = {{.field = 0}};
    return j->class->fields ? j->class->fields : none;
}

void *job_member(struct job *j, const struct job_field *f)
{
    return (char *)j + f->offset;
}

static struct job *job_empty(struct arena *a, const struct job_class *class)
{
    struct job *j = arena_zero(a, class->size);
    j->class = class;
    for (const struct job_field *f = job_fields(j); f->field; f++) {
        if (f->kind == JOB_TEXT) {
            *(const char **)job_member(j, f) = "";
        }
    }
    return j;
}

void *job_new(struct arena *a, const struct job_class *class, uint64_t uid)
{
    struct job *j = job_empty(a, class);
    j->uid = uid;
    j->id = id_new(id_bucket(uid), 0);
    j->nonce = secret_random_u64() | 1;
    j->cursor = "0";
    return j;
}

const char *job_id_text(struct arena *a, const struct job *j)
{
    return id_text(a, j->id);
}

const char *job_nonce_text(struct arena *a, const struct job *j)
{
    return j->nonce ? arena_printf(a, "%llx", (unsigned long long)j->nonce) : "";
}

uint64_t job_lease(void)
{
    return clock_site_ms() + JOB_LEASE_MS;
}

struct script_job job_call(const struct job *j)
{
    return (struct script_job){
        .id = j->id, .lease = (int64_t)job_lease(), .nonce = j->nonce, .type = j->class->name, .uid = j->uid};
}

bool job_is_stale(struct job *j, enum answer answer)
{
    if (answer != ANSWER_STALE || ++j->stale == STALE_TRIES) {
        return false;
    }
    j->id = id_new(id_bucket(j->id), 0);
    return true;
}

enum err job_store(struct social *s, struct arena *a, struct job *j)
{
    enum answer answer;
    do {
        struct store_batch *b = store_batch_new(s->store, a);
        script_job_create_add(b, &(struct script_job_create){job_call(j)});
        enum err e = store_run(b);
        if (e != ERR_OK) {
            return e;
        }
        answer = script_answer(store_reply(b, 0));
    } while (job_is_stale(j, answer));
    return answer == ANSWER_OK ? ERR_OK : ERR_BUSY;
}

void job_wait_add(struct store_batch *b, const struct job *j)
{
    script_job_wait_add(b, &(struct script_job_wait){job_call(j)});
}

/* Each step has memory of its own, so that a job of a million steps does not need that of all of them. */
static enum err run_steps(struct social *s, struct arena *a, struct job *j, bool first_only, bool *done)
{
    enum err e;
    struct arena *step = arena_new();
    do {
        const char *before = j->cursor;
        e = j->class->step(s, step, j, done);
        j->cursor = j->cursor == before ? before : arena_dup(a, j->cursor);
        arena_reset(step);
    } while (e == ERR_OK && !*done && !first_only);
    arena_free(step);
    return e;
}

/* What is to be said of a job that is done, or stops. */
static enum err run_end(struct social *s, struct arena *a, const struct job *j, enum err e)
{
    metric_add(e == ERR_OK ? METRIC_JOBS_DONE : METRIC_JOBS_FAILED, 1);
    if (e == ERR_READ_ONLY) { /* jobs can be claimed while memory is full; that must not count as their failure */
        struct store_batch *b = store_batch_new(s->store, a);
        job_wait_add(b, j);
        store_send(b);
    }
    if (e != ERR_OK) {
        log_warning("job", "%s of %llu stops: %s; it will be taken up again", j->class->name,
                    (unsigned long long)j->uid, err_info(e)->name);
    }
    return e;
}

enum err job_run(struct social *s, struct arena *a, struct job *j)
{
    bool done = false;
    return run_end(s, a, j, run_steps(s, a, j, false, &done));
}

enum err job_begin(struct social *s, struct arena *a, struct job *j)
{
    bool done = false;
    enum err e = run_steps(s, a, j, true, &done);
    if (e == ERR_OK && !done) {
        job_hand_over(s, a, j);
        return ERR_OK;
    }
    return run_end(s, a, j, e);
}

void job_done_add(struct store_batch *b, const struct job *j)
{
    script_job_done_add(b, &(struct script_job_done){job_call(j)});
}

size_t job_save_add(struct store_batch *b, const struct job *j, const char *cursor)
{
    return script_job_save_add(b, &(struct script_job_save){job_call(j), cursor});
}

bool job_is_there(const struct store_reply *saved)
{
    return script_answer(saved) == ANSWER_OK;
}

enum err job_save(struct social *s, struct arena *a, struct job *j, const char *cursor)
{
    struct store_batch *b = store_batch_new(s->store, a);
    size_t saved = job_save_add(b, j, cursor);
    enum err e = store_run(b);
    j->cursor = cursor;
    j->resumed = false; /* from here on nobody did any of it before */
    return e == ERR_OK && !job_is_there(store_reply(b, saved)) ? ERR_NOT_FOUND : e;
}

static void take_member(struct job *j, const struct job_field *f, const char *word)
{
    switch (f->kind) {
    case JOB_TEXT:
        *(const char **)job_member(j, f) = word;
        break;
    case JOB_ID:
        *(uint64_t *)job_member(j, f) = id_parse(word);
        break;
    case JOB_FLAG:
        *(bool *)job_member(j, f) = strcmp(word, "1") == 0;
        break;
    }
}

struct job *job_read(struct social *s, struct arena *a, const struct store_reply *id, const struct store_reply *fields)
{
    struct record_job record;
    record_take_all(RECORD_JOB, fields, &record);
    const struct job_class *class = job_class(s, record.type);
    if (!class) {
        return NULL;
    }
    struct job *j = job_empty(a, class);
    j->id = id_parse(store_text(id));
    j->nonce = record.nonce;
    j->uid = record.uid;
    j->cursor = record.cursor;
    j->resumed = true;
    for (const struct job_field *f = job_fields(j); f->field; f++) {
        take_member(j, f, store_text(store_field(fields, record_word(RECORD_JOB, f->field))));
    }
    return j->id && j->uid ? j : NULL;
}
