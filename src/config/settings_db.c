/* settings_db.c - the file settings.db: made whole or not at all, checked each time it is opened.
 *
 * A damaged file must never turn into default settings; that decides the order of the steps here. A new file is made
 * under another name and linked into place when it is complete, so a settings.db that is empty or lacks its tables is
 * damage and never a half-made file. A log without its database (somebody deleted the one and not the other) is refused
 * as well, because SQLite would play it into the new file.
 *
 * Only SQLite opens the file: closing any other descriptor of it would drop SQLite's locks.
 *
 * What this is not: the meaning of the values (settings.c, settings_table.c).
 *
 * Threads: any; a connection belongs to its caller. Processes: any number at once.
 */
#include "config/settings.h"
#include "config/settings_table.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/panic.h"
#include "base/secret.h"

#define APPLICATION_ID 1383364979 /* "Rtws" */
#define SCHEMA_VERSION 1
#define BUSY_MS 5000
#define PATH_SIZE 4096

static const char schema[] =
    "PRAGMA application_id = 1383364979;"
    "PRAGMA user_version = 1;"
    "CREATE TABLE settings (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL,"
    " changed_at INTEGER NOT NULL, changed_by TEXT NOT NULL) STRICT;"
    "CREATE TABLE history (id INTEGER PRIMARY KEY, name TEXT NOT NULL, old_value TEXT NOT NULL, value TEXT NOT NULL,"
    " changed_at INTEGER NOT NULL, changed_by TEXT NOT NULL) STRICT;";

static bool cannot(FILE *report, const char *path, const char *what, const char *why)
{
    fprintf(report, "%s: %s: %s\n", path, what, why);
    return false;
}

static bool damaged(FILE *report, const char *path, const char *why)
{
    fprintf(report, "%s: damaged: %s\n", path, why);
    fprintf(report,
            "%s: nothing was changed. To restore it: stop the server; move settings.db, settings.db-wal and "
            "settings.db-shm to another place; then copy a backup here as settings.db, or start without one and with "
            "default settings (users and posts are not in this file)\n",
            path);
    return false;
}

/* Reports what a failed call on db means: damage, or something outside. */
static bool settings_db_failed(FILE *report, const char *path, sqlite3 *db)
{
    int code = sqlite3_errcode(db) & 0xff;
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) {
        return damaged(report, path, sqlite3_errmsg(db));
    }
    if (code == SQLITE_BUSY) {
        return cannot(report, path, "cannot be opened", "another process keeps it locked");
    }
    if (code == SQLITE_FULL || sqlite3_system_errno(db) == ENOSPC || sqlite3_system_errno(db) == EDQUOT) {
        return cannot(report, path, "cannot be opened", "the disk is full");
    }
    return cannot(report, path, "cannot be opened", sqlite3_errmsg(db));
}

static bool exec(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* First column of the first row as a number; -1 on failure. */
static int64_t settings_db_number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int64_t n = -1;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        n = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return n;
}

static bool insert_secret(sqlite3 *db)
{
    unsigned char key[32];
    char text[SECRET_KEY_TEXT_SIZE];
    secret_random(key, sizeof(key));
    secret_key_write(key, text);
    sqlite3_stmt *statement = NULL;
    bool good = sqlite3_prepare_v2(db, "INSERT INTO settings VALUES ('" SETTINGS_SECRET_NAME "', ?, ?, 'first start')",
                                   -1, &statement, NULL) == SQLITE_OK;
    good = good && sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC) == SQLITE_OK;
    good = good && sqlite3_bind_int64(statement, 2, (int64_t)clock_wall_ms()) == SQLITE_OK;
    good = good && sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    secret_wipe(key, sizeof(key));
    secret_wipe(text, sizeof(text));
    return good;
}

/* Fills the new file at `path`; names it `shown` in reports. */
static bool settings_db_fill(const char *path, const char *shown, FILE *report)
{
    sqlite3 *db = NULL;
    bool good = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK;
    good =
        good && exec(db, "PRAGMA temp_store = MEMORY; PRAGMA synchronous = FULL; BEGIN IMMEDIATE") && exec(db, schema);
    good = good && insert_secret(db) && exec(db, "COMMIT; PRAGMA journal_mode = WAL");
    if (!good) {
        cannot(report, shown, "cannot be made", db ? sqlite3_errmsg(db) : "out of memory");
    }
    /* The last connection moves the log into the file and removes it. */
    return sqlite3_close(db) == SQLITE_OK && good;
}

/* A command run by root must leave a file that the server, which is not root, can use. SQLite gives its log files
 * the owner of the database by itself. */
static bool give_to_owner(int fd, const struct stat *directory)
{
    return geteuid() != 0 || fchown(fd, directory->st_uid, directory->st_gid) == 0;
}

static void settings_db_sync(const char *directory)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

static bool settings_db_create(const char *directory, const char *path, const struct stat *owner, FILE *report)
{
    char temporary[PATH_SIZE];
    int n = snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path);
    require(n > 0 && (size_t)n < sizeof(temporary));
    int fd = mkstemp(temporary); /* mode 0600 */
    if (fd < 0) {
        return cannot(report, path, "cannot be made", strerror(errno));
    }
    bool good = give_to_owner(fd, owner) || cannot(report, path, "cannot be given to its user", strerror(errno));
    close(fd);
    good = good && settings_db_fill(temporary, path, report);
    /* Another process may have been faster: then its file counts. */
    if (good && link(temporary, path) != 0 && errno != EEXIST) {
        good = cannot(report, path, "cannot be made", strerror(errno));
    }
    unlink(temporary);
    settings_db_sync(directory);
    return good;
}

/* The directory is there (made if only it is missing) and can be written. */
static bool prepare_directory(const char *directory, struct stat *st, FILE *report)
{
    if (mkdir(directory, 0700) != 0 && errno != EEXIST) {
        fprintf(report, "%s: cannot be made: %s (state.directory in retwis.ini says where)\n", directory,
                strerror(errno));
        return false;
    }
    if (stat(directory, st) != 0 || !S_ISDIR(st->st_mode)) {
        return cannot(report, directory, "cannot be used", "it is not a directory");
    }
    if (faccessat(AT_FDCWD, directory, R_OK | W_OK | X_OK, AT_EACCESS) != 0) {
        fprintf(report, "%s: cannot be written: %s (run this as the user of the server, or as root)\n", directory,
                strerror(errno));
        return false;
    }
    return true;
}

/* Looks at the file without opening it; makes it if there is none. */
static bool prepare_file(const char *directory, const char *path, const struct stat *owner, FILE *report)
{
    struct stat st;
    char wal[PATH_SIZE];
    int n = snprintf(wal, sizeof(wal), "%s-wal", path);
    require(n > 0 && (size_t)n < sizeof(wal));
    bool has_wal = stat(wal, &st) == 0; /* asked first: another process may be making both just now */
    if (stat(path, &st) != 0) {
        if (errno != ENOENT) {
            return cannot(report, path, "cannot be opened", strerror(errno));
        }
        return has_wal ? damaged(report, path, "the file is gone, but its log settings.db-wal is there")
                       : settings_db_create(directory, path, owner, report);
    }
    if (!S_ISREG(st.st_mode)) {
        return cannot(report, path, "cannot be opened", "it is not a file");
    }
    if (st.st_size == 0) {
        return damaged(report, path, "the file is empty");
    }
    if ((st.st_mode & 077) && chmod(path, 0600) != 0) {
        log_warning("settings", "%s: others can read it, and its mode cannot be changed: %s", path, strerror(errno));
    }
    return true;
}

static bool check_integrity(sqlite3 *db, const char *path, FILE *report)
{
    sqlite3_stmt *statement = NULL;
    bool good = false;
    if (sqlite3_prepare_v2(db, "PRAGMA integrity_check(1)", -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        const char *answer = (const char *)sqlite3_column_text(statement, 0);
        good = answer && strcmp(answer, "ok") == 0;
        if (!good) {
            damaged(report, path, answer ? answer : "the check of its integrity gave no answer");
        }
    } else {
        settings_db_failed(report, path, db);
    }
    sqlite3_finalize(statement);
    return good;
}

static bool check_schema(sqlite3 *db, const char *path, FILE *report)
{
    int64_t application = settings_db_number(db, "PRAGMA application_id");
    int64_t version = settings_db_number(db, "PRAGMA user_version");
    if (application != APPLICATION_ID) {
        return damaged(report, path, "this is a database, but not one of Retwis' settings");
    }
    if (version > SCHEMA_VERSION) {
        return cannot(report, path, "cannot be used", "a newer version of Retwis made it; install that version");
    }
    if (settings_db_number(db, "SELECT count(*) FROM settings") < 0 ||
        settings_db_number(db, "SELECT count(*) FROM history") < 0) {
        return damaged(report, path, "a table is missing");
    }
    return true;
}

/* Makes the connection safe and checks what it finds. */
static bool prepare_connection(sqlite3 *db, const char *path, FILE *report)
{
    sqlite3_busy_timeout(db, BUSY_MS);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (sqlite3_db_readonly(db, "main") == 1) {
        return cannot(report, path, "cannot be written", "run this as the user of the server, or as root");
    }
    if (!exec(db, "PRAGMA temp_store = MEMORY; PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL")) {
        return settings_db_failed(report, path, db);
    }
    return check_integrity(db, path, report) && check_schema(db, path, report);
}

struct sqlite3 *settings_db_open(const char *directory, FILE *report)
{
    char path[PATH_SIZE];
    struct stat st;
    sqlite3 *db = NULL;
    require(sqlite3_threadsafe());
    if (strlen(directory) > sizeof(path) - 64) {
        cannot(report, directory, "cannot be used", "the path is too long");
        return NULL;
    }
    snprintf(path, sizeof(path), "%s/settings.db", directory);
    if (!prepare_directory(directory, &st, report) || !prepare_file(directory, path, &st, report)) {
        return NULL;
    }
    bool good = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK;
    good = good ? prepare_connection(db, path, report) : settings_db_failed(report, path, db);
    if (!good) {
        sqlite3_close(db);
        return NULL;
    }
    return db;
}

/* Runs one statement: the texts are its parameters ?1 to ?4, the time now is ?5. */
static bool settings_db_run(sqlite3 *db, const char *sql, const char *const texts[4])
{
    sqlite3_stmt *statement = NULL;
    bool good = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK;
    for (int i = 0; good && i < 4; i++) {
        good = sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_STATIC) == SQLITE_OK;
    }
    good = good && sqlite3_bind_int64(statement, 5, (int64_t)clock_wall_ms()) == SQLITE_OK;
    good = good && sqlite3_step(statement) == SQLITE_DONE;
    return sqlite3_finalize(statement) == SQLITE_OK && good;
}

bool settings_db_write(struct sqlite3 *db, const char *name, const char *before, const char *value, const char *who)
{
    const char *texts[4] = {name, before, value, who};
    return settings_db_run(db,
                           "INSERT INTO settings (name, value, changed_at, changed_by) VALUES (?1, ?3, ?5, ?4)"
                           " ON CONFLICT (name) DO UPDATE SET value = ?3, changed_at = ?5, changed_by = ?4",
                           texts) &&
           settings_db_run(db,
                           "INSERT INTO history (name, old_value, value, changed_by, changed_at)"
                           " VALUES (?1, ?2, ?3, ?4, ?5)",
                           texts);
}

static const char *column(sqlite3_stmt *row, int i)
{
    const unsigned char *text = sqlite3_column_text(row, i);
    return text ? (const char *)text : "";
}

bool settings_db_history(struct sqlite3 *db, FILE *out)
{
    sqlite3_stmt *row = NULL;
    char time[CLOCK_ISO_SIZE];
    sqlite3_prepare_v2(db, "SELECT changed_at, changed_by, name, old_value, value FROM history ORDER BY id DESC", -1,
                       &row, NULL);
    while (row && sqlite3_step(row) == SQLITE_ROW) {
        clock_iso((uint64_t)sqlite3_column_int64(row, 0), time);
        fprintf(out, "%s %s %s: ", time, column(row, 1), column(row, 2));
        setting_print_value(column(row, 3), out);
        fputs(" -> ", out);
        setting_print_value(column(row, 4), out);
        fputc('\n', out);
    }
    return row && sqlite3_finalize(row) == SQLITE_OK;
}

const char *settings_library(void)
{
    return sqlite3_libversion();
}
