/* lua.h - cuts Lua into words, as far as the generator needs it. */
#ifndef EMBED_LUA_H
#define EMBED_LUA_H

#include <stdbool.h>
#include <stddef.h>

enum lua_kind { LUA_SPACE, LUA_COMMENT, LUA_STRING, LUA_NAME, LUA_OTHER };

struct lua_word {
    enum lua_kind kind;
    const char *at;
    size_t length;
    bool is_member; /* a name behind a dot: redis.call */
};

/* The next word; false at the end. `at` begins at the text, whose start must be at `start`. */
bool lua_next(const char *start, const char **at, struct lua_word *out);

/* Names that the text declares by itself (local, function, for), as " a b c ". */
char *lua_locals(const char *text);

/* Whether Lua or the engine knows the name: `if`, `redis`. */
bool lua_knows(const char *name, size_t length);

#endif
