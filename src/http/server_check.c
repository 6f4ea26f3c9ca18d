/* server_check.c - finds beforehand what would make a start fail: addresses, certificate, proxies. See
 * http_server_check in server.h. Main thread. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/findings.h"
#include "base/panic.h"
#include "config/config.h"
#include "http/listen.h"
#include "http/listen_try.h"
#include "http/server.h"
#include "http/tls.h"

static bool listens_by(const struct listen_list *l, bool tls, bool path)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct listen_entry *e = &l->entries[i];
        if (e->door == HTTP_DOOR_SITE && e->tls == tls && (e->path[0] != '\0') == path) {
            return true;
        }
    }
    return false;
}

/* The host of public_url, without its port. */
static void public_host(const struct config *c, char *out, size_t size)
{
    const char *start = strstr(c->http.public_url, "://");
    start = start ? start + 3 : "";
    bool bracket = *start == '[';
    snprintf(out, size, "%.*s", (int)strcspn(start + bracket, bracket ? "]" : ":"), start + bracket);
}

static void check_proxies(const struct config *c, const struct listen_list *l, struct findings *f)
{
    bool https = strncmp(c->http.public_url, "https://", 8) == 0;
    if (https && !*c->http.trusted_proxies && !listens_by(l, true, false) && !listens_by(l, false, true)) {
        findings_warning(f, "http.public_url is https, but nothing here speaks HTTPS: if a proxy does, name it in "
                            "http.trusted_proxies; if none does, add an entry with s to http.listen");
    }
    if (strstr(c->http.trusted_proxies, "/0")) {
        findings_warning(
            f, "http.trusted_proxies holds a network of everybody: every client can pretend to have any address");
    }
}

void http_server_check(const struct config *c, bool is_served, bool may_low, struct findings *f)
{
    struct listen_list list = {.count = 0};
    struct listen_trouble troubles[LISTEN_MAX];
    char line[512], host[256];
    if (!listen_read(c, &list, f->out)) {
        f->errors++;
        return;
    }
    size_t count = listen_try(&list, troubles);
    for (size_t i = 0; i < count; i++) {
        if ((is_served && troubles[i].error == EADDRINUSE) || (may_low && troubles[i].is_low)) {
            continue;
        }
        FILE *report = fmemopen(line, sizeof(line), "w");
        require(report != NULL);
        listen_explain(&troubles[i], report);
        fclose(report);
        findings_error(f, "%s", line);
    }
    public_host(c, host, sizeof(host));
    if (listen_uses_tls(&list) || *c->http.tls_certificate) {
        tls_check(c->http.tls_certificate, c->http.tls_key, host, f);
    }
    check_proxies(c, &list, f);
}
