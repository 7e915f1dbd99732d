/* Pieces of JSON that are put together in a string. */
#ifndef HENCE_REPORT_JSON_H
#define HENCE_REPORT_JSON_H

#include "base/str.h"

/* Appends a text as a string, with its quotes; bytes that are no UTF-8 become U+FFFD. */
void json_add_string(struct str *out, const char *text);

/* Appends `"key":"text"`, with a comma in front unless a bracket has just been opened. */
void json_add_member(struct str *out, const char *key, const char *text);

/* The same for a number. */
void json_add_number(struct str *out, const char *key, unsigned long long number);

/* Appends `"key":`, likewise. */
void json_add_key(struct str *out, const char *key);

/* How many bytes the character of UTF-8 has that begins here; 0: it is none. */
size_t json_utf8_length(const unsigned char *text);

#endif
