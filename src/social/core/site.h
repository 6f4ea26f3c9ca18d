/* site.h - the action by which administrators change a setting of the whole site. The settings themselves:
 * config/settings.h.
 *
 * Threads: any.
 */
#ifndef SOCIAL_CORE_SITE_H
#define SOCIAL_CORE_SITE_H

#include <stddef.h>

#include "base/err.h"

struct actor;
struct settings_store;

/* Action (action.h): settings_set in the actor's name. It needs no engine. */
enum err site_set(struct settings_store *s, const struct actor *by, const char *name, const char *value, char *why,
                  size_t size);

#endif
