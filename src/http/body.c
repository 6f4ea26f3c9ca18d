/* body.c - see body.h. */
#include "http/body.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "http/area.h"
#include "http/form.h"
#include "http/json_form.h"
#include "http/multipart.h"

static const struct {
    enum http_body kind;
    const char *type;
} kinds[] = {
    {HTTP_FORM, "application/x-www-form-urlencoded"},
    {HTTP_JSON, "application/json"},
    {HTTP_MULTIPART, "multipart/form-data"},
};

static unsigned taken_by(const struct http_route *route)
{
    return route->bodies ? route->bodies : HTTP_FORM;
}

/* The kind that a Content-Type names; 0: none of ours. */
static unsigned kind_of(const char *content_type)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        size_t length = strlen(kinds[i].type);
        if (strncasecmp(content_type, kinds[i].type, length) == 0 && strchr("; \t", content_type[length])) {
            return kinds[i].kind;
        }
    }
    return 0;
}

static const char *what_is_taken(const struct http_request *req)
{
    struct buffer b = buffer_make(req->arena);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (taken_by(req->route) & kinds[i].kind) {
            buffer_printf(&b, "%s%s", b.length ? " or " : "the body must be ", kinds[i].type);
        }
    }
    return buffer_string(&b);
}

static bool is_read(const struct http_request *req, size_t size)
{
    return size > 0 && req->route && (req->method & (HTTP_POST | HTTP_PUT | HTTP_PATCH | HTTP_DELETE));
}

int body_begin(struct body *b, struct http_request *req, size_t size, int64_t most, const char **why)
{
    const char *type = http_header_in(req, "content-type");
    *b = (struct body){.req = req, .size = size};
    b->kind = is_read(req, size) && type ? kind_of(type) : 0;
    most = req->area && req->area->max_body ? req->area->max_body : most;
    bool is_large = b->kind == HTTP_MULTIPART && req->route->max_upload > 0;
    if (size > (size_t)(is_large ? req->route->max_upload : most)) {
        *why = "the body is too large";
        return 413;
    }
    if (is_read(req, size) && !(b->kind & taken_by(req->route))) {
        *why = what_is_taken(req);
        return 415;
    }
    if (b->kind != HTTP_MULTIPART) {
        b->bytes = arena_alloc(req->arena, size + 1);
        return 0;
    }
    b->multipart = multipart_new(req, type, (size_t)most);
    *why = b->multipart ? NULL : "the form's boundary is missing or not well formed";
    return b->multipart ? 0 : 400;
}

char *body_room(struct body *b, size_t *size)
{
    if (b->multipart) {
        return multipart_room(b->multipart, size);
    }
    *size = b->size - b->length;
    return b->bytes + b->length;
}

int body_took(struct body *b, size_t size, const char **why)
{
    b->length += size;
    return b->multipart ? multipart_took(b->multipart, size, why) : 0;
}

int body_end(struct body *b, const char **why)
{
    struct http_pairs *form = &b->req->form;
    *why = NULL;
    switch (b->kind) {
    case HTTP_FORM:
        *why = form_parse(b->req->arena, b->bytes, b->length, form) ? NULL : "the form is not well formed";
        break;
    case HTTP_JSON:
        *why = json_form_parse(b->req->arena, b->bytes, b->length, form) ? NULL : "the JSON is not well formed";
        break;
    case HTTP_MULTIPART:
        return multipart_end(b->multipart, why);
    default:
        break;
    }
    return *why ? 400 : 0;
}
