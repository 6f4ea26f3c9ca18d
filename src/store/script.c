/* script.c - see script.h. SHA-1 is the engine's name for a script, not a protection; OpenSSL is linked anyway.
 *
 * Threads: set up once, then constant.
 */
#include "store/script.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <openssl/evp.h>

#include "base/embedded.h"
#include "base/panic.h"

static struct script_info scripts[SCRIPT_COUNT] = {
#define X(id, file) {.name = (file)},
    SCRIPT_TABLE(X)
#undef X
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void script_hash(const void *body, size_t size, char out[41])
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (EVP_Digest(body, size, digest, &length, EVP_sha1(), NULL) != 1 || length != 20) {
        panic("OpenSSL has no SHA-1");
    }
    for (unsigned i = 0; i < length; i++) {
        snprintf(out + 2 * i, 3, "%02x", digest[i]);
    }
}

/* Whether the first line has this flag. */
static bool starts_with_flag(const char *body, const char *flag)
{
    const char *at = strstr(body, flag);
    return at && at < body + strcspn(body, "\n");
}

static void scripts_fill(void)
{
    for (int i = 0; i < SCRIPT_COUNT; i++) {
        char path[64];
        snprintf(path, sizeof(path), "scripts/%s.lua", scripts[i].name);
        const struct embedded_file *file = embedded_find(path);
        if (!file) {
            fprintf(stderr, "retwis: %s is not embedded\n", path);
            panic("a script is missing in this build");
        }
        scripts[i].body = (const char *)file->data;
        scripts[i].reads = starts_with_flag(scripts[i].body, "no-writes");
        scripts[i].roams = strstr(scripts[i].body, "prefix") != NULL;
        script_hash(file->data, file->size, scripts[i].sha1);
    }
}

void script_setup(void)
{
    pthread_once(&once, scripts_fill);
}

const struct script_info *script_info(enum script s)
{
    require((unsigned)s < SCRIPT_COUNT);
    return &scripts[s];
}
