/* What is to be explained, and how: as the user asks for it. */
#ifndef HENCE_EXPLAIN_QUESTION_H
#define HENCE_EXPLAIN_QUESTION_H

#include "explain/failure_case.h"
#include "explain/recorded.h"
#include "explain/input_search.h"
#include "methods/chain.h"

enum explain_method {
	EXPLAIN_ALL,
	EXPLAIN_TRANSITIONS,
	EXPLAIN_CHAIN,
	EXPLAIN_COMPARE,
	EXPLAIN_TREE, /* the failing run alone */
	EXPLAIN_FIX,  /* of `hence fix` only: edits of the code */
};

struct suite_test;
struct spectra;

struct explain_question {
	enum explain_method method; /* which one was asked for */
	const struct failure_options *failure;
	const struct run_options *run;
	struct search search; /* who is shown how far it is, and who may end it */
	bool as_given;        /* the failing input is not to be reduced */
	bool no_edits;
	bool all_points;
	bool hierarchical;           /* the algorithm of chains */
	bool no_rails, exact, count; /* of compare */
	const char *tests;           /* file of tests; NULL: none */
	/* The tests of the program that are known to pass or fail, which are read already. NULL: `tests` says. */
	const struct suite_test *const *known;
	uint32_t known_count;
	const struct spectra *spectra; /* of the tests; NULL: there are none */
	double started;      /* time from which the time counts; 0: from explain_find() on */
	const char *against; /* the report of an ideal chain; NULL: none */
	struct chain_statements ideal; /* what it has */
	bool memory;                   /* what is printed or saved has memory graphs */
	bool sources;                  /* the same: lines of source around all places */
};

#endif
