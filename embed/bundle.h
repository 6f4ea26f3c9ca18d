/* bundle.h - the modules of the pages' scripts as one file: a phone asks for it once, and it compresses better than they do
 * one by one. For `http.web_dir`, where files come from disk, modules stay modules. */
#ifndef EMBED_BUNDLE_H
#define EMBED_BUNDLE_H

#include <stddef.h>

/* The text of the module `entry` (a path) and of all that it imports, each once and before whoever imports it, without `import`
 * and `export`. All names of their top levels then stand beside each other: one that two modules declare ends the build. */
char *bundle_modules(const char *entry, size_t *size);

#endif
