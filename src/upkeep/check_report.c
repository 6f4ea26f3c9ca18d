/* check_report.c - see check_report.h. */
#include "upkeep/check_report.h"

#include "base/panic.h"

static const struct check_info infos[CHECK_KINDS] = {
#define X(id, class, word, what, mended) [CHECK_##id] = {CHECK_##class, word, what, mended},
    CHECK_TABLE(X)
#undef X
};

const struct check_info *check_info(enum check_kind k)
{
    require(k > CHECK_NONE && k < CHECK_KINDS);
    return &infos[k];
}
