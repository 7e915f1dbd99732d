/*
 * Failure-inducing chains (M3, Sumner and Zhang): the chain of backward.h in which the reference
 * gets values of the failing run, all differences are candidates, and runs are free to take any
 * path; and how good a chain is, measured against an ideal one: that of the same failing run with
 * the corrected program as its reference.
 */
#ifndef HENCE_METHODS_CHAIN_H
#define HENCE_METHODS_CHAIN_H

#include "methods/backward.h"
#include "report/explanation.h"

/* Caller frees with causes_deinit(). */
MUST_USE struct hence_error *chain_find(const struct comparison *pair,
                                        enum backward_algorithm algorithm, struct causes *out);

/* --- how good a chain is --- */

/*
 * A chain is compared as the sequence of the statements that made its steps: file, line and
 * function. Steps that no statement made (the input, and what the failure shows) do not count, nor
 * does a repetition of the statement just before.
 */
struct chain_statement {
	char *file, *function; /* function NULL: not known */
	unsigned line;
};

struct chain_statements {
	VEC(struct chain_statement) all; /* in order */
};

struct chain_quality {
	uint32_t ideal, own, common; /* distinct statements of each chain, and those in both */
	double coverage; /* fraction of the ideal chain's statements that the other has */
	/* fraction of the other's statements that the ideal chain has; 0 if it has none */
	double relevance;
	uint32_t edit_distance; /* statements to insert, delete or replace */
	bool root;              /* the first of the ideal chain is in the other */
};

/* The statements of an explanation. Caller frees with chain_statements_deinit(). */
void chain_statements_of(const struct explanation *explanation, struct chain_statements *out);

/* The same of a report that was saved as JSON. The error says why the file is not such a report,
   or that it has no steps. */
MUST_USE struct hence_error *chain_statements_read(const char *path, struct chain_statements *out);
void chain_statements_deinit(struct chain_statements *statements);

void chain_quality_of(const struct chain_statements *ideal, const struct chain_statements *own,
                      struct chain_quality *out);

/* {"coverage":0.80,"relevance":1.00,"edit_distance":2,"root":true,...} */
void chain_quality_add_json(const struct chain_quality *quality, struct str *out);

/* 'coverage 80 % (4 of 5), relevance 100 % (4 of 4), edit distance 1, root captured' */
void chain_quality_add_text(const struct chain_quality *quality, struct str *out);

#endif
