/* parameter.c - see parameter.h. Pure functions, any thread.
 *
 * Handlers get only values that fit their declarations (after kcgi's kvalid). What a value means (does the user exist,
 * is the post too long in code points) is not known here.
 */
#include "http/parameter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/id.h"
#include "base/text.h"

#define NAME_LENGTH 30

static bool parameter_is_number(const char *value, int64_t min, int64_t max)
{
    const char *digits = value[0] == '-' ? value + 1 : value;
    if (digits[0] == '\0' || digits[strspn(digits, "0123456789")] != '\0') {
        return false;
    }
    errno = 0;
    long long n = strtoll(value, NULL, 10);
    return errno == 0 && n >= min && n <= max;
}

static bool parameter_is_name(const char *value)
{
    size_t n = 0;
    while (text_is_word((unsigned char)value[n])) {
        n++;
    }
    return value[n] == '\0' && n >= 1 && n <= NAME_LENGTH;
}

static bool fits(const struct http_parameter *p, const char *value)
{
    switch (p->type) {
    case HTTP_TEXT: {
        int64_t length = (int64_t)strlen(value);
        return length >= p->min && length <= p->max;
    }
    case HTTP_NUMBER:
        return parameter_is_number(value, p->min, p->max);
    case HTTP_ID:
        return id_parse(value) != 0;
    case HTTP_NAME:
        return parameter_is_name(value);
    }
    return false;
}

/* A field may be given several times (a list of names): each must fit. */
static bool all_fit(const struct http_pairs *pairs, const struct http_parameter *p, bool *found)
{
    for (size_t i = 0; i < pairs->count; i++) {
        if (strcmp(pairs->items[i].name, p->name) != 0) {
            continue;
        }
        const char *value = pairs->items[i].value;
        bool empty = value[0] == '\0';
        if (!(empty && !p->required) && !fits(p, value)) {
            return false;
        }
        *found = true;
    }
    return true;
}

const struct http_parameter *parameter_check(const struct http_request *req, const struct http_route *route)
{
    bool has_body = req->method & (HTTP_POST | HTTP_PUT | HTTP_PATCH);
    const struct http_pairs *fields = has_body ? &req->form : &req->query;
    for (size_t i = 0; i < HTTP_PARAMETER_SETS && route->parameters[i]; i++) {
        for (const struct http_parameter *p = route->parameters[i]; p->name; p++) {
            bool found = false;
            if (!all_fit(&req->variables, p, &found) || (!found && !all_fit(fields, p, &found)) ||
                (!found && p->required)) {
                return p;
            }
        }
    }
    return NULL;
}
