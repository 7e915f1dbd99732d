/*
 * Where to look first: one ranking of lines from all evidence.
 *
 * Each method tells what speaks for a line (suspects_add()), as a row of the one table of weights. Rows belong to
 * families: those of one family come from the same runs and experiments, so of them only the strongest counts; those
 * of different families are witnesses that saw different things, and are combined as such: a line is innocent if all of
 * them are wrong, so its score is 1 - (1 - a) * (1 - b) * ... (noisy-or). docs/explain.md has the table with reasons.
 */
#ifndef HENCE_EXPLAIN_SUSPECTS_H
#define HENCE_EXPLAIN_SUSPECTS_H

#include "report/explanation.h"

#define SUSPECTS_MOST 20u /* that are kept; texts show five */

enum suspect_family {
	SUSPECT_OF_CHAIN,  /* steps: experiments on both runs */
	SUSPECT_OF_SWITCH, /* the search for a branch that makes the run right */
	SUSPECT_OF_TREE,   /* experiments on the failing run alone */
	SUSPECT_OF_CHANGE, /* the sources of two builds */
	/* Dependences: the failure may come from there, nothing was tried. */
	SUSPECT_OF_DUAL,   /* differences that go into the failure */
	SUSPECT_OF_CHOP,   /* what lies between input and failure */
	SUSPECT_OF_OPEN,   /* conditions of the tree */
	SUSPECT_OF_TESTS,  /* the tests of a suite */
	SUSPECT_OF_EDITS,  /* experiments on the code */
	SUSPECT_OF_MEMORY, /* the first memory error of the failing run */
	SUSPECT_OF_CRASH,  /* where it died */
	SUSPECT_FAMILIES,
};

enum suspect_row {
	SUSPECT_ROOT,        /* where two runs of the same input part */
	SUSPECT_MAKES,       /* a transition to values that the step before does not have */
	SUSPECT_RECEIVES,    /* the first behind it that hands them on */
	SUSPECT_ALL_ALONG,   /* the failure shows here, and nothing lies between it and the input */
	SUSPECT_HANDS_ON,    /* a transition to the values of the step before */
	SUSPECT_SHOWS,       /* the failure shows here */
	SUSPECT_SWITCH,      /* a branch that, when switched, makes the run right */
	SUSPECT_TREE_BRANCH, /* a branch of the cause tree: when it is switched, the run passes */
	SUSPECT_TREE_VALUE,  /* a value of the cause tree: with another one, the run passes */
	SUSPECT_CHANGED,     /* only one of two builds has it */
	SUSPECT_TREE_OPEN,   /* a condition of the cause tree that was not proven */
	SUSPECT_DUAL,        /* in the dual slice */
	SUSPECT_CHOP,        /* between the input that decides and the failure */
	SUSPECT_SPECTRA,     /* by the tests that execute it */
	SUSPECT_EDIT, /* an edit makes the run right, and other runs, if there are any, stay as they are */
	SUSPECT_EDIT_LOOSE, /* an edit makes the run right, but others change */
	SUSPECT_MEMORY_CURED, /* an edit that all known runs agree with, and without the first memory error */
	SUSPECT_MEMORY_OBJECT, /* what the first memory error is about is declared or allocated here */
	SUSPECT_MEMORY_ACCESS, /* the first memory error is made here */
	SUSPECT_MEMORY_FREE,   /* the first memory error uses what is freed here */
	SUSPECT_MEMORY_INDEX,  /* the index or pointer of the first memory error was written here */
	SUSPECT_MEMORY_GIVEN, /* a call that did not initialise the variable whose address it was given */
	SUSPECT_MEMORY_ORIGIN, /* the bad value of the first memory error was made here */
	SUSPECT_CRASH_ORIGIN,  /* the bad value that the program dies of was made here */
	SUSPECT_CRASH, /* the program dies here, by an access or a division that a check would have avoided */
	SUSPECT_ROWS,
};

/* What the failing run was compared with decides what a difference is worth. */
enum suspect_reference {
	SUSPECT_BUILD, /* another build with the same input: all that differs comes from the change */
	SUSPECT_SAME, /* the same input, with an edit or a switched branch: what differs comes from that */
	SUSPECT_INPUT, /* another input: most of what differs is as it should be */
	SUSPECT_REFERENCES,
};

struct suspect_weight {
	const char *kind; /* as explanation_evidence has it */
	enum suspect_family family;
	double weight[SUSPECT_REFERENCES]; /* between 0 and 1 */
};

extern const struct suspect_weight suspect_weights[SUSPECT_ROWS];

/*
 * Something speaks for the line of that place: the row's weight times `factor`, which is at most 1. Of two of the same
 * row the stronger one stays. `words` (from malloc(), taken) say it to a person. A place without a file is left out.
 */
void suspects_add(struct explanation *e, const struct explanation_place *place,
                  enum suspect_row row, double factor, char *words);

/* Takes away what a family has told. */
void suspects_forget(struct explanation *e, enum suspect_family family);

/* After all evidence so far: sets the scores and `why`, and puts the best first. More may be added and settled
   again. */
void suspects_settle(struct explanation *e);

/* At the end: leaves only the first SUSPECTS_MOST. */
void suspects_cut(struct explanation *e);

/* --- evidence of a chain and of a cause tree --- */

struct cause_tree;

/* What the steps tell: transitions, the root, the branch that was switched, and where the failure shows. */
void suspects_add_steps(struct explanation *e);

/* What a cause tree tells. */
void suspects_add_tree(struct explanation *e, const struct cause_tree *tree);

#endif
