/* Walks a tape beside the program's IR: see walk.h. The parts are in walk_*.c. */
#include "trace/walk.h"

#include <string.h>
#include <sys/mman.h>

#include "base/str.h"

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
	uint64_t ask;              /* position from which the limit is asked again */
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
	const struct walk_follower *follower; /* NULL: nobody follows */
	bool halted;
	bool borrows; /* tapes and program are another walk's */
};

static inline uint64_t walker_position(const struct walk *w)
{
	return (uint64_t)(w->at - w->tape->bytes);
}

static inline bool walker_has(const struct walk *w, uint64_t size)
{
	return w->at <= w->end && (uint64_t)(w->end - w->at) >= size;
}

static inline uint64_t walker_get(struct walk *w, uint32_t size)
{
	uint64_t value = 0;

	memcpy(&value, w->at, size < 8 ? size : 8);
	w->at += size;
	return value;
}

/* The next four bytes; 0 at the end. */
static inline uint32_t walker_peek_tag(const struct walk *w)
{
	uint32_t tag = 0;

	if (walker_has(w, 4))
		memcpy(&tag, w->at, 4);
	return tag;
}

static inline struct context *walker_top(struct walk *w)
{
	return &w->stack.at[w->stack.size - 1];
}

/* ------ where a walk stands: the stack of calls, and what has been counted ------ */

static struct hence_error *walker_damaged(const struct walk *w, const char *what)
{
	return error_create(HENCE_ERROR_INTERNAL, "%s is damaged: %s at byte %llu", w->tape->path,
	                    what, (unsigned long long)walker_position(w));
}

static const struct plan_block *walker_block_of(const struct plan_function *function,
                                                uint32_t record)
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

static void walker_count_block(struct walk *w, struct context *c, const struct plan_block *block)
{
	if (w->counting) {
		w->counts.instructions += block->instructions - c->instruction;
		w->counts.statements += block->statements - c->statement;
	}
	c->instruction = c->statement = 0;
}

/* The part of a block up to and with the call that was under way. */
static void walker_count_part(struct walk *w, struct context *c)
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

static void walker_enter_block(struct walk *w, struct context *c, uint32_t block)
{
	c->block = block;
	c->record = c->function->blocks.at[block].first;
	w->counts.blocks += w->counting;
}

static void walker_push_function(struct walk *w, struct program_place place, uint64_t frame,
                                 bool entered)
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
	walker_enter_block(w, c, 0);
}

static void walker_push_outside(struct walk *w, uint64_t callee)
{
	vec_push(&w->stack)->callee = callee;
}

/* The function on top returns. */
static void walker_leave(struct walk *w)
{
	w->stack.size--;
	if (w->follower)
		w->follower->left(w->follower->context);
}

static void walker_pop(struct walk *w)
{
	walker_count_part(w, walker_top(w));
	w->stack.size--;
}

/* ------ calls in a walk ------ */

/* Of instrumented functions, and of outside ones as far as the caller goes. */

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

static void tell_reached(const struct walk *w)
{
	const struct context *c = &w->stack.at[w->stack.size - 1];

	if (w->follower)
		w->follower->reached(w->follower->context, c->block,
		                     &c->function->records.at[c->record]);
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

static struct hence_error *walker_call_function(struct walk *w, struct program_place place,
                                                const uint8_t *arguments, uint32_t argument_size,
                                                uint64_t frame)
{
	bool entered = arguments != NULL;
	const struct plan_function *callee = program_function(w->program, place);
	uint32_t size = 4 + 8 * callee->byvals.size;

	extend_entry(w, size);
	if (!walker_has(w, size)) {
		if (entered)
			walker_push_function(w, place, frame, true);
		w->stopped = true;
		return NULL;
	}
	if (!entered)
		tell_reached(w);
	if (!entered)
		frame = whole_frame(w, (uint32_t)walker_get(w, 4));
	else if ((uint32_t)frame != (uint32_t)walker_get(w, 4))
		return walker_damaged(w, "a frame that does not match");
	w->at += size - 4;
	walker_push_function(w, place, frame, entered);
	if (w->follower)
		w->follower->entered(w->follower->context, place, frame, w->at - (size - 4),
		                     arguments, argument_size);
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

static struct hence_error *walker_begin_tagged(struct walk *w, uint32_t tag, uint32_t least,
                                               uint32_t *size);
static struct hence_error *walker_tell(struct walk *w, bool returned, const uint8_t *from,
                                       uint32_t size);

static struct hence_error *call_outside(struct walk *w, uint32_t record)
{
	struct hence_error *error;
	uint32_t size, number;
	uint64_t callee;

	error = walker_begin_tagged(w, HENCE_CALL, 12, &size);
	if (error || w->stopped)
		return error;
	memcpy(&callee, w->at, 8);
	memcpy(&number, w->at + 8, 4);
	if (number != record)
		return walker_damaged(w, "a call from another place");
	w->at += size;
	count_call(w, callee);
	tell_reached(w);
	walker_push_outside(w, callee);
	return walker_tell(w, false, w->at - size + 12, size - 12);
}

/* A call that the record on top makes: of an instrumented function or of an outside one. */
static struct hence_error *walker_call(struct walk *w, struct context *c,
                                       const struct plan_record *r)
{
	const struct program_module *module = &w->program->modules.at[c->place.module];
	struct program_place own = {c->place.module, r->target, 0};
	const struct program_place *place = &own;

	if (r->kind != PLAN_CALL && walker_peek_tag(w) == HENCE_CALL)
		return call_outside(w, c->record);
	if (r->kind == PLAN_IMPORT) {
		place = program_at(w->program, module->addresses[module->imports + r->target]);
	} else if (r->kind == PLAN_INDIRECT) {
		extend_entry(w, 4);
		place = address_map_find(&w->program->low_functions, walker_peek_tag(w));
	}
	if (w->at == w->end && (!place || r->kind == PLAN_INDIRECT)) {
		w->stopped = true;
		return NULL;
	}
	if (!place)
		return walker_damaged(w, "a call of nothing");
	if (r->kind == PLAN_INDIRECT)
		w->at += 4;
	count_call(w, 0);
	return walker_call_function(w, *place, NULL, 0, 0);
}

/* A call has returned to the function on top: on with the record behind it. */
static void walker_continue_after_call(struct walk *w)
{
	struct context *c = walker_top(w);

	if (c->function)
		c->record++;
}

/* ------ outside code in a walk: the tagged records between a call and its return ------ */

/* Head of a tagged record whose body is wholly there. */
static struct hence_error *walker_begin_tagged(struct walk *w, uint32_t tag, uint32_t least,
                                               uint32_t *size)
{
	if (!walker_has(w, 8)) {
		w->stopped = true;
		return NULL;
	}
	if (tag && walker_peek_tag(w) != tag)
		return walker_damaged(w, "an unexpected record");
	memcpy(size, w->at + 4, 4);
	if (*size == HENCE_UNFINISHED) {
		w->stopped = true;
		return NULL;
	}
	if (!walker_has(w, 8ull + *size))
		return walker_damaged(w, "a record that goes beyond the end");
	if (*size < least)
		return walker_damaged(w, "a record that is too short");
	w->at += 8;
	return NULL;
}

static const char *walker_outside_name(const struct walk *w, uint64_t address)
{
	const char **name = name_at_map_find(&w->program->outside, address);

	return name ? *name : "?";
}

static bool walker_is_call(const struct plan_record *r)
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
	return size <= HENCE_RESULT ? size : 0;
}

/* The call on top begins, or it returns; what its record says of it are `size` bytes at `from`. */
static struct hence_error *walker_tell(struct walk *w, bool returned, const uint8_t *from,
                                       uint32_t size)
{
	const struct context *c = &w->stack.at[w->stack.size - 2];
	const struct plan_record *r = &c->function->records.at[c->record];
	const struct program_module *module = &w->program->modules.at[c->place.module];
	struct walk_call call = {.address = walker_top(w)->callee,
	                         .returned = returned,
	                         .ancestor = !w->counting,
	                         .block = c->block,
	                         .record = c->record};

	if (!w->hear)
		return NULL;
	if (r->kind == PLAN_IMPORT)
		call.name = module->plan->imports.at[r->target].name;
	else
		call.name = walker_outside_name(w, call.address);
	call.result_size = returned ? result_size(w, c) : 0;
	if (call.result_size)
		call.result = from;
	if (call.result_size > size ||
	    !effects_begin(from + call.result_size, size - call.result_size, &call.effects))
		return walker_damaged(w, "an outside call with damaged effects");
	w->hear(w->hearer, &call);
	return NULL;
}

void walk_listen(struct walk *w, void (*hear)(void *context, const struct walk_call *call),
                 void *context)
{
	w->hear = hear;
	w->hearer = context;
}

static struct hence_error *step_enter(struct walk *w, uint32_t size)
{
	struct hence_enter_record record;
	struct program *p = w->program;

	if (size < sizeof(record))
		return walker_damaged(w, "a record that is too short");
	memcpy(&record, w->at, sizeof(record));
	if (record.module >= p->modules.size || !p->modules.at[record.module].plan ||
	    record.function >= p->modules.at[record.module].plan->functions.size)
		return walker_damaged(w, "a function that does not exist");
	w->at += size;
	return walker_call_function(w, (struct program_place){record.module, record.function, 0},
	                            w->at - size + sizeof(record),
	                            (uint32_t)(size - sizeof(record)), record.frame);
}

static struct hence_error *step_return(struct walk *w, uint32_t size)
{
	const struct context *c = w->stack.size < 2 ? NULL : &w->stack.at[w->stack.size - 2];
	struct hence_error *error;

	if (!c || !c->function || !walker_is_call(&c->function->records.at[c->record]))
		return walker_damaged(w, "a return from nowhere");
	w->at += size;
	error = walker_tell(w, true, w->at - size, size);
	if (error)
		return error;
	w->stack.size--;
	walker_continue_after_call(w);
	return NULL;
}

static struct hence_error *step_resume(struct walk *w, uint32_t size)
{
	struct context *c;
	uint64_t frame;
	uint32_t record;

	if (size < 12)
		return walker_damaged(w, "a record that is too short");
	memcpy(&frame, w->at, 8);
	memcpy(&record, w->at + 8, 4);
	while (w->stack.size > 1 && (!walker_top(w)->function || walker_top(w)->frame != frame))
		walker_pop(w);
	c = walker_top(w);
	if (!c->function || record >= c->function->records.size ||
	    !c->function->records.at[record].returns_twice)
		return walker_damaged(w, "a jump back to nowhere");
	w->at += size;
	walker_count_part(w, c);
	c->record = record;
	c->block = (uint32_t)(walker_block_of(c->function, record) - c->function->blocks.at);
	c->instruction = c->function->records.at[record].instruction_number + 1;
	c->statement = c->function->records.at[record].statement + 1;
	if (w->follower) {
		w->follower->unwound(w->follower->context, w->stack.size);
		w->follower->resumed(w->follower->context, c->block,
		                     &c->function->records.at[record]);
	}
	walker_push_outside(w, 0);
	return NULL;
}

static uint32_t number_of(const uint8_t *module)
{
	struct hence_module_record record;

	memcpy(&record, module, sizeof(record));
	return record.number;
}

/* What is wrong may be the program's file, or what the tape says of it. */
static struct hence_error *load_module(struct walk *w, const uint8_t *record, uint32_t size)
{
	struct hence_error *error = program_load(w->program, record, size), *named;

	if (!error) {
		if (w->follower)
			w->follower->loaded(w->follower->context, number_of(record));
		return NULL;
	}
	named = error_create(error->kind, "%s: %s", w->tape->path, error->message);
	error_destroy(error);
	return named;
}

static struct hence_error *step_given(struct walk *w, uint32_t size)
{
	struct effects given;

	if (!effects_begin(w->at, size, &given))
		return walker_damaged(w, "damaged arguments or environment");
	w->at += size;
	if (w->follower)
		w->follower->given(w->follower->context, given);
	return NULL;
}

/* One tagged record. */
static struct hence_error *walker_step_outside(struct walk *w)
{
	uint32_t tag = walker_peek_tag(w), size;
	struct hence_error *error = walker_begin_tagged(w, 0, 0, &size);

	if (error || w->stopped)
		return error;
	switch (tag) {
	case HENCE_MODULE: w->at += size; return load_module(w, w->at - size, size);
	case HENCE_ENTER: return step_enter(w, size);
	case HENCE_RETURN: return step_return(w, size);
	case HENCE_RESUME: return step_resume(w, size);
	case HENCE_GIVEN: return step_given(w, size);
	case HENCE_SIGNAL:
	case HENCE_SIGNALED: w->at += size; return NULL;
	default: return walker_damaged(w, "an unknown record");
	}
}

/* ------ what a walk has found out ------ */

const struct walk_counts *walk_counts(const struct walk *w)
{
	return &w->counts;
}

const struct tape_file *walk_tape(const struct walk *w)
{
	return w->tapes.at[w->tapes.size - 1];
}

uint32_t walk_depth(const struct walk *w)
{
	return w->stack.size;
}

uint32_t walk_block(const struct walk *w)
{
	const struct context *c = &w->stack.at[w->stack.size - 1];

	return c->function ? c->block : UINT32_MAX;
}

const struct program *walk_program(const struct walk *w)
{
	return w->program;
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
			place->outside = walker_outside_name(w, inner->callee);
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
		list[count].name = walker_outside_name(w, w->outside.at[i].key);
		list[count++].calls = w->outside.at[i].value;
	}
	qsort(list, count, sizeof(*list), by_calls);
	*out = list;
	return count;
}

/* ------ signal handlers that interrupted instrumented code ------ */

/* Their stream is read where they ran. */

static struct hence_error *walker_step(struct walk *w);

static struct hence_error *walk_handler(struct walk *w, const struct hence_side_record *record,
                                        uint64_t start, uint64_t end)
{
	const uint8_t *at = w->at, *old_end = w->end, *old_tail = w->tail;
	uint32_t depth = w->stack.size;
	struct hence_error *error = NULL;

	w->side = 0;
	w->at = w->tape->bytes + start;
	w->end = w->tail = w->tape->bytes + end;
	walker_push_outside(w, 0);
	if (w->follower)
		w->follower->interrupted(w->follower->context);
	while (!error && !w->stopped && w->at < w->end)
		error = walker_step(w);
	if (error)
		return error;
	/* A program that ended in the handler stays there. */
	if (!record->size)
		return NULL;
	w->stopped = false;
	while (w->stack.size > depth)
		walker_pop(w);
	if (w->follower)
		w->follower->unwound(w->follower->context, depth);
	w->at = at;
	w->end = old_end;
	w->tail = old_tail;
	if (!record->jumped)
		return NULL;
	w->at = w->tape->bytes + record->position;
	if (walker_peek_tag(w) != HENCE_RESUME)
		return walker_damaged(w, "a handler that jumped nowhere");
	return walker_step_outside(w);
}

/* Bytes that the record under way reads next; of a call, its first ones. */
static uint32_t next_size(const struct context *c)
{
	const struct plan_record *r = &c->function->records.at[c->record];

	return walker_is_call(r) ? 4 : r->size;
}

static bool walker_handlers_follow(const struct walk *w)
{
	return w->side && w->side + sizeof(struct hence_side_record) <= w->tape->side_end;
}

/*
 * Did a handler run here? Its position is where the last byte that is not 0 had been written. When
 * the handler returned it does not matter if we stand a little behind that; when it did not, the
 * main stream goes on just there, also in the middle of a record.
 */
static struct hence_error *walker_step_handler(struct walk *w, const struct context *c, bool *ran)
{
	struct hence_side_record record;
	uint64_t start = w->side + sizeof(record), end, reach = walker_position(w);
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
		return walker_damaged(w, "a handler's records beyond their stream");
	if (record.jumped && record.position < walker_position(w))
		return walker_damaged(w, "a handler that jumped back");
	*ran = true;
	error = walk_handler(w, &record, start, end);
	w->side = end;
	return error;
}

/* ------ blocks in a walk: record by record, and fast where nothing is called ------ */

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
static struct hence_error *walker_step_record(struct walk *w, struct context *c)
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
static void walker_run_blocks(struct walk *w, struct context *c)
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

/* ------ the whole ------ */

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

static struct hence_error *walker_step(struct walk *w)
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

bool walk_is_halted(const struct walk *w)
{
	return w->halted;
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

static struct walk_work *work;

/* Before anything is forked, so that all share it. */
__attribute__((constructor)) static void make_work(void)
{
	static struct walk_work own;
	void *p = mmap(NULL, sizeof(*work), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
	               0);

	work = p == MAP_FAILED ? &own : p;
}

struct walk_work *walk_work(void)
{
	return work;
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
	__atomic_add_fetch(&work->walks, 1, __ATOMIC_RELAXED);
	*out = w;
	return NULL;
}

struct walk *walk_resume(const struct walk *of)
{
	struct walk *w = mem_alloc(sizeof(*w));

	*w = *of;
	w->borrows = true;
	w->follower = NULL;
	w->hear = NULL;
	w->hearer = NULL;
	w->halted = false;
	vec_own(&w->tapes);
	vec_own(&w->stack);
	count_map_own(&w->outside);
	count_map_own(&w->entered);
	return w;
}

void walk_destroy(struct walk *w)
{
	if (!w)
		return;
	for (uint32_t i = 0; !w->borrows && i < w->tapes.size; i++)
		tape_close(w->tapes.at[i]);
	vec_deinit(&w->tapes);
	vec_deinit(&w->stack);
	count_map_deinit(&w->outside);
	count_map_deinit(&w->entered);
	if (!w->borrows)
		program_destroy(w->program);
	free(w);
}
