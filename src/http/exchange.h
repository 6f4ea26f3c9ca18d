/* exchange.h - one request and its answer, over any carrier. Inside src/http only.
 *
 * Threads: the site is made by the main thread and shared; an exchange belongs to its connection thread.
 */
#ifndef HTTP_EXCHANGE_H
#define HTTP_EXCHANGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/dispatch.h"
#include "http/http.h"
#include "http/request.h"

/* What all exchanges of a server share. */
struct exchange_site {
    struct dispatch *dispatch;
    struct request_rules rules;
    int64_t max_body; /* bytes, see body_begin */
    void *app;
    const unsigned char *(*secret_key)(void *app);
    int64_t max_requests;
    struct read_limit *reads; /* NULL: none */
    bool allow_plain;         /* serve requests in the clear although public_url is https */
    bool compress;            /* answers for clients that want it */
    _Atomic int in_flight;
};

/* The connection: as many bytes as are there (0 or less: no more will come), all bytes out. */
struct exchange_io {
    void *connection;
    int (*read)(void *connection, void *buffer, size_t size);
    int (*write)(void *connection, const void *data, size_t size);
};

struct exchange {
    struct exchange_site *site;
    struct exchange_io io;
    struct http_request req;
    struct http_response resp;
    const char *method;  /* as sent, for the log */
    const char *version; /* "1.1" */
    bool tls;
    bool keep_alive; /* in: the server would; out: the connection goes on */
    bool unread;     /* the client may still be sending what nobody reads */
    bool unsent;     /* the header of a stream has not gone out, or nobody wants the rest */
    bool counted;    /* in site->in_flight */
    uint64_t started;
};

/* Starts an exchange; method and version may be NULL when the request line could not be read. */
void exchange_begin(struct exchange *x, struct exchange_site *site, struct arena *a, const char *method,
                    const char *version);

/* Reads the rest of the request, answers it, logs it. x->req.headers is set by the caller. `clean` says whether the
 * header was laid out as it must be. */
void exchange_run(struct exchange *x, const struct request_raw *raw, const struct request_peer *peer, bool clean);

/* Answers a request that could not even be parsed. */
void exchange_refuse(struct exchange *x, const struct request_peer *peer, int status);

#endif
