/* tls.c - see tls.h.
 *
 * civetweb is handed one SSL_CTX for good (its own reload option re-reads the file in every handshake). That context
 * carries no certificate: a callback gives each handshake the pair that is current at that moment, so that a renewed
 * certificate is served without a restart and connections in progress keep theirs.
 */
#include "http/tls.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/metric.h"
#include "base/mutex.h"
#include "base/findings.h"
#include "base/panic.h"

#define EXPIRY_DAYS 14 /* a certificate that expires sooner should have been renewed */

struct pair {
    X509 *certificate;
    STACK_OF(X509) * chain;
    EVP_PKEY *key;
};

struct tls {
    pthread_mutex_t lock; /* for pair */
    struct pair pair;
    char *certificate_path;
    char *key_path;
    void (*on_handshake)(int fd);
    void (*on_hello)(void);
    SSL_CTX *context;
};

static void pair_free(struct pair *p)
{
    X509_free(p->certificate);
    sk_X509_pop_free(p->chain, X509_free);
    EVP_PKEY_free(p->key);
    *p = (struct pair){0};
}

/* --- reading the files --------------------------------------------------------------------------------------------- */

static bool tls_complain(FILE *report, const char *path, const char *what)
{
    unsigned long code = ERR_get_error();
    const char *reason = !code                    ? NULL
                         : ERR_SYSTEM_ERROR(code) ? strerror(ERR_GET_REASON(code)) /* "Permission denied" */
                                                  : ERR_reason_error_string(code);
    fprintf(report, "%s: %s%s%s\n", path, what, reason ? ": " : "", reason ? reason : "");
    ERR_clear_error();
    return false;
}

static bool read_certificates(const char *path, struct pair *out, FILE *report)
{
    BIO *file = BIO_new_file(path, "r");
    if (!file) {
        return tls_complain(report, path, "cannot read the TLS certificate");
    }
    out->certificate = PEM_read_bio_X509_AUX(file, NULL, NULL, NULL);
    out->chain = sk_X509_new_null();
    require(out->chain != NULL);
    X509 *next;
    while (out->certificate && (next = PEM_read_bio_X509(file, NULL, NULL, NULL))) {
        require(sk_X509_push(out->chain, next) > 0);
    }
    BIO_free(file);
    if (!out->certificate) {
        return tls_complain(report, path, "holds no PEM certificate");
    }
    ERR_clear_error(); /* the end of the file is reported as an error */
    return true;
}

/* An encrypted key cannot be asked for its password here. */
static int no_password(char *buffer, int size, int writing, void *unused)
{
    (void)buffer;
    (void)size;
    (void)writing;
    (void)unused;
    return -1;
}

static bool read_key(const char *path, struct pair *out, FILE *report)
{
    BIO *file = BIO_new_file(path, "r");
    if (!file) {
        return tls_complain(report, path, "cannot read the TLS key");
    }
    out->key = PEM_read_bio_PrivateKey(file, NULL, no_password, NULL);
    BIO_free(file);
    return out->key || tls_complain(report, path, "holds no PEM private key without password");
}

static bool pair_read(const struct tls *t, struct pair *out, FILE *report)
{
    *out = (struct pair){0};
    bool good = read_certificates(t->certificate_path, out, report) && read_key(t->key_path, out, report);
    if (good && X509_check_private_key(out->certificate, out->key) != 1) {
        good = tls_complain(report, t->key_path, "is not the key of the TLS certificate");
    }
    if (!good) {
        pair_free(out);
    }
    return good;
}

/* --- handshakes ---------------------------------------------------------------------------------------------------- */

static int give_certificate(SSL *ssl, void *argument)
{
    struct tls *t = argument;
    mutex_lock(&t->lock);
    int done = SSL_use_cert_and_key(ssl, t->pair.certificate, t->pair.key, t->pair.chain, 1);
    mutex_unlock(&t->lock);
    return done;
}

static void on_info(const SSL *ssl, int where, int unused)
{
    (void)unused;
    if (where & SSL_CB_HANDSHAKE_START) {
        const struct tls *t = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
        t->on_handshake(SSL_get_fd(ssl));
    }
}

static int on_client_hello(SSL *ssl, int *alert, void *argument)
{
    const struct tls *t = argument;
    (void)ssl, (void)alert;
    t->on_hello();
    return SSL_CLIENT_HELLO_SUCCESS;
}

static SSL_CTX *make_context(struct tls *t)
{
    SSL_CTX *c = SSL_CTX_new(TLS_server_method());
    require(c != NULL);
    SSL_CTX_set_min_proto_version(c, TLS1_2_VERSION);
    SSL_CTX_set_options(c, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    /* Writes are retried with the same bytes, though perhaps from another place. */
    SSL_CTX_set_mode(c, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    /* TLS 1.2: forward secrecy and authenticated ciphers only; those of 1.3 are all right. */
    require(SSL_CTX_set_cipher_list(c, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1);
    SSL_CTX_set_session_cache_mode(c, SSL_SESS_CACHE_OFF); /* tickets resume without memory here */
    SSL_CTX_set_app_data(c, t);
    SSL_CTX_set_cert_cb(c, give_certificate, t);
    SSL_CTX_set_info_callback(c, on_info);
    SSL_CTX_set_client_hello_cb(c, on_client_hello, t);
    return c;
}

/* Notes the expiry, for the metric that warns of a certificate that nobody renewed. */
static void note_expiry(const struct pair *p)
{
    struct tm end;
    bool known = ASN1_TIME_to_tm(X509_get0_notAfter(p->certificate), &end) == 1;
    time_t seconds = known ? timegm(&end) : 0;
    metric_set(METRIC_CERTIFICATE_EXPIRY, seconds > 0 ? (uint64_t)seconds : METRIC_UNKNOWN);
}

/* --- public -------------------------------------------------------------------------------------------------------- */

struct tls *tls_new(const char *certificate, const char *key, void (*on_handshake)(int fd), void (*on_hello)(void),
                    FILE *report)
{
    struct tls *t = mem_zero(1, sizeof(*t));
    pthread_mutex_init(&t->lock, NULL);
    t->certificate_path = mem_dup(certificate);
    t->key_path = mem_dup(key);
    t->on_handshake = on_handshake;
    t->on_hello = on_hello;
    if (!pair_read(t, &t->pair, report)) {
        tls_free(t);
        return NULL;
    }
    note_expiry(&t->pair);
    t->context = make_context(t);
    return t;
}

void tls_free(struct tls *t)
{
    if (!t) {
        return;
    }
    SSL_CTX_free(t->context);
    pair_free(&t->pair);
    pthread_mutex_destroy(&t->lock);
    free(t->certificate_path);
    free(t->key_path);
    free(t);
}

bool tls_reload(struct tls *t, FILE *report)
{
    struct pair fresh;
    if (!pair_read(t, &fresh, report)) {
        return false;
    }
    mutex_lock(&t->lock);
    struct pair old = t->pair;
    t->pair = fresh;
    note_expiry(&t->pair);
    mutex_unlock(&t->lock);
    pair_free(&old);
    return true;
}

void *tls_context(struct tls *t)
{
    return t->context;
}

/* --- looked at, not used ------------------------------------------------------------------------------------------- */

static void check_times(const X509 *certificate, const char *path, struct findings *f)
{
    int days = 0, seconds = 0;
    if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0) {
        findings_error(f, "http.tls_certificate: %s: is not valid yet", path);
    } else if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0) {
        findings_error(f, "http.tls_certificate: %s: has expired", path);
    } else if (ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(certificate)) == 1 && days < EXPIRY_DAYS) {
        findings_warning(f, "http.tls_certificate: %s: expires in %d days", path, days);
    }
}

void tls_check(const char *certificate, const char *key, const char *host, struct findings *f)
{
    const struct tls t = {.certificate_path = (char *)(uintptr_t)certificate, .key_path = (char *)(uintptr_t)key};
    struct pair p;
    struct stat s;
    char *text = NULL;
    size_t size = 0;
    FILE *report = open_memstream(&text, &size);
    require(report != NULL);
    bool good = pair_read(&t, &p, report);
    fclose(report);
    if (!good) {
        findings_error(f, "%s", text);
    } else {
        check_times(p.certificate, certificate, f);
        if (*host && X509_check_host(p.certificate, host, 0, 0, NULL) != 1 &&
            X509_check_ip_asc(p.certificate, host, 0) != 1) {
            findings_warning(f, "http.tls_certificate: %s: is not for %s, the host of http.public_url", certificate,
                             host);
        }
        pair_free(&p);
    }
    if (stat(key, &s) == 0 && (s.st_mode & S_IRWXO)) {
        findings_warning(f, "http.tls_key: %s: everybody on this machine can read it: chmod o= %s", key, key);
    }
    free(text);
}
