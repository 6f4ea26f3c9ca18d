/* user_edit.c - what users change about themselves: name, bio and fields, and what they prefer (user.h). Any thread. */
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "social/core/action.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/profile_field.h"
#include "social/people/shown.h"
#include "social/people/user.h"
#include "social/people/user_index.h"
#include "store/calls.h"
#include "store/store.h"

/* The change, and behind it what takes away by which he was found and is not. Of two changes at once the last one puts its
 * own back. */
static enum err change_profile(struct social *s, struct arena *a, const struct actor *by, const struct user *old,
                               const struct record_user *changed)
{
    const struct user_index *index = s->parts->user_index;
    struct user now = {.id = by->uid, .name = old->name, .display = changed->display}, is;
    struct store_batch *b = shown_batch(s, a, by->shown), *again = store_batch_new(s->store, a);
    size_t set = user_set_add(s, b, a, by->uid, changed);
    index->end_add(b, a, old, &now);
    index->add(b, a, &now);
    size_t reply = user_add(b, by->uid);
    cache_forget(s->cache, CACHE_USER, by->uid); /* what is shown is asked before the event of the change is heard */
    shown_ask(by->shown, by->uid);
    enum err e = shown_run(by->shown, b);
    if (e != ERR_OK) { /* nobody knows how far it came: under no name he is to be missing */
        index->add(again, a, old);
        store_send(again);
        return e;
    }
    bool is_there = user_take(s, b, reply, by->uid, &is);
    if (is_there && strcmp(is.display, now.display) != 0) {
        index->add(again, a, &is);
        e = store_run(again);
    }
    return e == ERR_OK && script_answer(store_reply(b, set)) != ANSWER_OK ? ERR_NOT_FOUND : e;
}

/* Changes the record so that nobody ever is missing where people are looked for: the new name is there before the record
 * says so. It goes with the limit, and is taken away again if that refuses. */
static enum err set_profile(struct social *s, struct arena *a, const struct actor *by,
                            const struct record_user *changed, struct problems *p)
{
    const struct user_index *index = s->parts->user_index;
    const struct script_limit limit = action_limit(s, ACTION_PROFILE, by, 1);
    struct user old, now = {.id = by->uid, .name = "", .display = changed->display};
    struct store_batch *before = store_batch_new(s->store, a), *end = store_batch_new(s->store, a);
    size_t counted = limit_add(before, &limit), reply = user_add(before, by->uid);
    index->add(before, a, &now);
    enum err e = store_run(before);
    if (e != ERR_OK) {
        return e;
    }
    bool is_there = user_take(s, before, reply, by->uid, &old);
    if (!limit_refuses(store_reply(before, counted), p) && is_there) {
        return change_profile(s, a, by, &old, changed);
    }
    index->end_add(end, a, &now, is_there ? &old : NULL);
    e = store_run(end);
    return e != ERR_OK ? e : is_there ? ERR_TOO_MANY : ERR_NOT_FOUND;
}

enum err user_edit(struct social *s, struct arena *a, const struct actor *by, const struct user_profile *profile,
                   struct problems *p)
{
    static const struct problem_text_rule display_rule = {"display_name", "display_name_invalid",
                                                          "display_name_too_long", USER_DISPLAY_MAX, true};
    static const struct problem_text_rule bio_rule = {"bio", "bio_invalid", "bio_too_long", USER_BIO_MAX, false};
    char *tidy_display = arena_dup(a, profile->display), *tidy_bio = arena_dup(a, profile->bio);
    enum err e = action_check(ACTION_PROFILE, by);
    text_tidy(tidy_display);
    text_tidy(tidy_bio);
    if (text_is_clean(tidy_display, strlen(tidy_display)) && text_is_blank(tidy_display, strlen(tidy_display))) {
        tidy_display[0] = '\0'; /* stored as empty: then the user name is shown */
    }
    problem_check_text(p, tidy_display, &display_rule);
    problem_check_text(p, tidy_bio, &bio_rule);
    const char *fields = profile->fields ? profile_fields_pack(a, profile->fields, p) : NULL;
    if (e != ERR_OK || p->count) {
        return e != ERR_OK ? e : ERR_INVALID;
    }
    const struct record_user changed = {.display = tidy_display, .bio = tidy_bio, .profile_fields = fields};
    return set_profile(s, a, by, &changed, p);
}

enum err user_prefer(struct social *s, struct arena *a, const struct actor *by, const char *const words[PREFERENCES],
                     struct problems *p)
{
    struct record_user changed = {0};
    enum err e = action_check(ACTION_PREFERENCES, by);
    preference_put(words, &changed, p);
    if (e != ERR_OK || p->count) {
        return e != ERR_OK ? e : ERR_INVALID;
    }
    if (record_given(RECORD_USER, &changed) == 0) {
        return ERR_OK;
    }
    e = action_count(s, a, ACTION_PREFERENCES, by, p);
    if (e != ERR_OK) {
        return e;
    }
    struct store_batch *b = shown_batch(s, a, by->shown);
    size_t set = user_set_add(s, b, a, by->uid, &changed);
    cache_forget(s->cache, CACHE_USER, by->uid); /* what is shown is asked before the event of the change is heard */
    shown_ask(by->shown, by->uid);
    e = shown_run(by->shown, b);
    return e == ERR_OK && script_answer(store_reply(b, set)) != ANSWER_OK ? ERR_NOT_FOUND : e;
}
