/* areas.h - all that this program serves: the pages and the API. Constant data. */
#ifndef COMMAND_AREAS_H
#define COMMAND_AREAS_H

struct http_area;

extern const struct http_area *const site_areas[]; /* ended by NULL */

#endif
