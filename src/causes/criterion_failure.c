/* What went wrong in a run: see criterion.h. */
#include <signal.h>
#include <string.h>

#include "causes/watch.h"

/* An instance, and the instruction that it is of. */
struct event {
	uint32_t instance; /* 0: there was none */
	uint32_t code;
	char *callee; /* of a call of outside code */
};

/* An error with memory, with what is only known while it happens. */
struct seen {
	uint32_t instance;
	uint32_t pointer; /* who made the pointer; 0: nobody, or the instance says all */
	uint32_t freed;   /* the call that freed the block; 0: it is not about that */
};

struct failure_watch {
	struct watch watch;
	const struct outcome *outcome;
	struct describe_errors *errors;
	VEC(struct seen) seen; /* one for each of execution_errors() */
	struct event returned; /* from main() */
	struct event left;     /* a call that did not return */
	struct event last;     /* statement */
};

/* --- while it runs --- */

static struct event take_event(struct failure_watch *f)
{
	return (struct event){.instance = describe_instance(f->watch.e),
	                      .code = watch_code(&f->watch)};
}

/* Which operand of the instruction says where: CODE_NO_OPERAND: several matter. */
static uint32_t pointer_operand(const struct code_insn *insn)
{
	switch (insn->op) {
	case CODE_LOAD:
	case CODE_LOAD_WIDE: return insn->a;
	case CODE_STORE:
	case CODE_STORE_WIDE: return insn->b;
	default: return CODE_NO_OPERAND;
	}
}

static void see_error(struct failure_watch *f, const struct execution_error *error)
{
	struct execution *e = f->watch.e;
	const struct activation *a = execution_top(e, 0);
	const struct object *object =
		error->object ? objects_at(execution_objects(e), error->object) : NULL;
	struct seen *seen = vec_push(&f->seen);
	const struct code_insn *insn;
	const struct code_slot *slot;

	seen->instance = error->outside && a ? a->call : error->instance;
	if ((error->kind == ERROR_AFTER_FREE || error->kind == ERROR_DOUBLE_FREE) && object)
		seen->freed = object->death;
	if (!a || error->outside || code_of(execution_code_table(e), error->code) != a->function)
		return;
	insn = &a->function->insns[error->code - a->function->first];
	slot = execution_slot(e, a, pointer_operand(insn));
	seen->pointer = slot ? slot->made : 0;
}

static void see_errors(struct failure_watch *f)
{
	uint32_t count;
	const struct execution_error *errors = execution_errors(f->watch.e, &count);

	for (uint32_t i = f->seen.size; i < count; i++)
		see_error(f, &errors[i]);
	describe_errors_follow(f->errors);
}

static void take_left(struct failure_watch *f)
{
	struct described described = {.unfinished = true};

	describe_statement(f->watch.names, f->watch.e, false, &described);
	free(f->left.callee);
	f->left = take_event(f);
	f->left.callee = described.callee ? mem_strdup(described.callee) : NULL;
	described_deinit(&described);
}

static void on_statement(struct watch *watch, enum execution_event event)
{
	struct failure_watch *f = (struct failure_watch *)watch;
	const struct activation *a = execution_top(watch->e, 0);
	const struct code_insn *insn = &a->function->insns[a->pc - 1];

	if (!f->errors)
		f->errors = describe_errors_create(watch->names, watch->e);
	see_errors(f);
	f->last = take_event(f);
	if (event == EXECUTION_LEFT)
		take_left(f);
	if (insn->op == CODE_RETURN && a->entered && !strcmp(a->function->plan->name, "main"))
		f->returned = f->last;
}

/* --- errors with memory --- */

static bool destroys(const struct execution_error *error)
{
	switch (error->kind) {
	case ERROR_OUT_OF_BOUNDS:
	case ERROR_AFTER_FREE:
	case ERROR_AFTER_RETURN: return error->writes;
	case ERROR_DOUBLE_FREE:
	case ERROR_BAD_FREE: return true;
	default: return false;
	}
}

/* The first error, or the first that destroyed something; -1: there is none. */
static int64_t find_error(struct failure_watch *f, bool destroying)
{
	uint32_t count;
	const struct execution_error *errors = execution_errors(f->watch.e, &count);

	for (uint32_t i = 0; i < count; i++)
		if (errors[i].kind != ERROR_FAULT && (!destroying || destroys(&errors[i])))
			return i;
	return -1;
}

static void add_error(struct failure_watch *f, uint32_t index)
{
	const struct seen *seen = &f->seen.at[index];
	struct watch *w = &f->watch;
	struct slice_criterion at = {.instance = seen->instance,
	                             .itself = seen->pointer >= EXECUTION_FIRST};

	watch_add(w, &at);
	watch_mark(w, seen->instance);
	if (at.itself)
		watch_add(w, &(struct slice_criterion){.instance = seen->pointer});
	if (seen->freed >= EXECUTION_FIRST)
		watch_add(w, &(struct slice_criterion){.instance = seen->freed, .itself = true});
}

static uint32_t code_of_error(struct failure_watch *f, int64_t index)
{
	uint32_t count;

	return execution_errors(f->watch.e, &count)[index].code;
}

/* What destroyed memory before the program died belongs to why it died. */
static void add_destroyer(struct failure_watch *f)
{
	int64_t index = find_error(f, true);
	struct walk_place place;
	struct str text = STR_INIT;

	if (index < 0)
		return;
	place = names_place(f->watch.names, code_of_error(f, index));
	add_error(f, (uint32_t)index);
	describe_error(f->errors, (uint32_t)index, &text);
	if (place.file)
		watch_note(&f->watch, "before that, at %s:%u in %s(): %s", place.file, place.line,
		           place.function, str_text(&text));
	else
		watch_note(&f->watch, "before that, in %s(): %s", place.function, str_text(&text));
	str_deinit(&text);
}

static void take_memory(struct failure_watch *f)
{
	int64_t index = find_error(f, false);
	struct criterion *out = f->watch.out;

	if (index < 0)
		return;
	out->kind = CRITERION_MEMORY;
	str_add(&out->what, "the first error with memory");
	describe_error(f->errors, (uint32_t)index, &out->why);
	watch_set_place(&f->watch, code_of_error(f, index));
	add_error(f, (uint32_t)index);
}

/* --- ends --- */

static void take_place(struct failure_watch *f, const struct event *event, bool itself)
{
	watch_add(&f->watch,
	          &(struct slice_criterion){.instance = event->instance, .itself = itself});
	watch_mark(&f->watch, event->instance);
	watch_set_place(&f->watch, event->code);
}

/* Is the program still inside the call that did not return? */
static bool is_inside(const struct failure_watch *f)
{
	return f->left.instance && f->left.instance == f->last.instance;
}

/* Of a division the divisor. */
static uint32_t divisor_operand(const struct activation *a)
{
	const struct code_insn *insn = &a->function->insns[a->pc - 1];
	LLVMValueRef instruction = a->function->instructions[a->pc - 1];
	const struct code_eval *eval = insn->more;

	if (insn->op != CODE_EVAL || eval->count != 2 || !LLVMIsAInstruction(instruction))
		return CODE_NO_OPERAND;
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMSDiv:
	case LLVMUDiv:
	case LLVMSRem:
	case LLVMURem: return eval->in[1].operand;
	default: return CODE_NO_OPERAND;
	}
}

static void describe_fault(struct failure_watch *f)
{
	uint32_t count;
	const struct execution_error *errors = execution_errors(f->watch.e, &count);

	for (uint32_t i = 0; i < count; i++)
		if (errors[i].kind == ERROR_FAULT)
			describe_error(f->errors, i, &f->watch.out->why);
	if (!f->watch.out->why.length && f->outcome->detail)
		str_printf(&f->watch.out->why, "the program died: %s", f->outcome->detail);
}

/* The instruction that the program died of: it ended no statement. */
static void take_fault(struct failure_watch *f)
{
	const struct activation *a = execution_top(f->watch.e, 0);
	uint32_t operand = pointer_operand(&a->function->insns[a->pc - 1]);
	struct event event = take_event(f);

	if (operand == CODE_NO_OPERAND)
		operand = divisor_operand(a);
	take_place(f, &event, operand != CODE_NO_OPERAND);
	watch_add_operand(&f->watch, a, operand);
	describe_fault(f);
}

/* A call through a pointer that leads to no function: the arguments do not matter. */
static void take_stray_call(struct failure_watch *f)
{
	const struct activation *a = execution_top(f->watch.e, 0);
	const struct code_insn *insn = &a->function->insns[a->pc - 1];
	const struct code_call *call = insn->more;

	take_place(f, &f->left, insn->op == CODE_CALL);
	if (insn->op == CODE_CALL)
		watch_add_operand(&f->watch, a, call->callee);
	str_add(&f->watch.out->why,
	        "the program died when it called a pointer that leads to no function");
}

static void take_call(struct failure_watch *f, const char *verb)
{
	take_place(f, &f->left, false);
	if (f->left.callee)
		str_printf(&f->watch.out->why, "the program %s in a call of %s()", verb,
		           f->left.callee);
}

static bool is_fault(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
	       number == SIGTRAP;
}

static void take_signal(struct failure_watch *f)
{
	struct criterion *out = f->watch.out;
	int number = f->outcome->signal;

	out->kind = number == SIGABRT ? CRITERION_ABORT : CRITERION_CRASH;
	if (f->outcome->assertion.text) {
		out->kind = CRITERION_ASSERT;
		str_printf(&out->what, "the failed assertion '%s'", f->outcome->assertion.text);
	} else {
		str_add(&out->what, outcome_signal_name(number));
	}
	if (is_inside(f) && is_fault(number) && f->left.callee && !strcmp(f->left.callee, "?")) {
		take_stray_call(f);
	} else if (is_inside(f)) {
		take_call(f, out->kind == CRITERION_CRASH ? "died" : "was ended");
		if (out->kind == CRITERION_ASSERT)
			str_deinit(&out->why);
	} else if (is_fault(number) && execution_top(f->watch.e, 0)) {
		take_fault(f);
	} else if (f->last.instance) {
		take_place(f, &f->last, false);
		watch_note(&f->watch, "the place where it died is not known; this is the last "
		                      "statement that it executed");
	}
	add_destroyer(f);
}

static void take_exit(struct failure_watch *f)
{
	struct criterion *out = f->watch.out;

	out->kind = CRITERION_EXIT;
	str_printf(&out->what, "exit status %d", f->outcome->status);
	/* A function that runs at exit may be the last; what main() returned is older then. */
	if (f->returned.instance && !(f->left.instance > f->returned.instance)) {
		take_place(f, &f->returned, false);
		str_add(&out->why, "main() returned it");
	} else if (f->left.instance) {
		take_call(f, "ended");
	} else if (f->last.instance) {
		take_place(f, &f->last, false);
	}
}

static void take_hang(struct failure_watch *f)
{
	const struct activation *a = execution_top(f->watch.e, 0);
	struct criterion *out = f->watch.out;

	out->kind = CRITERION_HANG;
	str_add(&out->what, "the hang");
	if (is_inside(f)) {
		take_call(f, "was");
	} else if (f->last.instance) {
		take_place(f, &f->last, true);
		str_add(&out->why, "the program was stopped there");
	}
	/* The branch that decided that the last block is executed: that of the innermost loop, or
	   one inside it that hangs on it. */
	if (a && a->parent >= EXECUTION_FIRST)
		watch_add(&f->watch, &(struct slice_criterion){.instance = a->parent});
}

static struct hence_error *finish(struct watch *watch)
{
	struct failure_watch *f = (struct failure_watch *)watch;

	if (!f->last.instance && !execution_top(watch->e, 0))
		return error_create(HENCE_ERROR_INPUT,
		                    "the program executed no statement that was built with hence "
		                    "cc, so nothing is known of its failure");
	if (!f->errors)
		f->errors = describe_errors_create(watch->names, watch->e);
	see_errors(f);
	switch (f->outcome->kind) {
	case OUTCOME_SIGNALLED: take_signal(f); break;
	case OUTCOME_TIMED_OUT: take_hang(f); break;
	case OUTCOME_EXITED:
		if (f->outcome->status)
			take_exit(f);
		else
			take_memory(f);
		break;
	default: take_memory(f);
	}
	return NULL;
}

struct hence_error *criterion_of_failure(const struct slice_run *run, const struct outcome *outcome,
                                         double until, struct criterion *out)
{
	struct criterion found = {0};
	struct failure_watch f = {.watch = {.run = run,
	                                    .until = until,
	                                    .statement = on_statement,
	                                    .finish = finish,
	                                    .out = &found},
	                          .outcome = outcome};
	struct hence_error *error = watch_run(&f.watch);

	describe_errors_destroy(f.errors);
	vec_deinit(&f.seen);
	free(f.left.callee);
	if (error)
		criterion_deinit(&found);
	else
		*out = found;
	return error;
}
