/* settings_values.h - the values of settings.db as the program reads them: what settings.h gives out and settings_table.h describes. A
 * snapshot is constant.
 */
#ifndef CONFIG_SETTINGS_VALUES_H
#define CONFIG_SETTINGS_VALUES_H

#include <stdint.h>

enum settings_registration { REGISTRATION_OPEN, REGISTRATION_INVITE, REGISTRATION_CLOSED };

struct settings {
    char site_name[64 * 4 + 1]; /* the lengths are in code points, of at most 4 bytes */
    char site_description[500 * 4 + 1];
    char rules[5000 * 4 + 1]; /* one rule a line */
    char default_locale[16];
    enum settings_registration registration;
    int64_t post_length;          /* code points */
    unsigned char secret_key[32]; /* of the site; made on first open, never shown by list or get */
};

#endif
