/* script.h - the table of server-side scripts: one per action that must be atomic.
 *
 * Each is a file src/store/scripts/<name>.lua, embedded in the program. A script touches keys of one bucket only, reads
 * and validates first and writes last (nothing rolls back), and works on at most 1000 elements. Its head declares what
 * it takes and answers (scripts/README.md); the build makes of that the function that calls it, in calls.h. They are
 * called by SHA-1 and loaded again when the engine has forgotten them.
 *
 * "flags=allow-oom" in the first line: the script runs even when memory is full. This is for scripts that free memory
 * and for the durable work that follows from them, because a job is smaller than what was deleted for it, and goes away
 * again. It is for nothing whose amount people decide.
 */
#ifndef STORE_SCRIPT_H
#define STORE_SCRIPT_H

#include <stdbool.h>

#include "store/script_ids.h" /* SCRIPT_TABLE(X): made of the files by embed */

enum script {
#define X(id, file) SCRIPT_##id,
    SCRIPT_TABLE(X)
#undef X
        SCRIPT_COUNT
};

struct script_info {
    const char *name;
    const char *body; /* embedded text */
    char sha1[41];
    bool reads; /* flags=no-writes: it changes nothing */
    bool roams; /* it makes keys of its own, of its bucket, besides those that it is given (`arg prefix prefix`) */
};

/* Fills the table (SHA-1 of each body); once, at start, main thread. */
void script_setup(void);
const struct script_info *script_info(enum script s);

#endif
