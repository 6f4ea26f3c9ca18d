/* fanout.h - delivering a post: public timeline, tags, replies, and in push mode the homes of all followers.
 *
 * The request thread delivers to the first timeline.inline_followers; workers go on from the job's cursor. An author
 * with more followers than that does not wait until the engine is done with a thousand homes: the durable job stands
 * for all of them, so he is answered when they are on their way, and his thread waits afterwards (fanout_wait). A
 * delivery to a home is LPUSHX, so only homes that exist get it; a home that does not exist is rebuilt from the truth
 * when its owner comes. A delivery that is late, or may be a repetition, puts the id at its place instead
 * (newest_insert.lua), which also removes a first copy: nothing is lost or doubled.
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_FANOUT_H
#define SOCIAL_TIMELINES_FANOUT_H

struct arena;
struct delivery;
struct job_class;

/* A post whose id is older than this is put at its place instead of in front (see home.h). */
#define FANOUT_LATE_MS 8000

/* Deliveries that the engine has and has not answered yet: what post_create gives. Belongs to the arena of the
 * request. */
struct fanout_wave;

/* Waits for these deliveries and gives the rest to the workers. NULL is allowed. */
void fanout_wait(struct fanout_wave *w);

/* Handed over at start: how a post is delivered, and the jobs that continue the delivery and take it back. */
extern const struct delivery fanout_delivery;
extern const struct job_class fanout_job, unpost_job, edit_job;

#endif
