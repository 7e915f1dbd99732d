/* Instances and objects of two runs that correspond: see dual_pair.h. */
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

/* --- objects --- */

uint32_t dual_pair_frame(const struct dual_pair *pair, unsigned side, uint32_t frame)
{
	uint32_t first = pair->runs[side].frames[frame].first, there, found;

	if (first < pair->runs[side].first || first >= pair->runs[side].end)
		return UINT32_MAX;
	there = dual_pair_counterpart(pair, side, first);
	if (!there)
		return UINT32_MAX;
	found = execution_segment(pair->runs[!side].e, there)->frame;
	return pair->runs[!side].frames[found].first == there ? found : UINT32_MAX;
}

static bool is_same_global(const struct dual_pair *pair, unsigned side, const struct object *a,
                           const struct object *b)
{
	const struct plan *plans[2];
	size_t length;

	plans[0] = execution_code_table(pair->runs[side].e)->program->modules.at[a->owner].plan;
	plans[1] = execution_code_table(pair->runs[!side].e)->program->modules.at[b->owner].plan;
	if (plans[0] == plans[1])
		return a->index == b->index;
	return !strcmp(LLVMGetValueName2(plans[0]->globals.at[a->index], &length),
	               LLVMGetValueName2(plans[1]->globals.at[b->index], &length));
}

static bool is_same_role(const struct dual_pair *pair, unsigned side, const struct object *a,
                         const struct object *b)
{
	if (a->kind != b->kind)
		return false;
	return a->kind == OBJECT_GIVEN ? a->owner == b->owner && a->index == b->index
	                               : is_same_global(pair, side, a, b);
}

/* Globals and what the program was given: most often at the same place in both lists. */
static uint32_t find_role(const struct dual_pair *pair, unsigned side, uint32_t number)
{
	const struct objects *all = pair->objects[!side].all;
	const struct object *a = objects_at(pair->objects[side].all, number);

	if (number <= all->all.size && is_same_role(pair, side, a, objects_at(all, number)))
		return number;
	for (uint32_t n = 1; n <= all->all.size; n++)
		if (is_same_role(pair, side, a, objects_at(all, n)))
			return n;
	return 0;
}

static uint32_t find_local(const struct dual_pair *pair, unsigned side, const struct object *a)
{
	const struct objects *all = pair->objects[!side].all;
	uint32_t frame = dual_pair_frame(pair, side, a->owner), n;

	if (frame == UINT32_MAX)
		return 0;
	n = pair->runs[!side].frames[frame].object;
	if (a->kind == OBJECT_BYVAL) {
		while (--n && objects_at(all, n)->kind == OBJECT_BYVAL &&
		       objects_at(all, n)->owner == frame)
			if (objects_at(all, n)->index == a->index)
				return n;
		return 0;
	}
	for (; n <= all->all.size; n++) {
		const struct object *b = objects_at(all, n);

		if (b->kind != OBJECT_LOCAL || b->owner != frame)
			return 0;
		if (b->index == a->index)
			return n;
	}
	return 0;
}

static uint32_t find_object(const struct dual_pair *pair, unsigned side, uint32_t number)
{
	const struct object *a = objects_at(pair->objects[side].all, number);
	uint32_t birth;

	switch ((enum object_kind)a->kind) {
	case OBJECT_LOCAL:
	case OBJECT_BYVAL: return find_local(pair, side, a);
	case OBJECT_HEAP:
	case OBJECT_DYNAMIC:
		birth = dual_pair_counterpart(pair, side, a->birth);
		return birth ? dual_objects_born(&pair->objects[!side], birth,
		                                 dual_objects_nth(&pair->objects[side], number))
		             : 0;
	default: return find_role(pair, side, number);
	}
}

uint32_t dual_pair_object(const struct dual_pair *pair, unsigned side, uint32_t number)
{
	uint32_t *known = &pair->others[side][number];

	if (!*known)
		*known = 1 + find_object(pair, side, number);
	return *known - 1;
}

bool dual_pair_translate(const struct dual_pair *pair, unsigned side, const uint32_t instances[2],
                         uint64_t address, uint64_t *out)
{
	uint32_t number = dual_objects_at(&pair->objects[side], address, instances[side]), other;

	other = number ? dual_pair_object(pair, side, number) : 0;
	if (!other)
		return false;
	*out = objects_at(pair->objects[!side].all, other)->address +
	       (address - objects_at(pair->objects[side].all, number)->address);
	return true;
}

/* A local of the function that the instance is in, or of a caller, also one that is no object: where the
   aligned call has it; 0: it has none. False: it is no local. */
static bool find_in_frames(const struct dual_pair *pair, unsigned side, uint32_t instance,
                           uint64_t address, uint64_t *out)
{
	const struct dual_run *run = &pair->runs[side];
	const struct code *code = execution_code_table(run->e);
	uint32_t frame = execution_segment(run->e, instance)->frame + 1, other;

	for (; frame; frame = run->frames[frame - 1].caller) {
		const struct execution_frame *f = &run->frames[frame - 1];

		if (address < f->address ||
		    address - f->address >= code->functions.at[f->function]->plan->frame_size)
			continue;
		other = dual_pair_frame(pair, side, frame - 1);
		*out = other == UINT32_MAX
		               ? 0
		               : pair->runs[!side].frames[other].address + (address - f->address);
		return true;
	}
	return false;
}

uint64_t dual_pair_place(const struct dual_pair *pair, unsigned side, uint32_t instance,
                         uint64_t address)
{
	uint32_t number = dual_objects_at(&pair->objects[side], address, instance), other;
	uint64_t offset, out;

	if (!number)
		return find_in_frames(pair, side, instance, address, &out) ? out : address;
	other = dual_pair_object(pair, side, number);
	offset = address - objects_at(pair->objects[side].all, number)->address;
	/* The other one may be smaller. */
	if (!other || offset >= objects_at(pair->objects[!side].all, other)->size)
		return 0;
	return objects_at(pair->objects[!side].all, other)->address + offset;
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
		dual_objects_deinit(&pair->objects[i]);
		dual_run_deinit(&pair->runs[i]);
		free(pair->others[i]);
		free(pair->known[i]);
	}
	dual_word_map_deinit(&pair->foreign);
}
