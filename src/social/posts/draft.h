/* draft.h - a post as somebody wrote it, and whether it can be one.
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_DRAFT_H
#define SOCIAL_POSTS_DRAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/problem.h"
#include "social/posts/post.h"

struct arena;
struct social;

#define DRAFT_LANGUAGE_MAX 8

enum draft_sensitive { DRAFT_SENSITIVE_UNSAID, DRAFT_SENSITIVE_NO, DRAFT_SENSITIVE_YES };

/* Texts may be NULL, which is as good as empty. */
struct post_draft {
    const char *text;               /* as typed; CR LF becomes LF, white space at both ends is cut */
    uint64_t reply_to;              /* 0: none */
    const char *request_key;        /* idempotency key of the client */
    const char *visibility;         /* word of a visibility; empty: public */
    const char *spoiler;            /* content warning: one line */
    enum draft_sensitive sensitive; /* unsaid: not, and an edit leaves it as it is */
    const char *language; /* ISO 639 code of the text, maybe with a script or region: en, zh-CN; empty: unknown */
    const char *app;      /* by which it is written (app_signature); NULL: on the pages. An edit leaves it as it is */
    const char *latitude, *longitude; /* where it is written (place.h); both empty: unsaid. An edit for which both are
                                         NULL leaves the place as it is */
};

/* What becomes of it. */
struct draft_words {
    const char *text, *spoiler, *language, *place;
    size_t length; /* of the text */
    enum visibility visibility;
    bool is_sensitive;
};

/* Whether it is written as a language is: en, zh-CN. */
bool draft_is_language(const char *code);

/* Tidies it, and says what is wrong with it: ERR_INVALID with problems. */
enum err draft_read(struct social *s, struct arena *a, const struct post_draft *draft, struct draft_words *out,
                    struct problems *p);

#endif
