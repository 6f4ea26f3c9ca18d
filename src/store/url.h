/* url.h - the parts of redis.url: where an engine listens, and the user and password for it.
 *
 * Internal to src/store. Pure parsing, plus reading the password file. Any thread.
 */
#ifndef STORE_URL_H
#define STORE_URL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct config;

struct url {
    bool tls;
    char *path; /* Unix socket, or NULL */
    char *host; /* name or address without brackets, or NULL */
    int port;
    char *user;     /* NULL: the default user */
    char *password; /* NULL: none */
    int database;
};

/* Fills u from config.redis (url, password_file) and the state directory. False, with a line on report that never
 * holds the password, when it makes no sense. The caller ends it with url_clear either way. */
bool url_read(struct url *u, const struct config *c, FILE *report);

/* Parses one address of the forms redis://, rediss://, unix://. Exposed for the unit test. */
bool url_parse(struct url *u, const char *text, FILE *report);

/* The password for a new connection: the one in the file now (NULL or "": there is no file); if it cannot be read, the
 * one that was there at the start, with a line in `trouble`. NULL: none is needed. To be given back to
 * url_forget_password. */
char *url_password(const struct url *u, const char *file, char *trouble, size_t trouble_size);
void url_forget_password(char *password);

void url_clear(struct url *u);

/* "host:port" or the path of the socket, for log lines; the caller frees. */
char *url_describe(const struct url *u);

#endif
