/* template.h - the pages: Mustache templates, compiled once, rendered over a JSON document.
 *
 * The core of the Mustache specification: {{x}} (escaped), {{{x}}} {{&x}}, sections, inverted sections, partials
 * with their indentation, comments, set delimiters, dotted names, {{.}}, standalone lines. No lambdas, no
 * inheritance. Beyond it: the empty string is false in a section, a partial that does not exist is an error at load,
 * and with locales the line breaks beside tags are left out: they are there for who reads the template.
 *
 * Every template is compiled once for each locale: {{t.some_key}} is looked up in the catalogue and {{assets_version}}
 * is taken from the options at that moment, so they cost nothing later. Rendering parses nothing, and allocates in the
 * arena of its output only: the output itself, and for each level of sections a table of keys.
 *
 * Not here: what the documents contain (web/templates/README.md says that).
 *
 * Threads: any number render at once. In developer mode (`directory` given) a render first looks whether a file
 * has changed and compiles all of them again; that takes a lock.
 */
#ifndef VIEW_TEMPLATE_H
#define VIEW_TEMPLATE_H

#include <stddef.h>
#include <stdio.h>

#include "base/err.h"
#include "view/template_limits.h"

struct buffer;
struct fragment_numbers;
struct kept;
struct locales;
struct templates;
struct yyjson_mut_val;

/* One file of templates; the text need not be terminated. */
struct template_source {
    const char *name; /* without folder and .html: what {{> name}} and template_render say */
    const char *text;
    size_t length;
};

struct template_options {
    const char *directory;         /* web directory to read from and to watch; NULL or "": the embedded files */
    const struct locales *locales; /* one set of programs for each; must outlive the templates. With a directory
                                    * they are not used: its catalogues are read, and read again, with the templates */
    const char *assets_version;    /* what {{assets_version}} stands for */
};

/* Compiles templates/ *.html of the embedded files or of the directory. Every mistake goes to `report` as one line
 * "templates/home.html:12: what is wrong", all of them; NULL if there was any. End with templates_free. */
struct templates *templates_load(const struct template_options *options, FILE *report);

/* The same from texts in memory, which are not needed afterwards. locales NULL: one set, in which {{t.x}} is an
 * ordinary name. */
struct templates *templates_compile(const struct template_source *sources, size_t count, const struct locales *locales,
                                    const char *assets_version, FILE *report);
void templates_free(struct templates *t);

/* Keeps what is rendered once (fragment.h) in so many bytes. While nobody renders; without it, and in developer mode,
 * nothing is kept. */
void templates_keep(struct templates *t, size_t bytes);
struct kept *templates_kept(const struct templates *t); /* the same memory, for others; NULL: none */
void templates_count(const struct templates *t, struct fragment_numbers *out);

/* Appends the page to `out`. A locale that is unknown or NULL means the first one. ERR_NOT_FOUND: no such
 * template; ERR_INVALID: sections or partials too deep (recursive partials over recursive data). */
enum err template_render(const struct templates *t, const char *locale, const char *name, struct yyjson_mut_val *root,
                         struct buffer *out);

#endif
