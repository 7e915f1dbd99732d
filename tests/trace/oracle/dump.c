/*
 * dump MODELS FOLDER: the facts (facts.h) about the first tape of the session in FOLDER, as hence's decoder
 * sees them. Linked with hence; it only prints the decoder's answers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "outside/table.h"
#include "trace/execution.h"

struct dump {
	struct execution *execution;
	const struct program *program;
	const struct objects *objects;
	const struct execution_frame *frames;
	uint32_t frame_count;
	VEC(uint32_t) stack; /* frames under way */
	uint32_t next_frame;
	VEC(uint32_t) live; /* objects that are no locals, by number, oldest first */
	uint32_t next_object;
	VEC(int64_t) heap; /* by object number: which heap object it is */
	int64_t heap_count;
};

static int64_t number_of(uint32_t instance)
{
	return instance < EXECUTION_FIRST ? FACTS_UNKNOWN : (int64_t)instance - EXECUTION_FIRST;
}

static void check(struct hence_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "dump: %s\n", error->message);
	exit(1);
}

/* --- places --- */

static void put_leave(const struct dump *d, uint32_t frame)
{
	facts_leave(frame, number_of(d->frames[frame].end - 1));
}

static const struct code_function *function_of(const struct dump *d, uint32_t frame)
{
	return execution_code_table(d->execution)->functions.at[d->frames[frame].function];
}

/* Frames and objects as they are when this instance begins. */
static void come_to(struct dump *d, uint32_t instance)
{
	while (d->stack.size) {
		uint32_t frame = d->stack.at[d->stack.size - 1];

		if (!d->frames[frame].end || d->frames[frame].end > instance)
			break;
		put_leave(d, frame);
		d->stack.size--;
	}
	for (; d->next_frame < d->frame_count && d->frames[d->next_frame].first <= instance;
	     d->next_frame++) {
		const struct execution_frame *f = &d->frames[d->next_frame];

		*vec_push(&d->stack) = d->next_frame;
		facts_enter(d->next_frame, function_of(d, d->next_frame)->plan->name,
		            f->call ? number_of(f->call) : FACTS_NONE);
	}
	for (; d->next_object < d->objects->all.size &&
	       d->objects->all.at[d->next_object].birth <= instance;
	     d->next_object++)
		*vec_push(&d->live) = d->next_object + 1;
}

static struct facts_place place_of_object(const struct dump *d, uint32_t number, uint64_t offset)
{
	const struct object *o = objects_at(d->objects, number);
	struct facts_place p = {.of = FACTS_NONE, .offset = offset};
	size_t length;

	switch (o->kind) {
	case OBJECT_GLOBAL:
		p.kind = "global";
		p.name = LLVMGetValueName2(
			d->program->modules.at[o->owner].plan->globals.at[o->index], &length);
		break;
	case OBJECT_DYNAMIC:
		p.kind = "dynamic";
		p.number = number_of(o->birth);
		p.of = o->owner;
		break;
	case OBJECT_BYVAL:
		p.kind = "byval";
		p.number = o->index;
		p.of = o->owner;
		break;
	case OBJECT_HEAP:
		p.kind = "heap";
		p.number = d->heap.at[number - 1];
		break;
	default: break;
	}
	return p;
}

static bool find_local(const struct dump *d, uint64_t address, struct facts_place *p)
{
	for (uint32_t s = d->stack.size; s-- > 0;) {
		uint32_t frame = d->stack.at[s];
		const struct plan_function *plan = function_of(d, frame)->plan;
		uint64_t offset = address - d->frames[frame].address;

		if (offset >= plan->frame_size)
			continue;
		for (uint32_t i = 0; i < plan->locals.size; i++) {
			const struct plan_local *l = &plan->locals.at[i];

			if (offset < l->offset || offset - l->offset >= l->size)
				continue;
			*p = (struct facts_place){"local", NULL, i, frame, offset - l->offset};
			return true;
		}
	}
	return false;
}

static struct facts_place place_at(struct dump *d, uint32_t instance, uint64_t address)
{
	const struct program_place *function = program_at(d->program, address);
	struct facts_place p = {0}, other;

	if (function)
		return (struct facts_place){"function",
		                            program_function(d->program, *function)->name, 0,
		                            FACTS_NONE, 0};
	if (find_local(d, address, &p))
		return p;
	for (uint32_t i = d->live.size; i-- > 0;) {
		const struct object *o = objects_at(d->objects, d->live.at[i]);
		bool dead = o->death && o->death < instance;

		if (dead || o->kind == OBJECT_LOCAL) {
			memmove(&d->live.at[i], &d->live.at[i + 1],
			        (d->live.size - i - 1) * sizeof(*d->live.at));
			d->live.size--;
		} else if (address >= o->address && address - o->address < o->size) {
			other = place_of_object(d, d->live.at[i], address - o->address);
			/* equal constants may lie at the same place */
			if (!p.kind || (p.name && other.name && strcmp(other.name, p.name) < 0))
				p = other;
		}
	}
	return p;
}

/* --- instances --- */

static uint64_t operand(const struct dump *d, uint32_t instance, uint32_t which)
{
	uint64_t value = 0;
	uint32_t made;

	if (!execution_operand(d->execution, instance, which, &value, &made)) {
		fprintf(stderr, "dump: %u: an operand is not kept\n", instance);
		exit(1);
	}
	return value;
}

/* The sources of `size` bytes; in flows, `base` is where they begin. */
static int64_t *sources_of(const struct dump *d, uint32_t instance, uint64_t base, uint64_t size,
                           bool *undefined)
{
	uint32_t source = execution_source(d->execution, instance);
	int64_t *sources = mem_alloc((size + 1) * sizeof(*sources));
	const struct execution_group *group;
	const struct execution_flow *flows;

	*undefined = source == SOURCE_UNDEFINED;
	for (uint64_t i = 0; i < size; i++)
		sources[i] = number_of(source);
	if (!(source & EXECUTION_GROUP))
		return sources;
	for (uint64_t i = 0; i < size; i++)
		sources[i] = FACTS_UNKNOWN;
	group = execution_group(d->execution, source);
	flows = execution_flows(d->execution, group);
	for (uint32_t f = 0; f < group->count; f++) {
		*undefined |= flows[f].source == SOURCE_UNDEFINED;
		for (uint64_t i = 0; i < flows[f].size; i++)
			if (flows[f].to - base + i < size)
				sources[flows[f].to - base + i] = number_of(flows[f].source);
	}
	return sources;
}

/* --- the same once more from execution_origins() --- */

#define UNTOLD       (-9)
#define MOST_SINGLES 64 /* bytes that are asked for one by one */

struct told {
	uint64_t read; /* address of the first byte that was read */
	uint64_t size;
	int64_t *sources;
};

static void note_bytes(void *context, const struct execution_origin *origin)
{
	struct told *told = context;
	uint64_t at = origin->from - told->read;

	for (uint64_t i = 0; i < origin->size; i++)
		if (at + i < told->size)
			told->sources[at + i] = number_of(origin->source);
		else
			printf("origins tell of bytes that were not read\n");
}

/* Asks for bytes `from` up to `to`, or for all if that is 0: they, and no others, must have these
   sources. They are counted from `base`. */
static void ask(const struct dump *d, uint32_t instance, struct told *told, uint64_t base,
                uint64_t from, uint64_t to, const int64_t *sources)
{
	for (uint64_t i = 0; i < told->size; i++)
		told->sources[i] = UNTOLD;
	execution_origins(d->execution, instance, to ? base + from : 0, to ? base + to : 0,
	                  note_bytes, told);
	to = to ? to : told->size;
	for (uint64_t i = 0; i < told->size; i++)
		if (told->sources[i] != (i >= from && i < to ? sources[i] : UNTOLD))
			printf("origins of %lld, bytes %llu to %llu: %lld for byte %llu\n",
			       (long long)number_of(instance), (unsigned long long)from,
			       (unsigned long long)to, (long long)told->sources[i],
			       (unsigned long long)i);
}

/* Origins must be what the flows say, which are compared with the oracle: all bytes, both halves,
   each byte alone. `base` is what the bytes asked for are counted from. */
static void check_origins(const struct dump *d, uint32_t instance, uint64_t read, uint64_t base,
                          uint64_t size, const int64_t *sources)
{
	struct told told = {read, size, mem_alloc((size + 1) * sizeof(*told.sources))};

	if (size) {
		ask(d, instance, &told, base, 0, 0, sources);
		ask(d, instance, &told, base, 0, size / 2 ? size / 2 : size, sources);
		ask(d, instance, &told, base, size / 2, size, sources);
	}
	for (uint64_t i = 0; i < size && i < MOST_SINGLES; i++)
		ask(d, instance, &told, base, i, i + 1, sources);
	free(told.sources);
}

static struct facts_place target(struct dump *d, uint32_t instance, uint64_t value, uint64_t size)
{
	struct facts_place none = {0};

	return size == 8 ? place_at(d, instance, value) : none;
}

/* Is it about the stack pointer that is kept while an array of variable length lives? */
static bool is_stack_value(LLVMValueRef value)
{
	const char *intrinsic = ir_intrinsic(value);

	return intrinsic && !strncmp(intrinsic, "stacksave", 9);
}

static bool is_about_stack(LLVMValueRef i)
{
	if (LLVMIsAStoreInst(i))
		return is_stack_value(LLVMGetOperand(i, 0));
	if (!LLVMIsALoadInst(i))
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMGetOperand(i, 0)); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsAStoreInst(user) && is_stack_value(LLVMGetOperand(user, 0)))
			return true;
	}
	return false;
}

static void put_load(struct dump *d, uint32_t instance, const struct code_insn *insn,
                     const struct facts_code *code)
{
	uint64_t value = execution_value(d->execution, instance);
	struct facts_place at = place_at(d, instance, operand(d, instance, insn->a));
	struct facts_place to = target(d, instance, value, insn->bytes);
	bool undefined;
	int64_t *sources = sources_of(d, instance, 0, insn->bytes, &undefined);

	facts_load(number_of(instance), code, &at, (const uint8_t *)&value, insn->bytes, &to,
	           undefined, sources);
	check_origins(d, instance, operand(d, instance, insn->a), 0, insn->bytes, sources);
	free(sources);
}

static void put_store(struct dump *d, uint32_t instance, const struct code_insn *insn,
                      const struct facts_code *code)
{
	uint64_t value = execution_value(d->execution, instance);
	struct facts_place at = place_at(d, instance, operand(d, instance, insn->b));
	struct facts_place to = target(d, instance, value, insn->bytes);

	facts_store(number_of(instance), code, &at, (const uint8_t *)&value, insn->bytes, &to);
}

static void put_copy(struct dump *d, uint32_t instance, const struct code_insn *insn,
                     const struct facts_code *code, uint64_t size)
{
	uint64_t to_address = operand(d, instance, insn->a);
	struct facts_place to = place_at(d, instance, to_address);
	struct facts_place from = place_at(d, instance, operand(d, instance, insn->b));
	bool undefined;
	int64_t *sources = sources_of(d, instance, to_address, size, &undefined);

	facts_copy(number_of(instance), code, &to, &from, size, sources);
	check_origins(d, instance, operand(d, instance, insn->b), to_address, size, sources);
	free(sources);
}

static void put_fill(struct dump *d, uint32_t instance, const struct code_insn *insn,
                     const struct facts_code *code, uint64_t size)
{
	struct facts_place to = place_at(d, instance, operand(d, instance, insn->a));

	facts_fill(number_of(instance), code, &to, size);
}

static void put_insn(struct dump *d, uint32_t instance, const struct facts_code *code)
{
	const struct code_insn *insn = execution_insn(d->execution, instance);

	if (is_about_stack(execution_instruction(d->execution, instance)))
		return;
	switch (insn->op) {
	case CODE_LOAD:
	case CODE_LOAD_WIDE: put_load(d, instance, insn, code); break;
	case CODE_STORE:
	case CODE_STORE_WIDE: put_store(d, instance, insn, code); break;
	case CODE_COPY: put_copy(d, instance, insn, code, operand(d, instance, insn->c)); break;
	case CODE_FILL: put_fill(d, instance, insn, code, operand(d, instance, insn->c)); break;
	case CODE_VA_START: put_fill(d, instance, insn, code, 24); break;
	case CODE_VA_COPY: put_copy(d, instance, insn, code, 24); break;
	default: break;
	}
}

static uint32_t block_of(const struct code_function *f, uint32_t index)
{
	uint32_t low = 0, high = f->plan->blocks.size;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (f->blocks[middle] <= index)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void put_instance(struct dump *d, uint32_t instance)
{
	const struct execution_segment *segment = execution_segment(d->execution, instance);
	uint32_t number = execution_code(d->execution, instance);
	const struct code_function *f = code_of(execution_code_table(d->execution), number);
	struct facts_code code = {.function = f->plan->name};

	code.block = block_of(f, number - f->first);
	code.number = number - f->first - f->blocks[code.block];
	come_to(d, instance);
	if (code.number == 0) {
		bool by_call = segment->parent == d->frames[segment->frame].call;

		facts_block(number_of(instance), &code, segment->frame,
		            by_call || !segment->parent ? FACTS_NONE : number_of(segment->parent));
	}
	put_insn(d, instance, &code);
}

/* --- the run --- */

/* The object that realloc() moved to this one; the number of it, 0: none. */
static uint32_t moved_from(const struct dump *d, uint32_t i)
{
	const struct object *o = &d->objects->all.at[i];

	while (i-- > 0)
		if (d->objects->all.at[i].kind == OBJECT_HEAP &&
		    d->objects->all.at[i].death == o->birth)
			return i + 1;
	return 0;
}

static void number_heap(struct dump *d)
{
	int64_t count = 0;

	for (uint32_t i = 0; i < d->objects->all.size; i++) {
		bool heap = d->objects->all.at[i].kind == OBJECT_HEAP;
		uint32_t from = heap ? moved_from(d, i) : 0;
		int64_t number = from ? d->heap.at[from - 1] : heap ? count++ : 0;

		*vec_push(&d->heap) = number;
	}
	d->heap_count = count;
}

static void put_heap(const struct dump *d)
{
	for (int64_t number = 0; number < d->heap_count; number++) {
		const struct object *first = NULL, *last = NULL;

		for (uint32_t i = 0; i < d->objects->all.size; i++) {
			const struct object *o = &d->objects->all.at[i];

			if (o->kind != OBJECT_HEAP || d->heap.at[i] != number)
				continue;
			first = first ? first : o;
			last = o;
		}
		facts_heap(number, last->size, number_of(first->birth),
		           last->death ? number_of(last->death) : FACTS_NONE);
	}
}

static void put_all(struct execution *execution)
{
	struct dump d = {.execution = execution, .objects = execution_objects(execution)};
	uint32_t first, end;

	d.program = execution_code_table(execution)->program;
	d.frames = execution_frames(execution, &d.frame_count);
	number_heap(&d);
	execution_kept(execution, &first, &end);
	for (uint32_t i = first; i < end; i++)
		put_instance(&d, i);
	come_to(&d, end);
	put_heap(&d);
	vec_deinit(&d.stack);
	vec_deinit(&d.live);
	vec_deinit(&d.heap);
}

int main(int argc, char **argv)
{
	struct execution_options options = {.retain = true};
	struct modules *modules = modules_create();
	struct execution *execution;
	uint64_t mismatches;
	uint32_t kept;
	void *table;
	size_t size;

	if (argc != 3) {
		fprintf(stderr, "usage: dump MODELS FOLDER\n");
		return 2;
	}
	check(outside_table_load(argv[1], NULL, 0, &table, &size));
	options.table = table;
	check(execution_create(modules, argv[2], 0, &options, &execution));
	check(execution_run(execution, NULL));
	put_all(execution);
	execution_mismatches(execution, &kept, &mismatches);
	if (mismatches)
		printf("mismatches %llu\n", (unsigned long long)mismatches);
	execution_destroy(execution);
	modules_destroy(modules);
	free(table);
	return fflush(stdout) ? 1 : 0;
}
