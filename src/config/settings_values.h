/* settings_values.h - the values of settings.db as the program reads them: what settings.h gives out and
 * settings_table.h describes. A snapshot is constant.
 */
#ifndef CONFIG_SETTINGS_VALUES_H
#define CONFIG_SETTINGS_VALUES_H

#include <stdint.h>

enum settings_registration { REGISTRATION_OPEN, REGISTRATION_INVITE, REGISTRATION_CLOSED };

enum settings_grant { GRANT_YES, GRANT_NO };

/* Lengths of texts in code points, of at most 4 bytes each. */
#define SETTINGS_NAME_MAX 64
#define SETTINGS_DESCRIPTION_MAX 500
#define SETTINGS_CONTACT_MAX 200
#define SETTINGS_RULES_MAX 5000

struct settings {
    char site_name[SETTINGS_NAME_MAX * 4 + 1];
    char site_description[SETTINGS_DESCRIPTION_MAX * 4 + 1];
    char contact[SETTINGS_CONTACT_MAX * 4 + 1]; /* an e-mail address; "": none is given */
    char rules[SETTINGS_RULES_MAX * 4 + 1];     /* one rule a line */
    char default_locale[16];
    enum settings_registration registration;
    enum settings_grant password_grant;
    int64_t post_length;          /* code points */
    unsigned char secret_key[32]; /* of the site; made on first open, never shown by list or get */
};

#endif
