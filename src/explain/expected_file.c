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

/* Where the program writes what is wrong; `text` is a sentence. */
static struct hence_error *add_place(const struct recording *run, const char *name, uint64_t offset,
                                     const char *text, double until, struct explanation *e)
{
	struct criterion c GUARD(criterion_deinit) = {0};
	struct explain_sources *sources = NULL;
	struct explanation_step *step;
	struct hence_error *error = criterion_of_output(run, name, offset, until, &c);

	if (error || !c.file)
		return error;
	/* Without them there is no text of lines. */
	error_destroy(explain_sources_create(run, NULL, &sources));
	explanation_place_deinit(&e->failure.at);
	e->failure.at = explain_place(sources, c.file, c.line, c.column, c.function);
	explain_sources_destroy(sources);
	if (!e->steps.size || !e->steps.at[e->steps.size - 1].observed) {
		step = vec_push(&e->steps);
		step->kind = EXPLANATION_WRONG_OUTPUT;
		step->what = mem_strdup(text);
		step->observed = true;
		step->at = explain_copy_place(&e->failure.at);
		if (c.marks.size)
			step->time = history_statement(run, c.marks.at[0]);
	}
	suspects_add(e, &e->failure.at, SUSPECT_SHOWS, 1, mem_strdup("the failure shows here"));
	suspects_settle(e);
	return NULL;
}

struct hence_error *expected_file_find(const struct recording *run, const char *const *pairs,
                                       uint32_t count, struct expected_file *out)
{
	struct execution *whole;
	struct hence_error *error = history_whole(run, &whole);

	*out = (struct expected_file){0};
	for (uint32_t i = 0; !error && whole && i < count && !out->name; i++) {
		char *name = mem_strndup(pairs[i], strcspn(pairs[i], "="));
		const struct outputs_stream *stream = find_stream(whole, name);

		if (stream)
			error = failure_case_read_file("--expect-file", pairs[i] + strlen(name) + 1,
			                               &out->right);
		if (!error && stream &&
		    (out->right.length != stream->bytes.size ||
		     memcmp(str_text(&out->right), stream->bytes.at, stream->bytes.size))) {
			out->name = stream->name;
			str_add_bytes(&out->has, (const char *)stream->bytes.at,
			              stream->bytes.size);
		} else {
			str_deinit(&out->right);
		}
		free(name);
	}
	return error;
}

void expected_file_deinit(struct expected_file *file)
{
	str_deinit(&file->has);
	str_deinit(&file->right);
}

struct hence_error *expected_file_describe(const struct recording *run,
                                           const struct expected_file *file, double until,
                                           struct explanation *e)
{
	/* It is judged as standard output is. */
	const struct oracle_options options = {.expected = &file->right};
	const struct trial_result written = {.outcome = {.kind = OUTCOME_EXITED},
	                                     .output = file->has};
	struct str text GUARD(str_deinit) = STR_INIT;
	struct oracle oracle;
	const char *how;
	char *message;
	struct hence_error *error;

	if (!file->name || !oracle_create(&options, &written, &oracle))
		return NULL;
	oracle_write_text(&oracle, &text);
	how = str_text(&text);
	how += strncmp(how, PRINTS, strlen(PRINTS)) ? 0 : strlen(PRINTS);
	message = str_format("%s: it has %s", e->failure.message, how);
	free(e->failure.message);
	e->failure.message = message;
	message = str_format("%s has %s", file->name, how);
	error = add_place(run, file->name,
	                  oracle.failure.missing ? UINT64_MAX : oracle.failure.wrong, message,
	                  until, e);
	free(message);
	oracle_deinit(&oracle);
	return error;
}
