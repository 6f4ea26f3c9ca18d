/* commands.h - what the rows of the table in main.c run. Each gets a parsed call and returns the exit status.
 *
 * Grouped by file; a file's first lines say what its commands share. Threads: the main thread.
 */
#ifndef COMMAND_COMMANDS_H
#define COMMAND_COMMANDS_H

struct command_call;

/* serve.c, engine.c */
int command_serve(struct command_call *c);
int command_engine(struct command_call *c);
int command_engine_check(struct command_call *c);

/* engine_export.c */
int command_engine_export(struct command_call *c);

/* account.c */
int command_user_add(struct command_call *c);
int command_user_list(struct command_call *c);
int command_user_passwd(struct command_call *c);
int command_user_promote(struct command_call *c);
int command_user_limit(struct command_call *c);
int command_user_suspend(struct command_call *c);
int command_user_restore(struct command_call *c);
int command_user_demote(struct command_call *c);
int command_user_delete(struct command_call *c);

/* app.c */
int command_app_create(struct command_call *c);
int command_app_token(struct command_call *c);
int command_app_code(struct command_call *c);
int command_app_list(struct command_call *c);
int command_app_revoke(struct command_call *c);

/* relations.c */
int command_follow(struct command_call *c);
int command_unfollow(struct command_call *c);

/* administration.c */
int command_invite(struct command_call *c);
int command_settings_list(struct command_call *c);
int command_settings_get(struct command_call *c);
int command_settings_set(struct command_call *c);
int command_settings_history(struct command_call *c);

/* check.c */
int command_check(struct command_call *c);

/* demo.c */
int command_demo_fill(struct command_call *c);

/* tail.c */
int command_tail(struct command_call *c);

/* timeline.c */
int command_timeline_show(struct command_call *c);
int command_timeline_rebuild(struct command_call *c);

/* search.c */
int command_search_rebuild(struct command_call *c);

/* documents.c */
int command_check_config(struct command_call *c);
int command_config_example(struct command_call *c);
int command_config_man(struct command_call *c);
int command_man(struct command_call *c);
int command_help(struct command_call *c);

/* completion.c */
int command_completion(struct command_call *c);

/* routes.c */
int command_routes(struct command_call *c);

/* stats.c */
int command_stats(struct command_call *c);

/* version.c */
int command_version(struct command_call *c);

#endif
