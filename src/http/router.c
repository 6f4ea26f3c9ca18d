/* router.c - see router.h.
 *
 * The tree has one level per segment. A node's children stand in the order in which they are tried: literals,
 * parameters with a longer literal prefix, bare parameters, the rest of the path. A request compares its segments with
 * the children of the few nodes on its way, lengths before bytes, and not with every route. Where a branch turns out to
 * lead nowhere, the walk goes back and tries the next.
 *
 * Not here: what a parameter may look like (parameter.c), and who may call (dispatch.c).
 */
#include "http/router.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/panic.h"
#include "http/pairs.h"

#define MAX_VARIABLES 8

struct entry {
    const struct http_route *route;
    struct entry *next;
};

struct node {
    const char *text; /* literal segment, or literal prefix of a parameter; not NUL-terminated */
    size_t length;
    const char *name; /* of the parameter; NULL in a literal */
    bool rest;
    struct entry *entries; /* routes that end here, in table order */
    struct node *children;
    struct node *next;
};

struct router {
    struct arena *arena;
    struct node root;
};

/* --- building ------------------------------------------------------------------------------------------------------ */

static struct node *node_of(struct arena *a, const char *segment, size_t length)
{
    struct node *n = arena_zero(a, sizeof(*n));
    n->text = segment;
    n->length = length;
    const char *mark = memchr(segment, ':', length);
    if (segment[0] == '*') {
        n->rest = true;
        mark = segment;
    }
    if (mark) {
        n->length = (size_t)(mark - segment);
        n->name = arena_dup_n(a, mark + 1, length - n->length - 1);
        require(n->name[0] != '\0');
    }
    return n;
}

static bool same(const struct node *a, const struct node *b)
{
    return a->rest == b->rest && a->length == b->length && memcmp(a->text, b->text, a->length) == 0 &&
           (a->name == b->name || (a->name && b->name && strcmp(a->name, b->name) == 0));
}

static int rank(const struct node *n)
{
    return n->rest ? 2 : n->name ? 1 : 0;
}

static bool node_before(const struct node *a, const struct node *b)
{
    return rank(a) != rank(b) ? rank(a) < rank(b) : rank(a) == 1 && a->length > b->length;
}

/* The child of parent for this segment, made if there is none. */
static struct node *child_of(struct arena *a, struct node *parent, const char *segment, size_t length)
{
    struct node *fresh = node_of(a, segment, length);
    struct node **place = &parent->children;
    for (struct node *n = parent->children; n; n = n->next) {
        if (same(n, fresh)) {
            return n;
        }
        if (!node_before(fresh, n)) {
            place = &n->next;
        }
    }
    fresh->next = *place;
    *place = fresh;
    return fresh;
}

static void add_route(struct router *r, const struct http_route *route)
{
    require(route->path[0] == '/' && route->methods != 0 && route->handler);
    struct node *n = &r->root;
    unsigned variables = 0;
    for (const char *p = route->path + 1; *p;) {
        size_t length = strcspn(p, "/");
        require(length > 0 && !n->rest);
        n = child_of(r->arena, n, p, length);
        variables += n->name != NULL;
        p += length;
        p += *p == '/';
    }
    require(variables <= MAX_VARIABLES);
    struct entry **last = &n->entries;
    while (*last) {
        last = &(*last)->next;
    }
    *last = arena_zero(r->arena, sizeof(**last));
    (*last)->route = route;
}

struct router *router_new(const struct http_route *const *tables)
{
    struct router *r = mem_zero(1, sizeof(*r));
    r->arena = arena_new();
    for (; *tables; tables++) {
        for (const struct http_route *route = *tables; route->path; route++) {
            add_route(r, route);
        }
    }
    return r;
}

void router_free(struct router *r)
{
    if (r) {
        arena_free(r->arena);
        free(r);
    }
}

/* --- finding ------------------------------------------------------------------------------------------------------- */

struct binding {
    const char *name;
    const char *value;
    size_t length;
};

struct search {
    unsigned method;
    const struct http_route *route;
    unsigned allowed;
    struct binding bindings[MAX_VARIABLES];
    size_t depth; /* bindings on the way to the node in hand */
};

static unsigned methods_of(const struct http_route *route)
{
    return route->methods | (route->methods & HTTP_GET ? HTTP_HEAD : 0u) | HTTP_OPTIONS;
}

static bool router_take(struct search *s, const struct node *n)
{
    for (const struct entry *e = n->entries; e; e = e->next) {
        s->allowed |= methods_of(e->route);
        if (e->route->methods & s->method) {
            s->route = e->route;
            return true;
        }
    }
    return false;
}

static bool router_walk(struct search *s, const struct node *n, const char *path);

static bool try_child(struct search *s, const struct node *n, const char *path, size_t length, const char *after)
{
    if (!n->name) {
        return n->length == length && memcmp(n->text, path, length) == 0 && router_walk(s, n, after);
    }
    if (length <= n->length || memcmp(n->text, path, n->length) != 0) {
        return false;
    }
    const char *value = path + n->length;
    s->bindings[s->depth++] = (struct binding){n->name, value, n->rest ? strlen(value) : length - n->length};
    if (n->rest ? router_take(s, n) : router_walk(s, n, after)) {
        return true;
    }
    s->depth--;
    return false;
}

static bool router_walk(struct search *s, const struct node *n, const char *path)
{
    if (*path == '\0') {
        return router_take(s, n);
    }
    size_t length = strcspn(path, "/");
    const char *after = path + length + (path[length] == '/');
    for (const struct node *child = n->children; child; child = child->next) {
        if (try_child(s, child, path, length, after)) {
            return true;
        }
    }
    return false;
}

struct router_match router_find(const struct router *r, struct arena *a, enum http_method method, const char *path)
{
    struct search s = {.method = method == HTTP_HEAD ? HTTP_GET : method};
    struct router_match match = {0};
    router_walk(&s, &r->root, path + (path[0] == '/'));
    match.route = s.route;
    match.allowed = s.allowed;
    for (size_t i = 0; s.route && i < s.depth; i++) {
        pairs_add(a, &match.variables, s.bindings[i].name, arena_dup_n(a, s.bindings[i].value, s.bindings[i].length));
    }
    return match;
}

const char *router_allow(struct arena *a, unsigned methods)
{
    static const struct {
        unsigned method;
        const char *name;
    } names[] = {{HTTP_GET, "GET"},     {HTTP_HEAD, "HEAD"},     {HTTP_POST, "POST"},      {HTTP_PUT, "PUT"},
                 {HTTP_PATCH, "PATCH"}, {HTTP_DELETE, "DELETE"}, {HTTP_OPTIONS, "OPTIONS"}};
    struct buffer b = buffer_make(a);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (methods & names[i].method) {
            buffer_text(&b, b.length ? ", " : "");
            buffer_text(&b, names[i].name);
        }
    }
    return buffer_string(&b);
}
