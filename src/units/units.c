/* Cutting and joining: the parts that are the same for every way to cut. */
#include <assert.h>
#include <inttypes.h>

#include "units/cut.h"

void units_put(struct units *units, uint64_t from, uint64_t to, uint32_t unit)
{
	if (from == to)
		return;
	assert(from < to);
	*vec_push(&units->pieces) = (struct units_piece){from, to - from, unit};
}

void units_put_unit(struct units *units, uint64_t from, uint64_t to)
{
	if (from < to)
		units_put(units, from, to, units->count++);
}

struct hence_error *units_cut(const struct units_way *way, const void *bytes, uint64_t size,
                              struct units *out)
{
	struct units units = {0};
	struct hence_error *error = NULL;

	/* Pieces have numbers of 32 bits. */
	if (size >= UINT32_MAX / 2)
		return error_create(HENCE_ERROR_INPUT,
		                    "an input of %" PRIu64 " bytes is too large to be cut into "
		                    "parts; begin with a smaller one",
		                    size);
	switch (way->kind) {
	case UNITS_RECORDS: error = units_cut_records(bytes, size, way->regex, &units); break;
	case UNITS_GROUPS: units_cut_groups(bytes, size, way->depth, &units); break;
	case UNITS_PAIRS: units_cut_pairs(bytes, size, &units); break;
	case UNITS_LINES: units_cut_lines(bytes, size, &units); break;
	case UNITS_TOKENS: units_cut_tokens(bytes, size, &units); break;
	case UNITS_BLOCKS: units_cut_blocks(size, way->block, &units); break;
	case UNITS_BYTES: units_cut_bytes(bytes, size, &units); break;
	}
	if (error)
		units_deinit(&units);
	else
		*out = units;
	return error;
}

void units_deinit(struct units *units)
{
	vec_deinit(&units->pieces);
	units->count = 0;
}

void units_join(const struct units *units, const void *bytes, const struct dd_set *set,
                struct str *out)
{
	assert(set->count == units->count);
	for (uint32_t i = 0; i < units->pieces.size; i++) {
		const struct units_piece *piece = &units->pieces.at[i];

		if (piece->unit == UNITS_FIXED || dd_set_has(set, piece->unit))
			str_add_bytes(out, (const char *)bytes + piece->from, piece->size);
	}
}
