/*
 * Functions in a form that is evaluated fast: one small instruction for each of LLVM's, in the order
 * and with the numbers that the plan has, over slots instead of values. Translated when a function
 * is first executed; addresses of the module as it was loaded are in the constants.
 *
 * A slot has 64 bits; wider values take several, in the layout they have in memory (eval.h).
 */
#ifndef HENCE_TRACE_CODE_H
#define HENCE_TRACE_CODE_H

#include "base/arena.h"
#include "eval/eval.h"
#include "trace/objects.h"
#include "trace/program.h"

enum code_op {
	CODE_NOTHING,
	/* Integers of up to 64 bits: a and b give the result. */
	CODE_ADD,
	CODE_SUB,
	CODE_MUL,
	CODE_AND,
	CODE_OR,
	CODE_XOR,
	CODE_EQ,
	CODE_NE,
	CODE_UGT,
	CODE_UGE,
	CODE_ULT,
	CODE_ULE,
	CODE_SGT,
	CODE_SGE,
	CODE_SLT,
	CODE_SLE,
	CODE_TRUNC, /* to `bits` */
	CODE_SEXT,  /* from `from` to `bits` */
	CODE_MOVE,  /* as it is */
	CODE_EVAL,  /* anything else that follows from its operands */
	CODE_PHI,
	CODE_STEP,  /* a + imm */
	CODE_INDEX, /* a + b * scale + imm; b is signed and has `from` bits */
	CODE_INDICES,
	CODE_LOCAL, /* address of the local: the frame's + imm */
	CODE_ALLOCA,
	CODE_LOAD, /* from a */
	CODE_LOAD_WIDE,
	CODE_STORE, /* a to b */
	CODE_STORE_WIDE,
	CODE_COPY, /* a gets what is at b, c bytes */
	CODE_FILL, /* a gets byte b, c times */
	CODE_ATOMIC,
	CODE_RECORDED, /* the value is on the tape */
	CODE_ASM,
	CODE_VA_START,
	CODE_VA_COPY,
	CODE_CALL,
	CODE_GOTO,
	CODE_BRANCH,
	CODE_SWITCH,
	CODE_JUMP,
	CODE_RETURN,
	CODE_STOP,
	CODE_UNSUPPORTED,
	CODE_OPS,
};

/* What the tape has of a load. */
enum code_tape {
	CODE_TAPE_NOTHING,
	CODE_TAPE_ALL,
	CODE_TAPE_LOW,
	CODE_TAPE_HIGH,
};

enum code_flag {
	CODE_POINTER = 1,   /* the value is a pointer */
	CODE_DIRECT = 2,    /* the address is a variable's, and inside it */
	CODE_STATEMENT = 4, /* ends a statement */
	CODE_UNUSED = 8,    /* a load that the code generator drops */
	CODE_REAL = 16,     /* of a float or double */
	CODE_BEGINS = 32,   /* a statement begins with it */
	CODE_MEMBER =
		64, /* CODE_INDEX: `c` is the number of elements of the array that is accessed there: code_member_elements() */
};

#define CODE_PARAMETER 0x80000000u

/* An operand: twice the index of a slot, or 1 + twice the index of a constant. */
#define CODE_NO_OPERAND UINT32_MAX

struct code_insn {
	uint8_t op;    /* enum code_op */
	uint8_t bits;  /* of an integer */
	uint8_t from;  /* bits of what it is made from */
	uint8_t tape;  /* enum code_tape */
	uint8_t flags; /* enum code_flag */
	uint8_t words; /* of the result; 0: none */
	uint16_t unused;
	uint32_t to;    /* slot */
	uint32_t bytes; /* of memory, or on the tape */
	uint32_t a, b, c;
	uint32_t scale;
	int64_t imm;
	const void *
		more; /* of a recorded value a thread's variable; else code_eval, code_phi, code_call, code_indices, code_switch, text */
};

#define CODE_OPERANDS 8u  /* of what is evaluated */
#define CODE_WORDS    32u /* of each, and of any result */

struct code_eval {
	const struct eval *eval;
	uint32_t count;
	struct {
		uint32_t operand, words;
	} in[CODE_OPERANDS];
};

struct code_phi {
	uint32_t count;
	struct {
		uint32_t block, operand;
	} from[];
};

struct code_indices {
	uint32_t count;
	struct {
		uint32_t operand;
		uint32_t bits;
		int64_t scale;
	} at[];
};

struct code_switch {
	struct plan_switch how;
	uint32_t bits;
};

/* Memory that inline assembly writes. */
struct code_asm {
	uint32_t operand_count;
	const uint32_t *operands; /* all that it is given */
	uint32_t count;
	struct {
		uint32_t operand, bytes;
	} memory[];
};

struct code_argument {
	uint32_t operand;
	uint32_t words;
	uint32_t bytes; /* of the value */
	uint32_t byval; /* bytes of the structure that is passed; 0: an ordinary argument */
	char letter;    /* of struct hence_rt_site */
};

struct code_call {
	const struct plan_record *record;
	char letter;      /* of the result, as in struct hence_rt_site */
	const char *name; /* NULL: called through a pointer */
	uint32_t callee;  /* operand, then */
	uint32_t count;
	struct code_argument arguments[];
};

struct code_parameter {
	uint32_t slot;
	uint32_t words;
	uint32_t bytes;
	uint32_t byval;
	char letter;
};

/* A value: its bits, those of them that are undefined, the object that a pointer was made from, and
   the instance that made it. */
struct code_slot {
	uint64_t bits;
	uint64_t undefined;
	uint32_t object;
	uint32_t made;
};

struct code_function {
	const struct plan_function *plan;
	struct program_place place;
	uint32_t first; /* number of its first instruction among those of all functions */
	uint32_t size;
	struct code_insn *insns;
	LLVMValueRef *instructions; /* LLVM's, for each */
	uint32_t *blocks;           /* where each begins; one more at the end */
	uint32_t *postdominators;   /* of each block (model/control.h) */
	uint32_t slots;
	uint32_t *makers; /* of each slot: the instruction, or CODE_PARAMETER + the parameter */
	struct code_slot *constants;
	struct code_parameter *parameters;
	uint32_t parameter_count;
	uint32_t *objects; /* locals that are not private */
	uint32_t object_count;
};

MAP_DEFINE_U64(code_map, struct code_function *);

struct code {
	uint32_t users; /* executions of one run that share it */
	const struct program *program;
	struct objects *objects;
	struct arena arena;
	struct code_map map;                   /* by module << 32 | function */
	VEC(struct code_function *) functions; /* by their `first` */
	uint32_t size;                         /* instructions of all of them */
};

/* Caller frees with code_release(), and so do other users that were counted. */
struct code *code_create(const struct program *program, struct objects *objects);
void code_release(struct code *code);

/* The function, translated now if it was not. Valid until code_release(). */
const struct code_function *code_function(struct code *code, struct program_place place);

/* The function that an instruction's number is of. */
const struct code_function *code_of(const struct code *code, uint32_t number);

/* The block that instruction `pc` of the function, counted from 0, lies in. */
uint32_t code_block(const struct code_function *function, uint32_t pc);

/* The number of elements of the array that a getelementptr steps into, if that is a member of a structure, but not its last one,
   which may be meant to be longer. 0: it is not. */
uint64_t code_member_elements(LLVMValueRef gep);

#endif
