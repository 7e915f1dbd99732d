/*
 * When a load read something else than memory has: memory that we see for the first time, memory
 * that outside code changed unseen, or a mistake of ours. The tape is right; what follows from that is
 * here.
 */
#include <string.h>

#include "trace/executor.h"

#define SEARCHED (1u << 20) /* bytes of an object that are searched for a value */

void executor_mismatch(struct execution *e, const struct activation *a,
                       const struct execution_mismatch *mismatch)
{
	struct execution_mismatch *kept;

	e->mismatch_count++;
	if (e->mismatches.size == EXECUTOR_PROBLEMS)
		return;
	kept = vec_push(&e->mismatches);
	*kept = *mismatch;
	kept->instance = e->next;
	kept->code = a->function->first + a->pc - 1;
	kept->statement = e->statements;
}

/* --- half a value --- */

void executor_halves_deinit(struct executor_halves *h)
{
	half_map_deinit(&h->low);
	half_map_deinit(&h->high);
	half_map_deinit(&h->shared_low);
	half_map_deinit(&h->shared_high);
}

static void add_half(struct half_map *map, struct half_map *shared, uint32_t half, uint64_t whole)
{
	uint64_t *there = half_map_find(map, half);

	if (there && *there != whole)
		*half_map_put(shared, half) = 1;
	else
		*half_map_put(map, half) = whole;
}

static void add_halves(struct execution *e, struct executor_halves *h, const struct object *o)
{
	uint64_t address = (o->address + 7) & ~7ull, end = o->address + o->size;

	if (end - address > SEARCHED)
		end = address + SEARCHED;
	for (; address + 8 <= end; address += 8) {
		struct memory_value v = memory_load(&e->memory, address, 8);

		if (!v.known)
			continue;
		add_half(&h->low, &h->shared_low, (uint32_t)v.bits, v.bits);
		add_half(&h->high, &h->shared_high, (uint32_t)(v.bits >> 32), v.bits);
	}
}

static void fill_halves(struct execution *e, struct executor_call *call)
{
	call->halves.filled = true;
	for (uint32_t i = 0; i < call->call.count; i++) {
		uint32_t object = e->arguments.at[call->arguments + i].object;

		if (object && object != EXECUTOR_FOREIGN)
			add_halves(e, &call->halves, objects_at(&e->objects, object));
	}
}

/* Code that an outside call runs sees elements that the call moves about (qsort): the whole value
   was in one of the objects that the call was given. Of several different ones, none counts. */
static bool search_open_call(struct execution *e, bool low, uint32_t half, uint64_t *out)
{
	struct executor_call *call;
	uint64_t *found;

	if (!e->open.size)
		return false;
	call = &e->open.at[e->open.size - 1];
	if (!call->halves.filled)
		fill_halves(e, call);
	if (half_map_find(low ? &call->halves.shared_low : &call->halves.shared_high, half))
		return false;
	found = half_map_find(low ? &call->halves.low : &call->halves.high, half);
	if (found)
		*out = *found;
	return found != NULL;
}

/* The upper half of a pointer is that of memory near which it points. */
static uint64_t nearest(struct execution *e, const struct activation *a, uint32_t low)
{
	uint64_t best = UINT64_MAX, chosen = low;

	for (uint32_t i = 0; i <= e->ranges.size; i++) {
		struct executor_range range = {a->address, a->address};
		uint64_t candidate, distance;

		if (i < e->ranges.size)
			range = e->ranges.at[i];
		candidate = (range.low & ~0xffffffffull) | low;
		if (executor_object_at(e, candidate))
			return candidate;
		distance = candidate < range.low    ? range.low - candidate
		           : candidate > range.high ? candidate - range.high
		                                    : 0;
		if (distance < best) {
			best = distance;
			chosen = candidate;
		}
	}
	return chosen;
}

void executor_note_address(struct execution *e, uint64_t address)
{
	for (uint32_t i = 0; i < e->ranges.size; i++) {
		struct executor_range *range = &e->ranges.at[i];

		if (range->low >> 32 != address >> 32)
			continue;
		if (address < range->low)
			range->low = address;
		if (address > range->high)
			range->high = address;
		return;
	}
	*vec_push(&e->ranges) = (struct executor_range){address, address};
}

static uint64_t complete(struct execution *e, const struct activation *a, const struct code_insn *i,
                         uint64_t address, const struct memory_value *found, uint64_t recorded)
{
	bool low = i->tape == CODE_TAPE_LOW;
	uint64_t other = memory_load(&e->memory, low ? address + 4 : address, 4).bits, whole = 0;
	bool known = memory_load(&e->memory, low ? address + 4 : address, 4).known;

	if (i->tape == CODE_TAPE_ALL)
		return recorded;
	if (recorded == (low ? (uint32_t)found->bits : (uint32_t)(found->bits >> 32)) &&
	    (found->known || found->bits))
		return found->bits;
	if (search_open_call(e, low, (uint32_t)recorded, &whole))
		return whole;
	if (low && i->flags & CODE_POINTER) {
		if (!recorded)
			return 0;
		whole = other << 32 | recorded;
		return known && executor_object_at(e, whole) ? whole
		                                             : nearest(e, a, (uint32_t)recorded);
	}
	e->guesses++;
	return low ? (known ? other << 32 : 0) | recorded : recorded << 32 | (known ? other : 0);
}

/* --- what it means --- */

static void report(struct execution *e, const struct activation *a, const struct code_insn *i,
                   uint64_t address, const struct memory_value *found, uint64_t whole)
{
	struct execution_mismatch m = {.kind = MISMATCH_LOAD,
	                               .size = i->bytes,
	                               .address = address,
	                               .expected = found->bits,
	                               .recorded = whole};
	uint32_t written = found->source == MEMORY_MIXED ? 0 : found->source;

	if (e->last_unmodelled && e->last_unmodelled_instance >= written) {
		m.culprit = e->last_unmodelled;
		m.culprit_code = e->last_unmodelled_code;
	} else if (e->last_outside && e->last_outside_instance >= written) {
		m.culprit = e->last_outside;
		m.culprit_code = e->last_outside_code;
	}
	executor_mismatch(e, a, &m);
}

static uint32_t writer(const struct execution *e, bool known)
{
	if (!known)
		return SOURCE_UNSEEN;
	if (e->open.size)
		return e->open.at[e->open.size - 1].instance;
	return e->last_outside_instance ? e->last_outside_instance : SOURCE_UNSEEN;
}

static bool is_nan(const struct code_insn *i, uint64_t bits)
{
	if (i->bytes == 4)
		return (bits & 0x7fffffffu) > 0x7f800000u;
	return (bits & INT64_MAX) > 0x7ff0000000000000u;
}

/* Which of two operands a NaN comes from, and with which sign, IR does not say. */
static bool are_nans(const struct code_insn *i, uint64_t a, uint64_t b)
{
	return i->flags & CODE_REAL && is_nan(i, a) && is_nan(i, b);
}

/* May the outside call under way have put it there: is it in what the call was given, or in memory
   of its own? */
static bool may_move(struct execution *e, uint64_t address)
{
	uint32_t object = e->open.size ? executor_object_at(e, address) : 0;
	const struct executor_call *call;

	if (!e->open.size || !object)
		return e->open.size;
	call = &e->open.at[e->open.size - 1];
	for (uint32_t i = 0; i < call->call.count; i++)
		if (e->arguments.at[call->arguments + i].object == object)
			return true;
	return false;
}

#define NEAR 65536u /* instances */

/* A handler may have run between a load and its record, which stands behind it then: the load read
   what the handler had not changed yet. */
static bool was_before_handler(const struct execution *e, const struct memory_value *found)
{
	return found->source >= EXECUTION_FIRST && found->source >= e->handler_first &&
	       found->source < e->handler_end && e->handler_end != UINT32_MAX &&
	       e->next - e->handler_end < NEAR;
}

uint64_t executor_learn(struct execution *e, struct activation *a, const struct code_insn *i,
                        uint64_t address, const struct memory_value *found, uint64_t recorded)
{
	uint64_t whole = complete(e, a, i, address, found, recorded);
	uint64_t wrong = (whole ^ found->bits) & ~found->undefined;
	bool surprising = false;

	if (was_before_handler(e, found))
		return whole;

	for (uint32_t k = 0; k < i->bytes; k++) {
		struct memory_value old = memory_load(&e->memory, address + k, 1);
		uint8_t byte = (uint8_t)(whole >> 8 * k);

		if (old.known && old.bits == byte)
			continue;
		/* What was never the program's (a FILE) may change at any time. */
		old.known = old.known && old.source != SOURCE_UNSEEN;
		surprising |= old.known && (uint8_t)(wrong >> 8 * k);
		if (old.undefined == 0)
			old.source = writer(e, old.known);
		old.bits = byte;
		memory_store(&e->memory, address + k, 1, &old);
	}
	if (surprising && !may_move(e, address) && !are_nans(i, found->bits, whole))
		report(e, a, i, address, found, whole);
	return whole;
}
