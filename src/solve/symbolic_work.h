/*
 * Inside a run as terms: what its files share. Only symbolic*.c include this.
 *
 *	symbolic.c              symbols
 *	symbolic_define.c       definitions of values
 *	symbolic_input.c        operands and addresses
 *	symbolic_guard.c        the condition that inputs are as they were
 *	symbolic_instruction.c  what an instruction computes from its operands: integers, casts
 *	symbolic_float.c        ... floating point
 *	symbolic_intrinsic.c    ... functions of LLVM
 *	symbolic_overflow.c     ... of these, those that tell of overflow
 *	symbolic_wide.c         parts of values of more than 64 bits
 *	symbolic_class.c        the library's table behind isdigit() and the like
 *	symbolic_memory.c       what memory holds, what loads read
 *	symbolic_written.c      what was copied, filled, and written by atomic instructions
 *	symbolic_outside.c      what functions of the library gave and wrote
 *	symbolic_text.c         formulas of those that read strings
 *	symbolic_number.c       formulas of those that read numbers from strings, or take numbers
 *	symbolic_branch.c       conditions of branches
 */
#ifndef HENCE_SOLVE_SYMBOLIC_WORK_H
#define HENCE_SOLVE_SYMBOLIC_WORK_H

#include "base/map.h"
#include "solve/symbolic.h"

struct symbolic_entry {
	struct symbol symbol;
	uint64_t actual;
	struct symbolic_definition definition; /* term 0: not made yet */
	uint32_t next; /* 1 + index of another byte with the same hash; 0: none */
	term variable; /* 0: nobody has asked for it */
};

MAP_DEFINE_U64(symbolic_bytes, uint32_t);

/* The condition that all is as it was for an outside call: before it called back, and behind each callback. */
struct symbolic_callback {
	uint32_t returned; /* instance */
	term all;
};

struct symbolic_callbacks {
	term before;
	VEC(struct symbolic_callback) at;
	uint32_t made; /* conditions, so far */
};

MAP_DEFINE_U64(symbolic_calls, struct symbolic_callbacks);

/* Bytes that an instance took from elsewhere: it put them at `to`. */
struct symbolic_copy {
	uint64_t to, size;
	uint64_t from; /* where the source wrote them */
	uint32_t source;
	bool value; /* they are the value of the source */
};

struct symbolic_copies {
	VEC(struct symbolic_copy) at; /* by `to` */
};

MAP_DEFINE_U64(symbolic_copy_map, struct symbolic_copies);

struct symbolic {
	const struct execution *execution;
	struct terms *terms;
	uint32_t first, end; /* instances that are kept */
	uint32_t *values;    /* of each of them: 1 + index of its symbol; 0: it has none yet */
	VEC(struct symbolic_entry) entries;
	struct symbolic_bytes bytes;     /* 1 + index, by hash of instance and address */
	struct symbolic_calls calls;     /* by instance */
	struct symbolic_copy_map copies; /* by instance */
	uint32_t defined;                /* symbols that have a definition */
};

/* --- terms, shorter --- */

static inline term symbolic_make(struct symbolic *s, enum term_op op, uint32_t bits, term a, term b)
{
	return term_make(s->terms, op, bits, a, b, 0);
}

static inline uint32_t symbolic_bits(const struct symbolic *s, term t)
{
	return term_at(s->terms, t)->bits;
}

static inline uint64_t symbolic_mask(uint32_t bits)
{
	return bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
}

/* Cut off, or filled up with zeros. */
term symbolic_fit(struct terms *terms, term t, uint32_t bits);

/* --- symbolic.c --- */

static inline bool symbolic_keeps(const struct symbolic *s, uint32_t instance)
{
	return instance >= s->first && instance < s->end;
}

/* Bits of a value of that type, in the layout that the value has in memory; 0: none, or more than 64. */
uint32_t symbolic_type_bits(LLVMValueRef instruction, LLVMTypeRef type);

/* As symbolic_value(). But of a value of more than 64 bits a token: it is what its first word was as
   long as the value is what it was. `instance` is kept. */
term symbolic_token(struct symbolic *s, uint32_t instance);

/* Has it a value of more than 64 bits? */
bool symbolic_is_wide(const struct symbolic *s, uint32_t instance);

/* A byte that an instance, which is kept, wrote at an address. */
term symbolic_byte(struct symbolic *s, uint32_t instance, uint64_t at, uint8_t actual);

/* --- symbolic_define.c --- */

/* Of a symbol that is a value. */
struct symbolic_definition symbolic_define_value(struct symbolic *s, const struct symbol *symbol);

/* --- symbolic_input.c --- */

/* An operand (struct code_insn). `bits`: as wide as this; 0: as it is. */
term symbolic_input(struct symbolic *s, uint32_t instance, uint32_t operand, uint32_t bits);

/* Its value in the run. */
uint64_t symbolic_input_value(const struct symbolic *s, uint32_t instance, uint32_t operand);

/* Had a call, which is kept, returned when an instance was executed? If not, what the instance has from it is
   only what it passed. */
bool symbolic_has_returned(const struct symbolic *s, uint32_t call, uint32_t instance);

/* Operands of an instruction that computes: how many, up to CODE_OPERANDS. */
uint32_t symbolic_operands(const struct code_insn *insn, uint32_t *operands);

/* --- symbolic_guard.c --- */

/* The condition that inputs are as they were. */
struct symbolic_guard {
	struct symbolic *s;
	uint32_t left; /* inputs that may still be added */
	term all;      /* 0: no input yet that is not a constant */
};

#define SYMBOLIC_INPUTS 64 /* of a guard: bytes that count */

static inline struct symbolic_guard symbolic_guard(struct symbolic *s)
{
	return (struct symbolic_guard){.s = s, .left = SYMBOLIC_INPUTS};
}

void symbolic_guard_add(struct symbolic_guard *guard, term input, uint64_t actual);
void symbolic_guard_operand(struct symbolic_guard *guard, uint32_t instance, uint32_t operand);

/* All that an outside call was given, read, and got from callbacks before instance `before`: these are the inputs of
   the guard then. */
void symbolic_guard_outside(struct symbolic_guard *guard, uint32_t call, uint32_t before);
void symbolic_calls_clear(struct symbolic *s);

/* What it was, as long as the inputs are what they were. */
struct symbolic_definition symbolic_given(const struct symbolic_guard *guard, uint32_t bits,
                                          uint64_t actual);
struct symbolic_definition symbolic_constant(struct symbolic *s, uint32_t bits, uint64_t actual);

/* --- symbolic_instruction.c and neighbours --- */

/* What an instruction computes, a pure function of its operands, which are in LLVM's order and as wide as
   their types. 0: there is no term for it. */
term symbolic_compute(struct terms *terms, LLVMValueRef instruction, const term *in);
term symbolic_compute_float(struct terms *terms, LLVMValueRef instruction, const term *in);
term symbolic_compute_intrinsic(struct terms *terms, LLVMValueRef instruction, const term *in);

/* Where the member lies that extractvalue or insertvalue names, in bits, and how many it has. False: more than
   64. */
bool symbolic_member(LLVMValueRef instruction, LLVMTypeRef type, uint32_t *offset, uint32_t *bits);

/* llvm.sadd.with.overflow and the like: the result and the flag as they lie in memory, or one of them; 0: it is none
   of these, or too wide. */
term symbolic_compute_overflow(struct terms *terms, LLVMValueRef call, const term *in);
term symbolic_overflow_part(struct terms *terms, LLVMValueRef call, const term *in, bool flag);

/* --- symbolic_wide.c --- */

/* What extractvalue takes from a value of more than 64 bits; 0: there is no term. */
term symbolic_wide_member(struct symbolic *s, uint32_t instance);

/* --- symbolic_class.c --- */

/* What a load reads from the library's table of classes of characters; 0: it is none of these. */
term symbolic_class(struct symbolic *s, uint32_t load);

/* --- symbolic_memory.c --- */

/* Bytes that an instance, or a source that is none, wrote at an address, up to 8. */
struct symbolic_written {
	uint32_t writer;
	uint32_t
		reader; /* instance that reads them: what a call under way has written hangs on less */
	uint64_t at;
};

term symbolic_part(struct symbolic *s, struct symbolic_written bytes, uint32_t size,
                   uint64_t actual);

/* Those of an origin, from byte `offset` of it on. */
static inline struct symbolic_written symbolic_written(const struct execution_origin *origin,
                                                       uint64_t offset, uint32_t reader)
{
	return (struct symbolic_written){origin->source, reader,
	                                 (origin->written ? origin->written : origin->from) +
	                                         offset};
}

/* Bytes of the value of an instance; 0: they are not, or not as they were. */
term symbolic_part_of_value(struct symbolic *s, uint32_t instance, uint64_t offset, uint32_t size,
                            uint64_t actual);

struct symbolic_definition symbolic_define_load(struct symbolic *s, uint32_t instance);

/* --- symbolic_written.c --- */

/* A byte that an instance copied; 0: it did not. */
term symbolic_copied(struct symbolic *s, uint32_t instance, uint64_t at, uint8_t actual);
void symbolic_copies_clear(struct symbolic *s);

struct symbolic_definition symbolic_define_byte(struct symbolic *s, uint32_t instance, uint64_t at,
                                                uint8_t actual);

/* --- symbolic_outside.c --- */

/* The result of a call of the library, or a byte that it wrote. */
struct symbolic_definition symbolic_define_outside(struct symbolic *s, uint32_t instance,
                                                   uint32_t bits, uint64_t actual);
struct symbolic_definition symbolic_define_outside_byte(struct symbolic *s, uint32_t instance,
                                                        uint64_t at, uint8_t actual);

#endif
