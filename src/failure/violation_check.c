/* A condition that the user gives: see violation.h. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/guard.h"
#include "failure/violation_check.h"
#include "model/di.h"

enum check_op {
	CHECK_NUMBER, /* `bits` of `type` */
	CHECK_NAME,
	CHECK_MEMBER, /* a.name */
	CHECK_ARROW,  /* a->name */
	CHECK_INDEX,  /* a[b] */
	CHECK_TARGET, /* *a */
	CHECK_ADDRESS,
	CHECK_PLUS,
	CHECK_MINUS,
	CHECK_NOT,
	CHECK_COMPLEMENT,
	CHECK_CAST,        /* to `type` */
	CHECK_SIZEOF,      /* of an expression */
	CHECK_SIZEOF_TYPE, /* of `type` */
	CHECK_MUL,
	CHECK_DIV,
	CHECK_REM,
	CHECK_ADD,
	CHECK_SUB,
	CHECK_SHL,
	CHECK_SHR,
	CHECK_LT,
	CHECK_LE,
	CHECK_GT,
	CHECK_GE,
	CHECK_EQ,
	CHECK_NE,
	CHECK_AND,
	CHECK_XOR,
	CHECK_OR,
	CHECK_BOTH,   /* a && b */
	CHECK_EITHER, /* a || b */
	CHECK_CHOICE, /* a ? b : c */
};

static const struct {
	const char *text;
	int level; /* how tightly it binds */
} operators[] = {
	[CHECK_TARGET] = {"*", 11}, [CHECK_ADDRESS] = {"&", 11}, [CHECK_PLUS] = {"+", 11},
	[CHECK_MINUS] = {"-", 11},  [CHECK_NOT] = {"!", 11},     [CHECK_COMPLEMENT] = {"~", 11},
	[CHECK_MUL] = {"*", 10},    [CHECK_DIV] = {"/", 10},     [CHECK_REM] = {"%", 10},
	[CHECK_ADD] = {"+", 9},     [CHECK_SUB] = {"-", 9},      [CHECK_SHL] = {"<<", 8},
	[CHECK_SHR] = {">>", 8},    [CHECK_LT] = {"<", 7},       [CHECK_LE] = {"<=", 7},
	[CHECK_GT] = {">", 7},      [CHECK_GE] = {">=", 7},      [CHECK_EQ] = {"==", 6},
	[CHECK_NE] = {"!=", 6},     [CHECK_AND] = {"&", 5},      [CHECK_XOR] = {"^", 4},
	[CHECK_OR] = {"|", 3},      [CHECK_BOTH] = {"&&", 2},    [CHECK_EITHER] = {"||", 1},
	[CHECK_CHOICE] = {"?", 0},
};

/* What a number operator is on terms; 0: there is no such operation. */
static const struct {
	enum term_op with_sign, without_sign, real;
} arithmetic[] = {
	[CHECK_MUL] = {TERM_MUL, TERM_MUL, TERM_FMUL},
	[CHECK_DIV] = {TERM_SDIV, TERM_UDIV, TERM_FDIV},
	[CHECK_REM] = {TERM_SREM, TERM_UREM, 0},
	[CHECK_ADD] = {TERM_ADD, TERM_ADD, TERM_FADD},
	[CHECK_SUB] = {TERM_SUB, TERM_SUB, TERM_FSUB},
	[CHECK_AND] = {TERM_AND, TERM_AND, 0},
	[CHECK_XOR] = {TERM_XOR, TERM_XOR, 0},
	[CHECK_OR] = {TERM_OR, TERM_OR, 0},
};

struct check_node {
	enum check_op op;
	const struct check_node *a, *b, *c;
	unsigned column; /* from 1 */
	const char *name;
	const struct ctype *type;
	uint64_t bits;
};

enum check_token_kind {
	TOKEN_END,
	TOKEN_NUMBER,
	TOKEN_NAME,
	TOKEN_OPERATOR,
};

struct check_token {
	enum check_token_kind kind;
	const char *text; /* in the expression */
	size_t length;
	const struct ctype *type; /* of a number */
	uint64_t bits;
};

enum check_basic {
	BASIC_VOID,
	BASIC_BOOL,
	BASIC_CHAR,
	BASIC_SIGNED_CHAR,
	BASIC_UNSIGNED_CHAR,
	BASIC_SHORT,
	BASIC_UNSIGNED_SHORT,
	BASIC_INT,
	BASIC_UNSIGNED,
	BASIC_LONG,
	BASIC_UNSIGNED_LONG,
	BASIC_FLOAT,
	BASIC_DOUBLE,
};

/* What a part of the expression is. */
struct check_value {
	const struct ctype *type; /* without names and qualifiers */
	bool place;               /* it lies in memory */
	uint64_t address;
	term at;                /* of a place: its address */
	uint32_t bit, bit_size; /* of a bit-field */
	term value;             /* of what is no place */
};

/* A name that means the same everywhere. */
struct check_known {
	const struct check_node *node;
	const struct ctype *type;
	bool place;
	uint64_t bits; /* its address, or an enumerator's value */
};

struct check_evaluator {
	struct names *names;
	const struct activation *a;
	LLVMValueRef where; /* the instruction whose scope counts */
	struct terms *terms;
	struct violation_work *work; /* NULL: what memory has are constants */
	struct arena *arena;
	char *problem; /* NULL: none */
	bool sizing;   /* only types matter: nothing is read */
	VEC(struct check_known) known;
	bool wrong;      /* the problem is the expression's, not that of this moment */
	unsigned column; /* of the problem */
};

/* ------ types of C expressions ------ */

static const struct ctype basics[] = {
	[BASIC_VOID] = {.kind = CTYPE_VOID, .name = "void"},
	[BASIC_BOOL] = {.kind = CTYPE_BOOL, .size = 1, .name = "_Bool"},
	[BASIC_CHAR] = {.kind = CTYPE_CHAR, .size = 1, .is_signed = true, .name = "char"},
	[BASIC_SIGNED_CHAR] = {.kind = CTYPE_INTEGER,
                               .size = 1,
                               .is_signed = true,
                               .name = "signed char"},
	[BASIC_UNSIGNED_CHAR] = {.kind = CTYPE_INTEGER, .size = 1, .name = "unsigned char"},
	[BASIC_SHORT] = {.kind = CTYPE_INTEGER, .size = 2, .is_signed = true, .name = "short"},
	[BASIC_UNSIGNED_SHORT] = {.kind = CTYPE_INTEGER, .size = 2, .name = "unsigned short"},
	[BASIC_INT] = {.kind = CTYPE_INTEGER, .size = 4, .is_signed = true, .name = "int"},
	[BASIC_UNSIGNED] = {.kind = CTYPE_INTEGER, .size = 4, .name = "unsigned int"},
	[BASIC_LONG] = {.kind = CTYPE_INTEGER, .size = 8, .is_signed = true, .name = "long"},
	[BASIC_UNSIGNED_LONG] = {.kind = CTYPE_INTEGER, .size = 8, .name = "unsigned long"},
	[BASIC_FLOAT] = {.kind = CTYPE_FLOAT, .size = 4, .name = "float"},
	[BASIC_DOUBLE] = {.kind = CTYPE_FLOAT, .size = 8, .name = "double"},
};

/* The type that is left of a name such as size_t or uint8_t; NULL: it is none that everybody
   has. */
static const struct ctype *check_usual_name(const char *name, size_t length)
{
	static const struct {
		const char *name;
		enum check_basic type;
	} all[] = {
		{"size_t", BASIC_UNSIGNED_LONG},    {"ssize_t", BASIC_LONG},
		{"ptrdiff_t", BASIC_LONG},          {"intptr_t", BASIC_LONG},
		{"uintptr_t", BASIC_UNSIGNED_LONG}, {"int8_t", BASIC_SIGNED_CHAR},
		{"uint8_t", BASIC_UNSIGNED_CHAR},   {"int16_t", BASIC_SHORT},
		{"uint16_t", BASIC_UNSIGNED_SHORT}, {"int32_t", BASIC_INT},
		{"uint32_t", BASIC_UNSIGNED},       {"int64_t", BASIC_LONG},
		{"uint64_t", BASIC_UNSIGNED_LONG},  {"intmax_t", BASIC_LONG},
		{"uintmax_t", BASIC_UNSIGNED_LONG},
	};

	for (uint32_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strlen(all[i].name) == length && !memcmp(all[i].name, name, length))
			return &basics[all[i].type];
	return NULL;
}

static const struct ctype *check_pointer_to(struct arena *arena, const struct ctype *target)
{
	struct ctype *type = arena_new(arena, struct ctype);

	*type = (struct ctype){.kind = CTYPE_POINTER, .size = 8, .target = target};
	return type;
}

static bool check_is_integer(const struct ctype *type)
{
	switch (type->kind) {
	case CTYPE_BOOL:
	case CTYPE_CHAR:
	case CTYPE_INTEGER:
	case CTYPE_ENUM: return type->size >= 1 && type->size <= 8;
	default: return false;
	}
}

static bool check_is_real(const struct ctype *type)
{
	return type->kind == CTYPE_FLOAT && (type->size == 4 || type->size == 8);
}

static bool check_is_pointer(const struct ctype *type)
{
	return type->kind == CTYPE_POINTER;
}

/* What integers become before anything is done with them; `bit_size`: of a bit-field, or 0. */
static const struct ctype *check_promoted(const struct ctype *type, uint32_t bit_size)
{
	if (!check_is_integer(type))
		return type;
	if (type->size < 4 || (bit_size && bit_size < 32))
		return &basics[BASIC_INT];
	if (type->size == 4 || bit_size == 32)
		return &basics[type->is_signed ? BASIC_INT : BASIC_UNSIGNED];
	return &basics[type->is_signed ? BASIC_LONG : BASIC_UNSIGNED_LONG];
}

/* The common type of two promoted numbers. */
static const struct ctype *check_common(const struct ctype *a, const struct ctype *b)
{
	if (check_is_real(a) || check_is_real(b)) {
		bool twice =
			(check_is_real(a) && a->size == 8) || (check_is_real(b) && b->size == 8);

		return &basics[twice ? BASIC_DOUBLE : BASIC_FLOAT];
	}
	if (a->size != b->size)
		return a->size > b->size ? a : b;
	return a->is_signed ? b : a;
}

/* ------ names in a C expression ------ */

static struct check_value value_of(struct check_evaluator *e, const struct ctype *type, bool place,
                                   uint64_t bits)
{
	struct check_value v = {.type = type, .place = place};

	if (place) {
		v.address = bits;
		v.at = term_constant(e->terms, 64, bits);
	} else {
		v.value = term_constant(e->terms, (uint32_t)(8 * type->size), bits);
	}
	return v;
}

static struct check_value keep(struct check_evaluator *e, const struct check_node *node,
                               const struct ctype *type, bool place, uint64_t bits)
{
	*vec_push(&e->known) = (struct check_known){node, type, place, bits};
	return value_of(e, type, place, bits);
}

/* --- variables of the module --- */

static bool find_variable(struct check_evaluator *e, const char *name, const struct ctype **type,
                          uint64_t *address)
{
	const struct variables *variables = names_variables(e->names, e->a->function->place.module);
	const struct variable *v = variables_at(variables, e->where, name);
	const struct code_slot *slot = v ? names_slot(e->names, e->a, v->storage) : NULL;
	struct memory *memory = execution_memory(names_execution(e->names));

	if (!slot || !slot->bits || !ctype_strip(v->type))
		return false;
	*type = ctype_strip(v->type);
	*address = v->indirect ? memory_load(memory, slot->bits, 8).bits : slot->bits;
	return true;
}

/* --- enumerators --- */

/* The enumerator of any type that a compilation unit lists; NULL: there is none. */
static const struct ctype_enumerator *find_enumerator(struct check_evaluator *e, const char *name)
{
	struct types *types = names_types(e->names, e->a->function->place.module);
	LLVMModuleRef module = types_module(types);
	LLVMContextRef context = LLVMGetModuleContext(module);
	unsigned count = LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu");
	LLVMValueRef *units GUARD_FREE = mem_alloc((count + 1) * sizeof(LLVMValueRef));
	const struct ctype_enumerator *found = NULL;

	LLVMGetNamedMetadataOperands(module, "llvm.dbg.cu", units);
	for (unsigned u = 0; u < count && !found; u++) {
		struct di_list parts = di_operands(context, LLVMValueAsMetadata(units[u]));

		for (uint32_t i = 0; i < parts.size && !found; i++) {
			struct di_list all;

			if (!parts.at[i] ||
			    LLVMGetMetadataKind(parts.at[i]) != LLVMMDTupleMetadataKind)
				continue;
			all = di_operands(context, parts.at[i]);
			for (uint32_t k = 0; k < all.size && !found; k++) {
				const struct ctype *type = NULL;

				if (all.at[k] && LLVMGetMetadataKind(all.at[k]) ==
				                         LLVMDICompositeTypeMetadataKind)
					type = ctype_strip(types_of(types, all.at[k]));
				if (!type || type->kind != CTYPE_ENUM)
					continue;
				for (uint32_t n = 0; n < type->member_count && !found; n++)
					if (!strcmp(type->enumerators[n].name, name))
						found = &type->enumerators[n];
			}
			vec_deinit(&all);
		}
		vec_deinit(&parts);
	}
	return found;
}

/* --- all --- */

static void check_fail(struct check_evaluator *e, const struct check_node *node, bool wrong,
                       char *problem);

/* Another module's variable, or a function's that is under way: main.x is not an expression, but x
   may be meant. */
static bool find_elsewhere(struct check_evaluator *e, const struct check_node *node,
                           const struct ctype **type, uint64_t *address)
{
	struct describe_place place;
	char *problem = describe_lookup(e->names, 0, node->name, &place);

	if (problem) {
		check_fail(e, node, true, str_format("%s %s", node->name, problem));
		free(problem);
		return false;
	}
	*type = ctype_strip(place.part.type);
	*address = place.address;
	return true;
}

/* A variable or an enumerator. */
static struct check_value check_find_name(struct check_evaluator *e, const struct check_node *node)
{
	const struct ctype *type = NULL;
	const struct ctype_enumerator *enumerator;
	uint64_t address = 0;

	for (uint32_t i = 0; i < e->known.size; i++)
		if (e->known.at[i].node == node)
			return value_of(e, e->known.at[i].type, e->known.at[i].place,
			                e->known.at[i].bits);
	if (find_variable(e, node->name, &type, &address))
		return value_of(e, type, true, address);
	enumerator = find_enumerator(e, node->name);
	if (enumerator) {
		bool is_int = enumerator->value == (int32_t)enumerator->value;

		return keep(e, node, &basics[is_int ? BASIC_INT : BASIC_LONG], false,
		            (uint64_t)enumerator->value);
	}
	if (find_elsewhere(e, node, &type, &address))
		return keep(e, node, type, true, address);
	return value_of(e, &basics[BASIC_INT], false, 0);
}

/* ------ what a C expression is where an execution stands ------ */

/* The first problem counts. Takes the text over. */
static void check_fail(struct check_evaluator *e, const struct check_node *node, bool wrong,
                       char *problem)
{
	if (e->problem || (e->sizing && !wrong)) {
		free(problem);
		return;
	}
	e->problem = problem;
	e->wrong = wrong;
	e->column = node->column;
}

/* What the value is in the run. A term that depends on what C does not define is a problem. */
static uint64_t check_actual(struct check_evaluator *e, term t)
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
	return (struct check_value){.type = &basics[BASIC_INT],
	                            .value = term_constant(e->terms, 32, 0)};
}

/* The expression is wrong. What is returned is of no use. */
static struct check_value __attribute__((format(printf, 3, 4)))
refuse(struct check_evaluator *e, const struct check_node *node, const char *format, ...)
{
	struct str why = STR_INIT;
	va_list args;

	va_start(args, format);
	str_vprintf(&why, format, args);
	va_end(args);
	check_fail(e, node, true, str_steal(&why));
	return none(e);
}

static struct check_value rvalue(const struct ctype *type, term value)
{
	return (struct check_value){.type = type, .value = value};
}

/* --- reading --- */

/* Bytes with who wrote them; elsewhere there would have been others. */
static term read_memory(struct check_evaluator *e, const struct check_value *v, uint32_t size)
{
	struct execution *now = names_execution(e->names);
	term bytes;

	if (e->sizing)
		return term_constant(e->terms, 8 * size, 0);
	if (!e->work) {
		struct memory *memory = execution_memory(names_execution(e->names));

		return term_constant(e->terms, 8 * size,
		                     memory_load(memory, v->address, size).bits);
	}
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
	if (v->address < VIOLATION_LOWEST) {
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

static struct check_value read_place(struct check_evaluator *e, const struct check_node *node,
                                     const struct check_value *v)
{
	struct str name GUARD(str_deinit) = STR_INIT;

	if (v->bit_size) {
		const struct ctype *type = check_promoted(v->type, v->bit_size);
		uint32_t size = (v->bit + v->bit_size + 7) / 8;
		term bits;

		if (size > 8)
			return refuse(e, node, "such a bit-field is not supported");
		if (!is_readable(e, node, v, size))
			return none(e);
		bits = term_extract(e->terms, read_memory(e, v, size), v->bit, v->bit_size);
		if (v->bit_size == 8 * type->size)
			return rvalue(type, bits);
		return rvalue(type, term_make(e->terms, v->type->is_signed ? TERM_SEXT : TERM_ZEXT,
		                              (uint32_t)(8 * type->size), bits, 0, 0));
	}
	if (v->type->kind == CTYPE_ARRAY)
		return rvalue(check_pointer_to(e->arena, v->type->target), v->at);
	if (check_is_integer(v->type) || check_is_real(v->type) || check_is_pointer(v->type)) {
		if (!is_readable(e, node, v, (uint32_t)v->type->size))
			return none(e);
		return rvalue(v->type, read_memory(e, v, (uint32_t)v->type->size));
	}
	ctype_name(v->type, &name);
	return refuse(e, node, "a value of type %s cannot be used here", str_text(&name));
}

static struct check_value check_evaluate(struct check_evaluator *e, const struct check_node *node);

static struct check_value check_scalar(struct check_evaluator *e, const struct check_node *node)
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
	                                                      : &basics[BASIC_VOID],
	                            .place = true,
	                            .address = check_actual(e, at),
	                            .at = at};
}

static struct check_value follow(struct check_evaluator *e, const struct check_node *node,
                                 struct check_value pointer)
{
	if (e->problem)
		return none(e);
	if (!check_is_pointer(pointer.type))
		return refuse(e, node, "what is no pointer is taken for one");
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

static struct check_value take_member(struct check_evaluator *e, const struct check_node *node,
                                      struct check_value of)
{
	const struct ctype_member *member;
	struct str known GUARD(str_deinit) = STR_INIT;
	uint64_t bit = 0;
	struct check_value v;

	if (e->problem)
		return none(e);
	if (!of.place || (of.type->kind != CTYPE_STRUCT && of.type->kind != CTYPE_UNION))
		return refuse(e, node, "'%s' is taken from a value that has no members",
		              node->name);
	if (!find_member(of.type, node->name, &bit, &member)) {
		for (uint32_t i = 0; i < of.type->member_count; i++)
			if (of.type->members[i].name)
				str_printf(&known, "%s%s", known.length ? ", " : "",
				           of.type->members[i].name);
		return refuse(e, node, "there is no member %s; there are: %s", node->name,
		              str_text(&known));
	}
	v = place_of(
		e, member->type,
		term_make(e->terms, TERM_ADD, 64, of.at, term_constant(e->terms, 64, bit / 8), 0));
	v.bit = (uint32_t)(bit % 8);
	v.bit_size = member->bit_size;
	return v;
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
	return rvalue(&basics[BASIC_UNSIGNED_LONG], term_constant(e->terms, 64, type->size));
}

/* --- what is not always evaluated --- */

static struct check_value truth_value(struct check_evaluator *e, term truth)
{
	return rvalue(&basics[BASIC_INT], term_make(e->terms, TERM_ZEXT, 32, truth, 0, 0));
}

static term check_is_true(struct check_evaluator *e, struct check_value v);

/* Is it true? One bit. */
static term check_truth(struct check_evaluator *e, const struct check_node *node)
{
	struct check_value v = check_scalar(e, node);

	return e->problem ? term_constant(e->terms, 1, 0) : check_is_true(e, v);
}

/* Forgets why a part could not be evaluated that the run would not have evaluated: it is anything. */
static bool forgive(struct check_evaluator *e)
{
	if (!e->problem || e->wrong)
		return false;
	free(e->problem);
	e->problem = NULL;
	return true;
}

/* a && b, a || b */
static struct check_value take_logic(struct check_evaluator *e, const struct check_node *node)
{
	bool both = node->op == CHECK_BOTH;
	term a = check_truth(e, node->a), b;
	bool decided = !e->problem && check_actual(e, a) != both;

	b = check_truth(e, node->b);
	if (decided && forgive(e))
		b = term_any(e->terms, 1);
	return truth_value(e, term_make(e->terms, both ? TERM_AND : TERM_OR, 1, a, b, 0));
}

static term check_convert(struct check_evaluator *e, struct check_value v, const struct ctype *to);

static struct check_value take_choice(struct check_evaluator *e, const struct check_node *node)
{
	term condition = check_truth(e, node->a);
	bool first = !e->problem && check_actual(e, condition);
	struct check_value b, c;
	const struct ctype *type;
	term x, y;

	b = check_scalar(e, node->b);
	if (!first && forgive(e))
		b.value = 0;
	c = check_scalar(e, node->c);
	if (first && forgive(e))
		c.value = 0;
	if (e->problem)
		return none(e);
	if (check_is_pointer(b.type) || check_is_pointer(c.type))
		type = check_is_pointer(b.type) ? b.type : c.type;
	else
		type = check_common(check_promoted(b.type, 0), check_promoted(c.type, 0));
	x = b.value ? check_convert(e, b, type) : term_any(e->terms, (uint32_t)(8 * type->size));
	y = c.value ? check_convert(e, c, type) : term_any(e->terms, (uint32_t)(8 * type->size));
	return rvalue(type, term_make(e->terms, TERM_CHOICE, (uint32_t)(8 * type->size), condition,
	                              x, y));
}

/* --- all --- */

static struct check_value check_apply(struct check_evaluator *e, const struct check_node *node,
                                      struct check_value a, struct check_value b);

/* The node as it is, and as a number or pointer. After a problem what they give is of no use. */
static struct check_value check_evaluate(struct check_evaluator *e, const struct check_node *node)
{
	struct check_value a, b = {0};

	if (e->problem)
		return none(e);
	switch (node->op) {
	case CHECK_NUMBER:
		return rvalue(node->type, term_constant(e->terms, (uint32_t)(8 * node->type->size),
		                                        node->bits));
	case CHECK_NAME: return check_find_name(e, node);
	case CHECK_MEMBER: return take_member(e, node, check_evaluate(e, node->a));
	case CHECK_ARROW: return take_member(e, node, follow(e, node, check_scalar(e, node->a)));
	case CHECK_INDEX: {
		struct check_node sum = {
			.op = CHECK_ADD, .a = node->a, .b = node->b, .column = node->column};

		return follow(e, node, check_scalar(e, &sum));
	}
	case CHECK_TARGET: return follow(e, node, check_scalar(e, node->a));
	case CHECK_ADDRESS:
		a = check_evaluate(e, node->a);
		if (!e->problem && (!a.place || a.bit_size))
			return refuse(e, node, "this has no address");
		return e->problem ? none(e) : rvalue(check_pointer_to(e->arena, a.type), a.at);
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

/* ------ operators of C on terms ------ */

static uint32_t bits_of(const struct ctype *type)
{
	return (uint32_t)(8 * type->size);
}

static bool is_signed(const struct ctype *type)
{
	return check_is_integer(type) && type->kind != CTYPE_BOOL && type->is_signed;
}

/* --- conversions --- */

static term resize(struct check_evaluator *e, term t, bool sign, uint32_t to)
{
	uint32_t from = term_at(e->terms, t)->bits;

	if (from == to)
		return t;
	if (from > to)
		return term_extract(e->terms, t, 0, to);
	return term_make(e->terms, sign ? TERM_SEXT : TERM_ZEXT, to, t, 0, 0);
}

static term check_is_true(struct check_evaluator *e, struct check_value v)
{
	term zero = term_constant(e->terms, bits_of(v.type), 0);
	enum term_op op = check_is_real(v.type) ? TERM_FEQ : TERM_EQ;

	return term_not(e->terms, term_make(e->terms, op, 1, v.value, zero, 0));
}

static term check_convert(struct check_evaluator *e, struct check_value v, const struct ctype *to)
{
	bool from_real = check_is_real(v.type), to_real = check_is_real(to);

	if (to->kind == CTYPE_BOOL)
		return resize(e, check_is_true(e, v), false, 8);
	if (from_real && to_real)
		return v.type->size == to->size
		               ? v.value
		               : term_make(e->terms, TERM_RESIZE, bits_of(to), v.value, 0, 0);
	if (from_real) {
		uint32_t bits = bits_of(to) < 32 ? 32 : bits_of(to);
		bool sign = is_signed(to) || bits_of(to) < 32;

		/* A small integer is one of int first: what does not fit into it is not defined then. */
		return resize(e,
		              term_make(e->terms, sign ? TERM_TO_SIGNED : TERM_TO_UNSIGNED, bits,
		                        v.value, 0, 0),
		              false, bits_of(to));
	}
	if (to_real)
		return term_make(e->terms,
		                 is_signed(v.type) ? TERM_FROM_SIGNED : TERM_FROM_UNSIGNED,
		                 bits_of(to),
		                 resize(e, v.value, is_signed(v.type),
		                        v.type->size < 4 ? 32 : bits_of(v.type)),
		                 0, 0);
	return resize(e, v.value, is_signed(v.type), bits_of(to));
}

static struct check_value promote(struct check_evaluator *e, struct check_value v)
{
	const struct ctype *type = check_promoted(v.type, 0);

	return rvalue(type, check_convert(e, v, type));
}

/* --- pointers --- */

/* Bytes of what it points to; 0: not known. */
static uint64_t step_of(const struct ctype *pointer)
{
	const struct ctype *target = ctype_strip(pointer->target);

	if (!target || target->kind == CTYPE_VOID || target->kind == CTYPE_FUNCTION)
		return 1;
	return target->size;
}

static struct check_value move(struct check_evaluator *e, const struct check_node *node,
                               struct check_value pointer, struct check_value by, enum term_op op)
{
	uint64_t step = step_of(pointer.type);
	term distance;

	if (!check_is_integer(by.type))
		return refuse(e, node, "a pointer is moved by what is no integer");
	if (!step)
		return refuse(e, node, "the size of what the pointer points to is not known");
	distance = term_make(e->terms, TERM_MUL, 64, resize(e, by.value, is_signed(by.type), 64),
	                     term_constant(e->terms, 64, step), 0);
	return rvalue(pointer.type, term_make(e->terms, op, 64, pointer.value, distance, 0));
}

static struct check_value distance(struct check_evaluator *e, const struct check_node *node,
                                   struct check_value a, struct check_value b)
{
	uint64_t step = step_of(a.type);
	term bytes = term_make(e->terms, TERM_SUB, 64, a.value, b.value, 0);

	if (!step || step_of(b.type) != step)
		return refuse(e, node, "the pointers are of different types");
	return rvalue(&basics[BASIC_LONG], term_make(e->terms, TERM_SDIV, 64, bytes,
	                                             term_constant(e->terms, 64, step), 0));
}

static struct check_value compare(struct check_evaluator *e, const struct check_node *node,
                                  const struct ctype *type, term a, term b)
{
	bool real = check_is_real(type), sign = is_signed(type);
	enum term_op less = real ? TERM_FLT : sign ? TERM_SLT : TERM_ULT;
	enum term_op least = real ? TERM_FLE : sign ? TERM_SLE : TERM_ULE;
	enum term_op equal = real ? TERM_FEQ : TERM_EQ;

	switch (node->op) {
	case CHECK_LT: return truth_value(e, term_make(e->terms, less, 1, a, b, 0));
	case CHECK_LE: return truth_value(e, term_make(e->terms, least, 1, a, b, 0));
	case CHECK_GT: return truth_value(e, term_make(e->terms, less, 1, b, a, 0));
	case CHECK_GE: return truth_value(e, term_make(e->terms, least, 1, b, a, 0));
	case CHECK_EQ: return truth_value(e, term_make(e->terms, equal, 1, a, b, 0));
	default: return truth_value(e, term_not(e->terms, term_make(e->terms, equal, 1, a, b, 0)));
	}
}

static bool compares(enum check_op op)
{
	return op >= CHECK_LT && op <= CHECK_NE;
}

static struct check_value apply_pointers(struct check_evaluator *e, const struct check_node *node,
                                         struct check_value a, struct check_value b)
{
	const struct ctype *type = check_is_pointer(a.type) ? a.type : b.type;
	bool two = check_is_pointer(a.type) && check_is_pointer(b.type);

	if (compares(node->op) && !check_is_real(a.type) && !check_is_real(b.type))
		return compare(e, node, type, resize(e, a.value, is_signed(a.type), 64),
		               resize(e, b.value, is_signed(b.type), 64));
	if (node->op == CHECK_SUB && two)
		return distance(e, node, a, b);
	if (node->op == CHECK_SUB && check_is_pointer(a.type))
		return move(e, node, a, b, TERM_SUB);
	if (node->op == CHECK_ADD && !two)
		return check_is_pointer(a.type) ? move(e, node, a, b, TERM_ADD)
		                                : move(e, node, b, a, TERM_ADD);
	return refuse(e, node, "this cannot be done with a pointer");
}

/* --- numbers --- */

/* The type is that of the left side alone. */
static struct check_value shift(struct check_evaluator *e, const struct check_node *node,
                                struct check_value a, struct check_value b)
{
	uint32_t bits = bits_of(a.type);
	enum term_op op = node->op == CHECK_SHL ? TERM_SHL
	                  : is_signed(a.type)   ? TERM_ASHR
	                                        : TERM_LSHR;

	if (check_actual(e, b.value) >= bits)
		check_fail(e, node, false, str_format("something is shifted too far"));
	return rvalue(a.type,
	              term_make(e->terms, op, bits, a.value, resize(e, b.value, false, bits), 0));
}

static struct check_value apply_binary(struct check_evaluator *e, const struct check_node *node,
                                       struct check_value a, struct check_value b)
{
	const struct ctype *type;
	enum term_op op;
	term x, y;

	if (check_is_pointer(a.type) || check_is_pointer(b.type))
		return apply_pointers(e, node, a, b);
	a = promote(e, a);
	b = promote(e, b);
	if (node->op == CHECK_SHL || node->op == CHECK_SHR) {
		if (check_is_real(a.type) || check_is_real(b.type))
			return refuse(e, node, "this cannot be done with floating point");
		return shift(e, node, a, b);
	}
	type = check_common(a.type, b.type);
	x = check_convert(e, a, type);
	y = check_convert(e, b, type);
	if (compares(node->op))
		return compare(e, node, type, x, y);
	op = check_is_real(type) ? arithmetic[node->op].real
	     : is_signed(type)   ? arithmetic[node->op].with_sign
	                         : arithmetic[node->op].without_sign;
	if (!op)
		return refuse(e, node, "this cannot be done with floating point");
	if ((node->op == CHECK_DIV || node->op == CHECK_REM) && !check_is_real(type) &&
	    !check_actual(e, y))
		check_fail(e, node, false, str_format("something is divided by 0"));
	return rvalue(type, term_make(e->terms, op, bits_of(type), x, y, 0));
}

/* --- one operand --- */

static struct check_value check_apply(struct check_evaluator *e, const struct check_node *node,
                                      struct check_value a, struct check_value b)
{
	if (node->op == CHECK_NOT)
		return truth_value(e, term_not(e->terms, check_is_true(e, a)));
	if (node->op == CHECK_CAST) {
		if (node->type->kind == CTYPE_VOID)
			return refuse(e, node, "void has no value");
		if ((check_is_pointer(a.type) && check_is_real(node->type)) ||
		    (check_is_real(a.type) && check_is_pointer(node->type)))
			return refuse(e, node, "this cannot be done with a pointer");
		return rvalue(node->type, check_convert(e, a, node->type));
	}
	if (node->b)
		return apply_binary(e, node, a, b);
	if (check_is_pointer(a.type))
		return refuse(e, node, "this cannot be done with a pointer");
	a = promote(e, a);
	if (node->op == CHECK_PLUS)
		return a;
	if (node->op == CHECK_MINUS) {
		uint32_t bits = bits_of(a.type);
		term top = term_constant(e->terms, bits, 1ull << (bits - 1));

		if (check_is_real(a.type))
			return rvalue(a.type, term_make(e->terms, TERM_XOR, bits, a.value, top, 0));
		return rvalue(a.type, term_make(e->terms, TERM_SUB, bits,
		                                term_constant(e->terms, bits, 0), a.value, 0));
	}
	if (check_is_real(a.type))
		return refuse(e, node, "this cannot be done with floating point");
	return rvalue(a.type, term_not(e->terms, a.value));
}

/* ------ tokens of a C expression ------ */

/* --- numbers --- */

static char *take_real(const char *text, size_t length, struct check_token *out)
{
	char last = text[length - 1], *end;
	double value = strtod(text, &end);
	float single = strtof(text, NULL);
	uint32_t bits;

	if (end == text + length) {
		out->type = &basics[BASIC_DOUBLE];
		memcpy(&out->bits, &value, sizeof(value));
		return NULL;
	}
	if (end + 1 != text + length || (last != 'f' && last != 'F'))
		return str_format("'%.*s' is no number%s", (int)length, text,
		                  end + 1 == text + length && strchr("lL", last)
		                          ? " that is supported (long double)"
		                          : "");
	out->type = &basics[BASIC_FLOAT];
	memcpy(&bits, &single, sizeof(bits));
	out->bits = bits;
	return NULL;
}

/* The type of an integer follows from its value, its base and its suffix. */
static char *take_integer(const char *text, size_t length, struct check_token *out)
{
	static const char *const suffixes[] = {"", "u", "l", "ul", "lu", "ll", "ull", "llu"};
	bool binary = length > 2 && text[0] == '0' && tolower(text[1]) == 'b';
	bool is_unsigned = false, is_long = false, known = false;
	enum check_basic type = BASIC_UNSIGNED_LONG;
	char *end;

	errno = 0;
	out->bits = binary ? strtoull(text + 2, &end, 2) : strtoull(text, &end, 0);
	if (errno)
		return str_format("'%.*s' is too large", (int)length, text);
	for (uint32_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		known |= end <= text + length &&
		         strlen(suffixes[i]) == (size_t)(text + length - end) &&
		         !strncasecmp(end, suffixes[i], strlen(suffixes[i]));
	if (!known)
		return str_format("'%.*s' is no number", (int)length, text);
	for (; end < text + length; end++) {
		is_unsigned |= tolower(*end) == 'u';
		is_long |= tolower(*end) == 'l';
	}
	if (!is_long && !is_unsigned && out->bits <= INT32_MAX)
		type = BASIC_INT;
	else if (!is_long && (is_unsigned || text[0] == '0') && out->bits <= UINT32_MAX)
		type = BASIC_UNSIGNED;
	else if (!is_unsigned && out->bits <= INT64_MAX)
		type = BASIC_LONG;
	out->type = &basics[type];
	return NULL;
}

static char *take_number(const char *text, struct check_token *out)
{
	bool hexadecimal = text[0] == '0' && tolower(text[1]) == 'x', real = false;
	size_t length = 0;

	for (;; length++) {
		char c = text[length], before = length ? (char)tolower(text[length - 1]) : 0;
		bool exponent = before == (hexadecimal ? 'p' : 'e');

		if ((c == '+' || c == '-') && exponent)
			continue;
		if (!isalnum((unsigned char)c) && c != '.' && c != '_')
			break;
		real |= c == '.' || tolower(c) == 'p' || (!hexadecimal && tolower(c) == 'e');
	}
	out->length = length;
	return real ? take_real(text, length, out) : take_integer(text, length, out);
}

/* --- characters --- */

static bool take_escape(const char **at, uint64_t *value)
{
	static const char letters[] = "abfnrtv\\'\"?e", values[] = "\a\b\f\n\r\t\v\\'\"?\33";
	const char *found = **at ? strchr(letters, **at) : NULL;
	char *end;

	if (found) {
		*value = (uint8_t)values[found - letters];
		++*at;
		return true;
	}
	if (**at == 'x' && isxdigit((unsigned char)(*at)[1])) {
		*value = strtoul(*at + 1, &end, 16);
		*at = end;
		return *value <= 0xff;
	}
	if (**at < '0' || **at > '7')
		return false;
	*value = 0;
	for (int i = 0; i < 3 && **at >= '0' && **at <= '7'; i++)
		*value = 8 * *value + (uint64_t)(*(*at)++ - '0');
	return *value <= 0xff;
}

static char *take_character(const char *text, struct check_token *out)
{
	const char *at = text + 1;
	uint64_t value = 0;
	bool good;

	if (*at == '\\') {
		at++;
		good = take_escape(&at, &value);
	} else {
		good = *at && *at != '\'' && *at != '\n';
		value = (uint8_t)*at;
		at += good;
	}
	if (!good || *at != '\'')
		return str_format("a character between ' and ' is wrong");
	out->length = (size_t)(at + 1 - text);
	out->type = &basics[BASIC_INT];
	out->bits = (uint32_t)(int8_t)value;
	return NULL;
}

/* --- all --- */

/* The first token of the text; what is wrong with it, in words, or NULL. Caller frees with
   free(). */
static char *check_token(const char *text, struct check_token *out)
{
	static const char *const pairs[] = {"->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};

	while (isspace((unsigned char)*text))
		text++;
	*out = (struct check_token){.text = text};
	if (!*text)
		return NULL;
	if (isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1]))) {
		out->kind = TOKEN_NUMBER;
		return take_number(text, out);
	}
	if (*text == '\'') {
		out->kind = TOKEN_NUMBER;
		return take_character(text, out);
	}
	if (isalpha((unsigned char)*text) || *text == '_') {
		out->kind = TOKEN_NAME;
		while (isalnum((unsigned char)text[out->length]) || text[out->length] == '_')
			out->length++;
		return NULL;
	}
	out->kind = TOKEN_OPERATOR;
	out->length = strchr("()[].*&+-!~/%<>^|?:", *text) ? 1 : 0;
	for (uint32_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (!strncmp(text, pairs[i], 2))
			out->length = 2;
	if (out->length)
		return NULL;
	if (*text == '"')
		return str_format(
			"strings cannot be compared; compare characters, as in s[0] == 'a'");
	if (*text == '=')
		return str_format("= changes something; to compare write ==");
	return str_format("'%c' has no place in a condition", *text);
}

/* ------ a C expression as a tree ------ */

#define DEEPEST 200u

struct parser {
	const char *text;
	struct arena *arena;
	struct check_token token; /* the next */
	char *problem;            /* NULL: none yet */
	unsigned column;          /* of it */
	uint32_t depth;
};

static void fail_at(struct parser *p, const char *at, char *problem)
{
	if (p->problem) {
		free(problem);
		return;
	}
	p->problem = problem;
	p->column = (unsigned)(at - p->text) + 1;
}

static void fail(struct parser *p, char *problem)
{
	fail_at(p, p->token.text, problem);
}

static void advance(struct parser *p)
{
	const char *at = p->token.text ? p->token.text + p->token.length : p->text;
	char *problem = check_token(at, &p->token);

	if (problem) {
		fail(p, problem);
		p->token = (struct check_token){.text = at + strlen(at)};
	}
}

static bool is_operator(const struct parser *p, const char *operator_)
{
	return p->token.kind == TOKEN_OPERATOR && strlen(operator_) == p->token.length &&
	       !memcmp(p->token.text, operator_, p->token.length);
}

static bool is_word(const struct parser *p, const char *word)
{
	return p->token.kind == TOKEN_NAME && strlen(word) == p->token.length &&
	       !memcmp(p->token.text, word, p->token.length);
}

static bool accept(struct parser *p, const char *operator_)
{
	bool is = is_operator(p, operator_);

	if (is)
		advance(p);
	return is;
}

static void expect(struct parser *p, const char *operator_)
{
	if (accept(p, operator_))
		return;
	if (p->token.kind == TOKEN_END)
		fail(p, str_format("'%s' is missing at the end", operator_));
	else
		fail(p, str_format("'%s' is missing before '%s'", operator_, p->token.text));
}

static struct check_node *make(struct parser *p, enum check_op op, const struct check_node *a,
                               const struct check_node *b)
{
	struct check_node *node = arena_new(p->arena, struct check_node);

	*node = (struct check_node){
		.op = op, .a = a, .b = b, .column = (unsigned)(p->token.text - p->text) + 1};
	return node;
}

static struct check_node *number(struct parser *p, const struct ctype *type, uint64_t bits)
{
	struct check_node *node = make(p, CHECK_NUMBER, NULL, NULL);

	node->type = type;
	node->bits = bits;
	return node;
}

static const struct check_node *parse_choice(struct parser *p);
static const struct check_node *parse_unary(struct parser *p);

/* --- names of types --- */

static const char *const type_words[] = {"void",  "char",   "short",    "int",    "long",
                                         "float", "double", "unsigned", "signed", "_Bool",
                                         "bool",  "const",  "volatile"};

enum type_word {
	WORD_VOID,
	WORD_CHAR,
	WORD_SHORT,
	WORD_INT,
	WORD_LONG,
	WORD_FLOAT,
	WORD_DOUBLE,
	WORD_UNSIGNED,
	WORD_SIGNED,
	WORD_BOOL,
	WORD_BOOL_TOO,
	WORDS = sizeof(type_words) / sizeof(*type_words),
};

static bool begins_type(const struct parser *p)
{
	if (p->token.kind != TOKEN_NAME)
		return false;
	for (uint32_t i = 0; i < WORDS; i++)
		if (is_word(p, type_words[i]))
			return true;
	return is_word(p, "struct") || is_word(p, "union") || is_word(p, "enum") ||
	       check_usual_name(p->token.text, p->token.length);
}

/* The type that counts of each word stand for; NULL: none. */
static const struct ctype *combine(const uint32_t *count)
{
	bool is_unsigned = count[WORD_UNSIGNED];

	if (count[WORD_VOID])
		return &basics[BASIC_VOID];
	if (count[WORD_BOOL] || count[WORD_BOOL_TOO])
		return &basics[BASIC_BOOL];
	if (count[WORD_FLOAT])
		return &basics[BASIC_FLOAT];
	if (count[WORD_DOUBLE])
		return count[WORD_LONG] ? NULL : &basics[BASIC_DOUBLE];
	if (count[WORD_CHAR])
		return &basics[is_unsigned          ? BASIC_UNSIGNED_CHAR
		               : count[WORD_SIGNED] ? BASIC_SIGNED_CHAR
		                                    : BASIC_CHAR];
	if (count[WORD_SHORT])
		return &basics[is_unsigned ? BASIC_UNSIGNED_SHORT : BASIC_SHORT];
	if (count[WORD_LONG])
		return &basics[is_unsigned ? BASIC_UNSIGNED_LONG : BASIC_LONG];
	return &basics[is_unsigned ? BASIC_UNSIGNED : BASIC_INT];
}

static const struct ctype *parse_words(struct parser *p)
{
	const struct ctype *type = check_usual_name(p->token.text, p->token.length);
	uint32_t count[WORDS] = {0};

	if (type) {
		advance(p);
		return type;
	}
	for (bool found = true; found;) {
		found = false;
		for (uint32_t i = 0; i < WORDS && !found; i++)
			if (is_word(p, type_words[i])) {
				count[i]++;
				found = true;
				advance(p);
			}
	}
	type = combine(count);
	if (!type)
		fail(p, str_format("long double is not supported"));
	return type;
}

static const struct ctype *parse_type(struct parser *p)
{
	const struct ctype *type;

	if (is_word(p, "struct") || is_word(p, "union") || is_word(p, "enum")) {
		fail(p, str_format("a type here must be one of C's own; for the size of a "
		                   "structure name a variable: sizeof(x), sizeof(*p)"));
		return &basics[BASIC_INT];
	}
	type = parse_words(p);
	while (accept(p, "*"))
		type = check_pointer_to(p->arena, type);
	return type;
}

/* --- expressions --- */

static const struct check_node *parse_word(struct parser *p)
{
	struct check_node *node;

	if (is_word(p, "NULL"))
		node = number(p, check_pointer_to(p->arena, &basics[BASIC_VOID]), 0);
	else if (is_word(p, "true") || is_word(p, "false"))
		node = number(p, &basics[BASIC_INT], is_word(p, "true"));
	else
		node = make(p, CHECK_NAME, NULL, NULL);
	node->name = arena_strndup(p->arena, p->token.text, p->token.length);
	advance(p);
	return node;
}

static const struct check_node *parse_primary(struct parser *p)
{
	const struct check_node *node;

	switch (p->token.kind) {
	case TOKEN_NUMBER:
		node = number(p, p->token.type, p->token.bits);
		((struct check_node *)node)->name =
			arena_strndup(p->arena, p->token.text, p->token.length);
		advance(p);
		return node;
	case TOKEN_NAME: return parse_word(p);
	case TOKEN_END: fail(p, str_format("it ends where a value should come")); break;
	default:
		if (accept(p, "(")) {
			node = parse_choice(p);
			expect(p, ")");
			return node;
		}
		fail(p, str_format("a value should come before '%s'", p->token.text));
	}
	return number(p, &basics[BASIC_INT], 0);
}

static const struct check_node *parse_member(struct parser *p, enum check_op op,
                                             const struct check_node *of)
{
	struct check_node *node = make(p, op, of, NULL);

	advance(p);
	if (p->token.kind != TOKEN_NAME) {
		fail(p, str_format("the name of a member should come"));
		return of;
	}
	node->name = arena_strndup(p->arena, p->token.text, p->token.length);
	advance(p);
	return node;
}

static const struct check_node *parse_postfix(struct parser *p)
{
	const struct check_node *node = parse_primary(p);

	while (!p->problem) {
		if (is_operator(p, ".")) {
			node = parse_member(p, CHECK_MEMBER, node);
		} else if (is_operator(p, "->")) {
			node = parse_member(p, CHECK_ARROW, node);
		} else if (is_operator(p, "[")) {
			struct check_node *index = make(p, CHECK_INDEX, node, NULL);

			advance(p);
			index->b = parse_choice(p);
			expect(p, "]");
			node = index;
		} else if (is_operator(p, "(")) {
			fail(p, str_format("functions cannot be called in a condition"));
		} else {
			break;
		}
	}
	return node;
}

static const struct check_node *parse_unary(struct parser *p);

static const struct check_node *parse_sizeof(struct parser *p)
{
	struct check_node *node = make(p, CHECK_SIZEOF, NULL, NULL);
	struct parser before;

	advance(p);
	before = *p;
	if (accept(p, "(") && begins_type(p)) {
		node->op = CHECK_SIZEOF_TYPE;
		node->type = parse_type(p);
		expect(p, ")");
		return node;
	}
	if (!p->problem)
		*p = before;
	node->a = parse_unary(p);
	return node;
}

/* A cast, or what is in parentheses. */
static const struct check_node *parse_parentheses(struct parser *p)
{
	struct check_node *node = make(p, CHECK_CAST, NULL, NULL);
	struct parser before = *p;

	advance(p);
	if (!begins_type(p)) {
		if (!p->problem)
			*p = before;
		return parse_postfix(p);
	}
	node->type = parse_type(p);
	expect(p, ")");
	node->a = parse_unary(p);
	return node;
}

static const struct check_node *parse_operand(struct parser *p)
{
	for (enum check_op op = CHECK_TARGET; op <= CHECK_COMPLEMENT; op++) {
		struct check_node *node;

		if (!is_operator(p, operators[op].text))
			continue;
		node = make(p, op, NULL, NULL);
		advance(p);
		node->a = parse_unary(p);
		return node;
	}
	if (is_word(p, "sizeof"))
		return parse_sizeof(p);
	return is_operator(p, "(") ? parse_parentheses(p) : parse_postfix(p);
}

/* Goes one level deeper; false: too deep. */
static bool descend(struct parser *p)
{
	if (++p->depth > DEEPEST)
		fail(p, str_format("it is nested too deeply"));
	return !p->problem;
}

static const struct check_node *parse_unary(struct parser *p)
{
	const struct check_node *node = NULL;

	if (descend(p))
		node = parse_operand(p);
	p->depth--;
	return node ? node : number(p, &basics[BASIC_INT], 0);
}

/* Operators of this level and tighter ones. */
static const struct check_node *parse_binary(struct parser *p, int level)
{
	const struct check_node *left = parse_unary(p);
	bool found = true;

	while (found && !p->problem) {
		found = false;
		for (enum check_op op = CHECK_MUL; op <= CHECK_EITHER && !found; op++) {
			struct check_node *node;

			if (operators[op].level < level || !is_operator(p, operators[op].text))
				continue;
			found = true;
			node = make(p, op, left, NULL);
			advance(p);
			node->b = parse_binary(p, operators[op].level + 1);
			left = node;
		}
	}
	return left;
}

static const struct check_node *parse_choice(struct parser *p)
{
	const struct check_node *condition;
	struct check_node *node = NULL;

	if (!descend(p))
		return number(p, &basics[BASIC_INT], 0);
	condition = parse_binary(p, 1);
	if (is_operator(p, "?")) {
		node = make(p, CHECK_CHOICE, condition, NULL);
		advance(p);
		node->b = parse_choice(p);
		expect(p, ":");
		node->c = parse_choice(p);
	}
	p->depth--;
	return node ? node : condition;
}

/* The expression as a tree, valid until the arena is freed, as long as the text. The error says
   what is wrong, and at which column. */
static struct hence_error *check_parse(const char *text, struct arena *arena,
                                       const struct check_node **out)
{
	struct parser p = {.text = text, .arena = arena};
	const struct check_node *root;
	struct hence_error *error;

	advance(&p);
	root = parse_choice(&p);
	if (p.token.kind != TOKEN_END)
		fail(&p, str_format("what follows from '%s' on is too much", p.token.text));
	if (!p.problem) {
		*out = root;
		return NULL;
	}
	error = error_create(HENCE_ERROR_INPUT, "the condition '%s' does not parse: column %u: %s",
	                     text, p.column, p.problem);
	free(p.problem);
	return error;
}

/* ------ a C expression with values ------ */

#define LONGEST 40u /* characters of a value */

static int level_of(const struct check_node *node)
{
	return operators[node->op].text ? operators[node->op].level : 12;
}

/* What lies in memory, and what is made of it in ways that no number shows. */
static void print_leaf(struct check_evaluator *e, const struct check_node *node, struct str *out)
{
	struct check_value v = check_scalar(e, node);
	struct ctype_part part = {.type = v.type};
	uint64_t bits;

	if (e->problem) {
		free(e->problem);
		e->problem = NULL;
		str_add(out, "...");
		return;
	}
	bits = check_actual(e, v.value);
	if (v.type->kind == CTYPE_CHAR && bits >= ' ' && bits < 127)
		str_printf(out, "'%s%c'", bits == '\'' || bits == '\\' ? "\\" : "", (char)bits);
	else if (v.type->kind == CTYPE_CHAR)
		str_printf(out, "%d", v.type->is_signed ? (int8_t)bits : (int)(uint8_t)bits);
	else
		names_print(e->names, &part, (const uint8_t *)&bits, NULL, v.type->size, 0, LONGEST,
		            out);
}

static void check_print(struct check_evaluator *e, const struct check_node *node, struct str *out);

static void print_part(struct check_evaluator *e, const struct check_node *node, int level,
                       struct str *out)
{
	bool wrapped = level_of(node) < level;

	if (wrapped)
		str_add_char(out, '(');
	check_print(e, node, out);
	if (wrapped)
		str_add_char(out, ')');
}

/* Appends the expression with values in place of what lies in memory. */
static void check_print(struct check_evaluator *e, const struct check_node *node, struct str *out)
{
	int level = level_of(node);

	switch (node->op) {
	case CHECK_NUMBER: str_add(out, node->name ? node->name : "0"); return;
	case CHECK_NAME:
	case CHECK_MEMBER:
	case CHECK_ARROW:
	case CHECK_INDEX:
	case CHECK_TARGET:
	case CHECK_ADDRESS:
	case CHECK_CAST:
	case CHECK_SIZEOF:
	case CHECK_SIZEOF_TYPE: print_leaf(e, node, out); return;
	default: break;
	}
	if (node->b)
		print_part(e, node->a, node->op == CHECK_CHOICE ? level + 1 : level, out);
	str_printf(out, node->b ? " %s " : "%s", operators[node->op].text);
	print_part(e, node->b ? node->b : node->a, level + (node->b ? 1 : 0), out);
	if (!node->c)
		return;
	str_add(out, " : ");
	print_part(e, node->c, level, out);
}

/* ------ the whole ------ */

#define ANEW 4096u /* terms after which those of single evaluations are dropped */

/* --- the text --- */

void violation_check_deinit(struct violation_check *check)
{
	free(check->file);
	free(check->expression);
	*check = (struct violation_check){0};
}

/* FILE:LINE: in front; NULL: there is no such thing, or the line is no number. */
static const char *find_line(const char *text, unsigned *line)
{
	for (const char *at = strchr(text, ':'); at && at > text; at = strchr(at + 1, ':')) {
		const char *digits = at + 1 + strspn(at + 1, " ");
		size_t length = strspn(digits, "0123456789");
		const char *behind = digits + length + strspn(digits + length, " ");

		if (!length || length > 7 || *behind != ':')
			continue;
		*line = (unsigned)strtoul(digits, NULL, 10);
		return at;
	}
	return NULL;
}

struct hence_error *violation_check_parse(const char *text, struct violation_check *out)
{
	struct arena arena = ARENA_INIT;
	const struct check_node *root;
	struct hence_error *error;
	const char *expression;
	unsigned line = 0;
	const char *file = find_line(text, &line);

	if (!file || !line)
		return error_create(HENCE_ERROR_INPUT,
		                    "'%s' is not FILE:LINE: CONDITION, as in 'list.c:12: n >= 0'",
		                    text);
	expression = strchr(file + 1, ':') + 1;
	while (isspace((unsigned char)*expression))
		expression++;
	error = check_parse(expression, &arena, &root);
	arena_deinit(&arena);
	if (error)
		return error;
	*out = (struct violation_check){.file = mem_strndup(text, (size_t)(file - text)),
	                                .line = line,
	                                .expression = mem_strdup(expression)};
	return NULL;
}

/* --- the first time that it is false --- */

enum answer {
	UNKNOWN,
	ELSEWHERE,
	HERE,
};

struct check_search {
	struct watch watch;
	struct violation_work *work;
	const struct check_node *root;
	struct arena arena;     /* of the tree */
	struct arena temporary; /* types, of an evaluation */
	struct terms *constants;
	struct check_evaluator evaluator;
	VEC(uint8_t) answers; /* enum answer, of the first instruction of a statement */
	uint64_t evaluated, skipped;
	char *why; /* it was skipped, the first time */
	struct hence_error *error;
	bool found;
};

/* The instruction that ends the statement which begins at the program counter. */
static uint32_t end_of_statement(const struct activation *a)
{
	uint32_t pc = a->pc;

	while (pc + 1 < a->function->size && !(a->function->insns[pc].flags & CODE_STATEMENT))
		pc++;
	return pc;
}

static bool is_here(struct check_search *s, const struct activation *a)
{
	const struct violation_check *check = s->work->question->check;
	uint32_t code = a->function->first + a->pc;

	while (s->answers.size <= code)
		*vec_push(&s->answers) = UNKNOWN;
	if (s->answers.at[code] == UNKNOWN) {
		struct walk_place place =
			names_place(s->watch.names, a->function->first + end_of_statement(a));

		s->answers.at[code] = place.file && place.line == check->line &&
		                                      describe_is_file(place.file, check->file)
		                              ? HERE
		                              : ELSEWHERE;
	}
	return s->answers.at[code] == HERE;
}

/* It is false now: the same once more, as a claim about those who wrote what it reads. */
static void take(struct check_search *s, const struct activation *a)
{
	struct violation_work *w = s->work;
	uint32_t instance = execution_next(s->watch.e);
	term claim;

	s->found = true;
	violation_set_place(w->out, s->watch.names, a->function->first + end_of_statement(a),
	                    execution_statements(s->watch.e) + 1);
	str_add(&w->out->wanted, w->question->check->expression);
	check_print(&s->evaluator, s->root, &w->out->numbers);
	str_printf(&w->out->what, "%s does not hold", w->question->check->expression);
	if (s->evaluated == 2)
		str_add(&w->out->what, ": the first time, after it held once");
	else if (s->evaluated > 2)
		str_printf(&w->out->what, ": the first time, after it held %llu times",
		           (unsigned long long)(s->evaluated - 1));
	if (!violation_is_kept(w, instance)) {
		s->error = error_create(HENCE_ERROR_INPUT,
		                        "the condition is false for the first time in "
		                        "a part of the run that could not be kept");
		return;
	}
	s->evaluator.terms = w->terms;
	s->evaluator.work = w;
	claim = check_truth(&s->evaluator, s->root);
	violation_set_claim(w, instance, s->evaluator.problem ? 0 : claim);
}

static void evaluate(struct check_search *s, const struct activation *a)
{
	const struct violation_check *check = s->work->question->check;
	bool truth;

	s->evaluator.names = s->watch.names;
	s->evaluator.a = a;
	s->evaluator.where = a->function->instructions[end_of_statement(a)];
	s->evaluator.arena = &s->temporary;
	if (terms_count(s->constants) > ANEW) {
		terms_release(s->constants, 1);
		arena_deinit(&s->temporary);
	}
	s->evaluator.terms = s->constants;
	s->evaluator.work = NULL;
	truth = check_actual(&s->evaluator, check_truth(&s->evaluator, s->root));
	if (s->evaluator.problem && s->evaluator.wrong) {
		s->error = error_create(HENCE_ERROR_INPUT,
		                        "the condition '%s' at %s:%u: column %u: %s",
		                        check->expression, check->file, check->line,
		                        s->evaluator.column, s->evaluator.problem);
	} else if (s->evaluator.problem) {
		s->skipped++;
		if (!s->why) {
			s->why = s->evaluator.problem;
			s->evaluator.problem = NULL;
		}
	} else {
		s->evaluated++;
		if (!truth)
			take(s, a);
	}
	free(s->evaluator.problem);
	s->evaluator.problem = NULL;
	if (s->found || s->error)
		watch_halt(&s->watch);
}

static void on_statement(struct watch *watch, enum execution_event event)
{
	struct check_search *s = (struct check_search *)watch;
	const struct activation *a = execution_top(watch->e, 0);

	if (event == EXECUTION_BEGINS && a && !s->found && !s->error && is_here(s, a))
		evaluate(s, a);
}

/* --- what comes of it --- */

static struct hence_error *finish(struct watch *watch)
{
	struct check_search *s = (struct check_search *)watch;
	const struct violation_check *check = s->work->question->check;
	unsigned long long evaluated = s->evaluated, skipped = s->skipped;
	struct str also GUARD(str_deinit) = STR_INIT;

	if (s->found && skipped)
		violation_note(s->work->out,
		               "before that it could not be evaluated %llu time%s: %s", skipped,
		               skipped == 1 ? "" : "s", s->why);
	if (s->error || s->found || (!evaluated && !skipped))
		return s->error;
	if (!evaluated)
		return error_create(HENCE_ERROR_INPUT,
		                    "the condition '%s' could not be evaluated at %s:%u (executed "
		                    "%llu time%s): %s",
		                    check->expression, check->file, check->line, skipped,
		                    skipped == 1 ? "" : "s", s->why);
	if (skipped)
		str_printf(&also, "; %llu time%s it could not be evaluated: %s", skipped,
		           skipped == 1 ? "" : "s", s->why);
	return error_create(HENCE_ERROR_NOTHING,
	                    "the condition '%s' held each time at %s:%u (%llu evaluation%s)%s",
	                    check->expression, check->file, check->line, evaluated,
	                    evaluated == 1 ? "" : "s", str_text(&also));
}

struct hence_error *violation_of_check(struct violation_work *w)
{
	struct criterion unused = {0};
	struct check_search s = {.watch = {.run = w->run,
	                                   .until = w->question->until,
	                                   .begins = true,
	                                   .statement = on_statement,
	                                   .finish = finish,
	                                   .out = &unused},
	                         .work = w};
	struct hence_error *error = check_parse(w->question->check->expression, &s.arena, &s.root);

	w->out->failure = EXPLANATION_CHECK;
	if (!error) {
		s.constants = terms_create();
		error = watch_run(&s.watch);
		terms_destroy(s.constants);
	}
	if (!error && !s.found) {
		const struct violation_check *check = w->question->check;
		const struct criterion_point point = {
			.file = check->file, .line = check->line, .instance = 1};

		/* Nothing was executed there: the criterion of a place says why. */
		error = criterion_of_place(w->run, &point, w->question->until, &unused);
		if (!error)
			error = error_create(HENCE_ERROR_INPUT, "no statement begins at %s:%u",
			                     check->file, check->line);
	}
	free(s.why);
	vec_deinit(&s.answers);
	vec_deinit(&s.evaluator.known);
	arena_deinit(&s.arena);
	arena_deinit(&s.temporary);
	criterion_deinit(&unused);
	return error;
}
