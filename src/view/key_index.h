/* key_index.h - the keys of a JSON object by hash, for an object that is asked for many of them. Private to view/.
 *
 * A hash table with open addressing, at most half full however many keys there are. Its memory is used again for the
 * next object if that has no more keys than any before. Threads: one.
 */
#ifndef VIEW_KEY_INDEX_H
#define VIEW_KEY_INDEX_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <yyjson.h>

struct arena;

struct key_index {
    yyjson_mut_val **slots; /* keys; NULL: a free slot. The next one is tried when a slot is taken */
    size_t capacity;        /* of the memory */
    size_t mask;            /* slots in use now, less one: they are a power of two */
};

/* All bytes of a key of up to 16 count, of a longer one the first 8 and the last 8. */
static inline size_t key_index_hash(const char *text, size_t length)
{
    uint64_t head = 0, tail = 0;
    if (length >= 8) {
        memcpy(&head, text, 8);
        memcpy(&tail, text + length - 8, 8);
    } else {
        for (size_t i = 0; i < length; i++) {
            head = head << 8 | (unsigned char)text[i];
        }
    }
    uint64_t h = (head + length) * UINT64_C(0x9E3779B97F4A7C15) + tail * UINT64_C(0xC2B2AE3D27D4EB4F);
    h = (h ^ h >> 32) * UINT64_C(0xD6E8FEB86659FD93); /* so that each byte reaches the bits that are used */
    return (size_t)(h >> 32);
}

/* Of an object; the arena is the same every time. If a key is there twice, the first one is found. */
void key_index_make(struct key_index *x, yyjson_mut_val *object, struct arena *a);

/* The value of a key; NULL if there is none. */
static inline yyjson_mut_val *key_index_find(const struct key_index *x, const char *text, size_t length, size_t hash)
{
    for (size_t slot = hash;; slot++) {
        yyjson_mut_val *key = x->slots[slot & x->mask];
        if (!key || yyjson_mut_equals_strn(key, text, length)) {
            return key ? yyjson_mut_obj_iter_get_val(key) : NULL;
        }
    }
}

#endif
