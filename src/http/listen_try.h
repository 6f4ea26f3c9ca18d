/* listen_try.h - whether addresses can be listened on, without listening: for `retwis check-config`, and to explain why
 * the start failed. A server that listens there is not disturbed.
 *
 * Inside src/http only; main thread.
 */
#ifndef HTTP_LISTEN_TRY_H
#define HTTP_LISTEN_TRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "http/listen.h"

struct listen_trouble {
    const struct listen_entry *entry;
    int error;   /* errno */
    bool is_low; /* a port that needs a capability */
};

/* Fills `out`; returns how many of the entries cannot be listened on. */
size_t listen_try(const struct listen_list *l, struct listen_trouble out[LISTEN_MAX]);

/* One line with what to do. */
void listen_explain(const struct listen_trouble *t, FILE *report);

/* The same for all that cannot be listened on. */
void listen_explain_all(const struct listen_list *l, FILE *report);

#endif
