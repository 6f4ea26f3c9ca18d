/* bundle.c - see bundle.h. Understands what web/js writes and no more: each `import` and `export` begins a line, imports name
 * what they take ("as" is refused) from a file beside them, and nothing else at the top level begins a line like these. */
#include "bundle.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "tool.h"

#define MODULES_MOST 100
#define NAMES_MOST 1000

struct module {
    const char *path;
    bool done; /* else it waits for what it imports */
};

struct declared {
    char *name;
    const char *path;
};

static struct module modules[MODULES_MOST];
static size_t module_count;
static struct declared names[NAMES_MOST];
static size_t name_count;

static bool begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

static const char *line_after(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* Behind the statement that begins here: its ';' ends a line. */
static const char *statement_end(const char *path, const char *statement)
{
    const char *end = strstr(statement, ";\n");
    if (!end) {
        fail("%s: a statement without its end: %.40s", path, statement);
    }
    return end + 2;
}

/* The file that an import names. */
static char *imported(const char *path, const char *statement, const char *end)
{
    char *text = copy(statement, (size_t)(end - statement));
    char *name = strstr(text, "\"./");
    char *stop = name ? strchr(name + 1, '"') : NULL;
    if (!stop || strstr(text, " as ")) {
        fail("%s: embed/bundle.c does not understand: %s", path, text);
    }
    *stop = '\0';
    return print("%.*s%s", (int)(strrchr(path, '/') + 1 - path), path, name + 3);
}

/* The word that a line declares at the top level; NULL if none. */
static char *declared_name(const char *line)
{
    static const char *const kinds[] = {"const ", "let ", "class ", "function ", "async function "};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const char *name = line + strlen(kinds[i]);
        if (begins(line, kinds[i])) {
            size_t length = 0;
            while (isalnum((unsigned char)name[length]) || name[length] == '_' || name[length] == '$') {
                length++;
            }
            return copy(name, length);
        }
    }
    return NULL;
}

static void declare(const char *path, char *name)
{
    if (!name[0]) {
        fail("%s: embed/bundle.c does not see what is declared", path);
    }
    for (size_t i = 0; i < name_count; i++) {
        if (strcmp(names[i].name, name) == 0) {
            fail("%s: \"%s\" is declared in %s, too", path, name, names[i].path);
        }
    }
    if (name_count == NAMES_MOST) {
        fail("%s: more than %d names", path, NAMES_MOST);
    }
    names[name_count++] = (struct declared){name, path};
}

/* The module's own lines. */
static void bundle_text(struct text *out, const char *path, const char *line)
{
    while (*line) {
        if (begins(line, "import ") || begins(line, "export {")) {
            line = statement_end(path, line);
            continue;
        }
        line += begins(line, "export ") ? strlen("export ") : 0;
        char *name = declared_name(line);
        if (name) {
            declare(path, name);
        }
        const char *next = line_after(line);
        text_add(out, line, (size_t)(next - line));
        line = next;
    }
}

static void bundle_add(struct text *out, const char *path)
{
    for (size_t i = 0; i < module_count; i++) {
        if (strcmp(modules[i].path, path) == 0) {
            if (!modules[i].done) {
                fail("%s: modules that import each other", path);
            }
            return;
        }
    }
    if (module_count == MODULES_MOST) {
        fail("%s: more than %d modules", path, MODULES_MOST);
    }
    struct module *m = &modules[module_count++];
    *m = (struct module){.path = path};
    size_t size;
    const char *text = read_file(path, &size);
    for (const char *line = text; *line; line = line_after(line)) {
        if (begins(line, "import ")) {
            bundle_add(out, imported(path, line, statement_end(path, line)));
        }
    }
    bundle_text(out, path, text);
    m->done = true;
}

char *bundle_modules(const char *entry, size_t *size)
{
    struct text out = {0};
    bundle_add(&out, entry);
    *size = out.length;
    return out.data;
}
