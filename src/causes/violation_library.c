/* What was given to a function of the library: see violation_work.h. */
#include <string.h>

#include "causes/violation_work.h"

#define LOWEST  4096u
#define LONGEST 256u /* bytes of a string that are looked at */
#define NOTHING 9u

/* --- a call that the program died in --- */

static void deny_argument(struct violation_moment *m, const struct activation *a, uint32_t argument,
                          uint64_t value)
{
	struct violation_work *w = m->work;
	LLVMValueRef call = execution_instruction(w->kept, m->instance);
	const struct code_call *code = execution_insn(w->kept, m->instance)->more;
	term t = symbolic_operand(w->symbolic, m->instance, argument);
	struct str text = STR_INIT;

	if (a)
		violation_express(m, a, LLVMGetOperand(call, argument), &text);
	else
		str_printf(&text, "argument %u", argument + 1);
	str_deinit(&w->out->what);
	str_printf(&w->out->what, "%s() is given %s, which is %s", code->name ? code->name : "?",
	           str_text(&text), value ? "no valid pointer" : "NULL");
	str_printf(&w->out->wanted, "%s != NULL", str_text(&text));
	str_add(&w->out->numbers, "NULL != NULL");
	str_deinit(&text);
	violation_set_claim(w, m->instance, t ? violation_differs(w->terms, t, value) : 0);
}

static void take_call(struct violation_moment *m, const struct activation *a)
{
	struct violation_work *w = m->work;
	const struct code_call *call = execution_insn(w->kept, m->instance)->more;

	for (uint32_t i = 0; i < call->count; i++) {
		uint64_t value;
		uint32_t made;

		if (call->arguments[i].letter != 'p' ||
		    !execution_operand(w->kept, m->instance, call->arguments[i].operand, &value,
		                       &made) ||
		    value >= LOWEST)
			continue;
		deny_argument(m, a, i, value);
		if (w->out->kind == VIOLATION_CHECK)
			return;
	}
	violation_set_event(w, m->instance);
}

/* What is freed, if the library does not like it: it was freed already, or never allocated. */
static void take_free(struct violation_moment *m, const struct activation *a)
{
	struct violation_work *w = m->work;
	LLVMValueRef call = execution_instruction(w->kept, m->instance);
	const struct code_call *code = execution_insn(w->kept, m->instance)->more;
	const struct objects *objects = execution_objects(m->watch.e);
	const struct code_slot *slot =
		a ? execution_slot(m->watch.e, a, code->arguments[0].operand) : NULL;
	const struct object *o = slot && slot->object && slot->object <= objects->all.size
	                                 ? objects_at(objects, slot->object)
	                                 : NULL;
	term t = symbolic_operand(w->symbolic, m->instance, 0);

	if (a)
		violation_express(m, a, LLVMGetOperand(call, 0), &w->out->wanted);
	if (o && o->death) {
		str_printf(&w->out->what, ": %s() is given what was freed already", code->name);
		str_add(&w->out->wanted, " does not point to what is freed");
		if (violation_is_kept(w, o->death))
			*vec_push(&w->out->also) = o->death;
	} else {
		str_printf(&w->out->what, ": %s() is given what was not allocated", code->name);
		str_add(&w->out->wanted, " points to what was allocated");
	}
	violation_set_claim(w, m->instance, t ? violation_has_changed(w, t) : 0);
}

bool violation_is_free(const struct violation_work *w, uint32_t call)
{
	const struct code_insn *insn = execution_insn(w->kept, call);
	const struct code_call *code = insn->op == CODE_CALL ? insn->more : NULL;

	return code && code->name && code->count &&
	       (!strcmp(code->name, "free") || !strcmp(code->name, "realloc"));
}

struct hence_error *violation_of_call(struct violation_work *w, uint32_t call)
{
	if (violation_is_free(w, call))
		return violation_moment(w, call, take_free, NULL);
	return violation_moment(w, call, take_call, NULL);
}

/* --- a call that went beyond an object --- */

/* Which arguments say where a function writes and reads, and how much. */
struct extent {
	const char *name;
	uint8_t to, from, count, times;
};

static const struct extent extents[] = {
	{"memcpy", 0, 1, 2, NOTHING},        {"memmove", 0, 1, 2, NOTHING},
	{"mempcpy", 0, 1, 2, NOTHING},       {"memset", 0, NOTHING, 2, NOTHING},
	{"strncpy", 0, NOTHING, 2, NOTHING}, {"fread", 0, NOTHING, 1, 2},
	{"fwrite", NOTHING, 0, 1, 2},        {"read", 1, NOTHING, 2, NOTHING},
	{"write", NOTHING, 1, 2, NOTHING},   {"fgets", 0, NOTHING, 1, NOTHING},
	{"memcmp", NOTHING, 0, 2, NOTHING},  {"memchr", NOTHING, 0, 2, NOTHING},
	{"bzero", 0, NOTHING, 1, NOTHING},
};

static const struct extent *find_extent(const char *name)
{
	for (uint32_t i = 0; name && i < sizeof(extents) / sizeof(*extents); i++)
		if (!strcmp(extents[i].name, name))
			return &extents[i];
	return NULL;
}

static term widen(struct violation_work *w, term t, bool is_signed)
{
	if (!t || term_at(w->terms, t)->bits == 64)
		return t;
	return term_make(w->terms, is_signed ? TERM_SEXT : TERM_ZEXT, 64, t, 0, 0);
}

/* As many bytes as the arguments say fit. */
static term claim_extent(struct violation_moment *m, const struct execution_error *error,
                         const struct extent *extent, struct str *wanted, struct str *numbers)
{
	struct violation_work *w = m->work;
	const struct object *o = objects_at(execution_objects(m->watch.e), error->object);
	LLVMValueRef call = execution_instruction(w->kept, m->instance);
	const struct activation *a = execution_top(m->watch.e, 0);
	uint32_t where = error->writes ? extent->to : extent->from;
	term pointer, count;
	uint64_t offset;

	if (where == NOTHING)
		return 0;
	pointer = symbolic_operand(w->symbolic, m->instance, where);
	count = widen(w, symbolic_operand(w->symbolic, m->instance, extent->count), true);
	if (count && extent->times != NOTHING)
		count = term_make(
			w->terms, TERM_MUL, 64, count,
			widen(w, symbolic_operand(w->symbolic, m->instance, extent->times), true),
			0);
	if (!pointer || !count)
		return 0;
	offset = term_evaluate(w->terms, pointer, symbolic_actual, w->symbolic) - o->address;
	violation_express(m, a, LLVMGetOperand(call, extent->count), wanted);
	if (extent->times != NOTHING) {
		str_add(wanted, " * ");
		violation_express(m, a, LLVMGetOperand(call, extent->times), wanted);
	}
	str_printf(wanted, " <= %llu", (unsigned long long)(o->size - offset));
	str_printf(numbers, "%llu <= %llu",
	           (unsigned long long)term_evaluate(w->terms, count, symbolic_actual, w->symbolic),
	           (unsigned long long)(o->size - offset));
	return violation_within(w, o, pointer, count);
}

/* The string ends before the object does: one of its bytes there is 0. */
static term claim_string(struct violation_moment *m, const struct execution_error *error,
                         struct str *wanted)
{
	struct violation_work *w = m->work;
	const struct object *o = objects_at(execution_objects(m->watch.e), error->object);
	LLVMValueRef call = execution_instruction(w->kept, m->instance);
	term to = symbolic_operand(w->symbolic, m->instance, 0);
	term from = symbolic_operand(w->symbolic, m->instance, 1), claim;
	uint64_t offset, source;

	if (!to || !from)
		return 0;
	offset = term_evaluate(w->terms, to, symbolic_actual, w->symbolic) - o->address;
	source = term_evaluate(w->terms, from, symbolic_actual, w->symbolic);
	if (offset >= o->size || o->size - offset > LONGEST)
		return 0;
	/* Another string, another place, or a shorter string. */
	claim = violation_or(w->terms, violation_has_changed(w, from),
	                     violation_has_changed(w, to));
	for (uint64_t i = 0; i < o->size - offset; i++)
		claim = violation_or(
			w->terms, claim,
			term_equals(w->terms, violation_memory(w, m->watch.e, source + i, 1), 0));
	str_add(wanted, "strlen(");
	violation_express(m, execution_top(m->watch.e, 0), LLVMGetOperand(call, 1), wanted);
	str_printf(wanted, ") < %llu", (unsigned long long)(o->size - offset));
	return claim;
}

term violation_claim_of_outside(struct violation_moment *m, const struct execution_error *error,
                                struct str *wanted, struct str *numbers)
{
	const struct code_insn *insn = execution_insn(m->work->kept, m->instance);
	const struct code_call *call = insn->op == CODE_CALL ? insn->more : NULL;
	const char *name = insn->op == CODE_COPY   ? "memcpy"
	                   : insn->op == CODE_FILL ? "memset"
	                   : call                  ? call->name
	                                           : NULL;
	const struct extent *extent = find_extent(name);

	if (!error->object || !execution_top(m->watch.e, 0))
		return 0;
	if (extent)
		return claim_extent(m, error, extent, wanted, numbers);
	if (name && (!strcmp(name, "strcpy") || !strcmp(name, "stpcpy")) && error->writes)
		return claim_string(m, error, wanted);
	return 0;
}
