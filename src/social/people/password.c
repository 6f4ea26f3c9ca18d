/* password.c - see password.h. Any thread.
 *
 * There are no rules of composition: they make people predictable. What is guessed first is refused: passwords that are
 * too short, runs and rows of keys, the user's name, and everything in a list of leaked passwords and of the commonest
 * names and words. The list is not ours: it is made of a Debian package when the libraries are built
 * (packaging/deps/build) and embedded as one sorted text, a word of PASSWORD_MIN characters or more on each line, in
 * lower case.
 */
#include "social/people/password.h"

#include <stdbool.h>
#include <string.h>

#include "base/embedded.h"
#include "base/secret.h"
#include "base/text.h"
#include "social/people/user.h"

#define TAIL_MAX 3 /* a listed word with up to so many signs at its end is refused too: "Password1!" */

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
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

/* True when it is twice what would be too short: "testtest". */
static bool is_double(const char *folded)
{
    size_t half = strlen(folded) / 2;
    return half < PASSWORD_MIN && strlen(folded) == 2 * half && memcmp(folded, folded + half, half) == 0;
}

/* < 0, 0, > 0: the word comes before, is, comes after the line. */
static int password_compare(const char *word, size_t size, const char *line, size_t line_size)
{
    int order = memcmp(word, line, size < line_size ? size : line_size);
    return order ? order : (size > line_size) - (size < line_size);
}

/* Binary search over bytes: from the middle back to the beginning of its line. */
static bool is_listed(const char *word, size_t size)
{
    const struct embedded_file *list = embedded_find("passwords.list");
    const char *low = (const char *)list->data, *high = low + list->size;
    while (low < high) {
        const char *line = low + (high - low) / 2;
        while (line > low && line[-1] != '\n') {
            line--;
        }
        size_t line_size = strcspn(line, "\n");
        int order = password_compare(word, size, line, line_size);
        if (order == 0) {
            return true;
        }
        if (order < 0) {
            high = line;
        } else {
            low = line + line_size + 1;
        }
    }
    return false;
}

static bool is_common(const char *folded)
{
    static const char *const rows = "qwertyuiop asdfghjkl zxcvbnm 1234567890 0987654321 qwertzuiop azertyuiop";
    if (is_run(folded) || is_double(folded) || strstr(rows, folded)) {
        return true;
    }
    size_t n = strlen(folded);
    for (unsigned tail = 0; tail <= TAIL_MAX && n >= PASSWORD_MIN; tail++) {
        if (is_listed(folded, n)) {
            return true;
        }
        n--;
        if (is_letter(folded[n])) {
            return false;
        }
    }
    return false;
}

/* True when the password is little more than the user's name. */
static bool password_resembles(const char *folded, const char *name)
{
    if (!name || !*name || strlen(name) > USER_NAME_MAX) {
        return false;
    }
    char folded_name[USER_NAME_MAX + 1];
    text_fold(name, folded_name);
    return strstr(folded, folded_name) && strlen(folded) < strlen(folded_name) + 5;
}

void password_check(const char *password, const char *password2, const char *name, struct problems *p)
{
    size_t n = strlen(password);
    int64_t count = (int64_t)text_count(password, n);
    if (n == 0) {
        problem_add(p, "password", "password_blank");
    } else if (count < PASSWORD_MIN) {
        problem_add_numbers(p, "password", "password_too_short", PASSWORD_MIN, PASSWORD_MAX, count);
    } else if (n > PASSWORD_MAX) {
        problem_add_numbers(p, "password", "password_too_long", PASSWORD_MIN, PASSWORD_MAX, count);
    } else {
        char folded[PASSWORD_MAX + 1];
        text_fold(password, folded);
        if (is_common(folded)) {
            problem_add(p, "password", "password_common");
        } else if (password_resembles(folded, name)) {
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
