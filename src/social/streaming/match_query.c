/* match_query.c - see match_query.h. Pure functions. */
#include "social/streaming/match_query.h"

#include <string.h>

#include "base/arena.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "base/text.h"
#include "base/words.h"
#include "social/core/problem.h"
#include "social/people/user.h"
#include "social/posts/place.h"
#include "social/streaming/match_post.h"

#define TRACK "track"
#define FOLLOW "follow"
#define LOCATIONS "locations"

#define BLANKS " \t\r\n"
#define CORNERS 4 /* numbers of a box */
#define CELLS 4   /* which a box needs at most */

/* --- rules --------------------------------------------------------------------------------------------------------- */

/* A new rule with room for so many keys; they are put there by key_add. */
static struct match_rule *rule_add(struct arena *a, struct match_query *q, size_t most)
{
    if ((q->count & (q->count - 1)) == 0) { /* full: room is 1, 2, 4, 8 … */
        size_t size = q->count * sizeof(*q->rules);
        q->rules = arena_grow(a, q->rules, size, size ? 2 * size : sizeof(*q->rules));
    }
    q->rules[q->count] = (struct match_rule){.keys = arena_alloc(a, most * sizeof(char *))};
    return &q->rules[q->count++];
}

static void key_add(struct match_rule *r, const char *key)
{
    ((const char **)(void *)r->keys)[r->key_count++] = key;
}

/* A rule of a single key that says it all. */
static void rule_of(struct arena *a, struct match_query *q, char sign, const char *name)
{
    key_add(rule_add(a, q, 1), arena_printf(a, "\n%c%s\n", sign, name));
}

/* --- track --------------------------------------------------------------------------------------------------------- */

/* The same with the comma and the blank of this language for those of others, which are three bytes. */
static const char *plain_marks(struct arena *a, const char *text)
{
    char *out = arena_dup(a, text), *to = out;
    for (const char *at = text; *at;) {
        bool is_comma = strncmp(at, "\xEF\xBC\x8C", 3) == 0 || strncmp(at, "\xE3\x80\x81", 3) == 0;
        bool is_blank = strncmp(at, "\xE3\x80\x80", 3) == 0 || strncmp(at, "\xC2\xA0", 2) == 0;
        *to++ = is_comma ? ',' : is_blank ? ' ' : *at;
        at += is_comma ? 3 : is_blank ? (*at == '\xC2' ? 2 : 3) : 1;
    }
    *to = '\0';
    return out;
}

static bool has_words(struct arena *a, const char *text, size_t length)
{
    return words_split(a, text, length, 1).count > 0;
}

/* The key of a part that is a tag or a mention, with nothing beside it but punctuation; NULL: it is neither. */
static const char *entity_key(struct arena *a, const char *text, size_t length)
{
    struct entity_scan s = entity_scan_start(text, length);
    struct entity e;
    if (!entity_scan_next(&s, &e) || e.kind == ENTITY_LINK || has_words(a, text, e.offset) ||
        has_words(a, text + e.offset + e.length, length - e.offset - e.length)) {
        return NULL;
    }
    const char *name = entity_scan_fold(e.name, e.name_length, arena_alloc(a, e.name_length + 1));
    return arena_printf(a, "\n%c%s\n", e.kind == ENTITY_TAG ? '#' : '@', name);
}

/* The keys of words that stand one after the other: each word, but of signs each two. */
static void words_keys(struct arena *a, struct match_rule *r, const struct words *w)
{
    for (size_t i = 0; i < w->count; i++) {
        bool is_first = i == 0 || !w->items[i].is_sign || !w->items[i - 1].is_sign;
        bool is_last = i + 1 == w->count || !w->items[i].is_sign || !w->items[i + 1].is_sign;
        if (is_first && !is_last) {
            continue; /* the pair with the next one has it */
        }
        struct words part = {w->items + (is_first ? i : i - 1), is_first ? 1 : 2};
        key_add(r, match_words(a, &part));
    }
}

struct phrase {
    struct match_rule *rule;
    const char **parts;
    size_t words; /* so far */
};

/* A part that has neither words nor a name, as a dash between two words, is passed over. */
static void part_add(struct arena *a, struct phrase *f, const char *text, size_t length)
{
    const char *entity = entity_key(a, text, length);
    struct words w = words_split(a, text, length, MATCH_PHRASE_WORDS + 1);
    size_t count = entity ? 1 : w.count;
    f->words += count;
    if (count == 0 || f->words > MATCH_PHRASE_WORDS) {
        return;
    }
    if (entity) {
        key_add(f->rule, entity);
    } else {
        words_keys(a, f->rule, &w);
    }
    f->parts[f->rule->part_count++] = entity ? entity : match_words(a, &w);
}

static void phrase_read(struct arena *a, struct match_query *q, const char *phrase, struct problems *p)
{
    struct phrase f = {.rule = rule_add(a, q, MATCH_PHRASE_WORDS)};
    const char *at = phrase, *part;
    size_t length;
    f.parts = arena_alloc(a, MATCH_PHRASE_WORDS * sizeof(char *));
    f.rule->parts = f.parts;
    while ((part = text_token(&at, BLANKS, &length))) {
        part_add(a, &f, part, length);
    }
    if (f.words == 0) {
        problem_add(p, TRACK, "stream_track_empty");
    } else if (f.words > MATCH_PHRASE_WORDS) {
        problem_add_numbers(p, TRACK, "stream_track_long", 1, MATCH_PHRASE_WORDS, (int64_t)f.words);
    } else if (f.rule->key_count == 1 && f.rule->part_count == 1 && strcmp(f.parts[0], f.rule->keys[0]) == 0) {
        f.rule->part_count = 0;
    }
}

/* The next entry of a list that is not blank, without the blanks around it; NULL: none is left. Belongs to the arena. */
static const char *filled_entry(struct arena *a, const char **list)
{
    size_t length;
    for (const char *entry; (entry = text_entry(list, &length));) {
        char *own = arena_dup_n(a, entry, length);
        if (text_tidy(own) > 0) {
            return own;
        }
    }
    return NULL;
}

static void track_read(struct arena *a, const char *track, struct match_query *q, struct problems *p)
{
    const char *list = plain_marks(a, track), *phrase;
    if (!text_is_clean(track, strlen(track))) {
        problem_add(p, TRACK, "stream_track_unclean");
        return;
    }
    for (size_t n = 0; (phrase = filled_entry(a, &list)); n++) {
        if (n == MATCH_PHRASES) {
            problem_add_numbers(p, TRACK, "stream_track_many", 1, MATCH_PHRASES, 0);
            return;
        }
        phrase_read(a, q, phrase, p);
    }
}

/* --- follow -------------------------------------------------------------------------------------------------------- */

static void follow_read(struct arena *a, const char *follow, struct match_query *q, struct problems *p)
{
    const char *list = follow, *entry;
    for (size_t n = 0; (entry = filled_entry(a, &list)); n++) {
        const char *name = entry + (*entry == '@');
        if (n == MATCH_FOLLOWS) {
            problem_add_numbers(p, FOLLOW, "stream_follow_many", 1, MATCH_FOLLOWS, 0);
            return;
        }
        if (id_parse(entry)) {
            rule_of(a, q, '=', entry);
        } else if (user_name_is_valid(name)) {
            rule_of(a, q, '~', text_fold(name, arena_alloc(a, strlen(name) + 1)));
        } else {
            problem_add(p, FOLLOW, "stream_follow_invalid");
        }
    }
}

/* --- locations ----------------------------------------------------------------------------------------------------- */

/* The smallest cells of which few cover the box. */
static void box_keys(struct arena *a, struct match_rule *r, const struct match_box *b)
{
    const int64_t world = (int64_t)360 * PLACE_UNIT;
    int64_t wide = b->east - b->west, high = b->north - b->south, size = wide > high ? wide : high;
    unsigned level = 0;
    while (level + 1 < MATCH_LEVELS && size << (level + 1) <= world) {
        level++;
    }
    struct match_cell first = match_cell_at(level, b->south, b->west), last = match_cell_at(level, b->north, b->east);
    for (int64_t y = first.y; y <= last.y; y++) {
        for (int64_t x = first.x; x <= last.x; x++) {
            key_add(r, match_cell_key(a, (struct match_cell){level, x, y}));
        }
    }
}

static void box_add(struct arena *a, struct match_query *q, struct match_box box)
{
    struct match_box *own = arena_alloc(a, sizeof(*own));
    struct match_rule *r = rule_add(a, q, CELLS);
    *own = box;
    r->box = own;
    box_keys(a, r, own);
}

/* Of a box across 180 degrees the two halves. */
static void boxes_add(struct arena *a, struct match_query *q, struct match_box box)
{
    const int64_t end = (int64_t)180 * PLACE_UNIT;
    if (box.west <= box.east) {
        box_add(a, q, box);
    } else {
        box_add(a, q, (struct match_box){box.west, box.south, end, box.north});
        box_add(a, q, (struct match_box){-end, box.south, box.east, box.north});
    }
}

static void locations_read(struct arena *a, const char *locations, struct match_query *q, struct problems *p)
{
    const char *list = locations, *entry;
    int64_t corners[CORNERS];
    size_t n = 0;
    while ((entry = filled_entry(a, &list))) {
        if (!place_degrees(entry, n % 2 ? 90 : 180, &corners[n % CORNERS])) {
            problem_add(p, LOCATIONS, n % 2 ? "latitude_invalid" : "longitude_invalid");
            return;
        }
        n++;
        if (n % CORNERS == 0 && corners[1] > corners[3]) {
            problem_add(p, LOCATIONS, "stream_box_order");
        } else if (n > (size_t)CORNERS * MATCH_BOXES) {
            problem_add_numbers(p, LOCATIONS, "stream_box_many", 1, MATCH_BOXES, 0);
            return;
        } else if (n % CORNERS == 0) {
            boxes_add(a, q, (struct match_box){corners[0], corners[1], corners[2], corners[3]});
        }
    }
    if (n % CORNERS) {
        problem_add(p, LOCATIONS, "stream_box_open");
    }
}

/* --- what is asked ------------------------------------------------------------------------------------------------- */

bool match_filter_read(struct arena *a, const struct match_asked *asked, struct match_query *out, struct problems *p)
{
    *out = (struct match_query){.count = 0};
    track_read(a, asked->track ? asked->track : "", out, p);
    follow_read(a, asked->follow ? asked->follow : "", out, p);
    locations_read(a, asked->locations ? asked->locations : "", out, p);
    if (out->count == 0 && p->count == 0) {
        problem_add(p, TRACK, "stream_filter_empty");
    }
    return p->count == 0;
}

/* The next number of a row that a start gives. */
static uint64_t sample_next(uint64_t *state)
{
    uint64_t n = *state += 0x9E3779B97F4A7C15u;
    n = (n ^ n >> 30) * 0xBF58476D1CE4E5B9u;
    n = (n ^ n >> 27) * 0x94D049BB133111EBu;
    return n ^ n >> 31;
}

bool match_sample_read(struct arena *a, const char *percent, uint64_t client, struct match_query *out,
                       struct problems *p)
{
    unsigned parts[MATCH_PARTS], wanted = 0;
    *out = (struct match_query){.count = 0};
    percent = percent && *percent ? percent : TEXT_OF(MATCH_SAMPLE_STANDARD);
    for (size_t i = 0; percent[i] >= '0' && percent[i] <= '9' && i < 3; i++) {
        wanted = wanted * 10 + (unsigned)(percent[i] - '0');
    }
    if (strspn(percent, "0123456789") != strlen(percent) || strlen(percent) > 3 || wanted < 1 || wanted > MATCH_PARTS) {
        problem_add_numbers(p, "percent", "stream_percent", 1, MATCH_PARTS, 0);
        return false;
    }
    for (unsigned i = 0; i < MATCH_PARTS; i++) {
        parts[i] = i;
    }
    for (unsigned i = 0; i < wanted; i++) { /* the client's own order of the hundredths, as far as it is needed */
        unsigned from = i + (unsigned)(sample_next(&client) % (MATCH_PARTS - i)), part = parts[from];
        parts[from] = parts[i];
        parts[i] = part;
        rule_of(a, out, '%', arena_printf(a, "%u", part));
    }
    return true;
}

void match_firehose(struct arena *a, struct match_query *out)
{
    *out = (struct match_query){.count = 0};
    rule_of(a, out, '*', "");
}
