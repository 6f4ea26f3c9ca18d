/* embed.c - the generator: C out of the files that the program carries in itself, and C functions that call its
 * scripts.
 *
 *     embed OUTPUT FILE...
 *     embed --calls FOLDER SCRIPT...
 *     embed --lint FOLDER SCRIPT...
 *
 * The first makes one C file of files: for each it writes path, content type, content hash, bytes and a gzip form, as
 * the table that src/base/embedded.h declares; scripts and styles without their comments, the modules of web/js as one file
 * (bundle.h). It runs while Retwis is built and is no part of it, so it frees nothing and stops at the first error. The same files give the same output, byte by byte.
 *
 * The second writes the C functions that call the scripts (calls.h) and the scripts' texts (script.h). The third also
 * fails when a script declares something that it does not use.
 *
 * Bytes are written as string literals: compilers read those many times faster than lists of numbers. They end in the
 * NUL that the header promises.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>
#include <openssl/evp.h>

#include "bundle.h"
#include "calls.h"
#include "script.h"
#include "tool.h"
#include "trim.h"

#define MODULES "web/js/" /* they all become one */
#define ENTRY MODULES "retwis.js"

struct type {
    const char *suffix;
    const char *content_type;
    bool gzip; /* served to browsers, and not compressed already */
};

static const struct type types[] = {
    {".css", "text/css; charset=utf-8", true},
    {".html", "text/html; charset=utf-8", false}, /* templates: read by the program only */
    {".ico", "image/x-icon", true},
    {".jpg", "image/jpeg", false},
    {".js", "text/javascript; charset=utf-8", true},
    {".json", "application/json; charset=utf-8", true},
    {".list", "text/plain; charset=utf-8", false}, /* of words: read by the program only */
    {".lua", "text/x-lua; charset=utf-8", false},  /* scripts: likewise */
    {".png", "image/png", false},
    {".svg", "image/svg+xml; charset=utf-8", true},
    {".txt", "text/plain; charset=utf-8", true},
    {".webmanifest", "application/manifest+json; charset=utf-8", true},
    {".woff2", "font/woff2", false},
    {".xml", "application/xml; charset=utf-8", true},
};

struct file {
    const char *path; /* as the program will call it */
    const struct type *type;
    unsigned char *data;
    size_t size;
    unsigned char *gzip; /* NULL if not smaller */
    size_t gzip_size;
    char hash[17];
};

/* The program knows scripts as "scripts/…", wherever their source lies; a file from outside of the tree ("/…") has only
 * its name. */
static const char *path_in_program(const char *name)
{
    static const char store[] = "src/store/";

    if (name[0] == '/') {
        return strrchr(name, '/') + 1;
    }
    return strncmp(name, store, sizeof(store) - 1) == 0 ? name + sizeof(store) - 1 : name;
}

static const struct type *type_of(const char *name)
{
    const char *suffix = strrchr(name, '.');

    for (size_t i = 0; suffix && i < sizeof(types) / sizeof(types[0]); i++) {
        if (strcmp(suffix, types[i].suffix) == 0) {
            return &types[i];
        }
    }
    fail("%s: no content type for this suffix, see the table in embed.c", name);
}

static void file_hash(struct file *f)
{
    unsigned char digest[EVP_MAX_MD_SIZE];

    if (EVP_Digest(f->data, f->size, digest, NULL, EVP_sha256(), NULL) != 1) {
        fail("SHA-256 failed");
    }
    for (int i = 0; i < 8; i++) {
        snprintf(f->hash + 2 * i, 3, "%02x", digest[i]);
    }
}

/* Neither a name nor a time is written into the header, so the result depends on the bytes only. */
static void file_compress(struct file *f)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(12);

    if (!c) {
        fail("libdeflate failed");
    }
    f->gzip = allocate(f->size + 1);
    f->gzip_size = libdeflate_gzip_compress(c, f->data, f->size, f->gzip, f->size);
    if (f->gzip_size == 0) {
        f->gzip = NULL; /* not smaller */
    }
    libdeflate_free_compressor(c);
}

/* Octal escapes have three digits, so that a digit may follow; '?' is escaped because of trigraphs. */
static void write_literal(FILE *out, const unsigned char *data, size_t size)
{
    fputs("    \"", out);
    for (size_t i = 0; i < size; i++) {
        int c = data[i];
        if (c == '\n') {
            fputs(i + 1 < size ? "\\n\"\n    \"" : "\\n", out);
        } else if (c < 128 && isprint(c) && c != '"' && c != '\\' && c != '?') {
            fputc(c, out);
        } else {
            fprintf(out, "\\%03o", (unsigned)c);
        }
    }
    fputs("\";\n", out);
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

static void write_all(FILE *out, const struct file *files, size_t count)
{
    fputs("/* Made by embed/embed.c: change the files it was made of. */\n#include \"base/embedded.h\"\n", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "\nstatic const unsigned char data_%zu[] =\n", i);
        write_literal(out, files[i].data, files[i].size);
        if (files[i].gzip) {
            fprintf(out, "static const unsigned char gzip_%zu[] =\n", i);
            write_literal(out, files[i].gzip, files[i].gzip_size);
        }
    }
    fputs("\nconst struct embedded_file embedded_files[] = {\n", out);
    for (size_t i = 0; i < count; i++) {
        const struct file *f = &files[i];
        fprintf(out, "    {\"%s\", \"%s\", \"%s\", data_%zu, %zu, ", f->path, f->type->content_type, f->hash, i,
                f->size);
        if (f->gzip) {
            fprintf(out, "gzip_%zu, %zu},\n", i, f->gzip_size);
        } else {
            fputs("NULL, 0},\n", out);
        }
    }
    fprintf(out, "};\nconst size_t embedded_file_count = %zu;\n", count);
}

static int compare_scripts(const void *a, const void *b)
{
    return strcmp((*(struct script *const *)a)->name, (*(struct script *const *)b)->name);
}

/* Leaves an unchanged file alone, so that not everything is compiled again after each change of a script. */
static void write_changed(const char *name, const struct text *t)
{
    FILE *old = fopen(name, "rb");
    if (old) {
        size_t size;
        fclose(old);
        const char *before = read_file(name, &size);
        if (size == t->length && memcmp(before, t->data, size) == 0) {
            return;
        }
    }
    FILE *out = fopen(name, "wb");
    if (!out || fwrite(t->data, 1, t->length, out) != t->length || fclose(out) != 0) {
        fail("%s: %s", name, strerror(errno));
    }
}

static int make_calls(const char *folder, char **names, size_t count)
{
    static const struct {
        const char *name;
        void (*write)(struct text *out, struct script *const *scripts, size_t count);
    } outputs[] = {{"script_ids.h", calls_write_ids}, {"calls.h", calls_write_header}, {"calls.c", calls_write_source}};
    struct script **scripts = allocate(count * sizeof(struct script *));
    for (size_t i = 0; i < count; i++) {
        scripts[i] = script_read(names[i]);
    }
    qsort(scripts, count, sizeof(struct script *), compare_scripts);
    for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
        struct text out = {0};
        outputs[i].write(&out, scripts, count);
        write_changed(print("%s/%s", folder, outputs[i].name), &out);
    }
    return 0;
}

static void file_load(struct file *f, const char *name)
{
    f->path = path_in_program(name);
    f->type = type_of(name);
    if (strcmp(f->type->suffix, ".lua") == 0) {
        f->data = (unsigned char *)script_read(name)->text;
        f->size = strlen((char *)f->data);
    } else if (strcmp(name, ENTRY) == 0) {
        f->data = (unsigned char *)bundle_modules(name, &f->size);
    } else {
        f->data = (unsigned char *)read_file(name, &f->size);
    }
    if (strcmp(f->type->suffix, ".js") == 0) {
        f->size = trim_lines(f->path, (char *)f->data);
    } else if (strcmp(f->type->suffix, ".css") == 0) {
        trim_lines(f->path, (char *)f->data);
        f->size = trim_style((char *)f->data);
    }
    file_hash(f);
    if (f->type->gzip) {
        file_compress(f);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fail("usage: embed OUTPUT FILE... | embed --calls|--lint FOLDER SCRIPT...");
    }
    strict = strcmp(argv[1], "--lint") == 0;
    if (strict || strcmp(argv[1], "--calls") == 0) {
        return make_calls(argv[2], argv + 3, (size_t)argc - 3);
    }
    size_t count = 0;
    struct file *files = allocate((size_t)argc * sizeof(*files));
    for (int i = 2; i < argc; i++) {
        if (strncmp(argv[i], MODULES, strlen(MODULES)) != 0 || strcmp(argv[i], ENTRY) == 0) {
            file_load(&files[count++], argv[i]);
        }
    }
    qsort(files, count, sizeof(*files), compare_files);

    FILE *out = fopen(argv[1], "w");
    if (!out) {
        fail("%s: %s", argv[1], strerror(errno));
    }
    write_all(out, files, count);
    if (fclose(out) != 0) {
        fail("%s: %s", argv[1], strerror(errno));
    }
    return 0;
}
