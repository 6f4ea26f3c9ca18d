/* settings.h - what the administrator changes at run time: settings.db (SQLite) in the state directory.
 *
 * One table in settings_table.c {name, type, default, range, help}. The few values are read into memory; every change
 * is kept with its time and author. No user, post or relation is ever stored here.
 *
 * Threads: any. Readers take a snapshot (reference counted, immutable); one watcher thread of the server notices
 * changes made by another process within a second.
 */
#ifndef CONFIG_SETTINGS_H
#define CONFIG_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/err.h"
#include "config/settings_values.h"

struct settings_store;

/* Opens `settings.db` in the directory; makes either if it is not there. On failure writes one or more lines to
 * `report` that say what is wrong and how to restore, and returns NULL: there are no silent defaults for a damaged
 * file. After secret_setup. */
struct settings_store *settings_open(const char *directory, FILE *report);
void settings_close(struct settings_store *s);

/* The values now. Returned pointer is valid until settings_release of the same pointer. */
const struct settings *settings_get(struct settings_store *s);
void settings_release(struct settings_store *s, const struct settings *snapshot);

/* Starts the watcher thread; it ends in settings_close. */
void settings_watch(struct settings_store *s);

/* Changes one. ERR_NOT_FOUND: no such name; ERR_INVALID: `why` (a static or internal text) says the rule. */
enum err settings_set(struct settings_store *s, const char *name, const char *value, const char *who, char *why,
                      size_t why_size);

/* Prints "name = value" of one (NULL: all), with help when `verbose`; the secret key is shown as "(hidden)".
 * ERR_NOT_FOUND if there is none. settings_history prints every change, newest first. */
enum err settings_print(struct settings_store *s, const char *name, bool verbose, FILE *out);
enum err settings_history(struct settings_store *s, FILE *out);

/* Version of SQLite. */
const char *settings_library(void);

#endif
