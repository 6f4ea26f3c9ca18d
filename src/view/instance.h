/* instance.h - the site as JSON: Mastodon's Instance of both versions, its rules. Part of what entity.h is; values go
 * into the caller's document. Threads: those of the context.
 */
#ifndef VIEW_INSTANCE_H
#define VIEW_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "social/people/population.h"
#include "view/entity_context.h"

struct instance {
    const char *title, *description;
    const char *contact;  /* an e-mail address, or "" */
    const char *rules;    /* one a line */
    const char *language; /* "en" */
    const char *origin;   /* "https://example.org" */
    const char *icon;     /* address of a picture */
    int64_t post_length;  /* code points */
    struct population numbers;
    bool is_open, needs_invitation;
};

/* "example.org[:8080]" of "https://example.org[:8080]": what stands behind the @ of a handle. */
const char *instance_host(const char *origin);

yyjson_mut_val *entity_instance(const struct entity_context *c, const struct instance *site);
yyjson_mut_val *entity_instance_v1(const struct entity_context *c, const struct instance *site);

/* Rule[]. */
yyjson_mut_val *entity_rules(const struct entity_context *c, const struct instance *site);

/* The description as HTML. */
yyjson_mut_val *entity_description(const struct entity_context *c, const struct instance *site);

#endif
