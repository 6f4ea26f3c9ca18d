/* log.h - one line per event on standard error, as text or JSON.
 *
 * Control bytes are escaped, so no input can forge a line. Secrets (cookies, passwords, query strings, bodies) are
 * never handed to these functions. Any thread; lines keep their order, and those of log_write are
 * written at once.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };

/* From now on lines of this level and above are written. */
void log_setup(enum log_level level, bool json);

/* An event in words. `area` names the part of the program ("store", "http"). */
void log_write(enum log_level level, const char *area, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A key and its value of a structured line; value NULL is left out. */
struct log_field {
    const char *key;
    const char *value;
};

/* An event made of fields, of which there are many: an access-log line. It is written within LOG_BATCH_MS, in one write(2)
 * with others, and before any line that comes after it (log_batch.h). */
void log_fields(enum log_level level, const char *area, const char *text, const struct log_field *fields,
                unsigned count);

#define log_debug(area, ...) log_write(LOG_DEBUG, (area), __VA_ARGS__)
#define log_info(area, ...) log_write(LOG_INFO, (area), __VA_ARGS__)
#define log_warning(area, ...) log_write(LOG_WARNING, (area), __VA_ARGS__)
#define log_error(area, ...) log_write(LOG_ERROR, (area), __VA_ARGS__)

#endif
