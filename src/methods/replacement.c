/* What an experiment replaces at one statement: see replacement.h. */
#include "methods/replacement.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "words/describe.h"

#define SHOWN 60 /* characters of a value */

/* --- branches --- */

uint32_t replacement_ways(const struct point_sites *sites, struct names *names, struct execution *e,
                          struct replacement_way out[BRANCH_WAYS])
{
	const struct activation *a = execution_top(e, 0);
	uint32_t goes = branch_goes(e, a), count = 0;
	struct branch branch;

	branch_find(sites, a, &branch);
	for (uint32_t i = 0; i < branch.ways; i++) {
		if (branch.blocks[i] == goes)
			continue;
		out[count].successor = branch.successors[i];
		branch_describe(names, e, branch.successors[i], &out[count].words);
		count++;
	}
	return count;
}

void replacement_way_deinit(struct replacement_way *way)
{
	free(way->words.condition);
	free(way->words.failing);
	free(way->words.other);
}

/* --- stores --- */

/* Instruction `pc` of the function is a store, whose operands are known. */
static struct store measure(const struct execution *e, const struct activation *a, uint32_t pc)
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

char *replacement_store_print(struct names *names, const struct replacement_store *s,
                              uint64_t value)
{
	struct memory *memory = execution_memory(names_execution(names));
	uint8_t bytes[16] = {0}, undefined[16] = {0};
	uint64_t size = s->name.size < 8 ? s->name.size : 8;
	struct str text = STR_INIT;

	memory_read(memory, s->name.address, size, bytes);
	for (uint32_t i = 0; i < s->store.size; i++) {
		uint64_t at = s->store.address + i - s->name.address;
		uint8_t mask = (uint8_t)(s->store.mask >> 8 * i);

		if (at < size)
			bytes[at] = (bytes[at] & ~mask) | (uint8_t)((value >> 8 * i) & mask);
	}
	names_print(names, &s->name.part, bytes, undefined, size, 0, SHOWN, &text);
	return str_steal(&text);
}

bool replacement_store_find(struct names *names, struct execution *e, struct replacement_store *out)
{
	const struct activation *a = execution_top(e, 0);
	struct described described = {0};
	bool found;

	describe_statement(names, e, false, &described);
	found = described.writes.size == 1;
	if (found) {
		struct described_value *written = &described.writes.at[0];
		const char *name = str_text(&written->name.text);
		const char *function = names_place(names, a->function->first + a->pc - 1).function;

		*out = (struct replacement_store){
			.store = measure(e, a, a->pc - 1),
			.name = written->name,
			.changed = function && !strcmp(name, "(return value)")
		                           ? str_format("return value of %s", function)
		                           : mem_strdup(name),
			.from = mem_strdup(str_text(&written->value)),
		};
		written->name = (struct name){0};
	}
	described_deinit(&described);
	return found;
}

bool replacement_store_find_parameter(struct names *names, struct execution *e, uint32_t pc,
                                      struct replacement_store *out)
{
	const struct activation *a = execution_top(e, 0);
	struct replacement_store found = {0};
	struct names_use use = {0};

	if (pc >= a->function->size || a->function->insns[pc].op != CODE_STORE ||
	    a->function->insns[pc].bytes > 8)
		return false;
	found.store = measure(e, a, pc);
	use.size = found.store.size;
	if (!names_find_variable(names, found.store.address, &use, &found.name))
		return false;
	found.changed = mem_strdup(str_text(&found.name.text));
	/* As it is: none of its bytes are replaced. */
	found.from =
		replacement_store_print(names, &(struct replacement_store){.name = found.name}, 0);
	*out = found;
	return true;
}

void replacement_store_deinit(struct replacement_store *store)
{
	name_deinit(&store->name);
	free(store->changed);
	free(store->from);
}

/* --- experiments --- */

struct experiment replacement_experiment(const struct point *at, const struct store *store,
                                         uint64_t value, const struct site *check,
                                         struct replacement *out)
{
	out->stops[0] = (struct stop){.site = at->site, .count = at->count};
	if (store) {
		for (uint32_t i = 0; i < store->size; i++) {
			out->bytes[i] = (uint8_t)(value >> 8 * i);
			out->mask[i] = (uint8_t)(store->mask >> 8 * i);
		}
		out->change = (struct change){.kind = CHANGE_BYTES,
		                              .address = store->address,
		                              .size = store->size,
		                              .bytes = out->bytes,
		                              .mask = out->mask};
		out->stops[0].changes = &out->change;
		out->stops[0].change_count = 1;
	} else {
		out->stops[0].force = FORCE_BRANCH;
		out->stops[0].outcome = (uint32_t)value;
	}
	if (check)
		out->stops[1] = (struct stop){.site = *check, .count = 1};
	return (struct experiment){.time = at->time,
	                           .stops = out->stops,
	                           .stop_count = 1 + (check != NULL),
	                           .once = true};
}
