/* Potential dependences in a backward slice: see relevant.h. */
#include "slice/backward_walker.h"

/* --- potential dependences --- */

/* Accesses through pointers that reach what an instance read. */
static uint32_t classes_of(const struct backward_walker *w, uint32_t instance)
{
	const struct code_function *f;
	const struct code_insn *insn;
	uint32_t number;

	if (!backward_keeps(w, instance))
		return SIDES_ALL;
	number = execution_code(w->e, instance);
	f = code_of(w->code, number);
	insn = &f->insns[number - f->first];
	if (insn->op != CODE_LOAD && insn->op != CODE_LOAD_WIDE)
		return SIDES_ALL;
	if (!(insn->a & 1) && !(f->makers[insn->a >> 1] & CODE_PARAMETER)) {
		const struct code_insn *maker = &f->insns[f->makers[insn->a >> 1]];

		if (maker->op == CODE_LOCAL && maker->b == UINT32_MAX)
			return 0; /* a local whose address is not taken */
	}
	return sides_class(w->code->program->modules.at[f->place.module].plan->layout,
	                   LLVMTypeOf(f->instructions[number - f->first]));
}

void backward_open(struct backward_walker *w, const struct execution_origin *o)
{
	uint32_t since = o->source < EXECUTION_FIRST ? 0 : o->source;

	relevant_add(&w->b->relevant, o->from, o->size, since, w->instance,
	             classes_of(w, w->instance));
}

static uint32_t block_of(const struct code_function *f, uint32_t pc)
{
	uint32_t low = 0, high = f->plan->blocks.size;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (f->blocks[middle] <= pc)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Could the branch, had it gone another way, have changed what was read later? Of a switch, the way
   that it went counts, too. */
void backward_try_branch(struct backward_walker *w, const struct execution_segment *s,
                         const struct code_function *f, uint32_t branch)
{
	uint32_t pc = s->code - f->first + (branch - s->first), load = 0;
	uint32_t block = block_of(f, pc), count = f->plan->blocks.at[block].successors;
	uint8_t op = f->insns[pc].op;
	uint32_t taken = op == CODE_BRANCH ? !execution_value(w->e, branch) : UINT32_MAX;

	if ((op != CODE_BRANCH && op != CODE_SWITCH && op != CODE_JUMP) ||
	    marks_has(w->m->want, branch))
		return;
	for (uint32_t side = 0; !load && side < count; side++)
		if (side != taken)
			load = relevant_find(&w->b->relevant, &w->sides,
			                     sides_of(&w->sides, f, block, side),
			                     w->frames[s->frame].address, branch);
	if (!load)
		return;
	marks_set(w->m->want, branch);
	if (w->edges)
		*vec_push(&w->b->found.edges) =
			(struct slice_edge){.from = branch, .to = load, .potential = true};
}
