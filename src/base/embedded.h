/* embedded.h - the files that the program carries in itself.
 *
 * The generator (embed/embed.c) makes the table out of web/, src/store/scripts/ and the list of common passwords when
 * the program is built. Paths are those of the tree, "web/css/retwis.css", but for scripts, "scripts/post.lua", and
 * what is not of the tree, "passwords.list". Everything here is constant: any thread may use it at any time.
 */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *path;
    const char *type;          /* content type, with charset where it has one */
    const char *hash;          /* first 16 hex digits of the SHA-256 of data: for ETags and addresses of assets */
    const unsigned char *data; /* a NUL follows, so that text can be used as a C string */
    size_t size;
    const unsigned char *gzip; /* NULL when it would not be smaller */
    size_t gzip_size;
};

/* Sorted by path. */
extern const struct embedded_file embedded_files[];
extern const size_t embedded_file_count;

/* NULL if there is no such file. */
const struct embedded_file *embedded_find(const char *path);

#endif
