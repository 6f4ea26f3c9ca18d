/* sign_up.c - see sign_up.h. Any thread. */
#include "social/people/sign_up.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/secret.h"
#include "base/text.h"
#include "config/settings.h"
#include "social/core/job.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/invite.h"
#include "social/people/password.h"
#include "social/people/session.h"
#include "social/people/user.h"
#include "social/people/user_index.h"
#include "store/keys.h"
#include "store/store.h"

/* Not sorted: a binary search would save nothing at this length. */
static const char *const reserved[] = {
    "about",     "abuse",     "account",       "accounts", "admin",     "administrator", "anonymous", "api",
    "auth",      "bot",       "contact",       "daemon",   "everyone",  "explore",       "favicon",   "follow",
    "followers", "following", "ftp",           "health",   "help",      "here",          "home",      "hostmaster",
    "info",      "instance",  "lists",         "local",    "locale",    "login",         "logout",    "mail",
    "me",        "media",     "metrics",       "mod",      "moderator", "news",          "nobody",    "noc",
    "nodeinfo",  "noreply",   "notifications", "null",     "oauth",     "official",      "owner",     "postmaster",
    "posts",     "privacy",   "public",        "register", "retwis",    "robots",        "root",      "search",
    "security",  "settings",  "sign_in",       "sign_out", "sign_up",   "signin",        "signup",    "static",
    "staff",     "stats",     "status",        "support",  "sysadmin",  "system",        "tags",      "terms",
    "timeline",  "undefined", "unfollow",      "user",     "users",     "web",           "webmaster", "www",
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

void sign_up_check(const struct sign_up *form, const struct actor *by, struct problems *p)
{
    if (!*form->name) {
        problem_add(p, "username", "username_blank");
    } else if (!user_name_is_valid(form->name)) {
        problem_add_numbers(p, "username", "username_format", USER_NAME_MIN, USER_NAME_MAX,
                            (int64_t)strlen(form->name));
    } else if (user_name_is_reserved(form->name) && !by->is_admin) {
        problem_add(p, "username", "username_reserved");
    }
    password_check(form->password, form->password2, form->name, p);
}

/* Whether registration lets this form in. *invited says that a use of the invitation must be taken. */
static enum err check_registration(struct social *s, const struct sign_up *form, const struct actor *by, bool *invited,
                                   struct problems *p)
{
    const struct settings *settings = settings_get(s->settings);
    enum settings_registration registration = settings->registration;
    settings_release(s->settings, settings);
    *invited = registration == REGISTRATION_INVITE && !by->is_admin;
    if (registration == REGISTRATION_CLOSED && !by->is_admin) {
        problem_add(p, "form", "registration_closed");
        return ERR_FORBIDDEN;
    }
    if (*invited && (!form->invite || !*form->invite)) {
        problem_add(p, "invite_code", "invite_blank");
    }
    return ERR_OK;
}

/* One try to store the user of the job. */
static enum err store_user(struct social *s, struct arena *a, const char *name, const char *hash, const struct job *job,
                           enum answer *answer)
{
    char folded[USER_NAME_MAX + 1];
    const struct record_user record = {.name = name, .display = "", .bio = "", .role = ""};
    const struct script_user_create in = {job_call(job), text_fold(name, folded), job->uid, hash, &record};
    struct store_batch *b = store_batch_new(s->store, a);
    script_user_create_add(b, &in);
    enum err e = store_run(b);
    *answer = script_answer(store_reply(b, 0));
    return e;
}

/* Creates the user under an id of his own, which becomes the job's uid. */
static enum err create(struct social *s, struct arena *a, const char *name, const char *hash, struct job *job,
                       struct problems *p)
{
    enum answer answer;
    enum err e;
    do {
        job->uid = id_new(user_bucket(name), 0);
        e = store_user(s, a, name, hash, job, &answer);
    } while (e == ERR_OK && job_is_stale(job, answer));
    if (e == ERR_OK && answer == ANSWER_TAKEN) {
        problem_add(p, "username", "username_taken");
        return ERR_TAKEN;
    }
    return e == ERR_OK && answer != ANSWER_OK ? ERR_BUSY : e;
}

/* Among the problems of the form, where its field stands: behind the invitation, before the passwords. */
static void add_taken(struct problems *p)
{
    problem_add(p, "username", "username_taken");
    struct problem taken = p->items[p->count - 1];
    unsigned at = p->count > 1 && strcmp(p->items[0].field, "invite_code") == 0;
    memmove(&p->items[at + 1], &p->items[at], (p->count - 1 - at) * sizeof(taken));
    p->items[at] = taken;
}

static bool has_problem(const struct problems *p, const char *field)
{
    for (unsigned i = 0; i < p->count; i++) {
        if (strcmp(p->items[i].field, field) == 0) {
            return true;
        }
    }
    return false;
}

/* Counts the attempt for the address even if the form is wrong. Refuses a name that is taken before the costly hash and
 * before an invitation is used. */
static enum err check_counted(struct social *s, struct arena *a, const struct actor *by, const char *name,
                              struct problems *p)
{
    char folded[USER_NAME_MAX + 1];
    struct store_batch *b = store_batch_new(s->store, a);
    size_t counted =
        by->kind == ACTOR_NOBODY ? limit_networks_add(s, b, a, LIMIT_SIGN_UP, by->networks) : LIMIT_UNASKED;
    bool asks = !has_problem(p, "username");
    if (asks) {
        text_fold(name, folded);
        store_command(b, key_text_bucket(folded), "EXISTS", key_text(a, KEY_NAME, folded), NULL);
    }
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    if (counted != LIMIT_UNASKED && limit_refuses(store_reply(b, counted), p)) {
        p->count = 0; /* the visitor is told this and no more */
        return ERR_TOO_MANY;
    }
    if (asks && store_integer(store_reply(b, store_batch_count(b) - 1)) == 1) {
        bool is_all = p->count == 0;
        add_taken(p);
        return is_all ? ERR_TAKEN : ERR_INVALID;
    }
    return p->count ? ERR_INVALID : ERR_OK;
}

/* Creates the user of a form without mistakes. */
/* The job that follows a sign-up. */
struct sign_up_work {
    struct job job;
    const char *name; /* NULL: it was taken over */
};

static enum err admit(struct social *s, struct arena *a, const struct sign_up *form, bool invited, const char *hash,
                      uint64_t *id, struct problems *p)
{
    struct sign_up_work *work = job_new(a, &sign_up_job, id_new(user_bucket(form->name), 0));
    struct job *job = &work->job;
    work->name = form->name;
    const char *nonce = job_nonce_text(a, job);
    enum err e = invited ? invite_take(s, a, form->invite, nonce) : ERR_OK;
    if (e == ERR_NOT_FOUND) {
        problem_add(p, "invite_code", "invite_invalid");
        e = ERR_INVALID;
    }
    if (e != ERR_OK) {
        return e;
    }
    e = create(s, a, form->name, hash, job, p);
    if (e == ERR_OK) {
        job_run(s, a, job);
    } else if (invited && e != ERR_UNAVAILABLE) { /* else the user may exist, and only the answer was lost */
        invite_give_back(s, a, form->invite, nonce);
    }
    *id = job->uid;
    return e;
}

enum err user_sign_up(struct social *s, struct arena *a, const struct actor *by, const struct sign_up *form,
                      uint64_t *id, struct session_cookies *cookies, struct problems *p)
{
    bool invited;
    enum err e = action_check(ACTION_SIGN_UP, by);
    e = e == ERR_OK ? check_registration(s, form, by, &invited, p) : e;
    if (e != ERR_OK) {
        return e;
    }
    sign_up_check(form, by, p);
    e = check_counted(s, a, by, form->name, p);
    if (e != ERR_OK) {
        return e;
    }
    char hash[SECRET_PASSWORD_SIZE];
    const struct turn_claim claim = {limit_widest(by->networks), by->is_admin};
    e = secret_password_hash(&claim, form->password, hash);
    e = e == ERR_OK ? admit(s, a, form, invited, hash, id, p) : e;
    secret_wipe(hash, sizeof(hash));
    return e == ERR_OK && form->origin ? session_create(s, a, *id, NULL, form->origin, cookies) : e;
}

/* A job that was taken over may be about somebody whose record is gone. */
static enum err user_exists(struct social *s, struct arena *a, uint64_t uid, bool *exists, struct user *u)
{
    struct store_batch *b = store_batch_new(s->store, a);
    size_t reply = user_add(b, uid);
    enum err e = store_run(b);
    *exists = e == ERR_OK && user_take(s, b, reply, uid, u) && !u->is_deleted;
    return e;
}

static enum err sign_up_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    const struct sign_up_work *work = (struct sign_up_work *)j;
    struct user u = {.id = j->uid, .name = work->name, .display = ""};
    struct store_batch *b = store_batch_new(s->store, a);
    bool exists = true;
    enum err e = work->name ? ERR_OK : user_exists(s, a, j->uid, &exists, &u);
    if (e == ERR_OK && exists) {
        user_latest_add(b, a, j->uid);
        s->parts->user_index->add(b, a, &u);
        e = store_run(b);
    }
    if (e == ERR_OK) {
        struct store_batch *end = store_batch_new(s->store, a);
        job_done_add(end, j);
        store_send(end);
    }
    *done = true;
    return e;
}

const struct job_class sign_up_job = {
    .name = "signup", .step = sign_up_step, .size = sizeof(struct sign_up_work), .about = JOB_ABOUT_OWNER};
