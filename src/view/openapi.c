/* openapi.c - see openapi.h. */
#include "view/openapi.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "http/area.h"
#include "view/entity_table.h"
#include "view/put.h"

#define JSON_TYPE "application/json"

static yyjson_mut_val *object_in(const struct entity_context *c, yyjson_mut_val *parent, const char *key)
{
    yyjson_mut_val *found = yyjson_mut_obj_get(parent, key);
    return found ? found : yyjson_mut_obj_add_obj(c->doc, parent, key);
}

/* --- types --------------------------------------------------------------------------------------------------------- */

static void put_nothing(const struct entity_context *c, yyjson_mut_val *list)
{
    yyjson_mut_arr_append(list, yyjson_mut_obj(c->doc));
    put_text(c, yyjson_mut_arr_get_last(list), "type", "null");
}

/* One of several words, or a simple type, or an entity. */
static void put_plain_type(const struct entity_context *c, yyjson_mut_val *o, const char *type)
{
    if (strchr(type, '|')) {
        put_text(c, o, "type", "string");
        yyjson_mut_val *words = yyjson_mut_obj_add_arr(c->doc, o, "enum");
        char *rest = arena_dup(c->arena, type);
        for (char *word; (word = strtok_r(rest, "|", &rest));) {
            yyjson_mut_arr_add_str(c->doc, words, word);
        }
        return;
    }
    for (const struct entity_word *w = entity_words; w->name; w++) {
        if (strcmp(w->name, type) == 0) {
            const char *const pairs[][2] = {{"type", w->type}, {"format", w->format}, {"pattern", w->pattern}};
            for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
                if (pairs[i][1]) {
                    put_text(c, o, pairs[i][0], pairs[i][1]);
                }
            }
            return;
        }
    }
    put_text(c, o, "$ref", arena_printf(c->arena, "#/components/schemas/%s", type));
}

/* The schema of a type as the tables write it, without "~". */
static yyjson_mut_val *schema_of(const struct entity_context *c, const char *type)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc), *schema = o;
    size_t length = strlen(type);
    if (length && type[length - 1] == '?') {
        yyjson_mut_val *either = yyjson_mut_obj_add_arr(c->doc, o, "anyOf");
        schema = yyjson_mut_arr_add_obj(c->doc, either);
        put_nothing(c, either);
        length--;
    }
    if (length > 1 && type[0] == '[') {
        put_text(c, schema, "type", "array");
        put_value(c, schema, "items", schema_of(c, arena_dup_n(c->arena, type + 1, length - 2)));
    } else {
        put_plain_type(c, schema, arena_dup_n(c->arena, type, length));
    }
    return o;
}

static const struct entity_shape *shape_of(const char *name)
{
    const struct entity_shape *s = entity_shapes;
    while (s->name && strcmp(s->name, name) != 0) {
        s++;
    }
    return s;
}

static void put_schema_fields(const struct entity_context *c, const struct entity_shape *shape,
                              yyjson_mut_val *properties, yyjson_mut_val *required)
{
    char *rest = arena_dup(c->arena, shape->fields);
    for (char *field; (field = strtok_r(rest, " ", &rest));) {
        char *type = strrchr(field, ':'); /* some names have colons, no type has */
        *type++ = '\0';
        if (type[0] != '~') {
            yyjson_mut_arr_add_str(c->doc, required, field);
        }
        put_value(c, properties, field, schema_of(c, type + (type[0] == '~')));
    }
}

static void put_schemas(const struct entity_context *c, yyjson_mut_val *components)
{
    yyjson_mut_val *schemas = object_in(c, components, "schemas");
    for (const struct entity_shape *s = entity_shapes; s->name; s++) {
        yyjson_mut_val *o = object_in(c, schemas, s->name);
        put_text(c, o, "type", "object");
        yyjson_mut_val *properties = object_in(c, o, "properties");
        yyjson_mut_val *required = yyjson_mut_arr(c->doc);
        if (s->extends) {
            put_schema_fields(c, shape_of(s->extends), properties, required);
        }
        put_schema_fields(c, s, properties, required);
        put_value(c, o, "required", required);
        put_bool(c, o, "additionalProperties", false);
    }
}

/* --- requests ------------------------------------------------------------------------------------------------------ */

/* "/a/{id}" of "/a/:id". */
static const char *path_of(const struct entity_context *c, const char *pattern)
{
    struct buffer b = buffer_make(c->arena);
    while (*pattern) {
        size_t plain = strcspn(pattern, ":*");
        buffer_add(&b, pattern, plain);
        pattern += plain;
        if (*pattern) {
            size_t name = strcspn(++pattern, "/");
            buffer_printf(&b, "{%.*s}", (int)name, pattern);
            pattern += name;
        }
    }
    return buffer_string(&b);
}

static yyjson_mut_val *parameter_schema(const struct entity_context *c, const struct http_parameter *p)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_text(c, o, "type", p && p->type == HTTP_NUMBER ? "integer" : "string");
    if (p && p->type == HTTP_NUMBER) {
        put_count(c, o, "minimum", p->min);
        put_count(c, o, "maximum", p->max);
    } else if (p && p->type == HTTP_ID) {
        put_text(c, o, "pattern", "^[0-9]+$");
    }
    return o;
}

/* What a request may say: into `parameters` for what stands in the address, into `body` for the rest. */
struct request_parts {
    const struct entity_context *c;
    const char *pattern;
    bool has_body;
    yyjson_mut_val *parameters, *properties, *required;
};

static bool is_in_path(const char *pattern, const char *name)
{
    size_t length = strlen(name);
    for (const char *p = pattern; (p = strpbrk(p, ":*"));) {
        p++;
        if (strncmp(p, name, length) == 0 && (p[length] == '/' || p[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* `declared`: NULL for one that the handler forgives. */
static void put_input(struct request_parts *r, const char *name, const struct http_parameter *declared)
{
    const struct entity_context *c = r->c;
    bool in_path = is_in_path(r->pattern, name), required = in_path || (declared && declared->required);
    if (r->has_body && !in_path) {
        yyjson_mut_val *schema = parameter_schema(c, declared);
        if (declared) {
            put_text(c, schema, "description", declared->help);
        }
        put_value(c, r->properties, name, schema);
        if (required) {
            yyjson_mut_arr_add_str(c->doc, r->required, name);
        }
        return;
    }
    yyjson_mut_val *o = yyjson_mut_arr_add_obj(c->doc, r->parameters);
    put_text(c, o, "name", name);
    put_text(c, o, "in", in_path ? "path" : "query");
    put_bool(c, o, "required", required);
    if (declared) {
        put_text(c, o, "description", declared->help);
    }
    put_value(c, o, "schema", parameter_schema(c, declared));
}

static bool is_declared(const struct http_route *route, const char *name)
{
    for (size_t i = 0; i < HTTP_PARAMETER_SETS && route->parameters[i]; i++) {
        for (const struct http_parameter *p = route->parameters[i]; p->name; p++) {
            if (strcmp(p->name, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void put_inputs(struct request_parts *r, const struct http_route *route)
{
    for (size_t i = 0; i < HTTP_PARAMETER_SETS && route->parameters[i]; i++) {
        for (const struct http_parameter *p = route->parameters[i]; p->name; p++) {
            put_input(r, p->name, p);
        }
    }
    const struct entity_context *c = r->c;
    for (const char *p = route->path; (p = strpbrk(p, ":*"));) {
        const char *name = arena_dup_n(c->arena, p + 1, strcspn(p + 1, "/"));
        if (!is_declared(route, name)) {
            put_input(r, name, NULL);
        }
        p++;
    }
    char *rest = arena_dup(c->arena, route->forgiven ? route->forgiven : "");
    for (char *name; (name = strtok_r(rest, " ", &rest));) {
        put_input(r, name, NULL);
    }
}

static void put_body(struct request_parts *r, yyjson_mut_val *operation, const struct http_route *route)
{
    static const struct {
        unsigned kind;
        const char *type;
    } kinds[] = {{HTTP_JSON, JSON_TYPE},
                 {HTTP_FORM, "application/x-www-form-urlencoded"},
                 {HTTP_MULTIPART, "multipart/form-data"}};
    const struct entity_context *c = r->c;
    if (yyjson_mut_obj_size(r->properties) == 0) {
        return;
    }
    yyjson_mut_val *content = object_in(c, object_in(c, operation, "requestBody"), "content");
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if ((route->bodies ? route->bodies : HTTP_FORM) & kinds[i].kind) {
            yyjson_mut_val *schema = object_in(c, object_in(c, content, kinds[i].type), "schema");
            put_text(c, schema, "type", "object");
            put_value(c, schema, "properties", yyjson_mut_val_mut_copy(c->doc, r->properties));
            put_value(c, schema, "required", yyjson_mut_val_mut_copy(c->doc, r->required));
        }
    }
}

/* --- operations ---------------------------------------------------------------------------------------------------- */

static void put_answer(const struct entity_context *c, yyjson_mut_val *responses, const char *status, const char *what,
                       yyjson_mut_val *schema)
{
    yyjson_mut_val *o = object_in(c, responses, status);
    put_text(c, o, "description", what);
    if (schema) {
        put_value(c, object_in(c, object_in(c, o, "content"), JSON_TYPE), "schema", schema);
    }
}

/* Scopes of the route, any of which is enough; for anybody, also none. */
static void put_security(const struct entity_context *c, yyjson_mut_val *operation, const struct http_route *route)
{
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(c->doc, operation, "security");
    if (route->who == WHO_ANYONE) {
        yyjson_mut_arr_add_obj(c->doc, list);
    }
    char *rest = arena_dup(c->arena, route->scopes ? route->scopes : "");
    bool any = false;
    for (char *scope; (scope = strtok_r(rest, " ", &rest)); any = true) {
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(c->doc, list);
        yyjson_mut_arr_add_str(c->doc, yyjson_mut_obj_add_arr(c->doc, one, "token"), scope);
    }
    if (!any && route->who != WHO_ANYONE) {
        yyjson_mut_obj_add_arr(c->doc, yyjson_mut_arr_add_obj(c->doc, list), "token");
    }
}

static void put_operation(const struct entity_context *c, yyjson_mut_val *path, const struct http_route *route,
                          unsigned method)
{
    static const struct {
        unsigned method;
        const char *name;
    } names[] = {
        {HTTP_GET, "get"}, {HTTP_POST, "post"}, {HTTP_PUT, "put"}, {HTTP_PATCH, "patch"}, {HTTP_DELETE, "delete"}};
    size_t i = 0;
    while (names[i].method != method) {
        i++;
    }
    yyjson_mut_val *o = object_in(c, path, names[i].name), *responses;
    put_text(c, o, "summary", route->help);
    struct request_parts r = {.c = c,
                              .pattern = route->path,
                              .has_body = method & (HTTP_POST | HTTP_PUT | HTTP_PATCH),
                              .parameters = yyjson_mut_arr(c->doc),
                              .properties = yyjson_mut_obj(c->doc),
                              .required = yyjson_mut_arr(c->doc)};
    put_inputs(&r, route);
    put_value(c, o, "parameters", r.parameters);
    put_body(&r, o, route);
    put_security(c, o, route);
    responses = object_in(c, o, "responses");
    put_answer(c, responses, "200", "it is done", route->answer ? schema_of(c, route->answer) : NULL);
    put_answer(c, responses, "default", "why it is not", schema_of(c, "Error"));
}

static void put_paths(const struct entity_context *c, yyjson_mut_val *paths, const struct http_area *area)
{
    for (const struct http_route *const *table = area->tables; *table; table++) {
        for (const struct http_route *route = *table; route->path; route++) {
            for (unsigned method = HTTP_GET; method <= HTTP_DELETE; method <<= 1) {
                if (route->methods & method) {
                    put_operation(c, object_in(c, paths, path_of(c, route->path)), route, method);
                }
            }
        }
    }
}

static void put_scheme(const struct entity_context *c, yyjson_mut_val *components)
{
    yyjson_mut_val *token = object_in(c, object_in(c, components, "securitySchemes"), "token");
    put_text(c, token, "type", "oauth2");
    yyjson_mut_val *flow = object_in(c, object_in(c, token, "flows"), "authorizationCode");
    put_text(c, flow, "authorizationUrl", arena_printf(c->arena, "%s/oauth/authorize", c->origin));
    put_text(c, flow, "tokenUrl", arena_printf(c->arena, "%s/oauth/token", c->origin));
    put_value(c, flow, "scopes", yyjson_mut_obj(c->doc));
}

yyjson_mut_val *openapi(const struct entity_context *c, const struct http_area *const *areas, const char *name)
{
    yyjson_mut_val *o = yyjson_mut_obj(c->doc);
    put_text(c, o, "openapi", "3.1.0");
    yyjson_mut_val *info = object_in(c, o, "info");
    put_text(c, info, "title", name);
    put_text(c, info, "version", RETWIS_VERSION);
    put_text(c, info, "description",
             "Mastodon's client API, as far as this server has it. Ids are strings of digits and grow with time. "
             "Bodies may be "
             "JSON, forms or multipart forms; lists are paged by the Link header.");
    put_text(c, yyjson_mut_arr_add_obj(c->doc, yyjson_mut_obj_add_arr(c->doc, o, "servers")), "url", c->origin);
    yyjson_mut_val *paths = object_in(c, o, "paths");
    for (; *areas; areas++) {
        if ((*areas)->credential == HTTP_BEARER) {
            put_paths(c, paths, *areas);
        }
    }
    yyjson_mut_val *components = object_in(c, o, "components");
    put_scheme(c, components);
    put_schemas(c, components);
    return o;
}
