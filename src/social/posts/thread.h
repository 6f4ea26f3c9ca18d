/* thread.h - who answers whom in a conversation: the order in which it is read.
 *
 * Every reply stands in thread:<root> (keys.h), with the post that it answers and its author, so that one command
 * brings the shape of a whole conversation, and only the posts that a page shows are loaded. Posts are judged when they
 * are loaded: the shape says nothing of who may see them. Replies of versions before 0.3.0 do not stand there
 * (conversation.c).
 *
 * What this is not: a read. It asks nothing; conversation.c does.
 *
 * Threads of execution: any.
 */
#ifndef SOCIAL_POSTS_THREAD_H
#define SOCIAL_POSTS_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct post;
struct store_reply;

#define THREAD_MOST 5000         /* replies of one conversation that are read: the oldest */
#define THREAD_ANCESTORS_MOST 40 /* above a post, on a page: the nearest */

struct thread_entry {
    uint64_t id, parent, author;
    bool is_aside; /* not for everybody: private or direct */
};

struct thread {
    struct thread_entry *entries; /* by parent, then by id */
    size_t count;
    uint64_t newest; /* id; 0: there is none */
};

/* The conversation that a reply to the post belongs to: the id of its first post. */
uint64_t thread_root(const struct post *p);

/* The member of thread:<root> that stands for a reply, in the arena. */
const char *thread_member(struct arena *a, const struct thread_entry *e);

/* What a reply says of itself. */
struct thread_entry thread_entry_of_post(const struct post *p);

/* What such a member says; id 0: it is none. */
struct thread_entry thread_entry_of(const char *member);

/* Of the members. */
struct thread thread_of(struct arena *a, const struct store_reply *members);

/* Adds replies that are not there: direct answers to a post, of unknown authors (0). */
void thread_add(struct arena *a, struct thread *t, uint64_t parent, const uint64_t *ids, size_t count);

/* How many answers to the post are there. */
size_t thread_answers(const struct thread *t, uint64_t id);

/* The posts above one that answers `parent`, the first post of the conversation first: at most `most`, which `out` must
 * hold, the nearest. */
size_t thread_ancestors(struct arena *a, const struct thread *t, uint64_t parent, size_t most, uint64_t *out);

/* A reply at its place; depth 1 answers the post that was asked about. */
struct thread_place {
    uint64_t id;
    unsigned depth;
};

/* All below a post, each reply behind the one that it answers, and the answers to one post by time. In the arena;
 * *count says how many. */
struct thread_place *thread_descendants(struct arena *a, const struct thread *t, uint64_t id, size_t *count);

/* How many different authors the replies have that are for everybody: of others nobody is to learn by a number. */
size_t thread_people(struct arena *a, const struct thread *t, uint64_t root_author);

#endif
