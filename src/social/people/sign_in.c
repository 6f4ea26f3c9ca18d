/* sign_in.c - see sign_in.h. Any thread.
 *
 * The costly hash comes last, after all limits. Whatever the name, the same steps are gone through: neither the answer
 * nor its time may show which names exist.
 */
#include "social/people/sign_in.h"

#include "base/arena.h"
#include "base/secret.h"
#include "base/text.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/device.h"
#include "social/people/user.h"
#include "store/store.h"

/* Counts the attempt for the address, and looks the name up beside it: another bucket, but the same round trip. An
 * unknown name leaves account->uid 0. */
static enum err sign_in_find_counted(struct social *s, struct arena *a, const struct actor *by, const char *name,
                                     struct device_account *account, struct problems *p)
{
    const struct user_page page = {.what = USER_FIND_WHAT_PASSWORD};
    struct store_batch *b = social_batch(s, a);
    size_t counted = limit_networks_add(s, b, a, LIMIT_SIGN_IN, by->networks);
    bool is_name = user_name_is_valid(name);
    size_t found = is_name ? user_find_add(b, name, &page) : 0;
    enum err e = store_run(b);
    if (e == ERR_OK && counted != LIMIT_UNASKED && limit_refuses(store_reply(b, counted), p)) {
        e = ERR_TOO_MANY;
    }
    struct user u;
    const struct store_reply *rows;
    if (e == ERR_OK && is_name && user_find_take(s, b, found, &u, NULL, &rows) == ERR_OK) {
        *account = (struct device_account){u.id, store_text(store_item(rows, 0))};
    }
    return e;
}

/* A browser that has signed in to the account before is counted by itself, all others together. Which of the two it is
 * can be told only when the account is known, so this takes a round trip of its own. */
static enum err take_attempt(struct social *s, struct arena *a, const char *name, const struct device_account *account,
                             const char *device, struct problems *p)
{
    char folded[USER_NAME_MAX + 1];
    if (!user_name_is_valid(name)) {
        return ERR_OK;
    }
    if (!device) {
        return limit_take(s, a, LIMIT_SIGN_IN_ACCOUNT, text_fold(name, folded), p);
    }
    const char *who = arena_printf(a, "%llu:%s", (unsigned long long)account->uid, device);
    return limit_take(s, a, LIMIT_SIGN_IN_DEVICE, who, p);
}

static enum err enter(struct social *s, struct arena *a, const struct sign_in *form,
                      const struct device_account *account, const struct turn_claim *claim, struct session_cookies *out)
{
    char renewed[SECRET_PASSWORD_SIZE] = "";
    if (secret_password_is_dated(account->password) && secret_password_hash(claim, form->password, renewed) != ERR_OK) {
        renewed[0] = '\0'; /* too much to do at this moment: the next sign-in renews it */
    }
    const struct session_checked checked = {account->password, renewed};
    enum err e = session_create(s, a, account->uid, &checked, &form->origin, out);
    return e == ERR_NOT_FOUND ? ERR_UNAUTHORIZED : e; /* deleted meanwhile, or the password was changed */
}

/* Fills *account and *claim. */
static enum err prove(struct social *s, struct arena *a, const struct actor *by, const struct sign_in *form,
                      struct device_account *account, struct turn_claim *claim, struct problems *p)
{
    enum err e = action_check(ACTION_SIGN_IN, by);
    if (e == ERR_OK && (!*form->name || !*form->password)) {
        problem_add(p, "form", "sign_in_blank");
        e = ERR_INVALID;
    }
    *account = (struct device_account){.password = ""};
    e = e == ERR_OK ? sign_in_find_counted(s, a, by, form->name, account, p) : e;
    if (e != ERR_OK) {
        return e;
    }
    const char *device = device_name(s, a, form->origin.device, account);
    e = take_attempt(s, a, form->name, account, device, p);
    *claim = (struct turn_claim){limit_widest(by->networks), device != NULL};
    return e == ERR_OK ? secret_password_check(claim, form->password, account->password[0] ? account->password : NULL)
                       : e;
}

enum err sign_in_check(struct social *s, struct arena *a, const struct actor *by, const struct sign_in *form,
                       struct device_account *account, struct problems *p)
{
    struct turn_claim claim;
    return prove(s, a, by, form, account, &claim, p);
}

enum err sign_in(struct social *s, struct arena *a, const struct actor *by, const struct sign_in *form,
                 struct session_cookies *out, struct problems *p)
{
    struct device_account account;
    struct turn_claim claim;
    enum err e = prove(s, a, by, form, &account, &claim, p);
    e = e == ERR_OK ? enter(s, a, form, &account, &claim, out) : e;
    if (e == ERR_UNAUTHORIZED) {
        problem_add(p, "form", "sign_in");
    }
    return e;
}
