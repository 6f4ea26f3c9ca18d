/* text.c - see text.h. Pure functions. */
#include "base/text.h"

#include <string.h>

static bool is_continuation(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

size_t text_decode(const char *text, size_t length, uint32_t *code_point)
{
    const unsigned char *s = (const unsigned char *)text;
    if (length == 0) {
        return 0;
    }
    if (s[0] < 0x80) {
        *code_point = s[0];
        return 1;
    }
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000}; /* by size: refuses overlong forms */
    size_t size = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4 || length < size) {
        return 0;
    }
    uint32_t c = s[0] & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if (!is_continuation(s[i])) {
            return 0;
        }
        c = c << 6 | (s[i] & 0x3Fu);
    }
    if (c < smallest[size] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
        return 0;
    }
    *code_point = c;
    return size;
}

static bool is_refused(uint32_t c)
{
    return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c <= 0x9F) || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0x2028 || c == 0x2029 || c == 0xFEFF;
}

bool text_is_clean(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t c;
        size_t size = text_decode(text + i, length - i, &c);
        if (size == 0 || is_refused(c)) {
            return false;
        }
        i += size;
    }
    return true;
}

static bool is_unseen(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } unseen[] = {{0, 0x20},        {0xA0, 0xA0},     {0xAD, 0xAD},     {0x34F, 0x34F},    {0x61C, 0x61C},
                  {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x2000, 0x200F},  {0x2028, 0x202F},
                  {0x205F, 0x206F}, {0x2800, 0x2800}, {0x3000, 0x3000}, {0x3164, 0x3164},  {0xFE00, 0xFE0F},
                  {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0xE0000, 0xE0FFF}};
    for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++) {
        if (c >= unseen[i].first && c <= unseen[i].last) {
            return true;
        }
    }
    return false;
}

bool text_is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t c;
        size_t size = text_decode(text + i, length - i, &c);
        if (size == 0 || !is_unseen(c)) {
            return false;
        }
        i += size;
    }
    return true;
}

size_t text_count(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        count += !is_continuation((unsigned char)text[i]);
    }
    return count;
}

static bool text_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

size_t text_tidy(char *text)
{
    size_t n = 0;
    char *start = text;
    while (text_is_space(*start)) {
        start++;
    }
    for (char *p = start; *p; p++) {
        if (*p == '\r') {
            if (p[1] != '\n') {
                text[n++] = '\n';
            }
        } else {
            text[n++] = *p;
        }
    }
    while (n > 0 && text_is_space(text[n - 1])) {
        n--;
    }
    text[n] = '\0';
    return n;
}

char *text_fold(const char *name, char *out)
{
    size_t i = 0;
    for (; name[i]; i++) {
        char c = name[i];
        out[i] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
    }
    out[i] = '\0';
    return out;
}

const char *text_entry(const char **list, size_t *length)
{
    const char *entry = *list;
    if (!*entry) {
        return NULL;
    }
    *length = strcspn(entry, ",");
    *list = entry + *length + (entry[*length] == ',');
    return entry;
}

const char *text_token(const char **list, const char *separators, size_t *length)
{
    const char *token = *list + strspn(*list, separators);
    *length = strcspn(token, separators);
    *list = token + *length;
    return *length ? token : NULL;
}

bool text_is_word(unsigned char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/* --- likeness ------------------------------------------------------------------------------------------------------ */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Damerau and Levenshtein, with rows for the two letters before. */
unsigned text_distance(const char *a, const char *b)
{
    unsigned rows[3][TEXT_DISTANCE_MAX + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > TEXT_DISTANCE_MAX || m > TEXT_DISTANCE_MAX) {
        return TEXT_DISTANCE_MAX;
    }
    for (unsigned j = 0; j <= m; j++) {
        rows[0][j] = j;
    }
    for (unsigned i = 1; i <= n; i++) {
        unsigned *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            now[j] = least(least(last[j] + 1, now[j - 1] + 1), last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
    }
    return rows[n % 3][m];
}
