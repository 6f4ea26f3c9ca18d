/* kept.c - what the visitor keeps about somebody: a note, and whether he recommends him. Connection threads. */
#include "base/arena.h"
#include "base/text.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/people/endorse.h"
#include "social/people/remark.h"

/* What came of it: `full` is the flash when the actor keeps as many as he may, `most`; `form` is NULL, or what is shown
 * again. */
struct kept_answer {
    const char *flash, *full, *most;
    const struct page_retry *form;
};

static void answer_kept(struct page *p, enum err e, const struct follow_item *item, struct problems *problems,
                        const struct kept_answer *say)
{
    const char *next = page_next(p, arena_printf(p->arena, "/@%s", item->name));
    if (e == ERR_CONFLICT) {
        page_redirect(p, next, say->full, say->most);
    } else if (e != ERR_OK || item->result == FOLLOW_UNKNOWN) {
        page_refuse(p, e != ERR_OK ? e : ERR_NOT_FOUND, problems, say->form);
    } else if (item->result == FOLLOW_SELF || item->result == FOLLOW_REFUSED) {
        page_redirect(p, next, "flash_endorse_refused", NULL);
    } else {
        page_redirect(p, next, say->flash, item->name);
    }
}

static void page_note(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    struct follow_item item = {.name = http_variable(req, "name")};
    const struct page_retry form = {
        .template = "profile", .fill = page_fill_profile, .fields = {"comment"}, .subject = item.name};
    enum err e = remark_set(p.site->social, p.arena, &by, &item, page_field(&p, "comment"), &problems);
    answer_kept(&p, e, &item, &problems,
                &(struct kept_answer){"flash_remark_saved", "flash_remark_limit", TEXT_OF(REMARK_MOST), &form});
}

static void change_endorsement(struct http_request *req, struct http_response *resp, bool on)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    struct follow_item item = {.name = http_variable(req, "name")};
    enum err e = endorse_set(p.site->social, p.arena, &by, &item, on, &problems);
    answer_kept(&p, e, &item, &problems,
                &(struct kept_answer){on ? "flash_endorsed" : "flash_unendorsed", "flash_endorse_limit",
                                      TEXT_OF(ENDORSE_MOST), NULL});
}

static void page_endorse(struct http_request *req, struct http_response *resp)
{
    change_endorsement(req, resp, true);
}

static void page_unendorse(struct http_request *req, struct http_response *resp)
{
    change_endorsement(req, resp, false);
}

/* --- rows ----------------------------------------------------------------------------------------------------------
 * */

static const struct http_parameter note_fields[] = {
    {"comment", HTTP_TEXT, 0, PARAMETER_TEXT_MAX, false, "the note; empty: none"},
    {0},
};

/* clang-format off */
const struct http_route routes_kept[] = {
    {HTTP_POST, "/@:name/note", page_note, WHO_MEMBER, {parameter_name, note_fields, parameter_next},
     .help = "notes something about him, for oneself alone"},
    {HTTP_POST, "/@:name/endorse", page_endorse, WHO_MEMBER, {parameter_name, parameter_next},
     .help = "recommends him, whom one follows"},
    {HTTP_POST, "/@:name/unendorse", page_unendorse, WHO_MEMBER, {parameter_name, parameter_next},
     .help = "recommends him no more"},
    {0},
};
/* clang-format on */
