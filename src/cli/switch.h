/* `hence switch`: its options and how its result is shown. */
#ifndef HENCE_CLI_SWITCH_H
#define HENCE_CLI_SWITCH_H

#include "causes/predicates.h"
#include "cli/pair.h"
#include "cli/report_options.h"

struct switch_command {
	struct report_options report;
	bool first; /* --first */
	bool all;   /* --all */
};

struct switch_report {
	const struct switch_command *command;
	const struct pair *pair;
	const struct predicates *found;
	double seconds;
};

/* How many of them tell something (predicate_counts()). */
uint32_t switch_count(const struct predicates *found);

/* Prints in the format of the command. */
void switch_print(const struct switch_report *report, FILE *file);

#endif
