/* config_check.c - the syntax of particular texts (addresses, networks, URLs), and the rules between two keys.
 *
 * These checks find a mistake before anything starts and name its line. They are not the parsers that use the texts:
 * the listener (http/) and the store read the texts again, know more, and may still refuse one that passes here.
 *
 * Pure functions; any thread.
 */
#include "config/config_table.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/text.h"

#define ENTRY_SIZE 256      /* one entry of a list, with its NUL */
#define SOCKET_PATH_MAX 107 /* sun_path */

static bool config_check_refuse(struct buffer *why, const char *entry, const char *text)
{
    buffer_printf(why, "\"%s\" %s", entry, text);
    return false;
}

/* A decimal number of 1 to 5 digits, nothing else, at most max. */
static bool config_is_number(const char *text, long max)
{
    size_t n = strspn(text, "0123456789");
    return n > 0 && n <= 5 && !text[n] && strtol(text, NULL, 10) <= max;
}

static bool config_is_address(int family, const char *text)
{
    unsigned char bytes[16];
    return inet_pton(family, text, bytes) == 1;
}

static bool config_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Calls `check` for each comma-separated entry, without the blanks around it. An empty entry is a mistake. */
static bool each_entry(const char *text, struct buffer *why, bool (*check)(char *entry, struct buffer *why))
{
    bool is_last = false;
    size_t n;
    for (const char *at; (at = text_entry(&text, &n));) {
        char entry[ENTRY_SIZE] = "";
        is_last = at[n] == '\0';
        for (; n > 0 && config_is_blank(at[n - 1]); n--) {
        }
        for (; n > 0 && config_is_blank(*at); n--) {
            at++;
        }
        if (n >= sizeof(entry)) {
            buffer_text(why, "has an entry that is too long");
            return false;
        }
        memcpy(entry, at, n);
        if (n == 0) {
            is_last = false;
            break;
        }
        if (!check(entry, why)) {
            return false;
        }
    }
    if (!is_last) {
        buffer_text(why, "has an empty entry");
    }
    return is_last;
}

/* Cuts a host into address and port: "[::1]:80" and "127.0.0.1:80". Returns the port, "" if there is none, or NULL
 * for broken brackets. The address stays in `host` without its brackets. */
static char *split_port(char *host, bool *in_brackets)
{
    *in_brackets = host[0] == '[';
    char *end = *in_brackets ? strchr(host, ']') : strrchr(host, ':');
    if (!*in_brackets) {
        if (!end) {
            return host + strlen(host);
        }
        *end = '\0';
        return end + 1;
    }
    if (!end || (end[1] && end[1] != ':')) {
        return NULL;
    }
    char *port = end[1] ? end + 2 : end + 1;
    *end = '\0';
    memmove(host, host + 1, (size_t)(end - host));
    return port;
}

static bool entry_is_tls(const char *entry, size_t length)
{
    return entry[0] != '/' && length > 0 && entry[length - 1] == 's';
}

static bool check_listen_entry(char *entry, struct buffer *why)
{
    if (entry[0] == '/') {
        return strlen(entry) <= SOCKET_PATH_MAX ||
               config_check_refuse(why, entry, "is longer than a socket's path can be (107)");
    }
    char copy[ENTRY_SIZE];
    bool in_brackets;
    memcpy(copy, entry, strlen(entry) + 1);
    copy[strlen(copy) - entry_is_tls(entry, strlen(entry))] = '\0';
    if (!strpbrk(copy, ":[")) {
        return config_is_number(copy, 65535) || config_check_refuse(why, entry, "is not a port from 0 to 65535");
    }
    char *port = split_port(copy, &in_brackets);
    if (!port || !config_is_number(port, 65535)) {
        return config_check_refuse(why, entry, "has no port from 0 to 65535 at its end");
    }
    if (!config_is_address(in_brackets ? AF_INET6 : AF_INET, copy)) {
        return config_check_refuse(why, entry, "does not start with a numeric address such as 127.0.0.1 or [::1]");
    }
    return true;
}

bool config_check_listen(const char *text, struct buffer *why)
{
    return each_entry(text, why, check_listen_entry);
}

static bool check_network(char *entry, struct buffer *why)
{
    char copy[ENTRY_SIZE];
    memcpy(copy, entry, strlen(entry) + 1);
    char *slash = strchr(copy, '/');
    if (slash) {
        *slash = '\0';
    }
    bool v6 = strchr(copy, ':') != NULL;
    if (!config_is_address(v6 ? AF_INET6 : AF_INET, copy)) {
        return config_check_refuse(why, entry,
                                   "is not an address such as 127.0.0.1 or ::1, or a network such as 10.0.0.0/8");
    }
    if (slash && !config_is_number(slash + 1, v6 ? 128 : 32)) {
        return config_check_refuse(why, entry, v6 ? "needs 0 to 128 after its /" : "needs 0 to 32 after its /");
    }
    return true;
}

bool config_check_networks(const char *text, struct buffer *why)
{
    return each_entry(text, why, check_network);
}

/* host, host:port, [v6], [v6]:port. The text is cut up. */
static bool is_host(char *text)
{
    bool in_brackets;
    bool has_colon = text[0] != '[' && strchr(text, ':');
    char *port = split_port(text, &in_brackets);
    if (!port || (*port && !config_is_number(port, 65535)) || (*port == '\0' && has_colon) || strcmp(port, "0") == 0) {
        return false;
    }
    if (in_brackets) {
        return config_is_address(AF_INET6, text);
    }
    for (const char *p = text; *p; p++) {
        if (!text_is_word((unsigned char)*p) && *p != '.' && *p != '-') {
            return false;
        }
    }
    return *text != '\0';
}

/* Copies what stands before the first of `stops`, for is_host to cut. */
static bool host_fits(const char *text, const char *stops, char out[ENTRY_SIZE])
{
    size_t n = strcspn(text, stops);
    if (n >= ENTRY_SIZE) {
        return false;
    }
    memcpy(out, text, n);
    out[n] = '\0';
    return is_host(out);
}

bool config_check_public_url(const char *text, struct buffer *why)
{
    char host[ENTRY_SIZE];
    const char *start = strncmp(text, "https://", 8) == 0  ? text + 8
                        : strncmp(text, "http://", 7) == 0 ? text + 7
                                                           : NULL;
    if (!start) {
        return config_check_refuse(why, text, "does not start with https:// or http://");
    }
    if (strchr(start, '/')) {
        return config_check_refuse(why, text, "has a path or a / at its end");
    }
    return host_fits(start, "", host) || config_check_refuse(why, text, "has no valid host");
}

bool config_check_prefix(const char *text, struct buffer *why)
{
    for (const char *p = text; *p; p++) {
        /* Braces, above all, would take the bucket's place as hash tag of a cluster. */
        if (!text_is_word((unsigned char)*p) && !strchr(".:-", *p)) {
            buffer_printf(why, "holds a character that is not allowed at position %d", (int)(p - text) + 1);
            return false;
        }
    }
    return true;
}

/* The URL may hold a password, so no message repeats any of it. */
static bool refuse_url(struct buffer *why, const char *text)
{
    buffer_text(why, text);
    return false;
}

static bool check_unix_url(const char *path, struct buffer *why)
{
    const char *query = strchr(path, '?');
    if (path[0] != '/' || !path[1]) {
        return refuse_url(why, "has no absolute path after unix://");
    }
    if (query && (strncmp(query, "?db=", 4) != 0 || !config_is_number(query + 4, 99999))) {
        return refuse_url(why, "has something other than ?db=NUMBER after the path");
    }
    size_t n = query ? (size_t)(query - path) : strlen(path);
    return n <= SOCKET_PATH_MAX || refuse_url(why, "has a path longer than a socket's can be (107)");
}

bool config_check_redis_url(const char *text, struct buffer *why)
{
    if (strcmp(text, "embedded") == 0) {
        return true;
    }
    bool is_unix = strncmp(text, "unix://", 7) == 0;
    if (!is_unix && strncmp(text, "redis://", 8) != 0 && strncmp(text, "rediss://", 9) != 0) {
        return refuse_url(why, "is none of the known forms");
    }
    const char *rest = strstr(text, "://") + 3;
    const char *slash = rest + strcspn(rest, "/");
    for (const char *p = rest; p < slash; p++) {
        rest = *p == '@' ? p + 1 : rest;
    }
    if (is_unix) {
        return check_unix_url(rest, why);
    }
    char host[ENTRY_SIZE];
    if (!host_fits(rest, "/", host)) {
        return refuse_url(why, "has no valid host, or no port from 1 to 65535 after it");
    }
    return !*slash || !slash[1] || config_is_number(slash + 1, 99999) ||
           refuse_url(why, "has something other than the number of a database after the host");
}

/* Of a list that has passed its check. */
static bool listens_tls(const char *list)
{
    size_t length;
    for (const char *entry; (entry = text_token(&list, ", \t", &length));) {
        if (entry_is_tls(entry, length)) {
            return true;
        }
    }
    return false;
}

static bool tls_without_certificate(const struct config *c)
{
    return listens_tls(c->http.listen) && !*c->http.tls_certificate;
}

static bool metrics_without_certificate(const struct config *c)
{
    return listens_tls(c->metrics.listen) && !*c->http.tls_certificate;
}

static bool certificate_without_key(const struct config *c)
{
    return *c->http.tls_certificate && !*c->http.tls_key;
}

static bool key_without_certificate(const struct config *c)
{
    return *c->http.tls_key && !*c->http.tls_certificate;
}

static bool page_above_size(const struct config *c)
{
    return c->timeline.page > c->timeline.size;
}

static bool idle_above_lifetime(const struct config *c)
{
    return c->session.idle_days > c->session.lifetime_days;
}

const struct config_rule config_rules[] = {
    {"http.listen", "http.tls_certificate", tls_without_certificate,
     "has an entry with s (HTTPS), which needs http.tls_certificate and http.tls_key"},
    {"metrics.listen", "http.tls_certificate", metrics_without_certificate,
     "has an entry with s (HTTPS), which needs http.tls_certificate and http.tls_key"},
    {"http.tls_certificate", "http.tls_key", certificate_without_key, "needs http.tls_key as well"},
    {"http.tls_key", "http.tls_certificate", key_without_certificate, "needs http.tls_certificate as well"},
    {"timeline.page", "timeline.size", page_above_size, "must not be more than timeline.size"},
    {"session.idle_days", "session.lifetime_days", idle_above_lifetime, "must not be more than session.lifetime_days"},
};
const size_t config_rule_count = sizeof(config_rules) / sizeof(config_rules[0]);
