/* body_case.h - what the tests of bodies share: a route that takes some kinds, a body in pieces, and the pairs that
 * came of it. */
#ifndef TESTS_BODY_CASE_H
#define TESTS_BODY_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "http/area.h"
#include "http/body.h"
#include "http/form.h"
#include "http/json_form.h"
#include "http/multipart.h"
#include "http/multipart_head.h"
#include "http/pairs.h"
#include "http/upload.h"

#define MOST 1000
#define FORM "application/x-www-form-urlencoded"
#define JSON "application/json"
#define MULTIPART "multipart/form-data; boundary=xyz"

static struct arena *arena;
static struct http_request req;
static struct http_route route;

/* A POST to a route that takes these kinds; in pieces of `piece` bytes. Status, 0: taken. */
static int take_pieces(unsigned kinds, const char *type, const char *bytes, size_t size, size_t piece)
{
    struct body body;
    const char *why = NULL;
    route = (struct http_route){.bodies = kinds, .max_upload = 200 * 1024};
    req = (struct http_request){.arena = arena, .method = HTTP_POST, .route = &route};
    if (type) {
        pairs_add(arena, &req.headers, "content-type", type);
    }
    int status = body_begin(&body, &req, size, MOST, &why);
    while (status == 0 && size > 0) {
        size_t room, n = piece < size ? piece : size;
        char *to = body_room(&body, &room);
        assert_true(room > 0);
        n = n < room ? n : room;
        memcpy(to, bytes, n);
        bytes += n;
        size -= n;
        status = body_took(&body, n, &why);
    }
    status = status ? status : body_end(&body, &why);
    assert_true((status == 0) == (why == NULL));
    return status;
}

static int take(unsigned kinds, const char *type, const char *text)
{
    return take_pieces(kinds, type, text, strlen(text), SIZE_MAX);
}

/* "a=1 b=2" */
static const char *pairs(void)
{
    struct buffer b = buffer_make(arena);
    for (size_t i = 0; i < req.form.count; i++) {
        buffer_printf(&b, "%s%s=%s", i ? " " : "", req.form.items[i].name, req.form.items[i].value);
    }
    return buffer_string(&b);
}

static int setup(void **state)
{
    (void)state;
    arena = arena_new();
    upload_setup(NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
