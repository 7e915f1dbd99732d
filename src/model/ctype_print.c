/* Values of C types as text: see ctype.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/ctype.h"

/* ------ floating-point numbers ------ */

/* A number with its format: how many digits always suffice, and whether a text reads back as it. */
struct number {
	long double value;
	int digits;
	bool (*reads_back)(const char *text, long double value);
};

static bool reads_back_float(const char *text, long double value)
{
	return strtof(text, NULL) == (float)value;
}

static bool reads_back_double(const char *text, long double value)
{
	return strtod(text, NULL) == (double)value;
}

static bool reads_back_long(const char *text, long double value)
{
	return strtold(text, NULL) == value;
}

static void add_any(const struct number *number, struct str *out)
{
	if (isnan(number->value))
		str_add(out, signbit(number->value) ? "-nan" : "nan");
	else if (isinf(number->value))
		str_add(out, signbit(number->value) ? "-inf" : "inf");
	else {
		/* With as few digits as read back the same; then once more with as many as the
		   integer part has, since %g would write 100 as 1e+02. */
		char text[64], *exponent;
		int digits = 0, power;

		do
			snprintf(text, sizeof(text), "%.*Lg", ++digits, number->value);
		while (digits < number->digits && !number->reads_back(text, number->value));
		exponent = strchr(text, 'e');
		power = exponent ? atoi(exponent + 1) : 0;
		if (power > 0 && power < number->digits)
			snprintf(text, sizeof(text), "%.*Lg", power + 1, number->value);
		str_add(out, text);
	}
}

static bool reads_back_half(const char *text, long double value)
{
	_Float16 half = (_Float16)strtold(text, NULL);

	return half == (_Float16)value;
}

static bool reads_back_brain(const char *text, long double value)
{
	float read = strtof(text, NULL), kept = (float)value;
	uint32_t a, b;

	memcpy(&a, &read, sizeof(a));
	memcpy(&b, &kept, sizeof(b));
	/* To nearest, as a compiler rounds. */
	return (a + 0x7fff + (a >> 16 & 1)) >> 16 == b >> 16;
}

static struct number small(const struct ctype *type, const uint8_t *bytes)
{
	uint16_t half;
	uint32_t wide;
	_Float16 half_value;
	float brain_value;

	memcpy(&half, bytes, sizeof(half));
	if (type->brain) {
		wide = (uint32_t)half << 16;
		memcpy(&brain_value, &wide, sizeof(wide));
		return (struct number){brain_value, 4, reads_back_brain};
	}
	memcpy(&half_value, &half, sizeof(half));
	return (struct number){(float)half_value, 5, reads_back_half};
}

/* printf has no format for them; 18 digits are right, which is what a long double holds. */
static struct number quad(const uint8_t *bytes)
{
	__float128 value;

	memcpy(&value, bytes, sizeof(value));
	return (struct number){(long double)value, 21, reads_back_long};
}

/* Appends a floating-point number: the shortest text that reads back. */
static void ctype_print_float(const struct ctype *type, const uint8_t *bytes, struct str *out)
{
	struct number number = {0, 21, reads_back_long};
	float single;
	double wide;

	if (type->size == 4) {
		memcpy(&single, bytes, sizeof(single));
		number = (struct number){single, 9, reads_back_float};
	} else if (type->size == 8) {
		memcpy(&wide, bytes, sizeof(wide));
		number = (struct number){wide, 17, reads_back_double};
	} else if (type->size == 2) {
		number = small(type, bytes);
	} else if (type->ieee_quad) {
		number = quad(bytes);
	} else {
		memcpy(&number.value, bytes, 10);
	}
	add_any(&number, out);
}

/* ------ scalars ------ */

/* Numbers from here on, either sign, are easier to read as hexadecimals when their type is not
   known. */
#define LARGE 65536

static uint64_t load(const uint8_t *bytes, size_t size)
{
	uint64_t bits = 0;

	memcpy(&bits, bytes, size);
	return bits;
}

static int64_t sign_extend(uint64_t bits, size_t size)
{
	unsigned unused = 64 - 8 * size;

	return unused >= 64 ? 0 : (int64_t)(bits << unused) >> unused;
}

void ctype_print_raw(uint64_t bits, size_t size, struct str *out)
{
	int64_t value = sign_extend(bits, size);

	if (value > -LARGE && value < LARGE)
		str_printf(out, "%lld", (long long)value);
	else
		str_printf(out, "0x%llx", (unsigned long long)bits);
}

static void print_wide(const uint8_t *bytes, bool is_signed, struct str *out)
{
	unsigned __int128 value;
	char text[48];
	size_t at = sizeof(text);
	bool negative;

	memcpy(&value, bytes, sizeof(value));
	negative = is_signed && value >> 127;
	if (negative)
		value = -value;
	do
		text[--at] = '0' + (char)(value % 10);
	while (value /= 10);
	if (negative)
		text[--at] = '-';
	str_add_bytes(out, text + at, sizeof(text) - at);
}

static bool print_integer(const struct ctype *type, const uint8_t *bytes, struct str *out)
{
	uint64_t bits;

	if (type->size == 16) {
		print_wide(bytes, type->is_signed, out);
		return true;
	}
	if (type->size > 8)
		return false;
	bits = load(bytes, type->size);
	if (type->is_signed)
		str_printf(out, "%lld", (long long)sign_extend(bits, type->size));
	else
		str_printf(out, "%llu", (unsigned long long)bits);
	return true;
}

/* Appends a character between quotes as C writes it: 'a', '\n'. False, and nothing is appended: it
   has no such form. */
static bool ctype_print_char(uint8_t c, struct str *out)
{
	static const char escapes[] = "\0000\aa\bb\tt\nn\vv\ff\rr''\\\\";

	for (size_t i = 0; i + 1 < sizeof(escapes); i += 2)
		if ((uint8_t)escapes[i] == c) {
			str_printf(out, "'\\%c'", escapes[i + 1]);
			return true;
		}
	if (c < ' ' || c > '~')
		return false;
	str_printf(out, "'%c'", c);
	return true;
}

/* A plain char is a character; a signed or unsigned one may as well be a small number, so it is shown as both. */
static void print_char(const struct ctype *type, uint8_t c, struct str *out)
{
	bool plain = type->name && !strcmp(type->name, "char");
	struct str character = STR_INIT;
	bool shown = ctype_print_char(c, &character);

	if (!plain || !shown)
		str_printf(out, "%d%s", type->is_signed ? (int8_t)c : c, shown ? " " : "");
	str_add(out, str_text(&character));
	str_deinit(&character);
}

static void print_bool(uint8_t byte, struct str *out)
{
	/* Any other number is a damaged bool, which is worth seeing. */
	if (byte > 1)
		str_printf(out, "%u", byte);
	else
		str_add(out, byte ? "true" : "false");
}

/* Enums. */

/* Are the enumerators bits to be combined: each a power of two (or 0), and at least two of them? */
static bool is_flags(const struct ctype *type)
{
	uint32_t flags = 0;

	for (uint32_t i = 0; i < type->member_count; i++) {
		uint64_t value = (uint64_t)type->enumerators[i].value;

		if (value & (value - 1))
			return false;
		flags += value != 0;
	}
	return flags > 1;
}

/* "A | B". False, and nothing is appended: some bit has no name. */
static bool print_flags(const struct ctype *type, uint64_t bits, struct str *out)
{
	uint64_t known = 0;
	const char *between = "";

	for (uint32_t i = 0; i < type->member_count; i++)
		known |= (uint64_t)type->enumerators[i].value;
	if (!bits || bits & ~known || !is_flags(type))
		return false;
	for (uint32_t i = 0; i < type->member_count && bits; i++) {
		uint64_t value = (uint64_t)type->enumerators[i].value;

		if (!value || !(bits & value))
			continue;
		str_printf(out, "%s%s", between, type->enumerators[i].name);
		between = " | ";
		bits &= ~value;
	}
	return true;
}

static bool print_enum(const struct ctype *type, const uint8_t *bytes, struct str *out)
{
	uint64_t bits;

	if (type->size > 8)
		return print_integer(type, bytes, out);
	bits = load(bytes, type->size);
	if (type->is_signed)
		bits = (uint64_t)sign_extend(bits, type->size);
	for (uint32_t i = 0; i < type->member_count; i++)
		if ((uint64_t)type->enumerators[i].value == bits) {
			str_add(out, type->enumerators[i].name);
			return true;
		}
	return print_flags(type, bits, out) || print_integer(type, bytes, out);
}

static bool ctype_print_scalar(const struct ctype *type, const uint8_t *bytes, size_t size,
                               struct str *out);

/* As C writes it with the imaginary unit: 1.5 + 2i. */
static bool print_complex(const struct ctype *type, const uint8_t *bytes, struct str *out)
{
	size_t half = type->size / 2;

	if (!ctype_print_scalar(type->target, bytes, half, out))
		return false;
	str_add(out, " + ");
	ctype_print_scalar(type->target, bytes + half, half, out);
	str_add_char(out, 'i');
	return true;
}

static void print_pointer(const uint8_t *bytes, struct str *out)
{
	uint64_t address = load(bytes, 8);

	if (address)
		str_printf(out, "0x%llx", (unsigned long long)address);
	else
		str_add(out, "NULL");
}

/* A long double may come without its padding. */
static bool has_size(const struct ctype *type, size_t size)
{
	return size && (size == type->size || (type->kind == CTYPE_FLOAT && type->size == 16 &&
	                                       !type->ieee_quad && size == 10));
}

/* Appends the value of a stripped type (NULL: unknown) that has exactly these bytes. False, and
   nothing is appended: it is not a scalar, or the size is not its. */
static bool ctype_print_scalar(const struct ctype *type, const uint8_t *bytes, size_t size,
                               struct str *out)
{
	if (!type || !has_size(type, size))
		return false;
	switch (type->kind) {
	case CTYPE_BOOL: print_bool(*bytes, out); return true;
	case CTYPE_CHAR: print_char(type, *bytes, out); return true;
	case CTYPE_INTEGER: return print_integer(type, bytes, out);
	case CTYPE_FLOAT: ctype_print_float(type, bytes, out); return true;
	case CTYPE_COMPLEX: return print_complex(type, bytes, out);
	case CTYPE_ENUM: return print_enum(type, bytes, out);
	case CTYPE_POINTER: print_pointer(bytes, out); return true;
	default: return false;
	}
}

/* ------ values of any type ------ */

#define LEAST_LIMIT 8

struct printer {
	struct str *out;
	size_t end;       /* the text must not be longer; SIZE_MAX: no limit */
	size_t depth;     /* braces that are open: each needs a character to close it */
	bool full;        /* "..." and all braces were written: nothing more */
	bool short_texts; /* see text_room() */
	/* The last place where an element begins and "..." with the braces would fit. */
	size_t cut_length, cut_depth;
};

/* Bytes of an object. */
struct bytes {
	const uint8_t *value;
	const uint8_t *undefined; /* may be NULL */
	size_t size;
};

static void print(struct printer *p, const struct ctype *type, struct bytes bytes);

/* The bytes from `offset` on, at most `size`; fewer when the object ends before. */
static struct bytes part_of(struct bytes bytes, uint64_t offset, uint64_t size)
{
	if (offset > bytes.size)
		offset = bytes.size;
	bytes.value += offset;
	if (bytes.undefined)
		bytes.undefined += offset;
	bytes.size -= offset;
	if (bytes.size > size)
		bytes.size = size;
	return bytes;
}

static bool is_undefined(struct bytes bytes)
{
	for (size_t i = 0; bytes.undefined && i < bytes.size; i++)
		if (bytes.undefined[i])
			return true;
	return false;
}

static void cut(struct str *s, size_t length)
{
	s->length = length;
	s->text[length] = '\0';
}

/*
 * Lists, "{a, b, ...}". When the text gets too long, it is cut at the last place that leaves room
 * for the end: so what fits is never cut, and little is printed in vain.
 */

static void check_room(struct printer *p)
{
	if (p->full || p->end == SIZE_MAX || p->out->length + p->depth <= p->end)
		return;
	cut(p->out, p->cut_length);
	str_add(p->out, "...");
	for (size_t i = 0; i < p->cut_depth; i++)
		str_add_char(p->out, '}');
	p->full = true;
}

static void open_list(struct printer *p)
{
	str_add_char(p->out, '{');
	p->depth++;
}

static void close_list(struct printer *p)
{
	if (p->full)
		return;
	p->depth--;
	str_add_char(p->out, '}');
}

static void begin_element(struct printer *p, uint64_t i)
{
	if (i)
		str_add(p->out, ", ");
	if (p->out->length + strlen("...") + p->depth > p->end)
		return;
	p->cut_length = p->out->length;
	p->cut_depth = p->depth;
}

/* Arrays. */

/* Does it read as text? Of the plain char, everything; of bytes, what has only usual characters. */
static bool is_text(const struct ctype *type, const uint8_t *text, size_t length)
{
	if (!strcmp(type->name ? type->name : "", "char"))
		return true;
	for (size_t i = 0; i < length; i++)
		if (text[i] < '\t' || text[i] > '~' || (text[i] > '\r' && text[i] < ' '))
			return false;
	return length > 0;
}

/* How many characters a text may take: what is left. In a list that is cut anyway, a long one
   leaves half to what follows it. Never 0, which would be no limit. */
static size_t text_room(const struct printer *p, size_t length)
{
	size_t used = p->out->length + p->depth, left = p->end > used ? p->end - used : 1;

	if (p->end == SIZE_MAX)
		return 0;
	return p->short_texts && length + strlen("\"\", ...") > left ? left / 2 + 1 : left;
}

static bool print_as_text(struct printer *p, const struct ctype *element, struct bytes bytes)
{
	const uint8_t *zero = memchr(bytes.value, 0, bytes.size);
	size_t length = zero ? (size_t)(zero - bytes.value) : bytes.size;

	element = ctype_strip(element);
	if (!element || element->kind != CTYPE_CHAR || !is_text(element, bytes.value, length) ||
	    is_undefined(part_of(bytes, 0, length + (zero != NULL))))
		return false;
	if (!ctype_print_text(bytes.value, length, text_room(p, length), p->out) && p->depth &&
	    !p->short_texts)
		p->full = true;
	return true;
}

static void print_array(struct printer *p, const struct ctype *type, struct bytes bytes)
{
	/* Bytes that are no text are numbers, not characters. */
	static const struct ctype signed_byte = {CTYPE_INTEGER, .is_signed = true, .size = 1};
	static const struct ctype unsigned_byte = {CTYPE_INTEGER, .size = 1};
	const struct ctype *element = ctype_strip(type->target);
	uint64_t size = element ? element->size : 0, count = size ? bytes.size / size : 0;

	if (print_as_text(p, element, bytes))
		return;
	if (element && element->kind == CTYPE_CHAR)
		element = element->is_signed ? &signed_byte : &unsigned_byte;
	open_list(p);
	for (uint64_t i = 0; i < count && !p->full; i++) {
		begin_element(p, i);
		print(p, element, part_of(bytes, i * size, size));
		check_room(p);
	}
	close_list(p);
}

/* Structs. */

/* Moves the bits of a bit-field to the front and extends its sign to 8 bytes. */
static uint64_t extract(const uint8_t *bytes, size_t size, uint64_t bit, uint32_t width,
                        bool is_signed)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < width && i < 64 && (bit + i) / 8 < size; i++)
		bits |= (uint64_t)(bytes[(bit + i) / 8] >> (bit + i) % 8 & 1) << i;
	if (is_signed && width < 64 && width && bits >> (width - 1))
		bits |= UINT64_MAX << width;
	return bits;
}

static void print_bit_field(struct printer *p, const struct ctype *type, uint64_t bit,
                            uint32_t width, struct bytes bytes)
{
	const struct ctype *stripped = ctype_strip(type);
	uint64_t value;

	if (bit + width > 8 * bytes.size) {
		str_add(p->out, "...");
	} else if (bytes.undefined && extract(bytes.undefined, bytes.size, bit, width, false)) {
		str_add(p->out, "?");
	} else {
		value = extract(bytes.value, bytes.size, bit, width, stripped->is_signed);
		print(p, type,
		      (struct bytes){.value = (uint8_t *)&value,
		                     .size = stripped->size < 8 ? stripped->size : 8});
	}
}

static void print_member(struct printer *p, const struct ctype_member *m, struct bytes bytes)
{
	const struct ctype *type = ctype_strip(m->type);
	uint64_t size = type->size;

	if (m->name)
		str_printf(p->out, "%s = ", m->name);
	if (m->bit_size) {
		print_bit_field(p, m->type, m->bit_offset, m->bit_size, bytes);
		return;
	}
	/* A flexible array takes what is left. */
	if (type->kind == CTYPE_ARRAY && type->count == CTYPE_NO_COUNT)
		size = UINT64_MAX;
	bytes = part_of(bytes, m->bit_offset / 8, size);
	if (bytes.size < type->size)
		str_add(p->out, "...");
	else
		print(p, m->type, bytes);
}

static void print_struct(struct printer *p, const struct ctype *type, struct bytes bytes)
{
	open_list(p);
	for (uint32_t i = 0; i < type->member_count && !p->full; i++) {
		begin_element(p, i);
		print_member(p, &type->members[i], bytes);
		check_room(p);
	}
	close_list(p);
}

static void print_union(struct printer *p, const struct ctype *type, struct bytes bytes)
{
	const struct ctype_member *shown = type->members;

	for (uint32_t i = type->member_count; i-- > 0;)
		if (ctype_strip(type->members[i].type)->size == type->size)
			shown = &type->members[i];
	open_list(p);
	begin_element(p, 0);
	if (type->member_count)
		print_member(p, shown, bytes);
	check_room(p);
	close_list(p);
}

/* Everything. */

static void print(struct printer *p, const struct ctype *type, struct bytes bytes)
{
	type = ctype_strip(type);
	switch (type ? type->kind : CTYPE_UNKNOWN) {
	case CTYPE_ARRAY:
	case CTYPE_VECTOR: print_array(p, type, bytes); break;
	case CTYPE_STRUCT: print_struct(p, type, bytes); break;
	case CTYPE_UNION: print_union(p, type, bytes); break;
	default:
		if (!is_undefined(bytes) &&
		    ctype_print_scalar(type, bytes.value, bytes.size, p->out))
			break;
		if (!bytes.size || is_undefined(bytes)) {
			str_add(p->out, "?");
		} else if (bytes.size <= 8) {
			uint64_t bits = 0;

			memcpy(&bits, bytes.value, bytes.size);
			ctype_print_raw(bits, bytes.size, p->out);
		} else {
			static const struct ctype byte = {.kind = CTYPE_UNKNOWN, .size = 1};
			struct ctype array = {.kind = CTYPE_ARRAY, .target = &byte};

			print_array(p, &array, bytes);
		}
	}
}

static void print_limited(const struct ctype *type, struct bytes bytes, size_t limit,
                          struct str *out)
{
	struct printer p = {.out = out, .end = SIZE_MAX};
	size_t before = out->length;

	if (limit)
		p.end = before + (limit < LEAST_LIMIT ? LEAST_LIMIT : limit);
	print(&p, type, bytes);
	if (!p.full)
		return;
	cut(out, before);
	p = (struct printer){.out = out, .end = p.end, .short_texts = true};
	print(&p, type, bytes);
}

void ctype_print(const struct ctype *type, const uint8_t *bytes, const uint8_t *undefined,
                 size_t size, size_t limit, struct str *out)
{
	print_limited(type, (struct bytes){.value = bytes, .undefined = undefined, .size = size},
	              limit, out);
}

void ctype_print_part(const struct ctype_part *part, const uint8_t *object,
                      const uint8_t *undefined, size_t object_size, size_t limit, struct str *out)
{
	struct bytes bytes = {.value = object, .undefined = undefined, .size = object_size};
	const struct ctype *type = ctype_strip(part->type);
	struct printer p = {.out = out, .end = SIZE_MAX};

	if (part->bit_size)
		print_bit_field(&p, part->type, 8 * part->offset + part->bit_offset, part->bit_size,
		                bytes);
	else
		print_limited(part->type, part_of(bytes, part->offset, type ? type->size : 0),
		              limit, out);
}
