/* audit.c - see audit.h: a table of facts (where each is found) and a table of checks (what is wrong with them).
 *
 * Where CONFIG is forbidden or renamed, INFO gives most facts; where both are, a warning says what is not known. Redis
 * 6 answers CONFIG GET of several names with an error, which does not matter: it is refused for its version.
 *
 * Threads: any. `mutex` guards found, refused, redirected and text.
 */
#include "store/audit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "config/config.h"
#include "store/reply.h"
#include "store/url.h"

#define OLDEST_MAJOR 7
#define FULL_PERCENT 90
#define SKEW_MS 2000
#define MIB (1024.0 * 1024.0)

/* --- facts --------------------------------------------------------------------------------------------------------- */

enum fact {
    FACT_VERSION,
    FACT_MODE,
    FACT_CLUSTER,
    FACT_ROLE,
    FACT_POLICY,
    FACT_APPENDONLY,
    FACT_APPENDFSYNC,
    FACT_REPLICA_READ_ONLY,
    FACT_LAST_WRITE,
    FACT_LAST_REWRITE,
    FACT_USED,
    FACT_LIMIT,
    FACT_TIME,
    FACT_COUNT
};

/* Field of INFO, name of the setting; the setting counts where both are known. */
static const struct {
    const char *field, *setting;
} sources[FACT_COUNT] = {
    [FACT_VERSION] = {"redis_version", NULL},
    [FACT_MODE] = {"redis_mode", NULL},
    [FACT_CLUSTER] = {"cluster_enabled", NULL},
    [FACT_ROLE] = {"role", NULL},
    [FACT_POLICY] = {"maxmemory_policy", "maxmemory-policy"},
    [FACT_APPENDONLY] = {"aof_enabled", "appendonly"},
    [FACT_APPENDFSYNC] = {NULL, "appendfsync"},
    [FACT_REPLICA_READ_ONLY] = {"slave_read_only", "replica-read-only"},
    [FACT_LAST_WRITE] = {"aof_last_write_status", NULL},
    [FACT_LAST_REWRITE] = {"aof_last_bgrewrite_status", NULL},
    [FACT_USED] = {"used_memory", NULL},
    [FACT_LIMIT] = {"maxmemory", NULL},
    [FACT_TIME] = {"server_time_usec", NULL},
};

static const char *const info_words[] = {"INFO", NULL};
static const char *const settings_words[] = {
    "CONFIG", "GET", "maxmemory-policy", "appendonly", "appendfsync", "replica-read-only", NULL};

const char *const *audit_question(size_t i)
{
    return i == 0 ? info_words : settings_words;
}

struct facts {
    char text[FACT_COUNT][48]; /* "": cannot be told */
    bool wants_always;         /* redis.durability */
};

/* INFO says 1 and 0 where CONFIG says yes and no. */
static void as_setting(char *text)
{
    if (strcmp(text, "1") == 0) {
        strcpy(text, "yes");
    } else if (strcmp(text, "0") == 0) {
        strcpy(text, "no");
    }
}

static void facts_read(struct facts *f, const struct store_reply *answers)
{
    const char *info = store_text(&answers[0]);
    memset(f->text, 0, sizeof(f->text));
    for (size_t i = 0; i < FACT_COUNT; i++) {
        char *out = f->text[i];
        const char *setting = sources[i].setting ? store_text(store_field(&answers[1], sources[i].setting)) : "";
        if (*setting) {
            snprintf(out, sizeof(f->text[i]), "%s", setting);
        } else if (sources[i].field) {
            const char *value;
            int length = (int)reply_info(info, sources[i].field, &value);
            snprintf(out, sizeof(f->text[i]), "%.*s", length, value);
            if (sources[i].setting) {
                as_setting(out);
            }
        }
    }
}

static bool is(const struct facts *f, enum fact fact, const char *value)
{
    return strcmp(f->text[fact], value) == 0;
}

/* --- checks -------------------------------------------------------------------------------------------------------- */

static bool too_old(const struct facts *f)
{
    return strtol(f->text[FACT_VERSION], NULL, 10) < OLDEST_MAJOR;
}

static bool in_cluster(const struct facts *f)
{
    return is(f, FACT_CLUSTER, "1"); /* Valkey does not name the mode as Redis does */
}

static bool is_sentinel(const struct facts *f)
{
    return is(f, FACT_MODE, "sentinel");
}

static bool evicts(const struct facts *f)
{
    return !is(f, FACT_POLICY, "noeviction");
}

static bool keeps_no_file(const struct facts *f)
{
    return is(f, FACT_APPENDONLY, "no");
}

static bool never_syncs(const struct facts *f)
{
    return is(f, FACT_APPENDFSYNC, "no") && !keeps_no_file(f);
}

static bool audit_is_replica(const struct facts *f)
{
    return is(f, FACT_ROLE, "slave") || is(f, FACT_ROLE, "replica");
}

static bool is_writable_replica(const struct facts *f)
{
    return audit_is_replica(f) && is(f, FACT_REPLICA_READ_ONLY, "no");
}

static bool is_read_only_replica(const struct facts *f)
{
    return audit_is_replica(f) && !is_writable_replica(f);
}

static bool syncs_too_late(const struct facts *f)
{
    return f->wants_always && is(f, FACT_APPENDFSYNC, "everysec") && !keeps_no_file(f);
}

static bool could_not_write(const struct facts *f)
{
    return !is(f, FACT_LAST_WRITE, "ok");
}

static bool could_not_rewrite(const struct facts *f)
{
    return !is(f, FACT_LAST_REWRITE, "ok");
}

static bool nearly_full(const struct facts *f)
{
    double limit = strtod(f->text[FACT_LIMIT], NULL), used = strtod(f->text[FACT_USED], NULL);
    return limit > 0 && used * 100 >= limit * FULL_PERCENT;
}

/* By how many ms this machine's clock is ahead. */
static int64_t skew_ms(const struct facts *f)
{
    return (int64_t)clock_wall_ms() - strtoll(f->text[FACT_TIME], NULL, 10) / 1000;
}

static bool is_of_another_time(const struct facts *f)
{
    return llabs(skew_ms(f)) > SKEW_MS;
}

enum weight {
    CANNOT,  /* the program cannot work with it */
    LOSES,   /* refused unless redis.accept_loss */
    DOUBTFUL /* a warning */
};

/* A row: what the check looks at; bad(facts), asked only when that is known; what it means; what to change. */
static const struct check {
    enum fact fact;
    enum weight weight;
    bool (*bad)(const struct facts *f);
    const char *name; /* of the fact, as the administrator knows it */
    const char *meaning, *change;
} checks[] = {
    {FACT_VERSION, CANNOT, too_old, "redis_version", "the engine is too old",
     "use Redis 7.0, Valkey 7.2 or anything newer"},
    {FACT_CLUSTER, CANNOT, in_cluster, "cluster_enabled", "the engine is part of a cluster, which is not supported yet",
     "use one without cluster-enabled"},
    {FACT_MODE, CANNOT, is_sentinel, "redis_mode", "this is a sentinel, which holds no data",
     "name the engine itself in redis.url"},
    {FACT_POLICY, LOSES, evicts, "maxmemory-policy", "the engine throws data away when its memory is full",
     "set maxmemory-policy noeviction, with CONFIG SET and in its configuration file"},
    {FACT_APPENDONLY, LOSES, keeps_no_file, "appendonly",
     "the engine keeps no append-only file: when it ends, what was acknowledged is lost",
     "set appendonly yes, with CONFIG SET and in its configuration file"},
    {FACT_APPENDFSYNC, LOSES, never_syncs, "appendfsync",
     "the engine leaves it to the kernel when its file reaches the disk: a power failure takes half a minute of writes",
     "set appendfsync everysec or always, with CONFIG SET and in its configuration file"},
    {FACT_REPLICA_READ_ONLY, LOSES, is_writable_replica, "replica-read-only",
     "the engine is a replica that takes writes and drops them at its next synchronization",
     "name the primary in redis.url"},
    {FACT_ROLE, DOUBTFUL, is_read_only_replica, "role", "the engine is a replica: nothing can be saved",
     "name the primary in redis.url"},
    {FACT_APPENDFSYNC, DOUBTFUL, syncs_too_late, "appendfsync",
     "redis.durability is always, but the engine's own setting counts: a power failure can take the last second or two",
     "set appendfsync always there"},
    {FACT_LAST_WRITE, DOUBTFUL, could_not_write, "aof_last_write_status",
     "the engine could not write to its append-only file", "look at its log and at its disk"},
    {FACT_LAST_REWRITE, DOUBTFUL, could_not_rewrite, "aof_last_bgrewrite_status",
     "the engine could not rewrite its append-only file, which grows meanwhile", "look at its log and at its disk"},
    {FACT_LIMIT, DOUBTFUL, nearly_full, "maxmemory", "the engine's memory is nearly full", "raise maxmemory there"},
    {FACT_TIME, DOUBTFUL, is_of_another_time, "server_time_usec", "this machine's clock",
     "the site goes by the engine's clock; set this machine's, or the log and the pages show different times"},
};
#define CHECK_COUNT (sizeof(checks) / sizeof(*checks))
#define CANNOT_TELL (1u << CHECK_COUNT) /* one bit more in the set of findings */

/* --- judging ------------------------------------------------------------------------------------------------------- */

struct audit {
    char *label;
    bool accepts_loss, wants_always;
    _Atomic bool forbidden[AUDIT_QUESTIONS];
    pthread_mutex_t mutex;
    uint32_t found; /* a bit for each check, and CANNOT_TELL */
    bool refused;
    bool redirected; /* and the log knows it */
    char *text;
};

struct audit *audit_new(const struct config *c, const struct url *u)
{
    if (strcmp(c->redis.url, "embedded") == 0) {
        return NULL;
    }
    struct audit *a = mem_zero(1, sizeof(*a));
    a->label = url_describe(u);
    a->accepts_loss = c->redis.accept_loss;
    a->wants_always = c->redis.durability == CONFIG_ALWAYS;
    a->text = mem_dup("");
    pthread_mutex_init(&a->mutex, NULL);
    return a;
}

void audit_free(struct audit *a)
{
    if (a) {
        pthread_mutex_destroy(&a->mutex);
        free(a->label);
        free(a->text);
        free(a);
    }
}

bool audit_may_ask(const struct audit *a, size_t i)
{
    return a && !atomic_load(&a->forbidden[i]);
}

static bool is_refusal(const struct audit *a, const struct check *k)
{
    return k->weight == CANNOT || (k->weight == LOSES && !a->accepts_loss);
}

static void audit_describe(const struct check *k, const struct facts *f, struct buffer *out)
{
    if (k->fact == FACT_LIMIT) {
        buffer_printf(out, "%s (%.1f of %.1f MiB): %s", k->meaning, strtod(f->text[FACT_USED], NULL) / MIB,
                      strtod(f->text[FACT_LIMIT], NULL) / MIB, k->change);
    } else if (k->fact == FACT_TIME) {
        buffer_printf(out, "%s is %lld s %s the engine's: %s", k->meaning, llabs(skew_ms(f)) / 1000,
                      skew_ms(f) > 0 ? "ahead of" : "behind", k->change);
    } else {
        buffer_printf(out, "%s (%s is %s): %s", k->meaning, k->name, f->text[k->fact], k->change);
    }
}

/* The facts that decide whether data can be lost and that are not known. A replica's settings count only where there is
 * a replica. */
static bool list_unknown(const struct facts *f, struct buffer *out)
{
    enum fact last = FACT_COUNT;
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        const struct check *k = &checks[i];
        if (k->weight == LOSES && !*f->text[k->fact] && k->fact != last && k->fact != FACT_REPLICA_READ_ONLY) {
            buffer_printf(out, "%s%s", last == FACT_COUNT ? "cannot tell: " : ", ", k->name);
            last = k->fact;
        }
    }
    if (last != FACT_COUNT) {
        buffer_text(out, "; if data can be lost, nobody notices: allow this user +info and +config|get, or make sure "
                         "that nothing is evicted and that there is an append-only file");
    }
    return last != FACT_COUNT;
}

/* The result of one judgement. */
struct verdict {
    uint32_t found;
    unsigned count;
    bool refused;
    struct buffer text; /* for people: a finding a line */
    struct buffer why;  /* the refused ones in one line */
};

static void audit_note(struct verdict *v, const struct audit *a, unsigned bit, bool refusal, const char *line)
{
    bool is_new = !(a->found & bit);
    v->found |= bit;
    v->count++;
    v->refused |= refusal;
    buffer_printf(&v->text, "%s: %s\n", refusal ? "error" : "warning", line);
    if (refusal) {
        buffer_printf(&v->why, "%s%s", v->why.length ? "; " : "", line);
    } else if (is_new) {
        log_warning("store", "engine at %s: %s", a->label, line);
    }
}

static void audit_look(const struct audit *a, const struct facts *f, struct arena *arena, struct verdict *v)
{
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        const struct check *k = &checks[i];
        if (*f->text[k->fact] && k->bad(f)) {
            struct buffer line = buffer_make(arena);
            audit_describe(k, f, &line);
            audit_note(v, a, 1u << i, is_refusal(a, k), buffer_string(&line));
        }
    }
    struct buffer unknown = buffer_make(arena);
    if (list_unknown(f, &unknown)) {
        audit_note(v, a, CANNOT_TELL, false, buffer_string(&unknown));
    }
}

/* With the lock: what is told of the engine from now on. */
static void audit_set(struct audit *a, bool refused, const char *text)
{
    a->refused = refused;
    free(a->text);
    a->text = mem_dup(text);
}

enum err audit_judge(struct audit *a, const struct store_reply *answers, char *why, size_t why_size)
{
    struct arena *arena = arena_new();
    struct facts f = {.wants_always = a->wants_always};
    struct verdict v = {.text = buffer_make(arena), .why = buffer_make(arena)};
    for (size_t i = 0; i < AUDIT_QUESTIONS; i++) {
        atomic_store(&a->forbidden[i], answers[i].type == STORE_ERROR);
    }
    facts_read(&f, answers);
    mutex_lock(&a->mutex);
    audit_look(a, &f, arena, &v);
    a->found = v.found;
    audit_set(a, v.refused, buffer_string(&v.text));
    mutex_unlock(&a->mutex);
    metric_set(METRIC_ENGINE_REFUSED, v.refused);
    metric_set(METRIC_ENGINE_WARNINGS, v.count);
    if (v.refused) {
        snprintf(why, why_size, "%s", buffer_string(&v.why));
    }
    arena_free(arena);
    return v.refused ? ERR_CONFIG : ERR_OK;
}

void audit_redirected(struct audit *a, const char *error)
{
    if (!a) {
        return;
    }
    const struct check *k = checks;
    while (k->fact != FACT_CLUSTER) {
        k++;
    }
    char line[256], text[sizeof(line) + 16];
    snprintf(line, sizeof(line), "%s (it answers %.60s): %s", k->meaning, error, k->change);
    snprintf(text, sizeof(text), "error: %s\n", line);
    mutex_lock(&a->mutex);
    bool first = !a->redirected;
    a->redirected = true;
    audit_set(a, true, text);
    mutex_unlock(&a->mutex);
    metric_set(METRIC_ENGINE_REFUSED, true);
    if (first) {
        log_error("store", "engine at %s: %s", a->label, line);
    }
}

bool audit_write(struct audit *a, struct buffer *out)
{
    if (!a) {
        return false;
    }
    mutex_lock(&a->mutex);
    bool refused = a->refused;
    buffer_text(out, a->text);
    mutex_unlock(&a->mutex);
    return refused;
}
