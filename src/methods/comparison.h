/*
 * A failing run and one that it is compared with, as all methods get them: recorded, aligned, with
 * a pool of experiments each. Methods that need no other run look at the failing one alone.
 */
#ifndef HENCE_METHODS_COMPARISON_H
#define HENCE_METHODS_COMPARISON_H

#include "align/align.h"
#include "base/budget.h"
#include "experiment/experiment.h"
#include "failure/symptom.h"
#include "trial/oracle.h"

/* What it points to must outlive it. In arrays the failing run is 1, the reference 0. */
struct comparison {
	struct symptom_run runs[2];
	struct experiments *pools[2]; /* each has its run recorded and in use */
	const struct alignment
		*alignment; /* the failing run is the first; NULL: there is no reference */
	const struct symptom *symptom; /* NULL: not known */
	const struct oracle *oracle;   /* judges whole runs */
	/* How the failing input is run with the user's test; only used if the oracle has one. */
	const struct trials_options *trials;
	uint32_t workers;            /* that each pool has; 0: one for each core */
	const struct budget *budget; /* NULL: no limit, and nobody is shown anything */
};

#endif
