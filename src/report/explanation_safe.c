/* Texts of a program as a terminal may see them: see explanation_words.h. */
#include <string.h>

#include "report/columns.h"
#include "report/explanation_words.h"
#include "report/json.h"

/* --- what a terminal may see --- */

void explanation_add_control(struct str *out, unsigned char c)
{
	if (c == '\n')
		str_add(out, "\\n");
	else if (c == '\t')
		str_add(out, "\\t");
	else
		str_printf(out, "\\x%02x", c);
}

void explanation_add_safe(struct str *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at) {
		size_t length = json_utf8_length(at);
		bool safe = length && !json_is_obeyed(at, length);

		if (safe)
			str_add_bytes(out, at, length);
		for (size_t i = 0; !safe && i < (length ? length : 1); i++)
			explanation_add_control(out, at[i]);
		at += length ? length : 1;
	}
}

/* --- values --- */

/* Bytes that two texts have in common in front, up to the beginning of a character. */
static size_t common(const char *a, const char *b)
{
	size_t length = 0;

	while (a[length] && a[length] == b[length])
		length++;
	while (length && ((unsigned char)a[length] & 0xc0) == 0x80)
		length--;
	return length;
}

/* The last columns of a text; one less where half a character would be left. */
static const char *tail(const char *text, unsigned columns)
{
	unsigned all = columns_of(text, strlen(text));
	const char *rest = all > columns ? text + columns_fit(text, all - columns) : text;

	return columns_of(rest, strlen(rest)) > columns
	               ? text + columns_fit(text, all - columns + 1)
	               : rest;
}

static void add_head(struct str *out, const char *text, unsigned columns)
{
	str_add_bytes(out, text, columns_fit(text, columns));
}

void explanation_add_short(struct str *out, const char *value, const char *other, unsigned longest)
{
	struct str safe = STR_INIT, against = STR_INIT;
	unsigned all, differs;
	const char *text;

	explanation_add_safe(&safe, value);
	text = str_text(&safe);
	all = columns_of(text, strlen(text));
	if (other)
		explanation_add_safe(&against, other);
	differs = other ? columns_of(text, common(text, str_text(&against))) : 0;
	if (!longest || all <= longest) {
		str_add(out, text);
	} else if (differs + 3 >= longest / 2 && differs + longest / 2 < all) {
		/* beginning ... what differs ... end */
		add_head(out, text, longest / 4);
		str_add(out, "...");
		add_head(out, text + columns_fit(text, differs > 4 ? differs - 4 : 0),
		         longest / 2 - 6);
		str_add(out, "...");
		str_add(out, tail(text, longest / 4));
	} else {
		add_head(out, text, (longest - 3) / 2);
		str_add(out, "...");
		str_add(out, tail(text, longest - 3 - (longest - 3) / 2));
	}
	str_deinit(&safe);
	str_deinit(&against);
}
