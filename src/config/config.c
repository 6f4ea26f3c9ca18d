/* config.c - reads retwis.ini, the files of conf.d beside it, and the environment into struct config, and reports every
 * mistake with its place.
 *
 * inih splits the lines. By itself it would silently accept mistakes that matter here (a broken section header, a line
 * without "=", a line cut at its buffer). So it gets its lines from config_read_line, which checks them first, knows
 * their numbers, reports a bad one and hands on an empty line in its place. Each key then goes through config_value.c,
 * and the rules between keys come last. Defaults go the same way as what people write, so a bad default is noticed.
 *
 * What this is not: the list of keys (config_table.c).
 *
 * Threads: the main thread only. inih's options are global variables of the library; nothing else here uses it.
 */
#include "config/config.h"
#include "config/config_table.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/panic.h"
#include "base/text.h"

#define DEFAULT_FILE "/etc/retwis/retwis.ini"
#define DIRECTORY "conf.d"
#define FILE_SIZE_MAX (1 << 20)
#define LINE_SIZE 4096  /* longest line, with its end and NUL */
#define BAD_SECTION "?" /* stands for a section that was reported already: its keys are skipped */
#define ENV_PREFIX "RETWIS_"

extern char **environ;

/* What the caller of config_load gets is the first member. */
struct loaded {
    struct config config;
    struct arena *arena;
};

struct origin {
    const char *file;
    unsigned number; /* of the file, from 1 */
    unsigned line;   /* in it; 0: nowhere */
    bool from_env;
    bool bad;
};

struct loader {
    struct loaded *out;
    FILE *report;
    const char *file;
    FILE *in;
    unsigned files; /* so many were opened */
    unsigned line;
    unsigned mistakes;
    char *text; /* the line as getline gave it */
    size_t size;
    struct origin *origins; /* one for each key of the table */
};

/* --- reporting ----------------------------------------------------------------------------------------------- */

/* A mistake on the line that is being read. */
__attribute__((format(printf, 2, 3))) static void mistake(struct loader *l, const char *format, ...)
{
    va_list args;
    fprintf(l->report, "%s:%u: ", l->file, l->line);
    va_start(args, format);
    vfprintf(l->report, format, args);
    va_end(args);
    fputc('\n', l->report);
    l->mistakes++;
}

/* RETWIS_HTTP_LISTEN of http.listen. */
static void env_name(const struct config_key *k, char out[CONFIG_NAME_SIZE])
{
    snprintf(out, CONFIG_NAME_SIZE, ENV_PREFIX "%s_%s", k->section, k->name);
    for (char *p = out; *p; p++) {
        *p = *p >= 'a' && *p <= 'z' ? (char)(*p - 32) : *p;
    }
}

/* Where the value of a key came from: "file:line", the variable, or the word default. */
static void print_origin(struct loader *l, size_t key)
{
    char name[CONFIG_NAME_SIZE];
    if (l->origins[key].from_env) {
        env_name(&config_keys[key], name);
        fprintf(l->report, "environment: %s: ", name);
    } else if (l->origins[key].line) {
        fprintf(l->report, "%s:%u: ", l->origins[key].file, l->origins[key].line);
    } else {
        fputs("default: ", l->report);
    }
}

/* --- the file ------------------------------------------------------------------------------------------------ */

/* Checks "[name]" and writes the line that inih gets. */
static void read_header(struct loader *l, char *header, char *out, size_t room)
{
    const char *name = BAD_SECTION;
    char *end = strchr(header, ']');
    char *rest = end ? end + 1 + strspn(end + 1, " \t") : NULL;
    if (!end) {
        mistake(l, "this section header has no \"]\" at its end");
    } else if (*rest && *rest != '#' && *rest != ';') {
        mistake(l, "there is something after the \"]\" of this section header; a key needs its own line");
    } else {
        *end = '\0';
        text_tidy(header + 1);
        if (config_section_is(header + 1)) {
            name = header + 1;
        } else {
            struct buffer hint = buffer_make(l->out->arena);
            config_suggest_section(header + 1, &hint);
            mistake(l, "unknown section [%s]; %s", header + 1, buffer_string(&hint));
        }
    }
    snprintf(out, room, "[%s]", name);
}

/* inih's source of lines: reads one of any length, checks it, and gives an empty one for what it had to report. */
static char *config_read_line(char *out, int room, void *user)
{
    struct loader *l = user;
    errno = 0;
    ssize_t got = getline(&l->text, &l->size, l->in);
    if (got < 0) {
        return NULL;
    }
    l->line++;
    *out = '\0';
    size_t n = (size_t)got;
    while (n > 0 && (l->text[n - 1] == '\n' || l->text[n - 1] == '\r')) {
        l->text[--n] = '\0';
    }
    char *text = l->text;
    if (l->line == 1 && n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3; /* byte order mark, as some editors put it */
        n -= 3;
    }
    char *start = text + strspn(text, " \t");
    if (strlen(text) != n || !text_is_clean(text, n)) {
        mistake(l, "this line holds a control character or is not UTF-8");
    } else if (*start == '#' || *start == ';') {
        return out; /* a comment, of any length */
    } else if (n > (size_t)room - 3) {
        mistake(l, "this line is longer than %d bytes", room - 3);
    } else if (*start == '[') {
        read_header(l, start, out, (size_t)room);
    } else {
        memcpy(out, text, n + 1);
    }
    return out;
}

/* Stores a value that is known to belong to a key; reports what is wrong with it. */
static void config_set(struct loader *l, size_t key, const char *value)
{
    const struct config_key *k = &config_keys[key];
    struct buffer why = buffer_make(l->out->arena);
    l->origins[key].bad = !config_value_parse(k, value, &l->out->config, l->out->arena, &why);
    if (l->origins[key].bad) {
        print_origin(l, key);
        fprintf(l->report, "%s.%s %s\n", k->section, k->name, buffer_string(&why));
        l->mistakes++;
    }
}

/* inih found a key. Returns 1 always: inih would stop telling of some lines after an error. */
static int on_key(void *user, const char *section, const char *name, const char *value)
{
    struct loader *l = user;
    if (strcmp(section, BAD_SECTION) == 0) {
        return 1;
    }
    if (!value) {
        mistake(l, "\"%s\" is not understood; expected [section], key = value, or # and a comment", name);
        return 1;
    }
    if (!*name) {
        mistake(l, "there is no name before the \"=\"");
        return 1;
    }
    if (!*section) {
        mistake(l, "\"%s\" stands before the first section; put a line such as [http] above it", name);
        return 1;
    }
    size_t key = config_key_find(section, name);
    if (key == config_key_count) {
        struct buffer hint = buffer_make(l->out->arena);
        config_suggest_key(section, name, &hint);
        mistake(l, "unknown key \"%s\" in [%s]; %s", name, section, buffer_string(&hint));
    } else if (l->origins[key].number == l->files) {
        mistake(l, "%s.%s is there twice; the first is on line %u", section, name, l->origins[key].line);
    } else {
        l->origins[key] = (struct origin){.file = l->file, .number = l->files, .line = l->line};
        config_set(l, key, value);
    }
    return 1;
}

static void config_read_file(struct loader *l)
{
    ini_allow_multiline = false; /* a continued line would set its key twice */
    ini_allow_no_value = true;   /* on_key reports them, with the line */
    ini_allow_bom = false;
    ini_start_comment_prefixes = (char *)(uintptr_t) "#;";
    ini_inline_comment_prefixes = (char *)(uintptr_t) "#;"; /* after a blank only */
    ini_use_stack = true;
    ini_max_line = LINE_SIZE;
    ini_parse_stream(config_read_line, l, on_key, l);
    if (ferror(l->in)) {
        fprintf(l->report, "%s: cannot be read: %s\n", l->file, strerror(errno));
        l->mistakes++;
    }
    free(l->text);
    l->text = NULL;
    l->size = 0;
}

/* Why an open file cannot be a configuration; NULL: it can. A device or a pipe may never end. */
static const char *unfit(int fd)
{
    struct stat s;
    if (fstat(fd, &s) != 0) {
        return strerror(errno);
    }
    if (!S_ISREG(s.st_mode)) {
        return S_ISDIR(s.st_mode) ? "it is a directory" : "it is no ordinary file";
    }
    return s.st_size > FILE_SIZE_MAX ? "it is larger than 1 MiB" : NULL;
}

/* Reads one file. `optional`: one that is not there is no mistake. */
static void open_file(struct loader *l, const char *path, bool optional)
{
    l->file = path;
    l->line = 0;
    int fd = open(l->file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); /* a pipe without a writer must not block */
    if (fd < 0 && optional && errno == ENOENT) {
        return;
    }
    const char *why = fd < 0 ? strerror(errno) : unfit(fd);
    l->in = why ? NULL : fdopen(fd, "r");
    if (l->in) {
        l->files++;
        config_read_file(l);
        fclose(l->in);
        return;
    }
    fprintf(l->report, "%s: cannot be %s: %s\n", l->file, fd < 0 ? "opened" : "read", why ? why : strerror(errno));
    l->mistakes++;
    if (fd >= 0) {
        close(fd);
    }
}

/* --- the directory beside it ----------------------------------------------------------------------------------- */

/* False, with the mistake reported, if anybody but root and the user who runs this could have written the file:
 * settings decide where passwords are sent. */
static bool config_is_ours(struct loader *l, const char *path)
{
    struct stat s;
    const char *why = NULL;
    if (stat(path, &s) != 0) {
        why = strerror(errno);
    } else if (s.st_uid != 0 && s.st_uid != geteuid()) {
        why = "belongs neither to root nor to the user that runs retwis";
    } else if (s.st_mode & S_IWOTH) {
        why = "can be written by everybody; chmod o-w helps";
    } else {
        return true;
    }
    fprintf(l->report, "%s: is not read: %s\n", path, why);
    l->mistakes++;
    return false;
}

static int compare_names(const struct dirent **x, const struct dirent **y)
{
    return strcmp((*x)->d_name, (*y)->d_name);
}

static int is_ini_name(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 4 && strcmp(entry->d_name + length - 4, ".ini") == 0;
}

/* Whole files override what came before them, in the order of the bytes of their names. */
static void read_directory(struct loader *l, const char *main_file)
{
    const char *slash = strrchr(main_file, '/');
    int length = slash ? (int)(slash - main_file) + 1 : 0;
    const char *directory = arena_printf(l->out->arena, "%.*s" DIRECTORY, length, main_file);
    struct dirent **names = NULL;
    int count = scandir(directory, &names, is_ini_name, compare_names);
    if (count < 0 && errno != ENOENT && errno != ENOTDIR) {
        fprintf(l->report, "%s: cannot be read: %s\n", directory, strerror(errno));
        l->mistakes++;
    }
    bool good = count <= 0 || config_is_ours(l, directory);
    for (int i = 0; i < count; i++) {
        const char *path = arena_printf(l->out->arena, "%s/%s", directory, names[i]->d_name);
        if (good && config_is_ours(l, path)) {
            open_file(l, path, false);
        }
        free(names[i]);
    }
    free(names);
}

/* --- the environment ----------------------------------------------------------------------------------------- */

/* Applies one "RETWIS_SECTION_KEY=value". Names that belong to no section are somebody else's. */
static void read_variable(struct loader *l, const char *variable)
{
    const char *equals = strchr(variable, '=');
    char name[CONFIG_NAME_SIZE], folded[CONFIG_NAME_SIZE];
    size_t prefix = strlen(ENV_PREFIX);
    if (!equals || strncmp(variable, ENV_PREFIX, prefix) != 0 || (size_t)(equals - variable) >= sizeof(name)) {
        return;
    }
    snprintf(name, sizeof(name), "%.*s", (int)((size_t)(equals - variable) - prefix), variable + prefix);
    char *key_name = strchr(text_fold(name, folded), '_');
    if (!key_name) {
        return;
    }
    *key_name++ = '\0';
    if (!config_section_is(folded)) {
        return;
    }
    size_t key = config_key_find(folded, key_name);
    if (key == config_key_count) {
        struct buffer hint = buffer_make(l->out->arena);
        config_suggest_key(folded, key_name, &hint);
        fprintf(l->report, "environment: %.*s: unknown key \"%s\" in [%s]; %s\n", (int)(equals - variable), variable,
                key_name, folded, buffer_string(&hint));
        l->mistakes++;
        return;
    }
    l->origins[key].from_env = true;
    config_set(l, key, equals + 1);
}

static void read_environment(struct loader *l)
{
    for (char **p = environ; p && *p; p++) {
        read_variable(l, *p);
    }
}

/* --- the whole ----------------------------------------------------------------------------------------------- */

static size_t find_dotted(const char *dotted)
{
    char section[CONFIG_NAME_SIZE];
    const char *dot = strchr(dotted, '.');
    require(dot && (size_t)(dot - dotted) < sizeof(section));
    snprintf(section, sizeof(section), "%.*s", (int)(dot - dotted), dotted);
    size_t key = config_key_find(section, dot + 1);
    require(key < config_key_count);
    return key;
}

/* Rules over a key that has a mistake already are left out: they would judge the default in its place. */
static void check_rules(struct loader *l)
{
    for (size_t i = 0; i < config_rule_count; i++) {
        const struct config_rule *r = &config_rules[i];
        size_t at = find_dotted(r->at);
        if (!l->origins[at].bad && !l->origins[find_dotted(r->other)].bad && r->broken(&l->out->config)) {
            print_origin(l, at);
            fprintf(l->report, "%s %s\n", r->at, r->text);
            l->mistakes++;
        }
    }
}

static struct loaded *defaults(void)
{
    struct loaded *out = mem_zero(1, sizeof(*out));
    out->arena = arena_new();
    struct buffer why = buffer_make(out->arena);
    for (size_t i = 0; i < config_key_count; i++) {
        require(config_value_parse(&config_keys[i], config_keys[i].initial, &out->config, out->arena, &why));
    }
    return out;
}

const char *config_main_file(const char *path)
{
    return path ? path : DEFAULT_FILE;
}

struct config *config_load(const char *path, FILE *report)
{
    struct loader l = {.out = defaults(), .report = report};
    l.origins = mem_zero(config_key_count, sizeof(*l.origins));
    open_file(&l, config_main_file(path), !path);
    read_directory(&l, config_main_file(path));
    read_environment(&l);
    check_rules(&l);
    free(l.origins);
    if (l.mistakes) {
        config_free(&l.out->config);
        return NULL;
    }
    return &l.out->config;
}

void config_each_path(const struct config *c, void (*f)(void *context, const char *path), void *context)
{
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *k = &config_keys[i];
        if (k->type == CONFIG_TYPE_PATH && k->offset != offsetof(struct config, state.directory)) {
            const char *path = *(const char *const *)((const char *)c + k->offset);
            if (*path) {
                f(context, path);
            }
        }
    }
}

void config_free(struct config *c)
{
    struct loaded *l = (struct loaded *)c;
    if (l) {
        arena_free(l->arena);
        free(l);
    }
}
