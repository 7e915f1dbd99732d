/* Objects of two runs that correspond: see dual_pair.h. */
#include <string.h>

#include "slice/dual_pair.h"

/* --- frames --- */

static const struct plan_function *function_of(const struct dual_run *run, uint32_t frame)
{
	return execution_code_table(run->e)->functions.at[run->frames[frame].function]->plan;
}

/* Versions of a function may begin in different ways: then what called them tells. */
static uint32_t find_called(const struct dual_pair *pair, unsigned side, uint32_t frame)
{
	const struct dual_run *run = &pair->runs[side], *other = &pair->runs[!side];
	const struct execution_frame *f = &run->frames[frame];
	uint32_t call = f->call ? dual_pair_counterpart(pair, side, f->call) : 0, found = 0;

	if (call && call + 1 < other->end)
		found = execution_segment(other->e, call + 1)->frame;
	else if (f->call || f->within || frame)
		return UINT32_MAX;
	if (other->frames[found].call != call ||
	    strcmp(function_of(run, frame)->name, function_of(other, found)->name))
		return UINT32_MAX;
	return found;
}

uint32_t dual_pair_frame(const struct dual_pair *pair, unsigned side, uint32_t frame)
{
	uint32_t first = pair->runs[side].frames[frame].first, there, found;

	if (first < pair->runs[side].first || first >= pair->runs[side].end)
		return UINT32_MAX;
	there = dual_pair_counterpart(pair, side, first);
	if (!there)
		return find_called(pair, side, frame);
	found = execution_segment(pair->runs[!side].e, there)->frame;
	return pair->runs[!side].frames[found].first == there ? found : UINT32_MAX;
}

/* --- objects --- */

bool dual_pair_has_module(const struct dual_pair *pair, unsigned side, uint32_t module)
{
	const struct program *here = execution_code_table(pair->runs[side].e)->program;
	const struct program *there = execution_code_table(pair->runs[!side].e)->program;

	for (uint32_t i = 0; i < there->modules.size; i++)
		if (there->modules.at[i].plan == here->modules.at[module].plan)
			return true;
	return false;
}

/* LLVM may only be asked whether something is a string when it is a sequence of numbers: "" and a struct are not. */
static bool is_string(LLVMValueRef value)
{
	return value && LLVMIsAConstantDataSequential(value) && LLVMIsConstantString(value);
}

/* Of two versions: a literal is known by its text, since its name is a number. */
static bool is_same_named(LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef x = LLVMGetInitializer(a), y = LLVMGetInitializer(b);
	const char *texts[2];
	size_t lengths[2];

	if (LLVMGetLinkage(a) == LLVMPrivateLinkage && is_string(x) && is_string(y)) {
		texts[0] = LLVMGetAsString(x, &lengths[0]);
		texts[1] = LLVMGetAsString(y, &lengths[1]);
		return lengths[0] == lengths[1] && !memcmp(texts[0], texts[1], lengths[0]);
	}
	return !strcmp(LLVMGetValueName2(a, &lengths[0]), LLVMGetValueName2(b, &lengths[1]));
}

static bool is_same_global(const struct dual_pair *pair, unsigned side, const struct object *a,
                           const struct object *b)
{
	const struct plan *plans[2];

	plans[0] = execution_code_table(pair->runs[side].e)->program->modules.at[a->owner].plan;
	plans[1] = execution_code_table(pair->runs[!side].e)->program->modules.at[b->owner].plan;
	if (plans[0] == plans[1])
		return a->index == b->index;
	return !dual_pair_has_module(pair, side, a->owner) &&
	       is_same_named(plans[0]->globals.at[a->index], plans[1]->globals.at[b->index]);
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

/* What the source calls a local; NULL: it is the compiler's own. */
static const char *name_of(const struct dual_pair *pair, unsigned side, const struct object *o)
{
	struct execution *e = pair->runs[side].e;
	const struct execution_frame *f = &pair->runs[side].frames[o->owner];
	const struct code_function *function = execution_code_table(e)->functions.at[f->function];
	struct names **names = (struct names **)&pair->names[side];
	const struct variable *variable;

	if (!*names)
		*names = names_create(e);
	variable = variables_of_alloca(names_variables(*names, function->place.module),
	                               function->plan->locals.at[o->index].alloca_);
	return variable ? variable->name : NULL;
}

static bool is_same_local(const struct dual_pair *pair, unsigned side, const struct object *a,
                          const struct object *b)
{
	const char *names[2];

	if (function_of(&pair->runs[side], a->owner) == function_of(&pair->runs[!side], b->owner))
		return a->index == b->index;
	names[0] = name_of(pair, side, a);
	names[1] = name_of(pair, !side, b);
	return names[0] && names[1] && !strcmp(names[0], names[1]);
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
		if (is_same_local(pair, side, a, b))
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

/* Behind the end of an object, which is smaller than in the other run: does nothing else lie there? */
static bool is_free(const struct dual_pair *pair, unsigned side, uint32_t number, uint64_t address)
{
	const struct object *o = objects_at(pair->objects[side].all, number);
	uint32_t other;

	if (address - o->address < o->size)
		return true;
	other = dual_objects_at(&pair->objects[side], address, o->birth);
	return !other || other == number;
}

uint64_t dual_pair_place(const struct dual_pair *pair, unsigned side, uint32_t instance,
                         uint64_t address)
{
	uint32_t number = dual_objects_at(&pair->objects[side], address, instance), other;
	uint64_t out;

	if (!number)
		return find_in_frames(pair, side, instance, address, &out) ? out : address;
	other = dual_pair_object(pair, side, number);
	if (!other)
		return 0;
	out = objects_at(pair->objects[!side].all, other)->address +
	      (address - objects_at(pair->objects[side].all, number)->address);
	return is_free(pair, !side, other, out) ? out : 0;
}
