/* A search through inputs, and its result as JSON: see input_search.h. */
#include "explain/input_search.h"

#include <stdlib.h>

#include "report/json.h"

/* ------ under way ------ */

static bool give_up(void *context)
{
	const struct search *search = context;

	return budget_is_over(&search->budget);
}

static bool stop(void *context)
{
	struct search *search = context;

	return budget_is_over(&search->budget) || (search->stop && search->stop(search->context));
}

static void show(void *context, const struct reduce_progress *now)
{
	const struct search *search = context;

	if (search->show)
		search->show(search, now);
}

/* --- the whole --- */

void search_begin(struct search *search, const struct failure_options *options,
                  struct reduce_options *reduce)
{
	interrupt_catch();
	/* What comes later shares the time. */
	if (options->time > 0 && !search->budget.until)
		search->budget.until = budget_clock() + options->time;
	search->isolates = reduce->passing_count;
	reduce->progress = show;
	reduce->stop = stop;
	reduce->give_up = give_up;
	reduce->context = search;
}

/* What the user can do about a program that does not fail. */
static const char *advise_good(const struct failure_options *options)
{
	if (options->test_text)
		return "all is what is expected";
	if (options->test)
		return "if that is what the test says for a failure, add --invert";
	if (options->has_status)
		return "that is what is expected";
	if (options->expect || options->expect_text)
		return "its output is what is expected";
	return "say with --expect, --test or --timeout what is wrong with it";
}

static char *refusal_text(const struct failure_options *options, const struct reduce_result *result)
{
	const char *program = options->command[0];
	switch (result->end) {
	case REDUCE_NO_FAILURE:
		if (options->pass_program)
			return str_format(
				"%s does not fail: it %s and prints the same as %s; give a build "
				"that does something else with --pass-prog",
				program, result->ended, options->pass_program);
		return str_format("%s does not fail: %s; %s", program, result->ended,
		                  advise_good(options));
	case REDUCE_NOT_KNOWN:
		/* The first run did not come to its end. */
		if (interrupt_seen())
			return str_format(
				"interrupted in the first run of %s: nothing is known yet",
				program);
		return str_format(
			"the time was up in the first run of %s, so it is not known whether "
			"it fails; give more with --time, or say with --timeout when it hangs",
			program);
	case REDUCE_CANNOT_SAY:
		return str_format("the test '%s' cannot judge the failing input: %s; it must exit "
		                  "with 0 or 1 "
		                  "for it (125 stands for 'cannot say')",
		                  options->test, result->ended);
	default:
		return str_format(
			"%s fails only sometimes: one run %s, another %s; use --any-failure, or a "
			"test (--test) that is sure",
			program, result->flaky.first ? result->flaky.first : result->ended,
			result->flaky.other ? result->flaky.other : "did not fail");
	}
}

void search_refuse(const struct failure_options *options, const struct reduce_result *result,
                   struct refused *out)
{
	out->why = result->end == REDUCE_NO_FAILURE ? REFUSED_NO_FAILURE : REFUSED_NOT_KNOWN;
	*vec_push(&out->texts) = refusal_text(options, result);
}

void refused_deinit(struct refused *refused)
{
	vec_free(&refused->texts);
}

/* ------ its result as members of a JSON object, for all commands that print one ------ */

bool reduce_is_utf8(const struct str *bytes)
{
	for (size_t i = 0; i < bytes->length;) {
		size_t step = bytes->text[i]
		                      ? json_utf8_length((const unsigned char *)bytes->text + i)
		                      : 0;

		if (!step)
			return false;
		i += step;
	}
	return true;
}

/* --- JSON: bytes --- */

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

/* --- JSON: inputs --- */

uint32_t reduce_count_arguments(const struct input *input)
{
	uint32_t count = 0;

	while (count < input->parts.size && input->parts.at[count].kind == INPUT_ARGUMENT)
		count++;
	return count;
}

static uint64_t arguments_size(const struct input *input)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < reduce_count_arguments(input); i++)
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
	for (uint32_t i = 0; i < reduce_count_arguments(input); i++) {
		add_comma(out);
		str_add_char(out, '{');
		add_bytes(out, &input->parts.at[i].bytes);
		str_add_char(out, '}');
	}
	str_add(out, "]}");
}

/* The parts, with what they were at first. */
static void add_parts(const struct input *original, const struct input *input, struct str *out)
{
	uint32_t i = reduce_count_arguments(original), j = reduce_count_arguments(input);

	json_add_key(out, "parts");
	str_add_char(out, '[');
	if (i || j)
		add_arguments(original, input, out);
	for (; j < input->parts.size; i++, j++) {
		static const char *const kinds[] = {[INPUT_STDIN] = "stdin",
		                                    [INPUT_FILE] = "file",
		                                    [INPUT_VARIABLE] = "variable"};

		add_comma(out);
		str_add_char(out, '{');
		json_add_member(out, "kind", kinds[input->parts.at[j].kind]);
		if (input->parts.at[j].name)
			json_add_member(out, "name", input->parts.at[j].name);
		json_add_flag(out, "varied", input->parts.at[j].varied);
		json_add_number(out, "original", original->parts.at[i].bytes.length);
		json_add_number(out, "size", input->parts.at[j].bytes.length);
		if (input->parts.at[j].unset)
			json_add_flag(out, "unset", true);
		else
			add_bytes(out, &input->parts.at[j].bytes);
		str_add_char(out, '}');
	}
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
