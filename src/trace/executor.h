/* Inside the decoder: what execut*.c share. */
#ifndef HENCE_TRACE_EXECUTOR_H
#define HENCE_TRACE_EXECUTOR_H

#include "trace/execution.h"

#define EXECUTOR_LIMIT    0x7fffffffu /* instances: the bit above marks groups */
#define EXECUTOR_FOREIGN  UINT32_MAX  /* object of a pointer to memory that is not the program's */
#define EXECUTOR_PROBLEMS 1000u       /* mismatches that are kept */

MAP_DEFINE_U64(error_map, uint32_t);

/* A branch that was taken, up to where its sides meet again. */
struct executor_branch {
	uint32_t instance;
	uint32_t until; /* block */
};

/* Addresses with the same upper half that the program has. */
struct executor_range {
	uint64_t low, high;
};

MAP_DEFINE_U64(half_map, uint64_t);

/* Words of memory by one half of them; those that two different words share have no entry. */
struct executor_halves {
	struct half_map low, high;
	struct half_map shared_low, shared_high;
	bool filled;
};

/* An outside call that has not returned. */
struct executor_call {
	struct actions_call call;
	const char *name;
	uint32_t activation; /* 1 + index of the caller */
	uint32_t instance;
	uint32_t code;
	uint32_t depth;
	uint64_t statement;            /* its number */
	bool told;                     /* that it calls back */
	bool called;                   /* it has called back */
	uint32_t arguments;            /* index of its first argument */
	struct executor_halves halves; /* of what it was given */
	uint32_t resized;              /* object that a realloc() frees and gives again; 0: none */
	uint32_t group;                /* of what it read and copied; 0: not kept */
	uint32_t listed;               /* 1 + index in e->calls; 0: not kept */
	VEC(uint32_t) returns;         /* instances in which functions that it called returned */
	char *signature;
};

/* A call that was under way when the window began, and returned in it. */
struct executor_late {
	uint32_t instance;
	uint32_t source;
	uint64_t value;
};

/* Memory that grows on the stack is used far from where it came: by frame and instruction, its
   instances, which are in order. */
struct executor_allocas {
	VEC(uint32_t) at;
};

MAP_DEFINE_U64(alloca_map, struct executor_allocas);

/* Where the bytes are kept that flows carried. */
MAP_DEFINE_U64(flow_bytes_map, uint32_t);

#define EXECUTOR_BYTES 4096u /* of one call that are kept */

struct execution {
	struct execution_options options;
	struct walk *walk;
	struct walk_follower follower;
	struct code *code;
	struct memory memory;
	struct objects objects;
	struct hence_error *failure;
	const struct execution *whole; /* see execution_whole() */
	bool full;                     /* see execution_is_full() */
	VEC(bool) born;                /* modules whose variables are objects */

	/* where it stands */
	VEC(struct activation) stack;
	VEC(struct code_slot) slots;
	VEC(struct executor_branch) branches;
	VEC(uint32_t) dynamic; /* objects */
	VEC(struct executor_call) open;
	VEC(struct code_slot) arguments; /* of the open calls */
	uint64_t forgotten;              /* instances before the numbers began anew */
	uint32_t next;                   /* instance */
	uint64_t statements;
	uint32_t last_outside_code; /* the last call that returned from outside */
	const char *last_outside;
	uint32_t last_outside_instance;
	uint32_t last_unmodelled_instance, last_unmodelled_code;
	const char *last_unmodelled;
	VEC(struct executor_range) ranges;
	const struct code_function *callee;  /* that is about to be entered */
	bool has_main;                       /* the program's main() is recorded */
	uint32_t handler_first, handler_end; /* instances of the last handler that interrupted */
	uint64_t libc[OUTSIDE_GLOBALS];      /* addresses of its variables */

	/* what is kept */
	uint32_t kept_from;
	uint32_t kept_end; /* instance behind the last that is kept */
	bool keeping;
	uint64_t pause; /* instance to stop at */
	uint64_t room;
	uint64_t *values;
	uint32_t *sources;
	VEC(struct execution_segment) segments;
	uint32_t hint; /* the segment that was asked for last */
	VEC(struct execution_frame) frames;
	VEC(struct execution_flow) flows;
	VEC(uint8_t) bytes; /* see options.bytes */
	struct flow_bytes_map flow_bytes;
	uint32_t bytes_left; /* that may be kept of the call whose flows are noted; 0: none is */
	VEC(struct execution_group) groups;
	VEC(struct execution_call) calls;
	VEC(struct activation) saved; /* as the window began; their slots are in saved_slots */
	VEC(struct code_slot) saved_slots;
	VEC(struct executor_late) late; /* the youngest call first */
	struct alloca_map allocas;
	bool died;        /* see execution_died() */
	uint64_t *copies; /* a bit for each instance, with options.windows */
	uint32_t jumped;  /* the last outside call that did not return; 0: none */

	VEC(struct execution_mismatch) mismatches;
	uint64_t mismatch_count;
	uint64_t guesses;
	VEC(struct execution_error) errors;
	struct error_map error_index;
	struct actions actions;
	struct outputs *outputs; /* NULL: not asked for */
};

static inline struct activation *executor_top(struct execution *e)
{
	return e->stack.size ? &e->stack.at[e->stack.size - 1] : NULL;
}

static inline const struct code_slot *executor_slot(const struct execution *e,
                                                    const struct activation *a, uint32_t operand)
{
	return operand & 1 ? &a->function->constants[operand >> 1]
	                   : &e->slots.at[a->slots + (operand >> 1)];
}

/* Tells who listens of the statement that the function on top stands behind. */
static inline void executor_tell(struct execution *e, enum execution_event event, uint64_t number)
{
	const struct activation *a = &e->stack.at[e->stack.size - 1];

	if (e->options.statement && a->function->insns[a->pc - 1].flags & CODE_STATEMENT)
		e->options.statement(e->options.context, e, event, number);
}

/* Tells who wants to know of the statement that the function on top stands before, if it begins with the
   next instruction. */
static inline void executor_tell_begin(struct execution *e, const struct activation *a)
{
	if (e->options.begins && a->function->insns[a->pc].flags & CODE_BEGINS)
		e->options.statement(e->options.context, e, EXECUTION_BEGINS, e->statements + 1);
}

/* Tells who wants to know what an instance has written: see options.wrote. */
static inline void executor_tell_wrote(struct execution *e, uint32_t instance, uint64_t address,
                                       uint64_t size)
{
	if (e->options.wrote)
		e->options.wrote(e->options.context, e, instance, address, size);
}

/* Keeps the next instance. There is room: executor_segment() made it. */
static inline void executor_keep(struct execution *e, uint64_t value, uint32_t source)
{
	if (e->keeping) {
		e->values[e->next - e->kept_from] = value;
		e->sources[e->next - e->kept_from] = source;
	}
	e->next++;
}

static inline bool executor_is_kept(const struct execution *e, uint32_t instance)
{
	return instance >= e->kept_from && instance < e->kept_end && instance < e->next;
}

/* Ends the decoding with an error. Takes it over. */
void executor_fail(struct execution *e, struct hence_error *error);

/* The bytes of an object that is born now. */
void executor_begin_object(struct execution *e, const struct object *object);

/* A variable of the thread is at this address. */
void executor_thread_local(struct execution *e, LLVMValueRef global, uint64_t address);

/* --- execute.c --- */

/* The functions that the time is spent in begin on a cache line: where the linker happens to put them
   is worth a fifth of the speed. */
#define EXECUTOR_HOT __attribute__((aligned(64)))

/* Executes the function on top up to and with instruction `last` of it; the bytes of its records begin at
   `tape`. Gives what comes behind those that it took. */
const uint8_t *executor_run(struct execution *e, struct activation *a, uint32_t last,
                            const uint8_t *tape);

/* --- blocks --- */

void executor_block(struct execution *e, struct activation *a, uint32_t block);
void executor_segment(struct execution *e, struct activation *a);
void executor_branch(struct execution *e, struct activation *a, uint32_t instance);

/* --- long runs --- */

/* Numbers begin anew behind what is kept: instances that have them become SOURCE_EARLIER. Only while
   nothing is being kept. */
void executor_forget(struct execution *e);

/* --- windows --- */

/* Gives the frames of functions under way, which are a bytewise copy of another execution's, room of their own. */
void executor_own_frames(struct execution *e);

/* This instance writes bytes that it took from elsewhere: see execution_copies(). */
void executor_note_copy(struct execution *e, uint32_t instance);
void executor_note_alloca(struct execution *e, const struct activation *a, uint32_t instance);

/* The last instance of an alloca() before another of its frame; 0: not in the window. */
uint32_t executor_last_alloca(const struct execution *e, uint32_t frame, uint32_t code,
                              uint32_t before);

/* A function has returned: its frame and objects, if nobody will ask about them. */
void executor_recycle(struct execution *e);

/* The activation that had this frame when the window began; NULL: none. */
const struct activation *executor_saved(const struct execution *e, uint32_t frame);
const struct code_slot *executor_saved_slot(const struct execution *e, const struct activation *a,
                                            uint32_t operand);

/* The frame of a call that was under way then. */
uint32_t executor_saved_caller(const struct execution *e, uint32_t call);

/* NULL: the call was not under way when the window began, or has not returned. */
const struct executor_late *executor_late(const struct execution *e, uint32_t instance);

/* Frees what this file keeps. */
void executor_drop_window(struct execution *e);

/* --- operands --- */

/* The call that this frame was called by, or within. NULL: none. */
const struct code_call *executor_caller(const struct execution *e, uint32_t frame);

/* What an operand of that call was. */
bool executor_passed(const struct execution *e, uint32_t frame, uint32_t operand, uint64_t *value,
                     uint32_t *made);

/* The instance behind the last one of a segment. */
uint32_t executor_segment_end(const struct execution *e, const struct execution_segment *s);

/* --- memory --- */

struct code_slot executor_load(struct execution *e, struct activation *a, const struct code_insn *i,
                               const uint8_t *tape, uint32_t *source);
void executor_load_wide(struct execution *e, struct activation *a, const struct code_insn *i,
                        const uint8_t *tape);
void executor_store(struct execution *e, struct activation *a, const struct code_insn *i);
void executor_store_wide(struct execution *e, struct activation *a, const struct code_insn *i);
void executor_atomic(struct execution *e, struct activation *a, const struct code_insn *i,
                     const uint8_t *tape);
void executor_copy(struct execution *e, struct activation *a, const struct code_insn *i);
void executor_fill(struct execution *e, struct activation *a, const struct code_insn *i);

/* --- what memory learns --- */

/* What a load read, when the tape does not agree with memory. Gives the value to go on with. */
uint64_t executor_learn(struct execution *e, struct activation *a, const struct code_insn *i,
                        uint64_t address, const struct memory_value *found, uint64_t recorded);
void executor_mismatch(struct execution *e, const struct activation *a,
                       const struct execution_mismatch *mismatch);

void executor_halves_deinit(struct executor_halves *halves);

/* There is memory of the program at this address. */
void executor_note_address(struct execution *e, uint64_t address);

/* --- flows --- */

/* The group of the bytes of a range, as they were last written. `to`: where they go. */
uint32_t executor_group(struct execution *e, uint64_t to, uint64_t from, uint64_t size);
uint32_t executor_open_group(struct execution *e);
void executor_add_flows(struct execution *e, uint32_t argument, uint64_t to, uint64_t from,
                        uint64_t size);
void executor_close_group(struct execution *e, uint32_t group);

/* --- functions --- */

void executor_enter(struct execution *e, struct program_place place, uint64_t frame,
                    const uint8_t *byvals, const uint8_t *arguments, uint32_t size);
/* Brings the function on top to its instruction `pc`, which it has not executed. */
void executor_reach(struct execution *e, struct activation *a, uint32_t block, uint32_t pc,
                    const uint8_t *tape);

/* Executes the call on which the function on top stands, but for what the callee does. */
const struct code_call *executor_begin_call(struct execution *e, struct activation *caller);

/* The value of a call that has returned. */
void executor_set_call(struct execution *e, uint32_t call, uint64_t value, uint32_t source);
void executor_leave(struct execution *e);
void executor_drop(struct execution *e, uint32_t depth);
void executor_alloca(struct execution *e, struct activation *a, const struct code_insn *i,
                     const uint8_t *tape);

/* Bytes that are passed keep their sources: who wrote them, not who passed them. */
void executor_pass_bytes(struct execution *e, uint64_t to, uint64_t from, uint64_t size);

/* --- the instruction that the program died of --- */

/* Executes what the tape does not show, up to the instruction that the program died of. */
void executor_die(struct execution *e, const struct walk_place *death);

/* --- variable arguments --- */

void executor_va_start(struct execution *e, struct activation *a, const struct code_insn *i,
                       const uint8_t *tape);

/* --- outside calls --- */

void executor_outside(void *context, const struct walk_call *call);
void executor_drop_call(struct execution *e);

/* The last open call does not return. */
void executor_leave_call(struct execution *e);
void executor_check_dying(struct execution *e);

/* --- actions of outside calls --- */

/* Applies e->actions, which are of this call. */
void executor_apply(struct execution *e, struct activation *a, struct executor_call *open);
/* The call calls back for the first time: until it returns, nobody knows what it has read. */
void executor_note_callback(struct execution *e, struct executor_call *open);
void executor_check_actions(struct execution *e, const struct activation *a,
                            const struct executor_call *open);

/* --- output --- */

/* What the call that returns prints; its actions are not applied yet. */
void executor_note_outputs(struct execution *e, const struct activation *a,
                           const struct executor_call *open);

/* --- memory errors --- */

/* Is the access through this pointer right? Slow: see executor_check(). */
void executor_check_access(struct execution *e, const struct activation *a,
                           const struct code_slot *pointer, uint64_t address, uint64_t size,
                           bool writes, const char *outside);
void executor_error(struct execution *e, const struct activation *a,
                    const struct execution_error *error);

/* An array in a structure is accessed outside of it; `pointer`: there. */
void executor_check_member(struct execution *e, const struct activation *a,
                           const struct code_slot *pointer, const struct code_insn *i);

/* The program died of the instruction on which the function on top stands. */
void executor_fault(struct execution *e, struct activation *a);
uint32_t executor_object_at(struct execution *e, uint64_t address);

/* A pointer to `size` bytes is used. */
static inline void executor_check(struct execution *e, const struct activation *a,
                                  const struct code_slot *pointer, uint64_t size, bool writes)
{
	const struct object *o;

	if (pointer->object && pointer->object != EXECUTOR_FOREIGN && !pointer->undefined) {
		o = objects_at(&e->objects, pointer->object);
		if (!o->death && pointer->bits >= o->address &&
		    pointer->bits + size <= o->address + o->size)
			return;
	} else if (!pointer->undefined) {
		return;
	}
	executor_check_access(e, a, pointer, pointer->bits, size, writes, NULL);
}

#endif
