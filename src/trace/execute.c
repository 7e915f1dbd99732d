/* Evaluates instructions: the loop in which the decoder spends its time. See execution.h. */
#include <assert.h>
#include <string.h>
#include <sys/mman.h>

#include "actions/outputs.h"
#include "base/str.h"
#include "trace/executor.h"

/* ------ what no C program may do with memory ------ */

void executor_error(struct execution *e, const struct activation *a,
                    const struct execution_error *error)
{
	uint32_t code = a->function->first + a->pc - 1, *index;
	struct execution_error *kept;

	/* Code that we do not see may have filled in anything. */
	if (error->kind >= ERROR_UNINITIALISED_BRANCH &&
	    error->kind <= ERROR_UNINITIALISED_OUTPUT && !e->has_main)
		return;
	index = error_map_put(&e->error_index, (uint64_t)code * ERROR_KINDS + error->kind);
	if (*index) {
		e->errors.at[*index - 1].count++;
		return;
	}
	kept = vec_push(&e->errors);
	*index = e->errors.size;
	*kept = *error;
	kept->instance = e->next;
	kept->code = code;
	kept->frame = a->frame;
	kept->statement = e->statements;
	kept->count = 1;
}

/* --- objects --- */

/* The frame that holds the address: the stack grows down. */
static const struct activation *frame_at(const struct execution *e, uint64_t address)
{
	uint32_t low = 0, high = e->stack.size;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		const struct activation *a = &e->stack.at[middle];

		if (address < a->address)
			low = middle + 1;
		else if (address >= a->address + a->function->plan->frame_size)
			high = middle;
		else
			return a;
	}
	return NULL;
}

static bool holds(const struct object *o, uint64_t address)
{
	return address >= o->address && address - o->address < o->size;
}

uint32_t executor_object_at(struct execution *e, uint64_t address)
{
	const struct activation *a = frame_at(e, address);

	for (uint32_t i = 0; a && i < a->function->object_count; i++)
		if (holds(objects_at(&e->objects, a->object + i), address))
			return a->object + i;
	return objects_find(&e->objects, address);
}

uint32_t execution_object_at(const struct execution *e, uint64_t address)
{
	return executor_object_at((struct execution *)e, address);
}

/* --- accesses --- */

/* What an instruction that died was about: the address it read or wrote. */
void executor_fault(struct execution *e, struct activation *a)
{
	const struct code_insn *i = &a->function->insns[a->pc];
	struct execution_error error = {.kind = ERROR_FAULT, .size = i->bytes};
	const struct code_slot *pointer = NULL;

	if (i->op == CODE_LOAD || i->op == CODE_LOAD_WIDE || i->op == CODE_ATOMIC)
		pointer = executor_slot(e, a, i->a);
	if (i->op == CODE_STORE || i->op == CODE_STORE_WIDE)
		pointer = executor_slot(e, a, i->b);
	error.writes = i->op == CODE_STORE || i->op == CODE_STORE_WIDE;
	executor_tell_begin(e, a);
	a->pc++;
	if (pointer) {
		executor_check(e, a, pointer, i->bytes, error.writes);
		error.address = pointer->bits;
		error.object = pointer->object == EXECUTOR_FOREIGN ? 0 : pointer->object;
		executor_error(e, a, &error);
	}
	executor_keep(e, 0, 0);
}

static enum execution_error_kind kind_of(const struct object *o)
{
	if (!o->death)
		return ERROR_OUT_OF_BOUNDS;
	return o->kind == OBJECT_HEAP ? ERROR_AFTER_FREE : ERROR_AFTER_RETURN;
}

void executor_check_access(struct execution *e, const struct activation *a,
                           const struct code_slot *pointer, uint64_t address, uint64_t size,
                           bool writes, const char *outside)
{
	struct execution_error error = {
		.writes = writes, .address = address, .size = size, .outside = outside};
	const struct object *o = NULL;

	if (pointer->undefined) {
		error.kind = ERROR_UNINITIALISED_ADDRESS;
		executor_error(e, a, &error);
		return;
	}
	if (!size || !pointer->object || pointer->object == EXECUTOR_FOREIGN)
		return;
	o = objects_at(&e->objects, pointer->object);
	if (!o->death && address >= o->address && address + size <= o->address + o->size)
		return;
	error.kind = kind_of(o);
	error.object = pointer->object;
	executor_error(e, a, &error);
}

void executor_check_member(struct execution *e, const struct activation *a,
                           const struct code_slot *pointer, const struct code_insn *i)
{
	struct execution_error error = {.kind = ERROR_OUT_OF_MEMBER,
	                                .address = pointer->bits,
	                                .size = i->scale,
	                                .elements = i->c,
	                                .object = pointer->object};
	const struct object *o;

	if (pointer->undefined || !pointer->object || pointer->object == EXECUTOR_FOREIGN)
		return;
	o = objects_at(&e->objects, pointer->object);
	/* Outside of the whole object, or in one that is gone: the access itself will tell. */
	if (o->death || !holds(o, pointer->bits) || pointer->bits + i->scale > o->address + o->size)
		return;
	for (LLVMUseRef use = LLVMGetFirstUse(a->function->instructions[a->pc - 1]); use;
	     use = LLVMGetNextUse(use))
		error.writes |= LLVMIsAStoreInst(LLVMGetUser(use)) != NULL;
	executor_error(e, a, &error);
}

/* ------ where bytes came from, when that is more than one instance: groups of flows ------ */

uint32_t executor_open_group(struct execution *e)
{
	struct execution_group *group;

	if (!e->keeping)
		return 0;
	group = vec_push(&e->groups);
	group->first = e->flows.size;
	return EXECUTION_GROUP | (e->groups.size - 1);
}

/* The bytes that the next flow carries. */
static void keep_bytes(struct execution *e, uint64_t from, uint64_t size)
{
	uint32_t at = e->bytes.size;

	if (size > e->bytes_left || size > UINT32_MAX / 2 - at)
		return;
	e->bytes_left -= (uint32_t)size;
	vec_reserve(&e->bytes, at + (uint32_t)size);
	e->bytes.size += (uint32_t)size;
	memory_read(&e->memory, from, size, e->bytes.at + at);
	*flow_bytes_map_put(&e->flow_bytes, e->flows.size) = at;
}

static const struct code_slot *argument(const struct execution *e, const struct executor_call *call,
                                        uint16_t number);

/* Appends a flow for each run of bytes with one source. */
void executor_add_flows(struct execution *e, uint32_t argument, uint64_t to, uint64_t from,
                        uint64_t size)
{
	for (uint64_t done = 0; e->keeping && done < size;) {
		uint32_t source;
		uint64_t run = memory_source_run(&e->memory, from + done, size - done, &source);

		if (e->bytes_left)
			keep_bytes(e, from + done, run);
		*vec_push(&e->flows) = (struct execution_flow){.to = to ? to + done : 0,
		                                               .from = from + done,
		                                               .size = run,
		                                               .source = source,
		                                               .argument = argument};
		done += run;
	}
}

void executor_close_group(struct execution *e, uint32_t group)
{
	struct execution_group *g = &e->groups.at[group & ~EXECUTION_GROUP];

	if (group)
		g->count = e->flows.size - g->first;
}

uint32_t executor_group(struct execution *e, uint64_t to, uint64_t from, uint64_t size)
{
	uint32_t group = executor_open_group(e);

	executor_add_flows(e, 0, to, from, size);
	executor_close_group(e, group);
	return group;
}

/* ------ windows: the decoder stops where it is told, drops what it has kept, and goes on with or without keeping. See execution_window(). A window knows what came before it as far as functions under way need that: their slots, each with the instance that made it, are saved when the window begins ------ */

#define COPIES (EXECUTOR_LIMIT / 8 + 9) /* bytes */

/* --- going on --- */

static struct hence_error *take_failure(struct execution *e)
{
	struct hence_error *error = e->failure;

	e->failure = NULL;
	return error;
}

struct hence_error *execution_advance(struct execution *e, uint64_t until,
                                      const struct walk_place *death, bool *ended)
{
	struct hence_error *error;
	bool end = false;

	e->pause = until;
	error = walk_on(e->walk, &end);
	e->pause = UINT64_MAX;
	if (!error && e->failure)
		error = take_failure(e);
	if (!error && end)
		error = execution_run(e, death);
	if (!error)
		*ended = end;
	return error;
}

uint32_t execution_next(const struct execution *e)
{
	return e->next;
}

bool execution_is_under_way(const struct execution *e, uint32_t call)
{
	for (uint32_t i = 0; i < e->stack.size; i++)
		if (e->stack.at[i].root == call)
			return true;
	for (uint32_t i = 0; i < e->open.size; i++)
		if (e->open.at[i].instance == call)
			return true;
	return false;
}

/* --- what functions under way had --- */

static void save_stack(struct execution *e)
{
	vec_reserve(&e->saved, e->stack.size + 1);
	vec_reserve(&e->saved_slots, e->slots.size + 1);
	for (uint32_t i = 0; i < e->stack.size; i++)
		e->saved.at[i] = e->stack.at[i];
	for (uint32_t i = 0; i < e->slots.size; i++)
		e->saved_slots.at[i] = e->slots.at[i];
	e->saved.size = e->stack.size;
	e->saved_slots.size = e->slots.size;
}

const struct activation *executor_saved(const struct execution *e, uint32_t frame)
{
	/* Frames were numbered anew when the window began. */
	return frame < e->saved.size ? &e->saved.at[frame] : NULL;
}

const struct code_slot *executor_saved_slot(const struct execution *e, const struct activation *a,
                                            uint32_t operand)
{
	return operand & 1 ? &a->function->constants[operand >> 1]
	                   : &e->saved_slots.at[a->slots + (operand >> 1)];
}

const struct executor_late *executor_late(const struct execution *e, uint32_t instance)
{
	uint32_t low = 0, high = e->late.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (e->late.at[middle].instance > instance)
			low = middle + 1;
		else
			high = middle;
	}
	return low < e->late.size && e->late.at[low].instance == instance ? &e->late.at[low] : NULL;
}

uint32_t executor_saved_caller(const struct execution *e, uint32_t call)
{
	uint32_t low = 0, high = e->saved.size;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (e->saved.at[middle].call <= call)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint32_t execution_late(const struct execution *e, uint32_t instance)
{
	const struct executor_late *late = executor_late(e, instance);

	return late ? late->source : 0;
}

uint32_t execution_late_call(const struct execution *e, uint32_t index)
{
	return index < e->late.size ? e->late.at[index].instance : UINT32_MAX;
}

/* --- numbers of frames and objects --- */

static void set_owner(struct execution *e, uint32_t activation)
{
	const struct activation *a = &e->stack.at[activation];
	uint32_t end = activation + 1 < e->stack.size ? a[1].dynamic : e->dynamic.size;

	for (uint32_t i = 0; i < a->function->object_count; i++)
		objects_at(&e->objects, a->object + i)->owner = activation;
	for (uint32_t i = a->dynamic; i < end; i++)
		objects_at(&e->objects, e->dynamic.at[i])->owner = activation;
}

/* Only functions under way have frames: the first ones. */
static void renumber_frames(struct execution *e)
{
	for (uint32_t i = 0; i < e->stack.size; i++) {
		struct activation *a = &e->stack.at[i];

		e->frames.at[i] = e->frames.at[a->frame]; /* i <= a->frame: it was pushed later */
		e->frames.at[i].caller = i;
		a->frame = i;
		a->segment = 0;
		a->broken = true;
		set_owner(e, i);
	}
	e->frames.size = e->stack.size;
}

void executor_own_frames(struct execution *e)
{
	const struct execution_frame *all = e->frames.at;

	memset(&e->frames, 0, sizeof(e->frames));
	for (uint32_t i = 0; i < e->stack.size; i++) {
		*vec_push(&e->frames) = all[e->stack.at[i].frame];
		e->stack.at[i].frame = i;
	}
}

static bool is_gone(const struct object *o)
{
	return o->death &&
	       (o->kind == OBJECT_LOCAL || o->kind == OBJECT_DYNAMIC || o->kind == OBJECT_BYVAL);
}

/* Pointers to them may still be about; they are wrong anyway. */
void executor_recycle(struct execution *e)
{
	while (!e->options.lasting && e->objects.all.size &&
	       is_gone(&e->objects.all.at[e->objects.all.size - 1]))
		e->objects.all.size--;
}

/* --- windows --- */

static void drop_allocas(struct execution *e)
{
	map_each(&e->allocas, i) vec_deinit(&e->allocas.at[i].value.at);
	alloca_map_deinit(&e->allocas);
}

static void drop(struct execution *e)
{
	e->segments.size = e->flows.size = e->groups.size = e->calls.size = 0;
	e->bytes.size = 0;
	flow_bytes_map_deinit(&e->flow_bytes);
	e->saved.size = e->saved_slots.size = e->late.size = 0;
	drop_allocas(e);
	for (uint32_t i = 0; i < e->open.size; i++) {
		e->open.at[i].listed = e->open.at[i].group = 0;
		e->open.at[i].called = false;
	}
	e->kept_from = e->kept_end = e->next;
	e->keeping = false;
}

static void free_room(struct execution *e)
{
	if (e->room) {
		munmap(e->values, e->room * sizeof(*e->values));
		munmap(e->sources, e->room * sizeof(*e->sources));
	}
	e->values = NULL;
	e->sources = NULL;
	e->room = 0;
}

void execution_window(struct execution *e, bool keep)
{
	assert(e->options.windows);
	drop(e);
	renumber_frames(e);
	executor_recycle(e);
	e->options.retain = keep;
	if (keep)
		save_stack(e);
	else
		free_room(e);
}

void executor_drop_window(struct execution *e)
{
	free_room(e);
	drop_allocas(e);
	vec_deinit(&e->saved);
	vec_deinit(&e->saved_slots);
	vec_deinit(&e->late);
	if (e->copies)
		munmap(e->copies, COPIES);
}

/* --- notes --- */

void executor_note_copy(struct execution *e, uint32_t instance)
{
	if (!e->options.windows)
		return;
	if (!e->copies) {
		void *p = mmap(NULL, COPIES, PROT_READ | PROT_WRITE,
		               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (p == MAP_FAILED) {
			executor_fail(e, error_create(HENCE_ERROR_INPUT,
			                              "no memory is left to decode the run"));
			return;
		}
		e->copies = p;
	}
	e->copies[instance / 64] |= 1ull << instance % 64;
}

bool execution_copies(const struct execution *e, uint32_t instance)
{
	if (e->whole && instance < e->kept_from)
		return execution_copies(e->whole, instance);
	return e->copies && e->copies[instance / 64] >> instance % 64 & 1;
}

static uint64_t alloca_key(uint32_t frame, uint32_t code)
{
	return (uint64_t)frame << 32 | code;
}

void executor_note_alloca(struct execution *e, const struct activation *a, uint32_t instance)
{
	uint64_t key = alloca_key(a->frame, a->function->first + a->pc - 1);

	if (e->keeping)
		*vec_push(&alloca_map_put(&e->allocas, key)->at) = instance;
}

uint32_t executor_last_alloca(const struct execution *e, uint32_t frame, uint32_t code,
                              uint32_t before)
{
	const struct executor_allocas *all = alloca_map_find(&e->allocas, alloca_key(frame, code));
	uint32_t low = 0, high = all ? all->at.size : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (all->at.at[middle] < before)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? all->at.at[low - 1] : 0;
}

/* ------ loads, stores, copies ------ */

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

/* ------ when a load read something else than memory has ------ */

/* Memory that we see for the first time, memory that outside code changed unseen, or a mistake of ours. The tape is right; what follows from that is here. */

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

/* ------ what the calls of an execution put out ------ */

/* Gives outputs.c the program's memory and arguments. */

struct asked {
	struct execution *e;
	const struct activation *a;
	const struct code_call *call;
};

/* Undefined bytes are known to the decoder as something, but not what the program had. */
static uint64_t read_defined(void *context, uint64_t address, uint64_t size, uint8_t *out)
{
	struct asked *asked = context;
	uint64_t known = memory_read(&asked->e->memory, address, size, out);

	return memory_find_undefined(&asked->e->memory, address, known);
}

static bool read_argument(void *context, uint32_t index, uint32_t size, uint8_t *out)
{
	const struct asked *asked = context;
	const struct code_argument *argument = &asked->call->arguments[index];
	const struct code_slot *slot;

	if (index >= asked->call->count || argument->operand == CODE_NO_OPERAND ||
	    argument->byval || size > 8 * argument->words)
		return false;
	slot = executor_slot(asked->e, asked->a, argument->operand);
	for (uint32_t done = 0; done < size; done += 8, slot++) {
		uint32_t part = size - done < 8 ? size - done : 8;
		uint64_t mask = part == 8 ? UINT64_MAX : (1ull << 8 * part) - 1;

		if (slot->undefined & mask)
			return false;
		memcpy(out + done, &slot->bits, part);
	}
	return true;
}

/* What follows the last slash of argv[0]; NULL: not known. */
static const char *program_name(struct execution *e, char *room, size_t size)
{
	uint64_t argv = walk_tape(e->walk)->head.argv, first;
	const char *slash;

	if (!argv || memory_read(&e->memory, argv, 8, (uint8_t *)&first) < 8)
		return NULL;
	if (!memchr(room, 0, memory_read(&e->memory, first, size, (uint8_t *)room)))
		return NULL;
	slash = strrchr(room, '/');
	return slash ? slash + 1 : room;
}

static bool matters(const struct action_list *actions, const char *name)
{
	for (uint32_t i = 0; i < actions->size; i++)
		switch (actions->at[i].kind) {
		case ACTION_OUTPUT:
		case ACTION_OPENED:
		case ACTION_CLOSED: return true;
		default: break;
		}
	return strstr(name, "locale") != NULL;
}

void executor_note_outputs(struct execution *e, const struct activation *a,
                           const struct executor_call *open)
{
	struct asked asked = {e, a, a->function->insns[a->pc - 1].more};
	struct actions_memory memory = {.context = &asked, .read = read_defined};
	struct outputs_call call = {.name = open->name,
	                            .instance = open->instance,
	                            .call = &open->call,
	                            .actions = &e->actions.list,
	                            .memory = &memory,
	                            .argument = read_argument,
	                            .context = &asked};
	char name[256];

	if (!e->outputs || !matters(&e->actions.list, open->name))
		return;
	call.program = program_name(e, name, sizeof(name));
	outputs_add(e->outputs, &call);
}

/* ------ calls of outside functions in an execution: what they did is applied ------ */

#define LARGEST_BELIEVED (1u << 20) /* bytes of an object that is looked through */

/* --- what actions ask --- */

static uint64_t read_memory(void *context, uint64_t address, uint64_t size, uint8_t *out)
{
	struct execution *e = context;

	return memory_read(&e->memory, address, size, out);
}

static uint64_t object_size(void *context, uint64_t address)
{
	struct execution *e = context;
	uint32_t object = objects_find(&e->objects, address);
	const struct object *o = object ? objects_at(&e->objects, object) : NULL;

	return o && o->address == address && o->kind == OBJECT_HEAP ? o->size : ACTIONS_NO_OBJECT;
}

static uint64_t libc_variable(void *context, enum outside_global which)
{
	struct execution *e = context;

	return e->libc[which];
}

static struct actions_memory memory_of(struct execution *e)
{
	return (struct actions_memory){e, read_memory, object_size, libc_variable};
}

/* --- the call begins --- */

static void take_arguments(struct execution *e, struct executor_call *open,
                           const struct activation *a, const struct code_insn *insn)
{
	const struct code_call *call = insn->more;
	uint64_t *bits;

	open->arguments = e->arguments.size;
	open->call.count = call->count;
	open->signature = mem_alloc(call->count + 2);
	bits = mem_alloc((call->count + 1) * sizeof(*bits));
	open->signature[0] = call->letter;
	for (uint32_t i = 0; i < call->count; i++) {
		struct code_slot *slot = vec_push(&e->arguments);

		if (call->arguments[i].operand != CODE_NO_OPERAND)
			*slot = *executor_slot(e, a, call->arguments[i].operand);
		bits[i] = slot->bits;
		open->signature[i + 1] = call->arguments[i].byval ? 'S' : call->arguments[i].letter;
	}
	open->call.arguments = bits;
	open->call.signature = open->signature;
}

void executor_leave_call(struct execution *e)
{
	const struct executor_call *open = &e->open.at[e->open.size - 1];

	if (open->activation == e->stack.size)
		executor_tell(e, EXECUTION_LEFT, open->statement);
	if (!e->jumped) /* the innermost is the one that jumps */
		e->jumped = open->instance;
	executor_drop_call(e);
}

void executor_drop_call(struct execution *e)
{
	struct executor_call *open = &e->open.at[--e->open.size];

	executor_halves_deinit(&open->halves);
	free(open->signature);
	free((void *)open->call.arguments);
	vec_deinit(&open->returns);
	e->arguments.size = open->arguments;
}

/* At its beginning; or when it returns, if it began before the window. */
static void list_call(struct execution *e, struct executor_call *open)
{
	struct execution_call *listed;

	if (!e->keeping || open->listed)
		return;
	listed = vec_push(&e->calls);
	listed->name = open->name;
	listed->instance = open->instance;
	listed->code = open->code;
	listed->model = open->call.model;
	listed->modelled = open->call.model != NULL;
	open->listed = e->calls.size;
}

static void begin(struct execution *e, const struct walk_call *call)
{
	struct activation *a = executor_top(e);
	struct actions_memory memory = memory_of(e);
	struct executor_call *open;

	if (!executor_begin_call(e, a))
		return;
	e->jumped = 0;
	open = vec_push(&e->open);
	open->name = call->name;
	open->activation = e->stack.size;
	open->instance = a->call;
	open->code = a->function->first + a->pc - 1;
	open->depth = walk_depth(e->walk);
	open->statement = e->statements;
	open->call.table = e->options.table;
	if (e->options.table)
		open->call.model = outside_table_find(e->options.table, call->name);
	take_arguments(e, open, a, &a->function->insns[a->pc - 1]);
	list_call(e, open);
	if (open->listed)
		e->calls.at[open->listed - 1].before = call->effects;
	executor_note_copy(e, open->instance);
	actions_begin(&open->call, &memory, &call->effects, &e->actions);
	executor_apply(e, a, open);
	executor_set_call(e, open->instance, 0, open->group);
}

/* --- the call returns --- */

static void set_result(struct execution *e, struct activation *a, const struct walk_call *call,
                       uint32_t instance)
{
	const struct code_insn *i = &a->function->insns[a->pc - 1];
	struct code_slot *to = &e->slots.at[a->slots + i->to];
	uint64_t words[HENCE_RESULT / 8] = {0};

	if (!i->words)
		return;
	if (call->result)
		memcpy(words, call->result, call->result_size);
	for (uint32_t w = 0; w < i->words; w++)
		to[w] = (struct code_slot){.bits = w < HENCE_RESULT / 8 ? words[w] : 0,
		                           .undefined = call->result ? 0 : UINT64_MAX,
		                           .made = instance};
	if (i->flags & CODE_POINTER && to->bits)
		to->object = executor_object_at(e, to->bits);
	if (i->flags & CODE_POINTER && !to->object)
		to->object = EXECUTOR_FOREIGN;
}

/* A function without a model was observed, which shows bytes that changed, but not that a byte which
   was never initialised got the value it happened to have. */
static void believe_initialised(struct execution *e, uint32_t number, unsigned depth)
{
	const struct object *o = objects_at(&e->objects, number);
	struct memory_part part = memory_range(o->address, o->size);

	if (o->size > LARGEST_BELIEVED || o->death)
		return;
	while (memory_next(&e->memory, &part))
		for (uint32_t k = part.at; k < part.at + part.size; k++) {
			uint32_t to = part.page->object[k / MEMORY_WORD];

			if (part.page->undefined[k] == 0xff) {
				part.page->undefined[k] = 0;
				part.page->source[k] = SOURCE_NONE;
			}
			if (k % MEMORY_WORD == 0 && depth && to && to != EXECUTOR_FOREIGN)
				believe_initialised(e, to, depth - 1);
		}
}

static void note_last(struct execution *e, const struct executor_call *open)
{
	e->last_outside = open->name;
	e->last_outside_instance = open->instance;
	e->last_outside_code = open->code;
	if (open->call.model)
		return;
	e->last_unmodelled = open->name;
	e->last_unmodelled_instance = open->instance;
	e->last_unmodelled_code = open->code;
}

/* A call that returns once more (setjmp) is an instance of its own. */
static void return_again(struct execution *e, struct activation *a, const struct walk_call *call)
{
	const struct code_insn *insn = &a->function->insns[a->pc - 1];

	/* Its first return comes here, too: nothing was executed since it was called. */
	if (e->jumped || a->call + 1 != e->next) {
		a->pc--;
		if (!executor_begin_call(e, a))
			return;
		e->statements -= insn->flags & CODE_STATEMENT ? 1 : 0;
	}
	set_result(e, a, call, a->call);
	executor_set_call(e, a->call, insn->words ? e->slots.at[a->slots + insn->to].bits : 0,
	                  e->jumped);
	e->jumped = 0;
	executor_tell(e, EXECUTION_ENDED, e->statements);
}

static void end(struct execution *e, const struct walk_call *call)
{
	struct activation *a = executor_top(e);
	struct actions_memory memory = memory_of(e);
	struct executor_call *open = e->open.size ? &e->open.at[e->open.size - 1] : NULL;
	const struct code_insn *insn;

	if (!open || open->depth != walk_depth(e->walk) || open->activation != e->stack.size) {
		return_again(e, a, call);
		return;
	}
	insn = &a->function->insns[a->pc - 1];
	list_call(e, open);
	set_result(e, a, call, open->instance);
	actions_end(&open->call, &memory, call->result, call->result_size, &call->effects,
	            &e->actions);
	executor_note_outputs(e, a, open);
	executor_apply(e, a, open);
	if (insn->flags & CODE_POINTER &&
	    e->slots.at[a->slots + insn->to].object == EXECUTOR_FOREIGN) {
		uint32_t object = executor_object_at(e, e->slots.at[a->slots + insn->to].bits);

		if (object)
			e->slots.at[a->slots + insn->to].object = object;
	}
	executor_set_call(e, open->instance,
	                  insn->words ? e->slots.at[a->slots + insn->to].bits : 0, open->group);
	if (open->listed) {
		e->calls.at[open->listed - 1].returned = true;
		e->calls.at[open->listed - 1].after = call->effects;
		e->calls.at[open->listed - 1].until = e->next;
	}
	for (uint32_t k = 0; !open->call.model && k < open->call.count; k++) {
		uint32_t object = e->arguments.at[open->arguments + k].object;

		if (object && object != EXECUTOR_FOREIGN)
			believe_initialised(e, object, 2);
	}
	note_last(e, open);
	executor_tell(e, EXECUTION_ENDED, open->statement);
	executor_drop_call(e);
}

/* --- the call does not return --- */

/* What the model says of the call in which the program died is only checked. */
void executor_check_dying(struct execution *e)
{
	struct executor_call *open = e->open.size ? &e->open.at[e->open.size - 1] : NULL;
	struct actions_memory memory = memory_of(e);
	struct effects nothing = {0};

	if (!open || !open->call.model || open->activation != e->stack.size)
		return;
	actions_end(&open->call, &memory, NULL, 0, &nothing, &e->actions);
	executor_check_actions(e, executor_top(e), open);
}

void executor_outside(void *context, const struct walk_call *call)
{
	struct execution *e = context;

	if (!executor_top(e) || e->failure)
		return;
	if (call->returned)
		end(e, call);
	else
		begin(e, call);
}

/* ------ long runs ------ */

/* Instances have 31 bits. Numbers of instances that are not kept are used again: all of them before anything is kept, those behind `kept_end` afterwards. */

/* Before anything is kept, `kept_end` is the first number of all. */
static void forget(const struct execution *e, uint32_t *instance)
{
	if (*instance >= e->kept_end)
		*instance = SOURCE_EARLIER;
}

static void forget_memory(struct execution *e)
{
	map_each(&e->memory.pages, i)
	{
		struct memory_page *page = memory_page(&e->memory, e->memory.pages.at[i].key);

		for (uint32_t k = 0; k < MEMORY_PAGE; k++)
			forget(e, &page->source[k]);
	}
}

static void forget_stack(struct execution *e)
{
	for (uint32_t i = 0; i < e->slots.size; i++)
		forget(e, &e->slots.at[i].made);
	for (uint32_t i = 0; i < e->arguments.size; i++)
		forget(e, &e->arguments.at[i].made);
	for (uint32_t i = 0; i < e->stack.size; i++) {
		forget(e, &e->stack.at[i].call);
		forget(e, &e->stack.at[i].parent);
	}
	for (uint32_t i = 0; i < e->branches.size; i++)
		forget(e, &e->branches.at[i].instance);
	for (uint32_t i = 0; i < e->open.size; i++)
		forget(e, &e->open.at[i].instance);
}

static void forget_lists(struct execution *e)
{
	for (uint32_t i = 0; i < e->frames.size; i++) {
		forget(e, &e->frames.at[i].call);
		forget(e, &e->frames.at[i].first);
		forget(e, &e->frames.at[i].end);
	}
	for (uint32_t i = 0; i < e->objects.all.size; i++) {
		forget(e, &e->objects.all.at[i].birth);
		forget(e, &e->objects.all.at[i].death);
	}
	for (uint32_t i = 0; i < e->mismatches.size; i++)
		forget(e, &e->mismatches.at[i].instance);
	for (uint32_t i = 0; i < e->errors.size; i++)
		forget(e, &e->errors.at[i].instance);
}

/* A handler that has not ended goes on: what it writes is new from here on. */
static void forget_handler(struct execution *e)
{
	if (e->handler_end != UINT32_MAX)
		e->handler_end = 0;
	e->handler_first = e->kept_end;
}

void executor_forget(struct execution *e)
{
	forget_memory(e);
	forget_stack(e);
	forget_lists(e);
	forget_handler(e);
	if (!e->segments.size) /* else their numbers belong to no instance that is kept */
		outputs_forget(e->outputs);
	forget(e, &e->last_outside_instance);
	forget(e, &e->last_unmodelled_instance);
	e->forgotten += e->next - e->kept_end;
	e->next = e->kept_end;
}

/* ------ blocks, segments and what controls them ------ */

/* The parent of a block is the youngest branch of its call whose sides have not met again (online, with the immediate post-dominators of model/control.h); without one it is the call itself. */

#define STEP (1ull << 22) /* instances that room is made for at a time */

/* Room by mapping, since realloc() of gigabytes would need twice as much for a moment. */
static void *grow(void *old, uint64_t old_size, uint64_t size)
{
	void *p;

	if (!old)
		p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	else
		p = mremap(old, old_size, size, MREMAP_MAYMOVE);
	return p == MAP_FAILED ? NULL : p;
}

static bool make_room(struct execution *e)
{
	uint64_t room = e->room + e->room / 2 + STEP;
	uint64_t *values = grow(e->values, e->room * sizeof(*values), room * sizeof(*values));
	uint32_t *sources;

	if (values)
		e->values = values;
	sources = grow(e->sources, e->room * sizeof(*sources), room * sizeof(*sources));
	if (sources)
		e->sources = sources;
	if (!values || !sources)
		return false;
	e->room = room;
	return true;
}

/* Nothing more is kept; what was kept so far stays. */
static void stop_keeping(struct execution *e)
{
	if (e->kept_end == UINT32_MAX)
		e->kept_end = e->next;
	e->keeping = false;
}

static void too_long(struct execution *e, const char *why)
{
	stop_keeping(e);
	e->full = true;
	if (e->options.windows)
		executor_fail(e, error_create(HENCE_ERROR_INPUT,
		                              "the run is too long: %s after %llu statements; "
		                              "give the program less to do",
		                              why, (unsigned long long)e->statements));
	else
		executor_fail(
			e, error_create(HENCE_ERROR_INPUT,
		                        "the run is too long to be kept: %s after %llu statements; "
		                        "--from N and --to N choose a part of it",
		                        why, (unsigned long long)e->statements));
}

static void too_large(struct execution *e)
{
	stop_keeping(e);
	e->full = true;
	executor_fail(e,
	              error_create(HENCE_ERROR_INPUT,
	                           "the program uses %llu MB of memory, more than can be followed "
	                           "here (that takes 7 times as much); give it less to do",
	                           (unsigned long long)(e->memory.pages.size >> 8)));
}

/* --- which segments are kept --- */

/* Statements that end in the segment that begins now. */
static uint64_t statements_of(const struct activation *a)
{
	uint32_t end = a->function->blocks[a->block + 1];
	uint64_t count = 0;

	for (uint32_t k = a->pc; k < end; k++) {
		count += (a->function->insns[k].flags & CODE_STATEMENT) != 0;
		if (a->function->insns[k].op == CODE_CALL)
			break;
	}
	return count;
}

/* Is one of the statements asked for in the segment that begins now, or were some before it? */
static bool is_wanted(const struct execution *e, const struct activation *a)
{
	uint64_t from = e->options.from, to = e->options.to;

	if (!e->options.retain || e->failure || (to && e->statements >= to))
		return false;
	return from <= 1 || e->statements >= from || e->statements + statements_of(a) >= from;
}

static void choose_keeping(struct execution *e, const struct activation *a)
{
	if (!is_wanted(e, a)) {
		stop_keeping(e);
		return;
	}
	if (!e->keeping && !e->segments.size)
		e->kept_from = e->next;
	e->keeping = true;
	e->kept_end = UINT32_MAX;
}

/* Are there numbers for this many instances? Those that are not kept can be used again. */
static bool have_numbers(struct execution *e, uint64_t most)
{
	uint64_t limit = e->options.limit ? e->options.limit : EXECUTOR_LIMIT;
	char *why;

	if (!e->keeping && !e->options.windows && e->next >= (limit + e->kept_end) / 2)
		executor_forget(e);
	if (e->next + most < limit)
		return true;
	why = str_format("it has %llu instructions", (unsigned long long)limit);
	too_long(e, why);
	free(why);
	return false;
}

/* Is there memory for this many instances? */
static bool have_memory(struct execution *e, uint64_t most)
{
	uint64_t pages = e->memory.pages.size * sizeof(struct memory_page);

	if (e->memory.exhausted) {
		too_large(e);
		return false;
	}
	if (!e->keeping)
		return true;
	if (e->next - e->kept_from + most >= e->room && !make_room(e)) {
		too_long(e, "no memory is left");
		return false;
	}
	if (execution_bytes(e) + pages > e->options.memory) {
		too_long(e, "the memory for it is used up");
		return false;
	}
	return true;
}

/* A new segment begins; makes room for the rest of its block. */
void executor_segment(struct execution *e, struct activation *a)
{
	uint64_t most = a->function->blocks[a->block + 1] - a->pc;

	a->broken = false;
	choose_keeping(e, a);
	if (!have_numbers(e, most) || !have_memory(e, most) || !e->keeping)
		return;
	*vec_push(&e->segments) = (struct execution_segment){.first = e->next,
	                                                     .code = a->function->first + a->pc,
	                                                     .frame = a->frame,
	                                                     .parent = a->parent,
	                                                     .previous = a->segment};
	a->segment = e->segments.size;
}

/* --- blocks --- */

void executor_block(struct execution *e, struct activation *a, uint32_t block)
{
	const struct executor_branch *top;

	while (e->branches.size > a->control) {
		top = &e->branches.at[e->branches.size - 1];
		if (top->until != block)
			break;
		e->branches.size--;
	}
	a->parent = e->branches.size > a->control ? e->branches.at[e->branches.size - 1].instance
	                                          : a->root;
	a->came = a->block;
	a->block = block;
	executor_segment(e, a);
}

/* Up to `end`, and tells where each statement begins. */
static void run_statements(struct execution *e, struct activation *a, uint32_t end,
                           const uint8_t *tape)
{
	while (a->pc < end) {
		uint32_t next = a->pc + 1;

		executor_tell_begin(e, a);
		while (next < end && !(a->function->insns[next].flags & CODE_BEGINS))
			next++;
		tape = executor_run(e, a, next - 1, tape);
	}
}

void executor_reach(struct execution *e, struct activation *a, uint32_t block, uint32_t pc,
                    const uint8_t *tape)
{
	const uint32_t *blocks = a->function->blocks;

	if (a->pc <= blocks[block] || a->pc >= blocks[block + 1]) {
		a->pc = blocks[block];
		executor_block(e, a, block);
	} else if (a->broken || (e->keeping && a->segment != e->segments.size)) {
		/* After a call, or a handler that interrupted. */
		executor_segment(e, a);
	}
	if (e->options.begins)
		run_statements(e, a, pc, tape);
	else if (pc > a->pc)
		executor_run(e, a, pc - 1, tape);
}

void executor_branch(struct execution *e, struct activation *a, uint32_t instance)
{
	uint32_t until = a->function->postdominators[a->block];
	struct executor_branch *top = NULL;

	if (e->branches.size > a->control)
		top = &e->branches.at[e->branches.size - 1];
	/* A loop's test takes the place of the one before: what is open stays small. */
	if (!top || top->until != until)
		top = vec_push(&e->branches);
	a->chosen = instance;
	*top = (struct executor_branch){instance, until};
}

/* ------ functions in an execution: frames, parameters, locals ------ */

/* --- parameters --- */

static struct code_slot *parameter(struct execution *e, const struct activation *a, uint32_t index)
{
	return &e->slots.at[a->slots + a->function->parameters[index].slot];
}

static void undefined_parameter(struct execution *e, const struct activation *a, uint32_t index)
{
	struct code_slot *to = parameter(e, a, index);

	for (uint32_t w = 0; w < a->function->parameters[index].words; w++)
		to[w] = (struct code_slot){.undefined = UINT64_MAX};
}

/* From the call that was made. */
static void pass(struct execution *e, const struct activation *caller, const struct activation *a,
                 const struct code_call *call)
{
	for (uint32_t i = 0; i < a->function->parameter_count; i++) {
		const struct code_parameter *p = &a->function->parameters[i];
		struct code_slot *to = parameter(e, a, i);
		const struct code_slot *from;

		if (i >= call->count || call->arguments[i].words < p->words ||
		    call->arguments[i].operand == CODE_NO_OPERAND) {
			undefined_parameter(e, a, i);
			continue;
		}
		from = executor_slot(e, caller, call->arguments[i].operand);
		for (uint32_t w = 0; w < p->words; w++) {
			to[w] = from[w];
			to[w].made = caller->call;
		}
	}
}

/* From outside code: the values stand on the tape. */
static void receive(struct execution *e, const struct activation *a, const uint8_t *bytes,
                    uint32_t size)
{
	for (uint32_t i = 0; i < a->function->parameter_count; i++) {
		const struct code_parameter *p = &a->function->parameters[i];
		uint32_t stored = hence_letter_size(p->letter);
		struct code_slot *to = parameter(e, a, i);
		uint64_t words[2] = {0};

		if (stored > size || p->words > 2) {
			undefined_parameter(e, a, i);
			size = 0;
			continue;
		}
		memcpy(words, bytes, stored < p->bytes ? stored : p->bytes);
		for (uint32_t w = 0; w < p->words; w++)
			to[w] = (struct code_slot){.bits = words[w]};
		if (p->letter == 'p' && words[0])
			to->object = executor_object_at(e, words[0]);
		bytes += stored;
		size -= stored;
	}
}

void executor_pass_bytes(struct execution *e, uint64_t to, uint64_t from, uint64_t size)
{
	for (uint64_t done = 0; done < size;) {
		uint32_t source;
		uint64_t run = memory_source_run(&e->memory, from + done, size - done, &source);

		memory_copy(&e->memory, to + done, from + done, run, source);
		done += run;
	}
}

/* Structures passed by value: a copy that belongs to the callee. */
static void copy_byvals(struct execution *e, const struct activation *a, const uint8_t *byvals)
{
	const struct plan_function *plan = a->function->plan;

	for (uint32_t i = 0; i < plan->byvals.size; i++) {
		uint32_t index = plan->byvals.at[i];
		const struct code_parameter *p = &a->function->parameters[index];
		struct code_slot *to = parameter(e, a, index);
		struct object object = {.size = p->byval,
		                        .birth = e->next,
		                        .owner = a->frame,
		                        .index = (uint16_t)index,
		                        .kind = OBJECT_BYVAL};

		memcpy(&object.address, byvals + 8 * i, 8);
		if (!a->entered && object.address != to->bits)
			executor_pass_bytes(e, object.address, to->bits, p->byval);
		to->bits = object.address;
		to->object = objects_add(&e->objects, &object);
		*vec_push(&e->dynamic) = to->object;
	}
}

/* --- entering --- */

static void bear_locals(struct execution *e, struct activation *a)
{
	const struct code_function *f = a->function;

	a->object = e->frames.at[a->frame].object = e->objects.all.size + 1;
	for (uint32_t i = 0; i < f->object_count; i++) {
		const struct plan_local *local = &f->plan->locals.at[f->objects[i]];
		struct object object = {.address = a->address + local->offset,
		                        .size = local->size,
		                        .birth = e->next,
		                        .owner = a->frame,
		                        .index = (uint16_t)f->objects[i],
		                        .kind = OBJECT_LOCAL};

		objects_add(&e->objects, &object);
	}
	memory_forget(&e->memory, a->address, f->plan->frame_size, SOURCE_UNDEFINED, true);
}

static uint32_t index_of(const struct code *code, const struct code_function *f)
{
	uint32_t low = 0, high = code->functions.size;

	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (code->functions.at[middle]->first <= f->first)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static struct activation *push(struct execution *e, struct program_place place, uint64_t frame)
{
	const struct code_function *f = code_function(e->code, place);
	struct activation *a = vec_push(&e->stack);

	a->function = f;
	a->address = frame;
	a->depth = walk_depth(e->walk);
	a->slots = e->slots.size;
	vec_reserve(&e->slots, e->slots.size + f->slots + 1);
	e->slots.size += f->slots;
	a->control = e->branches.size;
	a->dynamic = e->dynamic.size;
	a->frame = e->frames.size;
	*vec_push(&e->frames) = (struct execution_frame){
		.address = frame, .function = index_of(e->code, f), .first = e->next};
	return a;
}

/* The call on top, as an instance of its own; its value comes when it returns. */
const struct code_call *executor_begin_call(struct execution *e, struct activation *caller)
{
	const struct code_insn *i = &caller->function->insns[caller->pc];

	if (i->op != CODE_CALL)
		return NULL;
	if (caller->broken)
		executor_segment(e, caller);
	caller->pc++;
	caller->call = e->next;
	executor_keep(e, 0, 0);
	if (i->flags & CODE_STATEMENT)
		e->statements++;
	caller->broken = true;
	return i->more;
}

static void tell_call(struct execution *e, struct program_place place, bool called)
{
	struct executor_call *open = e->open.size ? &e->open.at[e->open.size - 1] : NULL;

	e->callee = code_function(e->code, place);
	if (called) {
		executor_tell(e, EXECUTION_CALLS, e->statements);
	} else if (open && !open->told && open->activation == e->stack.size) {
		open->told = true;
		executor_tell(e, EXECUTION_CALLS_BACK, open->statement);
	}
}

/* The outside call that enters a function now; 0: none. The function is on the stack already. */
static uint32_t called_by(struct execution *e)
{
	struct executor_call *open = e->open.size ? &e->open.at[e->open.size - 1] : NULL;

	if (!open || open->activation + 1 != e->stack.size)
		return 0;
	executor_note_callback(e, open);
	return open->instance;
}

void executor_enter(struct execution *e, struct program_place place, uint64_t frame,
                    const uint8_t *byvals, const uint8_t *arguments, uint32_t size)
{
	struct activation *caller = arguments ? NULL : executor_top(e), *a;
	const struct code_call *call = NULL;
	uint32_t below = e->stack.size;

	if (caller)
		call = executor_begin_call(e, caller);
	tell_call(e, place, call != NULL);
	a = push(e, place, frame);
	e->has_main |= !strcmp(a->function->plan->name, "main");
	a->entered = !call;
	e->frames.at[a->frame].caller = below ? e->stack.at[below - 1].frame + 1 : 0;
	e->frames.at[a->frame].within = call ? 0 : called_by(e);
	if (call) {
		caller = &e->stack.at[below - 1];
		e->frames.at[a->frame].call = caller->call;
		pass(e, caller, a, call);
	} else {
		receive(e, a, arguments, size);
	}
	a->root = call ? caller->call : e->frames.at[a->frame].within;
	copy_byvals(e, a, byvals);
	bear_locals(e, a);
}

/* --- leaving --- */

static void pop(struct execution *e)
{
	struct activation *a = executor_top(e);

	for (uint32_t i = 0; i < a->function->object_count; i++)
		objects_end(&e->objects, a->object + i, e->next);
	for (uint32_t i = a->dynamic; i < e->dynamic.size; i++)
		objects_end(&e->objects, e->dynamic.at[i], e->next);
	if (!e->options.retain && e->options.windows)
		executor_recycle(e);
	/* A frame that nobody will ask about: nothing is kept, and no object names it. */
	if (!e->options.retain && a->frame + 1 == e->frames.size &&
	    (e->options.windows || (!a->function->object_count && e->dynamic.size == a->dynamic)))
		e->frames.size--;
	else
		e->frames.at[a->frame].end = e->next;
	e->dynamic.size = a->dynamic;
	e->branches.size = a->control;
	e->slots.size = a->slots;
	e->stack.size--;
}

/* The value of a call that has returned. */
void executor_set_call(struct execution *e, uint32_t call, uint64_t value, uint32_t source)
{
	if (call < e->kept_from && e->keeping)
		*vec_push(&e->late) = (struct executor_late){call, source, value};
	if (!e->room || call < e->kept_from || call >= e->kept_end)
		return;
	e->values[call - e->kept_from] = value;
	e->sources[call - e->kept_from] = source;
}

/* A function that outside code called returns to it: what that code does may depend on the value. */
static void note_return(struct execution *e)
{
	const struct activation *a = executor_top(e);

	if (e->frames.at[a->frame].within && (e->options.retain || e->options.windows))
		*vec_push(&e->open.at[e->open.size - 1].returns) = e->next - 1;
}

void executor_leave(struct execution *e)
{
	struct activation *a = executor_top(e), *caller;
	const struct code_insn *ret, *i;
	struct code_slot result[CODE_WORDS] = {{0}};
	uint32_t words;

	if (!a)
		return;
	ret = &a->function->insns[a->pc - 1];
	words = ret->op == CODE_RETURN && ret->a != CODE_NO_OPERAND ? (ret->bytes + 7) / 8 : 0;
	if (words > CODE_WORDS)
		words = CODE_WORDS;
	for (uint32_t w = 0; w < words; w++)
		result[w] = executor_slot(e, a, ret->a)[w];
	if (a->entered) {
		note_return(e);
		pop(e);
		return;
	}
	pop(e);
	caller = executor_top(e);
	i = &caller->function->insns[caller->pc - 1];
	for (uint32_t w = 0; i->op == CODE_CALL && w < i->words && w < words; w++) {
		e->slots.at[caller->slots + i->to + w] = result[w];
		e->slots.at[caller->slots + i->to + w].made = caller->call;
	}
	executor_set_call(e, caller->call, result[0].bits, e->next - 1);
}

/* A call that returns for the first time and may do so again, as setjmp(): it is not left behind. */
static bool returns_now(const struct execution *e, uint32_t depth)
{
	const struct executor_call *open = &e->open.at[e->open.size - 1];

	return open->call.model && open->call.model->flags & OUTSIDE_TWICE &&
	       open->instance + 1 == e->next && open->depth == depth + 1;
}

void executor_drop(struct execution *e, uint32_t depth)
{
	while (e->open.size && e->open.at[e->open.size - 1].depth > depth && !returns_now(e, depth))
		executor_leave_call(e);
	while (e->stack.size && e->stack.at[e->stack.size - 1].depth > depth)
		pop(e);
}

/* --- memory that grows on the stack --- */

void executor_alloca(struct execution *e, struct activation *a, const struct code_insn *i,
                     const uint8_t *tape)
{
	struct code_slot *to = &e->slots.at[a->slots + i->to];
	struct object object = {.birth = e->next, .owner = a->frame, .kind = OBJECT_DYNAMIC};

	memcpy(&object.address, tape, 8);
	object.size = executor_slot(e, a, i->a)->bits * (uint64_t)i->imm;
	if (object.size < 1ull << 30)
		memory_forget(&e->memory, object.address, object.size, SOURCE_UNDEFINED, true);
	*to = (struct code_slot){.bits = object.address,
	                         .object = objects_add(&e->objects, &object),
	                         .made = e->next};
	*vec_push(&e->dynamic) = to->object;
	executor_note_alloca(e, a, e->next);
	executor_keep(e, to->bits, 0);
}

/* ------ applies what an outside call did to the decoder's memory and objects, and checks it ------ */

static const struct code_slot *argument(const struct execution *e, const struct executor_call *call,
                                        uint16_t number)
{
	if (!number || number > call->call.count)
		return NULL;
	return &e->arguments.at[call->arguments + number - 1];
}

/* A result that points just behind the end of its object is of that object all the same. */
static void result_into(struct execution *e, struct activation *a, const struct code_slot *pointer)
{
	const struct code_insn *i = &a->function->insns[a->pc - 1];
	struct code_slot *to = &e->slots.at[a->slots + i->to];
	const struct object *o;

	if (!i->words || !pointer || !pointer->object || pointer->object == EXECUTOR_FOREIGN)
		return;
	o = objects_at(&e->objects, pointer->object);
	if (to->bits >= o->address && to->bits <= o->address + o->size)
		to->object = pointer->object;
}

/* Texts that run out of the array in a structure that they are written to. Functions that write bytes, such as memcpy(), are
   used for several members at once. */
static void check_member(struct execution *e, const struct activation *a,
                         const struct executor_call *open, const struct action *action,
                         uint64_t address)
{
	static const char *const writers[] = {
		"strcpy",   "stpcpy",         "strcat",          "strncat",        "sprintf",
		"vsprintf", "gets",           "fgets",           "scanf",          "sscanf",
		"fscanf",   "__isoc99_scanf", "__isoc99_sscanf", "__isoc99_fscanf"};
	LLVMValueRef call = a->function->instructions[a->pc - 1], value;
	const struct code_slot *pointer = argument(e, open, action->argument);
	struct execution_error error = {
		.kind = ERROR_OUT_OF_MEMBER, .writes = true, .outside = open->name};
	bool writer = false;

	for (size_t i = 0; i < sizeof(writers) / sizeof(*writers) && open->name; i++)
		writer |= !strcmp(writers[i], open->name);
	if (!writer || !LLVMIsACallInst(call) || !pointer || !pointer->object ||
	    pointer->object == EXECUTOR_FOREIGN || action->argument > LLVMGetNumArgOperands(call))
		return;
	/* The array as a whole: its first element. */
	value = LLVMGetOperand(call, (unsigned)action->argument - 1u);
	error.elements = code_member_elements(value);
	if (!error.elements || !LLVMIsAConstantInt(LLVMGetOperand(value, 2)) ||
	    LLVMConstIntGetZExtValue(LLVMGetOperand(value, 2)) ||
	    LLVMGetTypeKind(LLVMGetElementType(LLVMGetGEPSourceElementType(value))) !=
	            LLVMIntegerTypeKind ||
	    LLVMGetIntTypeWidth(LLVMGetElementType(LLVMGetGEPSourceElementType(value))) != 8 ||
	    address < pointer->bits || address + action->size <= pointer->bits + error.elements)
		return;
	error.object = pointer->object;
	error.address = address;
	error.size = action->size;
	executor_error(e, a, &error);
}

static void check_region(struct execution *e, const struct activation *a,
                         const struct executor_call *open, const struct action *action,
                         uint64_t address, bool writes)
{
	const struct code_slot *pointer = argument(e, open, action->argument);
	const struct object *o;

	if (!pointer || !address || pointer->undefined || !pointer->object ||
	    pointer->object == EXECUTOR_FOREIGN)
		return;
	/* What an argument leads to need not be in its object: *line of getline(). */
	o = objects_at(&e->objects, pointer->object);
	if (address == pointer->bits || (address >= o->address && address - o->address < o->size))
		executor_check_access(e, a, pointer, address, action->size, writes, open->name);
	if (writes)
		check_member(e, a, open, action, address);
}

/* What a function may read is no error, since strcmp() stops before the end; but the first byte of an
   object that is gone is. */
static void check_dead(struct execution *e, const struct activation *a,
                       const struct executor_call *open, const struct action *action)
{
	const struct code_slot *pointer = argument(e, open, action->argument);

	if (pointer && pointer->object && pointer->object != EXECUTOR_FOREIGN &&
	    action->from == pointer->bits && action->size &&
	    objects_at(&e->objects, pointer->object)->death)
		executor_check_access(e, a, pointer, action->from, 1, false, open->name);
}

/* Bytes that were copied or put out: which argument led to them, the address tells. */
static void check_source(struct execution *e, const struct activation *a,
                         const struct executor_call *open, uint64_t address, uint64_t size)
{
	for (uint16_t k = 1; address && size && k <= open->call.count; k++) {
		const struct code_slot *pointer = argument(e, open, k);

		if (pointer->bits == address && pointer->object && !pointer->undefined) {
			executor_check_access(e, a, pointer, address, size, false, open->name);
			return;
		}
	}
}

static void check_output(struct execution *e, const struct activation *a,
                         const struct executor_call *open, uint64_t address, uint64_t size)
{
	struct execution_error error = {.kind = ERROR_UNINITIALISED_OUTPUT, .outside = open->name};
	uint64_t at;

	if (!address || !size || size > ACTIONS_MOST)
		return;
	at = memory_find_undefined(&e->memory, address, size);
	if (at == size)
		return;
	error.address = address + at;
	error.size = 1;
	error.object = executor_object_at(e, error.address);
	executor_error(e, a, &error);
}

static void check_used(struct execution *e, const struct activation *a,
                       const struct executor_call *open, const struct action *action)
{
	struct execution_error error = {.kind = ERROR_UNINITIALISED_OUTPUT, .outside = open->name};
	const struct code_slot *slot = argument(e, open, action->argument);
	uint64_t mask = action->size >= 8 ? UINT64_MAX : (1ull << 8 * action->size) - 1;

	if (slot && slot->undefined & mask)
		executor_error(e, a, &error);
}

static void bear(struct execution *e, const struct executor_call *open, const struct action *action)
{
	struct object object = {.address = action->to,
	                        .size = action->size,
	                        .birth = open->instance,
	                        .kind = OBJECT_HEAP,
	                        .zeroed = action->zeroed};
	uint32_t number = objects_find(&e->objects, action->to);

	/* The same block, made larger or smaller: pointers to it stay good. */
	if (number && open->resized == number) {
		struct object *o = objects_at(&e->objects, number);

		if (action->size > o->size)
			memory_forget(&e->memory, o->address + o->size, action->size - o->size,
			              SOURCE_UNDEFINED, false);
		else
			memory_lose(&e->memory, o->address + action->size, o->size - action->size,
			            false);
		o->death = 0;
		objects_resize(&e->objects, number, action->size);
		return;
	}
	executor_note_address(e, action->to);
	objects_add(&e->objects, &object);
	executor_begin_object(e, &object);
}

/* The block is free. Code outside may use it again without our seeing it. */
static void lose(struct execution *e, uint32_t number, uint32_t instance)
{
	const struct object *o = objects_at(&e->objects, number);

	memory_lose(&e->memory, o->address, o->size, false);
	objects_end(&e->objects, number, instance);
}

static uint32_t block_at(struct execution *e, uint64_t address)
{
	uint32_t number = objects_find(&e->objects, address);
	const struct object *o = number ? objects_at(&e->objects, number) : NULL;

	return o && o->kind == OBJECT_HEAP && o->address == address ? number : 0;
}

/* Something is freed that is no block of the heap, or not any more. */
static void bad_free(struct execution *e, const struct activation *a,
                     const struct executor_call *open, uint16_t number)
{
	const struct code_slot *pointer = argument(e, open, number);
	struct execution_error error = {.outside = open->name};
	const struct object *o;

	if (!pointer || !pointer->bits || !pointer->object || pointer->object == EXECUTOR_FOREIGN)
		return;
	o = objects_at(&e->objects, pointer->object);
	error.address = pointer->bits;
	error.object = pointer->object;
	error.kind = o->death && o->kind == OBJECT_HEAP ? ERROR_DOUBLE_FREE : ERROR_BAD_FREE;
	executor_error(e, a, &error);
}

static void end_object(struct execution *e, const struct activation *a, struct executor_call *open,
                       const struct action *action, bool resizes)
{
	uint32_t number = block_at(e, action->to);

	if (number && resizes)
		open->resized = number;
	else if (number)
		lose(e, number, open->instance);
	else if (action->to)
		bad_free(e, a, open, action->argument);
}

static bool frees_and_allocates(const struct action_list *list, uint64_t address)
{
	for (uint32_t i = 0; i < list->size; i++)
		if (list->at[i].kind == ACTION_ALLOCATED && list->at[i].to == address)
			return true;
	return false;
}

#define REACHED (1u << 20) /* bytes that a function without a model may have read */

/* What a function without a model could read: the object, and those that it points to. */
static void add_object(struct execution *e, uint32_t number, uint16_t argument, unsigned depth,
                       uint64_t *left)
{
	const struct object *o = objects_at(&e->objects, number);
	uint64_t size = o->size < *left ? o->size : *left;
	struct memory_part part = memory_range(o->address, size);

	if (o->death)
		return;
	*left -= size;
	executor_add_flows(e, argument, 0, o->address, size);
	while (depth && memory_next(&e->memory, &part))
		for (uint32_t k = (part.at + 7) & ~7u; k < part.at + part.size; k += MEMORY_WORD) {
			uint32_t to = part.page->object[k / MEMORY_WORD];

			if (to && to != EXECUTOR_FOREIGN && to != number)
				add_object(e, to, argument, depth - 1, left);
		}
}

static void add_reachable(struct execution *e, const struct executor_call *open)
{
	uint64_t left = REACHED;

	for (uint16_t k = 1; k <= open->call.count; k++) {
		uint32_t object = argument(e, open, k)->object;

		if (object && object != EXECUTOR_FOREIGN)
			add_object(e, object, k, 2, &left);
	}
}

/* What was there when the call first called back: by now callbacks may have seen some of it moved,
   and those bytes are the call's own. */
static void add_earlier(struct execution *e, uint32_t group)
{
	struct execution_group earlier = e->groups.at[group & ~EXECUTION_GROUP];

	for (uint32_t i = 0; i < earlier.count; i++) {
		struct execution_flow flow = e->flows.at[earlier.first + i];
		uint32_t *bytes = flow_bytes_map_find(&e->flow_bytes, earlier.first + i);
		uint32_t at = bytes ? *bytes : 0;

		if (bytes)
			*flow_bytes_map_put(&e->flow_bytes, e->flows.size) = at;
		*vec_push(&e->flows) = flow;
	}
}

static void note_flows(struct execution *e, struct executor_call *open)
{
	const struct action_list *list = &e->actions.list;
	bool keeping = e->keeping;
	uint32_t group;

	if (!open->listed)
		return;
	/* The call is kept, though what is kept may have ended while it ran. */
	e->keeping = true;
	e->bytes_left = e->options.bytes ? EXECUTOR_BYTES : 0;
	group = executor_open_group(e);
	e->groups.at[group & ~EXECUTION_GROUP].call = open->listed;
	for (uint32_t i = 0; i < list->size; i++) {
		const struct action *action = &list->at[i];

		if (action->kind == ACTION_COPIED)
			executor_add_flows(e, action->argument, action->to, action->from,
			                   action->size);
		else if (action->kind == ACTION_READ ||
		         (action->kind == ACTION_OUTPUT && action->from &&
		          action->size <= ACTIONS_MOST))
			executor_add_flows(e, action->argument, 0, action->from, action->size);
	}
	if (!open->call.model)
		add_reachable(e, open);
	if (open->called)
		add_earlier(e, open->group);
	for (uint32_t i = 0; i < open->returns.size; i++)
		vec_push(&e->flows)->source = open->returns.at[i];
	executor_close_group(e, group);
	e->bytes_left = 0;
	open->group = group;
	e->keeping = keeping;
}

void executor_note_callback(struct execution *e, struct executor_call *open)
{
	bool keeping = e->keeping;

	if (open->called || !open->listed)
		return;
	open->called = true;
	e->keeping = true;
	e->bytes_left = e->options.bytes ? EXECUTOR_BYTES : 0;
	open->group = executor_open_group(e);
	e->groups.at[open->group & ~EXECUTION_GROUP].call = open->listed;
	add_reachable(e, open);
	executor_close_group(e, open->group);
	e->bytes_left = 0;
	executor_set_call(e, open->instance, 0, open->group);
	e->keeping = keeping;
}

/* The model says that something was written, but not what: it is unknown then. */
static void lose_unknown(struct execution *e, const struct action *action)
{
	uint32_t number = action->to ? executor_object_at(e, action->to) : 0;
	const struct object *o = number ? objects_at(&e->objects, number) : NULL;

	if (action->size && action->to && action->size <= ACTIONS_MOST)
		memory_lose(&e->memory, action->to, action->size, true);
	else if (o)
		memory_lose(&e->memory, action->to, o->address + o->size - action->to, true);
}

static void apply_one(struct execution *e, struct activation *a, struct executor_call *open,
                      const struct action *action)
{
	uint32_t instance = open->instance;

	switch (action->kind) {
	case ACTION_READ:
		if (action->feeds != ACTIONS_ALL)
			check_region(e, a, open, action, action->from, false);
		else
			check_dead(e, a, open, action);
		break;
	case ACTION_USED: check_used(e, a, open, action); break;
	case ACTION_RETURNED: result_into(e, a, argument(e, open, action->argument)); break;
	case ACTION_WROTE:
	case ACTION_PERMUTED:
	case ACTION_SEEN:
		if (action->kind != ACTION_SEEN)
			check_region(e, a, open, action, action->to, true);
		memory_write(&e->memory, action->to, action->bytes, action->size, instance);
		executor_tell_wrote(e, instance, action->to, action->size);
		break;
	case ACTION_FILLED:
		check_region(e, a, open, action, action->to, true);
		memory_fill(&e->memory, action->to, action->byte, action->size, instance);
		executor_tell_wrote(e, instance, action->to, action->size);
		break;
	case ACTION_ALLOCATED: bear(e, open, action); break;
	case ACTION_FREED:
		end_object(e, a, open, action, frees_and_allocates(&e->actions.list, action->to));
		break;
	case ACTION_UNKNOWN: lose_unknown(e, action); break;
	case ACTION_OUTPUT:
		check_source(e, a, open, action->from, action->size);
		check_output(e, a, open, action->from, action->size);
		break;
	default: break;
	}
}

/* Copies are taken before anything is changed, since the source may be freed or written. */
void executor_apply(struct execution *e, struct activation *a, struct executor_call *open)
{
	const struct action_list *list = &e->actions.list;
	struct memory_block **copies;

	note_flows(e, open);
	if (!list->size)
		return;
	copies = mem_alloc(list->size * sizeof(*copies));
	for (uint32_t i = 0; i < list->size; i++) {
		const struct action *action = &list->at[i];

		if (action->kind != ACTION_COPIED)
			continue;
		check_region(e, a, open, action, action->to, true);
		check_source(e, a, open, action->from, action->size);
		copies[i] = memory_take(&e->memory, action->from, action->size);
	}
	for (uint32_t i = 0; i < list->size; i++)
		if (copies[i]) {
			memory_put(&e->memory, list->at[i].to, copies[i], open->instance);
			executor_tell_wrote(e, open->instance, list->at[i].to, list->at[i].size);
			free(copies[i]);
		} else {
			apply_one(e, a, open, &list->at[i]);
		}
	free(copies);
}

/* The program died in the call: what it was about to free, and where it was about to write. */
void executor_check_actions(struct execution *e, const struct activation *a,
                            const struct executor_call *open)
{
	const struct outside_clause *clause =
		outside_table_clauses(open->call.table, open->call.model);
	const struct action_list *list = &e->actions.list;

	for (uint32_t i = 0; i < open->call.model->clause_count; i++) {
		const struct code_slot *pointer = argument(e, open, clause[i].argument);

		if (clause[i].kind == OUTSIDE_FREES && pointer && !block_at(e, pointer->bits))
			bad_free(e, a, open, clause[i].argument);
	}
	for (uint32_t i = 0; i < list->size; i++)
		if (list->at[i].kind == ACTION_COPIED || list->at[i].kind == ACTION_FILLED)
			check_region(e, a, open, &list->at[i], list->at[i].to, true);
}

/* ------ variable arguments ------ */

/* What va_start() leads to. The tape has the va_list; the values are those that the caller passed. See execution.h. Bytes of an argument come from the instance that made the value, as if it had stored them. A call stores nothing, and has a value besides: for what it returned, va_start is a copy that tells where each value went. */

struct va_list_bytes {
	uint32_t gp_offset, fp_offset;
	uint64_t overflow, saved;
};

/* Where the next variable argument lies: in the registers that were saved, or on the stack. */
static uint64_t next_place(struct va_list_bytes *list, const struct code_argument *argument)
{
	uint64_t at;

	if (strchr("bsilp", argument->letter) && !argument->byval && list->gp_offset < 48) {
		list->gp_offset += 8;
		return list->saved + list->gp_offset - 8;
	}
	if (argument->letter == 'q' && list->gp_offset < 40) {
		list->gp_offset += 16;
		return list->saved + list->gp_offset - 16;
	}
	if (strchr("fdS", argument->letter) && argument->bytes <= 16 && list->fp_offset < 176) {
		list->fp_offset += 16;
		return list->saved + list->fp_offset - 16;
	}
	if (strchr("qeS", argument->letter))
		list->overflow = (list->overflow + 15) & ~15ull;
	at = list->overflow;
	list->overflow += ((argument->byval ? argument->byval : argument->bytes) + 7) & ~7ull;
	return at;
}

/* Is the operand what a call returned? */
static bool is_returned(const struct activation *caller, uint32_t operand)
{
	const struct code_function *f = caller->function;
	uint32_t maker = operand & 1 ? CODE_PARAMETER : f->makers[operand >> 1];

	return !(maker & CODE_PARAMETER) && f->insns[maker].op == CODE_CALL;
}

static void note_returned(struct execution *e, uint32_t call, uint64_t to, uint64_t size)
{
	if (e->keeping)
		*vec_push(&e->flows) =
			(struct execution_flow){.to = to, .size = size, .source = call};
}

static void pass_variable(struct execution *e, const struct activation *caller,
                          const struct code_argument *argument, uint64_t to)
{
	const struct code_slot *from = executor_slot(e, caller, argument->operand);
	uint32_t bytes = argument->bytes < 8 ? 8 : argument->bytes;
	bool returned = from->made && is_returned(caller, argument->operand);

	if (argument->byval) {
		executor_pass_bytes(e, to, from->bits, argument->byval);
		return;
	}
	for (uint32_t w = 0; w < argument->words; w++) {
		struct memory_value v = {.bits = from[w].bits,
		                         .undefined = from[w].undefined,
		                         .source = from[w].made ? from[w].made : caller->call,
		                         .object = from[w].object};

		if (returned)
			v.source = e->next;
		memory_store(&e->memory, to + 8 * w, bytes - 8 * w < 8 ? bytes - 8 * w : 8, &v);
	}
	if (returned)
		note_returned(e, from->made, to, bytes);
}

static void pass_all(struct execution *e, const struct activation *a, struct va_list_bytes *list)
{
	const struct activation *caller = a - 1;
	const struct code_insn *insn = &caller->function->insns[caller->pc - 1];
	const struct code_call *call = insn->more;

	for (uint32_t k = a->function->parameter_count; insn->op == CODE_CALL && k < call->count;
	     k++)
		if (call->arguments[k].operand != CODE_NO_OPERAND)
			pass_variable(e, caller, &call->arguments[k],
			              next_place(list, &call->arguments[k]));
}

void executor_va_start(struct execution *e, struct activation *a, const struct code_insn *i,
                       const uint8_t *tape)
{
	uint64_t address = executor_slot(e, a, i->a)->bits;
	struct va_list_bytes list;
	uint32_t group;

	memory_write(&e->memory, address, tape, i->bytes, e->next);
	executor_tell_wrote(e, e->next, address, i->bytes);
	memcpy(&list, tape, sizeof(list));
	group = executor_open_group(e);
	if (!a->entered && a != e->stack.at)
		pass_all(e, a, &list);
	executor_close_group(e, group);
	executor_note_copy(e, e->next);
	executor_keep(e, 0, group);
}

/* ------ the whole ------ */

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
