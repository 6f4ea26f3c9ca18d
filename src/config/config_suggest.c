/* config_suggest.c - what somebody probably meant who wrote a name that retwis.ini does not know.
 *
 * The nearest name by Levenshtein's distance; failing that, a key of that very name in another section; failing
 * that, all the names there are. Pure functions; any thread.
 */
#include "config/config_table.h"

#include <string.h>

#include "base/buffer.h"
#include "base/text.h"

#define NEAR 3 /* so many letters may differ, and fewer than half of the name */

/* Letters to change, add or drop to make one name of the other. Names of impossible length are never near. */
static size_t distance(const char *a, const char *b)
{
    size_t row[CONFIG_NAME_SIZE];
    size_t width = strlen(b);
    if (width >= CONFIG_NAME_SIZE || strlen(a) >= CONFIG_NAME_SIZE) {
        return CONFIG_NAME_SIZE;
    }
    for (size_t j = 0; j <= width; j++) {
        row[j] = j;
    }
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            size_t swap = diagonal + (a[i] != b[j]);
            size_t step = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = swap < step ? swap : step;
        }
    }
    return row[width];
}

static bool is_near(const char *folded, const char *known, size_t *best)
{
    size_t d = distance(folded, known);
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
