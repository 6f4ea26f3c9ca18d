/* err.h - the one vocabulary of things that can go wrong without being a bug.
 *
 * Functions below src/http return `enum err` (ERR_OK is 0). The table in err.c has the HTTP status of each. The words
 * for visitors are made where the answer is made (pages/), never down here.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

enum err {
    ERR_OK = 0,
    ERR_INVALID,      /* input breaks a rule; the caller knows which field */
    ERR_UNAUTHORIZED, /* nobody is signed in, or the credentials are wrong */
    ERR_FORBIDDEN,    /* signed in, but not allowed */
    ERR_NOT_FOUND,    /* no such user, post, session */
    ERR_TAKEN,        /* the name is somebody's already */
    ERR_CONFLICT,     /* somebody else changed it first; ask again */
    ERR_TOO_MANY,     /* a rate limit; there is a time to wait */
    ERR_BUSY,         /* too much is running here at this moment */
    ERR_UNAVAILABLE,  /* the engine cannot be reached, is loading, or did not answer in time */
    ERR_READ_ONLY,    /* the engine answers reads and refuses writes: out of memory, disk full, replica */
    ERR_CONFIG,       /* the engine refuses us (password, permission), or we refuse it (store/audit.h) */
    ERR_MODE,         /* the site is now served in another timeline mode: this server writes no posts */
    ERR_PROTOCOL,     /* the engine answered something this program does not understand */
    ERR_IO,           /* a file or socket of this machine failed */
    ERR_COUNT
};

struct err_info {
    const char *name; /* stable word for logs and tests */
    int http_status;  /* what a client sees */
    const char *help; /* for an operator */
};

/* Description of an error; valid for every value of the enum. */
const struct err_info *err_info(enum err e);

#endif
