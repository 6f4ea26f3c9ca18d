/* reply.c - replies of the engine: readers that never fail, and what its errors mean.
 *
 * Threads: those of the batch; no state.
 */
#include "store/reply.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"

static const struct store_reply nil = {.type = STORE_NIL};

bool reply_begins(const char *text, size_t length, const char *word)
{
    size_t n = strlen(word);
    return length >= n && memcmp(text, word, n) == 0 && (length == n || text[n] == ' ');
}

/* clang-format off */
static const struct {
    const char *word;
    enum err err;
} classes[] = {
    {"LOADING", ERR_UNAVAILABLE},
    {"MASTERDOWN", ERR_UNAVAILABLE},
    {"CLUSTERDOWN", ERR_UNAVAILABLE},
    {"TRYAGAIN", ERR_UNAVAILABLE},
    {"BUSY", ERR_UNAVAILABLE},
    {"READONLY", ERR_READ_ONLY},
    {"OOM", ERR_READ_ONLY},
    {"MISCONF", ERR_READ_ONLY},
    {"NOREPLICAS", ERR_READ_ONLY},
    {"NOAUTH", ERR_CONFIG},
    {"DENIED", ERR_CONFIG},
    {"WRONGPASS", ERR_CONFIG},
    {"NOPERM", ERR_CONFIG},
    {"MOVED", ERR_CONFIG},
    {"ASK", ERR_CONFIG},
    {"CROSSSLOT", ERR_CONFIG},
};
/* clang-format on */

enum err reply_classify(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        if (reply_begins(text, length, classes[i].word)) {
            return classes[i].err;
        }
    }
    return ERR_PROTOCOL;
}

bool reply_is(const struct store_reply *r, const char *word)
{
    return r->type == STORE_ERROR && reply_begins(r->text, r->length, word);
}

size_t reply_info(const char *info, const char *field, const char **value)
{
    size_t length = strlen(field);
    for (const char *line = info; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, field, length) == 0 && line[length] == ':') {
            *value = line + length + 1;
            return strcspn(*value, "\r\n");
        }
    }
    *value = "";
    return 0;
}

void reply_set_error(struct store_reply *r, enum err e, const char *text)
{
    *r = (struct store_reply){.type = STORE_ERROR, .err = e, .text = text, .length = strlen(text)};
}

const char *store_text(const struct store_reply *r)
{
    return r->type == STORE_STRING ? r->text : "";
}

int64_t store_integer(const struct store_reply *r)
{
    if (r->type == STORE_INTEGER) {
        return r->integer;
    }
    if (r->type != STORE_STRING || r->length == 0 || r->length > 20) {
        return 0;
    }
    char *end;
    long long value = strtoll(r->text, &end, 10);
    bool starts_well = r->text[0] == '-' || (r->text[0] >= '0' && r->text[0] <= '9');
    return starts_well && *end == '\0' && end == r->text + r->length ? value : 0;
}

uint64_t store_time_ms(const struct store_reply *r)
{
    return (uint64_t)store_integer(store_item(r, 0)) * 1000 + (uint64_t)store_integer(store_item(r, 1)) / 1000;
}

const struct store_reply *store_item(const struct store_reply *r, size_t i)
{
    return r->type == STORE_ARRAY && i < r->count ? &r->items[i] : &nil;
}

void store_list_ids(const struct store_reply *r, uint64_t *out)
{
    for (size_t i = 0; i < r->count; i++) {
        out[i] = id_parse(store_text(&r->items[i]));
    }
}

const char *store_last(struct arena *a, size_t count)
{
    return arena_printf(a, "%zu", count - 1);
}

const struct store_reply *store_field(const struct store_reply *r, const char *name)
{
    size_t length = strlen(name);
    if (r->type == STORE_ARRAY) {
        for (size_t i = 0; i + 1 < r->count; i += 2) {
            const struct store_reply *key = &r->items[i];
            if (key->type == STORE_STRING && key->length == length && memcmp(key->text, name, length) == 0) {
                return &r->items[i + 1];
            }
        }
    }
    return &nil;
}
