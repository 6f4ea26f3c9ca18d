/* server.h - civetweb behind one adapter: listens, reads requests into http_request, applies the guards, routes,
 * writes answers, logs.
 *
 * Threads: started and stopped by the main thread; handlers run on its connection threads.
 */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "http/http.h"

struct config;
struct findings;
struct confine;
struct http_application;
struct http_server;

/* Starts listening. NULL with a line on report (port in use, bad certificate, …). */
struct http_server *http_server_start(const struct config *c, const struct http_application *app, FILE *report);

/* Allows what listening needs in the rules of a process that confines itself. */
void http_server_confine(const struct config *c, struct confine *k);

/* Addresses of that door, one "http://localhost:8080" per line into out. */
void http_server_print(const struct http_server *s, enum http_door door, FILE *out);

/* Reads certificate and key again; keeps the old ones with a logged error when the new ones are bad. Takes the settings
 * of the access log from `fresh`, a configuration that was just read (NULL: they stay). */
void http_server_reload(struct http_server *s, const struct config *fresh);

/* Stops accepting, lets running requests finish (at most grace_ms), closes the rest. */
void http_server_stop(struct http_server *s, unsigned grace_ms);

/* Checks whether http_server_start could listen and use the certificate, and whether proxies and public_url go
 * together. `is_served`: a server runs on the same state directory, so its ports may be taken. `may_low`: the service
 * gets the right to ports below 1024. Nothing is disturbed. */
void http_server_check(const struct config *c, bool is_served, bool may_low, struct findings *f);

#endif
