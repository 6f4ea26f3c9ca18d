/* sign_up.c - how a person becomes a user: rules of names and passwords, invitations, the record. Any thread. */
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/secret.h"
#include "base/text.h"
#include "config/settings.h"
#include "social/home.h"
#include "social/invite.h"
#include "social/job.h"
#include "social/job_steps.h"
#include "social/social.h"
#include "social/user.h"
#include "store/keys.h"
#include "store/store.h"

#define LATEST_KEPT "99" /* LTRIM's last index */

/* Sorted (strcmp) for a binary search would save nothing at this length. */
static const char *const reserved[] = {
    "about",     "abuse",         "account",  "accounts",  "admin",    "administrator", "anonymous",  "api",
    "auth",      "bot",           "contact",  "daemon",    "everyone", "explore",       "favicon",    "follow",
    "followers", "following",     "ftp",      "health",    "help",     "here",          "home",       "hostmaster",
    "info",      "instance",      "local",    "locale",    "login",    "logout",        "mail",       "me",
    "media",     "metrics",       "mod",      "moderator", "news",     "nobody",        "noc",        "nodeinfo",
    "noreply",   "notifications", "null",     "oauth",     "official", "owner",         "postmaster", "posts",
    "privacy",   "public",        "register", "retwis",    "robots",   "root",          "search",     "security",
    "settings",  "sign_in",       "sign_out", "sign_up",   "signin",   "signup",        "static",     "staff",
    "stats",     "status",        "support",  "sysadmin",  "system",   "tags",          "terms",      "timeline",
    "undefined", "unfollow",      "user",     "users",     "web",      "webmaster",     "www",
};

/* What guessing programs try first, beside repeated characters, rows of keys and the name itself. Prefixes: a few
 * characters more do not make them better. */
static const char *const common[] = {
    "password", "passw0rd", "p@ssw0rd", "qwertyui", "qwerty12", "qwerty123", "1q2w3e4r", "1qaz2wsx", "iloveyou",
    "princess", "sunshine", "football", "baseball", "superman", "trustno1",  "welcome1", "letmein1", "monkey12",
    "dragon12", "master12", "starwars", "whatever", "computer", "michelle",  "jennifer", "charlie1", "abc12345",
    "abcd1234", "a1b2c3d4", "asdfghjk", "zxcvbnm1", "zaq12wsx", "q1w2e3r4",  "qazwsxed", "internet", "samsung1",
    "changeme", "default1", "admin123", "administ", "rootroot", "test1234",  "testtest", "secret12", "hello123",
    "freedom1", "batman12", "pokemon1", "liverpoo", "arsenal1", "chelsea1",  "mustang1", "shadow12", "jordan23",
};

bool user_name_is_reserved(const char *name)
{
    char folded[USER_NAME_MAX + 1];
    text_fold(name, folded);
    for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++) {
        if (strcmp(reserved[i], folded) == 0) {
            return true;
        }
    }
    return false;
}

/* True when the characters only repeat or count up or down: "aaaaaaaa", "12345678", "hgfedcba". */
static bool is_run(const char *text)
{
    int step = text[1] - text[0];
    for (size_t i = 1; text[i]; i++) {
        if (text[i] - text[i - 1] != step) {
            return false;
        }
    }
    return step >= -1 && step <= 1;
}

static bool is_common(const char *folded)
{
    static const char *const rows = "qwertyuiop asdfghjkl zxcvbnm 1234567890 0987654321 qwertzuiop azertyuiop";
    if (is_run(folded) || strstr(rows, folded)) {
        return true;
    }
    for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++) {
        size_t n = strlen(common[i]);
        if (strncmp(common[i], folded, n) == 0 && strlen(folded) < n + 4) {
            return true;
        }
    }
    return false;
}

/* True when the password is little more than the user's name. */
static bool is_name(const char *folded, const char *name)
{
    if (!name || !*name || strlen(name) > USER_NAME_MAX) {
        return false;
    }
    char folded_name[USER_NAME_MAX + 1];
    text_fold(name, folded_name);
    return strstr(folded, folded_name) && strlen(folded) < strlen(folded_name) + 5;
}

void user_check_password(const char *password, const char *password2, const char *name, struct problems *p)
{
    size_t n = strlen(password);
    int64_t count = (int64_t)text_count(password, n);
    if (n == 0) {
        problem_add(p, "password", "password_blank");
    } else if (count < USER_PASSWORD_MIN) {
        problem_add_numbers(p, "password", "password_too_short", USER_PASSWORD_MIN, USER_PASSWORD_MAX, count);
    } else if (n > USER_PASSWORD_MAX) {
        problem_add_numbers(p, "password", "password_too_long", USER_PASSWORD_MIN, USER_PASSWORD_MAX, count);
    } else {
        char folded[USER_PASSWORD_MAX + 1];
        text_fold(password, folded);
        if (is_common(folded)) {
            problem_add(p, "password", "password_common");
        } else if (is_name(folded, name)) {
            problem_add(p, "password", "password_is_name");
        }
        secret_wipe(folded, sizeof(folded));
    }
    if (n && !*password2) {
        problem_add(p, "password2", "password2_blank");
    } else if (strcmp(password, password2) != 0) {
        problem_add(p, "password2", "password2_mismatch");
    }
}

static void check_form(const struct sign_up *form, struct problems *p)
{
    if (!*form->name) {
        problem_add(p, "username", "username_blank");
    } else if (!user_name_is_valid(form->name)) {
        problem_add_numbers(p, "username", "username_format", USER_NAME_MIN, USER_NAME_MAX,
                            (int64_t)strlen(form->name));
    } else if (user_name_is_reserved(form->name) && !form->by_admin) {
        problem_add(p, "username", "username_reserved");
    }
    user_check_password(form->password, form->password2, form->name, p);
}

/* Whether registration lets this form in. *invited says that a use of the invitation must be taken. */
static enum err check_registration(struct social *s, const struct sign_up *form, bool *invited, struct problems *p)
{
    const struct settings *settings = settings_get(s->settings);
    enum settings_registration registration = settings->registration;
    settings_release(s->settings, settings);
    *invited = registration == REGISTRATION_INVITE && !form->by_admin;
    if (registration == REGISTRATION_CLOSED && !form->by_admin) {
        problem_add(p, "form", "registration_closed");
        return ERR_FORBIDDEN;
    }
    if (*invited && (!form->invite || !*form->invite)) {
        problem_add(p, "invite_code", "invite_blank");
    }
    return ERR_OK;
}

static enum err create(struct social *s, struct arena *a, const char *name, const char *hash, uint64_t uid,
                       struct job *job, struct problems *p)
{
    char folded[USER_NAME_MAX + 1], digits[ID_SIZE];
    text_fold(name, folded);
    unsigned bucket = id_bucket(uid);
    const char *keys[] = {key_text(a, KEY_NAME, folded), key_id(a, KEY_USER, uid),      key_plain(a, KEY_USERS, bucket),
                          key_id(a, KEY_HOME, uid),      key_id(a, KEY_HOMESTATE, uid), key_plain(a, KEY_JOBS, bucket),
                          key_id(a, KEY_JOB, job->id),   key_id(a, KEY_NEWEST, uid)};
    const char *arguments[] = {
        id_write(uid, digits),
        arena_printf(a, "%llu", (unsigned long long)atomic_load(&s->epoch)),
        job_id_text(a, job),
        job_lease_text(a),
        home_ttl_text(s, a),
        "name",
        name,
        "password",
        hash,
        "display",
        "",
        "bio",
        "",
        "role",
        "",
    };
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, bucket, SCRIPT_USER_CREATE, 8, keys, sizeof(arguments) / sizeof(*arguments), arguments);
    enum err e = store_run(b);
    if (e == ERR_OK && strcmp(store_text(store_item(store_reply(b, 0), 0)), "ok") != 0) {
        problem_add(p, "username", "username_taken");
        e = ERR_TAKEN;
    }
    return e;
}

/* A name that is visibly taken is refused before the costly hash and before an invitation is used. */
static enum err check_free(struct social *s, struct arena *a, const char *name, struct problems *p)
{
    char folded[USER_NAME_MAX + 1];
    text_fold(name, folded);
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, key_text_bucket(folded), "EXISTS", key_text(a, KEY_NAME, folded), NULL);
    enum err e = store_run(b);
    if (e == ERR_OK && store_integer(store_reply(b, 0)) == 1) {
        problem_add(p, "username", "username_taken");
        e = ERR_TAKEN;
    }
    return e;
}

enum err user_sign_up(struct social *s, struct arena *a, const struct sign_up *form, uint64_t *id, struct problems *p)
{
    bool invited;
    enum err e = check_registration(s, form, &invited, p);
    if (e != ERR_OK) {
        return e;
    }
    check_form(form, p);
    if (p->count) {
        return ERR_INVALID;
    }
    e = check_free(s, a, form->name, p);
    if (e != ERR_OK) {
        return e;
    }
    char hash[SECRET_PASSWORD_SIZE];
    e = secret_password_hash(form->password, hash);
    if (e != ERR_OK) {
        return e;
    }
    uint64_t uid = id_new(user_bucket(form->name), 0);
    if (invited) {
        e = invite_take(s, a, form->invite, uid);
        if (e == ERR_NOT_FOUND) {
            problem_add(p, "invite_code", "invite_invalid");
            e = ERR_INVALID;
        }
    }
    if (e == ERR_OK) {
        struct job *job = job_new(a, JOB_SIGNUP, uid);
        e = create(s, a, form->name, hash, uid, job, p);
        if (e == ERR_OK) {
            job_run(s, a, job);
        } else if (invited) {
            invite_give_back(s, a, form->invite, uid);
        }
    }
    secret_wipe(hash, sizeof(hash));
    *id = uid;
    return e;
}

/* A job that was taken over may be about somebody whose record is gone. */
static enum err user_exists(struct social *s, struct arena *a, uint64_t uid, bool *exists)
{
    struct user u;
    struct store_batch *b = store_batch_new(s->store, a);
    size_t reply = user_add(b, a, uid);
    enum err e = store_run(b);
    *exists = e == ERR_OK && user_take(s, b, reply, uid, &u) && !u.is_deleted;
    return e;
}

enum err job_step_signup(struct social *s, struct arena *a, struct job *j, bool *done)
{
    char digits[ID_SIZE];
    id_write(j->uid, digits);
    const char *latest = key_plain(a, KEY_LATEST, KEY_GLOBAL_BUCKET);
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, KEY_GLOBAL_BUCKET, "LREM", latest, "0", digits, NULL);
    store_command(b, KEY_GLOBAL_BUCKET, "LPUSH", latest, digits, NULL);
    store_command(b, KEY_GLOBAL_BUCKET, "LTRIM", latest, "0", LATEST_KEPT, NULL);
    bool exists = true;
    enum err e = j->resumed ? user_exists(s, a, j->uid, &exists) : ERR_OK;
    e = e == ERR_OK && exists ? store_run(b) : e;
    if (e == ERR_OK) {
        struct store_batch *end = store_batch_new(s->store, a);
        job_done_add(end, a, j);
        store_send(end);
    }
    *done = true;
    return e;
}
