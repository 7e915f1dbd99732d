/* Loads, stores, copies: see execution.h. */
#include <string.h>

#include "trace/executor.h"

static inline uint64_t bytes_mask(uint32_t bytes)
{
	return bytes >= 8 ? UINT64_MAX : (1ull << 8 * bytes) - 1;
}

/* --- loads --- */

/* Bytes with several writers. The offset in the value is what `to` says. */
static uint32_t mixed(struct execution *e, uint64_t address, uint32_t size)
{
	uint32_t group = executor_open_group(e);
	uint32_t first = e->flows.size;

	executor_add_flows(e, 0, 1, address, size);
	for (uint32_t i = first; group && i < e->flows.size; i++)
		e->flows.at[i].to--;
	executor_close_group(e, group);
	return group;
}

/* The object of a pointer that came from outside. */
static uint32_t find_object(struct execution *e, uint64_t address)
{
	uint32_t object = address < 4096 ? 0 : executor_object_at(e, address);

	return object ? object : EXECUTOR_FOREIGN;
}

static inline uint64_t recorded_part(const struct code_insn *i, uint64_t bits)
{
	return i->tape == CODE_TAPE_LOW    ? (uint32_t)bits
	       : i->tape == CODE_TAPE_HIGH ? bits >> 32
	                                   : bits;
}

static uint64_t recorded(const struct code_insn *i, const uint8_t *tape)
{
	uint64_t value = 0;

	if (i->tape == CODE_TAPE_ALL)
		memcpy(&value, tape, i->bytes);
	else
		memcpy(&value, tape, 4);
	return value;
}

/* Across pages. */
static struct memory_value load_far(struct execution *e, uint64_t address, uint32_t size,
                                    uint32_t *source)
{
	struct memory_value v = memory_load(&e->memory, address, size);

	*source = v.source == MEMORY_MIXED ? mixed(e, address, size) : v.source;
	return v;
}

static inline struct memory_value load_near(struct execution *e, struct memory_page *page,
                                            uint32_t at, uint32_t size, uint32_t *source)
{
	struct memory_value v = {.known = true};
	uint32_t first = page->source[at], differ = 0, least = first;

	memcpy(&v.bits, &page->bytes[at], 8);
	memcpy(&v.undefined, &page->undefined[at], 8);
	v.bits &= bytes_mask(size);
	v.undefined &= bytes_mask(size);
	for (uint32_t k = 1; k < size; k++) {
		uint32_t s = page->source[at + k];

		differ |= s ^ first;
		least = s < least ? s : least;
	}
	v.known = least != 0;
	v.source = differ ? MEMORY_MIXED : first;
	*source = differ ? mixed(e, page->address + at, size) : first;
	if (size == 8 && !(at & 7))
		v.object = page->object[at / 8];
	return v;
}

EXECUTOR_HOT struct code_slot executor_load(struct execution *e, struct activation *a,
                                            const struct code_insn *i, const uint8_t *tape,
                                            uint32_t *source)
{
	const struct code_slot *pointer = executor_slot(e, a, i->a);
	uint64_t address = pointer->bits;
	struct memory_page *page = memory_page(&e->memory, address);
	uint32_t at = address % MEMORY_PAGE;
	struct memory_value v;
	struct code_slot r = {0};

	if (!(i->flags & (CODE_DIRECT | CODE_UNUSED)))
		executor_check(e, a, pointer, i->bytes, false);
	if (at <= MEMORY_PAGE - 8)
		v = load_near(e, page, at, i->bytes, source);
	else
		v = load_far(e, address, i->bytes, source);
	r.bits = v.bits;
	if (i->tape && tape) {
		uint64_t told = recorded(i, tape);

		if (told != recorded_part(i, v.bits) || !v.known) {
			r.bits = executor_learn(e, a, i, address, &v, told);
			v = load_far(e, address, i->bytes, source);
		}
	}
	r.undefined = v.undefined;
	if (i->flags & CODE_POINTER) {
		r.object = v.object;
		if (!r.object && r.bits && i->bytes == 8) {
			r.object = find_object(e, r.bits);
			if (!(at & 7))
				page->object[at / 8] = r.object;
		}
	}
	if (i->bits && i->bits < 8 * i->bytes) {
		r.bits &= (1ull << i->bits) - 1;
		r.undefined &= (1ull << i->bits) - 1;
	}
	return r;
}

void executor_load_wide(struct execution *e, struct activation *a, const struct code_insn *i,
                        const uint8_t *tape)
{
	const struct code_slot *pointer = executor_slot(e, a, i->a);
	struct code_slot *to = &e->slots.at[a->slots + i->to];
	uint64_t address = pointer->bits, bits[CODE_WORDS] = {0}, undefined[CODE_WORDS] = {0};
	uint32_t source;

	if (!(i->flags & (CODE_DIRECT | CODE_UNUSED)))
		executor_check(e, a, pointer, i->bytes, false);
	if (i->tape && tape) {
		struct code_insn part = *i;

		part.bits = 0;
		for (uint32_t done = 0; done < i->bytes; done += 8) {
			uint64_t told = 0;
			struct memory_value v;

			part.bytes = i->bytes - done < 8 ? i->bytes - done : 8;
			v = memory_load(&e->memory, address + done, part.bytes);
			memcpy(&told, tape + done, part.bytes);
			if (told != v.bits || !v.known)
				executor_learn(e, a, &part, address + done, &v, told);
		}
	}
	memory_read(&e->memory, address, i->bytes, (uint8_t *)bits);
	memory_read_undefined(&e->memory, address, i->bytes, (uint8_t *)undefined);
	memory_source_run(&e->memory, address, i->bytes, &source);
	if (memory_source_run(&e->memory, address, i->bytes, &source) < i->bytes)
		source = mixed(e, address, i->bytes);
	for (uint32_t w = 0; w < i->words; w++) {
		struct memory_value v = {0};

		if (8 * w + 8 <= i->bytes)
			v = memory_load(&e->memory, address + 8 * w, 8);
		to[w] = (struct code_slot){.bits = bits[w],
		                           .undefined = undefined[w],
		                           .object = v.object,
		                           .made = e->next};
	}
	executor_keep(e, bits[0], source);
}

/* --- stores --- */

static inline void store_near(struct memory_page *page, uint32_t at, uint32_t size,
                              const struct code_slot *value, uint32_t instance, bool pointer)
{
	memcpy(&page->bytes[at], &value->bits, size);
	memcpy(&page->undefined[at], &value->undefined, size);
	for (uint32_t k = 0; k < size; k++)
		page->source[at + k] = instance;
	page->object[at / 8] = 0;
	page->object[(at + size - 1) / 8] = 0;
	if (pointer && !(at & 7))
		page->object[at / 8] = value->object;
}

void executor_store(struct execution *e, struct activation *a, const struct code_insn *i)
{
	const struct code_slot *value = executor_slot(e, a, i->a);
	const struct code_slot *pointer = executor_slot(e, a, i->b);
	uint64_t address = pointer->bits;
	uint32_t at = address % MEMORY_PAGE;
	bool is_pointer = i->flags & CODE_POINTER && i->bytes == 8;

	if (!(i->flags & CODE_DIRECT))
		executor_check(e, a, pointer, i->bytes, true);
	if (at <= MEMORY_PAGE - 8)
		switch (i->bytes) {
		case 1:
			store_near(memory_page(&e->memory, address), at, 1, value, e->next, false);
			break;
		case 4:
			store_near(memory_page(&e->memory, address), at, 4, value, e->next, false);
			break;
		case 8:
			store_near(memory_page(&e->memory, address), at, 8, value, e->next,
			           is_pointer);
			break;
		default:
			store_near(memory_page(&e->memory, address), at, i->bytes, value, e->next,
			           false);
		}
	else
		memory_write_words(&e->memory, address, &value->bits, &value->undefined, i->bytes,
		                   e->next);
	executor_keep(e, value->bits, 0);
}

void executor_store_wide(struct execution *e, struct activation *a, const struct code_insn *i)
{
	const struct code_slot *value = executor_slot(e, a, i->a);
	const struct code_slot *pointer = executor_slot(e, a, i->b);
	uint64_t bits[CODE_WORDS], undefined[CODE_WORDS];
	uint32_t words = (i->bytes + 7) / 8;

	if (!(i->flags & CODE_DIRECT))
		executor_check(e, a, pointer, i->bytes, true);
	if (words > CODE_WORDS)
		words = CODE_WORDS;
	for (uint32_t w = 0; w < words; w++) {
		bits[w] = value[w].bits;
		undefined[w] = value[w].undefined;
	}
	memory_write_words(&e->memory, pointer->bits, bits, undefined,
	                   i->bytes < 8 * CODE_WORDS ? i->bytes : 8 * CODE_WORDS, e->next);
	executor_tell_wrote(e, e->next, pointer->bits, i->bytes);
	for (uint32_t w = 0; 8 * w + 8 <= i->bytes && w < words && pointer->bits % 8 == 0; w++)
		memory_page(&e->memory, pointer->bits + 8 * w)
			->object[(pointer->bits + 8 * w) % MEMORY_PAGE / 8] = value[w].object;
	executor_keep(e, bits[0], 0);
}

/* --- atomic instructions --- */

static uint64_t updated(const struct code_insn *i, uint64_t old, uint64_t with)
{
	uint64_t mask = bytes_mask((uint32_t)i->imm);
	unsigned shift = (unsigned)(64 - 8 * i->imm);
	int64_t s = (int64_t)(old << shift) >> shift, t = (int64_t)(with << shift) >> shift;

	switch ((LLVMAtomicRMWBinOp)i->scale) {
	case LLVMAtomicRMWBinOpXchg: return with;
	case LLVMAtomicRMWBinOpAdd: return (old + with) & mask;
	case LLVMAtomicRMWBinOpSub: return (old - with) & mask;
	case LLVMAtomicRMWBinOpAnd: return old & with;
	case LLVMAtomicRMWBinOpNand: return ~(old & with) & mask;
	case LLVMAtomicRMWBinOpOr: return old | with;
	case LLVMAtomicRMWBinOpXor: return old ^ with;
	case LLVMAtomicRMWBinOpMax: return s > t ? old : with;
	case LLVMAtomicRMWBinOpMin: return s < t ? old : with;
	case LLVMAtomicRMWBinOpUMax: return old > with ? old : with;
	default: return old < with ? old : with;
	}
}

void executor_atomic(struct execution *e, struct activation *a, const struct code_insn *i,
                     const uint8_t *tape)
{
	const struct code_slot *pointer = executor_slot(e, a, i->a);
	const struct code_slot *with = executor_slot(e, a, i->b);
	struct code_slot *to = &e->slots.at[a->slots + i->to];
	uint32_t size = (uint32_t)i->imm, source;
	uint64_t address = pointer->bits, words[CODE_WORDS] = {0};
	struct code_insn part = {.bytes = size, .tape = CODE_TAPE_ALL};
	struct memory_value v;

	executor_check(e, a, pointer, size, true);
	v = load_far(e, address, size, &source);
	memcpy(words, tape, i->bytes);
	words[0] = size == 8 ? words[0] : words[0] & bytes_mask(size);
	if (v.bits != words[0] || !v.known) {
		executor_learn(e, a, &part, address, &v, words[0]);
		v = load_far(e, address, size, &source);
	}
	v.bits = words[0];
	memcpy(words, tape, i->bytes);
	if (i->c != CODE_NO_OPERAND) {
		/* Compare and exchange: the flag behind the old value says whether it did. */
		if (tape[i->from] & 1)
			v.bits = executor_slot(e, a, i->c)->bits;
		else
			size = 0;
		with = executor_slot(e, a, i->c);
	} else {
		v.bits = updated(i, v.bits, with->bits);
	}
	v.undefined |= with->undefined;
	v.source = e->next;
	v.object = with->object;
	if (size) {
		memory_store(&e->memory, address, size, &v);
		executor_tell_wrote(e, e->next, address, size);
	}
	for (uint32_t w = 0; w < i->words; w++)
		to[w] = (struct code_slot){.bits = words[w], .made = e->next};
	executor_keep(e, words[0], source);
}

/* --- whole blocks --- */

#define LARGEST (1ull << 32) /* bytes of a copy that a program may survive */

void executor_copy(struct execution *e, struct activation *a, const struct code_insn *i)
{
	const struct code_slot *to = executor_slot(e, a, i->a), *from = executor_slot(e, a, i->b);
	uint64_t size = executor_slot(e, a, i->c)->bits;
	uint32_t group = 0;

	if (size && size < LARGEST) {
		executor_check(e, a, from, size, false);
		executor_check(e, a, to, size, true);
		group = executor_group(e, to->bits, from->bits, size);
		memory_copy(&e->memory, to->bits, from->bits, size, e->next);
		executor_tell_wrote(e, e->next, to->bits, size);
		executor_note_copy(e, e->next);
	}
	executor_keep(e, size, group);
}

void executor_fill(struct execution *e, struct activation *a, const struct code_insn *i)
{
	const struct code_slot *to = executor_slot(e, a, i->a), *byte = executor_slot(e, a, i->b);
	uint64_t size = executor_slot(e, a, i->c)->bits;

	if (size && size < LARGEST) {
		executor_check(e, a, to, size, true);
		if (byte->undefined)
			memory_forget(&e->memory, to->bits, size, e->next, true);
		else
			memory_fill(&e->memory, to->bits, (uint8_t)byte->bits, size, e->next);
		executor_tell_wrote(e, e->next, to->bits, size);
	}
	executor_keep(e, size, 0);
}
