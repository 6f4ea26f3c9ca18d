/* probe.c - see probe.h. hiredis in its plain form: speed does not matter here. */
#include "engine/probe.h"

#include <stdlib.h>
#include <string.h>

#include <hiredis/hiredis.h>

static double loaded_percent(redisContext *c)
{
    double percent = 0;
    redisReply *info = redisCommand(c, "INFO persistence");
    if (info && info->type == REDIS_REPLY_STRING) {
        const char *found = strstr(info->str, "loading_loaded_perc:");
        percent = found ? strtod(found + strlen("loading_loaded_perc:"), NULL) : 0;
    }
    freeReplyObject(info);
    return percent;
}

static enum probe_result probe_ask(redisContext *c, double *percent)
{
    enum probe_result result = PROBE_NOBODY;
    redisReply *pong = redisCommand(c, "PING");
    if (pong && pong->type == REDIS_REPLY_STATUS) {
        result = PROBE_READY;
    } else if (pong && pong->type == REDIS_REPLY_ERROR && strncmp(pong->str, "LOADING", 7) == 0) {
        result = PROBE_LOADING;
        *percent = loaded_percent(c);
    }
    freeReplyObject(pong);
    return result;
}

/* NULL if nobody listens. */
static redisContext *probe_reach(const char *socket_path, uint64_t timeout_ms)
{
    struct timeval t = {.tv_sec = (time_t)(timeout_ms / 1000), .tv_usec = (suseconds_t)(timeout_ms % 1000) * 1000};
    redisContext *c = redisConnectUnixWithTimeout(socket_path, t);
    if (c && (c->err || redisSetTimeout(c, t) != REDIS_OK)) {
        redisFree(c);
        c = NULL;
    }
    return c;
}

enum probe_result probe_engine(const char *socket_path, uint64_t timeout_ms, double *percent)
{
    redisContext *c = probe_reach(socket_path, timeout_ms);
    enum probe_result result = PROBE_NOBODY;
    if (c) {
        result = probe_ask(c, percent);
        redisFree(c);
    }
    return result;
}

bool probe_command(const char *socket_path, uint64_t timeout_ms, size_t count, const char *const *words)
{
    redisContext *c = probe_reach(socket_path, timeout_ms);
    if (!c) {
        return false;
    }
    redisReply *r = redisCommandArgv(c, (int)count, (const char **)(uintptr_t)words, NULL);
    bool ok = r && r->type == REDIS_REPLY_STATUS && strcmp(r->str, "OK") == 0;
    freeReplyObject(r);
    redisFree(c);
    return ok;
}
