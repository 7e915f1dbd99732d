/* JSON: see json.h. */
#include "report/json.h"

#include <stdint.h>
#include <string.h>

size_t json_utf8_length(const unsigned char *text)
{
	size_t length = text[0] < 0x80   ? 1
	                : text[0] < 0xc2 ? 0
	                : text[0] < 0xe0 ? 2
	                : text[0] < 0xf0 ? 3
	                : text[0] < 0xf5 ? 4
	                                 : 0;

	for (size_t i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] >= 0xa0) ||
	    (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] >= 0x90))
		return 0;
	return length;
}

uint32_t json_utf8_number(const unsigned char *character, size_t length)
{
	uint32_t number = length == 1 ? *character : *character & (0xffu >> (length + 1));

	for (size_t i = 1; i < length; i++)
		number = number << 6 | (character[i] & 0x3fu);
	return number;
}

/* Controls (up to U+001F, U+007F to U+009F), marks and overrides of direction (U+061C, U+200E, U+200F, U+202A to U+202E,
   U+2066 to U+2069), and ends of lines (U+2028, U+2029). The marks of byte order U+FEFF and U+FFFE, and U+FFFF, are no
   text, and XML refuses them. */
bool json_is_obeyed(const unsigned char *c, size_t length)
{
	if (length == 1)
		return *c < ' ' || *c == 127;
	if (length == 2)
		return (c[0] == 0xc2 && c[1] < 0xa0) || (c[0] == 0xd8 && c[1] == 0x9c);
	if (length == 3 && c[0] == 0xef)
		return (c[1] == 0xbb && c[2] == 0xbf) || (c[1] == 0xbf && c[2] >= 0xbe);
	if (length != 3 || c[0] != 0xe2)
		return false;
	return (c[1] == 0x80 && (c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xa8 && c[2] <= 0xae))) ||
	       (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9);
}

bool json_is_utf8(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t length;

	while (*at && (length = json_utf8_length(at)) > 0)
		at += length;
	return !*at;
}

char *json_clean(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	struct str clean = STR_INIT;

	while (*at) {
		size_t length = json_utf8_length(at);

		str_add_bytes(&clean, length ? (const char *)at : "\xef\xbf\xbd",
		              length ? length : 3);
		at += length ? length : 1;
	}
	return str_steal(&clean);
}

void json_add_string(struct str *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	str_add_char(out, '"');
	while (*at) {
		size_t length = json_utf8_length(at);

		if (*at == '"' || *at == '\\')
			str_printf(out, "\\%c", *at);
		else if (!length || (length == 3 && !memcmp(at, "\xef\xbf\xbd", 3)))
			str_add(out, "\\ufffd");
		else if (json_is_obeyed(at, length))
			str_printf(out, "\\u%04x", json_utf8_number(at, length));
		else
			str_add_bytes(out, at, length);
		at += length ? length : 1;
	}
	str_add_char(out, '"');
}

void json_add_key(struct str *out, const char *key)
{
	char last = out->length ? out->text[out->length - 1] : '{';

	if (last != '{' && last != '[')
		str_add_char(out, ',');
	json_add_string(out, key);
	str_add_char(out, ':');
}

void json_add_member(struct str *out, const char *key, const char *text)
{
	json_add_key(out, key);
	json_add_string(out, text);
}

void json_add_number(struct str *out, const char *key, unsigned long long number)
{
	json_add_key(out, key);
	str_printf(out, "%llu", number);
}

void json_add_known(struct str *out, const char *key, const char *text)
{
	if (text)
		json_add_member(out, key, text);
}

void json_add_nonzero(struct str *out, const char *key, unsigned long long number)
{
	if (number)
		json_add_number(out, key, number);
}

void json_add_flag(struct str *out, const char *key, bool flag)
{
	json_add_key(out, key);
	str_add(out, flag ? "true" : "false");
}

double json_round(double number, int digits)
{
	double scale = 1, value;

	for (int i = 0; i < digits; i++)
		scale *= 10;
	value = (double)(uint64_t)((number < 0 ? -number : number) * scale + 0.5) / scale;
	return number < 0 && value > 0 ? -value : value;
}

void json_add_fraction(struct str *out, const char *key, double number, int digits)
{
	uint64_t scale = 1, value;

	for (int i = 0; i < digits; i++)
		scale *= 10;
	value = (uint64_t)((number < 0 ? -number : number) * (double)scale + 0.5);
	json_add_key(out, key);
	str_printf(out, "%s%llu.%0*llu", number < 0 && value ? "-" : "",
	           (unsigned long long)(value / scale), digits,
	           (unsigned long long)(value % scale));
}

void json_add_texts(struct str *out, const char *key, char *const *texts, uint32_t count)
{
	json_add_key(out, key);
	str_add_char(out, '[');
	for (uint32_t i = 0; i < count; i++) {
		str_add(out, i ? "," : "");
		json_add_string(out, texts[i]);
	}
	str_add_char(out, ']');
}

/* --- any bytes --- */

static const char base64_digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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
		str_add_char(out, base64_digits[word >> 18]);
		str_add_char(out, base64_digits[word >> 12 & 63]);
		str_add_char(out, i + 1 < size ? base64_digits[word >> 6 & 63] : '=');
		str_add_char(out, i + 2 < size ? base64_digits[word & 63] : '=');
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

/* Four base64_digits; those at the end may be '='. */
static bool read_four(const char *text, struct str *out)
{
	uint32_t word = 0, count = 0;

	for (uint32_t i = 0; i < 4; i++) {
		const char *digit = text[i] ? strchr(base64_digits, text[i]) : NULL;

		if (digit && count == i)
			count++;
		else if (text[i] != '=' || i < 2)
			return false;
		word = word << 6 | (digit ? (uint32_t)(digit - base64_digits) : 0);
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
