/* settings_table.h - the table behind settings.h and the database file under it. Internal to src/config.
 *
 * Threads: constant data and pure functions, save settings_db.c, whose connection belongs to the caller.
 */
#ifndef CONFIG_SETTINGS_TABLE_H
#define CONFIG_SETTINGS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "config/settings_values.h"

struct sqlite3;

enum setting_type {
    SETTING_LINE,  /* text without newline; where there are choices, one of them */
    SETTING_LINES, /* text */
    SETTING_INTEGER,
    SETTING_CHOICE, /* the index in `choices` goes into an enum */
    SETTING_SECRET, /* 32 bytes, hexadecimal in the file; never shown */
};

struct setting {
    const char *name;
    enum setting_type type;
    size_t offset, size;        /* in struct settings; of a text, with its NUL */
    const char *initial;        /* NULL for the secret, which is made with the file */
    int64_t min, max;           /* integer: the value; text: code points */
    const char *const *choices; /* NULL-ended */
    const char *help;
};

extern const struct setting settings_table[];
extern const size_t settings_table_count;

#define SETTINGS_SECRET_NAME "site.secret_key"

const struct setting *setting_find(const char *name);

/* Text into the member of `out`. False with the rule in `why` if it breaks it; `out` is unchanged then. */
bool setting_parse(const struct setting *s, const char *text, struct settings *out, char *why, size_t why_size);

/* The member as text, as it is stored; the result is in buffer or constant. */
const char *setting_text(const struct setting *s, const struct settings *values, char buffer[24]);

/* All defaults; the secret is left zero. */
void settings_defaults(struct settings *out);

/* "name = value", with help before it when verbose. The value stands on one line: newline and backslash as \\n and
 * \\\\. */
void setting_print(const struct setting *setting, const struct settings *values, bool verbose, FILE *out);
void setting_print_value(const char *value, FILE *out);

/* settings_db.c: opens the checked database of the directory, created if need be; NULL with lines on report. */
struct sqlite3 *settings_db_open(const char *directory, FILE *report);

/* Writes a value and its line of history; the transaction is the caller's. False: ask sqlite3_errmsg. */
bool settings_db_write(struct sqlite3 *db, const char *name, const char *before, const char *value, const char *who);

/* Prints every change, newest first. */
bool settings_db_history(struct sqlite3 *db, FILE *out);

#endif
