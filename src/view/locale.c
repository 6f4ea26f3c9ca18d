/* locale.c - catalogues: reading, finding a text, choosing a language. Words with parameters are in
 * locale_words.c.
 *
 * A catalogue is a sorted array; a look-up is a binary search. Loaded by the main thread (by any one thread at a
 * time in developer mode, for the templates); immutable afterwards.
 */
#include "view/locale.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/panic.h"
#include "base/text.h"
#include "view/files.h"

struct entry {
    const char *key;
    const char *text;
};

struct locale {
    const char *code;
    const char *name;
    struct entry *entries; /* sorted by key */
    size_t count;
};

struct locales {
    struct arena *arena;
    struct locale *items;
    size_t count;
};

/* --- reading ------------------------------------------------------------------------------------------------ */

static int entry_by_key(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->key, ((const struct entry *)b)->key);
}

static bool read_entries(struct arena *a, struct locale *l, yyjson_val *object, FILE *report)
{
    l->entries = arena_alloc(a, (yyjson_obj_size(object) + 1) * sizeof(*l->entries));
    yyjson_obj_iter i = yyjson_obj_iter_with(object);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&i));) {
        yyjson_val *text = yyjson_obj_iter_get_val(key);
        if (!yyjson_is_str(text)) {
            fprintf(report, "locales/%s.json: \"%s\" is not a string\n", l->code, yyjson_get_str(key));
            return false;
        }
        l->entries[l->count++] = (struct entry){arena_dup(a, yyjson_get_str(key)), arena_dup(a, yyjson_get_str(text))};
    }
    qsort(l->entries, l->count, sizeof(*l->entries), entry_by_key);
    for (size_t n = 1; n < l->count; n++) {
        if (strcmp(l->entries[n - 1].key, l->entries[n].key) == 0) {
            fprintf(report, "locales/%s.json: \"%s\" is there twice\n", l->code, l->entries[n].key);
            return false;
        }
    }
    return true;
}

static bool read_catalogue(struct arena *a, struct locale *l, const struct locale_source *source, FILE *report)
{
    l->code = arena_dup(a, source->code);
    struct arena *scratch = arena_new();
    yyjson_alc allocator = json_allocator(scratch);
    yyjson_read_err e;
    /* Without YYJSON_READ_INSITU the text is not written to. */
    yyjson_doc *doc = yyjson_read_opts((char *)source->text, source->length, 0, &allocator, &e);
    bool good = doc && yyjson_is_obj(yyjson_doc_get_root(doc));
    if (!doc) {
        fprintf(report, "locales/%s.json: %s at byte %zu\n", l->code, e.msg, e.pos);
    } else if (!good) {
        fprintf(report, "locales/%s.json: not a JSON object\n", l->code);
    } else {
        good = read_entries(a, l, yyjson_doc_get_root(doc), report);
    }
    arena_free(scratch);
    const char *name = good ? locale_find(l, "locale_name") : NULL;
    l->name = name ? name : l->code;
    return good;
}

/* English first, then by code: the first is what is used when nothing else fits. */
static int locale_order(const void *a, const void *b)
{
    const struct locale *left = a;
    const struct locale *right = b;
    int english = (strcmp(right->code, "en") == 0) - (strcmp(left->code, "en") == 0);
    return english ? english : strcmp(left->code, right->code);
}

struct locales *locales_read(const struct locale_source *sources, size_t count, FILE *report)
{
    struct locales *l = mem_zero(1, sizeof(*l));
    l->arena = arena_new();
    l->items = arena_zero(l->arena, (count + 1) * sizeof(*l->items));
    bool good = count > 0;
    for (size_t i = 0; i < count; i++) {
        good &= read_catalogue(l->arena, &l->items[l->count++], &sources[i], report);
    }
    if (!good) {
        locales_free(l);
        return NULL;
    }
    qsort(l->items, l->count, sizeof(*l->items), locale_order);
    return l;
}

struct locales *locales_load(const char *directory, FILE *report)
{
    struct arena *scratch = arena_new();
    struct locales *l = NULL;
    size_t count;
    struct view_file *files = files_gather(scratch, directory, "locales", ".json", &count, report);
    if (files) {
        struct locale_source *sources = arena_alloc(scratch, count * sizeof(*sources));
        for (size_t i = 0; i < count; i++) {
            sources[i] = (struct locale_source){files[i].name, files[i].text, files[i].length};
        }
        l = locales_read(sources, count, report);
    }
    arena_free(scratch);
    return l;
}

void locales_free(struct locales *l)
{
    if (l) {
        arena_free(l->arena);
        free(l);
    }
}

/* --- finding ------------------------------------------------------------------------------------------------ */

size_t locales_count(const struct locales *l)
{
    return l->count;
}

const struct locale *locales_at(const struct locales *l, size_t index)
{
    require(index < l->count);
    return &l->items[index];
}

const struct locale *locales_find(const struct locales *l, const char *code)
{
    for (size_t i = 0; i < l->count; i++) {
        if (strcasecmp(l->items[i].code, code) == 0) {
            return &l->items[i];
        }
    }
    return NULL;
}

const char *locale_code(const struct locale *l)
{
    return l->code;
}

const char *locale_name(const struct locale *l)
{
    return l->name;
}

const char *locale_find(const struct locale *l, const char *key)
{
    struct entry wanted = {.key = key};
    const struct entry *found = bsearch(&wanted, l->entries, l->count, sizeof(*l->entries), entry_by_key);
    return found ? found->text : NULL;
}

const char *locale_text(const struct locale *l, const char *key)
{
    const char *text = locale_find(l, key);
    return text ? text : key;
}

/* --- choosing ----------------------------------------------------------------------------------------------- */

/* Bytes before the first '-': the language alone. */
static size_t language_length(const char *tag, size_t length)
{
    const char *dash = memchr(tag, '-', length);
    return dash ? (size_t)(dash - tag) : length;
}

/* The locale for one language range: the whole code if there is one, else the first of the same language. */
static const struct locale *match(const struct locales *l, const char *range, size_t length)
{
    const struct locale *similar = NULL;
    size_t language = language_length(range, length);
    for (size_t i = 0; i < l->count; i++) {
        const struct locale *item = &l->items[i];
        size_t size = strlen(item->code);
        if (size == length && strncasecmp(item->code, range, length) == 0) {
            return item;
        }
        if (!similar && language_length(item->code, size) == language &&
            strncasecmp(item->code, range, language) == 0) {
            similar = item;
        }
    }
    return similar;
}

/* The weight of "en;q=0.8" in thousandths; 1000 without one, 0 when it is malformed. */
static unsigned weight(const char *item, size_t length)
{
    const char *semicolon = memchr(item, ';', length);
    if (!semicolon) {
        return 1000;
    }
    const char *end = item + length;
    const char *c = semicolon + 1;
    while (c < end && (*c == ' ' || *c == '\t')) {
        c++;
    }
    if (end - c < 3 || (c[0] != 'q' && c[0] != 'Q') || c[1] != '=' || (c[2] != '0' && c[2] != '1')) {
        return 0;
    }
    unsigned value = c[2] == '1' ? 1000 : 0;
    unsigned place = 100;
    if (end - c > 4 && c[3] == '.') {
        for (c += 4; c < end && *c >= '0' && *c <= '9' && place > 0; c++, place /= 10) {
            value += (unsigned)(*c - '0') * place;
        }
    }
    return value > 1000 ? 1000 : value;
}

static const struct locale *best_of(const struct locales *l, const char *header, const struct locale *otherwise)
{
    const struct locale *best = NULL;
    unsigned best_weight = 0;
    size_t length;
    for (const char *entry; (entry = text_entry(&header, &length));) {
        size_t blanks = strspn(entry, " \t");
        entry += blanks;
        size_t range = strcspn(entry, ",; \t");
        const struct locale *found = range == 1 && *entry == '*' ? otherwise : match(l, entry, range);
        unsigned w = weight(entry, length - blanks);
        if (range > 0 && found && w > best_weight) { /* of equal weights the first wins */
            best = found;
            best_weight = w;
        }
    }
    return best;
}

const struct locale *locale_choose(const struct locales *l, const char *cookie, const char *accept_language,
                                   const char *fallback)
{
    const struct locale *otherwise = fallback ? locales_find(l, fallback) : NULL;
    if (!otherwise) {
        otherwise = &l->items[0];
    }
    const struct locale *chosen = cookie ? locales_find(l, cookie) : NULL;
    if (!chosen && accept_language) {
        chosen = best_of(l, accept_language, otherwise);
    }
    return chosen ? chosen : otherwise;
}
