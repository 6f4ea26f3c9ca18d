/* fuzz_paging.c - the paging parameters of the API and the Link header, which clients replay whole. The input's lines: a
 * query, the path, and the ids where the next and the page before begin.
 *
 * The words of a client mean what a second reading of them says; and whoever follows the header as clients do asks for
 * the same list, from the place that was meant.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/arena.h"
#include "fuzz.h"
#include "http/form.h"
#include "http/http.h"
#include "social/people/follow.h"

#define ORIGIN "https://origin.example:8443"
#define STANDARD 20
#define MOST 40

static const char *last_of(const struct http_pairs *pairs, const char *name)
{
    const char *found = NULL;
    for (size_t i = 0; i < pairs->count; i++) {
        found = strcmp(pairs->items[i].name, name) == 0 ? pairs->items[i].value : found;
    }
    return found;
}

/* A number as somebody else reads it: all digits, or 0; as near to the range as there is. */
static uint64_t number(const struct http_pairs *query, const char *name, uint64_t least, uint64_t most)
{
    const char *text = last_of(query, name);
    if (!text || !*text || strspn(text, "0123456789") != strlen(text)) {
        return 0;
    }
    errno = 0;
    uint64_t n = strtoull(text, NULL, 10);
    n = errno ? UINT64_MAX : n;
    return n < least ? least : n > most ? most : n;
}

/* 0: refused. */
static unsigned limit(const struct http_pairs *query)
{
    const char *text = last_of(query, "limit");
    char *end = NULL;
    errno = 0;
    long long n = text && (isdigit((unsigned char)*text) || *text == '-') ? strtoll(text, &end, 10) : STANDARD;
    n = end && (*end || errno || end == text) ? STANDARD : n;
    return n < 0 ? 0 : n == 0 ? STANDARD : n > MOST ? MOST : (unsigned)n;
}

static void check_words(struct api *c)
{
    const struct http_pairs *q = &c->req->query;
    const uint64_t least = 100000000000000000u, most = 999999999999999999u;
    struct timeline_query ids;
    struct follow_query times;
    bool is_good = api_query(c, STANDARD, MOST, &ids);
    FUZZ_CHECK(is_good == (limit(q) != 0) && is_good == api_time_query(c, STANDARD, MOST, &times));
    FUZZ_CHECK(ids.max_id == number(q, "max_id", least, most) && ids.min_id == number(q, "min_id", least, most));
    FUZZ_CHECK(ids.since_id == number(q, "since_id", least, most));
    const uint64_t end = (uint64_t)INT64_MAX / 2 + 10;
    const uint64_t found[] = {times.max_us, times.min_us, times.since_us};
    static const char *const names[] = {"max_id", "min_id", "since_id"};
    for (size_t i = 0; i < 3; i++) {
        uint64_t said = number(q, names[i], 0, UINT64_MAX);
        FUZZ_CHECK(found[i] == said || (said > end - 20 && found[i] > end - 20 && found[i] <= end));
    }
    if (is_good) {
        FUZZ_CHECK(ids.limit == limit(q) && times.limit == ids.limit);
    } else {
        FUZZ_CHECK(c->resp->status == 400);
    }
}

static bool is_place(const char *name)
{
    return strcmp(name, "max_id") == 0 || strcmp(name, "min_id") == 0 || strcmp(name, "since_id") == 0;
}

/* Follows one address: the path of the request, its other parameters as they were, and this one. */
static void follow(struct api *c, const char *address, const char *place, uint64_t id)
{
    struct http_pairs query = {0}, path = {0};
    size_t at = 0;
    FUZZ_CHECK(strncmp(address, ORIGIN "/", sizeof(ORIGIN)) == 0);
    const char *mark = strchr(address, '?');
    FUZZ_CHECK(mark && form_parse(c->arena, mark + 1, strlen(mark + 1), &query));
    const char *raw =
        arena_dup_n(c->arena, address + sizeof(ORIGIN) - 1, (size_t)(mark - address) - sizeof(ORIGIN) + 1);
    FUZZ_CHECK(!strchr(raw, '+') && form_parse(c->arena, raw, strlen(raw), &path));
    FUZZ_CHECK(path.count == 1 && strcmp(path.items[0].name, c->req->path) == 0);
    for (size_t i = 0; i < c->req->query.count; i++) {
        const struct http_pair *was = &c->req->query.items[i];
        if (is_place(was->name) || strcmp(was->name, "access_token") == 0) {
            continue; /* a token does not belong into what proxies and histories keep */
        }
        FUZZ_CHECK(at < query.count && strcmp(query.items[at].name, was->name) == 0);
        FUZZ_CHECK(strcmp(query.items[at++].value, was->value) == 0);
    }
    FUZZ_CHECK(query.count == at + 1 && strcmp(query.items[at].name, place) == 0);
    FUZZ_CHECK(number(&query, place, 0, UINT64_MAX) == id);
}

/* One relation, as toot's expression reads it: <([^>]+)>; rel="next". Returns what follows. */
static char *take_relation(struct api *c, char *at, const char *relation, const char *place, uint64_t id)
{
    FUZZ_CHECK(*at == '<');
    char *end = strchr(at, '>');
    FUZZ_CHECK(end != NULL && end > at + 1);
    *end = '\0';
    follow(c, at + 1, place, id);
    const char *rest = arena_printf(c->arena, "; rel=\"%s\"", relation);
    FUZZ_CHECK(strncmp(end + 1, rest, strlen(rest)) == 0);
    return end + 1 + strlen(rest);
}

static void check_link(struct api *c, uint64_t older, uint64_t newer)
{
    c->resp->headers.count = 0;
    api_link(c, older, newer);
    FUZZ_CHECK(!c->resp->broken && c->resp->headers.count == (older || newer));
    if (!older && !newer) {
        return;
    }
    FUZZ_CHECK(strcmp(c->resp->headers.items[0].name, "Link") == 0);
    char *at = arena_dup(c->arena, c->resp->headers.items[0].value);
    FUZZ_CHECK(strspn(at, "\t") == 0 && form_is_utf8(at, strlen(at)));
    if (older) {
        at = take_relation(c, at, "next", "max_id", older);
        FUZZ_CHECK(newer ? strncmp(at, ", ", 2) == 0 : !*at);
        at += newer ? 2 : 0;
    }
    if (newer) {
        at = take_relation(c, at, "prev", "min_id", newer);
    }
    FUZZ_CHECK(!*at);
}

void fuzz_paging(const char *data, size_t size)
{
    struct arena *a = fuzz_arena();
    char *rest = arena_dup_n(a, data, size);
    const char *query = strsep(&rest, "\n"), *path = rest ? strsep(&rest, "\n") : "";
    uint64_t older = rest ? strtoull(strsep(&rest, "\n"), NULL, 10) : 0, newer = rest ? strtoull(rest, NULL, 10) : 0;
    struct http_request req = {.arena = a, .method = HTTP_GET, .origin = ORIGIN};
    struct http_response resp = {.arena = a, .body = buffer_make(a)};
    struct api call = {.req = &req, .resp = &resp, .arena = a};
    struct http_pairs decoded = {0};
    if (!form_parse(a, query, strlen(query), &req.query) || req.query.count >= FORM_FIELDS) {
        return; /* the server refuses it, or the next address, which has one more */
    }
    req.path = "/api/v1/timelines/home";
    if (!strpbrk(path, "+&=?") && form_parse(a, path, strlen(path), &decoded) && decoded.count == 1) {
        req.path = arena_printf(a, "/%s", decoded.items[0].name);
    }
    check_words(&call);
    check_link(&call, older, newer);
}
