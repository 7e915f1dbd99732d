/* Values of two runs compared: see dual_pair.h. */
#include <string.h>

#include "slice/dual_pair.h"

#define DEEPEST 16u /* steps back that are compared to know a wide value */

/* --- words --- */

static bool is_same_place(const struct dual_pair *pair, const uint32_t instances[2],
                          const uint64_t words[2], uint64_t back, bool *any)
{
	const struct object *objects[2];
	uint32_t numbers[2];

	for (unsigned i = 0; i < 2; i++) {
		numbers[i] = dual_objects_at(&pair->objects[i], words[i] - back, instances[i]);
		*any |= numbers[i] != 0;
	}
	if (!numbers[0] || !numbers[1] || dual_pair_object(pair, 0, numbers[0]) != numbers[1])
		return false;
	for (unsigned i = 0; i < 2; i++)
		objects[i] = objects_at(pair->objects[i].all, numbers[i]);
	return words[0] - objects[0]->address == words[1] - objects[1]->address;
}

/* Functions of two versions have different addresses. */
static bool is_same_function(const struct dual_pair *pair, const uint64_t words[2])
{
	const struct program_place *places[2];
	const char *names[2];

	for (unsigned i = 0; i < 2; i++) {
		const struct program *program = execution_code_table(pair->runs[i].e)->program;

		places[i] = program_at(program, words[i]);
		if (!places[i])
			return false;
		names[i] = program_function(program, *places[i])->name;
	}
	return !dual_pair_has_module(pair, 0, places[0]->module) && !strcmp(names[0], names[1]);
}

bool dual_pair_same_word(const struct dual_pair *pair, const uint32_t instances[2],
                         const uint64_t words[2])
{
	const uint64_t *other;
	bool any = false;

	if (is_same_place(pair, instances, words, 0, &any))
		return true;
	/* Just behind an object, where there is another one perhaps. */
	if (is_same_place(pair, instances, words, 1, &any))
		return true;
	if (any)
		return false;
	if (words[0] == words[1] || is_same_function(pair, words))
		return true;
	other = dual_word_map_find(&pair->foreign, words[0]);
	return other && *other == words[1];
}

/* --- what instances made --- */

struct origin_list {
	VEC(struct execution_origin) at;
};

static void add_origin(void *context, const struct execution_origin *origin)
{
	struct origin_list *list = context;

	*vec_push(&list->at) = *origin;
}

static bool is_same_value(const struct dual_pair *pair, const uint32_t instances[2],
                          unsigned depth);

static bool is_same_origin(const struct dual_pair *pair, const struct execution_origin *a,
                           const struct execution_origin *b, unsigned depth)
{
	uint32_t sources[2] = {a->source, b->source};

	if (a->source < EXECUTION_FIRST || b->source < EXECUTION_FIRST)
		return a->source == b->source;
	if (dual_pair_counterpart(pair, 0, a->source) != b->source)
		return false;
	if (a->size && !a->value)
		return a->size == b->size &&
		       dual_pair_same_bytes(pair, 0, sources, a->written, a->size);
	return is_same_value(pair, sources, depth + 1);
}

/* Of values of more than 8 bytes only the first are kept: they are the same if what they came from
   is. */
static bool is_same_wide(const struct dual_pair *pair, const uint32_t instances[2], unsigned depth)
{
	struct origin_list lists[2] = {{VEC_INIT}, {VEC_INIT}};
	bool same = depth < DEEPEST;

	for (unsigned i = 0; i < 2 && same; i++)
		execution_origins(pair->runs[i].e, instances[i], 0, 0, add_origin, &lists[i]);
	same = same && lists[0].at.size == lists[1].at.size;
	for (uint32_t i = 0; same && i < lists[0].at.size; i++)
		same = is_same_origin(pair, &lists[0].at.at[i], &lists[1].at.at[i], depth);
	vec_deinit(&lists[0].at);
	vec_deinit(&lists[1].at);
	return same;
}

static bool is_same_value(const struct dual_pair *pair, const uint32_t instances[2], unsigned depth)
{
	const struct code_insn *insn = execution_insn(pair->runs[0].e, instances[0]);
	uint64_t words[2];

	for (unsigned i = 0; i < 2; i++)
		words[i] = execution_value(pair->runs[i].e, instances[i]);
	if (!dual_pair_same_word(pair, instances, words))
		return false;
	if (insn->words > 1 || (insn->op == CODE_RETURN && insn->bytes > 8))
		return is_same_wide(pair, instances, depth);
	return true;
}

bool dual_pair_same_value(const struct dual_pair *pair, const uint32_t instances[2])
{
	return is_same_value(pair, instances, 0);
}

/* --- what instances wrote --- */

/* The operand that says where; CODE_NO_OPERAND: there is none. */
static uint32_t place_operand(const struct code_insn *insn)
{
	switch ((enum code_op)insn->op) {
	case CODE_STORE:
	case CODE_STORE_WIDE: return insn->b;
	case CODE_COPY:
	case CODE_FILL:
	case CODE_ATOMIC:
	case CODE_VA_START:
	case CODE_VA_COPY: return insn->a;
	default: return CODE_NO_OPERAND;
	}
}

static bool base_of(const struct dual_run *run, uint32_t instance, uint64_t *out)
{
	uint32_t operand = place_operand(execution_insn(run->e, instance)), made;

	return operand != CODE_NO_OPERAND &&
	       execution_operand(run->e, instance, operand, out, &made);
}

bool dual_pair_written(const struct dual_pair *pair, unsigned side, const uint32_t instances[2],
                       uint64_t address, uint64_t *out)
{
	uint64_t base, other;

	if (!address)
		return false;
	if (!base_of(&pair->runs[side], instances[side], &base) ||
	    !base_of(&pair->runs[!side], instances[!side], &other))
		return dual_pair_translate(pair, side, instances, address, out);
	*out = other + (address - base);
	return true;
}

/* Bytes of a write, and which of their bits are undefined. */
static const uint8_t *bytes_of(const struct dual_run *run, const struct dual_write *w,
                               uint64_t address)
{
	return run->bytes + w->at + (address - w->address);
}

static bool is_same_part(const struct dual_pair *pair, const uint32_t instances[2],
                         const struct dual_write *const writes[2], const uint64_t at[2],
                         uint64_t size)
{
	uint64_t words[2] = {0};
	uint8_t undefined[2][8] = {{0}};

	for (unsigned i = 0; i < 2; i++) {
		const uint8_t *bytes = bytes_of(&pair->runs[i], writes[i], at[i]);

		memcpy(&words[i], bytes, size);
		if (writes[i]->partly)
			memcpy(undefined[i], bytes + writes[i]->size, size);
	}
	if (memcmp(undefined[0], undefined[1], 8))
		return false;
	return size == 8 ? dual_pair_same_word(pair, instances, words) : words[0] == words[1];
}

/* Zeros that an allocation left there, which nobody wrote. */
static bool is_zeroed(const struct dual_pair *pair, unsigned side, uint32_t instance,
                      uint64_t address)
{
	uint32_t number = dual_objects_at(&pair->objects[side], address, instance);
	const struct object *o = number ? objects_at(pair->objects[side].all, number) : NULL;

	return o && o->kind == OBJECT_HEAP && o->zeroed && o->birth == instance;
}

/* Compared word by word, since there may be pointers, and writes that touch each other. */
static bool is_same_written(const struct dual_pair *pair, const uint32_t instances[2],
                            const uint64_t at[2], uint64_t size)
{
	for (uint64_t done = 0, part; done < size; done += part) {
		uint64_t now[2] = {at[0] + done, at[1] + done};
		const struct dual_write *writes[2];

		part = now[0] % 8 || now[1] % 8 || size - done < 8 ? 1 : 8;
		for (unsigned i = 0; i < 2; i++)
			writes[i] = dual_run_write(&pair->runs[i], instances[i], now[i], part);
		if (!writes[0] && !writes[1]) {
			if (!is_zeroed(pair, 0, instances[0], now[0]) ||
			    !is_zeroed(pair, 1, instances[1], now[1]))
				return false;
		} else if (!writes[0] || !writes[1] ||
		           !is_same_part(pair, instances, writes, now, part)) {
			return false;
		}
	}
	return true;
}

/* Of a store of up to 8 bytes. */
static bool is_same_stored(const struct dual_pair *pair, const uint32_t instances[2],
                           uint64_t offset, uint64_t size)
{
	uint64_t mask, words[2];

	if (offset >= 8 || offset + size > 8 || size == 8)
		return dual_pair_same_value(pair, instances);
	mask = (1ull << 8 * size) - 1;
	for (unsigned i = 0; i < 2; i++)
		words[i] = execution_value(pair->runs[i].e, instances[i]) >> 8 * offset & mask;
	return words[0] == words[1];
}

/* Did they write to the same place? Else it has another definition in the other run. */
static bool is_same_target(const struct dual_pair *pair, unsigned side, const uint32_t instances[2],
                           uint64_t base)
{
	const struct code_insn *insn = execution_insn(pair->runs[side].e, instances[side]);
	uint64_t other;

	if (insn->flags & CODE_DIRECT || !base_of(&pair->runs[!side], instances[!side], &other))
		return true;
	return dual_pair_place(pair, side, instances[side], base) == other;
}

bool dual_pair_same_bytes(const struct dual_pair *pair, unsigned side, const uint32_t instances[2],
                          uint64_t address, uint64_t size)
{
	const struct code_insn *insn = execution_insn(pair->runs[side].e, instances[side]);
	uint64_t at[2], base;
	bool based = base_of(&pair->runs[side], instances[side], &base);

	if (based && !is_same_target(pair, side, instances, base))
		return false;
	if (based && insn->op == CODE_STORE)
		return is_same_stored(pair, instances, address ? address - base : 0, size);
	if (insn->op != CODE_CALL && !based)
		return dual_pair_same_value(pair, instances);
	at[side] = address;
	return dual_pair_written(pair, side, instances, address, &at[!side]) &&
	       is_same_written(pair, instances, at, size);
}

bool dual_pair_same_given(const struct dual_pair *pair, unsigned side, uint64_t address,
                          uint64_t size)
{
	static const uint32_t given[2] = {SOURCE_GIVEN, SOURCE_GIVEN};
	uint64_t at[2];

	at[side] = address;
	return dual_pair_translate(pair, side, given, address, &at[!side]) &&
	       is_same_written(pair, given, at, size);
}
