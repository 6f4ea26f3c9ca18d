/* sandbox.c - see sandbox.h. base/confine.c does the work; this file says what the server needs.
 *
 * It needs what the configuration names, and the parts of the program that use a name say for what: so the port or file
 * of a new key is allowed by its row in the table of keys.
 *
 * Threads: the main thread.
 */
#include "command/sandbox.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/conf.h>
#include <openssl/crypto.h>

#include "base/confine.h"
#include "base/log.h"
#include "config/config.h"
#include "engine/directory.h"
#include "engine/engine.h"
#include "http/server.h"
#include "store/store.h"

bool sandbox_leave_root(const struct config *c)
{
    const char *directory = c->state.directory;
    if (geteuid() != 0) {
        return true;
    }
    if (!directory_become_owner(c, stderr)) {
        return false;
    }
    if (geteuid() != 0) {
        log_info("serve", "goes on as the owner of %s (uid %u)", directory, (unsigned)geteuid());
    } else if (!c->process.allow_root) {
        fprintf(stderr,
                "retwis: root does not serve. Start it as another user, or give %s to one (the server becomes the "
                "owner of its state directory), or set process.allow_root = yes (RETWIS_PROCESS_ALLOW_ROOT=yes)\n",
                directory);
        return false;
    }
    return true;
}

static void allow_path(void *context, const char *path)
{
    struct stat s;
    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode)) {
        confine_allow(context, CONFINE_READ, path);
    } else {
        confine_allow_beside(context, path);
    }
}

static void sandbox_tell(const struct confine_result *r)
{
    char files[64] = "not confined";
    if (r->files) {
        snprintf(files, sizeof(files), "confined (Landlock %d%s)", r->files, r->files < 4 ? ", without ports" : "");
    }
    log_info("serve", "sandbox: system calls %s; files and ports %s", r->calls ? "confined (seccomp)" : "not confined",
             files);
    if (r->why) {
        log_warning("serve", "sandbox: %s", r->why);
    }
}

bool sandbox_enter(const struct config *c, const char *file)
{
    confine_privileges(c->process.core_dumps);
    if (!c->process.sandbox) {
        log_warning("serve", "sandbox: turned off by process.sandbox = no");
        return true;
    }
    struct confine k;
    confine_begin(&k, CONFINE_SERVER);
    if (!engine_confine(c, &k, stderr)) {
        return false;
    }
    confine_allow_beside(&k, config_main_file(file));
    char *openssl = CONF_get1_default_config_file();
    confine_allow(&k, CONFINE_READ, openssl);
    OPENSSL_free(openssl);
    config_each_path(c, allow_path, &k);
    http_server_confine(c, &k);
    store_confine(c, &k);
    const struct confine_result result = confine_enter(&k);
    sandbox_tell(&result);
    return true;
}
