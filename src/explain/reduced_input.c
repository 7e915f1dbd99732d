/* A reduced input as JSON: see reduced_input.h. */
#include "explain/reduced_input.h"

#include "report/json.h"

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

/* --- JSON: the failure --- */

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
	uint32_t i = reduce_count_arguments(original), j = reduce_count_arguments(input);

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
