/* Lines that slices of the failing run have, for the ranking of suspects (suspects.h). */
#ifndef HENCE_EXPLAIN_SUSPECTS_SLICES_H
#define HENCE_EXPLAIN_SUSPECTS_SLICES_H

#include "explain/illustrations.h"
#include "explain/suspects.h"
#include "slice/dual.h"
#include "trial/oracle.h"

/* Runs that have more statements are not sliced for the ranking alone. */
#define SUSPECTS_MOST_STATEMENTS 200000u

/* Places without columns, each line once. Zeroed it is empty. */
struct suspect_lines {
	VEC(struct explanation_place) all;
};

void suspect_lines_deinit(struct suspect_lines *lines);

/* Adds those of the first run that are in the dual slice. */
void suspect_lines_add_dual(struct suspect_lines *lines, const struct dual *dual);

/* What the chop of a failing run is made from. */
struct suspect_chop {
	const struct recording *run;
	const struct trial_result *result; /* how it went */
	const struct oracle *oracle;       /* what is wrong about it */
	const struct input *failing;
	const struct input *passing; /* an input that passes; NULL: none */
	const struct budget *budget;
};

/* Adds those of the chop: between the input that decides and where the failure shows. None, if nobody knows
   where that is. */
MUST_USE struct hence_error *suspect_lines_add_chop(struct suspect_lines *lines,
                                                    const struct suspect_chop *chop);

/* As evidence. `sources` may be NULL. */
void suspects_add_lines(struct explanation *e, const struct suspect_lines *lines,
                        enum suspect_row row, const char *words, struct explain_sources *sources);

#endif
