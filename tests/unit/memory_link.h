/* memory_link.h - a link of src/store/link.h without a connection: keeps what it is sent, and answers what the test
 * says. */
#ifndef TESTS_MEMORY_LINK_H
#define TESTS_MEMORY_LINK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/panic.h"
#include "store/link.h"
#include "store/reply.h"

#define MEMORY_CALLS 64

struct memory_link {
    struct link link;
    /* Asked for every reply: a line of the protocol ("+OK", "-ERR no", ":1", "$-1", "*" for an array of the command's
     * words but the first), or "lost", "late", "garbage". NULL: "+OK" for all. */
    const char *(*answer)(const char *command, unsigned nth);
    enum err refuses;       /* every call; ERR_OK: none */
    const char *send_fails; /* the first call only: "untouched" or "touched" */
    /* What it saw. */
    char sent[MEMORY_CALLS][4096]; /* words with a space between, commands with a line end */
    size_t unasked[MEMORY_CALLS], replies[MEMORY_CALLS], received[MEMORY_CALLS];
    bool careful[MEMORY_CALLS];
    uint64_t patience_us[MEMORY_CALLS], deadline[MEMORY_CALLS];
    unsigned calls, ends, demoted, resets, refusals, cuts, answers;
    struct memory_link *listener; /* what link_dedicated made */
};

static inline struct link *memory_link_listener(struct link *l);

/* The bytes of a call as lines. Of an EVALSHA only the first 6 characters of the hash. */
static inline void memory_link_note(char *out, size_t size, const struct link_call *c)
{
    static char wire[64 * 1024];
    size_t length = 0, used = 0;
    for (size_t i = 0; i < c->part_count; i++) {
        require(length + c->parts[i].iov_len < sizeof(wire));
        memcpy(wire + length, c->parts[i].iov_base, c->parts[i].iov_len);
        length += c->parts[i].iov_len;
    }
    wire[length] = '\0';
    for (char *p = wire; *p;) {
        long words = strtol(p + 1, &p, 10);
        for (p += 2; words-- > 0;) {
            long bytes = strtol(p + 1, &p, 10);
            p += 2;
            used +=
                (size_t)snprintf(out + used, size - used, "%.*s%c", bytes > 30 ? 6 : (int)bytes, p, words ? ' ' : '\n');
            require(used < size);
            p += bytes + 2;
        }
    }
}

static inline enum link_state memory_link_send(struct link *l, struct link_call *c)
{
    struct memory_link *m = (struct memory_link *)l;
    require(m->calls < MEMORY_CALLS);
    unsigned n = m->calls++;
    c->own = &m->sent[n];
    memory_link_note(m->sent[n], sizeof(m->sent[n]), c);
    m->unasked[n] = c->unasked;
    m->replies[n] = c->replies;
    m->careful[n] = c->careful;
    m->patience_us[n] = c->patience_us;
    if (m->refuses != ERR_OK) {
        c->refused = m->refuses;
        c->why = "refused by the test";
        return LINK_REFUSED;
    }
    c->deadline = c->deadline ? c->deadline : clock_monotonic_us() + c->patience_us;
    m->deadline[n] = c->deadline;
    if (n == 0 && m->send_fails) {
        c->touched = strcmp(m->send_fails, "touched") == 0;
        c->why = "broken by the test";
        return LINK_LOST;
    }
    c->touched = true;
    return LINK_OK;
}

/* The nth line of what a call sent, without its end. */
static inline const char *memory_link_line(struct arena *a, const char *sent, size_t nth)
{
    while (nth-- > 0) {
        sent = strchr(sent, '\n') + 1;
    }
    return arena_dup_n(a, sent, strcspn(sent, "\n"));
}

/* The words of a command but the first. */
static inline void memory_link_array(struct arena *a, const char *command, struct store_reply *out)
{
    *out = (struct store_reply){.type = STORE_ARRAY, .items = arena_zero(a, 1024 * sizeof(*out))};
    for (const char *p = strchr(command, ' '); p; p = strchr(p + 1, ' ')) {
        char *word = arena_dup_n(a, p + 1, strcspn(p + 1, " "));
        out->items[out->count++] = (struct store_reply){.type = STORE_STRING, .text = word, .length = strlen(word)};
    }
}

static inline enum link_state memory_link_receive(struct link *l, struct link_call *c, struct store_reply *out)
{
    struct memory_link *m = (struct memory_link *)l;
    unsigned n = (unsigned)((char(*)[sizeof(m->sent[0])])c->own - m->sent);
    require(c->received < c->replies);
    const char *command = memory_link_line(c->arena, c->own, c->unasked + c->received);
    const char *text = m->answer ? m->answer(command, m->answers++) : "+OK";
    m->received[n]++;
    c->why = text;
    switch (*text) {
    case '+':
        *out = (struct store_reply){.type = STORE_STRING, .text = text + 1, .length = strlen(text + 1)};
        return LINK_OK;
    case '-':
        reply_set_error(out, reply_classify(text + 1, strlen(text + 1)), text + 1);
        return LINK_OK;
    case ':':
        *out = (struct store_reply){.type = STORE_INTEGER, .integer = atoll(text + 1)};
        return LINK_OK;
    case '*':
        memory_link_array(c->arena, command, out);
        return LINK_OK;
    default:
        return strcmp(text, "lost") == 0 ? LINK_LOST : strcmp(text, "late") == 0 ? LINK_LATE : LINK_GARBAGE;
    }
}

static inline void memory_link_end(struct link *l, struct link_call *c, bool demoted)
{
    (void)c;
    ((struct memory_link *)l)->ends++;
    ((struct memory_link *)l)->demoted += demoted;
}

static inline void memory_link_reset(struct link *l)
{
    ((struct memory_link *)l)->resets++;
}

static inline void memory_link_refuse(struct link *l, const char *why)
{
    (void)why;
    ((struct memory_link *)l)->refusals++;
}

static inline void memory_link_cut(struct link *l)
{
    ((struct memory_link *)l)->cuts++;
}

static inline void memory_link_free(struct link *l)
{
    free(l);
}

static inline struct memory_link *memory_link_new(const char *(*answer)(const char *command, unsigned nth))
{
    static const struct link_ops ops = {
        .send = memory_link_send,
        .receive = memory_link_receive,
        .end = memory_link_end,
        .cut = memory_link_cut,
        .free = memory_link_free,
        .dedicated = memory_link_listener,
        .reset = memory_link_reset,
        .refuse = memory_link_refuse,
    };
    struct memory_link *m = mem_zero(1, sizeof(*m));
    m->link.ops = &ops;
    m->answer = answer;
    return m;
}

static inline struct link *memory_link_listener(struct link *l)
{
    struct memory_link *m = (struct memory_link *)l;
    m->listener = memory_link_new(m->answer);
    return &m->listener->link;
}

#endif
