/* Levels of units: see levels.h. */
#include "reduce/levels.h"

/* --- which there are --- */

/* The order of levels of several parts that have not the same. */
static int64_t rank(const struct units_way *way)
{
	static const int64_t ranks[] = {
		[UNITS_RECORDS] = 0, [UNITS_BLOCKS] = 1, [UNITS_GROUPS] = 2, [UNITS_PAIRS] = 3,
		[UNITS_LINES] = 4,   [UNITS_TOKENS] = 5, [UNITS_BYTES] = 6,
	};

	return ranks[way->kind] * ((int64_t)1 << 32) + way->depth +
	       (way->kind == UNITS_BLOCKS ? INT32_MAX - (int64_t)way->block : 0);
}

/* Puts a way where it belongs, if it is not there. */
static void merge(struct units_levels *all, const struct units_way *way)
{
	uint32_t i = 0;

	while (i < all->ways.size && rank(&all->ways.at[i]) < rank(way))
		i++;
	if (i < all->ways.size && rank(&all->ways.at[i]) == rank(way))
		return;
	vec_push(&all->ways);
	memmove(&all->ways.at[i + 1], &all->ways.at[i],
	        (all->ways.size - 1 - i) * sizeof(*all->ways.at));
	all->ways.at[i] = *way;
}

static bool has_several(const struct input *input)
{
	uint32_t varied = 0;

	for (uint32_t i = 0; i < input->parts.size; i++)
		varied += input->parts.at[i].varied;
	return varied > 1;
}

void levels_choose(const struct units_by *by, const struct input *input, bool isolates,
                   struct levels *out)
{
	struct units_levels ways = {0};
	static const struct units_way bytes = {.kind = UNITS_BYTES};

	*out = (struct levels){VEC_INIT};
	if (has_several(input) || isolates) {
		struct level *level = vec_push(&out->list);

		level->parts = level->binary = level->text = true;
		level->arguments = LEVEL_WHOLE;
		level->name = mem_strdup("parts");
	}
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];
		struct units_levels levels;

		if (!part->varied)
			continue;
		units_levels(by, str_text(&part->bytes), part->bytes.length, &levels);
		for (uint32_t j = 0; j < levels.ways.size; j++) {
			const struct units_way *way = &levels.ways.at[j];

			/* Brackets and lines of arguments are no levels of their own. */
			if (part->kind == INPUT_ARGUMENT && by->automatic &&
			    way->kind != UNITS_TOKENS && way->kind != UNITS_BYTES)
				continue;
			/* Two texts are not compared by what is in their brackets. */
			if (!isolates || (way->kind != UNITS_GROUPS && way->kind != UNITS_PAIRS &&
			                  way->kind != UNITS_BLOCKS))
				merge(&ways, way);
		}
		units_levels_deinit(&levels);
	}
	if (!ways.ways.size)
		merge(&ways, by->automatic ? &bytes : &by->way);
	for (uint32_t i = 0; i < ways.ways.size; i++) {
		const struct units_way *way = &ways.ways.at[i];
		struct level *level = vec_push(&out->list);

		level->way = *way;
		level->binary =
			!by->automatic || way->kind == UNITS_BLOCKS || way->kind == UNITS_BYTES;
		level->text = !by->automatic || way->kind != UNITS_BLOCKS;
		if (way->kind == UNITS_TOKENS || way->kind == UNITS_BYTES)
			level->arguments = LEVEL_CUTS;
		else
			level->arguments = by->automatic ? LEVEL_KEEPS : LEVEL_WHOLE;
		level->name = units_way_text(way);
	}
	units_levels_deinit(&ways);
}

void levels_deinit(struct levels *levels)
{
	for (uint32_t i = 0; i < levels->list.size; i++)
		free(levels->list.at[i].name);
	vec_deinit(&levels->list);
}

/* --- cutting --- */

/* All of it as one piece. */
static void cut_whole(uint64_t size, uint32_t unit, struct units *out)
{
	*out = (struct units){0};
	if (!size)
		return;
	*vec_push(&out->pieces) = (struct units_piece){0, size, unit};
	out->count = unit == UNITS_FIXED ? 0 : 1;
}

struct hence_error *level_cut(const struct level *level, const struct input_part *part,
                              struct units *out)
{
	const char *bytes = str_text(&part->bytes);
	uint64_t size = part->bytes.length;
	struct hence_error *error;

	if (level->parts || (part->kind == INPUT_ARGUMENT && level->arguments != LEVEL_CUTS)) {
		cut_whole(size, 0, out);
		return NULL;
	}
	if (!(level->binary && level->text) &&
	    !(units_is_binary(bytes, size) ? level->binary : level->text)) {
		cut_whole(size, UNITS_FIXED, out);
		return NULL;
	}
	error = units_cut(&level->way, bytes, size, out);
	/* What is left need not match any more, nor every part: levels_check() has seen one that
	   did. */
	if (error && level->way.kind == UNITS_RECORDS) {
		error_destroy(error);
		cut_whole(size, 0, out);
		error = NULL;
	}
	return error;
}

struct hence_error *levels_check(const struct units_by *by, const struct input *input)
{
	struct hence_error *error = NULL;

	if (by->automatic || by->way.kind != UNITS_RECORDS)
		return NULL;
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];
		struct units units;

		if (!part->varied || part->kind == INPUT_ARGUMENT)
			continue;
		error_destroy(error);
		error = units_cut(&by->way, str_text(&part->bytes), part->bytes.length, &units);
		if (!error) {
			units_deinit(&units);
			return NULL;
		}
	}
	return error;
}
