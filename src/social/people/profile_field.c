/* profile_field.c - see profile_field.h. Any thread. */
#include "social/people/profile_field.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "social/core/problem.h"

/* Without what surrounds it; "" if it shows nothing. */
static const char *tidy(struct arena *a, const char *typed)
{
    char *text = arena_dup(a, typed ? typed : "");
    text_tidy(text);
    bool shows = !text_is_clean(text, strlen(text)) || !text_is_blank(text, strlen(text));
    return shows ? text : "";
}

static void check_part(const char *name, const char *text, struct problems *p)
{
    const struct problem_text_rule rule = {name, "field_invalid", "field_too_long", PROFILE_FIELD_MAX, true};
    problem_check_text(p, text, &rule);
}

const char *profile_fields_pack(struct arena *a, const struct profile_field fields[PROFILE_FIELDS_MAX],
                                struct problems *p)
{
    struct buffer out = buffer_make(a);
    for (unsigned i = 0; i < PROFILE_FIELDS_MAX; i++) {
        const char *name = tidy(a, fields[i].name), *value = tidy(a, fields[i].value);
        if (!*name && !*value) {
            continue;
        }
        const char *name_field = arena_printf(a, "field_%u_name", i + 1);
        check_part(name_field, name, p);
        check_part(arena_printf(a, "field_%u_value", i + 1), value, p);
        if (!*name) {
            problem_add(p, name_field, "field_name_blank");
        }
        buffer_printf(&out, "%s\t%s\n", name, value);
    }
    return buffer_string(&out);
}

size_t profile_fields_read(struct arena *a, const char *packed, struct profile_field out[PROFILE_FIELDS_MAX])
{
    size_t count = 0;
    char *rest = arena_dup(a, packed ? packed : "");
    for (char *line; count < PROFILE_FIELDS_MAX && (line = strtok_r(rest, "\n", &rest));) {
        char *tab = strchr(line, '\t');
        if (tab) {
            *tab = '\0';
            out[count++] = (struct profile_field){line, tab + 1};
        }
    }
    return count;
}
