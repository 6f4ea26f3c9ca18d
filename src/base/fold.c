/* fold.c - see fold.h. Any thread. */
#include "base/fold.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/panic.h"
#include "base/text.h"

#define TABLE_END 0x3000 /* what lies behind has no case, or is full width */
#define NO_LETTER 0
#define MARK 1

/* Of each code point what it is folded to, NO_LETTER or MARK. */
static uint16_t table[TABLE_END];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

/* --- the table ----------------------------------------------------------------------------------------------------- */

/* The text that is given to the tokenizer: each code point alone, and which it is by where it begins. */
struct alphabet {
    char text[TABLE_END * 4];
    uint16_t at[TABLE_END * 4];
    size_t length;
};

static void alphabet_add(struct alphabet *all, uint32_t c)
{
    all->at[all->length] = (uint16_t)c;
    if (c >= 0x800) {
        all->text[all->length++] = (char)(0xE0 | c >> 12);
        all->text[all->length++] = (char)(0x80 | (c >> 6 & 0x3F));
    } else {
        all->text[all->length++] = (char)(0xC0 | c >> 6);
    }
    all->text[all->length++] = (char)(0x80 | (c & 0x3F));
    all->text[all->length++] = ' ';
}

static int take_token(void *context, int flags, const char *token, int size, int start, int end)
{
    const struct alphabet *all = context;
    uint32_t c = 0;
    (void)flags;
    (void)end;
    text_decode(token, (size_t)size, &c);
    table[all->at[start]] = c ? (uint16_t)c : MARK;
    return SQLITE_OK;
}

static void tokenize(fts5_api *api, struct alphabet *all)
{
    static const char *options[] = {"remove_diacritics", "2", "categories", "L* N* M*"};
    fts5_tokenizer kind;
    void *user;
    Fts5Tokenizer *tokenizer = NULL;
    require(api && api->xFindTokenizer(api, "unicode61", &user, &kind) == SQLITE_OK);
    require(kind.xCreate(user, options, 4, &tokenizer) == SQLITE_OK);
    require(kind.xTokenize(tokenizer, all, FTS5_TOKENIZE_DOCUMENT, all->text, (int)all->length, take_token) ==
            SQLITE_OK);
    kind.xDelete(tokenizer);
}

static void ask_library(struct alphabet *all)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *ask = NULL;
    fts5_api *api = NULL;
    require(sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK);
    require(sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &ask, NULL) == SQLITE_OK);
    sqlite3_bind_pointer(ask, 1, &api, "fts5_api_ptr", NULL);
    sqlite3_step(ask);
    tokenize(api, all);
    sqlite3_finalize(ask);
    sqlite3_close(db);
}

/* Marks that are no part of a word's spelling: accents, the points of Hebrew and Arabic, tatweel, joiners, selectors. */
static bool is_nothing(uint32_t c)
{
    return (c >= 0x0300 && c <= 0x036F) || (c >= 0x0591 && c <= 0x05C7 && c != 0x05BE && c != 0x05C0 && c != 0x05C3) ||
           (c >= 0x064B && c <= 0x065F) || c == 0x0670 || c == 0x0640 || c == 0x00AD || c == 0x200C || c == 0x200D ||
           (c >= 0xFE00 && c <= 0xFE0F) || c == 0x3099 || c == 0x309A || (c >= 0x1F3FB && c <= 0x1F3FF);
}

/* What the library leaves as it is, and people leave out when they type: the accents of modern Greek, the points of yo. */
static uint32_t without_accent(uint32_t c)
{
    static const uint16_t pairs[][2] = {{0x0390, 0x03B9}, {0x03AC, 0x03B1}, {0x03AD, 0x03B5}, {0x03AE, 0x03B7},
                                        {0x03AF, 0x03B9}, {0x03B0, 0x03C5}, {0x03C2, 0x03C3}, {0x03CA, 0x03B9},
                                        {0x03CB, 0x03C5}, {0x03CC, 0x03BF}, {0x03CD, 0x03C5}, {0x03CE, 0x03C9},
                                        {0x0451, 0x0435}};
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (pairs[i][0] == c) {
            return pairs[i][1];
        }
    }
    return c;
}

static void make_table(void)
{
    struct alphabet *all = mem_zero(1, sizeof(*all));
    for (uint32_t c = 0x80; c < TABLE_END; c++) {
        alphabet_add(all, c);
    }
    ask_library(all);
    free(all);
    for (uint32_t c = 0; c < TABLE_END; c++) {
        bool is_digit = c >= '0' && c <= '9', is_lower = c >= 'a' && c <= 'z', is_upper = c >= 'A' && c <= 'Z';
        if (c < 0x80) {
            table[c] = (uint16_t)(is_digit || is_lower ? c : is_upper ? c + 32 : NO_LETTER);
        }
        table[c] = is_nothing(c) ? MARK : (uint16_t)without_accent(table[c]);
    }
}

/* --- kinds --------------------------------------------------------------------------------------------------------- */

struct range {
    uint32_t first, last;
};

static bool fold_is_in(const struct range *ranges, size_t count, uint32_t c)
{
    size_t i = 0;
    while (i < count && c > ranges[i].last) {
        i++;
    }
    return i < count && c >= ranges[i].first;
}

/* Scripts without gaps between words, and pictures. Sorted. */
static bool is_sign(uint32_t c)
{
    static const struct range signs[] = {
        {0x0E00, 0x0EFF},   {0x1000, 0x109F},   {0x1100, 0x11FF}, {0x1780, 0x17D3},   {0x2600, 0x27BF},
        {0x2E80, 0x2FDF},   {0x3005, 0x3007},   {0x3021, 0x3029}, {0x3031, 0x3035},   {0x3041, 0x3096},
        {0x309D, 0x309F},   {0x30A1, 0x30FA},   {0x30FC, 0x30FF}, {0x3105, 0x312F},   {0x3131, 0x318E},
        {0x31A0, 0x31BF},   {0x31F0, 0x31FF},   {0x3400, 0x4DBF}, {0x4E00, 0x9FFF},   {0xA960, 0xA97C},
        {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFF66, 0xFF9F}, {0x1B000, 0x1B16F}, {0x1F000, 0x1F3FA},
        {0x1F400, 0x1FAFF}, {0x20000, 0x3134F},
    };
    return fold_is_in(signs, sizeof(signs) / sizeof(signs[0]), c);
}

/* From TABLE_END on, what is no part of a word. Sorted. */
static bool is_gap(uint32_t c)
{
    static const struct range gaps[] = {
        {0x3000, 0x3004}, {0x3008, 0x3020},    {0x302A, 0x3030}, {0x3036, 0x3040}, {0x3097, 0x309C}, {0x30A0, 0x30A0},
        {0x30FB, 0x30FB}, {0x3190, 0x319F},    {0x3200, 0x33FF}, {0x4DC0, 0x4DFF}, {0xA4FE, 0xA4FF}, {0xA60D, 0xA60F},
        {0xA6F2, 0xA6F7}, {0xA874, 0xA877},    {0xA8CE, 0xA8CF}, {0xD800, 0xF8FF}, {0xFB29, 0xFB29}, {0xFD3E, 0xFD4F},
        {0xFDFC, 0xFDFF}, {0xFE10, 0xFE6F},    {0xFEFF, 0xFF0F}, {0xFF1A, 0xFF20}, {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65},
        {0xFFE0, 0xFFFF}, {0xE0000, 0x10FFFF},
    };
    return fold_is_in(gaps, sizeof(gaps) / sizeof(gaps[0]), c);
}

enum fold_kind fold_of(uint32_t c, uint32_t *folded)
{
    pthread_once(&table_once, make_table);
    if (c >= 0xFF01 && c <= 0xFF5E) {
        c -= 0xFEE0; /* full width */
    }
    *folded = c;
    if (is_nothing(c)) {
        return FOLD_NOTHING;
    }
    if (c >= 0x0E00 && is_sign(c)) {
        bool is_letter = c >= TABLE_END || (c >= 0x2600 && c <= 0x27BF) || table[c] != NO_LETTER;
        return is_letter ? FOLD_SIGN : FOLD_GAP;
    }
    if (c >= TABLE_END) {
        return is_gap(c) ? FOLD_GAP : FOLD_LETTER;
    }
    *folded = table[c];
    return table[c] == NO_LETTER ? FOLD_GAP : table[c] == MARK ? FOLD_NOTHING : FOLD_LETTER;
}
