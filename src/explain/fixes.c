/* Plausible edits of the program: see fixes.h. */
#include "explain/fixes.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "edit/text.h"
#include "explain/suspects.h"
#include "explain/provenance.h"
#include "explain/steps.h"
#include "explain/rank_suite.h"
#include "explain/suspects_slices.h"
#include "base/interrupt.h"
#include "report/source.h"
#include "spectra/executed.h"
#include "spectra/spectra.h"
#include "spectra/values.h"

/* ------ the search ------ */

#define MOST_TESTS  200u
#define SLICE_SHARE 0.3 /* of the time, at most */
#define SLICE_TIME  2.0 /* seconds, if there is no limit */
#define SLICE_COST  250 /* times the walk over the run, about */
#define UNTOLD                                                                                     \
	0.2 /* how suspicious a line is that all tests execute, beside one that only failing ones do */
#define DECODE_COST 5 /* the same, at least */

MAP_DEFINE_STRING(line_map, double);

struct work {
	struct references *pair;
	const struct spectra *spectra; /* of known runs; NULL: there are none */
	struct fixes_time time;
	uint32_t looked_at;           /* of what was found, */
	double plausible;             /* and when the first plausible edit was; 0: none yet */
	struct suspect_lines lines;   /* that may have to do with the failure */
	struct line_map sliced;       /* the same, by 'FILE:LINE' */
	struct line_map told;         /* how suspicious tests make a line */
	bool looked;                  /* for them */
	struct values *own;           /* what the failing run computes; NULL: not known */
	VEC(struct values *) passing; /* and runs that pass */
	const char *last_file;        /* that was asked for, */
	unsigned last_line;
	double last;                     /* and the answer */
	struct budget budget;            /* of all this */
	struct budget slicing;           /* of finding out where to look first */
	const struct edit_search *found; /* so far */
	VEC(struct edit_test) tests;
};

#define GRACE 1.0 /* seconds after the first plausible edit, for others of its line and elsewhere */

/* A run that takes all that is left to be decoded once has no cause tree and no chain: edits are all that may come of it. And
   where no edit fits yet, the next one may be the defect: other methods find it less often. */
static double limit(struct work *w)
{
	const struct fixes_time *t = &w->time;

	if (t->patient > 0 &&
	    w->found->walk * DECODE_COST > w->pair->search.budget.until - t->until)
		return t->patient;
	for (; w->looked_at < w->found->found.size && !w->plausible; w->looked_at++) {
		const struct edit_found *f = &w->found->found.at[w->looked_at];

		if (f->passing == f->passing_of && f->failing == f->failing_of)
			w->plausible = budget_clock();
	}
	if (!w->plausible)
		return t->hopeful > 0 ? t->hopeful : t->until;
	return t->hopeful > 0 ? fmin(fmax(t->until, w->plausible + GRACE), t->hopeful) : t->until;
}

static bool is_limit_over(void *context)
{
	double until = limit(context);

	return until > 0 && budget_clock() >= until;
}

static bool is_over(void *context)
{
	const struct work *w = context;

	return budget_is_over(&w->budget);
}

static void show(void *context, uint64_t edits, const char *phase)
{
	struct work *w = context;

	struct budget budget = w->pair->search.budget;

	if (w->time.until > 0)
		budget.until = limit(w);
	budget_show(&budget, edits, phase);
}

/* --- where to look first --- */

#define LARGE       150u /* lines that are executed: in a smaller program nearly all edits are tried */
#define MOST_VALUES 3u /* runs that pass that are decoded */
#define SAME_VALUES                                                                                \
	0.20 /* how suspicious a line is that computes the same in one of them, beside others */

static bool ends_right(const struct edit_test *t, const struct trial_result *r)
{
	if (r->outcome.kind != OUTCOME_EXITED ||
	    r->outcome.status != (t->has_status ? t->status : 0))
		return false;
	return !t->has_output ||
	       (r->output.length >= t->output.length &&
	        !memcmp(str_text(&r->output), str_text(&t->output), t->output.length));
}

/* In a large program most of what is executed goes as in runs that pass: it starts up, and reads input of the same kind. What
   cannot be recorded or decoded in time tells nothing. */
static void find_values(struct work *w)
{
	struct hence_error *error = NULL;

	if (!w->tests.size || (w->spectra && w->spectra->failed && w->spectra->lines.size < LARGE))
		return;
	error = values_find(&w->pair->failing.recording, budget_stops, &w->slicing, &w->own);
	for (uint32_t i = 0; i < w->tests.size && w->passing.size < MOST_VALUES && w->own && !error;
	     i++) {
		struct recorded_side side = {0};
		struct values *values = NULL;

		if (budget_is_over(&w->slicing))
			break;
		error = references_record_input(w->pair, &w->tests.at[i].input, &side);
		if (!error && side.pool && ends_right(&w->tests.at[i], &side.result))
			error = values_find(&side.recording, budget_stops, &w->slicing, &values);
		if (values)
			*vec_push(&w->passing) = values;
		recorded_side_deinit(&side);
	}
	error_destroy(error);
}

/* The lines between the input and the failure are found first, unless the run is so long that this takes more
   than its share of the time. Without them all are alike. */
static void find_lines(struct work *w)
{
	const struct references *p = w->pair;
	double now = budget_clock();
	const struct suspect_chop chop = {
		.run = &p->failing.recording,
		.result = &p->failing.result,
		.oracle = &p->reduced.oracle,
		.failing = &p->reduced.failing,
		.budget = &w->slicing,
	};

	w->looked = true;
	for (uint32_t i = 0; w->spectra && i < w->spectra->lines.size; i++) {
		const struct spectra_line *line = &w->spectra->lines.at[i];
		const struct spectra_counts counts = {line->failed, line->passed,
		                                      w->spectra->failed, w->spectra->passed};

		*line_map_put(&w->told, str_format("%s:%u", line->file, line->line)) =
			UNTOLD + (1 - UNTOLD) * spectra_evidence(SPECTRA_OCHIAI, &counts);
	}
	w->slicing.whole = &w->budget;
	w->slicing.until =
		now + (w->time.until > 0 ? SLICE_SHARE * (w->time.until - now) : SLICE_TIME);
	find_values(w);
	if (budget_clock() + SLICE_COST * w->found->walk > w->slicing.until)
		return;
	error_destroy(suspect_lines_add_chop(&w->lines, &chop));
	for (uint32_t i = 0; i < w->lines.all.size; i++) {
		const struct explanation_place *at = &w->lines.all.at[i];

		if (at->file)
			*line_map_put(&w->sliced, str_format("%s:%u", at->file, at->line)) = 1;
	}
}

static bool is_same(const struct work *w, const char *file, unsigned line)
{
	for (uint32_t i = 0; i < w->passing.size; i++)
		if (values_same(w->own, w->passing.at[i], file, line))
			return true;
	return false;
}

static double suspicion(void *context, const char *file, unsigned line)
{
	struct work *w = context;
	const double *told;
	char key[4096];

	if (!w->looked)
		find_lines(w);
	/* Edits of a line come one after the other. */
	if (line == w->last_line && file == w->last_file)
		return w->last;
	snprintf(key, sizeof(key), "%s:%u", file, line);
	told = line_map_find(&w->told, key);
	w->last_file = file;
	w->last_line = line;
	w->last = w->sliced.size && !line_map_find(&w->sliced, key) ? 0 : told ? *told : 1;
	if (is_same(w, file, line))
		w->last *= SAME_VALUES;
	return w->last;
}

static void forget_lines(struct work *w)
{
	map_each(&w->sliced, i) free((char *)w->sliced.at[i].key);
	map_each(&w->told, i) free((char *)w->told.at[i].key);
	line_map_deinit(&w->sliced);
	line_map_deinit(&w->told);
	suspect_lines_deinit(&w->lines);
	values_destroy(w->own);
	for (uint32_t i = 0; i < w->passing.size; i++)
		values_destroy(w->passing.at[i]);
	vec_deinit(&w->passing);
}

/* --- other runs --- */

static bool is_known(const struct work *w, const struct input *input)
{
	for (uint32_t i = 0; i < w->tests.size; i++)
		if (input_equal(&w->tests.at[i].input, input))
			return true;
	return input_equal(input, &w->pair->reduced.given);
}

/* Files and variables are as the failing run has them. */
static void add_rest(const struct work *w, struct input *input)
{
	const struct input *failing = &w->pair->reduced.given;

	for (uint32_t i = 0; i < failing->parts.size; i++) {
		const struct input_part *part = &failing->parts.at[i];

		if (part->kind != INPUT_FILE && part->kind != INPUT_VARIABLE)
			continue;
		input_add_bytes(input, part->kind, part->name, part->bytes.text,
		                part->bytes.length);
		input->parts.at[input->parts.size - 1].unset = part->unset;
		input->parts.at[input->parts.size - 1].varied = part->varied;
	}
}

static struct hence_error *add_test(struct work *w, const struct suite_test *t)
{
	struct input input = {VEC_INIT};
	struct hence_error *error = NULL;
	struct edit_test *test;

	/* What would be right is not known. */
	if (t->expected == SUITE_FAILS || w->tests.size == MOST_TESTS)
		return NULL;
	for (uint32_t i = 1; i < t->command.size; i++)
		input_add_bytes(&input, INPUT_ARGUMENT, NULL, t->command.at[i],
		                strlen(t->command.at[i]));
	if (t->input)
		error = input_add_file(&input, INPUT_STDIN, NULL, t->input);
	if (!error)
		add_rest(w, &input);
	if (error || is_known(w, &input)) {
		input_deinit(&input);
		return error;
	}
	test = vec_push(&w->tests);
	test->input = input;
	test->has_status = suite_has_status(t);
	test->status = t->status;
	test->has_output = t->expected == SUITE_OUTPUT;
	test->line = !t->output_file;
	str_add_bytes(&test->output, str_text(&t->output), t->output.length);
	return NULL;
}

/* The tests of the program in the file of --tests. */
static struct hence_error *add_suite(struct work *w, const char *path)
{
	struct rank_suite suite = {0};
	int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct hence_error *error;
	struct stat info;

	if (here < 0 || stat(w->pair->failure.program, &info))
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot look at %s",
		                         w->pair->failure.program);
	else
		error = rank_suite_read(path, &suite);
	for (uint32_t i = 0; i < suite.suite.tests.size && !error; i++)
		if (rank_is_file(suite.suite.tests.at[i].command.at[0], &info))
			error = add_test(w, &suite.suite.tests.at[i]);
	rank_suite_deinit(&suite);
	if (here >= 0 && fchdir(here) && !error)
		error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot go back");
	if (here >= 0)
		close(here);
	return error;
}

/* --- what passing runs execute --- */

#define MOST_PASSING   5u  /* that are recorded for it */
#define EXECUTED_TIME  2.0 /* seconds, if there is no limit for all */
#define EXECUTED_SHARE 0.1 /* of the time that is left */

static void tell_line(void *context, const char *file, unsigned line, const char *function)
{
	spectra_add(context, file, line, function);
}

void fixes_find_executed(const struct explain_question *question, struct references *pair,
                         struct spectra *out)
{
	double now = budget_clock(), until = pair->search.budget.until;
	struct hence_error *error = NULL;
	bool more = true;

	if ((question->spectra && question->spectra->failed) || question->failure->pass_program ||
	    !pair->reduced.usable.size)
		return;
	until = now + (until > 0 ? EXECUTED_SHARE * (until - now) : EXECUTED_TIME);
	for (uint32_t i = 0; i < MOST_PASSING && !error && more && budget_clock() < until; i++) {
		struct recorded_side passing = {0};

		error = references_record_passing(pair, i, &passing);
		more = passing.pool;
		if (!error && more) {
			spectra_begin(out, false);
			error = executed_lines(&passing.recording, tell_line, out);
		}
		/* The first is likely to be the reference. */
		if (!error && more && !i)
			references_keep_passing(pair, i, &passing);
		recorded_side_deinit(&passing);
	}
	if (!error && out->passed) {
		spectra_begin(out, true);
		error = executed_lines(&pair->failing.recording, tell_line, out);
	}
	if (error) {
		spectra_deinit(out);
		*out = (struct spectra){0};
	}
	out->runs = true;
	spectra_rank(out, SPECTRA_OCHIAI);
	error_destroy(error);
}

/* --- the search --- */

static char *read_source(const char *directory, const char *name, const char *elf)
{
	struct source source;
	struct str text = STR_INIT;
	char *result = NULL;

	source_init(&source, directory, name, elf);
	for (uint32_t i = 0; i < source.lines.size; i++)
		str_printf(&text, "%s\n", source.lines.at[i]);
	if (source.state == SOURCE_FILE_GOOD && source.lines.size)
		result = str_steal(&text);
	str_deinit(&text);
	source_deinit(&source);
	return result;
}

struct edit_search_options fixes_options(struct references *pair)
{
	const struct failure_options *failure = pair->options;

	return (struct edit_search_options){
		.run = &pair->failing.recording,
		.program = pair->failure.program,
		.name = failure->command[0],
		.failing = &pair->reduced.failing,
		.printed = &pair->failing.result.output,
		.oracle = &pair->reduced.oracle,
		.test = failure->test,
		.workers = (uint32_t)failure->jobs,
		.timeout = failure->timeout,
		.unconfined = failure->unconfined,
		.known = &pair->known,
		.read_source = read_source,
	};
}

struct hence_error *fixes_search(const struct explain_question *question, struct references *pair,
                                 const struct spectra *spectra, struct fixes_time time,
                                 struct edit_search *out)
{
	struct work w = {.pair = pair, .time = time, .found = out, .spectra = spectra};
	struct edit_search_options options = fixes_options(pair);
	struct hence_error *error = NULL;

	*out = (struct edit_search){0};
	options.thrifty = time.thrifty;
	options.suspicion = suspicion;
	w.budget = (struct budget){
		.whole = &pair->search.budget, .ended = is_limit_over, .context = &w};
	options.stop = is_over;
	options.progress = show;
	options.context = &w;
	for (uint32_t i = 0; i < pair->reduced.usable.size + pair->reduced.alike.size; i++) {
		uint32_t index = i < pair->reduced.usable.size
		                         ? pair->reduced.usable.at[i].index
		                         : pair->reduced.alike.at[i - pair->reduced.usable.size];
		const struct input *input = &pair->failure.passing.at[index];

		if (!is_known(&w, input))
			input_copy(&vec_push(&w.tests)->input, input);
	}
	for (uint32_t i = 0; i < question->known_count && !error; i++)
		error = add_test(&w, question->known[i]);
	if (question->tests && !error)
		error = add_suite(&w, question->tests);
	options.tests = w.tests.at;
	options.test_count = w.tests.size;
	if (!error) {
		error = edit_search(&options, out);
		budget_hide(&pair->search.budget);
	}
	edit_rank(out);
	forget_lines(&w);
	for (uint32_t i = 0; i < w.tests.size; i++) {
		input_deinit(&w.tests.at[i].input);
		str_deinit(&w.tests.at[i].output);
	}
	vec_deinit(&w.tests);
	return error;
}

/* ------ in an explanation ------ */

#define MOST_FIXES   200u /* in a report */
#define MOST_OF_LINE 40u  /* of them, so that one line does not hide the others */

static bool is_same_line(const struct edit_found *a, const struct edit_found *b)
{
	return a->line == b->line && a->file && b->file && !strcmp(a->file, b->file);
}

static uint64_t count_places(const struct edit_search *search)
{
	uint64_t places = 0;

	for (uint32_t i = 0; i < search->found.size; i++) {
		bool known = search->found.at[i].tier < search->found.at[0].tier ||
		             !search->found.at[0].tier;

		for (uint32_t k = 0; k < i && !known; k++)
			known = is_same_line(&search->found.at[i], &search->found.at[k]);
		places += !known;
	}
	return places;
}

/* Has one of the last `count` fixes this patch? */
static bool is_said(const struct explanation *e, uint32_t count, const char *patch)
{
	for (uint32_t i = e->fixes.size; i-- > 0 && count-- && patch;)
		if (e->fixes.at[i].patch && !strcmp(e->fixes.at[i].patch, patch))
			return true;
	return false;
}

/* Those of a lower tier than the best are no answer, but for a person who wants to see all. */
void explain_add_fixes(const struct edit_search *search, struct explain_sources *sources,
                       struct explanation *out)
{
	uint32_t of_line = 0;

	out->fixes_sought = true;
	out->stats.edits = search->generated;
	out->stats.edits_idle = search->idle;
	out->stats.edits_run = search->run;
	out->stats.edit_places = count_places(search);
	for (uint32_t i = 0; i < search->found.size; i++) {
		const struct edit_found *f = &search->found.at[i];
		const struct source *source =
			f->file && sources ? explain_source_of(sources, f->file) : NULL;
		struct explanation_fix *fix;
		struct edit_text text;

		if (f->tier < search->found.at[0].tier || !f->tier)
			break;
		out->stats.edits_plausible++;
		of_line = i && is_same_line(f, f - 1) ? of_line + 1 : 0;
		if (!f->file || out->fixes.size == MOST_FIXES || of_line >= MOST_OF_LINE)
			continue;
		edit_text(f, source ? source->lines.at : NULL, source ? source->lines.size : 0,
		          &text);
		/* The same change may be an ordinary edit and one by value. */
		if (f->fitted && is_said(out, of_line, text.patch)) {
			edit_text_deinit(&text);
			continue;
		}
		fix = vec_push(&out->fixes);
		fix->at = explain_place(sources, f->file, f->line,
		                        text.column ? text.column : f->column, f->function);
		fix->edit = mem_strdup(f->name);
		fix->class = edit_class_names[edit_kinds[f->kind].class];
		fix->before = text.before;
		fix->after = text.after;
		fix->mark = text.mark;
		fix->mark_length = text.mark_length;
		fix->patch = text.patch;
		fix->no_patch = text.no_patch;
		fix->score = f->line_score > 0 ? f->line_score : 0.01;
		fix->failing = f->failing;
		fix->failing_of = f->failing_of;
		fix->passing = f->passing;
		fix->passing_of = f->passing_of;
		fix->agree = f->agree;
		fix->fitted = f->fitted;
		fix->changed = f->changed;
		fix->experiment = f->experiment;
	}
	if (search->found.size && !search->found.at[0].tier)
		*vec_push(&out->notes) =
			str_format("%u small change%s of the code make%s the failing run pass, but "
		                   "none leaves the runs "
		                   "that pass as they are",
		                   search->found.size, search->found.size == 1 ? "" : "s",
		                   search->found.size == 1 ? "s" : "");
	if (search->note)
		*vec_push(&out->notes) = mem_strdup(search->note);
}

void explain_suspect_fixes(const struct edit_search *search, struct explain_sources *sources,
                           struct explanation *out)
{
	for (uint32_t i = 0; i < search->found.size; i++) {
		const struct edit_found *f = &search->found.at[i];
		bool first = true;
		bool tried = f->passing_of + f->failing_of > 1;
		struct explanation_place place;

		for (uint32_t k = 0; k < i && first; k++)
			first = !is_same_line(f, &search->found.at[k]);
		if (!first || !f->file)
			continue;
		place = explain_place(sources, f->file, f->line, f->column, f->function);
		suspects_add(
			out, &place, f->tier == 2 ? SUSPECT_EDIT : SUSPECT_EDIT_LOOSE,
			f->line_score,
			str_format("with a small change of this line the run passes%s",
		                   f->tier == 2 && tried ? ", and all others stay right" : ""));
		explanation_place_deinit(&place);
	}
	suspects_settle(out);
}

static double score_at(const struct explanation *e, const struct explanation_place *at)
{
	for (uint32_t i = 0; i < e->suspects.size; i++)
		if (e->suspects.at[i].at.line == at->line &&
		    !strcmp(e->suspects.at[i].at.file, at->file))
			return e->suspects.at[i].score;
	return 0;
}

void explain_order_fixes(struct explanation *e)
{
	/* Stable: the fixes of a line stay together, in their order. */
	for (uint32_t i = 1; i < e->fixes.size; i++) {
		struct explanation_fix moved = e->fixes.at[i];
		double score = score_at(e, &moved.at);
		uint32_t at = i;

		for (; at && score_at(e, &e->fixes.at[at - 1].at) < score; at--)
			e->fixes.at[at] = e->fixes.at[at - 1];
		e->fixes.at[at] = moved;
	}
}

/* ------ an explanation of edits alone ------ */

static struct hence_error *find_fixes(const struct explain_question *question,
                                      struct references *pair, struct explanation *out)
{
	struct explain_sources *sources = NULL;
	struct edit_search search = {0};
	struct spectra executed = {0};
	struct explanation e = {0};
	struct hence_error *error;

	interrupt_catch();
	error = references_find(pair);
	if (error || pair->refused.why)
		return error;
	if (!pair->has_failing) {
		pair->refused.why = REFUSED_NOT_KNOWN;
		*vec_push(&pair->refused.texts) =
			mem_strdup("the time was up before the failing run "
		                   "was recorded; give more with --time");
		return NULL;
	}
	fixes_find_executed(question, pair, &executed);
	/* To list the sources takes a walk over the run, which must not take the time of edits. */
	error = fixes_search(question, pair, executed.failed ? &executed : question->spectra,
	                     (struct fixes_time){0}, &search);
	spectra_deinit(&executed);
	if (!error)
		error = explain_sources_create(&pair->failing.recording, &pair->search.budget,
		                               &sources);
	if (error) {
		edit_search_deinit(&search);
		explain_sources_destroy(sources);
		return error;
	}
	references_describe(pair, &e);
	explain_failure(&pair->reduced.oracle, sources, &e);
	explain_add_fixes(&search, sources, &e);
	e.verdict = search.stopped ? EXPLANATION_INCOMPLETE
	            : e.fixes.size ? EXPLANATION_EXPLAINED
	                           : EXPLANATION_UNPROVEN;
	explain_suspect_fixes(&search, sources, &e);
	explain_order_fixes(&e);
	suspects_cut(&e);
	e.stats.runs = search.runs;
	explain_sources_note(sources, &e);
	if (question->sources)
		explain_add_sources(sources, &e);
	report_add_invocation(&e);
	e.stats.statements_failing = explain_sources_statements(sources);
	report_set_work(pair->started, &e);
	explain_sources_destroy(sources);
	edit_search_deinit(&search);
	*out = e;
	return NULL;
}

struct hence_error *fixes_find(const struct explain_question *question, struct explanation *out,
                               struct refused *refused)
{
	struct references pair;
	struct hence_error *error;

	references_begin(&pair, question);
	pair.as_given = pair.alone = pair.lenient = true;
	error = find_fixes(question, &pair, out);
	*refused = pair.refused;
	pair.refused = (struct refused){0};
	references_deinit(&pair);
	return error;
}
