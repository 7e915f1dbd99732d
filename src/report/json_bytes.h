/* Any bytes in JSON: a string where they are UTF-8 without zero bytes, else {"base64": "..."}. */
#ifndef HENCE_REPORT_JSON_BYTES_H
#define HENCE_REPORT_JSON_BYTES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Appends `"key":`, with a comma in front unless a bracket has just been opened, and the bytes, which have a 0
   behind them. */
void json_add_bytes(struct str *out, const char *key, const char *bytes, size_t size);

/* The value alone. */
void json_add_bytes_value(struct str *out, const char *bytes, size_t size);

/* Appends the digits of bytes in base 64, without quotes. */
void json_add_base64(struct str *out, const char *bytes, size_t size);

/* json_add_bytes_value() backwards, appended. False: it is neither. */
bool json_read_bytes(const json_t *json, struct str *out);

#endif
