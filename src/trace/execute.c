/* Evaluates instructions: the loop in which the decoder spends its time. See execution.h. */
#include <string.h>

#include "trace/executor.h"

static inline uint64_t mask_of(uint8_t bits)
{
	return bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
}

static inline int64_t sign_extend(uint64_t value, uint8_t bits)
{
	unsigned shift = 64u - bits;

	return (int64_t)(value << shift) >> shift;
}

/* The bit and all above it. */
static inline uint64_t upwards(uint64_t undefined)
{
	return undefined | -undefined;
}

static bool compare(uint8_t op, uint8_t bits, uint64_t x, uint64_t y)
{
	int64_t s = sign_extend(x, bits), t = sign_extend(y, bits);

	switch (op) {
	case CODE_EQ: return x == y;
	case CODE_NE: return x != y;
	case CODE_UGT: return x > y;
	case CODE_UGE: return x >= y;
	case CODE_ULT: return x < y;
	case CODE_ULE: return x <= y;
	case CODE_SGT: return s > t;
	case CODE_SGE: return s >= t;
	case CODE_SLT: return s < t;
	default: return s <= t;
	}
}

/* Undefined bits of a result, when an operand has some. */
static uint64_t undefined_bits(const struct code_insn *i, const struct code_slot *x,
                               const struct code_slot *y)
{
	uint64_t either = x->undefined | y->undefined;

	switch (i->op) {
	case CODE_AND:
		return (x->undefined & y->undefined) | (x->undefined & y->bits) |
		       (y->undefined & x->bits);
	case CODE_OR:
		return (x->undefined & y->undefined) | (x->undefined & ~y->bits) |
		       (y->undefined & ~x->bits);
	case CODE_XOR: return either;
	case CODE_EQ:
	case CODE_NE: return !((x->bits ^ y->bits) & ~either);
	default: return i->op >= CODE_EQ ? 1 : upwards(either) & mask_of(i->bits);
	}
}

static inline uint64_t binary(const struct code_insn *i, uint64_t x, uint64_t y)
{
	switch (i->op) {
	case CODE_ADD: return (x + y) & mask_of(i->bits);
	case CODE_SUB: return (x - y) & mask_of(i->bits);
	case CODE_MUL: return (x * y) & mask_of(i->bits);
	case CODE_AND: return x & y;
	case CODE_OR: return x | y;
	default: return x ^ y;
	}
}

/* --- rarer instructions --- */

static void run_eval(struct execution *e, struct activation *a, const struct code_insn *i)
{
	const struct code_eval *more = i->more;
	struct code_slot *to = &e->slots.at[a->slots + i->to];
	uint64_t bits[CODE_WORDS] = {0}, undefined[CODE_WORDS] = {0};
	uint64_t in[CODE_OPERANDS][CODE_WORDS], in_undefined[CODE_OPERANDS][CODE_WORDS];
	struct eval_value operands[CODE_OPERANDS], result = {bits, undefined};

	for (uint32_t k = 0; k < more->count; k++) {
		const struct code_slot *from = executor_slot(e, a, more->in[k].operand);

		for (uint32_t w = 0; w < more->in[k].words; w++) {
			in[k][w] = from[w].bits;
			in_undefined[k][w] = from[w].undefined;
		}
		operands[k] = (struct eval_value){in[k], in_undefined[k]};
	}
	eval_run(more->eval, operands, &result);
	for (uint32_t w = 0; w < i->words; w++)
		to[w] = (struct code_slot){
			.bits = bits[w], .undefined = undefined[w], .made = e->next};
	executor_keep(e, bits[0], 0);
}

static void run_phi(struct execution *e, struct activation *a, const struct code_insn *i)
{
	const struct code_phi *phi = i->more;
	struct code_slot *to = &e->slots.at[a->slots + i->to];
	uint32_t k = 0, source;

	while (k + 1 < phi->count && phi->from[k].block != a->came)
		k++;
	source = executor_slot(e, a, phi->from[k].operand)->made;
	for (uint32_t w = 0; w < i->words; w++) {
		to[w] = executor_slot(e, a, phi->from[k].operand)[w];
		to[w].made = e->next;
	}
	executor_keep(e, to->bits, source);
}

static struct code_slot step(const struct execution *e, const struct activation *a,
                             const struct code_insn *i)
{
	const struct code_indices *more = i->more;
	struct code_slot p = *executor_slot(e, a, i->a);

	p.bits += (uint64_t)i->imm;
	for (uint32_t k = 0; k < more->count; k++) {
		const struct code_slot *index = executor_slot(e, a, more->at[k].operand);

		p.bits += (uint64_t)(sign_extend(index->bits, (uint8_t)more->at[k].bits) *
		                     more->at[k].scale);
		p.undefined = upwards(p.undefined | index->undefined);
	}
	return p;
}

/* The value stands on the tape. */
static void run_recorded(struct execution *e, struct activation *a, const struct code_insn *i,
                         const uint8_t *tape)
{
	struct code_slot *to = &e->slots.at[a->slots + i->to];
	uint64_t words[CODE_WORDS] = {0};

	if (i->bytes <= sizeof(words))
		memcpy(words, tape, i->bytes);
	if (i->more)
		executor_thread_local(e, (LLVMValueRef)i->more, words[0]);
	for (uint32_t w = 0; w < i->words; w++)
		to[w] = (struct code_slot){.bits = words[w], .made = e->next};
	if (i->more)
		to->object = executor_object_at(e, words[0]);
	executor_keep(e, words[0], 0);
}

static void run_asm(struct execution *e, struct activation *a, const struct code_insn *i,
                    const uint8_t *tape)
{
	const struct code_asm *more = i->more;
	uint32_t instance = e->next;

	if (i->words)
		run_recorded(e, a, i, tape);
	else
		executor_keep(e, 0, 0);
	e->last_unmodelled = "inline assembly";
	e->last_unmodelled_instance = instance;
	e->last_unmodelled_code = a->function->first + a->pc - 1;
	tape += i->bytes;
	for (uint32_t k = 0; k < more->count; k++) {
		const struct code_slot *p = executor_slot(e, a, more->memory[k].operand);

		memory_write(&e->memory, p->bits, tape, more->memory[k].bytes, instance);
		executor_tell_wrote(e, instance, p->bits, more->memory[k].bytes);
		tape += more->memory[k].bytes;
	}
}

static void run_va_copy(struct execution *e, struct activation *a, const struct code_insn *i)
{
	uint64_t to = executor_slot(e, a, i->a)->bits, from = executor_slot(e, a, i->b)->bits;
	uint32_t group = executor_group(e, to, from, 24);

	memory_copy(&e->memory, to, from, 24, e->next);
	executor_tell_wrote(e, e->next, to, 24);
	executor_note_copy(e, e->next);
	executor_keep(e, 0, group);
}

static void unsupported(struct execution *e, const struct activation *a, const struct code_insn *i)
{
	struct walk_place place = {0};

	walk_where(e->walk, 0, &place);
	executor_fail(e, error_create(HENCE_ERROR_INPUT,
	                              "cannot evaluate '%s' in %s(), executed at %s:%u; "
	                              "see docs/limits.md",
	                              (const char *)i->more, a->function->plan->name,
	                              place.file ? place.file : "?", place.line));
	executor_keep(e, 0, 0);
}

/* --- the ends of blocks --- */

static void disagree(struct execution *e, const struct activation *a,
                     enum execution_mismatch_kind kind, uint64_t expected, uint64_t recorded)
{
	struct execution_mismatch m = {.kind = kind, .expected = expected, .recorded = recorded};

	/* That one was made to go another way. */
	if (e->statements + 1 != walk_tape(e->walk)->head.patched)
		executor_mismatch(e, a, &m);
}

static void uninitialised(struct execution *e, const struct activation *a)
{
	struct execution_error error = {.kind = ERROR_UNINITIALISED_BRANCH};

	executor_error(e, a, &error);
}

static void run_branch(struct execution *e, struct activation *a, const struct code_insn *i,
                       const uint8_t *tape)
{
	const struct code_slot *condition = executor_slot(e, a, i->a);
	bool taken = *tape == 2;

	if (condition->undefined & 1)
		uninitialised(e, a);
	else if ((condition->bits & 1) != taken)
		disagree(e, a, MISMATCH_BRANCH, condition->bits & 1, taken);
	executor_branch(e, a, e->next);
	executor_keep(e, taken, 0);
}

/* The number on the tape for a value: see struct plan_switch. */
static uint64_t switch_number(const struct code_switch *s, uint64_t value)
{
	uint64_t mask = mask_of((uint8_t)s->bits), distance;

	if (!s->how.most)
		return value;
	distance = (value - (uint64_t)s->how.low) & mask;
	return distance >= s->how.most ? 1 + s->how.most : 1 + distance;
}

static void run_switch(struct execution *e, struct activation *a, const struct code_insn *i,
                       const uint8_t *tape)
{
	const struct code_slot *value = executor_slot(e, a, i->a);
	uint64_t number = switch_number(i->more, value->bits), recorded = 0;

	memcpy(&recorded, tape, i->bytes);
	if (value->undefined)
		uninitialised(e, a);
	else if (number != recorded)
		disagree(e, a, MISMATCH_SWITCH, number, recorded);
	executor_branch(e, a, e->next);
	executor_keep(e, value->bits, 0);
}

static void run_jump(struct execution *e, struct activation *a, const struct code_insn *i,
                     const uint8_t *tape)
{
	const struct code_slot *target = executor_slot(e, a, i->a);
	uint32_t recorded;

	memcpy(&recorded, tape, 4);
	if (target->undefined)
		uninitialised(e, a);
	else if ((uint32_t)target->bits != recorded)
		disagree(e, a, MISMATCH_JUMP, (uint32_t)target->bits, recorded);
	executor_branch(e, a, e->next);
	executor_keep(e, target->bits, 0);
}

/* --- all --- */

static const uint8_t *run_other(struct execution *e, struct activation *a,
                                const struct code_insn *i, const uint8_t *tape)
{
	switch (i->op) {
	case CODE_EVAL: run_eval(e, a, i); return tape;
	case CODE_PHI: run_phi(e, a, i); return tape;
	case CODE_ALLOCA: executor_alloca(e, a, i, tape); break;
	case CODE_LOAD_WIDE:
		executor_load_wide(e, a, i, tape);
		return i->tape && tape ? tape + i->bytes : tape;
	case CODE_STORE_WIDE: executor_store_wide(e, a, i); return tape;
	case CODE_COPY: executor_copy(e, a, i); return tape;
	case CODE_FILL: executor_fill(e, a, i); return tape;
	case CODE_ATOMIC: executor_atomic(e, a, i, tape); break;
	case CODE_RECORDED: run_recorded(e, a, i, tape); break;
	case CODE_ASM:
		run_asm(e, a, i, tape);
		for (uint32_t k = 0; k < ((const struct code_asm *)i->more)->count; k++)
			tape += ((const struct code_asm *)i->more)->memory[k].bytes;
		break;
	case CODE_VA_START: executor_va_start(e, a, i, tape); break;
	case CODE_VA_COPY: run_va_copy(e, a, i); return tape;
	case CODE_BRANCH: run_branch(e, a, i, tape); break;
	case CODE_SWITCH: run_switch(e, a, i, tape); break;
	case CODE_JUMP: run_jump(e, a, i, tape); break;
	case CODE_UNSUPPORTED: unsupported(e, a, i); break;
	case CODE_RETURN:
		executor_keep(e, i->a == CODE_NO_OPERAND ? 0 : executor_slot(e, a, i->a)->bits, 0);
		return tape;
	default: executor_keep(e, 0, 0); return tape;
	}
	return tape + i->bytes;
}

static inline uint32_t tape_bytes(const struct code_insn *i, const uint8_t *tape)
{
	if (!tape)
		return 0;
	return i->tape == CODE_TAPE_ALL ? i->bytes : i->tape ? 4 : 0;
}

EXECUTOR_HOT const uint8_t *executor_run(struct execution *e, struct activation *a, uint32_t last,
                                         const uint8_t *tape)
{
	const struct code_function *f = a->function;
	struct code_slot *slots = &e->slots.at[a->slots];
	const struct code_slot *const base[2] = {slots, f->constants};

#define OPERAND(operand) (&base[(operand)&1][(operand) >> 1])
	while (a->pc <= last) {
		const struct code_insn *i = &f->insns[a->pc++];
		const struct code_slot *x, *y;
		struct code_slot r = {0};
		uint32_t source = 0;

		switch (i->op) {
		case CODE_ADD:
		case CODE_SUB:
		case CODE_MUL:
		case CODE_AND:
		case CODE_OR:
		case CODE_XOR:
			x = OPERAND(i->a);
			y = OPERAND(i->b);
			r.bits = binary(i, x->bits, y->bits);
			if (x->undefined | y->undefined)
				r.undefined = undefined_bits(i, x, y);
			break;
		case CODE_EQ:
		case CODE_NE:
		case CODE_UGT:
		case CODE_UGE:
		case CODE_ULT:
		case CODE_ULE:
		case CODE_SGT:
		case CODE_SGE:
		case CODE_SLT:
		case CODE_SLE:
			x = OPERAND(i->a);
			y = OPERAND(i->b);
			r.bits = compare(i->op, i->from, x->bits, y->bits);
			if (x->undefined | y->undefined)
				r.undefined = undefined_bits(i, x, y);
			break;
		case CODE_TRUNC:
			x = OPERAND(i->a);
			r.bits = x->bits & mask_of(i->bits);
			r.undefined = x->undefined & mask_of(i->bits);
			break;
		case CODE_SEXT:
			x = OPERAND(i->a);
			r.bits = (uint64_t)sign_extend(x->bits, i->from) & mask_of(i->bits);
			r.undefined =
				(uint64_t)sign_extend(x->undefined, i->from) & mask_of(i->bits);
			break;
		case CODE_MOVE: r = *OPERAND(i->a); break;
		case CODE_STEP:
			r = *OPERAND(i->a);
			r.bits += (uint64_t)i->imm;
			r.undefined = upwards(r.undefined);
			break;
		case CODE_INDEX:
			r = *OPERAND(i->a);
			y = OPERAND(i->b);
			r.bits += (uint64_t)sign_extend(y->bits, i->from) * i->scale +
			          (uint64_t)i->imm;
			r.undefined = upwards(r.undefined | y->undefined);
			if (i->flags & CODE_MEMBER &&
			    (uint64_t)sign_extend(y->bits, i->from) >= i->c)
				executor_check_member(e, a, &r, i);
			break;
		case CODE_INDICES: r = step(e, a, i); break;
		case CODE_LOCAL:
			r.bits = a->address + (uint64_t)i->imm;
			r.object = i->b == UINT32_MAX ? 0 : a->object + i->b;
			break;
		case CODE_LOAD:
			r = executor_load(e, a, i, tape, &source);
			tape += tape_bytes(i, tape);
			break;
		case CODE_STORE: executor_store(e, a, i); goto done;
		default: tape = run_other(e, a, i, tape); goto done;
		}
		r.made = e->next;
		slots[i->to] = r;
		executor_keep(e, r.bits, source);
	done:
		if (i->flags & CODE_STATEMENT) {
			e->statements++;
			executor_tell(e, EXECUTION_ENDED, e->statements);
		}
	}
#undef OPERAND
	return tape;
}
