/* post_key.c - see post_key.h. */
#include "view/post_key.h"

#include <string.h>

#include "base/arena.h"
#include "social/posts/post.h"

/* clang-format off */
#define KEY_NUMBERS(X) \
    X(id) X(author.id) X(author.is_locked) X(reply_to) X(reply_author) X(reply_count) X(favourite_count)               \
    X(boost_count) X(visibility) X(edited_ms) X(mention_count) X(is_sensitive)
#define KEY_TEXTS(X) \
    X(author.name) X(author.display) X(text) X(reply_name) X(spoiler) X(language) X(place) X(app)
/* clang-format on */

enum {
#define X(member) +1
    KEY_NUMBERS_COUNT = 0 KEY_NUMBERS(X)
#undef X
};

/* What a key begins with; the texts follow, each with its end, then those whom the post mentions. */
struct post_key_head {
    const struct locale *locale;
    uint64_t numbers[KEY_NUMBERS_COUNT];
};

void key_text_add(struct buffer *key, const char *text)
{
    text = text ? text : "";
    buffer_add(key, text, strlen(text) + 1);
}

struct buffer post_key(const struct entity_context *c, const struct post *p)
{
    const struct post_key_head head = {.locale = c->locale,
                                       .numbers = {
#define X(member) (uint64_t) p->member,
                                           KEY_NUMBERS(X)
#undef X
                                       }};
    struct buffer key = buffer_make(c->arena);
    buffer_add(&key, &head, sizeof(head));
    key_text_add(&key, c->origin);
#define X(member) key_text_add(&key, p->member);
    KEY_TEXTS(X)
#undef X
    for (size_t i = 0; i < p->mention_count; i++) {
        buffer_add(&key, &p->mentions[i].uid, sizeof(p->mentions[i].uid));
        key_text_add(&key, p->mentions[i].name);
    }
    return key;
}

const char *key_text_take(const char **at)
{
    const char *text = *at;
    *at += strlen(text) + 1;
    return text;
}

struct post post_key_read(const char *key, struct entity_context *c)
{
    struct post p = {0};
    struct post_key_head head;
    memcpy(&head, key, sizeof(head));
    const char *at = key + sizeof(head);
    c->locale = head.locale;
    c->origin = key_text_take(&at);
    size_t number = 0;
#define X(member) p.member = (__typeof__(p.member))head.numbers[number++];
    KEY_NUMBERS(X)
#undef X
#define X(member) p.member = key_text_take(&at);
    KEY_TEXTS(X)
#undef X
    p.mentions = arena_zero(c->arena, (p.mention_count + 1) * sizeof(*p.mentions));
    for (size_t i = 0; i < p.mention_count; i++) {
        memcpy(&p.mentions[i].uid, at, sizeof(p.mentions[i].uid));
        at += sizeof(p.mentions[i].uid);
        p.mentions[i].name = key_text_take(&at);
    }
    return p;
}
