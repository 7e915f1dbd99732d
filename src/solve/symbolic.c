/*
 * A run as terms: symbols and their definitions. See symbolic.h.
 *
 * First what all definitions are made of: symbols and their variables, operands and addresses, the condition that inputs
 * are as they were, memory, conditions of branches. Then what a value is computed from: operations of instructions, of
 * LLVM's functions, wide values, loads from tables. Then what outside functions and copies wrote, and the formulas of those
 * that are known. symbolic_define() at the end chooses between them.
 */
#include "solve/symbolic.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/map.h"
#include "eval/prepared.h"

struct symbolic_entry {
	struct symbol symbol;
	uint64_t actual;
	struct symbolic_definition definition; /* term 0: not made yet */
	uint32_t next; /* 1 + index of another byte with the same hash; 0: none */
	term variable; /* 0: nobody has asked for it */
};

MAP_DEFINE_U64(symbolic_bytes, uint32_t);

/* The condition that all is as it was for an outside call: before it called back, and after each callback. */
struct symbolic_callback {
	uint32_t returned; /* instance */
	term all;
};

struct symbolic_callbacks {
	term before;
	VEC(struct symbolic_callback) at;
	uint32_t made; /* conditions, so far */
};

MAP_DEFINE_U64(symbolic_calls, struct symbolic_callbacks);

/* Bytes that an instance took from elsewhere: it put them at `to`. */
struct symbolic_copy {
	uint64_t to, size;
	uint64_t from; /* where the source wrote them */
	uint32_t source;
	bool value; /* they are the value of the source */
};

struct symbolic_copies {
	VEC(struct symbolic_copy) at; /* by `to` */
};

MAP_DEFINE_U64(symbolic_copy_map, struct symbolic_copies);

struct symbolic {
	const struct execution *execution;
	struct terms *terms;
	uint32_t first, end; /* instances that are kept */
	uint32_t *values;    /* of each of them: 1 + index of its symbol; 0: it has none yet */
	VEC(struct symbolic_entry) entries;
	struct symbolic_bytes bytes;     /* 1 + index, by hash of instance and address */
	struct symbolic_calls calls;     /* by instance */
	struct symbolic_copy_map copies; /* by instance */
	uint32_t defined;                /* symbols that have a definition */
};

static inline term symbolic_make(struct symbolic *s, enum term_op op, uint32_t bits, term a, term b)
{
	return term_make(s->terms, op, bits, a, b, 0);
}

static inline uint32_t symbolic_bits(const struct symbolic *s, term t)
{
	return term_at(s->terms, t)->bits;
}

static inline bool symbolic_keeps(const struct symbolic *s, uint32_t instance)
{
	return instance >= s->first && instance < s->end;
}

/* The condition that inputs are as they were. */
struct symbolic_guard {
	struct symbolic *s;
	uint32_t left; /* inputs that may still be added */
	term all;      /* 0: no input yet that is not a constant */
};

#define SYMBOLIC_INPUTS 64 /* of a guard: bytes that count */

static inline struct symbolic_guard symbolic_guard(struct symbolic *s)
{
	return (struct symbolic_guard){.s = s, .left = SYMBOLIC_INPUTS};
}

/* Bytes that an instance, or a source that is none, wrote at an address, up to 8. */
struct symbolic_written {
	uint32_t writer;
	uint32_t
		reader; /* instance that reads them: what a call under way has written depends on less */
	uint64_t at;
};

/* Those of an origin, from byte `offset` of it on. */
static inline struct symbolic_written symbolic_written(const struct execution_origin *origin,
                                                       uint64_t offset, uint32_t reader)
{
	return (struct symbolic_written){origin->source, reader,
	                                 (origin->written ? origin->written : origin->from) +
	                                         offset};
}

/* Memory that it read, as it was. */
struct symbolic_read {
	uint64_t from;
	uint32_t size;
	uint32_t source;
	uint64_t written;
	const uint8_t *bytes;
};

struct symbolic_call {
	struct symbolic *s;
	struct terms *terms;
	uint32_t instance;
	const char *name;
	const struct code_call *code;
	uint32_t bits; /* of the result */
	uint64_t actual;
	VEC(struct symbolic_read) reads;
	uint32_t last; /* read that was asked for last */
	term fixed;    /* condition under which the formula holds; 0: always */
};

#define SYMBOLIC_TEXT 256u /* bytes that a formula is about */

/* Bytes that were read through a pointer. */
struct symbolic_text {
	uint32_t size;
	term at[SYMBOLIC_TEXT];
	uint8_t values[SYMBOLIC_TEXT];
};

/* ------ symbols ------ */

struct symbolic *symbolic_create(const struct execution *execution, struct terms *terms)
{
	struct symbolic *s = mem_alloc(sizeof(*s));

	s->execution = execution;
	s->terms = terms;
	execution_kept(execution, &s->first, &s->end);
	s->values = mem_alloc((s->end - s->first + 1) * sizeof(*s->values));
	return s;
}

void symbolic_destroy(struct symbolic *s)
{
	if (!s)
		return;
	vec_deinit(&s->entries);
	symbolic_bytes_deinit(&s->bytes);
	map_each(&s->calls, i) vec_deinit(&s->calls.at[i].value.at);
	symbolic_calls_deinit(&s->calls);
	map_each(&s->copies, i) vec_deinit(&s->copies.at[i].value.at);
	symbolic_copy_map_deinit(&s->copies);
	free(s->values);
	free(s);
}

struct terms *symbolic_terms(const struct symbolic *s)
{
	return s->terms;
}

const struct execution *symbolic_execution(const struct symbolic *s)
{
	return s->execution;
}

const struct symbol *symbolic_symbol(const struct symbolic *s, uint32_t index)
{
	return &s->entries.at[index].symbol;
}

uint32_t symbolic_count(const struct symbolic *s)
{
	return s->entries.size;
}

uint64_t symbolic_actual(void *symbolic, uint64_t number)
{
	const struct symbolic *s = symbolic;

	return number < s->entries.size ? s->entries.at[number].actual : 0;
}

/* --- widths --- */

static LLVMTargetDataRef layout_of(LLVMValueRef instruction)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));

	return LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
}

/* Bits of a value of that type, in the layout that the value has in memory; 0: none, or more than 64. */
uint32_t symbolic_type_bits(LLVMValueRef instruction, LLVMTypeRef type)
{
	uint32_t bits;

	switch (LLVMGetTypeKind(type)) {
	case LLVMVoidTypeKind: return 0;
	case LLVMPointerTypeKind:
	case LLVMDoubleTypeKind: return 64;
	case LLVMFloatTypeKind: return 32;
	case LLVMIntegerTypeKind: bits = LLVMGetIntTypeWidth(type); break;
	default: bits = 8 * ir_store_size(layout_of(instruction), type);
	}
	return bits <= 64 ? bits : 0;
}

/* 0: none, or wide. */
static uint32_t value_bits(const struct symbolic *s, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	LLVMValueRef i;

	switch ((enum code_op)insn->op) {
	case CODE_STEP:
	case CODE_INDEX:
	case CODE_INDICES:
	case CODE_LOCAL:
	case CODE_ALLOCA: return 64;
	case CODE_STORE: return 8 * insn->bytes;
	case CODE_LOAD: return insn->bits;
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_JUMP: return 0;
	default: break;
	}
	if (insn->op >= CODE_ADD && insn->op <= CODE_MOVE)
		return insn->bits;
	i = execution_instruction(s->execution, instance);
	if (insn->op != CODE_RETURN)
		return insn->words > 1 ? 0 : symbolic_type_bits(i, LLVMTypeOf(i));
	return insn->a == CODE_NO_OPERAND ? 0
	                                  : symbolic_type_bits(i, LLVMTypeOf(LLVMGetOperand(i, 0)));
}

/* Has it a value of more than 64 bits? */
static bool symbolic_is_wide(const struct symbolic *s, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);

	return insn->words > 1 || insn->op == CODE_STORE_WIDE ||
	       (insn->op == CODE_RETURN && insn->a != CODE_NO_OPERAND && insn->bytes > 8);
}

/* --- symbols --- */

static uint32_t add(struct symbolic *s, uint32_t instance, uint32_t bits, uint64_t at,
                    uint64_t actual)
{
	*vec_push(&s->entries) = (struct symbolic_entry){.symbol = {instance, bits, at},
	                                                 .actual = actual & term_mask(bits)};
	return s->entries.size - 1;
}

static term variable(struct symbolic *s, uint32_t index)
{
	struct symbolic_entry *entry = &s->entries.at[index];

	if (!entry->variable)
		entry->variable = term_variable(s->terms, entry->symbol.bits, index);
	return entry->variable;
}

static term value_symbol(struct symbolic *s, uint32_t instance, uint32_t bits)
{
	uint32_t *index = &s->values[instance - s->first];

	if (!*index)
		*index = 1 + add(s, instance, bits, 0, execution_value(s->execution, instance));
	return variable(s, *index - 1);
}

term symbolic_value(struct symbolic *s, uint32_t instance)
{
	uint32_t bits;

	if (!symbolic_keeps(s, instance))
		return 0;
	if (!s->values[instance - s->first]) {
		bits = value_bits(s, instance);
		return bits ? value_symbol(s, instance, bits) : 0;
	}
	return symbolic_is_wide(s, instance) ? 0 : variable(s, s->values[instance - s->first] - 1);
}

/* As symbolic_value(). But of a value of more than 64 bits a token: it is what its first word was as
   long as the value is what it was. `instance` is kept. */
static term symbolic_token(struct symbolic *s, uint32_t instance)
{
	uint32_t index = s->values[instance - s->first];

	if (index)
		return variable(s, index - 1);
	return symbolic_is_wide(s, instance) ? value_symbol(s, instance, 64)
	                                     : symbolic_value(s, instance);
}

/* A byte that an instance, which is kept, wrote at an address. */
static term symbolic_byte(struct symbolic *s, uint32_t instance, uint64_t at, uint8_t actual)
{
	uint32_t *head = symbolic_bytes_put(&s->bytes, at ^ (uint64_t)instance << 33), index;

	for (uint32_t i = *head; i; i = s->entries.at[i - 1].next) {
		const struct symbolic_entry *entry = &s->entries.at[i - 1];

		/* What an outside call writes unseen may change, and is not known to. */
		if (entry->symbol.instance == instance && entry->symbol.at == at &&
		    entry->actual == actual)
			return variable(s, i - 1);
	}
	index = add(s, instance, 8, at, actual);
	s->entries.at[index].next = *head;
	*head = index + 1;
	return variable(s, index);
}

/* ------ operands and addresses as terms ------ */

static struct symbolic_definition symbolic_given(const struct symbolic_guard *guard, uint32_t bits,
                                                 uint64_t actual);
static void symbolic_guard_outside(struct symbolic_guard *guard, uint32_t call, uint32_t before);

/* Cut off, or filled up with zeros. */
static term symbolic_fit(struct terms *terms, term t, uint32_t bits)
{
	uint32_t have = term_at(terms, t)->bits;

	if (have == bits)
		return t;
	return have > bits ? term_extract(terms, t, 0, bits)
	                   : term_make(terms, TERM_ZEXT, bits, t, 0, 0);
}

/* --- operands --- */

/* Had a call, which is kept, returned when an instance was executed? If not, what the instance has from it is
   only what it passed. */
static bool symbolic_has_returned(const struct symbolic *s, uint32_t call, uint32_t instance)
{
	uint32_t source = execution_source(s->execution, call);
	const struct execution_call *outside;

	if (!(source & EXECUTION_GROUP))
		return source && source < instance;
	outside = execution_call(s->execution, execution_group(s->execution, source)->call);
	return outside->returned && outside->until <= instance;
}

/* An operand (struct code_insn). `bits`: as wide as this; 0: as it is. */
static term symbolic_input(struct symbolic *s, uint32_t instance, uint32_t operand, uint32_t bits)
{
	uint64_t value = 0;
	uint32_t made = 0, wanted = bits ? bits : 64;
	term t;

	execution_operand(s->execution, instance, operand, &value, &made);
	if (made < EXECUTION_FIRST || !symbolic_keeps(s, made))
		return term_constant(s->terms, wanted, value & term_mask(wanted));
	if (execution_insn(s->execution, made)->op == CODE_CALL &&
	    !symbolic_has_returned(s, made, instance)) {
		/* A parameter that code outside gave, or that was a constant in the call. */
		struct symbolic_guard guard = symbolic_guard(s);

		if (execution_source(s->execution, made) & EXECUTION_GROUP)
			symbolic_guard_outside(&guard, made, instance);
		return symbolic_given(&guard, wanted, value).term;
	}
	t = symbolic_token(s, made);
	if (!t)
		return term_constant(s->terms, wanted, value & term_mask(wanted));
	return bits ? symbolic_fit(s->terms, t, bits) : t;
}

/* Its value in the run. */
static uint64_t symbolic_input_value(const struct symbolic *s, uint32_t instance, uint32_t operand)
{
	uint64_t value = 0;
	uint32_t made;

	execution_operand(s->execution, instance, operand, &value, &made);
	return value;
}

/* Operands of an instruction that computes: how many, up to CODE_OPERANDS. */
static uint32_t symbolic_operands(const struct code_insn *insn, uint32_t *operands)
{
	const struct code_eval *more = insn->more;
	uint32_t count = 0;

	if (insn->op == CODE_EVAL) {
		for (; count < more->count; count++)
			operands[count] = more->in[count].operand;
	} else if (insn->op == CODE_STORE_WIDE || (insn->op >= CODE_ADD && insn->op <= CODE_MOVE)) {
		operands[count++] = insn->a;
		if (insn->op <= CODE_SLE)
			operands[count++] = insn->b;
	}
	return count;
}

/* The operand of the small instruction for LLVM's; CODE_NO_OPERAND: it is a constant, or there is none. */
static uint32_t operand_of(const struct symbolic *s, uint32_t instance, uint32_t number)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	LLVMValueRef i = execution_instruction(s->execution, instance);
	const struct code_indices *indices = insn->more;
	const struct code_call *call = insn->more;
	const struct code_eval *eval = insn->more;
	const struct code_asm *assembly = insn->more;
	uint32_t k = 0;

	switch ((enum code_op)insn->op) {
	case CODE_EVAL: return number < eval->count ? eval->in[number].operand : CODE_NO_OPERAND;
	case CODE_CALL:
		if (number == call->count)
			return call->name ? CODE_NO_OPERAND : call->callee;
		return number < call->count ? call->arguments[number].operand : CODE_NO_OPERAND;
	case CODE_ASM:
		return number < assembly->operand_count ? assembly->operands[number]
		                                        : CODE_NO_OPERAND;
	case CODE_INDEX:
	case CODE_INDICES:
		if (!number)
			return insn->a;
		if (LLVMIsConstant(LLVMGetOperand(i, number)))
			return CODE_NO_OPERAND;
		for (uint32_t n = 1; n < number; n++)
			k += !LLVMIsAConstantInt(LLVMGetOperand(i, n));
		return insn->op == CODE_INDEX ? insn->b : indices->at[k].operand;
	case CODE_PHI:
	case CODE_LOCAL:
	case CODE_GOTO:
	case CODE_RECORDED: return CODE_NO_OPERAND;
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_STEP: return number ? CODE_NO_OPERAND : insn->a;
	default: return number == 0 ? insn->a : number == 1 ? insn->b : insn->c;
	}
}

term symbolic_operand(struct symbolic *s, uint32_t instance, uint32_t number)
{
	LLVMValueRef i, value;
	uint32_t bits, operand;

	if (!symbolic_keeps(s, instance))
		return 0;
	i = execution_instruction(s->execution, instance);
	if (number >= (uint32_t)LLVMGetNumOperands(i))
		return 0;
	value = LLVMGetOperand(i, number);
	if (LLVMValueIsBasicBlock(value))
		return 0;
	bits = symbolic_type_bits(i, LLVMTypeOf(value));
	operand = operand_of(s, instance, number);
	if (bits && operand == CODE_NO_OPERAND && LLVMIsAConstantInt(value))
		return term_constant(s->terms, bits, LLVMConstIntGetZExtValue(value));
	return bits && operand != CODE_NO_OPERAND ? symbolic_input(s, instance, operand, bits) : 0;
}

/* --- addresses --- */

/* Is it the place of a variable, by its name? */
static bool is_fixed(const struct symbolic *s, uint32_t instance, uint32_t operand)
{
	uint64_t value;
	uint32_t made;

	for (;;) {
		const struct code_insn *insn;

		if (!execution_operand(s->execution, instance, operand, &value, &made) ||
		    made < EXECUTION_FIRST || !symbolic_keeps(s, made))
			return true;
		insn = execution_insn(s->execution, made);
		if (insn->op == CODE_CALL && !symbolic_has_returned(s, made, instance))
			return !(execution_source(s->execution, made) & EXECUTION_GROUP);
		if (insn->op == CODE_ALLOCA || insn->op == CODE_RECORDED)
			return true;
		if (insn->op != CODE_STEP)
			return false;
		instance = made;
		operand = insn->a;
	}
}

/* Where an instruction reads or writes: of a call the nth pointer that it was given. */
static uint32_t pointer_of(const struct code_insn *insn, uint32_t which)
{
	switch ((enum code_op)insn->op) {
	case CODE_LOAD:
	case CODE_LOAD_WIDE:
	case CODE_ATOMIC:
	case CODE_FILL: return which ? CODE_NO_OPERAND : insn->a;
	case CODE_STORE:
	case CODE_STORE_WIDE: return which ? CODE_NO_OPERAND : insn->b;
	case CODE_COPY:
	case CODE_VA_COPY: return which > 1 ? CODE_NO_OPERAND : which ? insn->b : insn->a;
	case CODE_CALL: {
		const struct code_call *call = insn->more;

		for (uint32_t i = 0; i < call->count; i++)
			if (call->arguments[i].letter == 'p' && !which--)
				return call->arguments[i].operand;
		return CODE_NO_OPERAND;
	}
	default: return CODE_NO_OPERAND;
	}
}

bool symbolic_address(struct symbolic *s, uint32_t instance, uint32_t which, term *out,
                      uint64_t *value)
{
	uint32_t operand;
	term pointer;

	if (!symbolic_keeps(s, instance))
		return false;
	operand = pointer_of(execution_insn(s->execution, instance), which);
	if (operand == CODE_NO_OPERAND || is_fixed(s, instance, operand))
		return false;
	pointer = symbolic_input(s, instance, operand, 64);
	if (term_is_constant(s->terms, pointer, NULL))
		return false;
	*out = pointer;
	*value = symbolic_input_value(s, instance, operand);
	return true;
}

/* ------ the condition that inputs are as they were ------ */

static term symbolic_part(struct symbolic *s, struct symbolic_written bytes, uint32_t size,
                          uint64_t actual);

static void symbolic_guard_add(struct symbolic_guard *guard, term input, uint64_t actual)
{
	struct terms *terms = guard->s->terms;
	term same;

	if (!input || !guard->left || term_is_constant(terms, input, NULL))
		return;
	guard->left--;
	same = term_equals(terms, input, actual & term_mask(term_at(terms, input)->bits));
	guard->all = guard->all ? term_make(terms, TERM_AND, 1, guard->all, same, 0) : same;
}

static void symbolic_guard_operand(struct symbolic_guard *guard, uint32_t instance,
                                   uint32_t operand)
{
	struct symbolic *s = guard->s;

	if (operand != CODE_NO_OPERAND && !(operand & 1))
		symbolic_guard_add(guard, symbolic_input(s, instance, operand, 0),
		                   symbolic_input_value(s, instance, operand));
}

static struct symbolic_definition symbolic_constant(struct symbolic *s, uint32_t bits,
                                                    uint64_t actual)
{
	return (struct symbolic_definition){
		SYMBOLIC_CONSTANT, term_constant(s->terms, bits, actual & term_mask(bits))};
}

/* What it was, as long as the inputs are what they were. */
static struct symbolic_definition symbolic_given(const struct symbolic_guard *guard, uint32_t bits,
                                                 uint64_t actual)
{
	struct symbolic_definition constant = symbolic_constant(guard->s, bits, actual);
	struct terms *terms = guard->s->terms;

	if (!guard->all)
		return constant;
	return (struct symbolic_definition){SYMBOLIC_GIVEN,
	                                    term_make(terms, TERM_CHOICE, bits, guard->all,
	                                              constant.term, term_any(terms, bits))};
}

/* --- of outside calls --- */

struct guarding {
	struct symbolic_guard *guard;
	uint32_t instance;
	struct symbolic_callbacks *callbacks;
};

static void guard_origin(void *context, const struct execution_origin *origin)
{
	struct guarding *g = context;

	if (origin->source < EXECUTION_FIRST || !symbolic_keeps(g->guard->s, origin->source))
		return;
	if (origin->size && origin->bytes && origin->source < g->instance) {
		for (uint64_t done = 0, size; done < origin->size && g->guard->left; done += size) {
			uint64_t actual = 0;

			size = origin->size - done < 8 ? origin->size - done : 8;
			memcpy(&actual, origin->bytes + done, size);
			symbolic_guard_add(
				g->guard,
				symbolic_part(g->guard->s,
			                      symbolic_written(origin, done, g->instance),
			                      (uint32_t)size, actual),
				actual);
		}
	} else if (!origin->size && origin->source > g->instance) {
		vec_push(&g->callbacks->at)->returned = origin->source;
	}
}

/* Arguments and memory; and the callbacks, whose conditions are made when they are asked for. */
static struct symbolic_callbacks *find_callbacks(struct symbolic *s, uint32_t call)
{
	struct symbolic_callbacks *found = symbolic_calls_find(&s->calls, call), made = {0};
	const struct code_call *code = execution_insn(s->execution, call)->more;
	struct symbolic_guard guard = symbolic_guard(s);
	struct guarding g = {&guard, call, &made};

	if (found)
		return found;
	for (uint32_t i = 0; i < code->count; i++)
		symbolic_guard_operand(&guard, call, code->arguments[i].operand);
	execution_origins(s->execution, call, 0, 0, guard_origin, &g);
	made.before = guard.all;
	*symbolic_calls_put(&s->calls, call) = made;
	return symbolic_calls_find(&s->calls, call);
}

/* Each condition is the one before it and one more, so that thousands of callbacks are no more than that. */
static void symbolic_guard_outside(struct symbolic_guard *guard, uint32_t call, uint32_t before)
{
	struct symbolic *s = guard->s;
	struct symbolic_callbacks *c = find_callbacks(s, call);

	guard->all = c->before;
	for (; c->made < c->at.size && c->at.at[c->made].returned < before; c->made++) {
		uint32_t returned = c->at.at[c->made].returned;
		struct symbolic_guard one = {s, 1, c->made ? c->at.at[c->made - 1].all : c->before};

		symbolic_guard_add(&one, symbolic_token(s, returned),
		                   execution_value(s->execution, returned));
		c->at.at[c->made].all = one.all;
	}
	for (uint32_t low = 0, high = c->made; low < high;) {
		uint32_t middle = low + (high - low) / 2;

		if (c->at.at[middle].returned >= before) {
			high = middle;
		} else {
			guard->all = c->at.at[middle].all;
			low = middle + 1;
		}
	}
}

/* ------ what memory holds, and what loads read ------ */

static term symbolic_class(struct symbolic *s, uint32_t load);

/* --- parts --- */

/* Bytes of the value of an instance; 0: they are not, or not as they were. */
static term symbolic_part_of_value(struct symbolic *s, uint32_t writer, uint64_t offset,
                                   uint32_t size, uint64_t actual)
{
	term t;

	if (offset >= 8 || offset + size > 8 || symbolic_is_wide(s, writer) ||
	    (execution_value(s->execution, writer) >> 8 * offset & term_mask(8 * size)) != actual)
		return 0;
	t = symbolic_value(s, writer);
	if (!t)
		return 0;
	if (symbolic_bits(s, t) < 8 * (offset + size))
		t = symbolic_fit(s->terms, t, 8 * (uint32_t)(offset + size));
	return term_extract(s->terms, t, 8 * (uint32_t)offset, 8 * size);
}

static term of_bytes(struct symbolic *s, uint32_t writer, uint64_t at, uint32_t size,
                     uint64_t actual)
{
	term t = symbolic_byte(s, writer, at, (uint8_t)actual);

	for (uint32_t k = 1; k < size; k++)
		t = symbolic_make(s, TERM_CONCAT, 8 * (k + 1),
		                  symbolic_byte(s, writer, at + k, (uint8_t)(actual >> 8 * k)), t);
	return t;
}

static term symbolic_part(struct symbolic *s, struct symbolic_written bytes, uint32_t size,
                          uint64_t actual)
{
	uint32_t writer = bytes.writer;
	const struct code_insn *insn;
	uint64_t at = bytes.at;
	term t = 0;

	actual &= term_mask(8 * size);
	if (writer < EXECUTION_FIRST || !symbolic_keeps(s, writer))
		return term_constant(s->terms, 8 * size, actual);
	insn = execution_insn(s->execution, writer);
	switch ((enum code_op)insn->op) {
	case CODE_STORE:
		t = symbolic_part_of_value(s, writer, at - symbolic_input_value(s, writer, insn->b),
		                           size, actual);
		break;
	case CODE_CALL:
		if (!(execution_source(s->execution, writer) & EXECUTION_GROUP))
			break; /* it passed a constant */
		/* Bytes of an outside call. What it had written before it returned does not depend on later callbacks. */
		struct symbolic_guard guard = symbolic_guard(s);

		if (symbolic_has_returned(s, bytes.writer, bytes.reader))
			return of_bytes(s, bytes.writer, bytes.at, size, actual);
		symbolic_guard_outside(&guard, bytes.writer, bytes.reader);
		return symbolic_given(&guard, 8 * size, actual).term;
	case CODE_COPY:
	case CODE_FILL:
	case CODE_VA_START:
	case CODE_VA_COPY:
	case CODE_ATOMIC:
	case CODE_ASM:
	case CODE_STORE_WIDE: return of_bytes(s, writer, at, size, actual);
	default: /* made a variable argument; these lie at multiples of 8 */
		t = symbolic_part_of_value(s, writer, at % 8, size, actual);
	}
	return t ? t : term_constant(s->terms, 8 * size, actual);
}

/* --- loads --- */

struct loading {
	struct symbolic *s;
	uint32_t instance;
	uint64_t address, value;
	uint32_t size;
	uint32_t done; /* bytes */
	term term;
	bool initial; /* nothing of it was written */
	struct symbolic_guard guard;
};

/* Runs come from the lowest byte on. */
static void note_part(void *context, const struct execution_origin *origin)
{
	struct loading *l = context;
	uint32_t size = l->size - l->done;
	term t;

	if (!origin->size || !size)
		return;
	if (size > origin->size)
		size = (uint32_t)origin->size;
	if (origin->source >= EXECUTION_FIRST)
		l->initial = false;
	t = symbolic_part(l->s, symbolic_written(origin, 0, l->instance), size,
	                  l->value >> 8 * l->done);
	l->term = l->done ? symbolic_make(l->s, TERM_CONCAT, 8 * (l->done + size), t, l->term) : t;
	l->done += size;
}

/* Memory that a load reads, `size` bytes of it. */
static void load(struct loading *l)
{
	struct symbolic *s = l->s;
	term pointer;
	uint64_t value;

	execution_origins(s->execution, l->instance, 0, 0, note_part, l);
	if (l->done < l->size)
		l->term = term_constant(s->terms, 8 * l->size, l->value);
	if (!l->initial || !symbolic_address(s, l->instance, 0, &pointer, &value))
		return;
	l->term = symbolic_class(s, l->instance);
	if (!l->term)
		l->term = term_make(s->terms, TERM_CHOICE, 8 * l->size,
		                    term_equals(s->terms, pointer, value),
		                    term_constant(s->terms, 8 * l->size, l->value),
		                    term_any(s->terms, 8 * l->size));
}

static struct loading loading_of(struct symbolic *s, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	uint32_t size = insn->op == CODE_ATOMIC ? (uint32_t)insn->imm : insn->bytes;

	return (struct loading){.s = s,
	                        .instance = instance,
	                        .address = symbolic_input_value(s, instance, insn->a),
	                        .value = execution_value(s->execution, instance) &
	                                 term_mask(8 * size),
	                        .size = size,
	                        .initial = true,
	                        .guard = symbolic_guard(s)};
}

/* Who wrote the bytes of a wide value, of which only the first word is known: it is what it was as long as they
   are. */
static void guard_part(void *context, const struct execution_origin *origin)
{
	struct loading *l = context;
	uint64_t known = origin->from - l->address, size = origin->size;
	const struct code_insn *insn;

	if (!size || origin->source < EXECUTION_FIRST || !symbolic_keeps(l->s, origin->source))
		return;
	insn = execution_insn(l->s->execution, origin->source);
	if (insn->op == CODE_STORE || insn->op == CODE_STORE_WIDE) {
		symbolic_guard_add(&l->guard, symbolic_token(l->s, origin->source),
		                   execution_value(l->s->execution, origin->source));
		return;
	}
	if (known >= 8)
		return;
	size = size < 8 - known ? size : 8 - known;
	symbolic_guard_add(&l->guard,
	                   symbolic_part(l->s, symbolic_written(origin, 0, l->instance),
	                                 (uint32_t)size, l->value >> 8 * known),
	                   l->value >> 8 * known);
}

static struct symbolic_definition symbolic_define_load(struct symbolic *s, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	LLVMValueRef i = execution_instruction(s->execution, instance);
	uint64_t value = execution_value(s->execution, instance);
	struct loading l = loading_of(s, instance);
	uint32_t bits = insn->bits;

	if (insn->op == CODE_LOAD_WIDE) {
		l.value = value;
		execution_origins(s->execution, instance, 0, 0, guard_part, &l);
		return symbolic_given(&l.guard, 64, value);
	}
	load(&l);
	if (insn->op == CODE_ATOMIC && insn->c != CODE_NO_OPERAND) {
		/* Compare and exchange gives what was there and whether it did. */
		symbolic_guard_add(&l.guard, l.term, l.value);
		symbolic_guard_operand(&l.guard, instance, insn->b);
		bits = insn->words > 1 ? 64 : symbolic_type_bits(i, LLVMTypeOf(i));
		return symbolic_given(&l.guard, bits, value);
	}
	if (insn->op == CODE_ATOMIC)
		bits = symbolic_bits(s, symbolic_value(s, instance));
	return (struct symbolic_definition){SYMBOLIC_READ, symbolic_fit(s->terms, l.term, bits)};
}

/* --- memory at a moment --- */

static bool wrote(const struct symbolic *s, uint32_t writer, uint64_t at)
{
	const struct code_insn *insn = execution_insn(s->execution, writer);

	if (insn->op == CODE_STORE || insn->op == CODE_STORE_WIDE)
		return at - symbolic_input_value(s, writer, insn->b) < insn->bytes;
	return execution_wrote(s->execution, writer, at, 1);
}

/* Where a structure was that is passed by value to a function, if the address is in that: its bytes have the
   writers that they had there. */
static bool find_original(const struct symbolic *s, const struct object *o, uint64_t *at)
{
	uint32_t count;
	const struct execution_frame *frames = execution_frames(s->execution, &count);
	const struct code_call *call;

	if (o->kind != OBJECT_BYVAL || *at - o->address >= o->size || o->owner >= count ||
	    !symbolic_keeps(s, frames[o->owner].call))
		return false;
	call = execution_insn(s->execution, frames[o->owner].call)->more;
	if (o->index >= call->count)
		return false;
	*at += symbolic_input_value(s, frames[o->owner].call, call->arguments[o->index].operand) -
	       o->address;
	return true;
}

/* Where the writer put what lies at an address. */
static uint64_t written_at(const struct symbolic *s, uint32_t writer, uint64_t address)
{
	const struct objects *objects = execution_objects((struct execution *)s->execution);
	uint64_t at = address;

	if (writer < EXECUTION_FIRST || !symbolic_keeps(s, writer))
		return at;
	for (uint32_t n = objects->all.size; !wrote(s, writer, at); n--) {
		while (n && (objects_at(objects, n)->birth < writer ||
		             !find_original(s, objects_at(objects, n), &at)))
			n--;
		if (!n)
			return address;
	}
	return at;
}

term symbolic_memory(struct symbolic *s, uint64_t address, uint32_t size, const uint32_t *writers,
                     const uint8_t *values)
{
	term out = 0;

	for (uint32_t done = 0, run; done < size; done += run) {
		uint64_t actual = 0;
		term t;

		for (run = 0; done + run < size && writers[done + run] == writers[done]; run++)
			actual |= (uint64_t)values[done + run] << 8 * run;
		t = symbolic_part(
			s,
			(struct symbolic_written){writers[done], UINT32_MAX,
		                                  written_at(s, writers[done], address + done)},
			run, actual);
		out = done ? symbolic_make(s, TERM_CONCAT, 8 * (done + run), t, out) : t;
	}
	return out;
}

/* ------ conditions of branches ------ */

/* The value leads to the block that successor `way` is. Cases that lead where the default does, belong to it. */
static term switched(struct symbolic *s, LLVMValueRef i, term value, uint32_t way)
{
	LLVMBasicBlockRef to = LLVMGetSuccessor(i, way);
	bool is_default = to == LLVMGetSuccessor(i, 0);
	unsigned cases = ir_case_count(i);
	term any = term_constant(s->terms, 1, 0);

	for (unsigned k = 0; k < cases; k++)
		if ((LLVMGetSuccessor(i, k + 1) == to) != is_default)
			any = symbolic_make(
				s, TERM_OR, 1, any,
				term_equals(s->terms, value,
			                    LLVMConstIntGetZExtValue(ir_case_value(i, k))));
	return is_default ? term_not(s->terms, any) : any;
}

/* Did it go as its operand says? Not where that was never initialised, nor where it was forced. */
static bool went_as_it_says(const struct symbolic *s, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	uint64_t value = execution_value(s->execution, instance);
	uint64_t says = symbolic_input_value(s, instance, insn->a);

	return insn->op == CODE_BRANCH ? (says & 1) == (value & 1) : says == value;
}

term symbolic_branch(struct symbolic *s, uint32_t instance, uint32_t way)
{
	const struct code_insn *insn;
	const struct code_function *f;
	LLVMValueRef i;
	uint32_t code;
	term value;

	if (!symbolic_keeps(s, instance))
		return 0;
	insn = execution_insn(s->execution, instance);
	if (insn->op < CODE_BRANCH || insn->op > CODE_JUMP || !went_as_it_says(s, instance))
		return 0;
	i = execution_instruction(s->execution, instance);
	if (insn->op == CODE_BRANCH) {
		term condition = symbolic_input(s, instance, insn->a, 1);

		if (way > 1 && way != UINT32_MAX)
			return 0;
		if (way == UINT32_MAX)
			way = !(execution_value(s->execution, instance) & 1);
		return way ? term_not(s->terms, condition) : condition;
	}
	if (insn->op == CODE_JUMP)
		return way == UINT32_MAX
		               ? term_equals(s->terms, symbolic_input(s, instance, insn->a, 64),
		                             execution_value(s->execution, instance))
		               : 0;
	value = symbolic_operand(s, instance, 0);
	code = execution_code(s->execution, instance);
	f = code_of(execution_code_table((struct execution *)s->execution), code);
	if (way == UINT32_MAX)
		way = plan_branch_successor(f->plan, code_block(f, code - f->first),
		                            execution_value(s->execution, instance));
	return value && way < LLVMGetNumSuccessors(i) ? switched(s, i, value, way) : 0;
}

/* ------ what instructions compute with floating-point numbers ------ */

static bool is_real(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static term either(struct terms *terms, term a, term b)
{
	return term_make(terms, TERM_OR, 1, a, b, 0);
}

static term less(struct terms *terms, enum term_op op, term a, term b)
{
	return term_make(terms, op, 1, a, b, 0);
}

static term unordered(struct terms *terms, const term *in)
{
	return either(terms, term_make(terms, TERM_FNAN, 1, in[0], 0, 0),
	              term_make(terms, TERM_FNAN, 1, in[1], 0, 0));
}

/* 'Unordered or less' is 'not greater or equal'. */
static term compared(struct terms *terms, LLVMRealPredicate predicate, const term *in)
{
	term a = in[0], b = in[1];

	switch (predicate) {
	case LLVMRealPredicateFalse: return term_constant(terms, 1, 0);
	case LLVMRealPredicateTrue: return term_constant(terms, 1, 1);
	case LLVMRealOEQ: return less(terms, TERM_FEQ, a, b);
	case LLVMRealOGT: return less(terms, TERM_FLT, b, a);
	case LLVMRealOGE: return less(terms, TERM_FLE, b, a);
	case LLVMRealOLT: return less(terms, TERM_FLT, a, b);
	case LLVMRealOLE: return less(terms, TERM_FLE, a, b);
	case LLVMRealONE:
		return either(terms, less(terms, TERM_FLT, a, b), less(terms, TERM_FLT, b, a));
	case LLVMRealORD: return term_not(terms, unordered(terms, in));
	case LLVMRealUNO: return unordered(terms, in);
	case LLVMRealUEQ: return term_not(terms, compared(terms, LLVMRealONE, in));
	case LLVMRealUGT: return term_not(terms, less(terms, TERM_FLE, a, b));
	case LLVMRealUGE: return term_not(terms, less(terms, TERM_FLT, a, b));
	case LLVMRealULT: return term_not(terms, less(terms, TERM_FLE, b, a));
	case LLVMRealULE: return term_not(terms, less(terms, TERM_FLT, b, a));
	case LLVMRealUNE: return term_not(terms, less(terms, TERM_FEQ, a, b));
	}
	return 0;
}

static enum term_op operation(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMFAdd: return TERM_FADD;
	case LLVMFSub: return TERM_FSUB;
	case LLVMFMul: return TERM_FMUL;
	case LLVMFDiv: return TERM_FDIV;
	case LLVMSIToFP: return TERM_FROM_SIGNED;
	case LLVMUIToFP: return TERM_FROM_UNSIGNED;
	case LLVMFPToSI: return TERM_TO_SIGNED;
	case LLVMFPToUI: return TERM_TO_UNSIGNED;
	case LLVMFPExt:
	case LLVMFPTrunc: return TERM_RESIZE;
	default: return TERM_OPS;
	}
}

static term symbolic_compute_float(struct terms *terms, LLVMValueRef i, const term *in)
{
	LLVMTypeRef type = LLVMTypeOf(i), from = LLVMTypeOf(LLVMGetOperand(i, 0));
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
	enum term_op op = operation(opcode);
	bool whole = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
	bool from_whole = LLVMGetTypeKind(from) == LLVMIntegerTypeKind;
	uint32_t bits = symbolic_type_bits(i, type);

	if (!(is_real(type) || whole) || !(is_real(from) || from_whole) || !bits)
		return 0;
	if (opcode == LLVMFCmp)
		return compared(terms, LLVMGetFCmpPredicate(i), in);
	if (opcode == LLVMFNeg)
		return term_make(terms, TERM_XOR, bits, in[0],
		                 term_constant(terms, bits, 1ull << (bits - 1)), 0);
	if (op == TERM_OPS)
		return 0;
	return term_make(terms, op, bits, in[0], op <= TERM_FDIV ? in[1] : 0, 0);
}

/* ------ sums, differences and products with an overflow flag ------ */

/* What is being made. */
struct overflow_making {
	struct terms *terms;
	enum term_op op;
	bool is_signed;
	uint32_t bits; /* of each operand */
	term a, b;
	term result;
};

static bool prepare(struct terms *terms, LLVMValueRef call, const term *in,
                    struct overflow_making *out)
{
	const char *name = ir_intrinsic(call);
	enum term_op op;

	if (!name || !strstr(name, ".with.overflow."))
		return false;
	op = !strncmp(name + 1, "add", 3)   ? TERM_ADD
	     : !strncmp(name + 1, "sub", 3) ? TERM_SUB
	                                    : TERM_MUL;
	*out = (struct overflow_making){
		terms, op, name[0] == 's', term_at(terms, in[0])->bits, in[0], in[1], 0};
	out->result = term_make(terms, op, out->bits, in[0], in[1], 0);
	return true;
}

static term make_overflow_part(const struct overflow_making *m, enum term_op op, term a, term b)
{
	return term_make(m->terms, op, op >= TERM_EQ && op <= TERM_SLE ? 1 : m->bits, a, b, 0);
}

static term overflow_number(const struct overflow_making *m, uint64_t value)
{
	return term_constant(m->terms, m->bits, value & term_mask(m->bits));
}

static term logical(const struct overflow_making *m, enum term_op op, term a, term b)
{
	return term_make(m->terms, op, 1, a, b, 0);
}

/* Where there are no twice as many bits: by the signs. */
static term overflows(const struct overflow_making *m)
{
	term other = m->op == TERM_ADD ? m->result : m->a;

	if (m->bits <= 32) {
		/* Is the exact result, in twice as many bits, another one? */
		enum term_op extend = m->is_signed ? TERM_SEXT : TERM_ZEXT;
		uint32_t wide = 2 * m->bits;
		term a = term_make(m->terms, extend, wide, m->a, 0, 0);
		term b = term_make(m->terms, extend, wide, m->b, 0, 0);
		term exact = term_make(m->terms, m->op, wide, a, b, 0);

		return term_not(m->terms,
		                term_make(m->terms, TERM_EQ, 1, exact,
		                          term_make(m->terms, extend, wide, m->result, 0, 0), 0));
	}
	if (m->op == TERM_MUL) {
		/* A product divided again gives the other factor; but for the smallest overflow_number times -1. */
		term again = make_overflow_part(m, m->is_signed ? TERM_SDIV : TERM_UDIV, m->result,
		                                m->a);
		term wrong = term_not(m->terms, make_overflow_part(m, TERM_EQ, again, m->b));
		term corner = logical(
			m, TERM_AND,
			make_overflow_part(m, TERM_EQ, m->a, overflow_number(m, UINT64_MAX)),
			make_overflow_part(m, TERM_EQ, m->b,
		                           overflow_number(m, 1ull << (m->bits - 1))));

		if (m->is_signed)
			wrong = logical(m, TERM_OR, wrong, corner);
		return logical(m, TERM_AND, wrong,
		               term_not(m->terms, make_overflow_part(m, TERM_EQ, m->a,
		                                                     overflow_number(m, 0))));
	}
	if (!m->is_signed)
		return m->op == TERM_ADD ? make_overflow_part(m, TERM_ULT, m->result, m->a)
		                         : make_overflow_part(m, TERM_ULT, m->a, m->b);
	return make_overflow_part(
		m, TERM_SLT,
		make_overflow_part(m, TERM_AND, make_overflow_part(m, TERM_XOR, m->a, m->result),
	                           make_overflow_part(m, TERM_XOR, m->b, other)),
		overflow_number(m, 0));
}

term symbolic_overflow_part(struct terms *terms, LLVMValueRef call, const term *in, bool flag)
{
	struct overflow_making m;

	if (!prepare(terms, call, in, &m))
		return 0;
	return flag ? overflows(&m) : m.result;
}

/* ------ what functions of LLVM compute ------ */

/* What is being made. */
struct making {
	struct terms *terms;
	LLVMValueRef call;
	const term *in;
	uint32_t bits; /* of the first operand */
};

static term make(const struct making *m, enum term_op op, term a, term b)
{
	return term_make(m->terms, op, op >= TERM_EQ && op <= TERM_SLE ? 1 : m->bits, a, b, 0);
}

static term choose(const struct making *m, term condition, term yes, term no)
{
	return term_make(m->terms, TERM_CHOICE, term_at(m->terms, yes)->bits, condition, yes, no);
}

static term number(const struct making *m, uint64_t value)
{
	return term_constant(m->terms, m->bits, value & term_mask(m->bits));
}

/* --- integers --- */

static term absolute(const struct making *m)
{
	return choose(m, make(m, TERM_SLT, m->in[0], number(m, 0)),
	              make(m, TERM_SUB, number(m, 0), m->in[0]), m->in[0]);
}

static term extreme(const struct making *m, enum term_op less, bool larger)
{
	return choose(m, make(m, less, m->in[0], m->in[1]), m->in[larger], m->in[!larger]);
}

static term smax(const struct making *m)
{
	return extreme(m, TERM_SLT, true);
}

static term smin(const struct making *m)
{
	return extreme(m, TERM_SLT, false);
}

static term umax(const struct making *m)
{
	return extreme(m, TERM_ULT, true);
}

static term umin(const struct making *m)
{
	return extreme(m, TERM_ULT, false);
}

/* Parts of `step` bits in the opposite order. */
static term reversed(const struct making *m, uint32_t step)
{
	term out = term_extract(m->terms, m->in[0], 0, step);

	for (uint32_t at = step; at < m->bits; at += step)
		out = term_make(m->terms, TERM_CONCAT, at + step, out,
		                term_extract(m->terms, m->in[0], at, step), 0);
	return out;
}

static term bswap(const struct making *m)
{
	return reversed(m, 8);
}

static term bitreverse(const struct making *m)
{
	return reversed(m, 1);
}

static term bit(const struct making *m, uint32_t at)
{
	return term_extract(m->terms, m->in[0], at, 1);
}

static term ctpop(const struct making *m)
{
	term sum = number(m, 0);

	for (uint32_t i = 0; i < m->bits; i++)
		sum = make(m, TERM_ADD, sum, symbolic_fit(m->terms, bit(m, i), m->bits));
	return sum;
}

/* The number of zeros in front of the first one, from the lowest or the highest bit. Without any it is not
   asked for, or all of them. */
static term zeros(const struct making *m, bool lowest)
{
	term out = number(m, m->bits);

	for (uint32_t i = m->bits; i-- > 0;)
		out = choose(m, bit(m, lowest ? i : m->bits - 1 - i), number(m, i), out);
	return out;
}

static term cttz(const struct making *m)
{
	return zeros(m, true);
}

static term ctlz(const struct making *m)
{
	return zeros(m, false);
}

static term funnel(const struct making *m, bool left)
{
	term count = make(m, TERM_UREM, m->in[2], number(m, m->bits));
	term rest = make(m, TERM_SUB, number(m, m->bits), count);
	term high = make(m, TERM_SHL, m->in[0], left ? count : rest);
	term low = make(m, TERM_LSHR, m->in[1], left ? rest : count);

	return choose(m, term_equals(m->terms, count, 0), m->in[!left],
	              make(m, TERM_OR, high, low));
}

static term fshl(const struct making *m)
{
	return funnel(m, true);
}

static term fshr(const struct making *m)
{
	return funnel(m, false);
}

/* --- floating point --- */

static bool is_real_type(const struct making *m)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(m->call));

	return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static term without_sign(const struct making *m)
{
	return make(m, TERM_AND, m->in[0], number(m, ~(1ull << (m->bits - 1))));
}

/* LLVM 19 computes that of half and bfloat in float, where a NaN becomes quiet (eval/rounding.c). */
static term fabs_(const struct making *m)
{
	term plain = without_sign(m);
	bool is_half = LLVMGetTypeKind(LLVMTypeOf(m->call)) == LLVMHalfTypeKind;

	if (HENCE_LLVM >= 22 || m->bits != 16)
		return plain;
	return choose(m, make(m, TERM_ULT, number(m, is_half ? 0x7c00 : 0x7f80), plain),
	              make(m, TERM_OR, plain, number(m, is_half ? 0x200 : 0x40)), plain);
}

static term copysign_(const struct making *m)
{
	return make(m, TERM_OR, without_sign(m),
	            make(m, TERM_AND, m->in[1], number(m, 1ull << (m->bits - 1))));
}

static term sqrt_(const struct making *m)
{
	return is_real_type(m) ? term_make(m->terms, TERM_FSQRT, m->bits, m->in[0], 0, 0) : 0;
}

/* Two roundings, unless the machine is said to have an instruction for it. */
static term fmuladd(const struct making *m)
{
	if (!is_real_type(m) || eval_has_feature(m->call, "fma"))
		return 0;
	return make(m, TERM_FADD, make(m, TERM_FMUL, m->in[0], m->in[1]), m->in[2]);
}

static term same(const struct making *m)
{
	return m->in[0];
}

/* --- all --- */

static const struct {
	const char *name; /* up to the types */
	term (*make)(const struct making *m);
} intrinsics[] = {
	{"abs.", absolute}, {"bitreverse.", bitreverse},
	{"bswap.", bswap},  {"copysign.", copysign_},
	{"ctlz.", ctlz},    {"ctpop.", ctpop},
	{"cttz.", cttz},    {"expect.", same},
	{"fabs.", fabs_},   {"fmuladd.", fmuladd},
	{"fshl.", fshl},    {"fshr.", fshr},
	{"smax.", smax},    {"smin.", smin},
	{"sqrt.", sqrt_},   {"umax.", umax},
	{"umin.", umin},
};

static bool is_vector(LLVMValueRef value)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));

	return kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind;
}

static term symbolic_compute_intrinsic(struct terms *terms, LLVMValueRef call, const term *in)
{
	const char *name = ir_intrinsic(call);

	if (!name || is_vector(call) || !LLVMGetNumArgOperands(call) ||
	    is_vector(LLVMGetOperand(call, 0)))
		return 0;
	if (strstr(name, ".with.overflow.")) {
		/* llvm.sadd.with.overflow and the like: the result and the flag as they lie in memory, or one of them; 0: it is none
		   of these, or too wide. */
		uint32_t total = symbolic_type_bits(call, LLVMTypeOf(call)), below;
		struct overflow_making m;

		if (!total || !prepare(terms, call, in, &m))
			return 0;
		below = m.bits <= 8 ? 8 : m.bits <= 16 ? 16 : 32;
		return term_make(terms, TERM_CONCAT, total,
		                 symbolic_fit(terms, overflows(&m), total - below),
		                 symbolic_fit(terms, m.result, below), 0);
	}
	for (size_t i = 0; i < sizeof(intrinsics) / sizeof(*intrinsics); i++)
		if (!strncmp(name, intrinsics[i].name, strlen(intrinsics[i].name))) {
			struct making m = {terms, call, in, term_at(terms, in[0])->bits};

			return intrinsics[i].make(&m);
		}
	return 0;
}

/* ------ what instructions compute from their operands, as LLVM and the machine say ------ */

static term binary(struct terms *terms, enum term_op op, const term *in)
{
	return term_make(terms, op, term_at(terms, in[0])->bits, in[0], in[1], 0);
}

/* The machine shifts by the count modulo 32, or 64 for wide registers. What it does with a constant that is
   too large nobody knows. */
static term shifted(struct terms *terms, enum term_op op, const term *in)
{
	uint32_t bits = term_at(terms, in[0])->bits;
	uint64_t count, modulus = bits <= 32 ? 32 : 64;
	term by = in[1];

	if (bits == 1)
		return in[0];
	if (term_is_constant(terms, by, &count))
		return count < bits ? binary(terms, op, in) : 0;
	by = term_make(terms, TERM_AND, bits, by,
	               term_constant(terms, bits, (modulus - 1) & term_mask(bits)), 0);
	return term_make(terms, op, bits, in[0], by, 0);
}

/* The code generator knows that 0 divided by anything is 0, and that one bit can only be divided by 1. */
static term divided(struct terms *terms, enum term_op op, const term *in)
{
	uint32_t bits = term_at(terms, in[0])->bits;
	uint64_t value;

	if (term_is_constant(terms, in[0], &value) && !value)
		return in[0];
	if (bits > 1)
		return binary(terms, op, in);
	return op == TERM_UDIV || op == TERM_SDIV ? in[0] : term_constant(terms, 1, 0);
}

/* --- parts of small structures --- */

/* Where the member lies that extractvalue or insertvalue names, in bits, and how many it has. False: more than
   64. */
static bool symbolic_member(LLVMValueRef i, LLVMTypeRef type, uint32_t *offset, uint32_t *bits)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(
		LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i))));
	const unsigned *indices = LLVMGetIndices(i);

	*offset = 0;
	for (unsigned k = 0; k < LLVMGetNumIndices(i); k++) {
		if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			*offset += 8 * (uint32_t)LLVMOffsetOfElement(layout, type, indices[k]);
			type = LLVMStructGetTypeAtIndex(type, indices[k]);
		} else {
			type = LLVMGetElementType(type);
			*offset += 8 * indices[k] * (uint32_t)LLVMABISizeOfType(layout, type);
		}
	}
	*bits = symbolic_type_bits(i, type);
	return *bits != 0;
}

/* --- all --- */

static bool is_number(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
	case LLVMPointerTypeKind: return true;
	default: return false;
	}
}

static term cast(struct terms *terms, LLVMValueRef i, const term *in)
{
	uint32_t bits = symbolic_type_bits(i, LLVMTypeOf(i));

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr: return symbolic_fit(terms, in[0], bits);
	case LLVMSExt: return term_make(terms, TERM_SEXT, bits, in[0], 0, 0);
	default: return 0;
	}
}

/* What an instruction computes, a pure function of its operands, which are in LLVM's order and as wide as
   their types. 0: there is no term for it. */
term symbolic_compute(struct terms *terms, LLVMValueRef i, const term *in)
{
	LLVMTypeRef type = LLVMTypeOf(i);

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMBitCast:
	case LLVMFreeze: return in[0];
	case LLVMSelect:
		if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) != LLVMIntegerTypeKind)
			return 0;
		return term_make(terms, TERM_CHOICE, term_at(terms, in[1])->bits, in[0], in[1],
		                 in[2]);
	case LLVMExtractValue: {
		uint32_t offset, bits;

		if (!symbolic_member(i, LLVMTypeOf(LLVMGetOperand(i, 0)), &offset, &bits))
			return 0;
		return term_extract(terms, in[0], offset, bits);
	}
	case LLVMInsertValue: {
		/* The lower part, the new one as it lies in memory, the upper part. */
		uint32_t offset, bits, total = term_at(terms, in[0])->bits;
		term out;

		if (!symbolic_member(i, LLVMTypeOf(i), &offset, &bits))
			return 0;
		bits = (bits + 7) & ~7u;
		out = symbolic_fit(terms, in[1], bits);
		if (offset)
			out = term_make(terms, TERM_CONCAT, offset + bits, out,
			                term_extract(terms, in[0], 0, offset), 0);
		if (offset + bits < total)
			out = term_make(
				terms, TERM_CONCAT, total,
				term_extract(terms, in[0], offset + bits, total - offset - bits),
				out, 0);
		return out;
	}
	case LLVMCall: return symbolic_compute_intrinsic(terms, i, in);
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
		return is_number(type) && is_number(LLVMTypeOf(LLVMGetOperand(i, 0)))
		               ? cast(terms, i, in)
		               : 0;
	default: break;
	}
	if (is_number(LLVMTypeOf(LLVMGetOperand(i, 0))) && is_number(type)) {
		switch (LLVMGetInstructionOpcode(i)) {
		case LLVMAdd: return binary(terms, TERM_ADD, in);
		case LLVMSub: return binary(terms, TERM_SUB, in);
		case LLVMMul: return binary(terms, TERM_MUL, in);
		case LLVMUDiv: return divided(terms, TERM_UDIV, in);
		case LLVMSDiv: return divided(terms, TERM_SDIV, in);
		case LLVMURem: return divided(terms, TERM_UREM, in);
		case LLVMSRem: return divided(terms, TERM_SREM, in);
		case LLVMAnd: return binary(terms, TERM_AND, in);
		case LLVMOr: return binary(terms, TERM_OR, in);
		case LLVMXor: return binary(terms, TERM_XOR, in);
		case LLVMShl: return shifted(terms, TERM_SHL, in);
		case LLVMLShr: return shifted(terms, TERM_LSHR, in);
		case LLVMAShr: return shifted(terms, TERM_ASHR, in);
		case LLVMICmp: {
			const term swapped[] = {in[1], in[0]};

			switch (LLVMGetICmpPredicate(i)) {
			case LLVMIntEQ: return term_make(terms, TERM_EQ, 1, in[0], in[1], 0);
			case LLVMIntNE:
				return term_not(terms,
				                term_make(terms, TERM_EQ, 1, in[0], in[1], 0));
			case LLVMIntUGT:
				return term_make(terms, TERM_ULT, 1, swapped[0], swapped[1], 0);
			case LLVMIntUGE:
				return term_make(terms, TERM_ULE, 1, swapped[0], swapped[1], 0);
			case LLVMIntULT: return term_make(terms, TERM_ULT, 1, in[0], in[1], 0);
			case LLVMIntULE: return term_make(terms, TERM_ULE, 1, in[0], in[1], 0);
			case LLVMIntSGT:
				return term_make(terms, TERM_SLT, 1, swapped[0], swapped[1], 0);
			case LLVMIntSGE:
				return term_make(terms, TERM_SLE, 1, swapped[0], swapped[1], 0);
			case LLVMIntSLT: return term_make(terms, TERM_SLT, 1, in[0], in[1], 0);
			case LLVMIntSLE: return term_make(terms, TERM_SLE, 1, in[0], in[1], 0);
			}
			return 0;
		}
		default: return 0;
		}
	}
	return symbolic_compute_float(terms, i, in);
}

/* ------ parts of values of more than 64 bits ------ */

/* Members of small structures that functions return, flags of overflow. */

/* What is looked for: bytes of a wide value, and what they were. */
struct part {
	struct symbolic *s;
	uint32_t offset, size;
	uint64_t actual;
	uint32_t reader;
	uint32_t done; /* bytes */
	term term;
};

/* --- bytes that were loaded --- */

static void note_loaded(void *context, const struct execution_origin *origin)
{
	struct part *p = context;
	uint32_t size = (uint32_t)origin->size;
	term t;

	if (!origin->size || p->done + origin->size > p->size)
		return;
	t = symbolic_part(p->s, symbolic_written(origin, 0, p->reader), size,
	                  p->actual >> 8 * p->done);
	p->term = p->done ? symbolic_make(p->s, TERM_CONCAT, 8 * (p->done + size), t, p->term) : t;
	p->done += size;
}

/* --- computed --- */

/* Who made an operand; 0: it is a constant, or was made before what is kept. */
static uint32_t wide_maker_of(const struct symbolic *s, uint32_t instance, uint32_t operand)
{
	uint64_t value;
	uint32_t made;

	if (!execution_operand(s->execution, instance, operand, &value, &made) ||
	    made < EXECUTION_FIRST || !symbolic_keeps(s, made) ||
	    (execution_insn(s->execution, made)->op == CODE_CALL &&
	     !symbolic_has_returned(s, made, instance)))
		return 0;
	return made;
}

static term evaluated(struct part *p, uint32_t instance, uint32_t *next)
{
	const struct code_eval *more = execution_insn(p->s->execution, instance)->more;

	switch (LLVMGetInstructionOpcode(execution_instruction(p->s->execution, instance))) {
	case LLVMCall: {
		LLVMValueRef i = execution_instruction(p->s->execution, instance);
		term in[2];

		if (more->count != 2 || more->in[0].words != 1)
			return 0;
		for (uint32_t k = 0; k < 2; k++)
			in[k] = symbolic_input(
				p->s, instance, more->in[k].operand,
				symbolic_type_bits(i, LLVMTypeOf(LLVMGetOperand(i, k))));
		return symbolic_overflow_part(p->s->terms, i, in, p->offset != 0);
	}
	case LLVMInsertValue: {
		/* The member that was put in, or one of what it was put into: *next. */
		LLVMValueRef i = execution_instruction(p->s->execution, instance);
		uint32_t offset, bits;

		if (!symbolic_member(i, LLVMTypeOf(i), &offset, &bits))
			return 0;
		if (offset == 8 * p->offset && (bits + 7) / 8 == p->size)
			return symbolic_input(p->s, instance, more->in[1].operand, bits);
		if (offset >= 8 * (p->offset + p->size) || offset + bits <= 8 * p->offset)
			*next = wide_maker_of(p->s, instance, more->in[0].operand);
		return 0;
	}
	default: return 0;
	}
}

/* --- all --- */

static term find(struct part *p, uint32_t instance)
{
	const struct execution *e = p->s->execution;
	term t = 0;

	for (uint32_t next = 0; instance && !t; instance = next, next = 0) {
		const struct code_insn *insn = execution_insn(e, instance);
		uint32_t source = execution_source(e, instance);

		if (insn->op == CODE_LOAD_WIDE) {
			p->reader = instance;
			execution_origins(p->s->execution, instance, p->offset, p->offset + p->size,
			                  note_loaded, p);
			t = p->done == p->size ? p->term : 0;
		} else if (insn->op == CODE_EVAL) {
			t = evaluated(p, instance, &next);
		} else if (insn->op == CODE_RETURN) {
			next = wide_maker_of(p->s, instance, insn->a);
		} else if ((insn->op == CODE_CALL || insn->op == CODE_PHI) &&
		           source >= EXECUTION_FIRST && symbolic_keeps(p->s, source))
			next = source;
	}
	return t;
}

/* What extractvalue takes from a value of more than 64 bits; 0: there is no term. */
static term symbolic_wide_member(struct symbolic *s, uint32_t instance)
{
	const struct code_eval *more = execution_insn(s->execution, instance)->more;
	LLVMValueRef i = execution_instruction(s->execution, instance);
	struct part p = {.s = s, .actual = execution_value(s->execution, instance)};
	uint32_t offset, bits, made;
	term t;

	if (LLVMGetInstructionOpcode(i) != LLVMExtractValue ||
	    !symbolic_member(i, LLVMTypeOf(LLVMGetOperand(i, 0)), &offset, &bits))
		return 0;
	p.offset = offset / 8;
	p.size = (bits + 7) / 8;
	made = wide_maker_of(s, instance, more->in[0].operand);
	t = made ? find(&p, made) : 0;
	return t ? symbolic_fit(s->terms, t, bits) : 0;
}

/* ------ classes of characters ------ */

/* Isdigit() and the like are macros that look into a table of the library. */

/* Who made an operand; NULL: nobody whom we know. */
static const struct code_insn *maker_of(const struct symbolic *s, uint32_t *instance,
                                        uint32_t operand)
{
	uint64_t value;
	uint32_t made;

	if (!execution_operand(s->execution, *instance, operand, &value, &made) ||
	    made < EXECUTION_FIRST || !symbolic_keeps(s, made))
		return NULL;
	*instance = made;
	return execution_insn(s->execution, made);
}

/* Does the load read an element of *__ctype_b_loc()? Then *index is the instance that computes its place. */
static bool is_table(const struct symbolic *s, uint32_t load, uint32_t *index)
{
	const struct code_insn *insn = execution_insn(s->execution, load);
	uint32_t at = load;
	uint32_t source;

	if (insn->op != CODE_LOAD || insn->bytes != 2)
		return false;
	insn = maker_of(s, &at, insn->a);
	if (!insn || insn->op != CODE_INDEX || insn->scale != 2 || insn->imm)
		return false;
	*index = at;
	insn = maker_of(s, &at, insn->a);
	if (!insn || insn->op != CODE_LOAD)
		return false;
	insn = maker_of(s, &at, insn->a);
	if (!insn || insn->op != CODE_CALL)
		return false;
	source = execution_source(s->execution, at);
	return source & EXECUTION_GROUP &&
	       !strcmp(execution_call(s->execution, execution_group(s->execution, source)->call)
	                       ->name,
	               "__ctype_b_loc");
}

/* What a load reads from the library's table of classes of characters; 0: it is none of these. */
static term symbolic_class(struct symbolic *s, uint32_t load)
{
	const struct code_insn *insn;
	uint64_t actual;
	uint32_t at;

	if (!is_table(s, load, &at))
		return 0;
	insn = execution_insn(s->execution, at);
	/* Counted from -1. */
	actual = (symbolic_input_value(s, at, insn->b) + 1) & term_mask(insn->from);
	if (actual > 128 ||
	    (*__ctype_b_loc())[(int)actual - 1] != (uint16_t)execution_value(s->execution, load))
		return 0;
	/* Runs of characters of the same class. Those above 127 depend on the locale; those of ASCII, and -1, do not. */
	term index = symbolic_input(s, at, insn->b, insn->from);
	const unsigned short *table = *__ctype_b_loc();
	uint32_t bits = symbolic_bits(s, index);
	term out = term_any(s->terms, 16);

	for (int first = -1, last; first < 128; first = last + 1) {
		term distance = symbolic_make(
			s, TERM_SUB, bits, index,
			term_constant(s->terms, bits, (uint64_t)first & term_mask(bits)));

		for (last = first; last < 127 && table[last + 1] == table[first];)
			last++;
		out = term_make(
			s->terms, TERM_CHOICE, 16,
			symbolic_make(s, TERM_ULE, 1, distance,
		                      term_constant(s->terms, bits, (uint64_t)(last - first))),
			term_constant(s->terms, 16, table[first]), out);
	}
	return out;
}

/* ------ what the value of an instance was computed from ------ */

static struct symbolic_definition symbolic_define_outside(struct symbolic *s, uint32_t instance,
                                                          uint32_t bits, uint64_t actual);

static struct symbolic_definition move(struct symbolic *s, uint32_t instance, uint32_t operand,
                                       uint32_t bits, enum symbolic_form form)
{
	return (struct symbolic_definition){form, symbolic_input(s, instance, operand, bits)};
}

/* A pointer and what is added to it. */
static struct symbolic_definition step(struct symbolic *s, uint32_t instance,
                                       const struct code_insn *insn)
{
	const struct code_indices *more = insn->more;
	term sum = symbolic_input(s, instance, insn->a, 64), index;

	for (uint32_t k = 0; insn->op != CODE_STEP; k++) {
		uint32_t bits = insn->op == CODE_INDEX ? insn->from : more->at[k].bits;
		uint64_t scale = insn->op == CODE_INDEX ? insn->scale : (uint64_t)more->at[k].scale;

		index = symbolic_input(
			s, instance, insn->op == CODE_INDEX ? insn->b : more->at[k].operand, bits);
		if (bits < 64)
			index = symbolic_make(s, TERM_SEXT, 64, index, 0);
		index = symbolic_make(s, TERM_MUL, 64, index, term_constant(s->terms, 64, scale));
		sum = symbolic_make(s, TERM_ADD, 64, sum, index);
		if (insn->op == CODE_INDEX || k + 1 == more->count)
			break;
	}
	sum = symbolic_make(s, TERM_ADD, 64, sum, term_constant(s->terms, 64, (uint64_t)insn->imm));
	return (struct symbolic_definition){SYMBOLIC_COMPUTED, sum};
}

static struct symbolic_definition given(struct symbolic *s, uint32_t instance,
                                        const struct symbol *symbol)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	struct symbolic_guard guard = symbolic_guard(s);
	uint32_t operands[CODE_OPERANDS], count = symbolic_operands(insn, operands);
	const struct code_asm *more = insn->more;

	for (uint32_t k = 0; k < count; k++)
		symbolic_guard_operand(&guard, instance, operands[k]);
	for (uint32_t k = 0; insn->op == CODE_ASM && k < more->operand_count; k++)
		symbolic_guard_operand(&guard, instance, more->operands[k]);
	return symbolic_given(&guard, symbol->bits, execution_value(s->execution, instance));
}

/* Is it a division that the program died of: by 0, or by -1 what has no opposite? That has no value. */
static bool traps(const struct symbolic *s, uint32_t instance, uint32_t divisor, LLVMValueRef i)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
	uint32_t bits;
	uint64_t value;

	if (opcode != LLVMUDiv && opcode != LLVMSDiv && opcode != LLVMURem && opcode != LLVMSRem)
		return false;
	bits = symbolic_type_bits(i, LLVMTypeOf(i));
	value = symbolic_input_value(s, instance, divisor) & term_mask(bits);
	return !execution_value(s->execution, instance) && (!value || value == term_mask(bits));
}

static struct symbolic_definition computed(struct symbolic *s, uint32_t instance,
                                           const struct symbol *symbol)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	LLVMValueRef i = execution_instruction(s->execution, instance);
	uint32_t operands[CODE_OPERANDS], count = symbolic_operands(insn, operands);
	term in[CODE_OPERANDS], out = 0;
	uint32_t k;

	for (k = 0; k < count; k++) {
		uint32_t bits = symbolic_type_bits(i, LLVMTypeOf(LLVMGetOperand(i, k)));

		if (!bits)
			break;
		in[k] = symbolic_input(s, instance, operands[k], bits);
	}
	if (k == count && !symbolic_is_wide(s, instance) && !traps(s, instance, operands[1], i))
		out = symbolic_compute(s->terms, i, in);
	if (!out && !k && count)
		out = symbolic_wide_member(s, instance);
	if (!out)
		return given(s, instance, symbol);
	return (struct symbolic_definition){SYMBOLIC_COMPUTED, out};
}

/* The value of another instance, if it is that. */
static struct symbolic_definition taken(struct symbolic *s, uint32_t from,
                                        const struct symbol *symbol, enum symbolic_form form)
{
	uint64_t actual = execution_value(s->execution, symbol->instance);
	term t = 0;

	if (from >= EXECUTION_FIRST && symbolic_keeps(s, from) &&
	    (execution_insn(s->execution, from)->op != CODE_CALL ||
	     symbolic_has_returned(s, from, symbol->instance)))
		t = symbolic_token(s, from);
	if (!t || ((execution_value(s->execution, from) ^ actual) & term_mask(symbol->bits)) != 0)
		return symbolic_constant(s, symbol->bits, actual);
	return (struct symbolic_definition){form, symbolic_fit(s->terms, t, symbol->bits)};
}

/* Of a symbol that is a value. */
static struct symbolic_definition symbolic_define_value(struct symbolic *s,
                                                        const struct symbol *symbol)
{
	uint32_t instance = symbol->instance;
	const struct code_insn *insn = execution_insn(s->execution, instance);

	switch ((enum code_op)insn->op) {
	case CODE_STEP:
	case CODE_INDEX:
	case CODE_INDICES: return step(s, instance, insn);
	case CODE_LOAD:
	case CODE_LOAD_WIDE:
	case CODE_ATOMIC: return symbolic_define_load(s, instance);
	case CODE_STORE: return move(s, instance, insn->a, symbol->bits, SYMBOLIC_WRITTEN);
	case CODE_RETURN: return move(s, instance, insn->a, symbol->bits, SYMBOLIC_COMPUTED);
	case CODE_PHI:
		return taken(s, execution_source(s->execution, instance), symbol, SYMBOLIC_READ);
	case CODE_CALL: {
		uint32_t source = execution_source(s->execution, symbol->instance);
		const struct code_call *call;

		if (source & EXECUTION_GROUP)
			return symbolic_define_outside(
				s, symbol->instance, symbol->bits,
				execution_value(s->execution, symbol->instance));
		/* What setjmp() returns once more, longjmp() was given. */
		if (symbolic_keeps(s, source) &&
		    execution_insn(s->execution, source)->op == CODE_CALL) {
			struct symbolic_guard guard = symbolic_guard(s);

			call = execution_insn(s->execution, source)->more;
			for (uint32_t i = 0; i < call->count; i++)
				symbolic_guard_operand(&guard, source, call->arguments[i].operand);
			return symbolic_given(&guard, symbol->bits,
			                      execution_value(s->execution, symbol->instance));
		}
		return taken(s, source, symbol, SYMBOLIC_RETURNED);
	}
	case CODE_ASM:
	case CODE_STORE_WIDE: return given(s, instance, symbol);
	case CODE_EVAL: return computed(s, instance, symbol);
	default: break;
	}
	if (insn->op >= CODE_ADD && insn->op <= CODE_MOVE)
		return computed(s, instance, symbol);
	return symbolic_constant(s, symbol->bits, execution_value(s->execution, instance));
}

/* ------ bytes that were written to memory otherwise than by a store of up to 8 bytes ------ */

static struct symbolic_definition
symbolic_define_outside_byte(struct symbolic *s, uint32_t instance, uint64_t at, uint8_t actual);

/* --- copies --- */

static void note_copy(void *context, const struct execution_origin *origin)
{
	struct symbolic_copies *copies = context;

	if (origin->size && origin->to)
		*vec_push(&copies->at) = (struct symbolic_copy){origin->to, origin->size,
		                                                symbolic_written(origin, 0, 0).at,
		                                                origin->source, origin->value};
}

static int by_place(const void *a, const void *b)
{
	const struct symbolic_copy *x = a, *y = b;

	return x->to < y->to ? -1 : x->to > y->to;
}

/* What went where, in order: an array may have as many writers as elements. */
static const struct symbolic_copies *find_copies(struct symbolic *s, uint32_t instance)
{
	struct symbolic_copies *found = symbolic_copy_map_find(&s->copies, instance), made = {0};

	if (found)
		return found;
	execution_origins(s->execution, instance, 0, 0, note_copy, &made);
	if (made.at.size)
		qsort(made.at.at, made.at.size, sizeof(*made.at.at), by_place);
	found = symbolic_copy_map_put(&s->copies, instance);
	*found = made;
	return found;
}

/* A byte that an instance copied; 0: it did not. */
static term symbolic_copied(struct symbolic *s, uint32_t instance, uint64_t at, uint8_t actual)
{
	const struct symbolic_copies *copies = find_copies(s, instance);
	uint32_t low = 0, high = copies->at.size;
	struct symbolic_copy c;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (copies->at.at[middle].to <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || at - copies->at.at[low - 1].to >= copies->at.at[low - 1].size)
		return 0;
	c = copies->at.at[low - 1];
	at -= c.to;
	return c.value ? symbolic_part_of_value(s, c.source, at, 1, actual)
	               : symbolic_part(s,
	                               (struct symbolic_written){c.source, instance, c.from + at},
	                               1, actual);
}

/* --- of atomic instructions and assembly --- */

static enum term_op updating(LLVMAtomicRMWBinOp op)
{
	switch (op) {
	case LLVMAtomicRMWBinOpAdd: return TERM_ADD;
	case LLVMAtomicRMWBinOpSub: return TERM_SUB;
	case LLVMAtomicRMWBinOpAnd: return TERM_AND;
	case LLVMAtomicRMWBinOpOr: return TERM_OR;
	case LLVMAtomicRMWBinOpXor: return TERM_XOR;
	default: return TERM_OPS;
	}
}

/* What an atomic instruction wrote; 0: there is no term. */
static term updated(struct symbolic *s, uint32_t instance, const struct code_insn *insn)
{
	uint32_t bits = 8 * (uint32_t)insn->imm;
	enum term_op op = updating((LLVMAtomicRMWBinOp)insn->scale);
	term with;

	if (insn->c != CODE_NO_OPERAND)
		return symbolic_input(s, instance, insn->c, bits);
	with = symbolic_input(s, instance, insn->b, bits);
	if (insn->scale == LLVMAtomicRMWBinOpXchg)
		return with;
	if (op == TERM_OPS)
		return 0;
	return symbolic_make(s, op, bits, symbolic_fit(s->terms, symbolic_value(s, instance), bits),
	                     with);
}

static struct symbolic_definition atomic_byte(struct symbolic *s, uint32_t instance, uint64_t at,
                                              uint8_t actual)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	uint64_t offset = at - symbolic_input_value(s, instance, insn->a);
	term t = offset < (uint64_t)insn->imm ? updated(s, instance, insn) : 0;
	struct symbolic_guard guard = symbolic_guard(s);

	if (t)
		return (struct symbolic_definition){
			SYMBOLIC_WRITTEN, term_extract(s->terms, t, 8 * (uint32_t)offset, 8)};
	symbolic_guard_add(&guard, symbolic_token(s, instance),
	                   execution_value(s->execution, instance));
	symbolic_guard_operand(&guard, instance, insn->b);
	return symbolic_given(&guard, 8, actual);
}

/* --- all --- */

static struct symbolic_definition symbolic_define_byte(struct symbolic *s, uint32_t instance,
                                                       uint64_t at, uint8_t actual)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	struct symbolic_guard guard = symbolic_guard(s);

	switch ((enum code_op)insn->op) {
	case CODE_COPY:
	case CODE_VA_COPY:
	case CODE_VA_START: {
		term t = symbolic_copied(s, instance, at, actual);

		return t ? (struct symbolic_definition){SYMBOLIC_WRITTEN, t}
		         : symbolic_constant(s, 8, actual);
	}
	case CODE_FILL:
		return (struct symbolic_definition){SYMBOLIC_WRITTEN,
		                                    symbolic_input(s, instance, insn->b, 8)};
	case CODE_ATOMIC: return atomic_byte(s, instance, at, actual);
	case CODE_ASM: {
		const struct code_asm *more = execution_insn(s->execution, instance)->more;

		for (uint32_t k = 0; k < more->operand_count; k++)
			symbolic_guard_operand(&guard, instance, more->operands[k]);
		return symbolic_given(&guard, 8, actual);
	}
	case CODE_CALL: return symbolic_define_outside_byte(s, instance, at, actual);
	default:
		symbolic_guard_operand(&guard, instance, insn->a);
		return symbolic_given(&guard, 8, actual);
	}
}

/* ------ what functions of the library gave and wrote ------ */

static term symbolic_reader_formula(struct symbolic_call *c);
static term symbolic_text_formula(struct symbolic_call *c);
static term symbolic_number_formula(struct symbolic_call *c);

/* --- what it read --- */

static void note_read(void *context, const struct execution_origin *origin)
{
	struct symbolic_call *c = context;

	if (origin->size && origin->bytes && origin->size <= UINT32_MAX)
		*vec_push(&c->reads) = (struct symbolic_read){
			origin->from, (uint32_t)origin->size, origin->source,
			origin->written ? origin->written : origin->from, origin->bytes};
}

static const struct execution_call *call_of(const struct symbolic *s, uint32_t instance)
{
	uint32_t source = execution_source(s->execution, instance);

	return execution_call(s->execution, execution_group(s->execution, source)->call);
}

static bool find_byte(struct symbolic_call *c, uint64_t address, const struct symbolic_read **out)
{
	for (uint32_t n = 0; n < c->reads.size; n++) {
		uint32_t i = (c->last + n) % c->reads.size;
		const struct symbolic_read *r = &c->reads.at[i];

		if (address >= r->from && address - r->from < r->size) {
			c->last = i;
			*out = r;
			return true;
		}
	}
	return false;
}

/* --- arguments --- */

/* An argument, as wide as asked for, and its value. */
static term symbolic_argument(struct symbolic_call *c, uint32_t number, uint32_t bits)
{
	return symbolic_input(c->s, c->instance, c->code->arguments[number].operand, bits);
}

static uint64_t symbolic_argument_value(const struct symbolic_call *c, uint32_t number)
{
	return symbolic_input_value(c->s, c->instance, c->code->arguments[number].operand);
}

static void symbolic_fix(struct symbolic_call *c, term condition)
{
	c->fixed = c->fixed ? term_make(c->terms, TERM_AND, 1, c->fixed, condition, 0) : condition;
}

/* The formula only holds as long as an argument is what it was. */
static void symbolic_fix_argument(struct symbolic_call *c, uint32_t number)
{
	term t = symbolic_argument(c, number, 0);

	if (!term_is_constant(c->terms, t, NULL))
		symbolic_fix(c, term_equals(c->terms, t,
		                            symbolic_argument_value(c, number) &
		                                    term_mask(symbolic_bits(c->s, t))));
}

/* Those that an argument points to, up to `most`, and no more than were read; up to and with the 0, if `string`. False: it
   has none, or too many. */
static bool symbolic_text(struct symbolic_call *c, uint32_t argument, uint64_t most, bool string,
                          struct symbolic_text *out)
{
	uint64_t address = symbolic_argument_value(c, argument);
	const struct symbolic_read *read;
	bool initial = false;

	out->size = 0;
	while (out->size < most && find_byte(c, address + out->size, &read)) {
		uint64_t offset = address + out->size - read->from;

		if (out->size == SYMBOLIC_TEXT)
			return false;
		initial |= read->source < EXECUTION_FIRST;
		out->values[out->size] = read->bytes[offset];
		out->at[out->size++] =
			symbolic_part(c->s,
		                      (struct symbolic_written){read->source, c->instance,
		                                                read->written + offset},
		                      1, read->bytes[offset]);
		if (string && !read->bytes[offset])
			break;
	}
	/* Another pointer finds other bytes, where nobody wrote these. */
	if (initial)
		symbolic_fix_argument(c, argument);
	return out->size > 0 || !most;
}

/* --- what it gave --- */

/* Is it, or what it wrote, from input? */
static bool takes_input(const struct execution_call *call)
{
	struct effects effects = call->after;
	struct effect effect;

	while (effects_next(&effects, &effect))
		if (effect.head.kind == HENCE_INPUT && effect.head.stream != -1)
			return true;
	return false;
}

/* Is the result the address of a new object? */
static bool allocates(const struct execution_call *call, uint64_t address)
{
	struct effects effects = call->after;
	struct effect effect;

	while (effects_next(&effects, &effect))
		if (effect.head.kind == HENCE_ALLOCATED && effect.head.address == address)
			return true;
	return false;
}

/* Those that return their first argument. */
static bool returns_first(const char *name)
{
	static const char *const names[] = {"memcpy", "memmove", "memset", "strcat",
	                                    "strcpy", "strncat", "strncpy"};

	if (!strncmp(name, "__", 2))
		name += 2;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(name, names[i], strlen(names[i])) &&
		    (!name[strlen(names[i])] || !strcmp(name + strlen(names[i]), "_chk")))
			return true;
	return false;
}

/* A formula must give what the function gave. */
static term checked(struct symbolic_call *c, term t)
{
	t = symbolic_fit(c->terms, t, c->bits);
	if (term_evaluate(c->terms, t, symbolic_actual, c->s) != c->actual)
		return 0;
	if (c->fixed)
		t = term_make(c->terms, TERM_CHOICE, c->bits, c->fixed, t,
		              term_any(c->terms, c->bits));
	return t;
}

static term formula(struct symbolic_call *c)
{
	term t;

	if (returns_first(c->name) && c->code->count)
		return checked(c, symbolic_argument(c, 0, 64));
	t = symbolic_number_formula(c);
	if (!t) {
		execution_origins(c->s->execution, c->instance, 0, 0, note_read, c);
		t = symbolic_text_formula(c);
		t = t ? t : symbolic_reader_formula(c);
	}
	return t ? checked(c, t) : 0;
}

/* The result of a call of the library, or a byte that it wrote. */
static struct symbolic_definition symbolic_define_outside(struct symbolic *s, uint32_t instance,
                                                          uint32_t bits, uint64_t actual)
{
	const struct execution_call *call = call_of(s, instance);
	struct symbolic_guard guard = symbolic_guard(s);
	struct symbolic_call c = {.s = s,
	                          .terms = s->terms,
	                          .instance = instance,
	                          .name = call->name,
	                          .code = execution_insn(s->execution, instance)->more,
	                          .bits = bits,
	                          .actual = actual & term_mask(bits)};
	term t = 0;

	if (takes_input(call) || allocates(call, actual))
		return symbolic_constant(s, bits, actual);
	if (call->name && !symbolic_is_wide(s, instance))
		t = formula(&c);
	vec_deinit(&c.reads);
	if (t)
		return (struct symbolic_definition){SYMBOLIC_RETURNED, t};
	symbolic_guard_outside(&guard, instance, call->until);
	return symbolic_given(&guard, bits, actual);
}

/* --- what it wrote --- */

static struct symbolic_definition
symbolic_define_outside_byte(struct symbolic *s, uint32_t instance, uint64_t at, uint8_t actual)
{
	const struct execution_call *call = call_of(s, instance);
	const struct code_call *code = execution_insn(s->execution, instance)->more;
	struct symbolic_guard guard = symbolic_guard(s);
	term t = symbolic_copied(s, instance, at, actual);

	if (!t && call->name &&
	    (!strcmp(call->name, "memset") || !strcmp(call->name, "__memset_chk")) &&
	    code->count > 1 &&
	    (uint8_t)symbolic_input_value(s, instance, code->arguments[1].operand) == actual)
		t = symbolic_input(s, instance, code->arguments[1].operand, 8);
	if (t)
		return (struct symbolic_definition){SYMBOLIC_WRITTEN, t};
	if (takes_input(call))
		return symbolic_constant(s, 8, actual);
	symbolic_guard_outside(&guard, instance, call->until);
	return symbolic_given(&guard, 8, actual);
}

/* ------ formulas of functions that read strings: positions and differences ------ */

static term choose_by_text(struct symbolic_call *c, term condition, term yes, term no)
{
	return term_make(c->terms, TERM_CHOICE, symbolic_bits(c->s, yes), condition, yes, no);
}

static term same_text(struct symbolic_call *c, term a, term b)
{
	return term_make(c->terms, TERM_EQ, 1, a, b, 0);
}

/* --- lengths --- */

/* Where the first 0 is. What follows the last byte is not known, unless the function stops there. */
static term length(struct symbolic_call *c, const struct symbolic_text *text, bool stops)
{
	term out = stops ? term_constant(c->terms, 64, text->size) : term_any(c->terms, 64);

	for (uint32_t i = text->size; i-- > 0;)
		out = choose_by_text(c, term_equals(c->terms, text->at[i], 0),
		                     term_constant(c->terms, 64, i), out);
	return out;
}

static term strlen_(struct symbolic_call *c)
{
	struct symbolic_text text;

	return symbolic_text(c, 0, UINT64_MAX, true, &text) ? length(c, &text, false) : 0;
}

static term strnlen_(struct symbolic_call *c)
{
	uint64_t most = symbolic_argument_value(c, 1);
	struct symbolic_text text;

	if (!symbolic_text(c, 0, most, true, &text))
		return 0;
	symbolic_fix_argument(c, 1);
	return length(c, &text, text.size == most);
}

/* --- comparisons --- */

static term lower(struct symbolic_call *c, term byte)
{
	term from_a = term_make(c->terms, TERM_SUB, 8, byte, term_constant(c->terms, 8, 'A'), 0);

	return choose_by_text(
		c, term_make(c->terms, TERM_ULT, 1, from_a, term_constant(c->terms, 8, 26), 0),
		term_make(c->terms, TERM_ADD, 8, byte, term_constant(c->terms, 8, 32), 0), byte);
}

/* The difference of the first bytes that differ; `stops`: equal ones after the last are not looked for. */
static term difference(struct symbolic_call *c, struct symbolic_text *a, struct symbolic_text *b,
                       bool string, bool folds, bool stops)
{
	uint32_t size = a->size < b->size ? a->size : b->size;
	term out = stops ? term_constant(c->terms, 32, 0) : term_any(c->terms, 32);
	term zero = term_constant(c->terms, 32, 0);

	for (uint32_t i = size; i-- > 0;) {
		term x = folds ? lower(c, a->at[i]) : a->at[i];
		term y = folds ? lower(c, b->at[i]) : b->at[i];
		term differ = term_make(c->terms, TERM_SUB, 32, symbolic_fit(c->terms, x, 32),
		                        symbolic_fit(c->terms, y, 32), 0);

		if (string)
			out = choose_by_text(c, term_equals(c->terms, x, 0), zero, out);
		out = choose_by_text(c, same_text(c, x, y), out, differ);
	}
	return out;
}

/* Code that the compiler puts in place of a call gives 1 and -1 only. */
static term sign(struct symbolic_call *c, term difference)
{
	term zero = term_constant(c->terms, 32, 0);
	term less = choose_by_text(c, term_make(c->terms, TERM_SLT, 1, difference, zero, 0),
	                           term_constant(c->terms, 32, UINT32_MAX),
	                           term_constant(c->terms, 32, 1));

	return choose_by_text(c, term_equals(c->terms, difference, 0), zero, less);
}

static term compared_bytes(struct symbolic_call *c, uint64_t most, bool string, bool folds)
{
	struct symbolic_text a, b;
	term out;

	if (!symbolic_text(c, 0, most, string, &a) || !symbolic_text(c, 1, most, string, &b))
		return 0;
	out = difference(c, &a, &b, string, folds, a.size == most && b.size == most);
	return term_evaluate(c->terms, out, symbolic_actual, c->s) == c->actual ? out
	                                                                        : sign(c, out);
}

static term strcmp_(struct symbolic_call *c)
{
	return compared_bytes(c, UINT64_MAX, true, false);
}

static term strcasecmp_(struct symbolic_call *c)
{
	return compared_bytes(c, UINT64_MAX, true, true);
}

static term limited(struct symbolic_call *c, bool string, bool folds)
{
	symbolic_fix_argument(c, 2);
	return compared_bytes(c, symbolic_argument_value(c, 2), string, folds);
}

static term strncmp_(struct symbolic_call *c)
{
	return limited(c, true, false);
}

static term strncasecmp_(struct symbolic_call *c)
{
	return limited(c, true, true);
}

static term memcmp_(struct symbolic_call *c)
{
	return limited(c, false, false);
}

/* --- positions --- */

static term behind(struct symbolic_call *c, uint32_t offset)
{
	return term_make(c->terms, TERM_ADD, 64, symbolic_argument(c, 0, 64),
	                 term_constant(c->terms, 64, offset), 0);
}

static term first_of(struct symbolic_call *c, const struct symbolic_text *text, bool string,
                     term end)
{
	term wanted = symbolic_argument(c, 1, 8), none = term_constant(c->terms, 64, 0);

	for (uint32_t i = text->size; i-- > 0;) {
		if (string)
			end = choose_by_text(c, term_equals(c->terms, text->at[i], 0), none, end);
		end = choose_by_text(c, same_text(c, text->at[i], wanted), behind(c, i), end);
	}
	return end;
}

static term strchr_(struct symbolic_call *c)
{
	struct symbolic_text text;

	if (!symbolic_text(c, 0, UINT64_MAX, true, &text))
		return 0;
	return first_of(c, &text, true, term_any(c->terms, 64));
}

static term memchr_(struct symbolic_call *c)
{
	uint64_t most = symbolic_argument_value(c, 2);
	struct symbolic_text text;

	symbolic_fix_argument(c, 2);
	if (!symbolic_text(c, 0, most, false, &text))
		return 0;
	return first_of(c, &text, false,
	                text.size == most ? term_constant(c->terms, 64, 0)
	                                  : term_any(c->terms, 64));
}

/* The last one in front of the first 0, or that itself. */
static term strrchr_(struct symbolic_call *c)
{
	struct symbolic_text text;
	term wanted = symbolic_argument(c, 1, 8), out = term_any(c->terms, 64);
	term best[SYMBOLIC_TEXT + 1];

	if (!symbolic_text(c, 0, UINT64_MAX, true, &text))
		return 0;
	best[0] = term_constant(c->terms, 64, 0);
	for (uint32_t i = 0; i < text.size; i++)
		best[i + 1] =
			choose_by_text(c, same_text(c, text.at[i], wanted), behind(c, i), best[i]);
	for (uint32_t i = text.size; i-- > 0;)
		out = choose_by_text(c, term_equals(c->terms, text.at[i], 0), best[i + 1], out);
	return out;
}

/* --- all --- */

static const struct {
	const char *name;
	uint32_t arguments;
	term (*make)(struct symbolic_call *c);
} text_functions[] = {
	{"bcmp", 3, memcmp_},     {"index", 2, strchr_},
	{"memchr", 3, memchr_},   {"memcmp", 3, memcmp_},
	{"rindex", 2, strrchr_},  {"strcasecmp", 2, strcasecmp_},
	{"strchr", 2, strchr_},   {"strcmp", 2, strcmp_},
	{"strlen", 1, strlen_},   {"strncasecmp", 3, strncasecmp_},
	{"strncmp", 3, strncmp_}, {"strnlen", 2, strnlen_},
	{"strrchr", 2, strrchr_},
};

static term symbolic_text_formula(struct symbolic_call *c)
{
	for (size_t i = 0; i < sizeof(text_functions) / sizeof(*text_functions); i++)
		if (!strcmp(text_functions[i].name, c->name) &&
		    c->code->count >= text_functions[i].arguments)
			return text_functions[i].make(c);
	return 0;
}

/* ------ formulas of functions on numbers and characters, and of those that read numbers from strings ------ */

static term choose_by_number(struct symbolic_call *c, term condition, term yes, term no)
{
	return term_make(c->terms, TERM_CHOICE, symbolic_bits(c->s, yes), condition, yes, no);
}

static term between(struct symbolic_call *c, term t, uint64_t low, uint64_t high)
{
	uint32_t bits = symbolic_bits(c->s, t);
	term from = term_make(c->terms, TERM_SUB, bits, t, term_constant(c->terms, bits, low), 0);

	return term_make(c->terms, TERM_ULE, 1, from, term_constant(c->terms, bits, high - low), 0);
}

/* --- numbers --- */

static term abs_(struct symbolic_call *c)
{
	term x = symbolic_argument(c, 0, c->bits), zero = term_constant(c->terms, c->bits, 0);

	return choose_by_number(c, term_make(c->terms, TERM_SLT, 1, x, zero, 0),
	                        term_make(c->terms, TERM_SUB, c->bits, zero, x, 0), x);
}

static term fabs_of(struct symbolic_call *c)
{
	return term_make(c->terms, TERM_AND, c->bits, symbolic_argument(c, 0, c->bits),
	                 term_constant(c->terms, c->bits, term_mask(c->bits - 1)), 0);
}

static term sqrt_of(struct symbolic_call *c)
{
	return term_make(c->terms, TERM_FSQRT, c->bits, symbolic_argument(c, 0, c->bits), 0, 0);
}

/* The bytes in the opposite order: this machine has the lowest first, the network the highest. */
static term swapped(struct symbolic_call *c)
{
	term x = symbolic_argument(c, 0, c->bits), out = term_extract(c->terms, x, 0, 8);

	for (uint32_t at = 8; at < c->bits; at += 8)
		out = term_make(c->terms, TERM_CONCAT, at + 8, out,
		                term_extract(c->terms, x, at, 8), 0);
	return out;
}

/* --- characters, as in the locale C --- */

static term moved(struct symbolic_call *c, char from, uint64_t by)
{
	term x = symbolic_argument(c, 0, 32);

	return choose_by_number(
		c, between(c, x, (uint64_t)from, (uint64_t)from + 25),
		term_make(c->terms, TERM_ADD, 32, x, term_constant(c->terms, 32, by), 0), x);
}

static term toupper_(struct symbolic_call *c)
{
	return moved(c, 'a', (uint32_t)('A' - 'a'));
}

static term tolower_(struct symbolic_call *c)
{
	return moved(c, 'A', 'a' - 'A');
}

/* Runs of characters that belong to a class. */
static term of_class(struct symbolic_call *c, const char *runs, uint64_t yes)
{
	term x = symbolic_argument(c, 0, 32), in = term_constant(c->terms, 1, 0);

	for (size_t i = 0; runs[i]; i += 2)
		in = term_make(
			c->terms, TERM_OR, 1, in,
			between(c, x, (uint64_t)runs[i] - (runs[i] == 1), (uint64_t)runs[i + 1]),
			0);
	return choose_by_number(c, in, term_constant(c->terms, 32, yes),
	                        term_constant(c->terms, 32, 0));
}

/* First and last of each run, 0 written as 1; and what the C library says for yes. */
static const struct {
	const char *name, *runs;
	uint64_t yes;
} number_classes[] = {
	{"isalnum", "09AZaz", 8},   {"isalpha", "AZaz", 1024},
	{"isblank", "\t\t  ", 1},   {"iscntrl", "\001\037\177\177", 2},
	{"isdigit", "09", 2048},    {"isgraph", "!~", 32768},
	{"islower", "az", 512},     {"isprint", " ~", 16384},
	{"ispunct", "!/:@[`{~", 4}, {"isspace", "\t\r  ", 8192},
	{"isupper", "AZ", 256},     {"isxdigit", "09AFaf", 4096},
};

/* --- numbers from strings --- */

#define MOST_DIGITS 18u /* that fit 63 bits */

/* `base` 0: a 0 in front would mean another one. */
static term number_in(struct symbolic_call *c, uint64_t base)
{
	struct symbolic_text text;
	uint32_t first, end;
	bool minus;
	term sum;

	if (!symbolic_text(c, 0, UINT64_MAX, true, &text))
		return 0;
	/* What stands in front of the digits stays as it is. Gives where they begin. */
	first = 0;

	while (first < text.size && isspace(text.values[first]))
		first++;
	minus = first < text.size && text.values[first] == '-';
	if (first < text.size && (minus || text.values[first] == '+'))
		first++;
	for (uint32_t k = 0; k < first; k++)
		symbolic_fix(c, term_equals(c->terms, text.at[k], text.values[k]));
	/* They stay digits, and what follows them is no digit. Without digits, a number could begin in many ways. */
	end = first;
	term ten = term_constant(c->terms, 64, 10), digit;

	sum = term_constant(c->terms, 64, 0);
	for (; end < text.size && isdigit(text.values[end]); end++) {
		digit = term_make(c->terms, TERM_SUB, 8, text.at[end],
		                  term_constant(c->terms, 8, '0'), 0);
		symbolic_fix(c, between(c, text.at[end], '0', '9'));
		sum = term_make(c->terms, TERM_ADD, 64,
		                term_make(c->terms, TERM_MUL, 64, sum, ten, 0),
		                symbolic_fit(c->terms, digit, 64), 0);
	}
	if (end < text.size)
		symbolic_fix(c, end == first
		                        ? term_equals(c->terms, text.at[end], text.values[end])
		                        : term_not(c->terms, between(c, text.at[end], '0', '9')));
	if (end == text.size || end - first > MOST_DIGITS)
		return 0;
	if (!base && text.values[first] == '0')
		return 0;
	if (!base)
		symbolic_fix(c, term_not(c->terms, term_equals(c->terms, text.at[first], '0')));
	if (minus)
		sum = term_make(c->terms, TERM_SUB, 64, term_constant(c->terms, 64, 0), sum, 0);
	return sum;
}

static term decimal(struct symbolic_call *c)
{
	return number_in(c, 10);
}

static term with_base(struct symbolic_call *c)
{
	uint64_t base = symbolic_argument_value(c, 2) & UINT32_MAX;

	if (base != 10 && base != 0)
		return 0;
	symbolic_fix_argument(c, 2);
	return number_in(c, base);
}

/* --- all --- */

static const struct {
	const char *name;
	uint32_t arguments;
	term (*make)(struct symbolic_call *c);
} functions[] = {
	{"abs", 1, abs_},         {"fabs", 1, fabs_of},  {"fabsf", 1, fabs_of},
	{"htonl", 1, swapped},    {"htons", 1, swapped}, {"labs", 1, abs_},
	{"llabs", 1, abs_},       {"ntohl", 1, swapped}, {"ntohs", 1, swapped},
	{"sqrt", 1, sqrt_of},     {"sqrtf", 1, sqrt_of}, {"tolower", 1, tolower_},
	{"toupper", 1, toupper_},
};

static const struct {
	const char *name;
	uint32_t arguments;
	term (*make)(struct symbolic_call *c);
} readers[] = {
	{"__isoc23_strtol", 3, with_base},
	{"__isoc23_strtoll", 3, with_base},
	{"__isoc23_strtoul", 3, with_base},
	{"__isoc23_strtoull", 3, with_base},
	{"atoi", 1, decimal},
	{"atol", 1, decimal},
	{"atoll", 1, decimal},
	{"strtol", 3, with_base},
	{"strtoll", 3, with_base},
	{"strtoul", 3, with_base},
	{"strtoull", 3, with_base},
};

/* The formula of a function for its result; 0: it has none, or not for this call. Those of numbers read no
   memory. */
static term symbolic_number_formula(struct symbolic_call *c)
{
	for (size_t i = 0; i < sizeof(number_classes) / sizeof(*number_classes); i++)
		if (!strcmp(number_classes[i].name, c->name) && c->code->count)
			return of_class(c, number_classes[i].runs, number_classes[i].yes);
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!strcmp(functions[i].name, c->name) && c->code->count)
			return functions[i].make(c);
	return 0;
}

static term symbolic_reader_formula(struct symbolic_call *c)
{
	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (!strcmp(readers[i].name, c->name) && c->code->count >= readers[i].arguments)
			return readers[i].make(c);
	return 0;
}

/* ------ definitions ------ */

uint64_t symbolic_made(const struct symbolic *s)
{
	return (uint64_t)s->entries.size + s->defined;
}

const struct symbolic_definition *symbolic_define(struct symbolic *s, uint32_t index)
{
	struct symbolic_entry entry = s->entries.at[index];

	if (!entry.definition.term) {
		entry.definition = entry.symbol.at ? symbolic_define_byte(s, entry.symbol.instance,
		                                                          entry.symbol.at,
		                                                          (uint8_t)entry.actual)
		                                   : symbolic_define_value(s, &entry.symbol);
		assert(symbolic_bits(s, entry.definition.term) == entry.symbol.bits);
		s->entries.at[index].definition = entry.definition;
		s->defined++;
	}
	return &s->entries.at[index].definition;
}
