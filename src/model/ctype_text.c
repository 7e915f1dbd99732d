/* Bytes as a C string literal: see ctype.h. */
#include "model/ctype.h"

#include <stdio.h>
#include <string.h>

/* How many bytes the UTF-8 character at `bytes` has; 0: it is none, or ASCII. Surrogates and
   overlong forms are none. */
static size_t utf8_length(const uint8_t *bytes, size_t size)
{
	uint8_t c = bytes[0];
	size_t length = c >= 0xc2 && c < 0xe0   ? 2
	                : c >= 0xe0 && c < 0xf0 ? 3
	                : c >= 0xf0 && c < 0xf5 ? 4
	                                        : 0;

	if (!length || size < length)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	if ((c == 0xe0 && bytes[1] < 0xa0) || (c == 0xed && bytes[1] >= 0xa0) ||
	    (c == 0xf0 && bytes[1] < 0x90) || (c == 0xf4 && bytes[1] >= 0x90))
		return 0;
	/* Control characters of Latin-1 may upset a terminal. */
	return c == 0xc2 && bytes[1] < 0xa0 ? 0 : length;
}

/* One character as it stands in a literal. Gives the bytes that it takes. Octal numbers have three
   digits, so that a digit may follow. */
static size_t escape(const uint8_t *bytes, size_t size, char text[8])
{
	static const char letters[] = "\aa\bb\tt\nn\vv\ff\rr\"\"\\\\";
	size_t length = utf8_length(bytes, size);

	for (const char *at = letters; *at; at += 2)
		if ((uint8_t)*at == *bytes) {
			snprintf(text, 8, "\\%c", at[1]);
			return 1;
		}
	if (length) {
		memcpy(text, bytes, length);
		text[length] = '\0';
		return length;
	}
	if (*bytes < ' ' || *bytes > '~')
		snprintf(text, 8, "\\%03o", *bytes);
	else
		snprintf(text, 8, "%c", *bytes);
	return 1;
}

bool ctype_print_text(const uint8_t *bytes, size_t size, size_t limit, struct str *out)
{
	size_t start = out->length, cut = start + 1, i = 0;
	char text[8];

	str_add_char(out, '"');
	while (i < size) {
		i += escape(bytes + i, size - i, text);
		str_add(out, text);
		/* `cut` is the last place where `"...` still fits. */
		if (limit && out->length - start + strlen("\"") > limit) {
			out->length = cut;
			out->text[cut] = '\0';
			str_add(out, "\"...");
			return false;
		}
		if (limit && out->length - start + strlen("\"...") <= limit)
			cut = out->length;
	}
	str_add_char(out, '"');
	return true;
}
