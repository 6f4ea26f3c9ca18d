/* names.c - see names.h. Connection threads. */
#include "pages/names.h"

#include <string.h>

#include "base/arena.h"
#include "pages/page.h"
#include "view/locale.h"

#define SEPARATORS ", \t\r\n;@"

/* Cuts a list of names and puts them behind `count` others; returns how many there are now, which may be more than fit. */
static size_t names_split(struct arena *a, const char *text, struct follow_item *items, size_t count, size_t most)
{
    while (*text) {
        text += strspn(text, SEPARATORS);
        size_t length = strcspn(text, SEPARATORS);
        if (length) {
            if (count < most) {
                items[count] = (struct follow_item){.name = arena_dup_n(a, text, length)};
            }
            count++;
        }
        text += length;
    }
    return count;
}

enum err names_read(struct page *p, size_t most, struct follow_item **items, size_t *count, struct problems *problems)
{
    *items = arena_alloc(p->arena, most * sizeof(**items));
    *count = 0;
    for (size_t i = 0; i < p->req->form.count; i++) { /* a field of many names, or one for each */
        const struct http_pair *field = &p->req->form.items[i];
        if (strcmp(field->name, "names") == 0) {
            *count = names_split(p->arena, field->value, *items, *count, most);
        }
    }
    if (*count == 0) {
        problem_add(problems, "names", "names_blank");
    } else if (*count > most) {
        problem_add_numbers(problems, "names", "names_too_many", 0, (int64_t)most, (int64_t)*count);
    }
    return problems->count ? ERR_INVALID : ERR_OK;
}

void names_put_results(struct page *p, const struct follow_item *items, size_t count, const char *const *keys)
{
    yyjson_mut_val *results = page_list(p, "results");
    for (size_t i = 0; i < count; i++) {
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(p->entity.doc, results);
        page_put(p, one, "name", items[i].name, "text", locale_text(p->locale, keys[items[i].result]), NULL);
        yyjson_mut_obj_add_bool(p->entity.doc, one, "ok",
                                items[i].result == FOLLOW_CHANGED || items[i].result == FOLLOW_UNCHANGED);
    }
    yyjson_mut_obj_add_bool(p->entity.doc, p->root, "has_results", count > 0);
}
