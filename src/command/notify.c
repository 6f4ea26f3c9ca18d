/* notify.c - see notify.h. The protocol is a few lines (sd_notify(3)) and promised to stay; a library would only be one
 * more thing in the program. An address that begins with @ is abstract. A lost message is ignored here: systemd's own
 * time limits notice it.
 */
#include "command/notify.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void notify_send(const char *format, ...)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = path ? strlen(path) : 0;
    if (length < 2 || length >= sizeof(address.sun_path)) {
        return;
    }
    memcpy(address.sun_path, path, length);
    if (path[0] == '@') {
        address.sun_path[0] = '\0';
    }
    char text[512];
    va_list list;
    va_start(list, format);
    int size = vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && size > 0 && (size_t)size < sizeof(text)) {
        socklen_t used = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
        sendto(fd, text, (size_t)size, MSG_NOSIGNAL, (struct sockaddr *)&address, used);
    }
    if (fd >= 0) {
        close(fd);
    }
}

uint64_t notify_watchdog_us(void)
{
    const char *period = getenv("WATCHDOG_USEC");
    const char *pid = getenv("WATCHDOG_PID");
    if (!period || (pid && strtol(pid, NULL, 10) != (long)getpid())) {
        return 0;
    }
    return strtoull(period, NULL, 10);
}
