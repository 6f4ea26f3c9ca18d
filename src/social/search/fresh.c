/* fresh.c - see fresh.h. Any thread. */
#include "social/search/fresh.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/id.h"
#include "config/config.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/posts/index.h"
#include "social/posts/post.h"
#include "social/search/index.h"
#include "store/keys.h"
#include "store/store.h"

#define MANY_AGAIN (FRESH_MANY / 4) /* after so many more somebody tries again, if they still wait */

static const char *fresh_key(struct arena *a)
{
    return key_plain(a, KEY_FRESH, KEY_GLOBAL_BUCKET);
}

/* --- coming and going ---------------------------------------------------------------------------------------------- */

/* What a post is found by: its author's number if he alone may, a blank, and its words with blanks between; signs of a run without. */
static const char *fresh_words(struct social *s, struct arena *a, const struct post *p)
{
    struct words w = index_words_of(s, a, p);
    struct buffer out = buffer_make(a);
    buffer_text(&out, p->visibility == VISIBILITY_PUBLIC ? "" : id_text(a, p->author.id));
    for (size_t i = 0; i < w.count; i++) {
        buffer_text(&out, w.items[i].joins ? "" : " ");
        buffer_add(&out, w.items[i].text, w.items[i].length);
    }
    buffer_char(&out, ' ');
    return buffer_string(&out);
}

static size_t fresh_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *post)
{
    if (!s->config->search.enabled || post->boost) {
        return SIZE_MAX;
    }
    index_tags_add(b, a, post);
    store_command(b, KEY_GLOBAL_BUCKET, "HSET", fresh_key(a), id_text(a, post->id), fresh_words(s, a, post), NULL);
    return store_command(b, KEY_GLOBAL_BUCKET, "HLEN", fresh_key(a), NULL);
}

static void fresh_post_end_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *post)
{
    store_command(b, KEY_GLOBAL_BUCKET, "HDEL", fresh_key(a), id_text(a, post->id), NULL);
    index_post_end_add(s, b, a, post);
}

size_t fresh_look_add(struct store_batch *b, struct arena *a, uint64_t post)
{
    return store_command(b, KEY_GLOBAL_BUCKET, "HEXISTS", fresh_key(a), id_text(a, post), NULL);
}

void fresh_drop_add(struct store_batch *b, struct arena *a)
{
    store_command(b, KEY_GLOBAL_BUCKET, "DEL", fresh_key(a), NULL);
}

/* --- into the lists ------------------------------------------------------------------------------------------------ */

enum err fresh_settle(struct social *s, struct arena *a)
{
    struct store_batch *read = store_batch_new(s->store, a), *b = store_batch_new(s->store, a);
    store_command(read, KEY_GLOBAL_BUCKET, "HKEYS", fresh_key(a), NULL);
    enum err e = store_run(read);
    const struct store_reply *keys = store_reply(read, 0);
    uint64_t *ids = arena_alloc(a, (keys->count + 1) * sizeof(*ids));
    for (size_t i = 0; i < keys->count; i++) {
        ids[i] = id_parse(store_text(&keys->items[i]));
        store_command(b, KEY_GLOBAL_BUCKET, "HDEL", fresh_key(a), store_text(&keys->items[i]), NULL);
    }
    for (size_t i = 0, n; e == ERR_OK && i < keys->count; i += n) {
        n = keys->count - i < INDEX_AT_ONCE ? keys->count - i : INDEX_AT_ONCE;
        e = index_stored(s, a, ids + i, n);
    }
    return e == ERR_OK ? store_run(b) : e;
}

static enum err fresh_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    (void)j;
    *done = true;
    return fresh_settle(s, a);
}

/* Work for this process alone, which is stored nowhere: see fresh.h. */
static const struct job_class fresh_job = {.name = "fresh", .step = fresh_step, .size = sizeof(struct job)};

static void fresh_take(struct social *s, struct arena *a, const struct store_batch *b, size_t reply)
{
    int64_t count = reply == SIZE_MAX ? 0 : store_integer(store_reply(b, reply));
    if (count >= FRESH_MANY && count % MANY_AGAIN == 0) {
        job_hand_over(s, a, job_new(a, &fresh_job, id_of_ms(clock_site_ms()) | KEY_GLOBAL_BUCKET << 6));
    }
}

const struct post_index search_index = {.post_new_add = fresh_add,
                                        .post_new_take = fresh_take,
                                        .posts_add = index_posts_add,
                                        .post_end_add = fresh_post_end_add,
                                        .words_end_add = index_words_end_add};

/* --- looking ------------------------------------------------------------------------------------------------------- */

size_t fresh_ask(struct store_batch *b, struct arena *a)
{
    return store_command(b, KEY_GLOBAL_BUCKET, "HGETALL", fresh_key(a), NULL);
}

/* Signs stand beside others; a word stands alone. */
static bool is_word_in(const char *words, const char *word)
{
    size_t length = strlen(word);
    bool is_sign = (unsigned char)*word >= 0x80; /* or a word of other letters, of which some are then too many */
    for (const char *at = words; (at = strstr(at, word)); at++) {
        if (is_sign || (at > words && at[-1] == ' ' && at[length] == ' ')) {
            return true;
        }
    }
    return false;
}

struct hit_list fresh_hits(struct arena *a, const struct store_reply *all, const char *word, uint64_t uid,
                           uint64_t below)
{
    struct hit_list out = {.ids = arena_alloc(a, (all->count / 2 + 1) * sizeof(*out.ids))};
    for (size_t i = 0; i + 1 < all->count; i += 2) {
        uint64_t id = id_parse(store_text(&all->items[i])), owner;
        const char *words = store_text(&all->items[i + 1]);
        owner = strtoull(words, NULL, 10);
        bool is_his = *words == ' ' || (uid && owner == uid);
        if (id && (!below || id < below) && is_his && is_word_in(words, word)) {
            out.ids[out.count++] = id;
        }
    }
    qsort(out.ids, out.count, sizeof(*out.ids), id_newest_first);
    return out;
}
