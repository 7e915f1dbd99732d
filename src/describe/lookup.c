/*
 * What a text of C means where a program stands: the inverse of names. A small parser that follows
 * the types as it goes: x, a[2], p->next->val, *p, (*p).x, s.f, a[i], main.count, fact@3.n.
 */
#include <ctype.h>
#include <string.h>

#include "describe/lookup.h"

#define DEEPEST 32

void lookup_fail(struct lookup *l, char *problem)
{
	if (l->problem)
		free(problem);
	else
		l->problem = problem;
}

static const struct ctype *type_of(const struct lookup *l)
{
	return ctype_strip(l->part.type);
}

char *lookup_word(struct lookup *l)
{
	size_t length = 0;

	while (isalnum((unsigned char)l->at[length]) || l->at[length] == '_')
		length++;
	l->at += length;
	return mem_strndup(l->at - length, length);
}

static void skip_blanks(struct lookup *l)
{
	while (*l->at == ' ')
		l->at++;
}

/* --- ways on from a place --- */

/* The value of a scalar place. */
static uint64_t read_value(struct lookup *l, uint32_t size)
{
	return memory_load(execution_memory(names_execution(l->names)), l->address, size).bits;
}

/* To what a pointer points to, or to the first element of an array. */
static void follow_pointer(struct lookup *l)
{
	const struct ctype *type = type_of(l);

	if (l->problem)
		return;
	if (!type || (type->kind != CTYPE_POINTER && type->kind != CTYPE_ARRAY)) {
		lookup_fail(l, str_format("takes what is no pointer for one"));
		return;
	}
	if (type->kind == CTYPE_POINTER)
		l->address = read_value(l, 8);
	if (l->address < 4096)
		lookup_fail(l, str_format("follows a pointer that is %s then",
		                          l->address ? "invalid" : "NULL"));
	l->part = (struct ctype_part){.type = type->target};
}

static bool find_member(const struct ctype *type, const char *name, uint64_t *bit,
                        const struct ctype_member **out)
{
	type = ctype_strip(type);
	if (!type || (type->kind != CTYPE_STRUCT && type->kind != CTYPE_UNION))
		return false;
	for (uint32_t i = 0; i < type->member_count; i++) {
		const struct ctype_member *m = &type->members[i];

		*bit += m->bit_offset;
		if (m->name && !strcmp(m->name, name)) {
			*out = m;
			return true;
		}
		if (!m->name && find_member(m->type, name, bit, out))
			return true;
		*bit -= m->bit_offset;
	}
	return false;
}

static void take_member(struct lookup *l)
{
	const struct ctype_member *member;
	char *name = lookup_word(l);
	uint64_t bit = 0;

	if (l->problem) {
		/* the first one is told */
	} else if (!find_member(type_of(l), name, &bit, &member)) {
		lookup_no_member(l, name);
	} else {
		l->address += bit / 8;
		l->part = (struct ctype_part){.type = member->type,
		                              .bit_offset = (uint32_t)(bit % 8),
		                              .bit_size = member->bit_size};
	}
	free(name);
}

static void take_place(struct lookup *l);

/* A number, or a place that holds one. */
static int64_t take_number(struct lookup *l)
{
	struct lookup inner = *l;
	const struct ctype *type;
	uint64_t value, size;
	char *end;

	if (isdigit((unsigned char)*l->at) || *l->at == '-') {
		value = (uint64_t)strtoll(l->at, &end, 0);
		l->at = end;
		return (int64_t)value;
	}
	take_place(&inner);
	l->at = inner.at;
	l->problem = inner.problem;
	type = type_of(&inner);
	size = type && ctype_is_scalar(type) && type->size <= 8 ? type->size : 0;
	if (!l->problem && !size)
		lookup_fail(l, str_format("has an index that is no number"));
	if (l->problem)
		return 0;
	value = read_value(&inner, (uint32_t)size);
	return type->is_signed ? (int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size)
	                       : (int64_t)value;
}

static void take_index(struct lookup *l)
{
	int64_t index = take_number(l);
	const struct ctype *type;

	if (!l->problem && *l->at != ']')
		lookup_fail(l, str_format("lacks a ]"));
	if (*l->at == ']')
		l->at++;
	follow_pointer(l);
	type = type_of(l);
	if (!l->problem && (!type || !type->size))
		lookup_fail(l, str_format("has elements whose size is not known"));
	else if (!l->problem)
		l->address += (uint64_t)index * type->size;
}

static void take_primary(struct lookup *l)
{
	skip_blanks(l);
	if (*l->at != '(') {
		lookup_variable(l);
		return;
	}
	l->at++;
	take_place(l);
	if (*l->at == ')')
		l->at++;
	else
		lookup_fail(l, str_format("lacks a )"));
}

static void take_place(struct lookup *l)
{
	skip_blanks(l);
	if (++l->nested > DEEPEST) {
		lookup_fail(l, str_format("is nested too deeply"));
		return;
	}
	if (*l->at == '*') {
		l->at++;
		take_place(l);
		follow_pointer(l);
		return;
	}
	take_primary(l);
	for (; !l->problem; skip_blanks(l)) {
		if (*l->at == '[') {
			l->at++;
			take_index(l);
		} else if (*l->at == '.') {
			l->at++;
			take_member(l);
		} else if (!strncmp(l->at, "->", 2)) {
			l->at += 2;
			follow_pointer(l);
			take_member(l);
		} else {
			return;
		}
	}
}

char *describe_lookup(struct names *names, uint32_t depth, const char *text,
                      struct describe_place *out)
{
	struct lookup l = {.names = names, .depth = depth, .at = text};
	const struct ctype *type;

	take_place(&l);
	if (!l.problem && *l.at)
		lookup_fail(&l, str_format("cannot be read from '%s' on", l.at));
	type = type_of(&l);
	if (!l.problem && (!type || !type->size))
		lookup_fail(&l, str_format("has a size that is not known"));
	if (l.problem)
		return l.problem;
	out->address = l.address;
	out->size = l.part.bit_size ? (l.part.bit_offset + l.part.bit_size + 7) / 8 : type->size;
	out->part = l.part;
	return NULL;
}
