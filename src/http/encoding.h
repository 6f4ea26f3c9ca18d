/* encoding.h - in which encoding a client wants its answer: Accept-Encoding of RFC 9110, 12.5.3. Pure functions, any
 * thread. What compresses is compress.h.
 */
#ifndef HTTP_ENCODING_H
#define HTTP_ENCODING_H

enum encoding { ENCODING_NONE, ENCODING_GZIP, ENCODING_ZSTD, ENCODINGS };

/* The word for Content-Encoding: "gzip"; NULL for none. */
const char *encoding_name(enum encoding e);

/* What is best for a client that sent this (NULL: nothing): zstd, gzip or none. Its own weights come first; where they are
 * alike, whatever makes the answer smaller and costs less. An entry that is not well formed counts as not there. */
enum encoding encoding_choose(const char *accept);

/* The same where nothing but gzip is at hand. */
enum encoding encoding_choose_gzip(const char *accept);

#endif
