/* A search for a smaller or a passing input: when it has to end, who is shown how far it is, why it finds nothing, and its result as JSON. */
#ifndef HENCE_EXPLAIN_INPUT_SEARCH_H
#define HENCE_EXPLAIN_INPUT_SEARCH_H

#include "base/budget.h"
#include "base/interrupt.h"
#include "explain/failure_case.h"
#include "reduce/reduce.h"

/* ------ under way ------ */

struct search {
	struct budget budget;
	/* Shows how far the reduction of an input is; NULL: nobody is shown it. */
	void (*show)(const struct search *search, const struct reduce_progress *now);
	bool isolates; /* the difference of two inputs, not the failing one */
	/* Asked as well; may be NULL. True ends the search. */
	bool (*stop)(void *context);
	void *context;
};

/* Sets the callbacks of `reduce`, whose context becomes the search, but for `better`; and catches the
   signals that end it: the first ends the search, a second one hence. */
void search_begin(struct search *search, const struct failure_options *options,
                  struct reduce_options *reduce);

/* Why there is nothing to explain. */
enum refusal {
	REFUSED_NOT,        /* there is */
	REFUSED_NO_FAILURE, /* the command does not fail */
	REFUSED_NOT_KNOWN,  /* it may fail, but nothing can be found out about it */
};

struct refused {
	enum refusal why;
	VEC(char *) texts; /* for the user */
};

void refused_deinit(struct refused *refused);

/* Why a search has no result. */
void search_refuse(const struct failure_options *options, const struct reduce_result *result,
                   struct refused *out);

/* ------ its result as members of a JSON object, for all commands that print one ------ */

/* How many arguments the input begins with. */
uint32_t reduce_count_arguments(const struct input *input);

/* Is it UTF-8, without zero bytes? */
bool reduce_is_utf8(const struct str *bytes);

/* Members of a JSON object (report/json.h) that other commands have, too: "command"; and "complete",
   "unit", "original", "reduced", "failing", "passing". */
void reduce_add_command(char **command, struct str *out);
void reduce_add_inputs(const struct reduce_result *result, struct str *out);

#endif
