/* What of an input can be shown to a person as it is. */
#include "cli/reduce.h"
#include "report/json.h"

/* The bytes of a str have a 0 behind them, so that no character reaches over the end. */
static size_t character(const char *bytes)
{
	return json_utf8_length((const unsigned char *)bytes);
}

bool reduce_is_utf8(const struct str *bytes)
{
	for (size_t i = 0; i < bytes->length;) {
		size_t step = bytes->text[i] ? character(bytes->text + i) : 0;

		if (!step)
			return false;
		i += step;
	}
	return true;
}

bool reduce_is_text(const struct str *bytes)
{
	for (size_t i = 0; i < bytes->length; i++) {
		unsigned char c = (unsigned char)bytes->text[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c == 127)
			return false;
	}
	return reduce_is_utf8(bytes);
}

void reduce_add_visible(struct str *out, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size;) {
		unsigned char c = (unsigned char)bytes[i];
		size_t step = character(bytes + i);

		if (!step || (c < ' ' && c != '\t') || c == 127)
			str_printf(out, "\\%03o", c);
		else
			str_add_bytes(out, bytes + i, step);
		i += step ? step : 1;
	}
}
