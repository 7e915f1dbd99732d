/* The path of a recorded run: see path.h. */
#include "base/budget.h"
#include "trace/path.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "model/ir.h"
#include "trace/history.h"

#define MOST_EVENTS (8u << 20) /* that are kept: 64 MB */
#define BATCH       4096       /* that are made ahead when the path is not kept */

#define RECENT 1024u

/* What is known of a record. */
#define PASSED  1u
#define ENTERED 2u

MAP_DEFINE_U64(number_map, uint32_t);

/* What is under way: a function, outside code, or a handler that interrupted. */
struct under_way {
	struct program_place place;
	const struct plan_function *plan; /* NULL: no function */
	const bool *ends; /* of each record: does its instruction end a statement? */
	uint32_t depth;   /* of the walk's stack */
	bool inside;      /* of a block that was told */
	uint32_t block;
	uint32_t record;     /* after the last that was executed in the block */
	uint32_t statements; /* of the block that were executed, */
	uint32_t told;       /* and that were told */
};

struct path_reader {
	const struct path_reader
		*kept; /* the events are those of this one; NULL: they are made here */
	bool over;     /* those that are kept have been read */
	struct walk *walk;
	struct walk_follower follower;
	VEC(struct path_event) events;
	VEC(struct path_callee) callees;
	VEC(bool *) ends;          /* of each callee: NULL: outside code */
	struct number_map numbers; /* of functions: 1 + index, by module << 32 | function */
	struct number_map names;   /* and of outside code, by the address of its name */
	VEC(struct under_way) stack;
	uint32_t twice; /* the depth that a call which returns twice is being unwound to; 0: none */
	bool ended;
	uint64_t statements;
	const struct walk_place *death;
	struct path_end end;
	uint32_t most;     /* events to make at once */
	struct path *keep; /* the path that it is made for; NULL: none */
};

/* Statements of a block that ended one after the other. */
struct passage {
	uint64_t time;
	uint32_t from, to;
	uint32_t following; /* 1 + index of the next one in the block; 0: none */
};

struct path {
	struct path_reader *all;   /* at the end of the run; NULL: it was not walked yet */
	bool too_long;             /* to be kept */
	struct number_map records; /* that were passed: PASSED, ENTERED */
	const struct plan_record *recent[RECENT]; /* some of them: loops pass the same ones again */
	double seconds;                           /* that the walk took */
	/* Made when they are first asked for: */
	VEC(struct passage) passages;
	uint32_t *blocks; /* of each block 1 + index of its first passage; 0: none */
	uint32_t *first;  /* of each callee the index of its first block */
};

/* ------ events ------ */

/* --- the statement that a program died of --- */

/* May a program die of it? */
static bool may_fault(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
	case LLVMStore:
	case LLVMCall:
	case LLVMSDiv:
	case LLVMUDiv:
	case LLVMSRem:
	case LLVMURem:
	case LLVMUnreachable: return true;
	default: return false;
	}
}

/* Does it just read or write a variable? That only fails when the stack is full. */
static bool is_plain(LLVMValueRef i)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
	LLVMValueRef pointer;

	if (opcode != LLVMLoad && opcode != LLVMStore)
		return false;
	pointer = LLVMGetOperand(i, opcode == LLVMStore);
	return LLVMIsAAllocaInst(pointer) || LLVMIsAGlobalVariable(pointer);
}

static bool is_there(LLVMValueRef i, const struct walk_place *death)
{
	const char *intrinsic = ir_intrinsic(i);

	return may_fault(i) && LLVMGetDebugLocLine(i) == death->line &&
	       LLVMGetDebugLocColumn(i) == death->column &&
	       !(intrinsic && !strncmp(intrinsic, "dbg.", 4));
}

/* The statement of the block, counted from 0, that was under way when the program died at that place:
   from record `from` on (UINT32_MAX: from the start of the block). As execution.h finds it, but
   without values. False: the place is not there. */
static bool death_statement(const struct plan_function *function, uint32_t block, uint32_t from,
                            const struct walk_place *death, uint32_t *statement)
{
	const struct plan_block *b = &function->blocks.at[block];
	const struct plan_record *next =
		&function->records.at[from == UINT32_MAX ? b->first : from];
	LLVMValueRef last = next == &function->records.at[b->first] ? NULL : next[-1].instruction;
	LLVMValueRef i = LLVMGetFirstInstruction(b->block);
	uint32_t ended = 0;
	bool begun = !last, found = false;

	if (!death->line || strcmp(function->name, death->function))
		return false;
	for (; i; i = LLVMGetNextInstruction(i)) {
		if (begun && is_there(i, death) && !(found && is_plain(i))) {
			*statement = ended;
			found = true;
			if (!is_plain(i))
				return true;
		}
		/* Its value is only known from the tape, which has ended: nothing behind it was
		   executed. */
		if (i == next->instruction && next->kind != PLAN_HALF &&
		    (next->kind != PLAN_VALUE ||
		     LLVMGetInstructionOpcode(next->instruction) != LLVMLoad))
			return found;
		next += i == next->instruction;
		begun |= i == last;
		ended += plan_ends_statement(i);
	}
	return found;
}

/* --- making them --- */

static struct under_way *top_of(struct path_reader *r)
{
	return r->stack.size ? &r->stack.at[r->stack.size - 1] : NULL;
}

static struct path_event *emit(struct path_reader *r, enum path_event_kind kind, uint32_t at)
{
	struct path_event *event = vec_push(&r->events);

	event->kind = kind;
	event->at = at;
	if (r->events.size >= r->most)
		walk_halt(r->walk);
	return event;
}

static void push(struct path_reader *r)
{
	vec_push(&r->stack)->depth = walk_depth(r->walk);
}

static void pass(struct path *path, const struct plan_record *record)
{
	const struct plan_record **recent;

	if (!path)
		return;
	recent = &path->recent[(uintptr_t)record / sizeof(*record) % RECENT];
	if (*recent == record)
		return;
	*recent = record;
	*number_map_put(&path->records, (uintptr_t)record) |= PASSED;
}

static void enter_block(struct path_reader *r, struct under_way *u, uint32_t block)
{
	if (u->inside)
		return;
	emit(r, PATH_BLOCK, block);
	u->inside = true;
	u->block = block;
	u->record = u->plan->blocks.at[block].first;
	u->statements = u->told = 0;
}

static void tell_statements(struct path_reader *r, struct under_way *u)
{
	if (u->inside && u->statements > u->told) {
		r->statements += u->statements - u->told;
		u->told = u->statements;
		emit(r, PATH_STATEMENTS, u->told);
	}
}

static uint32_t number_of(const struct under_way *u, const struct plan_record *record)
{
	return (uint32_t)(record - u->plan->records.at);
}

static void follow_loaded(void *context, uint32_t module)
{
}

static void follow_given(void *context, struct effects effects)
{
}

static void follow_reached(void *context, uint32_t block, const struct plan_record *record)
{
	struct path_reader *r = context;
	struct under_way *u = top_of(r);

	pass(r->keep, record);
	enter_block(r, u, block);
	u->record = number_of(u, record);
	u->statements = record->statement;
	tell_statements(r, u);
}

static void follow_executed(void *context, uint32_t block, const struct plan_record *record,
                            const uint8_t *bytes)
{
	struct path_reader *r = context;
	struct under_way *u = top_of(r);

	pass(r->keep, record);
	enter_block(r, u, block);
	if (record->kind < PLAN_GOTO) {
		u->record = number_of(u, record) + 1;
		u->statements = record->statement + u->ends[u->record - 1];
		return;
	}
	u->statements = u->plan->blocks.at[block].statements;
	tell_statements(r, u);
	if (record->kind == PLAN_BRANCH || record->kind == PLAN_SWITCH)
		emit(r, PATH_BRANCH, 0)->counts = u->ends[number_of(u, record)];
	u->inside = false;
}

/* --- calls --- */

/* The function on top calls. */
static struct path_event *call(struct path_reader *r, uint32_t callee)
{
	struct under_way *u = top_of(r);
	struct path_event *event = emit(r, PATH_CALL, u->record);

	event->counts = u->ends[u->record];
	event->callee = callee;
	u->statements += event->counts;
	u->told = u->statements;
	r->statements += event->counts;
	u->record++;
	return event;
}

static uint32_t function_number(struct path_reader *r, struct program_place place)
{
	uint32_t *number =
		number_map_put(&r->numbers, (uint64_t)place.module << 32 | place.function);
	const struct plan_function *plan;
	bool *ends;

	if (*number)
		return *number - 1;
	plan = program_function(walk_program(r->walk), place);
	ends = mem_alloc(plan->records.size + 1);
	for (uint32_t i = 0; i < plan->records.size; i++)
		ends[i] = plan_ends_statement(plan->records.at[i].instruction);
	*vec_push(&r->callees) = (struct path_callee){.place = place, .plan = plan};
	*vec_push(&r->ends) = ends;
	*number = r->callees.size;
	return *number - 1;
}

static uint32_t name_number(struct path_reader *r, const char *name)
{
	uint32_t *number = number_map_put(&r->names, (uintptr_t)name);

	if (!*number) {
		*vec_push(&r->callees) = (struct path_callee){.name = name};
		vec_push(&r->ends);
		*number = r->callees.size;
	}
	return *number - 1;
}

static void follow_entered(void *context, struct program_place place, uint64_t frame,
                           const uint8_t *byvals, const uint8_t *arguments, uint32_t size)
{
	struct path_reader *r = context;
	uint32_t callee = function_number(r, place);
	struct under_way *u;

	if (arguments)
		emit(r, PATH_CALLBACK, 0)->callee = callee;
	else
		call(r, callee);
	push(r);
	u = top_of(r);
	u->place = place;
	u->plan = r->callees.at[callee].plan;
	u->ends = r->ends.at[callee];
	if (r->keep)
		*number_map_put(&r->keep->records,
		                (uintptr_t)&u->plan->records.at[u->plan->blocks.at[0].first]) |=
			ENTERED;
}

static void follow_left(void *context)
{
	struct path_reader *r = context;

	emit(r, PATH_RETURN, 0);
	r->stack.size--;
}

static void hear(void *context, const struct walk_call *told)
{
	struct path_reader *r = context;
	struct under_way *u = top_of(r);

	if (!told->returned) {
		struct path_event *event = call(r, name_number(r, told->name));

		event->outside = true;
		event->indirect = u->plan->records.at[event->at].kind == PLAN_INDIRECT;
		push(r);
	} else if (!u->plan) {
		follow_left(r);
	}
}

/* --- what breaks the order --- */

static void follow_interrupted(void *context)
{
	struct path_reader *r = context;

	if (r->stack.size)
		tell_statements(r, top_of(r));
	emit(r, PATH_HANDLER, 0);
	push(r);
}

/* Is the call that is under way one that returns twice, and is just that unwound? */
static bool returns_twice(const struct path_reader *r, uint32_t depth)
{
	const struct under_way *u = r->stack.size < 2 ? NULL : &r->stack.at[r->stack.size - 2];

	return u && u->plan && !u[1].plan && u->depth == depth && u->record &&
	       u->plan->records.at[u->record - 1].returns_twice;
}

static void unwind(struct path_reader *r, uint32_t depth)
{
	uint32_t before = r->stack.size;

	while (r->stack.size && top_of(r)->depth > depth)
		r->stack.size--;
	if (r->stack.size < before)
		emit(r, PATH_UNWOUND, r->stack.size);
}

static void follow_unwound(void *context, uint32_t depth)
{
	struct path_reader *r = context;

	r->twice = returns_twice(r, depth) ? depth : 0;
	if (!r->twice)
		unwind(r, depth);
}

/* The first return of such a call comes this way, too. */
static void follow_resumed(void *context, uint32_t block, const struct plan_record *record)
{
	struct path_reader *r = context;
	struct under_way *u;

	pass(r->keep, record);
	if (r->twice) {
		u = &r->stack.at[r->stack.size - 2];
		if (u->record == number_of(u, record) + 1)
			return;
		unwind(r, r->twice);
	}
	u = top_of(r);
	u->inside = true;
	u->block = block;
	u->record = number_of(u, record) + 1;
	u->statements = u->told = record->statement + u->ends[u->record - 1];
	emit(r, PATH_BACK, u->record - 1);
	emit(r, PATH_RESUMED, u->record - 1);
}

/* --- the whole --- */

static void reader_destroy(struct path_reader *r)
{
	if (!r)
		return;
	walk_destroy(r->walk);
	for (uint32_t i = 0; i < r->ends.size; i++)
		free(r->ends.at[i]);
	vec_deinit(&r->ends);
	vec_deinit(&r->callees);
	vec_deinit(&r->events);
	vec_deinit(&r->stack);
	number_map_deinit(&r->numbers);
	number_map_deinit(&r->names);
	free(r);
}

static struct hence_error *reader_create(const struct recording *run, struct path *keep,
                                         struct path_reader **out)
{
	struct path_reader *r = mem_alloc(sizeof(*r));
	struct hence_error *error = walk_create(run->modules, run->folder, run->tape, &r->walk);

	if (error) {
		free(r);
		return error;
	}
	r->keep = keep;
	r->most = keep ? MOST_EVENTS : BATCH;
	r->death = run->death;
	r->follower = (struct walk_follower){.context = r,
	                                     .loaded = follow_loaded,
	                                     .given = follow_given,
	                                     .entered = follow_entered,
	                                     .reached = follow_reached,
	                                     .executed = follow_executed,
	                                     .left = follow_left,
	                                     .interrupted = follow_interrupted,
	                                     .unwound = follow_unwound,
	                                     .resumed = follow_resumed};
	walk_follow(r->walk, &r->follower);
	walk_listen(r->walk, hear, r);
	*out = r;
	return NULL;
}

/* The walk has ended: where the program stood, what was executed of the last block, and what the run died of. */
static struct hence_error *tell_end(struct path_reader *r)
{
	struct hence_error *error = walk_to_end(r->walk, r->death);
	struct under_way *u = top_of(r);
	uint32_t block = walk_block(r->walk), statement;

	if (error)
		return error;
	if (u)
		tell_statements(r, u);
	r->end = (struct path_end){
		.over = true, .program = walk_program(r->walk), .statements = r->statements};
	if (u && u->plan && block != UINT32_MAX && u->depth == walk_depth(r->walk)) {
		r->end.standing = true;
		r->end.at = (struct site){.module = u->place.module,
		                          .function = u->place.function,
		                          .block = block,
		                          .statement = u->inside ? u->statements : 0};
	}
	emit(r, PATH_STOOD, 0);
	if (u && u->plan && r->death && block != UINT32_MAX &&
	    death_statement(u->plan, block, u->inside ? u->record : UINT32_MAX, r->death,
	                    &statement)) {
		enter_block(r, u, block);
		u->statements = statement;
		tell_statements(r, u);
		emit(r, PATH_DYING, 0);
	}
	return NULL;
}

/* Makes some events more; there is at least one. */
static struct hence_error *fill(struct path_reader *r)
{
	r->events.size = 0;
	while (!r->ended && !r->events.size) {
		struct hence_error *error = walk_on(r->walk, &r->ended);

		if (!error && r->ended)
			error = tell_end(r);
		if (error)
			return error;
	}
	if (r->ended)
		emit(r, PATH_END, 0);
	return NULL;
}

/* ------ the path of a recording ------ */

static void forget(struct path *path)
{
	reader_destroy(path->all);
	number_map_deinit(&path->records);
	vec_deinit(&path->passages);
	free(path->blocks);
	free(path->first);
	*path = (struct path){0};
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

/* Walks the tape if nobody did yet. *out is NULL if the path is not kept. */
static struct hence_error *look(const struct recording *run, struct path **out)
{
	struct path *path = history_path(run->history);
	double began = budget_clock();
	struct path_reader *all = NULL;
	struct hence_error *error = NULL;
	bool too_long;

	*out = NULL;
	if (path && !path->all && !path->too_long) {
		error = reader_create(run, path, &all);
		if (!error)
			error = fill(all);
		too_long = !error && !all->ended;
		if (error || too_long) {
			reader_destroy(all);
			forget(path);
			path->too_long = too_long;
		} else {
			path->all = all;
			walk_follow(all->walk, NULL);
			walk_listen(all->walk, NULL, NULL);
			path->seconds = budget_clock() - began;
		}
	}
	if (path && path->all)
		*out = path;
	return error;
}

struct hence_error *path_open(const struct recording *run, struct path_reader **out)
{
	struct path *path;
	struct hence_error *error = look(run, &path);

	if (error)
		return error;
	if (!path)
		return reader_create(run, NULL, out);
	*out = mem_alloc(sizeof(**out));
	(*out)->kept = path->all;
	return NULL;
}

void path_close(struct path_reader *r)
{
	reader_destroy(r);
}

struct hence_error *path_next(struct path_reader *r, const struct path_event **events,
                              uint32_t *count)
{
	const struct path_reader *from = r->kept ? r->kept : r;
	struct hence_error *error = r->kept ? NULL : fill(r);
	uint32_t told = r->over ? from->events.size - 1 : 0;

	if (error)
		return error;
	r->over = r->kept;
	*events = from->events.at + told;
	*count = from->events.size - told;
	return NULL;
}

const struct path_callee *path_callees(const struct path_reader *r, uint32_t *count)
{
	const struct path_reader *from = r->kept ? r->kept : r;

	*count = from->callees.size;
	return from->callees.at;
}

const struct program *path_reader_program(const struct path_reader *r)
{
	return walk_program(r->kept ? r->kept->walk : r->walk);
}

uint32_t path_block_of(const struct plan_function *plan, uint32_t record)
{
	uint32_t low = 0, high = plan->blocks.size;

	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (plan->blocks.at[middle].first <= record)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* ------ visits ------ */

/* A function, outside code, or a handler under way. */
struct frame {
	const struct plan_function *plan; /* NULL: no function */
	struct program_place place;
	uint32_t block;
	uint32_t done;   /* statements of the block that have ended */
	uint32_t branch; /* 1 + number of the branch that it has executed, until the next block is
	                    known; 0: none */
};

/* Counts statements as the decoder does. */
struct visit {
	const struct path_visitor *visitor;
	struct path_reader *reader;
	VEC(struct frame) stack;
	struct number_map called; /* instructions whose call was told */
	uint64_t time;
	uint32_t branches;
	bool last; /* enough is known when the way of the last branch is */
	bool enough, over;
};

static struct frame *top(struct visit *v)
{
	return &v->stack.at[v->stack.size - 1];
}

static const struct path_end *end_of(const struct path_reader *r)
{
	return r->kept ? &r->kept->end : &r->end;
}

static struct site site_of(const struct frame *frame, uint32_t statement)
{
	return (struct site){.module = frame->place.module,
	                     .function = frame->place.function,
	                     .block = frame->block,
	                     .statement = statement};
}

/* The function on top executes its block up to that statement. */
static void advance(struct visit *v, uint32_t to)
{
	const struct path_visitor *visitor = v->visitor;
	struct frame *frame = top(v);
	struct site site = site_of(frame, frame->done);

	if (visitor->passed)
		v->enough = !visitor->passed(visitor->context, &site, to, v->time);
	v->time += to - frame->done;
	frame->done = to;
}

/* A branch leads the function on top to that block. */
static void go_to(struct visit *v, uint32_t block)
{
	const struct path_visitor *visitor = v->visitor;
	struct frame *frame = top(v);

	if (frame->branch && visitor->went)
		visitor->went(visitor->context, frame->branch - 1,
		              plan_way(frame->plan, frame->block, block));
	*frame = (struct frame){.plan = frame->plan, .place = frame->place, .block = block};
}

static void visit_call(struct visit *v, const struct path_event *event)
{
	const struct path_visitor *visitor = v->visitor;
	const struct frame *frame = top(v);
	LLVMValueRef instruction = frame->plan->records.at[event->at].instruction;
	uint32_t count;
	const struct path_callee *callee = path_callees(v->reader, &count) + event->callee;

	if (event->counts)
		advance(v, frame->done + 1);
	if (!v->enough && event->outside && visitor->called &&
	    !(*number_map_put(&v->called, (uintptr_t)instruction))++)
		v->enough = !visitor->called(visitor->context, callee->name, instruction, v->time);
}

static void visit_event(struct visit *v, const struct path_event *event)
{
	const struct path_visitor *visitor = v->visitor;
	const struct path_callee *callee;
	uint32_t count;

	if (v->last && event->kind != PATH_BLOCK && event->kind != PATH_STOOD) {
		v->enough = true;
		return;
	}
	switch (event->kind) {
	case PATH_BLOCK: go_to(v, event->at); break;
	case PATH_STATEMENTS: advance(v, event->at); break;
	case PATH_BRANCH: {
		struct frame *frame = top(v);
		struct site site = site_of(frame, frame->plan->blocks.at[frame->block].statements -
		                                          event->counts);

		if (visitor->branched)
			v->last = !visitor->branched(visitor->context, &site, !event->counts,
			                             v->time);
		frame->branch = ++v->branches;
		return;
	}
	case PATH_CALL:
	case PATH_CALLBACK:
		if (event->kind == PATH_CALL)
			visit_call(v, event);
		callee = path_callees(v->reader, &count) + event->callee;
		*vec_push(&v->stack) = (struct frame){.plan = callee->plan, .place = callee->place};
		break;
	case PATH_HANDLER: vec_push(&v->stack); break;
	case PATH_RETURN: v->stack.size--; break;
	case PATH_UNWOUND: v->stack.size = event->at; break;
	case PATH_RESUMED: {
		/* It never got into the block that it branched to. */
		struct frame *frame = top(v);
		const struct plan_record *record = &frame->plan->records.at[event->at];

		frame->branch = 0;
		frame->block = path_block_of(frame->plan, event->at);
		frame->done = record->statement + plan_ends_statement(record->instruction);
		break;
	}
	case PATH_STOOD:
		/* It ended, or died, behind a branch. */
		if (end_of(v->reader)->standing)
			go_to(v, end_of(v->reader)->at.block);
		v->over = !v->last;
		break;
	}
	v->enough |= v->last;
}

struct hence_error *path_visit(const struct recording *run, const struct path_visitor *visitor)
{
	struct visit v = {.visitor = visitor};
	struct hence_error *error = path_open(run, &v.reader);
	struct path_end end;

	while (!error && !v.enough && !v.over) {
		const struct path_event *events;
		uint32_t count;

		error = path_next(v.reader, &events, &count);
		for (uint32_t i = 0; !error && i < count && !v.enough && !v.over; i++)
			visit_event(&v, &events[i]);
	}
	if (!error) {
		end = (struct path_end){.program = path_reader_program(v.reader),
		                        .statements = v.time};
		if (v.over)
			end = *end_of(v.reader);
		if (visitor->ended)
			visitor->ended(visitor->context, &end);
	}
	path_close(v.reader);
	vec_deinit(&v.stack);
	number_map_deinit(&v.called);
	return error;
}

/* --- blocks --- */

struct indexing {
	struct path *path;
	uint32_t *last; /* of each block 1 + index of its last passage so far; 0: none */
	uint32_t known; /* 1 + number of the latest function; 0: none yet */
};

static uint32_t callee_of(const struct path *path, uint32_t known, const struct site *site)
{
	const struct program_place *place = known ? &path->all->callees.at[known - 1].place : NULL;
	const uint32_t *number;

	if (place && place->module == site->module && place->function == site->function)
		return known;
	number =
		number_map_find(&path->all->numbers, (uint64_t)site->module << 32 | site->function);
	return number ? *number : 0;
}

static bool index_passage(void *context, const struct site *site, uint32_t to, uint64_t time)
{
	struct indexing *x = context;
	struct path *path = x->path;
	uint32_t block;

	x->known = callee_of(path, x->known, site);
	block = path->first[x->known - 1] + site->block;
	*vec_push(&path->passages) =
		(struct passage){.time = time, .from = site->statement, .to = to};
	if (x->last[block])
		path->passages.at[x->last[block] - 1].following = path->passages.size;
	else
		path->blocks[block] = path->passages.size;
	x->last[block] = path->passages.size;
	return true;
}

static struct hence_error *index_blocks(const struct recording *run, struct path *path)
{
	struct indexing x = {.path = path};
	const struct path_visitor visitor = {.context = &x, .passed = index_passage};
	struct hence_error *error;
	uint32_t blocks = 0;

	path->first = mem_alloc((path->all->callees.size + 1) * sizeof(*path->first));
	for (uint32_t i = 0; i < path->all->callees.size; i++) {
		const struct plan_function *plan = path->all->callees.at[i].plan;

		path->first[i] = blocks;
		blocks += plan ? plan->blocks.size : 0;
	}
	path->blocks = mem_alloc((blocks + 1) * sizeof(*path->blocks));
	x.last = mem_alloc((blocks + 1) * sizeof(*x.last));
	error = path_visit(run, &visitor);
	free(x.last);
	return error;
}

struct hence_error *path_visit_block(const struct recording *run, const struct site *site,
                                     bool (*passed)(void *context, const struct site *site,
                                                    uint32_t to, uint64_t time),
                                     void *context, bool *kept)
{
	struct path *path;
	struct hence_error *error = look(run, &path);
	const struct passage *p;
	uint32_t callee;

	*kept = path;
	if (path && !path->first)
		error = index_blocks(run, path);
	callee = path && !error ? callee_of(path, 0, site) : 0;
	if (!callee)
		return error;
	for (uint32_t i = path->blocks[path->first[callee - 1] + site->block]; i;
	     i = p->following) {
		struct site from = *site;

		p = &path->passages.at[i - 1];
		from.statement = p->from;
		if (!passed(context, &from, p->to, p->time))
			break;
	}
	return NULL;
}

/* ------ what else is known ------ */

struct hence_error *path_program(const struct recording *run, const struct program **out,
                                 uint64_t *statements)
{
	struct path *path;
	struct hence_error *error = look(run, &path);

	*out = path ? walk_program(path->all->walk) : NULL;
	*statements = path ? path->all->end.statements : 0;
	return error;
}

struct hence_error *path_records(const struct recording *run,
                                 void (*tell)(void *context, const struct plan_record *record,
                                              bool entered),
                                 void *context, struct walk **out)
{
	struct path *path;
	struct hence_error *error = look(run, &path);

	*out = path ? path->all->walk : NULL;
	if (!path)
		return error;
	map_each(&path->records, i)
		tell(context, (const struct plan_record *)(uintptr_t)path->records.at[i].key,
	             !(path->records.at[i].value & PASSED));
	return NULL;
}

double path_seconds(const struct recording *run)
{
	const struct path *path = history_path(run->history);

	return path && path->all ? path->seconds : 0;
}
