/* answer.h - the first word of what a script answers: one table for Lua and C.
 *
 * In Lua an id of this table stands for its word (return {GONE}); in C script_answer says which it was. Threads: any.
 */
#ifndef STORE_ANSWER_H
#define STORE_ANSWER_H

struct store_reply;

/* clang-format off */
/*     id         word         means */
#define ANSWER_TABLE(X)                                                                                  \
    X(OK,        "ok",        "done, or done before by the same call whose answer was lost")              \
    X(AGAIN,     "again",     "what the call asks for is already there; or its work must be done again") \
    X(GONE,      "gone",      "the thing that the call is about is not there, or not the caller's")                 \
    X(STALE,     "stale",     "somebody else has the id by now, or changed what was read before: try again, with a new id") \
    X(TAKEN,     "taken",     "the name is somebody else's")                                              \
    X(FULL,      "full",      "there are already as many as are allowed")                                        \
    X(FORBIDDEN, "forbidden", "it is there, but not the caller's")                                        \
    X(CHANGED,   "changed",   "what the caller knows is old: the password that was checked, the words of the post")     \
    X(CLOCK,     "clock",     "the id lies too far from the engine's clock")                              \
    X(LIMITED,   "limited",   "too often: nothing was done; the number of ms to wait follows")                         \
    X(HIDDEN,    "hidden",    "what the call is about is not for the caller's eyes")                        \
    X(ABSENT,    "absent",    "the list is not there")                                                    \
    X(OLD,       "old",       "it belongs behind the end of the list")
/* clang-format on */

enum answer {
    ANSWER_NONE, /* no answer of a script: an error, or nothing */
#define X(id, word, means) ANSWER_##id,
    ANSWER_TABLE(X)
#undef X
        ANSWER_COUNT
};

/* The answer in a script's reply, {word, …}. */
enum answer script_answer(const struct store_reply *r);

#endif
