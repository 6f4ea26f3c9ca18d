/* site.c - see site.h. Any thread. */
#include "social/core/site.h"

#include "config/settings.h"
#include "social/core/action.h"

enum err site_set(struct settings_store *s, const struct actor *by, const char *name, const char *value, char *why,
                  size_t size)
{
    enum err e = action_check(ACTION_SITE_SET, by);
    return e == ERR_OK ? settings_set(s, name, value, by->name, why, size) : e;
}
