/* stats.h - where a running server answers its own machine's tools: a Unix socket in the state directory. */
#ifndef COMMAND_STATS_H
#define COMMAND_STATS_H

#define STATS_SOCKET "http.sock"
#define STATS_SOCKET_MAX 107 /* what the system allows for the path of a Unix socket */

#endif
