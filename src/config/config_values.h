/* config_values.h - the values of retwis.ini as the program reads them: what config.h loads and config_table.h
 * describes. Constant once they are loaded.
 */
#ifndef CONFIG_CONFIG_VALUES_H
#define CONFIG_CONFIG_VALUES_H

#include <stdbool.h>
#include <stdint.h>

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
        int64_t listeners; /* streams at a time */
        int64_t per_account;
        int64_t per_address;
    } stream;
    struct {
        const char *listen;          /* "8080", "127.0.0.1:8080,[::1]:8443s,/run/retwis/http.sock" */
        const char *public_url;      /* "" = derived from the Host header */
        bool allow_plain;            /* serve pages over plain HTTP beside an https public_url */
        bool compress;               /* pages, for browsers that want it */
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
        bool accept_loss;     /* an external engine may be set up so that it loses data */
        int64_t memory_limit; /* MiB for the embedded engine, 0 = none, CONFIG_AUTO = by the machine */
        int64_t disk_reserve; /* MiB that stay free on its disk, 0 = none */
        int64_t connections;  /* pool size */
        int64_t shared_connections;
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
        int64_t celebrity_followers; /* hybrid: posts of people with more are pulled instead of pushed */
        int64_t inactive_days;       /* a home unread for so long is dropped; 0: never */
        int64_t workers;             /* threads that finish deliveries */
    } timeline;
    struct {
        int64_t cache; /* MiB of posts and users kept in the process */
    } posts;
    struct {
        int64_t rendered; /* MiB of posts as HTML */
        int64_t answers;  /* MiB of what the engine answered */
        int64_t pages;    /* MiB of whole answers to visitors */
    } cache;
    struct {
        bool enabled;
        int64_t words; /* of a post, by which it is found */
        int64_t posts; /* looked at for one page of what is found */
    } search;
    struct {
        bool enabled;
        struct config_limit read;       /* per address, or per account */
        struct config_limit search;     /* likewise, besides */
        const char *read_exempt;        /* addresses and networks, comma separated */
        int64_t network_56, network_48; /* what is per address is so many times as high for these networks of IPv6 */
        struct config_limit sign_in;    /* per address */
        struct config_limit sign_in_account; /* per account */
        struct config_limit sign_in_device;  /* per account and browser that has signed in to it before */
        struct config_limit sign_up;         /* per address */
        struct config_limit app;             /* per address: registered, and tokens of their own */
        struct config_limit post;            /* per account */
        struct config_limit delete_post;     /* per account */
        struct config_limit follow;          /* per account; one name = one */
        struct config_limit react;           /* per account: favourites, bookmarks */
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

#endif
