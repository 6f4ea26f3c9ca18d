/* json_form.h - a JSON body as the pairs of a form, so that a handler reads one as the other. Inside src/http only.
 *
 *     {"a": "text", "n": 1.50, "on": true, "off": false, "none": null, "id": ["1", "2"], "p": {"q": "r"}, "o": [{"k":
 *     "v"}]} a=text n=1.50 on=true off=false id[]=1 id[]=2 p[q]=r o[0][k]=v
 *
 * - The body is one object. A member of an object in it is named a[b], and so on.
 * - Each element of a list is named a[], as browsers name lists; an element that is itself a list or an object is named
 *   by its place, a[0], so that its members stay together.
 * - A string is its text; a number is as it was written (ids need all digits, and 1.50 is not 1.5); true and false are
 *   these words. null, an empty list and an empty object are as if they had not been sent.
 * - Refused are: a name twice in one object, NUL in a name or a string, more than JSON_FORM_DEPTH
 *   levels, names of more than JSON_FORM_NAME bytes, more than FORM_FIELDS pairs or members, anything that is not JSON
 *   of RFC 8259 in UTF-8.
 *
 * Threads: pure function.
 */
#ifndef HTTP_JSON_FORM_H
#define HTTP_JSON_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "http/http.h"

struct arena;

#define JSON_FORM_DEPTH 8
#define JSON_FORM_NAME 500 /* bytes of a pair's name */

/* Adds the pairs of a JSON text. False if it is refused. */
bool json_form_parse(struct arena *a, const char *text, size_t length, struct http_pairs *out);

#endif
