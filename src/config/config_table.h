/* config_table.h - the table behind config.h, and the functions that read it. Internal to src/config.
 *
 * Everything known about a key of retwis.ini stands in one row. Parsing, ranges, retwis.ini itself, the man page and
 * the environment variables all use the same rows.
 *
 * Threads: constant data and pure functions.
 */
#ifndef CONFIG_CONFIG_TABLE_H
#define CONFIG_CONFIG_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config_values.h"

struct arena;
struct buffer;

#define CONFIG_NAME_SIZE 64 /* "RETWIS_SECTION_KEY" of any key, and NUL */

enum config_type {
    CONFIG_TYPE_TEXT,
    CONFIG_TYPE_PATH,
    CONFIG_TYPE_INTEGER,
    CONFIG_TYPE_BOOL,
    CONFIG_TYPE_CHOICE, /* the index in `choices` goes into an enum */
    CONFIG_TYPE_LIMIT,
};

/* What a plain number of an integer key counts. Each knows some suffixes ("64k", "2m"). */
enum config_unit { UNIT_NONE, UNIT_BYTES, UNIT_MIB, UNIT_MS, UNIT_SECONDS, UNIT_DAYS };

struct config_key {
    const char *section;
    const char *name;
    enum config_type type;
    size_t offset;       /* in struct config */
    const char *initial; /* the default, as one would write it */
    int64_t min, max;    /* integer: the value; limit: the count; text and path: bytes (max 0: no limit of its own) */
    enum config_unit unit;
    bool automatic;                                      /* integer: may be the word "auto", CONFIG_AUTO */
    const char *const *choices;                          /* NULL-ended */
    const char *form;                                    /* what a text looks like, for people; NULL: any */
    bool (*check)(const char *text, struct buffer *why); /* syntax of a text; says in `why` what is wrong */
    bool reload;                                         /* SIGHUP is enough */
    bool secret;                                         /* may hold a password: never shown in a message */
    const char *help;
};

struct config_section {
    const char *name;
    const char *help;
};

extern const struct config_section config_sections[];
extern const size_t config_section_count;
extern const struct config_key config_keys[]; /* keys of a section stand together, in the order of the sections */
extern const size_t config_key_count;

/* A rule between two keys. */
struct config_rule {
    const char *at, *other; /* "section.name"; the mistake is reported at the first */
    bool (*broken)(const struct config *c);
    const char *text;
};

extern const struct config_rule config_rules[];
extern const size_t config_rule_count;

/* Index in config_keys; config_key_count if there is none. */
size_t config_key_find(const char *section, const char *name);
bool config_section_is(const char *section);

/* config_suggest.c: the second half of "unknown ..., ": what was probably meant, or else all that is allowed. */
void config_suggest_key(const char *section, const char *name, struct buffer *out);
void config_suggest_section(const char *name, struct buffer *out);

/* config_value.c: text to value and back. parse says in `why` what is wrong and what is allowed; a text it stores is
 * copied into the arena. write gives a text that parses to the same value, except that the password of a URL is
 * masked. */
bool config_value_parse(const struct config_key *k, const char *text, struct config *c, struct arena *a,
                        struct buffer *why);
void config_value_write(const struct config_key *k, const struct config *c, struct buffer *out);
/* The rule in words: "a number of seconds from 1 to 600 (or such as 30s, 2m)". */
void config_value_describe(const struct config_key *k, struct buffer *out);

/* config_check.c: the syntax of single texts. */
bool config_check_listen(const char *text, struct buffer *why);
bool config_check_public_url(const char *text, struct buffer *why);
bool config_check_networks(const char *text, struct buffer *why);
bool config_check_redis_url(const char *text, struct buffer *why);
bool config_check_prefix(const char *text, struct buffer *why);

#endif
