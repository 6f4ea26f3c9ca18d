/* entity_scan.c - see entity_scan.h.
 *
 * Not Unicode's full rules (their tables are larger than this program's text layer): one table of ranges that are
 * not letters is enough, because a mistake costs one character of a tag, never safety.
 */
#include "base/entity_scan.h"

#include <stdint.h>
#include <string.h>

#include "base/text.h"

struct range {
    uint32_t first;
    uint32_t last;
};

/* From U+00C0 on, the characters that are no part of a word: punctuation, spaces, symbols, emoji, private use.
 * Sorted. */
static const struct range not_letters[] = {
    {0x00D7, 0x00D7}, {0x00F7, 0x00F7},   {0x02C2, 0x02C5},    {0x02D2, 0x02DF}, {0x037E, 0x037E}, {0x0387, 0x0387},
    {0x055A, 0x055F}, {0x0589, 0x058F},   {0x05BE, 0x05BE},    {0x05C0, 0x05C0}, {0x05C3, 0x05C3}, {0x05C6, 0x05C6},
    {0x05F3, 0x05F4}, {0x0600, 0x060F},   {0x061B, 0x061F},    {0x066A, 0x066D}, {0x06D4, 0x06D4}, {0x0700, 0x070D},
    {0x0964, 0x0965}, {0x0970, 0x0970},   {0x0E3F, 0x0E3F},    {0x0E4F, 0x0E4F}, {0x0E5A, 0x0E5B}, {0x10FB, 0x10FB},
    {0x1360, 0x1368}, {0x1680, 0x1680},   {0x17D4, 0x17DB},    {0x1800, 0x180A}, {0x180E, 0x180E}, {0x2000, 0x200B},
    {0x200E, 0x206F}, {0x207A, 0x207E},   {0x208A, 0x208E},    {0x20A0, 0x20CF}, {0x2100, 0x214F}, {0x2190, 0x2BFF},
    {0x2E00, 0x2E7F}, {0x2FF0, 0x3004},   {0x3008, 0x3020},    {0x3030, 0x3030}, {0x303D, 0x303F}, {0x30A0, 0x30A0},
    {0x3200, 0x33FF}, {0x4DC0, 0x4DFF},   {0xA4FE, 0xA4FF},    {0xA60D, 0xA60F}, {0xD800, 0xF8FF}, {0xFD3E, 0xFD3F},
    {0xFE00, 0xFE1F}, {0xFE30, 0xFE6F},   {0xFEFF, 0xFF0F},    {0xFF1A, 0xFF20}, {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65},
    {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF}, {0xE0000, 0x10FFFF},
};

static bool in_ranges(const struct range *ranges, size_t count, uint32_t c)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = (low + count) / 2;
        if (c > ranges[middle].last) {
            low = middle + 1;
        } else if (c < ranges[middle].first) {
            count = middle;
        } else {
            return true;
        }
    }
    return false;
}

/* A letter, digit or underscore of any script. */
static bool scan_is_word(uint32_t c)
{
    if (c < 0x80) {
        return text_is_word((unsigned char)c);
    }
    return c >= 0xC0 && !in_ranges(not_letters, sizeof(not_letters) / sizeof(not_letters[0]), c);
}

/* The same, but only in scripts that put spaces between words: after such a character nothing begins. */
static bool is_spaced_word(uint32_t c)
{
    return c < 0x0E00 && scan_is_word(c);
}

/* Where a link ends although no ASCII character says so: spaces and the punctuation of CJK text, which follows a
 * link without a space. */
static bool ends_link(uint32_t c)
{
    static const struct range ends[] = {
        {0x80, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200B}, {0x2018, 0x201F}, {0x2026, 0x202F},
        {0x205F, 0x206F}, {0x3000, 0x3003}, {0x3008, 0x3011}, {0x3014, 0x301F}, {0xFE30, 0xFE6F},
        {0xFEFF, 0xFF0F}, {0xFF1A, 0xFF20}, {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65},
    };
    if (c < 0x80) {
        return c <= ' ' || c == 0x7F || strchr("\"<>\\^`{|}", (int)c) != NULL;
    }
    return in_ranges(ends, sizeof(ends) / sizeof(ends[0]), c);
}

/* The code point at `at`; an invalid byte counts as one character that is nothing. Returns its size, 0 at the
 * end. */
static size_t peek(const char *text, size_t length, size_t at, uint32_t *c)
{
    if (at >= length) {
        *c = 0;
        return 0;
    }
    size_t size = text_decode(text + at, length - at, c);
    if (size == 0) {
        *c = 0;
        return 1;
    }
    return size;
}

/* The code point before `at`, 0 at the start. */
static uint32_t scan_before(const char *text, size_t at)
{
    uint32_t c = 0;
    size_t start = at;
    while (start > 0 && at - start < 4) {
        start--;
        if (((unsigned char)text[start] & 0xC0) != 0x80) {
            return text_decode(text + start, at - start, &c) == at - start ? c : 0;
        }
    }
    return 0;
}

/* Nothing begins inside of a word, of a path or of another entity's sign. */
static bool may_begin(const char *text, size_t at, const char *also_not)
{
    uint32_t c = scan_before(text, at);
    if (c == 0) {
        return true;
    }
    return !is_spaced_word(c) && !(c < 0x80 && strchr(also_not, (int)c));
}

/* Bytes of the tag name at `at`; 0 if there is none. */
static size_t tag_length(const char *text, size_t length, size_t at)
{
    size_t start = at;
    bool letter = false;
    uint32_t c;
    for (size_t size; (size = peek(text, length, at, &c)) > 0 && scan_is_word(c); at += size) {
        letter |= !((c >= '0' && c <= '9') || c == '_');
    }
    return letter ? at - start : 0;
}

static bool take_tag(const struct entity_scan *s, size_t at, size_t sign, struct entity *found)
{
    size_t length = may_begin(s->text, at, "=/&#") ? tag_length(s->text, s->length, at + sign) : 0;
    *found = (struct entity){ENTITY_TAG, at, sign + length, s->text + at + sign, length};
    return length > 0;
}

static bool take_mention(const struct entity_scan *s, size_t at, struct entity *found)
{
    size_t end = at + 1;
    while (end < s->length && text_is_word((unsigned char)s->text[end])) {
        end++;
    }
    uint32_t next;
    bool elsewhere =
        end + 1 < s->length && s->text[end] == '@' && peek(s->text, s->length, end + 1, &next) && scan_is_word(next);
    *found = (struct entity){ENTITY_MENTION, at, end - at, s->text + at + 1, end - at - 1};
    return end > at + 1 && !elsewhere && may_begin(s->text, at, "=/@");
}

/* Bytes of http:// or https:// at the text; 0 if it is neither. */
static size_t scheme_length(const char *text, size_t length)
{
    static const char *const schemes[] = {"https://", "http://"};
    for (size_t i = 0; i < 2; i++) {
        size_t n = strlen(schemes[i]);
        size_t same = 0;
        while (same < n && same < length && (text[same] | ((same < n - 3) ? 0x20 : 0)) == schemes[i][same]) {
            same++;
        }
        if (same == n) {
            return n;
        }
    }
    return 0;
}

/* The end of the host (and port) that begins at `at`; `at` itself if it is none. A colon without port ends it. */
static size_t host_end(const char *text, size_t length, size_t at)
{
    size_t end = at;
    uint32_t c;
    for (size_t size; (size = peek(text, length, end, &c)) > 0; end += size) {
        bool inside = end > at && (c == '.' || c == '-');
        if (!inside && (c == '_' || !scan_is_word(c))) {
            break;
        }
    }
    if (c == '@') {
        return at;
    }
    if (c == ':' && end > at) {
        size_t port = end + 1;
        while (port < length && text[port] >= '0' && text[port] <= '9') {
            port++;
        }
        if (port < length && text[port] != '/' && (text[port] == '@' || text_is_word((unsigned char)text[port]))) {
            return at; /* user:password@ */
        }
        end = port > end + 1 ? port : end;
    }
    return end;
}

/* Takes punctuation and unopened closing brackets off the end of a link: they belong to the sentence. */
static size_t trim_link(const char *link, size_t length, size_t least)
{
    int round = 0;
    int square = 0;
    for (size_t i = 0; i < length; i++) {
        round += (link[i] == '(') - (link[i] == ')');
        square += (link[i] == '[') - (link[i] == ']');
    }
    while (length > least) {
        char last = link[length - 1];
        if (last == ')' && round < 0) {
            round++;
        } else if (last == ']' && square < 0) {
            square++;
        } else if (!strchr(".,:;!?'*~([", last)) {
            break;
        } else {
            round -= last == '(';
            square -= last == '[';
        }
        length--;
    }
    return length;
}

static bool take_link(const struct entity_scan *s, size_t at, struct entity *found)
{
    size_t scheme = scheme_length(s->text + at, s->length - at);
    if (scheme == 0 || !may_begin(s->text, at, "")) {
        return false;
    }
    size_t host = host_end(s->text, s->length, at + scheme);
    if (host == at + scheme) {
        return false;
    }
    size_t end = host;
    if (end < s->length && strchr("/?#", s->text[end])) {
        uint32_t c;
        for (size_t size; (size = peek(s->text, s->length, end, &c)) > 0 && c != 0 && !ends_link(c); end += size) {
        }
    }
    size_t length = trim_link(s->text + at, end - at, scheme + 1);
    *found = (struct entity){ENTITY_LINK, at, length, s->text + at, length};
    return true;
}

struct entity_scan entity_scan_start(const char *text, size_t length)
{
    return (struct entity_scan){text, length, 0};
}

bool entity_scan_next(struct entity_scan *s, struct entity *found)
{
    static const char full_width[] = "\xEF\xBC\x83";
    for (; s->at < s->length; s->at++) {
        bool taken = false;
        switch (s->text[s->at]) {
        case '#':
            taken = take_tag(s, s->at, 1, found);
            break;
        case '\xEF':
            taken =
                s->length - s->at > 3 && memcmp(s->text + s->at, full_width, 3) == 0 && take_tag(s, s->at, 3, found);
            break;
        case '@':
            taken = take_mention(s, s->at, found);
            break;
        case 'h':
        case 'H':
            taken = take_link(s, s->at, found);
            break;
        default:
            break;
        }
        if (taken) {
            s->at += found->length;
            return true;
        }
    }
    return false;
}

bool entity_scan_is_tag(const char *name, size_t length)
{
    return length > 0 && tag_length(name, length, 0) == length;
}

/* Upper case to lower case where both have two bytes in UTF-8: `step` 1 adds `add`; `step` 2 are ranges of pairs
 * (upper, lower), whose first is upper. Sorted by range. */
static uint32_t lower(uint32_t c)
{
    static const struct {
        uint32_t first, last, step, add;
    } rules[] = {
        {0x00C0, 0x00D6, 1, 32}, {0x00D8, 0x00DE, 1, 32}, {0x0100, 0x012F, 2, 1},  {0x0132, 0x0137, 2, 1},
        {0x0139, 0x0148, 2, 1},  {0x014A, 0x0177, 2, 1},  {0x0179, 0x017E, 2, 1},  {0x01CD, 0x01DC, 2, 1},
        {0x01DE, 0x01EF, 2, 1},  {0x01F8, 0x021F, 2, 1},  {0x0222, 0x0233, 2, 1},  {0x0388, 0x038A, 1, 37},
        {0x0391, 0x03A1, 1, 32}, {0x03A3, 0x03AB, 1, 32}, {0x0400, 0x040F, 1, 80}, {0x0410, 0x042F, 1, 32},
        {0x0460, 0x0481, 2, 1},  {0x048A, 0x04BF, 2, 1},  {0x04C1, 0x04CE, 2, 1},  {0x04D0, 0x052F, 2, 1},
        {0x0531, 0x0556, 1, 48},
    };
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && c >= rules[i].first; i++) {
        if (c <= rules[i].last) {
            return (c - rules[i].first) % rules[i].step == 0 ? c + rules[i].add : c;
        }
    }
    return c == 0x0178 ? 0x00FF : c == 0x0386 ? 0x03AC : c;
}

char *entity_scan_fold(const char *name, size_t length, char *out)
{
    for (size_t i = 0; i < length;) {
        uint32_t c;
        size_t size = peek(name, length, i, &c);
        if (size == 2) {
            c = lower(c);
            out[i] = (char)(0xC0 | c >> 6);
            out[i + 1] = (char)(0x80 | (c & 0x3F));
        } else if (size == 1 && name[i] >= 'A' && name[i] <= 'Z') {
            out[i] = (char)(name[i] + 32);
        } else {
            memcpy(out + i, name + i, size);
        }
        i += size;
    }
    out[length] = '\0';
    return out;
}
