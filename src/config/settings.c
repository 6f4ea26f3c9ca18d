/* settings.c - the run-time settings: one immutable snapshot in memory, replaced whole when the file changes.
 *
 * A reader takes the current snapshot and gives it back; a change never alters one that is in use. Two locks:
 * `db_lock` guards the one connection to the file, `view_lock` only the pointer to the snapshot, so that a reader
 * never waits for a disk. db_lock is taken before view_lock.
 *
 * SQLite's data_version shows that another process changed the file. In WAL mode asking for it costs a look into shared
 * memory: no notification, no socket, and it works for any process that can write the file. A change that breaks a rule
 * (somebody used another program) is logged and the old values stay.
 *
 * What this is not: the table (settings_table.c) and the file (settings_db.c).
 *
 * Threads: any, and the watcher that settings_watch starts.
 */
#include "config/settings.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "base/secret.h"
#include "base/sleeper.h"
#include "base/source.h"
#include "base/text.h"
#include "config/settings_table.h"

#define POLL_MS 500
#define WHO_SIZE 65
#define WHY_SIZE 200

/* What readers get is the first member. */
struct snapshot {
    struct settings values;
    unsigned users; /* readers, and one for being the current; under view_lock */
};

struct settings_store {
    pthread_mutex_t db_lock;
    sqlite3 *db;
    sqlite3_stmt *version; /* PRAGMA data_version */
    int64_t seen_version;
    pthread_mutex_t view_lock;
    struct snapshot *current;
    source_place changes;    /* how often it was replaced */
    struct sleeper *watcher; /* NULL: nobody watches */
};

/* --- snapshots ----------------------------------------------------------------------------------------------- */

static struct snapshot *snapshot_new(void)
{
    struct snapshot *p = mem_zero(1, sizeof(*p));
    p->users = 1;
    settings_defaults(&p->values);
    return p;
}

static void snapshot_free(struct snapshot *p)
{
    secret_wipe(p, sizeof(*p));
    free(p);
}

/* Under view_lock. */
static void snapshot_drop(struct snapshot *p)
{
    if (--p->users == 0) {
        snapshot_free(p);
    }
}

static void publish(struct settings_store *s, struct snapshot *next)
{
    mutex_lock(&s->view_lock);
    struct snapshot *old = s->current;
    s->current = next;
    source_change(&s->changes, atomic_load(&s->changes) + 1);
    if (old) {
        snapshot_drop(old);
    }
    mutex_unlock(&s->view_lock);
}

const struct settings *settings_get(struct settings_store *s)
{
    mutex_lock(&s->view_lock);
    struct snapshot *p = s->current;
    p->users++;
    source_add(&s->changes, atomic_load(&s->changes));
    mutex_unlock(&s->view_lock);
    panic_shared_enter();
    return &p->values;
}

void settings_release(struct settings_store *s, const struct settings *snapshot)
{
    panic_shared_leave();
    mutex_lock(&s->view_lock);
    snapshot_drop((struct snapshot *)(uintptr_t)snapshot);
    mutex_unlock(&s->view_lock);
}

/* --- reading the file ---------------------------------------------------------------------------------------- */

/* One row into values. False with the reason in why. */
static bool read_row(sqlite3_stmt *row, struct settings *values, bool *has_secret, char *why)
{
    const char *name = (const char *)sqlite3_column_text(row, 0);
    const char *value = (const char *)sqlite3_column_text(row, 1);
    const struct setting *s = name ? setting_find(name) : NULL;
    if (!s) {
        return true; /* of a later version that uses the same schema */
    }
    if (!value || strlen(value) != (size_t)sqlite3_column_bytes(row, 1)) {
        snprintf(why, WHY_SIZE, "%s holds a NUL", s->name);
        return false;
    }
    *has_secret = *has_secret || s->type == SETTING_SECRET;
    return setting_parse(s, value, values, why, WHY_SIZE);
}

/* The values of the file; NULL with the reason in why. Under db_lock. */
static struct snapshot *load(struct settings_store *s, char *why)
{
    struct snapshot *next = snapshot_new();
    sqlite3_stmt *row = NULL;
    bool has_secret = false;
    bool good = true;
    int code = sqlite3_prepare_v2(s->db, "SELECT name, value FROM settings", -1, &row, NULL);
    while (code == SQLITE_OK && good && sqlite3_step(row) == SQLITE_ROW) {
        good = read_row(row, &next->values, &has_secret, why);
    }
    if (sqlite3_finalize(row) != SQLITE_OK || code != SQLITE_OK) {
        snprintf(why, WHY_SIZE, "%s", sqlite3_errmsg(s->db));
        good = false;
    } else if (good && !has_secret) {
        snprintf(why, WHY_SIZE, "%s is missing", SETTINGS_SECRET_NAME);
        good = false;
    }
    if (!good) {
        snapshot_free(next);
        return NULL;
    }
    return next;
}

/* Changes with each commit of another connection; -1 on failure. Under db_lock. */
static int64_t data_version(struct settings_store *s)
{
    int64_t n = sqlite3_step(s->version) == SQLITE_ROW ? sqlite3_column_int64(s->version, 0) : -1;
    sqlite3_reset(s->version);
    return n;
}

/* --- opening and closing ------------------------------------------------------------------------------------- */

struct settings_store *settings_open(const char *directory, FILE *report)
{
    sqlite3 *db = settings_db_open(directory, report);
    if (!db) {
        return NULL;
    }
    char why[WHY_SIZE] = "it cannot be read";
    struct settings_store *s = mem_zero(1, sizeof(*s));
    s->db = db;
    pthread_mutex_init(&s->db_lock, NULL);
    pthread_mutex_init(&s->view_lock, NULL);
    if (sqlite3_prepare_v2(db, "PRAGMA data_version", -1, &s->version, NULL) == SQLITE_OK) {
        s->seen_version = data_version(s); /* before the values: a change between the two is read twice, not missed */
        s->current = load(s, why);
    }
    if (!s->current) {
        fprintf(
            report,
            "%s/settings.db: damaged: %s. Nothing was changed. To restore it: stop the server and copy a backup here; "
            "or remove the wrong row with the program sqlite3, which gives that setting its default\n",
            directory, why);
        settings_close(s);
        return NULL;
    }
    return s;
}

void settings_close(struct settings_store *s)
{
    if (!s) {
        return;
    }
    sleeper_end(s->watcher);
    if (s->current) {
        snapshot_drop(s->current);
    }
    sqlite3_finalize(s->version);
    sqlite3_close(s->db);
    pthread_mutex_destroy(&s->db_lock);
    pthread_mutex_destroy(&s->view_lock);
    free(s);
}

/* --- watching ------------------------------------------------------------------------------------------------ */

static void settings_look(struct settings_store *s)
{
    char why[WHY_SIZE];
    mutex_lock(&s->db_lock);
    int64_t version = data_version(s);
    if (version != s->seen_version) {
        s->seen_version = version;
        struct snapshot *next = load(s, why);
        if (next) {
            publish(s, next);
            log_info("settings", "read again after a change");
        } else {
            log_error("settings", "the new values cannot be used, the old ones stay: %s", why);
        }
    }
    mutex_unlock(&s->db_lock);
}

static void settings_watcher(struct sleeper *sleeper, void *store)
{
    while (sleeper_sleep(sleeper, POLL_MS)) {
        settings_look(store);
    }
}

void settings_watch(struct settings_store *s)
{
    require(!s->watcher);
    s->watcher = sleeper_start(settings_watcher, s);
}

/* --- changing ------------------------------------------------------------------------------------------------ */

/* Writes the change and its history in one transaction and publishes what the file then holds. Under db_lock. */
static bool commit(struct settings_store *s, const struct setting *setting, const char *value, const char *who,
                   char *why)
{
    if (sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) {
        return false;
    }
    char number[24];
    struct snapshot *old = load(s, why);
    bool good = old != NULL;
    if (good) {
        const char *before = setting_text(setting, &old->values, number);
        good = strcmp(before, value) == 0 || settings_db_write(s->db, setting->name, before, value, who);
        snapshot_free(old);
    }
    good = good && sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (!good) {
        return false;
    }
    struct snapshot *next = load(s, why);
    if (next) {
        publish(s, next);
    }
    return true;
}

static enum err write_change(struct settings_store *s, const struct setting *setting, const char *value,
                             const char *who, char *why, size_t why_size)
{
    enum err e = ERR_OK;
    char reason[WHY_SIZE] = "";
    mutex_lock(&s->db_lock);
    if (!commit(s, setting, value, who, reason)) {
        e = (sqlite3_errcode(s->db) & 0xff) == SQLITE_BUSY ? ERR_BUSY : ERR_IO;
        snprintf(why, why_size, "%s was not changed: %s", setting->name, *reason ? reason : sqlite3_errmsg(s->db));
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL); /* fails when nothing had begun */
    }
    mutex_unlock(&s->db_lock);
    return e;
}

/* Who changed it, as one clean line. */
static void clean_who(const char *who, char out[WHO_SIZE])
{
    bool good = who && *who && strlen(who) < WHO_SIZE && text_is_clean(who, strlen(who)) && !strpbrk(who, "\n\t");
    snprintf(out, WHO_SIZE, "%s", good ? who : "?");
}

enum err settings_set(struct settings_store *s, const char *name, const char *value, const char *who, char *why,
                      size_t why_size)
{
    char by[WHO_SIZE], number[24];
    const struct setting *setting = setting_find(name);
    if (!setting) {
        snprintf(why, why_size, "there is no setting of this name");
        return ERR_NOT_FOUND;
    }
    if (setting->type == SETTING_SECRET) {
        snprintf(why, why_size, "%s is made by the program and cannot be set", setting->name);
        return ERR_INVALID;
    }
    clean_who(who, by);
    char *tidy = mem_dup(value);
    struct settings *scratch = mem_zero(1, sizeof(*scratch));
    enum err e = ERR_INVALID;
    text_tidy(tidy);
    if (setting_parse(setting, tidy, scratch, why, why_size)) {
        e = write_change(s, setting, setting_text(setting, scratch, number), by, why, why_size);
    }
    free(scratch);
    free(tidy);
    return e;
}

/* --- showing ------------------------------------------------------------------------------------------------- */

enum err settings_print(struct settings_store *s, const char *name, bool verbose, FILE *out)
{
    if (name && !setting_find(name)) {
        return ERR_NOT_FOUND;
    }
    const struct settings *values = settings_get(s);
    for (size_t i = 0; i < settings_table_count; i++) {
        if (!name || strcmp(name, settings_table[i].name) == 0) {
            setting_print(&settings_table[i], values, verbose, out);
        }
    }
    settings_release(s, values);
    return ERR_OK;
}

enum err settings_history(struct settings_store *s, FILE *out)
{
    mutex_lock(&s->db_lock);
    bool good = settings_db_history(s->db, out);
    mutex_unlock(&s->db_lock);
    return good ? ERR_OK : ERR_IO;
}
