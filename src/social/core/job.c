/* job.c - the life of a job: made, stored, run step by step, saved, ended. Who runs it and when: job_queue.c. What its steps do:
 * job_steps.h. Any thread.
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
#include "social/core/job_steps.h"
#include "social/core/social.h"
#include "store/keys.h"
#include "store/store.h"

#define STALE_TRIES 10

static const struct {
    const char *name;
    job_step run;
} types[JOB_TYPES] = {
    [JOB_SIGNUP] = {"signup", job_step_signup}, [JOB_FANOUT] = {"fanout", job_step_fanout},
    [JOB_UNPOST] = {"unpost", job_step_unpost}, [JOB_FOLLOW] = {"follow", job_step_follow},
    [JOB_PURGE] = {"purge", job_step_purge},
};

struct job *job_new(struct arena *a, enum job_type type, uint64_t uid)
{
    struct job *j = arena_zero(a, sizeof(*j));
    j->type = type;
    j->uid = uid;
    j->id = id_new(id_bucket(uid), 0);
    j->nonce = secret_random_u64() | 1;
    j->targets = j->mode = "";
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
        arguments[JOB_WORDS] = types[j->type].name;
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
        e = types[j->type].run(s, step, j, &done);
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
        log_warning("job", "%s of %llu stops: %s; it will be taken up again", types[j->type].name,
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

bool job_read(const struct store_reply *id, const struct store_reply *fields, struct job *j)
{
    memset(j, 0, sizeof(*j));
    const char *name = store_text(store_field(fields, "type"));
    while (j->type < JOB_TYPES && strcmp(types[j->type].name, name) != 0) {
        j->type++;
    }
    j->id = id_parse(store_text(id));
    j->nonce = strtoull(store_text(store_field(fields, "nonce")), NULL, 16);
    j->uid = id_parse(store_text(store_field(fields, "uid")));
    j->post = id_parse(store_text(store_field(fields, "post")));
    j->reply_to = id_parse(store_text(store_field(fields, "reply_to")));
    j->mode = store_text(store_field(fields, "mode"));
    j->delivers = strcmp(store_text(store_field(fields, "delivers")), "1") == 0;
    j->targets = store_text(store_field(fields, "targets"));
    j->cursor = store_text(store_field(fields, "cursor"));
    j->resumed = true;
    return j->type < JOB_TYPES && j->id && j->uid;
}
