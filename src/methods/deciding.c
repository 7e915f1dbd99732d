/* The part of a failing input that decides: see deciding.h. */
#include "methods/deciding.h"

#include <string.h>

#define MOST_TOLD 4u

/* --- which bytes --- */

/* The bytes of `fail` that are not as in `pass`: without their common beginning and end. */
static void find_range(const struct str *pass, const struct str *fail, uint64_t *from, uint64_t *to)
{
	size_t common = pass->length < fail->length ? pass->length : fail->length;
	size_t head = 0, tail = 0;

	while (head < common && pass->text[head] == fail->text[head])
		head++;
	while (tail < common - head &&
	       pass->text[pass->length - 1 - tail] == fail->text[fail->length - 1 - tail])
		tail++;
	*from = head;
	*to = fail->length - tail;
	if (*from == *to) /* something is missing here: what stands in its place is the next byte */
		*to = *from + 1;
}

static struct slice_input *add_part(struct deciding *out, const struct input *failing,
                                    uint32_t part)
{
	struct slice_input *input = vec_push(&out->inputs);

	switch (failing->parts.at[part].kind) {
	case INPUT_ARGUMENT:
		input->kind = SLICE_ARGUMENT;
		input->index = part + 1; /* arguments come first */
		break;
	case INPUT_STDIN: input->kind = SLICE_STREAM; break;
	case INPUT_FILE:
		input->kind = SLICE_STREAM;
		input->name = failing->parts.at[part].name;
		break;
	case INPUT_VARIABLE:
		input->kind = SLICE_VARIABLE;
		input->name = failing->parts.at[part].name;
		break;
	}
	return input;
}

static bool same_bytes(const struct str *a, const struct str *b)
{
	return a->length == b->length && (!a->length || !memcmp(a->text, b->text, a->length));
}

/* --- arguments: one more or less moves all behind it --- */

static uint32_t count_arguments(const struct input *input)
{
	uint32_t count = 0;

	while (count < input->parts.size && input->parts.at[count].kind == INPUT_ARGUMENT)
		count++;
	return count;
}

static void compare_arguments(const struct input *failing, const struct input *passing,
                              struct deciding *out)
{
	uint32_t fail = count_arguments(failing), pass = count_arguments(passing), head = 0,
		 tail = 0;
	uint32_t common = fail < pass ? fail : pass;

	while (head < common &&
	       same_bytes(&failing->parts.at[head].bytes, &passing->parts.at[head].bytes))
		head++;
	while (tail < common - head && same_bytes(&failing->parts.at[fail - 1 - tail].bytes,
	                                          &passing->parts.at[pass - 1 - tail].bytes))
		tail++;
	for (uint32_t i = head; i < fail - tail; i++) {
		struct slice_input *input = add_part(out, failing, i);

		if (fail == pass)
			find_range(&passing->parts.at[i].bytes, &failing->parts.at[i].bytes,
			           &input->from, &input->to);
	}
	if (fail != pass)
		vec_push(&out->inputs)->kind = SLICE_COUNT;
}

/* --- the other parts are the same on both sides --- */

static void compare_others(const struct input *failing, const struct input *passing,
                           struct deciding *out)
{
	uint32_t i = count_arguments(failing), k = count_arguments(passing);

	for (; i < failing->parts.size && k < passing->parts.size; i++, k++) {
		const struct str *fail = &failing->parts.at[i].bytes;
		const struct str *pass = &passing->parts.at[k].bytes;
		struct slice_input *input;

		/* Of a variable that is not there nothing can be followed. */
		if (failing->parts.at[i].unset ||
		    (same_bytes(fail, pass) && !passing->parts.at[k].unset))
			continue;
		input = add_part(out, failing, i);
		find_range(pass, fail, &input->from, &input->to);
	}
}

static void take_varied(const struct input *failing, struct deciding *out)
{
	bool arguments = false;

	for (uint32_t i = 0; i < failing->parts.size; i++) {
		if (!failing->parts.at[i].varied || failing->parts.at[i].unset)
			continue;
		add_part(out, failing, i);
		arguments |= failing->parts.at[i].kind == INPUT_ARGUMENT;
	}
	if (arguments)
		vec_push(&out->inputs)->kind = SLICE_COUNT;
}

void deciding_find(const struct input *failing, const struct input *passing, struct deciding *out)
{
	*out = (struct deciding){0};
	if (!passing) {
		take_varied(failing, out);
		return;
	}
	compare_arguments(failing, passing, out);
	compare_others(failing, passing, out);
}

void deciding_deinit(struct deciding *deciding)
{
	vec_deinit(&deciding->inputs);
}

/* --- for a person --- */

static void write_range(const struct slice_input *input, struct str *out)
{
	if (!input->to)
		return;
	if (input->to - input->from == 1)
		str_printf(out, "byte %llu of ", (unsigned long long)input->from);
	else
		str_printf(out, "bytes %llu to %llu of ", (unsigned long long)input->from,
		           (unsigned long long)input->to - 1);
}

static void write_input(const struct slice_input *input, struct str *out)
{
	write_range(input, out);
	switch (input->kind) {
	case SLICE_ARGUMENT: str_printf(out, "argument %u", input->index); break;
	case SLICE_VARIABLE: str_printf(out, "the variable %s", input->name); break;
	case SLICE_STREAM:
		str_add(out, input->name ? "the file " : "standard input");
		str_add(out, input->name ? input->name : "");
		break;
	case SLICE_COUNT: str_add(out, "the number of arguments"); break;
	case SLICE_ANY: str_add(out, "any input"); break;
	}
}

void deciding_write_text(const struct deciding *deciding, struct str *out)
{
	uint32_t told = deciding->inputs.size < MOST_TOLD ? deciding->inputs.size : MOST_TOLD;

	for (uint32_t i = 0; i < told; i++) {
		str_add(out, !i ? "" : i + 1 < deciding->inputs.size ? ", " : " and ");
		write_input(&deciding->inputs.at[i], out);
	}
	if (told < deciding->inputs.size)
		str_printf(out, " and %u more", deciding->inputs.size - told);
}
