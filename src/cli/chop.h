/* What the files of `hence chop` share. */
#ifndef HENCE_CLI_CHOP_H
#define HENCE_CLI_CHOP_H

#include "causes/chop.h"
#include "causes/criterion.h"
#include "causes/deciding.h"
#include "cli/report_options.h"
#include "report/listing.h"

/* The command line. */
struct chop_command {
	struct report_options report;
	bool relevant;
	bool as_given; /* --no-reduce */
	bool isolate;
	bool coloured;
};

struct hence_error *chop_command_parse(int argc, char **argv, struct chop_command *out);
void chop_command_deinit(struct chop_command *command);

/* What is to be printed. */
struct chop_answer {
	const struct chop_command *command;
	const struct reduce_result *reduced;
	const struct deciding *deciding;
	bool isolated; /* `deciding` is a difference to a passing input */
	const struct criterion *criterion;
	const struct chop *chop;
	struct listing *listing;    /* of the chop */
	uint64_t backward, forward; /* lines */
	VEC(char *) notes;
};

void chop_print(const struct chop_answer *answer, FILE *file);

#endif
