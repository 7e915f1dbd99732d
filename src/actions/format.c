/* Formats of printf: see format.h. */
#include "actions/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define GP_END  48u         /* six integer registers are saved, then */
#define FP_END  176u        /* eight of 16 bytes */
#define LONGEST (1u << 20)  /* bytes of a format */
#define LARGEST 1000000000u /* number in a format */

static void lose(struct format *format, uint32_t argument)
{
	if (!format->lost)
		format->culprit = argument;
	format->lost = true;
}

/* --- arguments --- */

static uint64_t slot_of_integer(struct format *format)
{
	uint64_t slot = format->overflow;

	if (format->gp < GP_END && format->saved) {
		slot = format->saved + format->gp;
		format->gp += 8;
	} else {
		format->overflow += 8;
	}
	return slot;
}

static uint64_t slot_of_real(struct format *format, bool is_long)
{
	uint64_t slot;

	if (!is_long && format->fp < FP_END && format->saved) {
		format->fp += 16;
		return format->saved + format->fp - 16;
	}
	slot = is_long ? (format->overflow + 15) & ~15ull : format->overflow;
	format->overflow = slot + (is_long ? 16 : 8);
	return slot;
}

static void take_from_list(struct format *format, uint64_t slot, uint32_t size,
                           struct format_argument *out)
{
	uint32_t first = size < 8 ? size : 8;

	out->size = size;
	out->slot = slot;
	out->known = view_read(format->view, slot, first, (uint8_t *)&out->bits) == first;
}

static void take_from_call(struct format *format, uint32_t position, uint32_t size,
                           struct format_argument *out)
{
	const struct actions_call *call = format->view->call;
	uint32_t index = position ? call->model->params + position - 1 : format->next++;

	if (index >= call->count) {
		lose(format, index + 1);
		return;
	}
	out->size = size;
	out->number = index + 1;
	out->known = true;
	out->bits = call->arguments[index];
}

static void take_integer(struct format *format, uint32_t position, uint32_t size,
                         struct format_argument *out)
{
	if (format->list)
		take_from_list(format, slot_of_integer(format), size, out);
	else
		take_from_call(format, position, size, out);
}

/* --- reading a conversion --- */

static uint32_t number(const char **at)
{
	uint32_t n = 0;

	for (; **at >= '0' && **at <= '9'; ++*at)
		n = n < LARGEST ? 10 * n + (uint32_t)(**at - '0') : n;
	return n < LARGEST ? n : LARGEST;
}

/* N$, if it stands there. */
static uint32_t position(struct format *format)
{
	const char *ahead = format->at;
	uint32_t n = number(&ahead);

	if (!n || *ahead != '$')
		return 0;
	format->at = ahead + 1;
	/* In a list, where an argument lies depends on the types of all before it. */
	if (format->list)
		lose(format, 0);
	return n;
}

/* A width or precision that is given as an argument. */
static int32_t star(struct format *format, struct format_part *part, struct format_argument *from)
{
	uint32_t which;

	format->at++;
	which = position(format);
	if (!format->lost)
		take_integer(format, which, 4, from);
	part->vague |= !from->known;
	return from->known ? (int32_t)from->bits : 0;
}

static void read_precision(struct format *format, struct format_part *part)
{
	int32_t given;

	part->precision = FORMAT_UNLIMITED;
	if (*format->at != '.')
		return;
	format->at++;
	if (*format->at != '*') {
		part->precision = number(&format->at);
		return;
	}
	given = star(format, part, &part->precision_from);
	if (part->precision_from.known && given >= 0)
		part->precision = (uint64_t)given;
}

/* --- its argument --- */

uint32_t format_unit(const struct format_part *part)
{
	return part->letter == 'S' || part->letter == 'C' || part->modifier == 'l' ? 4 : 1;
}

bool format_is_real(const struct format_part *part)
{
	return part->letter && strchr("aAeEfFgG", part->letter);
}

static uint32_t integer_size(const struct format_part *part)
{
	switch (part->modifier) {
	case 'h': return part->twice ? 1 : 2;
	case 0: return 4;
	default: return 8;
	}
}

static void take_value(struct format *format, uint32_t which, struct format_part *part)
{
	if (format_is_real(part)) {
		bool is_long = part->modifier == 'L';
		uint32_t size = is_long ? 10 : 8;

		if (format->list)
			take_from_list(format, slot_of_real(format, is_long), size, &part->value);
		else
			take_from_call(format, which, size, &part->value);

		return;
	}
	switch (part->letter) {
	case 0:
	case '%':
	case 'm': return;
	case 'c':
	case 'C': take_integer(format, which, format_unit(part), &part->value); return;
	case 's':
	case 'S':
	case 'p':
	case 'n': take_integer(format, which, 8, &part->value); return;
	case 'b':
	case 'B':
	case 'd':
	case 'i':
	case 'o':
	case 'u':
	case 'x':
	case 'X': take_integer(format, which, integer_size(part), &part->value); return;
	default: lose(format, 0);
	}
}

bool format_next(struct format *format, struct format_part *out)
{
	const char *start = format->at;

	if (format->lost || !*start)
		return false;
	*out = (struct format_part){.text = start};
	if (*start == '%') {
		uint32_t which;

		format->at++;
		which = position(format);

		size_t count = strspn(format->at, "-+ #0'I"), kept = 0;

		for (size_t i = 0; i < count; i++)
			if (!memchr(out->flags, format->at[i], kept))
				out->flags[kept++] = format->at[i];
		format->at += count;

		if (*format->at == '*')
			out->width = star(format, out, &out->width_from);
		else
			out->width = (int32_t)number(&format->at);
		read_precision(format, out);
		for (; *format->at && strchr("hlqjztL", *format->at); format->at++) {
			out->twice = out->modifier == *format->at;
			out->modifier = *format->at;
		}
		out->letter = *format->at;
		format->at += out->letter != 0;
		if (!format->lost)
			take_value(format, which, out);
	} else
		format->at += strcspn(start, "%");
	out->length = (uint32_t)(format->at - start);
	return !format->lost || out->width_from.size || out->precision_from.size;
}

/* --- all --- */

static bool read_text(struct format *format, struct view *before,
                      const struct outside_clause *clause)
{
	uint64_t length;
	int64_t address;

	if (!view_value(before, clause->at, &address) || (uint64_t)address < VIEW_LOWEST ||
	    !view_length(before, (uint64_t)address, 1, LONGEST, &length) || length == LONGEST)
		return false;
	if (length >= sizeof(format->small))
		format->text = mem_alloc(length + 1);
	if (view_read(before, (uint64_t)address, length, (uint8_t *)format->text) < length)
		return false;
	format->text[length] = '\0';
	format->address = (uint64_t)address;
	format->length = length;
	return true;
}

static bool open_list(struct format *format, uint64_t list)
{
	uint64_t words[3];

	if (list < VIEW_LOWEST ||
	    view_read(format->view, list, sizeof(words), (uint8_t *)words) < sizeof(words))
		return false;
	format->list = list;
	format->gp = (uint32_t)words[0];
	format->fp = (uint32_t)(words[0] >> 32);
	format->overflow = words[1];
	format->saved = words[2];
	return true;
}

bool format_open(struct format *format, struct view *before, const struct outside_clause *clause)
{
	*format = (struct format){.view = before, .next = before->call->model->params};
	format->at = format->text = format->small;
	if (!read_text(format, before, clause))
		lose(format, clause->argument);
	else if (clause->extra != OUTSIDE_FORM &&
	         !open_list(format, (uint64_t)view_argument(before->call, clause->extra)))
		lose(format, clause->extra + 1);
	format->at = format->text;
	return !format->lost;
}

void format_close(struct format *format)
{
	if (format->text != format->small)
		free(format->text);
}

/* ------ rendering a conversion ------ */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
int format_render(const struct format_part *part, const union format_value *value, char *out,
                  size_t room)
{
	int precision = part->precision == FORMAT_UNLIMITED ? -1 : (int)part->precision;
	char format[24];

	/* The conversion as a format of its own that takes width and precision from arguments. */
	char modifier[3] = {part->modifier, part->twice ? part->modifier : 0, 0};

	sprintf(format, "%%%s*.*%s%c", part->flags, modifier, part->letter);

	if (format_is_real(part) && part->modifier == 'L')
		return snprintf(out, room, format, part->width, precision, value->precise);
	if (format_is_real(part))
		return snprintf(out, room, format, part->width, precision, value->real);
	if (part->value.size == 8)
		return snprintf(out, room, format, part->width, precision, value->bits);
	return snprintf(out, room, format, part->width, precision, (int)value->bits);
}
#pragma GCC diagnostic pop
