/* template.c - which templates there are, and a set of programs of all of them for each locale.
 *
 * A set is compiled with a work list: parsing a template asks for its partials, and one that was not asked for
 * before (with that indentation) is put on the list. So a partial is compiled once, may be recursive, and is
 * linked by address. All mistakes of all templates are reported before giving up.
 *
 * Threads: templates_compile and templates_load belong to the main thread. Rendering: any, the sets being
 * immutable. In developer mode the sets are replaced when a file has changed; `lock` is held for reading while
 * one is used.
 */
#include "view/template.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "view/files.h"
#include "view/fragment.h"
#include "view/locale.h"
#include "view/parse.h"
#include "view/program.h"

#define INDENTED_MAX 1000 /* programs of a locale: those of the web site need ten */

/* A program and the text it is made of. */
struct unit {
    struct program program; /* code is NULL until it is compiled */
    const struct template_source *source;
    struct unit *next;
};

/* All programs of a locale. */
struct set {
    const struct locale *locale; /* NULL when there are no locales */
    struct unit *units;          /* the templates themselves, sorted by name, without indentation */
    struct unit *more;           /* indented partials */
    size_t more_count;
};

struct library {
    struct arena *arena;
    struct set *sets;
    size_t set_count;
    struct template_source *sources; /* sorted by name; the texts may be gone */
    size_t source_count;
    const char *assets_version;
};

/* Developer mode: where the files are, and what they were when they were compiled. */
struct watch {
    pthread_rwlock_t lock;
    const char *directory;
    const char *assets_version;
    uint64_t stamp;
    struct library *library; /* what renders use, under the lock */
    struct locales *locales; /* read with the templates, for their {{t.x}} only */
};

struct templates {
    struct library *library; /* NULL in developer mode */
    struct watch *watch;     /* NULL otherwise */
    struct fragments *kept;  /* NULL: nothing is; of programs of the library */
};

/* --- one set ------------------------------------------------------------------------------------------------ */

static int unit_by_name(const void *name, const void *unit)
{
    return strcmp(name, ((const struct unit *)unit)->program.name);
}

static struct unit *find_unit(const struct library *l, const struct set *s, const char *name)
{
    return bsearch(name, s->units, l->source_count, sizeof(*s->units), unit_by_name);
}

struct builder {
    const struct library *library;
    struct set *set;
};

static const char *constant(void *context, const char *name, bool *missing)
{
    const struct builder *b = context;
    if (b->set->locale && strncmp(name, "t.", 2) == 0) {
        const char *text = locale_find(b->set->locale, name + 2);
        *missing = !text;
        return text;
    }
    return strcmp(name, "assets_version") == 0 ? b->library->assets_version : NULL;
}

static const struct program *template_partial(void *context, const char *name, const char *indent)
{
    const struct builder *b = context;
    struct unit *plain = find_unit(b->library, b->set, name);
    if (!plain || !indent[0]) {
        return plain ? &plain->program : NULL;
    }
    for (struct unit *u = b->set->more; u; u = u->next) {
        if (u->source == plain->source && strcmp(u->program.indent, indent) == 0) {
            return &u->program;
        }
    }
    struct unit *u = arena_zero(b->library->arena, sizeof(*u));
    u->program = (struct program){.name = plain->program.name, .indent = indent};
    u->source = plain->source;
    u->next = b->set->more;
    b->set->more = u;
    b->set->more_count++;
    return &u->program;
}

static bool template_is_full(const void *context)
{
    const struct builder *b = context;
    return b->set->more_count >= INDENTED_MAX;
}

static bool compile_unit(struct unit *u, const struct parse_host *host)
{
    return program_parse(&u->program, u->source->text, u->source->length, host);
}

/* Indented partials are put at the head of the list while it is worked on: until nothing new comes. */
static bool compile_more(struct set *s, const struct parse_host *host)
{
    bool good = true;
    struct unit *done = NULL;
    while (s->more != done) {
        struct unit *head = s->more;
        for (struct unit *u = head; u != done; u = u->next) {
            good &= compile_unit(u, host);
        }
        done = head;
    }
    return good;
}

static bool compile_set(struct library *l, struct set *s, bool first, FILE *report)
{
    struct builder builder = {l, s};
    struct parse_host host = {.arena = l->arena,
                              .report = report,
                              .context = &builder,
                              .constant = constant,
                              .partial = template_partial,
                              .is_full = template_is_full,
                              .is_page = s->locale != NULL,
                              .quiet = !first};
    if (s->locale) {
        host.missing_in = arena_printf(l->arena, "locales/%s.json", locale_code(s->locale));
    }
    s->units = arena_zero(l->arena, (l->source_count + 1) * sizeof(*s->units));
    for (size_t i = 0; i < l->source_count; i++) {
        s->units[i].program = (struct program){.name = l->sources[i].name, .indent = ""};
        s->units[i].source = &l->sources[i];
    }
    bool good = true;
    for (size_t i = 0; i < l->source_count; i++) {
        good &= compile_unit(&s->units[i], &host);
    }
    return compile_more(s, &host) && good;
}

/* --- all sets ----------------------------------------------------------------------------------------------- */

static int source_by_name(const void *a, const void *b)
{
    return strcmp(((const struct template_source *)a)->name, ((const struct template_source *)b)->name);
}

static void library_free(struct library *l)
{
    if (l) {
        arena_free(l->arena);
        free(l);
    }
}

static struct library *library_compile(const struct template_source *sources, size_t count,
                                       const struct locales *locales, const char *assets_version, FILE *report)
{
    struct library *l = mem_zero(1, sizeof(*l));
    l->arena = arena_new();
    l->assets_version = assets_version ? arena_dup(l->arena, assets_version) : NULL;
    l->source_count = count;
    l->sources = arena_zero(l->arena, (count + 1) * sizeof(*l->sources));
    for (size_t i = 0; i < count; i++) {
        l->sources[i] = sources[i];
        l->sources[i].name = arena_dup(l->arena, sources[i].name);
    }
    qsort(l->sources, count, sizeof(*l->sources), source_by_name);

    l->set_count = locales ? locales_count(locales) : 1;
    l->sets = arena_zero(l->arena, l->set_count * sizeof(*l->sets));
    bool good = true;
    for (size_t i = 0; i < l->set_count; i++) {
        l->sets[i].locale = locales ? locales_at(locales, i) : NULL;
        good &= compile_set(l, &l->sets[i], i == 0, report);
    }
    if (!good) {
        library_free(l);
        return NULL;
    }
    return l;
}

/* The files of the directory, or the embedded ones. NULL with a line on report. */
static struct template_source *read_sources(struct arena *a, const char *directory, size_t *count, FILE *report)
{
    struct view_file *files = files_gather(a, directory, "templates", ".html", count, report);
    struct template_source *sources = files ? arena_alloc(a, *count * sizeof(*sources)) : NULL;
    for (size_t i = 0; sources && i < *count; i++) {
        sources[i] = (struct template_source){files[i].name, files[i].text, files[i].length};
    }
    return sources;
}

static enum err library_render(const struct library *l, const char *locale, const char *name,
                               struct yyjson_mut_val *root, struct fragments *kept, struct buffer *out)
{
    const struct set *s = &l->sets[0];
    for (size_t i = 1; locale && i < l->set_count; i++) {
        if (strcmp(locale_code(l->sets[i].locale), locale) == 0) {
            s = &l->sets[i];
        }
    }
    const struct unit *u = find_unit(l, s, name);
    return u ? program_run(&u->program, root, kept, out) : ERR_NOT_FOUND;
}

/* --- developer mode ----------------------------------------------------------------------------------------- */

static uint64_t watch_stamp(const struct watch *w)
{
    return files_stamp(w->directory, "templates", ".html") * 31 + files_stamp(w->directory, "locales", ".json");
}

/* Compiles what is on disk. False, with what there was kept, if it has mistakes. */
static bool watch_compile(struct watch *w, FILE *report)
{
    size_t count;
    struct arena *scratch = arena_new();
    struct locales *locales = locales_load(w->directory, report);
    struct template_source *sources = locales ? read_sources(scratch, w->directory, &count, report) : NULL;
    struct library *l = sources ? library_compile(sources, count, locales, w->assets_version, report) : NULL;
    arena_free(scratch);
    if (!l) {
        locales_free(locales);
        return false;
    }
    library_free(w->library);
    locales_free(w->locales);
    w->library = l;
    w->locales = locales;
    return true;
}

/* Compiles again if a file has changed. Mistakes go to the log and the pages stay what they were. */
static void watch_refresh(struct watch *w)
{
    uint64_t stamp = watch_stamp(w);
    mutex_read_lock(&w->lock);
    bool changed = stamp != w->stamp;
    mutex_rw_unlock(&w->lock);
    if (!changed) {
        return;
    }
    char *text = NULL;
    size_t size = 0;
    FILE *report = open_memstream(&text, &size);
    require(report);
    mutex_write_lock(&w->lock);
    w->stamp = stamp;
    bool good = watch_compile(w, report);
    mutex_rw_unlock(&w->lock);
    fclose(report);
    for (char *rest = text, *line; !good && (line = strsep(&rest, "\n")) && rest;) {
        log_error("view", "%s", line);
    }
    free(text);
}

static enum err watch_render(struct watch *w, const char *locale, const char *name, struct yyjson_mut_val *root,
                             struct buffer *out)
{
    watch_refresh(w);
    mutex_read_lock(&w->lock);
    enum err e = library_render(w->library, locale, name, root, NULL, out);
    mutex_rw_unlock(&w->lock);
    return e;
}

static void watch_free(struct watch *w)
{
    if (w) {
        library_free(w->library);
        locales_free(w->locales);
        pthread_rwlock_destroy(&w->lock);
        free((char *)w->directory);
        free((char *)w->assets_version);
        free(w);
    }
}

static struct watch *watch_start(const char *directory, const char *assets_version, FILE *report)
{
    struct watch *w = mem_zero(1, sizeof(*w));
    pthread_rwlock_init(&w->lock, NULL);
    w->directory = mem_dup(directory);
    w->assets_version = mem_dup(assets_version ? assets_version : "");
    w->stamp = watch_stamp(w);
    if (!watch_compile(w, report)) {
        watch_free(w);
        return NULL;
    }
    return w;
}

/* --- public ------------------------------------------------------------------------------------------------- */

static struct templates *template_make(struct library *library, struct watch *watch)
{
    if (!library && !watch) {
        return NULL;
    }
    struct templates *t = mem_zero(1, sizeof(*t));
    t->library = library;
    t->watch = watch;
    return t;
}

struct templates *templates_load(const struct template_options *o, FILE *report)
{
    if (o->directory && o->directory[0]) {
        return template_make(NULL, watch_start(o->directory, o->assets_version, report));
    }
    size_t count;
    struct arena *scratch = arena_new();
    struct template_source *sources = read_sources(scratch, NULL, &count, report);
    struct templates *t = sources ? templates_compile(sources, count, o->locales, o->assets_version, report) : NULL;
    arena_free(scratch);
    return t;
}

struct templates *templates_compile(const struct template_source *sources, size_t count, const struct locales *locales,
                                    const char *assets_version, FILE *report)
{
    return template_make(library_compile(sources, count, locales, assets_version, report), NULL);
}

void templates_free(struct templates *t)
{
    if (t) {
        fragments_free(t->kept);
        library_free(t->library);
        watch_free(t->watch);
        free(t);
    }
}

void templates_keep(struct templates *t, size_t bytes)
{
    fragments_free(t->kept);
    t->kept = t->library ? fragments_new(bytes) : NULL;
}

void templates_count(const struct templates *t, struct fragment_numbers *out)
{
    fragments_count(t->kept, out);
}

enum err template_render(const struct templates *t, const char *locale, const char *name, struct yyjson_mut_val *root,
                         struct buffer *out)
{
    return t->watch ? watch_render(t->watch, locale, name, root, out)
                    : library_render(t->library, locale, name, root, t->kept, out);
}

struct kept *templates_kept(const struct templates *t)
{
    return fragments_kept(t->kept);
}
