/* The failing run and its reference: see pair.h. */
#include "cli/pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "report/recipe.h"
#include "trace/walk.h"

#define MOST_TRIED 3u /* references */
/* How long a search may take unless the user says it: seconds, and the time of so many runs of the program. */
#define DEFAULT_TIME 20.0
#define DEFAULT_RUNS 5.0
/* What it may take to tell what was found, when the time is over: seconds, and a part of the time. */
#define GRACE       0.3
#define GRACE_SHARE 0.05
#define MOST_STATEMENTS                                                                            \
	200000u /* of a failing run for which a better explanation than one that is proven is looked for */

void pair_note(struct pair *p, char *text)
{
	for (uint32_t i = 0; i < p->notes.size; i++)
		if (!strcmp(p->notes.at[i], text)) {
			free(text);
			return;
		}
	*vec_push(&p->notes) = text;
}

/* Is even what it takes to tell what was found too late? Whoever reads a long run then is ended. */
static bool is_overdue(void *context)
{
	struct pair *p = context;
	double now = budget_clock(), until = p->search.budget.until;

	if (interrupt_seen() && !p->interrupted)
		p->interrupted = now;
	return (p->interrupted > 0 && now > p->interrupted + GRACE) ||
	       (until > 0 && now > until + GRACE + GRACE_SHARE * (until - p->started));
}

static void begin(struct pair *p)
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
	struct pair *p = search->context;
	double now = budget_clock();

	/* All that it took so far was to run the program. */
	if (p->lenient && !search->budget.until)
		search->budget.until =
			p->started + DEFAULT_TIME + (DEFAULT_RUNS + 1) * (now - p->began);
	if (p->alone || p->failure.reduce.passing_count || !p->failure.varies ||
	    p->stage == PAIR_EXACT || (p->as_given && p->options->pass_program))
		p->chosen = true;
}

static bool is_chosen(void *context)
{
	const struct pair *p = context;

	return p->chosen;
}

/* The failing input that is not to be reduced, or was before. */
static const struct input *as_it_is(const struct pair *p)
{
	const struct recipe *recipe = p->recipe;

	if (!recipe || p->of_given)
		return &p->reduced.given;
	return &recipe->failing;
}

/* Has the user said nothing else about what a failure is? */
static bool seeks_memory_error(const struct pair *p)
{
	return p->memory_errors && !p->options->test && !p->options->pass_program &&
	       !p->failure.reduce.oracle.expected;
}

void pair_take_memory_error(struct pair *p)
{
	oracle_deinit(&p->reduced.oracle);
	oracle_create_memory(&p->failure.reduce.oracle, &p->failing.result, &p->reduced.oracle);
	p->reduced.oracle.judge_patched = pair_judge_patched;
	p->reduced.oracle.context = p;
	p->reduced.end = REDUCE_STOPPED;
	p->alone = true;
}

/* If the run does not fail, a memory error in it is the failure. */
static void find_memory_error(struct pair *p, int *code)
{
	struct hence_error *error;

	if (p->reduced.end != REDUCE_NO_FAILURE || p->may_pass || !p->has_failing)
		return;
	budget_show(&p->search.budget, 0, "looking for a memory error");
	error = memory_error_find(&p->failing.recording, UINT64_MAX, p->search.budget.until,
	                          &p->memory_error);
	if (error || !p->memory_error.kind) {
		budget_hide(&p->search.budget);
		*code = search_refuse(p->options, &p->reduced);
		if (error)
			fprintf(stderr, "hence: whether it makes a memory error is not known: %s\n",
			        error->message);
		error_destroy(error);
		return;
	}
	pair_take_memory_error(p);
}

static struct hence_error *find_inputs(struct pair *p, int *code)
{
	struct hence_error *error;
	bool found = false;

	p->search.stop = is_chosen;
	p->search.context = p;
	p->failure.reduce.lenient = p->lenient;
	search_begin(&p->search, p->options, &p->failure.reduce);
	p->failure.reduce.better = begin_search;
	error = reduce_run(&p->failure.reduce, &p->reduced, &found);
	budget_hide(&p->search.budget);
	if (error)
		return error;
	if (p->reduced.end != REDUCE_DONE && p->reduced.end != REDUCE_STOPPED &&
	    !(p->reduced.end == REDUCE_NO_FAILURE && (p->may_pass || seeks_memory_error(p))))
		*code = search_refuse(p->options, &p->reduced);
	if (p->as_given || p->reduced.end == REDUCE_NO_FAILURE) {
		input_deinit(&p->reduced.failing);
		p->reduced.failing = (struct input){VEC_INIT};
		input_copy(&p->reduced.failing, as_it_is(p));
	}
	return NULL;
}

/* Why none of the given inputs can be compared with. */
static void note_refused(struct pair *p)
{
	const char *name = p->options->command[0];
	bool several = p->failure.passing.size > 1;

	if (p->reduced.alike.size)
		pair_note(
			p,
			str_format(
				"the passing input%s cannot be compared with, since %s prints the "
				"same as with the failing one; changes of the code must leave %s "
				"as %s",
				several ? "s" : "", name, several ? "them" : "it",
				several ? "they are" : "it is"));
	else
		pair_note(p, str_format("the passing input%s not pass: %s fails with %s, too",
		                        several ? "s do" : " does", name, several ? "each" : "it"));
}

static void note_inputs(struct pair *p)
{
	const struct reduce_result *r = &p->reduced;

	if (r->note)
		pair_note(p, mem_strdup(r->note));
	if (r->refused)
		pair_note(p, str_format("%u of the passing inputs %s not pass and %s left out",
		                        r->refused, r->refused == 1 ? "does" : "do",
		                        r->refused == 1 ? "was" : "were"));
}

/* There is nothing to compare with: why. */
static void note_missing(struct pair *p)
{
	if (!p->failure.varies)
		pair_note(p,
		          str_format("%s has no arguments and no input that could be varied, so "
		                     "there is no run to compare with; give --stdin FILE, --file "
		                     "PATH or --env NAME, or an input that passes with --pass or "
		                     "--pass-stdin",
		                     p->options->command[0]));
	else if (budget_is_over(&p->search.budget))
		pair_note(p,
		          str_format("the search was ended before an input was found that passes"));
	else
		pair_note(
			p,
			str_format("no input that passes was found near the failing one; give one "
		                   "with --pass or --pass-stdin"));
}

/* --- candidates --- */

static void add_input(struct pair *p, const struct input *input, int given)
{
	*vec_push(&p->candidates) =
		(struct pair_candidate){.kind = PAIR_INPUT, .given = given, .input = input};
}

static void list_candidates(struct pair *p)
{
	const struct reduce_result *r = &p->reduced;

	if (p->alone)
		return;
	if (p->options->pass_program)
		*vec_push(&p->candidates) = (struct pair_candidate){
			.kind = PAIR_PROGRAM, .given = -1, .input = &r->failing};
	for (uint32_t i = 0; i < r->usable.size; i++)
		add_input(p, &p->failure.passing.at[r->usable.at[i].index],
		          (int)r->usable.at[i].index);
	if (!p->candidates.size && r->has_passing)
		add_input(p, &r->passing, -1);
}

void pair_add_edit(struct pair *p, const char *edit, const char *text, bool first)
{
	struct pair_candidate candidate = {.kind = PAIR_EDIT,
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

static void forget_candidates(struct pair *p)
{
	for (uint32_t i = 0; i < p->candidates.size; i++) {
		free(p->candidates.at[i].edit);
		free(p->candidates.at[i].edit_text);
	}
	p->candidates.size = p->tried = 0;
}

const struct pair_candidate *pair_reference(const struct pair *p)
{
	return p->has_reference ? &p->candidates.at[p->tried - 1] : NULL;
}

bool pair_is_exact(const struct pair *p)
{
	const struct pair_candidate *candidate = pair_reference(p);

	return candidate && (candidate->kind == PAIR_PROGRAM ||
	                     oracle_is_expected(&p->reduced.oracle, &p->reference.result.output));
}

/* --- two runs --- */

struct comparison pair_comparison(const struct pair *p)
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

const char *pair_program(const struct pair *p)
{
	return p->options->path ? p->options->path : p->options->command[0];
}

static struct hence_error *find_versions(struct pair *p)
{
	if (pair_reference(p)->kind == PAIR_EDIT)
		return versions_create(p->modules, p->failure.program, p->edited->modules,
		                       p->failure.program, &p->versions);
	if (pair_reference(p)->kind != PAIR_PROGRAM)
		return NULL;
	return versions_create(p->modules, p->failure.program, p->modules, p->failure.other,
	                       &p->versions);
}

/* Two versions may be too different. */
static void drop_alignment(struct pair *p)
{
	alignment_deinit(&p->alignment);
	p->is_aligned = false;
	pair_note(p, str_format("the two runs have no point in common, so there is nothing to "
	                        "compare%s",
	                        p->versions ? ": no statement that is in the sources of both "
	                                      "builds was executed by both"
	                                    : ""));
}

static struct hence_error *align(struct pair *p)
{
	struct align_options options = {.stop = budget_stops, .context = (void *)&p->search.budget};
	struct hence_error *error = find_versions(p);

	options.versions = p->versions;
	if (!error)
		error = align_runs(&p->failing.recording, &p->reference.recording, &options,
		                   &p->alignment);
	p->is_aligned = !error;
	if (p->is_aligned && !p->alignment.spans.size && !p->alignment.stopped)
		drop_alignment(p);
	return error;
}

/* Takes the next candidate as the reference. */
static struct hence_error *take(struct pair *p, char **refuses)
{
	const struct pair_candidate *candidate = &p->candidates.at[p->tried++];
	struct hence_error *error;

	budget_show(&p->search.budget, 0, "recording the run to compare with");
	error = pair_record_reference(p, candidate, refuses);
	/* The program has no such edit, or it cannot be recorded: there is no reference then. */
	if (error && error->kind == HENCE_ERROR_INPUT && candidate->kind == PAIR_EDIT &&
	    !p->edited) {
		pair_note(p, mem_strdup(error->message));
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

static void release(struct pair *p)
{
	if (p->is_aligned)
		alignment_deinit(&p->alignment);
	versions_destroy(p->versions);
	pair_side_deinit(&p->reference);
	edited_destroy(p->edited);
	p->edited = NULL;
	p->versions = NULL;
	p->is_aligned = p->has_reference = false;
}

/* Whoever was at work when the time was over may call it an error. What is known is told. */
static struct hence_error *forgive(struct pair *p, struct hence_error *error)
{
	if (error && budget_is_over(&p->search.budget)) {
		error_destroy(error);
		return NULL;
	}
	return error;
}

/* --- one stage after the other --- */

/* Did the user say what the failing run is to be compared with, or with nothing at all? */
static bool is_given(const struct pair *p)
{
	return p->alone || p->options->pass_program || p->failure.reduce.passing_count;
}

/* With an expected text the failing run is first compared with itself, changed; else with inputs. */
static enum pair_stage first_stage(const struct pair *p)
{
	return p->failure.reduce.oracle.expected && !is_given(p) ? PAIR_EXACT : PAIR_INPUTS;
}

/* The failing input of this stage: recorded, with the candidates that need no more than that. */
static struct hence_error *begin_stage(struct pair *p, int *code)
{
	struct hence_error *error = find_inputs(p, code);

	/* None of the given inputs can be used: from now on it is as if there were none, but for edits, which must
	   leave those alone that print what they should. */
	if (!error && !*code && p->lenient && p->failure.reduce.passing_count &&
	    !p->reduced.usable.size && !budget_is_over(&p->search.budget)) {
		note_refused(p);
		p->failure.reduce.passing_count = 0;
		p->stage = first_stage(p);
		if (p->stage == PAIR_INPUTS) {
			struct reduce_result first = p->reduced;

			p->reduced = (struct reduce_result){0};
			p->chosen = false;
			error = find_inputs(p, code);
			reduce_result_deinit(&first);
		}
	}
	if (error || *code)
		return error;
	if (p->stage == PAIR_INPUTS) {
		note_inputs(p);
		list_candidates(p);
	}
	budget_show(&p->search.budget, 0, "recording the failing run");
	error = pair_record_failing(p, code);
	if (!error && !*code)
		find_memory_error(p, code);
	budget_hide(&p->search.budget);
	if (!error && !*code && p->has_failing && p->recorded && !p->told) {
		p->told = true;
		p->recorded(p, p->context);
	}
	if (!error && !*code && p->has_failing && p->stage == PAIR_EXACT &&
	    !budget_is_over(&p->search.budget))
		pair_add_patched(p);
	return error;
}

/* Forgets the failing run as it was given. */
static void forget_stage(struct pair *p)
{
	release(p);
	pair_side_deinit(&p->failing);
	reduce_result_deinit(&p->reduced);
	p->has_failing = p->chosen = false;
	forget_candidates(p);
}

/* Goes on until there is a candidate that was not tried, or no stage is left. */
static struct hence_error *find_candidates(struct pair *p, int *code)
{
	struct hence_error *error = NULL;

	while (!error && !*code && p->tried == p->candidates.size && p->stage != PAIR_LAST &&
	       !is_given(p) && !budget_is_over(&p->search.budget) &&
	       !(p->waits && p->stage == PAIR_EXACT)) {
		if (p->stage++ == PAIR_EXACT) {
			forget_stage(p);
			error = begin_stage(p, code);
		} else if (!p->failure.reduce.oracle.expected && p->has_failing) {
			/* With an expected text, there is none: it was searched for before. */
			pair_add_patched(p);
		}
	}
	return error;
}

/* --- the whole --- */

/* A long search for nothing would be a pity. */
static struct hence_error *check(const struct pair *p)
{
	struct executable program = {0}, other = {0};
	struct hence_error *error = executable_find(pair_program(p), &program);

	if (!error && program.script)
		error = error_create(
			HENCE_ERROR_INPUT,
			"%s is no program of its own but runs others (libtool's are in "
			".libs); give the one that fails",
			program.name);
	if (!error && p->options->pass_program)
		error = executable_find(p->options->pass_program, &other);
	executable_deinit(&program);
	executable_deinit(&other);
	return error;
}

static struct hence_error *compare(struct pair *p, int *code)
{
	struct hence_error *error = find_candidates(p, code);
	char *refuses = NULL;

	if (error || *code || p->tried == p->candidates.size || budget_is_over(&p->search.budget))
		return error;
	error = take(p, &refuses);
	if (refuses) {
		fprintf(stderr, "hence: %s\n", refuses);
		*code = CLI_NOT_PROVEN;
	}
	free(refuses);
	return error;
}

struct hence_error *pair_find(struct pair *p, int *code)
{
	struct hence_error *error = check(p);

	begin(p);
	if (!error)
		error = failure_case_read(p->options, &p->failure);
	if (error)
		return error;
	p->stage = first_stage(p);
	error = begin_stage(p, code);
	if (!error && !*code && p->has_failing)
		error = compare(p, code);
	if (!error && !*code && !p->candidates.size && !p->alone &&
	    !(p->waits && p->stage == PAIR_EXACT))
		note_missing(p);
	return forgive(p, error);
}

struct hence_error *pair_repeat(struct pair *p, int *code)
{
	struct hence_error *error = check(p);

	begin(p);
	p->as_given = true;
	p->stage = PAIR_LAST;
	if (!error)
		error = pair_fill(p);
	if (!error)
		error = find_inputs(p, code);
	if (error || *code)
		return error;
	list_candidates(p);
	error = pair_record_failing(p, code);
	if (!error && !*code)
		find_memory_error(p, code);
	if (!error && !*code && p->has_failing && p->recipe->kind == RECIPE_PATCHED && !p->alone)
		error = pair_add_patch(p);
	if (!error && !*code && p->has_failing && p->recipe->kind == RECIPE_EDIT && !p->alone)
		pair_add_edit(p, p->recipe->edit, p->recipe->edit, true);
	if (error || *code || !p->has_failing)
		return forgive(p, error);
	return forgive(p, compare(p, code));
}

/* Is one more worth while? */
static bool wants_more(struct pair *p, bool explained)
{
	const struct pair_candidate *now = pair_reference(p);

	if (p->tried >= MOST_TRIED || budget_is_over(&p->search.budget) || !p->has_failing)
		return false;
	if (!explained)
		return true;
	return p->tried < p->candidates.size && now &&
	       p->candidates.at[p->tried].kind == now->kind &&
	       p->alignment.a_statements <= MOST_STATEMENTS;
}

struct hence_error *pair_next(struct pair *p, bool explained, bool *more)
{
	struct hence_error *error;
	char *refuses = NULL;
	int code = 0;

	*more = false;
	p->waits = false;
	if (!wants_more(p, explained))
		return NULL;
	error = explained ? NULL : find_candidates(p, &code);
	if (!error && !code && p->tried < p->candidates.size) {
		release(p);
		*more = true;
		error = take(p, &refuses);
	}
	if (refuses)
		pair_note(p, refuses);
	if (!error && !code && !p->candidates.size && !p->alone)
		note_missing(p);
	return forgive(p, error);
}

void pair_deinit(struct pair *p)
{
	walk_set_limit((struct walk_limit){NULL, NULL});
	release(p);
	pair_side_deinit(&p->failing);
	forget_candidates(p);
	vec_deinit(&p->candidates);
	explanation_memory_error_deinit(&p->memory_error);
	predicates_deinit(&p->predicates);
	if (p->modules)
		modules_destroy(p->modules);
	run_deinit(&p->run);
	reduce_result_deinit(&p->reduced);
	failure_case_deinit(&p->failure);
	for (uint32_t i = 0; i < p->notes.size; i++)
		free(p->notes.at[i]);
	vec_deinit(&p->notes);
}
