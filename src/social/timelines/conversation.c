/* conversation.c - see conversation.h. Any thread. */
#include "social/timelines/conversation.h"

#include "base/arena.h"
#include "social/people/visit_read.h"
#include "social/posts/post_read.h"

struct conversation_read {
    struct conversation out;
    struct post_load load, parent;
};

static enum err take_conversation_rest(struct visit *v, void *self)
{
    (void)v;
    struct conversation_read *r = self;
    r->out.post = r->load.post;
    r->out.parent = r->parent.post;
    return r->load.post.id ? ERR_OK : ERR_NOT_FOUND;
}

static enum err take_conversation_post(struct visit *v, void *self)
{
    struct conversation_read *r = self;
    if (!r->load.post.author.id) { /* not post.id: who may see it may be known after the next round only */
        return ERR_NOT_FOUND;
    }
    if (r->load.cached) { /* before the round trip: it may have been forgotten since */
        post_ask(v, &r->load, 1, SEE_POST);
    }
    if (r->load.post.reply_to) {
        r->parent.id = r->load.post.reply_to;
        post_ask(v, &r->parent, 1, SEE_THREAD);
    }
    visit_then(v, take_conversation_rest, r);
    return ERR_OK;
}

const struct conversation *conversation_ask(struct visit *v, uint64_t id, const struct timeline_query *q)
{
    struct conversation_read *r = arena_zero(v->arena, sizeof(*r));
    r->load.id = id;
    post_ask(v, &r->load, 1, SEE_POST);
    visit_then(v, take_conversation_post, r);
    r->out.replies = timeline_replies_ask(v, id, q);
    return &r->out;
}
