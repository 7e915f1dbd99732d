/* Branches of a run and the ways that they went: see point.h. */
#include "experiment/point_clock.h"

struct listing {
	struct clock clock;
	uint64_t until;
	struct point_branches found;
};

static void list_branched(void *context, const struct clock_frame *frame)
{
	struct listing *l = context;
	const struct plan_block *block = &frame->function->blocks.at[frame->block];
	const struct plan_record *end =
		&frame->function->records.at[block->first + block->count - 1];
	bool loose = !plan_ends_statement(end->instruction);

	*vec_push(&l->found.all) =
		(struct point_branch){.time = l->clock.time + loose,
	                              .site = {.module = frame->place.module,
	                                       .function = frame->place.function,
	                                       .block = frame->block,
	                                       .statement = block->statements - !loose},
	                              .loose = loose,
	                              .way = POINTS_NO_WAY};
	if (l->clock.time >= l->until)
		walk_halt(l->clock.walk);
}

static void list_went(void *context, const struct clock_frame *frame, uint32_t branch,
                      uint32_t block)
{
	struct listing *l = context;
	struct point_branch *b = &l->found.all.at[branch];

	b->way = plan_way(frame->function, b->site.block, block);
}

static void list_modules(struct listing *l)
{
	const struct program *program = walk_program(l->clock.walk);

	for (uint32_t i = 0; i < program->modules.size; i++) {
		struct point_module *module = vec_push(&l->found.modules);

		memcpy(module->hash, program->modules.at[i].hash, sizeof(module->hash));
		module->plan = program->modules.at[i].plan;
	}
}

void point_branches_deinit(struct point_branches *branches)
{
	vec_deinit(&branches->all);
	vec_deinit(&branches->modules);
}

struct hence_error *points_branches(const struct recording *run, uint64_t until,
                                    struct point_branches *out)
{
	struct listing l = {.until = until};
	struct hence_error *error = clock_init(&l.clock, run);
	bool ended;

	if (error)
		return error;
	l.clock.branched = list_branched;
	l.clock.went = list_went;
	l.clock.context = &l;
	error = clock_run(&l.clock, run, &ended);
	if (error) {
		point_branches_deinit(&l.found);
	} else {
		clock_standing(&l.clock); /* it may have died behind a branch */
		list_modules(&l);
		*out = l.found;
	}
	clock_deinit(&l.clock);
	return error;
}

struct hence_error *points_ways(const struct recording *run, const uint64_t *times, uint32_t count,
                                uint32_t *out)
{
	struct point_branches all = {0};
	struct hence_error *error = count ? points_branches(run, times[count - 1], &all) : NULL;
	uint32_t at = 0;

	for (uint32_t i = 0; i < count && !error; i++) {
		while (at < all.all.size &&
		       (all.all.at[at].time < times[i] || all.all.at[at].loose))
			at++;
		out[i] = at < all.all.size && all.all.at[at].time == times[i] ? all.all.at[at].way
		                                                              : POINTS_NO_WAY;
	}
	point_branches_deinit(&all);
	return error;
}
