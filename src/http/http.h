/* http.h - request, response and route as plain data: all that a handler sees of HTTP.
 *
 * Handlers are functions over these structs and so can be unit-tested without a socket. Knows no page and no
 * endpoint; their tables come from above, by area (area.h).
 *
 * The folder http/, in the order to read it: this file, area.h, router.h and dispatch.h (from a request to a handler),
 * request.h, form.h and multipart.h (how a request is read), exchange.h (one request from its first byte to its
 * answer), civet.h and server.h (civetweb, and nowhere else), guard.h and meter.h (limits that protect visitors from
 * each other), listen.h and tls.h.
 *
 * Threads: a request and its response belong to the connection thread that made them.
 */
#ifndef HTTP_HTTP_H
#define HTTP_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/err.h"
#include "base/who.h"

struct arena;
struct http_area;
struct http_route;
struct http_stream;
struct recalled;

#define HTTP_NETWORKS 3       /* that an address is counted by */
#define HTTP_PARAMETER_SETS 4 /* of one route */

enum http_method {
    HTTP_GET = 1,
    HTTP_POST = 2,
    HTTP_PUT = 4,
    HTTP_PATCH = 8,
    HTTP_DELETE = 16,
    HTTP_OPTIONS = 32,
    HTTP_HEAD = 64, /* routed as GET; the answer goes out without its body */
};

/* By which listener a request came. */
enum http_door {
    HTTP_DOOR_SITE,
    HTTP_DOOR_METRICS, /* metrics.listen: only routes for monitoring are there (HTTP_MONITOR) */
    HTTP_DOOR_TOOLS,   /* the server's own socket, for the tools of this machine */
};

struct http_pair {
    const char *name;
    const char *value;
};

struct http_pairs {
    struct http_pair *items;
    size_t count;
};

/* A file that came with a form. Name, file name and type are what the client says. */
struct http_file {
    const char *name;     /* of the field */
    const char *filename; /* without folders; for people, not for opening anything */
    const char *type;     /* NULL: it says none */
    const char *data;     /* the bytes; NULL if they are in fd, to be read by pread(2) */
    size_t size;
    int fd; /* a file without a name in the state directory; -1 if the bytes are in data */
};

struct http_files {
    struct http_file *items;
    size_t count;
};

/* Where the caller stands with limits.read, for areas that tell (http_area.tells_limits). */
struct http_rate {
    uint64_t limit; /* requests; 0: he is not counted */
    uint64_t remaining;
    uint64_t reset_ms; /* wall time at which all of them are his again */
};

struct http_request {
    struct arena *arena;
    enum http_method method;
    const char *path;          /* decoded and normalised, without query and trailing slash */
    struct http_pairs headers; /* names in lower case */
    struct http_pairs cookies;
    struct http_pairs query; /* decoded; only values that are valid UTF-8 without NUL */
    struct http_pairs form;  /* the body, decoded likewise: of a form, of JSON (json_form.h), of a form with files */
    struct http_files files; /* that came with it; they end with the request */
    struct http_pairs variables;    /* from the route: {"name", "alice"} of "/@:name" */
    const struct http_route *route; /* NULL while none is known: in error answers */
    const struct http_area *area;   /* of the path; that of "/" while no path is known */
    const char *address;            /* of the client; trusted proxies already resolved */
    const char
        *networks[HTTP_NETWORKS + 1]; /* the same for rate limits, from the narrowest: an IPv4 address, or /64, /56
                                              * and /48 of an IPv6 one; ended by NULL */
    bool certain;                     /* the address is surely the client's and not a proxy's */
    bool is_here;                     /* from this machine's own address, and not passed on: see http_client_may_know */
    enum http_door door;
    const char *host;   /* the Host header: "example.org:8080" */
    const char *origin; /* "https://example.org": what absolute links start with */
    bool secure;        /* the client is at an https address: his cookies are for HTTPS only */
    bool in_clear;      /* although public_url is https, his request crossed the network unprotected */
    int64_t hsts;       /* seconds for which his browser is told to use HTTPS only; 0: none */
    bool unlimited;     /* from a network that limits.read does not count */
    bool compresses;    /* http.compress: answers are compressed for clients that want it */
    bool is_known;      /* read_limit.c: counts for the account of its session, not for the address */
    bool is_asked;      /* it is known whose session it is: */
    uint64_t account;   /* his id; 0: a stranger */
    bool is_settled;    /* it was checked whether he may (route->who), and the answer obeys the result */
    void *visitor;      /* the area's: what its `verify` learned, for the handler */
    struct http_rate rate;
    unsigned retry_after;            /* seconds, with an error 429 */
    char id[17];                     /* request id, hex; also in the log and in X-Request-Id */
    void *app;                       /* what http_server_start was given for handlers */
    const unsigned char *secret_key; /* 32 bytes for CSRF tokens; NULL without (then no token is right) */
    const char *csrf_token;          /* made by http_csrf_token; use that function */
    const char *csrf_cookie;         /* what it is bound to; NULL while there is none */
    const char *fresh_key;           /* made by http_fresh_key; use that function */
    void (*after)(void *context);    /* see http_after */
    void *after_context;
};

struct http_response {
    struct arena *arena;
    int status;
    const char *content_type; /* default text/html; charset=utf-8 */
    struct buffer body;
    const unsigned char *body_static; /* instead of body: bytes that outlive the response */
    size_t body_static_size;
    struct http_pairs headers;       /* added by http_header; capacity is internal */
    bool cacheable;                  /* else Cache-Control: no-store is added unless a header says otherwise */
    bool broken;                     /* a header was refused: the client gets 500 instead */
    const struct recalled *recalled; /* recall.h: the answer was given again; NULL: it was made */
    void (*stream)(struct http_stream *out, void *context); /* stream.h: the answer goes on after its header */
    void *stream_context;
    uint64_t digest; /* of the body without its tokens (validator.h); 0: not known yet */
};

typedef void (*http_handler)(struct http_request *req, struct http_response *resp);

/* Peculiarities of a route, joined by "|". */
enum http_flag {
    HTTP_MONITOR = 1,   /* tells how the server is: served behind metrics.listen too */
    HTTP_IN_CLEAR = 2,  /* asked for by machines: served by plain HTTP even where public_url is https */
    HTTP_UNCOUNTED = 4, /* costs next to nothing: limits.read does not count it */
    HTTP_SEARCHING = 8, /* costs more than other pages: limits.search counts it too */
    HTTP_PUBLIC = 16,   /* a stranger's browser may keep the page and ask whether it is still the same: validator.h */
    HTTP_STREAM = 64,   /* a stream: browsers cannot send it a header, so its token may stand in ?access_token= */
    HTTP_RECALLED = 32, /* only shows, and nothing but what recall.h says: its answer may be given again */
};

/* Kinds of bodies that a route takes, joined by "|". All become the same pairs. */
enum http_body {
    HTTP_FORM = 1,      /* application/x-www-form-urlencoded */
    HTTP_JSON = 2,      /* application/json, see json_form.h */
    HTTP_MULTIPART = 4, /* multipart/form-data, see multipart.h */
};

enum http_type {
    HTTP_TEXT,   /* UTF-8, min..max in bytes after decoding; rules of the product are checked below */
    HTTP_NUMBER, /* decimal, min..max */
    HTTP_ID,     /* an id of id.h */
    HTTP_NAME,   /* a user name: word characters, 1..30 */
};

/* An input that a handler reads. It is looked for in the route's variables, then in the form (in the query for methods
 * without a body). An empty optional field counts as absent. */
struct http_parameter {
    const char *name;
    enum http_type type;
    int64_t min;
    int64_t max;
    bool required;
    const char *help;
};

/* A request that the server answers. The dispatcher enforces everything that stands here. It checks `who` before the
 * handler runs for an unsafe method; for a safe one the handler's own first round trip checks it (if it made none, the
 * dispatcher does afterwards). */
struct http_route {
    unsigned methods; /* of enum http_method */
    const char *path; /* "/@:name/follow"; ":x" matches one segment or its rest, a last "*x" the rest of the path */
    http_handler handler;
    enum who who;
    const struct http_parameter *parameters[HTTP_PARAMETER_SETS]; /* sets, each ended by a NULL name; NULL: no more */
    const char *help;                                             /* one line, for `retwis routes` */
    unsigned flags;                                               /* of enum http_flag */
    unsigned bodies;                                              /* of enum http_body; 0: HTTP_FORM */
    int64_t max_upload; /* bytes of a multipart body; 0: as for the others (http_area.max_body) */
    const char *scopes; /* of a token, separated by blanks; any of them is enough. NULL: none is needed */
    const char *
        forgiven; /* names of further parameters, separated by blanks: the handler reads them as they come. For documents */
    const char *answer; /* type of a good answer (view/entity_table.h), for documents. NULL: none is promised */
    /* Answers in place of the handler when it could not be checked who asks (the engine is away), so that typed text is
     * not lost. NULL: the area's error. */
    void (*unverified)(struct http_request *req, struct http_response *resp, enum err e);
};

/* First value of that name; NULL if absent. */
const char *http_header_in(const struct http_request *req, const char *lower_name);
const char *http_cookie(const struct http_request *req, const char *name); /* NULL also if it is there twice */
const char *http_query(const struct http_request *req, const char *name);
const char *http_form(const struct http_request *req, const char *name);
const char *http_variable(const struct http_request *req, const char *name);

/* Adds a header. The value is checked: a control byte in it aborts the answer with 500 rather than split it. */
void http_header(struct http_response *resp, const char *name, const char *value);

/* Sets a cookie: HttpOnly, SameSite=Lax, Path=/, Secure when req->secure. max_age in seconds; 0 deletes it,
 * HTTP_COOKIE_BROWSER keeps it until the browser ends. */
#define HTTP_COOKIE_BROWSER (-1)

void http_set_cookie(const struct http_request *req, struct http_response *resp, const char *name, const char *value,
                     int64_t max_age);

/* 303 See Other to a path of this site (or, for OAuth, an absolute URL checked by the caller). */
void http_redirect(struct http_response *resp, const char *location);

/* The answer to this page's form may lead to other sites: it has no form-action. (Chromium and WebKit hold that against
 * each address that a form is redirected to, by the other site too, which nobody here can foresee; and no word of it
 * stands for the schemes of programs.) For pages whose forms are all the server's own. */
void http_allow_leaving(struct http_response *resp);

/* Sets a function to call after any answer has gone out: for work that the client need not wait for. It runs in the
 * request's thread, while the request's memory is still there. One per request. */
void http_after(struct http_request *req, void (*function)(void *context), void *context);

/* Appends the text percent-encoded, but for ASCII letters, digits and these characters. */
void http_encode(struct buffer *b, const char *text, const char *plain);

/* `next` if it is a safe path of this site (^/[^/\\] and no control byte), else fallback. */
const char *http_safe_next(const char *next, const char *fallback);

/* Whether the client is in a comma separated list of addresses and networks. A client by another door than the site's
 * always is. A client whose address is not certain never is, nor is this machine: a proxy may run there. */
bool http_client_is_allowed(const struct http_request *req, const char *list);

/* Whether the client may be told how the site is built and what it lacks: those of the list, as above, and this
 * machine. An undeclared proxy on this machine that adds no header is taken for the machine itself, so what is told
 * must not be secret. */
bool http_client_may_know(const struct http_request *req, const char *list);

/* The session cookie's name depends on HTTPS: "__Host-retwis" or "retwis". */
const char *http_session_cookie(const struct http_request *req);

/* CSRF token for the forms of this visitor, field `csrf_token` (or header X-CSRF-Token). Sets a cookie when he has
 * none yet. Any number of calls per request; the check happened before the handler was called. */
const char *http_csrf_token(struct http_request *req, struct http_response *resp);

/* A word of so many characters that no other answer has: by it a form that is sent twice is known. The same for all calls
 * of a request. */
#define HTTP_FRESH_KEY_LENGTH 22 /* 132 random bits are enough */
const char *http_fresh_key(struct http_request *req);

#endif
