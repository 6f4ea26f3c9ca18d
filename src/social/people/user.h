/* user.h - people: their records, names and profiles. How one becomes a user: sign_up.h.
 *
 * A user is named by his id everywhere; the name leads to it. Functions that read take what they need in the caller's
 * batch, so that a page stays within two round trips.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_USER_H
#define SOCIAL_PEOPLE_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/problem.h"
#include "social/people/preference.h"
#include "store/calls.h"

struct actor;
struct arena;
struct profile_field;
struct social;
struct store_batch;
struct store_reply;
struct user_numbers;

#define USER_NAME_MIN 3
#define USER_NAME_MAX 30
#define USER_DISPLAY_MAX 50 /* code points */
#define USER_BIO_MAX 500
#define USER_ADMIN "admin"   /* the role of an administrator */
#define USER_LATEST_SIZE 100 /* the newest users of the site, who are kept in a list */

/* What administrators have made of an account; the words are those of the record. Others see of one who is limited what
 * he writes only if they follow him, and do not come upon him; of one who is suspended they see nothing (posts/see.h). */
#define USER_STATE_TABLE(X)                                                                                            \
    X(FREE, "")                                                                                                        \
    X(LIMITED, "limited")                                                                                              \
    X(SUSPENDED, "suspended")

enum user_state {
#define X(id, word) USER_STATE_##id,
    USER_STATE_TABLE(X)
#undef X
        USER_STATES
};

struct user {
    uint64_t id; /* 0: nobody */
    const char *name;
    const char *display; /* "" = shows the name */
    const char *bio;
    const char *profile_fields; /* as they are stored: profile_field.h */
    bool is_admin;
    bool is_deleted;
    bool home_replies; /* his home also shows answers to people whom he does not follow (posts/see.h) */
    const char *preferred[PREFERENCES];                       /* see preference_of */
    bool is_locked;                                           /* whoever wants to follow has to ask: request.h */
    bool is_bot, is_discoverable, is_indexable, hides_people; /* as he prefers: preference.h */
    enum user_state state;
    const struct user_numbers *numbers; /* NULL: nobody asked for them (visit_numbers.h), or they are not there yet */
};

struct user_counts {
    int64_t posts, following, followers;
};

/* True for a well-formed name: USER_NAME_MIN..MAX ASCII letters, digits, underscores. */
bool user_name_is_valid(const char *name);

/* The word of a state. A struct user has USER_STATES when a later version wrote another word. */
const char *user_state_word(enum user_state state);

/* Whether a visitor (0: nobody) is shown nothing of this user, as if there were none. Never of himself. */
bool user_is_hidden(const struct user *u, uint64_t from);

/* Whether people come upon him who did not look for him by his name. */
bool user_is_shown_around(const struct user *u);

/* Whether he is put before people who do not look for him at all. */
bool user_is_recommended(const struct user *u);

/* The same of whom only these two fields of the record are known. */
bool user_is_recommended_by(const char *state, const char *discoverable);

/* Whether a visitor (0: nobody) is not to see whom he follows and who follows him. Never of himself. */
bool user_hides_people(const struct user *u, uint64_t from);

/* Bucket of a name, and of the user who has it. */
unsigned user_bucket(const char *name);

/* Looks a name up: ERR_NOT_FOUND for none or deleted. password (may be NULL) receives the hash. One round trip. */
enum err user_find(struct social *s, struct arena *a, const char *name, struct user *out, struct user_counts *counts,
                   const char **password);

/* What somebody tells of himself, as he typed it. */
struct user_profile {
    const char *display, *bio;
    const struct profile_field *fields; /* PROFILE_FIELDS_MAX of them; NULL: they stay */
};

/* Actions (action.h): changes the actor's profile. ERR_INVALID with problems, ERR_NOT_FOUND when he was deleted
 * meanwhile. */
enum err user_edit(struct social *s, struct arena *a, const struct actor *by, const struct user_profile *profile,
                   struct problems *p);

/* Changes what the actor prefers (preference.h); NULL leaves one as it is. The same errors. */
enum err user_prefer(struct social *s, struct arena *a, const struct actor *by, const char *const words[PREFERENCES],
                     struct problems *p);

/* Makes somebody an administrator, or not. ERR_NOT_FOUND: he was deleted. */
enum err user_set_admin(struct social *s, struct arena *a, const struct actor *by, uint64_t id, bool is_admin);

/* Limits or suspends somebody, or takes that back. ERR_NOT_FOUND: he was deleted. */
enum err user_set_state(struct social *s, struct arena *a, const struct actor *by, uint64_t id, enum user_state state);

/* Deletes a user: he is gone at once, a job takes away what he left. */
enum err user_delete(struct social *s, struct arena *a, const struct actor *by, uint64_t id);

/* Calls `each` for every user of the site, in chunks; stops when it returns false. For command-line tools. */
enum err user_each(struct social *s, bool (*each)(const struct user *u, const struct user_counts *c, void *context),
                   void *context);

/* How many users there are: one round trip that asks every bucket. */
enum err user_count_all(struct social *s, struct arena *a, int64_t *count);

/* --- records, for the other files of social/ --- */

/* Makes a user of his id and record; id 0: there is none. The texts stay the record's. */
void user_from_record(const struct record_user *r, uint64_t id, struct user *out);

/* Remembers a record as it was read (USER_SHOWN). `token`: the mark of the batch that it came with (cache.h). */
void user_cache_put(struct social *s, struct arena *a, uint64_t id, const struct record_user *r, uint64_t token);
bool user_cache_get(struct social *s, struct arena *a, uint64_t id, struct user *out);

/* Who has this name, in any case, without asking: whom the process remembers. */
bool user_recall_named(struct social *s, struct arena *a, const char *name, struct user *out);

/* Sets the given fields of a record (record.h) and tells all processes. ERR_NOT_FOUND: there is no such user, or he was
 * deleted. */
enum err user_set(struct social *s, struct arena *a, uint64_t id, const struct record_user *fields);

/* Adds the same to a batch: the change, whose reply is ANSWER_OK or he is not there, and that all servers are told. */
size_t user_set_add(struct social *s, struct store_batch *b, struct arena *a, uint64_t id,
                    const struct record_user *fields);

/* Puts somebody among the newest users, at his place by id and only once. */
void user_latest_add(struct store_batch *b, struct arena *a, uint64_t id);

/* Adds the read of a record to a batch / takes it from the reply (and remembers it). False: there is none. */
size_t user_add(struct store_batch *b, uint64_t id);
bool user_take(struct social *s, const struct store_batch *b, size_t reply, uint64_t id, struct user *out);

/* Adds the numbers of a user to a batch / takes them. id 0: nobody's. */
size_t user_counts_add(struct store_batch *b, struct arena *a, uint64_t id);
void user_counts_take(const struct store_batch *b, size_t reply, struct user_counts *out);

/* Adds user_find.lua for a page of `what`. */
struct user_page {
    enum script_user_find_what what;
    const char *from, *to;
    bool reverse;
    unsigned limit;
    unsigned most; /* originals: how many posts are looked at for them */
};
size_t user_find_add(struct store_batch *b, const char *name, const struct user_page *page);
/* ERR_NOT_FOUND or ERR_OK; *rows is the page. */
enum err user_find_take(struct social *s, const struct store_batch *b, size_t reply, struct user *out,
                        struct user_counts *counts, const struct store_reply **rows);
/* With posts or originals: the ids of those that he pinned; and behind which id it goes on, where the page is not full because
 * too many had been looked at for it (else 0). */
const struct store_reply *user_find_pins(const struct store_batch *b, size_t reply, uint64_t *rest);

#endif
