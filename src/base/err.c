/* err.c - the table behind err.h. Constant data, any thread. */
#include "base/err.h"

#include "base/panic.h"

static const struct err_info infos[ERR_COUNT] = {
    [ERR_OK] = {"ok", 200, "no error"},
    [ERR_INVALID] = {"invalid", 422, "the input breaks a rule"},
    [ERR_UNAUTHORIZED] = {"unauthorized", 401, "not signed in, or wrong credentials"},
    [ERR_FORBIDDEN] = {"forbidden", 403, "not allowed"},
    [ERR_NOT_FOUND] = {"not_found", 404, "no such thing"},
    [ERR_TAKEN] = {"taken", 422, "the name is taken"},
    [ERR_CONFLICT] = {"conflict", 409, "changed meanwhile by somebody else"},
    [ERR_TOO_MANY] = {"too_many", 429, "a rate limit was reached"},
    [ERR_BUSY] = {"busy", 503, "the server is busy"},
    [ERR_UNAVAILABLE] = {"unavailable", 503, "the engine cannot be reached"},
    [ERR_READ_ONLY] = {"read_only", 503, "the engine refuses writes (memory limit, disk full or replica)"},
    [ERR_CONFIG] = {"config", 503,
                    "the engine refuses this server (password, permission), or is set up so that data would be lost"},
    [ERR_MODE] = {"mode", 503,
                  "the site is now served in another timeline.mode; this server takes no posts until it is restarted "
                  "with that mode"},
    [ERR_PROTOCOL] = {"protocol", 500, "unexpected answer of the engine"},
    [ERR_IO] = {"io", 500, "a file or socket failed"},
};

const struct err_info *err_info(enum err e)
{
    require((unsigned)e < ERR_COUNT);
    return &infos[e];
}
