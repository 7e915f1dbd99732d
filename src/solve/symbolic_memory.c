/* What memory holds, and what loads read: see symbolic_work.h. */
#include "solve/symbolic_work.h"

/* --- parts --- */

term symbolic_part_of_value(struct symbolic *s, uint32_t writer, uint64_t offset, uint32_t size,
                            uint64_t actual)
{
	term t;

	if (offset >= 8 || offset + size > 8 || symbolic_is_wide(s, writer) ||
	    (execution_value(s->execution, writer) >> 8 * offset & symbolic_mask(8 * size)) !=
	            actual)
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

/* Bytes of an outside call. What it had written before it returned hangs on no callback that came later. */
static term of_outside(struct symbolic *s, struct symbolic_written bytes, uint32_t size,
                       uint64_t actual)
{
	struct symbolic_guard guard = symbolic_guard(s);

	if (symbolic_has_returned(s, bytes.writer, bytes.reader))
		return of_bytes(s, bytes.writer, bytes.at, size, actual);
	symbolic_guard_outside(&guard, bytes.writer, bytes.reader);
	return symbolic_given(&guard, 8 * size, actual).term;
}

term symbolic_part(struct symbolic *s, struct symbolic_written bytes, uint32_t size,
                   uint64_t actual)
{
	uint32_t writer = bytes.writer;
	const struct code_insn *insn;
	uint64_t at = bytes.at;
	term t = 0;

	actual &= symbolic_mask(8 * size);
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
		return of_outside(s, bytes, size, actual);
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
static void add_part(struct loading *l, const struct execution_origin *origin, uint32_t size)
{
	term t = symbolic_part(l->s, symbolic_written(origin, 0, l->instance), size,
	                       l->value >> 8 * l->done);

	l->term = l->done ? symbolic_make(l->s, TERM_CONCAT, 8 * (l->done + size), t, l->term) : t;
	l->done += size;
}

static void note_part(void *context, const struct execution_origin *origin)
{
	struct loading *l = context;
	uint64_t size = origin->size;

	if (!size || l->done >= l->size)
		return;
	if (size > l->size - l->done)
		size = l->size - l->done;
	if (origin->source >= EXECUTION_FIRST)
		l->initial = false;
	add_part(l, origin, (uint32_t)size);
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
	                                 symbolic_mask(8 * size),
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

static struct symbolic_definition load_wide(struct symbolic *s, uint32_t instance)
{
	struct loading l = loading_of(s, instance);

	l.value = execution_value(s->execution, instance);
	execution_origins(s->execution, instance, 0, 0, guard_part, &l);
	return symbolic_given(&l.guard, 64, l.value);
}

/* Compare and exchange gives what was there and whether it did. */
static struct symbolic_definition exchange(struct symbolic *s, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	LLVMValueRef i = execution_instruction(s->execution, instance);
	uint32_t bits = insn->words > 1 ? 64 : symbolic_type_bits(i, LLVMTypeOf(i));
	struct loading l = loading_of(s, instance);

	load(&l);
	symbolic_guard_add(&l.guard, l.term, l.value);
	symbolic_guard_operand(&l.guard, instance, insn->b);
	return symbolic_given(&l.guard, bits, execution_value(s->execution, instance));
}

struct symbolic_definition symbolic_define_load(struct symbolic *s, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	struct loading l;
	uint32_t bits = insn->bits;

	if (insn->op == CODE_LOAD_WIDE)
		return load_wide(s, instance);
	if (insn->op == CODE_ATOMIC && insn->c != CODE_NO_OPERAND)
		return exchange(s, instance);
	l = loading_of(s, instance);
	load(&l);
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
