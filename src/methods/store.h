/* A store of a recorded run: which bytes it wrote, and what the variable would be with others. */
#ifndef HENCE_METHODS_STORE_H
#define HENCE_METHODS_STORE_H

#include "words/names.h"

struct store {
	uint64_t address;
	uint32_t size; /* up to 8 */
	uint64_t mask; /* of a bit-field its bits, else all */
};

/* Instruction number `pc` of the function is a store, whose operands are known. */
struct store store_measure(const struct execution *execution, const struct activation *a,
                           uint32_t pc);

/* What the variable would be if `value` were stored, as C. Caller frees. */
char *store_print(struct names *names, const struct store *store, const struct name *name,
                  uint64_t value);

/* What is changed by the store that the function has just executed: a result has no name of its own, and is called as elsewhere.
   Caller frees. */
char *store_name(struct names *names, const struct activation *a, const struct name *name);

#endif
