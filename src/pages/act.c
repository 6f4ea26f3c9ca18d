/* act.c - see act.h. Connection threads. */
#include "pages/act.h"

#include "pages/page.h"

struct actor page_actor(const struct page *p)
{
    struct actor by = actor_nobody(p->req->networks, p->req->id);
    const struct user *viewer = visit_viewer(p->visit);
    if (viewer->id) {
        by.kind = ACTOR_USER;
        by.uid = viewer->id;
        by.name = viewer->name;
        by.is_admin = viewer->is_admin;
        by.credential = ACTOR_BY_SESSION;
        by.session = visit_session(p->visit);
    }
    return by;
}

void page_refuse(struct page *p, enum err e, struct problems *problems, const struct page_retry *form)
{
    if (!form || !page_is_form_error(e)) {
        page_error_after(p, e, problems->retry_after);
        return;
    }
    struct page again;
    page_begin(&again, p->req, p->resp);
    if (form->asks_nothing) {
        again.visit = p->visit;
        again.viewer = p->viewer;
        again.entity.viewer = p->entity.viewer;
        again.unread = p->unread;
    }
    again.locale = again.entity.locale = p->locale;
    again.problems = problems;
    again.status = err_info(e)->http_status;
    if (!form->fill(&again, form->subject)) {
        return;
    }
    page_explain(&again, problems, e, problems->retry_after);
    for (size_t i = 0; form->fields[i]; i++) {
        page_form(&again, form->fields[i], NULL);
    }
    page_problems(&again, problems);
    page_render(&again, form->template);
}
