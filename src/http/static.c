/* static.c - see static.h.
 *
 * Files are looked up in the table that the program carries, so there is no path to escape from. Only css, js and icons
 * of it are served, not templates and catalogues. With `http.web_dir` they come from disk instead, uncached, for people
 * who work on the design; then each segment of the path must be a plain name.
 */
#include "http/static.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/embedded.h"
#include "base/panic.h"
#include "base/secret.h"
#include "base/text.h"
#include "http/encoding.h"
#include "http/validator.h"

#define MAX_FILE_SIZE (16 * 1024 * 1024)
#define FOREVER "public, max-age=31536000, immutable"
#define A_DAY "public, max-age=" TEXT_OF(CLOCK_DAY_SECONDS)

static struct {
    char *web_dir; /* NULL: embedded */
    char version[13];
} site;

void static_setup(const char *web_dir)
{
    char all[SECRET_HASH_SIZE] = "";
    for (size_t i = 0; i < embedded_file_count; i++) {
        char line[SECRET_HASH_SIZE + 512];
        snprintf(line, sizeof(line), "%s %s %s", all, embedded_files[i].path, embedded_files[i].hash);
        secret_hash(line, all);
    }
    snprintf(site.version, sizeof(site.version), "%.12s", embedded_file_count ? all : "0");
    free(site.web_dir);
    site.web_dir = web_dir && web_dir[0] ? mem_dup(web_dir) : NULL;
}

const char *static_version(void)
{
    return site.version;
}

static void not_found(struct http_response *resp)
{
    resp->status = 404;
    resp->content_type = "text/plain; charset=utf-8";
    buffer_text(&resp->body, "404 Not Found\n");
}

/* --- embedded ------------------------------------------------------------------------------------------------------ */

static void serve_file(const struct http_request *req, struct http_response *resp, const struct embedded_file *f,
                       const char *caching)
{
    char etag[40];
    bool zipped = f->gzip && encoding_choose_gzip(http_header_in(req, "accept-encoding")) == ENCODING_GZIP;
    snprintf(etag, sizeof(etag), "\"%s%s\"", f->hash, zipped ? "-gz" : "");
    resp->cacheable = true;
    http_header(resp, "Cache-Control", caching);
    http_header(resp, "ETag", etag);
    if (f->gzip) {
        http_header(resp, "Vary", "Accept-Encoding");
    }
    if (validator_is_known(req, etag)) {
        resp->status = 304;
        return;
    }
    if (zipped) {
        http_header(resp, "Content-Encoding", "gzip");
    }
    resp->content_type = f->type;
    resp->body_static = zipped ? f->gzip : f->data;
    resp->body_static_size = zipped ? f->gzip_size : f->size;
}

static bool is_public(const char *path)
{
    return strncmp(path, "css/", 4) == 0 || strncmp(path, "js/", 3) == 0 || strncmp(path, "icons/", 6) == 0;
}

/* --- from disk ----------------------------------------------------------------------------------------------------- */

static bool is_plain_path(const char *path)
{
    for (const char *p = path; *p; p += strcspn(p, "/"), p += *p == '/') {
        if (*p == '.' || *p == '/') {
            return false;
        }
    }
    return path[0] != '\0';
}

static const char *type_of(const char *path)
{
    static const char *const table[][2] = {{".css", "text/css; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".svg", "image/svg+xml"},
                                           {".png", "image/png"},
                                           {".ico", "image/x-icon"},
                                           {".webp", "image/webp"},
                                           {".woff2", "font/woff2"},
                                           {".json", "application/json"},
                                           {".txt", "text/plain; charset=utf-8"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(dot, table[i][0]) == 0) {
            return table[i][1];
        }
    }
    return "application/octet-stream";
}

static void serve_disk(struct http_response *resp, const char *path)
{
    struct stat info;
    FILE *f = is_plain_path(path) ? fopen(arena_printf(resp->arena, "%s/%s", site.web_dir, path), "re") : NULL;
    if (!f || fstat(fileno(f), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > MAX_FILE_SIZE) {
        not_found(resp);
    } else {
        char *data = arena_alloc(resp->arena, (size_t)info.st_size + 1);
        buffer_add(&resp->body, data, fread(data, 1, (size_t)info.st_size, f));
        resp->content_type = type_of(path);
        http_header(resp, "Cache-Control", "no-cache");
    }
    if (f) {
        fclose(f);
    }
}

/* --- routes -------------------------------------------------------------------------------------------------------- */

/* Pictures stand in the documents of the API, so apps that are web pages of other sites show them. */
static void let_others_show(struct http_response *resp, const char *path)
{
    if (strncmp(path, "icons/", 6) == 0) {
        http_header(resp, "Cross-Origin-Resource-Policy", "cross-origin");
    }
}

static void get_static(struct http_request *req, struct http_response *resp)
{
    const char *path = http_variable(req, "path");
    if (!is_public(path)) {
        not_found(resp);
    } else if (site.web_dir) {
        serve_disk(resp, path);
    } else {
        const struct embedded_file *f = embedded_find(arena_printf(req->arena, "web/%s", path));
        bool current = strcmp(http_variable(req, "version"), site.version) == 0;
        if (f) {
            let_others_show(resp, path);
            serve_file(req, resp, f, current ? FOREVER : "no-cache");
        } else {
            not_found(resp);
        }
    }
}

static void get_favicon(struct http_request *req, struct http_response *resp)
{
    static const char *const names[] = {"web/icons/favicon.ico", "web/icons/favicon.svg", "web/icons/icon.svg"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct embedded_file *f = embedded_find(names[i]);
        if (f) {
            serve_file(req, resp, f, A_DAY);
            return;
        }
    }
    not_found(resp);
}

/* Search engines may read what everybody may read, but forms and personal pages are of no use to them. */
static void get_robots(struct http_request *req, struct http_response *resp)
{
    (void)req;
    resp->content_type = "text/plain; charset=utf-8";
    resp->cacheable = true;
    http_header(resp, "Cache-Control", A_DAY);
    buffer_text(&resp->body, "User-agent: *\nDisallow: /auth/\nDisallow: /settings\nDisallow: /admin\n"
                             "Disallow: /search\nDisallow: /home\nDisallow: /notifications\n");
}

const struct http_route static_routes[] = {
    {HTTP_GET, "/static/:version/*path", get_static, WHO_ANYONE, .flags = HTTP_UNCOUNTED,
     .help = "a style sheet, script or icon"},
    {HTTP_GET, "/favicon.ico", get_favicon, WHO_ANYONE, .flags = HTTP_UNCOUNTED, .help = "the site's icon"},
    {HTTP_GET, "/robots.txt", get_robots, WHO_ANYONE, .flags = HTTP_UNCOUNTED, .help = "what search engines may read"},
    {0},
};
