/* recall.c - see recall.h. Any connection thread.
 *
 * The key holds no secret: of a credential only its hash. The cookie that binds the tokens of strangers' forms is no part of
 * it, so all strangers share an answer and each gets tokens of his own.
 */
#include "http/recall.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/kept.h"
#include "base/metric.h"
#include "base/panic.h"
#include "base/secret.h"
#include "base/source.h"
#include "http/area.h"
#include "http/compress_pieces.h"
#include "http/csrf.h"

#define MOST_SECONDS 10 /* whatever its sources say: what nobody counts is not older than that */
#define PIECES_MAX 256

struct recall {
    struct kept *kept;
    _Atomic uint64_t numbers;
};

/* What follows a piece of the body. */
enum fresh { FRESH_NOTHING, FRESH_TOKEN, FRESH_KEY };

struct piece {
    size_t size;
    enum fresh then;
};

/* An answer that was given, until it is sent. */
struct recalled {
    struct recall *recall;
    struct buffer key;
    uint64_t number;
    size_t count;
    struct compress_piece pieces[]; /* the words are those of this answer */
};

/* The same body compressed, of the answer of this number; kept by its key and the encoding. Behind it, the places of the
 * pieces, and the bytes. */
struct small {
    uint64_t number;
    size_t size;
    bool is_possible;
};

/* What is kept: this; the sources; the pieces; names and values of the headers, and the type, as strings; the body. */
struct answer {
    uint64_t number; /* no other answer has it */
    uint64_t account;
    uint64_t digest; /* for its tag, if a stranger's browser may have one; else 0 */
    bool is_asked;
    size_t sources_size, piece_count, header_count, strings_size, body_size;
};

struct recall *recall_new(size_t bytes)
{
    if (bytes == 0) {
        return NULL;
    }
    struct recall *r = mem_zero(1, sizeof(*r));
    r->kept = kept_new(bytes);
    return r;
}

void recall_free(struct recall *r)
{
    if (r) {
        kept_free(r->kept);
        free(r);
    }
}

void recall_measure(const struct recall *r)
{
    struct kept_numbers n;
    kept_count(r ? r->kept : NULL, &n);
    metric_set(METRIC_RECALLED_ENTRIES, n.entries);
    metric_set(METRIC_RECALLED_BYTES, n.bytes);
}

/* --- the key ------------------------------------------------------------------------------------------------------- */

static void add_word(struct buffer *key, const char *word)
{
    buffer_add(key, word, strlen(word) + 1);
}

static void add_secret(struct buffer *key, const char *secret)
{
    char hash[SECRET_HASH_SIZE] = "";
    if (secret) {
        secret_hash(secret, hash);
    }
    add_word(key, hash);
}

static void add_cookies(struct buffer *key, const struct http_request *req)
{
    for (size_t i = 0; i < req->cookies.count; i++) {
        const struct http_pair *c = &req->cookies.items[i];
        if (strcmp(c->name, http_session_cookie(req)) == 0) {
            add_word(key, c->name);
            add_secret(key, c->value);
        } else if (!csrf_is_visitor(req, c->name)) {
            add_word(key, c->name);
            add_word(key, c->value);
        }
    }
}

static struct buffer key_of(const struct http_request *req)
{
    struct buffer key = buffer_make(req->arena);
    const char *language = http_header_in(req, "accept-language");
    add_word(&key, req->origin);
    add_word(&key, req->path);
    for (size_t i = 0; i < req->query.count; i++) {
        add_word(&key, req->query.items[i].name);
        add_word(&key, req->query.items[i].value);
    }
    buffer_char(&key, '\n'); /* no name of a parameter and a cookie can be taken for each other */
    if (req->area->credential == HTTP_COOKIE) {
        add_word(&key, language ? language : "");
        add_cookies(&key, req);
    } else {
        add_secret(&key, area_credential(req));
    }
    return key;
}

/* --- giving -------------------------------------------------------------------------------------------------------- */

static const struct sources *sources_of(const struct answer *a)
{
    return (const struct sources *)(const void *)(a + 1);
}

static const struct piece *pieces_of(const struct answer *a)
{
    return (const struct piece *)(const void *)((const char *)(a + 1) + a->sources_size);
}

static const char *strings_of(const struct answer *a)
{
    return (const char *)(pieces_of(a) + a->piece_count);
}

static const char *next_string(const char **at)
{
    const char *string = *at;
    *at += strlen(string) + 1;
    return string;
}

const char *http_fresh_key(struct http_request *req)
{
    if (!req->fresh_key) {
        char *key = arena_alloc(req->arena, SECRET_TOKEN_SIZE);
        secret_token(key);
        key[HTTP_FRESH_KEY_LENGTH] = '\0';
        req->fresh_key = key;
    }
    return req->fresh_key;
}

/* Text and words in turn, into the body, which has room for them and so stays where it is. */
static struct recalled *give_body(const struct answer *a, struct http_request *req, struct http_response *resp)
{
    const char *body = strings_of(a) + a->strings_size;
    const struct piece *pieces = pieces_of(a);
    struct recalled *given =
        arena_alloc(req->arena, sizeof(*given) + 2 * a->piece_count * sizeof(struct compress_piece));
    given->count = 0;
    for (size_t i = 0; i < a->piece_count; i++) {
        given->pieces[given->count++] =
            (struct compress_piece){resp->body.data + resp->body.length, pieces[i].size, false};
        buffer_add(&resp->body, body, pieces[i].size);
        body += pieces[i].size;
        if (pieces[i].then != FRESH_NOTHING) {
            const char *word = pieces[i].then == FRESH_TOKEN ? http_csrf_token(req, resp) : http_fresh_key(req);
            given->pieces[given->count++] = (struct compress_piece){word, strlen(word), true};
            buffer_text(&resp->body, word);
        }
    }
    return given;
}

static struct recalled *recall_give(const struct answer *a, struct http_request *req, struct http_response *resp)
{
    const char *at = strings_of(a);
    for (size_t i = 0; i < a->header_count; i++) {
        const char *name = next_string(&at);
        http_header(resp, name, next_string(&at));
    }
    const char *type = next_string(&at);
    resp->content_type = *type ? arena_dup(req->arena, type) : NULL;
    resp->status = 200;
    req->is_settled = true;
    req->is_asked = a->is_asked;
    req->account = a->account;
    buffer_room(&resp->body, a->body_size + a->piece_count * SECRET_HASH_SIZE);
    struct recalled *given = give_body(a, req, resp);
    given->number = a->number;
    resp->digest = a->digest;
    return given;
}

bool recall_find(struct recall *r, struct http_request *req, struct http_response *resp)
{
    if (!r) {
        return false;
    }
    struct buffer key = key_of(req);
    struct answer *found = kept_find(r->kept, key.data, key.length);
    bool is_true = found && sources_are_true(sources_of(found));
    if (is_true) {
        struct recalled *given = recall_give(found, req, resp);
        given->recall = r;
        given->key = key;
        resp->recalled = given;
    }
    if (found) {
        kept_release(found);
    }
    metric_add(is_true ? METRIC_RECALLED_HITS : METRIC_RECALLED_MISSES, 1);
    if (!is_true) {
        sources_begin(req->arena);
        source_until(clock_monotonic_us() + MOST_SECONDS * 1000000ull);
    }
    return is_true;
}

/* --- keeping ------------------------------------------------------------------------------------------------------- */

/* A cookie that is set must be set each time; only the one of the forms' tokens is, with the token. */
static bool is_for_once(const struct http_request *req, const struct http_pair *header)
{
    return strcasecmp(header->name, "Set-Cookie") == 0 && !csrf_is_visitor(req, header->value);
}

static bool may_be_kept(const struct http_request *req, const struct http_response *resp)
{
    bool may = resp->status == 200 && resp->body.length && !resp->broken && !resp->body_static && !req->after &&
               resp->body.length <= RECALL_SIZE_MAX;
    for (size_t i = 0; may && i < resp->headers.count; i++) {
        may = !is_for_once(req, &resp->headers.items[i]);
    }
    return may;
}

/* Names and values of the headers, and the type. */
static struct buffer strings_from(const struct http_response *resp, size_t *count)
{
    struct buffer out = buffer_make(resp->arena);
    *count = 0;
    for (size_t i = 0; i < resp->headers.count; i++) {
        const struct http_pair *h = &resp->headers.items[i];
        if (strcasecmp(h->name, "Set-Cookie") != 0) {
            add_word(&out, h->name);
            add_word(&out, h->value);
            ++*count;
        }
    }
    add_word(&out, resp->content_type ? resp->content_type : "");
    return out;
}

/* Where a word stands next, or the end. */
static const char *find_fresh(const char *from, const char *end, const char *word)
{
    const char *found = word ? strstr(from, word) : NULL;
    return found ? found : end;
}

/* Cuts the body where something must be new each time; 0: there are too many such places. */
static size_t cut_body(const struct http_request *req, const struct buffer *body, struct piece pieces[PIECES_MAX])
{
    const char *at = buffer_string(body), *end = at + body->length;
    size_t count = 0;
    while (count < PIECES_MAX) {
        const char *token = find_fresh(at, end, req->csrf_token), *key = find_fresh(at, end, req->fresh_key);
        const char *next = token < key ? token : key;
        struct piece *p = &pieces[count++];
        *p = (struct piece){(size_t)(next - at), next == end ? FRESH_NOTHING : next == token ? FRESH_TOKEN : FRESH_KEY};
        if (next == end) {
            return count;
        }
        at = next + strlen(next == token ? req->csrf_token : req->fresh_key);
    }
    return 0;
}

static void keep_pieces(char *to, const struct piece *pieces, size_t count, const struct http_request *req,
                        const char *body)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(to, body, pieces[i].size);
        to += pieces[i].size;
        body += pieces[i].size;
        body += pieces[i].then == FRESH_TOKEN ? strlen(req->csrf_token)
                : pieces[i].then == FRESH_KEY ? strlen(req->fresh_key)
                                              : 0;
    }
}

static void keep(struct recall *r, const struct http_request *req, const struct http_response *resp,
                 const struct sources *sources)
{
    struct piece pieces[PIECES_MAX];
    struct answer head = {.number = atomic_fetch_add(&r->numbers, 1) + 1,
                          .account = req->account,
                          .is_asked = req->is_asked,
                          .sources_size = sources_size(sources)};
    head.digest = resp->digest;
    head.piece_count = cut_body(req, &resp->body, pieces);
    if (!head.piece_count) {
        return;
    }
    for (size_t i = 0; i < head.piece_count; i++) {
        head.body_size += pieces[i].size;
    }
    struct buffer strings = strings_from(resp, &head.header_count), key = key_of(req);
    head.strings_size = strings.length;
    size_t pieces_size = head.piece_count * sizeof(*pieces);
    struct answer *a = kept_room(key.data, key.length,
                                 sizeof(head) + head.sources_size + pieces_size + head.strings_size + head.body_size);
    *a = head;
    memcpy(a + 1, sources, head.sources_size);
    memcpy((char *)(a + 1) + head.sources_size, pieces, pieces_size);
    char *text = (char *)(a + 1) + head.sources_size + pieces_size;
    memcpy(text, strings.data, strings.length);
    keep_pieces(text + strings.length, pieces, head.piece_count, req, resp->body.data);
    kept_add(r->kept, a);
    kept_release(a);
}

/* --- compressed ---------------------------------------------------------------------------------------------------- */

static size_t *places_of_small(struct small *s)
{
    return (size_t *)(void *)(s + 1);
}

/* Made and kept, also that it cannot be made. In use; NULL: it cannot. */
static struct small *small_new(const struct recalled *given, const struct buffer *key, enum encoding e, struct arena *a)
{
    struct compressed_pieces made;
    bool is_possible = compress_pieces(e, given->pieces, given->count, a, &made);
    size_t places = is_possible ? given->count * sizeof(size_t) : 0, size = is_possible ? made.size : 0;
    struct small *s = kept_room(key->data, key->length, sizeof(*s) + places + size);
    *s = (struct small){.number = given->number, .size = size, .is_possible = is_possible};
    if (is_possible) {
        memcpy(places_of_small(s), made.places, places);
        memcpy((char *)(s + 1) + places, made.data, size);
    }
    kept_add(given->recall->kept, s);
    return s;
}

const char *recall_compressed(const struct http_response *resp, enum encoding e, size_t *size)
{
    const struct recalled *given = resp->recalled;
    if (!given) {
        return NULL;
    }
    struct buffer key = buffer_make(resp->arena);
    buffer_char(&key, '\n'); /* no key of an answer begins so */
    buffer_add(&key, given->key.data, given->key.length);
    add_word(&key, encoding_name(e));
    struct small *s = kept_find(given->recall->kept, key.data, key.length);
    if (s && s->number != given->number) {
        kept_release(s);
        s = NULL;
    }
    s = s ? s : small_new(given, &key, e, resp->arena);
    char *data = NULL;
    if (s->is_possible) {
        *size = s->size;
        data = arena_dup_n(resp->arena, (char *)(places_of_small(s) + given->count), s->size);
        compress_exchange(e, given->pieces, given->count, places_of_small(s), data, s->size);
    }
    kept_release(s);
    return data;
}

void recall_keep(struct recall *r, struct http_request *req, const struct http_response *resp)
{
    const struct sources *sources = r ? sources_end() : NULL;
    if (sources && may_be_kept(req, resp)) {
        keep(r, req, resp, sources);
    }
}
