/*
 * What a method finds: steps of the explanation (report/explanation.h), each with the experiments that
 * show it. The same for all methods, so that one explanation can be made of what several found.
 */
#ifndef HENCE_METHODS_CAUSE_H
#define HENCE_METHODS_CAUSE_H

#include "base/vec.h"
#include "report/explanation.h"
#include "words/names.h"
#include "trace/recording.h"

/* The steps have places without text, and proofs without places: who makes the explanation adds both, and the method
   (explain_add_causes()). */
struct causes {
	VEC(struct explanation_step) steps; /* in time order */
	uint64_t experiments;
	uint64_t confounded; /* of these: they went ways that neither run went, and say nothing */
	bool stopped;        /* before it was done */
	VEC(char *) notes;
};

void causes_deinit(struct causes *causes);

/* Is any of the steps proven? */
bool causes_proven(const struct causes *causes);

/* Adds an experiment at the step's point of a run. Where the step has its variables already, all of them got what they
   have in the other run. */
struct explanation_proof *cause_add_proof(struct explanation_step *step, enum explanation_run in,
                                          enum verdict outcome);

/* Does the outcome show that what was changed decides: the failing run passes, or the reference fails? */
bool cause_is_shown(const struct explanation_proof *proof);

/* --- places and statements --- */

/* What is to be found out about a step, which has its `time`, and what was. */
struct described_step {
	struct explanation_step *step;
	uint64_t maker;  /* time of the statement that made it a transition; 0: none */
	uint64_t until;  /* or of the last of those that may have; 0: none */
	bool calls;      /* at the point, a function of the program is about to be called */
	bool begins;     /* the point is the first statement of its function */
	char *condition; /* of a conditional branch that is the maker; NULL: it is none */
	bool outcome;    /* that it had */
	/* Of a switch that is the maker: what it is about, and 'case 3' or 'default'. NULL: it is
	   none */
	char *switched, *way;
};

/* Frees the texts. */
void described_step_deinit(struct described_step *described);

/* Adds what the branch that is the maker decided on as the variable of its step: 'n > 9' is true (not false), 'kind' is
   case 3 (not default), 'the jump' is here (not elsewhere). `reference`: the same branch of that run, for the way of a
   switch; NULL: it does not execute it. Takes the texts. */
void cause_set_decision(struct described_step *described, struct described_step *reference);

/* Where the point before an instruction of a function lies, which begins a statement. Valid as long
   as the names. */
struct walk_place cause_place(struct names *names, const struct code_function *function,
                              uint32_t pc);

/* Fills in places, moments and statements of steps, in one pass over the failing run. The caller frees each with
   described_step_deinit(), after an error, too. */
MUST_USE struct hence_error *cause_describe(const struct recording *failing,
                                            struct described_step *steps, uint32_t count);

#endif
