/* A run as a stream of events: see stream.h. Follows a walk, which halts when enough is there. */
#include "align/stream.h"

#include "trace/walk.h"

/* ------ the statement that a program died of ------ */

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

#define BATCH 4096

/* What is under way: a function, outside code, or a handler that interrupted. */
struct under_way {
	const struct align_function *function; /* NULL: no function */
	const struct plan_function *plan;      /* as this run has it */
	uint32_t depth;                        /* of the walk's stack */
	bool inside;                           /* of a block that was told */
	uint32_t block;
	uint32_t record;     /* behind the last that was executed in the block */
	uint32_t statements; /* of the block that were executed, */
	uint32_t told;       /* and that were told */
};

struct align_stream {
	const struct recording *run;
	unsigned number;
	struct align_functions *functions;
	struct walk *walk;
	struct walk_follower follower;
	VEC(struct under_way) stack;
	VEC(struct align_event) events;
	uint32_t twice; /* the depth that a call which returns twice is being unwound to; 0: none */
	bool ended;
};

static struct under_way *top_of(struct align_stream *s)
{
	return s->stack.size ? &s->stack.at[s->stack.size - 1] : NULL;
}

static struct align_event *emit(struct align_stream *s, enum align_event_kind kind, uint32_t at)
{
	struct align_event *event = vec_push(&s->events);

	event->kind = kind;
	event->at = at;
	if (s->events.size >= BATCH)
		walk_halt(s->walk);
	return event;
}

static struct under_way *push(struct align_stream *s)
{
	struct under_way *u = vec_push(&s->stack);

	u->depth = walk_depth(s->walk);
	return u;
}

/* --- blocks --- */

static void enter_block(struct align_stream *s, struct under_way *u, uint32_t block)
{
	if (u->inside)
		return;
	emit(s, ALIGN_BLOCK, block);
	u->inside = true;
	u->block = block;
	u->record = u->plan->blocks.at[block].first;
	u->statements = u->told = 0;
}

static void tell_statements(struct align_stream *s, struct under_way *u)
{
	if (u->inside && u->statements > u->told) {
		u->told = u->statements;
		emit(s, ALIGN_STATEMENTS, u->told);
	}
}

static uint32_t number_of(const struct under_way *u, const struct plan_record *record)
{
	return (uint32_t)(record - u->plan->records.at);
}

static void follow_reached(void *context, uint32_t block, const struct plan_record *record)
{
	struct align_stream *s = context;
	struct under_way *u = top_of(s);

	enter_block(s, u, block);
	u->record = number_of(u, record);
	u->statements = record->statement;
	tell_statements(s, u);
}

static void follow_executed(void *context, uint32_t block, const struct plan_record *record,
                            const uint8_t *bytes)
{
	struct align_stream *s = context;
	struct under_way *u = top_of(s);

	enter_block(s, u, block);
	if (record->kind < PLAN_GOTO) {
		u->record = number_of(u, record) + 1;
		u->statements = record->statement + u->function->ends[u->record - 1];
		return;
	}
	u->statements = u->plan->blocks.at[block].statements;
	tell_statements(s, u);
	u->inside = false;
}

/* --- calls --- */

static struct align_event *call(struct align_stream *s, struct under_way *u)
{
	struct align_event *event = emit(s, ALIGN_CALL, u->record);

	event->counts = u->function->ends[u->record];
	u->statements += event->counts;
	u->told = u->statements;
	u->record++;
	return event;
}

static void follow_entered(void *context, struct program_place place, uint64_t frame,
                           const uint8_t *byvals, const uint8_t *arguments, uint32_t size)
{
	struct align_stream *s = context;
	struct align_event *event;
	struct under_way *u;

	event = arguments ? emit(s, ALIGN_CALLBACK, 0) : call(s, top_of(s));
	u = push(s);
	u->function = align_function(s->functions, s->number, walk_program(s->walk), place);
	u->plan = program_function(walk_program(s->walk), place);
	event->function = top_of(s)->function;
}

static void pop(struct align_stream *s)
{
	emit(s, ALIGN_RETURN, 0);
	s->stack.size--;
}

static void follow_left(void *context)
{
	pop(context);
}

static void hear(void *context, const struct walk_call *told)
{
	struct align_stream *s = context;
	struct under_way *u = top_of(s);
	struct align_event *event;

	if (!told->returned) {
		event = call(s, u);
		if (u->plan->records.at[event->at].kind == PLAN_INDIRECT)
			event->name = told->name;
		push(s);
	} else if (!u->function) {
		pop(s);
	}
}

/* --- what breaks the order --- */

static void follow_interrupted(void *context)
{
	struct align_stream *s = context;

	if (s->stack.size)
		tell_statements(s, top_of(s));
	emit(s, ALIGN_HANDLER, 0);
	push(s);
}

/* Is the call that is under way one that returns twice, and is just that unwound? */
static bool returns_twice(const struct align_stream *s, uint32_t depth)
{
	const struct under_way *u = s->stack.size < 2 ? NULL : &s->stack.at[s->stack.size - 2];

	return u && u->function && !u[1].function && u->depth == depth && u->record &&
	       u->plan->records.at[u->record - 1].returns_twice;
}

static void unwind(struct align_stream *s, uint32_t depth)
{
	uint32_t before = s->stack.size;

	while (s->stack.size && top_of(s)->depth > depth)
		s->stack.size--;
	if (s->stack.size < before)
		emit(s, ALIGN_UNWOUND, s->stack.size);
}

static void follow_unwound(void *context, uint32_t depth)
{
	struct align_stream *s = context;

	s->twice = returns_twice(s, depth) ? depth : 0;
	if (!s->twice)
		unwind(s, depth);
}

/* The first return of such a call comes this way, too. */
static void follow_resumed(void *context, uint32_t block, const struct plan_record *record)
{
	struct align_stream *s = context;
	struct under_way *u;

	if (s->twice) {
		u = &s->stack.at[s->stack.size - 2];
		if (u->record == number_of(u, record) + 1)
			return;
		unwind(s, s->twice);
	}
	u = top_of(s);
	u->inside = true;
	u->block = block;
	u->record = number_of(u, record) + 1;
	u->statements = u->told = record->statement + u->function->ends[u->record - 1];
	emit(s, ALIGN_BACK, u->record - 1);
	emit(s, ALIGN_RESUMED, u->record - 1);
}

static void follow_loaded(void *context, uint32_t module)
{
}

static void follow_given(void *context, struct effects effects)
{
}

/* --- the whole --- */

struct hence_error *align_stream_create(const struct recording *run, unsigned number,
                                        struct align_functions *functions,
                                        struct align_stream **out)
{
	struct align_stream *s = mem_alloc(sizeof(*s));
	struct hence_error *error = walk_create(run->modules, run->folder, run->tape, &s->walk);

	if (error) {
		free(s);
		return error;
	}
	s->run = run;
	s->number = number;
	s->functions = functions;
	s->follower = (struct walk_follower){.context = s,
	                                     .loaded = follow_loaded,
	                                     .given = follow_given,
	                                     .entered = follow_entered,
	                                     .reached = follow_reached,
	                                     .executed = follow_executed,
	                                     .left = follow_left,
	                                     .interrupted = follow_interrupted,
	                                     .unwound = follow_unwound,
	                                     .resumed = follow_resumed};
	walk_follow(s->walk, &s->follower);
	walk_listen(s->walk, hear, s);
	*out = s;
	return NULL;
}

void align_stream_destroy(struct align_stream *s)
{
	if (!s)
		return;
	walk_destroy(s->walk);
	vec_deinit(&s->stack);
	vec_deinit(&s->events);
	free(s);
}

struct hence_error *align_stream_fill(struct align_stream *s, const struct align_event **events,
                                      uint32_t *count)
{
	struct hence_error *error;

	s->events.size = 0;
	while (!s->ended && !s->events.size) {
		error = walk_on(s->walk, &s->ended);
		if (!error && s->ended)
			error = walk_to_end(s->walk, s->run->death);
		if (error)
			return error;
		if (s->ended) {
			struct under_way *u = top_of(s);
			uint32_t block = walk_block(s->walk), statement;

			/* What was executed of the last block, and what the run died of. */
			if (u && u->function && s->run->death && block != UINT32_MAX &&
			    death_statement(u->plan, block, u->inside ? u->record : UINT32_MAX,
			                    s->run->death, &statement)) {
				enter_block(s, u, block);
				u->statements = statement;
				tell_statements(s, u);
				emit(s, ALIGN_DYING, 0);
			} else if (u) {
				tell_statements(s, u);
			}
		}
	}
	if (s->ended)
		emit(s, ALIGN_END, 0);
	*events = s->events.at;
	*count = s->events.size;
	return NULL;
}
