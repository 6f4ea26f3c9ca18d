/* trim.c - see trim.h. */
#include "trim.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "tool.h"

size_t trim_lines(const char *path, char *text)
{
    size_t n = 0, line = 0; /* where the line begins in what is left */
    for (size_t i = 0; text[i]; i++) {
        char c = text[i];
        bool is_blank = n == line || text[n - 1] == ' ';
        if (is_blank && c == '/' && text[i + 1] == '*') {
            const char *end = strstr(text + i, "*/");
            if (!end) {
                fail("%s: a comment does not end", path);
            }
            i = (size_t)(end - text) + 1;
        } else if (c == '\n') {
            while (n > line && text[n - 1] == ' ') {
                n--;
            }
            if (n > line) {
                text[n++] = c;
                line = n;
            }
        } else if (n > line || !isspace((unsigned char)c)) {
            text[n++] = c;
        }
    }
    text[n] = '\0';
    return n;
}

/* Whether a blank between these means nothing. Before ':' it does: "a :hover" is about what is within a. */
static bool is_idle_blank(char before, char after)
{
    return (before && strchr(":;,{}", before)) || (after && strchr(";,{}", after));
}

size_t trim_style(char *text)
{
    size_t n = 0;
    char quote = '\0';
    for (size_t i = 0; text[i]; i++) {
        char c = text[i] == '\n' && !quote ? ' ' : text[i];
        if (!quote && c == ' ' && (n == 0 || is_idle_blank(text[n - 1], text[i + 1]))) {
            continue;
        }
        if (!quote && c == '}' && n > 0 && text[n - 1] == ';') {
            n--;
        }
        if (c == quote) {
            quote = '\0';
        } else if (!quote && (c == '"' || c == '\'')) {
            quote = c;
        }
        text[n++] = c;
    }
    text[n] = '\0';
    return n;
}
