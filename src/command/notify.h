/* notify.h - what the server tells systemd (sd_notify) without libsystemd: datagrams to the socket $NOTIFY_SOCKET.
 *
 * Does nothing where that is not set. Any thread; the environment must not change meanwhile.
 */
#ifndef COMMAND_NOTIFY_H
#define COMMAND_NOTIFY_H

#include <stdint.h>

/* Sends lines such as "READY=1\nSTATUS=fine". */
void notify_send(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* How often at least WATCHDOG=1 is expected, in microseconds; 0: never. */
uint64_t notify_watchdog_us(void);

#endif
