/* notice_case.h - what the tests of notices share: three people, what they are told, and how it is told straight by the scripts. */
#ifndef TESTS_NOTICE_CASE_H
#define TESTS_NOTICE_CASE_H

#include "social_case.h"

#include "base/buffer.h"
#include "social/notices/notice.h"
#include "social/people/follow.h"
#include "social/posts/post.h"
#include "social/posts/publish.h"
#include "social/timelines/fanout.h"

static uint64_t alice, bob, carol;

static inline int begin(void **state)
{
    site_setup(state);
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    carol = person(name_in(9, 0));
    return 0;
}

#define noticing(f) cmocka_unit_test_setup_teardown(f, begin, site_teardown)

static inline const char *name_of(uint64_t uid)
{
    return uid == alice ? name_in(7, 0) : uid == bob ? name_in(8, 0) : name_in(9, 0);
}

/* The groups that somebody has notices of, newest first. */
static inline const char *told(uint64_t uid)
{
    const struct store_reply *r = ask(id_bucket(uid), "ZREVRANGE", key_id(arena, KEY_NOTICES, uid), "0", "-1");
    struct buffer out = buffer_make(arena);
    for (size_t i = 0; i < r->count; i++) {
        buffer_printf(&out, "%s%s", i ? " " : "", store_text(&r->items[i]));
    }
    return buffer_string(&out);
}

static inline const char *time_of(uint64_t uid, const char *group)
{
    return store_text(ask(id_bucket(uid), "ZSCORE", key_id(arena, KEY_NOTICES, uid), group, NULL));
}

/* When his notices last changed, as processes learn of it. */
static inline int64_t changed(uint64_t uid)
{
    return store_integer(ask(id_bucket(uid), "HGET", key_id(arena, KEY_HOMESTATE, uid), "notices", NULL));
}

static inline enum answer tell(uint64_t uid, uint64_t from, const char *group, int64_t time)
{
    struct store_batch *b = new_batch();
    script_notice_add_add(b, &(struct script_notice_add){.uid = uid, .from = from, .group = group, .time = time});
    assert_int_equal(store_run(b), ERR_OK);
    return script_answer(store_reply(b, 0));
}

static inline void end(uint64_t uid, const char *group)
{
    struct store_batch *b = new_batch();
    script_notice_end_add(b, &(struct script_notice_end){.uid = uid, .groups = &group, .groups_count = 1});
    assert_int_equal(store_run(b), ERR_OK);
}

static inline void set_apart(uint64_t uid, uint64_t other, const char *marks)
{
    struct store_batch *b = new_batch();
    store_command(b, id_bucket(uid), "HSET", key_id(arena, KEY_APART, uid), id_text(arena, other), marks, NULL);
    store_command(b, id_bucket(uid), "HINCRBY", key_id(arena, KEY_HOMESTATE, uid), "apart", "1", NULL);
    assert_int_equal(store_run(b), ERR_OK);
}

static inline uint64_t write_post(uint64_t by, const char *text, uint64_t reply_to)
{
    struct fanout_wave *wave;
    uint64_t id = 0;
    const struct post_draft draft = {.text = text, .reply_to = reply_to};
    assert_int_equal(post_create(social, arena, as(by), &draft, &id, &wave, none()), ERR_OK);
    fanout_wait(wave);
    return id;
}

#endif
