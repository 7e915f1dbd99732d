/* The result of `hence reduce` for a machine; the manual page describes it. */
#include <string.h>

#include "cli/reduce.h"
#include "report/json.h"

/* --- bytes --- */

/* "text": ... or, when it is not UTF-8 or has zero bytes, "base64": ... */
static void add_bytes(struct str *out, const struct str *bytes)
{
	if (reduce_is_utf8(bytes)) {
		json_add_member(out, "text", str_text(bytes));
		return;
	}
	json_add_key(out, "base64");
	str_add_char(out, '"');
	json_add_base64(out, bytes->text, bytes->length);
	str_add_char(out, '"');
}

/* --- the failure --- */

static void add_place(struct str *out, const char *file, int line, const char *function)
{
	if (file)
		json_add_member(out, "file", file);
	if (line > 0)
		json_add_number(out, "line", (unsigned)line);
	if (function)
		json_add_member(out, "function", function);
}

static void add_failure(const struct oracle *oracle, struct str *out)
{
	const struct failure *failure = &oracle->failure;
	const struct outcome *outcome = &failure->outcome;
	const struct outcome_assert *assertion = &outcome->assertion;
	struct str text = STR_INIT;

	json_add_key(out, "failure");
	str_add_char(out, '{');
	json_add_member(out, "kind", failure_kind_name(failure->kind));
	oracle_write_text(oracle, &text);
	json_add_member(out, "text", str_text(&text));
	str_deinit(&text);
	if (failure->kind == FAILURE_ASSERT && assertion->text) {
		add_place(out, assertion->file, assertion->line, assertion->function);
		json_add_member(out, "message", assertion->text);
	} else {
		add_place(out, outcome->place.file, outcome->place.line, outcome->place.function);
	}
	if (outcome->kind == OUTCOME_SIGNALLED)
		json_add_member(out, "signal", outcome_signal_name(outcome->signal));
	if (outcome->kind == OUTCOME_EXITED)
		json_add_number(out, "status", (unsigned)outcome->status);
	str_add_char(out, '}');
}

/* --- inputs --- */

static uint32_t count_arguments(const struct input *input)
{
	uint32_t count = 0;

	while (count < input->parts.size && input->parts.at[count].kind == INPUT_ARGUMENT)
		count++;
	return count;
}

static uint64_t arguments_size(const struct input *input)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < count_arguments(input); i++)
		size += input->parts.at[i].bytes.length + 1;
	return size;
}

/* Between two elements of a list. */
static void add_comma(struct str *out)
{
	if (out->text[out->length - 1] != '[')
		str_add_char(out, ',');
}

static void add_arguments(const struct input *original, const struct input *input, struct str *out)
{
	str_add_char(out, '{');
	json_add_member(out, "kind", "arguments");
	json_add_number(out, "original", arguments_size(original));
	json_add_number(out, "size", arguments_size(input));
	json_add_key(out, "values");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < count_arguments(input); i++) {
		add_comma(out);
		str_add_char(out, '{');
		add_bytes(out, &input->parts.at[i].bytes);
		str_add_char(out, '}');
	}
	str_add(out, "]}");
}

static void add_part(const struct input_part *original, const struct input_part *part,
                     struct str *out)
{
	static const char *const kinds[] = {
		[INPUT_STDIN] = "stdin", [INPUT_FILE] = "file", [INPUT_VARIABLE] = "variable"};

	add_comma(out);
	str_add_char(out, '{');
	json_add_member(out, "kind", kinds[part->kind]);
	if (part->name)
		json_add_member(out, "name", part->name);
	json_add_flag(out, "varied", part->varied);
	json_add_number(out, "original", original->bytes.length);
	json_add_number(out, "size", part->bytes.length);
	if (part->unset)
		json_add_flag(out, "unset", true);
	else
		add_bytes(out, &part->bytes);
	str_add_char(out, '}');
}

/* The parts, with what they were at first. */
static void add_parts(const struct input *original, const struct input *input, struct str *out)
{
	uint32_t i = count_arguments(original), j = count_arguments(input);

	json_add_key(out, "parts");
	str_add_char(out, '[');
	if (i || j)
		add_arguments(original, input, out);
	for (; j < input->parts.size; i++, j++)
		add_part(&original->parts.at[i], &input->parts.at[j], out);
	str_add_char(out, ']');
}

static void add_passing(const struct reduce_result *result, struct str *out)
{
	json_add_key(out, "passing");
	if (!result->has_passing) {
		str_add(out, "null");
		return;
	}
	str_add_char(out, '{');
	json_add_member(out, "from", result->chosen < 0 ? "neighbour" : "given");
	if (result->chosen >= 0)
		json_add_number(out, "number", (unsigned)result->chosen + 1);
	json_add_number(out, "size", reduce_size(&result->passing));
	add_parts(&result->given, &result->passing, out);
	str_add_char(out, '}');
}

void reduce_add_inputs(const struct reduce_result *result, struct str *out)
{
	json_add_flag(out, "complete", result->end == REDUCE_DONE);
	if (result->unit)
		json_add_member(out, "unit", result->unit);
	json_add_number(out, "original", result->original);
	json_add_number(out, "reduced", result->reduced);
	if (result->chosen >= 0) {
		json_add_number(out, "differed", result->differed);
		json_add_number(out, "differs", result->differs);
	}
	json_add_key(out, "failing");
	str_add_char(out, '{');
	add_parts(&result->given, &result->failing, out);
	str_add_char(out, '}');
	add_passing(result, out);
}

/* --- the whole --- */

void reduce_add_command(char **command, struct str *out)
{
	json_add_key(out, "command");
	str_add_char(out, '[');
	for (; *command; command++) {
		add_comma(out);
		json_add_string(out, *command);
	}
	str_add_char(out, ']');
}

static void add_counts(const struct reduce_result *result, struct str *out)
{
	json_add_number(out, "tests", result->tests);
	json_add_number(out, "cached", result->cached);
	json_add_key(out, "verdicts");
	str_add_char(out, '{');
	json_add_number(out, "pass", result->verdicts[VERDICT_PASS]);
	json_add_number(out, "fail", result->verdicts[VERDICT_FAIL]);
	json_add_number(out, "unresolved", result->verdicts[VERDICT_UNRESOLVED]);
	str_add_char(out, '}');
	json_add_number(out, "runs", result->runs);
	json_add_number(out, "forked", result->forked);
	json_add_key(out, "seconds");
	str_printf(out, "%.3f", result->seconds);
}

static void add_flaky(const struct reduce_flaky *flaky, struct str *out)
{
	if (!flaky->count)
		return;
	json_add_key(out, "flaky");
	str_add_char(out, '{');
	json_add_number(out, "inputs", flaky->count);
	json_add_member(out, "first", flaky->first);
	json_add_member(out, "other", flaky->other);
	str_add_char(out, '}');
}

void reduce_report_json(const struct reduce_report *report, struct str *out)
{
	const struct reduce_result *result = report->result;

	str_add_char(out, '{');
	json_add_number(out, "hence", 1);
	reduce_add_command(report->command->failure.command, out);
	add_failure(&result->oracle, out);
	reduce_add_inputs(result, out);
	add_counts(result, out);
	add_flaky(&result->flaky, out);
	str_add(out, "}\n");
}
