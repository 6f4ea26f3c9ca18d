/* listen_try.c - see listen_try.h. Main thread.
 *
 * A socket is bound and closed again; as it never listens, a server that starts in the same moment may bind beside it
 * (SO_REUSEADDR).
 */
#include "http/listen_try.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LOW_PORTS "/proc/sys/net/ipv4/ip_unprivileged_port_start"
#define LOW_PORTS_USUAL 1024

/* 0 or errno. */
static int try_bind(int family, const struct sockaddr *address, socklen_t size)
{
    int on = 1, error = 0;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return errno;
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (family == AF_INET6) {
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
    }
    if (bind(fd, address, size) != 0) {
        error = errno;
    }
    close(fd);
    return error;
}

static int try_ipv4(const struct listen_entry *e)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)e->port)};
    if (e->host[0] && inet_pton(AF_INET, e->host, &a.sin_addr) != 1) {
        return 0;
    }
    return try_bind(AF_INET, (struct sockaddr *)&a, sizeof(a));
}

static int try_ipv6(const struct listen_entry *e)
{
    struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)e->port)};
    if (e->host[0] && inet_pton(AF_INET6, e->host, &a.sin6_addr) != 1) {
        return 0;
    }
    int error = try_bind(AF_INET6, (struct sockaddr *)&a, sizeof(a));
    return error == EAFNOSUPPORT && !e->host[0] ? 0 : error; /* a machine without IPv6 */
}

/* Whether a new socket can be made in its directory. */
static int try_path(const char *path)
{
    char directory[sizeof(((struct listen_entry *)0)->path)];
    snprintf(directory, sizeof(directory), "%s", path);
    char *slash = strrchr(directory, '/');
    slash[slash == directory] = '\0';
    return access(directory, W_OK | X_OK) == 0 ? 0 : errno;
}

static int try_entry(const struct listen_entry *e)
{
    if (e->path[0]) {
        return try_path(e->path);
    }
    int error = e->port ? try_ipv4(e) : 0;
    return error || !e->port ? error : try_ipv6(e);
}

static unsigned first_free_port(void)
{
    char text[16] = "";
    FILE *f = fopen(LOW_PORTS, "re");
    if (f) {
        text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
        fclose(f);
    }
    return text[0] ? (unsigned)strtoul(text, NULL, 10) : LOW_PORTS_USUAL;
}

size_t listen_try(const struct listen_list *l, struct listen_trouble out[LISTEN_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < l->count; i++) {
        const struct listen_entry *e = &l->entries[i];
        int error = try_entry(e);
        if (error) {
            bool is_low = error == EACCES && !e->path[0] && e->port < first_free_port();
            out[count++] = (struct listen_trouble){e, error, is_low};
        }
    }
    return count;
}

void listen_explain(const struct listen_trouble *t, FILE *report)
{
    const struct listen_entry *e = t->entry;
    const char *key = e->door == HTTP_DOOR_METRICS ? "metrics.listen" : "http.listen";
    if (e->path[0]) {
        fprintf(report, "%s: %s: its directory: %s\n", key, e->path, strerror(t->error));
        return;
    }
    const char *why = t->error == EADDRINUSE      ? "another program listens there"
                      : t->error == EADDRNOTAVAIL ? "this machine has no such address"
                                                  : strerror(t->error);
    fprintf(report, "%s: port %u%s%s: %s", key, e->port, e->host[0] ? " of " : "", e->host, why);
    fputs(t->is_low ? ": a port below 1024 needs a permission: copy /usr/share/doc/retwis/examples/low-ports.conf to "
                      "/etc/systemd/system/retwis.service.d/, then systemctl daemon-reload\n"
                    : "\n",
          report);
}

void listen_explain_all(const struct listen_list *l, FILE *report)
{
    struct listen_trouble troubles[LISTEN_MAX];
    size_t count = listen_try(l, troubles);
    for (size_t i = 0; i < count; i++) {
        listen_explain(&troubles[i], report);
    }
}
