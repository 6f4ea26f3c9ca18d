/* log.c - see log.h. Any thread: level and form are set once at start (and on SIGHUP), lines are built on the stack. */
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log_batch.h"
#include "base/text.h"

#define LINE_SIZE 4096
#define VALUE_SIZE 1024 /* of one field as it is written: a long one does not push out those that follow */
#define TEXT_SIZE 3072

static _Atomic int threshold = LOG_INFO;
static _Atomic bool as_json;

static const char *const level_names[] = {"debug", "info", "warning", "error"};

struct line {
    char text[LINE_SIZE];
    size_t length;
};

void log_setup(enum log_level level, bool json)
{
    atomic_store(&threshold, (int)level);
    atomic_store(&as_json, json);
}

static void line_put(struct line *l, const char *text, size_t n)
{
    size_t room = LINE_SIZE - 2 - l->length; /* the last bytes are for the newline */
    if (n > room) {
        n = room;
    }
    memcpy(l->text + l->length, text, n);
    l->length += n;
}

static void put_string(struct line *l, const char *text)
{
    line_put(l, text, strlen(text));
}

/* JSON's escapes serve both forms. They cover quotes, backslashes, everything that a terminal takes for a command (C1
 * controls too) and everything that changes the order of the text. Bytes that are not UTF-8 become '?'. The text is cut
 * after `most` bytes, never inside a character. */
static void put_escaped(struct line *l, const char *text, size_t most)
{
    size_t end = l->length + most;
    size_t left = strlen(text);
    while (left) {
        char escape[8];
        uint32_t c = 0;
        size_t size = text_decode(text, left, &c);
        const char *out = text;
        size_t n = size ? size : 1;
        text += n;
        left -= n;
        if (size == 0) {
            out = "?";
        } else if (c == '"' || c == '\\') {
            escape[0] = '\\';
            escape[1] = (char)c;
            out = escape;
            n = 2;
        } else if (size < 4 && (c == '\n' || c == '\t' || !text_is_clean(out, size))) {
            n = (size_t)snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)c);
            out = escape;
        }
        if (l->length + n > end) {
            return;
        }
        line_put(l, out, n);
    }
}

static void put_field(struct line *l, bool json, const char *key, const char *value)
{
    if (json) {
        put_string(l, ",\"");
        put_string(l, key);
        put_string(l, "\":\"");
    } else {
        put_string(l, " ");
        put_string(l, key);
        put_string(l, "=\"");
    }
    put_escaped(l, value, VALUE_SIZE);
    put_string(l, "\"");
}

static void line_begin(struct line *l, bool json, enum log_level level, const char *area, const char *text)
{
    char time[CLOCK_ISO_SIZE];
    clock_iso(clock_wall_ms(), time);
    l->length = 0;
    if (json) {
        put_string(l, "{\"time\":\"");
        put_string(l, time);
        put_string(l, "\"");
        put_field(l, true, "level", level_names[level]);
        put_field(l, true, "area", area);
        put_string(l, ",\"text\":\"");
        put_escaped(l, text, TEXT_SIZE);
        put_string(l, "\"");
    } else {
        put_string(l, time);
        put_string(l, " ");
        put_string(l, level_names[level]);
        put_string(l, " ");
        put_string(l, area);
        put_string(l, ": ");
        put_escaped(l, text, TEXT_SIZE);
    }
}

static void line_finish(struct line *l, bool json)
{
    if (json) {
        put_string(l, "}");
    }
    l->text[l->length++] = '\n';
}

static void line_make(struct line *l, enum log_level level, const char *area, const char *text,
                      const struct log_field *fields, unsigned count)
{
    bool json = atomic_load(&as_json);
    line_begin(l, json, level, area, text);
    for (unsigned i = 0; i < count; i++) {
        if (fields[i].value) {
            put_field(l, json, fields[i].key, fields[i].value);
        }
    }
    line_finish(l, json);
}

void log_write(enum log_level level, const char *area, const char *format, ...)
{
    if ((int)level < atomic_load(&threshold)) {
        return;
    }
    char text[LINE_SIZE / 2];
    struct line l;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    line_make(&l, level, area, text, NULL, 0);
    log_batch_write(l.text, l.length);
}

void log_fields(enum log_level level, const char *area, const char *text, const struct log_field *fields,
                unsigned count)
{
    if ((int)level >= atomic_load(&threshold)) {
        struct line l;
        line_make(&l, level, area, text, fields, count);
        log_batch_later(l.text, l.length);
    }
}
