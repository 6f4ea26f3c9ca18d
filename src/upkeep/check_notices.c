/* check_notices.c - what people were told: groups that can be one, of posts that exist. Threads: that of the check. */
#include "upkeep/check_look.h"

#include "base/arena.h"
#include "social/core/social.h"
#include "social/notices/notice.h"
#include "store/calls.h"
#include "store/record.h"
#include "store/store.h"

/* The post that the group of an item is about; 0: about none. False: it is no group. */
static bool notice_post_of(const struct check_item *item, uint64_t *post)
{
    enum notice_kind k;
    bool is_group = notice_group_parse(item->text, &k, post);
    *post = is_group && k != NOTICE_FOLLOW && k != NOTICE_REQUEST ? *post : 0;
    return is_group;
}

enum err check_look_notices(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        notice_post_of(&items[i], &items[i].other);
        record_ask(b, RECORD_POST, items[i].other, POST_AUTHOR);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct record_post post;
        bool here = check_entry_take(b, 2 * i, &items[i]);
        bool is_there = record_post_take(store_reply(b, 2 * i + 1), POST_AUTHOR, &post);
        if (here && !notice_post_of(&items[i], &items[i].other)) {
            items[i].found = CHECK_NOTICE_STRANGE;
        } else if (here && items[i].other && !is_there) {
            items[i].found = CHECK_NOTICE_GONE;
        }
    }
    return e;
}

/* By the script, so that processes learn that there is one less. */
enum err check_mend_notice(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    script_notice_end_add(b, &(struct script_notice_end){.uid = item->id, .groups = &item->text, .groups_count = 1});
    return check_ask(b);
}
