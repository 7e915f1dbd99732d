/*
 * The symptom: what an explanation must explain, as a value at a point that both runs have; and the
 * judgement of hybrid runs by it.
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
#include "base/str.h"
#include "base/vec.h"
#include "experiment/experiment.h"
#include "trace/recording.h"
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

/*
 * --- inside: what calls print ---
 *
 * What calls of a run print on standard output, part by part; and the text of one call, of which the failing run and
 * the reference print one part differently. Other arguments of the call may print anything; the text between them
 * stays the same.
 */

/* What one argument printed. */
struct printed_part {
	uint32_t key; /* which argument; 0: none */
	bool literal; /* text of a format, or what the function adds by itself */
	uint64_t offset;
	struct str text;
};

struct printed_call {
	uint64_t time; /* statement number */
	uint64_t offset, size;
	bool known; /* all of it; else `parts` are not complete */
	VEC(struct printed_part) parts;
	char *file, *function; /* NULL: not known */
	unsigned line, column;
};

struct printed {
	VEC(struct printed_call) calls;
};

/* Which calls: those that printed a byte in [from, to), at times in [begin, end], at most `most` of
   them; or only the last call of the run. */
struct printed_wish {
	uint64_t from, to;
	uint64_t begin, end;
	uint32_t most;
	bool last;
};

/* Decodes the run. Caller frees with printed_deinit(). */
MUST_USE struct hence_error *printed_find(const struct recording *run,
                                          const struct printed_wish *wish, struct printed *out);
void printed_deinit(struct printed *printed);

/* Appends all that the call printed. */
void printed_text(const struct printed_call *call, struct str *out);

/* --- the part that differs --- */

struct symptom_piece {
	bool wild; /* any text */
	struct str text;
};

struct symptom_text {
	VEC(struct symptom_piece) pieces; /* that at `target` stands for a value */
	uint32_t target;
	struct str failing, reference; /* values of the target */
};

/* The first argument of the call, from byte `from` of the failing run's output on, that the two
   runs print differently; the whole text of the call, where the parts of the calls do not
   correspond. False: there is no difference. `reference` NULL: that call printed nothing. Caller
   frees with symptom_text_deinit(). */
bool symptom_text_compare(const struct printed_call *failing, const struct printed_call *reference,
                          uint64_t from, struct symptom_text *out);
void symptom_text_deinit(struct symptom_text *text);

/* Which of the two values a hybrid printed; `ended`: the call has printed no more than `put`. */
enum verdict symptom_text_judge(const struct symptom_text *text, const char *put, size_t size,
                                bool ended);

/* Appends a text, without the end of its last line: as it is if it is a word, else in quotes. */
void symptom_show(const struct str *text, struct str *out);

#endif
