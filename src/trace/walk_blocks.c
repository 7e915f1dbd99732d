/* Blocks in a walk: record by record, and fast where nothing is called. */
#include "trace/walker.h"

#include <string.h>

static struct hence_error *leave_function(struct walk *w, struct context *c,
                                          const struct plan_record *r)
{
	bool entered = c->entered;
	struct hence_error *error;
	uint32_t size;

	if (entered) {
		error = walker_begin_tagged(w, HENCE_LEAVE, 0, &size);
		if (error || w->stopped)
			return error;
		w->at += size;
	}
	walker_count_block(w, c, &c->function->blocks.at[c->block]);
	w->gotos = 0;
	if (w->follower)
		w->follower->executed(w->follower->context, c->block, r, w->at);
	walker_leave(w);
	if (!entered)
		walker_continue_after_call(w);
	return NULL;
}

static struct hence_error *choose_label(struct walk *w, struct context *c, uint32_t low,
                                        uint32_t *block)
{
	const struct program_place *label = address_map_find(&w->program->low_labels, low);

	if (!label || label->module != c->place.module || label->function != c->place.function)
		return walker_damaged(w, "a jump to nowhere");
	*block = label->block;
	return NULL;
}

/* A loop that reads nothing from the tape has no end. The program was in it if the tape ends there;
   else the tape is wrong. */
static bool goes_round(struct walk *w, const struct context *c)
{
	if (w->at != w->goto_at)
		w->gotos = 0;
	w->goto_at = w->at;
	return ++w->gotos > c->function->blocks.size;
}

static struct hence_error *end_block(struct walk *w, struct context *c, const struct plan_record *r)
{
	const struct plan_block *block = &c->function->blocks.at[c->block];
	const uint32_t *successors = c->function->successors.at + block->successor;
	struct hence_error *error = NULL;
	const uint8_t *at = w->at;
	uint64_t number = walker_get(w, r->size);
	uint32_t next = 0;

	switch (r->kind) {
	case PLAN_GOTO:
		if (goes_round(w, c))
			return walker_damaged(w, "a loop without an end");
		next = successors[0];
		break;
	case PLAN_BRANCH:
		if (number < 1 || number > 2)
			return walker_damaged(w, "a branch that goes nowhere");
		next = successors[2 - number];
		break;
	case PLAN_SWITCH: next = plan_switch_target(c->function, block, number); break;
	case PLAN_JUMP: error = choose_label(w, c, (uint32_t)number, &next); break;
	default: return walker_damaged(w, "code behind the end of a function");
	}
	if (error)
		return error;
	w->counts.branches += w->counting && r->kind != PLAN_GOTO;
	walker_count_block(w, c, block);
	if (w->follower)
		w->follower->executed(w->follower->context, c->block, r, at);
	walker_enter_block(w, c, next);
	return NULL;
}

/* What is written behind the committed end; 0 where nothing is. */
static uint32_t peek_tail(const struct walk *w, const uint8_t *at, uint32_t size)
{
	uint32_t number = 0;

	if ((uint64_t)(w->tail - at) >= size)
		memcpy(&number, at, size < 4 ? size : 4);
	return number;
}

/*
 * Behind the committed end of the stream: has the program left the block on top? It has when the
 * next thing that is never written as 0 is there: a branch or a callee's frame, on the only way
 * that leads on from here. Whoever went outside committed.
 */
static bool left_block(const struct walk *w)
{
	uint32_t depth = w->stack.size - 1, record = w->stack.at[depth].record;
	const uint8_t *at = w->at;

	for (uint32_t hops = 0; hops < 1000; record++) {
		const struct context *c = &w->stack.at[depth];
		const struct plan_record *r = &c->function->records.at[record];
		const struct plan_block *block;

		switch (r->kind) {
		case PLAN_CALL:
		case PLAN_IMPORT:
		case PLAN_INDIRECT:
		case PLAN_JUMP: return peek_tail(w, at, 4) != 0;
		case PLAN_BRANCH: return peek_tail(w, at, 1) != 0;
		case PLAN_SWITCH: return r->size <= 2 && peek_tail(w, at, r->size);
		case PLAN_STOP: return false;
		case PLAN_RETURN:
			if (c->entered || !depth || !w->stack.at[depth - 1].function)
				return false;
			record = w->stack.at[--depth].record;
			hops++;
			break;
		case PLAN_GOTO:
			block = walker_block_of(c->function, record);
			record =
				c->function->blocks.at[c->function->successors.at[block->successor]]
					.first -
				1;
			hops++;
			break;
		default:
			if ((uint64_t)(w->tail - at) < r->size)
				return false;
			at += r->size;
		}
	}
	return false;
}

/* At the committed end, makes room for the block on top if the program has left it. */
static void extend(struct walk *w, struct context *c)
{
	if (w->at == w->end && w->end < w->tail && left_block(w)) {
		const struct plan_block *b = &c->function->blocks.at[c->block];

		for (uint32_t i = c->record; i < b->first + b->count; i++) {
			const struct plan_record *r = &c->function->records.at[i];

			if (r->kind == PLAN_CALL || r->kind == PLAN_IMPORT ||
			    r->kind == PLAN_INDIRECT)
				break;
			w->end += r->size;
		}
		if (w->end > w->tail)
			w->end = w->tail;
	}
}

/* One record of the function on top. */
struct hence_error *walker_step_record(struct walk *w, struct context *c)
{
	const struct plan_record *r = &c->function->records.at[c->record];

	extend(w, c);
	switch (r->kind) {
	case PLAN_VALUE:
	case PLAN_HALF:
	case PLAN_MEMORY:
		if (!walker_has(w, r->size)) {
			w->stopped = true;
			return NULL;
		}
		if (w->follower)
			w->follower->executed(w->follower->context, c->block, r, w->at);
		w->at += r->size;
		c->record++;
		return NULL;
	case PLAN_CALL:
	case PLAN_IMPORT:
	case PLAN_INDIRECT: return walker_call(w, c, r);
	case PLAN_RETURN:
		if (c->entered || w->at < w->end || left_block(w))
			return leave_function(w, c, r);
		w->stopped = true; /* who died in a block that writes nothing has not left it */
		return NULL;
	default:
		if (!walker_has(w, r->size) || (w->at == w->end && !left_block(w))) {
			w->stopped = true;
			return NULL;
		}
		return end_block(w, c, r);
	}
}

/*
 * The fast way through blocks that call nothing, where no handler ran and the end of the stream is
 * not near. Stops before a block that is not of this kind.
 */
void walker_run_blocks(struct walk *w, struct context *c)
{
	const struct plan_function *f = c->function;
	const struct plan_block *block = &f->blocks.at[c->block];

	if (c->record != block->first || c->instruction || walker_handlers_follow(w))
		return;
	while (!w->halted && block->bytes != UNKNOWN_BYTES &&
	       walker_has(w, (uint64_t)block->bytes + 9) &&
	       (!w->counting || walker_position(w) + block->bytes + 9 <= w->stop)) {
		const struct plan_record *end = &f->records.at[block->first + block->count - 1];
		const uint8_t *at = w->at + block->bytes;
		uint64_t number = 0;
		uint32_t next;

		if (end->kind == PLAN_BRANCH && *at >= 1 && *at <= 2) {
			next = f->successors.at[block->successor + 2 - *at];
		} else if (end->kind == PLAN_GOTO && (block->bytes || !goes_round(w, c))) {
			next = f->successors.at[block->successor];
		} else if (end->kind == PLAN_SWITCH) {
			memcpy(&number, at, end->size);
			next = plan_switch_target(f, block, number);
		} else {
			break;
		}
		if (w->follower)
			w->follower->executed(w->follower->context, c->block, end, w->at);
		w->at = at + end->size;
		if (w->counting) {
			w->counts.instructions += block->instructions;
			w->counts.statements += block->statements;
			w->counts.branches += end->kind != PLAN_GOTO;
		}
		walker_enter_block(w, c, next);
		block = &f->blocks.at[next];
	}
}
