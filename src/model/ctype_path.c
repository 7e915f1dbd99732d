/*
 * Naming the parts of an object: see ctype.h. A search from the outermost type inwards, in bits.
 * Only unions make it try more than one way; arrays are indexed, so it is short for any object.
 */
#include "model/ctype.h"

#include <stdio.h>

struct search {
	uint64_t begin, end; /* bits of the object; the same: whatever begins there */
	enum ctype_fit fit;
	bool bit_fields; /* bytes may be named after a bit-field in them */
	bool exact_bits; /* only the bit-field or scalar with exactly these bits */
	struct ctype_part *part;
	struct str *out;
};

/* A type at a place in the object. */
struct place {
	const struct ctype *type;
	uint64_t base; /* bit of the object */
	bool member;   /* of a struct or union */
	bool nameless; /* an anonymous member: C has names only for what is in it */
	bool last;     /* nothing of the object lies behind it */
};

static bool find(const struct search *s, struct place at);

static void add(const struct search *s, const char *text)
{
	if (s->out)
		str_add(s->out, text);
}

static size_t mark(const struct search *s)
{
	return s->out ? s->out->length : 0;
}

/* Takes back what was added since mark(). */
static void cut(const struct search *s, size_t length)
{
	if (!s->out || !s->out->text)
		return;
	s->out->length = length;
	s->out->text[length] = '\0';
}

static bool accept(const struct search *s, struct ctype_part part)
{
	if (s->part)
		*s->part = part;
	return true;
}

/* Does the array go on as far as asked? Old code writes flexible arrays as [0] or [1]. */
static bool is_open(struct place at, const struct ctype *stripped)
{
	return stripped->kind == CTYPE_ARRAY && (stripped->count == CTYPE_NO_COUNT ||
	                                         (at.member && at.last && stripped->count <= 1));
}

/* May a load or store of so many bits be that of a whole `type`? A long double takes 16 bytes, of
   which 10 are loaded and stored. */
static bool has_width(const struct ctype *type, uint64_t bits)
{
	if (bits == 8 * type->size)
		return true;
	return type->kind == CTYPE_FLOAT && type->size == 16 && !type->ieee_quad && bits == 80;
}

static bool is_inside(const struct search *s, uint64_t base, uint64_t bits)
{
	return s->begin >= base && s->end <= base + bits && s->begin < base + bits;
}

static bool find_element(const struct search *s, struct place at, const struct ctype *array)
{
	const struct ctype *element = ctype_strip(array->target);
	uint64_t size = element ? 8 * element->size : 0, index;
	size_t before = mark(s);
	char text[32];

	if (!size || s->begin < at.base)
		return false;
	index = (s->begin - at.base) / size;
	if (index >= array->count && !is_open(at, array))
		return false;
	if (s->end > at.base + (index + 1) * size)
		return false;
	snprintf(text, sizeof(text), "[%llu]", (unsigned long long)index);
	add(s, text);
	if (find(s, (struct place){.type = array->target, .base = at.base + index * size}))
		return true;
	cut(s, before);
	return false;
}

static bool find_half(const struct search *s, struct place at, const struct ctype *complex)
{
	uint64_t half = 4 * complex->size;
	bool imaginary = s->begin >= at.base + half;
	size_t before = mark(s);

	add(s, imaginary ? ".imag" : ".real");
	if (find(s,
	         (struct place){.type = complex->target, .base = at.base + (imaginary ? half : 0)}))
		return true;
	cut(s, before);
	return false;
}

static bool overlaps(const struct search *s, uint64_t base, uint64_t bits)
{
	uint64_t end = s->end > s->begin ? s->end : s->begin + 8;

	return s->begin < base + bits && base < end;
}

/* Is there a member in these bytes that is not a bit-field? */
static bool touches_others(const struct search *s, struct place at, const struct ctype *type)
{
	for (uint32_t i = 0; i < type->member_count; i++) {
		const struct ctype_member *m = &type->members[i];
		const struct ctype *stripped = ctype_strip(m->type);

		if (!m->bit_size && stripped &&
		    overlaps(s, at.base + m->bit_offset, 8 * stripped->size))
			return true;
	}
	return false;
}

static bool find_in_member(const struct search *s, struct place at, const struct ctype *type,
                           const struct ctype_member *m)
{
	size_t before = mark(s);
	bool last = at.last &&
	            (type->kind == CTYPE_UNION || m == &type->members[type->member_count - 1]);

	if (m->bit_size) {
		uint64_t base = at.base + m->bit_offset;

		if (s->exact_bits) {
			if (s->begin != base || s->end != base + m->bit_size)
				return false;
		} else if (!s->bit_fields || !overlaps(s, base, m->bit_size) ||
		           (type->kind == CTYPE_STRUCT && touches_others(s, at, type))) {
			return false;
		}
		add(s, ".");
		add(s, m->name ? m->name : "?");
		return accept(s, (struct ctype_part){.type = m->type,
		                                     .offset = base / 8,
		                                     .bit_offset = base % 8,
		                                     .bit_size = m->bit_size});
	}
	if (m->name) {
		add(s, ".");
		add(s, m->name);
	}
	if (find(s, (struct place){.type = m->type,
	                           .base = at.base + m->bit_offset,
	                           .member = true,
	                           .nameless = !m->name,
	                           .last = last}))
		return true;
	cut(s, before);
	return false;
}

static bool find_member(const struct search *s, struct place at, const struct ctype *type)
{
	for (uint32_t i = 0; type->kind == CTYPE_UNION && i < type->member_count; i++) {
		const struct ctype *stripped = ctype_strip(type->members[i].type);

		if (stripped && 8 * stripped->size == s->end - s->begin &&
		    find_in_member(s, at, type, &type->members[i]))
			return true;
	}
	for (uint32_t i = 0; i < type->member_count; i++)
		if (find_in_member(s, at, type, &type->members[i]))
			return true;
	return false;
}

static bool find_inside(const struct search *s, struct place at, const struct ctype *type)
{
	switch (type->kind) {
	case CTYPE_ARRAY:
	case CTYPE_VECTOR: return find_element(s, at, type);
	case CTYPE_STRUCT:
	case CTYPE_UNION: return find_member(s, at, type);
	case CTYPE_COMPLEX: return find_half(s, at, type);
	default: return false;
	}
}

static bool find(const struct search *s, struct place at)
{
	const struct ctype *type = ctype_strip(at.type);
	struct ctype_part part = {.type = at.type, .offset = at.base / 8};

	if (!type || s->begin < at.base)
		return false;
	if (at.nameless)
		return find_inside(s, at, type);
	if (s->fit == CTYPE_AROUND)
		return find_inside(s, at, type) ||
		       ((is_inside(s, at.base, 8 * type->size) || is_open(at, type)) &&
		        accept(s, part));
	if (s->begin == at.base && (s->end == s->begin || has_width(type, s->end - s->begin)) &&
	    (s->fit == CTYPE_WHOLE || ctype_is_scalar(type)))
		return accept(s, part);
	return find_inside(s, at, type);
}

bool ctype_part(const struct ctype *type, uint64_t offset, uint64_t size, enum ctype_fit fit,
                struct ctype_part *part, struct str *out)
{
	struct place object = {.type = type, .last = true};
	struct search s = {.fit = fit, .part = part, .out = out};

	if (offset > UINT64_MAX / 16 || size > UINT64_MAX / 16)
		return false;
	s.begin = 8 * offset;
	s.end = s.begin + 8 * size;
	/* A member of its own is a better name than a bit-field that shares its bytes. */
	if (fit != CTYPE_AROUND && find(&s, object))
		return true;
	s.bit_fields = true;
	if (find(&s, object))
		return true;
	s.fit = CTYPE_WHOLE;
	return fit == CTYPE_SCALAR && find(&s, object);
}

bool ctype_part_bits(const struct ctype *type, uint64_t bit_offset, uint64_t bit_size,
                     struct ctype_part *part, struct str *out)
{
	struct search s = {.begin = bit_offset,
	                   .end = bit_offset + bit_size,
	                   .fit = CTYPE_SCALAR,
	                   .exact_bits = true,
	                   .part = part,
	                   .out = out};

	return s.end > s.begin && find(&s, (struct place){.type = type, .last = true});
}

bool ctype_path(const struct ctype *type, uint64_t offset, uint64_t size, struct str *out)
{
	return ctype_part(type, offset, size, CTYPE_WHOLE, NULL, out);
}
