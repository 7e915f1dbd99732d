/* A store of a recorded run: see store.h. */
#include "methods/store.h"

#include <string.h>

#define SHOWN 60 /* characters of a value */

struct store store_measure(const struct execution *e, const struct activation *a, uint32_t pc)
{
	const struct code_insn *insn = &a->function->insns[pc];
	struct store store = {.address = execution_slot(e, a, insn->b)->bits,
	                      .size = insn->bytes,
	                      .mask = UINT64_MAX >> (64 - 8 * insn->bytes)};
	uint32_t offset, bits;

	if (names_bits(a->function->instructions[pc], &offset, &bits) && bits < 64)
		store.mask = ((UINT64_C(1) << bits) - 1) << offset;
	return store;
}

char *store_print(struct names *names, const struct store *store, const struct name *name,
                  uint64_t value)
{
	struct memory *memory = execution_memory(names_execution(names));
	uint8_t bytes[16] = {0}, undefined[16] = {0};
	uint64_t size = name->size < 8 ? name->size : 8;
	struct str text = STR_INIT;

	memory_read(memory, name->address, size, bytes);
	for (uint32_t i = 0; i < store->size; i++) {
		uint64_t at = store->address + i - name->address;
		uint8_t mask = (uint8_t)(store->mask >> 8 * i);

		if (at < size)
			bytes[at] = (bytes[at] & ~mask) | (uint8_t)((value >> 8 * i) & mask);
	}
	names_print(names, &name->part, bytes, undefined, size, 0, SHOWN, &text);
	return str_steal(&text);
}

char *store_name(struct names *names, const struct activation *a, const struct name *name)
{
	const char *function = names_place(names, a->function->first + a->pc - 1).function;

	return function && !strcmp(str_text(&name->text), "(return value)")
	               ? str_format("return value of %s", function)
	               : mem_strdup(str_text(&name->text));
}
