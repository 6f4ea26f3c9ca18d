/* beside.h - what stands in the right column beside what one came for: people whom one may follow. Tags: page_trends. */
#ifndef PAGES_BESIDE_H
#define PAGES_BESIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct conversation;
struct page;
struct people;

/* The newest people, `most` of them, with what the visitor knows of them; without the visitor himself if `is_others`. */
void beside_newest(struct page *p, const struct people *newest, size_t most, bool is_others);

/* Those of the newest whom the visitor does not follow yet, beside the profile of this user. For members only: strangers see the
 * newest people on the pages that they come to first. */
void beside_profile(struct page *p, const struct people *newest, uint64_t uid);

/* Who takes part in what is shown of the conversation, the author of its page first; without the visitor himself. */
void beside_conversation(struct page *p, const struct conversation *c);

#endif
