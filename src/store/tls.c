/* tls.c - see tls.h. TLS 1.2 or newer, certificate and host name always checked; there is no switch to turn that off.
 *
 * Threads: any; an SSL_CTX is made for sharing.
 */
#include "store/tls.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include <hiredis/hiredis.h>
#include <hiredis/hiredis_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "base/panic.h"

struct tls {
    SSL_CTX *context;
};

static const char *reason(void)
{
    const char *text = ERR_reason_error_string(ERR_peek_last_error());
    return text ? text : "cannot be used";
}

struct tls *store_tls_new(const char *ca, FILE *report)
{
    bool own = ca && *ca;
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context) {
        panic("OpenSSL cannot make a context");
    }
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    ERR_clear_error();
    int ok = own ? SSL_CTX_load_verify_locations(context, ca, NULL) : SSL_CTX_set_default_verify_paths(context);
    if (!ok) {
        fprintf(report, "redis.tls_ca: %s: %s\n", own ? ca : "authorities of the system", reason());
        SSL_CTX_free(context);
        return NULL;
    }
    /* OpenSSL writes without MSG_NOSIGNAL: a connection closed by the engine must not end the program. */
    signal(SIGPIPE, SIG_IGN);
    struct tls *t = mem_alloc(sizeof(*t));
    t->context = context;
    return t;
}

void store_tls_free(struct tls *t)
{
    if (t) {
        SSL_CTX_free(t->context);
        free(t);
    }
}

static bool tls_is_address(const char *host)
{
    unsigned char bytes[16];
    return inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1;
}

/* Sets the name that the certificate must have. */
static bool expect(SSL *ssl, const char *host)
{
    if (tls_is_address(host)) {
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1;
    }
    return SSL_set_tlsext_host_name(ssl, host) == 1 && SSL_set1_host(ssl, host) == 1;
}

enum err tls_begin(struct tls *t, struct redisContext *context, const char *host)
{
    SSL *ssl = SSL_new(t->context);
    if (!ssl) {
        panic("OpenSSL cannot make a connection");
    }
    if (!expect(ssl, host) || redisInitiateSSL(context, ssl) != REDIS_OK) {
        SSL_free(ssl); /* hiredis owns it only after success */
        return ERR_UNAVAILABLE;
    }
    return ERR_OK;
}
