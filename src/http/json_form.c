/* json_form.c - see json_form.h. */
#include "http/json_form.h"

#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "http/form.h"
#include "http/pairs.h"

struct flattening {
    struct arena *arena;
    struct http_pairs *out;
};

static bool add_value(struct flattening *f, const char *name, yyjson_val *value, unsigned depth);

static const char *json_text(yyjson_val *value)
{
    switch (yyjson_get_type(value)) {
    case YYJSON_TYPE_STR:
        return yyjson_get_str(value);
    case YYJSON_TYPE_RAW: /* a number */
        return yyjson_get_raw(value);
    default:
        return yyjson_is_true(value) ? "true" : "false";
    }
}

static bool add_text(struct flattening *f, const char *name, yyjson_val *value)
{
    const char *text = json_text(value);
    if (f->out->count == FORM_FIELDS || strlen(name) > JSON_FORM_NAME ||
        (yyjson_is_str(value) && strlen(text) != yyjson_get_len(value))) {
        return false;
    }
    pairs_add(f->arena, f->out, name, text);
    return true;
}

/* Whether the member's name is well formed and none of those before it. */
static bool is_new(yyjson_val *object, yyjson_val *key)
{
    size_t length = yyjson_get_len(key);
    return length <= JSON_FORM_NAME && strlen(yyjson_get_str(key)) == length &&
           yyjson_obj_getn(object, yyjson_get_str(key), length) == yyjson_obj_iter_get_val(key);
}

/* `name` NULL: the object that is the body. */
static bool add_object(struct flattening *f, const char *name, yyjson_val *object, unsigned depth)
{
    size_t i, most;
    yyjson_val *key, *value;
    if (yyjson_obj_size(object) > FORM_FIELDS) {
        return false;
    }
    yyjson_obj_foreach(object, i, most, key, value)
    {
        const char *own = yyjson_get_str(key);
        if (!is_new(object, key) ||
            !add_value(f, name ? arena_printf(f->arena, "%s[%s]", name, own) : own, value, depth)) {
            return false;
        }
    }
    return true;
}

static bool add_list(struct flattening *f, const char *name, yyjson_val *list, unsigned depth)
{
    size_t i, most;
    yyjson_val *value;
    const char *each = arena_printf(f->arena, "%s[]", name);
    if (yyjson_arr_size(list) > FORM_FIELDS) {
        return false;
    }
    yyjson_arr_foreach(list, i, most, value)
    {
        bool by_place = yyjson_is_ctn(value);
        if (!add_value(f, by_place ? arena_printf(f->arena, "%s[%zu]", name, i) : each, value, depth)) {
            return false;
        }
    }
    return true;
}

static bool add_value(struct flattening *f, const char *name, yyjson_val *value, unsigned depth)
{
    if (yyjson_is_null(value)) {
        return true;
    }
    if (!yyjson_is_ctn(value)) {
        return add_text(f, name, value);
    }
    if (depth == JSON_FORM_DEPTH) {
        return false;
    }
    return yyjson_is_obj(value) ? add_object(f, name, value, depth + 1) : add_list(f, name, value, depth + 1);
}

bool json_form_parse(struct arena *a, const char *text, size_t length, struct http_pairs *out)
{
    struct flattening f = {a, out};
    yyjson_alc allocator = json_allocator(a);
    yyjson_doc *doc = yyjson_read_opts((char *)text, length, YYJSON_READ_NUMBER_AS_RAW, &allocator, NULL);
    yyjson_val *root = yyjson_doc_get_root(doc);
    return yyjson_is_obj(root) && add_object(&f, NULL, root, 1);
}
