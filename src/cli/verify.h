/* `hence verify`: its options, and how its answer is printed. */
#ifndef HENCE_CLI_VERIFY_H
#define HENCE_CLI_VERIFY_H

#include "causes/repeat.h"
#include "cli/again.h"

struct verify_command {
	const char *path; /* of the report */
	uint64_t step;    /* 0: all */
	uint64_t jobs;
	double time;
	struct again_trust trust;
	bool json, help;
};

/* What came of each, and how many hold, to standard output. */
void verify_print_text(const struct repeat_items *items, uint32_t held);
void verify_print_json(const struct verify_command *command, const struct repeat_items *items,
                       uint32_t held);

#endif
