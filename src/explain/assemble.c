/* What one pair of runs tells: see assemble.h. */
#include "explain/assemble.h"

#include <stdlib.h>
#include <string.h>

#include "explain/illustrations.h"
#include "explain/schedule.h"
#include "explain/provenance.h"
#include "explain/steps.h"

/* The note about a reference that nobody knows to be right. */
#define LEAST_WORK 16u /* statements of a failing run, of which half can be called less */

static const char doubt[] =
	"the reference was found, not given, and does not print the expected text: nobody knows "
	"whether its output is right, so steps may show differences that the fault does not cause";

/* All that is made on the way. */
struct work {
	const struct explain_question *question;
	struct references *pair;
	struct explain_sources *sources;
	struct symptom symptom;
	bool has_symptom;
	struct schedule methods;
	struct explanation *explanation;
};

static void note(struct work *w, char *text)
{
	*vec_push(&w->explanation->notes) = text;
}

/* --- the explanation --- */

static void find_sources(struct work *w)
{
	if (w->pair->has_failing)
		schedule_note_error(&w->methods, "the source",
		                    explain_sources_create(&w->pair->failing.recording,
		                                           &w->pair->search.budget, &w->sources));
}

static void compare(struct work *w)
{
	struct schedule *m = &w->methods;
	struct hence_error *error =
		symptom_find(&m->compared.runs[true], &m->compared.runs[false], &w->pair->alignment,
	                     &w->pair->reduced.oracle, &w->symptom);

	w->has_symptom = !error;
	if (error)
		schedule_note_error(m, "the failure cannot be compared with the reference", error);
	else
		m->compared.symptom = &w->symptom;
	if (w->has_symptom)
		schedule_run(m);
}

/* What else the user could do. */
static char *hint(const struct work *w)
{
	char *command, *text;

	if (w->question->method == EXPLAIN_TREE)
		return mem_strdup("What may help: the same without --method, which compares with "
		                  "runs that pass, too.");
	command = references_command_text(w->pair, &w->pair->reduced.given);
	text = str_format(
		"What may help: %s with --pass 'ARGS' or --pass-stdin FILE; or 'hence chop "
		"... -- %s', which shows the code between the input and the "
		"failure and needs no other run.",
		w->pair->reduced.has_passing ? "another input that passes, nearer to "
					       "the failing one,"
					     : "an input that passes,",
		command);

	free(command);
	return text;
}

/* Was something left out because the time was over? */
static bool is_cut(const struct work *w)
{
	if (w->methods.any)
		return w->methods.stopped || w->pair->alignment.stopped;
	return budget_is_over(&w->pair->search.budget);
}

/* Does nobody know whether the reference is right? --expect is about the failing input only, so of one that was
   found it is known only that it does not print the same wrong line. */
static bool is_doubtful(const struct work *w)
{
	const struct references *p = w->pair;
	const struct reference *candidate = references_current(p);

	return candidate && candidate->given < 0 && !references_is_exact(p) &&
	       (p->options->expect || p->options->expect_text);
}

/* Does the failing run with a switched branch end well only because most of what it should do is skipped? Nobody has said what it should print, and what
   it does is less than half of what the failing run did before it failed. */
static bool skips_work(const struct work *w)
{
	const struct references *p = w->pair;
	const struct reference *candidate = references_current(p);
	enum failure_kind kind = p->reduced.oracle.failure.kind;

	return candidate && candidate->kind == REFERENCE_PATCHED && p->is_aligned &&
	       (kind == FAILURE_CRASH || kind == FAILURE_ASSERT) &&
	       !oracle_knows_right(&p->failure.reduce.oracle) && !p->options->test &&
	       p->alignment.a_statements >= LEAST_WORK &&
	       p->alignment.b_statements * 2 < p->alignment.a_statements;
}

static void add_steps(struct work *w, struct causes *causes, const char *method)
{
	struct explanation e = {0};

	explain_add_causes(causes, method, w->sources, &e);
	explain_merge(&e, w->explanation);
}

/* One chain, that of the first method which proves something; the others confirm it. */
static void add_all_steps(struct work *w)
{
	struct schedule *found = &w->methods;
	const struct {
		struct causes *causes;
		const char *method;
		bool proven;
	} all[] = {{&found->by_comparison, "compare", causes_proven(&found->by_comparison)},
	           {&found->chain, "chain", causes_proven(&found->chain)},
	           {&found->transitions.found, "transitions",
	            causes_proven(&found->transitions.found)}};

	for (unsigned proven = 2; proven-- > 0;)
		for (unsigned i = 0; i < 3; i++)
			if (all[i].proven == proven)
				add_steps(w, all[i].causes, all[i].method);
	explain_add_points(&w->methods.transitions, w->sources, w->explanation);
}

/* Up to the branch that makes the difference, both runs are the same: all others come from it. */
static void add_switched(struct work *w)
{
	const struct reference *candidate = references_current(w->pair);
	struct explanation *e = w->explanation, switched = {0};
	struct causes causes = {0};
	uint32_t count = e->steps.size;

	if (w->question->method != EXPLAIN_ALL || !candidate ||
	    candidate->kind != REFERENCE_PATCHED)
		return;
	predicate_cause(candidate->predicate, &causes);
	explain_add_causes(&causes, "switch", w->sources, &switched);
	explain_merge(&switched, e);
	if (count && e->steps.size > count)
		e->steps.at[1].apart = false;
	causes_deinit(&causes);
}

/* What runs that pass differ in as well, if another one was given. */
static void mark_usual(struct work *w)
{
	const struct align_options options = {.stop = budget_stops,
	                                      .context = (void *)&w->pair->search.budget};
	struct recorded_side other = {0};
	struct hence_error *error = references_record_other(w->pair, &other);

	if (!error && other.pool)
		error = explain_usual(&w->pair->reference.recording, &other.recording, &options,
		                      w->explanation);
	schedule_note_error(&w->methods, "other runs that pass", error);
	recorded_side_deinit(&other);
}

/* What the memory looks like at the steps. Where both runs have ended they have nothing in common. */
static void add_memory(struct work *w)
{
	const struct references *p = w->pair;
	const struct explain_memory_options options = {
		.failing = &p->failing.recording,
		.reference = p->is_aligned ? &p->reference.recording : NULL,
		.alignment = p->is_aligned ? &p->alignment : NULL,
		.failing_time = w->has_symptom ? w->symptom.failing_time : 0,
		.reference_time = w->has_symptom && w->symptom.kind != SYMPTOM_END
	                                  ? w->symptom.reference_time
	                                  : 0,
		.budget = &w->pair->search.budget,
	};

	if (w->question->memory && p->has_failing)
		schedule_note_error(&w->methods, "memory graphs",
		                    explain_memory(&options, w->explanation));
}

/* The code between the input that decides and the failure. */
static void add_chop(struct work *w)
{
	const struct reference *candidate = references_current(w->pair);
	const struct suspect_chop chop = {
		.run = &w->pair->failing.recording,
		.result = &w->pair->failing.result,
		.oracle = &w->pair->reduced.oracle,
		.failing = &w->pair->reduced.failing,
		.passing =
			candidate && candidate->kind == REFERENCE_INPUT ? candidate->input : NULL,
		.budget = &w->pair->search.budget,
	};
	struct suspect_lines lines = {0};

	/* What it cannot tell is no loss: others do. */
	error_destroy(suspect_lines_add_chop(&lines, &chop));
	suspects_add_lines(w->explanation, &lines, SUSPECT_CHOP,
	                   "lies between the input and the failure", w->sources);
	suspect_lines_deinit(&lines);
}

static void add_slices(struct work *w)
{
	suspects_add_lines(w->explanation, &w->methods.dual, SUSPECT_DUAL,
	                   "differs on the way to the failure", w->sources);
	if (w->question->method == EXPLAIN_ALL && w->sources &&
	    !budget_is_over(&w->pair->search.budget) &&
	    explain_sources_statements(w->sources) <= SUSPECTS_MOST_STATEMENTS)
		add_chop(w);
}

/* How good the chain is, measured against the ideal one: a note, and 'quality' in the JSON. */
static void add_quality(const struct explain_question *question, struct explanation *out)
{
	struct explanation_part *part = vec_push(&out->parts);
	struct chain_statements own = {0};
	struct chain_quality quality;
	struct str text = STR_INIT;

	chain_statements_of(out, &own);
	chain_quality_of(&question->ideal, &own, &quality);
	chain_statements_deinit(&own);
	*part = (struct explanation_part){.key = "quality"};
	chain_quality_add_json(&quality, &part->json);
	str_printf(&text, "against %s: ", question->against);
	chain_quality_add_text(&quality, &text);
	*vec_push(&out->notes) = str_steal(&text);
}

static void assemble(struct work *w)
{
	struct explanation *e = w->explanation;

	references_describe(w->pair, e);
	explain_failure(&w->pair->reduced.oracle, w->sources, e);
	add_all_steps(w);
	add_switched(w);
	if (w->has_symptom && w->question->method == EXPLAIN_ALL)
		schedule_note_error(&w->methods, "the branch that decides",
		                    explain_add_decision(&w->pair->failing.recording, &w->symptom,
		                                         w->sources, e));
	if (w->has_symptom)
		explain_add_symptom(&w->symptom, &w->pair->reduced.oracle, w->sources, e);
	mark_usual(w);
	add_memory(w);
	add_slices(w);
	explain_suspects(e);
	explain_sources_note(w->sources, e);
	explain_verdict(is_cut(w), e);
	if (is_doubtful(w) && e->verdict == EXPLANATION_EXPLAINED) {
		e->verdict = EXPLANATION_UNPROVEN;
		note(w, mem_strdup(doubt));
		e->doubt = e->notes.size; /* 1 + its index */
	}
	if (skips_work(w) && e->verdict == EXPLANATION_EXPLAINED) {
		e->verdict = EXPLANATION_UNPROVEN;
		note(w, str_format("with that branch going the other way the program skips most "
		                   "of its work (%llu of %llu statements are left): that it "
		                   "does not fail then says little",
		                   (unsigned long long)w->pair->alignment.b_statements,
		                   (unsigned long long)w->pair->alignment.a_statements));
		e->doubt = e->notes.size; /* 1 + its index */
	}
	if (e->verdict != EXPLANATION_EXPLAINED)
		e->hint = hint(w);
	if (e->verdict != EXPLANATION_EXPLAINED && w->pair->versions && w->pair->is_aligned)
		schedule_note_error(&w->methods, "what was changed",
		                    explain_changed(&w->pair->failing.recording,
		                                    &w->pair->alignment, w->sources, e));
	if (w->pair->versions && references_current(w->pair)->kind == REFERENCE_PROGRAM)
		schedule_note_error(&w->methods, "changed lines",
		                    explain_changed_lines(w->pair->versions,
		                                          &w->pair->failing.recording, w->sources,
		                                          e));
	if (w->question->against)
		add_quality(w->question, e);
	if (w->question->sources)
		explain_add_sources(w->sources, e);
}

void assemble_explanation(const struct explain_question *question, struct references *pair,
                          struct explanation *out)
{
	struct work w = {.question = question,
	                 .pair = pair,
	                 .explanation = out,
	                 .methods = {.question = question,
	                             .pair = pair,
	                             .compared = references_comparison(pair),
	                             .explanation = out}};

	find_sources(&w);
	if (pair->is_aligned)
		compare(&w);
	assemble(&w);
	schedule_deinit(&w.methods);
	if (w.has_symptom)
		symptom_deinit(&w.symptom);
	explain_sources_destroy(w.sources);
}
