/* config.h - what the administrator writes in retwis.ini: read once at start (some keys again on SIGHUP), then
 * constant.
 *
 * One table in config_table.c names every key with its type, default, range and help; retwis.ini, retwis.ini(5),
 * `retwis check-config` and the RETWIS_SECTION_KEY environment variables come out of it. What can change while the
 * server runs is in settings.h instead.
 *
 * Threads: loaded by the main thread before any other exists; read-only afterwards.
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum config_mode { CONFIG_PUSH, CONFIG_PULL, CONFIG_HYBRID }; /* [timeline] mode */
enum config_durability { CONFIG_EVERYSEC, CONFIG_ALWAYS };
enum config_log_format { CONFIG_TEXT, CONFIG_JSON };
enum config_log_level { CONFIG_DEBUG, CONFIG_INFO, CONFIG_WARNING, CONFIG_ERROR };

/* A rate limit: `count` in `seconds` ("5/30m"). count 0 means nothing is allowed. */
struct config_limit {
    uint32_t count;
    uint32_t seconds;
};

#define CONFIG_AUTO (-1) /* of a number that may be "auto": the program finds it */

struct config {
    struct {
        const char *listen;          /* "8080", "127.0.0.1:8080,[::1]:8443s,/run/retwis/http.sock" */
        const char *public_url;      /* "" = derived from the Host header */
        bool allow_plain;            /* serve pages over plain HTTP beside an https public_url */
        int64_t hsts;                /* days; 0 = not said */
        const char *tls_certificate; /* PEM file, chain included */
        const char *tls_key;
        const char *acme_directory;  /* "" = none */
        int64_t threads;             /* concurrent connections; each has one thread */
        const char *trusted_proxies; /* addresses and networks, comma separated */
        int64_t connections_per_address;
        int64_t max_requests;    /* requests being worked on at once; the rest get 503 */
        int64_t max_body;        /* bytes */
        int64_t request_timeout; /* seconds for header plus body */
        int64_t keep_alive;      /* seconds an idle connection stays open */
        const char *web_dir;     /* "" = the embedded files */
    } http;
    struct {
        const char *url; /* "embedded", redis://, rediss://, unix:// */
        const char *password_file;
        const char *tls_ca; /* PEM file that signs the certificate of a rediss:// server; "" = the system's */
        const char *prefix; /* before every key */
        enum config_durability durability;
        bool accept_loss;        /* an external engine may be set up so that it loses data */
        int64_t memory_limit;    /* MiB for the embedded engine, 0 = none, CONFIG_AUTO = by the machine */
        int64_t disk_reserve;    /* MiB that stay free on its disk, 0 = none */
        int64_t connections;     /* pool size */
        int64_t connect_timeout; /* ms */
        int64_t command_timeout; /* ms */
        int64_t hang_timeout;    /* seconds until an embedded engine that answers nothing is replaced, 0 = never */
    } redis;
    struct {
        enum config_mode mode;
        int64_t size;             /* ids kept in one home timeline */
        int64_t page;             /* posts on one page */
        int64_t inline_followers; /* delivered to by the request that writes the post */
        int64_t pull_per_author;
        int64_t celebrity_followers; /* hybrid: who has more is pulled instead of pushed */
        int64_t inactive_days;       /* a home unread for so long is dropped; 0: never */
        int64_t workers;             /* threads that finish deliveries */
    } timeline;
    struct {
        int64_t cache; /* MiB of posts and users kept in the process */
    } posts;
    struct {
        bool enabled;
        struct config_limit read;       /* per address, or per account */
        const char *read_exempt;        /* addresses and networks, comma separated */
        int64_t network_56, network_48; /* what is per address is so many times as high for these networks of IPv6 */
        struct config_limit sign_in;    /* per address */
        struct config_limit sign_in_account; /* per account */
        struct config_limit sign_in_device;  /* per account and browser that has signed in to it before */
        struct config_limit sign_up;         /* per address */
        struct config_limit post;            /* per account */
        struct config_limit delete_post;     /* per account */
        struct config_limit follow;          /* per account; one name = one */
        struct config_limit settings;        /* per account: password checks and profile changes */
    } limits;
    struct {
        int64_t idle_days;     /* a session unused for so long ends */
        int64_t lifetime_days; /* every session ends after so long */
        int64_t per_user;      /* the oldest ends when there are more */
    } session;
    struct {
        enum config_log_level level;
        enum config_log_format format;
        bool access;         /* one line per request */
        int64_t access_rate; /* lines a second, above it a sample; 0: all */
    } log;
    struct {
        const char *listen; /* addresses that serve /metrics and /health to anybody who reaches them; "" = none */
        const char *allow;  /* addresses and networks that may read /metrics of the site, comma separated */
    } metrics;
    struct {
        bool sandbox;    /* seccomp and Landlock */
        bool allow_root; /* stay root */
        bool core_dumps; /* and debuggers */
    } process;
    struct {
        const char *directory; /* engine data, settings.db, sockets */
    } state;
};

/* Reads the file, then those of the directory conf.d beside it whose names end with .ini, in the order of their names, then
 * the environment; what comes later wins. `path` NULL: /etc/retwis/retwis.ini if it exists. A file or directory of conf.d that
 * somebody else than root or this user could have written is a mistake.
 * Every mistake is written to `report` as one line "file:line: what is wrong and what is allowed"; all of them,
 * not only the first. Returns NULL if there was any. The caller ends the result with config_free. */
struct config *config_load(const char *path, FILE *report);
void config_free(struct config *c);

/* The keys, "section.key" and commas between them, that differ and that a running server takes only when it is started
 * again; "" if there are none. The caller frees. */
char *config_restart_keys(const struct config *now, const struct config *fresh);

/* The file this table stands for, every key commented with default, range and effect: retwis.ini itself. */
void config_write_ini(FILE *out);

/* The same as a roff table body for retwis.ini(5). */
void config_write_man(FILE *out);

/* The file that config_load reads when it is given `path`. */
const char *config_main_file(const char *path);

/* Calls f with each file and directory that a key names, and that is only read. */
void config_each_path(const struct config *c, void (*f)(void *context, const char *path), void *context);

/* The effective configuration, one "section.key = value" a line (secrets are in files and so never here). */
void config_print(const struct config *c, FILE *out);

#endif
