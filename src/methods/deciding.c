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
	if (*from == *to) /* the failing input lacks bytes here: the next byte decides */
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

/* --- all --- */

static uint32_t count_arguments(const struct input *input)
{
	uint32_t count = 0;

	while (count < input->parts.size && input->parts.at[count].kind == INPUT_ARGUMENT)
		count++;
	return count;
}

/* Parts that are not arguments are the same in both inputs. */
static void compare_others(const struct input *failing, const struct input *passing,
                           struct deciding *out)
{
	uint32_t i = count_arguments(failing), k = count_arguments(passing);

	for (; i < failing->parts.size && k < passing->parts.size; i++, k++) {
		const struct str *fail = &failing->parts.at[i].bytes;
		const struct str *pass = &passing->parts.at[k].bytes;
		struct slice_input *input;

		/* A variable that is not set cannot be followed. */
		if (failing->parts.at[i].unset ||
		    (same_bytes(fail, pass) && !passing->parts.at[k].unset))
			continue;
		input = add_part(out, failing, i);
		find_range(pass, fail, &input->from, &input->to);
	}
}

void deciding_find(const struct input *failing, const struct input *passing, struct deciding *out)
{
	*out = (struct deciding){0};
	if (!passing) {
		bool arguments = false;

		/* Without a passing input, all that may be varied decides. */
		for (uint32_t i = 0; i < failing->parts.size; i++) {
			if (!failing->parts.at[i].varied || failing->parts.at[i].unset)
				continue;
			add_part(out, failing, i);
			arguments |= failing->parts.at[i].kind == INPUT_ARGUMENT;
		}
		if (arguments)
			vec_push(&out->inputs)->kind = SLICE_COUNT;
		return;
	}

	/* Arguments: the common ones at the beginning and at the end do not decide. One more or
	   less of them moves those after it. */
	uint32_t fail = count_arguments(failing), pass = count_arguments(passing);
	uint32_t head = 0, tail = 0;
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

	compare_others(failing, passing, out);
}

void deciding_deinit(struct deciding *deciding)
{
	vec_deinit(&deciding->inputs);
}

/* --- as text --- */

void deciding_write_text(const struct deciding *deciding, struct str *out)
{
	uint32_t told = deciding->inputs.size < MOST_TOLD ? deciding->inputs.size : MOST_TOLD;

	for (uint32_t i = 0; i < told; i++) {
		const struct slice_input *input = &deciding->inputs.at[i];

		str_add(out, !i ? "" : i + 1 < deciding->inputs.size ? ", " : " and ");
		if (input->to) {
			if (input->to - input->from == 1)
				str_printf(out, "byte %llu of ", (unsigned long long)input->from);
			else
				str_printf(out, "bytes %llu to %llu of ",
				           (unsigned long long)input->from,
				           (unsigned long long)input->to - 1);
		}
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
	if (told < deciding->inputs.size)
		str_printf(out, " and %u more", deciding->inputs.size - told);
}
