/*
 * The symptom (the effect of methods.md): what an explanation must explain, as a value at a point
 * that both runs have; and the judgement of hybrid runs by it (methods.md: shared ideas).
 *
 *	wrong output     what one argument printed, the one that the first wrong byte comes from: the
 *	                 text of that part of the call's output
 *	crash, assert    how the run ends: by that signal at that place
 *	exit             its status
 *	hang             that it does not end
 *	branch           when the call that shows the failure has no counterpart in the other run: the
 *	                 outcome of the innermost aligned branch that decides it, seen by what is printed
 *	                 next
 */
#ifndef HENCE_FAILURE_SYMPTOM_H
#define HENCE_FAILURE_SYMPTOM_H

#include "align/align.h"
#include "experiment/experiment.h"
#include "trial/oracle.h"

enum symptom_kind {
	SYMPTOM_OUTPUT,
	SYMPTOM_END, /* crash, assert, exit, hang */
	SYMPTOM_BRANCH,
};

/* One run of a pair: as it was recorded. */
struct symptom_run {
	const struct recording *recording;
	const struct trial_result *result;
};

struct symptom {
	enum symptom_kind kind;
	/* Of the call, or of the branch: the last points at which a change can matter. Of an end,
	   the last statement of each run. 0: that run does not have it */
	uint64_t failing_time, reference_time;
	struct str what; /* 'the program prints 0', 'the program dies of SIGSEGV at a.c:3 in f' */
	struct str failing, reference; /* values, for a person */
	char *file, *function;         /* NULL: not known */
	unsigned line, column;
	struct symptom_judge *judge; /* inside */
};

/* Finds it. `oracle` has judged the failing run. Both runs are of the same program, or aligned as
   two versions. The error says why there is none (the reference fails as well; nothing to compare).
   What the runs point to, the alignment and the oracle must outlive it. Caller frees with
   symptom_deinit(). */
MUST_USE struct hence_error *symptom_find(const struct symptom_run *failing,
                                          const struct symptom_run *reference,
                                          const struct alignment *alignment,
                                          const struct oracle *oracle, struct symptom *out);
void symptom_deinit(struct symptom *symptom);

/* Experiments of one of the runs (the failing one when `in_failing`) will begin at these times,
   which are in order, aligned and not after the symptom: counts for all of them how often its sites
   are passed. */
MUST_USE struct hence_error *symptom_expect(const struct symptom *symptom, bool in_failing,
                                            const uint64_t *times, uint32_t count);

/* The stops that an experiment needs so that it can be judged, after a first stop at `time` of that
   run. Appended to `stops`. */
MUST_USE struct hence_error *symptom_stops(const struct symptom *symptom, bool in_failing,
                                           uint64_t time, struct stop *stops, uint32_t *count);
#define SYMPTOM_STOPS 6 /* at most */

/* Learns from an experiment that changed nothing where the stack is at the symptom, and whether it
   can be looked for as the other run comes to it. `first` is the number of the first stop that
   symptom_stops() made for `time`. */
void symptom_learn(const struct symptom *symptom, bool in_failing, uint64_t time,
                   const struct experiment_result *result, uint32_t first);

/* The verdict of an experiment. */
enum verdict symptom_judge(const struct symptom *symptom, bool in_failing, uint64_t time,
                           const struct experiment_result *result, uint32_t first);

#endif
