/*
 * What each function writes to the tape, and where: the one place that both the instrumenter
 * (src/cc) and the reader (src/trace) ask, so that the two cannot disagree. A plan is computed
 * from un-hooked IR alone and is the same on both sides.
 *
 * Frames: the locals of a call (allocas of constant size in the entry block) live in one object,
 * the frame, in reverse order of declaration, as clang -O0 lays them out: an overflow runs into
 * what was declared before.
 *
 * Private locals: only loaded from and stored to, at constant offsets inside their bounds, or
 * copied whole among each other. Loads of them follow from the stores and are not recorded.
 */
#ifndef HENCE_MODEL_PLAN_H
#define HENCE_MODEL_PLAN_H

#include "base/vec.h"
#include "model/ir.h"
#include "runtime/sites.h"

#define UNKNOWN_BYTES UINT32_MAX

enum plan_kind {
	PLAN_VALUE,    /* `size` bytes: the instruction's value */
	PLAN_HALF,     /* u32: of a loaded double the high half, of a pointer or i64 the low one */
	PLAN_MEMORY,   /* `size` bytes: memory at operand `target` after the instruction */
	PLAN_CALL,     /* of function `target` of this module: its frame comes next */
	PLAN_IMPORT,   /* of import `target`: its frame, or the record of an outside call */
	PLAN_INDIRECT, /* as PLAN_IMPORT, with the low half of the target in front of a frame */
	/* The rest end a block; each block has exactly one, as its last record. */
	PLAN_GOTO,   /* nothing: one successor */
	PLAN_BRANCH, /* u8: 1 goes to successor 0, 0 to successor 1 */
	PLAN_SWITCH, /* `size` bytes: see plan_switch_successor() */
	PLAN_JUMP,   /* u32: low half of the address of the label */
	PLAN_RETURN, /* nothing */
	PLAN_STOP,   /* nothing: unreachable */
};

struct plan_record {
	LLVMValueRef instruction;
	enum plan_kind kind;
	uint32_t size;
	uint32_t target;
	uint32_t statement;          /* ordinal in the block of the statement it belongs to */
	uint32_t instruction_number; /* ordinal in the block */
	bool returns_twice;
};

/* A case of a switch: the number on the tape and the block that it leads to. */
struct plan_case {
	uint64_t number;
	uint32_t block;
};

/* A side effect that has a place in the source, and what computes it. */
struct plan_statement {
	LLVMValueRef begin;          /* the point before it lies in front of this instruction */
	uint32_t instruction_number; /* of that: ordinal in the block */
};

struct plan_block {
	LLVMBasicBlockRef block;
	uint32_t first, count; /* records */
	uint32_t bytes;        /* that its records have before its end; UNKNOWN_BYTES: it calls */
	uint32_t successor;    /* first of its successors in the function's list */
	uint32_t successors;
	uint32_t statements;      /* side effects with a source position */
	uint32_t first_statement; /* in the function's list */
	uint32_t instructions;
	bool check; /* the space is checked at its start: a loop's header */
};

struct plan_local {
	LLVMValueRef alloca_;
	uint64_t offset; /* in the frame */
	uint64_t size;
	bool private_;
};

struct plan_function {
	LLVMValueRef function;
	const char *name;
	bool enterable; /* code that we did not compile may call it */
	uint64_t frame_size;
	uint32_t frame_align;
	VEC(struct plan_local) locals;
	VEC(uint32_t) byvals; /* parameters passed in memory; their addresses follow the frame's */
	VEC(struct plan_block) blocks; /* 0 is the entry */
	VEC(struct plan_record) records;
	VEC(struct plan_statement) statements;
	uint32_t first_statement, first_block; /* of those of all functions of the module */
	VEC(uint32_t) successors;
	VEC(struct plan_case) cases; /* of each switch, by number, from its record's `target` on */
};

/* A declared function, or a defined one that another may replace at link or load time. */
struct plan_import {
	LLVMValueRef function;
	const char *name;
};

struct plan_label {
	uint32_t function;
	uint32_t block;
	LLVMBasicBlockRef basic_block;
};

/* A defined function that we do not instrument, and why. */
struct plan_refusal {
	LLVMValueRef function;
	const char *reason;
};

struct plan {
	LLVMModuleRef module;
	LLVMTargetDataRef layout; /* valid as long as the module */
	VEC(struct plan_function) functions;
	VEC(struct plan_import) imports;
	VEC(struct plan_label) labels;
	VEC(LLVMValueRef) globals;
	VEC(struct plan_refusal) refusals;
};

/* Plans a module, which must outlive the plan. Caller frees with plan_destroy(). `before` is the plan of the module before it
   was edited: its imports keep their numbers, even if nothing calls them any more. NULL: the module is as compiled. */
struct plan *plan_create(LLVMModuleRef module, const struct plan *before);
void plan_destroy(struct plan *plan);

/* How a switch is written. */
struct plan_switch {
	uint32_t size;
	int64_t low; /* the number on the tape is 1 + value - low, */
	uint64_t
		most; /* but 1 + most when value - low is that or more. 0: it is the value itself */
};

struct plan_switch plan_switch(LLVMTargetDataRef layout, LLVMValueRef switch_);

/* The block that a switch, the end of `block`, goes to for the number on the tape. */
uint32_t plan_switch_target(const struct plan_function *function, const struct plan_block *block,
                            uint64_t number);

/* The value that a branch or switch must go by so that the block goes to its successor number
   `successor`; of a branch 1 and 0. False: there is none (the default of a switch that has all
   cases), or the block ends otherwise. */
bool plan_branch_value(const struct plan_function *function, uint32_t block, uint32_t successor,
                       uint64_t *value);

/* The number of the successor that it goes to for a value, of which the bits above its type do not
   count; of a branch the lowest byte. */
uint32_t plan_branch_successor(const struct plan_function *function, uint32_t block,
                               uint64_t value);

/* The number of the successor of the block that is `next`. Several may be: the first, and cases before the
   default of a switch. UINT32_MAX: none. */
uint32_t plan_way(const struct plan_function *function, uint32_t block, uint32_t next);

/* The static local (index in function->locals) that a pointer is derived from by constant offsets;
   -1: none. */
int plan_local_of(const struct plan *plan, const struct plan_function *function,
                  LLVMValueRef pointer, int64_t *offset);

/* Does the instruction end a statement: a side effect that has a place in the source? */
bool plan_ends_statement(LLVMValueRef instruction);

/* The number of a site in its module (struct hence_site_entry): statement sites and those of results
   have the number of their statement, counted over all functions; a block has at most one branch
   site, which has the number of the block. `statement` is an ordinal in the block. */
uint32_t plan_site(const struct plan_function *function, uint32_t block, uint32_t statement,
                   enum hence_site_kind kind);

#endif
