/* encoding.c - see encoding.h. */
#include "http/encoding.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

#define FULL_WEIGHT 1000
#define UNSAID (-1)

/* Weights in thousandths; UNSAID: the client does not name it. */
struct weights {
    int of[ENCODINGS]; /* ENCODING_NONE: "identity" */
    int any;           /* "*" */
};

static const char *const names[ENCODINGS] = {"identity", "gzip", "zstd"};

const char *encoding_name(enum encoding e)
{
    return e == ENCODING_NONE ? NULL : names[e];
}

static const char *past_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t')) {
        p++;
    }
    return p;
}

/* "0", "1", "0.5", "0.123", "1.000" in thousandths; UNSAID: no such number. */
static int read_weight(const char *p, const char *end)
{
    if (p == end || (*p != '0' && *p != '1')) {
        return UNSAID;
    }
    int weight = (*p++ - '0') * FULL_WEIGHT;
    if (p < end && *p == '.') {
        p++;
        for (int unit = FULL_WEIGHT / 10; p < end && unit > 0 && *p >= '0' && *p <= '9'; unit /= 10) {
            weight += (*p++ - '0') * unit;
        }
    }
    return past_blanks(p, end) == end && weight <= FULL_WEIGHT ? weight : UNSAID;
}

/* The weight behind a word: ";q=0.5", or nothing, which is 1. */
static int weight_behind(const char *p, const char *end)
{
    p = past_blanks(p, end);
    if (p == end) {
        return FULL_WEIGHT;
    }
    p = *p == ';' ? past_blanks(p + 1, end) : end;
    if (end - p < 2 || (*p | 0x20) != 'q' || p[1] != '=') {
        return UNSAID;
    }
    return read_weight(p + 2, end);
}

static bool is_word(const char *p, size_t length, const char *word)
{
    return length == strlen(word) && strncasecmp(p, word, length) == 0;
}

static void read_entry(struct weights *w, const char *p, const char *end)
{
    p = past_blanks(p, end);
    const char *after = p;
    while (after < end && *after != ';' && *after != ' ' && *after != '\t') {
        after++;
    }
    size_t length = (size_t)(after - p);
    int weight = weight_behind(after, end);
    if (weight == UNSAID) {
        return;
    }
    if (is_word(p, length, "*")) {
        w->any = weight;
    }
    if (is_word(p, length, "x-gzip")) { /* RFC 9110 wants it taken for gzip */
        w->of[ENCODING_GZIP] = weight;
    }
    for (size_t e = 0; e < ENCODINGS; e++) {
        if (is_word(p, length, names[e])) {
            w->of[e] = weight;
        }
    }
}

static struct weights read_list(const char *accept)
{
    struct weights w = {{UNSAID, UNSAID, UNSAID}, UNSAID};
    size_t length;
    for (const char *p; accept && (p = text_entry(&accept, &length));) {
        read_entry(&w, p, p + length);
    }
    return w;
}

/* Programs that say "*" seldom mean zstd, so that must be named. What is not said of identity: it will do, but anything
 * else that is named is better. */
static enum encoding choose(const struct weights *w, enum encoding best)
{
    int gzip = w->of[ENCODING_GZIP] != UNSAID ? w->of[ENCODING_GZIP] : w->any;
    int zstd = best == ENCODING_ZSTD ? w->of[ENCODING_ZSTD] : UNSAID;
    enum encoding chosen = zstd >= gzip ? ENCODING_ZSTD : ENCODING_GZIP;
    int weight = chosen == ENCODING_ZSTD ? zstd : gzip;
    return weight > 0 && weight >= w->of[ENCODING_NONE] ? chosen : ENCODING_NONE;
}

enum encoding encoding_choose(const char *accept)
{
    struct weights w = read_list(accept);
    return choose(&w, ENCODING_ZSTD);
}

enum encoding encoding_choose_gzip(const char *accept)
{
    struct weights w = read_list(accept);
    return choose(&w, ENCODING_GZIP);
}
