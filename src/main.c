/* main.c - the table of subcommands. What they do is in command/; how a line of words finds its row is in
 * command/command.c; help and man page are made of the rows.
 */
#include "command/command.h"
#include "command/command_line.h"
#include "command/commands.h"

#define PASSWORD_STDIN                                                                                                 \
    {                                                                                                                  \
        "password-stdin", NULL, "reads the password from a line of standard input"                                     \
    }
#define FROM_FILE                                                                                                      \
    {                                                                                                                  \
        "from", "FILE", "names in a file, - for standard input; blanks, commas or lines between them"                  \
    }

static const struct command table[] = {
    {"serve", command_serve, .arguments = "", .help = "Runs the site",
     .details = "Starts the embedded engine (unless redis.url names another), then the site, and says where it is. "
                "SIGTERM and SIGINT end it cleanly; SIGHUP reads the certificate and the log's settings again."},
    {"check-config", command_check_config, .arguments = "",
     .options = {{"print", NULL, "prints the configuration in effect"}},
     .help = "Looks for mistakes in the configuration",
     .details =
         "Lists every mistake with its line, and then looks at what the server would need: files, directories, ports, "
         "the "
         "certificate, an external engine. As root it looks as the owner of the state directory, as whom the server "
         "runs. "
         "Nothing is started or changed, and a server that runs is not disturbed. Exit status 2: the configuration is "
         "wrong; 1: something else is, and the server would not serve; 0: it would, perhaps with warnings."},
    {"user add", command_user_add, .arguments = "NAME",
     .options = {{"admin", NULL, "makes the account an administrator"}, PASSWORD_STDIN}, .help = "Adds an account",
     .details =
         "The rules for names and passwords are those of the site, but closed registration and reserved names do "
         "not matter. Asks for the password on a terminal; otherwise reads one line of standard input."},
    {"user list", command_user_list, .arguments = "", .options = {{"json", NULL, "one JSON object a line"}},
     .help = "Lists all accounts"},
    {"user passwd", command_user_passwd, .arguments = "NAME", .options = {PASSWORD_STDIN},
     .help = "Sets a new password",
     .details = "All sessions of the account end, and the tokens that it gave to applications."},
    {"user promote", command_user_promote, .arguments = "NAME", .help = "Makes an account an administrator"},
    {"user demote", command_user_demote, .arguments = "NAME", .help = "Makes an administrator an ordinary account"},
    {"user limit", command_user_limit, .arguments = "NAME", .help = "Lets only followers see what an account writes",
     .details =
         "Its posts stand in no public timeline, tag or search, and nobody else comes upon the account. Its owner "
         "sees everything as before. A running server notices it at once."},
    {"user suspend", command_user_suspend, .arguments = "NAME", .help = "Hides an account and all its posts",
     .details = "For everybody but its owner it is as if there were no such account. Nothing is deleted."},
    {"user restore", command_user_restore, .arguments = "NAME", .help = "Takes back what limit or suspend did"},
    {"user delete", command_user_delete, .arguments = "NAME", .options = {{"yes", NULL, "does not ask"}},
     .help = "Deletes an account and all that belongs to it",
     .details = "Posts, relations and sessions go with it. The name is never given to anybody else."},
    {"app create", command_app_create, .arguments = "NAME",
     .options = {{"redirect-uri", "URI", "where it sends people; several with blanks between (it shows them the code)"},
                 {"scopes", "WORDS", "the most that it may ask for (read write follow push)"},
                 {"website", "URL", "its address"},
                 {"id", "ID", "the client_id that it is to have"},
                 {"secret", "TEXT", "the client_secret that it is to have"}},
     .help = "Registers an application that people can let act in their names",
     .details = "Prints its client_id and client_secret. Programs that speak OAuth register themselves."},
    {"app token", command_app_token, .arguments = "[NAME]",
     .options = {{"app", "ID", "for this application (a new one)"},
                 {"scopes", "WORDS", "what it allows (read write follow push)"},
                 {"secret", "TEXT", "the part behind the point that it is to have"}},
     .help = "Makes a token by which a program acts in somebody's name",
     .details = "Prints the token. Without a name it is the application's own, which acts in nobody's."},
    {"app code", command_app_code, .arguments = "NAME APP",
     .options = {{"redirect-uri", "URI", "where the application says that it is sent (it shows them the code)"},
                 {"scopes", "WORDS", "what the token will allow (read write follow push)"},
                 {"challenge", "TEXT", "S256 of what the application has to know"}},
     .help = "Lets an application in, as people do on a page of the site",
     .details = "Prints the code, which the application uses once within ten minutes: for programs on a machine "
                "without a browser. APP is its client_id."},
    {"app list", command_app_list, .arguments = "NAME", .help = "Lists the tokens of an account",
     .details = "What names the token, its application, when it was made, when it was last used, what it allows, and "
                "the application's name, between tabs."},
    {"app revoke", command_app_revoke, .arguments = "TOKEN", .help = "Ends a token, or an application",
     .details =
         "TOKEN is a token, what names one in \"app list\", or a client_id. An application that is ended gets no "
         "token any more; those that people have given it stay until they are ended. A running server "
         "notices it at once."},
    {"follow", command_follow, .arguments = "NAME [OTHER...]", .options = {FROM_FILE},
     .help = "Makes an account follow others", .details = "Prints a line for each of them."},
    {"unfollow", command_unfollow, .arguments = "NAME [OTHER...]", .options = {FROM_FILE},
     .help = "Makes an account stop following others", .details = "Prints a line for each of them."},
    {"invite", command_invite, .arguments = "",
     .options = {{"uses", "N", "how many people may sign up with it (1)"}, {"days", "N", "how long it is good (7)"}},
     .help = "Makes an invite code",
     .details = "Prints the code, and the address to sign up with it. Codes matter while the setting registration is "
                "\"invite\"."},
    {"settings list", command_settings_list, .arguments = "",
     .options = {{"verbose", NULL, "with the meaning and the rule of each"}},
     .help = "Lists the settings that can be changed while the site runs"},
    {"settings get", command_settings_get, .arguments = "NAME", .help = "Prints the value of one setting"},
    {"settings set", command_settings_set, .arguments = "NAME VALUE", .help = "Changes one",
     .details = "A running server notices it within a second. VALUE - stands for standard input."},
    {"settings history", command_settings_history, .arguments = "", .help = "Lists who changed what and when"},
    {"stats", command_stats, .arguments = "", .options = {{"json", NULL, "as one JSON document, for programs"}},
     .help = "Prints what the running server counts about itself",
     .details =
         "Requests by route and status, round trips to the engine, deliveries, jobs, cache, memory. The same for "
         "Prometheus is at /metrics."},
    {"tail", command_tail, .arguments = "",
     .options = {{"track", "PHRASES",
                  "only posts with one of these: commas between phrases, blanks between the words of "
                  "one; #tag and @name too"},
                 {"follow", "USERS",
                  "only posts of these users, ids or names with commas between, or that mention them"},
                 {"locations", "BOXES", "only posts written there: west,south,east,north in degrees, and again"},
                 {"sample", "PERCENT", "only so many of a hundred"}},
     .help = "Prints what is posted for all, as it happens",
     .details = "Id, time, author and text of each post, until it is interrupted; in colours on a terminal, unless "
                "NO_COLOR is set. Of several filters one is enough. Posts that were printed and are edited or deleted "
                "say so. It sees what a stranger sees."},
    {"timeline show", command_timeline_show, .arguments = "NAME",
     .options = {{"limit", "N", "how many posts (20)"}, {"max-id", "ID", "only posts older than this"}},
     .help = "Lists what is on somebody's home page",
     .details = "Id, time, author, and where it came from: the cache, or the authors' own posts (merge). It is a visit "
                "like that of the page, so it also builds a missing home."},
    {"timeline rebuild", command_timeline_rebuild, .arguments = "[NAME]", .options = {{"all", NULL, "of all users"}},
     .help = "Drops home timelines: the next visit builds them again",
     .details = "Nothing is lost by it, because homes are a cache. It is for administrators who do not trust a home."},
    {"search rebuild", command_search_rebuild, .arguments = "", .help = "Builds the index of search anew",
     .details = "Drops it and indexes all people and posts, from the newest posts to the oldest, while the site runs; "
                "until it is "
                "done, search finds only the newer posts. An interrupted rebuild is finished by the server. It forgets "
                "what was "
                "deleted, and finds what servers of an older version wrote beside newer ones."},
    {"check", command_check, .arguments = "",
     .options = {{"repair", NULL, "mends what is found"},
                 {"homes", NULL, "also compares each home timeline with what belongs there; takes longer"}},
     .help = "Checks whether the data keep their own rules",
     .details =
         "Goes over all data while the site runs, and prints a line for each kind of finding: class, name, how "
         "many, what it means, examples. Errors are data that contradict each other; the exit status is 1 when "
         "there are any that are not mended. Findings of the class cache and notes do no harm: readers never see "
         "them. Data that are just being changed are not reported."},
    {"engine-check", command_engine_check, .arguments = "",
     .options = {{"fix", NULL, "leaves out what is damaged, and keeps a copy of it"}},
     .help = "Checks whether the files of the embedded engine are whole",
     .details =
         "For a server that does not start because its data are damaged; it must not be running. A line for each file "
         "says how much of it is whole and until when, and where damage is. With --fix, damaged bytes are left out "
         "and everything else stays; what is taken away, or the whole file as it was, is kept in engine/repaired in "
         "the state directory. Afterwards, start the server and run \"retwis check --homes --repair\". The torn end "
         "that a power cut leaves is mended by the server itself when it starts."},
    {"demo fill", command_demo_fill, .arguments = "",
     .options = {{"users", "N", "how many people (200)"},
                 {"posts", "N", "how many posts (25 for each)"},
                 {"followers-max", "N", "followers of the best known person (half of all)"},
                 {"seed", "N", "another seed gives other people and posts (1)"},
                 {"password", "TEXT", "password of all of them (retwis demo; a random one on a site that has users)"},
                 {"if-empty", NULL, "does nothing on a site that has users"},
                 {"force", NULL, "fills a site that has users too; people whose name is taken get another"}},
     .help = "Fills a site with invented people and posts",
     .details = "For looking around, for tests and measurements; a running site need not be stopped. The people and "
                "what they say follow from the seed. Nobody can tell them from real ones, so a site that has users is "
                "left alone unless --force says otherwise."},
    {"routes", command_routes, .arguments = "", .help = "Lists the addresses of the site",
     .details = "Methods, path, who may, parameters (those with ! must be there), and what it is, between tabs. Each "
                "parameter follows on a line that begins with a tab."},
    {"engine-export", command_engine_export, .arguments = "FILE",
     .help = "Writes the data of the embedded engine as commands that every engine reads",
     .details = "For moving to a Redis or Valkey server of its own: redis-cli --pipe sends the file there. FILE - is "
                "standard output; a file that exists is not overwritten. It is a picture of one moment, so stop the "
                "service before a move."},
    {"version", command_version, .arguments = "", .help = "Prints the versions of retwis and of all that is in it"},
    {"help", command_help, .arguments = "[COMMAND...]", .help = "Explains a command"},
    {"engine", command_engine, .arguments = "[ARGUMENT...]", .help = "Becomes the embedded engine; for retwis itself",
     .hidden = true, .raw = true},
    {"config-example", command_config_example, .arguments = "", .help = "Prints retwis.ini", .hidden = true},
    {"config-man", command_config_man, .arguments = "", .help = "Prints retwis.ini(5)", .hidden = true},
    {"completion", command_completion, .arguments = "", .help = "Prints the completion for bash", .hidden = true},
    {"man", command_man, .arguments = "", .help = "Prints retwis(1)", .hidden = true},
    {0},
};

int main(int argc, char **argv)
{
    return command_line_run(table, argc, argv);
}
