/* scope.h - what a token allows: the table of scopes, as bits.
 *
 * Coarse scopes contain fine ones: read contains read:statuses. They have bits of their own, because clients want to be
 * told the words that they asked for; what a scope contains is asked here and nowhere else. Some of them are known only
 * so that applications can ask for them: nothing in the API needs push or the admin scopes.
 *
 * Threads: constant.
 */
#ifndef SOCIAL_PEOPLE_SCOPE_H
#define SOCIAL_PEOPLE_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

/*     id                  word                    contained in, besides what stands before the last colon */
#define SCOPE_TABLE(X)                                                                                                 \
    X(READ, "read", "")                                                                                                \
    X(WRITE, "write", "")                                                                                              \
    X(FOLLOW, "follow", "")                                                                                            \
    X(PUSH, "push", "")                                                                                                \
    X(PROFILE, "profile", "")                                                                                          \
    X(READ_ACCOUNTS, "read:accounts", "")                                                                              \
    X(READ_BLOCKS, "read:blocks", "follow")                                                                            \
    X(READ_BOOKMARKS, "read:bookmarks", "")                                                                            \
    X(READ_FAVOURITES, "read:favourites", "")                                                                          \
    X(READ_FILTERS, "read:filters", "")                                                                                \
    X(READ_FOLLOWS, "read:follows", "follow")                                                                          \
    X(READ_LISTS, "read:lists", "")                                                                                    \
    X(READ_MUTES, "read:mutes", "follow")                                                                              \
    X(READ_NOTIFICATIONS, "read:notifications", "")                                                                    \
    X(READ_SEARCH, "read:search", "")                                                                                  \
    X(READ_STATUSES, "read:statuses", "")                                                                              \
    X(WRITE_ACCOUNTS, "write:accounts", "")                                                                            \
    X(WRITE_BLOCKS, "write:blocks", "follow")                                                                          \
    X(WRITE_BOOKMARKS, "write:bookmarks", "")                                                                          \
    X(WRITE_CONVERSATIONS, "write:conversations", "")                                                                  \
    X(WRITE_FAVOURITES, "write:favourites", "")                                                                        \
    X(WRITE_FILTERS, "write:filters", "")                                                                              \
    X(WRITE_FOLLOWS, "write:follows", "follow")                                                                        \
    X(WRITE_LISTS, "write:lists", "")                                                                                  \
    X(WRITE_MEDIA, "write:media", "")                                                                                  \
    X(WRITE_MUTES, "write:mutes", "follow")                                                                            \
    X(WRITE_NOTIFICATIONS, "write:notifications", "")                                                                  \
    X(WRITE_REPORTS, "write:reports", "")                                                                              \
    X(WRITE_STATUSES, "write:statuses", "")                                                                            \
    X(ADMIN_READ, "admin:read", "")                                                                                    \
    X(ADMIN_READ_ACCOUNTS, "admin:read:accounts", "")                                                                  \
    X(ADMIN_READ_REPORTS, "admin:read:reports", "")                                                                    \
    X(ADMIN_READ_DOMAIN_ALLOWS, "admin:read:domain_allows", "")                                                        \
    X(ADMIN_READ_DOMAIN_BLOCKS, "admin:read:domain_blocks", "")                                                        \
    X(ADMIN_READ_IP_BLOCKS, "admin:read:ip_blocks", "")                                                                \
    X(ADMIN_READ_EMAIL_BLOCKS, "admin:read:email_domain_blocks", "")                                                   \
    X(ADMIN_READ_CANONICAL_BLOCKS, "admin:read:canonical_email_blocks", "")                                            \
    X(ADMIN_WRITE, "admin:write", "")                                                                                  \
    X(ADMIN_WRITE_ACCOUNTS, "admin:write:accounts", "")                                                                \
    X(ADMIN_WRITE_REPORTS, "admin:write:reports", "")                                                                  \
    X(ADMIN_WRITE_DOMAIN_ALLOWS, "admin:write:domain_allows", "")                                                      \
    X(ADMIN_WRITE_DOMAIN_BLOCKS, "admin:write:domain_blocks", "")                                                      \
    X(ADMIN_WRITE_IP_BLOCKS, "admin:write:ip_blocks", "")                                                              \
    X(ADMIN_WRITE_EMAIL_BLOCKS, "admin:write:email_domain_blocks", "")                                                 \
    X(ADMIN_WRITE_CANONICAL_BLOCKS, "admin:write:canonical_email_blocks", "")

enum scope {
#define X(id, word, within) SCOPE_##id,
    SCOPE_TABLE(X)
#undef X
        SCOPE_COUNT
};

#define SCOPE_BIT(scope) (UINT64_C(1) << (scope))

/* What one who does not say otherwise asks for. */
#define SCOPE_USUAL SCOPE_BIT(SCOPE_READ)

const char *scope_name(unsigned i);

/* Words between blanks or plus signs; none (or NULL): SCOPE_USUAL. False when one is unknown. */
bool scope_parse(const char *words, uint64_t *out);

/* The words, in the order of the table, with blanks between. */
const char *scope_words(struct arena *a, uint64_t scopes);

/* Whether all that is wanted is among what one has, or contained in it. */
bool scope_covers(uint64_t have, uint64_t wanted);

/* Whether what one has covers any of the words of a route, which must be known. */
bool scope_allows(uint64_t have, const char *route_words);

#endif
