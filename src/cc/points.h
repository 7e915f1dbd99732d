/*
 * Sites in the code: where a program built with hence cc can be stopped (runtime/sites.h). A site is
 * inline assembly: a NOP of five bytes, and an entry in a section that says where they are. The
 * entry holds the distance from the start of the function, so it needs no relocation and survives
 * whatever linkers do.
 */
#ifndef HENCE_CC_POINTS_H
#define HENCE_CC_POINTS_H

#include "model/plan.h"

struct points;

/* Puts the header of the module's entries into its assembly. Caller frees with points_destroy(). */
struct points *points_create(const struct plan *plan, const uint8_t hash[16]);
void points_destroy(struct points *points);

/* Builds the sites of all statements of a function. Comes before anything else is put into it, so that what
   is recorded behind an instruction comes before the site of the next statement. Those that are built
   next are in this function. */
void points_begin(struct points *points, LLVMBuilderRef b, uint32_t function, bool sites);

/* Builds a site at the builder's place that a value passes through, in rax, and may come out of
   changed: the condition of a branch (as i8), the value of a switch, the result of a call. Gives
   what it is then, and in *taker the instruction that takes the value, as its operand 0. */
LLVMValueRef points_value(struct points *points, LLVMBuilderRef b, enum hence_site_kind kind,
                          uint32_t block, uint32_t statement, LLVMValueRef value,
                          LLVMValueRef *taker);

/* Can it pass through a site? An integer of up to 64 bits can, or a pointer. */
bool points_takes(LLVMTypeRef type);

#endif
