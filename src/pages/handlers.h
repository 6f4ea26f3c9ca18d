/* handlers.h - the pages by name, for the route table (routes.c). Each is a http_handler; what it shows is in
 * web/templates/README.md. Inside pages/ only. */
#ifndef PAGES_HANDLERS_H
#define PAGES_HANDLERS_H

#include "http/http.h"

struct page;
struct problems;

/* auth.c */
void page_landing(struct http_request *req, struct http_response *resp);
void page_sign_up_form(struct http_request *req, struct http_response *resp);
void page_sign_up(struct http_request *req, struct http_response *resp);
void page_sign_in_form(struct http_request *req, struct http_response *resp);
void page_sign_in(struct http_request *req, struct http_response *resp);
void page_sign_out(struct http_request *req, struct http_response *resp);

/* timelines.c */
void page_home(struct http_request *req, struct http_response *resp);
void page_public(struct http_request *req, struct http_response *resp);
void page_tag(struct http_request *req, struct http_response *resp);

/* posts.c */
void page_post(struct http_request *req, struct http_response *resp);
void page_post_create(struct http_request *req, struct http_response *resp);
void page_post_delete(struct http_request *req, struct http_response *resp);

/* people.c */
void page_profile(struct http_request *req, struct http_response *resp);
void page_following(struct http_request *req, struct http_response *resp);
void page_followers(struct http_request *req, struct http_response *resp);
void page_follow(struct http_request *req, struct http_response *resp);
void page_unfollow(struct http_request *req, struct http_response *resp);
void page_follow_many(struct http_request *req, struct http_response *resp);
void page_unfollow_many(struct http_request *req, struct http_response *resp);

/* lists.c */
void page_lists(struct http_request *req, struct http_response *resp);
void page_list_create(struct http_request *req, struct http_response *resp);
void page_list_timeline(struct http_request *req, struct http_response *resp);
void page_list_members(struct http_request *req, struct http_response *resp);
void page_list_rename(struct http_request *req, struct http_response *resp);
void page_list_delete(struct http_request *req, struct http_response *resp);
void page_list_add(struct http_request *req, struct http_response *resp);
void page_list_remove(struct http_request *req, struct http_response *resp);

/* settings.c */
void page_settings(struct http_request *req, struct http_response *resp);
void page_settings_profile(struct http_request *req, struct http_response *resp);
void page_settings_profile_save(struct http_request *req, struct http_response *resp);
void page_settings_password(struct http_request *req, struct http_response *resp);
void page_settings_password_save(struct http_request *req, struct http_response *resp);
void page_settings_sessions(struct http_request *req, struct http_response *resp);
void page_settings_revoke(struct http_request *req, struct http_response *resp);
void page_settings_revoke_others(struct http_request *req, struct http_response *resp);
void page_settings_language(struct http_request *req, struct http_response *resp);
void page_locale(struct http_request *req, struct http_response *resp);

/* site.c */
void page_about(struct http_request *req, struct http_response *resp);
void page_health(struct http_request *req, struct http_response *resp);
void page_metrics(struct http_request *req, struct http_response *resp);

/* page.c: answers where no page ran */
void page_http_error(struct http_request *req, struct http_response *resp, int status, const char *text);
void page_denied(struct http_request *req, struct http_response *resp);
void page_invalid(struct http_request *req, struct http_response *resp, const struct http_parameter *parameter);

/* A post that could not be written: the page its form stands on, with the text as it was typed. */
void page_home_again(struct page *p, const struct problems *problems, int err);

#endif
