/* keys.h - every key of the data, and so the documentation of the data layout.
 *
 * Every key is  <prefix>{<bucket>}:<word>…  : the bucket (0..1023, see base/id.h) is the Redis Cluster hash tag, so all
 * that one person does lies in one slot and is one atomic script, and a cluster is only another map from bucket to
 * node. A user's bucket is a hash of his folded name; the bucket of any user or post can be read off its id. What
 * belongs to nobody (the public timeline, the list of newest users) lies in bucket 0.
 *
 * Threads: keys_setup once at start; afterwards constant.
 */
#ifndef STORE_KEYS_H
#define STORE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

#define KEY_GLOBAL_BUCKET 0

/* How a key goes on after its word. */
enum key_shape {
    KEY_PLAIN,   /* {b}:word */
    KEY_ID,      /* {b}:word:<id>, b read off the id */
    KEY_ID_TEXT, /* {b}:word:<id>:<text> */
    KEY_TEXT,    /* {b}:word:<text>, b a hash of the text, or of its part before a | */
};

/* clang-format off */
/*     id         word         shape        type          holds */
#define KEY_TABLE(X)                                                                                                     \
    X(NAME,      "name",      KEY_TEXT,    "string",     "user id; the text is the folded name. Stays when the user is deleted, so that a name is never given to somebody else") \
    X(USER,      "user",      KEY_ID,      "hash",       "fields: USER_FIELDS in record.h; the time of sign-up is in the id") \
    X(USERS,     "users",     KEY_PLAIN,   "sorted set", "ids of all users of the bucket, all scores 0: ordered by id")  \
    X(SESSION,   "session",   KEY_ID_TEXT, "hash + TTL", "one login, fields: SESSION_FIELDS in record.h; the text is a hash of the secret in the cookie <uid>.<secret>") \
    X(SESSIONS,  "sessions",  KEY_ID,      "sorted set", "hashes of a user's sessions by creation time (ms)")            \
    X(APP,       "app",       KEY_ID,      "hash",       "an application that may ask people to act in their names, fields: APP_FIELDS in record.h; its client_id is the id. Runs out as long as nobody has let it in") \
    X(TOKEN,     "token",     KEY_ID_TEXT, "hash",       "what an application acts by, fields: TOKEN_FIELDS in record.h; the id is the user's, or of its own token the application's; the text is a hash of the secret in the token <id>.<secret>. An application's own runs out") \
    X(TOKENS,    "tokens",    KEY_ID,      "sorted set", "hashes of the tokens of a user or an application by creation time (ms)") \
    X(CODE,      "code",      KEY_ID_TEXT, "hash + TTL", "what an application gets a user's token for, once, fields: CODE_FIELDS in record.h; the text is a hash of the secret in the code <uid>.<secret>") \
    X(FOLLOWING, "following", KEY_ID,      "sorted set", "whom the user follows, by time (us, unique within the key)")   \
    X(FOLLOWERS, "followers", KEY_ID,      "sorted set", "who follows the user, by time (us, unique within the key: a cursor over it always advances)") \
    X(ASKED,     "asked",     KEY_ID,      "sorted set", "whom the user asks to be let follow: their accounts are locked. By time (us, unique within the key)") \
    X(REQUESTS,  "requests",  KEY_ID,      "sorted set", "who asks the user to be let follow him, by time (us, unique within the key)") \
    X(APART,     "apart",     KEY_ID,      "hash",       "from whom the user stands apart: the other's uid, and letters: b he blocks him, B is blocked by him, m mutes him, n his notifications too; then, when the mute ends, :<ms>") \
    X(FILTERS,   "filters",   KEY_ID,      "hash",       "what the user does not want to read: by number, letters (where: h home, n notifications, p public, t thread, a account; w the whole word; x hides; b blurs; e it has no word yet, only a title; m it has words and single posts, a line each), :, when it ends (ms; 0: never), :, the phrase (social/people/filter_text.h)") \
    X(TIES,      "ties",      KEY_ID,      "hash",       "what the user wants otherwise of those whom he follows, or asks to: the other's uid, and letters: r no boosts of his in the home, t he is told of new posts; then, if only posts in some languages are wanted, : and their codes, comma separated") \
    X(WATCHERS,  "watchers",  KEY_ID,      "sorted set", "who wants to be told of the user's new posts, 500 at most, by time (us); who does so no more, the newest 500 of them, by that time negated: they may have been told of posts that are there") \
    X(ENDORSED,  "endorsed",  KEY_ID,      "sorted set", "whom the user recommends to others, of those whom he follows, 100 at most, by time (us, unique within the key)") \
    X(REMARKS,   "remarks",   KEY_ID,      "hash",       "what the user has noted about others for himself alone, 1000 at most: the other's uid, and the text") \
    X(LISTS,     "lists",     KEY_ID,      "sorted set", "the user's lists of people: their ids, which lie in his bucket, all scores 0: ordered by id") \
    X(LIST,      "list",      KEY_ID,      "hash",       "fields: LIST_FIELDS in record.h. Its timeline is stored nowhere: it is merged from its members' posts") \
    X(MEMBERS,   "members",   KEY_ID,      "sorted set", "who is on a list (the id is the list's), by time (us, unique within the key)") \
    X(UNSUGGESTED, "unsuggested", KEY_ID,  "sorted set", "whom the user does not want to be suggested again, the last 500, by time (us, unique within the key)") \
    X(POST,      "post",      KEY_ID,      "hash",       "fields: POST_FIELDS in record.h; the time is in the id") \
    X(POSTS,     "posts",     KEY_ID,      "sorted set", "own posts, all scores 0: ordered by id. THE TRUTH from which any timeline can be rebuilt") \
    X(DIRECTS,   "directs",   KEY_ID,      "sorted set", "own posts that are direct: these are not among posts, so no timeline comes upon them, and nobody counts them. All scores 0: ordered by id") \
    X(NEWEST,    "newest",    KEY_ID,      "string",     "id of the user's newest post, or of one newer that is gone; 0: none yet. Absent: unknown. Pull: authors without news are not asked further") \
    X(FAVOURITES, "favourites", KEY_ID,    "sorted set", "who has favourited a post, by time (us, unique within the key); in the bucket of the post. Numbers are ZCARD, never counted twice") \
    X(BOOSTS,    "boosts",    KEY_ID,      "sorted set", "who has boosted a post, by time (us, unique within the key); in the bucket of the post")           \
    X(NOTICES,   "notices",   KEY_ID,      "sorted set", "what the user is told, the newest 1000, by time (us, unique within the key) of the newest thing in each: f:<post> favourites of his post, b:<post> boosts of it, m:<post> that post mentions him, r:<post> it answers him, F:<day> who began to follow him on that day since 1970, q:<uid> asks to, e:<post> that he boosted was edited, s:<post> was written by somebody of whose posts he wants to be told. Who it was is read from the set that has it, by the time of which each is a notification of its own") \
    X(NOTICEREAD, "noticeread", KEY_ID,    "string",     "time (us) of the newest of his notices that the user has seen") \
    X(NOTICEGONE, "noticegone", KEY_ID,    "sorted set", "notices that the user has dismissed, the newest 1000, by the time (us) up to which; f:<post>:<uid> and so on: what one of a group did, by its time") \
    X(MARKERS,   "markers",   KEY_ID,      "hash",       "how far the user has read, as his apps say: by home, notifications: id:version:ms of the note") \
    X(TALKS,     "talks",     KEY_ID,      "sorted set", "conversations of direct posts that the user takes part in, the newest 1000, by time (us, unique within the key) of the newest post in each. One is a number made of its first post and of who takes part (social/notices/talk.h), the same for all of them. Below zero: he dismissed it, up to that time") \
    X(TALKPOSTS, "talkposts", KEY_ID,      "sorted set", "the direct posts in these, the newest 100 of each, by the number of the conversation") \
    X(TALKPEOPLE, "talkpeople", KEY_ID,    "hash",       "who takes part, but for the user: by the number of the conversation, uids, comma separated; then, if he dismissed it once, : and up to which time (us)") \
    X(TALKNEWS,  "talknews",  KEY_ID,      "sorted set", "which of these conversations he has not read, all scores 0") \
    X(HOME,      "home",      KEY_ID,      "list",       "home timeline, newest first: a contiguous window of ids, a CACHE that may be dropped at any moment. A last element 0 says that nothing older exists") \
    X(HOMESTATE, "homestate", KEY_ID,      "hash",       "what goes with the home timeline, fields: HOMESTATE_FIELDS in record.h") \
    X(REQUEST,   "request",   KEY_ID_TEXT, "string+TTL", "result of a request: a retry does not apply twice; the text is a hash of its idempotency key and of what it asks for, or, without such a key, a nonce") \
    X(JOBS,      "jobs",      KEY_PLAIN,   "sorted set", "job ids of the bucket by the time (ms) at which the lease of their worker ends") \
    X(JOB,       "job",       KEY_ID,      "hash",       "fields: JOB_FIELDS in record.h") \
    X(DEAD,      "dead",      KEY_PLAIN,   "list",       "ids of jobs given up after too many attempts; their hashes stay, to be looked at") \
    X(RATE,      "rate",      KEY_TEXT,    "string+TTL", "rate limit (GCRA): the theoretical arrival time in ms; the text is <limit>:<address, name, or uid:device>; of IPv6 <limit>:<its /48>, and after that with | its /56 and /64") \
    X(LIMIT,     "limit",     KEY_ID_TEXT, "string+TTL", "rate limit of a user, likewise; the text is the limit's name")          \
    X(INVITE,    "invite",    KEY_TEXT,    "hash + TTL", "fields: INVITE_FIELDS in record.h; the text is a hash of the code")       \
    X(TIMELINE,  "timeline",  KEY_PLAIN,   "list",       "bucket 0: the newest 1000 public posts, newest first")         \
    X(TAG,       "tag",       KEY_TEXT,    "sorted set", "the newest 1000 posts with a #tag (folded), all scores 0")                 \
    X(TRENDS,    "trends",    KEY_TEXT,    "sorted set", "tags, by how many people used each in public posts of the last day, when it was used last: 1000 at most. The text is day") \
    X(TRENDPEOPLE, "trendpeople", KEY_TEXT, "sorted set + TTL", "who used a tag in the last day, the last 10000, by the time (ms) of the newest such post. The text is day|<tag>") \
    X(TAGDAYS,   "tagdays",   KEY_TEXT,    "hash + TTL", "how a tag was used in public posts of the last seven days: day since 1970 -> how often / by how many people. The text is day|<tag>") \
    X(POPULAR,   "popular",   KEY_TEXT,    "sorted set + TTL", "public posts that two people or more have favourited or boosted, by how many have, when one did last: 200 at most. The text is the hour since 1970 in which they were written, of the last day") \
    X(WORDS,     "words",     KEY_TEXT,    "hash",       "the index for search: word -> newest posts with it, 8 bytes each, oldest first; when there are full parts, 9 bytes before that: 1, the numbers of the oldest and of the newest. The text is <region>|<slot>, both of a hash of the word. Words of posts that are not public are <author>/<word>") \
    X(WORDPART,  "wordpart",  KEY_TEXT,    "string",     "older posts with a word: 127 of them, likewise, all older than those of the next part. The text is <region>|<slot>|<number>|<word>") \
    X(FRESH,     "fresh",     KEY_PLAIN,   "hash",       "bucket 0: the index for search: posts whose words are not in it yet, some hundred at most: post -> the number of its author if it is not public, and its words with blanks around") \
    X(PEOPLE,    "people",    KEY_TEXT,    "sorted set", "search: <word>:<uid> of each name and of each word of a display name; the text is the word's first letter. All scores 0: ordered by word") \
    X(TAGNAMES,  "tagnames",  KEY_TEXT,    "sorted set", "search: <folded>:<tag> of each tag that was used, likewise") \
    X(REPLIES,   "replies",   KEY_ID,      "sorted set", "posts that answer a post, all scores 0; in the bucket of the post answered") \
    X(HISTORY,   "history",   KEY_ID,      "list",       "of a post that was edited: what it was before, the oldest first, three entries a version (since when, in ms, and an s if it was sensitive; warning; text), the newest 20 versions; in the bucket of the post") \
    X(THREAD,    "thread",    KEY_ID,      "sorted set", "all replies of a conversation, by its first post and in the bucket of that: '<id> <post answered> <author>', and ' -' behind that if it is not for everybody; all scores 0") \
    X(FAVOURITED, "favourited", KEY_ID,    "sorted set", "posts that the user has favourited, by time (us, unique within the key, never before the post's own)") \
    X(BOOKMARKS, "bookmarks", KEY_ID,      "sorted set", "posts that the user has put aside, by time (likewise); nobody else's business") \
    X(BOOSTED,   "boosted",   KEY_ID,      "sorted set", "what the user has boosted: '<post> <his boost of it>', all scores 0: ordered by the post. One boost of each") \
    X(PINS,      "pins",      KEY_ID,      "sorted set", "at most 5 of the user's own posts, shown on top of his profile, by time (us, unique within the key)") \
    X(QUIET,     "quiet",     KEY_ID,      "sorted set", "conversations of which the user wants to be told nothing: their first posts, the newest 200, by time (us, unique within the key)") \
    X(INTERESTS, "interests", KEY_ID,      "sorted set", "tags (folded) that the user follows, 50 at most, by time (us, unique within the key)") \
    X(POSTED,    "posted",    KEY_PLAIN,   "string",     "how many posts the people of the bucket have (but for direct ones); absent: nobody has counted them yet")   \
    X(ACTIVE,    "active",    KEY_TEXT,    "string+TTL", "a HyperLogLog of the people who were here in five days. The text is days|<days since 1970 / 5>") \
    X(FEATURED,  "featured",  KEY_ID,      "sorted set", "tags (folded) that the user shows on his profile, 10 at most, by time (us, unique within the key), which is the id of each") \
    X(CELEBRITIES, "celebrities", KEY_PLAIN, "sorted set", "bucket 0: users whose posts are, or once were, not delivered in hybrid mode: readers ask for them. By time (ms)") \
    X(LATEST,    "latest",    KEY_PLAIN,   "list",       "bucket 0: the newest 100 users, newest first")                 \
    X(EVENTS,    "events",    KEY_PLAIN,   "stream",     "buckets 0 to 15: what was deleted, edited or ended, of the ids whose bucket has that remainder by 16; numbered 0-1, 0-2, ...: k (letter of the kind, social/core/event.h), i (id), m (a text, mostly absent), n (a random number: tells this stream from another). Keeps the caches of all processes true") \
    X(CHANGES,   "changes",   KEY_PLAIN,   "stream",     "bucket 0: the same for servers of version 0.2.0, which know of no other. Ends with 0.4.0") \
    X(SITE,      "site",      KEY_PLAIN,   "hash",       "bucket 0: what the whole site shares, fields: SITE_FIELDS in record.h")                    \
    X(HEALTH,    "health",    KEY_PLAIN,   "string+TTL", "bucket 0: written by health checks")
/* clang-format on */

enum key {
#define X(id, word, shape, type, holds) KEY_##id,
    KEY_TABLE(X)
#undef X
        KEY_COUNT
};

struct key_info {
    const char *word;
    enum key_shape shape;
    const char *type;
    const char *holds;
};

/* The prefix of all keys ("" or e.g. "retwis:"); the text must outlive the program's work. */
void keys_setup(const char *prefix);

const struct key_info *key_info(enum key k);

/* The key, in the arena. Each aborts when the key is of another shape. */
const char *key_plain(struct arena *a, enum key k, unsigned bucket);
const char *key_id(struct arena *a, enum key k, uint64_t id);
const char *key_id_text(struct arena *a, enum key k, uint64_t id, const char *text);
const char *key_text(struct arena *a, enum key k, const char *text);

/* A key_id without the arena and without a NUL: writes at most key_id_most(k) bytes and returns how many. */
size_t key_id_most(enum key k);
size_t key_id_write(enum key k, uint64_t id, char *out);

/* "<prefix>{b}:": what a script puts before a word to reach another key of its bucket. */
const char *key_bucket_prefix(struct arena *a, unsigned bucket);

/* Bucket of a KEY_TEXT key. */
unsigned key_text_bucket(const char *text);

/* A key taken apart. */
struct key_parts {
    enum key key;
    unsigned bucket;  /* as written in the key */
    uint64_t id;      /* of KEY_ID and KEY_ID_TEXT */
    const char *text; /* of KEY_TEXT and KEY_ID_TEXT: points into the key */
    bool astray;      /* the id or text belongs to another bucket: no function above makes such a key */
};

/* False for what is no key of this layout: another prefix, no bucket, an unknown word, another shape. */
bool key_parse(const char *key, struct key_parts *out);

/* A glob pattern that matches every key of this layout. */
const char *key_pattern(struct arena *a);

#endif
