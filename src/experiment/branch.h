/* A branch or switch of a recorded run: where it could have gone, and what it is called. */
#ifndef HENCE_EXPERIMENT_BRANCH_H
#define HENCE_EXPERIMENT_BRANCH_H

#include "experiment/point.h"
#include "words/names.h"

#define BRANCH_WAYS 9u /* of a switch: more are not tried */

struct branch {
	struct site site;
	uint32_t successors[BRANCH_WAYS]; /* that lead to different blocks */
	uint32_t blocks[BRANCH_WAYS];
	uint32_t ways;      /* 0: it cannot be made to go anywhere (a switch on 128 bits) */
	uint64_t instances; /* executions of it, counted by the caller */
};

/* The branch or switch that the function has just executed. */
void branch_find(const struct point_sites *sites, const struct activation *a, struct branch *out);

/* The block that it goes to; UINT32_MAX: by a value that was not defined. */
uint32_t branch_goes(const struct execution *execution, const struct activation *a);

/* As a C programmer says it. */
struct branch_words {
	char *condition; /* of a switch its value; NULL: not known */
	char *failing,
		*other; /* 'true', 'false', 'case 3', 'default': as it went, as it could go */
};

/* Of the branch or switch that the function on top has just executed; `successor` is the other way. Caller
   frees the texts. */
void branch_describe(struct names *names, struct execution *execution, uint32_t successor,
                     struct branch_words *out);

#endif
