/* context.c - see context.h. Threads: the main thread. */
#include "command/context.h"

#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/confine.h"
#include "base/id.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/secret.h"
#include "command/command.h"
#include "config/config.h"
#include "config/settings.h"
#include "engine/directory.h"
#include "engine/engine.h"
#include "social/product.h"
#include "store/keys.h"
#include "store/script.h"
#include "store/store.h"

#define READY_MS 5000
#define PATIENT_MS 30000

void context_setup(const struct config *c)
{
    confine_umask();
    signal(SIGPIPE, SIG_IGN); /* a connection that went away is an error of write, and no more */
    memory_setup();
    secret_setup();
    script_setup();
    keys_setup(c->redis.prefix);
}

/* /etc/passwd is read directly because getpwuid would want shared libraries at run time. */
static void find_who(char out[CONTEXT_WHO_SIZE])
{
    const char *sudo = getenv("SUDO_USER");
    FILE *users = fopen("/etc/passwd", "re");
    struct passwd *p = NULL;
    snprintf(out, CONTEXT_WHO_SIZE, "uid %ld", (long)getuid());
    while (users && (p = fgetpwent(users))) {
        if (p->pw_uid == getuid()) {
            snprintf(out, CONTEXT_WHO_SIZE, "%s", p->pw_name);
            break;
        }
    }
    if (users) {
        fclose(users);
    }
    if (sudo && *sudo && getuid() == 0) {
        snprintf(out, CONTEXT_WHO_SIZE, "%s", sudo);
    }
}

struct actor context_actor(const struct context *x, uint64_t uid)
{
    return actor_command(x->who, uid);
}

int context_open_settings(struct context *x, const struct command_call *c)
{
    *x = (struct context){.arena = arena_new()};
    find_who(x->who); /* before this process becomes the owner of the state directory */
    x->config = config_load(c->config_file, stderr);
    if (!x->config) {
        return COMMAND_USAGE;
    }
    /* Lines that are useful in a server's log would only get in the way of a tool's answer. */
    log_setup(LOG_WARNING, false);
    context_setup(x->config);
    if (!directory_become_owner(x->config, stderr)) {
        return COMMAND_FAILED;
    }
    x->settings = settings_open(x->config->state.directory, stderr);
    return x->settings ? COMMAND_OK : COMMAND_FAILED;
}

bool context_clock_is_usable(void)
{
    if (id_clock_is_usable()) {
        return true;
    }
    char now[CLOCK_ISO_SIZE];
    clock_iso(clock_wall_ms(), now);
    fprintf(stderr,
            "retwis: the clock of this machine shows %s: set it right first, because ids are made of the time\n", now);
    return false;
}

static void engine_is_back(void *store)
{
    store_reset(store);
}

void context_join(struct engine *e, struct store *s)
{
    engine_attach(e, engine_is_back, s);
}

static int open_data(struct context *x)
{
    if (!context_clock_is_usable()) {
        return COMMAND_FAILED;
    }
    x->engine = engine_borrow(x->config, stderr);
    x->store = x->engine ? store_open(x->config, stderr) : NULL;
    if (!x->store) {
        return COMMAND_FAILED;
    }
    context_join(x->engine, x->store);
    x->social = product_open(x->config, x->settings, x->store);
    enum err e = store_wait_ready(x->store, READY_MS);
    e = e == ERR_OK ? product_enter(x->social, false) : e;
    if (e != ERR_OK) {
        struct buffer why = buffer_make(x->arena);
        store_explain(x->store, e, &why);
        fprintf(stderr, "retwis: %s", buffer_string(&why));
        return COMMAND_FAILED;
    }
    return COMMAND_OK;
}

int context_open(struct context *x, const struct command_call *c)
{
    int status = context_open_settings(x, c);
    return status == COMMAND_OK ? open_data(x) : status;
}

int context_open_patient(struct context *x, const struct command_call *c)
{
    int status = context_open_settings(x, c);
    if (status != COMMAND_OK) {
        return status;
    }
    if (x->config->redis.command_timeout < PATIENT_MS) {
        x->config->redis.command_timeout = PATIENT_MS;
    }
    return open_data(x);
}

void context_close(struct context *x)
{
    product_close(x->social);
    if (x->store) {
        engine_attach(x->engine, NULL, NULL); /* it may still have to restart the engine, for a clean end */
        store_close(x->store);
    }
    engine_stop(x->engine);
    if (x->settings) {
        settings_close(x->settings);
    }
    config_free(x->config);
    arena_free(x->arena);
}
