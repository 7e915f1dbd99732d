/*
 * The failing run and the one that it is compared with: found, recorded and aligned, for the methods
 * that compare two runs.
 *
 * The reference is the first that is given or found: the nearest of the inputs of --pass and
 * --pass-stdin, with the failing input as it is; else the failing input is reduced, and an input that
 * passes is searched for near it. Both are recorded by the pools that experiments run in, so that
 * addresses agree.
 */
#ifndef HENCE_CLI_PAIR_H
#define HENCE_CLI_PAIR_H

#include "align/align.h"
#include "causes/symptom.h"
#include "cli/failure_options.h"
#include "cli/run.h"
#include "cli/search.h"
#include "experiment/experiment.h"

/* One of the two. */
struct pair_side {
	struct experiments_options options;
	struct experiments *pool;
	struct trial_result result;
	uint32_t tape; /* index in run.recorded */
	struct walk_place death;
	struct recording recording;
};

struct pair {
	const struct failure_options *options; /* set before pair_find() */
	bool as_given; /* the same; the failing input is not to be reduced, only a reference found */
	struct run_options run_options;
	struct search search;
	struct failure_case failure;
	struct reduce_result reduced;
	bool chosen; /* the passing input was found: no more search */
	struct run run;
	struct modules *modules;
	struct pair_side failing, reference;
	struct alignment alignment;
	bool has_failing;   /* it is recorded */
	bool has_reference; /* both are */
	bool is_aligned;
	double began;
	VEC(char *) notes;
};

/* Finds, records and aligns. *code is not 0 when there is nothing to explain, and the user was told
   why: it is the exit code. Otherwise the failure is known, and with `is_aligned` the pair is
   complete; notes say what is missing. Caller frees with pair_deinit(), in any case. */
struct hence_error *pair_find(struct pair *pair, int *code);
void pair_deinit(struct pair *pair);

/* Has the time or a signal ended it? For callbacks: `context` is the pair. */
bool pair_is_over(void *context);

/* --- among its own files --- */

/* Records both runs; the same for *code. */
struct hence_error *pair_record(struct pair *pair, int *code);

/* Where the first branch is that goes another way in a second run of the same input: 'a.c:17:3 in
   main()'; NULL: there is none, or its place is not known. Caller frees *out. */
struct hence_error *pair_part(const struct recording *first, const struct recording *second,
                              char **out);

/* What executes the program: a path or a name. */
const char *pair_program(const struct pair *pair);

/* Adds a note, which is taken over, unless it is there. */
void pair_note(struct pair *pair, char *text);

/* --- for reports --- */

/* The input as a command line: './prog 9 8 7'. Caller frees. */
char *pair_command_text(const struct pair *pair, const struct input *input);

/* Sets the program, command, failure and reference of an explanation, and adds the notes. */
struct explanation;
void pair_describe(const struct pair *pair, struct explanation *out);

#endif
