/* lua.c - see lua.h. Long brackets are not known: no script has them. */
#include "lua.h"

#include <ctype.h>
#include <string.h>

#include "tool.h"

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t string_length(const char *at)
{
    size_t n = 1;
    while (at[n] && at[n] != at[0]) {
        n += at[n] == '\\' && at[n + 1] ? 2 : 1;
    }
    return n + (at[n] != '\0');
}

bool lua_next(const char *start, const char **at, struct lua_word *out)
{
    const char *p = *at;
    *out = (struct lua_word){LUA_OTHER, p, 1, false};
    if (!*p) {
        return false;
    }
    if (isspace((unsigned char)*p)) {
        out->kind = LUA_SPACE;
        out->length = strspn(p, " \t\r\n");
    } else if (strncmp(p, "--", 2) == 0 || (p == start && *p == '#')) {
        out->kind = LUA_COMMENT;
        out->length = strcspn(p, "\n");
    } else if (*p == '\'' || *p == '"') {
        out->kind = LUA_STRING;
        out->length = string_length(p);
    } else if (is_name(*p)) {
        out->kind = isdigit((unsigned char)*p) ? LUA_OTHER : LUA_NAME;
        while (is_name(p[out->length])) {
            out->length++;
        }
        out->is_member = p > start && p[-1] == '.' && !(p - 1 > start && p[-2] == '.');
    }
    *at = p + out->length;
    return true;
}

/* The next word that is neither space nor comment. */
static bool next_solid(const char *start, const char **at, struct lua_word *out)
{
    do {
        if (!lua_next(start, at, out)) {
            return false;
        }
    } while (out->kind == LUA_SPACE || out->kind == LUA_COMMENT);
    return true;
}

static bool is_word(const struct lua_word *w, const char *text)
{
    return w->length == strlen(text) && memcmp(w->at, text, w->length) == 0;
}

/* The names of a list up to its end, beginning with *w. */
static void take_names(struct text *out, const char *start, const char **at, struct lua_word *w)
{
    while (w->kind == LUA_NAME) {
        text_print(out, "%.*s ", (int)w->length, w->at);
        const char *before = *at;
        if (!next_solid(start, at, w) || !is_word(w, ",")) {
            *at = before;
            return;
        }
        if (!next_solid(start, at, w)) {
            return;
        }
    }
}

char *lua_locals(const char *text)
{
    struct text out = {0};
    struct lua_word w;
    text_print(&out, " ");
    for (const char *at = text; next_solid(text, &at, &w);) {
        bool is_function = is_word(&w, "function");
        if (!is_function && !is_word(&w, "local") && !is_word(&w, "for")) {
            continue;
        }
        const char *before = at;
        if (!next_solid(text, &at, &w)) {
            break;
        }
        if (is_word(&w, "function")) { /* local function: the next turn handles it */
            at = before;
        } else {
            take_names(&out, text, &at, &w);
        }
        if (is_function && next_solid(text, &at, &w)) {
            if (is_word(&w, "(") && !next_solid(text, &at, &w)) {
                break;
            }
            take_names(&out, text, &at, &w);
        }
    }
    return out.data;
}

bool lua_knows(const char *name, size_t length)
{
    static const char words[] =
        " and break do else elseif end false for function if in local nil not or repeat return then true until "
        "while redis table string math struct unpack ipairs pairs tonumber tostring type select KEYS ARGV ";
    return strstr(words, print(" %.*s ", (int)length, name)) != NULL;
}
