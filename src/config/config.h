/* config.h - what the administrator writes in retwis.ini: read once at start (some keys again on SIGHUP), then
 * constant.
 *
 * One table in config_table.c names every key with its type, default, range and help; retwis.ini, retwis.ini(5),
 * `retwis check-config` and the RETWIS_SECTION_KEY environment variables come out of it. What can change while the
 * server runs is in settings.h instead.
 *
 * The folder config/, in the order to read it: config_values.h, config_table.c (the rows), config.c (how files are
 * read), config_value.c and config_check.c (what a value may be); then settings_values.h, settings_table.c, settings.h,
 * settings_db.c.
 *
 * Threads: loaded by the main thread before any other exists; read-only afterwards.
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stdio.h>

#include "config/config_values.h"

/* Reads the file, then those of the directory conf.d beside it whose names end with .ini, in the order of their names,
 * then the environment; what comes later wins. `path` NULL: /etc/retwis/retwis.ini if it exists. A file or directory of
 * conf.d that anybody but root and this user could have written is a mistake. Every mistake is written to `report` as
 * one line "file:line: what is wrong and what is allowed"; all of them, not only the first. Returns NULL if there was
 * any. The caller ends the result with config_free. */
struct config *config_load(const char *path, FILE *report);
void config_free(struct config *c);

/* The keys that differ and need a restart: "section.key", separated by commas; "" if there are none. The caller
 * frees. */
char *config_restart_keys(const struct config *now, const struct config *fresh);

/* The file this table stands for, every key commented with default, range and effect: retwis.ini itself. */
void config_write_ini(FILE *out);

/* The same as a roff table body for retwis.ini(5). */
void config_write_man(FILE *out);

/* The file that config_load reads when it is given `path`. */
const char *config_main_file(const char *path);

/* Calls f with each file and directory that a key names and that the server only reads. */
void config_each_path(const struct config *c, void (*f)(void *context, const char *path), void *context);

/* The effective configuration, one "section.key = value" a line (secrets are in files and so never here). */
void config_print(const struct config *c, FILE *out);

#endif
