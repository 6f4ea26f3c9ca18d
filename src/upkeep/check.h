/* check.h - checks whether the data keep their own rules, and mends what does not.
 *
 * keys.h names the keys; check_report.h says what must hold between them. The walk goes over all keys of all nodes with
 * SCAN, looks things up in batches and keeps only suspects in memory, so a site of any size can be checked while it
 * runs. A thing that looks wrong may be in the middle of a change: each suspect is looked at twice more after a pause,
 * and one that a waiting job will put right is no finding.
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

/* Checks everything. Engine errors end it; the findings until then are in the report, whose memory is `a`'s. */
enum err check_run(struct social *s, struct arena *a, const struct check_options *o, struct check_report *out);

#endif
