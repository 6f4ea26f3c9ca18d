/* markers.c - how far one has read (social/notices/marker.h), said by one device to the next. Connection threads. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "base/arena.h"
#include "base/clock.h"
#include "social/notices/marker.h"

#define DIGITS_MOST 18 /* of an id; scripts take it as a signed number */

static void put_marker(struct api *c, yyjson_mut_val *root, enum marker_of what, const struct marker *m)
{
    yyjson_mut_doc *doc = c->entity.doc;
    yyjson_mut_val *o = yyjson_mut_obj_add_obj(doc, root, marker_word(what));
    char *updated = arena_alloc(c->arena, CLOCK_ISO_SIZE);
    clock_iso(m->updated_ms, updated);
    yyjson_mut_obj_add_str(doc, o, "last_read_id", arena_printf(c->arena, "%llu", (unsigned long long)m->last));
    yyjson_mut_obj_add_uint(doc, o, "version", m->version);
    yyjson_mut_obj_add_str(doc, o, "updated_at", updated);
}

/* Whether timeline[] names it. */
static bool is_asked(const struct api *c, enum marker_of what)
{
    size_t count;
    const char *const *named = api_texts(c, "timeline", &count);
    bool is = false;
    for (size_t i = 0; i < count; i++) {
        is |= strcmp(named[i], marker_word(what)) == 0;
    }
    return is;
}

static void api_markers(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct markers *all = markers_ask(c.visit);
    if (!api_read(&c)) {
        return;
    }
    yyjson_mut_val *o = yyjson_mut_obj(c.entity.doc);
    for (int i = 0; i < MARKERS_OF; i++) {
        if (all->of[i].last && is_asked(&c, (enum marker_of)i)) {
            put_marker(&c, o, (enum marker_of)i, &all->of[i]);
        }
    }
    api_answer(&c, o);
}

/* False: what was sent is no id, and that was answered. */
static bool read_markers(struct api *c, struct markers *out)
{
    *out = (struct markers){0};
    for (int i = 0; i < MARKERS_OF; i++) {
        const char *sent = api_text(c, arena_printf(c->arena, "%s[last_read_id]", marker_word((enum marker_of)i)));
        size_t digits = sent ? strspn(sent, "0123456789") : 0;
        if (sent && (sent[digits] || digits > DIGITS_MOST)) {
            api_error(c, ERR_INVALID, "Validation failed: last_read_id is an id");
            return false;
        }
        out->of[i].last = sent ? strtoull(sent, NULL, 10) : 0;
    }
    return true;
}

static void api_markers_set(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct markers sent;
    api_begin(&c, req, resp);
    const struct actor by = api_actor(&c);
    if (!read_markers(&c, &sent)) {
        return;
    }
    enum err e = marker_set(c.site->social, c.arena, &by, &sent);
    if (e != ERR_OK) {
        api_error(&c, e, NULL);
        return;
    }
    yyjson_mut_val *o = yyjson_mut_obj(c.entity.doc);
    for (int i = 0; i < MARKERS_OF; i++) {
        if (sent.of[i].last) {
            put_marker(&c, o, (enum marker_of)i, &sent.of[i]);
        }
    }
    api_answer(&c, o);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_markers[] = {
    {HTTP_GET, "/api/v1/markers", api_markers, WHO_MEMBER, .forgiven = "timeline[]", .scopes = "read:statuses",
     .answer = "Markers", .help = "how far one has read"},
    {HTTP_POST, "/api/v1/markers", api_markers_set, WHO_MEMBER, .forgiven = "home[last_read_id] notifications[last_read_id]",
     .bodies = API_BODIES, .scopes = "write:statuses", .answer = "Markers", .help = "notes how far one has read"},
    {0},
};
/* clang-format on */
