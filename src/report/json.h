/* Pieces of JSON that are put together in a string; and any bytes in JSON, written and read. */
#ifndef HENCE_REPORT_JSON_H
#define HENCE_REPORT_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Appends a text as a string, with its quotes; bytes that are no UTF-8 become U+FFFD. That one, and what a terminal
   obeys, is always written as an escape, which readers take for the same. */
void json_add_string(struct str *out, const char *text);

/* Appends `"key":"text"`, with a comma in front unless a bracket has just been opened. */
void json_add_member(struct str *out, const char *key, const char *text);

/* The same for a number. */
void json_add_number(struct str *out, const char *key, unsigned long long number);

/* Appends `"key":`, with the comma where it is needed. */
void json_add_key(struct str *out, const char *key);

/* The same; left out when it is not known: NULL, or 0. */
void json_add_known(struct str *out, const char *key, const char *text);
void json_add_nonzero(struct str *out, const char *key, unsigned long long number);

/* The same for true and false, for a number with so many digits after the point (a point whatever
   the user's language has), and for a list of texts. */
void json_add_flag(struct str *out, const char *key, bool flag);
void json_add_fraction(struct str *out, const char *key, double number, int digits);
double json_round(double number, int digits); /* what is read when that is written */
void json_add_texts(struct str *out, const char *key, char *const *texts, uint32_t count);

/* Is all of it UTF-8? */
bool json_is_utf8(const char *text);

/* A copy in which bytes that are no UTF-8 are U+FFFD. Caller frees with free(). */
char *json_clean(const char *text);

/* How many bytes the character of UTF-8 has that begins here; 0: it is none. */
size_t json_utf8_length(const unsigned char *text);

/* The number of the character there, which has `length` bytes: its code point. */
uint32_t json_utf8_number(const unsigned char *character, size_t length);

/* Is the character of so many bytes one that a terminal obeys instead of showing it, or that is no text? */
bool json_is_obeyed(const unsigned char *text, size_t length);

/* --- any bytes: a string where they are UTF-8 without zero bytes, else {"base64": "..."} --- */

/* Appends `"key":`, with a comma in front unless a bracket has just been opened, and the bytes, which have a 0
   after them. */
void json_add_bytes(struct str *out, const char *key, const char *bytes, size_t size);

/* The value alone. */
void json_add_bytes_value(struct str *out, const char *bytes, size_t size);

/* Appends the digits of bytes in base 64, without quotes. */
void json_add_base64(struct str *out, const char *bytes, size_t size);

/* json_add_bytes_value() backwards, appended. False: it is neither. */
bool json_read_bytes(const json_t *json, struct str *out);

#endif
