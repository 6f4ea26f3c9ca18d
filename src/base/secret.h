/* secret.h - random numbers, hashes and passwords: libsodium behind names of ours.
 *
 * Any thread after secret_setup. Password hashing is memory-hard on purpose (argon2id, 19 MiB). At most one per core
 * runs at a time, and never more than 4; a few wait, in fair turn (turn.h); the rest get ERR_BUSY. So a flood of
 * sign-ins has a bounded cost (OWASP ASVS 11.4.2).
 */
#ifndef BASE_SECRET_H
#define BASE_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/turn.h"

/* Once, before any other function of this file. Aborts if the library cannot start. */
void secret_setup(void);

void secret_random(void *out, size_t size);
uint64_t secret_random_u64(void);

/* SipHash of the text with a key of this process: for hash tables that strangers fill. */
uint64_t secret_spread(const char *text);

/* A number that other bytes give another one for, with a key of the caller's: for entity tags. It is made five times as
 * quickly as SipHash, by multiplications as in wyhash, and is no proof of anything: never a code that somebody sends. */
uint64_t secret_digest(const unsigned char key[32], const void *data, size_t size);

#define SECRET_TOKEN_SIZE 44 /* 32 random bytes as base64url, and NUL */

/* A new unguessable token. */
void secret_token(char out[SECRET_TOKEN_SIZE]);

#define SECRET_HASH_SIZE 44 /* 32 bytes as base64url, and NUL */

/* BLAKE2b-256 of the text, base64url: how tokens are stored. */
void secret_hash(const char *text, char out[SECRET_HASH_SIZE]);

/* SHA-256 of the text, base64url: the challenge S256 of OAuth (RFC 7636). */
void secret_challenge(const char *text, char out[SECRET_HASH_SIZE]);

/* Decodes base64 (RFC 4648, with padding) into a text. False: it is none, holds NUL, or does not fit. */
bool secret_decode(const char *encoded, char *out, size_t size);

#define SECRET_KEY_TEXT_SIZE 65 /* 32 bytes in hexadecimal, and NUL */

/* A key as text, and back: false for what secret_key_write does not write. */
void secret_key_write(const unsigned char key[32], char out[SECRET_KEY_TEXT_SIZE]);
bool secret_key_read(const char *text, unsigned char key[32]);

/* Keyed BLAKE2b-256 of the text, base64url. key is 32 bytes. */
void secret_mac(const unsigned char key[32], const char *text, char out[SECRET_HASH_SIZE]);

/* How CSRF tokens are made: half of such a code, hidden under random bytes, which stand before it. Each one differs in all
 * of its characters from the one before, and secret_veiled_equal says whether it is one of this key and text. So a token
 * can stand in a compressed answer: what one answer betrays of it is of no use for the next. */
void secret_veiled(const unsigned char key[32], const char *text, char out[SECRET_HASH_SIZE]);
bool secret_veiled_equal(const unsigned char key[32], const char *text, const char *given);

/* Constant-time comparison of two strings (lengths may leak). */
bool secret_equal(const char *a, const char *b);

#define SECRET_PASSWORD_SIZE 128

/* argon2id hash of a password. ERR_OK, or ERR_BUSY when too many are being hashed. The claim says for whom (turn.h). */
enum err secret_password_hash(const struct turn_claim *claim, const char *password, char out[SECRET_PASSWORD_SIZE]);

/* Checks a password. `hash` NULL stands for an unknown user: the same work is done and the answer is
 * ERR_UNAUTHORIZED. ERR_OK, ERR_UNAUTHORIZED or ERR_BUSY. */
enum err secret_password_check(const struct turn_claim *claim, const char *password, const char *hash);

/* True when the hash was made with other parameters than those of secret_password_hash. */
bool secret_password_is_dated(const char *hash);

/* Version of the library, for people. */
const char *secret_library(void);

/* Overwrites memory that held a secret. */
void secret_wipe(void *p, size_t size);

#endif
