/*
 * The explanation: why a program failed, as a chain of steps. All methods make the same steps; printers
 * know no method. It is what a saved report holds (design.md: JSON, versioned).
 */
#ifndef HENCE_REPORT_EXPLANATION_H
#define HENCE_REPORT_EXPLANATION_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"

#define EXPLANATION_VERSION 1

/* An experiment behind a step. */
struct explanation_proof {
	uint64_t experiment;
	char *changed, *from, *to;
	const char *in;      /* 'failing' or 'reference' */
	const char *outcome; /* 'pass', 'fail' or 'unresolved' */
};

struct explanation_step {
	char *file; /* NULL: not known */
	unsigned line, column;
	char *function;
	uint64_t instance;
	const char *kind; /* value, branch, call, input, output, memory */
	char *variable, *failing, *reference;
	char *statement; /* what was executed, as C; NULL: not known */
	char *when;      /* 'main starts', 'shell_sort() is called' */
	const char *method;
	bool transition;
	VEC(struct explanation_proof) proofs; /* none: the step is not proven, and marked so */
};

struct explanation_suspect {
	char *file;
	unsigned line;
	double score;
	char *why;
};

struct explanation {
	const char *verdict; /* explained, unproven, incomplete */
	char *program;
	VEC(char *) command;
	struct {
		const char *kind; /* wrong-output, crash, assert, exit, hang, memory, test */
		char *file, *function, *message;
		unsigned line;
	} failure;
	struct {
		const char *kind; /* input, patched, program, none */
		char *text;       /* for a person: 'the input "9 8 7", given with --pass' */
		VEC(char *) command;
		char *stdin_file;
	} reference;
	VEC(struct explanation_step) steps;
	VEC(struct explanation_suspect) suspects;
	VEC(char *) notes; /* what could not be established */
	struct {
		uint64_t experiments, statements_failing, statements_reference;
		double seconds;
	} stats;
};

void explanation_deinit(struct explanation *explanation);

struct explanation_style {
	bool coloured;
	unsigned width; /* columns; 0: 80 */
};

/* For a person: 'argc is 3 (not 4) when main starts; therefore ...'. */
void explanation_print_text(const struct explanation *explanation,
                            const struct explanation_style *style, FILE *file);
void explanation_print_json(const struct explanation *explanation, FILE *file);
void explanation_print_gcc(const struct explanation *explanation, FILE *file);

#endif
