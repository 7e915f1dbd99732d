/*
 * A run as terms. A *symbol* is what an instance computed, or a byte that it put into memory; its definition
 * says what it was computed from, as a term over symbols of instances that were done before (term variables: their
 * number is the symbol's index). Pointers are resolved by the run: a load is what was stored where it read. A
 * store of up to 8 bytes, and a return, have one symbol: the value. All else that writes has one for each byte.
 *
 * What has no term (a function of the library without a formula, long double, values of more than 64 bits, memory
 * that outside code wrote) is *given*: what it was in the run, as long as what it was made from is
 * what it was, and anything otherwise: choice(inputs are as in the run, constant, anything). What came from input
 * is a constant. So a claim that is contradicted with these definitions is contradicted by the program.
 *
 * The execution is kept whole, or a window of it: what came before is a constant.
 */
#ifndef HENCE_SOLVE_SYMBOLIC_H
#define HENCE_SOLVE_SYMBOLIC_H

#include "solve/term.h"
#include "trace/execution.h"

struct symbol {
	uint32_t instance;
	uint32_t bits;
	uint64_t at; /* 0: its value; else the address of the byte that it wrote */
};

enum symbolic_form {
	SYMBOLIC_COMPUTED, /* an operation on its operands */
	SYMBOLIC_READ,     /* a load; or a phi: the value that was chosen */
	SYMBOLIC_WRITTEN,  /* a byte of a store, a copy, or a call that copies */
	SYMBOLIC_RETURNED, /* a call: what the function returned; or a formula of the library */
	SYMBOLIC_GIVEN,    /* see above */
	SYMBOLIC_CONSTANT, /* input, initial values, addresses, and what came before the window */
};

struct symbolic_definition {
	enum symbolic_form form;
	term term; /* of the symbol's width */
};

struct symbolic;

/* The execution should have options.bytes: formulas of the library need to know what it read. Caller frees with
   symbolic_destroy(); both must outlive it. */
struct symbolic *symbolic_create(const struct execution *execution, struct terms *terms);
void symbolic_destroy(struct symbolic *symbolic);

struct terms *symbolic_terms(const struct symbolic *symbolic);
const struct execution *symbolic_execution(const struct symbolic *symbolic);
const struct symbol *symbolic_symbol(const struct symbolic *symbolic, uint32_t index);
uint32_t symbolic_count(const struct symbolic *symbolic);

/* Symbols and definitions so far. As long as it stays the same, no terms were made that are kept. */
uint64_t symbolic_made(const struct symbolic *symbolic);

/* The value in the run: for term_evaluate() and solver_check(), with the symbolic as context. Of TERM_ANY: 0. */
uint64_t symbolic_actual(void *symbolic, uint64_t number);

/* The definition of a symbol; made once. Valid until the next call. */
const struct symbolic_definition *symbolic_define(struct symbolic *symbolic, uint32_t index);

/* --- terms to begin with --- */

/* What an instance computed; 0: it has no value, or one of more than 64 bits. */
term symbolic_value(struct symbolic *symbolic, uint32_t instance);

/* Operand number `operand` of its LLVM instruction (of a call: the argument); the same for 0. */
term symbolic_operand(struct symbolic *symbolic, uint32_t instance, uint32_t operand);

/* Memory at a moment, lowest byte first: of each byte who wrote it (instance or enum execution_source, as struct
   memory has it) and its value. 1 to 8 bytes. */
term symbolic_memory(struct symbolic *symbolic, uint64_t address, uint32_t size,
                     const uint32_t *writers, const uint8_t *values);

/* What a branch, switch or computed goto that was executed says: its condition as it came out. Its negation
   is what must hold for another way. `way`: for one certain other way of a switch, as plan_way() has it;
   UINT32_MAX: the one that was taken. 0: it is no branch, or has no term. */
term symbolic_branch(struct symbolic *symbolic, uint32_t instance, uint32_t way);

/* The pointer of a load or store as a term, and its value; false: the place is fixed (a variable by its name). Of
   a copy or an outside call: the nth pointer that it was given, `which` from 0 on. */
bool symbolic_address(struct symbolic *symbolic, uint32_t instance, uint32_t which, term *out,
                      uint64_t *value);

/* Bits of a value of that type, in the layout that the value has in memory; 0: none, or more than 64. */
uint32_t symbolic_type_bits(LLVMValueRef instruction, LLVMTypeRef type);
/* What an instruction computes, a pure function of its operands, which are in LLVM's order and as wide as
   their types. 0: there is no term for it. */
term symbolic_compute(struct terms *terms, LLVMValueRef instruction, const term *in);
term symbolic_overflow_part(struct terms *terms, LLVMValueRef call, const term *in, bool flag);

#endif
