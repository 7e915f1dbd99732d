/*
 * Columns of characters: see columns.h. The C library knows them only for the language of the user, and a report must be
 * the same in all of them, so the ranges are here: those of Unicode's East Asian Width W and F, and of its
 * combining and invisible characters, as far as program text has them.
 */
#include "report/columns.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "report/json.h"

struct range {
	uint32_t first, last;
};

/* By number. */
static const struct range without[] = {
	{0x0300, 0x036f},   {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x05bf, 0x05bf},
	{0x05c1, 0x05c2},   {0x05c4, 0x05c5}, {0x05c7, 0x05c7}, {0x0610, 0x061a},
	{0x064b, 0x065f},   {0x0670, 0x0670}, {0x06d6, 0x06dc}, {0x06df, 0x06e4},
	{0x06e7, 0x06e8},   {0x06ea, 0x06ed}, {0x0711, 0x0711}, {0x0730, 0x074a},
	{0x0900, 0x0902},   {0x093a, 0x093a}, {0x093c, 0x093c}, {0x0941, 0x0948},
	{0x094d, 0x094d},   {0x0951, 0x0957}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a},
	{0x0e47, 0x0e4e},   {0x1160, 0x11ff}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
	{0x200b, 0x200f},   {0x2060, 0x2064}, {0x20d0, 0x20f0}, {0x3099, 0x309a},
	{0xfe00, 0xfe0f},   {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0x1f3fb, 0x1f3ff},
	{0xe0100, 0xe01ef},
};

static const struct range wide[] = {
	{0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
	{0x25fd, 0x25fe},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26a1, 0x26a1},
	{0x26bd, 0x26be},   {0x26c4, 0x26c5},   {0x2705, 0x2705},   {0x270a, 0x270b},
	{0x2728, 0x2728},   {0x274c, 0x274c},   {0x2753, 0x2755},   {0x2795, 0x2797},
	{0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2e80, 0x303e},   {0x3041, 0x33ff},
	{0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xa960, 0xa97f},
	{0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
	{0xffe0, 0xffe6},   {0x1f004, 0x1f004}, {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a},
	{0x1f200, 0x1f265}, {0x1f300, 0x1f320}, {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c},
	{0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0},
	{0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d},
	{0x1f54b, 0x1f567}, {0x1f57a, 0x1f57a}, {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4},
	{0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2},
	{0x1f6d5, 0x1f6df}, {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7eb},
	{0x1f90c, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

static bool is_in(uint32_t c, const struct range *ranges, size_t count)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (c > ranges[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && c >= ranges[low].first;
}

/* Bytes of what stands here: a character, a byte that is none, or an escape sequence. */
static size_t take(const char *text, unsigned *columns)
{
	size_t length = json_utf8_length((const unsigned char *)text);
	uint32_t c;

	*columns = 1;
	if (*text == '\x1b') {
		length = strcspn(text, "m");
		*columns = 0;
		return length + (text[length] == 'm');
	}
	if (length < 2)
		return 1;
	c = json_utf8_number((const unsigned char *)text, length);
	if (is_in(c, without, sizeof(without) / sizeof(*without)))
		*columns = 0;
	else if (is_in(c, wide, sizeof(wide) / sizeof(*wide)))
		*columns = 2;
	return length;
}

unsigned columns_of(const char *text, size_t length)
{
	unsigned all = 0, columns;

	for (size_t at = 0; at < length && text[at];) {
		at += take(text + at, &columns);
		all += columns;
	}
	return all;
}

size_t columns_fit(const char *text, unsigned columns)
{
	unsigned used = 0, more;
	size_t at = 0;

	while (text[at]) {
		size_t length = take(text + at, &more);

		if (used + more > columns)
			break;
		used += more;
		at += length;
	}
	return at;
}

unsigned columns_all(const char *text)
{
	return columns_of(text, strlen(text));
}

void columns_cut(struct str *text, unsigned width)
{
	if (columns_all(str_text(text)) <= width || width < 4)
		return;
	text->length = columns_fit(text->text, width - 3);
	text->text[text->length] = '\0';
	str_add(text, "...");
}

void columns_wrap_hanging(const char *text, unsigned first, unsigned indent, unsigned width,
                          FILE *file)
{
	unsigned used = first;
	bool begun = false; /* the line has a word */

	fprintf(file, "%*s", (int)first, "");
	while (*text) {
		size_t spaces = strspn(text, " "), length = strcspn(text + spaces, " ");
		unsigned columns = columns_of(text + spaces, length);

		if (begun && used + spaces + columns > width) {
			fprintf(file, "\n%*s", (int)indent, "");
			used = indent;
		} else {
			fprintf(file, "%*s", (int)spaces, "");
			used += (unsigned)spaces;
		}
		fwrite(text + spaces, 1, length, file);
		used += columns;
		text += spaces + length;
		begun = true;
	}
	fputc('\n', file);
}

void columns_wrap(const char *text, unsigned indent, unsigned width, FILE *file)
{
	columns_wrap_hanging(text, indent, indent, width, file);
}
