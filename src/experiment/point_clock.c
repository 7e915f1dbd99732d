/* The clock of a run: see point_clock.h. */
#include "experiment/point_clock.h"

static struct clock_frame *top(struct clock *clock)
{
	return clock->stack.size ? &clock->stack.at[clock->stack.size - 1] : NULL;
}

static void advance(struct clock *clock, struct clock_frame *frame, uint32_t block, uint32_t to)
{
	uint32_t from = frame->done;

	frame->block = block;
	if (to <= from)
		return;
	if (clock->passed)
		clock->passed(clock->context, frame, from, to);
	clock->time += to - from;
	frame->done = to;
}

/* The function on top is in that block. */
static void enter(struct clock *clock, struct clock_frame *frame, uint32_t block)
{
	if (frame->branch)
		clock->went(clock->context, frame, frame->branch - 1, block);
	frame->branch = 0;
}

static void leave(struct clock *clock, struct clock_frame *frame, const struct plan_record *end)
{
	if (clock->branched && (end->kind == PLAN_BRANCH || end->kind == PLAN_SWITCH)) {
		clock->branched(clock->context, frame);
		frame->branch = ++clock->branches;
	}
	frame->done = 0;
}

static void clock_loaded(void *context, uint32_t module)
{
	(void)context;
	(void)module;
}

static void clock_given(void *context, struct effects effects)
{
	(void)context;
	(void)effects;
}

static void clock_entered(void *context, struct program_place place, uint64_t address,
                          const uint8_t *byvals, const uint8_t *arguments, uint32_t size)
{
	struct clock *clock = context;
	struct clock_frame *frame = vec_push(&clock->stack);

	(void)address;
	(void)byvals;
	(void)arguments;
	(void)size;
	frame->place = place;
	frame->function = program_function(walk_program(clock->walk), place);
	frame->depth = walk_depth(clock->walk);
	frame->marks = clock->mark ? clock->mark(clock->context, place) : NULL;
}

/* The call's own statement ends when the call begins. */
static void clock_reached(void *context, uint32_t block, const struct plan_record *record)
{
	struct clock_frame *frame = top(context);

	if (!frame)
		return;
	enter(context, frame, block);
	advance(context, frame, block,
	        record->statement + plan_ends_statement(record->instruction));
}

static void clock_executed(void *context, uint32_t block, const struct plan_record *record,
                           const uint8_t *bytes)
{
	struct clock_frame *frame = top(context);

	(void)bytes;
	if (!frame)
		return;
	if (record->kind < PLAN_GOTO) {
		clock_reached(context, block, record);
		return;
	}
	enter(context, frame, block);
	advance(context, frame, block, frame->function->blocks.at[block].statements);
	leave(context, frame, record);
}

static void clock_left(void *context)
{
	struct clock *clock = context;

	if (clock->stack.size)
		clock->stack.size--;
}

static void clock_interrupted(void *context)
{
	(void)context;
}

static void clock_unwound(void *context, uint32_t depth)
{
	struct clock *clock = context;

	while (clock->stack.size && top(clock)->depth > depth)
		clock->stack.size--;
}

/* A call that returns once more does not begin once more. */
static void clock_resumed(void *context, uint32_t block, const struct plan_record *record)
{
	struct clock_frame *frame = top(context);

	if (!frame)
		return;
	/* It never got into the block that it branched to. */
	frame->branch = 0;
	frame->block = block;
	frame->done = record->statement + plan_ends_statement(record->instruction);
}

struct hence_error *clock_init(struct clock *clock, const struct recording *run)
{
	struct hence_error *error;

	*clock = (struct clock){0};
	error = walk_create(run->modules, run->folder, run->tape, &clock->walk);
	if (error)
		return error;
	clock->follower = (struct walk_follower){.context = clock,
	                                         .loaded = clock_loaded,
	                                         .given = clock_given,
	                                         .entered = clock_entered,
	                                         .reached = clock_reached,
	                                         .executed = clock_executed,
	                                         .left = clock_left,
	                                         .interrupted = clock_interrupted,
	                                         .unwound = clock_unwound,
	                                         .resumed = clock_resumed};
	walk_follow(clock->walk, &clock->follower);
	return NULL;
}

void clock_deinit(struct clock *clock)
{
	walk_destroy(clock->walk);
	vec_deinit(&clock->stack);
}

struct hence_error *clock_run(struct clock *clock, const struct recording *run, bool *ended)
{
	struct hence_error *error = walk_on(clock->walk, ended);

	if (error || !*ended)
		return error;
	/* It is at the end already; this finds the block that it died in. */
	return walk_to_end(clock->walk, run->death);
}

const struct clock_frame *clock_standing(struct clock *clock)
{
	struct clock_frame *frame = top(clock);
	uint32_t block = walk_block(clock->walk);

	if (!frame || block == UINT32_MAX || frame->depth != walk_depth(clock->walk))
		return NULL;
	enter(clock, frame, block);
	frame->block = block;
	return frame;
}
