/*
 * scanf and its family: each value that was stored, with the bytes of the input that it was made
 * from. When stdio's buffer does not hold all of the input any more, each value is said to come
 * from all that the call took. The result comes from all that was looked at: what was taken, and
 * the byte behind it, which ended the last value or did not fit.
 */
#include "runtime/objects.h"
#include "runtime/outside.h"
#include "runtime/plain.h"
#include "runtime/scan_text.h"
#include "runtime/va_lists.h"

struct scan {
	struct hence_rt_frame *frame;
	const struct outside_clause *clause;
	struct hence_rt_arguments arguments;
	struct hence_rt_text text;
	const char *begin;     /* of the text */
	int32_t stream;        /* -1: the text lies in memory, and offsets are addresses */
	uint64_t offset, size; /* of all that was taken */
	int64_t left;          /* values still to come */
	bool looks;            /* the last thing that was done looks at the byte behind it */
};

/* --- what is stored --- */

static bool is_wide(const struct hence_rt_conversion *c)
{
	return c->letter == 'S' || c->letter == 'C' || (c->modifier == 'l' && !c->twice);
}

static uint64_t integer_size(const struct hence_rt_conversion *c)
{
	return c->letter == 'p' ? 8 : hence_rt_integer_size(c->modifier, c->twice);
}

static uint64_t real_size(const struct hence_rt_conversion *c)
{
	if (c->modifier == 'L')
		return 16;
	return c->modifier == 'l' ? 8 : 4;
}

static uint64_t stored_size(const struct hence_rt_conversion *c, uint64_t address)
{
	switch (c->letter) {
	case 's':
	case 'S':
	case '[':
		if (is_wide(c))
			return 4 * plain_wide_length((const uint32_t *)address) + 4;
		return plain_length((const char *)address) + 1;
	case 'c':
	case 'C': return (c->width ? c->width : 1) * (is_wide(c) ? 4u : 1u);
	case 'a':
	case 'A':
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G': return real_size(c);
	default: return integer_size(c);
	}
}

/* --- one conversion --- */

static uint64_t next_pointer(struct scan *scan, const struct hence_rt_conversion *c,
                             uint32_t *which)
{
	if (c->position)
		hence_rt_arguments_seek(&scan->arguments, c->position, scan->frame, scan->clause);
	return hence_rt_arguments_next(&scan->arguments, which);
}

static void put_input(struct scan *scan, uint32_t which, uint64_t address, const char *start)
{
	uint64_t offset = scan->offset, size = scan->size;

	if (scan->clause->stream_kind == OUTSIDE_FILE && scan->stream < 0)
		return; /* a stream in memory, such as fmemopen()'s */
	if (scan->text.at) {
		offset += (uint64_t)(start - scan->begin);
		size = (uint64_t)(scan->text.at - start);
	}
	hence_rt_effect(HENCE_INPUT, which, scan->stream, address, offset, size);
}

static void put_value(struct scan *scan, const struct hence_rt_conversion *c, const char *start)
{
	uint32_t which;
	uint64_t address = next_pointer(scan, c, &which), size;

	if (!address)
		return;
	if (c->allocates) {
		hence_rt_effect_bytes(HENCE_WROTE, which, -1, address, 8);
		address = *(uint64_t *)address;
		size = stored_size(c, address);
		hence_rt_effect(HENCE_ALLOCATED, which, -1, address, 0, size);
		hence_rt_objects_add(address, size);
	}
	if (c->letter != 'n')
		put_input(scan, which, address, start);
	hence_rt_effect_bytes(HENCE_WROTE, which, -1, address, stored_size(c, address));
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* False: the format or the values are at their end. */
static bool scan_one(struct scan *scan, const char **format)
{
	const char *start = *format;
	struct hence_rt_conversion c;

	hence_rt_scan_literal(format, &scan->text);
	if (*format > start)
		scan->looks = is_space((*format)[-1]);
	if (!**format)
		return false;
	++*format;
	scan->looks = true;
	c = hence_rt_scan_conversion(format);
	if (!c.letter)
		return false;
	c.ignored |= c.letter == '%';
	if (c.letter != 'n' && !c.ignored && scan->left-- <= 0)
		return false;
	scan->looks = c.letter != 'c' && c.letter != 'C' && c.letter != 'n' && c.letter != '%';
	hence_rt_scan_pass(&c, &scan->text, &start);
	if (!c.ignored)
		put_value(scan, &c, start);
	return true;
}

/* --- all of them --- */

static void scan_stream(struct scan *scan)
{
	struct hence_rt_view *view = &scan->frame->view;

	scan->stream = view->fd;
	scan->size = hence_rt_streams_taken(view, -1);
	scan->offset = view->at;
	scan->begin = hence_rt_streams_bytes(view, scan->size);
}

static void scan_memory(struct scan *scan)
{
	struct hence_rt_region source = hence_rt_region(scan->frame, scan->clause + 1);

	scan->stream = -1;
	scan->offset = source.address;
	scan->size = source.size ? source.size - 1 : 0;
	scan->begin = (const char *)source.address;
}

/* What the result is made from. What was skipped or did not fit was looked at all the same. */
static void put_looked_at(const struct scan *scan)
{
	const FILE *file = scan->frame->view.file;
	uint64_t size = scan->size;

	if (scan->clause->stream_kind != OUTSIDE_FILE || scan->stream < 0)
		return;
	if (scan->looks && file->_IO_read_ptr < file->_IO_read_end)
		size++;
	if (size)
		hence_rt_effect(HENCE_INPUT, 0, scan->stream, 0, scan->offset, size);
}

void hence_rt_scanned(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	const char *format = (const char *)hence_rt_value(frame, clause->at);
	struct scan scan = {.frame = frame, .clause = clause, .left = frame->ret, .looks = true};

	if (clause->stream_kind == OUTSIDE_FILE)
		scan_stream(&scan);
	else
		scan_memory(&scan);
	if (scan.begin)
		scan.text = (struct hence_rt_text){scan.begin, scan.begin + scan.size};
	hence_rt_arguments_init(&scan.arguments, frame, clause);
	while (format && frame->ret >= 0 && scan_one(&scan, &format))
		;
	hence_rt_arguments_used(frame, clause);
	put_looked_at(&scan);
}
