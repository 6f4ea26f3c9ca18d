/* visit.h - one visitor's request to the data: who he is, and all that his page reads, in as many round trips as the
 * slowest read needs: nearly always two.
 *
 * A page begins a visit, asks (each ask function returns where its answer will be), and reads once:
 *
 *     const struct home *home = home_ask(v, &query);
 *     const struct people *newest = newest_people_ask(v, 10);
 *     enum err e = visit_read(v);
 *
 * With ERR_OK all answers are filled in; before that none of them may be looked at. Errors are those of the engine,
 * those of visit_require, and ERR_NOT_FOUND when a read is about somebody or something that does not exist.
 *
 * A visitor who is not signed in is the viewer with id 0. The inside of a visit is for reads alone: visit_read.h.
 *
 * Threads: a visit belongs to one thread.
 */
#ifndef SOCIAL_PEOPLE_VISIT_H
#define SOCIAL_PEOPLE_VISIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/who.h"
#include "social/people/user.h"

struct arena;
struct social;
struct token;
struct visit;

/* Begins a visit with this session cookie (NULL: none). It lives in the arena. */
struct visit *visit_begin(struct social *s, struct arena *a, const char *cookie);

/* Begins a visit with this access token (NULL: none): token.h. An application's own token is nobody's, but
 * visit_app. */
struct visit *visit_begin_token(struct social *s, struct arena *a, const char *token);

/* Begins a visit that finds out who asks, and nothing else: for whoever wants to change something. Only his session (or
 * token) and record are read, which nothing that he does changes: so it costs a round trip now and then. */
struct visit *visit_verify(struct social *s, struct arena *a, const char *credential, bool by_token);

/* Begins the visit of whom another one has verified, for what is to be read then: the viewer and his token are known from
 * the beginning, and judged anew when it reads. */
struct visit *visit_again(const struct visit *verified);

/* A visit of this user without a session: for command-line tools. */
struct visit *visit_begin_as(struct social *s, struct arena *a, uint64_t uid);

/* Says who may go on; by default anybody. visit_read answers all others with ERR_UNAUTHORIZED (not signed in) or
 * ERR_FORBIDDEN (not an administrator), after the first round. */
void visit_require(struct visit *v, enum who who);

/* Asks for the people whom the visitor follows, for visit_follows. */
void visit_want_following(struct visit *v);

/* Reads all that was asked. If nothing was asked, it still finds out who the visitor is. Can be called again after
 * further asks. */
enum err visit_read(struct visit *v);

/* Whether the first round has come back, so that it is known who the visitor is. */
bool visit_is_known(const struct visit *v);

/* The visitor; id 0: nobody, or not known yet. */
const struct user *visit_viewer(const struct visit *v);

/* The session of the cookie (session.h), "" if it was nobody's. */
const char *visit_session(const struct visit *v);

/* The token that the visit was begun with, once it has read; NULL: none, or a bad one. Whose it is, visit_viewer
 * says. */
const struct token *visit_app(const struct visit *v);

/* What it allows; 0 without one. */
uint64_t visit_scopes(const struct visit *v);

/* Whether the visitor follows him; or asks to, as the other's account is locked. */
bool visit_follows(const struct visit *v, uint64_t uid);
bool visit_asked(const struct visit *v, uint64_t uid);

#endif
