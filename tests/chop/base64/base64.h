/* Bytes as letters, and back. */
#ifndef BASE64_H
#define BASE64_H

#include <stddef.h>

/* Room that the text of so many bytes needs, with its end. */
size_t base64_room(size_t size);
void base64_encode(const char *bytes, size_t size, char *out);

/* Returns the number of bytes, -1 if it is no such text. */
long base64_decode(const char *text, char *out);

#endif
