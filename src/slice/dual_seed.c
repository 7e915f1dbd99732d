/* Where a dual slice begins: see dual.h. */
#include "slice/dual_walk.h"

static void want_itself(struct dual_walk *w, unsigned side, uint32_t instance, enum dual_want how)
{
	dual_walk_want(w, (struct dual_item){.instance = instance,
	                                     .limit = UINT32_MAX,
	                                     .side = (uint8_t)side,
	                                     .want = (uint8_t)how});
}

/* What a function of the program is given; what it returns is not read by the call. */
static void seed_call(struct dual_walk *w, unsigned side, uint32_t instance)
{
	const struct code_call *call;
	struct dual_use use;

	dual_use_init(&use, w, side, instance);
	call = dual_use_call(&use);
	want_itself(w, side, instance, DUAL_ITSELF);
	for (uint32_t i = 0; i < call->count; i++)
		dual_use_follow_operand(&use, call->arguments[i].operand);
	dual_use_deinit(&use);
}

/* The part of what was read that lies between these addresses. */
static bool clip(struct execution_origin *o, uint64_t from, uint64_t to)
{
	uint64_t begin = o->from > from ? o->from : from;
	uint64_t end = o->from + o->size < to ? o->from + o->size : to;

	if (!o->size || o->value || o->chosen || begin >= end)
		return false;
	o->written += o->written ? begin - o->from : 0;
	o->from = begin;
	o->size = end - begin;
	return true;
}

static void seed_bytes(struct dual_walk *w, unsigned side, uint32_t instance, uint64_t from,
                       uint64_t to)
{
	struct dual_use use;

	dual_use_init(&use, w, side, instance);
	dual_use_find(&use, 0, 0);
	for (uint32_t i = 0; i < use.origins.at.size; i++) {
		struct execution_origin o = use.origins.at.at[i];

		if (!clip(&o, from, to))
			continue;
		want_itself(w, side, instance, DUAL_ITSELF);
		dual_use_follow(&use, &o);
	}
	dual_use_deinit(&use);
}

void dual_walk_seed(struct dual_walk *w, const struct dual_seed *seed)
{
	for (unsigned side = 0; side < 2; side++) {
		const struct dual_run *run = &w->pair->runs[side];
		uint32_t end = dual_run_of_time(run, seed->times[side]), instance = end;
		uint64_t from = seed->from[side], to = seed->to[side];

		if (!end)
			continue;
		if (to) {
			while (instance >= run->first &&
			       dual_run_time(run, instance) == seed->times[side])
				seed_bytes(w, side, instance--, from, to);
		} else if (execution_insn(run->e, end)->op == CODE_CALL &&
		           !(execution_source(run->e, end) & EXECUTION_GROUP)) {
			seed_call(w, side, end);
		} else {
			want_itself(w, side, end, DUAL_VALUE);
		}
	}
}
