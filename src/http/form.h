/* form.h - application/x-www-form-urlencoded: bodies of forms and query strings. Inside src/http only. */
#ifndef HTTP_FORM_H
#define HTTP_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "http/http.h"

struct arena;

#define FORM_FIELDS 256

/* Decodes text into pairs, in order, repeated names kept. False if it is not strictly right: a bad % escape, bytes
 * that are not UTF-8, a NUL, more than FORM_FIELDS fields. */
bool form_parse(struct arena *a, const char *text, size_t length, struct http_pairs *out);

/* Decodes %XX (and + as a space if plus) into out, which has room for length + 1 bytes. Returns the decoded length,
 * or (size_t)-1 for a bad escape. Says nothing about what the bytes are. */
size_t form_decode(const char *text, size_t length, bool plus, char *out);

/* True if the bytes are UTF-8 without NUL. */
bool form_is_utf8(const char *text, size_t length);

#endif
