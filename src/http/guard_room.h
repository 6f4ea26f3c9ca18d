/* guard_room.h - room for those who wait: ends connections that hold a thread and make no use of it. Inside
 * src/http/guard* only.
 *
 * Threads: any.
 */
#ifndef HTTP_GUARD_ROOM_H
#define HTTP_GUARD_ROOM_H

#include <stdbool.h>

#define GUARD_ROOM_MOST 256 /* that one call ends */

/* When connections wait for a thread: ends up to so many, the most dispensable first; `handshakes`: only stalled
 * handshakes. */
void guard_make_room(unsigned wanted, bool handshakes);

#endif
