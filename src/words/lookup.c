/*
 * What a text of C means where a program stands: the inverse of names. A small parser that follows
 * the types as it goes: x, a[2], p->next->val, *p, (*p).x, s.f, a[i], main.count, fact@3.n.
 */
#include <ctype.h>
#include <string.h>

#include "words/describe.h"

struct lookup {
	struct names *names;
	uint32_t depth;
	const char *at; /* what is still to be read */
	int nested;
	char *problem; /* NULL: none yet */
	uint64_t address;
	struct ctype_part part;
};

/* ------ variables that a text of C begins with, and which there are when it is none ------ */

#define MOST_LISTED 12u /* in a message */

static const struct program *program_of(const struct lookup *l)
{
	return walk_program(execution_walk(names_execution(l->names)));
}

static bool set_variable(struct lookup *l, const struct variable *v, uint64_t address)
{
	if (v->indirect)
		address = memory_load(execution_memory(names_execution(l->names)), address, 8).bits;
	l->address = address;
	l->part = (struct ctype_part){.type = v->type};
	return true;
}

/* A variable of a function under way; `anywhere`: also one of a block that is not. */
static bool find_local(struct lookup *l, const struct activation *a, const char *name,
                       bool anywhere)
{
	const struct code_function *f = a->function;
	const struct variables *variables = names_variables(l->names, f->place.module);
	const struct variable *v =
		a->pc ? variables_at(variables, f->instructions[a->pc - 1], name) : NULL;
	struct variable_list list = {0};
	const struct code_slot *slot;

	if (!v && anywhere) {
		variables_named(variables, f->plan->function, name, &list);
		v = list.size ? list.at[0] : NULL;
		vec_deinit(&list);
	}
	slot = v ? names_slot(l->names, a, v->storage) : NULL;
	return slot && slot->bits && set_variable(l, v, slot->bits);
}

/* A variable at file scope, or a static one of `function` (NULL: none), of any module. */
static bool find_global(struct lookup *l, const char *function, const char *name)
{
	const struct program *program = program_of(l);

	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct program_module *module = &program->modules.at[m];

		for (uint32_t g = 0; module->plan && g < module->plan->globals.size; g++) {
			LLVMValueRef global = module->plan->globals.at[g];
			const struct variable *v =
				variables_of_global(names_variables(l->names, m), global);
			const char *owner = v && v->scope ? v->scope->function_name : NULL;
			const uint64_t *address;

			if (!v || !v->name || strcmp(v->name, name) || !owner != !function ||
			    (owner && strcmp(owner, function)))
				continue;
			address = value_map_find(&module->values, (uintptr_t)global);
			if (address && *address)
				return set_variable(l, v, *address);
		}
	}
	return false;
}

/* The call of a function under way that is meant by `fact`, or `fact@3` counted from main() on. */
static const struct activation *find_caller(struct lookup *l, const char *function, uint64_t number)
{
	struct execution *e = names_execution(l->names);
	uint32_t height = execution_depth(e);
	const struct activation *a;

	for (uint32_t depth = l->depth; (a = execution_top(e, depth)); depth++)
		if (!strcmp(a->function->plan->name, function) &&
		    (!number || number == height - depth))
			return a;
	return NULL;
}

static char *lookup_word(struct lookup *l);

/* `main.count`: a variable of a function under way, or a static one of any. */
static bool find_qualified(struct lookup *l, const char *function)
{
	uint64_t number = 0;
	const struct activation *a;
	char *name;
	bool found;

	if (*l->at == '@')
		number = strtoull(l->at + 1, (char **)&l->at, 10);
	if (*l->at != '.')
		return false;
	l->at++;
	name = lookup_word(l);
	a = find_caller(l, function, number);
	found = (a && find_local(l, a, name, true)) || find_global(l, function, name);
	free(name);
	return found;
}

static void add_variable(const char *name, uint32_t *count, struct str *out)
{
	if ((*count)++ < MOST_LISTED)
		str_printf(out, "%s%s", *count > 1 ? ", " : "", name);
}

static void list_globals(struct names *names, uint32_t *count, struct str *out)
{
	const struct program *program = walk_program(execution_walk(names_execution(names)));

	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct plan *plan = program->modules.at[m].plan;

		for (uint32_t g = 0; plan && g < plan->globals.size; g++) {
			const struct variable *v =
				variables_of_global(names_variables(names, m), plan->globals.at[g]);

			if (v && v->name && !v->scope && strncmp(v->name, "__", 2))
				add_variable(v->name, count, out);
		}
	}
}

/* Variables that can be named in the function at this depth. */
static void list_variables(struct names *names, uint32_t depth, struct str *out)
{
	const struct activation *a = execution_top(names_execution(names), depth);
	const struct variable_list *list =
		a ? variables_of_function(names_variables(names, a->function->place.module),
	                                  a->function->plan->function)
		  : NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; list && i < list->size; i++)
		if (!list->at[i]->artificial && strncmp(list->at[i]->name, "__", 2))
			add_variable(list->at[i]->name, &count, out);
	list_globals(names, &count, out);
	if (count > MOST_LISTED)
		str_add(out, ", ...");
	if (!count)
		str_add(out, "none");
}

/* Members of a structure, as far as they have names. */
static void list_members(const struct ctype *type, struct str *out)
{
	for (uint32_t i = 0, count = 0; i < type->member_count; i++)
		if (type->members[i].name)
			add_variable(type->members[i].name, &count, out);
}

static void lookup_fail(struct lookup *l, char *problem);

/* There is no such member in the structure that was found. */
static void lookup_no_member(struct lookup *l, const char *name)
{
	const struct ctype *type = ctype_strip(l->part.type);
	struct str known = STR_INIT;

	if (!type || (type->kind != CTYPE_STRUCT && type->kind != CTYPE_UNION)) {
		lookup_fail(l, str_format("takes what is no structure for one"));
		return;
	}
	list_members(type, &known);
	lookup_fail(l, str_format("has no member '%s'; there are: %s", name, str_text(&known)));
	str_deinit(&known);
}

static void fail_unknown(struct lookup *l, const char *begin)
{
	struct str known = STR_INIT;

	list_variables(l->names, l->depth, &known);
	lookup_fail(l, str_format("is not known: there is no variable %.*s; variables there: %s",
	                          (int)(l->at - begin), begin, str_text(&known)));
	str_deinit(&known);
}

/* Reads the name of a variable and finds it. */
static void lookup_variable(struct lookup *l)
{
	const struct activation *a = execution_top(names_execution(l->names), l->depth);
	const char *begin = l->at;
	char *name = lookup_word(l);

	if (!*name)
		lookup_fail(
			l,
			str_format("is not the name of a place; write x, a[2], p->next or main.x"));
	else if (!(a && find_local(l, a, name, false)) && !find_global(l, NULL, name) &&
	         !(a && find_local(l, a, name, true)) && !find_qualified(l, name))
		fail_unknown(l, begin);
	free(name);
}

/* ------ the whole ------ */

#define DEEPEST 32

/* Takes a problem over; the first one counts. */
static void lookup_fail(struct lookup *l, char *problem)
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

/* Reads a word, which may be empty. Caller frees with free(). */
static char *lookup_word(struct lookup *l)
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
