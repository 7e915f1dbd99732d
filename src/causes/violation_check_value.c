/* What a C expression is where an execution stands: see violation_check.h. */
#include <string.h>

#include "causes/violation_check.h"

#define LOWEST 4096u

void check_fail(struct check_evaluator *e, const struct check_node *node, bool wrong, char *problem)
{
	if (e->problem || (e->sizing && !wrong)) {
		free(problem);
		return;
	}
	e->problem = problem;
	e->wrong = wrong;
	e->column = node->column;
}

uint64_t check_actual(struct check_evaluator *e, term t)
{
	uint64_t value;

	if (term_is_constant(e->terms, t, &value))
		return value;
	if (!e->work) {
		if (!e->problem)
			e->problem = str_format("C does not say what it is");
		return 0;
	}
	return term_evaluate(e->terms, t, symbolic_actual, e->work->symbolic);
}

static struct check_value none(struct check_evaluator *e)
{
	return (struct check_value){.type = check_basic(BASIC_INT),
	                            .value = term_constant(e->terms, 32, 0)};
}

static struct check_value value_of(const struct ctype *type, term value)
{
	return (struct check_value){.type = type, .value = value};
}

/* --- reading --- */

static term constant_memory(struct check_evaluator *e, uint64_t address, uint32_t size)
{
	struct memory *memory = execution_memory(names_execution(e->names));

	return term_constant(e->terms, 8 * size, memory_load(memory, address, size).bits);
}

/* Bytes with who wrote them; elsewhere there would have been others. */
static term read_memory(struct check_evaluator *e, const struct check_value *v, uint32_t size)
{
	struct execution *now = names_execution(e->names);
	term bytes;

	if (e->sizing)
		return term_constant(e->terms, 8 * size, 0);
	if (!e->work)
		return constant_memory(e, v->address, size);
	bytes = violation_memory(e->work, now, v->address, size);
	if (term_is_constant(e->terms, v->at, NULL))
		return bytes;
	return term_make(e->terms, TERM_CHOICE, 8 * size, term_equals(e->terms, v->at, v->address),
	                 bytes, term_any(e->terms, 8 * size));
}

/* Is all of it there and has a value? */
static bool is_readable(struct check_evaluator *e, const struct check_node *node,
                        const struct check_value *v, uint32_t size)
{
	struct memory *memory = execution_memory(names_execution(e->names));
	struct memory_value loaded;
	uint64_t mask = v->bit_size ? ((1ull << v->bit_size) - 1) << v->bit : UINT64_MAX;

	if (e->sizing)
		return true;
	if (v->address < LOWEST) {
		check_fail(e, node, false,
		           str_format(v->address ? "a pointer is invalid" : "a pointer is NULL"));
		return false;
	}
	loaded = memory_load(memory, v->address, size);
	if (loaded.undefined & mask) {
		check_fail(e, node, false, str_format("something has no value yet"));
		return false;
	}
	if (!loaded.known)
		check_fail(e, node, false, str_format("memory is read that is not known"));
	return loaded.known;
}

static struct check_value read_field(struct check_evaluator *e, const struct check_node *node,
                                     const struct check_value *v)
{
	const struct ctype *type = check_promoted(v->type, v->bit_size);
	uint32_t size = (v->bit + v->bit_size + 7) / 8;
	term bits;

	if (size > 8) {
		check_fail(e, node, true, str_format("such a bit-field is not supported"));
		return none(e);
	}
	if (!is_readable(e, node, v, size))
		return none(e);
	bits = term_extract(e->terms, read_memory(e, v, size), v->bit, v->bit_size);
	if (v->bit_size == 8 * type->size)
		return value_of(type, bits);
	return value_of(type, term_make(e->terms, v->type->is_signed ? TERM_SEXT : TERM_ZEXT,
	                                (uint32_t)(8 * type->size), bits, 0, 0));
}

static struct check_value read_place(struct check_evaluator *e, const struct check_node *node,
                                     const struct check_value *v)
{
	struct str name = STR_INIT;

	if (v->bit_size)
		return read_field(e, node, v);
	if (v->type->kind == CTYPE_ARRAY)
		return value_of(check_pointer_to(e->arena, v->type->target), v->at);
	if (check_is_integer(v->type) || check_is_real(v->type) || check_is_pointer(v->type)) {
		if (!is_readable(e, node, v, (uint32_t)v->type->size))
			return none(e);
		return value_of(v->type, read_memory(e, v, (uint32_t)v->type->size));
	}
	ctype_name(v->type, &name);
	check_fail(e, node, true,
	           str_format("a value of type %s cannot be used here", str_text(&name)));
	str_deinit(&name);
	return none(e);
}

struct check_value check_scalar(struct check_evaluator *e, const struct check_node *node)
{
	struct check_value v = check_evaluate(e, node);

	if (e->problem)
		return none(e);
	return v.place ? read_place(e, node, &v) : v;
}

/* --- places --- */

static struct check_value place_of(struct check_evaluator *e, const struct ctype *type, term at)
{
	return (struct check_value){.type = ctype_strip(type) ? ctype_strip(type)
	                                                      : check_basic(BASIC_VOID),
	                            .place = true,
	                            .address = check_actual(e, at),
	                            .at = at};
}

static struct check_value follow(struct check_evaluator *e, const struct check_node *node,
                                 struct check_value pointer)
{
	if (e->problem)
		return none(e);
	if (!check_is_pointer(pointer.type)) {
		check_fail(e, node, true, str_format("what is no pointer is taken for one"));
		return none(e);
	}
	return place_of(e, pointer.type->target, pointer.value);
}

static bool find_member(const struct ctype *type, const char *name, uint64_t *bit,
                        const struct ctype_member **out)
{
	for (uint32_t i = 0; i < type->member_count; i++) {
		const struct ctype_member *m = &type->members[i];
		const struct ctype *inner = ctype_strip(m->type);

		if (m->name && !strcmp(m->name, name)) {
			*bit += m->bit_offset;
			*out = m;
			return true;
		}
		if (m->name || !inner ||
		    (inner->kind != CTYPE_STRUCT && inner->kind != CTYPE_UNION))
			continue;
		*bit += m->bit_offset;
		if (find_member(inner, name, bit, out))
			return true;
		*bit -= m->bit_offset;
	}
	return false;
}

static void list_members(const struct ctype *type, struct str *out)
{
	for (uint32_t i = 0; i < type->member_count; i++)
		if (type->members[i].name)
			str_printf(out, "%s%s", out->length ? ", " : "", type->members[i].name);
}

static struct check_value take_member(struct check_evaluator *e, const struct check_node *node,
                                      struct check_value of)
{
	const struct ctype_member *member;
	struct str known = STR_INIT;
	uint64_t bit = 0;
	struct check_value v;

	if (e->problem)
		return none(e);
	if (!of.place || (of.type->kind != CTYPE_STRUCT && of.type->kind != CTYPE_UNION)) {
		check_fail(e, node, true,
		           str_format("what has no members is asked for %s", node->name));
		return none(e);
	}
	if (!find_member(of.type, node->name, &bit, &member)) {
		list_members(of.type, &known);
		check_fail(e, node, true,
		           str_format("there is no member %s; there are: %s", node->name,
		                      str_text(&known)));
		str_deinit(&known);
		return none(e);
	}
	v = place_of(
		e, member->type,
		term_make(e->terms, TERM_ADD, 64, of.at, term_constant(e->terms, 64, bit / 8), 0));
	v.bit = (uint32_t)(bit % 8);
	v.bit_size = member->bit_size;
	return v;
}

static struct check_value take_index(struct check_evaluator *e, const struct check_node *node)
{
	struct check_node sum = {
		.op = CHECK_ADD, .a = node->a, .b = node->b, .column = node->column};

	return follow(e, node, check_scalar(e, &sum));
}

static struct check_value take_address(struct check_evaluator *e, const struct check_node *node)
{
	struct check_value v = check_evaluate(e, node->a);

	if (e->problem)
		return none(e);
	if (!v.place || v.bit_size) {
		check_fail(e, node, true, str_format("this has no address"));
		return none(e);
	}
	return value_of(check_pointer_to(e->arena, v.type), v.at);
}

static struct check_value take_size(struct check_evaluator *e, const struct check_node *node)
{
	const struct ctype *type = node->type;

	if (node->op == CHECK_SIZEOF) {
		bool before = e->sizing;

		e->sizing = true;
		type = check_evaluate(e, node->a).type;
		e->sizing = before;
	}
	if (!e->problem && (!type->size || type->kind == CTYPE_FUNCTION))
		check_fail(e, node, true, str_format("its size is not known"));
	return value_of(check_basic(BASIC_UNSIGNED_LONG), term_constant(e->terms, 64, type->size));
}

/* --- what is not always evaluated --- */

static struct check_value truth_value(struct check_evaluator *e, term truth)
{
	return value_of(check_basic(BASIC_INT), term_make(e->terms, TERM_ZEXT, 32, truth, 0, 0));
}

term check_truth(struct check_evaluator *e, const struct check_node *node)
{
	struct check_value v = check_scalar(e, node);

	return e->problem ? term_constant(e->terms, 1, 0) : check_is_true(e, v);
}

/* A part that the run would not have evaluated: anything, if that fails. */
static term idle_truth(struct check_evaluator *e, const struct check_node *node)
{
	term t = check_truth(e, node);

	if (e->problem && !e->wrong) {
		free(e->problem);
		e->problem = NULL;
		return term_any(e->terms, 1);
	}
	return t;
}

/* a && b, a || b */
static struct check_value take_logic(struct check_evaluator *e, const struct check_node *node)
{
	bool both = node->op == CHECK_BOTH;
	term a = check_truth(e, node->a), b;
	bool decided = !e->problem && check_actual(e, a) != both;

	b = decided ? idle_truth(e, node->b) : check_truth(e, node->b);
	return truth_value(e, term_make(e->terms, both ? TERM_AND : TERM_OR, 1, a, b, 0));
}

static struct check_value idle_scalar(struct check_evaluator *e, const struct check_node *node,
                                      bool idle)
{
	struct check_value v = check_scalar(e, node);

	if (idle && e->problem && !e->wrong) {
		free(e->problem);
		e->problem = NULL;
		v.value = 0;
	}
	return v;
}

static struct check_value take_choice(struct check_evaluator *e, const struct check_node *node)
{
	term condition = check_truth(e, node->a);
	bool first = !e->problem && check_actual(e, condition);
	struct check_value b = idle_scalar(e, node->b, !first);
	struct check_value c = idle_scalar(e, node->c, first);
	const struct ctype *type;
	term x, y;

	if (e->problem)
		return none(e);
	if (check_is_pointer(b.type) || check_is_pointer(c.type))
		type = check_is_pointer(b.type) ? b.type : c.type;
	else
		type = check_common(check_promoted(b.type, 0), check_promoted(c.type, 0));
	x = b.value ? check_convert(e, b, type) : term_any(e->terms, (uint32_t)(8 * type->size));
	y = c.value ? check_convert(e, c, type) : term_any(e->terms, (uint32_t)(8 * type->size));
	return value_of(type, term_make(e->terms, TERM_CHOICE, (uint32_t)(8 * type->size),
	                                condition, x, y));
}

/* --- all --- */

struct check_value check_evaluate(struct check_evaluator *e, const struct check_node *node)
{
	struct check_value a, b = {0};

	if (e->problem)
		return none(e);
	switch (node->op) {
	case CHECK_NUMBER:
		return value_of(
			node->type,
			term_constant(e->terms, (uint32_t)(8 * node->type->size), node->bits));
	case CHECK_NAME: return check_find_name(e, node);
	case CHECK_MEMBER: return take_member(e, node, check_evaluate(e, node->a));
	case CHECK_ARROW: return take_member(e, node, follow(e, node, check_scalar(e, node->a)));
	case CHECK_INDEX: return take_index(e, node);
	case CHECK_TARGET: return follow(e, node, check_scalar(e, node->a));
	case CHECK_ADDRESS: return take_address(e, node);
	case CHECK_SIZEOF:
	case CHECK_SIZEOF_TYPE: return take_size(e, node);
	case CHECK_BOTH:
	case CHECK_EITHER: return take_logic(e, node);
	case CHECK_CHOICE: return take_choice(e, node);
	default: break;
	}
	a = check_scalar(e, node->a);
	if (node->b)
		b = check_scalar(e, node->b);
	return e->problem ? none(e) : check_apply(e, node, a, b);
}
