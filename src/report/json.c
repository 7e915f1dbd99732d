/* Writes JSON: see json.h. */
#include "report/json.h"

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

void json_add_string(struct str *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	str_add_char(out, '"');
	while (*at) {
		size_t length = json_utf8_length(at);

		if (*at == '"' || *at == '\\')
			str_printf(out, "\\%c", *at);
		else if (*at < ' ')
			str_printf(out, "\\u%04x", *at);
		else if (!length || (length == 3 && !memcmp(at, "\xef\xbf\xbd", 3)))
			str_add(out, "\\ufffd");
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
