/* scope.c - see scope.h. Constant. */
#include "social/people/scope.h"

#include <string.h>

#include "base/buffer.h"
#include "base/panic.h"

_Static_assert(SCOPE_COUNT <= 64, "each scope has a bit");

static const struct {
    const char *word, *within;
} scopes[SCOPE_COUNT] = {
#define X(id, word, within) [SCOPE_##id] = {word, within},
    SCOPE_TABLE(X)
#undef X
};

const char *scope_name(unsigned i)
{
    require(i < SCOPE_COUNT);
    return scopes[i].word;
}

/* The bit of a word; 0: unknown. */
static uint64_t scope_bit(const char *word, size_t length)
{
    for (unsigned i = 0; i < SCOPE_COUNT; i++) {
        if (strncmp(scopes[i].word, word, length) == 0 && !scopes[i].word[length]) {
            return SCOPE_BIT(i);
        }
    }
    return 0;
}

/* A walk over words: false at the end. */
static bool next_scope(const char **at, size_t *length)
{
    static const char between[] = " +\t\r\n";
    *at += strspn(*at, between);
    *length = strcspn(*at, between);
    return *length > 0;
}

bool scope_parse(const char *words, uint64_t *out)
{
    size_t length;
    *out = 0;
    for (const char *at = words ? words : ""; next_scope(&at, &length); at += length) {
        uint64_t bit = scope_bit(at, length);
        if (!bit) {
            return false;
        }
        *out |= bit;
    }
    *out = *out ? *out : SCOPE_USUAL;
    return true;
}

const char *scope_words(struct arena *a, uint64_t set)
{
    struct buffer out = buffer_make(a);
    for (unsigned i = 0; i < SCOPE_COUNT; i++) {
        if (set & SCOPE_BIT(i)) {
            buffer_printf(&out, "%s%s", out.length ? " " : "", scopes[i].word);
        }
    }
    return buffer_string(&out);
}

/* Whether the scope, or one that contains it, is in the set. */
static bool has_scope(uint64_t set, unsigned scope)
{
    const char *word = scopes[scope].word, *colon = strrchr(word, ':');
    uint64_t containers = SCOPE_BIT(scope);
    containers |= colon ? scope_bit(word, (size_t)(colon - word)) : 0;
    containers |= *scopes[scope].within ? scope_bit(scopes[scope].within, strlen(scopes[scope].within)) : 0;
    return (set & containers) != 0;
}

bool scope_covers(uint64_t have, uint64_t wanted)
{
    for (unsigned i = 0; i < SCOPE_COUNT; i++) {
        if (wanted & SCOPE_BIT(i) && !has_scope(have, i)) {
            return false;
        }
    }
    return true;
}

bool scope_allows(uint64_t have, const char *route_words)
{
    size_t length;
    for (const char *at = route_words; next_scope(&at, &length); at += length) {
        uint64_t bit = scope_bit(at, length);
        require(bit != 0);
        if (scope_covers(have, bit)) {
            return true;
        }
    }
    return false;
}
