/* url.c - redis://[user[:password]@]host[:port][/db], rediss://..., unix://[user[:password]@]/path[?db=n], embedded.
 *
 * Strict, because a mistake here sends data to the wrong place: a URL that is not understood is refused with a line
 * that says which part is wrong. User and password may be percent-encoded; a password never appears in a message. Not a
 * general URL parser. Any thread.
 */
#include "store/url.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "base/panic.h"
#include "base/secret.h"
#include "config/config.h"
#include "engine/directory.h"
#include "engine/engine.h"

#define DEFAULT_PORT 6379
#define PASSWORD_FILE_MAX 4096

static bool url_refuse(FILE *report, const char *why)
{
    fprintf(report,
            "redis.url: %s (embedded, redis://[user[:password]@]host[:port][/db], rediss://..., unix:///path)\n", why);
    return false;
}

static char *copy_n(const char *text, size_t length)
{
    char *out = mem_alloc(length + 1);
    memcpy(out, text, length);
    out[length] = '\0';
    return out;
}

static int url_hex(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The percent-decoded text; NULL for a broken escape or a NUL. */
static char *decode(const char *text, size_t length)
{
    char *out = mem_alloc(length + 1);
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '%') {
            int high = i + 2 < length ? url_hex(text[i + 1]) : -1;
            int low = high >= 0 ? url_hex(text[i + 2]) : -1;
            if (low < 0 || (high == 0 && low == 0)) {
                free(out);
                return NULL;
            }
            c = (char)(high * 16 + low);
            i += 2;
        }
        out[n++] = c;
    }
    out[n] = '\0';
    return out;
}

/* Digits only, at most `max`; -1 for anything else. */
static int url_number(const char *text, size_t length, int max)
{
    int n = 0;
    if (length == 0 || length > 6) {
        return -1;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return -1;
        }
        n = n * 10 + (text[i] - '0');
    }
    return n <= max ? n : -1;
}

static bool parse_user(struct url *u, const char *text, size_t length, FILE *report)
{
    const char *colon = memchr(text, ':', length);
    size_t name = colon ? (size_t)(colon - text) : length;
    if (name) {
        u->user = decode(text, name);
    }
    if (colon && name + 1 < length) {
        u->password = decode(colon + 1, length - name - 1);
    }
    if ((name && !u->user) || (colon && name + 1 < length && !u->password)) {
        return url_refuse(report, "user or password has a broken % escape");
    }
    return true;
}

static bool parse_host(struct url *u, const char *text, size_t length, FILE *report)
{
    const char *end = text + length;
    const char *port = NULL;
    if (length && text[0] == '[') {
        const char *close = memchr(text, ']', length);
        if (!close || (close + 1 < end && close[1] != ':')) {
            return url_refuse(report, "an IPv6 address looks like [::1] or [::1]:6379");
        }
        u->host = copy_n(text + 1, (size_t)(close - text - 1));
        port = close + 1 < end ? close + 2 : NULL;
    } else {
        const char *colon = memchr(text, ':', length);
        u->host = copy_n(text, colon ? (size_t)(colon - text) : length);
        port = colon ? colon + 1 : NULL;
    }
    u->port = port ? url_number(port, (size_t)(end - port), 65535) : DEFAULT_PORT;
    if (!*u->host) {
        return url_refuse(report, "the host is missing");
    }
    if (u->port < 1) {
        return url_refuse(report, "the port must be 1 to 65535");
    }
    return true;
}

static bool parse_database(struct url *u, const char *text, FILE *report)
{
    u->database = *text ? url_number(text, strlen(text), 999999) : 0;
    return u->database >= 0 || url_refuse(report, "the database must be a number");
}

static bool parse_tcp(struct url *u, const char *text, FILE *report)
{
    const char *slash = strchr(text, '/');
    if (!parse_host(u, text, slash ? (size_t)(slash - text) : strlen(text), report)) {
        return false;
    }
    return !slash || parse_database(u, slash + 1, report);
}

static bool parse_unix(struct url *u, const char *text, FILE *report)
{
    const char *query = strchr(text, '?');
    if (text[0] != '/') {
        return url_refuse(report, "the path of a Unix socket starts with /: unix:///run/redis.sock");
    }
    if (query && strncmp(query, "?db=", 4) != 0) {
        return url_refuse(report, "after the path of a Unix socket only ?db=<number> may follow");
    }
    u->path = copy_n(text, query ? (size_t)(query - text) : strlen(text));
    if (strlen(u->path) >= sizeof(((struct sockaddr_un *)0)->sun_path)) {
        return url_refuse(report, "the path of the Unix socket is longer than 107 bytes");
    }
    return !query || parse_database(u, query + 4, report);
}

bool url_parse(struct url *u, const char *text, FILE *report)
{
    *u = (struct url){0};
    bool is_unix = strncmp(text, "unix://", 7) == 0;
    u->tls = strncmp(text, "rediss://", 9) == 0;
    if (!is_unix && !u->tls && strncmp(text, "redis://", 8) != 0) {
        return url_refuse(report, "the form is not known");
    }
    text += is_unix ? 7 : u->tls ? 9 : 8;
    /* The last @ ends the user part: a password may hold one. A socket path may too, but only after its slash. */
    const char *limit = strchr(text, '/');
    const char *at = NULL;
    for (const char *p = text; *p && p != limit; p++) {
        at = *p == '@' ? p : at;
    }
    if (at && !parse_user(u, text, (size_t)(at - text), report)) {
        return false;
    }
    text = at ? at + 1 : text;
    return is_unix ? parse_unix(u, text, report) : parse_tcp(u, text, report);
}

/* The first line of the file; NULL with a line in `trouble` if there is none. */
static char *read_password(const char *file, char *trouble, size_t size)
{
    char text[PASSWORD_FILE_MAX];
    char *password = NULL;
    FILE *f = fopen(file, "re");
    if (!f) {
        snprintf(trouble, size, "redis.password_file: %s: %s", file, strerror(errno));
        return NULL;
    }
    size_t n = fread(text, 1, sizeof(text) - 1, f);
    bool bad = ferror(f) || !feof(f);
    fclose(f);
    text[n] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    if (!bad && *text) {
        password = mem_dup(text);
    } else {
        snprintf(trouble, size, "redis.password_file: %s: cannot be read, is empty or too long", file);
    }
    secret_wipe(text, sizeof(text));
    return password;
}

char *url_password(const struct url *u, const char *file, char *trouble, size_t trouble_size)
{
    char *now = file && *file ? read_password(file, trouble, trouble_size) : NULL;
    return now ? now : u->password ? mem_dup(u->password) : NULL;
}

void url_forget_password(char *password)
{
    if (password) {
        secret_wipe(password, strlen(password));
        free(password);
    }
}

bool url_read(struct url *u, const struct config *c, FILE *report)
{
    *u = (struct url){0};
    if (engine_is_embedded(c)) {
        u->path = directory_socket(c);
        if (strlen(u->path) >= sizeof(((struct sockaddr_un *)0)->sun_path)) {
            fprintf(report, "state.directory: %s: the path is too long for a Unix socket (107 bytes)\n", u->path);
            return false;
        }
        return true;
    }
    if (!url_parse(u, c->redis.url, report)) {
        return false;
    }
    const char *file = c->redis.password_file;
    if (!file || !*file) {
        return true;
    }
    char trouble[512];
    url_forget_password(u->password);
    u->password = read_password(file, trouble, sizeof(trouble));
    if (!u->password) {
        fprintf(report, "%s\n", trouble);
    }
    return u->password != NULL;
}

void url_clear(struct url *u)
{
    free(u->path);
    free(u->host);
    free(u->user);
    url_forget_password(u->password);
    *u = (struct url){0};
}

char *url_describe(const struct url *u)
{
    if (u->path) {
        return mem_dup(u->path);
    }
    size_t size = strlen(u->host) + 16;
    char *out = mem_alloc(size);
    snprintf(out, size, strchr(u->host, ':') ? "[%s]:%d" : "%s:%d", u->host, u->port);
    return out;
}
