/* listening_place.c - see listening.h: ids of events. They are numbers of the hub's partitions and the time of the newest notice, in hex.
 *
 * Threads: pure but for the arena.
 */
#include <stdlib.h>
#include <string.h>

#include "api/listening.h"

#define PLACES (EVENT_PARTITIONS + 1)
#define PLACE_MAX 400 /* bytes of an id */

struct buffer listening_place(struct arena *a, const struct hub_place *at, uint64_t told_us)
{
    struct buffer b = buffer_make(a);
    for (unsigned i = 0; i < EVENT_PARTITIONS; i++) {
        buffer_printf(&b, "%llx.", (unsigned long long)at->numbers[i]);
    }
    buffer_printf(&b, "%llx", (unsigned long long)told_us);
    return b;
}

bool listening_place_read(const char *text, struct hub_place *at, uint64_t *told_us)
{
    uint64_t numbers[PLACES];
    if (strlen(text) > PLACE_MAX) {
        return false;
    }
    for (unsigned i = 0; i < PLACES; i++) {
        char *end;
        if (!strchr("0123456789abcdef", text[0]) || !text[0]) {
            return false;
        }
        numbers[i] = strtoull(text, &end, 16);
        if (*end != (i + 1 < PLACES ? '.' : '\0')) {
            return false;
        }
        text = end + 1;
    }
    memcpy(at->numbers, numbers, sizeof(at->numbers));
    *told_us = numbers[PLACES - 1];
    return true;
}

void listening_pass(struct hub_place *at, const struct hub_entry *e)
{
    if (e->number) {
        at->numbers[e->partition] = e->number;
    }
}
