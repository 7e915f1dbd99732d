/* Files that the program should have written: see expected_file.h. */
#include "explain/expected_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "explain/failure_case.h"
#include "explain/steps.h"
#include "explain/suspects.h"
#include "failure/criterion.h"
#include "trial/oracle.h"

#define PRINTS "prints "

/* Is it the file, as the program and as the user name it? */
static bool is_file(const char *opened, const char *wanted)
{
	while (!strncmp(opened, "./", 2))
		opened += 2;
	while (!strncmp(wanted, "./", 2))
		wanted += 2;
	return !strcmp(opened, wanted);
}

/* All that was written to the file, opened once. NULL: not known. */
static const struct outputs_stream *find_stream(const struct execution *whole, const char *wanted)
{
	const struct outputs_stream *found = NULL;
	const struct outputs_stream *const *all;
	uint32_t count;

	if (!execution_outputs(whole))
		return NULL;
	all = outputs_streams(execution_outputs(whole), &count);
	for (uint32_t i = 0; i < count; i++) {
		if (!all[i]->name || !is_file(all[i]->name, wanted))
			continue;
		/* It was opened again, or something else is not known. */
		if (found || all[i]->unknown || all[i]->size != all[i]->bytes.size)
			return NULL;
		found = all[i];
	}
	return found;
}

/* Where the program writes what is wrong: `text` is how it differs. */
static struct hence_error *add_place(const struct recording *run,
                                     const struct outputs_stream *stream, uint64_t offset,
                                     const char *text, double until, struct explanation *e)
{
	struct criterion c GUARD(criterion_deinit) = {0};
	struct explain_sources *sources = NULL;
	struct explanation_step *step;
	struct hence_error *error = criterion_of_output(run, stream->name, offset, until, &c);

	if (error || !c.file)
		return error;
	/* Without them there is no text of lines. */
	error_destroy(explain_sources_create(run, NULL, &sources));
	explanation_place_deinit(&e->failure.at);
	e->failure.at = explain_place(sources, c.file, c.line, c.column, c.function);
	explain_sources_destroy(sources);
	if (!e->steps.size || !e->steps.at[e->steps.size - 1].observed) {
		step = vec_push(&e->steps);
		step->kind = "wrong-output";
		step->what = str_format("%s %s", stream->name, text);
		step->observed = true;
		step->at = explain_copy_place(&e->failure.at);
		if (c.marks.size)
			step->time = history_statement(run, c.marks.at[0]);
	}
	suspects_add(e, &e->failure.at, SUSPECT_SHOWS, 1, mem_strdup("the failure shows here"));
	suspects_settle(e);
	return NULL;
}

static struct hence_error *describe(const struct recording *run,
                                    const struct outputs_stream *stream, const char *right_path,
                                    double until, bool *differs, struct explanation *e)
{
	struct str right GUARD(str_deinit) = STR_INIT, text GUARD(str_deinit) = STR_INIT;
	const struct oracle_options options = {.expected = &right};
	struct trial_result written = {.outcome = {.kind = OUTCOME_EXITED}};
	struct oracle oracle;
	const char *how;
	char *message;
	struct hence_error *error = failure_case_read_file("--expect-file", right_path, &right);

	if (error)
		return error;
	str_add_bytes(&written.output, (const char *)stream->bytes.at, stream->bytes.size);
	/* It is judged as standard output is. */
	*differs = oracle_create(&options, &written, &oracle);
	if (*differs) {
		oracle_write_text(&oracle, &text);
		how = str_text(&text);
		how += strncmp(how, PRINTS, strlen(PRINTS)) ? 0 : strlen(PRINTS);
		message = str_format("has %s", how);
		error = add_place(run, stream,
		                  oracle.failure.missing ? UINT64_MAX : oracle.failure.wrong,
		                  message, until, e);
		free(message);
		message = str_format("%s: it has %s", e->failure.message, how);
		free(e->failure.message);
		e->failure.message = message;
		oracle_deinit(&oracle);
	}
	str_deinit(&written.output);
	return error;
}

struct hence_error *expected_file_describe(const struct recording *run, const char *const *pairs,
                                           uint32_t count, double until, struct explanation *e)
{
	struct execution *whole;
	struct hence_error *error = history_whole(run, &whole);
	bool differs = false;

	for (uint32_t i = 0; !error && whole && i < count && !differs; i++) {
		char *name = mem_strndup(pairs[i], strcspn(pairs[i], "="));
		const struct outputs_stream *stream = find_stream(whole, name);

		if (stream)
			error = describe(run, stream, pairs[i] + strlen(name) + 1, until, &differs,
			                 e);
		free(name);
	}
	return error;
}
