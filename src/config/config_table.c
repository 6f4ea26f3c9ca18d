/* config_table.c - every section and key of retwis.ini: the one place to add or change one.
 *
 * The help texts are written for the administrator who reads retwis.ini for the first time: what the key is for, and
 * when one would change it. config_write.c adds default, range and when a change takes effect, from the row. What this
 * is not: the rules for parsing (config_value.c, config_check.c).
 *
 * Constant data, any thread.
 */
#include "config/config_table.h"

#include <string.h>

#define AT(member) offsetof(struct config, member)

static const char *const modes[] = {[CONFIG_PUSH] = "push", [CONFIG_PULL] = "pull", [CONFIG_HYBRID] = "hybrid", NULL};
static const char *const durabilities[] = {[CONFIG_EVERYSEC] = "everysec", [CONFIG_ALWAYS] = "always", NULL};
static const char *const levels[] = {
    [CONFIG_DEBUG] = "debug", [CONFIG_INFO] = "info", [CONFIG_WARNING] = "warning", [CONFIG_ERROR] = "error", NULL};
static const char *const formats[] = {[CONFIG_TEXT] = "text", [CONFIG_JSON] = "json", NULL};

const struct config_section config_sections[] = {
    {"http", "Where the site is reached, and how much of the machine its visitors may use."},
    {"stream", "Streams: what happens, sent to apps as it happens."},
    {"redis",
     "The data engine. All users, posts and relations live in it. By default Retwis carries its own engine and "
     "starts it on a Unix socket in the state directory; several servers share one by naming it here."},
    {"timeline", "How posts get into the home timelines. Every mode shows the same pages."},
    {"posts", "Posts and users as each process keeps them. (The length of a post is a run-time setting: "
              "retwis settings set posts.length 500.)"},
    {"cache", "What each process keeps in its memory so as not to make it again."},
    {"search", "Finding people, tags, and posts by their words. An index in the engine answers these questions. A "
               "server that finds "
               "none builds it in the background, from the newest posts to the oldest."},
    {"limits", "How often one visitor or account may do something: count/time with the time in s, m, h or d. Whatever "
               "goes beyond gets the answer 429, which says how long to wait. 0/1h allows nothing at all."},
    {"session", "How long people stay signed in."},
    {"log", "The log on standard error, one line per event; systemd's journal takes it from there."},
    {"metrics", "What the server counts about itself, for Prometheus: GET /metrics. By default it is not served by "
                "HTTP. (retwis stats shows the same and needs neither of these keys.)"},
    {"process", "What the server may do on this machine. It needs little, and gives up the rest when it starts."},
    {"state", "Where this machine's own files are kept."},
};
const size_t config_section_count = sizeof(config_sections) / sizeof(config_sections[0]);

const struct config_key config_keys[] = {
    /* [http] */
    {"http", "listen", CONFIG_TYPE_TEXT, AT(http.listen), "8080", .min = 1, .check = config_check_listen,
     .form = "ports, addresses with port, and socket paths, separated by commas",
     .help = "Where to listen. Each entry is a port (8080), an address and a port (127.0.0.1:8080, [::1]:8080), or the "
             "absolute path of a Unix socket. An s after a port means HTTPS (8443s) and needs tls_certificate and "
             "tls_key. Port 0 takes any free one."},
    {"http", "public_url", CONFIG_TYPE_TEXT, AT(http.public_url), "", .check = config_check_public_url,
     .form = "http:// or https:// and a host, without a path",
     .help = "The address that people type, such as https://example.org. Empty: taken from each request. Set it "
             "when the site is on the Internet or behind a proxy."},
    {"http", "allow_plain", CONFIG_TYPE_BOOL, AT(http.allow_plain), "no",
     .help = "With an https public_url, requests by plain HTTP are redirected there (308), so that no password crosses "
             "the network unprotected. A trusted proxy that ends HTTPS does not count as plain HTTP, unless it says so "
             "(X-Forwarded-Proto: http). yes: pages are served by plain HTTP too; but nobody can stay signed in there, "
             "because the cookies are for HTTPS only."},
    {"http", "hsts", CONFIG_TYPE_INTEGER, AT(http.hsts), "365", 0, 3650, UNIT_DAYS,
     .help = "With an https public_url, browsers are told to use nothing but HTTPS for so long after each visit "
             "(Strict-Transport-Security). Subdomains are left alone. 0: browsers are not told."},
    {"http", "tls_certificate", CONFIG_TYPE_PATH, AT(http.tls_certificate), "",
     .help = "PEM file with the certificate and its chain, for HTTPS. The file is read again on SIGHUP."},
    {"http", "tls_key", CONFIG_TYPE_PATH, AT(http.tls_key), "",
     .help = "PEM file with the private key of tls_certificate. The file is read again on SIGHUP."},
    {"http", "acme_directory", CONFIG_TYPE_PATH, AT(http.acme_directory), "",
     .help = "Directory that a program for certificates writes its proofs to (certbot: --webroot-path). The files of "
             ".well-known/acme-challenge in it are served, by plain HTTP too. Empty: none."},
    {"http", "threads", CONFIG_TYPE_INTEGER, AT(http.threads), "512", 4, 16384,
     .help = "How many connections can be open at once. Each has a thread of its own, which takes about 15 KiB."},
    {"http", "trusted_proxies", CONFIG_TYPE_TEXT, AT(http.trusted_proxies), "", .check = config_check_networks,
     .form = "addresses and networks, separated by commas",
     .help = "Proxies in front of Retwis, such as 127.0.0.1, 10.0.0.0/8. Their X-Forwarded-For and X-Forwarded-Proto "
             "headers are believed, nobody else's. Needed behind a proxy: without it all visitors share the proxy's "
             "address and so its limits. A client that connects by a Unix socket is trusted."},
    {"http", "connections_per_address", CONFIG_TYPE_INTEGER, AT(http.connections_per_address), "128", 1, 16384,
     .help = "How many connections one address can have open at once (IPv6: one /64 network)."},
    {"http", "max_requests", CONFIG_TYPE_INTEGER, AT(http.max_requests), "256", 1, 16384,
     .help = "How many requests are worked on at once. The rest get the answer 503 and are asked to try again."},
    {"http", "max_body", CONFIG_TYPE_INTEGER, AT(http.max_body), "64k", 16384, 16777216, UNIT_BYTES,
     .help = "The largest form or document a visitor can send. The default holds the longest post, and a list of 1000 "
             "names to follow."},
    {"http", "request_timeout", CONFIG_TYPE_INTEGER, AT(http.request_timeout), "10", 1, 600, UNIT_SECONDS,
     .help = "How long a visitor may take to send a request, header and body together."},
    {"http", "keep_alive", CONFIG_TYPE_INTEGER, AT(http.keep_alive), "5", 0, 300, UNIT_SECONDS,
     .help = "How long an idle connection stays open. 0 closes it after each answer."},
    {"http", "compress", CONFIG_TYPE_BOOL, AT(http.compress), "yes",
     .help = "Pages are compressed for browsers that want it, with zstd or gzip: a fifth of the bytes for some 50 "
             "microseconds of a processor. no: for a proxy in front that compresses, or a network that costs nothing."},
    {"http", "web_dir", CONFIG_TYPE_PATH, AT(http.web_dir), "",
     .help = "A directory with templates, styles, scripts and translations to use instead of those in the program: for "
             "people who change them. Empty: those in the program."},
    /* [stream] */
    {"stream", "listeners", CONFIG_TYPE_INTEGER, AT(stream.listeners), "256", 0, 16384,
     .help =
         "How many streams (what happens, sent to apps as it happens) can be open at once. Each is a connection with a "
         "thread of http.threads, a quarter of which is always kept for other requests. The rest get the answer 503 "
         "and are asked to try again."},
    {"stream", "per_account", CONFIG_TYPE_INTEGER, AT(stream.per_account), "16", 1, 16384,
     .help = "How many of them one account can have open."},
    {"stream", "per_address", CONFIG_TYPE_INTEGER, AT(stream.per_address), "64", 1, 16384,
     .help = "How many of them one address can have open (IPv6: one /64 network)."},
    /* [redis] */
    {"redis", "url", CONFIG_TYPE_TEXT, AT(redis.url), "embedded", .min = 1, .check = config_check_redis_url,
     .secret = true, .form = "embedded, redis://[user[:password]@]host[:port][/db], rediss://… (TLS) or unix:///path",
     .help =
         "The engine: the one inside the program (embedded), or a Redis 7.0 or Valkey 7.2 server or newer. A password "
         "is better kept in password_file."},
    {"redis", "password_file", CONFIG_TYPE_PATH, AT(redis.password_file), "",
     .help = "File whose first line is the password for the server in url."},
    {"redis", "tls_ca", CONFIG_TYPE_PATH, AT(redis.tls_ca), "",
     .help = "PEM file with the authority that signed the certificate of a rediss:// server. Empty: the system's."},
    {"redis", "prefix", CONFIG_TYPE_TEXT, AT(redis.prefix), "", .max = 64, .check = config_check_prefix,
     .form = "letters, digits and . _ : -",
     .help = "Put before every key, so that several sites can share one engine, such as blog: for one of them."},
    {"redis", "durability", CONFIG_TYPE_CHOICE, AT(redis.durability), "everysec", .choices = durabilities,
     .help = "For the embedded engine: when a write must be on the disk. everysec: a power failure can take the last "
             "second. always: before the answer, at the price of speed. A crash of the program loses nothing in "
             "either. (An "
             "external engine has a setting of its own, appendfsync; a warning says when that promises less.)"},
    {"redis", "accept_loss", CONFIG_TYPE_BOOL, AT(redis.accept_loss), "no",
     .help = "For an external engine. no: an engine that throws data away when its memory is full (maxmemory-policy), "
             "keeps no append-only file (appendonly) or never makes sure that the file reaches the disk (appendfsync "
             "no) is not used: pages answer 503, and the log and /health say what to change in the engine. The change "
             "is noticed without a restart. yes: warnings only."},
    {"redis", "memory_limit", CONFIG_TYPE_INTEGER, AT(redis.memory_limit), "auto", 0, 16777216, UNIT_MIB,
     .automatic = true,
     .help =
         "For the embedded engine: when its data reach this size, writes are refused and reads go on. auto: half of "
         "the machine's memory, or of what its control group or container may have; the other half is for "
         "rewriting the append-only file and for the pages. 0: no limit, until the kernel ends the engine."},
    {"redis", "disk_reserve", CONFIG_TYPE_INTEGER, AT(redis.disk_reserve), "32", 0, 16777216, UNIT_MIB,
     .help =
         "For the embedded engine: when less than this is free on the disk of the state directory, writes are refused "
         "and reads go on, until there is room again. 0: writes go on to the last byte."},
    {"redis", "connections", CONFIG_TYPE_INTEGER, AT(redis.connections), "16", 1, 256,
     .help = "How many connections to the engine are kept for all requests together. One more waits for what other "
             "servers change."},
    {"redis", "shared_connections", CONFIG_TYPE_INTEGER, AT(redis.shared_connections), "2", 0, 16,
     .help = "How many of these connections pages share, many at a time, so that none waits for one. The others, of "
             "which there is always one, are for what takes long, one at a time. 0: pages use them like the rest."},
    {"redis", "connect_timeout", CONFIG_TYPE_INTEGER, AT(redis.connect_timeout), "2000", 10, 60000, UNIT_MS,
     .help = "How long to wait for a connection to the engine."},
    {"redis", "command_timeout", CONFIG_TYPE_INTEGER, AT(redis.command_timeout), "3000", 10, 60000, UNIT_MS,
     .help = "How long to wait for an answer of the engine before visitors are told to try again."},
    {"redis", "hang_timeout", CONFIG_TYPE_INTEGER, AT(redis.hang_timeout), "15", 0, 3600, UNIT_SECONDS,
     .help = "For the embedded engine: when it has answered nothing for so long, it is killed and started again. An "
             "engine that is loading its data does answer, and one that waits for the disk is given time. 0: never."},
    /* [timeline] */
    {"timeline", "mode", CONFIG_TYPE_CHOICE, AT(timeline.mode), "push", .choices = modes,
     .help = "push: a post is delivered to the followers when it is written; reading is fastest. pull: the posts are "
             "collected when a reader comes; writing is cheapest. hybrid: push, but pull for people with very many "
             "followers."},
    {"timeline", "size", CONFIG_TYPE_INTEGER, AT(timeline.size), "800", 10, 10000,
     .help = "How many posts of a home timeline are kept ready. Older ones are found too, only slower."},
    {"timeline", "page", CONFIG_TYPE_INTEGER, AT(timeline.page), "20", 1, 80,
     .help = "Posts on one page; at most size."},
    {"timeline", "inline_followers", CONFIG_TYPE_INTEGER, AT(timeline.inline_followers), "1000", 0, 100000,
     .help = "push: the request that writes a post delivers it to so many followers; the workers deliver to the rest."},
    {"timeline", "pull_per_author", CONFIG_TYPE_INTEGER, AT(timeline.pull_per_author), "20", 1, 1000,
     .help = "pull: how many posts of one author are asked for in one step."},
    {"timeline", "celebrity_followers", CONFIG_TYPE_INTEGER, AT(timeline.celebrity_followers), "10000", 1, 1000000000,
     .help = "hybrid: the posts of people with more followers are not delivered but asked for by their readers."},
    {"timeline", "inactive_days", CONFIG_TYPE_INTEGER, AT(timeline.inactive_days), "30", 0, 3650, UNIT_DAYS,
     .help = "A home timeline that was not read for so long is dropped: it takes no memory and no deliveries. The next "
             "visit of its owner builds it again. 0: never."},
    {"timeline", "workers", CONFIG_TYPE_INTEGER, AT(timeline.workers), "2", 1, 64,
     .help = "Threads that finish deliveries and other work behind the requests."},
    /* [posts] */
    {"posts", "cache", CONFIG_TYPE_INTEGER, AT(posts.cache), "32", 0, 65536, UNIT_MIB,
     .help = "Memory for posts and users that were read lately. 0: none."},
    /* [cache] */
    {"cache", "rendered", CONFIG_TYPE_INTEGER, AT(cache.rendered), "16", 0, 65536, UNIT_MIB,
     .help = "Memory for posts as they stand on pages and in answers to apps, so that a post is made into HTML and "
             "JSON once and not for each visitor. A "
             "post takes about 3 KiB for each language in which it is read. 0: none."},
    {"cache", "answers", CONFIG_TYPE_INTEGER, AT(cache.answers), "16", 0, 65536, UNIT_MIB,
     .help =
         "Memory for answers of the engine, so that a visit for which nothing has changed does not ask it again. The "
         "engine "
         "says what is changed (CLIENT TRACKING; an engine or a proxy that cannot is asked each time). A visitor takes "
         "about 6 KiB. 0: the engine is always asked."},
    {"cache", "pages", CONFIG_TYPE_INTEGER, AT(cache.pages), "32", 0, 65536, UNIT_MIB,
     .help =
         "Memory for whole pages and answers to apps, which are given again while nothing in them has changed: to "
         "the same visitor, and those for strangers to all of them. Needs cache.answers. A page takes about 25 KiB. "
         "0: none."},
    /* [search] */
    {"search", "enabled", CONFIG_TYPE_BOOL, AT(search.enabled), "yes",
     .help = "With no, there is no search, and the next start frees the index. Of a million posts of twelve words the "
             "index takes about 100 MiB of memory."},
    {"search", "words", CONFIG_TYPE_INTEGER, AT(search.words), "400", 1, 2000,
     .help = "How many words of a post can be searched for, counted from its first. In scripts without spaces every "
             "sign counts as "
             "one word."},
    {"search", "posts", CONFIG_TYPE_INTEGER, AT(search.posts), "400", 40, 10000,
     .help = "How many posts one search reads at most. A search that finds little in so many shows a link that goes on "
             "from there."},
    /* [limits] */
    {"limits", "enabled", CONFIG_TYPE_BOOL, AT(limits.enabled), "yes",
     .help = "With no, none of the limits of this section applies: for tests and closed networks."},
    {"limits", "read", CONFIG_TYPE_LIMIT, AT(limits.read), "1500/5m", 0, 1000000,
     .help = "Pages and forms: counted by account, and by address for visitors who are not signed in. Each process "
             "counts for itself. Styles, scripts, icons and /health are not counted."},
    {"limits", "search", CONFIG_TYPE_LIMIT, AT(limits.search), "60/1m", 0, 1000000,
     .help = "Searches, counted like read. Each one counts as a page too."},
    {"limits", "read_exempt", CONFIG_TYPE_TEXT, AT(limits.read_exempt), "127.0.0.1, ::1",
     .check = config_check_networks, .form = "addresses and networks, separated by commas",
     .help = "Clients that limits.read does not count. A proxy that is not in trusted_proxies is the client of all its "
             "requests: if it is listed here, nobody behind it is counted."},
    {"limits", "network_56", CONFIG_TYPE_INTEGER, AT(limits.network_56), "2", 1, 65536,
     .help = "For IPv6, limits by address count a /64 network as one address, because one customer has at least that. "
             "Since many customers have more, a /56 network may do so many times as much as a /64."},
    {"limits", "network_48", CONFIG_TYPE_INTEGER, AT(limits.network_48), "4", 1, 65536,
     .help = "A /48 network may do so many times as much as a /64."},
    {"limits", "sign_in", CONFIG_TYPE_LIMIT, AT(limits.sign_in), "10/5m", 0, 1000000,
     .help = "Attempts to sign in, by address."},
    {"limits", "sign_in_account", CONFIG_TYPE_LIMIT, AT(limits.sign_in_account), "10/1h", 0, 1000000,
     .help = "Attempts to sign in, by account, from any address, of browsers that never signed in to that account."},
    {"limits", "sign_in_device", CONFIG_TYPE_LIMIT, AT(limits.sign_in_device), "10/1h", 0, 1000000,
     .help = "Attempts to sign in, by account and browser, of browsers that have signed in to that account before: so "
             "nobody is locked out by the attempts of others."},
    {"limits", "sign_up", CONFIG_TYPE_LIMIT, AT(limits.sign_up), "5/30m", 0, 1000000,
     .help = "New accounts, by address. Raise it for an event where many people sign up behind one address."},
    {"limits", "app", CONFIG_TYPE_LIMIT, AT(limits.app), "60/30m", 0, 1000000,
     .help = "Applications that are registered, and tokens that they get for themselves, by address."},
    {"limits", "post", CONFIG_TYPE_LIMIT, AT(limits.post), "30/1m", 0, 1000000, .help = "New posts, by account."},
    {"limits", "delete_post", CONFIG_TYPE_LIMIT, AT(limits.delete_post), "30/30m", 0, 1000000,
     .help = "Deleted posts, by account."},
    {"limits", "follow", CONFIG_TYPE_LIMIT, AT(limits.follow), "2000/1h", 0, 1000000,
     .help = "Names that are followed, unfollowed, put on a list or taken off one, and changes of lists, by account. A "
             "form with many names counts as many as it has. The limit is high, and by the hour, so that 1000 names "
             "can be followed at once and unfollowed again."},
    {"limits", "react", CONFIG_TYPE_LIMIT, AT(limits.react), "300/5m", 0, 1000000,
     .help = "Favourites, boosts, bookmarks and pins, made and taken back, by account."},
    {"limits", "settings", CONFIG_TYPE_LIMIT, AT(limits.settings), "30/1h", 0, 1000000,
     .help = "Changes of password and profile, by account."},
    /* [session] */
    {"session", "idle_days", CONFIG_TYPE_INTEGER, AT(session.idle_days), "14", 1, 3650, UNIT_DAYS,
     .help = "A session that is not used for so long ends; at most lifetime_days."},
    {"session", "lifetime_days", CONFIG_TYPE_INTEGER, AT(session.lifetime_days), "90", 1, 3650, UNIT_DAYS,
     .help = "Every session ends after so long, used or not."},
    {"session", "per_user", CONFIG_TYPE_INTEGER, AT(session.per_user), "10", 1, 1000,
     .help = "How many sessions one person can have; the next sign-in ends the oldest."},
    /* [log] */
    {"log", "level", CONFIG_TYPE_CHOICE, AT(log.level), "info", .choices = levels, .reload = true,
     .help = "What is written: this level and all that is more serious."},
    {"log", "format", CONFIG_TYPE_CHOICE, AT(log.format), "text", .choices = formats, .reload = true,
     .help = "Lines for people, or one JSON object a line for programs."},
    {"log", "access", CONFIG_TYPE_BOOL, AT(log.access), "yes", .reload = true,
     .help = "Write a line for each request."},
    {"log", "access_rate", CONFIG_TYPE_INTEGER, AT(log.access_rate), "300", 0, 1000000, .reload = true,
     .help = "When there are more requests in a second than this, only one in a hundred of the rest gets its line, and "
             "another line says how many did not. So a flood fills neither the disk nor systemd's journal, which takes "
             "10000 lines in 30 seconds. /metrics counts all requests. 0: every request gets its line."},
    /* [metrics] */
    {"metrics", "listen", CONFIG_TYPE_TEXT, AT(metrics.listen), "", .check = config_check_listen,
     .form = "ports, addresses with port, and socket paths, separated by commas",
     .help = "An address of its own for /metrics and /health, and nothing else: for a Prometheus on this machine "
             "127.0.0.1:9180. Everybody who can reach the address may read them, so no proxy should pass requests on "
             "to it. Entries are written like those of http.listen."},
    {"metrics", "allow", CONFIG_TYPE_TEXT, AT(metrics.allow), "", .check = config_check_networks,
     .form = "addresses and networks, separated by commas",
     .help = "Other machines that may read /metrics at the site's own address too. Everybody else gets a 404. So do, "
             "in any case, this machine and trusted proxies, which may ask for somebody whom they do not name, and "
             "requests through a proxy that is not in trusted_proxies."},
    /* [process] */
    {"process", "sandbox", CONFIG_TYPE_BOOL, AT(process.sandbox), "yes",
     .help = "The server and its engine shut themselves in. They keep only the system calls that they need (seccomp), "
             "and no file but the state directory, the directories of the configuration and of the certificates, and "
             "what else is named here; no program but themselves; no port but those named here (Landlock, Linux 6.7 or "
             "newer for the ports). The log says at start what the kernel can do. With no, only systemd's unit "
             "restricts them: for tracing and debugging."},
    {"process", "allow_root", CONFIG_TYPE_BOOL, AT(process.allow_root), "no",
     .help =
         "With no, root can start the server only when the state directory belongs to another user, whom the server "
         "then becomes. With yes it stays root in a state directory of root: for containers where there is nobody "
         "else."},
    {"process", "core_dumps", CONFIG_TYPE_BOOL, AT(process.core_dumps), "no",
     .help = "With yes, the memory of the server and its engine can be looked at by a debugger of the same user and is "
             "written to a file when they crash. It holds passwords as they are typed, sessions and keys."},
    /* [state] */
    {"state", "directory", CONFIG_TYPE_PATH, AT(state.directory), "/var/lib/retwis", .min = 1,
     .help = "Data of the embedded engine, settings.db and sockets. One server at a time uses it."},
};
const size_t config_key_count = sizeof(config_keys) / sizeof(config_keys[0]);

size_t config_key_find(const char *section, const char *name)
{
    size_t i = 0;
    while (i < config_key_count && (strcmp(config_keys[i].section, section) || strcmp(config_keys[i].name, name))) {
        i++;
    }
    return i;
}

bool config_section_is(const char *section)
{
    for (size_t i = 0; i < config_section_count; i++) {
        if (strcmp(config_sections[i].name, section) == 0) {
            return true;
        }
    }
    return false;
}
