/* job.c - the life of a job: made, stored, run step by step, saved, ended. Who runs it and when: job_queue.c. What it does: its
 * class. Any thread.
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
    static const struct job_field none[] = {{.name = NULL}};
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
    for (const struct job_field *f = job_fields(j); f->name; f++) {
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

const char *job_lease_text(struct arena *a)
{
    return arena_printf(a, "%llu", (unsigned long long)(clock_site_ms() + JOB_LEASE_MS));
}

void job_words(struct arena *a, const struct job *j, const char *words[JOB_WORDS])
{
    words[0] = job_id_text(a, j);
    words[1] = job_lease_text(a);
    words[2] = job_nonce_text(a, j);
}

bool job_is_stale(struct job *j, const struct store_reply *answer)
{
    if (strcmp(store_text(store_item(answer, 0)), "stale") != 0 || ++j->stale == STALE_TRIES) {
        return false;
    }
    j->id = id_new(id_bucket(j->id), 0);
    return true;
}

enum err job_store(struct social *s, struct arena *a, struct job *j)
{
    unsigned bucket = id_bucket(j->uid);
    const struct store_reply *r;
    do {
        struct store_batch *b = store_batch_new(s->store, a);
        const char *keys[] = {key_plain(a, KEY_JOBS, bucket), key_id(a, KEY_JOB, j->id)};
        const char *arguments[JOB_WORDS + 2];
        job_words(a, j, arguments);
        arguments[JOB_WORDS] = j->class->name;
        arguments[JOB_WORDS + 1] = id_text(a, j->uid);
        store_script(b, bucket, SCRIPT_JOB_CREATE, 2, keys, JOB_WORDS + 2, arguments);
        enum err e = store_run(b);
        if (e != ERR_OK) {
            return e;
        }
        r = store_reply(b, 0);
    } while (job_is_stale(j, r));
    return strcmp(store_text(store_item(r, 0)), "ok") == 0 ? ERR_OK : ERR_BUSY;
}

void job_wait_add(struct store_batch *b, struct arena *a, const struct job *j)
{
    const char *key = key_id(a, KEY_JOB, j->id), *nonce = job_nonce_text(a, j);
    store_script(b, id_bucket(j->id), SCRIPT_JOB_WAIT, 1, &key, 1, &nonce);
}

/* Each step has memory of its own, so that a job of a million steps does not need that of all of them. */
enum err job_run(struct social *s, struct arena *a, struct job *j)
{
    enum err e;
    bool done = false;
    struct arena *step = arena_new();
    do {
        const char *before = j->cursor;
        e = j->class->step(s, step, j, &done);
        j->cursor = j->cursor == before ? before : arena_dup(a, j->cursor);
        arena_reset(step);
    } while (e == ERR_OK && !done);
    arena_free(step);
    metric_add(e == ERR_OK ? METRIC_JOBS_DONE : METRIC_JOBS_FAILED, 1);
    if (e == ERR_READ_ONLY) { /* jobs can be claimed while memory is full: they are not to die of that */
        struct store_batch *b = store_batch_new(s->store, a);
        job_wait_add(b, a, j);
        store_send(b);
    }
    if (e != ERR_OK) {
        log_warning("job", "%s of %llu stops: %s; it will be taken up again", j->class->name,
                    (unsigned long long)j->uid, err_info(e)->name);
    }
    return e;
}

void job_done_add(struct store_batch *b, struct arena *a, const struct job *j)
{
    unsigned bucket = id_bucket(j->id);
    const char *keys[] = {key_plain(a, KEY_JOBS, bucket), key_id(a, KEY_JOB, j->id)};
    const char *arguments[] = {job_id_text(a, j), job_nonce_text(a, j)};
    store_script(b, bucket, SCRIPT_JOB_DONE, 2, keys, 2, arguments);
}

size_t job_save_add(struct store_batch *b, struct arena *a, const struct job *j, const char *cursor)
{
    unsigned bucket = id_bucket(j->id);
    const char *keys[] = {key_plain(a, KEY_JOBS, bucket), key_id(a, KEY_JOB, j->id)};
    const char *arguments[] = {job_id_text(a, j), job_nonce_text(a, j), cursor, job_lease_text(a)};
    return store_script(b, bucket, SCRIPT_JOB_SAVE, 2, keys, 4, arguments);
}

bool job_is_there(const struct store_reply *saved)
{
    return strcmp(store_text(store_item(saved, 0)), "ok") == 0;
}

enum err job_save(struct social *s, struct arena *a, struct job *j, const char *cursor)
{
    struct store_batch *b = store_batch_new(s->store, a);
    size_t saved = job_save_add(b, a, j, cursor);
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
    const struct job_class *class = job_class(s, store_text(store_field(fields, "type")));
    if (!class) {
        return NULL;
    }
    struct job *j = job_empty(a, class);
    j->id = id_parse(store_text(id));
    j->nonce = strtoull(store_text(store_field(fields, "nonce")), NULL, 16);
    j->uid = id_parse(store_text(store_field(fields, "uid")));
    j->cursor = store_text(store_field(fields, "cursor"));
    j->resumed = true;
    for (const struct job_field *f = job_fields(j); f->name; f++) {
        take_member(j, f, store_text(store_field(fields, f->name)));
    }
    return j->id && j->uid ? j : NULL;
}
