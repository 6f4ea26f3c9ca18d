/* serve.c - `retwis serve`: everything started in order, stopped in reverse.
 *
 * Signals are blocked before the first thread exists, so in all of them, and the main thread takes them one by one with
 * sigwait: no handler ever interrupts anything. An engine of its own is up before the site is; an external one may be
 * away for as long as it likes (maintenance.c): pages say 503 meanwhile.
 *
 * Threads: the main thread, and one that makes sure that a stop comes to its end.
 */
#include "command/areas.h"
#include "command/commands.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/panic.h"
#include "base/sleeper.h"
#include "command/comeback.h"
#include "command/command.h"
#include "command/context.h"
#include "command/maintenance.h"
#include "command/notify.h"
#include "command/sandbox.h"
#include "command/stats.h"
#include "config/config.h"
#include "config/settings.h"
#include "engine/engine.h"
#include "http/application.h"
#include "http/server.h"
#include "pages/pages.h"
#include "social/core/event.h"
#include "social/core/job.h"
#include "social/product.h"
#include "social/streaming/hub.h"
#include "store/store.h"

#define STOP_MS 8000         /* of the 10 s that a stop may take: the machine may be slow */
#define GRACE_MS 2000        /* of it for running requests */
#define ENGINE_WAIT_MS 3000  /* after which nobody waits for an answer of the engine any more */
#define ENGINE_LEAST_MS 2000 /* for the engine, however long the rest took */

struct serve {
    const char *config_file;
    struct config *config;
    struct maintenance *maintenance;
    struct engine *engine;
    struct settings_store *settings;
    struct store *store;
    struct social *social;
    bool jobs; /* started */
    struct site *pages;
    struct http_server *http;
};

static void signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGHUP);
}

/* --- before the start ---------------------------------------------------------------------------------------------- */

static void setup_log(const struct config *c)
{
    static const enum log_level levels[] = {[CONFIG_DEBUG] = LOG_DEBUG,
                                            [CONFIG_INFO] = LOG_INFO,
                                            [CONFIG_WARNING] = LOG_WARNING,
                                            [CONFIG_ERROR] = LOG_ERROR};
    log_setup(levels[c->log.level], c->log.format == CONFIG_JSON);
}

/* --- start --------------------------------------------------------------------------------------------------------- */

static bool start_data(struct serve *s)
{
    s->engine = engine_start(s->config, stderr); /* makes the state directory and locks it */
    s->settings = s->engine ? settings_open(s->config->state.directory, stderr) : NULL;
    s->store = s->settings ? store_open(s->config, stderr) : NULL;
    if (!s->store) {
        return false;
    }
    context_join(s->engine, s->store);
    s->social = product_open(s->config, s->settings, s->store);
    enum err e = product_enter(s->social, true);
    if (e != ERR_OK) {
        log_error("serve", "%s; trying on", err_info(e)->help);
    }
    store_remember(s->store, (size_t)s->config->cache.answers * 1024 * 1024);
    event_listen(s->social);
    job_start(s->social);
    s->jobs = true;
    settings_watch(s->settings);
    return true;
}

static bool start_site(struct serve *s)
{
    struct http_application application;
    memset(&application, 0, sizeof(application));
    s->pages = pages_open(s->config, s->settings, s->social, stderr);
    if (!s->pages) {
        return false;
    }
    pages_application(s->pages, site_areas, &application);
    char socket[4096];
    snprintf(socket, sizeof(socket), "%s/" STATS_SOCKET, s->config->state.directory);
    if (strlen(socket) <= STATS_SOCKET_MAX) {
        application.tool_socket = socket; /* civetweb keeps a copy */
    }
    s->http = http_server_start(s->config, &application, stderr);
    return s->http != NULL;
}

/* "http://localhost:8080, https://localhost:8443"; the caller frees it. */
static char *addresses(const struct serve *s, enum http_door door)
{
    char *lines = NULL, *text = NULL;
    size_t size = 0;
    FILE *list = open_memstream(&lines, &size), *out = open_memstream(&text, &size);
    require(list != NULL && out != NULL);
    http_server_print(s->http, door, list);
    fclose(list);
    const char *between = "";
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
        fprintf(out, "%s%s", between, line);
        between = ", ";
    }
    fclose(out);
    free(lines);
    return text;
}

/* "Retwis is ready: http://localhost:8080, https://localhost:8443" */
static void announce(const struct serve *s)
{
    char *site = addresses(s, HTTP_DOOR_SITE), *metrics = addresses(s, HTTP_DOOR_METRICS);
    if (*metrics) {
        log_info("serve", "metrics are served at %s", metrics);
    }
    printf("Retwis is ready: %s\n", site);
    fflush(stdout);
    free(metrics);
    free(site);
    notify_send("READY=1\nSTATUS=Serving");
}

/* --- until the end ------------------------------------------------------------------------------------------------- */

static void log_lines(char *text)
{
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        log_error("serve", "%s", line);
    }
}

/* Names the changed keys that need a restart: the administrator may believe that the reload took all. */
static void warn_restart(const struct config *now, const struct config *fresh)
{
    char *keys = config_restart_keys(now, fresh);
    if (*keys) {
        log_warning("serve", "a restart is needed for the changes of: %s", keys);
    }
    free(keys);
}

/* SIGHUP: the keys of the log, and the certificate. Everything else has been given to threads by value. */
static void reload(struct serve *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *report = open_memstream(&text, &size);
    require(report != NULL);
    notify_send("RELOADING=1\nMONOTONIC_USEC=%llu", (unsigned long long)clock_monotonic_us());
    struct config *fresh = config_load(s->config_file, report);
    fclose(report);
    if (fresh) {
        setup_log(fresh);
        log_info("serve", "configuration read again");
        warn_restart(s->config, fresh);
    } else {
        log_lines(text);
        log_error("serve", "the configuration in use stays as it was");
    }
    http_server_reload(s->http, fresh);
    config_free(fresh);
    free(text);
    notify_send("READY=1");
}

static void wait_for_end(struct serve *s)
{
    sigset_t set;
    int number = 0;
    signals(&set);
    while (number != SIGTERM && number != SIGINT) {
        if (sigwait(&set, &number) == 0 && number == SIGHUP) {
            reload(s);
        }
    }
    log_info("serve", "told to end (%s)", number == SIGTERM ? "SIGTERM" : "SIGINT");
}

/* A stop waits for running requests, jobs and the look at the engine once a second. When the engine hangs, each of them
 * would wait until its own time limit, one after the other; so after a while a thread of its own cuts them all off. */
static void cut_off(struct sleeper *sleeper, void *store)
{
    if (sleeper_sleep(sleeper, ENGINE_WAIT_MS)) {
        log_warning("serve", "stops waiting for the engine");
        store_end(store);
    }
}

/* Stops everything that asks the engine. */
static void stop_callers(struct serve *s)
{
    if (s->http) {
        hub_end(s->social); /* listeners are told to come back */
        http_server_stop(s->http, GRACE_MS);
    }
    maintenance_stop(s->maintenance);
    if (s->pages) {
        pages_close(s->pages);
    }
    if (s->jobs) {
        job_stop(s->social);
        event_listen_end(s->social);
    }
    product_close(s->social);
}

static void stop(struct serve *s)
{
    uint64_t begin = clock_monotonic_us();
    notify_send("STOPPING=1\nSTATUS=Stopping");
    if (s->store) {
        struct sleeper *cutoff = sleeper_start(cut_off, s->store);
        stop_callers(s);
        sleeper_end(cutoff);
        engine_attach(s->engine, NULL, NULL); /* the store goes before the engine */
        store_close(s->store);
    } else {
        stop_callers(s);
    }
    if (s->settings) {
        settings_close(s->settings);
    }
    uint64_t spent = (clock_monotonic_us() - begin) / 1000;
    engine_stop_within(s->engine, spent + ENGINE_LEAST_MS < STOP_MS ? (unsigned)(STOP_MS - spent) : ENGINE_LEAST_MS);
}

/* An order to end during the start is no failure. */
static bool told_to_end(void)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGTERM) || sigismember(&pending, SIGINT);
}

int command_serve(struct command_call *c)
{
    sigset_t set;
    signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    struct serve s = {.config_file = c->config_file, .config = config_load(c->config_file, stderr)};
    if (!s.config) {
        return COMMAND_USAGE;
    }
    setup_log(s.config);
    context_setup(s.config);
    if (clock_setup()) {
        log_warning("serve", "RETWIS_TEST_CLOCK is set: the clock is a test's");
    }
    if (!context_clock_is_usable() || !sandbox_leave_root(s.config) || !sandbox_enter(s.config, s.config_file)) {
        config_free(s.config);
        return COMMAND_FAILED;
    }
    comeback_wait(s.config->state.directory, told_to_end);
    s.maintenance = maintenance_start();
    bool started = start_data(&s) && start_site(&s);
    if (started) {
        maintenance_watch(s.maintenance, s.social);
        announce(&s);
        wait_for_end(&s);
    }
    stop(&s);
    if (started) {
        log_info("serve", "ended");
    }
    bool in_order = started || told_to_end();
    if (in_order) {
        comeback_forget(s.config->state.directory);
    }
    config_free(s.config);
    return in_order ? COMMAND_OK : COMMAND_FAILED;
}
