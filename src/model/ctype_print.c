/* Values of C types as text: see ctype.h. Scalars are in ctype_scalar.c. */
#include "model/ctype_scalar.h"

#include <string.h>

#include "base/mem.h"

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

static void print_unknown(struct printer *p, struct bytes bytes)
{
	uint64_t bits = 0;

	if (!bytes.size || is_undefined(bytes)) {
		str_add(p->out, "?");
	} else if (bytes.size <= 8) {
		memcpy(&bits, bytes.value, bytes.size);
		ctype_print_raw(bits, bytes.size, p->out);
	} else {
		static const struct ctype byte = {.kind = CTYPE_UNKNOWN, .size = 1};
		struct ctype array = {.kind = CTYPE_ARRAY, .target = &byte};

		print_array(p, &array, bytes);
	}
}

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
		print_unknown(p, bytes);
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
