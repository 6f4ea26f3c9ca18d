/* match_query.h - what somebody wants of all that is posted, as he asked for it: a filter, a sample, or everything.
 *
 * A filter has three fields, and what meets any of them is wanted:
 *
 *   track      phrases with commas between. A post has a phrase if it has all its parts, which blanks separate, anywhere. A part is a
 *              word, whatever its case, its accents and the punctuation around it; several words without a blank (don't, a run of
 *              signs) have to stand one after the other. #tag is that tag and @name that mention; a word is found in both, too.
 *   follow     ids or names of users with commas between: what they write, and what mentions them. What could be either is an id;
 *              with an @ it is a name.
 *   locations  west,south,east,north in degrees, and again: posts written there, edges included. If west lies east of east, the box
 *              goes across 180 degrees.
 *
 * It becomes rules: a post that meets one of them is wanted.
 *
 * Threads: pure but for the arena.
 */
#ifndef SOCIAL_STREAMING_MATCH_QUERY_H
#define SOCIAL_STREAMING_MATCH_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct problems;

#define MATCH_PHRASES 400
#define MATCH_PHRASE_WORDS 16
#define MATCH_FOLLOWS 1000
#define MATCH_BOXES 25
#define MATCH_SAMPLE_STANDARD 10 /* percent, when nobody says how many */

/* Edges in PLACE_UNIT; west is not east of east. */
struct match_box {
    int64_t west, south, east, north;
};

struct match_rule {
    const char *const *keys;  /* match_post.h: a post that meets the rule has all of them; of a box, at least one */
    size_t key_count;         /* at least 1 */
    const char *const *parts; /* each has to stand in the post; none: the keys say it all */
    size_t part_count;
    const struct match_box *box; /* or NULL */
};

struct match_query {
    struct match_rule *rules;
    size_t count;
};

/* The fields as they were sent; NULL is as good as empty. */
struct match_asked {
    const char *track, *follow, *locations;
};

/* False: something is wrong, or nothing is asked for; the problems say what. Belongs to the arena. */
bool match_filter_read(struct arena *a, const struct match_asked *asked, struct match_query *out, struct problems *p);

/* So many of a hundred posts, 1 to 100: for the same client always the same ones, and of more all that were among fewer. NULL or empty:
 * MATCH_SAMPLE_STANDARD. False: it is no such number. */
bool match_sample_read(struct arena *a, const char *percent, uint64_t client, struct match_query *out,
                       struct problems *p);

/* Everything. */
void match_firehose(struct arena *a, struct match_query *out);

#endif
