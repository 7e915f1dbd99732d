/* The failing run and its reference: see references.h. */
#include "explain/references.h"
#include "explain/provenance.h"
#include "explain/question.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/recipe.h"
#include "trace/history.h"
#include "trace/walk.h"

/* ------ where two runs of the same input part ------ */

/* 'a.c:17:3 in main()': the statement of a site. NULL: it has no place. Caller frees. */
static char *site_text(const struct program *program, const struct site *site)
{
	const struct plan_function *f =
		&program->modules.at[site->module].plan->functions.at[site->function];
	const struct plan_block *block = &f->blocks.at[site->block];

	for (uint32_t i = block->first; i < block->first + block->count; i++) {
		LLVMValueRef instruction = f->records.at[i].instruction;
		unsigned length;

		if (f->records.at[i].statement != site->statement ||
		    !LLVMInstructionGetDebugLoc(instruction))
			continue;
		return str_format("%s:%u:%u in %s()", LLVMGetDebugLocFilename(instruction, &length),
		                  LLVMGetDebugLocLine(instruction),
		                  LLVMGetDebugLocColumn(instruction), f->name);
	}
	return NULL;
}

/* The place of the statement with this number. *out as above. */
static struct hence_error *find_place(const struct recording *run, uint64_t time, char **out)
{
	struct point point;
	struct walk *walk = NULL;
	struct hence_error *error = points_find(run, &time, 1, &point);

	if (!error)
		error = walk_create(run->modules, run->folder, run->tape, &walk);
	if (error)
		return error;
	error = walk_to_end(walk, run->death);
	if (!error)
		*out = site_text(walk_program(walk), &point.site);
	walk_destroy(walk);
	return error;
}

/* Where the first branch is that goes another way in a second run of the same input: 'a.c:17:3 in
   main()'; NULL: there is none, or its place is not known. Caller frees *out. */
static struct hence_error *references_part(const struct recording *first,
                                           const struct recording *second, char **out)
{
	const struct align_options options = {0};
	struct alignment alignment;
	struct hence_error *error = align_runs(first, second, &options, &alignment);

	*out = NULL;
	if (error)
		return error;
	if (alignment.forks.size)
		error = find_place(first, alignment.forks.at[0].a, out);
	alignment_deinit(&alignment);
	return error;
}

/* ------ recording ------ */

#define HANG_WORK                                                                                  \
	(16u << 20) /* more than ten times that of the reference, after which a run hangs */
#define HANG_TAPE (512u << 10) /* bytes at least that are recorded of a run that does not end */

/* The failing run, or when `candidate` is not NULL that one. `work`: after which a run is cut; 0:
   chosen. */
static struct hence_error *record_run(struct references *p, const struct reference *candidate,
                                      uint64_t work, struct recorded_side *side)
{
	struct trials_options *trials = &side->options.trials;
	struct hence_control control;
	struct hence_error *error = session_control(&p->run.session, &control);

	if (error)
		return error;
	side->tape = control.tapes;
	side->result.test = -1;
	*trials = p->failure.reduce.trials;
	trials->input = candidate ? candidate->input : &p->reduced.failing;
	if (candidate && candidate->kind == REFERENCE_PROGRAM)
		trials->program = p->failure.other;
	if (candidate && candidate->kind == REFERENCE_EDIT) {
		if (!p->edited)
			error = edited_create(&p->failing.recording, candidate->edit, false,
			                      &p->edited);
		if (error)
			return error;
		trials->image = p->edited->path;
	}
	if (candidate && candidate->kind == REFERENCE_PATCHED) {
		side->options.patch = &candidate->predicate->patch;
		side->options.patch_from = &p->failing.recording;
	}
	trials->test = NULL;
	trials->other = NULL;
	/* A run that hangs is cut where it was before. */
	trials->work = work ? work : p->failure.reduce.trials.work;
	trials->stop = budget_stops;
	trials->context = &p->search.budget;
	error = experiments_create(&side->options, &side->pool);
	if (error || !side->pool)
		return error;
	error = experiments_record(side->pool, p->run.session.path, &side->result);
	if (!error)
		error = session_control(&p->run.session, &control);
	side->tapes = control.tapes - side->tape;
	return error;
}

void recorded_side_deinit(struct recorded_side *side)
{
	experiments_destroy(side->pool);
	trial_result_deinit(&side->result);
	history_destroy(side->recording.history);
	*side = (struct recorded_side){0};
}

static bool is_hang(const struct references *p)
{
	return p->reduced.end != REDUCE_NO_FAILURE &&
	       p->reduced.oracle.failure.kind == FAILURE_HANG;
}

/* Its tape is there. */
static struct hence_error *finish_recording(struct references *p, const struct recorded_side *side)
{
	const struct run_end end = {side->tape, &side->result.outcome};
	struct hence_error *error = run_finish(&p->run, &end, 1);

	if (!error) {
		const char *note = experiments_note(side->pool);

		/* That the tape of a run without end was full is as we wanted it. */
		for (uint32_t i = 0; i < p->run.notes.size && !is_hang(p); i++)
			references_note(p, mem_strdup(p->run.notes.at[i]));
		if (note)
			references_note(p, mem_strdup(note));
		if (side == &p->failing && side->tapes > 1)
			references_note(
				p,
				str_format(
					"%u processes were recorded; only the first is explained",
					side->tapes));
	}
	return error;
}

/* The side may still move. */
static struct hence_error *describe_recording(struct references *p, struct recorded_side *side)
{
	const struct tape *tape = p->run.recorded.at[side->tape].tape;

	if (tape->condition != TAPE_GOOD)
		return error_create(HENCE_ERROR_INPUT, "the tape of %s is lost",
		                    p->options->command[0]);
	side->recording = (struct recording){.modules = p->modules,
	                                     .folder = p->run.session.path,
	                                     .tape = tape->number,
	                                     .table = p->run.table,
	                                     .history = history_create()};
	if (side == &p->reference && p->edited) {
		side->recording.modules = p->edited->modules;
		side->recording.edit = &p->edited->edit;
	}
	if (record_death(&side->result.outcome, &side->death))
		side->recording.death = &side->death;
	return NULL;
}

/* For experiments. */
static struct hence_error *use_recording(struct references *p, struct recorded_side *side)
{
	struct hence_error *error = side->recording.history ? NULL : describe_recording(p, side);

	return error ? error : experiments_use(side->pool, &side->recording);
}

/* --- runs that differ --- */

/* Records the input once more and finds out where that run and the first one part. NULL: nobody knows.
   Caller frees. */
static char *find_parting(struct references *p, const struct recorded_side *side,
                          const struct reference *candidate)
{
	struct recording first = {.modules = p->modules,
	                          .folder = p->run.session.path,
	                          .tape = p->run.recorded.at[side->tape].tape->number,
	                          .table = p->run.table};
	struct recording second = first;
	struct recorded_side again = {0};
	struct hence_error *error = record_run(p, candidate, side->options.trials.work, &again);
	char *place = NULL;

	second.tape = again.tape;
	if (!error && again.pool)
		error = references_part(&first, &second, &place);
	error_destroy(error);
	recorded_side_deinit(&again);
	return place;
}

/* Caller frees. */
static char *say_unstable(struct references *p, const struct recorded_side *side,
                          const struct reference *candidate)
{
	char *place = find_parting(p, side, candidate), *text;
	const char *program = candidate && candidate->kind == REFERENCE_PROGRAM
	                              ? p->options->pass_program
	                              : p->options->command[0];

	text = str_format("%s does not always do the same: with the %s it did not %s when it was "
	                  "recorded%s%s; what it does must depend on its input only",
	                  program,
	                  candidate && candidate->kind == REFERENCE_INPUT ? "input that passes"
	                                                                  : "failing input",
	                  candidate ? "pass" : "fail as before", place ? "; two runs part at " : "",
	                  place ? place : "");
	free(place);
	return text;
}

/* Is the recorded run the failure that was judged before? A user's test has not seen it. */
static bool still_fails(const struct references *p)
{
	if (p->reduced.end == REDUCE_NO_FAILURE)
		return true; /* nothing was judged */
	return p->options->test ||
	       oracle_judge(&p->reduced.oracle, &p->failing.result) == VERDICT_FAIL;
}

static bool still_passes(const struct references *p)
{
	const struct trial_result *result = &p->reference.result;

	if (p->options->test)
		return true;
	/* The user did not say what the output of the reference should be. */
	if (p->reduced.oracle.failure.kind == FAILURE_OUTPUT || p->options->pass_program)
		return result->outcome.kind == OUTCOME_EXITED;
	return oracle_judge_input(&p->reduced.oracle, result) == VERDICT_PASS;
}

/* --- the failing run --- */

/* The session takes the signals that end a search: none may come before they are ours again. */
static struct hence_error *begin_recording(struct references *p)
{
	struct hence_error *error;
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	error = run_begin(&p->run);
	interrupt_catch();
	sigprocmask(SIG_SETMASK, &before, NULL);
	return error;
}

/* A run without end is cut when it has done far more than the reference; recorded is as much as that took,
   and then some: the loop that does not end is in it. */
static struct hence_error *record_hang(struct references *p)
{
	struct hence_error *error = NULL;
	uint64_t whole = p->run.session.tape_limit, limit, work;

	if (p->candidates.size && !budget_is_over(&p->search.budget))
		error = record_run(p, &p->candidates.at[0], 0, &p->reference);
	work = p->reference.result.work;
	limit = 2 * work + HANG_TAPE;
	if (!error)
		error = session_limit(&p->run.session, limit < whole ? limit : whole);
	if (!error)
		error = record_run(p, NULL, p->reference.pool ? 10 * work + HANG_WORK : 0,
		                   &p->failing);
	return error ? error : session_limit(&p->run.session, whole);
}

/* A memory error makes a run depend on what lies where in memory, which is not the same when it is recorded: then it is
   the explanation. Else the user is told that the runs differ. */
static struct hence_error *explain_unstable(struct references *p)
{
	struct hence_error *error = use_recording(p, &p->failing);
	char *text;

	if (!error)
		error = memory_error_find(&p->failing.recording, UINT64_MAX, p->search.budget.until,
		                          &p->memory_error);
	p->has_failing = !error;
	if (!error && p->memory_error.kind && p->memory_errors && !p->recipe) {
		references_take_memory_error(p);
		references_note(p,
		                str_format("%s did something else when it was recorded: the memory "
		                           "error changes "
		                           "what happens to lie there in memory",
		                           p->options->command[0]));
		return NULL;
	}
	error_destroy(error);
	text = say_unstable(p, &p->failing, NULL);
	budget_hide(&p->search.budget);
	*vec_push(&p->refused.texts) = text;
	if (p->memory_error.kind)
		*vec_push(&p->refused.texts) =
			str_format("it makes a memory error, which 'hence explain' tells: %s",
		                   p->memory_error.words);
	p->refused.why = REFUSED_NOT_KNOWN;
	return NULL;
}

/* Records the failing run, and for a run without end the first candidate before it; the same for
   p->refused.why. */
static struct hence_error *references_record_failing(struct references *p)
{
	struct hence_error *error = p->run.session.path ? NULL : begin_recording(p);

	if (!error)
		error = is_hang(p) ? record_hang(p) : record_run(p, NULL, 0, &p->failing);
	p->has_failing = !error && p->failing.pool;
	if (!p->has_failing)
		return error;
	error = finish_recording(p, &p->failing);
	if (error)
		return error;
	if (!p->modules)
		p->modules = modules_create();
	/* The output of another build is not known yet. */
	if (!p->options->pass_program && !still_fails(p))
		return explain_unstable(p);
	error = use_recording(p, &p->failing);
	p->has_failing = !error;
	return error;
}

/* --- the reference --- */

static char *find_refusal(struct references *p, const struct reference *candidate)
{
	bool program = candidate->kind == REFERENCE_PROGRAM;

	if (program && p->reference.result.outcome.kind != OUTCOME_EXITED) {
		/* The other build must not fail by itself. */
		struct str text = STR_INIT;

		str_printf(&text, "%s fails with the failing input, too: it ",
		           p->options->pass_program);
		outcome_write_text(&p->reference.result.outcome, &text);
		str_add(&text, "; give a build that does what is right");
		return str_steal(&text);
	}
	if (program) {
		/* The output of the other build is the right one for the failing run. */
		struct trial_result *failing = &p->failing.result;
		const struct trial_result *right = &p->reference.result;

		str_deinit(&failing->right);
		outcome_deinit(&failing->other);
		str_add_bytes(&failing->right, str_text(&right->output), right->output.length);
		outcome_copy(&failing->other, &right->outcome);
	}
	if (program && !still_fails(p))
		return say_unstable(p, &p->failing, NULL);
	return still_passes(p) ? NULL : say_unstable(p, &p->reference, candidate);
}

/* Records a candidate as the reference, unless that is done. *refuses is what is to be said when it
   does not do as it did before; the caller frees it. */
static struct hence_error *
references_record_reference(struct references *p, const struct reference *candidate, char **refuses)
{
	struct hence_error *error = NULL;

	if (!p->reference.pool && p->kept.pool && candidate->kind == REFERENCE_INPUT &&
	    candidate->input == p->kept_input) {
		p->reference = p->kept;
		p->kept = (struct recorded_side){0};
		if (p->reference.recording.death)
			p->reference.recording.death = &p->reference.death;
	} else {
		if (!p->reference.pool)
			error = record_run(p, candidate, 0, &p->reference);
		if (error || !p->reference.pool)
			return error;
		error = finish_recording(p, &p->reference);
	}
	if (error)
		return error;
	p->has_reference = true;
	*refuses = find_refusal(p, candidate);
	return *refuses ? NULL : use_recording(p, &p->reference);
}

static uint64_t count_lines(const struct str *text)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < text->length; i++)
		lines += text->text[i] == '\n';
	return lines;
}

/* For oracle.judge_patched: `context` is the pair. */
static struct hence_error *references_judge_patched(void *context, const struct patch *patch,
                                                    enum verdict *verdict, bool *early)
{
	struct references *p = context;
	const struct predicate predicate = {.patch = *patch};
	const struct reference candidate = {.kind = REFERENCE_PATCHED,
	                                    .given = -1,
	                                    .input = &p->reduced.failing,
	                                    .predicate = &predicate};
	const struct str *before = &p->failing.result.output;
	struct explanation_memory_error found = {0};
	struct recorded_side side = {0};
	struct hence_error *error = record_run(p, &candidate, 0, &side);

	*verdict = VERDICT_UNRESOLVED;
	*early = false;
	if (!error && side.pool && side.result.outcome.kind == OUTCOME_EXITED &&
	    side.result.outcome.status == p->failing.result.outcome.status) {
		error = finish_recording(p, &side);
		if (!error)
			error = use_recording(p, &side);
		if (!error)
			error = memory_error_find(&side.recording, UINT64_MAX,
			                          p->search.budget.until, &found);
		if (!error && !found.kind)
			*verdict = VERDICT_PASS;
		else if (!error && found.at.line == p->memory_error.at.line &&
		         !strcmp(found.kind, p->memory_error.kind))
			*verdict = VERDICT_FAIL;
		*early = count_lines(&side.result.output) < count_lines(before) ||
		         (before->length && !side.result.output.length);
	}
	/* A run that cannot be made or read says nothing. */
	if (error && error->kind == HENCE_ERROR_INPUT) {
		error_destroy(error);
		error = NULL;
	}
	explanation_memory_error_deinit(&found);
	recorded_side_deinit(&side);
	return error;
}

/* NULL: there is none. */
static const struct reference *other_input(const struct references *p)
{
	const struct reference *reference = references_current(p);

	if (!reference || reference->kind != REFERENCE_INPUT)
		return NULL;
	for (uint32_t i = 0; i < p->candidates.size; i++)
		if (&p->candidates.at[i] != reference &&
		    p->candidates.at[i].kind == REFERENCE_INPUT)
			return &p->candidates.at[i];
	return NULL;
}

struct hence_error *references_record_input(struct references *p, const struct input *input,
                                            struct recorded_side *out)
{
	const struct reference candidate = {.kind = REFERENCE_INPUT, .input = input};
	struct hence_error *error = record_run(p, &candidate, 0, out);

	if (error || !out->pool)
		return error;
	error = finish_recording(p, out);
	return error ? error : describe_recording(p, out);
}

static const struct input *passing_input(const struct references *p, uint32_t number)
{
	return &p->failure.passing.at[p->reduced.usable.at[number].index];
}

struct hence_error *references_record_passing(struct references *p, uint32_t number,
                                              struct recorded_side *out)
{
	if (number >= p->reduced.usable.size)
		return NULL;
	return references_record_input(p, passing_input(p, number), out);
}

void references_keep_passing(struct references *p, uint32_t number, struct recorded_side *side)
{
	recorded_side_deinit(&p->kept);
	p->kept = *side;
	p->kept_input = passing_input(p, number);
	if (p->kept.recording.death)
		p->kept.recording.death = &p->kept.death;
	*side = (struct recorded_side){0};
}

struct hence_error *references_record_other(struct references *p, struct recorded_side *out)
{
	const struct reference *other = other_input(p);
	struct hence_error *error = other ? record_run(p, other, 0, out) : NULL;

	if (error || !out->pool)
		return error;
	error = finish_recording(p, out);
	return error ? error : describe_recording(p, out);
}

/* ------ the failing run with a branch going another way ------ */

#define MOST_FOUND   3u
#define MOST_REPEATS 512u /* ways of branches whose samples did not help */
#define PATIENCE     2.0  /* seconds for the search */

/* Adds the failing run, patched at branches where that makes it pass, to the candidates: when the expected
   output is known, those that print just that. */
static void references_add_patched(struct references *p)
{
	const struct budget budget = {.whole = &p->search.budget,
	                              .until = budget_clock() + PATIENCE};
	struct comparison pair = references_comparison(p);
	struct walk_limit before;
	struct hence_error *error;

	predicates_deinit(&p->predicates);
	p->predicates = (struct predicates){0};
	pair.budget = &budget;
	before = walk_set_limit((struct walk_limit){budget_stops, (void *)&budget});
	error = predicates_find(&pair, PREDICATES_NEAREST, MOST_FOUND, MOST_REPEATS,
	                        &p->predicates);
	budget_hide(&budget);
	walk_set_limit(before);
	p->experiments += p->predicates.experiments;
	/* Without them there is less to compare with, and no more. */
	if (error && !budget_is_over(&p->search.budget))
		references_note(
			p, str_format("branches that could go another way: %s", error->message));
	error_destroy(error);
	for (uint32_t i = 0; i < p->predicates.all.size; i++)
		if (predicate_counts(&p->predicates.all.at[i]))
			*vec_push(&p->candidates) =
				(struct reference){.kind = REFERENCE_PATCHED,
			                           .given = -1,
			                           .input = &p->reduced.failing,
			                           .predicate = &p->predicates.all.at[i]};
}

/* --- of a report --- */

static struct hence_error *refuse_patch(const struct recipe_patch *patch)
{
	return error_create(HENCE_ERROR_INPUT,
	                    "there is no branch at %s:%u that could be switched as the report "
	                    "says (time %llu)",
	                    patch->file ? patch->file : "?", patch->line,
	                    (unsigned long long)patch->instance);
}

/* Is there a branch at that point that can go that way? */
static struct hence_error *check_patch(const struct references *p, const struct point *point)
{
	const struct recipe_patch *patch = &p->recipe->patch;
	struct point_sites *sites;
	struct hence_error *error = point_sites_create(&p->failing.recording, &sites);
	uint64_t value;

	if (error)
		return error;
	if (point->count != patch->instance ||
	    !point_sites_find(sites, &point->site, HENCE_SITE_BRANCH, NULL, 0) ||
	    !point_sites_value(sites, &point->site, patch->outcome, &value))
		error = refuse_patch(patch);
	point_sites_destroy(sites);
	return error;
}

/* Adds the failing run, patched as the recipe says. */
static struct hence_error *references_add_patch(struct references *p)
{
	const struct recipe_patch *patch = &p->recipe->patch;
	struct predicate *predicate;
	struct point point;
	struct hence_error *error = points_find(&p->failing.recording, &patch->time, 1, &point);

	if (!error)
		error = check_patch(p, &point);
	if (error)
		return error;
	predicate = vec_push(&p->predicates.all);
	*predicate = (struct predicate){.patch = {.site = point.site,
	                                          .count = point.count,
	                                          .time = point.time,
	                                          .outcome = patch->outcome},
	                                .time = patch->time,
	                                .file = patch->file ? mem_strdup(patch->file) : NULL,
	                                .line = patch->line,
	                                .instance = patch->instance,
	                                .instances = patch->instances};
	*vec_push(&p->candidates) = (struct reference){.kind = REFERENCE_PATCHED,
	                                               .given = -1,
	                                               .input = &p->reduced.failing,
	                                               .predicate = predicate};
	return NULL;
}

/* ------ finding and choosing ------ */

#define MOST_TRIED 3u /* references */
/* How long a search may take unless the user says it: seconds, and the time of so many runs of the program. */
#define DEFAULT_TIME 20.0
#define DEFAULT_RUNS 5.0
/* What it may take to tell what was found, when the time is over: seconds, and a part of the time. */
#define GRACE       0.3
#define GRACE_SHARE 0.05
#define MOST_STATEMENTS                                                                            \
	200000u /* of a failing run for which a better explanation than one that is proven is looked for */

void references_note(struct references *p, char *text)
{
	for (uint32_t i = 0; i < p->notes.size; i++)
		if (!strcmp(p->notes.at[i], text)) {
			free(text);
			return;
		}
	*vec_push(&p->notes) = text;
}

/* Is it so late that even the report of what was found cannot wait for a long run to be read? */
static bool is_overdue(void *context)
{
	struct references *p = context;
	double now = budget_clock(), until = p->search.budget.until;

	if (interrupt_seen() && !p->interrupted)
		p->interrupted = now;
	return (p->interrupted > 0 && now > p->interrupted + GRACE) ||
	       (until > 0 && now > until + GRACE + GRACE_SHARE * (until - p->started));
}

static void begin(struct references *p)
{
	p->began = budget_clock();
	if (!p->started)
		p->started = p->began;
	if (p->options->time > 0)
		p->search.budget.until = p->started + p->options->time;
	walk_set_limit((struct walk_limit){is_overdue, p});
}

/* --- the inputs --- */

/* That it fails is all that is wanted of reduce when the user has given what it is compared with, which is
   chosen when the search proper begins, and the input is to be as it is. */
static void begin_search(void *context, const struct input *failing)
{
	struct search *search = context;
	struct references *p = search->context;
	double now = budget_clock();

	/* All that it took so far was to run the program. */
	if (p->lenient && !search->budget.until)
		search->budget.until =
			p->started + DEFAULT_TIME + (DEFAULT_RUNS + 1) * (now - p->began);
	if (p->alone || p->failure.reduce.passing_count || !p->failure.varies ||
	    p->stage == REFERENCE_EXACT || (p->as_given && p->options->pass_program))
		p->chosen = true;
}

static bool is_chosen(void *context)
{
	const struct references *p = context;

	return p->chosen;
}

/* The failing input that is not to be reduced, or was before. */
static const struct input *as_it_is(const struct references *p)
{
	const struct recipe *recipe = p->recipe;

	if (!recipe || p->of_given)
		return &p->reduced.given;
	return &recipe->failing;
}

/* Has the user said nothing else about what a failure is? */
static bool seeks_memory_error(const struct references *p)
{
	return p->memory_errors && !p->options->test && !p->options->pass_program;
}

void references_take_memory_error(struct references *p)
{
	oracle_deinit(&p->reduced.oracle);
	oracle_create_memory(&p->failure.reduce.oracle, &p->failing.result, &p->reduced.oracle);
	p->reduced.oracle.judge_patched = references_judge_patched;
	p->reduced.oracle.context = p;
	p->reduced.end = REDUCE_STOPPED;
	p->alone = true;
}

/* If the run does not fail, a memory error in it is the failure. */
static void find_memory_error(struct references *p)
{
	struct hence_error *error;

	if (p->reduced.end != REDUCE_NO_FAILURE || p->may_pass || !p->has_failing)
		return;
	budget_show(&p->search.budget, 0, "looking for a memory error");
	error = memory_error_find(&p->failing.recording, UINT64_MAX, p->search.budget.until,
	                          &p->memory_error);
	if (error || !p->memory_error.kind) {
		budget_hide(&p->search.budget);
		search_refuse(p->options, &p->reduced, &p->refused);
		if (error)
			*vec_push(&p->refused.texts) = str_format(
				"whether it makes a memory error is not known: %s", error->message);
		error_destroy(error);
		return;
	}
	references_take_memory_error(p);
}

static struct hence_error *find_inputs(struct references *p)
{
	struct hence_error *error;
	bool found = false;

	p->search.stop = is_chosen;
	p->search.context = p;
	p->failure.reduce.lenient = p->lenient;
	p->failure.reduce.trials.known = &p->known;
	p->failure.reduce.keep = true;
	search_begin(&p->search, p->options, &p->failure.reduce);
	p->failure.reduce.better = begin_search;
	error = reduce_run(&p->failure.reduce, &p->reduced, &found);
	budget_hide(&p->search.budget);
	if (error)
		return error;
	/* Whatever is explained of such a run, the reason may be that call. */
	if (p->reduced.confined && !p->recipe && !p->may_pass &&
	    p->reduced.end != REDUCE_NO_FAILURE &&
	    p->reduced.oracle.failure.kind != FAILURE_OUTPUT) {
		struct str text = STR_INIT;

		str_printf(&text, "%s ", p->options->command[0]);
		oracle_write_text(&p->reduced.oracle, &text);
		str_printf(&text,
		           ", but hence runs it confined, and %s was refused, which may be the "
		           "reason; "
		           "with --unconfined it may do what you may do",
		           p->reduced.confined);
		*vec_push(&p->refused.texts) = str_steal(&text);
		p->refused.why = REFUSED_NOT_KNOWN;
		return NULL;
	}
	if (p->reduced.work)
		p->failure.reduce.trials.work = p->reduced.work;
	if (p->reduced.end != REDUCE_DONE && p->reduced.end != REDUCE_STOPPED &&
	    !(p->reduced.end == REDUCE_NO_FAILURE && (p->may_pass || seeks_memory_error(p))))
		search_refuse(p->options, &p->reduced, &p->refused);
	if (p->as_given || p->reduced.end == REDUCE_NO_FAILURE) {
		input_deinit(&p->reduced.failing);
		p->reduced.failing = (struct input){VEC_INIT};
		input_copy(&p->reduced.failing, as_it_is(p));
	}
	return NULL;
}

/* There is nothing to compare with: why. */
static void note_missing(struct references *p)
{
	if (!p->failure.varies)
		references_note(
			p, str_format("%s has no arguments and no input that could be varied, so "
		                      "there is no run to compare with; give --stdin FILE, --file "
		                      "PATH or --env NAME, or an input that passes with --pass or "
		                      "--pass-stdin",
		                      p->options->command[0]));
	else if (budget_is_over(&p->search.budget))
		references_note(
			p,
			str_format("the search was ended before an input was found that passes"));
	else
		references_note(
			p,
			str_format("no input that passes was found near the failing one; give one "
		                   "with --pass or --pass-stdin"));
}

/* --- candidates --- */

static void add_input(struct references *p, const struct input *input, int given)
{
	*vec_push(&p->candidates) =
		(struct reference){.kind = REFERENCE_INPUT, .given = given, .input = input};
}

static void list_candidates(struct references *p)
{
	const struct reduce_result *r = &p->reduced;

	if (p->alone)
		return;
	if (p->options->pass_program)
		*vec_push(&p->candidates) = (struct reference){
			.kind = REFERENCE_PROGRAM, .given = -1, .input = &r->failing};
	for (uint32_t i = 0; i < r->usable.size; i++)
		add_input(p, &p->failure.passing.at[r->usable.at[i].index],
		          (int)r->usable.at[i].index);
	if (!p->candidates.size && r->has_passing)
		add_input(p, &r->passing, -1);
}

void references_add_edit(struct references *p, const char *edit, const char *text, bool first)
{
	struct reference candidate = {.kind = REFERENCE_EDIT,
	                              .given = -1,
	                              .input = &p->reduced.failing,
	                              .edit = mem_strdup(edit),
	                              .edit_text = mem_strdup(text)};

	vec_push(&p->candidates);
	if (first)
		memmove(p->candidates.at + 1, p->candidates.at,
		        (p->candidates.size - 1) * sizeof(*p->candidates.at));
	p->candidates.at[first ? 0 : p->candidates.size - 1] = candidate;
}

static void forget_candidates(struct references *p)
{
	for (uint32_t i = 0; i < p->candidates.size; i++) {
		free(p->candidates.at[i].edit);
		free(p->candidates.at[i].edit_text);
	}
	p->candidates.size = p->tried = 0;
}

const struct reference *references_current(const struct references *p)
{
	return p->has_reference ? &p->candidates.at[p->tried - 1] : NULL;
}

bool references_is_exact(const struct references *p)
{
	const struct reference *candidate = references_current(p);

	return candidate && (candidate->kind == REFERENCE_PROGRAM ||
	                     oracle_is_expected(&p->reduced.oracle, &p->reference.result.output));
}

/* --- two runs --- */

struct comparison references_comparison(const struct references *p)
{
	return (struct comparison){
		.runs = {{&p->reference.recording, &p->reference.result},
	                 {&p->failing.recording, &p->failing.result}},
		.pools = {p->reference.pool, p->failing.pool},
		.alignment = p->is_aligned ? &p->alignment : NULL,
		.oracle = &p->reduced.oracle,
		.trials = &p->failure.reduce.trials,
		.workers = (uint32_t)p->options->jobs,
		.budget = &p->search.budget,
	};
}

const char *references_program(const struct references *p)
{
	return p->options->path ? p->options->path : p->options->command[0];
}

static struct hence_error *find_versions(struct references *p)
{
	if (references_current(p)->kind == REFERENCE_EDIT)
		return versions_create(p->modules, p->failure.program, p->edited->modules,
		                       p->failure.program, &p->versions);
	if (references_current(p)->kind != REFERENCE_PROGRAM)
		return NULL;
	return versions_create(p->modules, p->failure.program, p->modules, p->failure.other,
	                       &p->versions);
}

static struct hence_error *align(struct references *p)
{
	struct align_options options = {.stop = budget_stops, .context = (void *)&p->search.budget};
	struct hence_error *error = find_versions(p);

	options.versions = p->versions;
	if (!error)
		error = align_runs(&p->failing.recording, &p->reference.recording, &options,
		                   &p->alignment);
	p->is_aligned = !error;
	if (p->is_aligned && !p->alignment.spans.size && !p->alignment.stopped) {
		/* Two versions may be too different. */
		alignment_deinit(&p->alignment);
		p->is_aligned = false;
		references_note(
			p,
			str_format("the two runs have no point in common, so there is nothing to "
		                   "compare%s",
		                   p->versions ? ": no statement that is in the sources of both "
		                                 "builds was executed by both"
		                               : ""));
	}
	return error;
}

/* Takes the next candidate as the reference. */
static struct hence_error *take(struct references *p, char **refuses)
{
	const struct reference *candidate = &p->candidates.at[p->tried++];
	struct hence_error *error;

	budget_show(&p->search.budget, 0, "recording the run to compare with");
	error = references_record_reference(p, candidate, refuses);
	/* The program has no such edit, or it cannot be recorded: there is no reference then. */
	if (error && error->kind == HENCE_ERROR_INPUT && candidate->kind == REFERENCE_EDIT &&
	    !p->edited) {
		references_note(p, mem_strdup(error->message));
		error_destroy(error);
		error = NULL;
	}
	if (!error && !*refuses && p->has_reference && !budget_is_over(&p->search.budget)) {
		budget_show(&p->search.budget, 0, "comparing the two runs");
		error = align(p);
	}
	budget_hide(&p->search.budget);
	return error;
}

static void release(struct references *p)
{
	if (p->is_aligned)
		alignment_deinit(&p->alignment);
	versions_destroy(p->versions);
	recorded_side_deinit(&p->reference);
	edited_destroy(p->edited);
	p->edited = NULL;
	p->versions = NULL;
	p->is_aligned = p->has_reference = false;
}

/* When the time is over, the method under way may return an error for it: what is known is reported. */
static struct hence_error *forgive(struct references *p, struct hence_error *error)
{
	if (error && budget_is_over(&p->search.budget)) {
		error_destroy(error);
		return NULL;
	}
	return error;
}

/* --- one stage after the other --- */

/* Did the user say what the failing run is to be compared with, or with nothing at all? */
static bool is_given(const struct references *p)
{
	return p->alone || p->options->pass_program || p->failure.reduce.passing_count;
}

/* With an expected text the failing run is first compared with itself, changed; else with inputs. */
static enum reference_stage first_stage(const struct references *p)
{
	return oracle_knows_right(&p->failure.reduce.oracle) && !is_given(p) ? REFERENCE_EXACT
	                                                                     : REFERENCE_INPUTS;
}

/* The failing input of this stage: recorded, with the candidates that need no more than that. */
static struct hence_error *begin_stage(struct references *p)
{
	struct hence_error *error = find_inputs(p);

	/* None of the given inputs can be used: from now on it is as if there were none, but for edits, which must
	   leave those alone that print what they should. */
	if (!error && !p->refused.why && p->lenient && p->failure.reduce.passing_count &&
	    !p->reduced.usable.size && !budget_is_over(&p->search.budget)) {
		const char *name;
		bool several;

		/* Why none of the given inputs can be compared with. */
		name = p->options->command[0];
		several = p->failure.passing.size > 1;
		if (p->reduced.alike.size)
			references_note(p, str_format("the passing input%s cannot be compared "
			                              "with, since %s prints the "
			                              "same as with the failing one; changes of "
			                              "the code must leave %s "
			                              "as %s",
			                              several ? "s" : "", name,
			                              several ? "them" : "it",
			                              several ? "they are" : "it is"));
		else
			references_note(
				p, str_format("the passing input%s not pass: %s fails with %s, too "
			                      "(%s%s)",
			                      several ? "s do" : " does", name,
			                      several ? "each" : "it", several ? "the first: " : "",
			                      p->reduced.refusal ? p->reduced.refusal : "?"));
		p->failure.reduce.passing_count = 0;
		p->stage = first_stage(p);
		if (p->stage == REFERENCE_INPUTS) {
			struct reduce_result first = p->reduced;

			p->reduced = (struct reduce_result){0};
			p->chosen = false;
			error = find_inputs(p);
			reduce_result_deinit(&first);
		}
	}
	if (error || p->refused.why)
		return error;
	if (p->stage == REFERENCE_INPUTS) {
		const struct reduce_result *r;

		r = &p->reduced;
		if (r->note)
			references_note(p, mem_strdup(r->note));
		if (r->refused)
			references_note(
				p, str_format("%u of the passing inputs %s not pass and %s left "
			                      "out (%s%s)",
			                      r->refused, r->refused == 1 ? "does" : "do",
			                      r->refused == 1 ? "was" : "were",
			                      r->refused == 1 ? "" : "the first: ", r->refusal));
		list_candidates(p);
	}
	budget_show(&p->search.budget, 0, "recording the failing run");
	error = references_record_failing(p);
	if (!error && !p->refused.why)
		find_memory_error(p);
	budget_hide(&p->search.budget);
	if (!error && !p->refused.why && p->has_failing && p->recorded && !p->told) {
		p->told = true;
		p->recorded(p, p->context);
	}
	if (!error && !p->refused.why && p->has_failing && p->stage == REFERENCE_EXACT &&
	    !p->alone && !budget_is_over(&p->search.budget))
		references_add_patched(p);
	return error;
}

/* Goes on until there is a candidate that was not tried, or no stage is left. */
static struct hence_error *find_candidates(struct references *p)
{
	struct hence_error *error = NULL;

	while (!error && !p->refused.why && p->tried == p->candidates.size &&
	       p->stage != REFERENCE_LAST && !is_given(p) && !budget_is_over(&p->search.budget) &&
	       !(p->waits && p->stage == REFERENCE_EXACT)) {
		if (p->stage++ == REFERENCE_EXACT) {
			/* Forgets the failing run as it was given. */
			release(p);
			recorded_side_deinit(&p->kept);
			recorded_side_deinit(&p->failing);
			reduce_result_deinit(&p->reduced);
			p->has_failing = p->chosen = false;
			forget_candidates(p);
			error = begin_stage(p);
		} else if (!oracle_knows_right(&p->failure.reduce.oracle) && p->has_failing) {
			/* With an expected text, there is none: it was searched for before. */
			references_add_patched(p);
		}
	}
	return error;
}

/* --- the whole --- */

/* What is wrong with these is found before the search, which may take long. */
static struct hence_error *check(const struct references *p)
{
	struct executable program = {0}, other = {0};
	struct hence_error *error = executable_find(references_program(p), &program);

	if (!error && program.script)
		error = error_create(HENCE_ERROR_INPUT,
		                     "%s is a script that runs other programs (libtool's are in "
		                     ".libs); give the one that fails",
		                     program.name);
	if (!error && p->options->pass_program)
		error = executable_find(p->options->pass_program, &other);
	executable_deinit(&program);
	executable_deinit(&other);
	return error;
}

static struct hence_error *compare(struct references *p)
{
	struct hence_error *error = find_candidates(p);
	char *refuses = NULL;

	if (error || p->refused.why || p->tried == p->candidates.size ||
	    budget_is_over(&p->search.budget))
		return error;
	error = take(p, &refuses);
	if (refuses) {
		*vec_push(&p->refused.texts) = refuses;
		p->refused.why = REFUSED_NOT_KNOWN;
	}
	return error;
}

void references_begin(struct references *p, const struct explain_question *question)
{
	*p = (struct references){.options = question->failure,
	                         .search = question->search,
	                         .started = question->started,
	                         .run_options = *question->run,
	                         .run = {.input = -1, .output = -1}};
	p->words[0] = (char *)references_program(p);
	p->run_options.command = p->words;
	p->run.options = &p->run_options;
}

struct hence_error *references_find(struct references *p)
{
	struct hence_error *error = check(p);

	begin(p);
	if (!error)
		error = failure_case_read(p->options, &p->failure);
	if (error)
		return error;
	p->stage = first_stage(p);
	error = begin_stage(p);
	if (!error && !p->refused.why && p->has_failing)
		error = compare(p);
	if (!error && !p->refused.why && !p->candidates.size && !p->alone &&
	    !(p->waits && p->stage == REFERENCE_EXACT))
		note_missing(p);
	return forgive(p, error);
}

struct hence_error *references_repeat(struct references *p)
{
	struct hence_error *error = check(p);

	begin(p);
	p->as_given = true;
	p->stage = REFERENCE_LAST;
	if (!error)
		error = references_fill(p);
	if (!error)
		error = find_inputs(p);
	if (error || p->refused.why)
		return error;
	list_candidates(p);
	error = references_record_failing(p);
	if (!error && !p->refused.why)
		find_memory_error(p);
	if (!error && !p->refused.why && p->has_failing && p->recipe->kind == RECIPE_PATCHED &&
	    !p->alone)
		error = references_add_patch(p);
	if (!error && !p->refused.why && p->has_failing && p->recipe->kind == RECIPE_EDIT &&
	    !p->alone)
		references_add_edit(p, p->recipe->edit, p->recipe->edit, true);
	if (error || p->refused.why || !p->has_failing)
		return forgive(p, error);
	return forgive(p, compare(p));
}

/* Is one more worth while? */
static bool wants_more(struct references *p, bool explained)
{
	const struct reference *now = references_current(p);

	if (p->tried >= MOST_TRIED || budget_is_over(&p->search.budget) || !p->has_failing)
		return false;
	if (!explained)
		return true;
	return p->tried < p->candidates.size && now &&
	       p->candidates.at[p->tried].kind == now->kind &&
	       p->alignment.a_statements <= MOST_STATEMENTS;
}

struct hence_error *references_next(struct references *p, bool explained, bool *more)
{
	struct hence_error *error;
	char *refuses = NULL;

	*more = false;
	p->waits = false;
	if (!wants_more(p, explained))
		return NULL;
	error = explained ? NULL : find_candidates(p);
	if (!error && !p->refused.why && p->tried < p->candidates.size) {
		release(p);
		*more = true;
		error = take(p, &refuses);
	}
	if (refuses)
		references_note(p, refuses);
	if (!error && !p->refused.why && !p->candidates.size && !p->alone)
		note_missing(p);
	return forgive(p, error);
}

void references_deinit(struct references *p)
{
	walk_set_limit((struct walk_limit){NULL, NULL});
	release(p);
	recorded_side_deinit(&p->kept);
	recorded_side_deinit(&p->failing);
	forget_candidates(p);
	vec_deinit(&p->candidates);
	explanation_memory_error_deinit(&p->memory_error);
	predicates_deinit(&p->predicates);
	if (p->modules)
		modules_destroy(p->modules);
	run_deinit(&p->run);
	reduce_result_deinit(&p->reduced);
	failure_case_deinit(&p->failure);
	trials_known_deinit(&p->known);
	vec_free(&p->notes);
	refused_deinit(&p->refused);
}
