/*
 * Cause transitions (M2): where the cause of the failure moves from one variable to another.
 *
 * At points that both runs have, the differences between the two states are applied in subsets to the
 * reference run; delta debugging isolates those that decide between pass and fail. Where they are other
 * variables at a later point than at an earlier one, the points between are searched, calls first, then
 * statements, until two neighbours are left: the statement between them is a transition.
 */
#ifndef HENCE_CAUSES_TRANSITIONS_H
#define HENCE_CAUSES_TRANSITIONS_H

#include "causes/symptom.h"
#include "state/state.h"

/* An experiment about a step. It proves the step if the failing run passes then, or the reference fails;
   others are told as well. */
struct proof {
	uint64_t
		experiment; /* its number, counted from 1 in the order in which they are asked for */
	char *changed;      /* 'a[2]', or several with ', ' between */
	char *from, *to;
	bool in_failing; /* the failing run was changed, towards the reference; else the opposite */
	enum verdict outcome;
	uint64_t time; /* of the run that was changed */
};

struct transition_variable {
	char *name, *failing, *reference;
	char *function;
};

/* A point of the chain with the variables isolated there; or with a branch that went another way in the
   reference and so handed the cause on: then its condition stands for a variable, 'true' or 'false'. */
struct transition_point {
	uint64_t failing_time, reference_time;
	/* Where the statement begins that the point lies before: its first instruction that has a place. */
	char *file, *function;
	unsigned line, column;
	/* How often each run had come to it, with this time. */
	uint64_t instance, reference_instance;
	bool branch;  /* it is such a branch */
	bool call;    /* a function of the program is about to be called here */
	char *callee; /* that function; NULL: not known, or none */
	bool begins;  /* it is the first statement of its function */
	bool direct;  /* a transition: the statement before this point made these the cause */
	char *cause_file, *cause_function; /* of that statement; NULL: not known */
	unsigned cause_line, cause_column;
	char *statement; /* that statement as C, with values: 'v = a[2]' */
	/* If nobody knows which statement made them the cause: the above is the first of those that
	   may have, and this the last. NULL: it is known, or there is only one. */
	char *until_file, *until_statement;
	unsigned until_line, until_column;
	VEC(struct transition_variable) variables;
	uint32_t
		set; /* the same number for the same variables, whatever they are called; 0: none */
	VEC(struct proof) proofs;
	bool proven;
	bool apart; /* it causes the failure, but the point before does not cause it */
};

struct transitions_options {
	struct experiments *failing_pool, *reference_pool;
	uint32_t workers; /* that each pool has; 0: one for each core */
	bool (*stop)(void *context);
	void (*progress)(void *context, uint64_t experiments, const char *phase);
	void *context;
	bool all_points; /* keep every point that was looked at */
};

struct transitions {
	VEC(struct transition_point) points; /* in time order: the first is where main starts */
	VEC(struct transition_point) all;    /* with all_points */
	uint64_t experiments;
	bool stopped;
	VEC(char *) notes;
};

/* Caller frees with transitions_deinit(). */
struct hence_error *
transitions_find(const struct symptom_run *failing, const struct symptom_run *reference,
                 const struct alignment *alignment, const struct symptom *symptom,
                 const struct transitions_options *options, struct transitions *out);
void transitions_deinit(struct transitions *transitions);

#endif
