/*
 * The experiments of a report once more: each at the point that it names, with the variables that
 * it names set to the values that it names, in the run and judged by what it says; then what came
 * of it is compared with what the report has.
 *
 * An experiment can be made again only if the point is there, the variables have the values there
 * that the report says they had, and the other run has those that they are to get. Otherwise the
 * report does not hold there, whatever would come of it.
 */
#ifndef HENCE_METHODS_REPEAT_H
#define HENCE_METHODS_REPEAT_H

#include "methods/comparison.h"
#include "failure/symptom.h"
#include "edit/search.h"
#include "report/cause_tree.h"
#include "report/explanation.h"

enum repeat_end {
	REPEAT_UNTRIED, /* it cannot be made: `why` */
	REPEAT_HOLDS,
	REPEAT_DIFFERS, /* something else came of it, or it would not be the same experiment: `why` */
};

#define REPEAT_FIXES 50u /* of a report that are made again */

/* An experiment of a report, and what came of it now. It is of a step, of the tree, or of a change
   of the code. */
struct repeat_item {
	uint32_t step;                         /* number, from 1; 0: it is of no step */
	uint32_t node;                         /* number; 0: it is not of the tree */
	bool branch;                           /* of a step: a branch is changed, not a value */
	const struct explanation_proof *proof; /* NULL: of the tree */
	const struct cause_proof
		*cause;  /* of the tree; NULL: it compares, or is not to be found there */
	uint32_t change; /* number, from 1; 0: it is none */
	const struct explanation_fix *fix; /* the change; NULL: it is none */
	enum repeat_end end;
	bool tried;           /* it was made: */
	enum verdict outcome; /* what came of it */
	char *why;
};

struct repeat_items {
	VEC(struct repeat_item) all;
	uint32_t left_out; /* changes of the code after the first REPEAT_FIXES */
};

/* Lists the experiments of a report. `step`: only of that one, 0: of all, of the tree and the
   changes of the code. An experiment of the tree that a step has is listed with that. What is
   listed must outlive it. Caller frees with repeat_items_deinit(). */
void repeat_list(const struct explanation *explanation, uint32_t step, struct repeat_items *out);
void repeat_items_deinit(struct repeat_items *items);

/* Is a branch changed, not a value? */
bool repeat_is_branch(const struct repeat_item *item);

/* Is it one of the tree, or of a switched branch: of the failing run alone, judged as a whole? */
bool repeat_is_alone(const struct repeat_item *item);

/* Sets the end of an item, unless it has one. Takes the text. */
void repeat_refuse(struct repeat_item *item, enum repeat_end end, char *why);

/* Makes those experiments that compare two runs. An error means that none can be made. */
MUST_USE struct hence_error *repeat_compared(const struct comparison *runs,
                                             struct repeat_items *items);

/* Makes those of the failing run alone, for which `wanted` is true. `tree`: whose root says what
   failed; may be NULL. */
MUST_USE struct hence_error *repeat_alone(const struct comparison *runs,
                                          const struct cause_tree *tree,
                                          bool (*wanted)(const struct repeat_item *item),
                                          struct repeat_items *items);

/* Makes those of changes of the code. `options` are of the failing run, without tests. */
MUST_USE struct hence_error *repeat_edits(const struct edit_search_options *options,
                                          struct repeat_items *items);

/*
 * A point that a report names: the run is at this place for the nth time. Several points of the
 * program may have the same place (macros, what the compiler made of one expression); then `hint`
 * tells which is meant, if it is right.
 */
struct repeat_place {
	const struct explanation_place *at;
	uint64_t instance;
	uint64_t hint;     /* its time, in statements; 0: not known */
	uint64_t time;     /* what was found; 0: the run does not come there so often */
	uint64_t found[2]; /* inside */
};

/* Finds the times of all these places in a run: decodes it once. A place is that of a point, or,
   where there is no such point, that of the statement after it. */
MUST_USE struct hence_error *repeat_locate(const struct recording *run, struct repeat_place *places,
                                           uint32_t count);

#endif
