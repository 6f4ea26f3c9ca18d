/* check.h - looks whether the data keeps its own rules, and mends what does not.
 *
 * keys.h says what there is; check_report.h says what must hold between these keys. The walk goes over all keys of all
 * nodes with SCAN, looks things up in batches and keeps nothing in memory but what is suspect, so a site of any size
 * can be checked while it runs. What looks wrong may only be in the middle of a change: each suspect is looked at twice
 * more after a pause, and what a waiting job will put right is no finding.
 *
 * The folder upkeep/ walks over all data. The check is this file, check_item.h (what is looked at), check_look.h (how),
 * check_walk.c (how everything is reached) and a file for each subject. demo.h fills a site with people who do not
 * exist; census.h counts keys.
 *
 * Threads: any; one check at a time per struct.
 */
#ifndef UPKEEP_CHECK_H
#define UPKEEP_CHECK_H

#include "base/err.h"
#include "upkeep/check_report.h"

struct arena;
struct social;

/* Looks at everything. Engine errors end it; what was found until then is in the report. Memory of the report: `a`. */
enum err check_run(struct social *s, struct arena *a, const struct check_options *o, struct check_report *out);

#endif
