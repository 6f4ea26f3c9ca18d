/* fuzz_multipart.c - forms with files: the result does not depend on where the body was cut on its way, and is text and
 * a bounded number of files. The first byte of the input says how large the pieces are; the boundary is "x". */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "fuzz.h"
#include "http/body.h"
#include "http/form.h"
#include "http/multipart.h"
#include "http/pairs.h"
#include "http/upload.h"

#define MOST 100000

static int take(struct http_request *req, const char *data, size_t size, size_t piece)
{
    static const struct http_route route = {.bodies = HTTP_MULTIPART, .max_upload = MOST};
    struct body body;
    const char *why = NULL;
    *req = (struct http_request){.arena = req->arena, .method = HTTP_POST, .route = &route};
    pairs_add(req->arena, &req->headers, "content-type", "multipart/form-data; boundary=x");
    int status = body_begin(&body, req, size, MOST, &why);
    while (status == 0 && size > 0) {
        size_t room, n = piece < size ? piece : size;
        char *to = body_room(&body, &room);
        FUZZ_CHECK(room > 0);
        n = n < room ? n : room;
        memcpy(to, data, n);
        data += n;
        size -= n;
        status = body_took(&body, n, &why);
    }
    status = status ? status : body_end(&body, &why);
    FUZZ_CHECK((status != 0) == (why != NULL));
    return status;
}

static void check_pairs(const struct http_pairs *a, const struct http_pairs *b)
{
    FUZZ_CHECK(a->count == b->count && a->count <= FORM_FIELDS);
    for (size_t i = 0; i < a->count; i++) {
        FUZZ_CHECK(strcmp(a->items[i].name, b->items[i].name) == 0 &&
                   strcmp(a->items[i].value, b->items[i].value) == 0);
        FUZZ_CHECK(form_is_utf8(a->items[i].name, strlen(a->items[i].name)));
        FUZZ_CHECK(form_is_utf8(a->items[i].value, strlen(a->items[i].value)));
    }
}

static void check_files(const struct http_files *a, const struct http_files *b)
{
    FUZZ_CHECK(a->count == b->count && a->count <= MULTIPART_FILES);
    for (size_t i = 0; i < a->count; i++) {
        const struct http_file *f = &a->items[i], *g = &b->items[i];
        FUZZ_CHECK(f->filename[0] && !strpbrk(f->filename, "/\\\r\n") && strcmp(f->filename, g->filename) == 0);
        FUZZ_CHECK(f->size == g->size && f->data && g->data && memcmp(f->data, g->data, f->size) == 0);
    }
}

void fuzz_multipart(const char *data, size_t size)
{
    struct http_request whole = {.arena = fuzz_arena()}, cut = whole;
    if (size < 1 || size > UPLOAD_MEMORY) { /* files stay in memory */
        return;
    }
    size_t piece = 1 + (unsigned char)data[0] % 97;
    int status = take(&whole, data + 1, size - 1, SIZE_MAX);
    FUZZ_CHECK(take(&cut, data + 1, size - 1, piece) == status);
    if (status == 0) {
        check_pairs(&whole.form, &cut.form);
        check_files(&whole.files, &cut.files);
    }
}
