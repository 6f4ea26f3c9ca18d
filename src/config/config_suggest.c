/* config_suggest.c - the name that was probably meant where retwis.ini has an unknown one.
 *
 * The nearest name (text_distance); failing that, a key of that very name in another section; failing
 * that, all the names there are. Pure functions; any thread.
 */
#include "config/config_table.h"

#include <string.h>

#include "base/buffer.h"
#include "base/text.h"

#define NEAR 3 /* so many letters may differ, and fewer than half of the name */

static bool is_near(const char *folded, const char *known, size_t *best)
{
    size_t d = text_distance(folded, known);
    if (d > NEAR || 2 * d >= strlen(known) || d >= *best) {
        return false;
    }
    *best = d;
    return true;
}

static void fold(const char *name, char out[CONFIG_NAME_SIZE])
{
    out[0] = '\0';
    if (strlen(name) < CONFIG_NAME_SIZE) {
        text_fold(name, out);
    }
}

static void list_keys(const char *section, struct buffer *out)
{
    const char *separator = "allowed: ";
    for (size_t i = 0; i < config_key_count; i++) {
        if (strcmp(config_keys[i].section, section) == 0) {
            buffer_printf(out, "%s%s", separator, config_keys[i].name);
            separator = ", ";
        }
    }
}

void config_suggest_key(const char *section, const char *name, struct buffer *out)
{
    char folded[CONFIG_NAME_SIZE];
    const struct config_key *near = NULL, *elsewhere = NULL;
    size_t best = CONFIG_NAME_SIZE;
    fold(name, folded);
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *k = &config_keys[i];
        if (strcmp(k->section, section) == 0) {
            near = is_near(folded, k->name, &best) ? k : near;
        } else if (strcmp(k->name, folded) == 0) {
            elsewhere = k;
        }
    }
    if (near) {
        buffer_printf(out, "did you mean \"%s\"?", near->name);
    } else if (elsewhere) {
        buffer_printf(out, "there is one in [%s]", elsewhere->section);
    } else {
        list_keys(section, out);
    }
}

void config_suggest_section(const char *name, struct buffer *out)
{
    char folded[CONFIG_NAME_SIZE];
    const char *near = NULL;
    size_t best = CONFIG_NAME_SIZE;
    fold(name, folded);
    for (size_t i = 0; i < config_section_count; i++) {
        near = is_near(folded, config_sections[i].name, &best) ? config_sections[i].name : near;
    }
    if (near) {
        buffer_printf(out, "did you mean [%s]?", near);
        return;
    }
    for (size_t i = 0; i < config_section_count; i++) {
        buffer_printf(out, "%s%s", i ? ", " : "allowed: ", config_sections[i].name);
    }
}
