/* people_index.c - see people_index.h. Any thread. */
#include "social/search/people_index.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "base/text.h"
#include "base/words.h"
#include "social/people/user.h"
#include "social/people/user_index.h"
#include "social/posts/tags.h"
#include "store/keys.h"
#include "store/store.h"

#define BEHIND "\xFF" /* no text has this byte, so it is behind all that begin alike */

/* --- words --------------------------------------------------------------------------------------------------------- */

/* The run of signs that begins with the i-th word, or the word; cut to WORDS_LONGEST like every word. */
static const char *run_of(struct arena *a, const struct words *w, size_t i)
{
    size_t length = w->items[i].length;
    for (size_t k = i + 1; k < w->count && w->items[k].joins; k++) {
        if (length + w->items[k].length > WORDS_LONGEST) {
            break;
        }
        length += w->items[k].length;
    }
    return arena_dup_n(a, w->items[i].text, length);
}

const char *const *people_words(struct arena *a, const char *text, bool all_ends)
{
    struct words w = words_split(a, text, strlen(text), PEOPLE_WORDS);
    const char **out = arena_alloc(a, (w.count + 1) * sizeof(*out));
    size_t n = 0;
    for (size_t i = 0; i < w.count; i++) {
        if (all_ends || !w.items[i].joins) {
            out[n++] = run_of(a, &w, i);
        }
    }
    out[n] = NULL;
    return out;
}

static const char *const *user_words(struct arena *a, const struct user *u)
{
    return people_words(a, arena_printf(a, "%s %s", u->name, u->display), true);
}

static bool is_begun(const char *const *words, const char *part)
{
    size_t length = strlen(part);
    while (*words && strncmp(*words, part, length) != 0) {
        words++;
    }
    return *words != NULL;
}

static bool has_word(const char *const *words, const char *word)
{
    while (*words && strcmp(*words, word) != 0) {
        words++;
    }
    return *words != NULL;
}

bool people_match(struct arena *a, const struct user *u, const char *const *asked)
{
    const char *const *words = user_words(a, u);
    while (*asked && is_begun(words, *asked)) {
        asked++;
    }
    return *asked == NULL;
}

/* --- keys ---------------------------------------------------------------------------------------------------------- */

/* The first letter, which the text of the key is. */
static const char *letter_of(struct arena *a, const char *word)
{
    uint32_t c;
    return arena_dup_n(a, word, text_decode(word, strlen(word), &c));
}

static size_t find_add(struct store_batch *b, struct arena *a, enum key kind, const char *word, unsigned most)
{
    const char *key = key_text(a, kind, letter_of(a, word));
    return store_command(b, key_text_bucket(letter_of(a, word)), "ZRANGE", key, arena_printf(a, "[%s", word),
                         arena_printf(a, "(%s" BEHIND, word), "BYLEX", "LIMIT", "0", arena_printf(a, "%u", most), NULL);
}

size_t people_find_add(struct store_batch *b, struct arena *a, const char *word, unsigned most)
{
    return find_add(b, a, KEY_PEOPLE, word, most);
}

size_t tags_find_add(struct store_batch *b, struct arena *a, const char *word, unsigned most)
{
    return find_add(b, a, KEY_TAGNAMES, word, most);
}

uint64_t people_entry_user(const char *entry)
{
    const char *colon = strchr(entry, ':');
    return colon ? id_parse(colon + 1) : 0;
}

const char *tag_entry_tag(const char *entry)
{
    const char *colon = strchr(entry, ':');
    return colon && colon[1] ? colon + 1 : NULL;
}

const char *people_entry_key(struct arena *a, const char *entry)
{
    return letter_of(a, entry);
}

bool people_entry_fits(struct arena *a, const char *entry, const struct user *u)
{
    return has_word(user_words(a, u), arena_dup_n(a, entry, strcspn(entry, ":")));
}

/* --- people -------------------------------------------------------------------------------------------------------- */

static void people_tell(struct store_batch *b, struct arena *a, const char *command, const char *word, uint64_t uid)
{
    const char *letter = letter_of(a, word), *key = key_text(a, KEY_PEOPLE, letter),
               *entry = arena_printf(a, "%s:%s", word, id_text(a, uid));
    const char *words[] = {command, key, strcmp(command, "ZADD") == 0 ? "0" : entry, entry};
    store_command_v(b, key_text_bucket(letter), strcmp(command, "ZADD") == 0 ? 4 : 3, words);
}

static void people_add(struct store_batch *b, struct arena *a, const struct user *u)
{
    for (const char *const *w = user_words(a, u); *w; w++) {
        people_tell(b, a, "ZADD", *w, u->id);
    }
}

void people_look_add(struct store_batch *b, struct arena *a, const struct user *u)
{
    for (const char *const *w = user_words(a, u); *w; w++) {
        people_tell(b, a, "ZSCORE", *w, u->id);
    }
}

static void people_end_add(struct store_batch *b, struct arena *a, const struct user *old, const struct user *now)
{
    static const char *const none[] = {NULL};
    const char *const *stay = now ? user_words(a, now) : none;
    for (const char *const *w = user_words(a, old); *w; w++) {
        if (!has_word(stay, *w)) {
            people_tell(b, a, "ZREM", *w, old->id);
        }
    }
}

const struct user_index search_people = {.add = people_add, .end_add = people_end_add};

/* --- tags ---------------------------------------------------------------------------------------------------------- */

const char *tag_folded(struct arena *a, const char *tag)
{
    struct words w = words_split(a, tag, strlen(tag), PEOPLE_WORDS);
    struct buffer out = buffer_make(a);
    for (size_t i = 0; i < w.count; i++) {
        buffer_add(&out, w.items[i].text, w.items[i].length);
    }
    return buffer_string(&out);
}

void tag_index_add(struct store_batch *b, struct arena *a, const char *tags)
{
    for (const char *tag; (tag = tags_next(a, &tags));) {
        const char *folded = tag_folded(a, tag);
        if (*folded) {
            const char *letter = letter_of(a, folded);
            store_command(b, key_text_bucket(letter), "ZADD", key_text(a, KEY_TAGNAMES, letter), "0",
                          arena_printf(a, "%s:%s", folded, tag), NULL);
        }
    }
}
