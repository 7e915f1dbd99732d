/* From a question to an explanation: see explain.h. */
#include "explain/explain.h"

#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "explain/alone.h"
#include "explain/assemble.h"
#include "explain/endless.h"
#include "explain/fixes.h"
#include "explain/expected_file.h"
#include "explain/memory_error.h"
#include "explain/origin.h"
#include "explain/provenance.h"
#include "explain/rank_suite.h"
#include "explain/suspects.h"
#include "report/explanation.h"
#include "report/explanation_words.h"
#include "report/json.h"
#include "report/recipe.h"

/* A reference that was tried, and what came of it. */
struct attempt {
	enum recipe_reference kind;
	enum explanation_verdict verdict;
	char *text;
	uint32_t steps;
};

/* All that is made on the way. */
struct work {
	const struct explain_question *question;
	struct references pair;
	VEC(struct attempt) attempts;
	struct explanation best;
	uint32_t chosen; /* 1 + the attempt that it is of; 0: there is no reference */
	bool exact;      /* the output of its reference is the expected one */
	uint64_t experiments;
	struct edit_search edits;
	struct spectra executed; /* by the inputs that pass, where there is no file of tests */
	bool sought;             /* edits were, */
	struct input sought_of;  /* for this failing input */
};

/* --- several references --- */

static bool is_explained(const struct explanation *e)
{
	return e->verdict == EXPLANATION_EXPLAINED;
}

/* Does it only restate the switched branch, which itself decides about the output? */
static bool is_trivial(const struct explanation *e)
{
	return e->reference.kind == RECIPE_PATCHED && e->steps.size <= 2 && e->steps.size &&
	       e->steps.at[e->steps.size - 1].kind == EXPLANATION_BRANCH;
}

/* Does it tell more than what the failure shows? */
static bool has_causes(const struct explanation *e)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		if (!e->steps.at[i].observed)
			return true;
	return false;
}

/* Is it better than the best so far? What is proven is, then a reference that is right for sure, then
   the fewer steps. */
static bool is_better(const struct work *w, const struct explanation *e)
{
	const struct explanation *best = &w->best;
	bool exact = references_is_exact(&w->pair);

	if (is_explained(e) != is_explained(best))
		return is_explained(e);
	if (has_causes(e) != has_causes(best))
		return has_causes(e);
	if (exact != w->exact)
		return exact;
	if (is_trivial(e) != is_trivial(best))
		return is_trivial(best);
	return is_explained(e) && e->steps.size < best->steps.size;
}

static void consider(struct work *w, struct explanation *e)
{
	if (e->reference.text) {
		struct attempt *attempt = vec_push(&w->attempts);

		attempt->kind = e->reference.kind;
		attempt->verdict = e->verdict;
		attempt->text = mem_strdup(e->reference.text);
		attempt->steps = e->steps.size;
	}
	w->experiments += e->stats.experiments;
	if (w->best.verdict && !is_better(w, e)) {
		explanation_deinit(e);
		return;
	}
	explanation_deinit(&w->best);
	w->best = *e;
	w->chosen = e->reference.text ? w->attempts.size : 0;
	w->exact = references_is_exact(&w->pair);
}

/* Which references were tried, for the report. */
static void tell_attempts(struct work *w)
{
	struct explanation_part *part;

	w->best.stats.experiments = w->experiments + w->pair.experiments;
	if (w->attempts.size == (w->chosen ? 1 : 0))
		return;
	part = vec_push(&w->best.parts);
	part->key = "references";
	str_add_char(&part->json, '[');
	for (uint32_t i = 0; i < w->attempts.size; i++) {
		const struct attempt *attempt = &w->attempts.at[i];

		str_printf(&part->json, "%s{\"kind\":\"%s\",\"text\":", i ? "," : "",
		           recipe_reference_names[attempt->kind]);
		json_add_string(&part->json, attempt->text);
		str_printf(&part->json, ",\"verdict\":\"%s\",\"steps\":%u,\"chosen\":%s}",
		           explanation_verdict_names[attempt->verdict], attempt->steps,
		           i + 1 == w->chosen ? "true" : "false");
		if (i + 1 != w->chosen)
			*vec_push(&w->best.notes) = str_format(
				"compared with %s as well: %s, %u steps", attempt->text,
				explanation_verdict_names[attempt->verdict], attempt->steps);
	}
	str_add_char(&part->json, ']');
}

/* --- edits --- */

#define EDITS_TIME    8.0  /* seconds for edits, if there is no limit for all */
#define EDITS_SHARE   0.4  /* of the time that there is */
#define EDITS_HOPEFUL 0.75 /* the same, while nothing plausible was found */
#define EDITS_PATIENT 0.9  /* the same, if the run is too long for other methods */
#define RICH_OUTPUT   40u  /* bytes that are expected */

/* With another build of the program the changed lines are known. */
static bool seeks_edits(struct work *w)
{
	return w->question->method == EXPLAIN_ALL && !w->question->no_edits &&
	       !w->question->failure->pass_program && w->pair.has_failing &&
	       w->pair.reduced.oracle.failure.kind != FAILURE_MEMORY &&
	       !budget_is_over(&w->pair.search.budget);
}

/* Is it likely enough to be right that the run with it is the first to compare with? Others agree, or what is
   expected is so long that it cannot be met by accident. */
static bool is_supported(struct work *w, const struct edit_found *best)
{
	const struct str *expected = w->pair.failure.reduce.oracle.expected;

	/* By value an accident is found easily: there is no other line. */
	for (uint32_t i = 0; i < w->edits.found.size && best->fitted; i++) {
		const struct edit_found *f = &w->edits.found.at[i];

		if (f->tier == 2 &&
		    (f->line != best->line || !f->file || strcmp(f->file, best->file)))
			return false;
	}
	return best->tier == 2 && !best->less &&
	       (best->passing_of + best->failing_of > 1 ||
	        (expected && expected->length >= RICH_OUTPUT));
}

/* The best edit that can be recorded is a reference. */
static void offer_edit(struct work *w)
{
	for (uint32_t i = 0; i < w->edits.found.size; i++) {
		const struct edit_found *f = &w->edits.found.at[i];
		char *text;

		if (f->tier < w->edits.found.at[0].tier || !f->tier)
			return;
		if (f->kind == EDIT_TEXT || f->kind == EDIT_ANSWER || !f->file)
			continue;
		text = str_format("%s:%u", f->file, f->line);
		references_add_edit(&w->pair, f->name, text, is_supported(w, f));
		free(text);
		return;
	}
}

/* The failing run is recorded. */
static void seek_edits(struct references *pair, void *context)
{
	struct work *w = context;
	double now, until = w->pair.search.budget.until;
	struct fixes_time time = {.thrifty = true};
	struct hence_error *error;

	if (w->question->method == EXPLAIN_ALL)
		fixes_find_executed(w->question, pair, &w->executed);
	if (!seeks_edits(w))
		return;
	now = budget_clock();
	if (until > 0) {
		time.until = now + EDITS_SHARE * (until - now);
		time.hopeful = now + EDITS_HOPEFUL * (until - now);
		time.patient = now + EDITS_PATIENT * (until - now);
	} else {
		time.until = now + EDITS_TIME;
	}
	error = fixes_search(w->question, &w->pair,
	                     w->executed.failed ? &w->executed : w->question->spectra, time,
	                     &w->edits);
	w->sought = !error;
	input_copy(&w->sought_of, &pair->reduced.failing);
	if (error)
		references_note(&w->pair, str_format("edits of the code: %s", error->message));
	else
		offer_edit(w);
	error_destroy(error);
}

static void add_edits(struct work *w)
{
	struct explain_sources *sources = NULL;

	if (!w->sought)
		return;
	error_destroy(explain_sources_create(&w->pair.failing.recording, &w->pair.search.budget,
	                                     &sources));
	explain_add_fixes(&w->edits, sources, &w->best);
	explain_suspect_fixes(&w->edits, sources, &w->best);
	if (w->question->sources)
		explain_add_sources(sources, &w->best);
	explain_sources_destroy(sources);
	/* The input may have been reduced since. */
	if (w->best.recipe && w->best.fixes.size &&
	    !input_equal(&w->best.recipe->failing, &w->sought_of))
		w->best.recipe->fixes_of_given = true;
}

/* Where a program dies, a check may be missing. With another build the changed lines are known. */
static void add_crash(struct work *w)
{
	if (w->pair.reduced.oracle.failure.kind != FAILURE_CRASH ||
	    w->question->failure->pass_program)
		return;
	suspects_add(&w->best, &w->best.failure.at, SUSPECT_CRASH, 1, mem_strdup("it dies here"));
	suspects_settle(&w->best);
}

/* --- loops without an end --- */

static void add_loop(struct work *w)
{
	struct hence_error *error;
	struct str text = STR_INIT;

	if (!w->pair.has_failing || w->pair.reduced.oracle.failure.kind != FAILURE_HANG)
		return;
	error = endless_describe(&w->pair.failing.recording, &text);
	/* What it cannot tell is no loss. */
	error_destroy(error);
	if (text.length) {
		char *what = str_format("%s: %s", w->best.failure.message, str_text(&text));

		free(w->best.failure.message);
		w->best.failure.message = what;
	}
	str_deinit(&text);
}

/* --- files that should have been written --- */

static void add_file(struct work *w)
{
	const struct failure_options *failure = w->question->failure;
	struct expected_file file;
	struct hence_error *error;

	if (!w->pair.has_failing || !failure->expect_files.size || !w->best.failure.message ||
	    w->pair.reduced.oracle.failure.kind != FAILURE_TEST)
		return;
	/* What it cannot tell is no loss: the test says that it is wrong. */
	error = expected_file_find(&w->pair.failing.recording,
	                           (const char *const *)failure->expect_files.at,
	                           failure->expect_files.size, &file);
	if (!error)
		error = expected_file_describe(&w->pair.failing.recording, &file,
		                               w->pair.search.budget.until, &w->best);
	error_destroy(error);
	expected_file_deinit(&file);
}

/* --- memory errors --- */

#define MEMORY_TIME  10.0 /* seconds to look for a memory error, if there is no limit for all */
#define MEMORY_SHARE 0.5  /* of the time that is left */

/* Does a run that the user says passes make the same error? One that was found may pass by luck. */
static bool is_usual(struct work *w, double until)
{
	const struct reference *reference = references_current(&w->pair);
	bool usual = false;
	struct recorded_side passing = {0};
	struct hence_error *error = NULL;

	if (reference && reference->kind == REFERENCE_INPUT && reference->given < 0)
		return false;
	if (reference &&
	    (reference->kind == REFERENCE_INPUT || reference->kind == REFERENCE_PROGRAM)) {
		error = memory_error_recurs(&w->pair.reference.recording, &w->best.memory_error,
		                            until, &usual);
	} else if (w->pair.reduced.oracle.failure.kind != FAILURE_MEMORY) {
		error = references_record_passing(&w->pair, 0, &passing);
		if (!error && passing.pool)
			error = memory_error_recurs(&passing.recording, &w->best.memory_error,
			                            until, &usual);
	}
	error_destroy(error);
	recorded_side_deinit(&passing);
	return usual;
}

/* The edit that is the reference, if the run with it does not make the error, and it was tried on other runs, too; NULL: there
   is none. */
static const struct explanation_fix *find_cure(struct work *w, double until)
{
	const struct reference *reference = references_current(&w->pair);
	const struct explanation_fix *fix =
		w->best.reference.edit ? explanation_find_fix(&w->best, w->best.reference.edit)
				       : NULL;
	bool recurs = true;

	if (fix && reference && reference->kind == REFERENCE_EDIT &&
	    !strcmp(reference->edit, fix->edit) && fix->passing_of + fix->failing_of > 1)
		error_destroy(memory_error_recurs(&w->pair.reference.recording,
		                                  &w->best.memory_error, until, &recurs));
	return recurs ? NULL : fix;
}

/* The first memory error before the failure. */
static void add_memory_error(struct work *w)
{
	const struct failure *failure = &w->pair.reduced.oracle.failure;
	bool wrong = failure->kind == FAILURE_OUTPUT && !failure->missing;
	double now = budget_clock(), until = w->pair.search.budget.until;
	struct hence_error *error = NULL;

	if (!w->pair.has_failing || failure->kind == FAILURE_HANG)
		return;
	until = until > 0 ? now + MEMORY_SHARE * (until - now) : now + MEMORY_TIME;
	if (failure->kind == FAILURE_MEMORY) {
		w->best.memory_error = w->pair.memory_error;
		w->pair.memory_error = (struct explanation_memory_error){0};
	} else if (!budget_is_over(&w->pair.search.budget)) {
		error = memory_error_find(&w->pair.failing.recording,
		                          wrong ? failure->wrong : UINT64_MAX, until,
		                          &w->best.memory_error);
	}
	/* What it cannot tell is no loss: others do. */
	error_destroy(error);
	if (!w->best.memory_error.kind)
		return;
	w->best.memory_error.usual = is_usual(w, until);
	memory_error_suspect(&w->best, find_cure(w, until));
	if (failure->kind == FAILURE_MEMORY)
		explain_memory_error(&w->best);
}

/* The bad value of the first memory error, or that it died of. */
static void add_origin(struct work *w)
{
	bool crash = w->pair.reduced.oracle.failure.kind == FAILURE_CRASH;
	double now = budget_clock(), until = w->pair.search.budget.until;

	if (!w->pair.has_failing || w->question->failure->pass_program ||
	    !(crash || w->best.memory_error.kind) || budget_is_over(&w->pair.search.budget))
		return;
	until = until > 0 ? now + MEMORY_SHARE * (until - now) : now + MEMORY_TIME;
	/* What it cannot tell is no loss: others do. */
	error_destroy(
		origin_find(&w->pair.failing.recording,
	                    w->best.memory_error.kind ? NULL : &w->pair.failing.result.outcome,
	                    until, &w->best.origin));
	origin_report(&w->best);
}

/* --- the whole --- */

static struct hence_error *perform(struct work *w)
{
	struct hence_error *error;

	interrupt_catch();
	error = references_find(&w->pair);
	if (!error && !w->pair.refused.why) {
		bool more = true;

		while (!error && more) {
			struct explanation e = {0};
			bool waits = w->pair.waits && !references_current(&w->pair);

			assemble_explanation(w->question, &w->pair, &e);
			if (waits)
				explain_alone(w->question, &w->pair, &e);
			consider(w, &e);
			error = references_next(&w->pair, is_explained(&w->best), &more);
		}
		/* What came to light after the best explanation was made. */
		for (uint32_t i = 0; i < w->pair.notes.size; i++) {
			bool known = false;

			for (uint32_t k = 0; k < w->best.notes.size; k++)
				known |= !strcmp(w->best.notes.at[k], w->pair.notes.at[i]);
			if (!known)
				*vec_push(&w->best.notes) = mem_strdup(w->pair.notes.at[i]);
		}
		w->best.stats.runs = w->pair.reduced.tests;
	}
	if (error || w->pair.refused.why)
		return error;
	tell_attempts(w);
	report_add_invocation(&w->best);
	if (w->question->method == EXPLAIN_ALL || w->question->method == EXPLAIN_TREE)
		explain_alone(w->question, &w->pair, &w->best);
	add_edits(w);
	add_crash(w);
	add_loop(w);
	add_file(w);
	add_memory_error(w);
	add_origin(w);
	if (w->executed.failed)
		rank_add_spectra(&w->executed, SPECTRA_OCHIAI, w->best.program, &w->best);
	report_set_work(w->pair.started, &w->best);
	return NULL;
}

struct hence_error *explain_find(const struct explain_question *question, struct explanation *out,
                                 struct refused *refused)
{
	bool all = question->method == EXPLAIN_ALL, tree = question->method == EXPLAIN_TREE;
	struct work w = {.question = question};
	struct hence_error *error;

	references_begin(&w.pair, question);
	w.pair.as_given = question->as_given || tree;
	w.pair.alone = tree;
	w.pair.waits = w.pair.lenient = all;
	w.pair.memory_errors = all || tree;
	w.pair.recorded = seek_edits;
	w.pair.context = &w;
	error = perform(&w);
	if (!error) {
		*out = w.best;
		w.best = (struct explanation){0};
	}
	*refused = w.pair.refused;
	w.pair.refused = (struct refused){0};
	for (uint32_t i = 0; i < w.attempts.size; i++)
		free(w.attempts.at[i].text);
	vec_deinit(&w.attempts);
	explanation_deinit(&w.best);
	edit_search_deinit(&w.edits);
	spectra_deinit(&w.executed);
	input_deinit(&w.sought_of);
	references_deinit(&w.pair);
	return error;
}

#define SPECTRA_TIME  5.0 /* seconds for the lines of tests, if there is no limit for all */
#define SPECTRA_SHARE 0.2 /* of the time that there is */

struct hence_error *explain_find_spectra(const struct explain_question *question,
                                         struct spectra *out, uint32_t *missed)
{
	const struct failure_options *failure = question->failure;
	const struct suite_how how = {failure, question->run, &question->search.budget};

	if (!question->tests)
		return NULL;
	return rank_find_spectra(
		question->tests, failure->path ? failure->path : failure->command[0], &how,
		SPECTRA_OCHIAI,
		question->started +
			(failure->time > 0 ? SPECTRA_SHARE * failure->time : SPECTRA_TIME),
		out, missed);
}
