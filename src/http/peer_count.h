/* peer_count.h - how many connections each address has. Not locked: guard.c's lock is held. Inside src/http only. */
#ifndef HTTP_PEER_COUNT_H
#define HTTP_PEER_COUNT_H

#include "http/address.h"

struct peer_count;

struct peer_count *peer_count_new(void);
void peer_count_free(struct peer_count *p);

unsigned peer_count_get(const struct peer_count *p, const struct address *a);
void peer_count_add(struct peer_count *p, const struct address *a);
void peer_count_drop(struct peer_count *p, const struct address *a);

#endif
