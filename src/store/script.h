/* script.h - the table of server-side scripts: one per action that must be atomic.
 *
 * Each is a file src/store/scripts/<name>.lua, embedded in the program. A script touches keys of one bucket only,
 * reads and validates first and writes last (nothing rolls back), and works on at most 1000 elements. What it takes and answers is
 * declared at its head (scripts/README.md), and calls.h, made of that, has the function that calls it.
 * They are called by SHA-1 and loaded again when the engine has forgotten them.
 *
 * "flags=allow-oom" in the first line: also when memory is full. For scripts that free, for the durable work that follows from
 * them, and for nothing whose amount people decide: a job is smaller than what was deleted for it, and goes away again.
 */
#ifndef STORE_SCRIPT_H
#define STORE_SCRIPT_H

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
};

/* Fills the table (SHA-1 of each body); once, at start, main thread. */
void script_setup(void);
const struct script_info *script_info(enum script s);

#endif
