/* Inputs between two inputs, how they are cut: see mix.h. */
#include "reduce/mix.h"

#include <assert.h>

#include "base/diff.h"

/* --- segments --- */

static struct mix_segment *add_segment(struct mix *mix, const struct diff_text *pass,
                                       const struct diff_text *fail)
{
	struct mix_segment *segment = vec_push(&mix->segments);

	segment->unit = mix->units++;
	if (pass) {
		segment->pass = pass->bytes;
		segment->pass_size = pass->size;
	}
	if (fail) {
		segment->fail = fail->bytes;
		segment->fail_size = fail->size;
	}
	return segment;
}

/* Bytes that are the same in every input. */
static void add_common(struct mix *mix, const char *bytes, size_t size)
{
	struct mix_segment *segment;

	if (!size)
		return;
	segment = vec_push(&mix->segments);
	segment->pass = segment->fail = bytes;
	segment->pass_size = segment->fail_size = size;
	segment->unit = MIX_NONE;
}

/* Elements that both sides have: one stretch of memory. */
static void add_equal(struct mix *mix, const struct diff_texts *texts, uint32_t from, uint32_t to)
{
	const struct diff_text *at = texts->list.at;

	if (from < to)
		add_common(mix, at[from].bytes,
		           (size_t)(at[to - 1].bytes - at[from].bytes) + at[to - 1].size);
}

/* Elements that differ: pairs replace each other, the rest is on one side only. */
static void add_hunk(struct mix *mix, const struct diff_text *pass, uint32_t pass_count,
                     const struct diff_text *fail, uint32_t fail_count)
{
	for (uint32_t i = 0; i < pass_count || i < fail_count; i++)
		add_segment(mix, i < pass_count ? &pass[i] : NULL,
		            i < fail_count ? &fail[i] : NULL);
}

static void add_difference(struct mix *mix, const struct diff_texts *pass,
                           const struct diff_texts *fail)
{
	struct diff diff;
	uint32_t at = 0; /* in pass */

	diff_compute(pass, fail, &diff);
	for (uint32_t i = 0; i < diff.hunks.size; i++) {
		const struct diff_hunk *hunk = &diff.hunks.at[i];

		add_equal(mix, pass, at, hunk->from_a);
		add_hunk(mix, pass->list.at + hunk->from_a, hunk->count_a,
		         fail->list.at + hunk->from_b, hunk->count_b);
		at = hunk->from_a + hunk->count_a;
	}
	add_equal(mix, pass, at, pass->list.size);
	diff_deinit(&diff);
}

/* The pieces of a text as elements to compare. */
static struct hence_error *list_pieces(const struct level *level, const struct input_part *part,
                                       struct diff_texts *out)
{
	struct units units;
	struct hence_error *error = level_cut(level, part, &units);

	if (error)
		return error;
	for (uint32_t i = 0; i < units.pieces.size; i++)
		diff_add(out, part->bytes.text + units.pieces.at[i].from, units.pieces.at[i].size);
	units_deinit(&units);
	return NULL;
}

/* A text that both sides have. */
static struct hence_error *add_two(struct mix *mix, const struct level *level,
                                   const struct input_part *pass, const struct input_part *fail)
{
	struct diff_texts a = {VEC_INIT}, b = {VEC_INIT};
	struct hence_error *error = list_pieces(level, pass, &a);

	if (!error)
		error = list_pieces(level, fail, &b);
	if (!error)
		add_difference(mix, &a, &b);
	diff_texts_deinit(&a);
	diff_texts_deinit(&b);
	return error;
}

/* A text that one side has. */
static struct hence_error *add_one(struct mix *mix, const struct level *level,
                                   const struct input_part *part, bool failing)
{
	const char *bytes = str_text(&part->bytes);
	uint32_t first = mix->units;
	struct units units;
	struct hence_error *error = level_cut(level, part, &units);

	if (error)
		return error;
	for (uint32_t i = 0; i < units.pieces.size; i++) {
		const struct units_piece *piece = &units.pieces.at[i];
		struct diff_text text = {bytes + piece->from, piece->size, 0};

		if (piece->unit == UNITS_FIXED)
			add_common(mix, text.bytes, text.size);
		else
			add_segment(mix, failing ? NULL : &text, failing ? &text : NULL)->unit =
				first + piece->unit;
	}
	mix->units = first + units.count;
	units_deinit(&units);
	return NULL;
}

/* --- slots --- */

static struct mix_slot *begin_slot(struct mix *mix, const struct input_part *part)
{
	struct mix_slot *slot = vec_push(&mix->slots);

	slot->part = part;
	slot->unit = MIX_NONE;
	slot->from = mix->segments.size;
	return slot;
}

/* Are the segments one unit each, in their order, of bytes side by side that only the failing side
   has? */
static bool is_row(const struct mix_segment *segments, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct mix_segment *at = &segments[i];

		if (at->unit == MIX_NONE || at->pass_size ||
		    (i &&
		     (at->unit != at[-1].unit + 1 || at->fail != at[-1].fail + at[-1].fail_size)))
			return false;
	}
	return count;
}

static void end_slot(struct mix *mix)
{
	struct mix_slot *slot = &mix->slots.at[mix->slots.size - 1];

	slot->count = mix->segments.size - slot->from;
	slot->row = is_row(mix->segments.at + slot->from, slot->count);
}

static void add_fixed(struct mix *mix, const struct input_part *part)
{
	begin_slot(mix, part);
	add_common(mix, part->bytes.text, part->bytes.length);
	end_slot(mix);
}

/* A part that both sides have. */
static struct hence_error *add_pair(struct mix *mix, const struct level *level,
                                    const struct input_part *pass, const struct input_part *fail)
{
	struct hence_error *error;

	begin_slot(mix, fail);
	error = add_two(mix, level, pass, fail);
	end_slot(mix);
	return error;
}

/* An argument or variable that one side has. */
static struct hence_error *add_single(struct mix *mix, const struct level *level,
                                      const struct input_part *part, bool failing)
{
	struct mix_slot *slot = begin_slot(mix, part);
	struct hence_error *error = NULL;

	slot->unit = mix->units++;
	slot->only_failing = failing;
	if (level->arguments == LEVEL_CUTS)
		error = add_one(mix, level, part, failing);
	else
		add_common(mix, part->bytes.text, part->bytes.length);
	end_slot(mix);
	return error;
}

/* --- without a passing input --- */

/* A variable of the environment: what is in it, and whether it is there at all. */
static struct hence_error *add_variable(struct mix *mix, const struct level *level,
                                        const struct input_part *part)
{
	struct mix_slot *slot = begin_slot(mix, part);
	struct hence_error *error;

	slot->unit = mix->units++;
	slot->only_failing = true;
	error = add_one(mix, level, part, true);
	end_slot(mix);
	return error;
}

struct hence_error *mix_create(const struct input *failing, const struct level *level,
                               struct mix *out)
{
	struct mix mix = {.units = 0};
	struct hence_error *error = NULL;

	for (uint32_t i = 0; !error && i < failing->parts.size; i++) {
		const struct input_part *part = &failing->parts.at[i];

		if (!part->varied || part->unset ||
		    (part->kind == INPUT_ARGUMENT && level->arguments == LEVEL_KEEPS)) {
			add_fixed(&mix, part);
		} else if (part->kind == INPUT_ARGUMENT) {
			error = add_single(&mix, level, part, true);
		} else if (part->kind == INPUT_VARIABLE) {
			error = add_variable(&mix, level, part);
		} else {
			begin_slot(&mix, part);
			error = add_one(&mix, level, part, true);
			end_slot(&mix);
		}
	}
	if (error)
		mix_deinit(&mix);
	else
		*out = mix;
	return error;
}

/* --- with one --- */

static uint32_t count_arguments(const struct input *input)
{
	uint32_t count = 0;

	while (count < input->parts.size && input->parts.at[count].kind == INPUT_ARGUMENT)
		count++;
	return count;
}

static void add_arguments(const struct input *input, struct diff_texts *out)
{
	uint32_t count = count_arguments(input);

	for (uint32_t i = 0; i < count; i++)
		diff_add(out, str_text(&input->parts.at[i].bytes), input->parts.at[i].bytes.length);
}

static struct hence_error *add_arguments_hunk(struct mix *mix, const struct level *level,
                                              const struct diff_hunk *hunk,
                                              const struct input_part *pass,
                                              const struct input_part *fail)
{
	struct hence_error *error = NULL;

	for (uint32_t i = 0; !error && (i < hunk->count_a || i < hunk->count_b); i++) {
		if (i < hunk->count_a && i < hunk->count_b)
			error = add_pair(mix, level, &pass[hunk->from_a + i],
			                 &fail[hunk->from_b + i]);
		else if (i < hunk->count_a)
			error = add_single(mix, level, &pass[hunk->from_a + i], false);
		else
			error = add_single(mix, level, &fail[hunk->from_b + i], true);
	}
	return error;
}

static struct hence_error *mix_arguments(struct mix *mix, const struct level *level,
                                         const struct input *passing, const struct input *failing)
{
	struct diff_texts pass = {VEC_INIT}, fail = {VEC_INIT};
	struct hence_error *error = NULL;
	struct diff diff;
	uint32_t at = 0; /* in passing */

	add_arguments(passing, &pass);
	add_arguments(failing, &fail);
	diff_compute(&pass, &fail, &diff);
	for (uint32_t i = 0; !error && i < diff.hunks.size; i++) {
		for (; at < diff.hunks.at[i].from_a; at++)
			add_fixed(mix, &passing->parts.at[at]);
		error = add_arguments_hunk(mix, level, &diff.hunks.at[i], passing->parts.at,
		                           failing->parts.at);
		at += diff.hunks.at[i].count_a;
	}
	for (; !error && at < pass.list.size; at++)
		add_fixed(mix, &passing->parts.at[at]);
	diff_deinit(&diff);
	diff_texts_deinit(&pass);
	diff_texts_deinit(&fail);
	return error;
}

/* Parts other than arguments: both sides have them, but a variable may be unset on one. */
static struct hence_error *mix_other(struct mix *mix, const struct level *level,
                                     const struct input_part *pass, const struct input_part *fail)
{
	if (pass->unset == fail->unset)
		return add_pair(mix, level, pass, fail);
	return add_single(mix, level, pass->unset ? fail : pass, pass->unset);
}

struct hence_error *mix_create_difference(const struct input *passing, const struct input *failing,
                                          const struct level *level, struct mix *out)
{
	uint32_t i = count_arguments(passing), j = count_arguments(failing);
	struct mix mix = {.units = 0};
	struct hence_error *error = mix_arguments(&mix, level, passing, failing);

	assert(passing->parts.size - i == failing->parts.size - j);
	for (; !error && j < failing->parts.size; i++, j++)
		error = mix_other(&mix, level, &passing->parts.at[i], &failing->parts.at[j]);
	if (error)
		mix_deinit(&mix);
	else
		*out = mix;
	return error;
}

void mix_deinit(struct mix *mix)
{
	vec_deinit(&mix->slots);
	vec_deinit(&mix->segments);
}

uint64_t mix_distance(const struct mix *mix)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < mix->slots.size; i++)
		sum += mix->slots.at[i].unit != MIX_NONE;
	for (uint32_t i = 0; i < mix->segments.size; i++)
		if (mix->segments.at[i].unit != MIX_NONE)
			sum += mix->segments.at[i].pass_size + mix->segments.at[i].fail_size;
	return sum;
}
