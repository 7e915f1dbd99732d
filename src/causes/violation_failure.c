/* How the run ended, as a condition: see violation_work.h. */
#include <signal.h>
#include <string.h>

#include "causes/violation_work.h"

/* What the decoder noticed that the failure came from. */
struct earlier {
	bool found;
	uint32_t instance;
	uint32_t index; /* of execution_errors() */
	enum execution_error_kind kind;
};

/* --- errors with memory --- */

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
	index = watch_errors_first(watch, l->destroying);
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
	struct hence_error *error = watch_run(&l.watch);

	watch_errors_deinit(&l.errors);
	criterion_deinit(&unused);
	return error;
}

/* A block that was freed was read first of all: what came of it is anything. */
static struct hence_error *find_freed(struct violation_work *w, struct earlier *out)
{
	struct earlier first = {0};
	struct hence_error *error = find_error(w, false, &first);

	if (first.found && first.kind == ERROR_AFTER_FREE)
		*out = first;
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

/* Whether the call was made is what was wrong. */
static struct hence_error *hang_on_branch(struct violation_work *w, uint32_t instance)
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
	return hang_on_branch(w, instance);
}

/* Is the status written in the source where the program ends: exit(1), return 1? *instance becomes where. */
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
		violation_express(m, a, LLVMGetOperand(i, 0), &out->wanted);
	else
		str_add(&out->wanted, "the status");
	str_printf(&out->wanted, " == %d", m->work->question->status);
	str_printf(&out->numbers, "%d == %d", m->work->question->outcome->status,
	           m->work->question->status);
}

static bool gives_status(const struct violation_work *w, uint32_t instance)
{
	LLVMValueRef i = execution_instruction(w->kept, instance);
	const struct code_call *call = execution_insn(w->kept, instance)->more;

	if (LLVMIsAReturnInst(i))
		return LLVMGetNumOperands(i) == 1;
	return LLVMIsACallInst(i) && call->name && strstr(call->name, "exit") && call->count == 1;
}

static struct hence_error *of_exit(struct violation_work *w, uint32_t instance)
{
	struct hence_error *error;
	term status;

	str_printf(&w->out->what, "the program exits with status %d", w->question->outcome->status);
	if (!gives_status(w, instance) || is_literal(w, &instance))
		return hang_on_branch(w, instance);
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
		return hang_on_branch(w, instance);
	if (is_call_of_library(w, instance))
		return violation_of_call(w, instance);
	return violation_of_fault(w, instance);
}

static struct hence_error *dispatch(struct violation_work *w, const struct criterion *c)
{
	uint32_t instance = c->marks.at[0];

	w->out->failure = criterion_kind_name(c->kind);
	switch (c->kind) {
	case CRITERION_ASSERT:
	case CRITERION_ABORT: return of_abort(w, instance);
	case CRITERION_EXIT: return of_exit(w, instance);
	case CRITERION_HANG: return of_hang(w, instance);
	default: return of_crash(w, instance, c);
	}
}

/* --- all --- */

/* What destroyed memory before a failure, or read what was freed, is where to begin. */
static struct hence_error *of_earlier(struct violation_work *w, const struct criterion *c,
                                      const struct earlier *earlier)
{
	if (c->kind != CRITERION_MEMORY) {
		str_printf(&w->out->what, "%s: an error with memory came before",
		           str_text(&c->what));
		violation_note(
			w->out,
			"the program failed later%s%s; an error with memory before that "
			"is taken as where it went wrong; a run that passes may still make it",
			c->why.length ? ": " : "", str_text(&c->why));
	}
	w->out->failure = criterion_kind_name(c->kind);
	return violation_of_error(w, earlier->instance, earlier->index);
}

static struct hence_error *of_criterion(struct violation_work *w, const struct criterion *c)
{
	struct earlier earlier = {0};
	struct hence_error *error = NULL;

	if (c->kind == CRITERION_NONE)
		return error_create(
			HENCE_ERROR_NOTHING,
			"nothing is wrong with the run: it ended well, and no error with "
			"memory was noticed; say what should have been with --expect or "
			"--check");
	if (!c->marks.size)
		return error_create(HENCE_ERROR_INPUT,
		                    "no statement of the program led to its failure: %s",
		                    c->why.length ? str_text(&c->why) : str_text(&c->what));
	if (c->kind == CRITERION_MEMORY || c->marks.size > 1)
		error = find_error(w, c->kind != CRITERION_MEMORY, &earlier);
	if (!error && (c->kind == CRITERION_CRASH || c->kind == CRITERION_ABORT))
		error = find_freed(w, &earlier);
	if (error)
		return error;
	/* The access that the program died of is noticed as well. */
	if (earlier.found && violation_is_kept(w, earlier.instance) &&
	    (c->kind == CRITERION_MEMORY || earlier.instance != c->marks.at[0]))
		return of_earlier(w, c, &earlier);
	if (!violation_is_kept(w, c->marks.at[0]))
		return error_create(HENCE_ERROR_INPUT,
		                    "the failure lies in a part of the run that could not be kept");
	for (uint32_t i = 0; i < c->notes.size; i++)
		violation_note(w->out, "%s", c->notes.at[i]);
	return dispatch(w, c);
}

struct hence_error *violation_of_failure(struct violation_work *w)
{
	struct criterion c = {0};
	struct hence_error *error =
		criterion_of_failure(w->run, w->question->outcome, w->question->until, &c);

	if (error)
		return error;
	error = of_criterion(w, &c);
	criterion_deinit(&c);
	return error;
}
