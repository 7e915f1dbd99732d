/* Instances of two runs that correspond: see dual_pair.h. */
#include <string.h>

#include "slice/dual_pair.h"

/* --- instances --- */

/* Do the instructions from these on, up to the end of the statement, look the same? */
static bool is_same_shape(const struct dual_place *a, const struct dual_place *b, uint32_t count)
{
	for (uint32_t i = 0; i <= count; i++) {
		const struct code_insn *x = dual_run_insn(a) + i, *y = dual_run_insn(b) + i;

		if (x->op != y->op || x->bits != y->bits || x->words != y->words ||
		    x->bytes != y->bytes)
			return false;
	}
	return true;
}

/* The instance of instruction `pc` in the same statement as `end`, which is the last of it; 0: none. */
static uint32_t find_before(const struct dual_run *run, uint32_t end, uint32_t pc)
{
	struct dual_place p = dual_run_place(run, end);
	uint32_t at = end;

	for (;;) {
		uint32_t first = run->segments[p.segment].first;

		for (;; at--, p.pc--) {
			if (at != end && dual_run_insn(&p)->flags & CODE_STATEMENT)
				return 0;
			if (p.pc == pc)
				return at;
			if (at == first)
				break;
		}
		if (!run->segments[p.segment].previous)
			return 0;
		p.segment = run->segments[p.segment].previous - 1;
		at = dual_run_segment_end(run, p.segment) - 1;
		p.pc = run->segments[p.segment].code - p.function->first +
		       (at - run->segments[p.segment].first);
	}
}

/* Of two versions of a function: by the place before the end of the statement, if all looks the same from
   there on. */
static uint32_t find_alike(const struct dual_run *other, const struct dual_place *p, uint32_t left,
                           uint32_t end)
{
	struct dual_place q = dual_run_place(other, end);

	if (q.pc < left || end - other->segments[q.segment].first < left)
		return 0;
	q.pc -= left;
	return is_same_shape(p, &q, left) ? end - left : left ? 0 : end;
}

/* A call that returned once more, which is no statement of its own, comes next after what jumped. */
static uint32_t find_returned(const struct dual_pair *pair, unsigned side, uint32_t instance)
{
	const struct dual_run *run = &pair->runs[side], *other = &pair->runs[!side];
	uint32_t jumped = execution_source(run->e, instance), found;
	struct dual_place p, q;

	if (jumped < EXECUTION_FIRST || jumped & EXECUTION_GROUP || jumped + 1 != instance)
		return 0;
	found = dual_pair_counterpart(pair, side, jumped);
	if (!found || found + 1 >= other->end)
		return 0;
	p = dual_run_place(run, instance);
	q = dual_run_place(other, found + 1);
	return p.function->plan == q.function->plan && p.pc == q.pc ? found + 1 : 0;
}

static uint32_t find_counterpart(const struct dual_pair *pair, unsigned side, uint32_t instance)
{
	const struct dual_run *run = &pair->runs[side], *other = &pair->runs[!side];
	uint32_t end = dual_run_statement_end(run, instance), there;
	uint64_t time = dual_run_time_of(run, end);
	struct dual_place p = dual_run_place(run, instance);

	if (end == instance && !dual_run_is_end(run, end))
		return find_returned(pair, side, instance);
	if (!end && !execution_died(run->e))
		return 0;
	time = side ? alignment_of_b(pair->alignment, time) : alignment_of_a(pair->alignment, time);
	there = dual_run_of_time(other, time);
	if (!there)
		return 0;
	if (dual_run_place(other, there).function->plan == p.function->plan)
		return find_before(other, there, p.pc);
	if (!end)
		return instance + 1 == run->end ? there : 0;
	if (dual_run_place(run, end).segment != p.segment)
		return 0;
	return find_alike(other, &p, end - instance, there);
}

uint32_t dual_pair_counterpart(const struct dual_pair *pair, unsigned side, uint32_t instance)
{
	uint32_t *known = &pair->known[side][instance], found;

	if (*known)
		return *known - 1;
	found = find_counterpart(pair, side, instance);
	*known = found + 1;
	if (found)
		pair->known[!side][found] = instance + 1;
	return found;
}

/* --- branches --- */

/* The block that the function went on with, as the code of its first instruction; UINT32_MAX: none. */
static uint32_t way_of(const struct dual_run *run, uint32_t branch)
{
	struct dual_place p = dual_run_place(run, branch);
	uint32_t next = run->next[p.segment];

	return next ? run->segments[next - 1].code - p.function->first : UINT32_MAX;
}

/* The function that a call entered; NULL: none that we see. */
static const struct plan_function *entered(const struct dual_run *run, uint32_t call)
{
	struct code *code = execution_code_table(run->e);
	const struct execution_segment *s;

	if (call + 1 >= run->end)
		return NULL;
	s = execution_segment(run->e, call + 1);
	if (run->frames[s->frame].call != call)
		return NULL;
	return code->functions.at[run->frames[s->frame].function]->plan;
}

static bool is_same_function(const struct plan_function *a, const struct plan_function *b)
{
	return a == b || (a && b && !strcmp(a->name, b->name));
}

bool dual_pair_parts(const struct dual_pair *pair, unsigned side, uint32_t instance, uint32_t other)
{
	const struct dual_run *a = &pair->runs[side], *b = &pair->runs[!side];
	struct dual_place p = dual_run_place(a, instance), q = dual_run_place(b, other);
	uint8_t op = dual_run_insn(&p)->op;

	if (op == CODE_CALL)
		return !is_same_function(entered(a, instance), entered(b, other));
	if (op == CODE_BRANCH || p.function->plan != q.function->plan)
		return execution_value(a->e, instance) != execution_value(b->e, other);
	return way_of(a, instance) != way_of(b, other);
}

/* --- both runs --- */

/* What outside calls returned: pointers that lead to no object, a FILE for instance. */
static void pair_foreign(struct dual_pair *pair)
{
	const struct dual_run *a = &pair->runs[0], *b = &pair->runs[1];
	uint32_t count = execution_call_count(a->e);

	for (uint32_t i = 1; i <= count; i++) {
		uint32_t call = execution_call(a->e, i)->instance, other;

		if (!(execution_insn(a->e, call)->flags & CODE_POINTER) ||
		    !execution_value(a->e, call))
			continue;
		other = dual_pair_counterpart(pair, 0, call);
		if (other && execution_value(b->e, other))
			*dual_word_map_put(&pair->foreign, execution_value(a->e, call)) =
				execution_value(b->e, other);
	}
}

void dual_pair_init(struct dual_pair *pair, const struct alignment *alignment)
{
	pair->alignment = alignment;
	for (unsigned i = 0; i < 2; i++) {
		const struct objects *all = execution_objects(pair->runs[i].e);

		dual_objects_init(&pair->objects[i], all);
		pair->others[i] = mem_alloc((all->all.size + 1) * sizeof(*pair->others[i]));
		pair->known[i] = mem_alloc(((size_t)pair->runs[i].end + 1) * sizeof(uint32_t));
	}
	pair_foreign(pair);
}

void dual_pair_deinit(struct dual_pair *pair)
{
	for (unsigned i = 0; i < 2; i++) {
		names_destroy(pair->names[i]);
		dual_objects_deinit(&pair->objects[i]);
		dual_run_deinit(&pair->runs[i]);
		free(pair->others[i]);
		free(pair->known[i]);
	}
	dual_word_map_deinit(&pair->foreign);
}
