/* locale.h - the words of the site in each language: web/locales/<code>.json.
 *
 * A catalogue is one flat JSON object of strings. {name} in a text is a placeholder. A text that depends on a
 * number is two keys, <key>_one and <key>_other (and <key>_few where the language has a third form, as Romanian);
 * languages without plurals give the same text twice. The key `locale_name` is the language's name in itself. All
 * catalogues have the same keys (a unit test holds them to it).
 *
 * Threads: loaded by the main thread, immutable afterwards.
 */
#ifndef VIEW_LOCALE_H
#define VIEW_LOCALE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct arena;
struct locale;
struct locales;

/* Loads locales/ *.json of the directory (NULL or "": of the embedded files). Mistakes go to `report`, one line
 * "locales/ro.json: what is wrong" each; NULL if there was any. End with locales_free. */
struct locales *locales_load(const char *directory, FILE *report);

/* The same from texts in memory: codes[i] and texts[i], not terminated, of lengths[i] bytes. */
struct locale_source {
    const char *code;
    const char *text;
    size_t length;
};
struct locales *locales_read(const struct locale_source *sources, size_t count, FILE *report);
void locales_free(struct locales *l);

/* In order of their codes, with `en` first if there is one. */
size_t locales_count(const struct locales *l);
const struct locale *locales_at(const struct locales *l, size_t index);

/* By exact code (upper and lower case alike); NULL if there is none. */
const struct locale *locales_find(const struct locales *l, const char *code);

/* BCP 47 code ("zh-CN") and the name in its own language ("简体中文"). */
const char *locale_code(const struct locale *l);
const char *locale_name(const struct locale *l);

/* The language of an answer: the cookie's locale if it names one; else the best of Accept-Language (RFC 9110 weights;
 * "zh" and "zh-Hans" find zh-CN, "es-MX" finds es); else `fallback`; else the first. Any of them may be NULL. Never
 * NULL. */
const struct locale *locale_choose(const struct locales *l, const char *cookie, const char *accept_language,
                                   const char *fallback);

/* The text of a key; the key itself if the catalogue lacks it. locale_find gives NULL then. */
const char *locale_text(const struct locale *l, const char *key);
const char *locale_find(const struct locale *l, const char *key);

/* The text with its placeholders replaced: name, value, …, NULL; at most 8 pairs. Unknown
 * placeholders stay. */
const char *locale_format(struct arena *a, const struct locale *l, const char *key, ...) __attribute__((sentinel));

/* The same with the plural of key for `count`, which also replaces {count}. */
const char *locale_plural(struct arena *a, const struct locale *l, const char *key, uint64_t count, ...)
    __attribute__((sentinel));

/* "3 minutes ago": keys elapsed_now and elapsed_<unit>_one/_other with {count}, units second, minute, hour, day,
 * month, year. Seconds are whole tens. A time in the future counts as now. */
const char *locale_elapsed(struct arena *a, const struct locale *l, uint64_t then_ms, uint64_t now_ms);

/* The same in few letters: "5m", "2h", from a day on the date, "3 Nov", and in another year "3 Nov 2024" (UTC). Keys
 * elapsed_now, short_second, short_minute, short_hour with {count}, and short_date, short_date_year with {day}, {month}
 * (short_month_1 … short_month_12) and {year}. */
const char *locale_short(struct arena *a, const struct locale *l, uint64_t then_ms, uint64_t now_ms);

/* "2025-03-04 12:05 UTC", the same in every language. */
const char *locale_date(struct arena *a, uint64_t wall_ms);

/* "Joined March 2025": key `joined` with {month} (keys month_1 … month_12) and {year}. */
const char *locale_joined(struct arena *a, const struct locale *l, uint64_t wall_ms);

#endif
