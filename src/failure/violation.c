/* What was violated in a run: see violation.h. */
#include "failure/violation.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "actions/format.h"
#include "base/guard.h"
#include "experiment/point.h"
#include "failure/violation_check.h"

struct violation_moment {
	struct watch watch;
	struct watch_errors errors;
	struct violation_work *work;
	uint32_t instance;
	/* Called once, after the statement that the instance belongs to; in a run that died of it,
	   at the end. `a` is the function that it was executed in; NULL: that has returned. */
	void (*take)(struct violation_moment *moment, const struct activation *a);
	void *context;
	bool died;       /* in this statement */
	uint32_t told;   /* the last statement */
	uint64_t number; /* of it */
};

struct violation_output {
	struct watch watch;
	struct violation_work *work;
	uint64_t offset; /* the first wrong byte */
	uint64_t target; /* what is looked at: that byte, or the one before it */
	bool found;      /* the call that put it out */
	bool done;       /* and a violation was made of it */
};

/* A piece of output, and the call of the function on top that put it out. */
struct violation_piece {
	const struct outputs_stream *stream;
	const struct outputs_piece *piece;
	const struct activation *a;
	uint32_t call; /* instance */
	char next;     /* the byte that the call prints after the piece */
	bool has_next;
};

/* ------ the result, and terms of claims ------ */

void violation_deinit(struct violation *v)
{
	for (uint32_t i = 0; i < v->notes.size; i++)
		free(v->notes.at[i]);
	vec_deinit(&v->notes);
	vec_deinit(&v->also);
	str_deinit(&v->what);
	str_deinit(&v->wanted);
	str_deinit(&v->numbers);
	free(v->file);
	free(v->function);
	*v = (struct violation){0};
}

void violation_note(struct violation *v, const char *format, ...)
{
	struct str text = STR_INIT;
	va_list args;

	va_start(args, format);
	str_vprintf(&text, format, args);
	va_end(args);
	*vec_push(&v->notes) = str_steal(&text);
}

void violation_set_place(struct violation *v, struct names *names, uint32_t code, uint64_t time)
{
	struct walk_place place = names_place(names, code);

	free(v->file);
	free(v->function);
	v->file = place.file ? mem_strdup(place.file) : NULL;
	v->function = mem_strdup(place.function);
	v->line = place.line;
	v->column = place.column;
	v->time = time;
}

bool violation_is_kept(const struct violation_work *w, uint32_t instance)
{
	uint32_t first, end;

	execution_kept(w->kept, &first, &end);
	return instance >= first && instance < end;
}

/* --- terms --- */

static term violation_and(struct terms *terms, term a, term b)
{
	return a && b ? term_make(terms, TERM_AND, 1, a, b, 0) : a ? a : b;
}

static term violation_or(struct terms *terms, term a, term b)
{
	return a && b ? term_make(terms, TERM_OR, 1, a, b, 0) : a ? a : b;
}

static term violation_differs(struct terms *terms, term a, uint64_t value)
{
	return term_not(terms, term_equals(terms, a, value));
}

/* It is not what it was in the run; 0: it cannot be anything else, since nothing went into it. */
static term violation_has_changed(struct violation_work *w, term t)
{
	const struct term_node *node = term_at(w->terms, t);
	term made = t;

	/* The address of a variable is a symbol, too, of the instruction that computes it. */
	if (node->op == TERM_VARIABLE && node->value < TERM_ANY)
		made = symbolic_define(w->symbolic, (uint32_t)node->value)->term;
	if (term_is_constant(w->terms, made, NULL))
		return 0;
	return violation_differs(w->terms, t,
	                         term_evaluate(w->terms, t, symbolic_actual, w->symbolic));
}

term violation_memory(struct violation_work *w, struct execution *now, uint64_t address,
                      uint32_t size)
{
	struct memory *memory = execution_memory(now);
	uint32_t writers[8];
	uint8_t values[8] = {0};
	uint64_t bits;
	term t;

	memory_read(memory, address, size, values);
	for (uint32_t i = 0; i < size; i++)
		memory_source_run(memory, address + i, 1, &writers[i]);
	t = symbolic_memory(w->symbolic, address, size, writers, values);
	memcpy(&bits, values, sizeof(bits));
	return t ? t : term_constant(w->terms, 8 * size, bits);
}

/* --- the result --- */

static void violation_set_event(struct violation_work *w, uint32_t instance)
{
	w->out->kind = VIOLATION_EVENT;
	w->out->instance = instance;
	w->out->claim = 0;
}

void violation_set_claim(struct violation_work *w, uint32_t instance, term claim)
{
	violation_set_event(w, instance);
	if (!claim || term_is_constant(w->terms, claim, NULL))
		return;
	if (term_evaluate(w->terms, claim, symbolic_actual, w->symbolic)) {
		violation_note(w->out,
		               "the condition %s held in the run as far as it is known, so what "
		               "led there is shown instead",
		               w->out->wanted.length ? str_text(&w->out->wanted) : "");
		str_deinit(&w->out->wanted);
		str_deinit(&w->out->numbers);
		return;
	}
	w->out->kind = VIOLATION_CHECK;
	w->out->claim = claim;
}

/* ------ one look at a run right after an instance ------ */

static void reach(struct violation_moment *m)
{
	LLVMValueRef i = execution_instruction(m->work->kept, m->instance);
	const struct activation *a = execution_top(m->watch.e, 0);

	violation_set_place(m->work->out, m->watch.names,
	                    execution_code(m->work->kept, m->instance), m->number + m->died);
	/* Is the function that executes the instruction under way? */
	if (a && (!a->pc || a->function->plan->function !=
	                            LLVMGetBasicBlockParent(LLVMGetInstructionParent(i))))
		a = NULL;
	if (a)
		describe_stand_at(m->watch.names, m->watch.e);
	m->take(m, a);
	names_at(m->watch.names, 0, 0, 0, 0);
	m->take = NULL;
}

static void on_statement(struct watch *watch, enum execution_event event)
{
	struct violation_moment *m = (struct violation_moment *)watch;

	watch_errors_see(&m->errors, watch);
	m->told = describe_instance(watch->e);
	m->number = execution_statements(watch->e);
	if (m->told < m->instance || !m->take)
		return;
	reach(m);
	watch_halt(watch);
}

static struct hence_error *finish(struct watch *watch)
{
	struct violation_moment *m = (struct violation_moment *)watch;

	if (!m->take)
		return NULL;
	watch_errors_see(&m->errors, watch);
	m->number = execution_statements(watch->e);
	m->died = m->told < m->instance;
	reach(m);
	return NULL;
}

/* Looks at the run then; time and place are set. */
static struct hence_error *violation_moment(struct violation_work *work, uint32_t instance,
                                            void (*take)(struct violation_moment *moment,
                                                         const struct activation *a),
                                            void *context)
{
	struct criterion unused = {0};
	struct violation_moment m = {.watch = {.run = work->run,
	                                       .until = work->question->until,
	                                       .statement = on_statement,
	                                       .finish = finish,
	                                       .out = &unused},
	                             .work = work,
	                             .instance = instance,
	                             .take = take,
	                             .context = context};
	struct hence_error *error = watch_ask(&m.watch);

	m.watch.errors = &m.errors;
	if (!error && m.watch.whole)
		watch_want(&m.watch, history_statement(work->run, instance));
	if (!error)
		error = watch_run(&m.watch);
	watch_errors_deinit(&m.errors);
	criterion_deinit(&unused);
	return error;
}

/* Appends an operand of the function as C; '...' if that is not known. `a` is NULL: the function has returned. */
static void express(struct violation_moment *m, const struct activation *a, LLVMValueRef value,
                    struct str *out)
{
	struct describe_scope scope = {.names = m->watch.names, .a = a};

	if (a)
		describe_expression(&scope, value, out);
	else
		str_add(out, "the pointer");
}

/* ------ how large an object is ------ */

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

/* That many bytes from `pointer` on lie within the object; `bits`: of the pointer's term. */
static term violation_within(struct violation_work *w, const struct object *o, term pointer,
                             term size)
{
	struct terms *t = w->terms;
	term whole = o->kind == OBJECT_HEAP ? asked_size(w, o->birth) : 0, from;

	if (!pointer || !size)
		return 0;
	/* A block may have been made larger where it is. */
	if (!whole || term_evaluate(t, whole, symbolic_actual, w->symbolic) != o->size)
		whole = term_constant(t, 64, o->size);
	size = widen(t, size);
	from = term_make(t, TERM_SUB, 64, pointer, term_constant(t, 64, o->address), 0);
	return violation_and(
		t, term_make(t, TERM_ULE, 1, size, whole, 0),
		term_make(t, TERM_ULE, 1, from, term_make(t, TERM_SUB, 64, whole, size, 0), 0));
}

/* ------ what was given to a function of the library ------ */

#define LONGEST 256u /* bytes of a string that are looked at */
#define NOTHING 9u

/* --- a call that the program died in --- */

static void take_call(struct violation_moment *m, const struct activation *a)
{
	struct violation_work *w = m->work;
	const struct code_call *call = execution_insn(w->kept, m->instance)->more;
	LLVMValueRef instruction = execution_instruction(w->kept, m->instance);

	for (uint32_t i = 0; i < call->count; i++) {
		struct str text GUARD(str_deinit) = STR_INIT;
		uint64_t value;
		uint32_t made;
		term t;

		if (call->arguments[i].letter != 'p' ||
		    !execution_operand(w->kept, m->instance, call->arguments[i].operand, &value,
		                       &made) ||
		    value >= VIOLATION_LOWEST)
			continue;
		t = symbolic_operand(w->symbolic, m->instance, i);
		if (a)
			express(m, a, LLVMGetOperand(instruction, i), &text);
		else
			str_printf(&text, "argument %u", i + 1);
		str_deinit(&w->out->what);
		str_printf(&w->out->what, "%s() is given %s, which is %s",
		           call->name ? call->name : "?", str_text(&text),
		           value ? "no valid pointer" : "NULL");
		str_printf(&w->out->wanted, "%s != NULL", str_text(&text));
		str_add(&w->out->numbers, "NULL != NULL");
		violation_set_claim(w, m->instance, t ? violation_differs(w->terms, t, value) : 0);
		if (w->out->kind == VIOLATION_CHECK)
			return;
	}
	violation_set_event(w, m->instance);
}

/* What is freed was freed already, by the instance `freed`, or was never allocated. */
static void claim_freed(struct violation_moment *m, const struct activation *a, bool twice,
                        uint32_t freed)
{
	struct violation_work *w = m->work;
	struct violation *out = w->out;
	term pointer = symbolic_operand(w->symbolic, m->instance, 0);

	express(m, a, LLVMGetOperand(execution_instruction(w->kept, m->instance), 0), &out->wanted);
	str_add(&out->wanted,
	        twice ? " does not point to what is freed" : " points to what was allocated");
	if (violation_is_kept(w, freed))
		*vec_push(&out->also) = freed;
	violation_set_claim(w, m->instance, pointer ? violation_has_changed(w, pointer) : 0);
}

/* The library ended the program for what it was given to free. */
static void take_free_block(struct violation_moment *m, const struct activation *a)
{
	struct violation_work *w = m->work;
	const struct code_call *code = execution_insn(w->kept, m->instance)->more;
	const struct objects *objects = execution_objects(m->watch.e);
	const struct code_slot *slot =
		a ? execution_slot(m->watch.e, a, code->arguments[0].operand) : NULL;
	const struct object *o = slot && slot->object && slot->object <= objects->all.size
	                                 ? objects_at(objects, slot->object)
	                                 : NULL;
	bool twice = o && o->death;

	str_printf(&w->out->what, ": %s() is given what was %s", code->name,
	           twice ? "freed already" : "not allocated");
	claim_freed(m, a, twice, twice ? o->death : 0);
}

static bool violation_is_free(const struct violation_work *w, uint32_t call)
{
	const struct code_insn *insn = execution_insn(w->kept, call);
	const struct code_call *code = insn->op == CODE_CALL ? insn->more : NULL;

	return code && code->name && code->count &&
	       (!strcmp(code->name, "free") || !strcmp(code->name, "realloc"));
}

/* What was given to a function of the library that the program died in. */
static struct hence_error *violation_of_call(struct violation_work *w, uint32_t call)
{
	return violation_moment(w, call, violation_is_free(w, call) ? take_free_block : take_call,
	                        NULL);
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

static term widen_argument(struct violation_work *w, term t, bool is_signed)
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
	count = widen_argument(w, symbolic_operand(w->symbolic, m->instance, extent->count), true);
	if (count && extent->times != NOTHING)
		count = term_make(
			w->terms, TERM_MUL, 64, count,
			widen_argument(w, symbolic_operand(w->symbolic, m->instance, extent->times),
		                       true),
			0);
	if (!pointer || !count)
		return 0;
	offset = term_evaluate(w->terms, pointer, symbolic_actual, w->symbolic) - o->address;
	express(m, a, LLVMGetOperand(call, extent->count), wanted);
	if (extent->times != NOTHING) {
		str_add(wanted, " * ");
		express(m, a, LLVMGetOperand(call, extent->times), wanted);
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
	express(m, execution_top(m->watch.e, 0), LLVMGetOperand(call, 1), wanted);
	str_printf(wanted, ") < %llu", (unsigned long long)(o->size - offset));
	return claim;
}

static term violation_claim_of_outside(struct violation_moment *m,
                                       const struct execution_error *error, struct str *wanted,
                                       struct str *numbers)
{
	const struct code_insn *insn = execution_insn(m->work->kept, m->instance);
	const struct code_call *call = insn->op == CODE_CALL ? insn->more : NULL;
	const char *name = insn->op == CODE_COPY   ? "memcpy"
	                   : insn->op == CODE_FILL ? "memset"
	                   : call                  ? call->name
	                                           : NULL;

	if (!error->object || !execution_top(m->watch.e, 0))
		return 0;
	for (uint32_t i = 0; name && i < sizeof(extents) / sizeof(*extents); i++)
		if (!strcmp(extents[i].name, name))
			return claim_extent(m, error, &extents[i], wanted, numbers);
	if (name && (!strcmp(name, "strcpy") || !strcmp(name, "stpcpy")) && error->writes)
		return claim_string(m, error, wanted);
	return 0;
}

/* ------ the check that would have prevented a bad access ------ */

/* The pointer of an access, and what it was computed from. */
struct pointer {
	uint32_t operand; /* of LLVM's instruction */
	LLVMValueRef value, base;
	term term, base_term;
	uint64_t bits, base_bits;
};

/* --- pointers --- */

static bool is_step(LLVMValueRef value)
{
	return LLVMIsAGetElementPtrInst(value) != NULL;
}

static bool find_pointer(struct violation_work *w, uint32_t instance, struct pointer *p)
{
	LLVMValueRef i = execution_instruction(w->kept, instance);
	const struct code_insn *insn = execution_insn(w->kept, instance);
	uint32_t operand = watch_pointer_operand(insn), made;
	uint32_t at;
	uint32_t number;
	uint64_t value;

	if (LLVMIsAStoreInst(i))
		p->operand = 1;
	else if (LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
		p->operand = 0;
	else
		return false;
	p->value = LLVMGetOperand(i, p->operand);
	p->term = symbolic_operand(w->symbolic, instance, p->operand);
	execution_operand(w->kept, instance, operand == CODE_NO_OPERAND ? insn->a : operand,
	                  &p->bits, &made);
	/* From p->x, a[i] and the like back to p and a. */
	at = instance;
	number = p->operand;
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
	return true;
}

/* `i < 4`: an index of an array or block that is computed from its beginning. */
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
	express(m, a, LLVMGetOperand(p->value, last), &out->wanted);
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
		if (!want_index(m, a, p, o)) {
			express(m, a, p->value, &w->out->wanted);
			str_add(&w->out->wanted, " lies within ");
			names_print_object(m->watch.names, number, false, &w->out->wanted);
		}
		claim = violation_within(w, o, p->term, term_constant(w->terms, 64, size));
	}
	violation_set_claim(w, m->instance, claim);
}

static void take_access(struct violation_moment *m, const struct activation *a)
{
	uint32_t count, i = 0;
	const struct execution_error *all = execution_errors(m->watch.e, &count);
	const struct execution_error *fault;
	struct pointer p = {0};

	while (i < count && all[i].kind != ERROR_FAULT)
		i++;
	fault = i < count ? &all[i] : NULL;
	if (!find_pointer(m->work, m->instance, &p))
		violation_set_event(m->work, m->instance);
	else if (p.base_bits < VIOLATION_LOWEST || !fault || !fault->object)
		deny_null(m, a, &p);
	else
		take_object(m, a, &p, fault->object, fault->size);
}

/* --- divisions --- */

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

/* The access to memory, or the division, that the program died of; the memory error that has number
   `error` of execution_errors() when the run is decoded. */
static struct hence_error *violation_of_fault(struct violation_work *w, uint32_t instance)
{
	if (execution_insn(w->kept, instance)->op == CODE_CALL)
		return violation_moment(w, instance, take_stray_call, NULL);
	switch (LLVMGetInstructionOpcode(execution_instruction(w->kept, instance))) {
	case LLVMSDiv:
	case LLVMUDiv:
	case LLVMSRem:
	case LLVMURem: return violation_moment(w, instance, take_division, NULL);
	default: return violation_moment(w, instance, take_access, NULL);
	}
}

/* --- errors that were noticed --- */

static void take_error(struct violation_moment *m, const struct activation *a)
{
	uint32_t index = *(uint32_t *)m->context, count;
	const struct execution_error *error = &execution_errors(m->watch.e, &count)[index];
	uint32_t freed = m->errors.seen.at[index].freed;
	struct violation *out = m->work->out;
	struct pointer p = {0};

	if (out->what.length)
		str_add(&out->what, ": ");
	describe_error(m->errors.errors, index, &out->what);
	if (error->kind == ERROR_DOUBLE_FREE || error->kind == ERROR_BAD_FREE)
		claim_freed(m, a, error->kind == ERROR_DOUBLE_FREE, freed);
	else if (error->kind >= ERROR_UNINITIALISED_BRANCH)
		violation_set_event(m->work, m->instance);
	else if (error->outside || !find_pointer(m->work, m->instance, &p))
		violation_set_claim(
			m->work, m->instance,
			error->kind == ERROR_OUT_OF_BOUNDS
				? violation_claim_of_outside(m, error, &out->wanted, &out->numbers)
				: 0);
	else
		take_object(m, a, &p, error->object, error->size);
	if (freed && !out->also.size && violation_is_kept(m->work, freed))
		*vec_push(&out->also) = freed;
}

/* ------ branches that control a failure ------ */

/* --- where a branch can go --- */

/* A program that leaves by itself has not failed there. */
static bool leaves(const struct code_function *f, uint32_t block)
{
	static const char *const names[] = {"exit",    "_exit",    "_Exit",     "quick_exit",
	                                    "longjmp", "_longjmp", "siglongjmp"};

	for (uint32_t pc = f->blocks[block]; pc < f->blocks[block + 1]; pc++) {
		const struct code_call *call = f->insns[pc].more;

		if (f->insns[pc].op != CODE_CALL || !call->name)
			continue;
		for (uint32_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			if (!strcmp(call->name, names[i]))
				return true;
	}
	return false;
}

/* Does a way from `from` return, leave, or come back to `back`? */
static bool goes_on(const struct code_function *f, uint32_t from, uint32_t back)
{
	const struct plan_function *plan = f->plan;
	uint8_t *seen = mem_alloc(plan->blocks.size);
	VEC(uint32_t) open = VEC_INIT;
	bool on = false;

	*vec_push(&open) = from;
	while (open.size && !on) {
		uint32_t block = open.at[--open.size];
		const struct plan_block *b = &plan->blocks.at[block];

		if (seen[block])
			continue;
		seen[block] = 1;
		on = block == back || f->insns[f->blocks[block + 1] - 1].op == CODE_RETURN ||
		     leaves(f, block);
		for (uint32_t i = 0; i < b->successors; i++)
			*vec_push(&open) = plan->successors.at[b->successor + i];
	}
	free(seen);
	vec_deinit(&open);
	return on;
}

static bool has_way_out(const struct execution *e, uint32_t branch)
{
	uint32_t code = execution_code(e, branch);
	const struct code_function *f = code_of(execution_code_table((struct execution *)e), code);
	uint32_t block = code_block(f, code - f->first);
	const struct plan_block *b = &f->plan->blocks.at[block];

	for (uint32_t i = 0; i < b->successors; i++)
		if (goes_on(f, f->plan->successors.at[b->successor + i], block))
			return true;
	return false;
}

/* --- upwards --- */

static bool is_branch(const struct execution *e, uint32_t instance)
{
	uint8_t op = execution_insn(e, instance)->op;

	return op == CODE_BRANCH || op == CODE_SWITCH || op == CODE_JUMP;
}

/* The branch or call that controls it; 0: none that is kept. */
static uint32_t parent_of(const struct violation_work *w, uint32_t instance)
{
	uint32_t parent = execution_segment(w->kept, instance)->parent;

	return violation_is_kept(w, parent) ? parent : 0;
}

/* The nearest branch that controls the instance, directly or not, of which another side does not
   end the program in a failure, too; 0: there is none. */
static uint32_t violation_branch_above(const struct violation_work *w, uint32_t instance)
{
	for (instance = parent_of(w, instance); instance; instance = parent_of(w, instance))
		if (is_branch(w->kept, instance) && has_way_out(w->kept, instance))
			return instance;
	return 0;
}

/* The nearest one above, in the same call, that an earlier execution of itself controls, perhaps
   indirectly. */
static uint32_t violation_loop_around(const struct violation_work *w, uint32_t instance)
{
	VEC(uint32_t) above = VEC_INIT;
	uint32_t found = 0;

	for (instance = parent_of(w, instance); instance && !found;
	     instance = parent_of(w, instance)) {
		const struct execution_segment *s = execution_segment(w->kept, instance);

		if (!is_branch(w->kept, instance))
			continue;
		for (uint32_t i = 0; i < above.size && !found; i++)
			if (execution_code(w->kept, above.at[i]) ==
			            execution_code(w->kept, instance) &&
			    execution_segment(w->kept, above.at[i])->frame == s->frame)
				found = above.at[i];
		*vec_push(&above) = instance;
		if (above.size > 64)
			break;
	}
	vec_deinit(&above);
	return found;
}

/* --- in words --- */

static void take_branch(struct violation_moment *m, const struct activation *a)
{
	struct violation *out = m->work->out;
	struct describe_scope scope = {.names = m->watch.names, .a = a};
	LLVMValueRef i = execution_instruction(m->work->kept, m->instance);
	const struct code_slot *slot;

	if (!a || a->function->instructions[a->pc - 1] != i)
		return;
	if (a->function->insns[a->pc - 1].op != CODE_BRANCH) {
		struct branch_words words = {0};

		/* Of a switch what it must not be. */
		branch_describe(m->watch.names, m->watch.e, 0, &words);
		if (words.condition)
			str_printf(&out->wanted, "%s is not %s", words.condition, words.failing);
		free(words.condition);
		free(words.failing);
		free(words.other);
		return;
	}
	slot = names_slot(m->watch.names, a, LLVMGetCondition(i));
	if (!slot)
		return;
	if (!out->wanted.length)
		describe_truth(&scope, LLVMGetCondition(i), !(slot->bits & 1), &out->wanted);
	scope.values = true;
	describe_truth(&scope, LLVMGetCondition(i), !(slot->bits & 1), &out->numbers);
}

/* The branch should have gone another way. */
static struct hence_error *violation_set_branch(struct violation_work *w, uint32_t branch)
{
	w->out->kind = VIOLATION_BRANCH;
	w->out->instance = branch;
	return violation_moment(w, branch, take_branch, NULL);
}

/* ------ how the run ended, as a condition ------ */

/* What the decoder noticed that the failure came from. */
struct earlier {
	bool found;
	uint32_t instance;
	uint32_t index; /* of execution_errors() */
	enum execution_error_kind kind;
};

/* --- memory errors --- */

struct error_look {
	struct watch watch;
	struct watch_errors errors;
	struct violation_work *work;
	bool destroying;
	struct earlier *out;
};

static void see_errors(struct watch *watch, enum execution_event event)
{
	struct error_look *l = (struct error_look *)watch;
	int64_t index;
	uint32_t count;

	watch_errors_see(&l->errors, watch);
	index = watch_errors_first(watch->e, l->destroying);
	if (index < 0)
		return;
	*l->out = (struct earlier){true, l->errors.seen.at[index].instance, (uint32_t)index,
	                           execution_errors(watch->e, &count)[index].kind};
	watch_halt(watch);
}

static struct hence_error *see_end(struct watch *watch)
{
	struct error_look *l = (struct error_look *)watch;

	if (!l->out->found)
		see_errors(watch, EXECUTION_ENDED);
	return NULL;
}

/* The first error; the first that destroyed something. */
static struct hence_error *find_error(struct violation_work *w, bool destroying,
                                      struct earlier *out)
{
	struct criterion unused = {0};
	struct error_look l = {.watch = {.run = w->run,
	                                 .until = w->question->until,
	                                 .statement = see_errors,
	                                 .finish = see_end,
	                                 .out = &unused},
	                       .work = w,
	                       .destroying = destroying,
	                       .out = out};
	struct hence_error *error = watch_ask(&l.watch);
	int64_t index;

	if (!error && l.watch.whole) {
		index = watch_errors_first(l.watch.whole, destroying);
		if (index < 0)
			return NULL;
		watch_want_error(&l.watch, (uint32_t)index);
	}
	l.watch.errors = &l.errors;
	if (!error)
		error = watch_run(&l.watch);
	watch_errors_deinit(&l.errors);
	criterion_deinit(&unused);
	return error;
}

/* --- ends --- */

/* There is nothing to say about the instance but that it was executed. */
static void take_nothing(struct violation_moment *m, const struct activation *a)
{
}

static struct hence_error *set_event(struct violation_work *w, uint32_t instance)
{
	violation_set_event(w, instance);
	return violation_moment(w, instance, take_nothing, NULL);
}

/* What is wrong is that the instance was executed: the branch that controls it is the violation. */
static struct hence_error *of_control(struct violation_work *w, uint32_t instance)
{
	uint32_t branch = violation_branch_above(w, instance);

	if (!branch)
		return set_event(w, instance);
	*vec_push(&w->out->also) = instance;
	return violation_set_branch(w, branch);
}

static struct hence_error *of_abort(struct violation_work *w, uint32_t instance)
{
	const struct outcome_assert *assertion = &w->question->outcome->assertion;

	if (assertion->text) {
		str_printf(&w->out->what, "assertion %s fails", assertion->text);
		str_add(&w->out->wanted, assertion->text);
	} else {
		str_add(&w->out->what, "the program aborts");
	}
	if (violation_is_free(w, instance))
		return violation_of_call(w, instance);
	return of_control(w, instance);
}

/* Is the status written in the source where the program ends: exit(1), return 1? *instance becomes
   where. */
static bool is_literal(const struct violation_work *w, uint32_t *instance)
{
	const struct execution *e = w->kept;
	LLVMValueRef i = execution_instruction(e, *instance), value = LLVMGetOperand(i, 0);
	uint32_t store, code;

	if (LLVMIsAConstantInt(value))
		return true;
	if (!LLVMIsAReturnInst(i) || !LLVMIsALoadInst(value) ||
	    !violation_is_kept(w, *instance - 1))
		return false;
	/* At -O0, `return 1` in the middle writes to a variable that is read at the end. */
	store = execution_source(e, *instance - 1);
	if (execution_instruction(e, *instance - 1) != value || !violation_is_kept(w, store))
		return false;
	code = execution_insn(e, store)->op;
	if (code != CODE_STORE ||
	    !LLVMIsAConstantInt(LLVMGetOperand(execution_instruction(e, store), 0)) ||
	    LLVMGetOperand(execution_instruction(e, store), 1) != LLVMGetOperand(value, 0))
		return false;
	*instance = store;
	return true;
}

static void take_status(struct violation_moment *m, const struct activation *a)
{
	LLVMValueRef i = execution_instruction(m->work->kept, m->instance);
	struct violation *out = m->work->out;

	if (a)
		express(m, a, LLVMGetOperand(i, 0), &out->wanted);
	else
		str_add(&out->wanted, "the status");
	str_printf(&out->wanted, " == %d", m->work->question->status);
	str_printf(&out->numbers, "%d == %d", m->work->question->outcome->status,
	           m->work->question->status);
}

static struct hence_error *of_exit(struct violation_work *w, uint32_t instance)
{
	LLVMValueRef i = execution_instruction(w->kept, instance);
	const struct code_call *call = execution_insn(w->kept, instance)->more;
	struct hence_error *error;
	bool given; /* the instance says with which status */
	term status;

	str_printf(&w->out->what, "the program exits with status %d", w->question->outcome->status);
	if (LLVMIsAReturnInst(i))
		given = LLVMGetNumOperands(i) == 1;
	else
		given = LLVMIsACallInst(i) && call->name && strstr(call->name, "exit") &&
		        call->count == 1;
	if (!given || is_literal(w, &instance))
		return of_control(w, instance);
	error = violation_moment(w, instance, take_status, NULL);
	if (error)
		return error;
	status = symbolic_operand(w->symbolic, instance, 0);
	violation_set_claim(w, instance,
	                    status ? term_equals(w->terms, status, (uint64_t)w->question->status)
	                           : 0);
	return NULL;
}

static struct hence_error *of_hang(struct violation_work *w, uint32_t instance)
{
	uint32_t branch = 0;

	str_add(&w->out->what, "the program does not end");
	if (execution_insn(w->kept, instance)->op != CODE_CALL)
		branch = violation_loop_around(w, instance);
	if (!branch)
		return set_event(w, instance);
	return violation_set_branch(w, branch);
}

/* Not a call through a pointer that leads to no function. */
static bool is_call_of_library(const struct violation_work *w, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(w->kept, instance);
	const struct program *program = walk_program(execution_walk((struct execution *)w->kept));
	const struct code_call *call = insn->more;
	uint64_t callee;
	uint32_t made;

	if (insn->op != CODE_CALL || call->name)
		return insn->op == CODE_CALL;
	return execution_operand(w->kept, instance, call->callee, &callee, &made) &&
	       (program_at(program, callee) || name_at_map_find(&program->outside, callee));
}

static struct hence_error *of_crash(struct violation_work *w, uint32_t instance,
                                    const struct criterion *c)
{
	const struct outcome *outcome = w->question->outcome;

	str_add(&w->out->what, outcome_signal_name(outcome->signal));
	if (c->why.length)
		str_printf(&w->out->what, ": %s", str_text(&c->why));
	/* Too much recursion: the last call should not have been made. */
	if (outcome->recursion || (outcome->detail && strstr(outcome->detail, "stack overflow")))
		return of_control(w, instance);
	if (is_call_of_library(w, instance))
		return violation_of_call(w, instance);
	return violation_of_fault(w, instance);
}

/* How the run ended. */
static struct hence_error *violation_of_failure(struct violation_work *w)
{
	struct criterion c GUARD(criterion_deinit) = {0};
	struct earlier earlier = {0};
	struct hence_error *error =
		criterion_of_failure(w->run, w->question->outcome, w->question->until, &c);
	uint32_t instance;

	if (error)
		return error;
	if (c.kind == CRITERION_NONE)
		return error_create(
			HENCE_ERROR_NOTHING,
			"nothing is wrong with the run: it exited with 0 and made no memory "
			"error; say what should have been with --expect or --check");
	if (!c.marks.size)
		return error_create(HENCE_ERROR_INPUT,
		                    "no statement of the program led to its failure: %s",
		                    c.why.length ? str_text(&c.why) : str_text(&c.what));
	instance = c.marks.at[0];
	if (c.kind == CRITERION_MEMORY || c.marks.size > 1)
		error = find_error(w, c.kind != CRITERION_MEMORY, &earlier);
	if (!error && (c.kind == CRITERION_CRASH || c.kind == CRITERION_ABORT)) {
		struct earlier first = {0};

		/* A block that was freed was read first of all: what came of it is anything. */
		error = find_error(w, false, &first);
		if (first.found && first.kind == ERROR_AFTER_FREE)
			earlier = first;
	}
	if (error)
		return error;
	w->out->failure = explanation_kind_of(criterion_kind_name(c.kind));
	/* What destroyed memory before a failure, or read what was freed, is where to begin. The access that the
	   program died of is noticed as well. */
	if (earlier.found && violation_is_kept(w, earlier.instance) &&
	    (c.kind == CRITERION_MEMORY || earlier.instance != instance)) {
		if (c.kind != CRITERION_MEMORY) {
			str_printf(&w->out->what, "%s: a memory error came before",
			           str_text(&c.what));
			violation_note(w->out,
			               "the program failed later%s%s; a memory error before that "
			               "is taken as where it went wrong; a run that passes may "
			               "still make it",
			               c.why.length ? ": " : "", str_text(&c.why));
		}
		return violation_moment(w, earlier.instance, take_error, &earlier.index);
	}
	if (!violation_is_kept(w, instance))
		return error_create(HENCE_ERROR_INPUT,
		                    "the failure lies in a part of the run that could not be kept");
	for (uint32_t i = 0; i < c.notes.size; i++)
		violation_note(w->out, "%s", c.notes.at[i]);
	switch (c.kind) {
	case CRITERION_ASSERT:
	case CRITERION_ABORT: return of_abort(w, instance);
	case CRITERION_EXIT: return of_exit(w, instance);
	case CRITERION_HANG: return of_hang(w, instance);
	default: return of_crash(w, instance, &c);
	}
}

/* ------ numbers that were printed, and those that should have been ------ */

#define LONGEST_TEXT 400u /* characters of a number */

/* --- which conversion it was --- */

static uint64_t read_memory(void *context, uint64_t address, uint64_t size, uint8_t *out)
{
	return memory_read(context, address, size, out);
}

/* The conversion that printed the piece; false: none did. */
static bool violation_conversion(struct violation_output *o, const struct violation_piece *p,
                                 struct format_part *out)
{
	struct execution *e = o->watch.e;
	const struct code_call *code = p->a->function->insns[p->a->pc - 1].more;
	uint64_t *arguments GUARD_FREE = mem_alloc((code->count + 1) * sizeof(*arguments));
	char *signature GUARD_FREE = mem_alloc(code->count + 2);
	struct actions_call call = {.table = o->watch.run->table,
	                            .arguments = arguments,
	                            .count = code->count,
	                            .signature = signature};
	const struct actions_memory access = {.context = execution_memory(e), .read = read_memory};
	struct view view = {.call = &call, .memory = &access};
	const struct outside_clause *clause;
	uint32_t number = 0, active;
	struct format format;

	signature[0] = code->letter;
	for (uint32_t i = 0; i < code->count; i++) {
		const struct code_slot *slot = execution_slot(e, p->a, code->arguments[i].operand);

		arguments[i] = slot ? slot->bits : 0;
		signature[i + 1] = code->arguments[i].byval ? 'S' : code->arguments[i].letter;
	}
	if (code->name && call.table)
		call.model = outside_table_find(call.table, code->name);
	if (!call.model || !p->piece->conversion)
		return false;
	clause = outside_table_clauses(call.table, call.model);
	active = call.model->active;
	while (active && clause->kind != OUTSIDE_FORMATS)
		clause++, active--;
	if (!active)
		return false;
	if (format_open(&format, &view, clause))
		while (number < p->piece->conversion && format_next(&format, out) && !format.lost)
			number += out->letter && out->letter != '%';
	/* The list of a vprintf() is used up by now, so what lies there is not what was printed. */
	out->vague |= p->piece->slot && (out->width_from.size || out->precision_from.size);
	format_close(&format);
	return number == p->piece->conversion;
}

/* --- the argument --- */

/* The argument that the piece was printed from; 0: it has no term. */
static term violation_argument(struct violation_output *o, const struct violation_piece *p,
                               uint32_t size)
{
	struct violation_work *w = o->work;
	term t;

	if (p->piece->slot)
		return violation_memory(w, o->watch.e, p->piece->slot, size);
	t = symbolic_operand(w->symbolic, p->call, p->piece->argument - 1u);
	if (!t || term_at(w->terms, t)->bits < 8 * size)
		return 0;
	return term_extract(w->terms, t, 0, 8 * size);
}

/* Appends it as C. */
static void violation_add_argument(struct violation_output *o, const struct violation_piece *p,
                                   struct str *out)
{
	struct describe_scope scope = {.names = o->watch.names, .a = p->a};
	LLVMValueRef call = p->a->function->instructions[p->a->pc - 1];

	if (p->piece->slot)
		str_add(out, "the value that is printed");
	else
		describe_expression(&scope, LLVMGetOperand(call, p->piece->argument - 1u), out);
}

/* --- what should have been printed --- */

/* A value and the text that it is printed as. */
struct reading {
	union format_value value;
	char text[LONGEST_TEXT + 1];
	size_t length;
};

static bool renders(const struct format_part *part, const struct reading *r)
{
	char text[LONGEST_TEXT + 1];
	int length = format_render(part, &r->value, text, sizeof(text));

	return length >= 0 && (size_t)length == r->length && !memcmp(text, r->text, r->length);
}

/* Reads all of the text as a number. */
static bool read_number(const struct format_part *part, struct reading *r)
{
	const char *end = r->text + r->length;
	char *stop;
	char letter = part->letter;

	while (end > r->text && end[-1] == ' ')
		end--;
	errno = 0;
	r->value = (union format_value){0};
	if (format_is_real(part)) {
		r->value.real = strtod(r->text, &stop);
		return stop == end && stop > r->text;
	}
	if (letter == 'c') {
		r->value.bits = (uint8_t)(part->width < 0 ? r->text[0] : r->text[r->length - 1]);
		return true;
	}
	if (letter == 'd' || letter == 'i')
		r->value.bits = (uint64_t)strtoll(r->text, &stop, 10);
	else
		r->value.bits = strtoull(r->text, &stop,
		                         letter == 'x' || letter == 'X'   ? 16
		                         : letter == 'o'                  ? 8
		                         : letter == 'b' || letter == 'B' ? 2
		                                                          : 10);
	return stop == end && stop > r->text && !errno;
}

/* How far a number can go. */
static size_t longest(const char *text, size_t size)
{
	size_t length = 0;

	while (length < size && length < LONGEST_TEXT && text[length] == ' ')
		length++;
	while (length < size && length < LONGEST_TEXT &&
	       (isalnum((unsigned char)text[length]) || strchr("+-.", text[length])) &&
	       text[length])
		length++;
	while (length < size && length < LONGEST_TEXT && text[length] == ' ')
		length++;
	return length;
}

/* The longest beginning of the expected text that the conversion prints for some value, if possible
   one after which the text continues as the output of the call does. */
static bool find_reading(const struct violation_piece *p, const struct format_part *part,
                         const char *text, size_t size, struct reading *out)
{
	struct reading r;
	bool found = false;

	for (r.length = part->letter == 'c' ? (size > 0) : longest(text, size); r.length;
	     r.length--) {
		bool goes_on = !p->has_next || (r.length < size && text[r.length] == p->next);

		memcpy(r.text, text, r.length);
		r.text[r.length] = 0;
		if ((found && !goes_on) || !read_number(part, &r) || !renders(part, &r))
			continue;
		*out = r;
		found = true;
		if (goes_on)
			break;
	}
	return found;
}

/* --- claims --- */

/* Doubles in their order, as numbers; and back. */
static int64_t order_of(double x)
{
	int64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits < 0 ? INT64_MIN - bits : bits;
}

static double of_order(int64_t order)
{
	int64_t bits = order < 0 ? INT64_MIN - order : order;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* The last double in one direction that is printed as the reading says. */
static double furthest(const struct format_part *part, const struct reading *r, double limit)
{
	int64_t good = order_of(r->value.real), bad = order_of(limit);
	struct reading at = *r;

	at.value.real = limit;
	if (renders(part, &at))
		return limit;
	while ((good > bad ? (uint64_t)good - (uint64_t)bad : (uint64_t)bad - (uint64_t)good) > 1) {
		int64_t middle = good / 2 + bad / 2 + (good % 2 + bad % 2) / 2;

		at.value.real = of_order(middle);
		if (renders(part, &at))
			good = middle;
		else
			bad = middle;
	}
	return of_order(good);
}

static term double_term(struct terms *terms, double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return term_constant(terms, 64, bits);
}

static term claim_real(struct terms *terms, term argument, const struct format_part *part,
                       const struct reading *r)
{
	double low, high;

	if (r->value.real != r->value.real)
		return term_make(terms, TERM_FNAN, 1, argument, 0, 0);
	low = furthest(part, r, -__builtin_inf());
	high = furthest(part, r, __builtin_inf());
	return violation_and(terms,
	                     term_make(terms, TERM_FLE, 1, double_term(terms, low), argument, 0),
	                     term_make(terms, TERM_FLE, 1, argument, double_term(terms, high), 0));
}

/* Without what pads it. */
static void add_number(const char *text, size_t length, char letter, struct str *out)
{
	if (letter == 'c') {
		str_printf(out, "'%.*s'", (int)length, text);
		return;
	}
	for (; length && *text == ' '; text++)
		length--;
	while (length && text[length - 1] == ' ')
		length--;
	str_add_bytes(out, text, length);
}

/* The value that would have been printed as is expected, as a claim. False: the expected text is
   none that the conversion prints. */
static bool violation_of_number(struct violation_output *o, const struct violation_piece *p,
                                const struct format_part *part)
{
	const struct violation_question *q = o->work->question;
	uint64_t from = p->piece->offset;
	uint32_t size = part->value.size;
	struct terms *terms = o->work->terms;
	struct reading r;
	term argument;
	struct violation *out;
	const uint8_t *printed;

	if (from > q->expected_size || part->vague || size > 8 || !part->letter ||
	    !strchr("diuxXobBcfFeEgG", part->letter) || !outputs_piece_bytes(p->stream, p->piece))
		return false;
	if (!find_reading(p, part, q->expected + from, q->expected_size - from, &r))
		return false;
	argument = violation_argument(o, p, size);
	if (!argument)
		return false;
	/* `d == 5`, `4 == 5` */
	out = o->work->out;
	printed = outputs_piece_bytes(p->stream, p->piece);
	violation_add_argument(o, p, &out->wanted);
	str_add(&out->wanted, " == ");
	add_number(r.text, r.length, part->letter, &out->wanted);
	add_number((const char *)printed, p->piece->size, part->letter, &out->numbers);
	str_add(&out->numbers, " == ");
	add_number(r.text, r.length, part->letter, &out->numbers);
	violation_set_claim(o->work, p->call,
	                    format_is_real(part)
	                            ? claim_real(terms, argument, part, &r)
	                            : term_equals(terms, argument,
	                                          size < 8 ? r.value.bits & ((1ull << 8 * size) - 1)
	                                                   : r.value.bits));
	return true;
}

/* ------ standard output is not as expected ------ */

static bool is_expected(const struct violation_output *o, uint64_t offset)
{
	return offset < o->work->question->expected_size;
}

static char expected_at(const struct violation_output *o, uint64_t offset)
{
	return o->work->question->expected[offset];
}

/* --- in words --- */

static void add_char(char c, struct str *out)
{
	ctype_print_text((const uint8_t *)&c, 1, 0, out);
}

static void say(struct violation_output *o)
{
	const struct str *output = o->work->question->output;
	struct str *what = &o->work->out->what;

	str_printf(what, "byte %llu of %s ", (unsigned long long)o->offset,
	           o->work->question->stream ? o->work->question->stream : "standard output");
	if (o->offset < output->length) {
		str_add(what, "is ");
		add_char(output->text[o->offset], what);
		str_add(what,
		        is_expected(o, o->offset) ? ", not " : ", and nothing more is expected");
	} else {
		str_add(what, "is missing: ");
	}
	if (is_expected(o, o->offset))
		add_char(expected_at(o, o->offset), what);
}

/* --- text --- */

/* `buf[2] == 'c'`, `'a' == 'c'` */
static void want_byte(struct violation_output *o, uint64_t address, uint8_t is, uint8_t should)
{
	struct violation *out = o->work->out;
	struct names_use use = {.size = 1};
	struct name name = {0};
	char text[2][8];

	for (int i = 0; i < 2; i++) {
		uint8_t c = i ? should : is;

		if (isprint(c) && c != '\'' && c != '\\')
			snprintf(text[i], sizeof(text[i]), "'%c'", c);
		else
			snprintf(text[i], sizeof(text[i]), "%u", c);
	}
	names_of_address(o->watch.names, address, &use, &name);
	if (name.known) {
		str_printf(&out->wanted, "%s == %s", str_text(&name.text), text[1]);
		str_printf(&out->numbers, "%s == %s", text[0], text[1]);
	}
	name_deinit(&name);
}

/* The byte of memory, unless another place was printed. */
static void claim_byte(struct violation_output *o, const struct violation_piece *p,
                       uint64_t address, uint8_t should)
{
	struct violation_work *w = o->work;
	term byte = violation_memory(w, o->watch.e, address, 1), claim;
	term pointer = p->piece->argument || p->piece->slot ? violation_argument(o, p, 8) : 0;
	uint64_t is = byte ? term_evaluate(w->terms, byte, symbolic_actual, w->symbolic) : should;

	if (is == should) {
		violation_set_event(w, p->call);
		return;
	}
	claim = term_equals(w->terms, byte, should);
	if (pointer)
		claim = violation_or(w->terms, claim, violation_has_changed(w, pointer));
	want_byte(o, address, (uint8_t)is, should);
	violation_set_claim(w, p->call, claim);
	if (w->out->kind != VIOLATION_CHECK) {
		str_deinit(&w->out->wanted);
		str_deinit(&w->out->numbers);
	}
}

/* Does a 0 end what is printed, so that it could be shorter or longer? */
static bool is_string(struct violation_output *o, const struct violation_piece *p)
{
	uint8_t end;

	return memory_read(execution_memory(o->watch.e), p->piece->address + p->piece->length, 1,
	                   &end) &&
	       !end;
}

static void take_text(struct violation_output *o, const struct violation_piece *p)
{
	uint64_t at = o->offset - p->piece->offset;
	bool ends = !is_expected(o, o->offset) ||
	            (at > 0 && p->has_next && expected_at(o, o->offset) == p->next);

	if (ends && !is_string(o, p))
		violation_set_event(o->work, p->call);
	else
		claim_byte(o, p, p->piece->address + at,
		           ends ? 0 : (uint8_t)expected_at(o, o->offset));
}

/* --- the piece --- */

static void take_differs(struct violation_output *o, const struct violation_piece *p,
                         const struct format_part *part)
{
	struct violation_work *w = o->work;
	term argument = part->value.size <= 8 ? violation_argument(o, p, part->value.size) : 0;
	const char *printed = (const char *)outputs_piece_bytes(p->stream, p->piece);

	if (argument) {
		violation_add_argument(o, p, &w->out->wanted);
		if (printed)
			str_printf(&w->out->wanted, " != %.*s", (int)p->piece->size, printed);
	}
	violation_set_claim(w, p->call,
	                    argument
	                            ? violation_differs(w->terms, argument,
	                                                term_evaluate(w->terms, argument,
	                                                              symbolic_actual, w->symbolic))
	                            : 0);
}

/* The character that a function prints. */
static void take_character(struct violation_output *o, const struct violation_piece *p)
{
	term argument = violation_argument(o, p, 1);
	const uint8_t *printed = outputs_piece_bytes(p->stream, p->piece);
	struct violation *out = o->work->out;
	uint8_t should;

	if (!argument || !is_expected(o, o->offset) || !printed) {
		violation_set_event(o->work, p->call);
		return;
	}
	should = (uint8_t)expected_at(o, o->offset);
	violation_add_argument(o, p, &out->wanted);
	if (isprint(should) && isprint(*printed)) {
		str_printf(&out->wanted, " == '%c'", should);
		str_printf(&out->numbers, "'%c' == '%c'", *printed, should);
	} else {
		str_printf(&out->wanted, " == %u", should);
		str_printf(&out->numbers, "%u == %u", *printed, should);
	}
	violation_set_claim(o->work, p->call, term_equals(o->work->terms, argument, should));
}

static void take_piece(struct violation_output *o, const struct violation_piece *p)
{
	struct format_part part;
	bool converted =
		(p->piece->argument || p->piece->slot) && violation_conversion(o, p, &part);

	if (converted && strchr("sS", part.letter))
		converted = false;
	if (!p->piece->known)
		violation_set_event(o->work, p->call);
	else if (converted) {
		if (!violation_of_number(o, p, &part))
			take_differs(o, p, &part);
	} else if (p->piece->exact && p->piece->address)
		take_text(o, p);
	else if (p->piece->argument && p->piece->size == 1 && !p->piece->address)
		take_character(o, p);
	else
		violation_set_event(o->work, p->call);
}

/* What is right so far may be the beginning of what was expected: 2 of 20. */
static bool take_before(struct violation_output *o, const struct violation_piece *p)
{
	struct format_part part;
	bool converted =
		(p->piece->argument || p->piece->slot) && violation_conversion(o, p, &part);
	const struct violation_question *q = o->work->question;

	if (!p->piece->known || p->piece->offset + p->piece->size != o->offset)
		return false;
	if (converted && !strchr("sS", part.letter)) {
		char c = expected_at(o, o->offset);

		return (isalnum((unsigned char)c) || c == '.') &&
		       violation_of_number(o, p, &part) && o->work->out->kind == VIOLATION_CHECK;
	}
	/* A string should have been longer: what is printed after it comes later in the line. */
	if (!p->piece->exact || !p->piece->address || !p->has_next || !is_string(o, p))
		return false;
	for (uint64_t at = o->offset + 1; at < q->expected_size && q->expected[at - 1] != '\n';
	     at++)
		if (q->expected[at] == p->next) {
			claim_byte(o, p, p->piece->address + p->piece->length,
			           (uint8_t)expected_at(o, o->offset));
			return o->work->out->kind == VIOLATION_CHECK;
		}
	return false;
}

/* --- the call --- */

static void take_output_call(struct violation_output *o, const struct outputs_stream *stream)
{
	struct violation_piece p = {.stream = stream,
	                            .piece = outputs_at(stream, o->target),
	                            .a = execution_top(o->watch.e, 0),
	                            .call = describe_instance(o->watch.e)};
	const struct outputs_piece *next =
		p.piece ? outputs_at(stream, p.piece->offset + p.piece->size) : NULL;
	const uint8_t *bytes = next ? outputs_piece_bytes(stream, next) : NULL;

	o->found = true;
	if (!violation_is_kept(o->work, p.call))
		return;
	p.has_next = bytes && next->size;
	p.next = p.has_next ? (char)bytes[0] : 0;
	describe_stand_at(o->watch.names, o->watch.e);
	if (!p.piece || !p.piece->size)
		violation_set_event(o->work, p.call);
	else if (o->target == o->offset)
		take_piece(o, &p);
	o->done = o->target == o->offset || (p.piece && p.piece->size && take_before(o, &p));
	names_at(o->watch.names, 0, 0, 0, 0);
	if (o->done)
		violation_set_place(o->work->out, o->watch.names, watch_code(&o->watch),
		                    execution_statements(o->watch.e));
}

/* The file, of a run that is kept. NULL: it is not. */
static const struct outputs_stream *find_stream(const struct violation_output *o)
{
	const struct outputs_stream *const *all;
	uint32_t count = 0;

	all = o->watch.whole ? outputs_streams(execution_outputs(o->watch.whole), &count) : NULL;
	for (uint32_t i = 0; i < count; i++)
		if (all[i]->name && !strcmp(all[i]->name, o->work->question->stream))
			return all[i];
	return NULL;
}

static void look_for_output(struct watch *watch, enum execution_event event)
{
	struct violation_output *o = (struct violation_output *)watch;
	const struct outputs_stream *stream = watch_output(watch);
	uint64_t from, to;

	if (o->work->question->stream) {
		stream = find_stream(o);
		if (o->found ||
		    outputs_at(stream, o->target)->instance != describe_instance(watch->e))
			return;
		take_output_call(o, stream);
		watch_halt(watch);
		return;
	}
	if (o->found || !watch_prints(watch, event, stream, &from, &to) || to <= o->target)
		return;
	take_output_call(o, stream);
	watch_halt(watch);
}

static struct hence_error *finish_with_output(struct watch *watch)
{
	return NULL;
}

static void forget(struct violation *out)
{
	str_deinit(&out->wanted);
	str_deinit(&out->numbers);
	for (uint32_t i = 0; i < out->notes.size; i++)
		free(out->notes.at[i]);
	out->notes.size = 0;
}

static struct hence_error *look(struct violation_output *o, uint64_t target)
{
	struct criterion unused = {0};
	const struct history_print *print = NULL;
	const struct outputs_piece *piece = NULL;
	struct hence_error *error;

	forget(o->work->out);
	o->watch = (struct watch){.run = o->work->run,
	                          .outputs = true,
	                          .until = o->work->question->until,
	                          .statement = look_for_output,
	                          .finish = finish_with_output,
	                          .out = &unused};
	o->target = target;
	o->found = o->done = false;
	error = watch_ask(&o->watch);
	if (o->work->question->stream)
		piece = !error && find_stream(o) ? outputs_at(find_stream(o), target) : NULL;
	else
		print = !error && o->watch.whole ? history_print_of(o->watch.run, target) : NULL;
	if (print)
		watch_want(&o->watch, print->time);
	else if (piece && violation_is_kept(o->work, piece->instance))
		watch_want(&o->watch, history_statement(o->watch.run, piece->instance));
	else
		piece = NULL;
	if (!error && (print || piece || (!o->watch.whole && !o->work->question->stream)))
		error = watch_run(&o->watch);
	criterion_deinit(&unused);
	return error;
}

/* --- output that is missing --- */

static struct hence_error *of_end(struct violation_work *w)
{
	struct criterion c = {0};
	struct hence_error *error = criterion_of_output(w->run, w->question->stream, UINT64_MAX,
	                                                w->question->until, &c);

	if (error)
		return error;
	violation_set_event(w, c.marks.at[0]);
	for (uint32_t i = 0; i < c.at.size; i++)
		if (c.at.at[i].instance != c.marks.at[0] &&
		    violation_is_kept(w, c.at.at[i].instance))
			*vec_push(&w->out->also) = c.at.at[i].instance;
	free(w->out->file);
	free(w->out->function);
	w->out->file = c.file;
	w->out->function = c.function;
	w->out->line = c.line;
	w->out->column = c.column;
	c.file = c.function = NULL;
	criterion_deinit(&c);
	return NULL;
}

/* Standard output is wrong from byte `offset` on. */
static struct hence_error *violation_of_output(struct violation_work *w, uint64_t offset)
{
	struct violation_output o = {.work = w, .offset = offset};
	struct hence_error *error = NULL;

	w->out->failure = EXPLANATION_WRONG_OUTPUT;
	say(&o);
	if (offset && is_expected(&o, offset))
		error = look(&o, offset - 1);
	if (!error && !o.done && offset < w->question->output->length)
		error = look(&o, offset);
	if (error || o.done)
		return error;
	if (offset < w->question->output->length)
		return error_create(
			HENCE_ERROR_INPUT, "byte %llu of %s is wrong, but %s",
			(unsigned long long)offset,
			w->question->stream ? w->question->stream : "standard output",
			o.found ? "it was printed in a part of the run that could not be "
				  "kept"
				: "no call of the program that was seen printed it");
	forget(w->out);
	return of_end(w);
}

/* ------ the whole ------ */

struct hence_error *violation_find(const struct recording *run, struct symbolic *symbolic,
                                   const struct violation_question *question, struct violation *out)
{
	struct violation found = {0};
	struct violation_work w = {.run = run,
	                           .symbolic = symbolic,
	                           .terms = symbolic_terms(symbolic),
	                           .kept = symbolic_execution(symbolic),
	                           .question = question,
	                           .out = &found};
	const struct outcome *outcome = question->outcome;
	uint64_t length = question->output ? question->output->length : 0, offset = 0;
	bool differs = false; /* standard output, at `offset` */
	struct hence_error *error;

	if (question->expected) {
		while (offset < length && offset < question->expected_size &&
		       question->output->text[offset] == question->expected[offset])
			offset++;
		/* Of a run that failed, output that is missing at the end says less than the failure. */
		differs = offset < length ||
		          (offset < question->expected_size && outcome->kind == OUTCOME_EXITED &&
		           outcome->status == question->status);
	}
	if (question->check)
		error = violation_of_check(&w);
	else if (differs)
		error = violation_of_output(&w, offset);
	else
		error = violation_of_failure(&w);
	if (error)
		violation_deinit(&found);
	else
		*out = found;
	return error;
}
