/* version.c - `retwis version`: this program and all that is linked into it.
 *
 * Libraries that know their version are asked. For those built from pinned sources the manifest has it, and the
 * security patches that went in (RETWIS_SOURCES, see the Makefile). inih and the list of common passwords (zxcvbn's)
 * have only the versions of their packages.
 *
 * Threads: the main thread.
 */
#include <gnu/libc-version.h>
#include <libdeflate.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <zlib.h>
#include <zstd.h>

#include "base/confine.h"
#include "base/secret.h"
#include "command/command.h"
#include "command/commands.h"
#include "config/settings.h"

int command_version(struct command_call *c)
{
    static const char row[] = "%-10s %s\n";
    const char *ssl = OpenSSL_version(OPENSSL_VERSION_STRING);
    (void)c;
    printf(row, "retwis", RETWIS_VERSION);
    fputs(RETWIS_SOURCES, stdout);
    printf(row, "inih", RETWIS_INIH);
    printf(row, "sqlite", settings_library());
    printf(row, "libsodium", secret_library());
    printf(row, "libseccomp", confine_library());
    printf(row, "openssl", ssl);
    printf(row, "zlib", zlibVersion());
    printf(row, "zstd", ZSTD_versionString());
    printf(row, "libdeflate", LIBDEFLATE_VERSION_STRING);
    printf(row, "glibc", gnu_get_libc_version());
    printf(row, "zxcvbn", RETWIS_ZXCVBN);
    return COMMAND_OK;
}
