/* sign_in.c - see sign_in.h. Any thread.
 *
 * The costly hash comes last, after all limits. Whatever the name, the same steps are gone through: nobody is to learn from the
 * answer or from its time which names there are.
 */
#include "social/people/sign_in.h"

#include "base/arena.h"
#include "base/secret.h"
#include "base/text.h"
#include "social/core/limit.h"
#include "social/core/social.h"
#include "social/people/device.h"
#include "social/people/user.h"

/* A browser that has signed in to the account before is counted by itself, all others together. */
static enum err take_attempt(struct social *s, struct arena *a, const struct sign_in *form,
                             const struct device_account *account, const char *device, unsigned *seconds)
{
    char folded[USER_NAME_MAX + 1];
    if (!user_name_is_valid(form->name)) {
        return ERR_OK;
    }
    if (!device) {
        return limit_take(s, a, LIMIT_SIGN_IN_ACCOUNT, text_fold(form->name, folded), 1, seconds);
    }
    const char *who = arena_printf(a, "%llu:%s", (unsigned long long)account->uid, device);
    return limit_take(s, a, LIMIT_SIGN_IN_DEVICE, who, 1, seconds);
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

enum err sign_in(struct social *s, struct arena *a, const struct sign_in *form, struct session_cookies *out,
                 unsigned *seconds)
{
    struct user u;
    struct device_account account = {.password = ""};
    enum err e = limit_take_networks(s, a, LIMIT_SIGN_IN, form->networks, seconds);
    if (e != ERR_OK) {
        return e;
    }
    e = user_find(s, a, form->name, &u, NULL, &account.password);
    if (e != ERR_OK && e != ERR_NOT_FOUND) {
        return e;
    }
    account.uid = e == ERR_OK ? u.id : 0;
    const char *device = device_name(s, a, form->origin.device, &account);
    e = take_attempt(s, a, form, &account, device, seconds);
    if (e != ERR_OK) {
        return e;
    }
    const struct turn_claim claim = {limit_widest(form->networks), device != NULL};
    e = secret_password_check(&claim, form->password, account.password[0] ? account.password : NULL);
    return e == ERR_OK ? enter(s, a, form, &account, &claim, out) : e;
}
