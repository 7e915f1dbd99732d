/*
 * The failing run and the one that it is compared with: found, recorded and aligned, for the methods
 * that compare two runs.
 *
 * What the failing run may be compared with, its candidates, best first: another build of the program
 * (--pass-prog); the program with an edit that makes the failing run right (src/edit), if somebody found one; the inputs of --pass and --pass-stdin that pass, the nearest first, with the failing
 * input as it is. If none is given: when the expected output is known, the failing run patched at a
 * branch so that it prints just that; else the failing input is reduced, and an input that passes is
 * searched for near it; else, the run patched so that it does not fail. One of them at a time is
 * the reference. Both runs are recorded by the pools that experiments run in, so that addresses agree.
 */
#ifndef HENCE_EXPLAIN_REFERENCES_H
#define HENCE_EXPLAIN_REFERENCES_H

#include "align/align.h"
#include "align/versions.h"
#include "explain/memory_error.h"
#include "methods/predicates.h"
#include "failure/symptom.h"
#include "explain/failure_case.h"
#include "explain/recorded.h"
#include "explain/input_search.h"
#include "edit/edited.h"
#include "experiment/experiment.h"

/* One of the two. */
struct recorded_side {
	struct experiments_options options;
	struct experiments *pool; /* NULL: it is not recorded */
	struct trial_result result;
	uint32_t tape;  /* number of the first in the session */
	uint32_t tapes; /* processes that were recorded */
	struct walk_place death;
	struct recording recording;
};

enum reference_kind {
	REFERENCE_INPUT,   /* the program with another input */
	REFERENCE_PROGRAM, /* another build of the program, with the same input */
	REFERENCE_PATCHED, /* the failing run with a branch that goes another way */
	REFERENCE_EDIT,    /* the program with its code edited, with the same input */
};

/* A run that the failing one may be compared with. */
struct reference {
	enum reference_kind kind;
	int given; /* REFERENCE_INPUT: which of those that were given; -1: it was found */
	const struct input *input;
	const struct predicate *predicate; /* REFERENCE_PATCHED */
	char *edit;                        /* REFERENCE_EDIT: its name (edit/edit.h) */
	char *edit_text; /* the same for a person: 'a.c:10: x < y instead of x > y' */
};

/* How far the search for candidates is. */
enum reference_stage {
	REFERENCE_EXACT,  /* the failing input is as given; patched runs with the expected output */
	REFERENCE_INPUTS, /* inputs, and another build */
	REFERENCE_LAST,   /* patched runs that pass */
};

struct references {
	const struct failure_options *options; /* set before references_find() */
	bool as_given; /* the same; the failing input is not to be reduced, only a reference found */
	bool alone;    /* the same; there is to be no reference */
	bool waits; /* the same; inputs are not searched for before references_next(), so that the failing run, whose output is
	               known to be wrong, can be asked first */
	bool lenient; /* the same; where no given input can be used as a reference, that is a note and no error */
	const struct recipe *recipe; /* the same, for references_repeat() only */
	bool of_given; /* the same; the failing input is as it was given, not as it was reduced */
	bool may_pass; /* the same; the run that is recorded need not fail: reduced.end says whether it does */
	bool memory_errors; /* the same; a run that does not fail is a failure if it makes a memory error */
	struct trials_known known; /* of pools that run the failing input */
	struct run_options run_options;
	char *words[2]; /* the program, as its options have it */
	struct search
		search; /* its budget is that of all: set before references_find() but for the time */
	struct failure_case failure;
	struct reduce_result reduced;
	bool chosen; /* the passing input was found: no more search */
	enum reference_stage stage;
	struct predicates predicates;
	uint64_t experiments; /* that it took to find these */
	struct run run;
	struct modules *modules;
	VEC(struct reference) candidates;
	uint32_t tried; /* of these; the last of them is the reference */
	struct recorded_side failing, reference;
	struct recorded_side kept; /* of an input that was recorded before it is a reference */
	const struct input *kept_input;
	struct versions *versions; /* NULL: both runs are of the same program */
	struct alignment alignment;
	bool has_failing;   /* it is recorded */
	bool has_reference; /* both are */
	bool is_aligned;
	double started; /* time from which --time counts; set before references_find(), or 0: when that began */
	double began;
	double interrupted; /* time at which a signal was seen; 0: none was */
	VEC(char *) notes;
	struct refused refused; /* why there is nothing to explain */
	/* Set before references_find(), or NULL. Called when the failing run is recorded for the first time, before
	   candidates are taken: may add some of its own. */
	void (*recorded)(struct references *pair, void *context);
	void *context;
	bool told;                                    /* it was called */
	struct explanation_memory_error memory_error; /* of a run that does not fail otherwise */
	struct edited *edited; /* of the reference, if that is REFERENCE_EDIT */
};

/* For a question; what is to be set before references_find() is 0 but for that. It must not move. */
struct explain_question;
void references_begin(struct references *pair, const struct explain_question *question);

/* For pair.recorded: adds the program with this edit as the first candidate, or as the last. */
void references_add_edit(struct references *pair, const char *edit, const char *text, bool first);

/* Finds, records and aligns. p->refused.why says when there is nothing to explain; pair->refusals say why. Otherwise the failure is known, and with `is_aligned` the pair is
   complete; notes say what is missing. Caller frees with references_deinit(), in any case. */
MUST_USE struct hence_error *references_find(struct references *pair);
void references_deinit(struct references *pair);

/* The same for the runs of a report: pair->recipe says all, nothing is searched for, and nothing is read but programs. If
   the program does not have the edit of the reference, that is a note, and there is no reference. */
MUST_USE struct hence_error *references_repeat(struct references *pair);

/* Takes another reference instead, if that is worth while: one was not enough (`explained`: it was),
   or several were given. *more: there is one, and with `is_aligned` the pair is complete. What was
   made of the pair before must be gone. */
MUST_USE struct hence_error *references_next(struct references *pair, bool explained, bool *more);

/* The reference that is in use; NULL: none. */
const struct reference *references_current(const struct references *pair);

/* Is the output of the reference exactly that which the failing run should have? */
bool references_is_exact(const struct references *pair);

/* --- among its own files --- */

void recorded_side_deinit(struct recorded_side *side);

/* The memory error of the failing run, which was found, is the failure. No run can be judged by that from outside, so there
   is nothing to compare with. */
void references_take_memory_error(struct references *pair);

/* Records the program with that input, for questions, not for experiments. out->pool is NULL if the time was up. Caller frees
   with recorded_side_deinit(). */
MUST_USE struct hence_error *references_record_input(struct references *pair,
                                                     const struct input *input,
                                                     struct recorded_side *out);

/* Records one of the inputs that were given and pass, 0 being the nearest; out->pool is NULL if there are not so
   many. Caller frees with recorded_side_deinit(). */
MUST_USE struct hence_error *references_record_passing(struct references *pair, uint32_t number,
                                                       struct recorded_side *out);

/* Takes that recording over, to be the reference if the input becomes one: it need not be recorded again. */
void references_keep_passing(struct references *pair, uint32_t number, struct recorded_side *side);

/* Records another input that passes than the reference's, if that is one and another was given: then out->pool
   is not NULL. Caller frees with recorded_side_deinit(). */
MUST_USE struct hence_error *references_record_other(struct references *pair,
                                                     struct recorded_side *out);

/* Fills pair->failure from the recipe. */
MUST_USE struct hence_error *references_fill(struct references *pair);

/* What executes the program: a path or a name. */
const char *references_program(const struct references *pair);

/* The two runs as methods get them; without the symptom. Valid as long as the pair. */
struct comparison references_comparison(const struct references *pair);

/* Adds a note, which is taken over, unless it is there. */
void references_note(struct references *pair, char *text);

#endif
