/* multipart.c - see multipart.h.
 *
 * A machine over a window of bytes: each state takes from the front of the window the bytes that it can decide about,
 * and waits for more where the rest may be the beginning of something. So it does not matter where the body was cut on
 * its way.
 */
#include "http/multipart.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "http/form.h"
#include "http/multipart_head.h"
#include "http/pairs.h"
#include "http/upload.h"

#define WINDOW (16 * 1024)
#define BOUNDARY_MOST 70 /* RFC 2046 5.1.1 */

enum progress { WAIT, GO_ON, REFUSED };

struct multipart {
    struct http_request *req;
    char delimiter[BOUNDARY_MOST + sizeof("\r\n--")]; /* "\r\n--boundary" */
    size_t delimiter_size;
    enum progress (*state)(struct multipart *m);
    char *window;
    size_t start, end; /* of the bytes in it */
    size_t searched;   /* of a header: so many bytes are known not to be its end */
    size_t fields_left;
    size_t parts;
    struct multipart_head part;
    struct buffer value;  /* of a field */
    struct upload upload; /* of a file; .file NULL: not kept */
    int status;           /* of the refusal */
    const char *why;
};

static enum progress multipart_refuse(struct multipart *m, int status, const char *why)
{
    m->status = status;
    m->why = why;
    return REFUSED;
}

static const char *front(const struct multipart *m, size_t *size)
{
    *size = m->end - m->start;
    return m->window + m->start;
}

/* --- states -------------------------------------------------------------------------------------------------------- */

static enum progress in_head(struct multipart *m);
static enum progress in_part(struct multipart *m);
static enum progress behind_boundary(struct multipart *m);

/* After the last boundary: only the end of its line may follow. */
static enum progress at_end(struct multipart *m)
{
    size_t size;
    const char *data = front(m, &size);
    return size <= 2 && memcmp(data, "\r\n", size) == 0 ? WAIT
                                                        : multipart_refuse(m, 400, "the form goes on after its end");
}

/* Before the first part: its boundary, without the end of a line in front. */
static enum progress at_start(struct multipart *m)
{
    size_t size;
    const char *data = front(m, &size);
    size_t wanted = m->delimiter_size - 2;
    if (memcmp(data, m->delimiter + 2, size < wanted ? size : wanted) != 0) {
        return multipart_refuse(m, 400, "the form does not begin with its boundary");
    }
    if (size < wanted) {
        return WAIT;
    }
    m->start += wanted;
    m->state = behind_boundary;
    return GO_ON;
}

static enum progress behind_boundary(struct multipart *m)
{
    size_t size;
    const char *data = front(m, &size);
    if (size < 2) {
        return WAIT;
    }
    m->start += 2;
    m->state = memcmp(data, "\r\n", 2) == 0 ? in_head : at_end;
    m->searched = 0;
    return m->state == in_head || memcmp(data, "--", 2) == 0
               ? GO_ON
               : multipart_refuse(m, 400, "a boundary of the form goes on");
}

/* Decides what the part is: a field, a file, or a file field in which nothing was chosen. */
static enum progress begin_part(struct multipart *m)
{
    struct http_files *files = &m->req->files;
    m->upload.file = NULL;
    if (++m->parts > FORM_FIELDS) {
        return multipart_refuse(m, 400, "the form has too many parts");
    }
    if (!m->part.filename) {
        m->value = buffer_make(m->req->arena);
    } else if (m->part.filename[0]) {
        if (files->count == MULTIPART_FILES) {
            return multipart_refuse(m, 400, "the form has too many files");
        }
        struct http_file *file = &files->items[files->count];
        *file = (struct http_file){.name = m->part.name, .filename = m->part.filename, .type = m->part.type};
        m->upload = upload_begin(m->req->arena, file);
        files->count++;
    }
    m->state = in_part;
    return GO_ON;
}

static enum progress in_head(struct multipart *m)
{
    size_t size;
    const char *data = front(m, &size);
    for (size_t i = m->searched; i + 4 <= size; i++) {
        if (memcmp(data + i, "\r\n\r\n", 4) == 0) {
            m->start += i + 4;
            bool good = i + 4 <= MULTIPART_HEAD && multipart_head_parse(m->req->arena, data, i + 2, &m->part);
            return good ? begin_part(m) : multipart_refuse(m, 400, "a part's header is not well formed");
        }
        m->searched = i + 1;
    }
    return size <= MULTIPART_HEAD ? WAIT : multipart_refuse(m, 400, "a part's header is too long");
}

static enum progress multipart_take(struct multipart *m, const char *data, size_t size)
{
    if (m->upload.file) {
        int status = upload_add(&m->upload, data, size, &m->why);
        return status ? multipart_refuse(m, status, m->why) : GO_ON;
    }
    if (m->part.filename) {
        return size ? multipart_refuse(m, 400, "a file has no name") : GO_ON;
    }
    if (size > m->fields_left) {
        return multipart_refuse(m, 413, "the fields of the form are too large");
    }
    m->fields_left -= size;
    buffer_add(&m->value, data, size);
    return GO_ON;
}

static enum progress end_part(struct multipart *m)
{
    if (m->upload.file) {
        upload_end(&m->upload);
    } else if (!m->part.filename) {
        if (!form_is_utf8(buffer_string(&m->value), m->value.length)) {
            return multipart_refuse(m, 400, "a field of the form is not UTF-8");
        }
        pairs_add(m->req->arena, &m->req->form, m->part.name, buffer_string(&m->value));
    }
    m->state = behind_boundary;
    return GO_ON;
}

/* Where the delimiter begins, or where it may have begun when the window ends. */
static size_t find_delimiter(const struct multipart *m, const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char *found = memchr(data + i, '\r', size - i);
        if (!found) {
            return size;
        }
        i = (size_t)(found - data);
        size_t rest = size - i < m->delimiter_size ? size - i : m->delimiter_size;
        if (memcmp(found, m->delimiter, rest) == 0) {
            return i;
        }
    }
    return size;
}

static enum progress in_part(struct multipart *m)
{
    size_t size;
    const char *data = front(m, &size);
    size_t length = find_delimiter(m, data, size);
    m->start += length;
    if (multipart_take(m, data, length) == REFUSED) {
        return REFUSED;
    }
    if (size - length < m->delimiter_size) {
        return WAIT;
    }
    m->start += m->delimiter_size;
    return end_part(m);
}

/* --- interface ----------------------------------------------------------------------------------------------------- */

/* bchars of RFC 2046. */
static bool is_boundary(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool letter = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z');
        if (!letter && (!text[i] || !strchr("0123456789'()+_,-./:=? ", text[i]))) {
            return false;
        }
    }
    return length > 0 && length <= BOUNDARY_MOST && text[length - 1] != ' ';
}

/* The boundary parameter, without its quotation marks; NULL if there is not one that is right. */
static const char *find_boundary(const char *content_type, size_t *length)
{
    const char *found = NULL;
    for (const char *p = strchr(content_type, ';'); p; p = strchr(p, ';')) {
        p += 1 + strspn(p + 1, " \t");
        if (strncasecmp(p, "boundary=", 9) != 0) {
            continue;
        }
        if (found) {
            return NULL;
        }
        p += 9;
        bool quoted = *p == '"';
        found = p + quoted;
        *length = strcspn(found, quoted ? "\"" : "; \t");
        p = found + *length;
        if (quoted && *p != '"') {
            return NULL;
        }
    }
    return found && is_boundary(found, *length) ? found : NULL;
}

struct multipart *multipart_new(struct http_request *req, const char *content_type, size_t fields_most)
{
    size_t length = 0;
    const char *boundary = find_boundary(content_type, &length);
    if (!boundary) {
        return NULL;
    }
    struct multipart *m = arena_zero(req->arena, sizeof(*m));
    m->req = req;
    memcpy(m->delimiter, "\r\n--", 4);
    memcpy(m->delimiter + 4, boundary, length);
    m->delimiter_size = length + 4;
    m->window = arena_alloc(req->arena, WINDOW);
    m->fields_left = fields_most;
    m->state = at_start;
    req->files.items = arena_alloc(req->arena, MULTIPART_FILES * sizeof(*req->files.items));
    return m;
}

char *multipart_room(struct multipart *m, size_t *size)
{
    memmove(m->window, m->window + m->start, m->end - m->start);
    m->end -= m->start;
    m->start = 0;
    *size = WINDOW - m->end;
    return m->window + m->end;
}

int multipart_took(struct multipart *m, size_t size, const char **why)
{
    enum progress progress;
    m->end += size;
    do {
        progress = m->state(m);
    } while (progress == GO_ON);
    *why = m->why;
    return progress == REFUSED ? m->status : 0;
}

int multipart_end(struct multipart *m, const char **why)
{
    size_t rest = m->end - m->start;
    if (m->state == at_end && rest != 1) {
        return 0;
    }
    *why = "the form ends before its last boundary";
    return 400;
}
