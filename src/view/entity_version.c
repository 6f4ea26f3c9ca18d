/* entity_version.c - see entity_version.h. One thread at a time per context. */
#include "view/entity_version.h"

#include "base/id.h"
#include "social/posts/post.h"
#include "view/entity_whole.h"
#include "view/put.h"

yyjson_mut_val *entity_version(const struct entity_context *c, const struct post *p, uint64_t since_ms)
{
    static const char *const same[] = {"content", "spoiler_text",      "sensitive",
                                       "account", "media_attachments", "emojis"};
    yyjson_mut_val *status = entity_status_whole(c, p), *o = yyjson_mut_obj(c->doc);
    for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
        put_value(c, o, same[i], yyjson_mut_obj_remove_key(status, same[i]));
    }
    put_time(c, o, "created_at", since_ms);
    return o;
}

yyjson_mut_val *entity_source(const struct entity_context *c, const struct post *p)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_text(c, o, "id", id_text(c->arena, p->id));
    put_text(c, o, "text", p->text);
    put_text(c, o, "spoiler_text", p->spoiler);
    return o;
}
