/* Looking into a recorded run: see record.h. */
#include "cli/record.h"
#include "base/guard.h"

#include <stdlib.h>
#include <string.h>

/* --- looking into a recording: where to write --- */

struct hence_error *record_open_option(const char *path, const char *option, FILE **out)
{
	FILE *file = path ? fopen(path, "we") : stdout;

	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "%s: cannot write %s", option, path);
	*out = file;
	return NULL;
}

struct hence_error *record_close_option(const char *path, const char *option, FILE *file)
{
	bool failed = ferror(file) | (fflush(file) != 0);

	if (path)
		failed |= fclose(file) != 0;
	if (!failed || !path)
		return NULL; /* main() looks at stdout */
	return error_from_errno(HENCE_ERROR_INPUT, "%s: cannot write %s", option, path);
}

struct hence_error *record_open(const char *path, FILE **out)
{
	return record_open_option(path, "-o", out);
}

struct hence_error *record_close(const char *path, FILE *file)
{
	return record_close_option(path, "-o", file);
}

/* --- looking into a recording: which process --- */

#define MOST_LISTED 8u

struct hence_error *record_choose(struct run *run, uint64_t process, const struct run_tape **out)
{
	uint64_t number = process ? process : 1;
	struct str list GUARD(str_deinit) = STR_INIT;
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < run->recorded.size && i < MOST_LISTED; i++)
		str_printf(&list, "%s%u %s", i ? ", " : "", i + 1,
		           run->recorded.at[i].program ? run->recorded.at[i].program : "?");
	if (run->recorded.size > MOST_LISTED)
		str_add(&list, ", ...");
	if (number > run->recorded.size)
		error = error_create(HENCE_ERROR_INPUT, "--process %llu: %u process%s recorded: %s",
		                     (unsigned long long)number, run->recorded.size,
		                     run->recorded.size == 1 ? " was" : "es were", str_text(&list));
	else if (run->recorded.at[number - 1].tape->condition != TAPE_GOOD)
		error = error_create(HENCE_ERROR_INPUT, "the tape of process %llu is lost",
		                     (unsigned long long)number);
	else if (run->recorded.size > 1 && !process)
		run_note(run, "note: this is process 1 of %u; --process N chooses: %s",
		         run->recorded.size, str_text(&list));
	if (!error)
		*out = &run->recorded.at[number - 1];
	return error;
}

/* --- looking into a recording: how it ended --- */

void record_print_outcome(const struct run *run)
{
	const struct outcome *outcome = run_outcome(run);
	struct str text = STR_INIT;

	if (outcome->kind == OUTCOME_SIGNALLED || outcome->kind == OUTCOME_TIMED_OUT) {
		outcome_write_text(outcome, &text);
		fprintf(stderr, "hence: %s %s\n", run->program.name, str_text(&text));
	}
	str_deinit(&text);
	for (uint32_t i = 0; i < run->notes.size; i++)
		fprintf(stderr, "hence: %s\n", run->notes.at[i]);
}
