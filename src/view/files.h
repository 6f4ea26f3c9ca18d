/* files.h - the files of one folder of web/, embedded or from disk. Private to view/.
 */
#ifndef VIEW_FILES_H
#define VIEW_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct arena;

struct view_file {
    const char *name; /* without folder and suffix */
    const char *text;
    size_t length;
};

/* All files <folder>/<name><suffix>, by name, with their count. `directory` NULL or "": those in the program;
 * else it is the web directory on disk. NULL with a line on `report` if it cannot be read or has no such file. */
struct view_file *files_gather(struct arena *a, const char *directory, const char *folder, const char *suffix,
                               size_t *count, FILE *report);

/* A number that changes when a file of the folder on disk is written, appears or goes. */
uint64_t files_stamp(const char *directory, const char *folder, const char *suffix);

#endif
