/* printf, scanf and their families: what a format string asks for. */
#include <stddef.h>

#include "runtime/objects.h"
#include "runtime/outside.h"
#include "runtime/plain.h"

/* ------ arguments that a format string asks for ------ */

/*
 * Arguments that a format string asks for: behind the named ones of a call, or in a va_list as the
 * x86-64 ABI lays it out.
 */

struct hence_rt_arguments {
	const struct hence_rt_call *call; /* NULL: from the list */
	uint32_t next;                    /* index of the next argument */
	struct {
		uint32_t gp, fp; /* offsets in the saved registers */
		uint8_t *overflow;
		uint8_t *saved;
	} list;
};

/* Bytes of the integer that a conversion's length modifier names; `twice` as in hh and ll. */
static inline uint32_t hence_rt_integer_size(char modifier, bool twice)
{
	switch (modifier) {
	case 'h': return twice ? 1 : 2;
	case 'l':
	case 'j':
	case 'z':
	case 't':
	case 'q':
	case 'L': return 8;
	default: return 4;
	}
}

#define GP_END 48u  /* six integer registers are saved, then */
#define FP_END 176u /* eight of 16 bytes */

/* The arguments of a formats or scans clause, from the first on. */
static void hence_rt_arguments_init(struct hence_rt_arguments *arguments,
                                    struct hence_rt_frame *frame,
                                    const struct outside_clause *clause)
{
	arguments->call = clause->extra == OUTSIDE_FORM ? frame->call : NULL;
	arguments->next = frame->function->params;
	arguments->list.gp = (uint32_t)frame->list[0];
	arguments->list.fp = (uint32_t)(frame->list[0] >> 32);
	arguments->list.overflow = (uint8_t *)frame->list[1];
	arguments->list.saved = (uint8_t *)frame->list[2];
}

static uint64_t overflow(struct hence_rt_arguments *arguments)
{
	uint64_t value = 0;

	if (arguments->list.overflow) {
		value = *(uint64_t *)arguments->list.overflow;
		arguments->list.overflow += 8;
	}
	return value;
}

/* The next integer or pointer. `which` is its index in the call + 1; 0: it came from a va_list. */
static uint64_t hence_rt_arguments_next(struct hence_rt_arguments *arguments, uint32_t *which)
{
	uint64_t value;

	*which = 0;
	if (arguments->call) {
		*which = arguments->next + 1;
		return (uint64_t)hence_rt_argument(arguments->call, arguments->next++);
	}
	if (arguments->list.gp >= GP_END || !arguments->list.saved)
		return overflow(arguments);
	value = *(uint64_t *)(arguments->list.saved + arguments->list.gp);
	arguments->list.gp += 8;
	return value;
}

/* Passes over a double, or a long double. */
static void hence_rt_arguments_skip(struct hence_rt_arguments *arguments, bool is_long)
{
	uintptr_t at = (uintptr_t)arguments->list.overflow;

	arguments->next++;
	if (is_long)
		arguments->list.overflow = (uint8_t *)(((at + 15) & ~(uintptr_t)15) + 16);
	else if (arguments->list.fp < FP_END)
		arguments->list.fp += 16;
	else
		arguments->list.overflow += 8;
}

/* Goes to argument number `n`, from 1, where all of them are integers or pointers. */
static void hence_rt_arguments_seek(struct hence_rt_arguments *arguments, uint32_t n,
                                    struct hence_rt_frame *frame,
                                    const struct outside_clause *clause)
{
	uint32_t ignored;

	hence_rt_arguments_init(arguments, frame, clause);
	while (n-- > 1)
		hence_rt_arguments_next(arguments, &ignored);
}

/* After the call: a va_list that was moved on is written to the tape. */
static void hence_rt_arguments_used(struct hence_rt_frame *frame,
                                    const struct outside_clause *clause)
{
	const uint64_t *list;

	if (clause->extra == OUTSIDE_FORM)
		return;
	list = (const uint64_t *)hence_rt_argument(frame->call, clause->extra);
	if (list && (list[0] != frame->list[0] || list[1] != frame->list[1]))
		hence_rt_effect_bytes(HENCE_WROTE, clause->extra + 1, -1, (uint64_t)list, 24);
}

/* ------ printf ------ */

/*
 * printf and its family. What they print follows from arguments that the decoder knows; left for
 * the runtime are what %n writes, and a va_list that was used up.
 */

static bool is_one_of(char c, const char *set)
{
	for (; *set; set++)
		if (*set == c)
			return true;
	return false;
}

/* One conversion, from behind the %; gives what follows it. */
static const char *pass_conversion(const char *at, struct hence_rt_arguments *arguments)
{
	char modifier = 0;
	bool twice = false;
	uint32_t which;
	uint64_t value;

	for (; is_one_of(*at, "0123456789-+ #'I.*"); at++)
		if (*at == '*')
			hence_rt_arguments_next(arguments, &which);
	for (; is_one_of(*at, "hlqjztL"); at++) {
		twice = modifier == *at;
		modifier = *at;
	}
	if (!*at || *at == '%' || *at == 'm')
		return *at ? at + 1 : at;
	if (is_one_of(*at, "aAeEfFgG")) {
		hence_rt_arguments_skip(arguments, modifier == 'L');
		return at + 1;
	}
	value = hence_rt_arguments_next(arguments, &which);
	if (*at == 'n' && value)
		hence_rt_effect_bytes(HENCE_WROTE, which, -1, value,
		                      hence_rt_integer_size(modifier, twice));
	return at + 1;
}

/* Is there a %n at all? Nearly never; so this is all that a usual printf() costs. */
static bool has_count(const char *at)
{
	while (*at) {
		if (*at++ != '%')
			continue;
		while (*at && !is_one_of(*at, "n%cCdisSuoxXpaAeEfFgGm"))
			at++;
		if (*at == 'n')
			return true;
		if (*at)
			at++;
	}
	return false;
}

void hence_rt_formatted(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	const char *format = (const char *)hence_rt_value(frame, clause->at);
	struct hence_rt_arguments arguments;

	if (!format)
		return;
	if (has_count(format)) {
		const char *at;

		hence_rt_arguments_init(&arguments, frame, clause);
		/* Positions such as %2$n are not followed: then only a plain count is lost. */
		at = format;
		while (*at) {
			if (*at++ == '%')
				at = pass_conversion(at, &arguments);
		}
	}
	hence_rt_arguments_used(frame, clause);
}

/* ------ text that scanf() read ------ */

/*
 * The text that scanf() read, walked along its format once more, to know which bytes of it became
 * which value.
 */

/* A conversion of a format: %5ld */
struct hence_rt_conversion {
	char letter;       /* 0: the format ends */
	char modifier;     /* h l j z t q L; 0: none */
	bool twice;        /* hh, ll */
	bool ignored;      /* %*d */
	bool allocates;    /* %ms */
	uint32_t width;    /* 0: none given */
	uint32_t position; /* %2$d: 2; 0: none given */
	const char *set;   /* behind the [ */
	const char *set_end;
};

struct hence_rt_text {
	const char *at, *end; /* NULL: the text is not there to be looked at */
};

/* Passes space that a conversion skips, and then what it takes. *start is where that begins. */
/* Passes space that a conversion skips, and then what it takes. *start is where that begins. */
static void hence_rt_scan_pass(const struct hence_rt_conversion *conversion,
                               struct hence_rt_text *text, const char **start);

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

static bool is_letter(char c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

/* --- the format --- */

static uint32_t read_number(const char **format)
{
	uint32_t number = 0;

	for (; is_digit(**format); ++*format)
		number = number * 10 + (uint32_t)(**format - '0');
	return number;
}

/* Reads the conversion at *format, which stands behind a %, and moves on behind it. */
static struct hence_rt_conversion hence_rt_scan_conversion(const char **format)
{
	struct hence_rt_conversion c = {0};

	c.width = read_number(format);
	if (**format == '$') {
		c.position = c.width;
		++*format;
		c.width = read_number(format);
	}
	for (; **format == '*' || **format == '\'' || **format == 'm' || **format == 'I';
	     ++*format) {
		c.ignored |= **format == '*';
		c.allocates |= **format == 'm';
	}
	if (!c.width)
		c.width = read_number(format);
	for (; **format == 'm'; ++*format)
		c.allocates = true;
	for (; **format == 'h' || **format == 'l' || **format == 'j' || **format == 'z' ||
	       **format == 't' || **format == 'q' || **format == 'L';
	     ++*format) {
		c.twice = c.modifier == **format;
		c.modifier = **format;
	}
	c.letter = **format;
	if (c.letter)
		++*format;
	if (c.letter == '[') {
		const char *at = *format;

		/* [^]...]: a ] right at the beginning belongs to the set. */
		c.set = at;
		if (*at == '^')
			at++;
		if (*at == ']')
			at++;
		while (*at && *at != ']')
			at++;
		c.set_end = at;
		*format = *at ? at + 1 : at;
	}
	return c;
}

/* --- the text --- */

static void skip_space(struct hence_rt_text *text)
{
	while (text->at < text->end && is_space(*text->at))
		text->at++;
}

/* Passes what the format has between conversions, up to a % or the end. Both are moved. */
static void hence_rt_scan_literal(const char **format, struct hence_rt_text *text)
{
	for (; **format && **format != '%'; ++*format) {
		if (is_space(**format))
			skip_space(text);
		else if (text->at < text->end)
			text->at++;
	}
}

static bool in_set(const struct hence_rt_conversion *c, char wanted)
{
	const char *at = c->set;
	bool negated = *at == '^', found = false;

	for (at += negated; at < c->set_end; at++) {
		if (at[1] == '-' && at + 2 < c->set_end) {
			found |= (uint8_t)wanted >= (uint8_t)at[0] &&
			         (uint8_t)wanted <= (uint8_t)at[2];
			at += 2;
		} else {
			found |= *at == wanted;
		}
	}
	return found != negated;
}

/* An integer: sign, 0x, digits. `base` 0: as the prefix says. */
static const char *pass_integer(const char *at, const char *end, uint32_t base)
{
	bool hex;

	if (at < end && (*at == '+' || *at == '-'))
		at++;
	hex = (base == 0 || base == 16) && end - at > 1 && at[0] == '0' && (at[1] | 32) == 'x';
	if (hex)
		at += 2;
	if (hex || base == 16)
		while (at < end && is_hex(*at))
			at++;
	else
		while (at < end && is_digit(*at))
			at++;
	return at;
}

/* 1.5e-3, 0x1p4, inf, nan(x): an exponent's sign is the only one that may follow a letter. */
static const char *pass_real(const char *at, const char *end)
{
	bool hex;

	if (at < end && (*at == '+' || *at == '-'))
		at++;
	if (at < end && is_letter(*at)) {
		while (at < end && (is_letter(*at) || *at == '(' || *at == ')'))
			at++;
		return at;
	}
	hex = end - at > 1 && at[0] == '0' && (at[1] | 32) == 'x';
	if (hex)
		at += 2;
	while (at < end && (is_digit(*at) || *at == '.' || (hex && is_hex(*at))))
		at++;
	if (at < end && (*at | 32) == (hex ? 'p' : 'e'))
		at = pass_integer(at + 1, end, 10);
	return at;
}

static const char *pass_value(const struct hence_rt_conversion *c, const char *at, const char *end)
{
	switch (c->letter) {
	case 'd':
	case 'u': return pass_integer(at, end, 10);
	case 'i': return pass_integer(at, end, 0);
	case 'o': return pass_integer(at, end, 8);
	case 'x':
	case 'X':
	case 'p': return pass_integer(at, end, 16);
	case '%': return at < end ? at + 1 : end;
	case 'c':
	case 'C': return c->width ? end : (at < end ? at + 1 : end);
	case '[':
		while (at < end && in_set(c, *at))
			at++;
		return at;
	case 's':
	case 'S':
		while (at < end && !is_space(*at))
			at++;
		return at;
	default: return pass_real(at, end);
	}
}

void hence_rt_scan_pass(const struct hence_rt_conversion *conversion, struct hence_rt_text *text,
                        const char **start)
{
	const char *end = text->end;

	*start = text->at;
	if (!text->at || conversion->letter == 'n')
		return;
	if (conversion->letter != 'c' && conversion->letter != 'C' && conversion->letter != '[')
		skip_space(text);
	*start = text->at;
	if (conversion->width && conversion->width < (uint64_t)(end - text->at))
		end = text->at + conversion->width;
	text->at = pass_value(conversion, text->at, end);
}

/* ------ scanf ------ */

/*
 * scanf and its family: each value that was stored, with the bytes of the input that it was made
 * from. When stdio's buffer does not hold all of the input any more, each value is said to come
 * from all that the call took. The result comes from all that was looked at: what was taken, and
 * the byte behind it, which ended the last value or did not fit.
 */

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
	case 'G':
		if (c->modifier == 'L')
			return 16;
		return c->modifier == 'l' ? 8 : 4;
	default: return c->letter == 'p' ? 8 : hence_rt_integer_size(c->modifier, c->twice);
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
	if (!c.ignored) {
		uint32_t which;
		uint64_t address = next_pointer(scan, &c, &which), size;

		if (address) {
			if (c.allocates) {
				hence_rt_effect_bytes(HENCE_WROTE, which, -1, address, 8);
				address = *(uint64_t *)address;
				size = stored_size(&c, address);
				hence_rt_effect(HENCE_ALLOCATED, which, -1, address, 0, size);
				hence_rt_objects_add(address, size);
			}
			if (c.letter != 'n')
				put_input(scan, which, address, start);
			hence_rt_effect_bytes(HENCE_WROTE, which, -1, address,
			                      stored_size(&c, address));
		}
	}
	return true;
}

/* --- all of them --- */

void hence_rt_scanned(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	const char *format = (const char *)hence_rt_value(frame, clause->at);
	struct scan scan = {.frame = frame, .clause = clause, .left = frame->ret, .looks = true};
	const FILE *file;
	uint64_t size;

	if (clause->stream_kind == OUTSIDE_FILE) {
		struct hence_rt_view *view = &scan.frame->view;

		scan.stream = view->fd;
		scan.size = hence_rt_streams_taken(view, -1);
		scan.offset = view->at;
		scan.begin = hence_rt_streams_bytes(view, scan.size);
	} else {
		struct hence_rt_region source = hence_rt_region(scan.frame, scan.clause + 1);

		scan.stream = -1;
		scan.offset = source.address;
		scan.size = source.size ? source.size - 1 : 0;
		scan.begin = (const char *)source.address;
	}
	if (scan.begin)
		scan.text = (struct hence_rt_text){scan.begin, scan.begin + scan.size};
	hence_rt_arguments_init(&scan.arguments, frame, clause);
	while (format && frame->ret >= 0 && scan_one(&scan, &format))
		;
	hence_rt_arguments_used(frame, clause);
	/* What the result is made from. What was skipped or did not fit was looked at all the
	   same. */
	file = scan.frame->view.file;
	size = scan.size;
	if (scan.clause->stream_kind != OUTSIDE_FILE || scan.stream < 0)
		return;
	if (scan.looks && file->_IO_read_ptr < file->_IO_read_end)
		size++;
	if (size)
		hence_rt_effect(HENCE_INPUT, 0, scan.stream, 0, scan.offset, size);
}
