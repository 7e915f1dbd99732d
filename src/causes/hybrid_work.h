/* Inside hybrids: what their files share. Only hybrid*.c include this. */
#ifndef HENCE_CAUSES_HYBRID_WORK_H
#define HENCE_CAUSES_HYBRID_WORK_H

#include "causes/hybrid.h"

/* An experiment that begins at a point of one run, and how it is judged. */
struct hybrid_trial {
	struct hybrids *h;
	bool in_failing;
	struct point at;
	struct hybrid_goal *goal; /* NULL: by the symptom */
};

/* Starts it. `first` has what is done at the point itself; its place is filled in here. */
struct hence_error *hybrid_trial_start(const struct hybrid_trial *trial, struct stop first,
                                       uint64_t serial);

enum verdict hybrid_trial_judge(const struct hybrid_trial *trial,
                                const struct experiment_result *result);

/* So many verdicts were used. */
void hybrid_count(struct hybrids *h, uint64_t asked);

/* --- hybrid_goal.c --- */

/* Not 0, and no other goal of these runs has it. */
uint64_t hybrid_goal_number(const struct hybrid_goal *goal);

/* Can it be told from a hybrid of that run? */
bool hybrid_goal_tells(const struct hybrid_goal *goal, bool in_failing);

/* At most, beside the first one. */
uint32_t hybrid_goal_stop_count(const struct hybrid_goal *goal);

/* The stops at which it is read, of an experiment of that run that begins at `time`; appended. What is
   to be read at that point itself is added to the first stop. */
struct hence_error *hybrid_goal_stops(struct hybrids *h, struct hybrid_goal *goal, bool in_failing,
                                      uint64_t time, struct stop *stops, uint32_t *count);

enum verdict hybrid_goal_judge(const struct hybrid_goal *goal, bool in_failing, uint64_t time,
                               const struct experiment_result *result);

#endif
