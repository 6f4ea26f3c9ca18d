/* place.c - see place.h. Any thread. */
#include "social/posts/place.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "social/core/problem.h"

#define DECIMALS 5
#define UNIT PLACE_UNIT
#define DIGITS_MAX 30 /* typed behind the point: maps give many */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads decimals; false if there are other signs behind them. Rounds half up. */
static bool read_decimals(const char *at, int64_t *parts)
{
    size_t count = strspn(at, "0123456789");
    *parts = 0;
    for (size_t i = 0; i < DECIMALS; i++) {
        *parts = *parts * 10 + (i < count ? at[i] - '0' : 0);
    }
    *parts += count > DECIMALS && at[DECIMALS] >= '5';
    return count > 0 && count <= DIGITS_MAX && !at[count];
}

bool place_degrees(const char *text, int most, int64_t *units)
{
    bool is_negative = *text == '-';
    const char *at = text + (*text == '-' || *text == '+');
    int64_t whole = 0, parts = 0;
    size_t digits = strspn(at, "0123456789");
    for (size_t i = 0; i < digits && whole <= most; i++) {
        whole = whole * 10 + (at[i] - '0');
    }
    at += digits;
    bool is_number = digits > 0 && is_digit(at[-1]) && (!*at || (*at == '.' && read_decimals(at + 1, &parts)));
    *units = is_negative ? -(whole * UNIT + parts) : whole * UNIT + parts;
    return is_number && *units <= (int64_t)most * UNIT && *units >= -(int64_t)most * UNIT;
}

/* Without zeros at the end. */
static const char *degrees_text(struct arena *a, int64_t units)
{
    int64_t size = units < 0 ? -units : units;
    char *out = arena_printf(a, "%s%lld.%0*lld", units < 0 ? "-" : "", (long long)(size / UNIT), DECIMALS,
                             (long long)(size % UNIT));
    size_t length = strlen(out);
    while (out[length - 1] == '0') {
        out[--length] = '\0';
    }
    if (out[length - 1] == '.') {
        out[length - 1] = '\0';
    }
    return out;
}

static const char *tidy_degrees(struct arena *a, const char *typed)
{
    char *out = arena_dup(a, typed ? typed : "");
    text_tidy(out);
    return out;
}

const char *place_read(struct arena *a, const char *latitude, const char *longitude, struct problems *p)
{
    int64_t lat = 0, lon = 0;
    const char *north = tidy_degrees(a, latitude), *east = tidy_degrees(a, longitude);
    if (!*north && !*east) {
        return "";
    }
    bool has_lat = place_degrees(north, 90, &lat), has_long = place_degrees(east, 180, &lon);
    if (!has_lat) {
        problem_add(p, "lat", *north ? "latitude_invalid" : "latitude_missing");
    }
    if (!has_long) {
        problem_add(p, "long", *east ? "longitude_invalid" : "longitude_missing");
    }
    return has_lat && has_long ? arena_printf(a, "%s,%s", degrees_text(a, lat), degrees_text(a, lon)) : "";
}

struct place_parts place_parts(struct arena *a, const char *place)
{
    const char *comma = strchr(place, ',');
    return comma ? (struct place_parts){arena_dup_n(a, place, (size_t)(comma - place)), arena_dup(a, comma + 1)}
                 : (struct place_parts){"", ""};
}
