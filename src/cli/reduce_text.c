/* The result of `hence reduce` for a person. */
#include <string.h>

#include "cli/reduce.h"
#include "cli/run.h"

#define MOST_LINES       60  /* of a diff */
#define MOST_INLINE      400 /* bytes of standard input in a command line */
#define MOST_SHOWN       2000
#define MOST_LINES_SHOWN 30

/* --- how to see the failure again --- */

static const struct input_part *find_kind(const struct input *input, enum input_kind kind)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == kind)
			return &input->parts.at[i];
	return NULL;
}

/* What feeds the program: printf '...' | */
static void add_feed(const struct reduce_report *report, const struct input *input, struct str *out)
{
	const struct input_part *part = find_kind(input, INPUT_STDIN);

	if (!part || !part->varied || report->output->path || part->bytes.length > MOST_INLINE ||
	    !part->bytes.length)
		return;
	str_add(out, "printf %b ");
	str_add_char(out, '\'');
	for (size_t i = 0; i < part->bytes.length; i++) {
		unsigned char c = (unsigned char)part->bytes.text[i];

		if (c == '\n')
			str_add(out, "\\n");
		else if (c == '\\')
			str_add(out, "\\\\");
		else if (c < ' ' || c >= 127 || c == '\'')
			str_printf(out, "\\0%03o", c);
		else
			str_add_char(out, (char)c);
	}
	str_add(out, "' | ");
}

/* Where its standard input comes from otherwise. */
static void add_redirection(const struct reduce_report *report, const struct input *input,
                            struct str *out)
{
	const struct input_part *part = find_kind(input, INPUT_STDIN);
	const char *file = report->command->failure.input;

	if (!part)
		return;
	if (part->varied && report->output->path) {
		str_add(out, " <");
		failure_words_quote(report->output->path, strlen(report->output->path), out);
		str_add(out, report->output->folder ? "/stdin" : "");
	} else if (part->varied && !part->bytes.length) {
		str_add(out, " </dev/null");
	} else if (part->varied && part->bytes.length > MOST_INLINE) {
		str_add(out, " <FILE");
	} else if (!part->varied && file) {
		str_add(out, " <");
		failure_words_quote(file, strlen(file), out);
	}
}

/* Those to be unset first: env -u A B=value */
static void add_variables(const struct input *input, struct str *out)
{
	bool env = false;

	for (uint32_t i = 0; i < input->parts.size; i++) {
		if (!input->parts.at[i].unset)
			continue;
		str_printf(out, "%s-u %s ", env ? "" : "env ", input->parts.at[i].name);
		env = true;
	}
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		if (part->kind != INPUT_VARIABLE || part->unset)
			continue;
		str_printf(out, "%s=", part->name);
		failure_words_quote(str_text(&part->bytes), part->bytes.length, out);
		str_add_char(out, ' ');
	}
}

static void add_command(const struct reduce_report *report, const struct input *input,
                        struct str *out)
{
	const char *name = report->command->failure.command[0];

	add_feed(report, input, out);
	add_variables(input, out);
	failure_words_quote(name, strlen(name), out);
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		if (part->kind != INPUT_ARGUMENT)
			continue;
		str_add_char(out, ' ');
		failure_words_quote(str_text(&part->bytes), part->bytes.length, out);
	}
	add_redirection(report, input, out);
}

/* --- what is left --- */

static void add_hex(const struct str *bytes, struct str *out)
{
	size_t size = bytes->length < MOST_SHOWN / 4 ? bytes->length : MOST_SHOWN / 4;

	for (size_t i = 0; i < size; i += 16) {
		str_printf(out, "    %06zx ", i);
		for (size_t j = i; j < i + 16 && j < size; j++)
			str_printf(out, " %02x", (unsigned char)bytes->text[j]);
		str_add_char(out, '\n');
	}
	if (size < bytes->length)
		str_printf(out, "    ... %zu more bytes\n", bytes->length - size);
}

/* Indented, so that it cannot be taken for something else. */
static void add_lines(const struct str *bytes, struct str *out)
{
	size_t most = bytes->length < MOST_SHOWN ? bytes->length : MOST_SHOWN, i = 0;
	bool begins = true;

	for (uint32_t lines = 0; i < most && lines < MOST_LINES_SHOWN; i++) {
		if (begins)
			str_add(out, "    ");
		str_add_char(out, bytes->text[i]);
		begins = bytes->text[i] == '\n';
		lines += begins;
	}
	if (!begins)
		str_add_char(out, '\n');
	if (i < bytes->length)
		str_printf(out, "    ... %zu more bytes\n", bytes->length - i);
}

static void add_contents(const struct input *input, uint32_t i, struct str *out)
{
	const struct input_part *part = &input->parts.at[i];
	char *name = input_part_text(input, i);

	str_printf(out, "\n%s%s\n", name,
	           part->bytes.length ? ":"
	           : part->unset      ? " is not set"
	           : part->kind == INPUT_FILE
	                   ? " is empty: it fails without any of it; does the program "
	                     "read that file?"
	                   : " is empty");
	if (reduce_is_text(&part->bytes))
		add_lines(&part->bytes, out);
	else
		add_hex(&part->bytes, out);
	free(name);
}

/* --- the account --- */

static void add_plural(struct str *out, uint64_t number, const char *one, const char *many)
{
	run_add_number(out, number);
	str_printf(out, " %s", number == 1 ? one : many);
}

static const char *end_text(const struct reduce_report *report)
{
	if (report->result->end == REDUCE_STOPPED)
		return "; incomplete: the search was ended before it was done";
	return "; 1-minimal by ";
}

static void add_account(const struct reduce_report *report, struct str *out)
{
	const struct reduce_result *result = report->result;

	if (result->chosen >= 0)
		str_add(out, "a difference of ");
	add_plural(out, result->chosen >= 0 ? result->differed : result->original, "byte", "bytes");
	str_add(out, " reduced to ");
	run_add_number(out, result->chosen >= 0 ? result->differs : result->reduced);
	str_printf(out, "%s%s\n", end_text(report),
	           result->end == REDUCE_DONE && result->unit ? result->unit : "");
	add_plural(out, result->tests, "test", "tests");
	str_add(out, " (");
	run_add_number(out, result->verdicts[VERDICT_FAIL]);
	str_add(out, " failed, ");
	run_add_number(out, result->verdicts[VERDICT_PASS]);
	str_add(out, " passed, ");
	run_add_number(out, result->verdicts[VERDICT_UNRESOLVED]);
	str_printf(out, " unresolved) in %.2f s\n", result->seconds);
}

static void add_flaky(const struct reduce_result *result, struct str *out)
{
	if (!result->flaky.count)
		return;
	str_add(out, "runs of the same input did not agree for ");
	add_plural(out, result->flaky.count, "input", "inputs");
	str_printf(out, "; of the first, one run %s, another %s\n", result->flaky.first,
	           result->flaky.other);
}

/* --- the difference --- */

static void add_difference(const struct reduce_report *report, struct str *out)
{
	const struct reduce_result *result = report->result;
	const struct input *original = &report->result->given;
	bool color = report->command->color;

	str_add_char(out, '\n');
	if (!result->has_passing) {
		reduce_diff(original, "original", &result->failing, "reduced", MOST_LINES, color,
		            out);
		return;
	}
	if (result->chosen < 0)
		str_add(out, "nearest passing input found:\n");
	reduce_diff_short(&result->passing, &result->failing, out);
	reduce_diff(&result->passing, "passing", &result->failing, "failing", MOST_LINES, color,
	            out);
}

static void add_failure(const struct reduce_report *report, struct str *out)
{
	const struct reduce_command *command = report->command;

	str_add(out, command->color ? "\033[1m" : "");
	str_printf(out, "%s ", command->failure.command[0]);
	oracle_write_text(&report->result->oracle, out);
	str_add(out, command->color ? "\033[m\n" : "\n");
}

/* The command line alone does not show the failure: files are still as the user has them. */
static bool has_file(const struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].varied && input->parts.at[i].kind == INPUT_FILE)
			return true;
	return false;
}

void reduce_report_text(const struct reduce_report *report, struct str *out)
{
	const struct input *failing = &report->result->failing;

	add_failure(report, out);
	add_account(report, out);
	add_flaky(report->result, out);
	if (report->result->refused)
		str_printf(out, "%u of the passing inputs did not pass and %s not used\n",
		           report->result->refused, report->result->refused == 1 ? "was" : "were");
	str_printf(out, "\nto see it again%s:\n    ",
	           has_file(failing) ? ", with the contents below" : "");
	add_command(report, failing, out);
	str_add_char(out, '\n');
	for (uint32_t i = 0; i < failing->parts.size; i++)
		if (failing->parts.at[i].varied && failing->parts.at[i].kind != INPUT_ARGUMENT)
			add_contents(failing, i, out);
	add_difference(report, out);
}
