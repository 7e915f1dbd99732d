/*
 * Control dependence: where the ways out of a branch meet again.
 *
 * Post-dominance is that of the function's graph of blocks, with one exit behind all returns, but:
 *
 * - A way that can only end in `unreachable` (the program dies or leaves in a call there) does not
 *   count beside one that goes on: the test of `if (!x) abort();` does not control what follows
 *   it, but it controls what lies on the way that ends. A block goes on if it can reach a return
 *   or a loop without an end; where no way goes on, each counts (`while (c) work(); exit(0);`).
 * - A loop that nothing leaves could end each time that it comes to its first block (the one with
 *   the lowest number), before that block. So a block may have its own loop's first block, even
 *   itself, as post-dominator: what was open is closed when that block is entered again.
 *
 * A block is controlled by the youngest branch of its call that is still open: its post-dominator
 * has not been entered since.
 */
#ifndef HENCE_MODEL_CONTROL_H
#define HENCE_MODEL_CONTROL_H

#include "model/plan.h"

#define CONTROL_EXIT UINT32_MAX /* only the end of the function */

/* The immediate post-dominator of each block: the number of a block, or CONTROL_EXIT. Takes about
   linear time. Caller frees with free(). */
uint32_t *control_postdominators(const struct plan_function *function);

/*
 * The same for comparing two runs: a `return` before the last one of the function does not count
 * either, so what follows `while (...) if (bad) return 2;` is not within the loop. In the code that is a
 * block that goes straight to one that has only the return, if another such block comes after it.
 */
uint32_t *control_regions(const struct plan_function *function);

#endif
