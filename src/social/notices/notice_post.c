/* notice_post.c - who is told of a post: those whom it mentions, and whom it answers; and when it is edited, those who
 * boosted it. Any thread.
 *
 * They are told beside the first deliveries, and by the post's job once more if that is interrupted: the time of the
 * notice is the post's, so nothing comes twice. Who is mentioned by an edit is told at the time of that, or it would be
 * old already; who is mentioned no more loses the notice, because nobody would know whose it was when the post goes.
 */
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "base/text.h"
#include "social/notices/notice.h"
#include "social/posts/notify.h"
#include "social/posts/post.h"
#include "social/posts/thread.h"
#include "store/calls.h"
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

static void post_add(struct store_batch *b, struct arena *a, const struct post *p)
{
    if (p->reply_author && p->reply_author != p->author.id) {
        tell_add(b, a, p, p->reply_author, NOTICE_REPLY, false);
    }
    mentions_add(b, a, p, false);
}

static void edited_add(struct store_batch *b, uint64_t uid, const struct post *p)
{
    const struct script_notice_edited in = {
        .uid = uid, .from = p->author.id, .post = p->id, .time = (int64_t)p->edited_ms * 1000, .root = thread_root(p)};
    script_notice_edited_add(b, &in);
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
    const char *groups[] = {notice_group(a, one, post), notice_group(a, other, post)};
    script_notice_end_add(b, &(struct script_notice_end){.uid = uid, .groups = groups, .groups_count = 2});
}

static void post_end_add(struct store_batch *b, struct arena *a, uint64_t author, uint64_t post, const char *people)
{
    size_t length;
    end_add(b, a, author, post, NOTICE_FAVOURITE, NOTICE_BOOST);
    for (const char *at; (at = text_entry(&people, &length));) {
        uint64_t uid = id_parse_n(at, length);
        if (uid) {
            end_add(b, a, uid, post, NOTICE_MENTION, NOTICE_REPLY);
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
        }
    }
    mentions_add(b, a, p, true);
}

const struct notify notice_notify = {.post_add = post_add,
                                     .people_edit_add = people_edit_add,
                                     .edited_add = edited_add,
                                     .people = people_of,
                                     .post_end_add = post_end_add};
