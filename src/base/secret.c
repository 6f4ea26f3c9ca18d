/* secret.c - see secret.h. Any thread; password hashes run in turn (turn.h). */
#include "base/secret.h"

#include <errno.h>
#include <pthread.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#include "base/panic.h"

#define PASSWORD_OPS 2
#define PASSWORD_MEMORY 19922944 /* 19 MiB: OWASP's first choice for argon2id with two passes */
#define QUEUE_LIMIT 16           /* of those who are known, and as many of the others */
#define MAX_HASHERS 4

static struct turn gate = TURN_INIT(1, QUEUE_LIMIT);

/* Compared against when the user is unknown, so that both cases take the same time. Made once with random input. */
static char nobody[crypto_pwhash_STRBYTES];
static pthread_once_t nobody_once = PTHREAD_ONCE_INIT;

static unsigned char spread_key[crypto_shorthash_KEYBYTES];

_Static_assert(crypto_pwhash_STRBYTES <= SECRET_PASSWORD_SIZE, "room for the hash");

void secret_setup(void)
{
    /* A generator in the process, seeded by the kernel for each thread, which forgets what it has given: a page takes
     * two or three random words, and each was a system call. */
    randombytes_set_implementation(&randombytes_internal_implementation);
    pthread_atfork(NULL, NULL, randombytes_stir); /* a child must not go on where its parent was */
    if (sodium_init() < 0) {
        panic("libsodium does not start");
    }
    crypto_shorthash_keygen(spread_key);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    gate.limit = cores < 1 ? 1 : cores > MAX_HASHERS ? MAX_HASHERS : (unsigned)cores;
}

void secret_random(void *out, size_t size)
{
    randombytes_buf(out, size);
}

uint64_t secret_random_u64(void)
{
    uint64_t r;
    randombytes_buf(&r, sizeof(r));
    return r;
}

uint64_t secret_spread(const char *text)
{
    uint64_t out;
    _Static_assert(sizeof(out) == crypto_shorthash_BYTES, "one number");
    crypto_shorthash((unsigned char *)&out, (const unsigned char *)text, strlen(text), spread_key);
    return out;
}

/* All 128 bits of the product, one half laid over the other. */
static uint64_t multiply_over(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t secret_digest(const unsigned char key[32], const void *data, size_t size)
{
    uint64_t k[4], words[4];
    memcpy(k, key, sizeof(k));
    const unsigned char *p = data, *end = p + size;
    uint64_t even = multiply_over(k[0] ^ size, k[1]), odd = k[3]; /* two rows, which the processor multiplies at once */
    while (p < end) {
        if ((size_t)(end - p) >= sizeof(words)) {
            memcpy(words, p, sizeof(words));
        } else {
            memset(words, 0, sizeof(words));
            memcpy(words, p, (size_t)(end - p));
        }
        even = multiply_over(words[0] ^ k[2], words[1] ^ even);
        odd = multiply_over(words[2] ^ k[1], words[3] ^ odd);
        p += (size_t)(end - p) < sizeof(words) ? (size_t)(end - p) : sizeof(words);
    }
    return multiply_over(even ^ k[0], odd ^ k[2]);
}

static void encode(const unsigned char bytes[32], char out[SECRET_HASH_SIZE])
{
    sodium_bin2base64(out, SECRET_HASH_SIZE, bytes, 32, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

void secret_token(char out[SECRET_TOKEN_SIZE])
{
    unsigned char bytes[32];
    randombytes_buf(bytes, sizeof(bytes));
    encode(bytes, out);
    sodium_memzero(bytes, sizeof(bytes));
}

void secret_hash(const char *text, char out[SECRET_HASH_SIZE])
{
    unsigned char bytes[32];
    crypto_generichash(bytes, sizeof(bytes), (const unsigned char *)text, strlen(text), NULL, 0);
    encode(bytes, out);
}

void secret_challenge(const char *text, char out[SECRET_HASH_SIZE])
{
    unsigned char bytes[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(bytes, (const unsigned char *)text, strlen(text));
    encode(bytes, out);
}

/* libsodium takes some bytes above 127 for letters of base64. */
static bool decode_letters(const char *encoded, int variant, unsigned char *out, size_t size, size_t *length)
{
    for (const char *p = encoded; *p; p++) {
        if ((unsigned char)*p > '~') {
            return false;
        }
    }
    return sodium_base642bin(out, size, encoded, strlen(encoded), NULL, length, NULL, variant) == 0;
}

bool secret_decode(const char *encoded, char *out, size_t size)
{
    size_t length;
    if (!decode_letters(encoded, sodium_base64_VARIANT_ORIGINAL, (unsigned char *)out, size - 1, &length)) {
        return false;
    }
    out[length] = '\0';
    return strlen(out) == length;
}

void secret_key_write(const unsigned char key[32], char out[SECRET_KEY_TEXT_SIZE])
{
    sodium_bin2hex(out, SECRET_KEY_TEXT_SIZE, key, 32);
}

bool secret_key_read(const char *text, unsigned char key[32])
{
    bool good = strlen(text) == SECRET_KEY_TEXT_SIZE - 1 && !text[strspn(text, "0123456789abcdef")];
    return good && sodium_hex2bin(key, 32, text, SECRET_KEY_TEXT_SIZE - 1, NULL, NULL, NULL) == 0;
}

void secret_mac(const unsigned char key[32], const char *text, char out[SECRET_HASH_SIZE])
{
    unsigned char bytes[32];
    crypto_generichash(bytes, sizeof(bytes), (const unsigned char *)text, strlen(text), key, 32);
    encode(bytes, out);
}

#define VEIL 16 /* bytes */

static void lift_veil(const unsigned char key[32], const char *text, const unsigned char veil[VEIL],
                      unsigned char out[VEIL])
{
    unsigned char code[32];
    crypto_generichash(code, sizeof(code), (const unsigned char *)text, strlen(text), key, 32);
    for (size_t i = 0; i < VEIL; i++) {
        out[i] = code[i] ^ veil[i];
    }
    sodium_memzero(code, sizeof(code));
}

void secret_veiled(const unsigned char key[32], const char *text, char out[SECRET_HASH_SIZE])
{
    unsigned char bytes[2 * VEIL];
    randombytes_buf(bytes, VEIL);
    lift_veil(key, text, bytes, bytes + VEIL);
    encode(bytes, out);
}

bool secret_veiled_equal(const unsigned char key[32], const char *text, const char *given)
{
    unsigned char bytes[2 * VEIL];
    unsigned char wanted[VEIL];
    size_t size;
    if (!decode_letters(given, sodium_base64_VARIANT_URLSAFE_NO_PADDING, bytes, sizeof(bytes), &size) ||
        size != sizeof(bytes)) {
        return false;
    }
    lift_veil(key, text, bytes, wanted);
    return sodium_memcmp(wanted, bytes + VEIL, VEIL) == 0;
}

bool secret_equal(const char *a, const char *b)
{
    size_t n = strlen(a);
    return n == strlen(b) && sodium_memcmp(a, b, n) == 0;
}

/* While a thread is in, a panic must end the whole process: if it ended the request only, nobody else would ever get
 * in. */
static bool gate_enter(const struct turn_claim *claim)
{
    bool in = turn_enter(&gate, claim);
    if (in) {
        panic_shared_enter();
    }
    return in;
}

static void gate_leave(void)
{
    panic_shared_leave();
    turn_leave(&gate);
}

/* Fails for want of memory only. */
static bool hash_into(char out[crypto_pwhash_STRBYTES], const char *password)
{
    return crypto_pwhash_str(out, password, strlen(password), PASSWORD_OPS, PASSWORD_MEMORY) == 0;
}

enum err secret_password_hash(const struct turn_claim *claim, const char *password, char out[SECRET_PASSWORD_SIZE])
{
    if (!gate_enter(claim)) {
        return ERR_BUSY;
    }
    bool done = hash_into(out, password);
    gate_leave();
    return done ? ERR_OK : ERR_BUSY;
}

static void make_nobody(void)
{
    char token[SECRET_TOKEN_SIZE];
    secret_token(token);
    if (!hash_into(nobody, token)) {
        panic("out of memory for a password hash");
    }
}

enum err secret_password_check(const struct turn_claim *claim, const char *password, const char *hash)
{
    if (!gate_enter(claim)) {
        return ERR_BUSY;
    }
    pthread_once(&nobody_once, make_nobody);
    errno = 0;
    int bad = crypto_pwhash_str_verify(hash ? hash : nobody, password, strlen(password));
    bool no_memory = bad != 0 && errno == ENOMEM;
    gate_leave();
    if (no_memory) {
        return ERR_BUSY; /* not a word about the password */
    }
    return hash && bad == 0 ? ERR_OK : ERR_UNAUTHORIZED;
}

bool secret_password_is_dated(const char *hash)
{
    return crypto_pwhash_str_needs_rehash(hash, PASSWORD_OPS, PASSWORD_MEMORY) == 1;
}

void secret_wipe(void *p, size_t size)
{
    sodium_memzero(p, size);
}

const char *secret_library(void)
{
    return sodium_version_string();
}
