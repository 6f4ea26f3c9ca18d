/* stats.c - `retwis stats`: the numbers of the running server, for people.
 *
 * Asks GET /metrics over the server's socket in the state directory and prints the single numbers with their meaning,
 * then a line per route: requests, their mean, and how fast the median and all but one in a hundred were (as upper
 * bounds of the histogram). /metrics has the exact figures. With --json it is one document for programs.
 *
 * Threads: the main thread.
 */
#include "command/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/json.h"
#include "base/panic.h"
#include "command/command.h"
#include "command/commands.h"
#include "command/context.h"
#include "config/config.h"
#include "view/json.h"

#define PREFIX "retwis_"
#define WAIT_SECONDS 5

static int connect_to(const char *path)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof(to.sun_path)) {
        return -1;
    }
    memcpy(to.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct timeval wait = {.tv_sec = WAIT_SECONDS};
    if (fd >= 0 && (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)) != 0 ||
                    connect(fd, (struct sockaddr *)&to, sizeof(to)) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* The body of GET /metrics; NULL if nobody answers. */
static char *fetch(struct arena *a, const char *path)
{
    static const char request[] = "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n";
    int fd = connect_to(path);
    if (fd < 0) {
        return NULL;
    }
    struct buffer answer = buffer_make(a);
    char part[8192];
    ssize_t n = send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL);
    while (n > 0 && (n = read(fd, part, sizeof(part))) > 0) {
        buffer_add(&answer, part, (size_t)n);
    }
    close(fd);
    char *body = answer.data ? strstr(answer.data, "\r\n\r\n") : NULL;
    bool good =
        body && (strncmp(answer.data, "HTTP/1.1 200", 12) == 0 || strncmp(answer.data, "HTTP/1.0 200", 12) == 0);
    return good ? body + 4 : NULL;
}

/* A histogram as its lines go by. */
struct times {
    char labels[256];
    double bound[32];
    unsigned long long below[32];
    unsigned count;
    double sum;
};

static unsigned long long times_total(const struct times *t)
{
    return t->count ? t->below[t->count - 1] : 0;
}

static double quantile_ms(const struct times *t, double q)
{
    unsigned long long total = times_total(t);
    for (unsigned i = 0; i < t->count; i++) {
        if ((double)t->below[i] >= q * (double)total) {
            return t->bound[i] * 1000;
        }
    }
    return 0;
}

static void print_times(const struct times *t)
{
    unsigned long long total = times_total(t);
    if (total) {
        printf("  %-52s %10llu  mean %8.2f ms  half < %g ms  99%% < %g ms\n", t->labels[0] ? t->labels : "engine",
               total, t->sum * 1000 / (double)total, quantile_ms(t, 0.5), quantile_ms(t, 0.99));
    }
}

/* Labels without le: {route="/home",status="200",le="…"} becomes /home 200. */
static void read_labels(const char *line, char out[256])
{
    char route[200] = "", status[8] = "";
    const char *at = strstr(line, "route=\"");
    if (at) {
        sscanf(at, "route=\"%199[^\"]", route); /* takes nothing of an empty one */
        sscanf(at + strlen("route=\"") + strlen(route), "\",status=\"%7[^\"]", status);
        snprintf(out, 256, "%s %s", route[0] ? route : "(no route)", status);
    } else {
        out[0] = '\0';
    }
}

/* Where the lines go: to people, or into a document. */
struct stats_output {
    yyjson_mut_doc *document; /* NULL: to people */
    yyjson_mut_val *numbers, *times;
};

static void put_times(const struct stats_output *o, const struct times *t)
{
    yyjson_mut_val *row = yyjson_mut_arr_add_obj(o->document, o->times);
    const char *space = strrchr(t->labels, ' ');
    if (space) {
        yyjson_mut_obj_add_strncpy(o->document, row, "route", t->labels, (size_t)(space - t->labels));
        yyjson_mut_obj_add_int(o->document, row, "status", atoi(space + 1));
    } else {
        yyjson_mut_obj_add_str(o->document, row, "of", "engine");
    }
    unsigned long long total = times_total(t);
    yyjson_mut_obj_add_uint(o->document, row, "count", total);
    yyjson_mut_obj_add_real(o->document, row, "mean_ms", total ? t->sum * 1000 / (double)total : 0);
    double slow = quantile_ms(t, 0.99), half = quantile_ms(t, 0.5);
    if (!isinf(half)) {
        yyjson_mut_obj_add_real(o->document, row, "half_below_ms", half);
    }
    if (!isinf(slow)) {
        yyjson_mut_obj_add_real(o->document, row, "99_percent_below_ms", slow);
    }
}

/* One line of a histogram; its last one, _count, prints it. */
static void read_histogram(const struct stats_output *o, struct times *t, const char *line)
{
    const char *value = strrchr(line, ' ');
    const char *le = strstr(line, "le=\"");
    if (strstr(line, "_bucket{") && le && t->count < 32) {
        t->bound[t->count] = strtod(le + 4, NULL);
        t->below[t->count++] = strtoull(value, NULL, 10);
    } else if (strstr(line, "_sum")) {
        t->sum = strtod(value, NULL);
    } else if (strstr(line, "_count")) {
        read_labels(line, t->labels);
        if (o->document) {
            put_times(o, t);
        } else {
            print_times(t);
        }
        memset(t, 0, sizeof(*t));
    }
}

/* Whole numbers stay whole. */
static void put_number(const struct stats_output *o, const char *name, size_t length, const char *value)
{
    yyjson_mut_val *key = yyjson_mut_strncpy(o->document, name, length);
    yyjson_mut_val *number = strchr(value, '.') ? yyjson_mut_real(o->document, strtod(value, NULL))
                                                : yyjson_mut_uint(o->document, strtoull(value, NULL, 10));
    yyjson_mut_obj_add(o->numbers, key, number);
}

static void show_number(const struct stats_output *o, const char *line, const char *help)
{
    const char *space = strchr(line, ' ');
    size_t length = space ? (size_t)(space - line) : 0;
    if (!space) {
        return;
    }
    if (o->document) {
        put_number(o, line, length, space + 1);
    } else {
        printf("  %-42.*s %14s  %s\n", (int)length, line, space + 1, help);
    }
}

/* name{version="…"} 1 */
static void show_version(const struct stats_output *o, const char *line)
{
    char version[64] = "";
    sscanf(line, "build_info{version=\"%63[^\"]", version);
    if (o->document) {
        yyjson_mut_obj_add_strcpy(o->document, o->document->root, "version", version);
    } else {
        printf("  %-42s %14s  The program that runs\n", "version", version);
    }
}

static void show_all(const struct stats_output *o, char *text)
{
    struct times times = {0};
    char help[256] = "";
    for (char *line, *rest = text; (line = strtok_r(rest, "\n", &rest));) {
        if (strncmp(line, "# HELP " PREFIX, 7 + sizeof(PREFIX) - 1) == 0) {
            const char *words = strchr(line + 7, ' ');
            snprintf(help, sizeof(help), "%s", words ? words + 1 : "");
        } else if (strncmp(line, PREFIX, sizeof(PREFIX) - 1) != 0) {
            continue;
        } else if (strncmp(line, PREFIX "build_info{", sizeof(PREFIX "build_info{") - 1) == 0) {
            show_version(o, line + sizeof(PREFIX) - 1);
        } else if (strstr(line, "_seconds_")) {
            read_histogram(o, &times, line + sizeof(PREFIX) - 1);
        } else {
            show_number(o, line + sizeof(PREFIX) - 1, help);
        }
    }
}

static void stats_print_json(struct arena *a, char *text)
{
    struct stats_output o = {.document = view_doc(a)};
    yyjson_alc allocator = json_allocator(a);
    yyjson_mut_doc_set_root(o.document, yyjson_mut_obj(o.document));
    o.numbers = yyjson_mut_obj_add_obj(o.document, o.document->root, "numbers");
    o.times = yyjson_mut_obj_add_arr(o.document, o.document->root, "times");
    show_all(&o, text);
    char *json = yyjson_mut_write_opts(o.document, YYJSON_WRITE_PRETTY, &allocator, NULL, NULL);
    require(json != NULL);
    puts(json);
}

int command_stats(struct command_call *c)
{
    struct context x = {0};
    int status = context_open_settings(&x, c);
    if (status == COMMAND_OK) {
        const char *path = arena_printf(x.arena, "%s/" STATS_SOCKET, x.config->state.directory);
        char *text = fetch(x.arena, path);
        if (text && command_option(c, "json")) {
            stats_print_json(x.arena, text);
        } else if (text) {
            show_all(&(struct stats_output){0}, text);
        } else {
            fprintf(stderr, "retwis: no server answers at %s\n", path);
            status = COMMAND_FAILED;
        }
    }
    context_close(&x);
    return status;
}
