/* acme.c - see acme.h.
 *
 * Another program and user may write the directory, so little of it is believed: a name must be a token of the protocol
 * (base64url, so it holds neither a dot nor a slash); no link below it is followed; anything but a regular file of the
 * size of a proof counts as absent; and no file that is opened can make the thread wait.
 */
#define _GNU_SOURCE /* O_PATH */
#include "http/acme.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/panic.h"
#include "http/response.h"

#define TOKEN_MAX 200  /* characters; authorities make 43 of them */
#define PROOF_MAX 1024 /* bytes; token, dot and a hash of 43 characters */

static char *root; /* NULL: none */

void acme_setup(const char *directory)
{
    free(root);
    root = directory && directory[0] ? mem_dup(directory) : NULL;
}

bool acme_is_set(void)
{
    return root != NULL;
}

static bool is_token(const char *text)
{
    size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
    return length > 0 && length <= TOKEN_MAX && text[length] == '\0';
}

/* Opens what lies in the directory, which is closed; -1 if there is no directory or no such thing in it. */
static int open_below(int directory, const char *name, int flags)
{
    int fd = directory < 0 ? -1 : openat(directory, name, O_CLOEXEC | O_NOFOLLOW | flags);
    if (directory >= 0) {
        close(directory);
    }
    return fd;
}

/* The bytes of the proof, at most `size` of them; -1 if there is none. */
static ssize_t read_proof(const char *token, char *out, size_t size)
{
    struct stat info;
    int fd = open(root, O_PATH | O_CLOEXEC | O_DIRECTORY);
    fd = open_below(fd, ".well-known", O_PATH | O_DIRECTORY);
    fd = open_below(fd, "acme-challenge", O_PATH | O_DIRECTORY);
    fd = open_below(fd, token, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return -1;
    }
    bool good = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 && info.st_size <= (off_t)size;
    ssize_t got = good ? read(fd, out, size) : -1;
    close(fd);
    return got;
}

static void get_proof(struct http_request *req, struct http_response *resp)
{
    const char *token = http_variable(req, "token");
    char *proof = arena_alloc(req->arena, PROOF_MAX);
    ssize_t size = is_token(token) ? read_proof(token, proof, PROOF_MAX) : -1;
    if (size < 0) {
        response_plain(resp, 404, "there is no such proof");
        return;
    }
    resp->content_type = "application/octet-stream"; /* RFC 8555 8.3 */
    buffer_add(&resp->body, proof, (size_t)size);
}

const struct http_route acme_routes[] = {
    {HTTP_GET, "/.well-known/acme-challenge/:token", get_proof, WHO_ANYONE, .flags = HTTP_IN_CLEAR,
     .help = "a proof for a certificate authority"},
    {0},
};
