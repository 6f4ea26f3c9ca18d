/* match_post.h - a post as the keys that filters of streams can ask for: its words, tags, mentions, author and place.
 *
 * A key is text between line ends, and all keys of a post are one text, so a word, or several one after the other, stand in the post if
 * they stand in that text with their line ends. What a key is says its first sign; none of these is part of a word:
 *
 *   fox              a word (base/words.h): folded; of scripts without gaps each sign is one
 *   #tag  @name      folded as they are compared
 *   =id   ~name      author, or somebody who is mentioned
 *   +level/x/y       the cells in which it was written: the world is cut into 4^level
 *   %number          which hundredth of all posts it belongs to
 *   *                every post
 *
 * The room streaming/: match_query.h (what somebody asks for), this, match.h (who asked for what happens).
 *
 * Threads: pure but for the arena.
 */
#ifndef SOCIAL_STREAMING_MATCH_POST_H
#define SOCIAL_STREAMING_MATCH_POST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct buffer;
struct post;
struct words;

#define MATCH_LEVELS 17 /* of cells: of the last, 600 m wide, there are 65,536 around the world */
#define MATCH_PARTS 100 /* hundredths */

struct match_key {
    const char *text; /* with both line ends; not terminated */
    size_t length;
};

struct match_post {
    const char *text; /* the keys */
    const struct match_key *keys;
    size_t count;
    bool has_place;
    int64_t latitude, longitude; /* PLACE_UNIT */
};

/* Belongs to the arena. Of the post, text, warning, place, mentions, author's id and name, and id are read. */
void match_post_read(struct arena *a, const struct post *p, struct match_post *out);

/* Whether these keys stand in the post one after the other. */
bool match_post_has(const struct match_post *p, const char *keys);

/* Words as keys, one after the other; of none "\n". Belongs to the arena. */
const char *match_words(struct arena *a, const struct words *words);

/* The key of a cell; degrees in PLACE_UNIT. */
struct match_cell {
    unsigned level;
    int64_t x, y;
};
struct match_cell match_cell_at(unsigned level, int64_t latitude, int64_t longitude);
const char *match_cell_key(struct arena *a, struct match_cell cell);

#endif
