/* tags.c - see tags.h. Any thread. */
#include "social/posts/tags.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/entity_scan.h"
#include "base/text.h"

#define MOST_TAGS 20
#define TAG_MAX_BYTES 400

bool tags_have(const char *list, const char *tag)
{
    size_t n = strlen(tag), length;
    for (const char *at; (at = text_entry(&list, &length));) {
        if (length == n && memcmp(at, tag, n) == 0) {
            return true;
        }
    }
    return false;
}

const char *tags_next(struct arena *a, const char **tags)
{
    size_t length;
    const char *tag = text_entry(tags, &length);
    return tag ? arena_dup_n(a, tag, length) : NULL;
}

const char *tags_of(struct arena *a, const char *text, size_t length)
{
    struct buffer list = buffer_make(a);
    struct entity_scan scan = entity_scan_start(text, length);
    struct entity e;
    for (unsigned count = 0; count < MOST_TAGS && entity_scan_next(&scan, &e);) {
        if (e.kind != ENTITY_TAG || e.name_length > TAG_MAX_BYTES) {
            continue;
        }
        char tag[TAG_MAX_BYTES + 1];
        entity_scan_fold(e.name, e.name_length, tag);
        if (!tags_have(buffer_string(&list), tag)) {
            buffer_printf(&list, "%s%s", count++ ? "," : "", tag);
        }
    }
    return buffer_string(&list);
}
