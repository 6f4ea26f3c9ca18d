/* tail.c - `retwis tail`: prints what is posted for all, as it happens, on a terminal or for a pipe.
 *
 * It listens as a server does, as one more process of the site (social/streaming/hub.h), and sees posts as a stranger does. What
 * was posted before it began is not printed; what happens while the engine is away for a moment is, afterwards.
 *
 * Threads: the main thread; the events are heard by one of their own.
 */
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "command/command.h"
#include "command/commands.h"
#include "command/complain.h"
#include "command/context.h"
#include "config/config.h"
#include "engine/engine.h"
#include "social/core/event.h"
#include "social/core/problem.h"
#include "social/core/social.h"
#include "social/posts/post.h"
#include "social/streaming/hub.h"
#include "social/streaming/match.h"
#include "social/streaming/match_query.h"
#include "social/streaming/sift.h"

#define LOOK_MS 500
#define BEGIN_TRIES 20
#define PRINTED 1024 /* posts of which it says when they are deleted */

static _Atomic bool is_over;

struct tail {
    struct context x;
    struct match_index *index;
    struct hub_listener *hub;
    struct hub_place at;
    bool is_coloured;
    uint64_t printed[PRINTED]; /* each at its place by id */
};

static void end(int signal)
{
    (void)signal;
    atomic_store(&is_over, true);
}

/* --- lines --------------------------------------------------------------------------------------------------------- */

static const char *colour(const struct tail *t, const char *code)
{
    return t->is_coloured ? code : "";
}

#define FAINT "\033[2m"
#define NAME "\033[1;36m"
#define WARNING "\033[33m"
#define GONE "\033[31m"
#define PLAIN "\033[0m"

static uint64_t *printed_place(struct tail *t, uint64_t id)
{
    return &t->printed[(id ^ id >> 16) % PRINTED];
}

/* A text whose lines stand below each other. Control characters cannot be in it: people's texts are checked. */
static void print_text(const char *text)
{
    for (const char *line = text; line;) {
        const char *end_of = strchr(line, '\n');
        printf("%.*s\n", end_of ? (int)(end_of - line) : (int)strlen(line), line);
        line = end_of ? end_of + 1 : NULL;
        if (line) {
            fputs("    ", stdout);
        }
    }
}

static void print_post(struct tail *t, const struct post *p, const char *what)
{
    char time[CLOCK_ISO_SIZE];
    clock_iso(id_ms(p->id), time);
    printf("%s%" PRIu64 "  %s%s  %s@%s%s  %s", colour(t, FAINT), p->id, time, colour(t, PLAIN), colour(t, NAME),
           p->author.name, colour(t, PLAIN), what);
    if (*p->spoiler) {
        printf("%s[%s]%s ", colour(t, WARNING), p->spoiler, colour(t, PLAIN));
    }
    if (p->boost) {
        printf("boosts %" PRIu64 "\n", p->boost);
    } else {
        print_text(p->text);
    }
    *printed_place(t, p->id) = p->id;
}

static void print_gone(struct tail *t, uint64_t id)
{
    uint64_t *place = printed_place(t, id);
    if (*place == id) {
        printf("%s%" PRIu64 "  deleted%s\n", colour(t, GONE), id, colour(t, PLAIN));
        *place = 0;
    }
}

/* --- what is heard ------------------------------------------------------------------------------------------------- */

static void tail_wants(void *context, void *owner)
{
    (void)owner;
    *(bool *)context = true;
}

/* Prints what is wanted of it, in its order. */
static enum err tail_look_at(struct tail *t, const struct hub_entry *entries, size_t count)
{
    struct arena *a = arena_new();
    struct sift_entry *sifted;
    size_t n;
    enum err e = sift_load(t->x.social, a, entries, count, &sifted, &n);
    for (size_t i = 0; i < n; i++) {
        bool is_wanted = false;
        if (!sifted[i].post) {
            print_gone(t, sifted[i].entry->id);
            continue;
        }
        sift_match(a, t->index, &sifted[i], tail_wants, &is_wanted);
        if (is_wanted) {
            print_post(t, sifted[i].post, sifted[i].entry->kind == EVENT_NEW ? "" : "(edited) ");
        }
    }
    arena_free(a);
    fflush(stdout);
    return e;
}

/* Again until the engine answers. */
static void tail_look(struct tail *t, const struct hub_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        t->at.numbers[entries[i].partition] = entries[i].number;
    }
    while (tail_look_at(t, entries, count) != ERR_OK && !atomic_load(&is_over)) {
        poll(NULL, 0, LOOK_MS);
    }
}

/* The process lost its place: what lies between is read from the streams. */
static void tail_catch_up(struct tail *t)
{
    struct arena *a = arena_new();
    struct hub_place to = hub_at(t->x.social);
    struct hub_entry *missed;
    size_t count = 0;
    bool gap = false;
    enum err e;
    while ((e = hub_replay(t->x.social, a, &t->at, &to, &missed, &count, &gap)) != ERR_OK && !atomic_load(&is_over)) {
        arena_reset(a);
        poll(NULL, 0, LOOK_MS);
    }
    if (gap) {
        fputs("retwis: some of what happened is not known any more\n", stderr);
    }
    for (size_t i = 0; i < count && e == ERR_OK; i += SIFT_ENTRIES) {
        tail_look(t, missed + i, count - i < SIFT_ENTRIES ? count - i : SIFT_ENTRIES);
    }
    t->at = to;
    arena_free(a);
}

/* Takes what there is. */
static void tail_take(struct tail *t)
{
    struct hub_entry entries[SIFT_ENTRIES];
    size_t count = 1;
    while (count && !atomic_load(&is_over)) {
        struct arena *a = arena_new();
        bool keeps_up = hub_take(t->hub, a, &t->at, entries, SIFT_ENTRIES, &count);
        bool is_lost = count && !entries[count - 1].number;
        tail_look(t, entries, count - is_lost);
        if (is_lost) {
            tail_catch_up(t);
        }
        if (!keeps_up) {
            fputs("retwis: too much happens for whoever reads this: some of it would be missing\n", stderr);
            atomic_store(&is_over, true);
        }
        arena_free(a);
    }
}

/* --- from beginning to end ----------------------------------------------------------------------------------------- */

static bool tail_begin(struct tail *t)
{
    static const struct hub_limits limits = {1, 1, 1};
    for (unsigned i = 0; i < BEGIN_TRIES && !t->hub && !atomic_load(&is_over); i++) {
        t->hub = hub_join(t->x.social, &limits, 0, "", &t->at);
        if (!t->hub) {
            poll(NULL, 0, LOOK_MS / 5);
        }
    }
    return t->hub != NULL;
}

static int tail_listen(struct tail *t)
{
    struct sigaction action = {.sa_handler = end};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    event_listen(t->x.social);
    bool has_begun = tail_begin(t);
    if (has_begun) {
        fputs("retwis: listening\n", stderr);
    } else {
        fputs("retwis: the engine does not tell what happens\n", stderr);
    }
    while (has_begun && !atomic_load(&is_over)) {
        struct pollfd news = {.fd = hub_fd(t->hub), .events = POLLIN};
        if (poll(&news, 1, LOOK_MS) > 0) {
            tail_take(t);
        }
    }
    event_listen_end(t->x.social);
    if (t->hub) {
        hub_leave(t->hub);
    }
    return has_begun ? COMMAND_OK : COMMAND_FAILED;
}

/* What the options ask for. False after a message. */
static bool read_query(const struct command_call *c, struct arena *a, struct match_query *q)
{
    struct problems p = {.count = 0};
    const struct match_asked asked = {command_option(c, "track"), command_option(c, "follow"),
                                      command_option(c, "locations")};
    const char *percent = command_option(c, "sample");
    bool is_filter = asked.track || asked.follow || asked.locations;
    if (is_filter && percent) {
        fputs("retwis tail: either a filter or a sample\n", stderr);
        return false;
    }
    if (is_filter) {
        match_filter_read(a, &asked, q, &p);
    } else if (percent) {
        match_sample_read(a, percent, 0, q, &p);
    } else {
        match_firehose(a, q);
    }
    complain_problems(a, &p);
    return p.count == 0;
}

/* Whether somebody serves the site: what nobody serves has no news, and the engine would be kept from whoever wants to. */
static int look_for_server(struct command_call *c)
{
    struct context x;
    int status = context_open_settings(&x, c);
    if (status == COMMAND_OK && strcmp(x.config->redis.url, "embedded") == 0 && engine_server(x.config) == 0) {
        fputs("retwis: no server runs here\n", stderr);
        status = COMMAND_FAILED;
    }
    context_close(&x);
    return status;
}

int command_tail(struct command_call *c)
{
    struct match_query q;
    struct arena *a = arena_new();
    struct tail *t = arena_zero(a, sizeof(*t));
    int status = read_query(c, a, &q) ? look_for_server(c) : COMMAND_USAGE;
    if (status == COMMAND_OK) {
        status = context_open(&t->x, c);
        if (status == COMMAND_OK) {
            t->is_coloured = isatty(STDOUT_FILENO) == 1 && !getenv("NO_COLOR");
            t->index = match_new();
            struct match_listener *l = match_add(t->index, &q, NULL);
            status = tail_listen(t);
            match_remove(t->index, l);
            match_free(t->index);
        }
        context_close(&t->x);
    }
    arena_free(a);
    return status;
}
