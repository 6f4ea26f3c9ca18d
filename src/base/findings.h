/* findings.h - what a look at something found: lines for people, counted by how bad they are.
 *
 * Threads: one at a time.
 */
#ifndef BASE_FINDINGS_H
#define BASE_FINDINGS_H

#include <stdio.h>

struct findings {
    FILE *out;
    unsigned errors, warnings;
};

/* One line: "error: …" for what cannot work, "warning: …" for what is probably not meant. A newline at the end of the
 * text is the line's own. */
void findings_error(struct findings *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void findings_warning(struct findings *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
