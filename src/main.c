/* main.c - the table of subcommands. What they do is in command/; how a line of words finds its row is in
 * command/command.c; help and man page are made of the rows.
 */
#include "command/command.h"
#include "command/commands.h"

static const struct command table[] = {
    {"serve", command_serve, .arguments = "", .help = "Runs the site",
     .details = "Starts the embedded engine (unless redis.url names another), then the site, and says where it is. "
                "SIGTERM and SIGINT end it cleanly; SIGHUP reads the certificate and the log's settings again."},
    {"engine", command_engine, .arguments = "[ARGUMENT...]", .help = "Becomes the embedded engine; for retwis itself",
     .hidden = true, .raw = true},
    {0},
};

int main(int argc, char **argv)
{
    return command_main(table, argc, argv);
}
