/* Walks a tape beside the program's IR: see walk.h. */
#include "trace/walk.h"

#include <assert.h>
#include <string.h>

#include "base/str.h"
#include "runtime/runtime.h"

#define UNFINISHED UINT32_MAX /* size of a record in the middle of which recording ended */

MAP_DEFINE_U64(count_map, uint64_t);

/* Where the program stands: in a function, or in outside code that one called. */
struct context {
	const struct plan_function *function; /* NULL: outside */
	struct program_place place;
	uint64_t frame;
	uint64_t callee; /* outside: address of the function, 0: before or after the program */
	uint32_t record; /* the next one, or the call that is under way; in function->records */
	uint32_t block;  /* that holds it */
	bool entered;    /* from outside: it ends with HENCE_LEAVE */
	uint32_t instruction, statement; /* of this block, counted already */
};

struct walk {
	struct program *program;
	VEC(struct tape_file *) tapes; /* the oldest ancestor first, the walked one last */
	uint32_t current;              /* of those */
	const struct tape_file *tape;
	const uint8_t *at, *end;   /* of the stream being read */
	const uint8_t *tail;       /* what the last block may have written goes up to here */
	uint64_t side;             /* position of the next handler's record */
	uint64_t stop;             /* position to stop at */
	VEC(struct context) stack; /* the bottom is outside code */
	struct walk_counts counts;
	struct count_map outside; /* calls by address */
	struct count_map entered; /* functions by place */
	bool counting;
	bool stopped;           /* the stream ended inside a block */
	const uint8_t *goto_at; /* where the last gotos were, and how many that read nothing */
	uint32_t gotos;
	void (*hear)(void *context, const struct walk_call *call); /* NULL: nobody listens */
	void *hearer;
};

/* --- reading --- */

static uint64_t position(const struct walk *w)
{
	return (uint64_t)(w->at - w->tape->bytes);
}

static struct hence_error *damaged(const struct walk *w, const char *what)
{
	return error_create(HENCE_ERROR_INTERNAL, "%s is damaged: %s at byte %llu", w->tape->path,
	                    what, (unsigned long long)position(w));
}

static bool has(const struct walk *w, uint64_t size)
{
	return w->at <= w->end && (uint64_t)(w->end - w->at) >= size;
}

static uint64_t get(struct walk *w, uint32_t size)
{
	uint64_t value = 0;

	memcpy(&value, w->at, size < 8 ? size : 8);
	w->at += size;
	return value;
}

static uint32_t peek_tag(const struct walk *w)
{
	uint32_t tag = 0;

	if (has(w, 4))
		memcpy(&tag, w->at, 4);
	return tag;
}

static struct context *top(struct walk *w)
{
	return &w->stack.at[w->stack.size - 1];
}

/* --- counting --- */

static const struct plan_block *block_of(const struct plan_function *function, uint32_t record)
{
	uint32_t low = 0, high = function->blocks.size;

	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (function->blocks.at[middle].first <= record)
			low = middle;
		else
			high = middle;
	}
	return &function->blocks.at[low];
}

static void count_block(struct walk *w, struct context *c, const struct plan_block *block)
{
	if (w->counting) {
		w->counts.instructions += block->instructions - c->instruction;
		w->counts.statements += block->statements - c->statement;
	}
	c->instruction = c->statement = 0;
}

/* The part of a block up to and with the call that was under way. */
static void count_part(struct walk *w, struct context *c)
{
	const struct plan_record *r;

	if (!c->function)
		return;
	r = &c->function->records.at[c->record];
	if (w->counting && r->instruction_number >= c->instruction) {
		w->counts.instructions += r->instruction_number + 1 - c->instruction;
		w->counts.statements += r->statement + (r->kind < PLAN_GOTO) - c->statement;
	}
	c->instruction = r->instruction_number + 1;
	c->statement = r->statement + 1;
}

static void enter_block(struct walk *w, struct context *c, uint32_t block)
{
	c->block = block;
	c->record = c->function->blocks.at[block].first;
	w->counts.blocks += w->counting;
}

/* --- calls --- */

static void push_function(struct walk *w, struct program_place place, uint64_t frame, bool entered)
{
	struct context *c = vec_push(&w->stack);

	c->function = program_function(w->program, place);
	c->place = place;
	c->frame = frame;
	c->entered = entered;
	if (w->counting) {
		w->counts.functions++;
		*count_map_put(&w->entered, (uint64_t)place.module << 32 | place.function) = 1;
	}
	enter_block(w, c, 0);
}

static void push_outside(struct walk *w, uint64_t callee)
{
	vec_push(&w->stack)->callee = callee;
}

static void pop(struct walk *w)
{
	count_part(w, top(w));
	w->stack.size--;
}

/* The tape holds half of a frame's address; frames of one stack lie close together. */
static uint64_t whole_frame(const struct walk *w, uint32_t low)
{
	const struct context *c = &w->stack.at[w->stack.size - 1];
	uint64_t near = c->frame & ~0xffffffffull;

	near |= low;
	if (near > c->frame + 0x80000000ull)
		near -= 0x100000000ull;
	else if (near + 0x80000000ull < c->frame)
		near += 0x100000000ull;
	return near;
}

/* At the committed end: a frame that is not 0 was written, so the callee has begun. */
static void extend_entry(struct walk *w, uint32_t size)
{
	uint32_t low;

	if (w->at != w->end || (uint64_t)(w->tail - w->at) < size)
		return;
	memcpy(&low, w->at, 4);
	if (low)
		w->end += size;
}

static struct hence_error *call_function(struct walk *w, struct program_place place, bool entered,
                                         uint64_t frame)
{
	const struct plan_function *callee = program_function(w->program, place);
	uint32_t size = 4 + 8 * callee->byvals.size;

	extend_entry(w, size);
	if (!has(w, size)) {
		if (entered)
			push_function(w, place, frame, true);
		w->stopped = true;
		return NULL;
	}
	if (!entered)
		frame = whole_frame(w, (uint32_t)get(w, 4));
	else if ((uint32_t)frame != (uint32_t)get(w, 4))
		return damaged(w, "a frame that does not match");
	w->at += size - 4;
	push_function(w, place, frame, entered);
	return NULL;
}

static void count_call(struct walk *w, uint64_t outside)
{
	if (!w->counting)
		return;
	w->counts.calls++;
	w->counts.outside += outside != 0;
	if (outside)
		++*count_map_put(&w->outside, outside);
}

/* Head of a tagged record whose body is wholly there. */
static struct hence_error *begin_tagged(struct walk *w, uint32_t tag, uint32_t least,
                                        uint32_t *size)
{
	if (!has(w, 8)) {
		w->stopped = true;
		return NULL;
	}
	if (tag && peek_tag(w) != tag)
		return damaged(w, "an unexpected record");
	memcpy(size, w->at + 4, 4);
	if (*size == UNFINISHED) {
		w->stopped = true;
		return NULL;
	}
	if (!has(w, 8ull + *size))
		return damaged(w, "a record that goes beyond the end");
	if (*size < least)
		return damaged(w, "a record that is too short");
	w->at += 8;
	return NULL;
}

/* --- telling of outside calls --- */

static const char *outside_name(const struct walk *w, uint64_t address)
{
	const char **name = name_at_map_find(&w->program->outside, address);

	return name ? *name : "?";
}

static bool is_call(const struct plan_record *r)
{
	return r->kind >= PLAN_CALL && r->kind <= PLAN_INDIRECT;
}

/* Bytes of the call's result on the tape: small ones only (runtime/runtime.h). */
static uint32_t result_size(const struct walk *w, const struct context *c)
{
	LLVMTypeRef type = LLVMTypeOf(c->function->records.at[c->record].instruction);
	uint32_t size = 0;

	if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
		size = ir_store_size(w->program->modules.at[c->place.module].plan->layout, type);
	return size <= HENCE_RT_RESULT ? size : 0;
}

/* The call on top begins, or it returns; what its record says of it are `size` bytes at `from`. */
static struct hence_error *tell(struct walk *w, bool returned, const uint8_t *from, uint32_t size)
{
	const struct context *c = &w->stack.at[w->stack.size - 2];
	const struct plan_record *r = &c->function->records.at[c->record];
	const struct program_module *module = &w->program->modules.at[c->place.module];
	struct walk_call call = {
		.address = top(w)->callee, .returned = returned, .ancestor = !w->counting};

	if (!w->hear)
		return NULL;
	if (r->kind == PLAN_IMPORT)
		call.name = module->plan->imports.at[r->target].name;
	else
		call.name = outside_name(w, call.address);
	call.result_size = returned ? result_size(w, c) : 0;
	if (call.result_size)
		call.result = from;
	if (call.result_size > size ||
	    !effects_begin(from + call.result_size, size - call.result_size, &call.effects))
		return damaged(w, "an outside call with damaged effects");
	w->hear(w->hearer, &call);
	return NULL;
}

void walk_listen(struct walk *w, void (*hear)(void *context, const struct walk_call *call),
                 void *context)
{
	w->hear = hear;
	w->hearer = context;
}

static struct hence_error *call_outside(struct walk *w, uint32_t record)
{
	struct hence_error *error;
	uint32_t size, number;
	uint64_t callee;

	error = begin_tagged(w, HENCE_CALL, 12, &size);
	if (error || w->stopped)
		return error;
	memcpy(&callee, w->at, 8);
	memcpy(&number, w->at + 8, 4);
	if (number != record)
		return damaged(w, "a call from another place");
	w->at += size;
	count_call(w, callee);
	push_outside(w, callee);
	return tell(w, false, w->at - size + 12, size - 12);
}

static struct hence_error *call_import(struct walk *w, struct context *c,
                                       const struct plan_record *r)
{
	const struct program_module *module = &w->program->modules.at[c->place.module];
	const struct program_place *place;

	if (!has(w, 4)) {
		w->stopped = true;
		return NULL;
	}
	if (peek_tag(w) == HENCE_CALL)
		return call_outside(w, c->record);
	place = program_at(w->program, module->addresses[module->imports + r->target]);
	if (!place)
		return damaged(w, "a call of nothing");
	count_call(w, 0);
	return call_function(w, *place, false, 0);
}

static struct hence_error *call_indirect(struct walk *w, struct context *c)
{
	const struct program_place *place;

	if (!has(w, 4)) {
		w->stopped = true;
		return NULL;
	}
	if (peek_tag(w) == HENCE_CALL)
		return call_outside(w, c->record);
	place = address_map_find(&w->program->low_functions, peek_tag(w));
	if (!place)
		return damaged(w, "a call of nothing");
	if (!has(w, 8)) {
		w->stopped = true;
		return NULL;
	}
	w->at += 4;
	count_call(w, 0);
	return call_function(w, *place, false, 0);
}

/* A call has returned to the function on top: on with the record behind it. */
static void continue_after_call(struct walk *w)
{
	struct context *c = top(w);

	if (c->function)
		c->record++;
}

/* --- blocks --- */

static struct hence_error *leave_function(struct walk *w, struct context *c)
{
	bool entered = c->entered;
	struct hence_error *error;
	uint32_t size;

	if (entered) {
		error = begin_tagged(w, HENCE_LEAVE, 0, &size);
		if (error || w->stopped)
			return error;
		w->at += size;
	}
	count_block(w, c, &c->function->blocks.at[c->block]);
	w->gotos = 0;
	w->stack.size--;
	if (!entered)
		continue_after_call(w);
	return NULL;
}

static struct hence_error *choose_label(struct walk *w, struct context *c, uint32_t low,
                                        uint32_t *block)
{
	const struct program_place *label = address_map_find(&w->program->low_labels, low);

	if (!label || label->module != c->place.module || label->function != c->place.function)
		return damaged(w, "a jump to nowhere");
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
	uint64_t number = get(w, r->size);
	uint32_t next;

	switch (r->kind) {
	case PLAN_GOTO:
		if (goes_round(w, c))
			return damaged(w, "a loop without an end");
		next = successors[0];
		break;
	case PLAN_BRANCH:
		if (number < 1 || number > 2)
			return damaged(w, "a branch that goes nowhere");
		next = successors[2 - number];
		break;
	case PLAN_SWITCH: next = plan_switch_target(c->function, block, number); break;
	case PLAN_JUMP: error = choose_label(w, c, (uint32_t)number, &next); break;
	default: return damaged(w, "code behind the end of a function");
	}
	if (error)
		return error;
	w->counts.branches += w->counting && r->kind != PLAN_GOTO;
	count_block(w, c, block);
	enter_block(w, c, next);
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
			block = block_of(c->function, record);
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

		for (uint32_t i = c->record; i < b->first + b->count; i++)
			w->end += c->function->records.at[i].size;
		if (w->end > w->tail)
			w->end = w->tail;
	}
}

/* One record of the function on top. */
static struct hence_error *step_record(struct walk *w, struct context *c)
{
	const struct plan_record *r = &c->function->records.at[c->record];

	extend(w, c);
	switch (r->kind) {
	case PLAN_VALUE:
	case PLAN_HALF:
	case PLAN_MEMORY:
		if (!has(w, r->size)) {
			w->stopped = true;
			return NULL;
		}
		w->at += r->size;
		c->record++;
		return NULL;
	case PLAN_CALL:
		count_call(w, 0);
		return call_function(w, (struct program_place){c->place.module, r->target, 0},
		                     false, 0);
	case PLAN_IMPORT: return call_import(w, c, r);
	case PLAN_INDIRECT: return call_indirect(w, c);
	case PLAN_RETURN: return leave_function(w, c);
	default:
		if (!has(w, r->size) || (w->at == w->end && !left_block(w))) {
			w->stopped = true;
			return NULL;
		}
		return end_block(w, c, r);
	}
}

/* --- outside code --- */

static struct hence_error *step_enter(struct walk *w, uint32_t size)
{
	struct hence_enter_record record;
	struct program *p = w->program;

	if (size < sizeof(record))
		return damaged(w, "a record that is too short");
	memcpy(&record, w->at, sizeof(record));
	if (record.module >= p->modules.size || !p->modules.at[record.module].plan ||
	    record.function >= p->modules.at[record.module].plan->functions.size)
		return damaged(w, "a function that does not exist");
	w->at += size;
	return call_function(w, (struct program_place){record.module, record.function, 0}, true,
	                     record.frame);
}

static struct hence_error *step_return(struct walk *w, uint32_t size)
{
	const struct context *c = w->stack.size < 2 ? NULL : &w->stack.at[w->stack.size - 2];
	struct hence_error *error;

	if (!c || !c->function || !is_call(&c->function->records.at[c->record]))
		return damaged(w, "a return from nowhere");
	w->at += size;
	error = tell(w, true, w->at - size, size);
	if (error)
		return error;
	w->stack.size--;
	continue_after_call(w);
	return NULL;
}

static struct hence_error *step_resume(struct walk *w, uint32_t size)
{
	struct context *c;
	uint64_t frame;
	uint32_t record;

	if (size < 12)
		return damaged(w, "a record that is too short");
	memcpy(&frame, w->at, 8);
	memcpy(&record, w->at + 8, 4);
	while (w->stack.size > 1 && (!top(w)->function || top(w)->frame != frame))
		pop(w);
	c = top(w);
	if (!c->function || record >= c->function->records.size ||
	    !c->function->records.at[record].returns_twice)
		return damaged(w, "a jump back to nowhere");
	w->at += size;
	count_part(w, c);
	c->record = record;
	c->block = (uint32_t)(block_of(c->function, record) - c->function->blocks.at);
	c->instruction = c->function->records.at[record].instruction_number + 1;
	c->statement = c->function->records.at[record].statement + 1;
	push_outside(w, 0);
	return NULL;
}

/* What is wrong may be the program's file, or what the tape says of it. */
static struct hence_error *load_module(struct walk *w, const uint8_t *record, uint32_t size)
{
	struct hence_error *error = program_load(w->program, record, size), *named;

	if (!error)
		return NULL;
	named = error_create(error->kind, "%s: %s", w->tape->path, error->message);
	error_destroy(error);
	return named;
}

static struct hence_error *step_outside(struct walk *w)
{
	uint32_t tag = peek_tag(w), size;
	struct hence_error *error = begin_tagged(w, 0, 0, &size);

	if (error || w->stopped)
		return error;
	switch (tag) {
	case HENCE_MODULE: w->at += size; return load_module(w, w->at - size, size);
	case HENCE_ENTER: return step_enter(w, size);
	case HENCE_RETURN: return step_return(w, size);
	case HENCE_RESUME: return step_resume(w, size);
	case HENCE_SIGNAL:
	case HENCE_SIGNALED:
	case HENCE_NOTE: w->at += size; return NULL;
	default: return damaged(w, "an unknown record");
	}
}

/* --- handlers that interrupted instrumented code --- */

static struct hence_error *step(struct walk *w);

static struct hence_error *walk_handler(struct walk *w, const struct hence_side_record *record,
                                        uint64_t start, uint64_t end)
{
	const uint8_t *at = w->at, *old_end = w->end, *old_tail = w->tail;
	uint32_t depth = w->stack.size;
	struct hence_error *error = NULL;

	w->side = 0;
	w->at = w->tape->bytes + start;
	w->end = w->tail = w->tape->bytes + end;
	push_outside(w, 0);
	while (!error && !w->stopped && w->at < w->end)
		error = step(w);
	if (error)
		return error;
	/* A program that ended in the handler stays there. */
	if (!record->size)
		return NULL;
	w->stopped = false;
	while (w->stack.size > depth)
		pop(w);
	w->at = at;
	w->end = old_end;
	w->tail = old_tail;
	if (!record->jumped)
		return NULL;
	w->at = w->tape->bytes + record->position;
	if (peek_tag(w) != HENCE_RESUME)
		return damaged(w, "a handler that jumped nowhere");
	return step_outside(w);
}

/* Bytes that the record under way reads next; of a call, its first ones. */
static uint32_t next_size(const struct context *c)
{
	const struct plan_record *r = &c->function->records.at[c->record];

	return is_call(r) ? 4 : r->size;
}

static bool handlers_follow(const struct walk *w)
{
	return w->side && w->side + sizeof(struct hence_side_record) <= w->tape->side_end;
}

/*
 * Did a handler run here? Its position is where the last byte that is not 0 had been written. When
 * the handler returned it does not matter if we stand a little behind that; when it did not, the
 * main stream goes on just there, also in the middle of a record.
 */
static struct hence_error *step_handler(struct walk *w, const struct context *c, bool *ran)
{
	struct hence_side_record record;
	uint64_t start = w->side + sizeof(record), end, reach = position(w);
	struct hence_error *error;

	*ran = false;
	if (!w->side || start > w->tape->side_end)
		return NULL;
	memcpy(&record, w->tape->bytes + w->side, sizeof(record));
	if ((record.jumped || !record.size) && next_size(c))
		reach += next_size(c) - 1;
	if (record.position > reach)
		return NULL;
	end = record.size ? start + record.size : w->tape->side_end;
	if (end > w->tape->side_end || end < start)
		return damaged(w, "a handler's records beyond their stream");
	if (record.jumped && record.position < position(w))
		return damaged(w, "a handler that jumped back");
	*ran = true;
	error = walk_handler(w, &record, start, end);
	w->side = end;
	return error;
}

/* --- stepping --- */

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

/*
 * The fast way through blocks that call nothing, where no handler ran and the end of the stream is
 * not near. Stops before a block that is not of this kind.
 */
static void run_blocks(struct walk *w, struct context *c)
{
	const struct plan_function *f = c->function;
	const struct plan_block *block = &f->blocks.at[c->block];

	if (c->record != block->first || c->instruction || handlers_follow(w))
		return;
	while (block->bytes != UNKNOWN_BYTES && has(w, (uint64_t)block->bytes + 9) &&
	       (!w->counting || position(w) + block->bytes + 9 <= w->stop)) {
		const struct plan_record *end = &f->records.at[block->first + block->count - 1];
		const uint8_t *at = w->at + block->bytes;
		uint64_t number = 0;
		uint32_t next;

		if (end->kind == PLAN_BRANCH && *at >= 1 && *at <= 2) {
			next = f->successors.at[block->successor + 2 - *at];
		} else if (end->kind == PLAN_GOTO) {
			next = f->successors.at[block->successor];
		} else if (end->kind == PLAN_SWITCH) {
			memcpy(&number, at, end->size);
			next = plan_switch_target(f, block, number);
		} else {
			break;
		}
		w->at = at + end->size;
		if (w->counting) {
			w->counts.instructions += block->instructions;
			w->counts.statements += block->statements;
			w->counts.branches += end->kind != PLAN_GOTO;
		}
		enter_block(w, c, next);
		block = &f->blocks.at[next];
	}
}

static struct hence_error *step(struct walk *w)
{
	struct context *c = top(w);
	struct hence_error *error;
	bool ran;

	if (!c->function)
		return step_outside(w);
	run_blocks(w, c);
	error = step_handler(w, c, &ran);
	if (error || ran)
		return error;
	return step_record(w, c);
}

static bool at_end(const struct walk *w)
{
	return w->stopped || (w->at == w->end && !w->stack.at[w->stack.size - 1].function);
}

static struct hence_error *walk_until(struct walk *w, uint64_t stop)
{
	w->stop = stop;
	for (;;) {
		struct hence_error *error;

		if (at_end(w) && !next_tape(w))
			return NULL;
		if (w->counting && position(w) >= stop)
			return NULL;
		error = step(w);
		if (error)
			return error;
	}
}

struct hence_error *walk_to(struct walk *w, uint64_t stop)
{
	return walk_until(w, stop);
}

struct hence_error *walk_to_end(struct walk *w)
{
	struct hence_error *error = walk_until(w, UINT64_MAX);

	if (error)
		return error;
	for (uint32_t i = 0; i < w->stack.size; i++)
		count_part(w, &w->stack.at[i]);
	w->counts.distinct_functions = w->entered.size;
	return NULL;
}

/* --- beginning and end --- */

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

struct hence_error *walk_create(const char *folder, uint32_t number, struct walk **out)
{
	struct walk *w = mem_alloc(sizeof(*w));
	struct hence_error *error = open_family(w, folder, number, 0);

	w->program = program_create();
	if (error) {
		walk_destroy(w);
		return error;
	}
	push_outside(w, 0);
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

/* --- answers --- */

const struct walk_counts *walk_counts(const struct walk *w)
{
	return &w->counts;
}

const struct tape_file *walk_tape(const struct walk *w)
{
	return w->tapes.at[w->tapes.size - 1];
}

/* The nearest instruction at or before a record, in its block, that has a source position. */
static LLVMValueRef located(LLVMValueRef instruction)
{
	LLVMValueRef i;

	for (i = instruction; i; i = LLVMGetPreviousInstruction(i))
		if (LLVMGetDebugLocLine(i))
			return i;
	for (i = instruction; i; i = LLVMGetNextInstruction(i))
		if (LLVMGetDebugLocLine(i))
			return i;
	return NULL;
}

bool walk_where(const struct walk *w, uint32_t depth, struct walk_place *place)
{
	const struct context *inner = NULL;

	for (uint32_t i = w->stack.size; i-- > 0; inner = &w->stack.at[i]) {
		const struct context *c = &w->stack.at[i];
		LLVMValueRef instruction;
		unsigned length;

		if (!c->function || depth--)
			continue;
		*place = (struct walk_place){.function = c->function->name};
		if (inner && !inner->function && inner->callee)
			place->outside = outside_name(w, inner->callee);
		instruction = located(c->function->records.at[c->record].instruction);
		if (instruction) {
			place->file = LLVMGetDebugLocFilename(instruction, &length);
			place->line = LLVMGetDebugLocLine(instruction);
			place->column = LLVMGetDebugLocColumn(instruction);
		}
		return true;
	}
	return false;
}

static int by_calls(const void *a, const void *b)
{
	const struct walk_outside *x = a, *y = b;

	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return strcmp(x->name, y->name);
}

uint32_t walk_outside(const struct walk *w, struct walk_outside **out)
{
	struct walk_outside *list = mem_alloc((w->outside.size + 1) * sizeof(*list));
	uint32_t count = 0;

	map_each(&w->outside, i)
	{
		list[count].name = outside_name(w, w->outside.at[i].key);
		list[count++].calls = w->outside.at[i].value;
	}
	qsort(list, count, sizeof(*list), by_calls);
	*out = list;
	return count;
}
