/* The check that would have prevented a bad access: see violation_work.h. */
#include <string.h>

#include "causes/violation_work.h"

#define LOWEST 4096u /* no object lies below: NULL and what is reckoned from it */

/* The pointer of an access, and what it was reckoned from. */
struct pointer {
	uint32_t operand; /* of LLVM's instruction */
	LLVMValueRef value, base;
	term term, base_term;
	uint64_t bits, base_bits;
};

/* --- how large an object is --- */

static term widen(struct terms *terms, term t)
{
	uint32_t bits = t ? term_at(terms, t)->bits : 64;

	return bits < 64 ? term_make(terms, TERM_ZEXT, 64, t, 0, 0) : t;
}

/* What was asked for when a block was allocated; 0: that is not known. */
static term asked_size(struct violation_work *w, uint32_t call)
{
	static const struct {
		const char *name;
		uint32_t first, second;
	} all[] = {{"malloc", 0, 0},      {"calloc", 0, 1},        {"realloc", 1, 1},
	           {"valloc", 0, 0},      {"aligned_alloc", 1, 1}, {"memalign", 1, 1},
	           {"reallocarray", 1, 2}};
	const struct code_call *code;

	if (!violation_is_kept(w, call) || execution_insn(w->kept, call)->op != CODE_CALL)
		return 0;
	code = execution_insn(w->kept, call)->more;
	for (uint32_t i = 0; code->name && i < sizeof(all) / sizeof(*all); i++) {
		term a, b;

		if (strcmp(all[i].name, code->name))
			continue;
		a = widen(w->terms, symbolic_operand(w->symbolic, call, all[i].first));
		b = widen(w->terms, symbolic_operand(w->symbolic, call, all[i].second));
		if (!a || !b || all[i].first == all[i].second)
			return a;
		return term_make(w->terms, TERM_MUL, 64, a, b, 0);
	}
	return 0;
}

static term size_of(struct violation_work *w, const struct object *o)
{
	term asked = o->kind == OBJECT_HEAP ? asked_size(w, o->birth) : 0;

	/* A block may have been made larger where it is. */
	if (asked && term_evaluate(w->terms, asked, symbolic_actual, w->symbolic) == o->size)
		return asked;
	return term_constant(w->terms, 64, o->size);
}

term violation_within(struct violation_work *w, const struct object *o, term pointer, term size)
{
	struct terms *t = w->terms;
	term whole = size_of(w, o), from;

	if (!pointer || !size)
		return 0;
	size = widen(t, size);
	from = term_make(t, TERM_SUB, 64, pointer, term_constant(t, 64, o->address), 0);
	return violation_and(
		t, term_make(t, TERM_ULE, 1, size, whole, 0),
		term_make(t, TERM_ULE, 1, from, term_make(t, TERM_SUB, 64, whole, size, 0), 0));
}

/* --- pointers --- */

static bool is_step(LLVMValueRef value)
{
	return LLVMIsAGetElementPtrInst(value) != NULL;
}

/* Which of LLVM's operands says where; UINT32_MAX: none. */
static uint32_t place_operand(LLVMValueRef i)
{
	if (LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
		return 0;
	return LLVMIsAStoreInst(i) ? 1 : UINT32_MAX;
}

/* From p->x, a[i] and the like back to p and a. */
static void find_base(struct violation_work *w, uint32_t instance, struct pointer *p)
{
	const struct code_insn *insn = execution_insn(w->kept, instance);
	uint32_t operand = watch_pointer_operand(insn), at = instance, number = p->operand, made;
	uint64_t value;

	if (operand == CODE_NO_OPERAND)
		operand = insn->a;
	p->base = p->value;
	while (is_step(p->base)) {
		if (!execution_operand(w->kept, at, operand, &value, &made) ||
		    !violation_is_kept(w, made) || execution_instruction(w->kept, made) != p->base)
			break;
		at = made;
		number = 0;
		operand = execution_insn(w->kept, made)->a;
		p->base = LLVMGetOperand(p->base, 0);
	}
	p->base_term = symbolic_operand(w->symbolic, at, number);
	p->base_bits = execution_operand(w->kept, at, operand, &value, &made) ? value : 0;
}

static bool find_pointer(struct violation_work *w, uint32_t instance, struct pointer *p)
{
	LLVMValueRef i = execution_instruction(w->kept, instance);
	const struct code_insn *insn = execution_insn(w->kept, instance);
	uint32_t operand = watch_pointer_operand(insn), made;

	p->operand = place_operand(i);
	if (p->operand == UINT32_MAX)
		return false;
	p->value = LLVMGetOperand(i, p->operand);
	p->term = symbolic_operand(w->symbolic, instance, p->operand);
	execution_operand(w->kept, instance, operand == CODE_NO_OPERAND ? insn->a : operand,
	                  &p->bits, &made);
	find_base(w, instance, p);
	return true;
}

/* --- in words --- */

static void express(struct violation_moment *m, const struct activation *a, LLVMValueRef value,
                    struct str *out)
{
	if (a)
		violation_express(m, a, value, out);
	else
		str_add(out, "the pointer");
}

/* `i < 4`: an index of an array or block that is reckoned from its beginning. */
static bool want_index(struct violation_moment *m, const struct activation *a,
                       const struct pointer *p, const struct object *o)
{
	struct violation *out = m->work->out;
	uint32_t index = a && is_step(p->value) ? names_index(m->watch.names, a->function, p->value)
	                                        : UINT32_MAX;
	const struct code_insn *insn = index != UINT32_MAX ? &a->function->insns[index] : NULL;
	unsigned last;
	int64_t at;

	if (!insn || insn->op != CODE_INDEX || insn->imm || !insn->scale ||
	    p->base_bits != o->address)
		return false;
	last = (unsigned)LLVMGetNumOperands(p->value) - 1;
	at = (int64_t)(p->bits - p->base_bits) / (int64_t)insn->scale;
	violation_express(m, a, LLVMGetOperand(p->value, last), &out->wanted);
	if (at < 0) {
		str_add(&out->wanted, " >= 0");
		str_printf(&out->numbers, "%lld >= 0", (long long)at);
		return true;
	}
	str_printf(&out->wanted, " < %llu", (unsigned long long)(o->size / insn->scale));
	str_printf(&out->numbers, "%lld < %llu", (long long)at,
	           (unsigned long long)(o->size / insn->scale));
	return true;
}

static void want_within(struct violation_moment *m, const struct activation *a,
                        const struct pointer *p, uint32_t number, const struct object *o)
{
	struct str *wanted = &m->work->out->wanted;

	if (want_index(m, a, p, o))
		return;
	express(m, a, p->value, wanted);
	str_add(wanted, " lies within ");
	names_print_object(m->watch.names, number, false, wanted);
}

/* --- faults --- */

static void deny_null(struct violation_moment *m, const struct activation *a,
                      const struct pointer *p)
{
	struct violation *out = m->work->out;
	struct str text = STR_INIT;

	express(m, a, p->base, &text);
	if (p->base_bits) {
		str_printf(&out->wanted, "%s != %#llx", str_text(&text),
		           (unsigned long long)p->base_bits);
		str_printf(&out->numbers, "%#llx != %#llx", (unsigned long long)p->base_bits,
		           (unsigned long long)p->base_bits);
	} else {
		str_deinit(&out->what);
		str_printf(&out->what, "%s is NULL", str_text(&text));
		str_printf(&out->wanted, "%s != NULL", str_text(&text));
		str_add(&out->numbers, "NULL != NULL");
	}
	str_deinit(&text);
	violation_set_claim(
		m->work, m->instance,
		p->base_term ? violation_differs(m->work->terms, p->base_term, p->base_bits) : 0);
}

static const struct execution_error *find_fault(const struct violation_moment *m, uint32_t *index)
{
	uint32_t count;
	const struct execution_error *all = execution_errors(m->watch.e, &count);

	for (uint32_t i = 0; i < count; i++)
		if (all[i].kind == ERROR_FAULT) {
			*index = i;
			return &all[i];
		}
	return NULL;
}

/* The pointer belongs to an object: it strayed from it, or the object is dead. */
static void take_object(struct violation_moment *m, const struct activation *a,
                        const struct pointer *p, uint32_t number, uint64_t size)
{
	const struct object *o = objects_at(execution_objects(m->watch.e), number);
	struct violation_work *w = m->work;
	term claim;

	if (o->death) {
		express(m, a, p->base, &w->out->wanted);
		str_printf(&w->out->wanted, " does not point to what is %s",
		           o->kind == OBJECT_HEAP ? "freed" : "gone");
		if (violation_is_kept(w, o->death))
			*vec_push(&w->out->also) = o->death;
		claim = p->term ? violation_has_changed(w, p->term) : 0;
	} else {
		want_within(m, a, p, number, o);
		claim = violation_within(w, o, p->term, term_constant(w->terms, 64, size));
	}
	violation_set_claim(w, m->instance, claim);
}

static void take_access(struct violation_moment *m, const struct activation *a)
{
	uint32_t index;
	const struct execution_error *fault = find_fault(m, &index);
	struct pointer p = {0};

	if (!find_pointer(m->work, m->instance, &p))
		violation_set_event(m->work, m->instance);
	else if (p.base_bits < LOWEST || !fault || !fault->object)
		deny_null(m, a, &p);
	else
		take_object(m, a, &p, fault->object, fault->size);
}

/* --- divisions --- */

static bool is_division(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMSDiv:
	case LLVMUDiv:
	case LLVMSRem:
	case LLVMURem: return true;
	default: return false;
	}
}

static void take_division(struct violation_moment *m, const struct activation *a)
{
	struct violation_work *w = m->work;
	LLVMValueRef i = execution_instruction(w->kept, m->instance);
	term over = symbolic_operand(w->symbolic, m->instance, 0);
	term by = symbolic_operand(w->symbolic, m->instance, 1);
	uint32_t bits = by ? term_at(w->terms, by)->bits : 0;
	uint64_t least = bits ? 1ull << (bits - 1) : 0,
		 minus = bits < 64 ? (1ull << bits) - 1 : ~0ull;
	struct str divisor = STR_INIT;

	express(m, a, LLVMGetOperand(i, 1), &divisor);
	if (by && term_evaluate(w->terms, by, symbolic_actual, w->symbolic) == minus) {
		str_printf(&w->out->wanted, "%s != -1", str_text(&divisor));
		str_add(&w->out->numbers, "-1 != -1");
		violation_set_claim(w, m->instance,
		                    violation_or(w->terms, violation_differs(w->terms, by, minus),
		                                 violation_differs(w->terms, over, least)));
	} else {
		str_deinit(&w->out->what);
		str_printf(&w->out->what, "division by zero: %s is 0", str_text(&divisor));
		str_printf(&w->out->wanted, "%s != 0", str_text(&divisor));
		str_add(&w->out->numbers, "0 != 0");
		violation_set_claim(w, m->instance, by ? violation_differs(w->terms, by, 0) : 0);
	}
	str_deinit(&divisor);
}

/* --- calls through a pointer that leads nowhere --- */

static void take_stray_call(struct violation_moment *m, const struct activation *a)
{
	struct violation_work *w = m->work;
	LLVMValueRef i = execution_instruction(w->kept, m->instance);
	const struct code_call *call = execution_insn(w->kept, m->instance)->more;
	uint32_t made;
	struct pointer p = {.base = LLVMGetCalledValue(i)};

	execution_operand(w->kept, m->instance, call->callee, &p.base_bits, &made);
	p.base_term = symbolic_operand(w->symbolic, m->instance, LLVMGetNumArgOperands(i));
	deny_null(m, a, &p);
}

struct hence_error *violation_of_fault(struct violation_work *w, uint32_t instance)
{
	LLVMValueRef i = execution_instruction(w->kept, instance);

	if (execution_insn(w->kept, instance)->op == CODE_CALL)
		return violation_moment(w, instance, take_stray_call, NULL);
	if (is_division(i))
		return violation_moment(w, instance, take_division, NULL);
	return violation_moment(w, instance, take_access, NULL);
}

/* --- errors that were noticed --- */

static void take_free(struct violation_moment *m, const struct activation *a,
                      const struct execution_error *error, uint32_t freed)
{
	struct violation_work *w = m->work;
	LLVMValueRef i = execution_instruction(w->kept, m->instance);
	term pointer = symbolic_operand(w->symbolic, m->instance, 0);

	express(m, a, LLVMGetOperand(i, 0), &w->out->wanted);
	str_add(&w->out->wanted, error->kind == ERROR_DOUBLE_FREE
	                                 ? " does not point to what is freed"
	                                 : " points to what was allocated");
	if (violation_is_kept(w, freed))
		*vec_push(&w->out->also) = freed;
	violation_set_claim(w, m->instance, pointer ? violation_has_changed(w, pointer) : 0);
}

static void take_outside(struct violation_moment *m, const struct execution_error *error)
{
	struct violation *out = m->work->out;
	term claim = error->kind == ERROR_OUT_OF_BOUNDS
	                     ? violation_claim_of_outside(m, error, &out->wanted, &out->numbers)
	                     : 0;

	violation_set_claim(m->work, m->instance, claim);
}

static void take_error(struct violation_moment *m, const struct activation *a)
{
	uint32_t index = *(uint32_t *)m->context, count;
	const struct execution_error *error = &execution_errors(m->watch.e, &count)[index];
	struct pointer p = {0};

	if (m->work->out->what.length)
		str_add(&m->work->out->what, ": ");
	describe_error(m->errors.errors, index, &m->work->out->what);
	if (error->kind == ERROR_DOUBLE_FREE || error->kind == ERROR_BAD_FREE)
		take_free(m, a, error, m->errors.seen.at[index].freed);
	else if (error->kind >= ERROR_UNINITIALISED_BRANCH)
		violation_set_event(m->work, m->instance);
	else if (error->outside || !find_pointer(m->work, m->instance, &p))
		take_outside(m, error);
	else
		take_object(m, a, &p, error->object, error->size);
	if (m->errors.seen.at[index].freed && !m->work->out->also.size &&
	    violation_is_kept(m->work, m->errors.seen.at[index].freed))
		*vec_push(&m->work->out->also) = m->errors.seen.at[index].freed;
}

struct hence_error *violation_of_error(struct violation_work *w, uint32_t instance, uint32_t error)
{
	return violation_moment(w, instance, take_error, &error);
}
