/*
 * Causes, as methods find them: points of the failing run with the variables that decide there,
 * each with the experiments that show it. The same for all methods, so that one explanation can be
 * made of what several found (explain.h).
 */
#ifndef HENCE_METHODS_CAUSE_H
#define HENCE_METHODS_CAUSE_H

#include "base/vec.h"
#include "words/names.h"
#include "trace/recording.h"
#include "trial/oracle.h"

/* What an experiment was to bring about: see struct explanation_aim. */
struct proof_aim {
	uint64_t time; /* of the failing run */
	VEC(char *) names;
};

/* An experiment about a step. It proves the step if the failing run passes then, or the reference
   fails; others are reported as well. */
struct proof {
	uint64_t experiment; /* its number, counted from 1 in the order of requests */
	char *changed;       /* 'a[2]', or several with ', ' between */
	char *from, *to;
	bool in_failing; /* the failing run was changed, towards the reference; else the opposite */
	bool local;      /* judged by the variables of the next point, not by the failure */
	bool guarded;    /* the run could not leave the control flow of both */
	enum verdict outcome;
	uint64_t time; /* of the run that was changed */
	bool whole;    /* judged as a run of its own (methods/attempts.h), not as a hybrid */
	VEC(struct proof_aim) aims; /* of a local one */
};

struct cause_variable {
	char *name, *failing, *reference;
	char *function;
};

/* A point of the chain with the variables isolated there; or with a branch that went another way in
   the reference and so propagated the difference: then its condition stands for a variable, 'true'
   or 'false'. */
struct cause_point {
	uint64_t failing_time, reference_time;
	/* Where the statement begins that the point lies before: its first instruction that has a
	   place. */
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
	VEC(struct cause_variable) variables;
	uint32_t
		set; /* the same number for the same variables, whatever they are called; 0: none */
	VEC(struct proof) proofs;
	bool proven;
	bool apart; /* it causes the failure, but the point before does not cause it */
};

void cause_point_deinit(struct cause_point *point);

/* Adds an experiment that gave all variables of the point what they have in the other run. */
struct proof *cause_add_proof(struct cause_point *point, bool in_failing, enum verdict outcome);

/* What a method has found. */
struct causes {
	VEC(struct cause_point) points; /* in time order */
	uint64_t experiments;
	uint64_t confounded; /* of these: they went ways that neither run went, and say nothing */
	bool stopped;        /* before it was done */
	VEC(char *) notes;
};

void causes_deinit(struct causes *causes);

/* Is any of the points proven? */
bool causes_proven(const struct causes *causes);

/* --- places and statements --- */

/* What is to be found out about a point, and what was. */
struct described_point {
	struct cause_point *point;
	uint64_t maker;  /* time of the statement that made it a transition; 0: none */
	uint64_t until;  /* or of the last of those that may have; 0: none */
	char *condition; /* of a conditional branch that is the maker; NULL: it is none */
	bool outcome;    /* that it had */
	/* Of a switch that is the maker: what it is about, and 'case 3' or 'default'. NULL: it is
	   none */
	char *switched, *way;
};

/* Frees the texts. */
void described_point_deinit(struct described_point *described);

/* Where the point before an instruction of a function lies, which begins a statement. Valid as long
   as the names. */
struct walk_place cause_place(struct names *names, const struct code_function *function,
                              uint32_t pc);

/* Fills places and statements of points. Decodes the failing run. The caller frees with
   described_point_deinit(). */
struct hence_error *cause_describe(const struct recording *failing, struct described_point *points,
                                   uint32_t count);

#endif
