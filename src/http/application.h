/* application.h - the input of a server: areas with their routes, and what their handlers need.
 *
 * Threads: constant while the server runs.
 */
#ifndef HTTP_APPLICATION_H
#define HTTP_APPLICATION_H

struct http_area;

struct http_application {
    const struct http_area *const *areas;          /* ended by NULL, see area.h; NULL: none */
    void *app;                                     /* handed to handlers as request->app */
    const unsigned char *(*secret_key)(void *app); /* 32 bytes, for CSRF tokens; may change while the server runs */
    const char *tool_socket;                       /* path of a Unix socket for this machine's tools; NULL: none */
};

#endif
