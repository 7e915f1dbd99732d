/*
 * The explanation: why a program failed, as a chain of steps from the input to the failure. All methods
 * make the same steps; printers know no method. As JSON it is what a saved report holds.
 *
 * All texts are as the program has them; printers escape them. A text that is NULL is not known.
 */
#ifndef HENCE_REPORT_EXPLANATION_H
#define HENCE_REPORT_EXPLANATION_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"

#define EXPLANATION_VERSION 1

/* A place in the source. */
struct explanation_place {
	char *file; /* as the compiler was given it; NULL: there is no place */
	unsigned line, column;
	char *function;
	char *source; /* text of the line */
};

/* A variable with its values in the two runs; NULL: it does not exist there. */
struct explanation_value {
	char *name, *failing, *reference;
	char *function; /* that it is local to; NULL: none, or not known */
};

/* An experiment behind a step. */
struct explanation_proof {
	uint64_t experiment;
	char *changed, *from, *to;
	const char *in;      /* 'failing' or 'reference' */
	const char *outcome; /* 'pass', 'fail' or 'unresolved' */
	bool local;          /* judged by the values of the next step, not by the failure */
	bool guarded;        /* the run was kept to ways that one of the two went */
	/* Where it was changed: for the nth time of that run. */
	struct explanation_place at;
	uint64_t instance;
};

/* At a point of the runs these variables have values that decide between pass and failure. */
struct explanation_step {
	/* The point: values are so there, and experiments changed them there. */
	struct explanation_place at;
	uint64_t instance;           /* the failing run is there for the nth time; 0: not known */
	uint64_t reference_instance; /* the same for the reference */
	const char *kind;            /* value, branch, call, input, output, memory; of what a
	                                failure shows: crash, assert, exit, hang, too */
	VEC(struct explanation_value) values;
	char *what; /* 'the program prints 0': told instead of values */
	char *when; /* 'main() starts', 'shell_sort() is called' */
	bool call;  /* it is a call */
	/* A transition: the statement that made them the cause. */
	bool transition;
	struct explanation_place cause;
	char *statement; /* as C: 'v = a[i]' */
	/* It may have been a later one: the last that may. No file: it is known. */
	struct explanation_place until;
	char *until_statement;
	const char *method;
	const char *also;        /* another method that found it; NULL: none */
	uint64_t time;           /* of the point, in statements of the failing run; 0: not known */
	uint64_t reference_time; /* the same of the reference */
	bool usual;              /* runs that pass differ in these variables there, too */
	bool proven;
	bool apart;    /* it is a cause as well, but does not follow from the step before */
	bool observed; /* it was seen, and needs no proof: the failure itself */
	VEC(struct explanation_proof) proofs;
};

struct explanation_suspect {
	struct explanation_place at;
	double score; /* above 0, at most 1 */
	char *why;
};

/* A point that was looked at on the way to the steps. */
struct explanation_point {
	struct explanation_place at;
	uint64_t failing_time, reference_time; /* in statements; 0: that run does not get there */
	VEC(struct explanation_value) values;  /* none: nothing could be isolated */
	bool transition;                       /* they are others than at the point before */
};

/* A piece of JSON of its own in the report: 'reduced_input', 'chop', 'tree'. */
struct explanation_part {
	const char *key;
	struct str json;
};

struct explanation {
	const char *verdict; /* explained, unproven, incomplete */
	char *program;
	VEC(char *) command;
	struct {
		const char *kind; /* wrong-output, crash, assert, exit, hang, memory, test */
		struct explanation_place at;
		char *message; /* 'dies of SIGSEGV', to be put behind the program */
	} failure;
	struct {
		const char *kind; /* input, patched, program, none */
		char *text;       /* for a person: "'./sort 9 8 7', given with --pass" */
		VEC(char *) command;
		char *stdin_file;
	} reference;
	VEC(struct explanation_step) steps;
	VEC(struct explanation_suspect) suspects; /* best first */
	VEC(struct explanation_point) points;     /* --all-points */
	VEC(struct explanation_part) parts;
	VEC(char *) notes; /* what could not be established */
	char *hint;        /* what else could be tried */
	struct {
		uint64_t experiments;
		uint64_t confounded; /* of these: they went ways that neither run had */
		uint64_t runs, statements_failing, statements_reference;
		double seconds;
	} stats;
};

void explanation_deinit(struct explanation *explanation);
void explanation_step_deinit(struct explanation_step *step);
void explanation_place_deinit(struct explanation_place *place);
void explanation_values_deinit(struct explanation_value *values, uint32_t count);

struct explanation_style {
	bool coloured;
	unsigned width; /* columns; 0: 80 */
};

/* For a person: 'argc is 3 (not 4) when main() starts; therefore ...'. */
void explanation_print_text(const struct explanation *explanation,
                            const struct explanation_style *style, FILE *file);
void explanation_print_json(const struct explanation *explanation, FILE *file);

/* A line for each step, as compilers write messages. */
void explanation_print_gcc(const struct explanation *explanation, FILE *file);

#endif
