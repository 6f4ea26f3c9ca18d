/* talk_post.c - which talk a direct post belongs to, and telling those who take part: see talk.h. Any thread. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "base/secret.h"
#include "social/core/event.h"
#include "social/notices/talk.h"
#include "social/posts/thread.h"
#include "store/calls.h"
#include "store/store.h"

#define NUMBER_DIGITS 8 /* of base64url, 6 bits each: scores are exact up to 53 */

static int compare_uids(const void *one, const void *other)
{
    uint64_t x = *(const uint64_t *)one, y = *(const uint64_t *)other;
    return (x > y) - (x < y);
}

size_t talk_people(const struct post *p, uint64_t *out)
{
    size_t all = 0, count = 0;
    out[all++] = p->author.id;
    if (p->reply_author) {
        out[all++] = p->reply_author;
    }
    for (size_t i = 0; i < p->mention_count && all < TALK_PEOPLE; i++) {
        out[all++] = p->mentions[i].uid;
    }
    qsort(out, all, sizeof(*out), compare_uids);
    for (size_t i = 0; i < all; i++) {
        if (count == 0 || out[count - 1] != out[i]) {
            out[count++] = out[i];
        }
    }
    return count;
}

/* Their ids without that of one, comma separated. */
static const char *others_text(struct arena *a, const uint64_t *people, size_t count, uint64_t but)
{
    struct buffer out = buffer_make(a);
    char digits[ID_SIZE];
    for (size_t i = 0; i < count; i++) {
        if (people[i] != but) {
            buffer_printf(&out, "%s%s", out.length ? "," : "", id_write(people[i], digits));
        }
    }
    return buffer_string(&out);
}

static uint64_t base64url_value(char c)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const char *at = strchr(alphabet, c);
    return at ? (uint64_t)(at - alphabet) : 0;
}

/* 48 bits of a hash, so that nobody can write a post that falls into a talk of others. */
static uint64_t number_of_talk(struct arena *a, uint64_t root, const uint64_t *people, size_t count)
{
    char hash[SECRET_HASH_SIZE], digits[ID_SIZE];
    secret_hash(arena_printf(a, "talk %s %s", id_write(root, digits), others_text(a, people, count, 0)), hash);
    uint64_t number = 0;
    for (size_t i = 0; i < NUMBER_DIGITS; i++) {
        number = number << 6 | base64url_value(hash[i]);
    }
    return number ? number : 1;
}

uint64_t talk_of_post(struct arena *a, const struct post *p)
{
    uint64_t people[TALK_PEOPLE];
    size_t count = talk_people(p, people);
    return number_of_talk(a, thread_root(p), people, count);
}

void talk_post_add(struct store_batch *b, struct arena *a, const struct post *p, bool fresh)
{
    if (p->visibility != VISIBILITY_DIRECT) {
        return;
    }
    uint64_t people[TALK_PEOPLE];
    size_t count = talk_people(p, people);
    struct script_talk_add in = {.talk = number_of_talk(a, thread_root(p), people, count),
                                 .post = p->id,
                                 .from = p->author.id,
                                 .root = thread_root(p),
                                 .fresh = fresh,
                                 .most = TALKS_MOST,
                                 .kept = TALK_POSTS};
    const char *number = arena_printf(a, "%llu", (unsigned long long)in.talk);
    for (size_t i = 0; i < count; i++) {
        in.uid = people[i];
        in.people = others_text(a, people, count, people[i]);
        script_talk_add_add(b, &in);
        event_tell(b, a, EVENT_TALK, people[i], number);
    }
}

void talk_post_end_add(struct store_batch *b, uint64_t uid, uint64_t post)
{
    script_talk_end_add(b, &(struct script_talk_end){.uid = uid, .post = post});
}
