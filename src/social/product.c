/* product.c - where the rooms of the product meet: what each hands over to those below it. Threads: see product.h. */
#include "social/product.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/metric.h"
#include "social/core/event.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/notices/marker.h"
#include "social/notices/notice.h"
#include "social/notices/talk.h"
#include "social/people/apart.h"
#include "social/people/endorse.h"
#include "social/people/filter.h"
#include "social/people/follow.h"
#include "social/people/interest.h"
#include "social/people/purge.h"
#include "social/people/request.h"
#include "social/people/sign_up.h"
#include "social/people/user.h"
#include "social/posts/featured.h"
#include "social/posts/boost.h"
#include "social/posts/publish.h"
#include "social/posts/quiet.h"
#include "social/posts/react.h"
#include "social/search/build.h"
#include "social/search/fresh.h"
#include "social/search/people_index.h"
#include "social/streaming/hub.h"
#include "social/streaming/sieve.h"
#include "social/timelines/celebrity.h"
#include "social/timelines/fanout.h"
#include "social/timelines/rebuild.h"
#include "social/timelines/list.h"
#include "store/store.h"

static const struct job_class *const jobs[] = {&sign_up_job, &follow_job, &apart_job,      &purge_job,
                                               &fanout_job,  &unpost_job, &edit_job,       &favourite_job,
                                               &request_job, &build_job,  &talk_build_job, NULL};

static const struct remains *const remains[] = {&post_remains,      &direct_remains,
                                                &following_remains, &asked_remains,
                                                &request_remains,   &follower_remains,
                                                &apart_remains,     &list_remains,
                                                &favourite_remains, &bookmark_remains,
                                                &boost_remains,     &pin_remains,
                                                &quiet_remains,     &interest_remains,
                                                &endorse_remains,   &featured_remains,
                                                &notice_remains,    &talk_remains,
                                                &marker_remains,    &filter_remains,
                                                &rebuild_remains,   NULL};

static event_hearer *const hearers[] = {social_hear_epoch, celebrity_hear, hub_hear, NULL};

static const struct social_parts parts = {.jobs = jobs,
                                          .delivery = &fanout_delivery,
                                          .part = notice_part,
                                          .notify = &notice_notify,
                                          .index = &search_index,
                                          .user_index = &search_people,
                                          .remains = remains,
                                          .hearers = hearers};

struct social *product_open(const struct config *c, struct settings_store *settings, struct store *store)
{
    struct social *s = social_open(c, settings, store, &parts);
    s->celebrities = celebrity_open();
    s->hub = hub_open();
    s->sieve = sieve_open();
    return s;
}

void product_close(struct social *s)
{
    if (s) {
        celebrity_close(s->celebrities);
        sieve_close(s->sieve);
        hub_close(s->hub);
        social_close(s);
    }
}

enum err product_enter(struct social *s, bool begins)
{
    enum err e = social_enter_epoch(s, begins);
    if (e == ERR_OK) {
        struct arena *a = arena_new();
        celebrity_read(s, a); /* else a page does it */
        if (begins) {
            build_begin(s, a); /* else the next start does it */
            talk_build_begin(s, a);
        }
        arena_free(a);
    }
    return e;
}

enum err product_measure(struct social *s, struct arena *a)
{
    int64_t users = 0;
    social_measure(s);
    enum err e = store_measure(s->store);
    if (e == ERR_OK && (e = user_count_all(s, a, &users)) == ERR_OK) {
        metric_set(METRIC_SITE_USERS, (uint64_t)users);
    }
    return e == ERR_OK ? job_measure(s, a) : e;
}

enum err product_health(struct social *s, struct buffer *say)
{
    enum err e = store_health(s->store, say);
    if (e == ERR_OK && atomic_load(&s->epoch) == 0) {
        e = ERR_UNAVAILABLE;
        buffer_text(say, "still starting\n");
    }
    if (e == ERR_OK && atomic_load(&s->is_foreign)) {
        e = ERR_MODE;
        buffer_printf(say, "%s\n", err_info(e)->help);
    }
    return e;
}
