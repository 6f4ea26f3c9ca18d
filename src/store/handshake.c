/* handshake.c - HELLO 2 AUTH, SELECT, the questions of audit.h, SCRIPT EXISTS in one pipeline; SCRIPT LOAD only for
 * what is missing.
 *
 * Scripts are checked once per connection, so that NOSCRIPT in the middle of a batch (run.c handles it) happens only
 * after a SCRIPT FLUSH. RESP2 on purpose: RESP3 may push messages between replies.
 *
 * Threads: that of the connection.
 */
#include "store/handshake.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "store/audit.h"
#include "store/reply.h"
#include "store/script.h"
#include "store/wire.h"

#define REPLIES_MAX (3 + AUDIT_QUESTIONS)

static enum err as_err(enum connection_state s)
{
    return s == CONNECTION_OK ? ERR_OK : s == CONNECTION_GARBAGE ? ERR_PROTOCOL : ERR_UNAVAILABLE;
}

/* Sends the buffer and reads `count` replies. */
static enum err exchange(struct connection *c, struct buffer *b, struct store_reply *replies, size_t count,
                         uint64_t deadline)
{
    return as_err(connection_ask(c, b, replies, count, deadline));
}

static void add_hello(struct buffer *b, const struct url *u, const char *password)
{
    wire_begin(b, password ? 7 : 4);
    wire_text(b, "HELLO");
    wire_text(b, "2");
    if (password) {
        wire_text(b, "AUTH");
        wire_text(b, u->user ? u->user : "default");
        wire_text(b, password);
    }
    wire_text(b, "SETNAME");
    wire_text(b, "retwis");
}

static void add_select(struct buffer *b, int database)
{
    wire_begin(b, 2);
    wire_text(b, "SELECT");
    wire_number(b, (size_t)database);
}

static void add_exists(struct buffer *b)
{
    wire_begin(b, 2 + SCRIPT_COUNT);
    wire_text(b, "SCRIPT");
    wire_text(b, "EXISTS");
    for (int i = 0; i < SCRIPT_COUNT; i++) {
        wire_text(b, script_info((enum script)i)->sha1);
    }
}

/* Loads what the answer to SCRIPT EXISTS says is missing. If the engine forbids that, the call of a script will show
 * it. */
static enum err load_missing(struct connection *c, struct arena *a, const struct store_reply *exists, uint64_t deadline)
{
    struct buffer b = buffer_make(a);
    struct store_reply replies[SCRIPT_COUNT];
    size_t count = 0;
    if (exists->type == STORE_ERROR && exists->err == ERR_UNAVAILABLE) {
        return ERR_UNAVAILABLE;
    }
    for (int i = 0; i < SCRIPT_COUNT; i++) {
        if (store_integer(store_item(exists, (size_t)i)) == 0) {
            const char *load[] = {"SCRIPT", "LOAD", script_info((enum script)i)->body};
            wire_command(&b, 3, load);
            count++;
        }
    }
    enum err e = count ? exchange(c, &b, replies, count, deadline) : ERR_OK;
    for (size_t i = 0; i < count && e == ERR_OK; i++) {
        if (replies[i].type == STORE_ERROR) {
            log_error("store", "a script cannot be loaded: %s", replies[i].text);
            break;
        }
    }
    return e;
}

/* The class of a refused introduction: a full or busy engine passes, a wrong password does not. */
static enum err handshake_refused(const struct store_reply *r, char why[CONNECTION_WHY_SIZE])
{
    if (r->type != STORE_ERROR) {
        return ERR_OK;
    }
    snprintf(why, CONNECTION_WHY_SIZE, "the engine answered: %s", r->text);
    return strstr(r->text, "max number of clients") ? ERR_UNAVAILABLE : r->err;
}

/* Which reply is which. */
struct introduction {
    struct store_reply replies[REPLIES_MAX];
    size_t audit, scripts, count;
};

static void add_questions(struct buffer *b, const struct connection_target *t, const char *password,
                          struct introduction *in)
{
    add_hello(b, &t->url, password);
    in->count = 1;
    if (t->url.database) {
        add_select(b, t->url.database);
        in->count++;
    }
    in->audit = in->count;
    for (size_t i = 0; t->audit && i < AUDIT_QUESTIONS; i++) {
        const char *const *words = audit_question(i);
        size_t n = 0;
        while (words[n]) {
            n++;
        }
        wire_command(b, n, words);
        in->count++;
    }
    add_exists(b);
    in->scripts = in->count++;
}

/* Adds to the reason of a refused password that the password file cannot be read, or which file the password came
 * from. */
static void blame_file(const struct connection_target *t, const char *trouble, char why[CONNECTION_WHY_SIZE])
{
    size_t used = strlen(why);
    if (*trouble) {
        snprintf(why + used, CONNECTION_WHY_SIZE - used, "; %.*s", (int)strcspn(trouble, "\n"), trouble);
    } else if (t->password_file) {
        snprintf(why + used, CONNECTION_WHY_SIZE - used,
                 " (with the password in %s, which is read again at every attempt)", t->password_file);
    }
}

static enum err introduce(struct connection *c, struct arena *a, const struct connection_target *t, uint64_t deadline,
                          char why[CONNECTION_WHY_SIZE])
{
    struct buffer b = buffer_make(a);
    struct introduction in;
    char trouble[CONNECTION_WHY_SIZE / 2] = "";
    char *password = url_password(&t->url, t->password_file, trouble, sizeof(trouble));
    add_questions(&b, t, password, &in);
    url_forget_password(password);
    enum err e = exchange(c, &b, in.replies, in.count, deadline);
    if (e != ERR_OK) {
        snprintf(why, CONNECTION_WHY_SIZE, "%s", connection_why(c));
        return e;
    }
    for (size_t i = 0; i < in.audit && e == ERR_OK; i++) {
        e = handshake_refused(&in.replies[i], why);
    }
    if (e == ERR_CONFIG) {
        blame_file(t, trouble, why);
    }
    if (e == ERR_OK && t->audit) {
        e = audit_judge(t->audit, &in.replies[in.audit], why, CONNECTION_WHY_SIZE);
    }
    if (e != ERR_OK) {
        return e;
    }
    const struct store_reply *scripts = &in.replies[in.scripts];
    e = load_missing(c, a, scripts, deadline);
    snprintf(why, CONNECTION_WHY_SIZE, "%s", scripts->type == STORE_ERROR ? scripts->text : connection_why(c));
    return e;
}

enum err handshake_introduce(struct connection *c, char why[CONNECTION_WHY_SIZE])
{
    const struct connection_target *t = connection_target(c);
    struct arena *a = arena_new();
    snprintf(why, CONNECTION_WHY_SIZE, "no answer in time"); /* unless it knows better */
    enum err e = introduce(c, a, t, clock_monotonic_us() + t->connect_us, why);
    arena_free(a);
    connection_set_scripts(c, e == ERR_OK);
    return e;
}

static enum err load_scripts(struct connection *c, struct arena *a, uint64_t deadline)
{
    struct buffer b = buffer_make(a);
    struct store_reply exists;
    add_exists(&b);
    enum err e = exchange(c, &b, &exists, 1, deadline);
    return e == ERR_OK ? load_missing(c, a, &exists, deadline) : e;
}

static enum err ping_engine(struct connection *c, struct arena *a, uint64_t deadline)
{
    struct buffer b = buffer_make(a);
    struct store_reply pong;
    const char *words[] = {"PING"};
    wire_command(&b, 1, words);
    enum err e = exchange(c, &b, &pong, 1, deadline);
    return e == ERR_OK && pong.type == STORE_ERROR ? pong.err : e;
}

enum err handshake_refresh(struct connection *c, bool ping)
{
    struct arena *a = arena_new();
    uint64_t deadline = clock_monotonic_us() + connection_target(c)->connect_us;
    enum err e = ping ? ping_engine(c, a, deadline) : ERR_OK;
    if (e == ERR_OK && !connection_has_scripts(c)) {
        e = load_scripts(c, a, deadline);
        connection_set_scripts(c, e == ERR_OK);
    }
    arena_free(a);
    return e;
}
