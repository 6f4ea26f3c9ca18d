/* script.h - the table of server-side scripts: one per action that must be atomic.
 *
 * Each is a file src/store/scripts/<name>.lua, embedded in the program. A script touches keys of one bucket only,
 * reads and validates first and writes last (nothing rolls back), and works on at most 1000 elements. Its header comment says
 * keys, arguments, reply. A line "--include NAME" stands for scripts/include/NAME.lua, what several of them need.
 * They are called by SHA-1 and loaded again when the engine has forgotten them.
 *
 * "flags=allow-oom" in the first line: also when memory is full. For scripts that free, for the durable work that follows from
 * them, and for nothing whose amount people decide: a job is smaller than what was deleted for it, and goes away again.
 */
#ifndef STORE_SCRIPT_H
#define STORE_SCRIPT_H

/* clang-format off */
#define SCRIPT_TABLE(X)                                                                                                \
    X(USER_CREATE, "user_create")                                                                                      \
    X(USER_READ, "user_read")                                                                                          \
    X(USER_SET, "user_set")                                                                                            \
    X(USER_DELETE, "user_delete")                                                                                      \
    X(USER_FIND, "user_find")                                                                                          \
    X(SESSION_CREATE, "session_create")                                                                                \
    X(SESSION_END, "session_end")                                                                                      \
    X(POST_CREATE, "post_create")                                                                                      \
    X(POSTS_IMPORT, "posts_import")                                                                                    \
    X(POST_READ, "post_read")                                                                                          \
    X(POST_DELETE, "post_delete")                                                                                      \
    X(FOLLOW, "follow")                                                                                                \
    X(UNFOLLOW, "unfollow")                                                                                            \
    X(ANNOUNCE, "announce")                                                                                            \
    X(EPOCH, "epoch")                                                                                                  \
    X(FOLLOW_DONE, "follow_done")                                                                                      \
    X(FOLLOWER, "follower")                                                                                            \
    X(FOLLOWERS_IMPORT, "followers_import")                                                                            \
    X(HOME_BEGIN, "home_begin")                                                                                        \
    X(HOME_RANGE, "home_range")                                                                                        \
    X(HOME_STORE, "home_store")                                                                                        \
    X(HOME_INSERT, "home_insert")                                                                                      \
    X(HOME_DROP, "home_drop")                                                                                          \
    X(AUTHOR_POSTS, "author_posts")                                                                                    \
    X(LIST_CREATE, "list_create")                                                                                      \
    X(LIST_RENAME, "list_rename")                                                                                      \
    X(LIST_DELETE, "list_delete")                                                                                      \
    X(LIST_ADD, "list_add")                                                                                            \
    X(LIST_REMOVE, "list_remove")                                                                                      \
    X(LIST_ALL, "list_all")                                                                                            \
    X(JOB_CREATE, "job_create")                                                                                        \
    X(JOB_CLAIM, "job_claim")                                                                                          \
    X(JOB_SAVE, "job_save")                                                                                            \
    X(JOB_WAIT, "job_wait")                                                                                            \
    X(JOB_DONE, "job_done")                                                                                            \
    X(HEALTH, "health")                                                                                                \
    X(LIMIT, "limit")                                                                                                  \
    X(RATE_LIMIT, "rate_limit")                                                                                        \
    X(INVITE_USE, "invite_use")
/* clang-format on */

enum script {
#define X(id, file) SCRIPT_##id,
    SCRIPT_TABLE(X)
#undef X
        SCRIPT_COUNT
};

struct script_info {
    const char *name;
    const char *body; /* embedded text */
    char sha1[41];
};

/* Fills the table (SHA-1 of each body); once, at start, main thread. */
void script_setup(void);
const struct script_info *script_info(enum script s);

#endif
