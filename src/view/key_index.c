/* key_index.c - see key_index.h. */
#include "view/key_index.h"

#include "base/arena.h"

#define SLOTS_MIN 16

/* Makes room for so many keys, all slots free. */
static void clear(struct key_index *x, size_t keys, struct arena *a)
{
    size_t slots = SLOTS_MIN;
    while (slots < keys * 2) {
        slots *= 2;
    }
    if (slots > x->capacity) {
        x->slots = arena_alloc(a, slots * sizeof(*x->slots));
        x->capacity = slots;
    }
    memset(x->slots, 0, slots * sizeof(*x->slots));
    x->mask = slots - 1;
}

void key_index_make(struct key_index *x, yyjson_mut_val *object, struct arena *a)
{
    yyjson_mut_obj_iter i;
    clear(x, yyjson_mut_obj_size(object), a);
    yyjson_mut_obj_iter_init(object, &i);
    for (yyjson_mut_val *key; (key = yyjson_mut_obj_iter_next(&i));) {
        size_t slot = key_index_hash(yyjson_mut_get_str(key), yyjson_mut_get_len(key));
        while (x->slots[slot & x->mask]) {
            slot++;
        }
        x->slots[slot & x->mask] = key;
    }
}
