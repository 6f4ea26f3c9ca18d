/* routes.c - `retwis routes`: every address of the site, out of the tables that the server uses.
 *
 * A line for each, of fields between tabs: methods, path, who may, parameters, scopes of which a token needs one, what it
 * is. Below it a line for each parameter, which begins with a tab: its name, what it is. For people, and for programs
 * that must not forget one (the end-to-end tests ask all of them).
 *
 * Threads: the main thread.
 */
#include <stdio.h>

#include "command/command.h"
#include "command/areas.h"
#include "command/commands.h"
#include "http/area.h"
#include "http/static.h"

static const char *method_name(unsigned method)
{
    switch (method) {
    case HTTP_GET:
        return "GET";
    case HTTP_POST:
        return "POST";
    case HTTP_PUT:
        return "PUT";
    case HTTP_PATCH:
        return "PATCH";
    default:
        return "DELETE";
    }
}

static void print_methods(unsigned methods)
{
    const char *comma = "";
    for (unsigned m = HTTP_GET; m <= HTTP_DELETE; m <<= 1) {
        if (methods & m) {
            printf("%s%s", comma, method_name(m));
            comma = ",";
        }
    }
}

/* "name=text!,max_id=id": those with ! must be there. */
static void print_parameters(const struct http_route *r)
{
    static const char *const types[] = {
        [HTTP_TEXT] = "text", [HTTP_NUMBER] = "number", [HTTP_ID] = "id", [HTTP_NAME] = "name"};
    const char *comma = "";
    for (size_t i = 0; i < HTTP_PARAMETER_SETS && r->parameters[i]; i++) {
        for (const struct http_parameter *p = r->parameters[i]; p->name; p++, comma = ",") {
            printf("%s%s=%s%s", comma, p->name, types[p->type], p->required ? "!" : "");
        }
    }
    if (!*comma) {
        fputs("-", stdout);
    }
}

static void print_parameter_help(const struct http_route *r)
{
    for (size_t i = 0; i < HTTP_PARAMETER_SETS && r->parameters[i]; i++) {
        for (const struct http_parameter *p = r->parameters[i]; p->name; p++) {
            printf("\t%s\t%s\n", p->name, p->help);
        }
    }
}

static void print_table(const struct http_route *r)
{
    static const char *const who[] = {
        [WHO_ANYONE] = "anyone", [WHO_MEMBER] = "signed in", [WHO_ADMINISTRATOR] = "administrator"};
    for (; r->path; r++) {
        print_methods(r->methods);
        printf("\t%s\t%s\t", r->path, who[r->who]);
        print_parameters(r);
        printf("\t%s\t%s\n", r->scopes ? r->scopes : "-", r->help);
        print_parameter_help(r);
    }
}

int command_routes(struct command_call *c)
{
    (void)c;
    for (const struct http_area *const *area = site_areas; *area; area++) {
        for (const struct http_route *const *table = (*area)->tables; *table; table++) {
            print_table(*table);
        }
    }
    print_table(static_routes);
    return COMMAND_OK;
}
