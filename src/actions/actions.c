/* What an outside call did: see actions.h. */
#include "actions/actions.h"

#include <assert.h>
#include <string.h>

#include "actions/actions_view.h"
#include "actions/format.h"
#include "base/vec.h"

/* Until the list is put together, a READ that feeds an effect has 1 + its index among the effects. */
struct work {
	struct view before, after; /* the call */
	struct actions *out;
};

/* ------ a model's view of one call ------ */

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

uint64_t view_read(const struct view *view, uint64_t address, uint64_t size, uint8_t *out)
{
	if (size > UINT64_MAX - address)
		size = UINT64_MAX - address;
	if (view->written.at == view->written.end)
		return view->memory->read(view->memory->context, address, size, out);

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

/* What only the runtime needs (consumed, errorlen) is not known here. */
static int64_t leaf(void *context, uint32_t op, int32_t value)
{
	struct view *view = context;

	switch (op) {
	case OUTSIDE_ARG: return view_argument(view->call, (uint32_t)value);
	case OUTSIDE_RET: return view->returned ? view->result : nobody_knows(view);
	case OUTSIDE_OLD:
		if (view->call->olds_unknown >> value & 1)
			return nobody_knows(view);
		return view->call->olds[value];
	case OUTSIDE_GLOBAL: {
		uint64_t address =
			view->memory->global(view->memory->context, (enum outside_global)value);

		return address ? (int64_t)address : nobody_knows(view);
	}
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

/* ------ printf and its family ------ */

/* Which arguments a format uses, how many bytes of each, and which strings it reads. See format.h; formats of wide characters are not followed: their models say `reads`. */

static void work_read(struct work *work, uint32_t argument, uint64_t from, uint64_t size,
                      uint32_t feeds);

static void use_argument(struct work *work, const struct format_argument *argument)
{
	struct action *action;

	if (!argument->size)
		return;
	if (!argument->number) {
		work_read(work, 0, argument->slot, argument->size, ACTIONS_ALL);
		return;
	}
	action = vec_push(&work->out->reads);
	action->kind = ACTION_USED;
	action->argument = (uint16_t)argument->number;
	action->size = argument->size;
}

static void work_unknown_read(struct work *work, uint8_t clause, uint32_t argument, uint64_t from,
                              uint64_t size);

static void use_string(struct work *work, const struct format_part *part)
{
	uint64_t address = part->value.known ? part->value.bits : 0, length;
	uint32_t unit = format_unit(part);

	if (part->value.known && (address < VIEW_LOWEST || !part->precision))
		return;
	if (address && !(part->precision_from.size && !part->precision_from.known) &&
	    view_length(&work->before, address, unit, part->precision, &length))
		work_read(work, part->value.number, address,
		          (length + (length < part->precision)) * unit, ACTIONS_ALL);
	else
		work_unknown_read(work, OUTSIDE_READS, part->value.number, address, 0);
}

static void use(struct work *work, const struct format_part *part)
{
	use_argument(work, &part->width_from);
	use_argument(work, &part->precision_from);
	use_argument(work, &part->value);
	if (part->value.size && (part->letter == 's' || part->letter == 'S'))
		use_string(work, part);
}

/* Adds what a `formats` clause uses and reads. */
static void work_formats(struct work *work, const struct outside_clause *clause)
{
	struct format format;
	struct format_part part;

	if (view_holds(&work->after, clause) == VIEW_NONE)
		return;
	format_open(&format, &work->before, clause);
	if (format.address)
		work_read(work, clause->argument, format.address, format.length + 1, ACTIONS_ALL);
	if (format.list)
		work_read(work, clause->extra + 1, format.list, 24, ACTIONS_ALL);
	while (format_next(&format, &part))
		use(work, &part);
	if (format.lost)
		work_unknown_read(work, OUTSIDE_FORMATS, format.culprit, 0, 0);
	format_close(&format);
}

/* ------ what a model says of a call ------ */

/* More of what is on the tape, and what is not on it at all. */

static void unknown_move(struct work *work, const struct outside_clause *clause,
                         const struct view_region *region)
{
	struct action *action = vec_push(&work->out->moves);

	action->kind = ACTION_UNKNOWN;
	action->clause = clause->kind;
	action->argument = clause->argument;
	action->to = region->address;
	action->size = region->size;
}

/* --- what the model adds to it --- */

/* The effect that an active clause asked for, of which the tape knows less than the model; NULL: it
   is not there, or cannot be told. */
static struct action *find_effect(struct work *work, const struct outside_clause *clause,
                                  enum action_kind kind)
{
	struct action_list *list = &work->out->effects;
	struct view_region region;

	if (view_holds(&work->after, clause) != VIEW_GOOD || clause->region == OUTSIDE_VECTORS ||
	    view_region(&work->after, &work->after, clause, &region) != VIEW_GOOD)
		return NULL;
	for (uint32_t i = 0; i < list->size; i++) {
		struct action *action = &list->at[i];

		if (action->kind == kind && action->argument == clause->argument &&
		    action->to == region.address && action->size == region.size && !action->precise)
			return action;
	}
	return NULL;
}

static enum view_answer add_vectors(struct work *work, const struct outside_clause *row,
                                    uint32_t feeds)
{
	enum view_answer answer;
	struct view_region piece;
	uint64_t before = 0;
	uint32_t at = 0;

	while ((answer = view_vector(&work->after, row, &at, &before, &piece)) == VIEW_GOOD)
		work_read(work, row->argument, piece.address, piece.size, feeds);
	if (answer == VIEW_UNKNOWN)
		work_unknown_read(work, OUTSIDE_READS, row->argument, piece.address, piece.size);
	return answer;
}

/* Adds a READ for a row's region. False: it is not known, which is said too. */
static bool add_read(struct work *work, const struct outside_clause *row, uint32_t feeds)
{
	struct view_region region;
	enum view_answer answer;

	if (row->region == OUTSIDE_VECTORS)
		return add_vectors(work, row, feeds) != VIEW_UNKNOWN;
	answer = view_region(&work->after, &work->before, row, &region);
	if (answer == VIEW_GOOD)
		work_read(work, row->argument, region.address, region.size, feeds);
	else if (answer == VIEW_UNKNOWN)
		work_unknown_read(work, OUTSIDE_READS, row->argument, region.address, region.size);
	return answer != VIEW_UNKNOWN;
}

/* writes R from R, R */
static void refine_write(struct work *work, const struct outside_clause *clause)
{
	struct action *wrote = clause->sources ? find_effect(work, clause, ACTION_WROTE) : NULL;
	bool known = true;

	if (!wrote)
		return;
	for (uint32_t i = 1; i <= clause->sources; i++)
		known &= add_read(work, clause + i, (uint32_t)(wrote - work->out->effects.at) + 1);
	wrote->precise = known;
}

static void refine_permutation(struct work *work, const struct outside_clause *clause)
{
	struct action *wrote = find_effect(work, clause, ACTION_WROTE);
	int64_t unit;

	if (!wrote || !view_value(&work->after, clause->extra, &unit) || unit <= 0 ||
	    (uint64_t)unit > wrote->size)
		return;
	wrote->kind = ACTION_PERMUTED;
	wrote->unit = (uint32_t)unit;
}

static void refine_allocation(struct work *work, const struct outside_clause *clause)
{
	struct action *allocated =
		clause->flags & OUTSIDE_ZEROED ? find_effect(work, clause, ACTION_ALLOCATED) : NULL;

	if (allocated)
		allocated->zeroed = true;
}

/* The text that sscanf() reads: each value depends on its part of it, the result on all. */
static void add_scan(struct work *work, const struct outside_clause *clause)
{
	/* The clause's own argument is the stream. */
	struct outside_clause format = {
		.region = OUTSIDE_STRING,
		.argument = (uint16_t)__builtin_ffs((int)view_arguments(&work->after, clause->at)),
		.at = clause->at};

	if (view_holds(&work->after, clause) == VIEW_NONE)
		return;
	add_read(work, &format, ACTIONS_ALL);
	for (uint32_t i = 1; i <= clause->sources; i++)
		add_read(work, clause + i, ACTIONS_RESULT);
}

/* --- what only the model says --- */

/* Adds what a `reads` clause says. */
static void work_reads(struct work *work, const struct outside_clause *clause)
{
	enum view_answer holds = view_holds(&work->after, clause);
	struct view_region region = {0, 0};

	if (holds == VIEW_GOOD) {
		add_read(work, clause, ACTIONS_ALL);
	} else if (holds == VIEW_UNKNOWN) {
		if (clause->region != OUTSIDE_VECTORS)
			view_region(&work->after, &work->before, clause, &region);
		work_unknown_read(work, OUTSIDE_READS, clause->argument, region.address,
		                  region.size);
	}
}

/* The target of a copy or fill that is to be done. If it is not known, that is said. */
static bool find_target(struct work *work, const struct outside_clause *clause,
                        struct view_region *target)
{
	enum view_answer holds = view_holds(&work->after, clause), answer;

	if (holds == VIEW_NONE)
		return false;
	answer = view_region(&work->after, &work->before, clause, target);
	if (answer == VIEW_NONE)
		return false;
	if (holds == VIEW_GOOD && answer == VIEW_GOOD)
		return true;
	unknown_move(work, clause, target);
	return false;
}

static void add_copy(struct work *work, const struct outside_clause *clause)
{
	struct view_region to, from;
	struct action *action;

	if (!clause->sources || !find_target(work, clause, &to))
		return;
	/* Its extent is the same: only the address may be missing. */
	if (view_region(&work->after, &work->before, clause + 1, &from) != VIEW_GOOD) {
		unknown_move(work, clause, &to);
		return;
	}
	action = vec_push(&work->out->moves);
	action->kind = ACTION_COPIED;
	action->argument = clause->argument;
	action->to = to.address;
	action->from = from.address;
	action->size = to.size;
}

static void add_fill(struct work *work, const struct outside_clause *clause)
{
	struct view_region to;
	struct action *action;
	int64_t byte;

	if (!find_target(work, clause, &to))
		return;
	if (!view_value(&work->after, clause->extra, &byte)) {
		unknown_move(work, clause, &to);
		return;
	}
	action = vec_push(&work->out->moves);
	action->kind = ACTION_FILLED;
	action->argument = clause->argument;
	action->to = to.address;
	action->size = to.size;
	action->byte = (uint8_t)byte;
}

/* What is in it is not known from here on. */
static void add_loan(struct work *work, const struct outside_clause *clause)
{
	struct view_region lent;

	if (find_target(work, clause, &lent))
		unknown_move(work, clause, &lent);
}

static void push_returned(struct work *work, const struct outside_clause *clause, bool into)
{
	struct action *action = vec_push(&work->out->reads);

	action->kind = ACTION_RETURNED;
	action->argument = clause->argument;
	action->offset = view_arguments(&work->after, clause->at);
	action->into = into;
}

/* A model that is wrong about the result is not believed. */
static void add_returned(struct work *work, const struct outside_clause *clause)
{
	struct action_list *reads = &work->out->reads;
	uint32_t size = reads->size;
	int64_t value;
	bool known;

	if (view_holds(&work->after, clause) != VIEW_GOOD)
		return;
	work->after.reads = reads;
	work->after.feeds = ACTIONS_RESULT;
	known = view_value(&work->after, clause->at, &value);
	work->after.reads = NULL;
	if (!known || value != work->after.result) {
		reads->size = size;
		return;
	}

	/* What the old values in the expression had read. */
	const struct actions_call *call = work->before.call;
	const struct outside_insn *insn = outside_table_code(call->table, clause->at);
	int64_t ignored;

	work->before.reads = &work->out->reads;
	work->before.feeds = ACTIONS_RESULT;
	for (; insn->op != OUTSIDE_END; insn++)
		if (insn->op == OUTSIDE_OLD)
			view_value(&work->before, call->model->olds[insn->value], &ignored);
	work->before.reads = NULL;

	push_returned(work, clause, false);
}

/* ------ the effects on the tape as actions ------ */

static uint8_t kind_of(uint8_t effect)
{
	static const uint8_t kinds[] = {
		[HENCE_WROTE] = ACTION_WROTE,   [HENCE_INPUT] = ACTION_INPUT,
		[HENCE_OUTPUT] = ACTION_OUTPUT, [HENCE_ALLOCATED] = ACTION_ALLOCATED,
		[HENCE_FREED] = ACTION_FREED,   [HENCE_OPENED] = ACTION_OPENED,
		[HENCE_CLOSED] = ACTION_CLOSED, [HENCE_TEXT] = ACTION_TEXT,
		[HENCE_SEEN] = ACTION_SEEN,
	};

	assert(effect && effect < sizeof(kinds)); /* effects_begin() has seen it */
	return kinds[effect];
}

static struct action *push_effect(struct action_list *list, const struct effect *effect)
{
	const struct hence_effect *head = &effect->head;
	struct action *action = vec_push(list);
	bool source = head->kind == HENCE_OUTPUT || head->kind == HENCE_TEXT;

	action->kind = kind_of(head->kind);
	action->argument = head->argument;
	action->stream = head->stream;
	action->offset = head->offset;
	action->size = head->size;
	action->bytes = effect->bytes;
	if (source)
		action->from = head->address;
	else
		action->to = head->address;
	return action;
}

/* Do bytes of input come into memory as they are? Not what scanf() makes of them, nor wide ones. */
static bool takes_bytes(const struct actions_call *call)
{
	const struct outside_clause *rows;
	bool found = false;

	if (!call->model)
		return false;
	rows = outside_table_clauses(call->table, call->model);
	for (uint32_t i = 0; i < call->model->active; i++) {
		if (rows[i].kind == OUTSIDE_SCANS)
			return false;
		if (rows[i].kind == OUTSIDE_CONSUMES && rows[i].region == OUTSIDE_WSTRING)
			return false;
		found |= rows[i].kind == OUTSIDE_CONSUMES;
	}
	return found;
}

static bool is_from_memory(const struct hence_effect *head)
{
	return head->kind == HENCE_INPUT && head->stream == -1;
}

/* The action just pushed was written from the input before it. */
static void link_input(struct work *work, const struct hence_effect *input)
{
	struct action_list *list = &work->out->effects;
	struct action *wrote = &list->at[list->size - 1], *from;

	wrote->precise = true;
	if (is_from_memory(input)) {
		work_read(work, input->argument, input->offset, input->size, list->size);
		return;
	}
	from = wrote - 1;
	/* A string has a 0 more than the input. */
	from->exact = wrote->size - from->size <= 1 && takes_bytes(work->after.call);
}

static bool is_written_from(const struct hence_effect *head, const struct hence_effect *before)
{
	return head->kind == HENCE_WROTE && before->kind == HENCE_INPUT && head->address &&
	       head->address == before->address;
}

/* An input from memory that no write follows. */
static void settle(struct work *work, const struct hence_effect *before)
{
	if (is_from_memory(before))
		work_read(work, before->argument, before->offset, before->size, ACTIONS_ALL);
}

/* Adds what is on the tape. */
static void work_effects(struct work *work, struct effects effects)
{
	struct hence_effect before = {0};
	struct effect effect;

	while (effects_next(&effects, &effect)) {
		bool linked = is_written_from(&effect.head, &before);

		if (!linked)
			settle(work, &before);
		if (effect.head.kind == HENCE_TEXT)
			push_effect(&work->out->reads, &effect);
		else if (!is_from_memory(&effect.head))
			push_effect(&work->out->effects, &effect);
		if (linked)
			link_input(work, &before);
		before = effect.head;
	}
	settle(work, &before);
}

/* ------ the whole ------ */

void actions_deinit(struct actions *actions)
{
	vec_deinit(&actions->list);
	vec_deinit(&actions->reads);
	vec_deinit(&actions->effects);
	vec_deinit(&actions->moves);
}

/* --- making a list --- */

static void work_init(struct work *work, const struct actions_call *call,
                      const struct actions_memory *memory, struct actions *out)
{
	out->list.size = out->reads.size = out->effects.size = out->moves.size = 0;
	*work = (struct work){.out = out};
	work->before = work->after = (struct view){.call = call, .memory = memory};
}

/* Says that the clause reads something that is not known. */
static void work_unknown_read(struct work *work, uint8_t clause, uint32_t argument, uint64_t from,
                              uint64_t size)
{
	struct action *action = vec_push(&work->out->reads);

	action->kind = ACTION_UNKNOWN;
	action->clause = clause;
	action->argument = (uint16_t)argument;
	action->from = from;
	action->size = size;
}

/* Adds an ACTION_READ; none if it is empty, an ACTION_UNKNOWN if it is too large. */
static void work_read(struct work *work, uint32_t argument, uint64_t from, uint64_t size,
                      uint32_t feeds)
{
	struct action *action;

	if (!size)
		return;
	if (size > ACTIONS_MOST || size > UINT64_MAX - from) {
		work_unknown_read(work, OUTSIDE_READS, argument, from, size);
		return;
	}
	action = vec_push(&work->out->reads);
	action->kind = ACTION_READ;
	action->argument = (uint16_t)argument;
	action->from = from;
	action->size = size;
	action->feeds = feeds;
}

/* Copies and fills come right behind the last allocation. */
static uint32_t place_of_moves(const struct action_list *effects)
{
	for (uint32_t i = effects->size; i > 0; i--)
		if (effects->at[i - 1].kind == ACTION_ALLOCATED)
			return i;
	return 0;
}

static void append(struct action_list *to, const struct action_list *from, uint32_t begin,
                   uint32_t end)
{
	if (begin == end)
		return;
	vec_reserve(to, to->size + (end - begin));
	memcpy(&to->at[to->size], &from->at[begin], (end - begin) * sizeof(*to->at));
	to->size += end - begin;
}

/* Puts the parts together. What a READ feeds was an index among the effects so far. */
static void join(struct actions *out)
{
	uint32_t middle = place_of_moves(&out->effects);

	append(&out->list, &out->reads, 0, out->reads.size);
	append(&out->list, &out->effects, 0, middle);
	append(&out->list, &out->moves, 0, out->moves.size);
	append(&out->list, &out->effects, middle, out->effects.size);
	for (uint32_t i = 0; i < out->reads.size; i++) {
		uint32_t *feeds = &out->list.at[i].feeds;

		if (*feeds == ACTIONS_ALL || *feeds == ACTIONS_RESULT)
			continue;
		*feeds += out->reads.size + (*feeds > middle ? out->moves.size : 0);
	}
}

/* --- the call --- */

/* There is no after: what it reads must be said now. */
static void add_last_reads(struct work *work)
{
	const struct actions_call *call = work->before.call;
	const struct outside_clause *rows = outside_table_clauses(call->table, call->model);

	for (uint32_t i = 0; i < call->model->clause_count; i++) {
		if (rows[i].kind == OUTSIDE_READS)
			work_reads(work, &rows[i]);
		else if (rows[i].kind == OUTSIDE_FORMATS)
			work_formats(work, &rows[i]);
	}
}

void actions_begin(struct actions_call *call, const struct actions_memory *memory,
                   const struct effects *at_call, struct actions *actions)
{
	size_t letters = strlen(call->signature);
	struct work work;

	if (call->count >= letters)
		call->count = letters ? (uint32_t)letters - 1 : 0;
	work_init(&work, call, memory, actions);
	call->olds_unknown = ~0u;
	for (uint32_t k = 0; call->model && k < call->model->old_count; k++)
		if (view_value(&work.before, call->model->olds[k], &call->olds[k]))
			call->olds_unknown &= ~(1u << k);
	work_effects(&work, *at_call);
	if (call->model && call->model->flags & OUTSIDE_NORETURN)
		add_last_reads(&work);
	join(actions);
}

void actions_end(const struct actions_call *call, const struct actions_memory *memory,
                 const uint8_t *result, uint32_t size, const struct effects *at_return,
                 struct actions *actions)
{
	const struct outside_clause *rows;
	struct work work;

	work_init(&work, call, memory, actions);
	work.after.written = *at_return;
	work.after.returned = true;
	work.after.result = view_result(call, result, size);
	work_effects(&work, *at_return);
	if (call->model) {
		rows = outside_table_clauses(call->table, call->model);
		for (uint32_t i = 0; i < call->model->active; i++) {
			/* What an active clause says of the effects that it asked for. */
			const struct outside_clause *clause = &rows[i];

			switch (clause->kind) {
			case OUTSIDE_WRITES: refine_write(&work, clause); break;
			case OUTSIDE_PERMUTES: refine_permutation(&work, clause); break;
			case OUTSIDE_ALLOCATES: refine_allocation(&work, clause); break;
			case OUTSIDE_FORMATS: work_formats(&work, clause); break;
			case OUTSIDE_SCANS: add_scan(&work, clause); break;
			default: break;
			}
		}
		for (uint32_t i = call->model->active; i < call->model->clause_count; i++) {
			/* What the clauses say that ask the runtime for nothing. */
			const struct outside_clause *clause = &rows[i];

			switch (clause->kind) {
			case OUTSIDE_READS: work_reads(&work, clause); break;
			case OUTSIDE_COPIES: add_copy(&work, clause); break;
			case OUTSIDE_FILLS: add_fill(&work, clause); break;
			case OUTSIDE_LENDS: add_loan(&work, clause); break;
			case OUTSIDE_RETURNS: add_returned(&work, clause); break;
			case OUTSIDE_RETURNS_INTO:
				if (view_holds(&work.after, clause) == VIEW_GOOD)
					push_returned(&work, clause, true);
				break;
			default:
				break; /* sources belong to others; calls are for actions_callback() */
			}
		}
	}
	join(actions);
}

/* --- callbacks --- */

/* The clause that tells of a callback at that address; NULL: none. */
static const struct outside_clause *find_callback(struct work *work, uint64_t target)
{
	const struct actions_call *call = work->before.call;
	const struct outside_clause *rows = outside_table_clauses(call->table, call->model);

	for (uint32_t i = call->model->active; i < call->model->clause_count; i++)
		if (rows[i].kind == OUTSIDE_CALLS && !(rows[i].flags & OUTSIDE_LATER) &&
		    rows[i].argument &&
		    (uint64_t)view_argument(call, rows[i].argument - 1u) == target &&
		    view_holds(&work->before, &rows[i]) == VIEW_GOOD)
			return &rows[i];
	return NULL;
}

void actions_callback(const struct actions_call *call, const struct actions_memory *memory,
                      uint64_t target, struct actions *actions)
{
	const struct outside_clause *clause;
	struct work work;

	work_init(&work, call, memory, actions);
	clause = call->model ? find_callback(&work, target) : NULL;
	for (uint32_t i = 0; clause && i < clause->sources; i++) {
		const struct outside_clause *row = clause + 1 + i;
		struct view_region region = {0, 0};
		struct action *action = vec_push(&work.out->list);
		int64_t value;

		action->kind = ACTION_PASSED;
		action->unit = i;
		action->argument = row->argument;
		action->offset = view_arguments(&work.before, row->at);
		if (row->region == OUTSIDE_VALUE) {
			if (view_value(&work.before, row->at, &value))
				action->from = (uint64_t)value;
			continue;
		}
		if (row->region != OUTSIDE_VECTORS &&
		    view_region(&work.before, &work.before, row, &region) == VIEW_GOOD) {
			action->from = region.address;
			action->size = region.size;
		}
	}
}
