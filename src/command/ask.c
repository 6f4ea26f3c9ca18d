/* ask.c - see ask.h.
 *
 * Read byte by byte with read(2): no buffer of stdio keeps a copy of a password, and input after the line stays for the
 * next reader. While the echo is off, the signals that would end the program are caught, so that the terminal can be
 * restored first.
 */
#include "command/ask.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <termios.h>
#include <unistd.h>

#include "base/secret.h"

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
#define DEADLY_COUNT (sizeof(deadly) / sizeof(deadly[0]))

static volatile sig_atomic_t caught;

static void note_signal(int number)
{
    caught = number;
}

bool ask_possible(void)
{
    return isatty(STDIN_FILENO);
}

static bool ask_read(char out[ASK_SIZE])
{
    size_t n = 0;
    bool fits = true;
    for (;;) {
        char c;
        ssize_t got = read(STDIN_FILENO, &c, 1);
        if (got < 0 && errno == EINTR && !caught) {
            continue;
        }
        if (got < 0 || (got == 0 && n == 0)) {
            fprintf(stderr, "retwis: nothing was entered\n");
            return false;
        }
        if (got == 0 || c == '\n') {
            break;
        }
        fits = fits && n + 1 < ASK_SIZE && c != '\0';
        if (fits) {
            out[n++] = c;
        }
    }
    if (n && out[n - 1] == '\r') {
        n--;
    }
    out[n] = '\0';
    if (!fits) {
        fprintf(stderr, "retwis: the line is too long or holds a NUL byte\n");
    }
    return fits;
}

static void print_prompt(const char *prompt)
{
    if (prompt) {
        fputs(prompt, stderr);
        fflush(stderr);
    }
}

/* The prompt comes after the echo is off, so that even a quick answer is not shown. */
static bool read_hidden(const char *prompt, char out[ASK_SIZE])
{
    struct termios shown, hidden;
    struct sigaction action = {.sa_handler = note_signal}, before[DEADLY_COUNT];
    if (tcgetattr(STDIN_FILENO, &shown) != 0) {
        print_prompt(prompt);
        return ask_read(out);
    }
    caught = 0;
    for (size_t i = 0; i < DEADLY_COUNT; i++) {
        sigaction(deadly[i], &action, &before[i]);
    }
    hidden = shown;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    hidden.c_lflag |= ECHONL; /* the newline is shown */
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
    print_prompt(prompt);
    bool read = ask_read(out);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown);
    for (size_t i = 0; i < DEADLY_COUNT; i++) {
        sigaction(deadly[i], &before[i], NULL);
    }
    if (caught) {
        secret_wipe(out, ASK_SIZE);
        raise(caught);
    }
    return read;
}

/* Reads one line, without its end, from standard input after writing `prompt` (NULL: none) on standard error. `hidden`:
 * what is typed is not shown. False after a message when there is none, or one that does not fit. */
static bool ask_line(const char *prompt, bool hidden, char out[ASK_SIZE])
{
    if (hidden) {
        return read_hidden(prompt, out);
    }
    print_prompt(prompt);
    return ask_read(out);
}

bool ask_password(bool from_stdin, char password[ASK_SIZE], char again[ASK_SIZE])
{
    if (from_stdin || !ask_possible()) {
        bool read = ask_line(NULL, false, password);
        memcpy(again, password, ASK_SIZE);
        return read;
    }
    return ask_line("Password: ", true, password) && ask_line("The same again: ", true, again);
}

bool ask_yes(const char *question)
{
    char answer[ASK_SIZE];
    fprintf(stderr, "%s [y/N] ", question);
    return ask_line(NULL, false, answer) && (strcasecmp(answer, "y") == 0 || strcasecmp(answer, "yes") == 0);
}
