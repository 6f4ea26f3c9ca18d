/* event_listen.h - one process's place in the streams of events, and how it goes on from there.
 *
 * A part of event.h, for its thread and for tests, which take the steps one by one.
 *
 * Threads: one at a time.
 */
#ifndef SOCIAL_CORE_EVENT_LISTEN_H
#define SOCIAL_CORE_EVENT_LISTEN_H

#include <stdbool.h>

struct event_listener;
struct social;

struct event_listener *event_listener_new(struct social *s);
void event_listener_free(struct event_listener *l);

/* Waits a moment for new events and applies what there is, in two exchanges with the engine. False: it failed, and the
 * caller should pause. */
bool event_listener_step(struct event_listener *l);

#endif
