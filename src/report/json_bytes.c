/* Any bytes in JSON: see json_bytes.h. */
#include "report/json_bytes.h"

#include <stdint.h>
#include <string.h>

#include "report/json.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* --- writing --- */

static bool is_text(const char *bytes, size_t size)
{
	for (size_t i = 0; i < size;) {
		size_t step = bytes[i] ? json_utf8_length((const unsigned char *)bytes + i) : 0;

		if (!step)
			return false;
		i += step;
	}
	return true;
}

void json_add_base64(struct str *out, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i += 3) {
		uint32_t word = (uint32_t)(uint8_t)bytes[i] << 16;

		word |= i + 1 < size ? (uint32_t)(uint8_t)bytes[i + 1] << 8 : 0;
		word |= i + 2 < size ? (uint8_t)bytes[i + 2] : 0;
		str_add_char(out, digits[word >> 18]);
		str_add_char(out, digits[word >> 12 & 63]);
		str_add_char(out, i + 1 < size ? digits[word >> 6 & 63] : '=');
		str_add_char(out, i + 2 < size ? digits[word & 63] : '=');
	}
}

void json_add_bytes_value(struct str *out, const char *bytes, size_t size)
{
	if (!size) {
		str_add(out, "\"\"");
	} else if (is_text(bytes, size)) {
		json_add_string(out, bytes);
	} else {
		str_add(out, "{\"base64\":\"");
		json_add_base64(out, bytes, size);
		str_add(out, "\"}");
	}
}

void json_add_bytes(struct str *out, const char *key, const char *bytes, size_t size)
{
	json_add_key(out, key);
	json_add_bytes_value(out, bytes, size);
}

/* --- reading --- */

/* Four digits; those at the end may be '='. */
static bool read_four(const char *text, struct str *out)
{
	uint32_t word = 0, count = 0;

	for (uint32_t i = 0; i < 4; i++) {
		const char *digit = text[i] ? strchr(digits, text[i]) : NULL;

		if (digit && count == i)
			count++;
		else if (text[i] != '=' || i < 2)
			return false;
		word = word << 6 | (digit ? (uint32_t)(digit - digits) : 0);
	}
	for (uint32_t i = 0; i + 1 < count; i++)
		str_add_char(out, (char)(word >> (16 - 8 * i)));
	return true;
}

static bool read_base64(const char *text, struct str *out)
{
	size_t length = strlen(text);

	for (size_t i = 0; i < length; i += 4)
		if (i + 4 > length || !read_four(text + i, out) ||
		    (strchr("=", text[i + 3]) && i + 4 < length))
			return false;
	return true;
}

bool json_read_bytes(const json_t *json, struct str *out)
{
	const char *text = json_string_value(json_object_get(json, "base64"));

	if (json_is_string(json)) {
		str_add_bytes(out, json_string_value(json), json_string_length(json));
		return true;
	}
	return text && json_object_size(json) == 1 && read_base64(text, out);
}
