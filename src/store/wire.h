/* wire.h - commands as the engine's protocol wants them, written into a buffer.
 *
 * Internal to src/store. Lengths are explicit, so no byte of an argument can become protocol. Pure functions.
 */
#ifndef STORE_WIRE_H
#define STORE_WIRE_H

#include <stddef.h>

struct buffer;

/* "*<count>\r\n": a command of so many arguments follows. */
void wire_begin(struct buffer *b, size_t count);

/* "$<length>\r\n<bytes>\r\n" */
void wire_bytes(struct buffer *b, const char *bytes, size_t length);
void wire_text(struct buffer *b, const char *text);
void wire_number(struct buffer *b, size_t n);

/* A whole command. */
void wire_command(struct buffer *b, size_t count, const char *const *arguments);

#endif
