/* demo_reactions.c - see demo_write.h: what people have done with some of the newest posts: favourites, bookmarks, pins, edits; and what those
 * were told whom these posts mention or answer. Made as people make them.
 *
 * Threads: see demo_write.h.
 */
#include "upkeep/demo_write.h"

#include "base/arena.h"
#include "social/core/actor.h"
#include "social/core/problem.h"
#include "social/core/social.h"
#include "social/posts/edit.h"
#include "social/posts/notify.h"
#include "social/posts/post_read.h"
#include "social/posts/react.h"
#include "store/store.h"
#include "upkeep/demo_text.h"
#include "upkeep/demo_words.h"

#define FAVOURITED_OF 6   /* posts has favourites, */
#define FAVOURITES_MOST 3 /* up to so many */
#define BOOKMARKED_OF 16  /* is put aside by somebody */
#define PINNED_OF 64      /* is pinned */
#define EDITED_OF 40      /* was edited */

/* What somebody does with posts: one of the actions of react.h. */
typedef enum err react(struct social *s, struct arena *a, const struct actor *by, uint64_t post, bool on,
                       struct problems *p);

static enum err demo_react(struct demo_work *w, struct arena *a, size_t user, uint64_t post, react *how)
{
    const struct actor by = actor_system(w->plan->users[user].id);
    enum err e = how(w->social, a, &by, post, true, &(struct problems){.count = 0});
    return e == ERR_CONFLICT ? ERR_OK : demo_let_pass(e); /* as many are pinned as may be */
}

/* A word more. */
static enum err demo_edit(struct demo_work *w, struct arena *a, const struct demo_post *post)
{
    const struct demo_user *author = &w->plan->users[post->author];
    const struct actor by = actor_system(author->id);
    struct post old;
    enum err e = post_find(w->social, a, author->id, post->id, &old);
    if (e != ERR_OK) {
        return demo_let_pass(e);
    }
    const struct post_draft draft = {
        .text = arena_printf(a, "%s (%s)", old.text, demo_languages[author->language].things[0]),
        .spoiler = old.spoiler,
        .language = old.language};
    return demo_let_pass(post_edit(w->social, a, &by, post->id, &draft, &(struct problems){.count = 0}));
}

/* As the fan-out does. */
static enum err demo_tell(struct demo_work *w, struct arena *a, const struct demo_post *post)
{
    const struct demo_user *users = w->plan->users;
    struct post told = {.id = post->id, .author = {.id = users[post->author].id}, .thread = post->thread};
    struct post_mention mention;
    if (post->parent) {
        told.reply_to = post->parent;
        told.reply_author = users[post->parent_author].id;
    }
    if (post->mentioned != UINT32_MAX) {
        mention = (struct post_mention){users[post->mentioned].name, users[post->mentioned].id};
        told.mentions = &mention;
        told.mention_count = 1;
    }
    struct store_batch *b = store_batch_new(w->social->store, a);
    w->social->parts->notify->post_add(b, a, &told, NULL);
    return store_run(b);
}

static enum err demo_react_to(struct demo_work *w, struct arena *a, const struct demo_post *post)
{
    uint64_t seed = w->plan->options->seed, users = w->plan->options->users;
    struct demo_random r = demo_random_at(seed, DEMO_REACTION, post->number);
    bool is_bookmarked = demo_random_below(&r, BOOKMARKED_OF) == 0, is_pinned = demo_random_below(&r, PINNED_OF) == 0;
    bool is_edited = demo_random_below(&r, EDITED_OF) == 0, is_liked = demo_random_below(&r, FAVOURITED_OF) == 0;
    uint64_t favourites = is_liked ? 1 + demo_random_below(&r, FAVOURITES_MOST) : 0;
    bool tells = post->parent || post->mentioned != UINT32_MAX;
    enum err e = tells ? demo_tell(w, a, post) : ERR_OK;
    for (uint64_t i = 0; e == ERR_OK && i < favourites; i++) {
        e = demo_react(w, a, (size_t)demo_random_below(&r, users), post->id, post_favourite);
    }
    if (e == ERR_OK && is_bookmarked) {
        e = demo_react(w, a, (size_t)demo_random_below(&r, users), post->id, post_bookmark);
    }
    if (e == ERR_OK && is_pinned) {
        e = demo_react(w, a, post->author, post->id, post_pin);
    }
    return e == ERR_OK && is_edited ? demo_edit(w, a, post) : e;
}

enum err demo_write_reactions(struct demo_work *w, unsigned share)
{
    const struct demo_plan *p = w->plan;
    struct arena *a = arena_new();
    uint64_t first = p->stored > DEMO_RECENT ? p->stored - DEMO_RECENT : 0;
    enum err e = ERR_OK;
    for (uint64_t n = first; e == ERR_OK && n < p->stored; n++) {
        const struct demo_post *post = &p->recent[n % DEMO_RECENT];
        if (post->id && post->author % w->shares == share) {
            arena_reset(a);
            e = demo_react_to(w, a, post);
        }
    }
    arena_free(a);
    return e;
}
