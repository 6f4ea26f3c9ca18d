/* listen.h - where the server listens: from the INI file's words to civetweb's, and to addresses for people.
 *
 * Inside src/http only; main thread.
 */
#ifndef HTTP_LISTEN_H
#define HTTP_LISTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>

#include "http/http.h"

struct config;
struct confine;

#define LISTEN_MAX 16

struct listen_entry {
    enum http_door door;
    char host[64]; /* "" for all addresses */
    unsigned port; /* 0: any free one */
    bool tls;
    char path[108]; /* of a Unix socket; then the rest is empty */
};

struct listen_list {
    struct listen_entry entries[LISTEN_MAX];
    size_t count;
};

/* Appends what `key` says: "8080, 127.0.0.1:8080, [::1]:8443s, /run/retwis/http.sock". False with a line on report if
 * an entry is wrong. */
bool listen_parse(const char *key, const char *text, enum http_door door, struct listen_list *out, FILE *report);

/* The same for all addresses of the configuration. */
bool listen_read(const struct config *c, struct listen_list *out, FILE *report);

/* Allows what they need in the rules of a process that confines itself. */
void listen_confine(const struct listen_list *l, struct confine *k);

bool listen_uses_tls(const struct listen_list *l);

/* Prepares a Unix socket's path: a left-over of a dead server is removed. False with a line on report if a living
 * server answers there. */
bool listen_prepare(const struct listen_list *l, FILE *report);

/* After they are bound: owner and group may connect to the Unix sockets (mode 0660), nobody else, because clients there
 * are trusted to name whom they ask for. */
void listen_finish(const struct listen_list *l);

/* The door of a connection, found by the server's end of it. Ports must be the real ones. */
enum http_door listen_door(const struct listen_list *l, const struct sockaddr *here);

/* The list as civetweb's option listening_ports; the caller frees it. */
char *listen_option(const struct listen_list *l);

/* "http://localhost:8080" */
void listen_print(const struct listen_entry *e, FILE *out);

#endif
