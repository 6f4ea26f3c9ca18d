/* exchange.c - see exchange.h. Connection threads.
 *
 * The way of a request: rules of the header (request.c) - route (dispatch.c) - body (here and body.c) - room for it
 * (here) - checks and handler (dispatch.c) - bytes (response.c) - access log. A request that is refused before its body
 * was read closes the connection, because the next bytes in it need not be the beginning of a request.
 *
 * All of it up to the bytes, and the work after the answer, is contained: a broken invariant costs this request its
 * answer (500) and its connection, and affects no other request. Reading and writing the connection itself are
 * civetweb's.
 */
#include "http/exchange.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/metric.h"
#include "base/panic.h"
#include "base/source.h"
#include "http/access.h"
#include "http/body.h"
#include "http/contain.h"
#include "http/guard.h"
#include "http/read_limit.h"
#include "http/response.h"
#include "http/router.h"
#include "http/stream.h"
#include "http/upload.h"
#include "store/store.h"

void exchange_begin(struct exchange *x, struct exchange_site *site, struct arena *a, const char *method,
                    const char *version)
{
    memset(x, 0, sizeof(*x));
    x->site = site;
    x->started = clock_monotonic_us();
    x->method = method ? method : "-";
    x->version = version ? version : "1.1";
    x->req.arena = a;
    x->req.method = request_method(x->method);
    x->req.path = x->req.address = x->req.networks[0] = x->req.origin = x->req.host = "";
    x->req.app = site->app;
    x->req.secret_key = site->secret_key(site->app);
    x->req.compresses = site->compress;
    x->resp = response_make(a);
    request_id(x->req.id);
    store_trips_reset();
    sources_end(); /* of a request that was broken off */
}

/* --- answering ----------------------------------------------------------------------------------------------------- */

static void apologise(void *exchange)
{
    struct exchange *x = exchange;
    dispatch_fail(x->site->dispatch, &x->req, &x->resp, 500, NULL);
}

/* Runs a part of the work on a request; if it is broken off, a 500 takes the place of its answer. */
static void contain(struct exchange *x, void (*work)(void *context), void *context)
{
    if (contain_run(x->req.id, work, context)) {
        return;
    }
    x->keep_alive = false; /* who knows how much of the body was read */
    if (!contain_run(x->req.id, apologise, x)) {
        x->resp = response_make(x->req.arena);
        response_plain(&x->resp, 500, NULL);
    }
}

/* The answer as it goes out. */
struct outgoing {
    struct exchange *exchange;
    struct buffer bytes;
    const unsigned char *rest;
    size_t rest_size;
};

static bool is_old(const struct exchange *x)
{
    return strcmp(x->version, "1.1") != 0;
}

static void write_answer(void *context)
{
    struct outgoing *out = context;
    struct exchange *x = out->exchange;
    struct response_wire wire = {
        .keep_alive = x->keep_alive,
        .old_protocol = is_old(x),
        .head = x->req.method == HTTP_HEAD,
        .chunked = x->resp.stream && !is_old(x),
    };
    out->bytes = response_write(&x->req, &x->resp, &wire, &out->rest, &out->rest_size);
}

static void work_afterwards(void *exchange)
{
    struct exchange *x = exchange;
    x->req.after(x->req.after_context);
}

static void stream_answer(void *exchange)
{
    struct exchange *x = exchange;
    struct http_stream out = {
        .connection = x->io.connection, .write = x->io.write, .is_chunked = !is_old(x), .is_gone = x->unsent};
    stream_begin(&out);
    x->resp.stream(&out, x->resp.stream_context);
    stream_end(&out);
}

static void send_bytes(struct exchange *x, const struct outgoing *out)
{
    guard_writing(out->bytes.length + out->rest_size);
    int size = (int)out->bytes.length, rest_size = (int)out->rest_size;
    bool sent = size > 0 && x->io.write(x->io.connection, out->bytes.data, out->bytes.length) == size;
    if (sent && rest_size > 0) {
        sent = x->io.write(x->io.connection, out->rest, out->rest_size) == rest_size;
    }
    x->keep_alive = x->keep_alive && sent;
    x->unsent = !sent || x->req.method == HTTP_HEAD;
}

static void send_answer(struct exchange *x)
{
    struct outgoing out = {.exchange = x};
    x->keep_alive = x->keep_alive && !guard_crowded() && !guard_expired() && !x->resp.stream;
    contain(x, write_answer, &out);
    if (!out.bytes.length) {
        contain_run(x->req.id, write_answer,
                    &out); /* it says 500 now; if not even that can be written, nothing is sent */
    }
    send_bytes(x, &out);
    if (x->unread) {
        guard_linger(x->tls);
    }
    metric_request(x->req.route ? x->req.route->path : NULL, x->resp.status, clock_monotonic_us() - x->started);
    access_log(&x->req, x->method, x->resp.status, out.bytes.length + out.rest_size, x->started);
    if (x->resp.stream) { /* also when it is over already: it gives back what it holds */
        contain_run(x->req.id, stream_answer, x);
    }
    if (x->req.after) {
        guard_working();
        contain_run(x->req.id, work_afterwards, x);
    }
    require_shared(!panic_shared_held());
    if (x->keep_alive) {
        guard_idle();
    }
}

/* An error after which the connection cannot go on. */
static void reject(struct exchange *x, int status, const char *text)
{
    x->keep_alive = false;
    dispatch_fail(x->site->dispatch, &x->req, &x->resp, status, text);
    if (status == 405) {
        http_header(&x->resp, "Allow", router_allow(x->req.arena, ~0u));
    }
}

/* --- body ---------------------------------------------------------------------------------------------------------- */

/* A client that waits for permission to send its body gets it: only now is it known that the body is wanted. */
static int meet_expectation(struct exchange *x, const char **why)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    const char *expect = http_header_in(&x->req, "expect");
    if (!expect || strcmp(x->version, "1.1") != 0) {
        return 0;
    }
    if (strcasecmp(expect, "100-continue") != 0) {
        *why = "this expectation is not supported";
        return 417;
    }
    x->io.write(x->io.connection, go_on, sizeof(go_on) - 1);
    return 0;
}

/* Why no more of a body comes. */
static int body_give_up(const char **why)
{
    bool late = guard_expired();
    *why = late ? "the body did not arrive in time" : "the body is shorter than its Content-Length";
    return late ? 408 : 400;
}

/* 0, or the status of the refusal. */
static int read_body(struct exchange *x, size_t size, const char **why)
{
    struct body body;
    int status = body_begin(&body, &x->req, size, x->site->max_body, why);
    status = status ? status : meet_expectation(x, why);
    if (status == 0) {
        guard_reading(size);
    }
    while (status == 0 && size > 0) {
        size_t room;
        char *to = body_room(&body, &room);
        int got = x->io.read(x->io.connection, to, room < size ? room : size);
        if (got <= 0) {
            return body_give_up(why);
        }
        size -= (size_t)got;
        status = body_took(&body, (size_t)got, why);
    }
    x->unread = x->unread && size > 0;
    return status ? status : body_end(&body, why);
}

/* --- whole requests ------------------------------------------------------------------------------------------------ */

/* Only requests that are being worked on are counted: a slow body keeps nobody else out. */
static void exchange_work(struct exchange *x, unsigned allowed)
{
    const struct dispatch *d = x->site->dispatch;
    guard_working();
    x->counted = true;
    int running = atomic_fetch_add_explicit(&x->site->in_flight, 1, memory_order_relaxed);
    if (running < x->site->max_requests) {
        dispatch_run(d, &x->req, &x->resp, allowed);
        read_limit_learn(x->site->reads, &x->req);
    } else {
        dispatch_fail(d, &x->req, &x->resp, 503, "too many requests at once");
    }
}

/* Behind metrics.listen there is no site. */
static bool is_beyond_door(const struct http_request *req)
{
    return req->door == HTTP_DOOR_METRICS && !(req->route && (req->route->flags & HTTP_MONITOR));
}

/* Anybody on the way can read and change what comes in the clear, so people are sent to HTTPS; only machines ask for
 * the other routes. */
static bool must_come_again(const struct exchange *x)
{
    return x->req.in_clear && !x->site->allow_plain && !(x->req.route && (x->req.route->flags & HTTP_IN_CLEAR));
}

/* The same address by HTTPS. 308: method and form stay what they are. */
static void send_to_https(struct exchange *x, const struct request_raw *raw)
{
    const char *path = raw->target[0] == '/' ? raw->target : "/";
    x->keep_alive = x->keep_alive && !x->unread;
    response_plain(&x->resp, 308,
                   "This site is served by HTTPS only: see Location. If a proxy in front of it ends HTTPS, "
                   "name it in http.trusted_proxies.");
    http_header(&x->resp, "Location",
                arena_printf(x->req.arena, "%s%s%s%s", x->req.origin, path, raw->query ? "?" : "",
                             raw->query ? raw->query : ""));
    if (x->resp.broken) {
        reject(x, 400, "the path is not well formed");
    }
}

static void answer(struct exchange *x, const struct request_raw *raw, size_t body_size)
{
    const char *why = NULL;
    unsigned allowed = dispatch_route(x->site->dispatch, &x->req);
    if (is_beyond_door(&x->req)) {
        reject(x, 404, "only /metrics and /health are served here");
        return;
    }
    if (must_come_again(x)) {
        send_to_https(x, raw);
        return;
    }
    x->req.retry_after = read_limit_take(x->site->reads, &x->req);
    if (x->req.retry_after) {
        x->keep_alive = x->keep_alive && !x->unread;
        dispatch_fail(x->site->dispatch, &x->req, &x->resp, 429, NULL);
        return;
    }
    int status = body_size > 0 ? read_body(x, body_size, &why) : 0;
    if (status == 0) {
        exchange_work(x, allowed);
    } else {
        reject(x, status, why);
    }
}

/* A request as it came. */
struct incoming {
    struct exchange *exchange;
    const struct request_raw *raw;
    const struct request_peer *peer;
    bool clean;
    int status; /* what civetweb refused it with; 0: it did not */
};

static void serve(void *context)
{
    const struct incoming *in = context;
    struct exchange *x = in->exchange;
    const struct request_raw *raw = in->raw;
    const char *why = NULL;
    size_t body_size = 0;
    int status = request_head(&x->req, raw, in->peer, &x->site->rules, &body_size, &why);
    if (!in->clean) {
        status = 400;
        why = "the header is not well formed";
    }
    x->keep_alive = x->keep_alive && request_keep_alive(&x->req, x->version);
    x->unread = body_size > 0 || !in->clean || (status != 0 && http_header_in(&x->req, "transfer-encoding"));
    if (status != 0) {
        reject(x, status, why);
    } else {
        answer(x, raw, body_size);
    }
}

void exchange_run(struct exchange *x, const struct request_raw *raw, const struct request_peer *peer, bool clean)
{
    struct incoming in = {.exchange = x, .raw = raw, .peer = peer, .clean = clean};
    x->tls = peer->tls;
    contain(x, serve, &in);
    if (x->counted) {
        atomic_fetch_sub_explicit(&x->site->in_flight, 1, memory_order_relaxed);
    }
    send_answer(x);
    upload_close(&x->req.files);
}

/* civetweb knows fewer statuses than there are reasons, and its texts repeat what was sent. */
static int refine(const struct exchange *x, int status, const char **text)
{
    *text = status == 505   ? "only HTTP/1.0 and HTTP/1.1 are understood"
            : status >= 500 ? "the request could not be read"
                            : "the request line or a header is not well formed";
    if (guard_expired()) {
        *text = "the request did not arrive in time";
        return 408;
    }
    if (status == 413 || (status == 400 && guard_received() >= REQUEST_HEADER_SIZE)) {
        *text = "the header is too large";
        return 431;
    }
    if (status == 400 && (strcmp(x->method, "TRACE") == 0 || strcmp(x->method, "CONNECT") == 0)) {
        *text = "this method is not supported";
        return 405;
    }
    return status == 411 ? 400 : status;
}

static void exchange_contained(void *context)
{
    const struct incoming *in = context;
    struct exchange *x = in->exchange;
    const char *text;
    request_client(&x->req, in->peer, &x->site->rules);
    int status = refine(x, in->status, &text);
    reject(x, status, text);
}

void exchange_refuse(struct exchange *x, const struct request_peer *peer, int status)
{
    struct incoming in = {.exchange = x, .peer = peer, .status = status};
    x->tls = peer->tls;
    x->unread = true;
    contain(x, exchange_contained, &in);
    send_answer(x);
}
