/*
 * From a set of units to an input: see mix.h. By bytes there are millions of units and hundreds of
 * sets, so a part whose units lie side by side is not walked unit by unit: the set is looked at by
 * words, and what is in it without a gap is copied at once.
 */
#include "reduce/mix.h"

static bool exists(const struct mix_slot *slot, const struct dd_set *set)
{
	return slot->unit == MIX_NONE || dd_set_has(set, slot->unit) == slot->only_failing;
}

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

static void fill_row(const struct mix *mix, const struct mix_slot *slot, const struct dd_set *set,
                     struct str *out)
{
	const struct mix_segment *segments = &mix->segments.at[slot->from];
	uint32_t first = segments->unit, end = first + slot->count, to;

	for (uint32_t at = find(set, first, end, true); at < end; at = find(set, to, end, true)) {
		const struct mix_segment *last;

		to = find(set, at, end, false);
		last = &segments[to - 1 - first];
		str_add_bytes(out, segments[at - first].fail,
		              (size_t)(last->fail - segments[at - first].fail) + last->fail_size);
	}
}

/* Stretches that lie side by side are copied at once here, too. */
static void fill(const struct mix *mix, const struct mix_slot *slot, const struct dd_set *set,
                 struct str *out)
{
	const char *from = NULL;
	size_t size = 0;

	for (uint32_t i = slot->from; i < slot->from + slot->count; i++) {
		const struct mix_segment *segment = &mix->segments.at[i];
		bool fail = segment->unit != MIX_NONE && dd_set_has(set, segment->unit);
		const char *bytes = fail ? segment->fail : segment->pass;
		size_t more = fail ? segment->fail_size : segment->pass_size;

		if (!more)
			continue;
		if (size && from + size != bytes) {
			str_add_bytes(out, from, size);
			size = 0;
		}
		if (!size)
			from = bytes;
		size += more;
	}
	if (size)
		str_add_bytes(out, from, size);
}

void mix_apply(const struct mix *mix, const struct dd_set *set, struct input *out)
{
	*out = (struct input){VEC_INIT};
	for (uint32_t i = 0; i < mix->slots.size; i++) {
		const struct mix_slot *slot = &mix->slots.at[i];
		bool there = exists(slot, set);
		struct input_part *part;

		if (!there && slot->part->kind != INPUT_VARIABLE)
			continue;
		part = vec_push(&out->parts);
		part->kind = slot->part->kind;
		part->name = slot->part->name ? mem_strdup(slot->part->name) : NULL;
		part->varied = slot->part->varied;
		part->unset = !there || slot->part->unset;
		if (there && slot->row)
			fill_row(mix, slot, set, &part->bytes);
		else if (there)
			fill(mix, slot, set, &part->bytes);
	}
}
