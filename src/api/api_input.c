/* api_input.c - parameters as clients spell them, and paging: see api.h. Connection threads. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/api.h"
#include "base/arena.h"
#include "base/id.h"
#include "social/people/follow.h"

#define ID_LEAST 100000000000000000u /* the least and the greatest number of ID_DIGITS digits */
#define ID_MOST 999999999999999999u
#define CURSOR_MOST ((uint64_t)INT64_MAX / 2) /* times go to scripts as signed numbers */

/* The last value of that name. */
static const char *last_value(const struct http_pairs *pairs, const char *name)
{
    for (size_t i = pairs->count; i > 0; i--) {
        if (strcmp(pairs->items[i - 1].name, name) == 0) {
            return pairs->items[i - 1].value;
        }
    }
    return NULL;
}

const char *api_text(const struct api *c, const char *name)
{
    const char *value = last_value(&c->req->form, name);
    return value ? value : last_value(&c->req->query, name);
}

bool api_bool_of(const char *value, bool fallback)
{
    static const struct {
        const char *word;
        bool value;
    } words[] = {{"true", true},   {"1", true},  {"on", true},   {"t", true},  {"yes", true},
                 {"false", false}, {"0", false}, {"off", false}, {"f", false}, {"no", false}};
    for (size_t i = 0; value && i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcasecmp(value, words[i].word) == 0) {
            return words[i].value;
        }
    }
    return fallback;
}

bool api_bool(const struct api *c, const char *name, bool fallback)
{
    return api_bool_of(api_text(c, name), fallback);
}

int64_t api_number(const struct api *c, const char *name, int64_t fallback)
{
    const char *value = api_text(c, name);
    if (!value || !(isdigit((unsigned char)value[0]) || value[0] == '-')) {
        return fallback;
    }
    char *end;
    errno = 0;
    long long n = strtoll(value, &end, 10);
    return *end || errno || end == value ? fallback : (int64_t)n;
}

static bool is_named(const char *found, const char *name)
{
    size_t length = strlen(name);
    return strncmp(found, name, length) == 0 && (found[length] == '\0' || strcmp(found + length, "[]") == 0);
}

const char *const *api_texts(const struct api *c, const char *name, size_t *count)
{
    const struct http_pairs *both[] = {&c->req->form, &c->req->query};
    const char **out = arena_alloc(c->arena, (both[0]->count + both[1]->count + 1) * sizeof(*out));
    *count = 0;
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < both[k]->count; i++) {
            if (is_named(both[k]->items[i].name, name)) {
                out[(*count)++] = both[k]->items[i].value;
            }
        }
    }
    return out;
}

size_t api_ids(const struct api *c, const char *name, uint64_t *ids, size_t most)
{
    size_t count, n = 0;
    const char *const *texts = api_texts(c, name, &count);
    for (size_t i = 0; i < count && n < most; i++) {
        uint64_t id = id_parse(texts[i]);
        if (id) {
            ids[n++] = id;
        }
    }
    return n;
}

uint64_t api_id(const struct api *c)
{
    const char *text = http_variable(c->req, "id");
    return text ? id_parse(text) : 0;
}

/* --- paging -------------------------------------------------------------------------------------------------------- */

bool api_limit(struct api *c, unsigned standard, unsigned most, unsigned *limit)
{
    int64_t asked = api_number(c, "limit", standard);
    if (asked < 0) {
        api_http_error(c->req, c->resp, 400, "limit must not be negative");
        return false;
    }
    *limit = asked > most ? most : asked == 0 ? standard : (unsigned)asked;
    return true;
}

/* A number of digits; false, and 0: absent, or none. Too large a one is the largest. */
static bool cursor(const struct api *c, const char *name, uint64_t *out)
{
    const char *text = api_text(c, name);
    *out = 0;
    for (const char *p = text; p && *p; p++) {
        if (!isdigit((unsigned char)*p)) {
            *out = 0;
            return false;
        }
        *out = *out > CURSOR_MOST / 10 ? CURSOR_MOST : *out * 10 + (uint64_t)(*p - '0');
    }
    return text && *text;
}

/* As an id of the length of all ids, which are compared as text (base/id.h); it need not be the id of anything. 0: not
 * sent. */
static uint64_t id_cursor(const struct api *c, const char *name)
{
    uint64_t n;
    if (!cursor(c, name, &n)) {
        return 0;
    }
    return n < ID_LEAST ? ID_LEAST : n > ID_MOST ? ID_MOST : n;
}

bool api_query(struct api *c, unsigned standard, unsigned most, struct timeline_query *q)
{
    *q = (struct timeline_query){
        .max_id = id_cursor(c, "max_id"), .min_id = id_cursor(c, "min_id"), .since_id = id_cursor(c, "since_id")};
    return api_limit(c, standard, most, &q->limit);
}

bool api_time_query(struct api *c, unsigned standard, unsigned most, struct follow_query *q)
{
    *q = (struct follow_query){0};
    cursor(c, "max_id", &q->max_us);
    cursor(c, "min_id", &q->min_us);
    cursor(c, "since_id", &q->since_us);
    return api_limit(c, standard, most, &q->limit);
}

static bool is_cursor(const char *name)
{
    return strcmp(name, "max_id") == 0 || strcmp(name, "min_id") == 0 || strcmp(name, "since_id") == 0;
}

/* The request's address with another cursor. */
static void write_relation(struct api *c, struct buffer *b, const char *name, uint64_t id, const char *relation)
{
    buffer_printf(b, "%s<%s", b->length ? ", " : "", c->req->origin);
    http_encode(b, c->req->path, "-._~/@:");
    buffer_char(b, '?');
    for (size_t i = 0; i < c->req->query.count; i++) {
        const struct http_pair *pair = &c->req->query.items[i];
        if (!is_cursor(pair->name) && strcmp(pair->name, "access_token") != 0) {
            http_encode(b, pair->name, "-._~[]");
            buffer_char(b, '=');
            http_encode(b, pair->value, "-._~");
            buffer_char(b, '&');
        }
    }
    buffer_printf(b, "%s=%llu>; rel=\"%s\"", name, (unsigned long long)id, relation);
}

/* Both relations, under these names of the cursors. */
static void write_links(struct api *c, const char *max, uint64_t older, const char *min, uint64_t newer)
{
    struct buffer b = buffer_make(c->arena);
    if (older) {
        write_relation(c, &b, max, older, "next");
    }
    if (newer) {
        write_relation(c, &b, min, newer, "prev");
    }
    if (b.length) {
        http_header(c->resp, "Link", buffer_string(&b));
    }
}

void api_link(struct api *c, uint64_t older, uint64_t newer)
{
    write_links(c, "max_id", older, "min_id", newer);
}

/* The same addresses, spelled so that Mastodon.py does not find the cursor in them, which it would note at an entry that
 * is not there. */
void api_link_empty(struct api *c, uint64_t older, uint64_t newer)
{
    write_links(c, "max%5Fid", older, "min%5Fid", newer);
}

void api_answer_statuses(struct api *c, const struct timeline_page *t)
{
    if (t->count) {
        api_link(c, t->has_older ? t->older_id ? t->older_id : t->posts[t->count - 1].id : 0,
                 t->newer_id ? t->newer_id : t->posts[0].id);
    } else {
        api_link_empty(c, t->has_older ? t->older_id : 0, t->has_newer ? t->newer_id : 0);
    }
    api_answer(c, api_posts(c, t->posts, t->count));
}
