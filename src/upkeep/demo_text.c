/* demo_text.c - see demo_text.h. Threads: any. */
#include "upkeep/demo_text.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "upkeep/demo_words.h"

#define PAIRS ((uint64_t)DEMO_NAMES * DEMO_NAMES)
#define TAGGED_IN_100 35
#define LINKED_IN_100 10
#define LONG_IN_100 25
#define UNLISTED_IN_100 4
#define PRIVATE_IN_100 3
#define PLACED_IN_100 3
#define WARNED_IN_100 3

/* --- random numbers ------------------------------------------------------------------------------------------------
 * */

/* splitmix64 */
uint64_t demo_random_next(struct demo_random *r)
{
    uint64_t z = r->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

struct demo_random demo_random_at(uint64_t seed, enum demo_stream stream, uint64_t number)
{
    struct demo_random r = {.state = seed};
    r.state = demo_random_next(&r) + (uint64_t)stream;
    r.state = demo_random_next(&r) + number;
    r.state = demo_random_next(&r);
    return r;
}

uint64_t demo_random_below(struct demo_random *r, uint64_t n)
{
    return (uint64_t)((unsigned __int128)demo_random_next(r) * n >> 64);
}

double demo_random_unit(struct demo_random *r)
{
    return (double)(demo_random_next(r) >> 11) / (double)(1ull << 53);
}

/* --- words ---------------------------------------------------------------------------------------------------------
 * */

static const char *pick(struct demo_random *r, const char *const *list)
{
    size_t n = 0;
    while (list[n]) {
        n++;
    }
    return list[demo_random_below(r, n)];
}

/* Writes a sentence with its {t}, {p} and {n} filled in. */
static void fill_in(struct buffer *out, struct demo_random *r, const struct demo_language *l, const char *sentence)
{
    for (const char *p = sentence; *p;) {
        size_t plain = strcspn(p, "{");
        buffer_add(out, p, plain);
        p += plain;
        if (strncmp(p, "{t}", 3) == 0) {
            buffer_text(out, pick(r, l->things));
        } else if (strncmp(p, "{p}", 3) == 0) {
            buffer_text(out, pick(r, l->places));
        } else if (strncmp(p, "{n}", 3) == 0) {
            buffer_printf(out, "%d", 2 + (int)demo_random_below(r, 59));
        }
        p += *p ? 3 : 0;
    }
}

/* --- people --------------------------------------------------------------------------------------------------------
 * */

unsigned demo_language_of(uint64_t seed, uint64_t person)
{
    struct demo_random r = demo_random_at(seed, DEMO_PERSON, person);
    unsigned share = (unsigned)demo_random_below(&r, 100), language = 0;
    while (share >= demo_languages[language].share) {
        share -= demo_languages[language++].share;
    }
    return language;
}

void demo_name(uint64_t seed, unsigned language, uint64_t n, char name[USER_NAME_MAX + 1], struct buffer *shown)
{
    const struct demo_language *l = &demo_languages[language];
    struct demo_random r = demo_random_at(seed, DEMO_PERSON, UINT64_MAX - language);
    /* 385 shares no factor with the number of pairs: each pair occurs once in a round, neighbours differ in
     * both */
    uint64_t pair = (demo_random_below(&r, PAIRS) + n % PAIRS * 385) % PAIRS, round = n / PAIRS;
    const struct demo_name *given = &l->given[pair / DEMO_NAMES], *family = &l->family[pair % DEMO_NAMES];
    bool turned = pair % 4 == 3;
    int used = snprintf(name, USER_NAME_MAX + 1, "%s%s%s", turned ? family->ascii : given->ascii,
                        pair % 4 == 1 ? "" : "_", turned ? given->ascii : family->ascii);
    if (round) {
        snprintf(name + used, USER_NAME_MAX + 1 - (size_t)used, "%llu", (unsigned long long)round + 1);
    }
    buffer_text(shown, l->family_first ? family->shown : given->shown);
    buffer_text(shown, l->space);
    buffer_text(shown, l->family_first ? given->shown : family->shown);
}

void demo_bio(struct buffer *out, uint64_t seed, unsigned language, uint64_t person)
{
    const struct demo_language *l = &demo_languages[language];
    struct demo_random r = demo_random_at(seed, DEMO_PERSON, person);
    demo_random_next(&r); /* was the language */
    if (demo_random_below(&r, 4)) {
        fill_in(out, &r, l, pick(&r, l->bios));
    }
}

/* --- posts ---------------------------------------------------------------------------------------------------------
 * */

void demo_write(struct buffer *out, uint64_t seed, uint64_t number, const struct demo_text *t)
{
    const struct demo_language *l = &demo_languages[t->language];
    struct demo_random r = demo_random_at(seed, DEMO_TEXT, number);
    if (t->mention && t->is_reply) {
        buffer_printf(out, "@%s ", t->mention);
    }
    fill_in(out, &r, l, pick(&r, t->is_reply ? l->replies : l->sentences));
    if (!t->is_reply && demo_random_below(&r, 100) < LONG_IN_100) {
        buffer_text(out, demo_random_below(&r, 3) ? l->space : "\n");
        fill_in(out, &r, l, pick(&r, l->sentences));
    }
    if (t->mention && !t->is_reply) {
        buffer_printf(out, " @%s", t->mention);
    }
    if (demo_random_below(&r, 100) < LINKED_IN_100) {
        buffer_printf(out, " https://example.org/%s/%d", l->code, 1 + (int)demo_random_below(&r, 9999));
    }
    if (demo_random_below(&r, 100) < TAGGED_IN_100) {
        const char *tag = pick(&r, l->tags), *other = pick(&r, l->tags);
        buffer_printf(out, " #%s", tag);
        if (tag != other && demo_random_below(&r, 4) == 0) {
            buffer_printf(out, " #%s", other);
        }
    }
}

enum visibility demo_visibility(uint64_t seed, uint64_t number)
{
    struct demo_random r = demo_random_at(seed, DEMO_FRAME, number);
    uint64_t x = demo_random_below(&r, 100);
    return x < UNLISTED_IN_100                    ? VISIBILITY_UNLISTED
           : x < UNLISTED_IN_100 + PRIVATE_IN_100 ? VISIBILITY_PRIVATE
                                                  : VISIBILITY_PUBLIC;
}

const char *demo_warning(uint64_t seed, uint64_t number, unsigned language)
{
    struct demo_random r = demo_random_at(seed, DEMO_FRAME, UINT64_MAX - number);
    return demo_random_below(&r, 100) < WARNED_IN_100 ? pick(&r, demo_languages[language].tags) : NULL;
}

const char *demo_place(struct arena *a, uint64_t seed, uint64_t number)
{
    struct demo_random r = demo_random_at(seed, DEMO_PLACE, number);
    bool is_said = demo_random_below(&r, 100) < PLACED_IN_100;
    int latitude = (int)demo_random_below(&r, 120) - 60, longitude = (int)demo_random_below(&r, 360) - 180;
    return is_said ? arena_printf(a, "%d.%05d,%d.%05d", latitude, 1 + 2 * (int)(number % 1000), longitude,
                                  1 + 2 * (int)(number % 777))
                   : NULL;
}
