/* match_post.c - see match_post.h. Pure functions. */
#include "social/streaming/match_post.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "base/text.h"
#include "base/words.h"
#include "social/posts/place.h"
#include "social/posts/post.h"

#define WORLD ((int64_t)360 * PLACE_UNIT)
#define FIRST_KEYS 64

/* A post that is being read: keys are places in the text until it does not move any more. */
struct reading {
    struct arena *arena;
    struct buffer text;
    struct {
        size_t at, length;
    } * keys;
    size_t count, room;
};

static void note_key(struct reading *r, size_t at, size_t end)
{
    if (r->count == r->room) {
        size_t room = r->room ? 2 * r->room : FIRST_KEYS;
        r->keys = arena_grow(r->arena, r->keys, r->room * sizeof(*r->keys), room * sizeof(*r->keys));
        r->room = room;
    }
    r->keys[r->count].at = at;
    r->keys[r->count++].length = end - at;
}

/* A key of a sign and a name. */
static void add_named(struct reading *r, char sign, const char *name, size_t length)
{
    size_t at = r->text.length;
    buffer_char(&r->text, '\n');
    buffer_char(&r->text, sign);
    buffer_add(&r->text, name, length);
    buffer_char(&r->text, '\n');
    note_key(r, at, r->text.length);
}

static void add_id(struct reading *r, uint64_t id)
{
    const char *text = id_text(r->arena, id);
    add_named(r, '=', text, strlen(text));
}

/* Each word, and each two signs side by side: a sign alone stands in too many posts. */
static void note_words(struct reading *r, const char *text)
{
    struct words w = words_split(r->arena, text, strlen(text), strlen(text));
    size_t before = r->text.length;
    buffer_char(&r->text, '\n');
    for (size_t i = 0; i < w.count; i++) {
        bool is_pair = i > 0 && w.items[i].is_sign && w.items[i - 1].is_sign;
        size_t start = r->text.length - 1;
        buffer_add(&r->text, w.items[i].text, w.items[i].length);
        buffer_char(&r->text, '\n');
        note_key(r, start, r->text.length);
        if (is_pair) {
            note_key(r, before, r->text.length);
        }
        before = start;
    }
}

static void add_entities(struct reading *r, const char *text)
{
    struct entity_scan s = entity_scan_start(text, strlen(text));
    struct entity e;
    while (entity_scan_next(&s, &e)) {
        if (e.kind == ENTITY_LINK) {
            continue;
        }
        const char *name = entity_scan_fold(e.name, e.name_length, arena_alloc(r->arena, e.name_length + 1));
        add_named(r, e.kind == ENTITY_TAG ? '#' : '@', name, e.name_length);
        if (e.kind == ENTITY_MENTION) {
            add_named(r, '~', name, e.name_length);
        }
    }
}

static void add_people(struct reading *r, const struct post *p)
{
    const char *name = p->author.name ? p->author.name : "";
    add_id(r, p->author.id);
    add_named(r, '~', text_fold(name, arena_alloc(r->arena, strlen(name) + 1)), strlen(name));
    for (size_t i = 0; i < p->mention_count; i++) {
        add_id(r, p->mentions[i].uid);
    }
}

static void add_place(struct reading *r, const char *place, struct match_post *out)
{
    struct place_parts parts = place_parts(r->arena, place);
    out->has_place =
        place_degrees(parts.latitude, 90, &out->latitude) && place_degrees(parts.longitude, 180, &out->longitude);
    for (unsigned level = 0; level < MATCH_LEVELS && out->has_place; level++) {
        size_t at = r->text.length;
        buffer_text(&r->text, match_cell_key(r->arena, match_cell_at(level, out->latitude, out->longitude)));
        note_key(r, at, r->text.length);
    }
}

/* Ids are made of time and place; what is made of all their bits falls into each hundredth equally often. */
static unsigned part_of(uint64_t id)
{
    id = (id ^ id >> 30) * 0xBF58476D1CE4E5B9u;
    id = (id ^ id >> 27) * 0x94D049BB133111EBu;
    return (unsigned)((id ^ id >> 31) % MATCH_PARTS);
}

void match_post_read(struct arena *a, const struct post *p, struct match_post *out)
{
    struct reading r = {.arena = a, .text = buffer_make(a)};
    *out = (struct match_post){.count = 0};
    add_named(&r, '*', "", 0);
    const char *part = arena_printf(a, "%u", part_of(p->id));
    add_named(&r, '%', part, strlen(part));
    note_words(&r, p->spoiler ? p->spoiler : "");
    note_words(&r, p->text);
    add_entities(&r, p->text);
    add_people(&r, p);
    add_place(&r, p->place ? p->place : "", out);
    struct match_key *keys = arena_alloc(a, r.count * sizeof(*keys));
    for (size_t i = 0; i < r.count; i++) {
        keys[i] = (struct match_key){r.text.data + r.keys[i].at, r.keys[i].length};
    }
    out->text = buffer_string(&r.text);
    out->keys = keys;
    out->count = r.count;
}

bool match_post_has(const struct match_post *p, const char *keys)
{
    return strstr(p->text, keys) != NULL;
}

const char *match_words(struct arena *a, const struct words *words)
{
    struct buffer out = buffer_make(a);
    buffer_char(&out, '\n');
    for (size_t i = 0; i < words->count; i++) {
        buffer_add(&out, words->items[i].text, words->items[i].length);
        buffer_char(&out, '\n');
    }
    return buffer_string(&out);
}

struct match_cell match_cell_at(unsigned level, int64_t latitude, int64_t longitude)
{
    int64_t x = ((longitude + WORLD / 2) << level) / WORLD, y = ((latitude + WORLD / 4) << level) / WORLD;
    return (struct match_cell){level, x, y};
}

const char *match_cell_key(struct arena *a, struct match_cell cell)
{
    return arena_printf(a, "\n+%u/%lld/%lld\n", cell.level, (long long)cell.x, (long long)cell.y);
}
