/* What went wrong in a run: see criterion.h. */
#include <signal.h>
#include <string.h>

#include "causes/watch_errors.h"

/* A run that had to be stopped is looked at until it has executed so many statements without one that
   is new: a loop without end is the same all the time, and what was recorded of it may take minutes to
   read. */
#define HANG_STATEMENTS 2000000u

/* An instance, and the instruction that it is of. */
struct event {
	uint32_t instance; /* 0: there was none */
	uint32_t code;
	char *callee; /* of a call of outside code */
};

struct failure_watch {
	struct watch watch;
	const struct outcome *outcome;
	struct watch_errors errors;
	struct event returned; /* from main() */
	struct event left;     /* a call that did not return */
	struct event last;     /* statement */
	VEC(uint8_t) known;    /* by instruction: it was the last of a statement; of a hang only */
	uint64_t fresh;        /* the last statement that was not known */
	bool cut;              /* the rest of a hang was not looked at */
};

/* --- while it runs --- */

static struct event take_event(struct failure_watch *f)
{
	return (struct event){.instance = describe_instance(f->watch.e),
	                      .code = watch_code(&f->watch)};
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

static void see_hang(struct failure_watch *f)
{
	uint64_t number = execution_statements(f->watch.e);
	uint32_t code = f->last.code;

	while (f->known.size <= code)
		vec_push(&f->known);
	if (!f->known.at[code])
		f->fresh = number;
	f->known.at[code] = true;
	if (number - f->fresh < HANG_STATEMENTS)
		return;
	f->cut = true;
	watch_halt(&f->watch);
}

static void on_statement(struct watch *watch, enum execution_event event)
{
	struct failure_watch *f = (struct failure_watch *)watch;
	const struct activation *a = execution_top(watch->e, 0);
	const struct code_insn *insn = &a->function->insns[a->pc - 1];

	watch_errors_see(&f->errors, watch);
	f->last = take_event(f);
	if (event == EXECUTION_LEFT)
		take_left(f);
	if (insn->op == CODE_RETURN && a->entered && !strcmp(a->function->plan->name, "main"))
		f->returned = f->last;
	if (f->outcome->kind == OUTCOME_TIMED_OUT)
		see_hang(f);
}

/* --- ends --- */

static void take_memory(struct failure_watch *f)
{
	int64_t index = watch_errors_first(&f->watch, false);
	struct criterion *out = f->watch.out;
	uint32_t count;

	if (index < 0)
		return;
	out->kind = CRITERION_MEMORY;
	str_add(&out->what, "the first error with memory");
	describe_error(f->errors.errors, (uint32_t)index, &out->why);
	watch_set_place(&f->watch, execution_errors(f->watch.e, &count)[index].code);
	watch_errors_add(&f->errors, &f->watch, (uint32_t)index);
}

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

static bool is_unbegun(const struct failure_watch *f)
{
	const struct activation *a = execution_top(f->watch.e, 0);

	return a && !a->pc;
}

static bool is_overflow(const struct failure_watch *f)
{
	const char *detail = f->outcome->detail;

	return detail && !strncmp(detail, "stack overflow", strlen("stack overflow"));
}

static void describe_fault(struct failure_watch *f)
{
	uint32_t count;
	const struct execution_error *errors = execution_errors(f->watch.e, &count);

	for (uint32_t i = 0; i < count; i++)
		if (errors[i].kind == ERROR_FAULT)
			describe_error(f->errors.errors, i, &f->watch.out->why);
	if (f->watch.out->why.length && is_overflow(f))
		str_printf(&f->watch.out->why, " (%s)", f->outcome->detail);
	if (!f->watch.out->why.length && f->outcome->detail)
		str_printf(&f->watch.out->why, "the program died: %s", f->outcome->detail);
}

/* The instruction that the program died of: it ended no statement. */
static void take_fault(struct failure_watch *f)
{
	const struct activation *a = execution_top(f->watch.e, 0);
	const struct code_insn *insn = &a->function->insns[a->pc - 1];
	uint32_t operand = watch_pointer_operand(insn);
	struct event event = {.instance = watch_dying(&f->watch, f->last.instance),
	                      .code = watch_code(&f->watch)};

	if (operand == CODE_NO_OPERAND)
		operand = divisor_operand(a);
	/* Of a call that could not be made the arguments do not matter. */
	take_place(f, &event, operand != CODE_NO_OPERAND || insn->op == CODE_CALL);
	watch_add_operand(&f->watch, a, operand);
	describe_fault(f);
}

/* The function on top died before its first instruction: what it needs on the stack did not fit. So
   the call counts, and why it was made. */
static void take_unbegun(struct failure_watch *f)
{
	const struct activation *a = execution_top(f->watch.e, 0);
	const struct activation *caller = execution_top(f->watch.e, 1);
	struct criterion *out = f->watch.out;

	str_printf(&out->why, "the program died when it entered %s()", a->function->plan->name);
	if (f->outcome->detail)
		str_printf(&out->why, ": %s", f->outcome->detail);
	if (caller && caller->pc && !a->entered && caller->call >= EXECUTION_FIRST) {
		struct event event = {.instance = caller->call,
		                      .code = caller->function->first + caller->pc - 1};

		take_place(f, &event, true);
		return;
	}
	watch_set_place(&f->watch, a->function->first);
	watch_note(&f->watch, "no statement of the program led there");
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

/* Without debug information the decoder may not find where the program died. */
static bool is_place_known(const struct failure_watch *f)
{
	return execution_died(f->watch.e) || f->outcome->place.line;
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
	} else if (is_fault(number) && is_unbegun(f)) {
		take_unbegun(f);
	} else if (is_fault(number) && execution_top(f->watch.e, 0) && is_place_known(f)) {
		take_fault(f);
	} else if (f->last.instance) {
		take_place(f, &f->last, false);
		out->line = out->column = 0;
		watch_note(&f->watch, "the place where it died is not known; this is the last "
		                      "statement that it executed");
	}
	watch_errors_add_earlier(&f->errors, &f->watch, false);
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
	watch_errors_add_earlier(&f->errors, &f->watch, true);
}

static void take_hang(struct failure_watch *f)
{
	const struct activation *a = execution_top(f->watch.e, 0);
	struct criterion *out = f->watch.out;

	out->kind = CRITERION_HANG;
	str_add(&out->what, "the hang");
	if (f->cut) {
		out->end = execution_statements(f->watch.e);
		watch_note(&f->watch,
		           "of the run without end, the first %llu statements were looked at",
		           (unsigned long long)out->end);
	}
	if (is_inside(f)) {
		take_call(f, "was");
	} else if (f->last.instance) {
		take_place(f, &f->last, true);
		str_add(&out->why, f->cut ? "the program went on there until it was stopped"
		                          : "the program was stopped there");
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
	watch_errors_see(&f->errors, watch);
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

struct hence_error *criterion_of_failure(const struct recording *run, const struct outcome *outcome,
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

	watch_errors_deinit(&f.errors);
	vec_deinit(&f.known);
	free(f.left.callee);
	if (error)
		criterion_deinit(&found);
	else
		*out = found;
	return error;
}
