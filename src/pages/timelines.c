/* timelines.c - home and public pages. Connection threads. */
#include "base/arena.h"
#include "base/id.h"
#include "pages/beside.h"
#include "pages/compose.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/people/people.h"
#include "social/timelines/home.h"
#include "social/timelines/tag_trends.h"
#include "view/json.h"
#include "view/locale.h"

#define NEWEST 10
#define NEWEST_AT_HOME 5 /* beside what one came for */

static void put_viewer_counts(struct page *p, const struct user_counts *counts)
{
    yyjson_mut_val *viewer = decoration_account(&p->entity, &p->viewer);
    decoration_account_counts(&p->entity, viewer, counts);
    page_set_object(p, "viewer", viewer);
}

/* All of the home page but what its form needs. False: an error was answered. */
static bool put_home(struct page *p)
{
    struct timeline_query q = page_query(p);
    const struct home *home = home_ask(p->visit, &q);
    const struct people *newest = newest_people_ask(p->visit, NEWEST_AT_HOME + 1);
    const struct user_counts *counts = viewer_counts_ask(p->visit);
    const struct trends *trends = trends_ask(p->visit, true);
    if (!page_read(p)) {
        return false;
    }
    put_viewer_counts(p, counts);
    page_trends(p, trends, PAGE_TRENDS_BESIDE);
    page_timeline(p, "statuses", &home->page, "/home");
    beside_newest(p, newest, NEWEST_AT_HOME, true);
    return true;
}

static void put_home_form(struct page *p, const char *text)
{
    page_title(p, "title_home", NULL, NULL);
    page_is(p, "is_home");
    compose_put(p, text, NULL, "/home");
    page_path(p, "/home");
}

static void page_home(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (put_home(&p)) {
        put_home_form(&p, NULL);
        page_render(&p, "home");
    }
}

/* How many posts of the home's first page are newer than this one. */
static size_t news_count(const struct timeline_page *first, uint64_t newest)
{
    size_t count = 0;
    while (count < first->count && first->posts[count].id > newest) {
        count++;
    }
    return count;
}

/* {"count": 3, "label": "3 new posts"}: what has come since the page was made, for scripts that ask now and then. It reads what the
 * page reads, so it costs no round trip while nothing is new. */
static void page_home_news(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    struct timeline_query q = page_query(&p);
    uint64_t newest = q.since_id;
    q.since_id = 0;
    const struct home *home = home_ask(p.visit, &q);
    if (!page_read(&p)) {
        return;
    }
    size_t count = news_count(&home->page, newest);
    bool is_more = count == home->page.count && home->page.has_older; /* than the page holds */
    yyjson_mut_doc *doc = view_doc(p.arena);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_uint(doc, root, "count", count);
    yyjson_mut_obj_add_str(doc, root, "label",
                           is_more ? locale_text(p.locale, "count_news_many")
                                   : locale_plural(p.arena, p.locale, "count_news", count, NULL));
    resp->content_type = "application/json";
    view_json(&resp->body, doc);
}

bool page_fill_home(struct page *p, const char *subject)
{
    (void)subject;
    if (p->status == 503) { /* without the engine only the box, so that the text is not lost */
        page_is(p, "is_bare");
    } else if (!put_home(p)) {
        return false;
    }
    put_home_form(p, page_field(p, "status"));
    return true;
}

static void page_public(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    visit_want_following(p.visit); /* for the buttons beside the newest users */
    struct timeline_query q = page_query(&p);
    const struct timeline_page *posts = timeline_public_ask(p.visit, &q);
    const struct people *newest = newest_people_ask(p.visit, NEWEST);
    const struct trends *trends = trends_ask(p.visit, true);
    if (!page_read(&p)) {
        return;
    }
    page_trends(&p, trends, PAGE_TRENDS_BESIDE);
    page_title(&p, "title_public", NULL, NULL);
    page_set(&p, "feed", "/public/feed");
    page_is(&p, "is_public");
    page_timeline(&p, "statuses", posts, "/public");
    beside_newest(&p, newest, NEWEST, false);
    page_render(&p, "public");
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 * */

static const struct http_parameter news_fields[] = {
    {"since_id", HTTP_ID, 0, 0, false, "id of the newest post that is shown"},
    {0},
};

/* clang-format off */
const struct http_route routes_timelines[] = {
    {HTTP_GET, "/home", page_home, WHO_MEMBER, {parameter_cursors},
     .flags = HTTP_RECALLED, .help = "own posts and those of the people followed"},
    {HTTP_GET, "/home/news", page_home_news, WHO_MEMBER, {news_fields},
     .flags = HTTP_RECALLED, .help = "how many posts have come to the home since, as JSON"},
    {HTTP_GET, "/public", page_public, WHO_ANYONE, {parameter_cursors},
     .flags = HTTP_RECALLED | HTTP_PUBLIC, .help = "the newest 1000 posts of the site"},
    {0},
};
/* clang-format on */
