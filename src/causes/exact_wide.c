/* Values of more than 64 bits, of which traces keep the first word only: see exact_work.h. */
#include "causes/exact_work.h"

/* --- what is wide --- */

static LLVMTargetDataRef layout_of(LLVMValueRef instruction)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));

	return LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
}

uint32_t exact_operand_words(const struct execution *e, uint32_t instance)
{
	LLVMValueRef instruction = execution_instruction(e, instance);

	return eval_type_words(layout_of(instruction), LLVMTypeOf(LLVMGetOperand(instruction, 0)));
}

/* Calls `tell` for each operand of more than one word. */
static void each_wide(const struct execution *e, uint32_t instance,
                      void (*tell)(void *context, uint32_t operand), void *context)
{
	const struct code_insn *insn = execution_insn(e, instance);
	const struct code_eval *more = insn->more;

	if (insn->op == CODE_STORE_WIDE || (insn->op == CODE_RETURN && insn->a != CODE_NO_OPERAND &&
	                                    exact_operand_words(e, instance) > 1))
		tell(context, insn->a);
	for (uint32_t k = 0; insn->op == CODE_EVAL && k < more->count; k++)
		if (more->in[k].words > 1)
			tell(context, more->in[k].operand);
}

/* --- asking --- */

struct asking {
	struct exact *x;
	unsigned side;
	uint32_t instance;
	struct exact_requests *requests;
};

static void ask_maker(struct asking *a, uint32_t instance);

static void ask_operand(void *context, uint32_t operand)
{
	struct asking *a = context;
	uint64_t value;
	uint32_t made;

	if (!(operand & 1) &&
	    execution_operand(a->x->sides[a->side].execution, a->instance, operand, &value,
	                      &made) &&
	    made >= EXECUTION_FIRST)
		ask_maker(a, made);
}

static void ask_maker(struct asking *a, uint32_t instance)
{
	struct exact_side *s = &a->x->sides[a->side];
	const struct code_insn *insn = execution_insn(s->execution, instance);
	struct asking deeper = {a->x, a->side, instance, a->requests};
	uint64_t address;
	uint32_t made;

	if (insn->op == CODE_EVAL)
		each_wide(s->execution, instance, ask_operand, &deeper);
	if (insn->op != CODE_LOAD_WIDE || exact_offsets_find(&s->wide, instance))
		return;
	execution_operand(s->execution, instance, insn->a, &address, &made);
	*exact_offsets_put(&s->wide, instance) = exact_ask(
		a->requests,
		&(struct exact_request){.statement = dual_statement(a->x->dual, a->side, instance),
	                                .address = address,
	                                .size = insn->bytes,
	                                .instance = instance});
}

void exact_ask_wide(struct exact *x, unsigned side, uint32_t instance,
                    struct exact_requests *requests)
{
	struct asking a = {x, side, instance, requests};

	ask_maker(&a, instance);
	each_wide(x->sides[side].execution, instance, ask_operand, &a);
}

/* --- what they were --- */

bool exact_wide_operand(const struct exact *x, unsigned side, uint32_t instance, uint32_t operand,
                        uint32_t words, uint64_t *out)
{
	const struct execution *e = x->sides[side].execution;
	const struct code_function *f =
		code_of(execution_code_table((struct execution *)e), execution_code(e, instance));
	uint32_t made;

	if (operand & 1) {
		for (uint32_t w = 0; w < words; w++)
			out[w] = f->constants[(operand >> 1) + w].bits;
		return true;
	}
	out[0] = exact_operand(x, side, instance, operand, &made);
	return words == 1 || (made >= EXECUTION_FIRST && exact_wide(x, side, made, out));
}

bool exact_wide(const struct exact *x, unsigned side, uint32_t instance, uint64_t *out)
{
	const struct exact_side *s = &x->sides[side];
	const struct code_insn *insn = execution_insn(s->execution, instance);
	const struct code_eval *more = insn->more;
	const uint32_t *at = exact_offsets_find(&s->wide, instance);
	uint64_t in[CODE_OPERANDS][CODE_WORDS] = {{0}}, none[CODE_WORDS] = {0};
	struct eval_value operands[CODE_OPERANDS], result = {out, (uint64_t[CODE_WORDS]){0}};

	if (insn->words <= 1)
		out[0] = exact_made(x, side, instance);
	else if (insn->op == CODE_LOAD_WIDE && at)
		memcpy(out, s->bytes + *at, insn->bytes);
	if (insn->op != CODE_EVAL || insn->words <= 1)
		return insn->words <= 1 || (insn->op == CODE_LOAD_WIDE && at);
	for (uint32_t k = 0; k < more->count; k++) {
		if (!exact_wide_operand(x, side, instance, more->in[k].operand, more->in[k].words,
		                        in[k]))
			return false;
		operands[k] = (struct eval_value){in[k], none};
	}
	return eval_run(more->eval, operands, &result);
}
