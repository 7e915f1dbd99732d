/*
 * What printf makes of a format: each conversion is rendered by the C library that hence itself runs
 * with, in the locale C.
 */
#include <string.h>

#include "base/mem.h"
#include "actions/format.h"
#include "actions/outputs_sheet.h"

#define PRECISE   100000 /* digits that are rendered */
#define ASCII     0x80u
#define NULL_TEXT "(null)"

/* --- values --- */

/* The bytes that the conversion uses of its argument. */
static bool read_value(struct sheet *sheet, const struct format_argument *from, uint8_t *out)
{
	if (from->number)
		return sheet->call->argument(sheet->call->context, from->number - 1, from->size,
		                             out);
	return view_read(&sheet->view, from->slot, from->size, out) == from->size;
}

static bool is_defined(struct sheet *sheet, const struct format_argument *from)
{
	uint8_t bytes[16];

	return !from->size || read_value(sheet, from, bytes);
}

static void attribute(struct outputs_piece *piece, const struct format_part *part)
{
	if (!piece)
		return;
	piece->argument = (uint16_t)part->value.number;
	piece->slot = part->value.slot;
}

static void put_unknown(struct sheet *sheet, const struct format_part *part)
{
	attribute(sheet_put_unknown(sheet), part);
}

static void put_value(struct sheet *sheet, const struct format_part *part)
{
	union format_value value = {0};
	char small[512], *text = small;
	int length;

	if (!read_value(sheet, &part->value, (uint8_t *)&value)) {
		put_unknown(sheet, part);
		return;
	}
	length = format_render(part, &value, small, sizeof(small));
	if (length >= (int)sizeof(small)) {
		text = mem_alloc((size_t)length + 1);
		format_render(part, &value, text, (size_t)length + 1);
	}
	if (length >= 0)
		attribute(sheet_put(sheet, text, (uint64_t)length), part);
	else
		put_unknown(sheet, part);
	if (text != small)
		free(text);
}

/* --- strings --- */

static void put_spaces(struct sheet *sheet, const struct format_part *part, uint64_t count)
{
	char *spaces;

	if (!count)
		return;
	spaces = mem_alloc(count);
	memset(spaces, ' ', count);
	attribute(sheet_put(sheet, spaces, count), part);
	free(spaces);
}

/* Wide characters are bytes as long as they are ASCII. */
static bool put_wide(struct sheet *sheet, const struct format_part *part, uint64_t address,
                     uint64_t length)
{
	char *text = mem_alloc(length + 1);
	struct outputs_piece *piece = NULL;
	uint64_t i = 0;
	uint32_t c;

	for (; i < length; i++) {
		if (view_read(&sheet->view, address + 4 * i, 4, (uint8_t *)&c) < 4 || c >= ASCII)
			break;
		text[i] = (char)c;
	}
	if (i == length)
		piece = sheet_put(sheet, text, length);
	free(text);
	attribute(piece, part);
	if (piece) {
		piece->address = address;
		piece->length = 4 * length;
	}
	return i == length;
}

static void put_characters(struct sheet *sheet, const struct format_part *part, uint64_t address,
                           uint64_t length)
{
	uint32_t first = sheet->pieces.size;

	if (format_unit(part) == 1)
		sheet_put_memory(sheet, part->value.number, address, length);
	else if (!put_wide(sheet, part, address, length))
		put_unknown(sheet, part);
	for (; first < sheet->pieces.size; first++)
		sheet->pieces.at[first].slot = part->value.slot;
}

/* Characters of a string. False: nobody knows. */
static bool measure(struct sheet *sheet, const struct format_part *part, uint64_t address,
                    uint64_t *length)
{
	uint64_t most = part->precision > sheet->limit ? sheet->limit + 1 : part->precision;

	if (!address) {
		/* glibc prints all of it or nothing. */
		*length = part->precision >= strlen(NULL_TEXT) ? strlen(NULL_TEXT) : 0;
		return true;
	}
	return address >= VIEW_LOWEST &&
	       view_length(&sheet->view, address, format_unit(part), most, length);
}

static void put_string(struct sheet *sheet, const struct format_part *part)
{
	bool left = part->width < 0 || strchr(part->flags, '-');
	uint64_t width = part->width < 0 ? -(uint64_t)part->width : (uint64_t)part->width;
	uint64_t address, length;

	if (!read_value(sheet, &part->value, (uint8_t *)&address)) {
		put_unknown(sheet, part);
		return;
	}
	if (!measure(sheet, part, address, &length)) {
		put_unknown(sheet, part);
		sheet->pieces.at[sheet->pieces.size - 1].address = address;
		return;
	}
	if (!left && width > length)
		put_spaces(sheet, part, width - length);
	if (!address)
		attribute(sheet_put(sheet, NULL_TEXT, length), part);
	else if (length)
		put_characters(sheet, part, address, length);
	if (left && width > length)
		put_spaces(sheet, part, width - length);
}

/* --- parts --- */

static bool depends_on_locale(const struct format_part *part)
{
	return format_is_real(part) || strpbrk(part->flags, "'I");
}

/* Would rendering it take memory and time for nothing? */
static bool is_oversized(const struct sheet *sheet, const struct format_part *part)
{
	int64_t width = part->width;

	return (uint64_t)(width < 0 ? -width : width) > sheet->limit ||
	       (part->precision != FORMAT_UNLIMITED && part->precision > PRECISE);
}

static void put_conversion(struct sheet *sheet, const struct format_part *part)
{
	bool is_string = part->letter == 's' || part->letter == 'S';

	if (part->letter == 'n')
		return;
	if (part->vague || !is_defined(sheet, &part->width_from) ||
	    !is_defined(sheet, &part->precision_from) ||
	    (sheet->foreign && depends_on_locale(part)) || part->letter == 'm')
		put_unknown(sheet, part);
	else if (is_string && (uint64_t)labs((long)part->width) <= sheet->limit)
		put_string(sheet, part);
	else if (is_oversized(sheet, part))
		put_unknown(sheet, part);
	else if (format_unit(part) == 4 && strchr("cC", part->letter) && part->value.bits >= ASCII)
		put_unknown(sheet, part);
	else
		put_value(sheet, part);
}

static void put_numbered(struct sheet *sheet, const struct format_part *part, uint32_t number)
{
	uint32_t first = sheet->pieces.size;

	put_conversion(sheet, part);
	for (; first < sheet->pieces.size; first++)
		sheet->pieces.at[first].conversion = (uint16_t)number;
}

/* `address`: of the part in memory. */
static void put_text(struct sheet *sheet, const struct format_part *part, uint64_t address,
                     uint32_t argument)
{
	uint32_t length = part->letter == '%' ? 1 : part->length;
	struct outputs_piece *piece = sheet_put(sheet, part->text, length);

	if (!piece)
		return;
	piece->address = address;
	piece->length = length;
	piece->argument = (uint16_t)argument;
	piece->exact = true;
}

void sheet_put_format(struct sheet *sheet, const struct outside_clause *clause)
{
	struct format format;
	struct format_part part;
	uint32_t number = 0;

	format_open(&format, &sheet->view, clause);
	while (format_next(&format, &part)) {
		if (format.lost)
			break;
		if (!part.letter || part.letter == '%')
			put_text(sheet, &part, format.address + (uint64_t)(part.text - format.text),
			         clause->argument);
		else
			put_numbered(sheet, &part, ++number);
	}
	if (format.lost)
		sheet_put_unknown(sheet);
	format_close(&format);
}
