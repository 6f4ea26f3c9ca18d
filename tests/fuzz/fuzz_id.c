/* fuzz_id.c - ids: no two texts are accepted for the same number. */
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "fuzz.h"

void fuzz_id(const char *data, size_t size)
{
    const char *text = arena_dup_n(fuzz_arena(), data, size);
    uint64_t id = id_parse_n(data, size);
    if (strlen(text) == size) {
        FUZZ_CHECK(id == id_parse(text));
    }
    FUZZ_CHECK(id == 0 || size == ID_DIGITS);
    if (id != 0) {
        char written[ID_SIZE];
        FUZZ_CHECK(strcmp(id_write(id, written), text) == 0);
        FUZZ_CHECK(id_bucket(id) < ID_BUCKETS);
        FUZZ_CHECK((id_ms(id) << 16 | (uint64_t)id_bucket(id) << 6 | (id & 63)) == id);
    } else if (size == ID_DIGITS) {
        FUZZ_CHECK(strspn(text, "0123456789") < size || text[0] == '0');
    }
}
