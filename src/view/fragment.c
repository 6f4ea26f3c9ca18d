/* fragment.c - see fragment.h. What is kept, and for how long, is kept.h's. Any thread. */
#include "view/fragment.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/kept.h"
#include "base/panic.h"
#include "view/program.h"

#define MARK "\x01"                     /* the key of the item in an object: no template can ask for it */
#define FRAGMENT_MAX ((size_t)64 << 10) /* bytes of one that is kept */

struct fragments {
    struct kept *kept; /* by body and key */
    atomic_uint_least64_t unfit;
};

/* --- items ---------------------------------------------------------------------------------------------------- */

void fragment_mark(yyjson_mut_doc *doc, yyjson_mut_val *object, struct fragment_item *item)
{
    yyjson_mut_obj_add_val(doc, object, MARK, yyjson_mut_rawn(doc, (const char *)item, sizeof(*item)));
}

struct fragment_item *fragment_of(yyjson_mut_val *value)
{
    yyjson_mut_obj_iter members;
    if (!yyjson_mut_obj_iter_init(value, &members)) {
        return NULL;
    }
    yyjson_mut_val *first = yyjson_mut_obj_iter_next(&members);
    if (!first || yyjson_mut_get_str(first)[0] != MARK[0]) {
        return NULL;
    }
    return (struct fragment_item *)(uintptr_t)yyjson_mut_get_raw(yyjson_mut_obj_iter_get_val(first));
}

yyjson_mut_val *fragment_whole(struct fragment_item *item)
{
    if (!item->made) {
        item->made = item->make(item->from, item->of);
    }
    return item->made;
}

/* --- what is kept --------------------------------------------------------------------------------------------- */

struct fragments *fragments_new(size_t bytes)
{
    if (bytes == 0) {
        return NULL;
    }
    struct fragments *s = mem_zero(1, sizeof(*s));
    s->kept = kept_new(bytes);
    return s;
}

void fragments_free(struct fragments *s)
{
    if (s) {
        kept_free(s->kept);
        free(s);
    }
}

/* The body, and what the item is made of. */
static char *full_key(struct arena *a, const struct instruction *body, const struct fragment_item *item, size_t *size)
{
    *size = sizeof(body) + item->key_size;
    char *key = arena_alloc(a, *size);
    memcpy(key, &body, sizeof(body));
    memcpy(key + sizeof(body), item->key, item->key_size);
    return key;
}

const struct instruction *fragment_find(struct fragments *s, struct arena *a, const struct instruction *body,
                                        const struct fragment_item *item)
{
    size_t size;
    const char *key = full_key(a, body, item, &size);
    return kept_find(s->kept, key, size);
}

void fragment_release(const struct instruction *code)
{
    kept_release((void *)(uintptr_t)code);
}

const struct instruction *fragment_keep(struct fragments *s, struct arena *a, const struct instruction *body,
                                        const struct fragment_item *item, const struct instruction *code, size_t count)
{
    size_t size, room = count * sizeof(*code);
    for (size_t i = 0; i < count; i++) {
        room += code[i].op == OP_TEXT ? code[i].length : 0;
    }
    if (room > FRAGMENT_MAX) {
        return NULL;
    }
    const char *key = full_key(a, body, item, &size);
    struct instruction *own = kept_room(key, size, room);
    char *text = (char *)(own + count);
    memcpy(own, code, count * sizeof(*code));
    for (size_t i = 0; i < count; i++) {
        if (own[i].op == OP_TEXT) {
            memcpy(text, code[i].text, code[i].length);
            own[i].text = text;
            text += own[i].length;
        }
    }
    kept_add(s->kept, own);
    return own;
}

void fragments_count(struct fragments *s, struct fragment_numbers *out)
{
    *out = (struct fragment_numbers){.kept = {0}};
    if (s) {
        kept_count(s->kept, &out->kept);
        out->unfit = atomic_load(&s->unfit);
    }
}

void fragments_unfit(struct fragments *s)
{
    atomic_fetch_add(&s->unfit, 1);
}

struct kept *fragments_kept(struct fragments *s)
{
    return s ? s->kept : NULL;
}
