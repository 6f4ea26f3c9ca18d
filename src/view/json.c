/* json.c - see json.h. */
#include "view/json.h"

#include "base/json.h"
#include "base/panic.h"

yyjson_mut_doc *view_doc(struct arena *a)
{
    yyjson_alc allocator = json_allocator(a);
    yyjson_mut_doc *doc = yyjson_mut_doc_new(&allocator);
    require(doc);
    return doc;
}
