/* Vectors: element-wise operations, and those that move elements. Elements are packed without gaps,
   as in memory: those of <8 x i1> are the bits of one byte. */
#include "eval/prepared.h"

#include <assert.h>
#include <string.h>

static void clear(const struct eval *e, struct eval_value *result)
{
	memset(result->bits, 0, e->words * sizeof(uint64_t));
	memset(result->undef, 0, e->words * sizeof(uint64_t));
}

/* --- element-wise --- */

static bool run_lanes(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	uint64_t words[EVAL_MOST_OPERANDS + 1][2], undef[EVAL_MOST_OPERANDS + 1][2];
	struct eval_value lane[EVAL_MOST_OPERANDS],
		out = {words[EVAL_MOST_OPERANDS], undef[EVAL_MOST_OPERANDS]};

	clear(e, result);
	for (uint32_t i = 0; i < e->lanes; i++) {
		for (uint32_t j = 0; j < e->arity; j++) {
			uint32_t bits = e->lane_bits[j];

			lane[j] = (struct eval_value){words[j], undef[j]};
			eval_put(words[j], 128, eval_get_at(o[j].bits, i * bits, bits));
			eval_put(undef[j], 128, eval_get_at(o[j].undef, i * bits, bits));
		}
		if (!e->lane->run(e->lane, lane, &out))
			return false;
		eval_put_at(result->bits, i * e->bits, e->bits, eval_get(out.bits, e->bits));
		eval_put_at(result->undef, i * e->bits, e->bits, eval_get(out.undef, e->bits));
	}
	return true;
}

bool eval_wrap_lanes(const struct eval_request *r, struct eval *e)
{
	struct eval *lane = arena_new(r->arena, struct eval);

	assert(e->arity <= EVAL_MOST_OPERANDS);
	*lane = *e;
	lane->words = (e->bits + 63) / 64;
	lane->total = e->bits;
	for (uint32_t i = 0; i < e->arity; i++) {
		LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(r->value, i));
		struct eval_scalar scalar = eval_scalar_of(r->layout, type);

		if (scalar.format == EVAL_OTHER || scalar.lanes != r->to.lanes)
			return false;
		e->lane_bits[i] = scalar.bits;
	}
	e->lane = lane;
	e->lanes = r->to.lanes;
	e->run = run_lanes;
	return true;
}

/* --- one element --- */

/* An index that is too large: code that the code generator may have turned into anything. */
static bool run_extract(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	uint64_t index = o[1].bits[0];

	if (index >= e->lanes)
		return false;
	eval_put(result->bits, e->bits, eval_get_at(o[0].bits, (uint32_t)index * e->bits, e->bits));
	eval_put(result->undef, e->bits,
	         eval_get_at(o[0].undef, (uint32_t)index * e->bits, e->bits));
	if (o[1].undef[0])
		eval_put(result->undef, e->bits, eval_mask(e->bits));
	return true;
}

static bool run_insert(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	uint64_t index = o[2].bits[0];
	uint32_t at = (uint32_t)index * e->bits;

	if (index >= e->lanes)
		return false;
	memcpy(result->bits, o[0].bits, e->words * sizeof(uint64_t));
	memcpy(result->undef, o[0].undef, e->words * sizeof(uint64_t));
	eval_put_at(result->bits, at, e->bits, eval_get(o[1].bits, e->bits));
	eval_put_at(result->undef, at, e->bits, eval_get(o[1].undef, e->bits));
	if (o[2].undef[0])
		for (uint32_t i = 0; i < e->lanes; i++)
			eval_put_at(result->undef, i * e->bits, e->bits, eval_mask(e->bits));
	return true;
}

bool eval_prepare_element(const struct eval_request *r, struct eval *e)
{
	unsigned index = r->opcode == LLVMExtractElement ? 1 : 2;
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(r->value, index));

	e->whole = true;
	e->lanes = r->from.lanes;
	e->run = r->opcode == LLVMExtractElement ? run_extract : run_insert;
	return r->from.format != EVAL_OTHER && LLVMGetIntTypeWidth(type) <= 64;
}

/* --- shufflevector --- */

static bool run_shuffle(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	clear(e, result);
	for (uint32_t i = 0; i < e->size; i++)
		if (e->mask[i] >= 0) {
			uint32_t from = (uint32_t)e->mask[i] % e->lanes * e->bits, to = i * e->bits;
			const struct eval_value *source = &o[(uint32_t)e->mask[i] / e->lanes];

			eval_put_at(result->bits, to, e->bits,
			            eval_get_at(source->bits, from, e->bits));
			eval_put_at(result->undef, to, e->bits,
			            eval_get_at(source->undef, from, e->bits));
		} else
			eval_put_at(result->undef, i * e->bits, e->bits, eval_mask(e->bits));
	return true;
}

bool eval_prepare_shuffle(const struct eval_request *r, struct eval *e)
{
	int32_t *mask = arena_new_array(r->arena, int32_t, r->to.lanes);

	for (uint32_t i = 0; i < r->to.lanes; i++) {
		int from = LLVMGetMaskValue(r->value, i);

		mask[i] = from == LLVMGetUndefMaskElem() ? -1 : from;
	}
	e->mask = mask;
	e->whole = true;
	e->lanes = r->from.lanes;
	e->size = r->to.lanes;
	e->run = run_shuffle;
	return r->from.format != EVAL_OTHER;
}
