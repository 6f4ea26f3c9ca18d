/* words.c - see words.h. Pure functions. */
#include "base/words.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/fold.h"
#include "base/text.h"

#define GROWTH 2 /* a folded letter takes at most twice the bytes: U+023A has two, and three in lower case */
#define SPARE 8

static size_t word_encode(uint32_t c, char *out)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* A text that is being taken apart. */
struct cut {
    struct words words;
    size_t most;
    char *end;          /* behind what was folded */
    bool is_in_word;    /* the next letter belongs to the last word */
    bool is_after_sign; /* the next sign joins the last word */
};

static struct word *cut_begin(struct cut *c, bool is_sign)
{
    struct word *w = &c->words.items[c->words.count++];
    *w = (struct word){.text = c->end, .is_sign = is_sign, .joins = is_sign && c->is_after_sign};
    c->is_in_word = !is_sign;
    c->is_after_sign = is_sign;
    return w;
}

static void cut_take(struct cut *c, enum fold_kind kind, uint32_t folded)
{
    if (kind == FOLD_GAP) {
        c->is_in_word = c->is_after_sign = false;
        return;
    }
    bool goes_on = kind == FOLD_LETTER && c->is_in_word;
    struct word *w = goes_on ? &c->words.items[c->words.count - 1] : cut_begin(c, kind == FOLD_SIGN);
    char bytes[4];
    size_t n = word_encode(folded, bytes);
    if (w->length + n <= WORDS_LONGEST) {
        memcpy(c->end, bytes, n);
        c->end += n;
        w->length += n;
    }
}

struct words words_split(struct arena *a, const char *text, size_t length, size_t most)
{
    size_t room = length < most ? length : most; /* each word has a byte at least */
    struct cut c = {.most = most, .end = arena_alloc(a, length * GROWTH + SPARE)};
    c.words.items = arena_alloc(a, (room + 1) * sizeof(*c.words.items));
    for (size_t i = 0; i < length;) {
        uint32_t code = 0, folded;
        size_t size = text_decode(text + i, length - i, &code);
        enum fold_kind kind = size ? fold_of(code, &folded) : FOLD_GAP;
        bool begins = kind == FOLD_SIGN || (kind == FOLD_LETTER && !c.is_in_word);
        if (begins && c.words.count == most) {
            break;
        }
        if (kind != FOLD_NOTHING) {
            cut_take(&c, kind, folded);
        }
        i += size ? size : 1;
    }
    return c.words;
}

static bool word_is(const struct word *x, const struct word *y)
{
    return x->length == y->length && memcmp(x->text, y->text, x->length) == 0;
}

static bool words_are_at(const struct words *all, size_t at, const struct words *part)
{
    if (at + part->count > all->count) {
        return false;
    }
    size_t same = 0;
    while (same < part->count && word_is(&all->items[at + same], &part->items[same])) {
        same++;
    }
    return same == part->count;
}

bool words_have(const struct words *all, const struct words *part)
{
    size_t at = 0;
    while (at < all->count && !words_are_at(all, at, part)) {
        at++;
    }
    return part->count == 0 || at < all->count;
}
