/* A model's view of one call: see actions_view.h. */
#include "actions/actions_view.h"

#include <string.h>

#include "base/vec.h"

#define CHUNK       256u
#define MOST_PIECES 1024u /* of an iovec: what the kernel takes */

/* --- arguments and result --- */

static int64_t integer(char letter, uint64_t bits)
{
	switch (letter) {
	case 'b': return (int8_t)bits;
	case 's': return (int16_t)bits;
	case 'i': return (int32_t)bits;
	case 'l':
	case 'p':
	case 'S': return (int64_t)bits;
	default: return 0;
	}
}

int64_t view_argument(const struct actions_call *call, uint32_t index)
{
	if (index >= call->count)
		return 0;
	return integer(call->signature[index + 1], call->arguments[index]);
}

int64_t view_result(const struct actions_call *call, const uint8_t *result, uint32_t size)
{
	uint64_t bits = 0;

	if (!size || call->signature[0] == 'S')
		return 0;
	memcpy(&bits, result, size < 8 ? size : 8);
	return integer(call->signature[0], bits);
}

/* --- memory --- */

static bool next_written(struct effects *effects, struct effect *effect)
{
	while (effects_next(effects, effect))
		if (effect->head.kind == HENCE_WROTE || effect->head.kind == HENCE_SEEN)
			return true;
	return false;
}

/* Bytes from this address on that the call wrote; the last effect that has it tells. */
static uint64_t read_written(const struct view *view, uint64_t address, uint64_t size, uint8_t *out)
{
	struct effects left = view->written;
	struct effect effect;
	uint64_t found = 0;

	while (next_written(&left, &effect)) {
		uint64_t skip = address - effect.head.address;

		if (address < effect.head.address || skip >= effect.head.size)
			continue;
		found = effect.head.size - skip < size ? effect.head.size - skip : size;
		memcpy(out, effect.bytes + skip, found);
	}
	return found;
}

/* The lowest address above this one that the call wrote to, so that memory is read only up to it. */
static uint64_t next_start(const struct view *view, uint64_t address, uint64_t end)
{
	struct effects left = view->written;
	struct effect effect;

	while (next_written(&left, &effect))
		if (effect.head.size && effect.head.address > address && effect.head.address < end)
			end = effect.head.address;
	return end;
}

static uint64_t read_over(const struct view *view, uint64_t address, uint64_t size, uint8_t *out)
{
	const struct actions_memory *memory = view->memory;
	uint64_t known = 0;

	while (known < size) {
		uint64_t at = address + known;
		uint64_t n = read_written(view, at, size - known, out + known);

		if (!n)
			n = memory->read(memory->context, at,
			                 next_start(view, at, address + size) - at, out + known);
		if (!n)
			break;
		known += n;
	}
	return known;
}

uint64_t view_read(const struct view *view, uint64_t address, uint64_t size, uint8_t *out)
{
	if (size > UINT64_MAX - address)
		size = UINT64_MAX - address;
	if (view->written.at == view->written.end)
		return view->memory->read(view->memory->context, address, size, out);
	return read_over(view, address, size, out);
}

/* Index of the first character that is 0 in `size` bytes; -1: none. */
static int64_t find_end(const uint8_t *bytes, uint64_t size, uint32_t unit)
{
	static const uint8_t zero[4];
	const uint8_t *found;

	if (unit == 1) {
		found = memchr(bytes, 0, size);
		return found ? found - bytes : -1;
	}
	for (uint64_t i = 0; i + unit <= size; i += unit)
		if (!memcmp(bytes + i, zero, unit))
			return (int64_t)(i / unit);
	return -1;
}

bool view_length(const struct view *view, uint64_t address, uint32_t unit, uint64_t most,
                 uint64_t *out)
{
	uint8_t chunk[CHUNK];
	uint64_t length = 0;

	while (length < most && length * unit < ACTIONS_MOST) {
		uint64_t want = most - length < CHUNK / unit ? (most - length) * unit : CHUNK;
		uint64_t got = view_read(view, address + length * unit, want, chunk);
		int64_t end = find_end(chunk, got, unit);

		if (end >= 0) {
			*out = length + (uint64_t)end;
			return true;
		}
		length += got / unit;
		if (got < want)
			return false;
	}
	*out = length;
	return length >= most;
}

/* --- expressions --- */

static void note(struct view *view, uint64_t address, uint64_t size)
{
	struct action *action;

	if (!view->reads || !size)
		return;
	action = vec_push(view->reads);
	action->kind = ACTION_READ;
	action->from = address;
	action->size = size;
	action->feeds = view->feeds;
}

static int64_t nobody_knows(struct view *view)
{
	view->unknown = true;
	return 0;
}

static int64_t old_value(struct view *view, int32_t k)
{
	if (view->call->olds_unknown >> k & 1)
		return nobody_knows(view);
	return view->call->olds[k];
}

static int64_t global_address(struct view *view, int32_t which)
{
	uint64_t address = view->memory->global(view->memory->context, (enum outside_global)which);

	return address ? (int64_t)address : nobody_knows(view);
}

/* What only the runtime needs (consumed, errorlen) is not known here. */
static int64_t leaf(void *context, uint32_t op, int32_t value)
{
	struct view *view = context;

	switch (op) {
	case OUTSIDE_ARG: return view_argument(view->call, (uint32_t)value);
	case OUTSIDE_RET: return view->returned ? view->result : nobody_knows(view);
	case OUTSIDE_OLD: return old_value(view, value);
	case OUTSIDE_GLOBAL: return global_address(view, value);
	default: return nobody_knows(view);
	}
}

static int64_t load(void *context, uint64_t address, int32_t size)
{
	struct view *view = context;
	uint64_t bits = 0;

	if (address < VIEW_LOWEST)
		return 0;
	if (view_read(view, address, (uint64_t)size, (uint8_t *)&bits) < (uint64_t)size)
		return nobody_knows(view);
	note(view, address, (uint64_t)size);
	switch (size) {
	case 2: return (int16_t)bits;
	case 4: return (int32_t)bits;
	default: return (int64_t)bits;
	}
}

static int64_t length(void *context, uint64_t address, uint32_t unit, uint64_t most)
{
	struct view *view = context;
	uint64_t found;

	if (address < VIEW_LOWEST)
		return 0;
	if (!view_length(view, address, unit, most, &found))
		return nobody_knows(view);
	note(view, address, (found + (found < most)) * unit);
	return (int64_t)found;
}

static int64_t object(void *context, uint64_t address)
{
	struct view *view = context;
	uint64_t size;

	if (address < VIEW_LOWEST)
		return 0;
	size = view->memory->object_size(view->memory->context, address);
	return size == ACTIONS_NO_OBJECT ? nobody_knows(view) : (int64_t)size;
}

bool view_value(struct view *view, uint32_t code, int64_t *out)
{
	static const struct outside_world world = {leaf, load, length, object};
	int64_t value;

	view->unknown = false;
	value = outside_eval(outside_table_code(view->call->table, code), &world, view);
	if (view->unknown)
		return false;
	*out = value;
	return true;
}

enum view_answer view_holds(struct view *view, const struct outside_clause *clause)
{
	int64_t value = 1;

	if (clause->when && !view_value(view, clause->when, &value))
		return VIEW_UNKNOWN;
	return value ? VIEW_GOOD : VIEW_NONE;
}

/* Old values hold no old values, so this goes no deeper than once. */
static uint32_t arguments_of(const struct view *view, uint32_t code, bool olds)
{
	const struct outside_insn *insn = outside_table_code(view->call->table, code);
	uint32_t set = 0;

	for (; insn->op != OUTSIDE_END; insn++) {
		if (insn->op == OUTSIDE_ARG)
			set |= 1u << insn->value;
		else if (insn->op == OUTSIDE_OLD && olds)
			set |= arguments_of(view, view->call->model->olds[insn->value], false);
	}
	return set;
}

uint32_t view_arguments(const struct view *view, uint32_t code)
{
	return arguments_of(view, code, true);
}

/* --- regions --- */

static enum view_answer check_size(struct view_region *out)
{
	if (!out->size)
		return VIEW_NONE;
	if (out->size > ACTIONS_MOST || out->size > UINT64_MAX - out->address)
		return VIEW_UNKNOWN;
	return VIEW_GOOD;
}

static enum view_answer string_region(const struct view *strings, uint32_t unit,
                                      struct view_region *out)
{
	uint64_t count;

	if (!view_length(strings, out->address, unit, UINT64_MAX, &count))
		return VIEW_UNKNOWN;
	out->size = (count + 1) * unit;
	return check_size(out);
}

static enum view_answer bytes_region(struct view *view, const struct outside_clause *row,
                                     struct view_region *out)
{
	int64_t from = 0, to;

	if (row->from && !view_value(view, row->from, &from))
		return VIEW_UNKNOWN;
	out->address += (uint64_t)from;
	if (!view_value(view, row->to, &to))
		return VIEW_UNKNOWN;
	out->size = to > from ? (uint64_t)to - (uint64_t)from : 0;
	return check_size(out);
}

enum view_answer view_region(struct view *view, const struct view *strings,
                             const struct outside_clause *row, struct view_region *out)
{
	int64_t at;

	*out = (struct view_region){0, 0};
	if (!view_value(view, row->at, &at))
		return VIEW_UNKNOWN;
	if ((uint64_t)at < VIEW_LOWEST)
		return VIEW_NONE;
	out->address = (uint64_t)at;
	switch (row->region) {
	case OUTSIDE_STRING: return string_region(strings, 1, out);
	case OUTSIDE_WSTRING: return string_region(strings, 4, out);
	case OUTSIDE_BYTES: return bytes_region(view, row, out);
	default: return VIEW_NONE;
	}
}

enum view_answer view_vector(struct view *view, const struct outside_clause *row, uint32_t *at,
                             uint64_t *before, struct view_region *out)
{
	int64_t vectors, count, total;
	uint64_t pair[2];

	*out = (struct view_region){0, 0};
	if (!view_value(view, row->at, &vectors) || !view_value(view, row->from, &count) ||
	    !view_value(view, row->to, &total))
		return VIEW_UNKNOWN;
	for (; (uint64_t)vectors >= VIEW_LOWEST && *at < count && total > 0; ++*at) {
		if (*before >= (uint64_t)total)
			break;
		if (*at >= MOST_PIECES ||
		    view_read(view, (uint64_t)vectors + 16ull * *at, 16, (uint8_t *)pair) < 16)
			return VIEW_UNKNOWN;
		if (!pair[1])
			continue;
		out->address = pair[0];
		out->size =
			pair[1] < (uint64_t)total - *before ? pair[1] : (uint64_t)total - *before;
		*before += out->size;
		++*at;
		return check_size(out);
	}
	return VIEW_NONE;
}
