/*
 * Evaluation of IR instructions that are pure functions of their operands, on any type that clang
 * emits for C on x86-64, with the undefined bits of the result. The result is, bit for bit, what
 * the code generator's code gives on this machine, also where C leaves it open (a shift by too
 * much, a double that does not fit an int).
 *
 * Not here: phi, loads and stores, addresses (getelementptr), calls other than of computed
 * intrinsics (src/model/plan.c). Rounding is to nearest; what fesetround() changes is not seen.
 *
 * Operands and results are words in the layout that the value has in memory: little endian, a value
 * of n store bytes takes (n + 7) / 8 words, bits behind the value are 0 (an i1 is zero extended).
 * `undef` has the same layout: a bit that is 1 is undefined.
 *
 *	const struct eval *eval;
 *	const char *refusal = eval_prepare(layout, instruction, &arena, &eval);
 *	if (!refusal)
 *		trapped = !eval_run(eval, operands, &result);
 */
#ifndef HENCE_EVAL_EVAL_H
#define HENCE_EVAL_EVAL_H

#include "base/arena.h"
#include "model/ir.h"

struct eval_value {
	uint64_t *bits;
	uint64_t *undef;
};

struct eval; /* a prepared instruction */

/* Prepares an instruction or a constant expression. NULL: fine, *out is valid as long as the arena.
   Otherwise what is not supported, such as "frem of <4 x i256>"; valid as long as the arena. */
const char *eval_prepare(LLVMTargetDataRef layout, LLVMValueRef instruction, struct arena *arena,
                         const struct eval **out);

/* Computes. `operands` has one value for each LLVM operand, in LLVM's order (of an intrinsic: its
   arguments); the result must have room for eval_words() words and must not overlap them. False:
   the operation traps, or its result on this machine is not known (division by zero, INT_MIN / -1,
   a shift by a constant that is too large); the result is then 0 and all undefined. Which of two
   different NaNs a sum or product gives is not certain: we give the first. */
bool eval_run(const struct eval *eval, const struct eval_value *operands,
              struct eval_value *result);

/* Words of the result. */
uint32_t eval_words(const struct eval *eval);

/* Words that a value of the type takes; UINT32_MAX: a type that we do not support. */
uint32_t eval_type_words(LLVMTargetDataRef layout, LLVMTypeRef type);

#endif
