/* Inputs between two inputs, how they are cut: see mix.h. */
#include "reduce/mix.h"

#include <assert.h>

#include "base/diff.h"

/* ------ from a set of units to an input ------ */

/*
 * By bytes there are millions of units and hundreds of sets, so a part whose units lie side by side
 * is not walked unit by unit: the set is looked at by words, and what is in it without a gap is
 * copied at once.
 */

/* The first unit from `at` on that is in the set, or, if not `in`, is not; `end` if there is none
   before that. */
static uint32_t find(const struct dd_set *set, uint32_t at, uint32_t end, bool in)
{
	while (at < end) {
		uint64_t word = set->words[at / 64];

		word = (in ? word : ~word) >> (at % 64);
		if (word) {
			at += (uint32_t)__builtin_ctzll(word);
			return at < end ? at : end;
		}
		at = (at / 64 + 1) * 64;
	}
	return end;
}

void mix_apply(const struct mix *mix, const struct dd_set *set, struct input *out)
{
	*out = (struct input){VEC_INIT};
	for (uint32_t i = 0; i < mix->slots.size; i++) {
		const struct mix_slot *slot = &mix->slots.at[i];
		bool there =
			slot->unit == MIX_NONE || dd_set_has(set, slot->unit) == slot->only_failing;
		struct input_part *part;

		if (!there && slot->part->kind != INPUT_VARIABLE)
			continue;
		part = vec_push(&out->parts);
		part->kind = slot->part->kind;
		part->name = slot->part->name ? mem_strdup(slot->part->name) : NULL;
		part->varied = slot->part->varied;
		part->unset = !there || slot->part->unset;
		if (there && slot->row) {
			const struct mix_segment *segments = &mix->segments.at[slot->from];
			uint32_t first = segments->unit, end = first + slot->count, to;

			for (uint32_t at = find(set, first, end, true); at < end;
			     at = find(set, to, end, true)) {
				const struct mix_segment *last;

				to = find(set, at, end, false);
				last = &segments[to - 1 - first];
				str_add_bytes(&part->bytes, segments[at - first].fail,
				              (size_t)(last->fail - segments[at - first].fail) +
				                      last->fail_size);
			}
		} else if (there) {
			const char *from = NULL;
			size_t size = 0;

			/* Stretches that lie side by side are copied at once here, too. */
			for (uint32_t k = slot->from; k < slot->from + slot->count; k++) {
				const struct mix_segment *segment = &mix->segments.at[k];
				bool fail =
					segment->unit != MIX_NONE && dd_set_has(set, segment->unit);
				const char *bytes = fail ? segment->fail : segment->pass;
				size_t more = fail ? segment->fail_size : segment->pass_size;

				if (!more)
					continue;
				if (size && from + size != bytes) {
					str_add_bytes(&part->bytes, from, size);
					size = 0;
				}
				if (!size)
					from = bytes;
				size += more;
			}
			if (size)
				str_add_bytes(&part->bytes, from, size);
		}
	}
}

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
	struct diff_texts a = {VEC_INIT}, b = {VEC_INIT};

	begin_slot(mix, fail);
	/* A text that both sides have. */
	error = list_pieces(level, pass, &a);
	if (!error)
		error = list_pieces(level, fail, &b);
	if (!error) {
		struct diff diff;
		uint32_t at = 0;

		diff_compute(&a, &b, &diff);
		for (uint32_t i = 0; i < diff.hunks.size; i++) {
			const struct diff_hunk *hunk = &diff.hunks.at[i];

			add_equal(mix, &a, at, hunk->from_a);
			add_hunk(mix, a.list.at + hunk->from_a, hunk->count_a,
			         b.list.at + hunk->from_b, hunk->count_b);
			at = hunk->from_a + hunk->count_a;
		}
		add_equal(mix, &a, at, a.list.size);
		diff_deinit(&diff);
	}
	diff_texts_deinit(&a);
	diff_texts_deinit(&b);
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
			struct mix_slot *slot = begin_slot(&mix, part);

			/* A variable of the environment: what is in it, and whether it is there
			   at all. */
			slot->unit = mix.units++;
			slot->only_failing = true;
			error = add_one(&mix, level, part, true);
			end_slot(&mix);
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
	struct diff_texts pass = {VEC_INIT}, fail = {VEC_INIT};
	struct hence_error *error = NULL;
	struct diff diff;
	uint32_t at = 0;

	add_arguments(passing, &pass);
	add_arguments(failing, &fail);
	diff_compute(&pass, &fail, &diff);
	for (uint32_t m = 0; !error && m < diff.hunks.size; m++) {
		const struct diff_hunk *hunk;

		for (; at < diff.hunks.at[m].from_a; at++)
			add_fixed(&mix, &passing->parts.at[at]);
		hunk = &diff.hunks.at[m];
		for (uint32_t k = 0; !error && (k < hunk->count_a || k < hunk->count_b); k++) {
			if (k < hunk->count_a && k < hunk->count_b)
				error = add_pair(&mix, level, &passing->parts.at[hunk->from_a + k],
				                 &failing->parts.at[hunk->from_b + k]);
			else if (k < hunk->count_a)
				error = add_single(&mix, level,
				                   &passing->parts.at[hunk->from_a + k], false);
			else
				error = add_single(&mix, level,
				                   &failing->parts.at[hunk->from_b + k], true);
		}
		at += diff.hunks.at[m].count_a;
	}
	for (; !error && at < pass.list.size; at++)
		add_fixed(&mix, &passing->parts.at[at]);
	diff_deinit(&diff);
	diff_texts_deinit(&pass);
	diff_texts_deinit(&fail);
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
