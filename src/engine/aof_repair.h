/* aof_repair.h - the append-only files of a data directory: whether they are whole, and what can be done when they are
 * not.
 *
 * A power cut leaves the end of the newest file torn: cut off in the middle of a command, or zeros, or what the disk
 * had there before. aof_mend_tail cuts that off; nothing that was on the disk is lost by it. Damage with whole commands
 * behind it has another cause (a disk that fails, somebody's editor), so a person has to decide: aof_mend_all leaves
 * out only the damaged bytes. What is taken away is first copied to repaired/ in the data directory.
 *
 * What this is not: the snapshot (base file) that the log begins with. It has a checksum of its own, which the engine
 * checks when it reads it (engine_check in engine.h), and cannot be mended.
 *
 * Internal to src/engine. The caller makes sure that no engine runs (lock.h). Threads: any.
 */
#ifndef ENGINE_AOF_REPAIR_H
#define ENGINE_AOF_REPAIR_H

#include <stdbool.h>
#include <stdio.h>

enum aof_state {
    AOF_WHOLE,
    AOF_MENDED,  /* was damaged, is whole now */
    AOF_DAMAGED, /* is damaged, and as it was */
    AOF_UNKNOWN, /* could not be read or written */
};

/* False, with a sentence on report, when there are data files but the list that names them is missing: an engine would
 * take the directory for a new one, begin with nothing and write over the files. */
bool aof_has_list(const char *data_directory, FILE *report);

/* Mends the end of the newest file if that alone is torn. Unless all is whole, writes a line or two for the log to
 * report. */
enum aof_state aof_mend_tail(const char *data_directory, FILE *report);

/* Reports the state of each file, in lines for a person; with `fix` mends all of them. */
enum aof_state aof_mend_all(const char *data_directory, bool fix, FILE *report);

/* Path of the list of files in a data directory; the caller frees. */
char *aof_manifest_path(const char *data_directory);

#endif
