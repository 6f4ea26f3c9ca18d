/* json.c - see json.h. */
#include "view/json.h"

#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/panic.h"

yyjson_mut_doc *view_doc(struct arena *a)
{
    yyjson_alc allocator = json_allocator(a);
    yyjson_mut_doc *doc = yyjson_mut_doc_new(&allocator);
    require(doc);
    return doc;
}

void view_json(struct buffer *out, const yyjson_mut_doc *doc)
{
    size_t length;
    char *text = yyjson_mut_write_opts(doc, 0, &doc->alc, &length, NULL);
    require(text);
    buffer_add(out, text, length);
}
