/*
 * oracle MAP LOG: goes through the log of a program built with oracle-cc and prints all facts about
 * its run (facts.h): a second, slow opinion about what hence's decoder says. Shares no code with
 * hence.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "facts.h"
#include "graph.h"
#include "shadow.h"

#define MOST_PARAMETERS 64

/* A branch that was executed, or a gate that was passed: then `at` is its own control parent. */
struct choice {
	uint32_t node;
	int64_t at;
};

struct frame {
	struct function *function;
	int64_t activation;
	uint32_t block;
	uint32_t done; /* instructions of the block */
	bool in_block;
	int64_t call;                     /* instance of the call under way */
	uint64_t passed[MOST_PARAMETERS]; /* structures for it, by value */
	struct choice *choices;
	size_t choice_count, choice_room;
};

static struct map map;
static struct frame *frames;
static size_t depth;
static int64_t activations;
static int64_t heap_objects;
static int64_t now; /* number of the next instance */

static struct frame *top(void)
{
	if (!depth) {
		fprintf(stderr, "oracle: the log has code outside of functions\n");
		exit(1);
	}
	return &frames[depth - 1];
}

/* The instance of an instruction of the current block, when it is its turn. */
static int64_t reach(struct frame *f, uint32_t instruction)
{
	if (instruction < f->done) {
		fprintf(stderr, "oracle: %s:%u goes back to %u\n", f->function->name, f->block,
		        instruction);
		exit(1);
	}
	now += instruction - f->done;
	f->done = instruction;
	return now;
}

/* --- functions and blocks --- */

static void enter(const struct event *e)
{
	struct function *function = &map.functions[e->function];
	int64_t call = depth ? top()->call : FACTS_NONE;

	graph_analyse(function);
	frames = realloc(frames, (depth + 1) * sizeof(*frames));
	frames[depth++] = (struct frame){.function = function, .activation = activations++};
	facts_enter(top()->activation, function->name, call);
}

static void leave(void)
{
	struct frame *f = top();
	uint32_t count = f->function->blocks[f->block].instructions;

	facts_leave(f->activation, reach(f, count - 1));
	reach(f, count);
	objects_end_of(f->activation, now);
	free(f->choices);
	depth--;
}

static void choose(struct frame *f, uint32_t node, int64_t at)
{
	if (f->choice_count == f->choice_room) {
		f->choice_room = f->choice_room ? 2 * f->choice_room : 16;
		f->choices = realloc(f->choices, f->choice_room * sizeof(*f->choices));
	}
	f->choices[f->choice_count++] = (struct choice){node, at};
}

/* The last choice that the node is control dependent on. */
static int64_t parent_of(const struct frame *f, uint32_t node)
{
	for (size_t i = f->choice_count; i-- > 0;)
		if (graph_depends(f->function, f->choices[i].node, node))
			return f->choices[i].at;
	return FACTS_NONE;
}

static void begin_block(const struct event *e)
{
	struct frame *f = top();
	struct facts_code code = {f->function->name, e->block, 0};
	uint32_t blocks = f->function->block_count;

	if (f->in_block) {
		const struct block *last = &f->function->blocks[f->block];

		if (last->end == END_BRANCH)
			choose(f, f->block, reach(f, last->instructions - 1));
		reach(f, last->instructions);
	}
	f->in_block = true;
	f->block = e->block;
	f->done = 0;
	if (graph_gated(f->function, f->block))
		choose(f, blocks + f->block, parent_of(f, blocks + f->block));
	facts_block(now, &code, f->activation, parent_of(f, f->block));
}

/* --- objects --- */

static void add_object(const char *kind, const char *name, int64_t number, int64_t of,
                       const struct event *e)
{
	struct facts_place place = {kind, name, number, of, 0};

	objects_add(place, e->address, e->size, now);
	if (!name)
		shadow_set(e->address, e->size, SHADOW_UNWRITTEN);
}

static void born(const struct event *e, int64_t number)
{
	struct facts_place place = {"heap", NULL, number, FACTS_NONE, 0};
	int64_t call = top()->call;

	objects_add(place, e->address, e->size, call);
	shadow_set(e->address, e->size, e->other ? call : SHADOW_UNWRITTEN);
}

/* A structure that was passed by value: what wrote the original wrote the copy. */
static void copied(const struct event *e)
{
	uint64_t from = depth > 1 ? frames[depth - 2].passed[e->instruction % MOST_PARAMETERS] : 0;

	add_object("byval", NULL, e->instruction, top()->activation, e);
	for (uint64_t i = 0; i < e->size; i++)
		shadow_set(e->address + i, 1, from ? shadow_get(from + i) : FACTS_UNKNOWN);
}

static void died(uint64_t address)
{
	if (!objects_end(address, top()->call)) {
		fprintf(stderr, "oracle: the program freed what it did not allocate\n");
		exit(1);
	}
}

/* The object stays the same one, wherever it goes. */
static void moved(const struct event *e)
{
	const struct object *old = objects_find(e->other);
	struct event there = {.address = e->address, .size = e->size};
	int64_t number = old ? old->place.number : 0;
	uint64_t size = old && old->size < e->size ? old->size : e->size;

	died(e->other);
	born(&there, number);
	shadow_set(e->address, size, top()->call);
}

/* --- memory --- */

/* What a value points to, when it looks like a pointer. */
static struct facts_place target(const uint8_t *bytes, uint64_t size)
{
	struct facts_place none = {0};
	uint64_t address;

	if (size != 8)
		return none;
	memcpy(&address, bytes, 8);
	return objects_place(address);
}

static int64_t *sources_of(uint64_t address, uint64_t size, bool *undefined)
{
	int64_t *sources = malloc((size + 1) * sizeof(*sources));

	*undefined = false;
	for (uint64_t i = 0; i < size; i++) {
		sources[i] = shadow_get(address + i);
		*undefined |= sources[i] == SHADOW_UNWRITTEN;
		if (sources[i] < 0)
			sources[i] = FACTS_UNKNOWN;
	}
	return sources;
}

static struct facts_code code_of(const struct event *e)
{
	return (struct facts_code){map.functions[e->function].name, e->block, e->instruction};
}

static void load(const struct event *e, const uint8_t *bytes)
{
	struct facts_code code = code_of(e);
	struct facts_place at = objects_place(e->address), value = target(bytes, e->size);
	bool undefined;
	int64_t *sources = sources_of(e->address, e->size, &undefined);

	facts_load(reach(top(), e->instruction), &code, &at, bytes, e->size, &value, undefined,
	           sources);
	free(sources);
}

static void store(const struct event *e, const uint8_t *bytes)
{
	struct facts_code code = code_of(e);
	struct facts_place at = objects_place(e->address), value = target(bytes, e->size);
	int64_t instance = reach(top(), e->instruction);

	facts_store(instance, &code, &at, bytes, e->size, &value);
	shadow_set(e->address, e->size, instance);
}

static void copy(const struct event *e)
{
	struct facts_code code = code_of(e);
	struct facts_place to = objects_place(e->address), from = objects_place(e->other);
	int64_t instance = reach(top(), e->instruction);
	bool undefined;
	int64_t *sources = sources_of(e->other, e->size, &undefined);

	facts_copy(instance, &code, &to, &from, e->size, sources);
	shadow_set(e->address, e->size, instance);
	free(sources);
}

static void fill(const struct event *e)
{
	struct facts_code code = code_of(e);
	struct facts_place to = objects_place(e->address);
	int64_t instance = reach(top(), e->instruction);

	facts_fill(instance, &code, &to, e->size);
	shadow_set(e->address, e->size, instance);
}

/* --- events --- */

static void call(const struct event *e)
{
	top()->call = reach(top(), e->instruction);
	reach(top(), e->instruction + 1);
}

static void handle(const struct event *e, const uint8_t *bytes)
{
	switch (e->kind) {
	case EVENT_GLOBAL: add_object("global", map.globals[e->function], 0, FACTS_NONE, e); break;
	case EVENT_FUNCTION:
		add_object("function", map.functions[e->function].name, 0, FACTS_NONE, e);
		break;
	case EVENT_ENTER: enter(e); break;
	case EVENT_LEAVE: leave(); break;
	case EVENT_BYVAL: copied(e); break;
	case EVENT_LOCAL: add_object("local", NULL, e->instruction, top()->activation, e); break;
	case EVENT_BLOCK: begin_block(e); break;
	case EVENT_LOAD: load(e, bytes); break;
	case EVENT_STORE: store(e, bytes); break;
	case EVENT_COPY: copy(e); break;
	case EVENT_FILL: fill(e); break;
	case EVENT_DYNAMIC:
		add_object("dynamic", NULL, reach(top(), e->instruction), top()->activation, e);
		break;
	case EVENT_PASS: top()->passed[e->other % MOST_PARAMETERS] = e->address; break;
	case EVENT_CALL: call(e); break;
	case EVENT_WROTE: shadow_set(e->address, e->size, top()->call); break;
	case EVENT_BORN: born(e, heap_objects++); break;
	case EVENT_DIED: died(e->address); break;
	case EVENT_MOVED: moved(e); break;
	default: fprintf(stderr, "oracle: the log is damaged\n"); exit(1);
	}
}

static void put_heap(void)
{
	for (int64_t number = 0; number < heap_objects; number++) {
		const struct object *first = NULL, *last = NULL;

		for (uint32_t i = 0; i < objects_count(); i++) {
			const struct object *o = objects_at(i);

			if (strcmp(o->place.kind, "heap") || o->place.number != number)
				continue;
			first = first ? first : o;
			last = o;
		}
		facts_heap(number, last->size, first->born, last->died);
	}
}

int main(int argc, char **argv)
{
	FILE *in = argc == 3 ? fopen(argv[2], "r") : NULL;
	uint8_t *bytes = NULL;
	struct event e;

	if (!in) {
		fprintf(stderr, "usage: oracle MAP LOG\n");
		return 2;
	}
	map_read(&map, argv[1]);
	while (fread(&e, sizeof(e), 1, in) == 1) {
		bytes = realloc(bytes, e.bytes + 1);
		if (fread(bytes, 1, e.bytes, in) != e.bytes)
			break;
		handle(&e, bytes);
	}
	put_heap();
	free(bytes);
	fclose(in);
	return fflush(stdout) ? 1 : 0;
}
