/* post_act.c - see post_act.h. */
#include "social/posts/post_act.h"

#include <string.h>

#include "social/posts/quiet.h"
#include "social/posts/react.h"

static const struct post_act acts[] = {
    {"favourite", post_favourite, true},
    {"unfavourite", post_favourite, false},
    {"bookmark", post_bookmark, true},
    {"unbookmark", post_bookmark, false},
    {"mute", post_mute, true},
    {"unmute", post_mute, false},
    {"pin", post_pin, true},
    {"unpin", post_pin, false},
    {.name = NULL},
};

const struct post_act *post_act_of(const char *name)
{
    const struct post_act *a = acts;
    while (a->name && strcmp(a->name, name) != 0) {
        a++;
    }
    return a->name ? a : NULL;
}
