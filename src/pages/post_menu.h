/* post_menu.h - the menu of a post, on pages that have it. Inside pages/ only; connection threads. */
#ifndef PAGES_POST_MENU_H
#define PAGES_POST_MENU_H

struct page;
struct post;

/* menu{next, after}: where its buttons lead, and where deleting does. `back` is a path of ours. */
void post_menu_put(struct page *p, const struct post *post, const char *back);

#endif
