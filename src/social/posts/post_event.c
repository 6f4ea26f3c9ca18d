/* post_event.c - see post_event.h. Any thread. */
#include "social/posts/post_event.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "social/core/event.h"
#include "social/posts/post.h"
#include "social/posts/tags.h"

#define PUBLIC_DIGIT ('0' + VISIBILITY_PUBLIC)
#define UNKNOWN '?'

static const char *event_text(struct arena *a, const char *kind, uint64_t author, char visibility, bool is_boost,
                              const char *tags)
{
    return arena_printf(a, "%s%llu %c%s %s", kind, (unsigned long long)author, visibility, is_boost ? "b" : "", tags);
}

static const char *text_of_post(struct arena *a, const char *kind, const struct post *p)
{
    return event_text(a, kind, p->author.id, (char)('0' + p->visibility), p->boost != 0,
                      p->boost ? "" : tags_of(a, p->text, strlen(p->text)));
}

void post_event_new(struct store_batch *b, struct arena *a, const struct post *p)
{
    event_tell(b, a, EVENT_NEW, p->id, text_of_post(a, "", p));
}

void post_event_edited(struct social *s, struct store_batch *b, struct arena *a, const struct post *p)
{
    event_add_text(s, b, a, EVENT_POST, p->id, text_of_post(a, "e ", p));
}

void post_event_gone(struct social *s, struct store_batch *b, struct arena *a, const struct post *p)
{
    event_add_text(s, b, a, EVENT_POST, p->id, text_of_post(a, "d ", p));
}

void post_event_gone_of(struct social *s, struct store_batch *b, struct arena *a, uint64_t id, uint64_t author,
                        const char *tags)
{
    event_add_text(s, b, a, EVENT_POST, id, event_text(a, "d ", author, UNKNOWN, false, tags));
}

struct post_event post_event_read(bool is_new, const char *text)
{
    struct post_event out = {.kind = is_new ? POST_EVENT_NEW : POST_EVENT_NONE, .tags = ""};
    if (!is_new && text[0] && text[1] == ' ') {
        out.kind = text[0] == 'e' ? POST_EVENT_EDITED : text[0] == 'd' ? POST_EVENT_GONE : POST_EVENT_NONE;
        text += 2;
    }
    char *end;
    out.author = strtoull(text, &end, 10);
    if (end == text || end[0] != ' ' || !end[1]) {
        out.kind = POST_EVENT_NONE;
        return out;
    }
    out.is_boost = end[2] == 'b';
    out.is_public = end[1] == PUBLIC_DIGIT && !out.is_boost;
    const char *tags = strchr(end + 1, ' ');
    out.tags = tags ? tags + 1 : "";
    return out;
}
