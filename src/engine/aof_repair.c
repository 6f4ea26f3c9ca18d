/* aof_repair.c - see aof_repair.h. Nothing is taken away before it is on the disk a second time. */
#include "engine/aof_repair.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/panic.h"
#include "engine/aof.h"

#define FOLDER "appendonlydir" /* where the engine keeps them, below its data directory */
#define MANIFEST "appendonly.aof.manifest"
#define FIRST_PART "appendonly.aof." /* of the names of all of them */
#define KEPT "repaired"
#define NOTHING_SIZE 256 /* of a snapshot of no data, and some to spare */
#define PATH_SIZE 1024   /* the state directory is at most as long as the path of a socket */
#define NAME_SIZE 256
#define COPY_SIZE (64 * 1024)
/* A power cut takes what was written in a second or two. A longer torn end has another cause, and is cut off only by
 * --fix. */
#define TAIL_MAX (16u << 20)

struct log_file {
    const char *data;
    const char *name;
    FILE *report;
    int fd;
    struct aof_scan scan;
};

char *aof_manifest_path(const char *data_directory)
{
    size_t size = strlen(data_directory) + sizeof("/" FOLDER "/" MANIFEST);
    char *path = mem_alloc(size);
    snprintf(path, size, "%s/" FOLDER "/" MANIFEST, data_directory);
    return path;
}

static void print_time(FILE *out, uint64_t seconds)
{
    struct clock_date d = clock_date(seconds * 1000);
    fprintf(out, "%04" PRIu64 "-%02u-%02u %02u:%02u:%02u UTC", d.year, d.month, d.day, d.hour, d.minute, d.second);
}

static enum aof_state repair_failed(const struct log_file *f, const char *what)
{
    fprintf(f->report, "%s: %s: %s\n", f->name, what, strerror(errno));
    return AOF_UNKNOWN;
}

/* --- what is kept -------------------------------------------------------------------------------------------------- */

static bool repair_sync(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0) {
        close(fd);
    }
    return ok;
}

/* "<data>/repaired/<name>.20261122-061000.<offset>.<kind>": makes the directory, and the name. */
static bool name_kept(const struct log_file *f, const char *kind, char out[PATH_SIZE])
{
    struct clock_date d = clock_date(clock_wall_ms());
    snprintf(out, PATH_SIZE, "%.600s/" KEPT, f->data);
    if (mkdir(out, 0700) != 0 && errno != EEXIST) {
        return false;
    }
    size_t n = strlen(out);
    snprintf(out + n, PATH_SIZE - n, "/%s.%04" PRIu64 "%02u%02u-%02u%02u%02u.%" PRIu64 ".%s", f->name, d.year, d.month,
             d.day, d.hour, d.minute, d.second, f->scan.gap[0].from, kind);
    return true;
}

static bool copy_range(int from, uint64_t at, uint64_t end, int to)
{
    char *bytes = mem_alloc(COPY_SIZE);
    bool ok = true;
    while (ok && at < end) {
        size_t want = end - at < COPY_SIZE ? (size_t)(end - at) : COPY_SIZE;
        ssize_t n = pread(from, bytes, want, (off_t)at);
        ok = n > 0 && write(to, bytes, (size_t)n) == n;
        at += n > 0 ? (uint64_t)n : 0;
    }
    free(bytes);
    return ok;
}

/* Writes these ranges of the file, {begin, end} each, into a new one that is on the disk afterwards. */
static bool write_ranges(const struct log_file *f, const char *path, const uint64_t (*ranges)[2], size_t count)
{
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = to >= 0;
    for (size_t i = 0; ok && i < count; i++) {
        ok = copy_range(f->fd, ranges[i][0], ranges[i][1], to);
    }
    ok = ok && fsync(to) == 0;
    int saved = errno;
    if (to >= 0 && close(to) == 0 && !ok) {
        unlink(path);
    }
    errno = saved;
    return ok;
}

/* --- repairs ------------------------------------------------------------------------------------------------------- */

static enum aof_state cut_tail(struct log_file *f)
{
    const struct aof_gap *g = &f->scan.gap[0];
    char kept[PATH_SIZE];
    const uint64_t range[][2] = {{g->from, g->to}};
    if (!name_kept(f, "cut", kept) || !write_ranges(f, kept, range, 1)) {
        return repair_failed(f, "its torn end cannot be kept, so it is not cut off");
    }
    if (ftruncate(f->fd, (off_t)g->from) != 0 || fsync(f->fd) != 0) {
        return repair_failed(f, "its torn end cannot be cut off");
    }
    fprintf(f->report, "%s: the last %" PRIu64 " bytes were no whole command, as after a power cut, and are cut off; ",
            f->name, g->to - g->from);
    if (f->scan.last_s) {
        fputs("all that was written until ", f->report);
        print_time(f->report, f->scan.last_s);
        fputs(" is there; ", f->report);
    }
    fprintf(f->report, "they are kept as %s\n", kept);
    return AOF_MENDED;
}

/* A new file of all but the gaps takes the place of the old one, which is kept whole. */
static enum aof_state leave_out_gaps(struct log_file *f)
{
    uint64_t ranges[AOF_GAPS + 1][2], at = 0;
    char path[PATH_SIZE], made[PATH_SIZE], kept[PATH_SIZE];
    for (unsigned i = 0; i < f->scan.gaps; i++) {
        ranges[i][0] = at;
        ranges[i][1] = f->scan.gap[i].from;
        at = f->scan.gap[i].to;
    }
    ranges[f->scan.gaps][0] = at;
    ranges[f->scan.gaps][1] = f->scan.size;
    snprintf(path, sizeof(path), "%.600s/" FOLDER "/%s", f->data, f->name);
    if (!name_kept(f, "new", made) || !name_kept(f, "damaged", kept) ||
        !write_ranges(f, made, (const uint64_t(*)[2])ranges, f->scan.gaps + 1)) {
        return repair_failed(f, "cannot be written anew");
    }
    if (link(path, kept) != 0 || rename(made, path) != 0) {
        int saved = errno;
        unlink(made);
        errno = saved;
        return repair_failed(f, "cannot be replaced");
    }
    snprintf(made, sizeof(made), "%.600s/" FOLDER, f->data);
    snprintf(path, sizeof(path), "%.600s/" KEPT, f->data);
    repair_sync(made);
    repair_sync(path);
    fprintf(f->report, "%s: mended: the damaged bytes are left out; the file as it was is kept as %s\n", f->name, kept);
    return AOF_MENDED;
}

/* --- what is said -------------------------------------------------------------------------------------------------- */

static void print_gap(FILE *out, const struct aof_gap *g)
{
    fprintf(out, "  bytes %" PRIu64 " to %" PRIu64 " (%" PRIu64 ") are damaged: ", g->from, g->to, g->to - g->from);
    if (g->before_s) {
        fputs("of ", out);
        print_time(out, g->before_s);
        if (g->after_s) {
            fputs(" to ", out);
            print_time(out, g->after_s);
        }
        fputc('\n', out);
    } else {
        fputs("time unknown\n", out);
    }
}

static void print_scan(const struct log_file *f)
{
    fprintf(f->report, "%s: %" PRIu64 " bytes, %" PRIu64 " whole commands and transactions", f->name, f->scan.size,
            f->scan.units);
    if (f->scan.last_s) {
        fputs(", the last of ", f->report);
        print_time(f->report, f->scan.last_s);
    }
    fputc('\n', f->report);
    for (unsigned i = 0; i < f->scan.gaps; i++) {
        print_gap(f->report, &f->scan.gap[i]);
    }
    if (aof_is_torn(&f->scan)) {
        fputs("  nothing whole follows: --fix cuts that off\n", f->report);
    } else if (f->scan.gaps) {
        fprintf(f->report, "  %" PRIu64 " whole ones follow: --fix leaves out only what is damaged\n",
                f->scan.units_behind);
    }
}

static enum aof_state repair_refuse(const struct log_file *f)
{
    const struct aof_gap *g = &f->scan.gap[0];
    fprintf(f->report, "%s: damaged at byte %" PRIu64 " of %" PRIu64, f->name, g->from, f->scan.size);
    if (g->before_s) {
        fputs(" (written after ", f->report);
        print_time(f->report, g->before_s);
        fputc(')', f->report);
    }
    fprintf(
        f->report,
        ", and %" PRIu64 " whole commands follow: this is not the torn end that a power cut leaves, so nothing was "
        "changed. \"retwis engine-check\" shows the damage; \"retwis engine-check --fix\" leaves out what is damaged, "
        "keeps the rest, and a copy\n",
        f->scan.units_behind);
    return AOF_DAMAGED;
}

/* --- the files of a directory -------------------------------------------------------------------------------------- */

static enum aof_state repair_look_at(struct log_file *f, bool newest, bool ask, bool fix)
{
    if (!aof_scan(f->fd, &f->scan)) {
        return repair_failed(f, "cannot be read");
    }
    if (ask) {
        print_scan(f);
    }
    if (f->scan.gaps == 0) {
        return AOF_WHOLE;
    }
    bool torn = newest && aof_is_torn(&f->scan);
    if (ask) {
        return !fix ? AOF_DAMAGED : torn ? cut_tail(f) : leave_out_gaps(f);
    }
    return torn && f->scan.size - f->scan.gap[0].from <= TAIL_MAX ? cut_tail(f) : repair_refuse(f);
}

static enum aof_state open_and_look(struct log_file *f, bool newest, bool ask, bool fix)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof(path), "%.600s/" FOLDER "/%s", f->data, f->name);
    f->fd = open(path, O_RDWR | O_CLOEXEC);
    if (f->fd < 0) {
        return repair_failed(f, "cannot be opened");
    }
    enum aof_state state = repair_look_at(f, newest, ask, fix);
    close(f->fd);
    return state;
}

/* The next name in the list of files that is a log and no snapshot, and whose data count; false at the end. */
static bool next_log(FILE *manifest, char name[NAME_SIZE])
{
    char line[1024], type;
    while (fgets(line, sizeof(line), manifest)) {
        size_t n = sscanf(line, "file %255s seq %*s type %c", name, &type) == 2 ? strlen(name) : 0;
        if (n > 4 && type != 'h' && !strchr(name, '/') && strcmp(name + n - 4, ".aof") == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the file holds data. An engine that is killed just after its very first start leaves an empty snapshot and an
 * empty log, but no list. */
static bool holds_data(int folder, const char *name)
{
    struct stat st;
    size_t n = strlen(name);
    bool is_log = n > 4 && strcmp(name + n - 4, ".aof") == 0, is_snapshot = n > 4 && strcmp(name + n - 4, ".rdb") == 0;
    if (strncmp(name, FIRST_PART, strlen(FIRST_PART)) != 0 || fstatat(folder, name, &st, 0) != 0) {
        return false;
    }
    return (is_log && st.st_size > 0) || (is_snapshot && st.st_size > NOTHING_SIZE);
}

bool aof_has_list(const char *data_directory, FILE *report)
{
    char path[PATH_SIZE], *list = aof_manifest_path(data_directory);
    snprintf(path, sizeof(path), "%.600s/" FOLDER, data_directory);
    bool is_there = access(list, F_OK) == 0 || errno != ENOENT;
    free(list);
    DIR *folder = is_there ? NULL : opendir(path);
    if (!folder) {
        return true; /* the engine will complain of what cannot be read */
    }
    const struct dirent *file;
    do {
        file = readdir(folder);
    } while (file && !holds_data(dirfd(folder), file->d_name));
    if (file) {
        fprintf(report,
                "%s: " MANIFEST
                " is missing, the list of the files that are the data, but some are there (%s): the engine would "
                "begin with nothing and write over them. Put the list, or the whole state directory, back from a "
                "backup; to begin with nothing, move %s away\n",
                path, file->d_name, path);
    }
    closedir(folder);
    return !file;
}

static enum aof_state repair_walk(const char *data_directory, bool ask, bool fix, FILE *report)
{
    char *path = aof_manifest_path(data_directory);
    FILE *manifest = fopen(path, "re");
    char name[NAME_SIZE], next[NAME_SIZE];
    enum aof_state worst = AOF_WHOLE;
    if (!manifest && errno != ENOENT) {
        fprintf(report, "%s: %s\n", path, strerror(errno));
        worst = AOF_UNKNOWN;
    }
    free(path);
    bool more = manifest && next_log(manifest, name);
    while (more && (ask || worst == AOF_WHOLE)) {
        more = next_log(manifest, next);
        struct log_file f = {.data = data_directory, .name = name, .report = report};
        enum aof_state state = open_and_look(&f, !more, ask, fix);
        worst = state > worst ? state : worst;
        memcpy(name, next, sizeof(name));
    }
    if (manifest) {
        fclose(manifest);
    }
    return worst;
}

enum aof_state aof_mend_tail(const char *data_directory, FILE *report)
{
    return repair_walk(data_directory, false, false, report);
}

enum aof_state aof_mend_all(const char *data_directory, bool fix, FILE *report)
{
    return repair_walk(data_directory, true, fix, report);
}
