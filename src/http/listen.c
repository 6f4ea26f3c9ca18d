/* listen.c - see listen.h. Main thread only.
 *
 * The words are checked here, because civetweb would take "80x" for port 80 and name no entry in its complaints.
 */
#include "http/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/log.h"
#include "base/panic.h"
#include "base/text.h"
#include "config/config.h"
#include "http/address.h"

static bool parse_port(const char *text, struct listen_entry *e)
{
    char *end;
    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    unsigned long port = strtoul(text, &end, 10);
    e->tls = *end == 's';
    end += e->tls;
    e->port = (unsigned)port;
    return *end == '\0' && port <= 65535;
}

static bool is_ip(const char *host)
{
    unsigned char bytes[16];
    return inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1;
}

static bool parse_entry(const char *text, struct listen_entry *e)
{
    memset(e, 0, sizeof(*e));
    if (text[0] == '/') {
        size_t length = strlen(text);
        /* civetweb puts a letter in front of the path, and looks for colons in it. */
        bool fits = length < sizeof(e->path) - 1 && !strchr(text, ':');
        memcpy(e->path, text, fits ? length : 0);
        return fits;
    }
    const char *colon = strrchr(text, ':');
    if (!colon) {
        return parse_port(text, e);
    }
    bool bracket = text[0] == '[';
    const char *end = bracket ? strchr(text, ']') : colon;
    const char *start = text + bracket;
    if (!end || end + bracket != colon || (size_t)(end - start) >= sizeof(e->host)) {
        return false;
    }
    memcpy(e->host, start, (size_t)(end - start));
    if (strcmp(e->host, "localhost") == 0) {
        strcpy(e->host, "127.0.0.1");
    }
    return is_ip(e->host) && bracket == (strchr(e->host, ':') != NULL) && parse_port(colon + 1, e);
}

bool listen_parse(const char *key, const char *text, enum http_door door, struct listen_list *out, FILE *report)
{
    size_t length;
    for (const char *token; (token = text_token(&text, ", \t", &length));) {
        char entry[128] = "";
        if (length < sizeof(entry)) {
            memcpy(entry, token, length);
        }
        if (out->count == LISTEN_MAX || !parse_entry(entry, &out->entries[out->count])) {
            fprintf(report,
                    "%s: \"%.*s\" is not PORT, ADDRESS:PORT, [IPV6]:PORT (with an s at the end for"
                    " TLS) or the /path of a Unix socket; at most %d of them\n",
                    key, (int)length, token, LISTEN_MAX);
            return false;
        }
        out->entries[out->count++].door = door;
    }
    if (out->count == 0) {
        fprintf(report, "%s: names no address\n", key);
    }
    return out->count > 0;
}

void listen_confine(const struct listen_list *l, struct confine *k)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct listen_entry *e = &l->entries[i];
        char directory[sizeof(e->path)];
        if (!e->path[0]) {
            confine_listen(k, e->port);
            continue;
        }
        strcpy(directory, e->path);
        *strrchr(directory, '/') = '\0';
        confine_allow(k, CONFINE_SOCKETS, directory[0] ? directory : "/");
    }
}

bool listen_read(const struct config *c, struct listen_list *out, FILE *report)
{
    return listen_parse("http.listen", c->http.listen, HTTP_DOOR_SITE, out, report) &&
           listen_parse("metrics.listen", c->metrics.listen, HTTP_DOOR_METRICS, out, report);
}

bool listen_uses_tls(const struct listen_list *l)
{
    for (size_t i = 0; i < l->count; i++) {
        if (l->entries[i].tls) {
            return true;
        }
    }
    return false;
}

/* --- Unix sockets -------------------------------------------------------------------------------------------------- */

static bool answers(const char *path)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool connected = fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof(a)) == 0;
    if (fd >= 0) {
        close(fd);
    }
    return connected;
}

bool listen_prepare(const struct listen_list *l, FILE *report)
{
    for (size_t i = 0; i < l->count; i++) {
        const char *path = l->entries[i].path;
        struct stat info;
        if (path[0] == '\0' || lstat(path, &info) != 0) {
            continue;
        }
        if (!S_ISSOCK(info.st_mode)) {
            fprintf(report, "%s exists and is not a socket\n", path);
            return false;
        }
        if (answers(path)) {
            fprintf(report, "another server listens on %s\n", path);
            return false;
        }
        if (unlink(path) != 0) {
            fprintf(report, "cannot remove the old socket %s: %s\n", path, strerror(errno));
            return false;
        }
    }
    return true;
}

void listen_finish(const struct listen_list *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const char *path = l->entries[i].path;
        if (path[0] && chmod(path, 0660) != 0) {
            log_warning("http", "cannot set the mode of %s: %s", path, strerror(errno));
        }
    }
}

/* --- for civetweb and for people ----------------------------------------------------------------------------------- */

static bool has_ipv6(void)
{
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0;
}

static int listen_write_entry(char *out, size_t size, const struct listen_entry *e, const char *everywhere)
{
    const char *s = e->tls ? "s" : "";
    if (e->path[0]) {
        return snprintf(out, size, ",x%s", e->path);
    }
    if (e->host[0] == '\0') {
        return snprintf(out, size, ",%s%u%s", everywhere, e->port, s);
    }
    bool ipv6 = strchr(e->host, ':') != NULL;
    return snprintf(out, size, ",%s%s%s:%u%s", ipv6 ? "[" : "", e->host, ipv6 ? "]" : "", e->port, s);
}

/* Unix sockets come last: civetweb takes one for a host name if a colon stands anywhere after it. */
char *listen_option(const struct listen_list *l)
{
    const char *everywhere = has_ipv6() ? "+" : "";
    size_t size = l->count * sizeof(struct listen_entry) + 1;
    char *option = mem_zero(1, size);
    size_t n = 0;
    for (int sockets = 0; sockets < 2; sockets++) {
        for (size_t i = 0; i < l->count; i++) {
            if ((l->entries[i].path[0] != '\0') == sockets) {
                n += (size_t)listen_write_entry(option + n, size - n, &l->entries[i], everywhere);
            }
        }
    }
    memmove(option, option + 1, n);
    return option;
}

static bool is_everywhere(const struct listen_entry *e)
{
    return e->host[0] == '\0' || strcmp(e->host, "0.0.0.0") == 0 || strcmp(e->host, "::") == 0;
}

void listen_print(const struct listen_entry *e, FILE *out)
{
    const char *scheme = e->tls ? "https" : "http";
    if (e->path[0]) {
        fprintf(out, "unix:%s\n", e->path);
    } else if (is_everywhere(e)) {
        fprintf(out, "%s://localhost:%u\n", scheme, e->port);
    } else {
        bool ipv6 = strchr(e->host, ':') != NULL;
        fprintf(out, "%s://%s%s%s:%u\n", scheme, ipv6 ? "[" : "", e->host, ipv6 ? "]" : "", e->port);
    }
}

/* --- which of them a connection came by ---------------------------------------------------------------------------- */

static bool is_here(const struct listen_entry *e, const struct address *address, unsigned port)
{
    struct address own;
    return e->path[0] == '\0' && e->port == port &&
           (is_everywhere(e) ||
            (address_parse(e->host, strlen(e->host), &own) && memcmp(&own, address, sizeof(own)) == 0));
}

static bool is_socket(const struct listen_entry *e, const char *path)
{
    return e->path[0] && strcmp(e->path, path) == 0;
}

enum http_door listen_door(const struct listen_list *l, const struct sockaddr *here)
{
    struct address address = {{0}};
    const struct sockaddr_in6 *v6 = (const void *)here;
    const struct sockaddr_in *v4 = (const void *)here;
    const struct sockaddr_un *local = (const void *)here;
    if (here->sa_family == AF_INET) {
        char text[ADDRESS_SIZE];
        require(inet_ntop(AF_INET, &v4->sin_addr, text, sizeof(text)) && address_parse(text, strlen(text), &address));
    } else if (here->sa_family == AF_INET6) {
        memcpy(address.bytes, &v6->sin6_addr, sizeof(address.bytes));
    }
    for (size_t i = 0; i < l->count; i++) {
        const struct listen_entry *e = &l->entries[i];
        bool found = here->sa_family == AF_UNIX ? is_socket(e, local->sun_path)
                                                : is_here(e, &address, ntohs(v4->sin_port)); /* v6 has it there too */
        if (found) {
            return e->door;
        }
    }
    return HTTP_DOOR_SITE;
}
