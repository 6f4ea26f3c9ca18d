/* files.c - see files.h. The main thread at start; any one thread at a time in developer mode. */
#include "view/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/embedded.h"

struct list {
    struct arena *arena;
    struct view_file *files;
    size_t count;
    size_t capacity;
};

/* Bytes of `name` before the suffix; 0 if it does not end in it or lies in a folder of its own. */
static size_t stem(const char *name, const char *suffix)
{
    size_t length = strlen(name);
    size_t tail = strlen(suffix);
    bool fits = length > tail && strcmp(name + length - tail, suffix) == 0 && name[0] != '.' && !strchr(name, '/');
    return fits ? length - tail : 0;
}

static struct view_file *append(struct list *l, const char *name, size_t name_length)
{
    if (l->count == l->capacity) {
        size_t size = sizeof(*l->files);
        l->files = arena_grow(l->arena, l->files, l->capacity * size, (l->capacity + 64) * size);
        l->capacity += 64;
    }
    struct view_file *f = &l->files[l->count++];
    *f = (struct view_file){.name = arena_dup_n(l->arena, name, name_length)};
    return f;
}

static void gather_embedded(struct list *l, const char *folder, const char *suffix)
{
    const char *prefix = arena_printf(l->arena, "web/%s/", folder);
    size_t length = strlen(prefix);
    for (size_t i = 0; i < embedded_file_count; i++) {
        const struct embedded_file *e = &embedded_files[i];
        if (strncmp(e->path, prefix, length) == 0 && stem(e->path + length, suffix) > 0) {
            struct view_file *f = append(l, e->path + length, stem(e->path + length, suffix));
            f->text = (const char *)e->data;
            f->length = e->size;
        }
    }
}

static bool files_read(struct list *l, const char *path, struct view_file *f)
{
    FILE *in = fopen(path, "rb");
    if (!in) {
        return false;
    }
    struct buffer b = buffer_make(l->arena);
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof(block), in)) > 0;) {
        buffer_add(&b, block, n);
    }
    bool read = !ferror(in);
    fclose(in);
    f->text = buffer_string(&b);
    f->length = b.length;
    return read;
}

static bool gather_disk(struct list *l, const char *path, const char *suffix, FILE *report)
{
    DIR *d = opendir(path);
    if (!d) {
        fprintf(report, "%s: %s\n", path, strerror(errno));
        return false;
    }
    bool good = true;
    for (struct dirent *e; (e = readdir(d));) {
        if (stem(e->d_name, suffix) == 0) {
            continue;
        }
        const char *file = arena_printf(l->arena, "%s/%s", path, e->d_name);
        if (!files_read(l, file, append(l, e->d_name, stem(e->d_name, suffix)))) {
            fprintf(report, "%s: %s\n", file, strerror(errno));
            good = false;
        }
    }
    closedir(d);
    return good;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct view_file *)a)->name, ((const struct view_file *)b)->name);
}

struct view_file *files_gather(struct arena *a, const char *directory, const char *folder, const char *suffix,
                               size_t *count, FILE *report)
{
    struct list l = {.arena = a};
    const char *path = folder;
    if (directory && directory[0]) {
        path = arena_printf(a, "%s/%s", directory, folder);
        if (!gather_disk(&l, path, suffix, report)) {
            return NULL;
        }
    } else {
        gather_embedded(&l, folder, suffix);
    }
    if (l.count == 0) {
        fprintf(report, "%s: no file *%s\n", path, suffix);
        return NULL;
    }
    qsort(l.files, l.count, sizeof(*l.files), by_name);
    *count = l.count;
    return l.files;
}

uint64_t files_stamp(const char *directory, const char *folder, const char *suffix)
{
    struct arena *a = arena_new();
    const char *path = arena_printf(a, "%s/%s", directory, folder);
    DIR *d = opendir(path);
    uint64_t sum = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat s;
        if (stem(e->d_name, suffix) > 0 && stat(arena_printf(a, "%s/%s", path, e->d_name), &s) == 0) {
            uint64_t time = (uint64_t)s.st_mtim.tv_sec * 1000000000u + (uint64_t)s.st_mtim.tv_nsec;
            /* A sum, because files come in any order. */
            sum += (time ^ (uint64_t)s.st_ino << 40 ^ (uint64_t)s.st_size) * 0x9E3779B97F4A7C15u;
        }
    }
    if (d) {
        closedir(d);
    }
    arena_free(a);
    return sum;
}
