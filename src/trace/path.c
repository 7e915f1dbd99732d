/* The path of a recorded run: see path.h. */
#include "base/budget.h"
#include "trace/path.h"

#include <string.h>

#include "base/mem.h"
#include "trace/history.h"

#define MOST_STEPS (4u << 20) /* that are kept: 64 MB */
#define BRANCH     UINT32_MAX
#define LOOSE      (UINT32_MAX - 1) /* a branch that is no statement */

#define RECENT 1024u

/* What is known of a record. */
#define PASSED  1u
#define ENTERED 2u

/* Statements of a block that ended one after the other, or the branch or switch at its end. */
struct step {
	uint32_t place; /* index in places */
	uint32_t block;
	uint32_t from; /* BRANCH, LOOSE: a branch */
	uint32_t to;   /* the statement behind the last; of a branch the way, or PATH_NO_WAY */
};

MAP_DEFINE_U64(place_map, uint32_t);

struct function {
	struct program_place place;
	const struct plan_function *plan;
};

/* The first time that outside code was called from a place. */
struct call {
	const char *name;
	LLVMValueRef instruction;
	uint64_t time;
};

struct path {
	struct walk *walk; /* at its end; NULL: it was not walked yet */
	bool too_long;     /* to be kept */
	VEC(struct step) steps;
	VEC(struct function) places;
	struct place_map numbers; /* of places: 1 + index, by module << 32 | function */
	VEC(uint32_t) branches;   /* by number: the index of its step */
	VEC(struct call) calls;
	struct place_map called;                  /* instructions that have their call */
	struct place_map records;                 /* that were passed: PASSED, ENTERED */
	const struct plan_record *recent[RECENT]; /* some of them: loops pass the same ones again */
	struct path_end end;
	/* Steps of each block, made when they are first asked for: */
	uint64_t *times;     /* of each step */
	uint32_t *following; /* of each step 1 + index of the next one in its block; 0: none */
	uint32_t *blocks;    /* of each block 1 + index of its first step; 0: none */
	uint32_t *first;     /* of each place the index of its first block */
	double seconds;      /* that the walk took */
};

/* A function under way. */
struct frame {
	struct program_place place;
	const struct plan_function *function;
	uint32_t depth; /* of the walk's stack */
	uint32_t block;
	uint32_t done;   /* statements of the block that have ended */
	uint32_t branch; /* 1 + number of the branch that it has executed, until the next block is
	                    known; 0: none */
};

/* A walk of the tape that counts statements as the decoder does. */
struct clock {
	struct walk *walk;
	VEC(struct frame) stack;
	uint64_t time;
	uint32_t branches;
	const struct path_visitor *visitor;
	struct path *keep; /* NULL: nothing is kept */
	bool enough;
};

static struct frame *top(struct clock *clock)
{
	return clock->stack.size ? &clock->stack.at[clock->stack.size - 1] : NULL;
}

static struct site site_of(const struct frame *frame, uint32_t statement)
{
	return (struct site){.module = frame->place.module,
	                     .function = frame->place.function,
	                     .block = frame->block,
	                     .statement = statement};
}

static void halt(struct clock *clock, bool more)
{
	if (more)
		return;
	clock->enough = true;
	walk_halt(clock->walk);
}

static void keep(struct clock *clock, const struct frame *frame, uint32_t from, uint32_t to)
{
	struct path *path = clock->keep;
	uint32_t *number;

	if (path->steps.size == MOST_STEPS) {
		path->too_long = true;
		halt(clock, false);
		return;
	}
	number = place_map_put(&path->numbers,
	                       (uint64_t)frame->place.module << 32 | frame->place.function);
	if (!*number) {
		*vec_push(&path->places) = (struct function){frame->place, frame->function};
		*number = path->places.size;
	}
	*vec_push(&path->steps) = (struct step){*number - 1, frame->block, from, to};
}

static void pass(struct path *path, const struct plan_record *record)
{
	const struct plan_record **recent =
		&path->recent[(uintptr_t)record / sizeof(*record) % RECENT];

	if (*recent == record)
		return;
	*recent = record;
	*place_map_put(&path->records, (uintptr_t)record) |= PASSED;
}

static void advance(struct clock *clock, struct frame *frame, uint32_t block, uint32_t to)
{
	uint32_t from = frame->done;

	frame->block = block;
	if (to <= from)
		return;
	if (clock->keep) {
		keep(clock, frame, from, to);
	} else if (clock->visitor->passed) {
		struct site site = site_of(frame, from);

		halt(clock,
		     clock->visitor->passed(clock->visitor->context, &site, to, clock->time));
	}
	clock->time += to - from;
	frame->done = to;
}

/* The function on top is in that block. */
static void enter(struct clock *clock, struct frame *frame, uint32_t block)
{
	struct path *path = clock->keep;
	uint32_t branch = frame->branch;

	frame->branch = 0;
	if (!branch)
		return;
	if (path && !path->too_long) {
		struct step *step = &path->steps.at[path->branches.at[branch - 1]];

		step->to = plan_way(frame->function, step->block, block);
	} else if (!path && clock->visitor->went) {
		/* A branch leads out of the block that the function was in. */
		clock->visitor->went(clock->visitor->context, branch - 1,
		                     plan_way(frame->function, frame->block, block));
	}
}

static void leave(struct clock *clock, struct frame *frame, const struct plan_record *end)
{
	if (end->kind == PLAN_BRANCH || end->kind == PLAN_SWITCH) {
		bool loose = !plan_ends_statement(end->instruction);

		if (clock->keep) {
			*vec_push(&clock->keep->branches) = clock->keep->steps.size;
			keep(clock, frame, loose ? LOOSE : BRANCH, PATH_NO_WAY);
		} else if (clock->visitor->branched) {
			struct site site =
				site_of(frame, frame->function->blocks.at[frame->block].statements -
			                               !loose);

			halt(clock, clock->visitor->branched(clock->visitor->context, &site, loose,
			                                     clock->time));
		}
		frame->branch = ++clock->branches;
	}
	frame->done = 0;
}

static void clock_loaded(void *context, uint32_t module)
{
}

static void clock_given(void *context, struct effects effects)
{
}

static void clock_entered(void *context, struct program_place place, uint64_t address,
                          const uint8_t *byvals, const uint8_t *arguments, uint32_t size)
{
	struct clock *clock = context;
	struct frame *frame = vec_push(&clock->stack);

	frame->place = place;
	frame->function = program_function(walk_program(clock->walk), place);
	frame->depth = walk_depth(clock->walk);
	if (clock->keep)
		*place_map_put(&clock->keep->records,
		               (uintptr_t)&frame->function->records
		                       .at[frame->function->blocks.at[0].first]) |= ENTERED;
}

/* The call's own statement ends when the call begins. */
static void clock_reached(void *context, uint32_t block, const struct plan_record *record)
{
	struct clock *clock = context;
	struct frame *frame = top(clock);

	if (clock->keep)
		pass(clock->keep, record);
	if (!frame)
		return;
	enter(context, frame, block);
	advance(context, frame, block,
	        record->statement + plan_ends_statement(record->instruction));
}

static void clock_executed(void *context, uint32_t block, const struct plan_record *record,
                           const uint8_t *bytes)
{
	struct clock *clock = context;
	struct frame *frame = top(clock);

	if (clock->keep)
		pass(clock->keep, record);
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
	struct clock *clock = context;
	struct frame *frame = top(clock);

	if (clock->keep)
		pass(clock->keep, record);
	if (!frame)
		return;
	/* It never got into the block that it branched to. */
	frame->branch = 0;
	frame->block = block;
	frame->done = record->statement + plan_ends_statement(record->instruction);
}

/* The statement of the call has been counted. */
static void clock_heard(void *context, const struct walk_call *call)
{
	struct clock *clock = context;
	struct frame *frame = top(clock);
	LLVMValueRef instruction;

	if (call->returned || !frame)
		return;
	instruction = frame->function->records.at[call->record].instruction;
	if (!clock->keep)
		halt(clock, clock->visitor->called(clock->visitor->context, call->name, instruction,
		                                   clock->time));
	else if (!(*place_map_put(&clock->keep->called, (uintptr_t)instruction))++)
		*vec_push(&clock->keep->calls) =
			(struct call){call->name, instruction, clock->time};
}

/* Walks the tape, for a visitor or to keep what is seen. */
static struct hence_error *walk_path(const struct recording *run, struct clock *clock,
                                     struct path_end *end)
{
	const struct walk_follower follower = {.context = clock,
	                                       .loaded = clock_loaded,
	                                       .given = clock_given,
	                                       .entered = clock_entered,
	                                       .reached = clock_reached,
	                                       .executed = clock_executed,
	                                       .left = clock_left,
	                                       .interrupted = clock_interrupted,
	                                       .unwound = clock_unwound,
	                                       .resumed = clock_resumed};
	struct hence_error *error = walk_create(run->modules, run->folder, run->tape, &clock->walk);
	bool ended = false;
	struct frame *frame;
	uint32_t block;

	if (error)
		return error;
	walk_follow(clock->walk, &follower);
	if (clock->keep || clock->visitor->called)
		walk_listen(clock->walk, clock_heard, clock);
	error = walk_on(clock->walk, &ended);
	/* It is at the end already; this finds the block that it died in. */
	if (!error && ended)
		error = walk_to_end(clock->walk, run->death);
	if (error)
		return error;
	*end = (struct path_end){.over = ended && !clock->enough,
	                         .program = walk_program(clock->walk),
	                         .statements = clock->time};
	frame = top(clock);
	block = walk_block(clock->walk);
	if (frame && block != UINT32_MAX && frame->depth == walk_depth(clock->walk)) {
		enter(clock, frame, block); /* it ended, or died, behind a branch */
		frame->block = block;
		end->standing = true;
		end->at = site_of(frame, frame->done);
	}
	return NULL;
}

static void forget(struct path *path)
{
	walk_destroy(path->walk);
	vec_deinit(&path->steps);
	vec_deinit(&path->places);
	vec_deinit(&path->branches);
	vec_deinit(&path->calls);
	place_map_deinit(&path->numbers);
	place_map_deinit(&path->called);
	place_map_deinit(&path->records);
	free(path->times);
	free(path->following);
	free(path->blocks);
	free(path->first);
	*path = (struct path){0};
}

static struct hence_error *keep_path(const struct recording *run)
{
	struct path *path = history_path(run->history);
	struct clock clock = {.keep = path};
	double began = budget_clock();
	struct hence_error *error = walk_path(run, &clock, &path->end);

	path->seconds = budget_clock() - began;
	if (error || path->too_long) {
		bool too_long = path->too_long;

		walk_destroy(clock.walk);
		forget(path);
		path->too_long = too_long;
	} else {
		path->walk = clock.walk;
		walk_follow(path->walk, NULL);
		walk_listen(path->walk, NULL, NULL);
	}
	vec_deinit(&clock.stack);
	return error;
}

/* Is the visitor told all? */
static bool visit_kept(const struct path *path, const struct path_visitor *visitor)
{
	uint32_t branches = 0;
	uint64_t time = 0;
	bool more = true;

	for (uint32_t i = 0; visitor->called && i < path->calls.size && more; i++) {
		const struct call *call = &path->calls.at[i];

		more = visitor->called(visitor->context, call->name, call->instruction, call->time);
	}
	for (uint32_t i = 0; i < path->steps.size && more; i++) {
		const struct step *step = &path->steps.at[i];
		const struct function *f = &path->places.at[step->place];
		bool branch = step->from >= LOOSE;
		struct site site = {.module = f->place.module,
		                    .function = f->place.function,
		                    .block = step->block,
		                    .statement = step->from};

		if (branch)
			site.statement =
				f->plan->blocks.at[step->block].statements - (step->from == BRANCH);
		if (!branch && visitor->passed)
			more = visitor->passed(visitor->context, &site, step->to, time);
		if (branch && visitor->branched)
			more = visitor->branched(visitor->context, &site, step->from == LOOSE,
			                         time);
		if (branch && visitor->went && step->to != PATH_NO_WAY)
			visitor->went(visitor->context, branches, step->to);
		branches += branch;
		time += branch ? 0 : step->to - step->from;
	}
	return more;
}

/* Walks the tape if nobody did yet. */
static struct hence_error *look(const struct recording *run)
{
	const struct path *path = history_path(run->history);

	return path && !path->walk && !path->too_long ? keep_path(run) : NULL;
}

struct hence_error *path_visit(const struct recording *run, const struct path_visitor *visitor)
{
	struct path *path = history_path(run->history);
	struct hence_error *error = look(run);
	struct clock clock = {.visitor = visitor};
	struct path_end end = {0};

	if (error)
		return error;
	if (path && path->walk) {
		end = path->end;
		end.over = visit_kept(path, visitor);
		if (visitor->ended)
			visitor->ended(visitor->context, &end);
		return NULL;
	}
	error = walk_path(run, &clock, &end);
	if (!error && visitor->ended)
		visitor->ended(visitor->context, &end);
	walk_destroy(clock.walk);
	vec_deinit(&clock.stack);
	return error;
}

static void index_blocks(struct path *path)
{
	uint32_t blocks = 0;
	uint64_t time = 0;

	path->first = mem_alloc((path->places.size + 1) * sizeof(*path->first));
	path->times = mem_alloc((path->steps.size + 1) * sizeof(*path->times));
	path->following = mem_alloc((path->steps.size + 1) * sizeof(*path->following));
	for (uint32_t i = 0; i < path->places.size; i++) {
		path->first[i] = blocks;
		blocks += path->places.at[i].plan->blocks.size;
	}
	path->blocks = mem_alloc((blocks + 1) * sizeof(*path->blocks));
	for (uint32_t i = 0; i < path->steps.size; i++) {
		const struct step *step = &path->steps.at[i];

		path->times[i] = time;
		time += step->from >= LOOSE ? 0 : step->to - step->from;
	}
	for (uint32_t i = path->steps.size; i-- > 0;) {
		const struct step *step = &path->steps.at[i];
		uint32_t *head = &path->blocks[path->first[step->place] + step->block];

		if (step->from >= LOOSE)
			continue;
		path->following[i] = *head;
		*head = i + 1;
	}
}

struct hence_error *path_visit_block(const struct recording *run, const struct site *site,
                                     bool (*passed)(void *context, const struct site *site,
                                                    uint32_t to, uint64_t time),
                                     void *context, bool *kept)
{
	struct path *path = history_path(run->history);
	struct hence_error *error = look(run);
	bool more = true;
	const uint32_t *number;

	*kept = !error && path && path->walk;
	if (!*kept)
		return error;
	if (!path->times)
		index_blocks(path);
	number = place_map_find(&path->numbers, (uint64_t)site->module << 32 | site->function);
	if (!number)
		return NULL;
	for (uint32_t i = path->blocks[path->first[*number - 1] + site->block]; i && more;
	     i = path->following[i - 1]) {
		const struct step *step = &path->steps.at[i - 1];
		const struct site from = {.module = site->module,
		                          .function = site->function,
		                          .block = site->block,
		                          .statement = step->from};

		more = passed(context, &from, step->to, path->times[i - 1]);
	}
	return NULL;
}

struct hence_error *path_program(const struct recording *run, const struct program **out,
                                 uint64_t *statements)
{
	const struct path *path = history_path(run->history);
	struct hence_error *error = look(run);
	bool kept = !error && path && path->walk;

	*out = kept ? walk_program(path->walk) : NULL;
	*statements = kept ? path->end.statements : 0;
	return error;
}

struct hence_error *path_records(const struct recording *run,
                                 void (*tell)(void *context, const struct plan_record *record,
                                              bool entered),
                                 void *context, struct walk **out)
{
	const struct path *path = history_path(run->history);
	struct hence_error *error = look(run);

	*out = !error && path && path->walk ? path->walk : NULL;
	if (!*out)
		return error;
	map_each(&path->records, i)
		tell(context, (const struct plan_record *)(uintptr_t)path->records.at[i].key,
	             !(path->records.at[i].value & PASSED));
	return error;
}

double path_seconds(const struct recording *run)
{
	const struct path *path = history_path(run->history);

	return path && path->walk ? path->seconds : 0;
}

struct path *path_create(void)
{
	return mem_alloc(sizeof(struct path));
}

void path_destroy(struct path *path)
{
	if (path)
		forget(path);
	free(path);
}
