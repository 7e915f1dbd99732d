/* The work of `hence fix`: see fix.h. */
#include <stdio.h>

#include "explain/explain.h"
#include "explain/explain_fixes.h"
#include "cli/progress.h"
#include "cli/commands.h"
#include "cli/fix.h"
#include "cli/fixes.h"
#include "cli/pair.h"
#include "explain/suspects.h"
#include "spectra/spectra.h"

static struct hence_error *find(const struct explain_command *command, struct pair *pair,
                                struct explanation *out, int *code)
{
	struct explain_sources *sources = NULL;
	struct edit_search search = {0};
	struct spectra executed = {0};
	struct explanation e = {0};
	struct hence_error *error;

	interrupt_catch();
	error = pair_find(pair, code);
	if (error || *code)
		return error;
	*code = CLI_NOT_PROVEN;
	if (!pair->has_failing) {
		fprintf(stderr, "hence: the time was up before the failing run was recorded; give "
		                "more with --time\n");
		return NULL;
	}
	fixes_find_executed(command, pair, &executed);
	/* To list the sources takes a walk over the run, which must not take the time of edits. */
	error = fixes_search(command, pair, executed.failed ? &executed : command->spectra,
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
	pair_describe(pair, &e);
	explain_failure(&pair->reduced.oracle, sources, &e);
	explain_add_fixes(&search, sources, &e);
	e.verdict = search.stopped ? "incomplete" : e.fixes.size ? "explained" : "unproven";
	explain_suspect_fixes(&search, sources, &e);
	explain_order_fixes(&e);
	suspects_cut(&e);
	if (e.fixes.size)
		*code = CLI_DONE;
	e.stats.runs = search.runs;
	explain_sources_note(sources, &e);
	if (command->sources)
		explain_add_sources(sources, &e);
	explain_add_invocation(&e);
	e.stats.statements_failing = explain_sources_statements(sources);
	e.stats.seconds = budget_clock() - pair->started;
	explain_sources_destroy(sources);
	edit_search_deinit(&search);
	*out = e;
	return NULL;
}

struct hence_error *fix_find(const struct explain_command *command, struct explanation *out,
                             int *code)
{
	char *words[] = {NULL, NULL};
	struct pair pair = {.options = &command->report.failure,
	                    .as_given = true,
	                    .alone = true,
	                    .lenient = true,
	                    .started = command->started,
	                    .run_options = command->report.run,
	                    .run = {.input = -1, .output = -1}};
	struct hence_error *error;

	progress_watch(&pair.search);
	words[0] = (char *)pair_program(&pair);
	pair.run_options.command = words;
	pair.run.options = &pair.run_options;
	error = find(command, &pair, out, code);
	pair_deinit(&pair);
	return error;
}
