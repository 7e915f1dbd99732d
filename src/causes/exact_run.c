/* Executes events of a dual slice: see exact_work.h. */
#include "causes/exact_work.h"

static uint8_t worse(uint8_t a, uint8_t b)
{
	return a > b ? a : b;
}

static struct exact_value as_traced(const struct exact_run *r, const struct exact_event *event)
{
	unsigned side = exact_first(r, event);

	return (struct exact_value){.word = exact_made(r->x, side, event->instances[side]),
	                            .words = 1};
}

/* --- computing --- */

static const struct eval *prepare(struct exact_run *r, const struct exact_event *event,
                                  const struct code_insn *insn)
{
	unsigned side = exact_first(r, event);
	LLVMValueRef instruction =
		execution_instruction(r->x->sides[side].execution, event->instances[side]);
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	const struct eval *eval;

	if (insn->op == CODE_EVAL)
		return ((const struct code_eval *)insn->more)->eval;
	return eval_prepare(LLVMGetModuleDataLayout(LLVMGetGlobalParent(function)), instruction,
	                    &r->arena, &eval)
	               ? NULL
	               : eval;
}

static struct exact_value compute(struct exact_run *r, const struct exact_event *event,
                                  const struct code_insn *insn)
{
	const struct code_eval *more = insn->op == CODE_EVAL ? insn->more : NULL;
	const struct eval *eval = prepare(r, event, insn);
	uint32_t count = more ? more->count : insn->op >= CODE_TRUNC ? 1 : 2;
	uint64_t in[CODE_OPERANDS][CODE_WORDS] = {{0}}, none[CODE_WORDS] = {0};
	uint64_t bits[CODE_WORDS] = {0}, undefined[CODE_WORDS] = {0};
	struct eval_value operands[CODE_OPERANDS], result = {bits, undefined};
	struct exact_value out = {.words = insn->words, .taint = eval ? 0 : EXACT_UNKNOWN};

	for (uint32_t k = 0; k < count; k++) {
		uint32_t words = more ? more->in[k].words : 1;
		struct exact_value value =
			exact_input(r, event, more ? EXACT_LIST + k : EXACT_A + k, words);

		for (uint32_t w = 0; w < words; w++)
			in[k][w] = exact_word(r, &value, w);
		operands[k] = (struct eval_value){in[k], none};
		out.taint = worse(out.taint, value.taint);
	}
	if (out.taint)
		return out;
	/* A division that traps: the run would end here. */
	if (!eval_run(eval, operands, &result))
		out.taint = EXACT_CONFOUNDED;
	exact_keep(r, &out, bits, insn->words);
	return out;
}

static int64_t sign_extend(uint64_t value, uint32_t bits)
{
	return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static struct exact_value step(struct exact_run *r, const struct exact_event *event,
                               const struct code_insn *insn)
{
	const struct code_indices *more = insn->more;
	struct exact_value out = exact_input(r, event, EXACT_A, 1);

	out.word += (uint64_t)insn->imm;
	if (insn->op == CODE_INDEX) {
		struct exact_value index = exact_input(r, event, EXACT_B, 1);

		out.word += (uint64_t)sign_extend(index.word, insn->from) * insn->scale;
		out.taint = worse(out.taint, index.taint);
	}
	for (uint32_t k = 0; insn->op == CODE_INDICES && k < more->count; k++) {
		struct exact_value index = exact_input(r, event, EXACT_LIST + k, 1);

		out.word +=
			(uint64_t)(sign_extend(index.word, more->at[k].bits) * more->at[k].scale);
		out.taint = worse(out.taint, index.taint);
	}
	return out;
}

/* --- memory --- */

static struct exact_value load(struct exact_run *r, const struct exact_event *event,
                               const struct code_insn *insn)
{
	struct exact_value pointer = exact_input(r, event, EXACT_A, 1);
	struct exact_value out = {.taint = pointer.taint};
	uint64_t bits[CODE_WORDS] = {0}, traced[2][CODE_WORDS] = {{0}};
	bool known[2];

	for (unsigned side = 0; side < 2; side++)
		known[side] = event->instances[side] &&
		              exact_wide(r->x, side, event->instances[side], traced[side]);
	for (uint32_t k = 0; k < insn->bytes && k < sizeof(bits); k++) {
		struct exact_byte byte = {.taint = EXACT_CONFOUNDED};
		enum exact_origin from = exact_read(r, event, EXACT_A, pointer.word, k, &byte);

		if (from <= EXACT_TRACE_1) {
			byte.byte = ((const uint8_t *)traced[from])[k];
			byte.taint = known[from] ? EXACT_KNOWN : EXACT_UNKNOWN;
		}
		((uint8_t *)bits)[k] = byte.byte;
		out.taint = worse(out.taint, byte.taint);
	}
	if (insn->bytes <= 8 && insn->bits && insn->bits < 8 * insn->bytes)
		bits[0] &= (1ull << insn->bits) - 1;
	exact_keep(r, &out, bits, (insn->bytes + 7) / 8);
	return out;
}

/* Where nobody knows what was written, nothing is known any more. */
static bool can_write(struct exact_run *r, const struct exact_value *place)
{
	r->lost = worse(r->lost, place->taint);
	return !place->taint;
}

static struct exact_value store(struct exact_run *r, uint32_t number, const struct code_insn *insn)
{
	const struct exact_event *event = &r->x->events.at[number];
	uint32_t words = (insn->bytes + 7) / 8;
	struct exact_value value = exact_input(r, event, EXACT_A, words);
	struct exact_value place = exact_input(r, event, EXACT_B, 1);

	for (uint32_t k = 0; can_write(r, &place) && k < insn->bytes; k++) {
		struct exact_byte byte = {(uint8_t)(exact_word(r, &value, k / 8) >> k % 8 * 8),
		                          value.taint, EXACT_FIRST + number};

		exact_put(&r->memory, place.word + k, byte);
	}
	return value;
}

static struct exact_value fill(struct exact_run *r, uint32_t number)
{
	const struct exact_event *event = &r->x->events.at[number];
	struct exact_value place = exact_input(r, event, EXACT_A, 1);
	struct exact_value value = exact_input(r, event, EXACT_B, 1);
	struct exact_value size = exact_input(r, event, EXACT_C, 1);

	r->lost = worse(r->lost, size.taint);
	for (uint64_t k = 0; can_write(r, &place) && !size.taint && k < size.word; k++)
		exact_put(&r->memory, place.word + k,
		          (struct exact_byte){(uint8_t)value.word, value.taint,
		                              EXACT_FIRST + number});
	return size;
}

/* What an instance of that run put somewhere, as far as the slice needs it. */
static void put_traced(struct exact_run *r, uint32_t number, unsigned side, uint8_t taint)
{
	const struct exact_side *s = &r->x->sides[side];
	uint32_t instance = r->x->events.at[number].instances[side], count;
	const uint32_t *edges = exact_edges_from(r->x, side, instance, &count);

	for (uint32_t i = 0; i < count; i++) {
		const struct dual_edge *edge = &s->edges[edges[i]];
		uint64_t place = exact_place(r->x, side, instance, s->written[edges[i]]);

		for (uint64_t k = 0; k < edge->size; k++)
			exact_put(&r->memory, place + k,
			          (struct exact_byte){s->bytes[s->after[edges[i]] + k], taint,
			                              EXACT_FIRST + number});
	}
}

static struct exact_value copy(struct exact_run *r, uint32_t number)
{
	const struct exact_event *event = &r->x->events.at[number];
	struct exact_value to = exact_input(r, event, EXACT_A, 1);
	struct exact_value from = exact_input(r, event, EXACT_B, 1);
	struct exact_value size = exact_input(r, event, EXACT_C, 1);

	r->lost = worse(r->lost, size.taint);
	if (!can_write(r, &to) || size.taint)
		return size;
	/* What is not from the slice is as in the trace, as far as anybody reads it. */
	put_traced(r, number, !exact_first(r, event), from.taint);
	put_traced(r, number, exact_first(r, event), from.taint);
	for (uint64_t k = 0; k < size.word; k++) {
		struct exact_byte byte = {.taint = EXACT_CONFOUNDED};

		if (exact_read(r, event, EXACT_B, from.word, k, &byte) <= EXACT_TRACE_1)
			continue;
		byte.taint = worse(byte.taint, from.taint);
		byte.writer = EXACT_FIRST + number;
		exact_put(&r->memory, to.word + k, byte);
	}
	return size;
}

/* --- what only a trace tells --- */

/* Does what it did in the runs in which it got the same; what only one of them needs is put as well. */
static struct exact_value repeat(struct exact_run *r, uint32_t number)
{
	const struct exact_event *event = &r->x->events.at[number];
	unsigned first = exact_first(r, event), side = first;
	struct exact_value out = {.words = 1, .taint = EXACT_UNKNOWN};
	uint8_t taint = EXACT_UNKNOWN;

	for (unsigned n = 0; n < 2; n++) {
		unsigned tried = n ? first : !first;

		if (!exact_same(r, event, tried, &taint))
			continue;
		put_traced(r, number, tried, EXACT_KNOWN);
		side = tried;
		out.taint = EXACT_KNOWN;
	}
	if (out.taint) {
		out.taint = taint;
		put_traced(r, number, first, taint);
	}
	out.word = exact_made(r->x, side, event->instances[side]);
	if (execution_insn(r->x->sides[side].execution, event->instances[side])->words > 1)
		out.taint = worse(out.taint, EXACT_UNKNOWN);
	return out;
}

/* --- ways --- */

/* Would the branch of that run go as it went there? */
static bool goes_as(const struct exact_run *r, const struct exact_event *event, unsigned side,
                    const struct exact_value *value)
{
	const struct execution *e = r->x->sides[side].execution;
	uint32_t instance = event->instances[side], code, block = 0;
	const struct code_function *f;

	if (execution_insn(e, instance)->op == CODE_JUMP)
		return value->word == exact_made(r->x, side, instance);
	code = execution_code(e, instance);
	f = code_of(execution_code_table((struct execution *)e), code);
	while (f->blocks[block + 1] <= code - f->first)
		block++;
	return plan_branch_successor(f->plan, block, value->word) ==
	       plan_branch_successor(f->plan, block, execution_value(e, instance));
}

static bool calls_as(const struct exact_run *r, const struct exact_event *event, unsigned side,
                     const struct exact_value *callee)
{
	const struct code_insn *insn =
		execution_insn(r->x->sides[side].execution, event->instances[side]);
	uint32_t made;

	return callee->word == exact_operand(r->x, side, event->instances[side],
	                                     exact_operand_of(insn, EXACT_CALLEE), &made);
}

static struct exact_value decide(struct exact_run *r, const struct exact_event *event)
{
	bool calls = exact_insn(r, event)->op == CODE_CALL;
	struct exact_value value = exact_input(r, event, calls ? EXACT_CALLEE : EXACT_A, 1);
	bool found = false;

	r->lost = worse(r->lost, value.taint);
	for (unsigned side = 0; side < 2 && !value.taint; side++)
		if (event->instances[side] &&
		    (calls ? calls_as(r, event, side, &value) : goes_as(r, event, side, &value))) {
			found = true;
			if (event->fork)
				r->ways[event->fork - 1] = (int8_t)side;
		}
	if (!found && !value.taint)
		r->lost = EXACT_CONFOUNDED;
	return value;
}

/* --- all --- */

static uint32_t returned_words(const struct exact_run *r, const struct exact_event *event)
{
	unsigned side = exact_first(r, event);

	return exact_operand_words(r->x->sides[side].execution, event->instances[side]);
}

static struct exact_value execute(struct exact_run *r, uint32_t number)
{
	const struct exact_event *event = &r->x->events.at[number];
	const struct code_insn *insn = exact_insn(r, event);
	unsigned side = exact_first(r, event);

	switch ((enum code_op)insn->op) {
	case CODE_MOVE: return exact_input(r, event, EXACT_A, 1);
	case CODE_STEP:
	case CODE_INDEX:
	case CODE_INDICES: return step(r, event, insn);
	case CODE_PHI: return exact_chosen(r, event);
	case CODE_LOAD:
	case CODE_LOAD_WIDE: return load(r, event, insn);
	case CODE_STORE:
	case CODE_STORE_WIDE: return store(r, number, insn);
	case CODE_COPY: return copy(r, number);
	case CODE_FILL: return fill(r, number);
	case CODE_RETURN:
		return insn->a == CODE_NO_OPERAND
		               ? (struct exact_value){0}
		               : exact_input(r, event, EXACT_A, returned_words(r, event));
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_JUMP: return decide(r, event);
	case CODE_CALL:
		if (event->fork)
			return decide(r, event);
		break;
	default:
		if ((insn->op >= CODE_ADD && insn->op <= CODE_SEXT) || insn->op == CODE_EVAL)
			return compute(r, event, insn);
	}
	if (exact_is_opaque(r->x->sides[side].execution, event->instances[side]))
		return repeat(r, number);
	return as_traced(r, event);
}

void exact_execute(struct exact_run *r, uint32_t number)
{
	struct exact_value value = execute(r, number);

	value.done = true;
	r->values[number] = value;
}
