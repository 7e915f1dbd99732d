/*
 * The execution: everything that happened in a run, from its tape. The decoder follows a walk of the
 * tape (walk.h) and evaluates each instruction on the way, with the program's memory beside it.
 *
 * Each executed instruction is an *instance*. Instances are numbered in the order in which they
 * began, the first is EXECUTION_FIRST; smaller numbers are sources that are no instruction. What is
 * kept of an instance is its value and where a value came from that does not follow from the code:
 *
 *	load              the instance that wrote the bytes, or a group
 *	phi               the instance of the value that was chosen
 *	call              the callee's return, or a group that tells what an outside function did
 *	memcpy, memset    a group
 *
 * All else follows: operands are the last instances of their instructions in the same frame; a
 * store's address is the value of its operand. Instances of one block that follow each other without a
 * gap are a *segment*; it says which frame they are of and on which branch or call they hang.
 *
 * Every recorded load and every branch is compared with what was evaluated: differences are
 * *mismatches*. What no C program may do with memory is noticed: *errors*.
 */
#ifndef HENCE_TRACE_EXECUTION_H
#define HENCE_TRACE_EXECUTION_H

#include "base/error.h"
#include "outside/table.h"
#include "actions/actions.h"
#include "trace/code.h"
#include "trace/memory.h"
#include "trace/objects.h"
#include "actions/outputs.h"
#include "trace/walk.h"

struct execution;

/* Sources that are no instruction. */
enum execution_source {
	SOURCE_NONE,      /* nobody knows */
	SOURCE_INITIAL,   /* the initial value of a variable */
	SOURCE_GIVEN,     /* arguments and environment of the program */
	SOURCE_UNSEEN,    /* written by outside code that we did not see */
	SOURCE_UNDEFINED, /* not written since the object was born */
	SOURCE_EARLIER,   /* an instance long before those that are kept */
	EXECUTION_FIRST = 16,
};

/* Set in a source: the rest is the index of a group. */
#define EXECUTION_GROUP 0x80000000u

struct execution_segment {
	uint32_t first;    /* instance */
	uint32_t code;     /* number of its instruction */
	uint32_t frame;    /* index */
	uint32_t parent;   /* instance of the branch or call that controls it; 0: none */
	uint32_t previous; /* 1 + index of the segment before it in this frame; 0: none */
};

struct execution_frame {
	uint64_t address;
	uint32_t function; /* index in code.functions */
	uint32_t call;     /* instance of the call; 0: entered from outside */
	uint32_t caller;   /* 1 + index of the frame below; 0: none */
	uint32_t first;    /* instance */
	uint32_t end;      /* instance behind its last; 0: it has not returned */
	uint32_t object;   /* number of the first of its locals that are not private */
	uint32_t within;   /* instance of the outside call that called back; 0: none */
};

/* `size` bytes came from `source`, and before that from memory at `from`; 0: from nowhere. `to` is
   where they went: an address, or in a load the offset; 0: the result. */
struct execution_flow {
	uint64_t to, from, size;
	uint32_t source;
	uint32_t argument; /* 1 + index of the argument that says where; 0: none */
};

struct execution_group {
	uint32_t first, count; /* in flows */
	uint32_t call;         /* 1 + index of the outside call; 0: none */
};

struct execution_call {
	const char *name;
	uint32_t instance;
	uint32_t code;                        /* number of its instruction */
	const struct outside_function *model; /* NULL: none */
	uint32_t until; /* the next instance when it returned: behind those that it called back */
	bool modelled, returned;
	struct effects before, after; /* as on the tape, for its inputs and outputs */
};

enum execution_mismatch_kind {
	MISMATCH_LOAD,
	MISMATCH_BRANCH,
	MISMATCH_SWITCH,
	MISMATCH_JUMP,
	MISMATCH_RETURN, /* a callback's result is not what it returned */
};

struct execution_mismatch {
	enum execution_mismatch_kind kind;
	uint32_t instance;
	uint32_t code;
	uint32_t size;
	uint64_t address;
	uint64_t expected, recorded;
	uint64_t statement;
	const char *culprit; /* the outside call in between; NULL: there is none */
	uint32_t culprit_code;
};

enum execution_error_kind {
	ERROR_OUT_OF_BOUNDS,
	ERROR_OUT_OF_MEMBER, /* of an array in a structure, but inside that */
	ERROR_AFTER_FREE,
	ERROR_AFTER_RETURN, /* of a local whose function has returned */
	ERROR_DOUBLE_FREE,
	ERROR_BAD_FREE, /* of what was not allocated */
	ERROR_UNINITIALISED_BRANCH,
	ERROR_UNINITIALISED_ADDRESS,
	ERROR_UNINITIALISED_OUTPUT,
	ERROR_FAULT, /* the access that the program died of */
	ERROR_KINDS,
};

/* The first time that an instruction did something wrong, and how often it did. */
struct execution_error {
	enum execution_error_kind kind;
	bool writes;
	uint32_t instance;
	uint32_t code;
	uint32_t frame;
	uint32_t object; /* number; 0: none */
	uint64_t address, size;
	uint64_t elements; /* ERROR_OUT_OF_MEMBER: that the array has */
	uint64_t statement;
	uint64_t count;
	const char *outside; /* the function that was called; NULL: the instruction itself */
};

/* What happens to a statement. */
enum execution_event {
	EXECUTION_ENDED,      /* it was executed; a call of outside code has returned */
	EXECUTION_CALLS,      /* it calls the function execution_callee(), which begins now */
	EXECUTION_CALLS_BACK, /* it called outside code, which calls back for the first time */
	EXECUTION_LEFT,       /* a call of outside code that does not return */
	EXECUTION_BEGINS,     /* it is about to be executed: only with options.begins */
};

struct execution_options {
	const struct outside_table *table; /* models; NULL: none */
	bool retain;                       /* keep instances */
	bool outputs;                      /* keep what the program put out */
	bool bytes; /* keep the first bytes that an outside call read or copied, too: execution_origin.bytes */
	/* Of these statements only, and of others in the same segments; `to` 0: to the end. */
	uint64_t from, to;
	uint64_t memory; /* bytes that may be used; 0: half of what is available */
	uint32_t limit;  /* instances that have numbers; 0: as many as 31 bits can tell apart */
	/* execution_window() will be used. Numbers of instances are then never used again, so longer
	   runs are refused; those of frames and objects of functions that have returned are. */
	bool windows;
	bool lasting; /* numbers of objects are never used again, either */
	/* Called for each statement, `number` counted from 1; execution_top() is where it is: behind
	   the instruction that ends it, but at EXECUTION_BEGINS before its first one. That is the
	   point before the statement (experiment/point.h); a statement that the program died in
	   begins, but does not end. */
	bool begins;
	void (*statement)(void *context, struct execution *execution, enum execution_event event,
	                  uint64_t number);
	/* Called when an instance has written memory otherwise than a store of up to 8 bytes does:
	   has copied or filled it, or is a call of outside code. May be NULL. */
	void (*wrote)(void *context, struct execution *execution, uint32_t instance,
	              uint64_t address, uint64_t size);
	void *context;
};

/* A function under way. */
struct activation {
	const struct code_function *function;
	uint32_t pc;      /* the next instruction */
	uint32_t block;   /* that it is in */
	uint32_t came;    /* the block before */
	uint32_t slots;   /* index of its first slot */
	uint32_t frame;   /* index of its frame */
	uint32_t depth;   /* of the walk's stack */
	uint32_t segment; /* 1 + index of its last segment */
	uint32_t parent;  /* that controls the block */
	uint32_t control; /* open branches of this function begin here */
	uint32_t dynamic; /* objects of alloca() and parameters begin here */
	uint32_t object;
	uint32_t call;   /* instance of the call under way */
	uint32_t root;   /* instance of the call that it was called by, or within; 0: none */
	uint32_t chosen; /* the last branch */
	bool entered;    /* from outside */
	bool broken;     /* the next instruction begins a segment */
	uint64_t address;
};

/* Begins to decode a tape (see walk_create()). Caller frees with execution_destroy(). */
MUST_USE struct hence_error *execution_create(struct modules *modules, const char *folder,
                                              uint32_t number,
                                              const struct execution_options *options,
                                              struct execution **out);
void execution_destroy(struct execution *execution);

/* A second execution that stands where `of` stands: between two steps of execution_advance(), with options.windows in both,
   and with no call of outside code under way (execution_can_resume()). It keeps, if it does, what comes from here on; numbers of instances and
   objects are those of `of`, which must outlive it. Caller frees with execution_destroy(). */
struct execution *execution_resume(struct execution *of, const struct execution_options *options);
bool execution_can_resume(const struct execution *of);

/* Bytes that a second execution takes, about. */
uint64_t execution_resume_cost(const struct execution *of);

/* Did the memory, or numbers, not suffice? Then the last error was about that. */
bool execution_is_full(const struct execution *execution);

/* The same run at its end, with all instances kept, for one that was resumed on the way (history.h); NULL: there is none. */
const struct execution *execution_whole(const struct execution *e);
void execution_set_whole(struct execution *e, const struct execution *whole);

/* Decodes to the end (see walk_to_end()). */
MUST_USE struct hence_error *execution_run(struct execution *execution,
                                           const struct walk_place *death);

/* Was the instruction found that the program died of? It is the last instance then. */
bool execution_died(const struct execution *execution);

/* --- a part at a time, with options.windows --- */

/* Decodes on until the next instance has number `until` or a little more, always the same for the
   same run; *ended: to the end, as execution_run() does. */
MUST_USE struct hence_error *execution_advance(struct execution *execution, uint64_t until,
                                               const struct walk_place *death, bool *ended);

/* Drops what is kept, and begins to keep, or not to keep, from here on. Numbers of frames begin anew:
   those of functions under way are the first. Operands that were made before the window in functions under
   way are known all the same. */
void execution_window(struct execution *execution, bool keep);

/* The number that the next instance will have. */
uint32_t execution_next(const struct execution *execution);

/* Has the call, of instrumented or outside code, not returned yet? */
bool execution_is_under_way(const struct execution *execution, uint32_t call);

/* The number of the instruction by which a function was called, or outside code that called it; the
   call need not be kept. UINT32_MAX: none is known. */
uint32_t execution_caller_code(const struct execution *execution, uint32_t frame);

/* Does an instance, kept or not, write bytes that it took from elsewhere: a copy, a call of an
   outside function, va_start? Others write what follows from their operands. */
bool execution_copies(const struct execution *execution, uint32_t instance);

/* What a call that was under way when the window began came from when it returned in it: its source.
   0: it did not, or is none of these. execution_origins() tells more of it, but for its operands. */
uint32_t execution_late(const struct execution *execution, uint32_t instance);

/* All of these: the one that returned first is at 0. UINT32_MAX: no more. */
uint32_t execution_late_call(const struct execution *execution, uint32_t index);

/* Did a copy or an outside call that is kept write any of these bytes, as far as one can tell? */
bool execution_wrote(const struct execution *execution, uint32_t instance, uint64_t at,
                     uint64_t size);

/* --- what happened --- */

uint64_t execution_instances(const struct execution *execution); /* how many; also those not kept */
uint64_t execution_statements(const struct execution *execution);

/* Have numbers of instances been used a second time? Then they do not name one. */
bool execution_renumbered(const struct execution *execution);

/* Instances that are kept: from `first` up to, but not with, `end`. */
void execution_kept(const struct execution *execution, uint32_t *first, uint32_t *end);

/* Of an instance that is kept. */
uint64_t execution_value(const struct execution *execution, uint32_t instance);
uint32_t execution_source(const struct execution *execution, uint32_t instance);
const struct execution_segment *execution_segment(const struct execution *execution,
                                                  uint32_t instance);
uint32_t execution_code(const struct execution *execution, uint32_t instance);
const struct code_insn *execution_insn(const struct execution *execution, uint32_t instance);
LLVMValueRef execution_instruction(const struct execution *execution, uint32_t instance);

/* Where an operand of an instance (struct code_insn) came from: its value, and the instance that made
   it; 0: a constant, the address of a local, or a parameter given by outside code. A parameter comes
   from what the caller passed; from the call itself if that is a constant; SOURCE_EARLIER if only its
   value is known. False: it was made before what is kept. */
bool execution_operand(const struct execution *execution, uint32_t instance, uint32_t operand,
                       uint64_t *value, uint32_t *made);

/* Something that an instance came from. */
struct execution_origin {
	uint32_t source;     /* instance or enum execution_source */
	uint64_t from, size; /* memory that was read; size 0: it is an operand. Of SOURCE_GIVEN then
	                        parameter number `from` of a function that nobody we see called */
	uint64_t written;    /* where a source that copied these bytes put them: not to `from`, if
	                        they came there in a structure passed by value; 0: not known */
	uint64_t to; /* where the asked instance, a copy or an outside call, put these bytes;
	                        0: anywhere, or they were only read */
	bool itself; /* only that instance, not what its own value came from: a call that
	                        passed a constant or called back */
	bool chosen; /* control: which value a phi took */
	bool value;  /* no memory was read: the bytes at `to` are the value of the source */
	const uint8_t *bytes; /* that were read; valid until more is decoded. NULL: not kept */
};

/* Calls `tell` for each origin of an instance: operands, bytes of memory, what an outside call read,
   the value that a callee returned. Of what it wrote to memory only the bytes from address `from` up
   to `to` count, if `to` is not 0; of what a load read, bytes `from` to `to` of its value. An
   operand that was made before what is kept is told as SOURCE_EARLIER.
   To go on from bytes of memory, ask the source about `written` and the bytes behind it. */
void execution_origins(const struct execution *execution, uint32_t instance, uint64_t from,
                       uint64_t to,
                       void (*tell)(void *context, const struct execution_origin *origin),
                       void *context);

/* The same for several ranges of bytes that a copy or an outside call wrote, in order and apart. */
struct execution_range {
	uint64_t from, to;
};

void execution_origins_of(const struct execution *execution, uint32_t instance,
                          const struct execution_range *ranges, uint32_t count,
                          void (*tell)(void *context, const struct execution_origin *origin),
                          void *context);

/* Sources of all instances that are kept, the first at 0; valid until more is decoded. */
const uint32_t *execution_sources(const struct execution *e);

/* A bit for each instance: execution_copies(). NULL: there are none. Valid until more is decoded. */
const uint64_t *execution_copy_bits(const struct execution *e);

const struct execution_segment *execution_segments(const struct execution *e, uint32_t *count);
const struct execution_frame *execution_frames(const struct execution *e, uint32_t *count);
const struct execution_flow *execution_flows(const struct execution *e,
                                             const struct execution_group *group);
const struct execution_group *execution_group(const struct execution *e, uint32_t source);
const struct execution_call *execution_call(const struct execution *e, uint32_t index);
uint32_t
execution_call_count(const struct execution *e); /* outside calls that are kept: 1, 2, ... */
const struct execution_mismatch *execution_mismatches(const struct execution *e, uint32_t *kept,
                                                      uint64_t *count);
const struct execution_error *execution_errors(const struct execution *e, uint32_t *count);
struct objects *execution_objects(struct execution *e);
struct memory *execution_memory(struct execution *e);
struct code *execution_code_table(struct execution *e);
struct walk *execution_walk(struct execution *e);

/* Values that could not be recorded whole, nor predicted: half of them is a guess. */
uint64_t execution_guesses(const struct execution *e);

/* What the program put out; NULL: not asked for. */
struct outputs *execution_outputs(const struct execution *e);

/* Bytes that what is kept takes. */
uint64_t execution_bytes(const struct execution *e);

/* --- where it stands, for what is called after each statement --- */

/* The function on top, and those below: 0, 1, ... NULL: no more. */
const struct activation *execution_top(const struct execution *e, uint32_t depth);

/* The place in the source of an instruction, by its number. Strings are valid as long as the modules. */
struct walk_place execution_place(const struct execution *e, uint32_t code);

/* For each of these instances, which are kept and in order: how many kept ones up to, and with, it are of the same instruction. */
void execution_occurrences(const struct execution *e, const uint32_t *instances, uint32_t count,
                           uint32_t *out);

/* How many functions are under way. */
uint32_t execution_depth(const struct execution *e);

/* The function that a call enters, for EXECUTION_CALLS. */
const struct code_function *execution_callee(const struct execution *e);

/* The value that an operand has now. */
const struct code_slot *execution_slot(const struct execution *e, const struct activation *a,
                                       uint32_t operand);

/* The object, of any kind, that holds the address now; 0: none. */
uint32_t execution_object_at(const struct execution *e, uint64_t address);

#endif
