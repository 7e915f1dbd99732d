/*
 * Expressions over bits: a graph in which equal expressions are one, folded as far as constants go when
 * they are made. Values have 1 to 64 bits; truth is one bit. Floating-point operations work on the bits of
 * float (32) and double (64). What an operation means is what LLVM and the machine say; where C says
 * nothing (a shift that is too wide) the term is a variable of its own: anything.
 *
 * A term is a number; it is valid as long as its terms.
 */
#ifndef HENCE_SOLVE_TERM_H
#define HENCE_SOLVE_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"

typedef uint32_t term; /* 0 is none */

enum term_op {
	TERM_CONSTANT,
	TERM_VARIABLE,
	/* Two operands of the same width. */
	TERM_ADD,
	TERM_SUB,
	TERM_MUL,
	TERM_UDIV, /* by 0: all ones, as SMT-LIB says; likewise for the next three */
	TERM_SDIV,
	TERM_UREM,
	TERM_SREM,
	TERM_AND,
	TERM_OR,
	TERM_XOR,
	TERM_SHL, /* as wide as the value or wider: 0, or its sign */
	TERM_LSHR,
	TERM_ASHR,
	TERM_CONCAT, /* a is the upper part */
	/* One bit. */
	TERM_EQ,
	TERM_ULT,
	TERM_ULE,
	TERM_SLT,
	TERM_SLE,
	TERM_CHOICE, /* a, one bit, ? b : c */
	/* To another width. */
	TERM_ZEXT,
	TERM_SEXT,
	TERM_EXTRACT, /* bits `low` and up */
	/* Floating point: round to nearest even. */
	TERM_FADD,
	TERM_FSUB,
	TERM_FMUL,
	TERM_FDIV,
	TERM_FSQRT,
	TERM_FEQ, /* one bit; false with a NaN, as the next two */
	TERM_FLT,
	TERM_FLE,
	TERM_FNAN, /* one bit: is it one? */
	TERM_FROM_SIGNED,
	TERM_FROM_UNSIGNED,
	TERM_TO_SIGNED, /* towards zero; what does not fit gives anything */
	TERM_TO_UNSIGNED,
	TERM_RESIZE, /* float to double and back */
	TERM_OPS,
};

struct term_node {
	uint8_t op;     /* enum term_op */
	uint8_t bits;   /* of the value */
	uint8_t low;    /* TERM_EXTRACT */
	uint64_t value; /* of a constant; of a variable, whose it is: its number */
	term a, b, c;
	uint32_t size; /* of it as a tree, at most UINT32_MAX: about how hard it is */
};

struct terms;

/* Caller frees with terms_destroy(). */
struct terms *terms_create(void);
void terms_destroy(struct terms *terms);

/* Valid until the next term is made. */
const struct term_node *term_at(const struct terms *terms, term t);

term term_constant(struct terms *terms, uint32_t bits, uint64_t value);
term term_variable(struct terms *terms, uint32_t bits, uint64_t number);
/* A variable that nobody else has: its number is from TERM_ANY on. */
term term_any(struct terms *terms, uint32_t bits);
#define TERM_ANY (UINT64_C(1) << 63)

/* Any other operation; operands that it does not have are 0. `bits` is the width of the result, for those
   that have another one than their operands. */
term term_make(struct terms *terms, enum term_op op, uint32_t bits, term a, term b, term c);
term term_extract(struct terms *terms, term a, uint32_t low, uint32_t bits);
term term_not(struct terms *terms, term a); /* of all bits */
term term_equals(struct terms *terms, term a, uint64_t value);

/* Is it a constant? *value may be NULL. */
bool term_is_constant(const struct terms *terms, term t, uint64_t *value);

/* The term with variables replaced by what `replace` gives: another term of the same width, or 0 for
   what stays. What is given is replaced in turn, so it must lead to variables of its own kind in the end;
   `replace` is called at most once for each variable: of a choice only the arm that is taken is looked at, of a
   product nothing after a 0. Takes time for each node once; deep terms need no stack. */
term term_replace(struct terms *terms, term t, term (*replace)(void *context, uint64_t number),
                  void *context);

/* How many terms there are; and back to that many: younger ones are gone. Who does that knows that nobody
   has kept one (a definition of a symbol). */
uint32_t terms_count(const struct terms *terms);
void terms_release(struct terms *terms, uint32_t count);

/* Several, with what they share replaced once, in place. */
void term_replace_all(struct terms *terms, term *all, uint32_t count,
                      term (*replace)(void *context, uint64_t number), void *context);

/* What became of a term in the last replacement; 0: it was not looked at. */
term term_replaced(const struct terms *terms, term t);

/* The value if variables have those that `value` gives. */
uint64_t term_evaluate(const struct terms *terms, term t,
                       uint64_t (*value)(void *context, uint64_t number), void *context);

/* Tells the number of each variable in it, each once. */
void term_variables(const struct terms *terms, term t, void (*tell)(void *context, uint64_t number),
                    void *context);

/* Appends it as SMT-LIB has it (QF_BVFP), variables as v12 (TERM_ANY + 3: any3). */
void term_print(const struct terms *terms, term t, struct str *out);

/* The value of an operation on constants. False: anything may come out, and *out is what the machine gives.
   `width` is that of operand a. */
bool term_compute(const struct term_node *node, uint32_t width, const uint64_t operands[3],
                  uint64_t *out);

/* --- as text of SMT-LIB, a node at a time --- */

/* All nodes below `all`, operands before what is made from them, each once. */
struct term_order {
	VEC(term) nodes;
};

/* Caller frees with term_order_deinit(). */
void term_order_make(const struct terms *terms, const term *all, uint32_t count,
                     struct term_order *out);
void term_order_deinit(struct term_order *order);

/* One operation with its operands by their names: constants, v1, any2, and t12 for term 12. `bits`: floating-point
   numbers come out as their bits, by a function that Z3 and cvc5 know; else as they are. */
void term_print_operation(const struct terms *terms, term t, bool bits, struct str *out);

/* How others name it. */
void term_print_name(const struct terms *terms, term t, struct str *out);

/* ((_ to_fp 8 24) NAME) */
void term_print_float(const struct terms *terms, term t, struct str *out);

/* --- widths and kinds --- */

static inline uint64_t term_mask(uint32_t bits)
{
	return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

static inline int64_t term_signed(uint64_t value, uint32_t bits)
{
	return bits ? (int64_t)(value << (64 - bits)) >> (64 - bits) : 0;
}

static inline bool term_is_float_op(uint32_t op)
{
	return op >= TERM_FADD && op < TERM_OPS;
}

/* Does it give the bits of a float or double? */
static inline bool term_gives_float(uint32_t op)
{
	return (op >= TERM_FADD && op <= TERM_FSQRT) || op == TERM_FROM_SIGNED ||
	       op == TERM_FROM_UNSIGNED || op == TERM_RESIZE;
}

#endif
