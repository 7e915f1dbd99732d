/*
 * For programs that do not always do the same: a verdict counts only when several runs of one input
 * agree. Runs that disagree are reported, not averaged.
 */
#ifndef HENCE_TRIAL_ORACLE_REPEAT_H
#define HENCE_TRIAL_ORACLE_REPEAT_H

#include "trial/oracle.h"

/* The runs of one input. Zeroed it is empty. */
struct oracle_repeat {
	uint32_t runs;
	enum verdict verdict; /* of all so far */
	bool disagree;        /* `first` and `second` say what two of them did */
	char *first, *second; /* 'exited with status 0: pass' */
};

/* Takes the next run. True: no more are needed, since `wanted` of them agree or two disagree. */
bool oracle_repeat_add(struct oracle_repeat *repeat, const struct oracle *oracle,
                       const struct trial_result *result, uint32_t wanted);

/* The verdict that counts: unresolved when runs disagree. */
enum verdict oracle_repeat_verdict(const struct oracle_repeat *repeat);

void oracle_repeat_deinit(struct oracle_repeat *repeat);

#endif
