/* findings.c - see findings.h. Threads: one at a time. */
#include "base/findings.h"

#include <stdarg.h>
#include <string.h>

static void findings_put(FILE *out, const char *kind, const char *format, va_list args)
{
    char text[2048];
    vsnprintf(text, sizeof(text), format, args);
    text[strcspn(text, "\n")] = '\0';
    fprintf(out, "%s: %s\n", kind, text);
}

void findings_error(struct findings *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    findings_put(f->out, "error", format, args);
    va_end(args);
    f->errors++;
}

void findings_warning(struct findings *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    findings_put(f->out, "warning", format, args);
    va_end(args);
    f->warnings++;
}
