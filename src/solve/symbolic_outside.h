/* A call of the library, for formulas of its functions: see symbolic_work.h. */
#ifndef HENCE_SOLVE_SYMBOLIC_OUTSIDE_H
#define HENCE_SOLVE_SYMBOLIC_OUTSIDE_H

#include "solve/symbolic_work.h"

/* Memory that it read, as it was. */
struct symbolic_read {
	uint64_t from;
	uint32_t size;
	uint32_t source;
	uint64_t written;
	const uint8_t *bytes;
};

struct symbolic_call {
	struct symbolic *s;
	struct terms *terms;
	uint32_t instance;
	const char *name;
	const struct code_call *code;
	uint32_t bits; /* of the result */
	uint64_t actual;
	VEC(struct symbolic_read) reads;
	uint32_t last; /* read that was asked for last */
	term fixed;    /* condition under which the formula holds; 0: always */
};

/* An argument, as wide as asked for, and its value. */
term symbolic_argument(struct symbolic_call *c, uint32_t number, uint32_t bits);
uint64_t symbolic_argument_value(const struct symbolic_call *c, uint32_t number);

/* The formula only holds as long as an argument is what it was. */
void symbolic_fix_argument(struct symbolic_call *c, uint32_t number);
void symbolic_fix(struct symbolic_call *c, term condition);

#define SYMBOLIC_TEXT 256u /* bytes that a formula is about */

/* Bytes that were read behind a pointer. */
struct symbolic_text {
	uint32_t size;
	term at[SYMBOLIC_TEXT];
	uint8_t values[SYMBOLIC_TEXT];
};

/* Those behind an argument, up to `most`, and no more than were read; up to and with the 0, if `string`. False: it
   has none, or too many. */
bool symbolic_text(struct symbolic_call *c, uint32_t argument, uint64_t most, bool string,
                   struct symbolic_text *out);

/* The formula of a function for its result; 0: it has none, or not for this call. Those of numbers read no
   memory. */
term symbolic_number_formula(struct symbolic_call *c);
term symbolic_text_formula(struct symbolic_call *c);
term symbolic_reader_formula(struct symbolic_call *c);

#endif
