/* areas.c - see areas.h. */
#include "command/areas.h"

#include <stddef.h>

#include "api/areas.h"
#include "pages/pages.h"

const struct http_area *const site_areas[] = {
    &pages_area, &api_area, &api_token_area, &api_revoke_area, &api_known_area, &api_nodeinfo_area, NULL};
