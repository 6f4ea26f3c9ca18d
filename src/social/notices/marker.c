/* marker.c - see marker.h. Any thread. */
#include "social/notices/marker.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/people/visit_read.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

static const char *const words[MARKERS_OF] = {[MARKER_HOME] = "home", [MARKER_NOTICES] = "notifications"};

const char *marker_word(enum marker_of what)
{
    return words[what];
}

/* --- asking -------------------------------------------------------------------------------------------------------- */

struct markers_read {
    struct markers out;
    size_t reply;
};

/* "id:version:ms", as marker_set.lua writes it; zeros where it is damaged. */
static struct marker marker_parse(const char *text)
{
    struct marker m = {0};
    char *end;
    m.last = strtoull(text, &end, 10);
    if (*end == ':') {
        m.version = strtoull(end + 1, &end, 10);
    }
    if (*end == ':') {
        m.updated_ms = strtoull(end + 1, &end, 10);
    }
    return m.updated_ms ? m : (struct marker){0};
}

static enum err take_markers(struct visit *v, void *self)
{
    struct markers_read *r = self;
    if (!v->viewer.id) {
        return ERR_OK;
    }
    for (int i = 0; i < MARKERS_OF; i++) {
        r->out.of[i] = marker_parse(store_text(store_item(visit_reply(v, r->reply), (size_t)i)));
    }
    struct marker *notices = &r->out.of[MARKER_NOTICES];
    uint64_t seen_us = strtoull(store_text(visit_reply(v, r->reply + 1)), NULL, 10);
    if (seen_us > notices->last) { /* on the page */
        notices->last = seen_us;
        notices->version += 1;
        uint64_t seen_ms = seen_us / 1000;
        notices->updated_ms = seen_ms > notices->updated_ms ? seen_ms : notices->updated_ms;
    }
    return ERR_OK;
}

const struct markers *markers_ask(struct visit *v)
{
    struct markers_read *r = arena_zero(v->arena, sizeof(*r));
    if (v->claimed) {
        unsigned bucket = id_bucket(v->claimed);
        r->reply = store_command(v->reads.batch, bucket, "HMGET", key_id(v->arena, KEY_MARKERS, v->claimed),
                                 words[MARKER_HOME], words[MARKER_NOTICES], NULL);
        store_command(v->reads.batch, bucket, "GET", key_id(v->arena, KEY_NOTICEREAD, v->claimed), NULL);
        visit_then(v, take_markers, r);
    }
    return &r->out;
}

/* --- setting ------------------------------------------------------------------------------------------------------- */

enum err marker_set(struct social *s, struct arena *a, const struct actor *by, struct markers *m)
{
    enum err e = action_check(ACTION_MARKER_SET, by);
    struct store_batch *b = store_batch_new(s->store, a);
    uint64_t now = clock_site_ms();
    size_t replies[MARKERS_OF];
    for (int i = 0; i < MARKERS_OF; i++) {
        if (m->of[i].last) {
            replies[i] = script_marker_set_add(
                b, &(struct script_marker_set){
                       .uid = by->uid, .timeline = words[i], .last = (int64_t)m->of[i].last, .now = (int64_t)now});
        }
    }
    if (m->of[MARKER_NOTICES].last) {
        script_notice_read_add(
            b, &(struct script_notice_read){.uid = by->uid, .upto = (int64_t)m->of[MARKER_NOTICES].last});
    }
    e = e == ERR_OK && store_batch_count(b) ? store_run(b) : e;
    for (int i = 0; e == ERR_OK && i < MARKERS_OF; i++) {
        struct script_marker_set_reply r;
        if (!m->of[i].last) {
            continue;
        }
        script_marker_set_take(store_reply(b, replies[i]), &r);
        m->of[i].version = (uint64_t)r.version;
        m->of[i].updated_ms = (uint64_t)r.updated;
        e = r.answer == ANSWER_OK ? ERR_OK : ERR_NOT_FOUND;
    }
    return e;
}

static void markers_end(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_MARKERS, uid), NULL);
}

const struct remains marker_remains = {.name = "markers", .end_add = markers_end};
