/* config_write.c - the table as documents: retwis.ini itself, the body of retwis.ini(5), the values in effect, and how
 * two configurations differ.
 *
 * The first two are made of the same sentences, so they cannot say different things. Nothing here knows a key.
 *
 * Threads: any; each call has its own memory.
 */
#include "config/config.h"
#include "config/config_table.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/panic.h"
#include "base/text.h"

#define WIDTH 78 /* of a line of comment, "# " included */

static const char *const introduction[] = {
    "Configuration of Retwis. Read once, when the server starts.",
    NULL,
    "A line that begins with # and directly a name, such as #listen = 8080, is a setting at its default: remove the # "
    "and change the value. After a value, a # or ; with a blank before it begins a comment.",
    NULL,
    "Files of the directory conf.d beside this one whose names end with .ini are read after it, in the order of their "
    "names; what they say wins over what came before.",
    NULL,
    "Every setting has a variable of the environment too, which wins over all files: RETWIS_, the section, _ and the "
    "name, in capitals, such as RETWIS_HTTP_LISTEN=127.0.0.1:8080.",
    NULL,
    "\"retwis check-config\" finds every mistake before the server does. What can change while the server runs (name "
    "of the site, who may sign up, length of posts) is not here but in \"retwis settings list\".",
};

/* Default, rule and when it takes effect. */
static void config_describe(const struct config_key *k, struct buffer *out)
{
    buffer_printf(out, "Default: %s. Allowed: ", *k->initial ? k->initial : "empty");
    config_value_describe(k, out);
    buffer_text(out, k->reload ? ". A change takes effect on SIGHUP (systemctl reload retwis)."
                               : ". A change takes effect after a restart.");
}

/* Writes the text as lines of comment, broken between words. */
static void write_wrapped(FILE *out, const char *text)
{
    while (*text) {
        size_t end = 0, columns = 2;
        for (size_t i = 0; text[i] && columns < WIDTH; i++) {
            columns += text_count(text + i, 1);
            end = text[i + 1] == ' ' || !text[i + 1] ? i + 1 : end;
        }
        end = end ? end : strcspn(text, " "); /* a word wider than the line stands alone */
        fprintf(out, "# %.*s\n", (int)end, text);
        text += end + strspn(text + end, " ");
    }
}

static void write_ini_key(FILE *out, struct arena *a, const struct config_key *k)
{
    struct buffer rule = buffer_make(a);
    config_describe(k, &rule);
    fputc('\n', out);
    write_wrapped(out, k->help);
    write_wrapped(out, buffer_string(&rule));
    fprintf(out, "#%s =%s%s\n", k->name, *k->initial ? " " : "", k->initial);
}

void config_write_ini(FILE *out)
{
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof(introduction) / sizeof(introduction[0]); i++) {
        if (introduction[i]) {
            write_wrapped(out, introduction[i]);
        } else {
            fputs("#\n", out);
        }
    }
    for (size_t s = 0; s < config_section_count; s++) {
        fprintf(out, "\n\n[%s]\n\n", config_sections[s].name);
        write_wrapped(out, config_sections[s].help);
        for (size_t i = 0; i < config_key_count; i++) {
            if (strcmp(config_keys[i].section, config_sections[s].name) == 0) {
                write_ini_key(out, a, &config_keys[i]);
            }
        }
    }
    arena_free(a);
}

/* Text for roff: no byte of it acts as a request or an escape. */
static void write_roff(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'') {
        fputs("\\&", out);
    }
    for (const char *p = text; *p; p++) {
        if (*p == '\\') {
            fputs("\\e", out);
        } else if (*p == '-') {
            fputs("\\-", out);
        } else if (strncmp(p, "…", strlen("…")) == 0) {
            fputs("...", out);
            p += strlen("…") - 1;
        } else {
            fputc(*p, out);
        }
    }
    fputc('\n', out);
}

static void write_man_key(FILE *out, struct arena *a, const struct config_key *k)
{
    struct buffer rule = buffer_make(a);
    config_describe(k, &rule);
    fputs(".TP\n.B ", out);
    write_roff(out, k->name);
    write_roff(out, k->help);
    fputs(".br\n", out);
    write_roff(out, buffer_string(&rule));
}

void config_write_man(FILE *out)
{
    struct arena *a = arena_new();
    for (size_t s = 0; s < config_section_count; s++) {
        fprintf(out, ".SS [%s]\n", config_sections[s].name);
        write_roff(out, config_sections[s].help);
        for (size_t i = 0; i < config_key_count; i++) {
            if (strcmp(config_keys[i].section, config_sections[s].name) == 0) {
                write_man_key(out, a, &config_keys[i]);
            }
        }
    }
    arena_free(a);
}

/* Texts as they are: what config_value_write makes of a URL hides its password. */
static bool value_differs(const struct config_key *k, const struct config *x, const struct config *y, struct arena *a)
{
    if (k->type == CONFIG_TYPE_TEXT || k->type == CONFIG_TYPE_PATH) {
        return strcmp(*(const char *const *)((const char *)x + k->offset),
                      *(const char *const *)((const char *)y + k->offset)) != 0;
    }
    struct buffer one = buffer_make(a), other = buffer_make(a);
    config_value_write(k, x, &one);
    config_value_write(k, y, &other);
    return strcmp(buffer_string(&one), buffer_string(&other)) != 0;
}

char *config_restart_keys(const struct config *now, const struct config *fresh)
{
    struct arena *a = arena_new();
    struct buffer out = buffer_make(a);
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *k = &config_keys[i];
        if (!k->reload && value_differs(k, now, fresh, a)) {
            buffer_printf(&out, "%s%s.%s", out.length ? ", " : "", k->section, k->name);
        }
    }
    char *keys = mem_dup(buffer_string(&out));
    arena_free(a);
    return keys;
}

void config_print(const struct config *c, FILE *out)
{
    struct arena *a = arena_new();
    for (size_t i = 0; i < config_key_count; i++) {
        struct buffer value = buffer_make(a);
        config_value_write(&config_keys[i], c, &value);
        fprintf(out, "%s.%s =%s%s\n", config_keys[i].section, config_keys[i].name, value.length ? " " : "",
                buffer_string(&value));
    }
    arena_free(a);
}
