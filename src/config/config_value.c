/* config_value.c - one value of retwis.ini: from text into struct config, back to text, and its rule in words.
 *
 * One function per type in each direction, chosen by the row of the table. Parsing is strict and whole: "10x",
 * "+5", "1e3", a number out of range or a control byte is a mistake, never a guess. What this is not: the syntax
 * of particular texts, such as addresses (config_check.c), and where the text came from (config.c).
 *
 * Pure functions; any thread.
 */
#include "config/config_table.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/panic.h"
#include "base/text.h"

#define LIMIT_SECONDS_MAX (30 * CLOCK_DAY_SECONDS) /* a counter that lives longer than a month is no rate limit */
#define CONFIG_AUTO_WORD "auto"
#define SHOWN_MAX 60 /* of a wrong value, in a message */

static const struct {
    enum config_unit unit;
    const char *suffix;
    int64_t factor;
} suffixes[] = {
    {UNIT_BYTES, "k", 1024},   {UNIT_BYTES, "m", 1048576}, {UNIT_MIB, "m", 1},     {UNIT_MIB, "g", 1024},
    {UNIT_MS, "ms", 1},        {UNIT_MS, "s", 1000},       {UNIT_SECONDS, "s", 1}, {UNIT_SECONDS, "m", 60},
    {UNIT_SECONDS, "h", 3600}, {UNIT_DAYS, "d", 1},
};

static const struct {
    const char *word;
    const char *example;
} units[] = {
    [UNIT_NONE] = {NULL, NULL},
    [UNIT_BYTES] = {"bytes", "64k, 1m"},
    [UNIT_MIB] = {"MiB", "512m, 4g"},
    [UNIT_MS] = {"milliseconds", "500ms, 2s"},
    [UNIT_SECONDS] = {"seconds", "30s, 2m"},
    [UNIT_DAYS] = {"days", "14d"},
};

/* Enums are written through an unsigned, and a bool through a bool: what the table's offsets promise. */
_Static_assert(sizeof(enum config_mode) == sizeof(unsigned) && sizeof(enum config_log_level) == sizeof(unsigned) &&
                   sizeof(enum config_durability) == sizeof(unsigned) &&
                   sizeof(enum config_log_format) == sizeof(unsigned),
               "enums have the size of unsigned");

static void *field(const struct config_key *k, struct config *c)
{
    return (char *)c + k->offset;
}

static const void *field_of(const struct config_key *k, const struct config *c)
{
    return (const char *)c + k->offset;
}

/* "must be a number from 1 to 10, not "x"" */
static bool config_value_refuse(const struct config_key *k, const char *text, struct buffer *why)
{
    buffer_text(why, "must be ");
    config_value_describe(k, why);
    if (!k->secret) {
        size_t n = strlen(text);
        buffer_printf(why, ", not \"%.*s%s\"", (int)(n > SHOWN_MAX ? SHOWN_MAX : n), text, n > SHOWN_MAX ? "…" : "");
    }
    return false;
}

/* Digits at the start of the text, at most INT64_MAX; the rest is left in *rest. False if there is none. */
static bool digits(const char *text, const char **rest, int64_t *out)
{
    int64_t n = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (__builtin_mul_overflow(n, (int64_t)10, &n) || __builtin_add_overflow(n, (int64_t)(*p - '0'), &n)) {
            return false;
        }
    }
    *rest = p;
    *out = n;
    return p > text;
}

/* The factor of this suffix for the unit; 1 for no suffix, 0 for one that is not known. */
static int64_t factor_of(enum config_unit unit, const char *suffix)
{
    if (!*suffix) {
        return 1;
    }
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        if (suffixes[i].unit == unit && strcasecmp(suffixes[i].suffix, suffix) == 0) {
            return suffixes[i].factor;
        }
    }
    return 0;
}

static bool config_parse_integer(const struct config_key *k, const char *text, struct config *c)
{
    const char *rest;
    int64_t n = CONFIG_AUTO;
    if (k->automatic && strcasecmp(text, CONFIG_AUTO_WORD) == 0) {
        memcpy(field(k, c), &n, sizeof(n));
        return true;
    }
    if (!digits(text, &rest, &n)) {
        return false;
    }
    int64_t factor = factor_of(k->unit, rest);
    if (!factor || __builtin_mul_overflow(n, factor, &n) || n < k->min || n > k->max) {
        return false;
    }
    memcpy(field(k, c), &n, sizeof(n));
    return true;
}

static bool parse_bool(const struct config_key *k, const char *text, struct config *c)
{
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcasecmp(words[i], text) == 0) {
            bool value = i % 2 == 1;
            memcpy(field(k, c), &value, sizeof(value));
            return true;
        }
    }
    return false;
}

static bool parse_choice(const struct config_key *k, const char *text, struct config *c)
{
    for (unsigned i = 0; k->choices[i]; i++) {
        if (strcasecmp(k->choices[i], text) == 0) {
            memcpy(field(k, c), &i, sizeof(i));
            return true;
        }
    }
    return false;
}

/* Seconds of s, m, h, d; 0 for another letter. */
static int64_t seconds_of(char letter)
{
    switch (letter) {
    case 's':
        return 1;
    case 'm':
        return 60;
    case 'h':
        return 3600;
    case 'd':
        return CLOCK_DAY_SECONDS;
    default:
        return 0;
    }
}

static bool parse_limit(const struct config_key *k, const char *text, struct config *c)
{
    const char *rest;
    int64_t count, time;
    if (!digits(text, &rest, &count) || *rest != '/' || count < k->min || count > k->max) {
        return false;
    }
    if (!digits(rest + 1, &rest, &time) || !*rest || rest[1]) {
        return false;
    }
    if (__builtin_mul_overflow(time, seconds_of(*rest), &time) || time < 1 || time > LIMIT_SECONDS_MAX) {
        return false;
    }
    struct config_limit limit = {(uint32_t)count, (uint32_t)time};
    memcpy(field(k, c), &limit, sizeof(limit));
    return true;
}

static bool config_parse_text(const struct config_key *k, const char *text, struct config *c, struct arena *a,
                              struct buffer *why)
{
    size_t n = strlen(text);
    if (k->max && n > (size_t)k->max) {
        buffer_printf(why, "is longer than %" PRId64 " bytes", k->max);
        return false;
    }
    if (n == 0 && k->min > 0) {
        buffer_text(why, "must not be empty");
        return false;
    }
    if (n && k->check && !k->check(text, why)) {
        buffer_text(why, "; allowed: ");
        config_value_describe(k, why);
        return false;
    }
    const char *copy = arena_dup(a, text);
    memcpy(field(k, c), &copy, sizeof(copy));
    return true;
}

/* One line of clean UTF-8: anything else comes from a broken file or a forged variable. */
static bool is_one_line(const char *text)
{
    return text_is_clean(text, strlen(text)) && !strpbrk(text, "\n\t");
}

bool config_value_parse(const struct config_key *k, const char *text, struct config *c, struct arena *a,
                        struct buffer *why)
{
    if (!is_one_line(text)) {
        buffer_text(why, "holds a control character or is not UTF-8");
        return false;
    }
    switch (k->type) {
    case CONFIG_TYPE_TEXT:
    case CONFIG_TYPE_PATH:
        return config_parse_text(k, text, c, a, why);
    case CONFIG_TYPE_INTEGER:
        return config_parse_integer(k, text, c) || config_value_refuse(k, text, why);
    case CONFIG_TYPE_BOOL:
        return parse_bool(k, text, c) || config_value_refuse(k, text, why);
    case CONFIG_TYPE_CHOICE:
        return parse_choice(k, text, c) || config_value_refuse(k, text, why);
    case CONFIG_TYPE_LIMIT:
        return parse_limit(k, text, c) || config_value_refuse(k, text, why);
    }
    panic("a type that the table does not know");
}

/* "redis://user:secret@host" with *** for the secret. The last @ before the path ends the user part. */
static void write_masked(const char *url, struct buffer *out)
{
    const char *start = strstr(url, "://");
    start = start ? start + 3 : url;
    const char *at = NULL;
    for (const char *p = start; *p && *p != '/'; p++) {
        at = *p == '@' ? p : at;
    }
    const char *colon = at ? memchr(start, ':', (size_t)(at - start)) : NULL;
    if (!colon) {
        buffer_text(out, url);
        return;
    }
    buffer_add(out, url, (size_t)(colon + 1 - url));
    buffer_text(out, "***");
    buffer_text(out, at);
}

static void write_limit(const struct config_limit *l, struct buffer *out)
{
    static const char letters[] = "dhms";
    const char *p = letters;
    while (l->seconds % seconds_of(*p)) {
        p++;
    }
    buffer_printf(out, "%" PRIu32 "/%" PRId64 "%c", l->count, l->seconds / seconds_of(*p), *p);
}

void config_value_write(const struct config_key *k, const struct config *c, struct buffer *out)
{
    const void *p = field_of(k, c);
    switch (k->type) {
    case CONFIG_TYPE_TEXT:
    case CONFIG_TYPE_PATH:
        if (k->secret) {
            write_masked(*(const char *const *)p, out);
        } else {
            buffer_text(out, *(const char *const *)p);
        }
        return;
    case CONFIG_TYPE_INTEGER:
        if (k->automatic && *(const int64_t *)p == CONFIG_AUTO) {
            buffer_text(out, CONFIG_AUTO_WORD);
        } else {
            buffer_printf(out, "%" PRId64, *(const int64_t *)p);
        }
        return;
    case CONFIG_TYPE_BOOL:
        buffer_text(out, *(const bool *)p ? "yes" : "no");
        return;
    case CONFIG_TYPE_CHOICE:
        buffer_text(out, k->choices[*(const unsigned *)p]);
        return;
    case CONFIG_TYPE_LIMIT:
        write_limit(p, out);
        return;
    }
}

static void describe_integer(const struct config_key *k, struct buffer *out)
{
    const char *word = units[k->unit].word;
    buffer_printf(out, "%sa number %s%s%sfrom %" PRId64 " to %" PRId64, k->automatic ? CONFIG_AUTO_WORD " or " : "",
                  word ? "of " : "", word ? word : "", word ? " " : "", k->min, k->max);
    if (word) {
        buffer_printf(out, " (or such as %s)", units[k->unit].example);
    }
}

static void describe_choice(const struct config_key *k, struct buffer *out)
{
    for (size_t i = 0; k->choices[i]; i++) {
        buffer_printf(out, "%s%s", i == 0 ? "" : k->choices[i + 1] ? ", " : " or ", k->choices[i]);
    }
}

void config_value_describe(const struct config_key *k, struct buffer *out)
{
    switch (k->type) {
    case CONFIG_TYPE_TEXT:
        buffer_text(out, k->form ? k->form : "text");
        return;
    case CONFIG_TYPE_PATH:
        buffer_text(out, "a path");
        return;
    case CONFIG_TYPE_INTEGER:
        describe_integer(k, out);
        return;
    case CONFIG_TYPE_BOOL:
        buffer_text(out, "yes or no");
        return;
    case CONFIG_TYPE_CHOICE:
        describe_choice(k, out);
        return;
    case CONFIG_TYPE_LIMIT:
        buffer_printf(out, "count/time such as 5/30m, at most %" PRId64 "/30d", k->max);
        return;
    }
}
