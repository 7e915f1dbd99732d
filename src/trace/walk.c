/* Walks a tape beside the program's IR: see walk.h. The parts are in walk_*.c. */
#include "trace/walker.h"

#include <string.h>

#include "base/str.h"

/* The next tape of the family: a child goes on where its parent forked. */
static bool next_tape(struct walk *w)
{
	if (w->current + 1 >= w->tapes.size)
		return false;
	w->tape = w->tapes.at[++w->current];
	w->at = w->tape->bytes + HENCE_STREAM;
	w->end = w->tape->bytes + w->tape->end;
	w->tail = w->tape->bytes + w->tape->tail;
	w->side = w->tape->head.side_offset;
	w->stopped = false;
	w->counting = w->current + 1 == w->tapes.size;
	if (w->counting)
		for (uint32_t i = 0; i < w->stack.size; i++) {
			struct context *c = &w->stack.at[i];

			if (c->function) {
				c->instruction =
					c->function->records.at[c->record].instruction_number + 1;
				c->statement = c->function->records.at[c->record].statement + 1;
			}
		}
	return true;
}

struct hence_error *walker_step(struct walk *w)
{
	struct context *c = walker_top(w);
	struct hence_error *error;
	bool ran;

	if (!c->function)
		return walker_step_outside(w);
	walker_run_blocks(w, c);
	error = walker_step_handler(w, c, &ran);
	if (error || ran)
		return error;
	return walker_step_record(w, c);
}

static bool at_end(const struct walk *w)
{
	return w->stopped || (w->at == w->end && !w->stack.at[w->stack.size - 1].function);
}

#define ASK_AFTER ((uint64_t)256 << 10) /* bytes of tape: a tenth of a second for a decoder */

static struct walk_limit limit;

struct walk_limit walk_set_limit(struct walk_limit next)
{
	struct walk_limit before = limit;

	limit = next;
	return before;
}

static struct hence_error *walk_until(struct walk *w, uint64_t stop)
{
	for (;;) {
		struct hence_error *error;

		if (w->halted || (at_end(w) && !next_tape(w)))
			return NULL;
		if (w->counting && walker_position(w) >= stop)
			return NULL;
		if (w->counting && limit.over && walker_position(w) >= w->ask) {
			if (w->ask && limit.over(limit.context))
				return error_create(
					HENCE_ERROR_INPUT,
					"the time was up before the whole run was read");
			w->ask = walker_position(w) + ASK_AFTER;
		}
		w->stop = limit.over && w->ask < stop ? w->ask : stop;
		error = walker_step(w);
		if (error)
			return error;
	}
}

struct hence_error *walk_on(struct walk *w, bool *ended)
{
	struct hence_error *error;

	w->halted = false;
	error = walk_until(w, UINT64_MAX);
	if (!error)
		*ended = !w->halted;
	return error;
}

struct hence_error *walk_to(struct walk *w, uint64_t stop)
{
	return walk_until(w, stop);
}

/* Is the place that of an instruction from here to the end of its block? */
static bool comes_by(LLVMValueRef from, const struct walk_place *place)
{
	for (LLVMValueRef i = from; i; i = LLVMGetNextInstruction(i))
		if (LLVMGetDebugLocLine(i) == place->line &&
		    LLVMGetDebugLocColumn(i) == place->column)
			return true;
	return false;
}

/* A way on from the end of the tape, along which nothing is written. */
struct way {
	uint32_t depth;  /* in the stack */
	uint32_t record; /* the next one there */
	LLVMValueRef from;
};

/* One step on: over a goto or a return to an instrumented caller. False: there is no such step. */
static bool go_on(const struct walk *w, struct way *way)
{
	const struct context *c = &w->stack.at[way->depth];
	const struct plan_function *f = c->function;
	const struct plan_record *r = &f->records.at[way->record];
	const struct plan_block *block;

	while (r->kind < PLAN_CALL)
		r++;
	way->record = (uint32_t)(r - f->records.at);
	block = walker_block_of(f, way->record);
	if (r->kind == PLAN_GOTO) {
		block = &f->blocks.at[f->successors.at[block->successor]];
		way->record = block->first;
		way->from = LLVMGetFirstInstruction(block->block);
		return true;
	}
	if (r->kind != PLAN_RETURN || c->entered || !way->depth || !c[-1].function)
		return false;
	way->depth--;
	way->record = c[-1].record + 1;
	way->from = LLVMGetNextInstruction(c[-1].function->records.at[c[-1].record].instruction);
	return true;
}

/* The same step in the walk itself. */
static void take_step(struct walk *w)
{
	struct context *c = walker_top(w);
	const struct plan_block *block = &c->function->blocks.at[c->block];
	const struct plan_record *end = &c->function->records.at[block->first + block->count - 1];

	walker_count_block(w, c, block);
	if (w->follower)
		w->follower->executed(w->follower->context, c->block, end, w->at);
	if (end->kind == PLAN_GOTO) {
		walker_enter_block(w, c, c->function->successors.at[block->successor]);
	} else {
		walker_leave(w);
		walker_continue_after_call(w);
	}
}

/* Goes on to where the program died, if the way there leaves nothing on the tape. */
static void go_to_death(struct walk *w, const struct walk_place *death)
{
	const struct context *c = walker_top(w);
	struct way way = {.depth = w->stack.size - 1, .record = c->record};
	uint32_t steps = 0;

	way.from = c->function->records.at[c->record].instruction;
	while (strcmp(w->stack.at[way.depth].function->name, death->function) ||
	       !comes_by(way.from, death))
		if (++steps > 64 || !go_on(w, &way))
			return;
	while (steps--)
		take_step(w);
}

struct hence_error *walk_to_end(struct walk *w, const struct walk_place *death)
{
	struct hence_error *error = walk_until(w, UINT64_MAX);

	if (error)
		return error;
	if (death && death->line && walker_top(w)->function)
		go_to_death(w, death);
	for (uint32_t i = 0; i < w->stack.size; i++)
		walker_count_part(w, &w->stack.at[i]);
	w->counts.distinct_functions = w->entered.size;
	return NULL;
}

struct hence_error *walk_to_end_unless(struct walk *w, const struct walk_place *death,
                                       bool (*stop)(void *context), void *context, bool *stopped)
{
	*stopped = false;
	for (uint64_t next = ASK_AFTER; stop; next += ASK_AFTER) {
		struct hence_error *error;

		w->ask = next + ASK_AFTER; /* `stop` comes first */
		error = walk_until(w, next);
		if (error)
			return error;
		if (at_end(w) || walker_position(w) < next)
			break;
		*stopped = stop(context);
		if (*stopped)
			return NULL;
	}
	return walk_to_end(w, death);
}

void walk_follow(struct walk *w, const struct walk_follower *follower)
{
	w->follower = follower;
}

void walk_halt(struct walk *w)
{
	w->halted = true;
}

/* Opens a tape and, before it, those it was forked from, as far as they go. */
static struct hence_error *open_family(struct walk *w, const char *folder, uint32_t number,
                                       uint64_t end)
{
	char *path = str_format("%s/%08u.tape", folder, number);
	struct tape_file *tape;
	struct hence_error *error = tape_open(path, &tape);

	free(path);
	if (error)
		return error;
	/* A parent's number is smaller, so this ends. */
	if (tape->head.parent > number || end > tape->size ||
	    (tape->head.parent != number && tape->head.parent_at < HENCE_STREAM)) {
		error = error_create(HENCE_ERROR_INTERNAL,
		                     "%s is damaged: a child forked from nowhere", tape->path);
		tape_close(tape);
		return error;
	}
	if (end)
		tape->end = tape->tail = end;
	if (tape->head.parent != number)
		error = open_family(w, folder, tape->head.parent, tape->head.parent_at);
	*vec_push(&w->tapes) = tape;
	return error;
}

struct hence_error *walk_create(struct modules *modules, const char *folder, uint32_t number,
                                struct walk **out)
{
	struct walk *w = mem_alloc(sizeof(*w));
	struct hence_error *error = open_family(w, folder, number, 0);

	w->program = program_create(modules);
	if (error) {
		walk_destroy(w);
		return error;
	}
	walker_push_outside(w, 0);
	w->current = UINT32_MAX;
	next_tape(w);
	*out = w;
	return NULL;
}

void walk_destroy(struct walk *w)
{
	if (!w)
		return;
	for (uint32_t i = 0; i < w->tapes.size; i++)
		tape_close(w->tapes.at[i]);
	vec_deinit(&w->tapes);
	vec_deinit(&w->stack);
	count_map_deinit(&w->outside);
	count_map_deinit(&w->entered);
	program_destroy(w->program);
	free(w);
}
