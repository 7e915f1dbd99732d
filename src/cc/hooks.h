/*
 * The pieces of code that instrumenting inserts. Straight-line writes to the tape are built in
 * place; whatever needs a branch is a small function in the module (a hook) that is always inlined,
 * since LLVM's C API cannot split a block.
 *
 * Hooks use three words of hence_rt_head (runtime/protocol.h), two thread-local buffers for
 * arguments and results, and the slow paths hence_rt_enter/leave/before/after/... of the runtime.
 */
#ifndef HENCE_CC_HOOKS_H
#define HENCE_CC_HOOKS_H

#include "model/ir.h"

struct hooks;

/* Declares what the hooks need in a module. Caller frees with hooks_destroy(). */
struct hooks *hooks_create(LLVMModuleRef module);
void hooks_destroy(struct hooks *hooks);

/* Each of these builds code at the builder's place. Pointers into the tape are i8*. */

/* The current write position. */
LLVMValueRef hooks_position(struct hooks *hooks, LLVMBuilderRef b);

/* Makes `position` the current write position. */
void hooks_commit(struct hooks *hooks, LLVMBuilderRef b, LLVMValueRef position);

/* Makes sure that HENCE_SLACK bytes are free behind `position`; gives the write position. */
LLVMValueRef hooks_check(struct hooks *hooks, LLVMBuilderRef b, LLVMValueRef position);

/* Start of a function that outside code may enter: as hooks_check(), and tells the runtime when it
   was entered from outside, with its `count` parameters. `descriptor` is its struct
   hence_rt_function. */
LLVMValueRef hooks_enter(struct hooks *hooks, LLVMBuilderRef b, LLVMValueRef *params,
                         unsigned count, LLVMValueRef descriptor, LLVMValueRef frame);

/* Start of main: puts in place of its parameters what the runtime wants it to see. */
void hooks_main(struct hooks *hooks, LLVMBuilderRef b, LLVMValueRef *params, unsigned count);

/* Before such a function returns `value` (NULL: void). */
void hooks_leave(struct hooks *hooks, LLVMBuilderRef b, LLVMValueRef descriptor, LLVMValueRef frame,
                 LLVMValueRef value);

/* Before a call through `site`. */
void hooks_before(struct hooks *hooks, LLVMBuilderRef b, LLVMValueRef site, LLVMValueRef import,
                  LLVMValueRef frame, LLVMValueRef call);

/* After it: gives what to use instead of the call's result; NULL when that is void. `again` for
   functions that return twice. */
LLVMValueRef hooks_after(struct hooks *hooks, LLVMBuilderRef b, LLVMValueRef site,
                         LLVMValueRef import, LLVMValueRef frame, LLVMValueRef call, bool again);

/* The same pair for calls through a pointer; the first gives an i32 that the second takes. */
LLVMValueRef hooks_before_indirect(struct hooks *hooks, LLVMBuilderRef b, LLVMValueRef site,
                                   LLVMValueRef import, LLVMValueRef frame, LLVMValueRef call);
LLVMValueRef hooks_after_indirect(struct hooks *hooks, LLVMBuilderRef b, LLVMValueRef site,
                                  LLVMValueRef frame, LLVMValueRef call, LLVMValueRef outside);

#endif
