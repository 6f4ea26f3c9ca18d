/* pairs.c - see pairs.h; and the readers of http.h that are nothing but a look into one of the lists. */
#include "http/pairs.h"

#include <string.h>

#include "base/arena.h"

#define STEP 16 /* capacity is the count rounded up to this, so it need not be stored */

void pairs_add(struct arena *a, struct http_pairs *p, const char *name, const char *value)
{
    if (p->count % STEP == 0) {
        size_t size = p->count * sizeof(*p->items);
        p->items = arena_grow(a, p->items, size, size + STEP * sizeof(*p->items));
    }
    p->items[p->count].name = name;
    p->items[p->count].value = value;
    p->count++;
}

const char *pairs_get(const struct http_pairs *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->items[i].name, name) == 0) {
            return p->items[i].value;
        }
    }
    return NULL;
}

size_t pairs_count(const struct http_pairs *p, const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++) {
        n += strcmp(p->items[i].name, name) == 0;
    }
    return n;
}

const char *http_header_in(const struct http_request *req, const char *lower_name)
{
    return pairs_get(&req->headers, lower_name);
}

const char *http_query(const struct http_request *req, const char *name)
{
    return pairs_get(&req->query, name);
}

const char *http_form(const struct http_request *req, const char *name)
{
    return pairs_get(&req->form, name);
}

const char *http_variable(const struct http_request *req, const char *name)
{
    return pairs_get(&req->variables, name);
}
