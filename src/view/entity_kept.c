/* entity_kept.c - see entity_kept.h. One thread at a time per context.
 *
 * A post is written as {"account":A,B,"reblog":C,D}: A its author, B the rest that is the same for everybody, C the post
 * that it boosts or null, D the viewer's. A and B are kept, each by itself: few people write most of what is read.
 */
#include "view/entity_kept.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/kept.h"
#include "base/panic.h"
#include "social/people/user_numbers.h"
#include "social/posts/post.h"
#include "view/entity_filter.h"
#include "view/entity_whole.h"
#include "view/json.h"
#include "view/post_key.h"

/* A text that is kept. */
struct text {
    size_t length;
    char bytes[];
};

/* What a key begins with: of which kind it is, by an address that nothing else has. */
static const char kind_account, kind_status;

/* The text of a key: kept, or made of it. */
static void put_kept(struct buffer *out, struct arena *a, struct kept *kept, const struct buffer *key,
                     void (*make)(struct buffer *out, struct arena *a, const char *key))
{
    struct text *found = kept_find(kept, key->data, key->length);
    if (!found) {
        struct buffer made = buffer_make(a);
        make(&made, a, key->data);
        if (!kept) {
            buffer_add(out, made.data, made.length);
            return;
        }
        found = kept_room(key->data, key->length, sizeof(*found) + made.length);
        found->length = made.length;
        memcpy(found->bytes, made.data, made.length);
        kept_add(kept, found);
    }
    buffer_add(out, found->bytes, found->length);
    kept_release(found);
}

static struct buffer new_key(struct arena *a, const char *kind)
{
    struct buffer key = buffer_make(a);
    buffer_add(&key, &kind, sizeof(kind));
    return key;
}

static void write_value(struct buffer *out, const struct entity_context *c, yyjson_mut_val *value)
{
    yyjson_mut_doc_set_root(c->doc, value);
    view_json(out, c->doc);
}

/* --- the author ---------------------------------------------------------------------------------------------------- */

struct account_head {
    uint64_t id, day; /* the day of his newest post; 0: he has none, or it is not known */
    struct user_counts counts;
    bool is_locked, is_bot, is_discoverable, is_indexable, hides_people;
    enum user_state state;
};

static void make_account(struct buffer *out, struct arena *a, const char *key)
{
    struct account_head head;
    memcpy(&head, key + sizeof(void *), sizeof(head));
    const char *at = key + sizeof(void *) + sizeof(head);
    struct entity_context c = {.arena = a, .doc = view_doc(a), .origin = key_text_take(&at)};
    const struct user_numbers n = {head.counts, head.day ? id_of_ms(head.day * CLOCK_DAY_MS) : 0};
    struct user u = {.id = head.id,
                     .is_locked = head.is_locked,
                     .is_bot = head.is_bot,
                     .is_discoverable = head.is_discoverable,
                     .is_indexable = head.is_indexable,
                     .hides_people = head.hides_people,
                     .state = head.state,
                     .numbers = &n};
    u.name = key_text_take(&at);
    u.display = key_text_take(&at);
    u.bio = key_text_take(&at);
    u.profile_fields = key_text_take(&at);
    write_value(out, &c, entity_account_whole(&c, &u, NULL, 0));
}

static void write_author(struct buffer *out, const struct entity_context *c, struct kept *kept, const struct post *p)
{
    const struct user *u = &p->author;
    struct buffer key = new_key(c->arena, &kind_account);
    struct account_head head;
    memset(&head, 0, sizeof(head)); /* also what is between its members */
    head.id = u->id;
    if (u->numbers) {
        head.day = id_ms(u->numbers->last_post) / CLOCK_DAY_MS;
        head.counts = u->numbers->counts;
    }
    head.is_locked = u->is_locked;
    head.is_bot = u->is_bot;
    head.is_discoverable = u->is_discoverable;
    head.is_indexable = u->is_indexable;
    head.hides_people = u->hides_people;
    head.state = u->state;
    buffer_add(&key, &head, sizeof(head));
    const char *const texts[] = {c->origin, u->name, u->display, u->bio, u->profile_fields};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        key_text_add(&key, texts[i]);
    }
    put_kept(out, c->arena, kept, &key, make_account);
}

/* --- the post ------------------------------------------------------------------------------------------------------ */

static void make_status(struct buffer *out, struct arena *a, const char *key)
{
    struct entity_context c = {.arena = a, .doc = view_doc(a)};
    const struct post p = post_key_read(key + sizeof(void *), &c);
    yyjson_mut_val *o = entity_status_rest(&c, &p);
    yyjson_mut_obj_remove_key(o, "reblog");
    struct buffer text = buffer_make(a);
    write_value(&text, &c, o);
    require(text.length > 2);
    buffer_add(out, text.data + 1, text.length - 2); /* without its braces */
}

static void put_rest(struct buffer *out, const struct entity_context *c, struct kept *kept, const struct post *p)
{
    struct buffer key = new_key(c->arena, &kind_status), made_of = post_key(c, p);
    buffer_add(&key, made_of.data, made_of.length);
    put_kept(out, c->arena, kept, &key, make_status);
}

static const char *word(bool is)
{
    return is ? "true" : "false";
}

/* What the viewer did with it, and which of his filters it meets. */
static void put_marks(struct buffer *out, const struct entity_context *c, const struct post *p)
{
    const struct post_marks *m = &p->marks;
    buffer_printf(out, ",\"favourited\":%s,\"reblogged\":%s,\"muted\":%s,\"bookmarked\":%s,\"pinned\":%s,\"filtered\":",
                  word(m->is_favourited), word(m->is_boosted), word(m->is_quiet), word(m->is_bookmarked),
                  word(m->is_pinned));
    if (p->filtered) {
        struct entity_context own = *c;
        own.doc = view_doc(c->arena);
        write_value(out, &own, entity_filtered(&own, p));
    } else {
        buffer_text(out, "[]");
    }
}

static void write_status(struct buffer *out, const struct entity_context *c, struct kept *kept, const struct post *p)
{
    struct post own = entity_status_words(p);
    buffer_text(out, "{\"account\":");
    write_author(out, c, kept, p);
    buffer_char(out, ',');
    put_rest(out, c, kept, &own);
    buffer_text(out, ",\"reblog\":");
    if (p->boosted) {
        write_status(out, c, kept, p->boosted);
    } else {
        buffer_text(out, "null");
    }
    if (c->viewer) {
        put_marks(out, c, &own);
    }
    buffer_char(out, '}');
}

yyjson_mut_val *entity_status_kept(const struct entity_context *c, struct kept *kept, const struct post *p)
{
    struct buffer text = buffer_make(c->arena);
    write_status(&text, c, kept, p);
    return yyjson_mut_rawn(c->doc, text.data, text.length);
}
