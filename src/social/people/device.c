/* device.c - see device.h. Any thread. */
#include "social/people/device.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/secret.h"
#include "social/core/social.h"

#define NAME_LENGTH 16
#define ENTRY_LENGTH (NAME_LENGTH + SECRET_HASH_SIZE - 1)

/* The entries of a cookie, as far as they have the form of one. */
struct entries {
    const char *items[DEVICE_ACCOUNTS];
    unsigned count;
};

static struct entries devices_split(struct arena *a, const char *cookie)
{
    struct entries all = {.count = 0};
    for (cookie = cookie ? cookie : ""; *cookie && all.count < DEVICE_ACCOUNTS; cookie += *cookie == '.') {
        size_t n = strcspn(cookie, ".");
        if (n == ENTRY_LENGTH) {
            all.items[all.count++] = arena_dup_n(a, cookie, n);
        }
        cookie += n;
    }
    return all;
}

/* The first word keeps it apart from all else that is signed with the key (csrf.c). */
static void sign(struct social *s, struct arena *a, const char *name, const struct device_account *account,
                 char out[SECRET_HASH_SIZE])
{
    secret_mac(
        social_key(s),
        arena_printf(a, "device %.*s %llu %s", NAME_LENGTH, name, (unsigned long long)account->uid, account->password),
        out);
}

static bool is_of(struct social *s, struct arena *a, const char *entry, const struct device_account *account)
{
    char signature[SECRET_HASH_SIZE];
    sign(s, a, entry, account, signature);
    return secret_equal(entry + NAME_LENGTH, signature) && account->password[0];
}

const char *device_name(struct social *s, struct arena *a, const char *cookie, const struct device_account *account)
{
    const char *found = NULL;
    struct entries all = devices_split(a, cookie);
    for (unsigned i = 0; i < all.count; i++) {
        if (is_of(s, a, all.items[i], account)) {
            found = arena_dup_n(a, all.items[i], NAME_LENGTH);
        }
    }
    return found;
}

const char *device_remember(struct social *s, struct arena *a, const char *cookie, const struct device_account *before,
                            const struct device_account *now)
{
    char name[SECRET_TOKEN_SIZE], signature[SECRET_HASH_SIZE];
    struct buffer out = buffer_make(a);
    secret_token(name);
    sign(s, a, name, now, signature);
    buffer_printf(&out, "%.*s%s", NAME_LENGTH, name, signature);
    struct entries all = devices_split(a, cookie);
    unsigned count = 1;
    for (unsigned i = 0; i < all.count && count < DEVICE_ACCOUNTS; i++) {
        if (!is_of(s, a, all.items[i], before)) {
            buffer_printf(&out, ".%s", all.items[i]);
            count++;
        }
    }
    return buffer_string(&out);
}
