/* What all subcommands share: see commands.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/guard.h"
#include "cli/options.h"
#include "explain/input_search.h"

/* --- what a mistyped word was meant to be: the name with the fewest edits, if they are few --- */

#define LONGEST 32

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Edit distance (Levenshtein), one row at a time. Both words are shorter than LONGEST. */
static size_t distance(const char *a, const char *b)
{
	size_t row[LONGEST + 1], length = strlen(b);

	for (size_t k = 0; k <= length; k++)
		row[k] = k;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t k = 0; k < length; k++) {
			size_t change = diagonal + (a[i] != b[k]);

			diagonal = row[k + 1];
			row[k + 1] = smallest(change, row[k] + 1, diagonal + 1);
		}
	}
	return row[length];
}

const char *cli_nearest(const char *word, const char *const *names, size_t count)
{
	const char *best = NULL;
	size_t least = strlen(word) / 2 + 1;

	if (strlen(word) >= LONGEST)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t edits = distance(word, names[i]);

		if (edits > least || edits >= strlen(names[i]))
			continue;
		if (best && edits == least)
			continue;
		best = names[i];
		least = edits;
	}
	return best;
}

/* --- running a subcommand --- */

int cli_fail(struct hence_error *error)
{
	int code = (int)error->kind;

	fprintf(stderr, "hence: %s\n", error->message);
	error_destroy(error);
	return code;
}

int cli_run(const struct command *command, int argc, char **argv)
{
	int code = command->raw ? command->raw(argc, argv) : -1;
	struct options options = {0};
	struct hence_error *error;

	if (code >= 0)
		return code;
	code = CLI_DONE;
	error = options_read(command, argv + 1, &options);
	if (!error && options.help)
		options_print_help(command, stdout);
	else if (!error)
		error = command->run(&options, &code);
	options_deinit(&options);
	return error ? cli_fail(error) : code;
}

/* What was printed may lie in a buffer: a full disk shows only now. */
int cli_finish(int code)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	perror("hence: cannot write to standard output");
	return code ? code : HENCE_ERROR_INTERNAL;
}

/* --- when there is nothing to explain --- */

int cli_refused(const struct refused *refused)
{
	static const enum cli_exit exits[] = {
		[REFUSED_NOT] = CLI_DONE,
		[REFUSED_NO_FAILURE] = CLI_DOES_NOT_FAIL,
		[REFUSED_NOT_KNOWN] = CLI_NOT_PROVEN,
	};

	for (uint32_t i = 0; i < refused->texts.size; i++)
		fprintf(stderr, "hence: %s\n", refused->texts.at[i]);
	return exits[refused->why];
}

int cli_refuse_search(const struct failure_options *options, const struct reduce_result *result)
{
	struct refused refused GUARD(refused_deinit) = {0};

	search_refuse(options, result, &refused);
	return cli_refused(&refused);
}

void cli_end_search(const struct search *search, const struct reduce_result *result)
{
	budget_hide(&search->budget);
	if (result->note)
		fprintf(stderr, "hence: %s\n", result->note);
}
