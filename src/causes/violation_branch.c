/* Branches that a failure hangs on: see violation_work.h. */
#include <string.h>

#include "causes/branch.h"
#include "causes/violation_work.h"

/* --- where a branch can go --- */

static uint32_t block_of(const struct code_function *f, uint32_t code)
{
	uint32_t block = 0;

	while (f->blocks[block + 1] <= code - f->first)
		block++;
	return block;
}

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
	uint32_t block = block_of(f, code);
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

/* What it hangs on; 0: nothing that is kept. */
static uint32_t parent_of(const struct violation_work *w, uint32_t instance)
{
	uint32_t parent = execution_segment(w->kept, instance)->parent;

	return violation_is_kept(w, parent) ? parent : 0;
}

uint32_t violation_branch_above(const struct violation_work *w, uint32_t instance)
{
	for (instance = parent_of(w, instance); instance; instance = parent_of(w, instance))
		if (is_branch(w->kept, instance) && has_way_out(w->kept, instance))
			return instance;
	return 0;
}

/* The nearest one above, in the same call, that hangs on an earlier execution of itself, perhaps by way of others. */
uint32_t violation_loop_around(const struct violation_work *w, uint32_t instance)
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

/* Of a switch what it must not be. */
static void want_other_case(struct violation_moment *m, struct str *out)
{
	struct branch_words words = {0};

	branch_describe(m->watch.names, m->watch.e, 0, &words);
	if (words.condition)
		str_printf(out, "%s is not %s", words.condition, words.failing);
	free(words.condition);
	free(words.failing);
	free(words.other);
}

static void take_branch(struct violation_moment *m, const struct activation *a)
{
	struct violation *out = m->work->out;
	struct describe_scope scope = {.names = m->watch.names, .a = a};
	LLVMValueRef i = execution_instruction(m->work->kept, m->instance);
	const struct code_slot *slot;

	if (!a || a->function->instructions[a->pc - 1] != i)
		return;
	if (a->function->insns[a->pc - 1].op != CODE_BRANCH) {
		want_other_case(m, &out->wanted);
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

struct hence_error *violation_set_branch(struct violation_work *w, uint32_t branch)
{
	w->out->kind = VIOLATION_BRANCH;
	w->out->instance = branch;
	return violation_moment(w, branch, take_branch, NULL);
}
