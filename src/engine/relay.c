/* relay.c - see relay.h. The engine's lines look like
 *
 *     1234:M 21 Nov 2024 03:10:00.123 # Server initialized
 *
 * where the sign before the text is the level (. - * #). Time and level are ours to print, so only the text goes on.
 */
#include "engine/relay.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

/* Advice about the machine, which the user of an appliance has not asked for. It goes to the log of level debug
 * only. */
static const char *const advice[] = {"overcommit", "Transparent Huge Pages", "maximum number of open files"};

/* The text behind the sign of the level. */
static const char *body(const char *line, char *sign)
{
    const char *p = line + strspn(line, "0123456789");
    *sign = '#';
    if (p == line || *p != ':') {
        return line;
    }
    for (; *p; p++) {
        if (*p == ' ' && p[1] && strchr(".-*#", p[1]) && p[2] == ' ') {
            *sign = p[1];
            return p + 3;
        }
    }
    return line;
}

static enum log_level level_of(const struct relay *r, const char *text, char sign)
{
    for (size_t i = 0; i < sizeof(advice) / sizeof(advice[0]); i++) {
        if (strstr(text, advice[i])) {
            return LOG_DEBUG;
        }
    }
    if (r->hushed || sign != '#') {
        return sign == '*' && !r->hushed ? LOG_INFO : LOG_DEBUG;
    }
    return LOG_WARNING;
}

static void finish_line(struct relay *r)
{
    char sign;
    r->line[r->length] = '\0';
    r->length = 0;
    const char *text = body(r->line, &sign);
    if (!*text) {
        return;
    }
    enum log_level level = level_of(r, text, sign);
    if (level == LOG_WARNING) {
        snprintf(r->last, sizeof(r->last), "%.255s", text);
    }
    log_write(level, "engine", "%s", text);
}

bool relay_read(struct relay *r, int fd)
{
    char bytes[1024];
    for (;;) {
        ssize_t n = read(fd, bytes, sizeof(bytes));
        if (n <= 0) {
            return n < 0; /* nothing more now, or the end */
        }
        for (ssize_t i = 0; i < n; i++) {
            if (bytes[i] == '\n' || r->length == sizeof(r->line) - 1) {
                finish_line(r);
            }
            if (bytes[i] != '\n') {
                r->line[r->length++] = bytes[i];
            }
        }
    }
}

void relay_hush(struct relay *r)
{
    r->hushed = true;
}

const char *relay_last(const struct relay *r)
{
    return r->last[0] ? r->last : "it said nothing";
}

void relay_forget(struct relay *r)
{
    r->last[0] = '\0';
}
