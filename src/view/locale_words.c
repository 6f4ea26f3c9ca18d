/* locale_words.c - texts with parameters: placeholders, plurals, elapsed time, dates. See locale.h.
 *
 * Pure functions over an immutable catalogue; any thread with an arena of its own.
 */
#include "view/locale.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/source.h"

#define PAIRS_MAX 8
#define NOW_SECONDS                                                                                                    \
    10 /* that long something has just happened; and below a minute the words change once in so long: a page
                          whose posts are new would be another one each second, and could not be kept */

struct pairs {
    const char *names[PAIRS_MAX];
    const char *values[PAIRS_MAX];
    size_t count;
};

static void take_pairs(struct pairs *p, va_list args)
{
    for (const char *name; p->count < PAIRS_MAX && (name = va_arg(args, const char *)); p->count++) {
        const char *value = va_arg(args, const char *);
        p->names[p->count] = name;
        p->values[p->count] = value ? value : "";
    }
}

static const char *value_of(const struct pairs *p, const char *name, size_t length)
{
    for (size_t i = 0; i < p->count; i++) {
        if (strncmp(p->names[i], name, length) == 0 && p->names[i][length] == '\0') {
            return p->values[i];
        }
    }
    return NULL;
}

/* Values are put in as they are: a "{count}" that a user typed is not replaced. */
static const char *words_replace(struct arena *a, const char *text, const struct pairs *p)
{
    struct buffer out = buffer_make(a);
    for (const char *open; (open = strchr(text, '{'));) {
        size_t length = strcspn(open + 1, "}");
        const char *value = open[1 + length] ? value_of(p, open + 1, length) : NULL;
        buffer_add(&out, text, (size_t)(open - text));
        if (value) {
            buffer_text(&out, value);
            text = open + length + 2;
        } else {
            buffer_char(&out, '{');
            text = open + 1;
        }
    }
    buffer_text(&out, text);
    return buffer_string(&out);
}

const char *locale_format(struct arena *a, const struct locale *l, const char *key, ...)
{
    struct pairs p = {.count = 0};
    va_list args;
    va_start(args, key);
    take_pairs(&p, args);
    va_end(args);
    return words_replace(a, locale_text(l, key), &p);
}

/* --- plurals ------------------------------------------------------------------------------------------------ */

/* The plural category of CLDR, for the languages there are catalogues of. (Spanish has a third, for whole millions that are
 * written as words; numbers here are digits.) */
static const char *category(const struct locale *l, uint64_t count)
{
    if (count == 1) {
        return "one";
    }
    bool small = count == 0 || (count % 100 >= 1 && count % 100 <= 19);
    return strncmp(locale_code(l), "ro", 2) == 0 && small ? "few" : "other";
}

static const char *plural_text(struct arena *a, const struct locale *l, const char *key, uint64_t count)
{
    const char *text = locale_find(l, arena_printf(a, "%s_%s", key, category(l, count)));
    return text ? text : locale_text(l, arena_printf(a, "%s_other", key));
}

const char *locale_plural(struct arena *a, const struct locale *l, const char *key, uint64_t count, ...)
{
    struct pairs p = {.names = {"count"}, .count = 1};
    p.values[0] = arena_printf(a, "%llu", (unsigned long long)count);
    va_list args;
    va_start(args, count);
    take_pairs(&p, args);
    va_end(args);
    return words_replace(a, plural_text(a, l, key, count), &p);
}

/* --- time --------------------------------------------------------------------------------------------------- */

/* The words are others when so many seconds are over. */
static void words_until(uint64_t then_ms, uint64_t now_ms, uint64_t seconds)
{
    source_until_site(now_ms, (then_ms > now_ms ? now_ms : then_ms) + seconds * 1000);
}

/* How many units words speak of, and as long as they do. */
static uint64_t words_count(uint64_t then_ms, uint64_t now_ms, uint64_t seconds, uint64_t unit)
{
    uint64_t step = unit == 1 ? NOW_SECONDS : unit;
    uint64_t past = seconds - seconds % step;
    words_until(then_ms, now_ms, past + step);
    return past / unit;
}

const char *locale_elapsed(struct arena *a, const struct locale *l, uint64_t then_ms, uint64_t now_ms)
{
    static const struct {
        uint64_t below; /* seconds */
        uint64_t unit;
        const char *key;
    } steps[] = {
        {60, 1, "elapsed_second"},
        {60 * 60, 60, "elapsed_minute"},
        {24 * 3600, 3600, "elapsed_hour"},
        {30 * CLOCK_DAY_SECONDS, CLOCK_DAY_SECONDS, "elapsed_day"},
        {365 * CLOCK_DAY_SECONDS, 30 * CLOCK_DAY_SECONDS, "elapsed_month"},
        {UINT64_MAX, 365 * CLOCK_DAY_SECONDS, "elapsed_year"},
    };
    uint64_t seconds = now_ms > then_ms ? (now_ms - then_ms) / 1000 : 0;
    if (seconds < NOW_SECONDS) {
        words_until(then_ms, now_ms, NOW_SECONDS);
        return locale_text(l, "elapsed_now");
    }
    size_t i = 0;
    while (seconds >= steps[i].below) {
        i++;
    }
    uint64_t count = words_count(then_ms, now_ms, seconds, steps[i].unit);
    return locale_plural(a, l, steps[i].key, count, NULL);
}

static const char *short_date(struct arena *a, const struct locale *l, uint64_t then_ms, uint64_t now_ms)
{
    struct clock_date then = clock_date(then_ms), now = clock_date(now_ms);
    return locale_format(a, l, then.year == now.year ? "short_date" : "short_date_year", "day",
                         arena_printf(a, "%u", (unsigned)then.day), "month",
                         locale_text(l, arena_printf(a, "short_month_%u", (unsigned)then.month)), "year",
                         arena_printf(a, "%llu", (unsigned long long)then.year), NULL);
}

const char *locale_short(struct arena *a, const struct locale *l, uint64_t then_ms, uint64_t now_ms)
{
    uint64_t seconds = now_ms > then_ms ? (now_ms - then_ms) / 1000 : 0;
    if (seconds < NOW_SECONDS) {
        words_until(then_ms, now_ms, NOW_SECONDS);
        return locale_text(l, "elapsed_now");
    }
    if (seconds >= CLOCK_DAY_SECONDS) {
        return short_date(a, l, then_ms, now_ms);
    }
    const char *key = seconds < 60 ? "short_second" : seconds < 3600 ? "short_minute" : "short_hour";
    uint64_t unit = seconds < 60 ? 1 : seconds < 3600 ? 60 : 3600;
    uint64_t count = words_count(then_ms, now_ms, seconds, unit);
    return locale_format(a, l, key, "count", arena_printf(a, "%llu", (unsigned long long)count), NULL);
}

const char *locale_date(struct arena *a, uint64_t wall_ms)
{
    char iso[CLOCK_ISO_SIZE];
    clock_iso(wall_ms, iso);
    iso[10] = iso[16] = '\0'; /* day, and hour with minute */
    return arena_printf(a, "%s %s UTC", iso, iso + 11);
}

const char *locale_joined(struct arena *a, const struct locale *l, uint64_t wall_ms)
{
    struct clock_date d = clock_date(wall_ms);
    const char *month = locale_text(l, arena_printf(a, "month_%u", d.month));
    const char *year = arena_printf(a, "%llu", (unsigned long long)d.year);
    return locale_format(a, l, "joined", "month", month, "year", year, NULL);
}
