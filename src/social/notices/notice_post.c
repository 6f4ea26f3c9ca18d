/* notice_post.c - who is told of a post: those whom it mentions, and whom it answers; and when it is edited, those who
 * boosted it. Any thread.
 *
 * They are told beside the first deliveries, and by the post's job once more if that is interrupted: the time of the
 * notice is the post's, so nothing comes twice. Who is mentioned by an edit is told at the time of that, or it would be
 * old already; who is mentioned no more loses the notice, because nobody would know whose it was when the post goes. Those
 * who want to be told of somebody's posts (tie.h) come with the answer that stores the post; they learn nothing of edits.
 */
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "base/text.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "social/notices/notice.h"
#include "social/notices/talk.h"
#include "social/posts/notify.h"
#include "social/posts/post.h"
#include "social/posts/thread.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

/* `once`: by an edit, and then. */
static void tell_add(struct store_batch *b, struct arena *a, const struct post *p, uint64_t uid, enum notice_kind k,
                     bool once)
{
    const struct script_notice_add in = {.uid = uid,
                                         .from = p->author.id,
                                         .group = notice_group(a, k, p->id),
                                         .time = (int64_t)(once ? p->edited_ms : id_ms(p->id)) * 1000,
                                         .root = thread_root(p),
                                         .once = once};
    script_notice_add_add(b, &in);
    event_tell(b, a, EVENT_NOTICE, uid, "");
}

static void mentions_add(struct store_batch *b, struct arena *a, const struct post *p, bool once)
{
    for (size_t i = 0; i < p->mention_count; i++) {
        uint64_t uid = p->mentions[i].uid;
        if (uid != p->author.id && uid != p->reply_author) {
            tell_add(b, a, p, uid, NOTICE_MENTION, once);
        }
    }
}

/* Answers to others, and what is for single people, are not what somebody wants to be told of. Whom the post concerns is
 * told so. */
static void watchers_add(struct store_batch *b, struct arena *a, const struct post *p,
                         const struct store_reply *watchers)
{
    bool is_told = !p->boost && p->visibility != VISIBILITY_DIRECT && (!p->reply_to || p->reply_author == p->author.id);
    for (size_t i = 0; is_told && watchers && i < watchers->count; i++) {
        uint64_t uid = id_parse(store_text(&watchers->items[i]));
        if (uid && uid != p->author.id && !post_addresses(p, uid)) {
            tell_add(b, a, p, uid, NOTICE_STATUS, false);
        }
    }
}

static void post_add(struct store_batch *b, struct arena *a, const struct post *p, const struct store_reply *watchers)
{
    if (p->reply_author && p->reply_author != p->author.id) {
        tell_add(b, a, p, p->reply_author, NOTICE_REPLY, false);
    }
    mentions_add(b, a, p, false);
    talk_post_add(b, a, p, true);
    watchers_add(b, a, p, watchers);
}

static void edited_add(struct store_batch *b, struct arena *a, uint64_t uid, const struct post *p)
{
    const struct script_notice_edited in = {
        .uid = uid, .from = p->author.id, .post = p->id, .time = (int64_t)p->edited_ms * 1000, .root = thread_root(p)};
    script_notice_edited_add(b, &in);
    event_tell(b, a, EVENT_NOTICE, uid, "");
}

static const char *people_of(struct arena *a, const struct post *p)
{
    struct buffer out = buffer_make(a);
    char digits[ID_SIZE];
    if (p->reply_author) {
        buffer_text(&out, id_write(p->reply_author, digits));
    }
    for (size_t i = 0; i < p->mention_count; i++) {
        buffer_printf(&out, "%s%s", out.length ? "," : "", id_write(p->mentions[i].uid, digits));
    }
    return buffer_string(&out);
}

static void end_add(struct store_batch *b, struct arena *a, uint64_t uid, uint64_t post, enum notice_kind one,
                    enum notice_kind other)
{
    const char *groups[] = {notice_group(a, one, post), notice_group(a, other, post),
                            notice_group(a, NOTICE_STATUS, post)};
    script_notice_end_add(b, &(struct script_notice_end){.uid = uid, .groups = groups, .groups_count = 3});
}

static void post_end_add(struct store_batch *b, struct arena *a, uint64_t author, uint64_t post, const char *people)
{
    size_t length;
    end_add(b, a, author, post, NOTICE_FAVOURITE, NOTICE_BOOST);
    talk_post_end_add(b, author, post);
    for (const char *at; (at = text_entry(&people, &length));) {
        uint64_t uid = id_parse_n(at, length);
        if (uid) {
            end_add(b, a, uid, post, NOTICE_MENTION, NOTICE_REPLY);
            talk_post_end_add(b, uid, post);
        }
    }
}

static void people_edit_add(struct store_batch *b, struct arena *a, const struct post *p, const char *people)
{
    size_t length;
    for (const char *at; (at = text_entry(&people, &length));) {
        uint64_t uid = id_parse_n(at, length);
        if (uid && !post_addresses(p, uid)) {
            end_add(b, a, uid, p->id, NOTICE_MENTION, NOTICE_REPLY);
            if (uid != p->author.id) {
                talk_post_end_add(b, uid, p->id);
            }
        }
    }
    mentions_add(b, a, p, true);
    talk_post_add(b, a, p, true);
}

const struct notify notice_notify = {.post_add = post_add,
                                     .people_edit_add = people_edit_add,
                                     .edited_add = edited_add,
                                     .people = people_of,
                                     .post_end_add = post_end_add};

/* --- two people part ----------------------------------------------------------------------------------------------- */

/* Notices of one user that are about a post which may be the other's: their posts lie in one bucket with them. */
struct parted {
    uint64_t uid, other;
    const char **groups;
    size_t count, first; /* of the replies that say whose the posts are */
};

static struct parted parted_of(struct arena *a, struct store_batch *authors, const struct store_reply *groups,
                               uint64_t uid, uint64_t other)
{
    struct parted out = {uid, other, arena_alloc(a, (groups->count + 1) * sizeof(*out.groups)), 0,
                         store_batch_count(authors)};
    for (size_t i = 0; i < groups->count; i++) {
        enum notice_kind k;
        uint64_t post;
        const char *group = store_text(&groups->items[i]);
        bool is_post = notice_group_parse(group, &k, &post) &&
                       (k == NOTICE_MENTION || k == NOTICE_REPLY || k == NOTICE_EDIT || k == NOTICE_STATUS);
        if (is_post && id_bucket(post) == id_bucket(other)) {
            out.groups[out.count++] = group;
            record_ask(authors, RECORD_POST, post, POST_AUTHOR);
        }
    }
    return out;
}

static void parted_end_add(struct store_batch *b, const struct store_batch *authors, struct parted *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++) {
        struct record_post post;
        record_post_take(store_reply(authors, p->first + i), POST_AUTHOR, &post);
        if (post.author == p->other) {
            p->groups[n++] = p->groups[i];
        }
    }
    if (n) {
        script_notice_end_add(b, &(struct script_notice_end){.uid = p->uid, .groups = p->groups, .groups_count = n});
    }
}

enum err notice_part(struct social *s, struct arena *a, uint64_t one, uint64_t other)
{
    struct store_batch *read = store_batch_new(s->store, a), *authors = store_batch_new(s->store, a),
                       *end = store_batch_new(s->store, a);
    store_command(read, id_bucket(one), "ZRANGE", key_id(a, KEY_NOTICES, one), "0", "-1", NULL);
    store_command(read, id_bucket(other), "ZRANGE", key_id(a, KEY_NOTICES, other), "0", "-1", NULL);
    script_talk_hush_add(read, &(struct script_talk_hush){.uid = one});
    script_talk_hush_add(read, &(struct script_talk_hush){.uid = other});
    enum err e = store_run(read);
    if (e != ERR_OK) {
        return e;
    }
    struct parted sides[] = {parted_of(a, authors, store_reply(read, 0), one, other),
                             parted_of(a, authors, store_reply(read, 1), other, one)};
    e = store_batch_count(authors) ? store_run(authors) : ERR_OK;
    for (unsigned i = 0; e == ERR_OK && i < 2; i++) {
        parted_end_add(end, authors, &sides[i]);
    }
    return e == ERR_OK && store_batch_count(end) ? store_run(end) : e;
}
