/* Inside repeat.h: points that a report names by place and number. Only repeat*.c and who looks for such points include this. */
#ifndef HENCE_METHODS_REPEAT_WORK_H
#define HENCE_METHODS_REPEAT_WORK_H

#include "methods/repeat.h"

/*
 * A point that a report names: the run is at this place for the nth time. Several points of the program may have the same
 * place (macros, what the compiler made of one expression); then `hint` tells which is meant, if it is right.
 */
struct repeat_place {
	const struct explanation_place *at;
	uint64_t instance;
	uint64_t hint;     /* its time, in statements; 0: not known */
	uint64_t time;     /* what was found; 0: the run does not come there so often */
	uint64_t found[2]; /* inside */
};

/* Finds the times of all these places in a run: decodes it once. A place is that of a point, or, where there is no such
   point, that of the statement behind one. */
struct hence_error *repeat_locate(const struct recording *run, struct repeat_place *places,
                                  uint32_t count);

/* Is the failing run changed? */
bool repeat_in_failing(const struct repeat_item *item);

/* What was changed, and into what, must be as the report says; else the item is refused. */
void repeat_check_change(struct repeat_item *item, const char *from, const char *from_now,
                         const char *to, const char *to_now);

/* Compares what came of it with what the report has. */
void repeat_judge(struct repeat_item *item, const char *reported, enum verdict now);

#endif
