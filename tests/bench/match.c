/* match.c - what an event costs in the index of filters (social/streaming/match.h).
 *
 *     match FILTERS WORDS POSTS        FILTERS listeners, who have WORDS words to look for between them
 *
 * prints the processor time of a post in us: to take it apart, to find who wants it; how many rules were looked at for one, and how many
 * listeners wanted it; the bytes of memory of a listener. A word of a post is one of WORDS words, or of ten times as many that
 * nobody looks for. Three of four filters are words alone; of the others each has two parts, one of which is in most posts.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/panic.h"
#include "base/secret.h"
#include "social/core/problem.h"
#include "social/posts/post.h"
#include "social/streaming/match.h"
#include "social/streaming/match_post.h"
#include "social/streaming/match_query.h"

#define POST_WORDS 20
#define UNKNOWN 10 /* words that nobody looks for, to one that somebody does */

static unsigned long long row = 1;

static unsigned long draw(unsigned long below)
{
    row = row * 6364136223846793005u + 1442695040888963407u;
    return (unsigned long)(row >> 33) % below;
}

static double processor_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void add_listener(struct match_index *m, unsigned long first, unsigned long words)
{
    struct arena *a = arena_new();
    struct buffer track = buffer_make(a);
    struct problems p = {.count = 0};
    struct match_query q;
    for (unsigned long i = 0; i < words; i++) {
        buffer_printf(&track, "%sword%llu,", (first + i) % 4 ? "" : "common ", (unsigned long long)(first + i));
    }
    if (!match_filter_read(a, &(struct match_asked){.track = buffer_string(&track)}, &q, &p)) {
        panic(p.items[0].rule);
    }
    match_add(m, &q, NULL);
    arena_free(a);
}

static void note_hit(void *context, void *owner)
{
    (void)owner;
    ++*(size_t *)context;
}

static const char *post_text(struct arena *a, unsigned long words)
{
    struct buffer text = buffer_make(a);
    buffer_text(&text, "Common");
    for (unsigned i = 1; i < POST_WORDS; i++) {
        buffer_printf(&text, " word%llu", (unsigned long long)draw(words * (1 + UNKNOWN)));
    }
    return buffer_string(&text);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        return 2;
    }
    unsigned long listeners = strtoul(argv[1], NULL, 10), words = strtoul(argv[2], NULL, 10),
                  posts = strtoul(argv[3], NULL, 10);
    double reading = 0, finding = 0;
    size_t looked = 0, wanted = 0, before;
    secret_setup();
    struct match_index *m = match_new();
    struct arena *a = arena_new();
    before = mallinfo2().uordblks;
    for (unsigned long i = 0; i < listeners; i++) {
        add_listener(m, i * words / listeners, (i + 1) * words / listeners - i * words / listeners);
    }
    double memory = (double)(mallinfo2().uordblks - before) / (double)listeners;
    for (unsigned long i = 0; i < posts; i++, arena_reset(a)) {
        struct post p = {
            .id = i, .author = {.id = i, .name = "ann"}, .text = post_text(a, words), .spoiler = "", .place = ""};
        struct match_post read;
        double start = processor_us();
        match_post_read(a, &p, &read);
        double middle = processor_us();
        looked += match_find(m, &read, note_hit, &wanted);
        finding += processor_us() - middle;
        reading += middle - start;
    }
    printf("%.2f %.2f %.2f %.2f %.0f\n", reading / (double)posts, finding / (double)posts,
           (double)looked / (double)posts, (double)wanted / (double)posts, memory);
    match_free(m);
    arena_free(a);
    return 0;
}
