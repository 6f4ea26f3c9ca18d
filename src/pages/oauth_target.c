/* oauth_target.c - see oauth_target.h. Any thread. */
#include "pages/oauth_target.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "http/http.h"

bool oauth_target_is_web(const char *address)
{
    return strncasecmp(address, "https://", 8) == 0 || strncasecmp(address, "http://", 7) == 0;
}

bool oauth_target_is_plain(const char *redirect)
{
    const char *colon = strchr(redirect, ':');
    size_t length = colon ? (size_t)(colon - redirect) + 1 : 0;
    if (oauth_target_is_web(redirect)) {
        length += 2;
        length += strcspn(redirect + length, "/?#");
    }
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)redirect[i]) && !strchr("+-.:/[]_", redirect[i])) {
            return false;
        }
    }
    return length > 0;
}

const char *oauth_target_with(struct arena *a, const char *redirect, const struct oauth_told *told)
{
    struct buffer b = buffer_make(a);
    buffer_printf(&b, "%s%c%s=", redirect, strchr(redirect, '?') ? '&' : '?', told->name);
    http_encode(&b, told->value, "-._~");
    if (told->more) {
        buffer_text(&b, "&error_description=");
        http_encode(&b, told->more, "-._~");
    }
    if (told->state[0]) {
        buffer_text(&b, "&state=");
        http_encode(&b, told->state, "-._~");
    }
    return buffer_string(&b);
}
