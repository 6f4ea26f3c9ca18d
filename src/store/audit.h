/* audit.h - whether an external engine keeps what it acknowledges, judged by what it says of its version, memory and
 * disk.
 *
 * The engine is asked on every new connection, and once a second by the server (store_look). An engine that would lose
 * data is refused, unless redis.accept_loss says otherwise; what deserves a look is a warning. Log, /health, metrics
 * and `retwis check-config` say the same sentences. The embedded engine is not audited: its configuration is our own.
 *
 * Internal to src/store. Threads: any.
 */
#ifndef STORE_AUDIT_H
#define STORE_AUDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct audit;
struct buffer;
struct config;
struct store_reply;
struct url;

/* NULL for the embedded engine; all functions below take that for "nothing to say". */
struct audit *audit_new(const struct config *c, const struct url *u);
void audit_free(struct audit *a);

/* The words of the two questions, ended by NULL: INFO, and CONFIG GET of what INFO does not tell. */
#define AUDIT_QUESTIONS 2
#define AUDIT_WHY_SIZE 1024
const char *const *audit_question(size_t i);

/* Whether the engine allowed this question in the last handshake: one that forbids it is not asked every second. */
bool audit_may_ask(const struct audit *a, size_t i);

/* Judges the answers, in the order of the questions; an error stands for "may not ask". ERR_OK, or ERR_CONFIG with all
 * refused findings in `why`, joined to one line. New warnings go to the log. */
enum err audit_judge(struct audit *a, const struct store_reply *answers, char *why, size_t why_size);

/* The engine answered with this error, which only a cluster gives: it is refused until it is judged again. The log says so once. */
void audit_redirected(struct audit *a, const char *error);

/* The findings of the last judgement, one "error: …" or "warning: …" a line. True if the engine is refused. */
bool audit_write(struct audit *a, struct buffer *out);

#endif
