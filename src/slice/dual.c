/* Dual slices: see dual.h. */
#include "slice/dual.h"

#include <string.h>

#include "align/align.h"
#include "base/str.h"
#include "base/vec.h"
#include "words/names.h"
#include "slice/marks.h"
#include "trace/history.h"

struct dual_run {
	const struct recording *recording;
	struct execution *e;
	const struct execution_segment *segments;
	const struct execution_frame *frames;
	uint32_t segment_count;
	uint32_t first, end; /* instances */
	VEC(uint32_t) ends;  /* of each statement the instance that ends it */
	uint32_t *before;    /* of each segment: statements that ended before it */
	uint32_t *next;      /* of each segment: 1 + index of the next one of its frame; 0: none */
	const struct writes *writes; /* of the history, or: */
	struct writes own;
	bool shared; /* the history has the execution */
	bool begun;
	bool over;    /* decoded to its end */
	bool stopped; /* before it came to where it was to go */
};

/* Where an instance is in the code. */
struct dual_place {
	const struct code_function *function;
	uint32_t segment; /* index */
	uint32_t pc;      /* instruction, in the function */
};

static inline const struct code_insn *dual_run_insn(const struct dual_place *place)
{
	return &place->function->insns[place->pc];
}

/* Objects that began at one address. */
struct dual_start {
	uint64_t address;
	uint64_t end;          /* of the longest of them */
	uint64_t far;          /* the furthest end of those at this and lower addresses */
	uint32_t first, count; /* in `numbers`, by birth */
};

struct dual_objects {
	const struct objects *all;
	uint32_t *numbers;
	uint32_t *births; /* numbers of those that an instance made, by that */
	uint32_t birth_count;
	struct dual_start *starts;
	uint32_t count; /* of starts */
};

/* Is it one that a single instance made: a heap block, or memory that grows on the stack? */
static inline bool dual_objects_has_birth(const struct object *object)
{
	return object->kind == OBJECT_HEAP || object->kind == OBJECT_DYNAMIC;
}

/* What is wanted of an instance. */
enum dual_want {
	DUAL_ITSELF, /* that it was executed */
	DUAL_VALUE,  /* its value, and all that it wrote */
	DUAL_BYTES,  /* some bytes that it wrote */
	DUAL_EARLY, /* what an outside call had done before a callback of it, `limit`, was executed */
};

struct dual_item {
	uint32_t instance, limit;
	uint64_t from, to;
	uint8_t side, want;
	bool fresh; /* nothing of it was wanted before */
};

/* Bytes that are wanted: in order and apart. */
struct dual_ranges {
	VEC(struct execution_range) at;
};

MAP_DEFINE_U64(dual_range_map, struct dual_ranges);
MAP_DEFINE_U64(dual_limit_map, uint32_t);

struct dual_origins {
	VEC(struct execution_origin) at;
};

struct dual_edges {
	VEC(struct dual_edge) at;
	uint32_t sorted; /* so many are in order, each once */
};

/* Of each run. */
struct dual_found {
	uint64_t *in, *whole; /* bits: is in it; and its value is wanted */
	struct dual_range_map ranges;
	struct dual_limit_map limits; /* of those wanted early */
	struct dual_edges edges;
	/* Of structures passed by value: the same edges through the memory that they were passed from. */
	struct dual_edges passed;
};

struct dual_walk {
	struct dual_pair *pair;
	struct dual_found found[2];
	VEC(struct dual_item) work;
	struct dual_origins lists[2]; /* room */
	bool stopped;
};

/* The instance that is looked at, and what both runs have it from. */
struct dual_use {
	struct dual_walk *walk;
	unsigned side;
	uint32_t instance;
	uint32_t other; /* the aligned one; 0: none */
	uint32_t limit; /* instances from this on do not count */
	struct dual_origins origins, others;
};

MAP_DEFINE_U64(dual_word_map, uint64_t);

struct dual_pair {
	struct dual_run runs[2];
	struct dual_objects objects[2];
	uint32_t *others
		[2]; /* of each object 1 + the number of that which corresponds; 0: not known yet */
	uint32_t *
		known[2]; /* of each instance 1 + the one that is aligned, or 1; 0: not known yet */
	const struct alignment *alignment;
	struct names *names[2]; /* of two versions; NULL: not asked for yet */
	/* Pointers to what is not the program's, of the first run, that corresponding calls returned:
	   what those of the second are. */
	struct dual_word_map foreign;
};

/* Written before point `from`, and read behind point `to`. */
struct dual_life {
	uint64_t address, size;
	uint64_t from, to;
};

struct dual_cell {
	uint64_t address, size;
	uint64_t far;          /* the furthest end of this and all before it */
	uint32_t first, count; /* in `lives`, in order of time */
};

struct dual_cut {
	VEC(struct dual_life) lives;
	VEC(struct dual_cell) cells; /* by address */
};

/* ------ one run of a dual slice ------ */

#define STEP 65536u /* instances that are decoded at a time */

/* --- what is noted while it is decoded --- */

static void note_write(void *context, struct execution *e, uint32_t instance, uint64_t address,
                       uint64_t size)
{
	struct dual_run *run = context;

	writes_note(&run->own, e, instance, address, size);
}

static void note_statement(void *context, struct execution *e, enum execution_event event,
                           uint64_t number)
{
	struct dual_run *run = context;
	const struct activation *a = execution_top(e, 0);

	(void)event;
	if (!run->begun)
		writes_note_given(&run->own, e);
	run->begun = true;
	/* A call that a handler interrupts is told of later than what the handler did. */
	while (run->ends.size < number)
		vec_push(&run->ends);
	if (!run->ends.at[number - 1])
		run->ends.at[number - 1] = a->function->insns[a->pc - 1].op == CODE_CALL
		                                   ? a->call
		                                   : execution_next(e) - 1;
}

/* --- decoding --- */

/* Decodes until statement `last` has ended; `memory`: bytes that it may take. Caller frees with
   dual_run_deinit(), also after an error. */
static struct hence_error *dual_run_decode(struct dual_run *run, const struct recording *recording,
                                           uint64_t last, uint64_t memory,
                                           bool (*stop)(void *context), void *context)
{
	struct execution_options options = {.table = recording->table,
	                                    .retain = true,
	                                    .windows = true,
	                                    .memory = memory,
	                                    .statement = note_statement,
	                                    .wrote = note_write,
	                                    .context = run};
	struct hence_error *error;
	uint32_t count;
	bool ended = false;
	uint32_t statements = 0;

	*run = (struct dual_run){.recording = recording, .own.most = memory / 4};
	error = history_whole(recording, &run->e);
	run->writes = !error && run->e ? history_writes(recording) : NULL;
	run->shared = run->writes != NULL;
	if (run->shared) {
		for (uint64_t t = 1; t <= execution_statements(run->e); t++)
			*vec_push(&run->ends) = history_end(recording, t);
		run->over = ended = true;
	} else if (!error) {
		run->writes = &run->own;
		error = execution_create(recording->modules, recording->folder, recording->tape,
		                         &options, &run->e);
	}
	while (!error && !ended && !run->own.full && !run->stopped) {
		error = execution_advance(run->e, (uint64_t)execution_next(run->e) + STEP,
		                          recording->death, &ended);
		run->over = ended;
		ended |= run->ends.size >= last &&
		         (!last || !execution_is_under_way(run->e, run->ends.at[last - 1]));
		run->stopped = !ended && stop && stop(context);
	}
	if (!error && run->own.full)
		error = error_create(
			HENCE_ERROR_INPUT,
			"the runs are too long to be compared: the memory for what they copied is "
			"used up after %llu instructions; give the program less to do",
			(unsigned long long)execution_instances(run->e));
	if (error)
		return error;
	execution_kept(run->e, &run->first, &run->end);
	run->segments = execution_segments(run->e, &run->segment_count);
	run->frames = execution_frames(run->e, &count);
	writes_sort(&run->own);
	for (uint32_t i = 0; i < run->ends.size; i++)
		if (!run->ends.at[i])
			run->ends.at[i] = i ? run->ends.at[i - 1] : run->first;
	run->before = mem_alloc((run->segment_count + 1) * sizeof(*run->before));
	run->next = mem_alloc((run->segment_count + 1) * sizeof(*run->next));
	for (uint32_t i = 0; i < run->segment_count; i++) {
		while (statements < run->ends.size &&
		       run->ends.at[statements] < run->segments[i].first)
			statements++;
		run->before[i] = statements;
		if (run->segments[i].previous)
			run->next[run->segments[i].previous - 1] = i + 1;
	}
	return NULL;
}

static void dual_run_deinit(struct dual_run *run)
{
	if (!run->shared)
		execution_destroy(run->e);
	vec_deinit(&run->ends);
	writes_deinit(&run->own);
	free(run->before);
	free(run->next);
}

/* --- where and when --- */

static struct dual_place dual_run_place(const struct dual_run *run, uint32_t instance)
{
	const struct execution_segment *s = execution_segment(run->e, instance);
	const struct code *code = execution_code_table(run->e);
	const struct code_function *f = code->functions.at[run->frames[s->frame].function];

	return (struct dual_place){f, (uint32_t)(s - run->segments),
	                           s->code - f->first + (instance - s->first)};
}

static uint32_t dual_run_segment_end(const struct dual_run *run, uint32_t segment)
{
	return segment + 1 < run->segment_count ? run->segments[segment + 1].first : run->end;
}

/* The instance that ends the statement which this one computes something for; 0: the run died of it,
   or is not known so far. */
static uint32_t dual_run_statement_end(const struct dual_run *run, uint32_t instance)
{
	struct dual_place p = dual_run_place(run, instance);

	for (;;) {
		uint32_t end = dual_run_segment_end(run, p.segment);

		for (; instance < end; instance++, p.pc++)
			if (p.function->insns[p.pc].flags & CODE_STATEMENT)
				return instance;
		if (!run->next[p.segment])
			return 0;
		p.segment = run->next[p.segment] - 1;
		instance = run->segments[p.segment].first;
		p.pc = run->segments[p.segment].code - p.function->first;
	}
}

/* How many statements ended before the instance. */
static uint32_t count_before(const struct dual_run *run, uint32_t instance)
{
	uint32_t segment = (uint32_t)(execution_segment(run->e, instance) - run->segments);
	uint32_t count = run->before[segment];

	while (count < run->ends.size && run->ends.at[count] < instance)
		count++;
	return count;
}

/* Is it counted: does a statement end with it? A call that returns once more, as setjmp(), is not. */
static bool dual_run_is_end(const struct dual_run *run, uint32_t instance)
{
	uint32_t count = count_before(run, instance);

	return count < run->ends.size && run->ends.at[count] == instance;
}

static uint64_t dual_run_time_of(const struct dual_run *run, uint32_t end)
{
	uint32_t count;

	if (!end)
		return (uint64_t)run->ends.size + 1;
	count = count_before(run, end);
	return count < run->ends.size && run->ends.at[count] == end ? count + 1 : count;
}

/* The number of that statement, and of the one that ends with this instance. */
static uint64_t dual_run_time(const struct dual_run *run, uint32_t instance)
{
	return dual_run_time_of(run, dual_run_statement_end(run, instance));
}

/* Is it before the point of that statement: did the compiler put it in front? */
static bool dual_run_is_in_front(const struct dual_run *run, uint32_t instance)
{
	struct dual_place p = dual_run_place(run, instance);

	for (const struct code_insn *i = dual_run_insn(&p);; i++) {
		if (i > dual_run_insn(&p) && i->flags & CODE_BEGINS)
			return true;
		if (i->flags & CODE_STATEMENT)
			return false;
		if (i->op >= CODE_GOTO)
			return true;
	}
}

/* The instance that ends the statement; of the one that the run died of the last, or the call that it died
   in; 0: none. */
static uint32_t dual_run_of_time(const struct dual_run *run, uint64_t time)
{
	if (time && time <= run->ends.size)
		return run->ends.at[time - 1];
	if (!run->over || !run->ends.size || time != (uint64_t)run->ends.size + 1)
		return 0;
	/* It may have died in a call, which was counted when it began: abort(). */
	return execution_died(run->e) ? run->end - 1 : run->ends.at[run->ends.size - 1];
}

/* --- what was written --- */

/* The write of an instance that has all of these bytes; NULL: none. */
static const struct write *dual_run_write(const struct dual_run *run, uint32_t instance,
                                          uint64_t address, uint64_t size)
{
	uint32_t low = 0, high = run->writes->all.size;
	const struct write *found = NULL;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (run->writes->all.at[middle].instance < instance)
			low = middle + 1;
		else
			high = middle;
	}
	/* The last one is what stayed. */
	for (; low < run->writes->all.size && run->writes->all.at[low].instance == instance;
	     low++) {
		const struct write *w = &run->writes->all.at[low];

		if (address >= w->address && address - w->address + size <= w->size)
			found = w;
	}
	return found;
}

/* ------ the cut of a dual slice at a point ------ */

static int by_place(const void *a, const void *b)
{
	const struct dual_life *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

static bool is_same_place(const struct dual_life *a, const struct dual_life *b)
{
	return a->address == b->address && a->size == b->size;
}

static void add_lives(struct dual_cut *cut, const struct dual_run *run,
                      const struct dual_edges *edges)
{
	for (uint32_t i = 0; i < edges->at.size; i++) {
		const struct dual_edge *edge = &edges->at.at[i];
		struct dual_life life = {.address = edge->address, .size = edge->size};

		if (!edge->size)
			continue;
		if (edge->from >= EXECUTION_FIRST)
			life.from = dual_run_time(run, edge->from) +
			            !dual_run_is_in_front(run, edge->from);
		life.to = dual_run_time(run, edge->to) - dual_run_is_in_front(run, edge->to);
		if (life.from <= life.to)
			*vec_push(&cut->lives) = life;
	}
}

static void dual_cut_init(struct dual_cut *cut, const struct dual_run *run,
                          const struct dual_found *found)
{
	uint32_t count = 0;
	uint64_t far = 0;

	*cut = (struct dual_cut){0};
	add_lives(cut, run, &found->edges);
	add_lives(cut, run, &found->passed);
	if (cut->lives.size)
		qsort(cut->lives.at, cut->lives.size, sizeof(*cut->lives.at), by_place);
	/* Times of one place that touch become one. */
	for (uint32_t i = 0; i < cut->lives.size; i++) {
		struct dual_life *last = count ? &cut->lives.at[count - 1] : NULL;
		const struct dual_life *life = &cut->lives.at[i];

		if (last && is_same_place(last, life) && life->from <= last->to + 1)
			last->to = life->to > last->to ? life->to : last->to;
		else
			cut->lives.at[count++] = *life;
	}
	cut->lives.size = count;
	for (uint32_t i = 0; i < cut->lives.size; i++) {
		const struct dual_life *life = &cut->lives.at[i];
		struct dual_cell *cell;

		if (!i || !is_same_place(life - 1, life)) {
			cell = vec_push(&cut->cells);
			cell->address = life->address;
			cell->size = life->size;
			cell->first = i;
			far = life->address + life->size > far ? life->address + life->size : far;
			cell->far = far;
		}
		cut->cells.at[cut->cells.size - 1].count++;
	}
}

static void dual_cut_deinit(struct dual_cut *cut)
{
	vec_deinit(&cut->lives);
	vec_deinit(&cut->cells);
}

static bool matters_at(const struct dual_cut *cut, const struct dual_cell *cell, uint64_t time)
{
	uint32_t low = cell->first, high = cell->first + cell->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (cut->lives.at[middle].to < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low < cell->first + cell->count && cut->lives.at[low].from <= time;
}

static bool dual_cut_crosses(const struct dual_cut *cut, uint64_t time, uint64_t address,
                             uint64_t size)
{
	uint32_t low = 0, high = cut->cells.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (cut->cells.at[middle].address < address + size)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0 && cut->cells.at[low].far > address) {
		const struct dual_cell *cell = &cut->cells.at[low];

		if (cell->address + cell->size > address && matters_at(cut, cell, time))
			return true;
	}
	return false;
}

/* ------ the edges of a dual slice, and what its bytes are wanted of: sets that grow ------ */

/* --- edges --- */

static int by_ends(const void *a, const void *b)
{
	const struct dual_edge *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return (int)x->control - (int)y->control;
}

/* Into the order of `to`: each instance has few edges. */
static void distribute(struct dual_edges *edges)
{
	uint32_t last = 0, *begins;
	struct dual_edge *sorted = mem_alloc(edges->at.size * sizeof(*sorted));

	for (uint32_t i = 0; i < edges->at.size; i++)
		last = edges->at.at[i].to > last ? edges->at.at[i].to : last;
	begins = mem_alloc(((size_t)last + 2) * sizeof(*begins));
	for (uint32_t i = 0; i < edges->at.size; i++)
		begins[edges->at.at[i].to + 1]++;
	for (uint32_t i = 0; i < last; i++)
		begins[i + 1] += begins[i];
	for (uint32_t i = 0; i < edges->at.size; i++)
		sorted[begins[edges->at.at[i].to]++] = edges->at.at[i];
	free(begins);
	free(edges->at.at);
	edges->at.at = sorted;
	edges->at.room = edges->at.size;
}

/* Puts them in order, each once. */
static void dual_edges_sort(struct dual_edges *edges)
{
	struct dual_edge *at;
	uint32_t count = 0;

	if (edges->sorted == edges->at.size)
		return;
	distribute(edges);
	at = edges->at.at;
	for (uint32_t i = 0, end; i < edges->at.size; i = end) {
		for (end = i + 1; end < edges->at.size && at[end].to == at[i].to; end++)
			;
		if (end - i > 1)
			qsort(&at[i], end - i, sizeof(*at), by_ends);
		for (uint32_t k = i; k < end; k++)
			if (!count || by_ends(&at[count - 1], &at[k]))
				at[count++] = at[k];
	}
	edges->sorted = edges->at.size = count;
}

/* An instance that is followed for one byte after the other tells its operands each time. */
static void dual_edges_add(struct dual_edges *edges, const struct dual_edge *edge)
{
	*vec_push(&edges->at) = *edge;
	if (edges->at.size >= 2 * edges->sorted + 65536)
		dual_edges_sort(edges);
}

/* --- ranges --- */

/* False: these bytes were there. */
static bool dual_ranges_add(struct dual_ranges *r, uint64_t from, uint64_t to)
{
	uint32_t low = 0, high = r->at.size, end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (r->at.at[middle].to < from)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < r->at.size && r->at.at[end].from <= to; end++) {
		if (r->at.at[end].from <= from && to <= r->at.at[end].to)
			return false;
		from = r->at.at[end].from < from ? r->at.at[end].from : from;
		to = r->at.at[end].to > to ? r->at.at[end].to : to;
	}
	if (end == low)
		vec_push(&r->at);
	memmove(&r->at.at[low + 1], &r->at.at[end == low ? low : end],
	        (r->at.size - (end == low ? low + 1 : end)) * sizeof(*r->at.at));
	r->at.size -= end == low ? 0 : end - low - 1;
	r->at.at[low] = (struct execution_range){from, to};
	return true;
}

/* ------ objects of a run by address and time ------ */

static int by_start_and_birth(const void *a, const void *b, void *context)
{
	const struct objects *all = context;
	uint32_t m = *(const uint32_t *)a, n = *(const uint32_t *)b;
	const struct object *x = objects_at(all, m), *y = objects_at(all, n);

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->birth != y->birth)
		return x->birth < y->birth ? -1 : 1;
	return m < n ? -1 : 1;
}

static int by_birth(const void *a, const void *b, void *context)
{
	const struct objects *all = context;
	uint32_t m = *(const uint32_t *)a, n = *(const uint32_t *)b;
	uint32_t x = objects_at(all, m)->birth, y = objects_at(all, n)->birth;

	return x != y ? (x < y ? -1 : 1) : m < n ? -1 : 1;
}

static void dual_objects_init(struct dual_objects *o, const struct objects *all)
{
	uint32_t count = all->all.size;
	uint64_t far = 0;

	*o = (struct dual_objects){.all = all,
	                           .numbers = mem_alloc((count + 1) * sizeof(*o->numbers)),
	                           .births = mem_alloc((count + 1) * sizeof(*o->births)),
	                           .starts = mem_alloc((count + 1) * sizeof(*o->starts))};
	for (uint32_t i = 0; i < count; i++)
		o->numbers[i] = i + 1;
	qsort_r(o->numbers, count, sizeof(*o->numbers), by_start_and_birth, (void *)all);
	for (uint32_t i = 0; i < count; i++) {
		const struct object *object = objects_at(all, o->numbers[i]);
		struct dual_start *s = o->count ? &o->starts[o->count - 1] : NULL;

		if (!s || s->address != object->address) {
			s = &o->starts[o->count++];
			*s = (struct dual_start){.address = object->address, .first = i};
		}
		s->count++;
		if (object->address + object->size > s->end)
			s->end = object->address + object->size;
		far = s->end > far ? s->end : far;
		s->far = far;
	}
	for (uint32_t i = 1; i <= o->all->all.size; i++)
		if (dual_objects_has_birth(objects_at(o->all, i)))
			o->births[o->birth_count++] = i;
	qsort_r(o->births, o->birth_count, sizeof(*o->births), by_birth, (void *)o->all);
}

static void dual_objects_deinit(struct dual_objects *objects)
{
	free(objects->numbers);
	free(objects->births);
	free(objects->starts);
}

/* The last of them that was born by then; 0: none. */
static uint32_t last_born(const struct dual_objects *o, const struct dual_start *s,
                          uint32_t instance)
{
	uint32_t low = 0, high = s->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (objects_at(o->all, o->numbers[s->first + middle])->birth <= instance)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? o->numbers[s->first + low - 1] : 0;
}

/* The number of the object that had the address, preferably one that was alive; 0: none. */
static uint32_t dual_objects_at(const struct dual_objects *o, uint64_t address, uint32_t instance)
{
	uint32_t low = 0, high = o->count, dead = 0;

	if (!o->count || address < o->starts[0].address || address >= o->starts[o->count - 1].far)
		return 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (o->starts[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low-- > 0 && o->starts[low].far > address;) {
		uint32_t number = last_born(o, &o->starts[low], instance);
		const struct object *found = number ? objects_at(o->all, number) : NULL;

		if (!found || address - found->address >= found->size)
			continue;
		if (!found->death || found->death > instance)
			return number;
		if (!dead || found->birth > objects_at(o->all, dead)->birth)
			dead = number;
	}
	return dead;
}

/* The first of `births` that was born by this instance or a later one. */
static uint32_t first_born(const struct dual_objects *o, uint32_t birth)
{
	uint32_t low = 0, high = o->birth_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (objects_at(o->all, o->births[middle])->birth < birth)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The nth, from 0, of those that this instance made; 0: none. And which one of them it is. */
static uint32_t dual_objects_born(const struct dual_objects *o, uint32_t birth, uint32_t nth)
{
	uint32_t at = first_born(o, birth) + nth;

	if (at >= o->birth_count || objects_at(o->all, o->births[at])->birth != birth)
		return 0;
	return o->births[at];
}

static uint32_t dual_objects_nth(const struct dual_objects *o, uint32_t number)
{
	uint32_t first = first_born(o, objects_at(o->all, number)->birth), at = first;

	while (o->births[at] != number)
		at++;
	return at - first;
}

/* ------ instances of two runs that correspond ------ */

/* --- instances --- */

/* Do the instructions from these on, up to the end of the statement, look the same? */
static bool is_same_shape(const struct dual_place *a, const struct dual_place *b, uint32_t count)
{
	for (uint32_t i = 0; i <= count; i++) {
		const struct code_insn *x = dual_run_insn(a) + i, *y = dual_run_insn(b) + i;

		if (x->op != y->op || x->bits != y->bits || x->words != y->words ||
		    x->bytes != y->bytes)
			return false;
	}
	return true;
}

/* The instance of instruction `pc` in the same statement as `end`, which is the last of it; 0: none. */
static uint32_t find_before(const struct dual_run *run, uint32_t end, uint32_t pc)
{
	struct dual_place p = dual_run_place(run, end);
	uint32_t at = end;

	for (;;) {
		uint32_t first = run->segments[p.segment].first;

		for (;; at--, p.pc--) {
			if (at != end && dual_run_insn(&p)->flags & CODE_STATEMENT)
				return 0;
			if (p.pc == pc)
				return at;
			if (at == first)
				break;
		}
		if (!run->segments[p.segment].previous)
			return 0;
		p.segment = run->segments[p.segment].previous - 1;
		at = dual_run_segment_end(run, p.segment) - 1;
		p.pc = run->segments[p.segment].code - p.function->first +
		       (at - run->segments[p.segment].first);
	}
}

/* Of two versions of a function: by the place before the end of the statement, if all looks the same from
   there on. */
static uint32_t find_alike(const struct dual_run *other, const struct dual_place *p, uint32_t left,
                           uint32_t end)
{
	struct dual_place q = dual_run_place(other, end);

	if (q.pc < left || end - other->segments[q.segment].first < left)
		return 0;
	q.pc -= left;
	return is_same_shape(p, &q, left) ? end - left : left ? 0 : end;
}

static uint32_t dual_pair_counterpart(const struct dual_pair *pair, unsigned side,
                                      uint32_t instance);

/* A call that returned once more, which is no statement of its own, comes next after what jumped. */
static uint32_t find_returned(const struct dual_pair *pair, unsigned side, uint32_t instance)
{
	const struct dual_run *run = &pair->runs[side], *other = &pair->runs[!side];
	uint32_t jumped = execution_source(run->e, instance), found;
	struct dual_place p, q;

	if (jumped < EXECUTION_FIRST || jumped & EXECUTION_GROUP || jumped + 1 != instance)
		return 0;
	found = dual_pair_counterpart(pair, side, jumped);
	if (!found || found + 1 >= other->end)
		return 0;
	p = dual_run_place(run, instance);
	q = dual_run_place(other, found + 1);
	return p.function->plan == q.function->plan && p.pc == q.pc ? found + 1 : 0;
}

static uint32_t find_counterpart(const struct dual_pair *pair, unsigned side, uint32_t instance)
{
	const struct dual_run *run = &pair->runs[side], *other = &pair->runs[!side];
	uint32_t end = dual_run_statement_end(run, instance), there;
	uint64_t time = dual_run_time_of(run, end);
	struct dual_place p = dual_run_place(run, instance);

	if (end == instance && !dual_run_is_end(run, end))
		return find_returned(pair, side, instance);
	if (!end && !execution_died(run->e))
		return 0;
	time = side ? alignment_of_b(pair->alignment, time) : alignment_of_a(pair->alignment, time);
	there = dual_run_of_time(other, time);
	if (!there)
		return 0;
	if (dual_run_place(other, there).function->plan == p.function->plan)
		return find_before(other, there, p.pc);
	if (!end)
		return instance + 1 == run->end ? there : 0;
	if (dual_run_place(run, end).segment != p.segment)
		return 0;
	return find_alike(other, &p, end - instance, there);
}

/* The instance of the other run that is aligned with this one of run `side`; 0: none. */
static uint32_t dual_pair_counterpart(const struct dual_pair *pair, unsigned side,
                                      uint32_t instance)
{
	uint32_t *known = &pair->known[side][instance], found;

	if (*known)
		return *known - 1;
	found = find_counterpart(pair, side, instance);
	*known = found + 1;
	if (found)
		pair->known[!side][found] = instance + 1;
	return found;
}

/* --- branches --- */

/* The block that the function went on with, as the code of its first instruction; UINT32_MAX: none. */
static uint32_t way_of(const struct dual_run *run, uint32_t branch)
{
	struct dual_place p = dual_run_place(run, branch);
	uint32_t next = run->next[p.segment];

	return next ? run->segments[next - 1].code - p.function->first : UINT32_MAX;
}

/* The function that a call entered; NULL: none that we see. */
static const struct plan_function *entered(const struct dual_run *run, uint32_t call)
{
	struct code *code = execution_code_table(run->e);
	const struct execution_segment *s;

	if (call + 1 >= run->end)
		return NULL;
	s = execution_segment(run->e, call + 1);
	if (run->frames[s->frame].call != call)
		return NULL;
	return code->functions.at[run->frames[s->frame].function]->plan;
}

static bool is_same_function(const struct plan_function *a, const struct plan_function *b)
{
	return a == b || (a && b && !strcmp(a->name, b->name));
}

/* Did the branch or call, which is aligned, go another way in the other run? */
static bool dual_pair_parts(const struct dual_pair *pair, unsigned side, uint32_t instance,
                            uint32_t other)
{
	const struct dual_run *a = &pair->runs[side], *b = &pair->runs[!side];
	struct dual_place p = dual_run_place(a, instance), q = dual_run_place(b, other);
	uint8_t op = dual_run_insn(&p)->op;

	if (op == CODE_CALL)
		return !is_same_function(entered(a, instance), entered(b, other));
	if (op == CODE_BRANCH || p.function->plan != q.function->plan)
		return execution_value(a->e, instance) != execution_value(b->e, other);
	return way_of(a, instance) != way_of(b, other);
}

/* --- both runs --- */

/* What outside calls returned: pointers that lead to no object, a FILE for instance. */
static void pair_foreign(struct dual_pair *pair)
{
	const struct dual_run *a = &pair->runs[0], *b = &pair->runs[1];
	uint32_t count = execution_call_count(a->e);

	for (uint32_t i = 1; i <= count; i++) {
		uint32_t call = execution_call(a->e, i)->instance, other;

		if (!(execution_insn(a->e, call)->flags & CODE_POINTER) ||
		    !execution_value(a->e, call))
			continue;
		other = dual_pair_counterpart(pair, 0, call);
		if (other && execution_value(b->e, other))
			*dual_word_map_put(&pair->foreign, execution_value(a->e, call)) =
				execution_value(b->e, other);
	}
}

/* To be called when both runs are decoded. */
static void dual_pair_init(struct dual_pair *pair, const struct alignment *alignment)
{
	pair->alignment = alignment;
	for (unsigned i = 0; i < 2; i++) {
		const struct objects *all = execution_objects(pair->runs[i].e);

		dual_objects_init(&pair->objects[i], all);
		pair->others[i] = mem_alloc((all->all.size + 1) * sizeof(*pair->others[i]));
		pair->known[i] = mem_alloc(((size_t)pair->runs[i].end + 1) * sizeof(uint32_t));
	}
	pair_foreign(pair);
}

static void dual_pair_deinit(struct dual_pair *pair)
{
	for (unsigned i = 0; i < 2; i++) {
		names_destroy(pair->names[i]);
		dual_objects_deinit(&pair->objects[i]);
		dual_run_deinit(&pair->runs[i]);
		free(pair->others[i]);
		free(pair->known[i]);
	}
	dual_word_map_deinit(&pair->foreign);
}

/* ------ objects of two runs that correspond ------ */

/* --- frames --- */

static const struct plan_function *function_of(const struct dual_run *run, uint32_t frame)
{
	return execution_code_table(run->e)->functions.at[run->frames[frame].function]->plan;
}

/* Versions of a function may begin in different ways: then what called them tells. */
static uint32_t find_called(const struct dual_pair *pair, unsigned side, uint32_t frame)
{
	const struct dual_run *run = &pair->runs[side], *other = &pair->runs[!side];
	const struct execution_frame *f = &run->frames[frame];
	uint32_t call = f->call ? dual_pair_counterpart(pair, side, f->call) : 0, found = 0;

	if (call && call + 1 < other->end)
		found = execution_segment(other->e, call + 1)->frame;
	else if (f->call || f->within || frame)
		return UINT32_MAX;
	if (other->frames[found].call != call ||
	    strcmp(function_of(run, frame)->name, function_of(other, found)->name))
		return UINT32_MAX;
	return found;
}

/* The call of the other run that is aligned with that of this frame of run `side`: its frame; UINT32_MAX:
   none. */
static uint32_t dual_pair_frame(const struct dual_pair *pair, unsigned side, uint32_t frame)
{
	uint32_t first = pair->runs[side].frames[frame].first, there, found;

	if (first < pair->runs[side].first || first >= pair->runs[side].end)
		return UINT32_MAX;
	there = dual_pair_counterpart(pair, side, first);
	if (!there)
		return find_called(pair, side, frame);
	found = execution_segment(pair->runs[!side].e, there)->frame;
	return pair->runs[!side].frames[found].first == there ? found : UINT32_MAX;
}

/* --- objects --- */

/* Has the other run this module, too? Of two versions of a program only those that did not change. */
static bool dual_pair_has_module(const struct dual_pair *pair, unsigned side, uint32_t module)
{
	const struct program *here = execution_code_table(pair->runs[side].e)->program;
	const struct program *there = execution_code_table(pair->runs[!side].e)->program;

	for (uint32_t i = 0; i < there->modules.size; i++)
		if (there->modules.at[i].plan == here->modules.at[module].plan)
			return true;
	return false;
}

/* LLVM may only be asked whether something is a string when it is a sequence of numbers: "" and a struct are not. */
static bool is_string(LLVMValueRef value)
{
	return value && LLVMIsAConstantDataSequential(value) && LLVMIsConstantString(value);
}

/* Of two versions: a literal is known by its text, since its name is a number. */
static bool is_same_named(LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef x = LLVMGetInitializer(a), y = LLVMGetInitializer(b);
	const char *texts[2];
	size_t lengths[2];

	if (LLVMGetLinkage(a) == LLVMPrivateLinkage && is_string(x) && is_string(y)) {
		texts[0] = LLVMGetAsString(x, &lengths[0]);
		texts[1] = LLVMGetAsString(y, &lengths[1]);
		return lengths[0] == lengths[1] && !memcmp(texts[0], texts[1], lengths[0]);
	}
	return !strcmp(LLVMGetValueName2(a, &lengths[0]), LLVMGetValueName2(b, &lengths[1]));
}

static bool is_same_global(const struct dual_pair *pair, unsigned side, const struct object *a,
                           const struct object *b)
{
	const struct plan *plans[2];

	plans[0] = execution_code_table(pair->runs[side].e)->program->modules.at[a->owner].plan;
	plans[1] = execution_code_table(pair->runs[!side].e)->program->modules.at[b->owner].plan;
	if (plans[0] == plans[1])
		return a->index == b->index;
	return !dual_pair_has_module(pair, side, a->owner) &&
	       is_same_named(plans[0]->globals.at[a->index], plans[1]->globals.at[b->index]);
}

static bool is_same_role(const struct dual_pair *pair, unsigned side, const struct object *a,
                         const struct object *b)
{
	if (a->kind != b->kind)
		return false;
	return a->kind == OBJECT_GIVEN ? a->owner == b->owner && a->index == b->index
	                               : is_same_global(pair, side, a, b);
}

/* Globals and what the program was given: most often at the same place in both lists. */
static uint32_t find_role(const struct dual_pair *pair, unsigned side, uint32_t number)
{
	const struct objects *all = pair->objects[!side].all;
	const struct object *a = objects_at(pair->objects[side].all, number);

	if (number <= all->all.size && is_same_role(pair, side, a, objects_at(all, number)))
		return number;
	for (uint32_t n = 1; n <= all->all.size; n++)
		if (is_same_role(pair, side, a, objects_at(all, n)))
			return n;
	return 0;
}

/* What the source calls a local; NULL: it is the compiler's own. */
static const char *name_of(const struct dual_pair *pair, unsigned side, const struct object *o)
{
	struct execution *e = pair->runs[side].e;
	const struct execution_frame *f = &pair->runs[side].frames[o->owner];
	const struct code_function *function = execution_code_table(e)->functions.at[f->function];
	struct names **names = (struct names **)&pair->names[side];
	const struct variable *variable;

	if (!*names)
		*names = names_create(e);
	variable = variables_of_alloca(names_variables(*names, function->place.module),
	                               function->plan->locals.at[o->index].alloca_);
	return variable ? variable->name : NULL;
}

static bool is_same_local(const struct dual_pair *pair, unsigned side, const struct object *a,
                          const struct object *b)
{
	const char *names[2];

	if (function_of(&pair->runs[side], a->owner) == function_of(&pair->runs[!side], b->owner))
		return a->index == b->index;
	names[0] = name_of(pair, side, a);
	names[1] = name_of(pair, !side, b);
	return names[0] && names[1] && !strcmp(names[0], names[1]);
}

static uint32_t find_local(const struct dual_pair *pair, unsigned side, const struct object *a)
{
	const struct objects *all = pair->objects[!side].all;
	uint32_t frame = dual_pair_frame(pair, side, a->owner), n;

	if (frame == UINT32_MAX)
		return 0;
	n = pair->runs[!side].frames[frame].object;
	if (a->kind == OBJECT_BYVAL) {
		while (--n && objects_at(all, n)->kind == OBJECT_BYVAL &&
		       objects_at(all, n)->owner == frame)
			if (objects_at(all, n)->index == a->index)
				return n;
		return 0;
	}
	for (; n <= all->all.size; n++) {
		const struct object *b = objects_at(all, n);

		if (b->kind != OBJECT_LOCAL || b->owner != frame)
			return 0;
		if (is_same_local(pair, side, a, b))
			return n;
	}
	return 0;
}

static uint32_t find_object(const struct dual_pair *pair, unsigned side, uint32_t number)
{
	const struct object *a = objects_at(pair->objects[side].all, number);
	uint32_t birth;

	switch ((enum object_kind)a->kind) {
	case OBJECT_LOCAL:
	case OBJECT_BYVAL: return find_local(pair, side, a);
	case OBJECT_HEAP:
	case OBJECT_DYNAMIC:
		birth = dual_pair_counterpart(pair, side, a->birth);
		return birth ? dual_objects_born(&pair->objects[!side], birth,
		                                 dual_objects_nth(&pair->objects[side], number))
		             : 0;
	default: return find_role(pair, side, number);
	}
}

/* The object of the other run that corresponds to this one of run `side`; 0: none. */
static uint32_t dual_pair_object(const struct dual_pair *pair, unsigned side, uint32_t number)
{
	uint32_t *known = &pair->others[side][number];

	if (!*known)
		*known = 1 + find_object(pair, side, number);
	return *known - 1;
}

/* The other run's address of the same byte of the corresponding object, as they were when these
   instances, one of each run, were executed. False: there is none. */
static bool dual_pair_translate(const struct dual_pair *pair, unsigned side,
                                const uint32_t instances[2], uint64_t address, uint64_t *out)
{
	uint32_t number = dual_objects_at(&pair->objects[side], address, instances[side]), other;

	other = number ? dual_pair_object(pair, side, number) : 0;
	if (!other)
		return false;
	*out = objects_at(pair->objects[!side].all, other)->address +
	       (address - objects_at(pair->objects[side].all, number)->address);
	return true;
}

/* A local of the function that the instance is in, or of a caller, also one that is no object: where the
   aligned call has it; 0: it has none. False: it is no local. */
static bool find_in_frames(const struct dual_pair *pair, unsigned side, uint32_t instance,
                           uint64_t address, uint64_t *out)
{
	const struct dual_run *run = &pair->runs[side];
	const struct code *code = execution_code_table(run->e);
	uint32_t frame = execution_segment(run->e, instance)->frame + 1, other;

	for (; frame; frame = run->frames[frame - 1].caller) {
		const struct execution_frame *f = &run->frames[frame - 1];

		if (address < f->address ||
		    address - f->address >= code->functions.at[f->function]->plan->frame_size)
			continue;
		other = dual_pair_frame(pair, side, frame - 1);
		*out = other == UINT32_MAX
		               ? 0
		               : pair->runs[!side].frames[other].address + (address - f->address);
		return true;
	}
	return false;
}

/* Behind the end of an object, which is smaller than in the other run: does nothing else lie there? */
static bool is_free(const struct dual_pair *pair, unsigned side, uint32_t number, uint64_t address)
{
	const struct object *o = objects_at(pair->objects[side].all, number);
	uint32_t other;

	if (address - o->address < o->size)
		return true;
	other = dual_objects_at(&pair->objects[side], address, o->birth);
	return !other || other == number;
}

/* The same, also of locals that are no objects: see dual_place(). */
static uint64_t dual_pair_place(const struct dual_pair *pair, unsigned side, uint32_t instance,
                                uint64_t address)
{
	uint32_t number = dual_objects_at(&pair->objects[side], address, instance), other;
	uint64_t out;

	if (!number)
		return find_in_frames(pair, side, instance, address, &out) ? out : address;
	other = dual_pair_object(pair, side, number);
	if (!other)
		return 0;
	out = objects_at(pair->objects[!side].all, other)->address +
	      (address - objects_at(pair->objects[side].all, number)->address);
	return is_free(pair, !side, other, out) ? out : 0;
}

/* ------ values of two runs compared ------ */

#define DEEPEST 16u /* steps back that are compared to know a wide value */

/* --- words --- */

static bool point_to_same_place(const struct dual_pair *pair, const uint32_t instances[2],
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
static bool are_same_function(const struct dual_pair *pair, const uint64_t words[2])
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

/* Are these words, pointers perhaps, equal as the instances of each run had them? */
static bool dual_pair_same_word(const struct dual_pair *pair, const uint32_t instances[2],
                                const uint64_t words[2])
{
	const uint64_t *other;
	bool any = false;

	if (point_to_same_place(pair, instances, words, 0, &any))
		return true;
	/* Just behind an object, where there is another one perhaps. */
	if (point_to_same_place(pair, instances, words, 1, &any))
		return true;
	if (any)
		return false;
	if (words[0] == words[1] || are_same_function(pair, words))
		return true;
	other = dual_word_map_find(&pair->foreign, words[0]);
	return other && *other == words[1];
}

/* --- what instances made --- */

struct origin_list {
	VEC(struct execution_origin) at;
};

static void note_origin(void *context, const struct execution_origin *origin)
{
	struct origin_list *list = context;

	*vec_push(&list->at) = *origin;
}

static bool is_same_value(const struct dual_pair *pair, const uint32_t instances[2],
                          unsigned depth);

static bool dual_pair_same_bytes(const struct dual_pair *pair, unsigned side,
                                 const uint32_t instances[2], uint64_t address, uint64_t size);

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
		execution_origins(pair->runs[i].e, instances[i], 0, 0, note_origin, &lists[i]);
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

/* Is the value of an instance the same in both runs? */
static bool dual_pair_same_value(const struct dual_pair *pair, const uint32_t instances[2])
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

/* Where an instance of a run wrote these bytes, the aligned one of the other run did so, too: the address.
   False: nobody knows where. */
static bool dual_pair_written(const struct dual_pair *pair, unsigned side,
                              const uint32_t instances[2], uint64_t address, uint64_t *out)
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
static const uint8_t *bytes_of(const struct dual_run *run, const struct write *w, uint64_t address)
{
	return run->writes->bytes + w->at + (address - w->address);
}

static bool is_same_part(const struct dual_pair *pair, const uint32_t instances[2],
                         const struct write *const writes[2], const uint64_t at[2], uint64_t size)
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
		const struct write *writes[2];

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

/* Did aligned instances write the same to these bytes, whose address is that of run `side`? */
static bool dual_pair_same_bytes(const struct dual_pair *pair, unsigned side,
                                 const uint32_t instances[2], uint64_t address, uint64_t size)
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

/* Was the program given the same bytes at this address of run `side`? */
static bool dual_pair_same_given(const struct dual_pair *pair, unsigned side, uint64_t address,
                                 uint64_t size)
{
	static const uint32_t given[2] = {SOURCE_GIVEN, SOURCE_GIVEN};
	uint64_t at[2];

	at[side] = address;
	return dual_pair_translate(pair, side, given, address, &at[!side]) &&
	       is_same_written(pair, given, at, size);
}

/* ------ the way back through both runs ------ */

/* A worklist of what is wanted of which instance. What is wanted in one run is wanted in the other as well, if that has the instance. */

/* --- wanting --- */

static bool is_new(struct dual_found *f, const struct dual_item *item)
{
	uint32_t *limit;
	bool whole = marks_has(f->whole, item->instance);

	switch ((enum dual_want)item->want) {
	case DUAL_ITSELF: return item->fresh;
	case DUAL_VALUE: marks_set(f->whole, item->instance); return !whole;
	case DUAL_BYTES:
		return !whole && dual_ranges_add(dual_range_map_put(&f->ranges, item->instance),
		                                 item->from, item->to);
	default:
		limit = dual_limit_map_put(&f->limits, item->instance);
		if (whole || item->limit <= *limit)
			return false;
		*limit = item->limit;
		return true;
	}
}

static bool add(struct dual_walk *w, struct dual_item *item)
{
	struct dual_found *f = &w->found[item->side];

	if (item->want == DUAL_BYTES &&
	    (!item->from || !execution_copies(w->pair->runs[item->side].e, item->instance)))
		item->want = DUAL_VALUE;
	if (item->want != DUAL_BYTES)
		item->from = item->to = 0;
	item->fresh = !marks_has(f->in, item->instance);
	marks_set(f->in, item->instance);
	if (!is_new(f, item))
		return false;
	*vec_push(&w->work) = *item;
	return true;
}

/* The same of the other run. */
static bool mirror(const struct dual_walk *w, struct dual_item *item)
{
	uint32_t other = dual_pair_counterpart(w->pair, item->side, item->instance), both[2];
	uint64_t from;

	if (!other)
		return false;
	both[item->side] = item->instance;
	both[!item->side] = other;
	if (item->want == DUAL_BYTES) {
		if (!dual_pair_written(w->pair, item->side, both, item->from, &from))
			item->want = DUAL_VALUE;
		else
			item->to += from - item->from;
		item->from = item->want == DUAL_BYTES ? from : 0;
	} else if (item->want == DUAL_EARLY) {
		item->limit = dual_pair_counterpart(w->pair, item->side, item->limit);
	}
	item->instance = other;
	item->side = !item->side;
	return true;
}

/* Wants something of an instance, and of the aligned one, if that is new. */
static void dual_walk_want(struct dual_walk *w, struct dual_item item)
{
	if (item.instance >= EXECUTION_FIRST && add(w, &item) && mirror(w, &item))
		add(w, &item);
}

static void dual_use_init(struct dual_use *use, struct dual_walk *w, unsigned side,
                          uint32_t instance);
static void dual_use_explain(const struct dual_use *use);
static const struct code_call *dual_use_call(const struct dual_use *use);
static void dual_use_follow_operand(struct dual_use *use, uint32_t operand);
static void dual_use_find(struct dual_use *use, uint64_t from, uint64_t to);
static void dual_use_follow(const struct dual_use *use, const struct execution_origin *o);
static void dual_use_deinit(struct dual_use *use);

/* Follows all until nothing is new. */
static void dual_walk_run(struct dual_walk *w, bool (*stop)(void *context), void *context)
{
	for (uint32_t steps = 1; w->work.size; steps++) {
		struct dual_item item = w->work.at[--w->work.size];
		struct dual_use use;

		dual_use_init(&use, w, item.side, item.instance);
		use.limit = item.limit;
		if (item.fresh && !use.other)
			dual_use_explain(&use);
		/* Which function was called is why all in it was executed. */
		if (item.want == DUAL_ITSELF && dual_use_call(&use))
			dual_use_follow_operand(&use, dual_use_call(&use)->callee);
		if (item.want != DUAL_ITSELF)
			dual_use_find(&use, item.from, item.to);
		for (uint32_t i = 0; i < use.origins.at.size; i++)
			dual_use_follow(&use, &use.origins.at.at[i]);
		dual_use_deinit(&use);
		if (stop && steps % 16384 == 0 && stop(context)) {
			w->stopped = true;
			break;
		}
	}
	for (unsigned i = 0; i < 2; i++)
		dual_edges_sort(&w->found[i].edges);
}

/* --- beginning and end --- */

static void dual_walk_init(struct dual_walk *w, struct dual_pair *pair)
{
	*w = (struct dual_walk){.pair = pair};
	for (unsigned i = 0; i < 2; i++) {
		size_t words = pair->runs[i].end / 64 + 1;

		w->found[i].in = mem_alloc(words * sizeof(uint64_t));
		w->found[i].whole = mem_alloc(words * sizeof(uint64_t));
	}
}

static void dual_walk_deinit(struct dual_walk *w)
{
	for (unsigned i = 0; i < 2; i++) {
		struct dual_found *f = &w->found[i];

		free(f->in);
		free(f->whole);
		map_each(&f->ranges, k) vec_deinit(&f->ranges.at[k].value.at);
		dual_range_map_deinit(&f->ranges);
		dual_limit_map_deinit(&f->limits);
		vec_deinit(&f->edges.at);
		vec_deinit(&f->passed.at);
	}
	vec_deinit(&w->work);
	vec_deinit(&w->lists[0].at);
	vec_deinit(&w->lists[1].at);
}

/* ------ what an instance in a dual slice came from, and whether that differs ------ */

static void add_origin(void *context, const struct execution_origin *origin)
{
	struct dual_origins *list = context;

	*vec_push(&list->at) = *origin;
}

static const struct dual_run *run_of(const struct dual_use *use)
{
	return &use->walk->pair->runs[use->side];
}

/* --- does it differ? --- */

/* Where the instance read from; 0: from more than one place, or not at all. */
static uint64_t read_at(const struct dual_run *run, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(run->e, instance);
	uint64_t address = 0;
	uint32_t made;

	switch ((enum code_op)insn->op) {
	case CODE_LOAD:
	case CODE_LOAD_WIDE:
	case CODE_ATOMIC: execution_operand(run->e, instance, insn->a, &address, &made); break;
	case CODE_COPY:
	case CODE_VA_COPY: execution_operand(run->e, instance, insn->b, &address, &made); break;
	default: break;
	}
	return address;
}

/* Where the other run's instance reads what this one reads at an address; 0: it does not. */
static uint64_t read_there(const struct dual_use *use, uint64_t address)
{
	uint64_t here = read_at(run_of(use), use->instance);
	uint64_t there = read_at(&use->walk->pair->runs[!use->side], use->other);

	if (here && there)
		return address - here + there;
	return dual_pair_place(use->walk->pair, use->side, use->instance, address);
}

/* Does the other run's instance have it from that source, byte for byte? */
static bool has_source(const struct dual_use *use, uint32_t source,
                       const struct execution_origin *like)
{
	uint64_t at = like->size && !like->value ? read_there(use, like->from) : 0;

	for (uint32_t i = 0; i < use->others.at.size; i++) {
		const struct execution_origin *o = &use->others.at.at[i];

		if (o->source != source || o->chosen || !o->size != !like->size)
			continue;
		if (!like->size || like->value ||
		    (at >= o->from && at + like->size <= o->from + o->size))
			return true;
	}
	return false;
}

static void both_of(const struct dual_use *use, uint32_t instance, uint32_t other, uint32_t out[2])
{
	out[use->side] = instance;
	out[!use->side] = other;
}

/* What no instance made. */
static bool differs_before(const struct dual_use *use, const struct execution_origin *o)
{
	const struct code_insn *insn = execution_insn(run_of(use)->e, use->instance);
	uint32_t both[2];

	if (use->other && !has_source(use, o->source, o))
		return true;
	both_of(use, use->instance, use->other, both);
	if (o->source == SOURCE_GIVEN && o->size)
		return !dual_pair_same_given(use->walk->pair, use->side, o->from, o->size);
	if (use->other && (insn->op == CODE_LOAD || o->source == SOURCE_GIVEN))
		return !dual_pair_same_value(use->walk->pair, both);
	return o->source != SOURCE_INITIAL && o->source != SOURCE_UNDEFINED;
}

static bool differs(const struct dual_use *use, const struct execution_origin *o)
{
	uint32_t other, both[2];

	if (o->source < EXECUTION_FIRST)
		return differs_before(use, o);
	other = dual_pair_counterpart(use->walk->pair, use->side, o->source);
	if (!other || (use->other && !has_source(use, other, o)))
		return true;
	if (o->itself)
		return false;
	both_of(use, o->source, other, both);
	if (o->size && !o->value)
		return !o->written ||
		       !dual_pair_same_bytes(use->walk->pair, use->side, both, o->written, o->size);
	return !dual_pair_same_value(use->walk->pair, both);
}

/* --- following --- */

static void add_edge(const struct dual_use *use, uint32_t from, const struct execution_origin *o,
                     bool control)
{
	struct dual_edge edge = {
		.from = from, .to = use->instance, .side = (uint8_t)use->side, .control = control};

	if (o && o->size && !o->value) {
		edge.address = o->from;
		edge.size = o->size;
	}
	dual_edges_add(&use->walk->found[use->side].edges, &edge);
	if (!edge.size || !o->written || o->written == o->from)
		return;
	edge.address = o->written;
	dual_edges_add(&use->walk->found[use->side].passed, &edge);
}

/* Is the instance within the outside call that it reads from: has that called it back? */
static bool is_within(const struct dual_use *use, uint32_t call)
{
	const struct dual_run *run = run_of(use);
	uint32_t source;

	if (use->instance < call || execution_insn(run->e, call)->op != CODE_CALL)
		return false;
	source = execution_source(run->e, call);
	return source & EXECUTION_GROUP &&
	       use->instance < execution_call(run->e, execution_group(run->e, source)->call)->until;
}

static void follow_data(const struct dual_use *use, const struct execution_origin *o)
{
	struct dual_item item = {.instance = o->source,
	                         .limit = UINT32_MAX,
	                         .side = (uint8_t)use->side,
	                         .want = DUAL_VALUE};

	add_edge(use, o->source, o, false);
	if (o->source < EXECUTION_FIRST)
		return;
	if (o->itself) {
		item.want = DUAL_ITSELF;
	} else if (o->size && !o->value && is_within(use, o->source)) {
		item.want = DUAL_EARLY;
		item.limit = use->instance;
	} else if (o->size && !o->value) {
		item.want = DUAL_BYTES;
		item.from = o->written;
		item.to = o->written + o->size;
	}
	dual_walk_want(use->walk, item);
}

/* A branch or call that decided. */
static void follow_control(const struct dual_use *use, uint32_t by)
{
	struct dual_item item = {.instance = by,
	                         .limit = UINT32_MAX,
	                         .side = (uint8_t)use->side,
	                         .want = DUAL_VALUE};

	add_edge(use, by, NULL, true);
	if (execution_insn(run_of(use)->e, by)->op == CODE_CALL)
		item.want = DUAL_ITSELF;
	dual_walk_want(use->walk, item);
}

static bool decides(const struct dual_use *use, uint32_t by)
{
	uint32_t other = dual_pair_counterpart(use->walk->pair, use->side, by);

	return !other || dual_pair_parts(use->walk->pair, use->side, by, other);
}

/* Why only one of the runs has the instance. It need not be what controls it: the other run may have left
   by another way, longjmp() for instance. */
static void dual_use_explain(const struct dual_use *use)
{
	const struct dual_run *run = run_of(use);
	uint32_t parent = execution_segment(run->e, use->instance)->parent;
	const struct align_fork *fork;

	if (parent >= EXECUTION_FIRST && decides(use, parent)) {
		follow_control(use, parent);
		return;
	}
	fork = alignment_decided(use->walk->pair->alignment, use->side == 0,
	                         dual_run_time(run, use->instance));
	parent = fork ? dual_run_of_time(run, use->side ? fork->b : fork->a) : 0;
	if (parent)
		follow_control(use, parent);
}

/* Follows something that the instance came from, if it differs. */
static void dual_use_follow(const struct dual_use *use, const struct execution_origin *o)
{
	if (o->source >= use->limit)
		return;
	if (o->chosen && (o->source < EXECUTION_FIRST || !decides(use, o->source)))
		return;
	if (o->chosen)
		follow_control(use, o->source);
	else if (differs(use, o))
		follow_data(use, o);
}

/* --- one instance --- */

/* One at a time: the next one takes over its lists. */
static void dual_use_init(struct dual_use *use, struct dual_walk *w, unsigned side,
                          uint32_t instance)
{
	*use = (struct dual_use){.walk = w,
	                         .side = side,
	                         .instance = instance,
	                         .other = dual_pair_counterpart(w->pair, side, instance),
	                         .limit = UINT32_MAX,
	                         .origins = w->lists[0],
	                         .others = w->lists[1]};
	use->origins.at.size = use->others.at.size = 0;
}

/* One at a time is looked at: the next one takes over its lists. */
static void dual_use_deinit(struct dual_use *use)
{
	use->walk->lists[0] = use->origins;
	use->walk->lists[1] = use->others;
}

/* Of bytes that a copy wrote the other run's may lie elsewhere. */
static void dual_use_find(struct dual_use *use, uint64_t from, uint64_t to)
{
	const struct dual_pair *pair = use->walk->pair;
	uint32_t both[2];
	uint64_t there;

	execution_origins(run_of(use)->e, use->instance, from, to, add_origin, &use->origins);
	if (!use->other)
		return;
	both_of(use, use->instance, use->other, both);
	if (to && dual_pair_written(pair, use->side, both, from, &there))
		execution_origins(pair->runs[!use->side].e, use->other, there, there + (to - from),
		                  add_origin, &use->others);
	else
		execution_origins(pair->runs[!use->side].e, use->other, 0, 0, add_origin,
		                  &use->others);
}

/* The call by which its function was called: what that passes is no value of its own. */
static uint32_t caller_of(const struct dual_use *use)
{
	const struct dual_run *run = run_of(use);
	const struct execution_frame *f =
		&run->frames[execution_segment(run->e, use->instance)->frame];

	return f->call ? f->call : f->within;
}

static void dual_use_follow_operand(struct dual_use *use, uint32_t operand)
{
	const struct dual_pair *pair = use->walk->pair;
	struct execution_origin o = {0}, other = {0};
	uint64_t value;

	if (operand == CODE_NO_OPERAND ||
	    !execution_operand(run_of(use)->e, use->instance, operand, &value, &o.source) ||
	    !o.source)
		return;
	if (use->other &&
	    execution_operand(pair->runs[!use->side].e, use->other, operand, &value, &other.source))
		add_origin(&use->others, &other);
	o.itself = o.source == caller_of(use);
	dual_use_follow(use, &o);
}

/* The call that the instance is; NULL: it is none. */
static const struct code_call *dual_use_call(const struct dual_use *use)
{
	const struct code_insn *insn = execution_insn(run_of(use)->e, use->instance);

	return insn->op == CODE_CALL ? insn->more : NULL;
}

/* ------ where a dual slice begins ------ */

static void want_itself(struct dual_walk *w, unsigned side, uint32_t instance, enum dual_want how)
{
	dual_walk_want(w, (struct dual_item){.instance = instance,
	                                     .limit = UINT32_MAX,
	                                     .side = (uint8_t)side,
	                                     .want = (uint8_t)how});
}

/* The part of what was read that lies between these addresses. */
static bool clip(struct execution_origin *o, uint64_t from, uint64_t to)
{
	uint64_t begin = o->from > from ? o->from : from;
	uint64_t end = o->from + o->size < to ? o->from + o->size : to;

	if (!o->size || o->value || o->chosen || begin >= end)
		return false;
	o->written += o->written ? begin - o->from : 0;
	o->from = begin;
	o->size = end - begin;
	return true;
}

static void seed_bytes(struct dual_walk *w, unsigned side, uint32_t instance, uint64_t from,
                       uint64_t to)
{
	struct dual_use use;

	dual_use_init(&use, w, side, instance);
	dual_use_find(&use, 0, 0);
	for (uint32_t i = 0; i < use.origins.at.size; i++) {
		struct execution_origin o = use.origins.at.at[i];

		if (!clip(&o, from, to))
			continue;
		want_itself(w, side, instance, DUAL_ITSELF);
		dual_use_follow(&use, &o);
	}
	dual_use_deinit(&use);
}

static void dual_walk_seed(struct dual_walk *w, const struct dual_seed *seed)
{
	for (unsigned side = 0; side < 2; side++) {
		const struct dual_run *run = &w->pair->runs[side];
		uint32_t end = dual_run_of_time(run, seed->times[side]), instance = end;
		uint64_t from = seed->from[side], to = seed->to[side];

		if (!end)
			continue;
		if (to) {
			while (instance >= run->first &&
			       dual_run_time(run, instance) == seed->times[side])
				seed_bytes(w, side, instance--, from, to);
		} else if (execution_insn(run->e, end)->op == CODE_CALL &&
		           !(execution_source(run->e, end) & EXECUTION_GROUP)) {
			const struct code_call *call;
			struct dual_use use;

			/* What a function of the program is given; what it returns is not read by the call. */
			dual_use_init(&use, w, side, end);
			call = dual_use_call(&use);
			want_itself(w, side, end, DUAL_ITSELF);
			for (uint32_t i = 0; i < call->count; i++)
				dual_use_follow_operand(&use, call->arguments[i].operand);
			dual_use_deinit(&use);
		} else {
			want_itself(w, side, end, DUAL_VALUE);
		}
	}
}

/* ------ the whole ------ */

#define INSTANCE_BYTES 60u /* that one takes if it is in the slice, with its edges */
#define INSTANCES      6u  /* of a statement */

struct dual {
	struct dual_pair pair;
	struct dual_walk walk;
	struct dual_cut cuts[2];
	VEC(uint32_t) forks;
	struct {
		VEC(uint64_t) at;
	} definitions[2];
};

/* --- what is decoded --- */

/* The other run is decoded to where the seed is aligned, if it does not have one of its own: all before
   that counts. */
static void choose_ends(const struct alignment *alignment, const struct dual_seed *seeds,
                        uint32_t count, uint64_t out[2])
{
	const struct align_span *span = NULL;

	for (unsigned side = 0; side < 2; side++) {
		uint64_t last = 0;

		for (uint32_t i = 0; i < count; i++)
			last = seeds[i].times[side] > last ? seeds[i].times[side] : last;
		out[side] = last;
	}
	for (uint32_t i = 0; i < alignment->spans.size && !(out[0] && out[1]); i++) {
		const struct align_span *s = &alignment->spans.at[i];

		if (out[0] ? s->a <= out[0] : s->b <= out[1])
			span = s;
	}
	if (span && !out[0])
		out[0] = span->a + span->count;
	if (span && !out[1])
		out[1] = span->b + span->count;
	if (out[0] > alignment->a_statements)
		out[0] = alignment->a_statements + 1;
	if (out[1] > alignment->b_statements)
		out[1] = alignment->b_statements + 1;
}

static struct hence_error *check_length(const uint64_t ends[2], uint64_t memory)
{
	uint64_t statements = ends[0] + ends[1];
	uint64_t need = statements * INSTANCES * INSTANCE_BYTES;

	if (need <= memory)
		return NULL;
	return error_create(
		HENCE_ERROR_INPUT,
		"the runs are too long to be compared: %llu statements, about %llu "
		"instructions, need %llu MB of memory, and %llu MB may be used; give the "
		"program less to do",
		(unsigned long long)statements, (unsigned long long)(statements * INSTANCES),
		(unsigned long long)(need >> 20), (unsigned long long)(memory >> 20));
}

static struct hence_error *decode(struct dual *dual, const struct recording *const runs[2],
                                  const uint64_t ends[2], const struct dual_options *options)
{
	uint64_t memory = options && options->memory ? options->memory : mem_available() / 2;
	struct hence_error *error = check_length(ends, memory);

	for (unsigned i = 0; i < 2 && !error; i++) {
		error = dual_run_decode(&dual->pair.runs[i], runs[i], ends[i], memory,
		                        options ? options->stop : NULL,
		                        options ? options->context : NULL);
		memory -= error || execution_bytes(dual->pair.runs[i].e) > memory
		                  ? 0
		                  : execution_bytes(dual->pair.runs[i].e);
	}
	return error;
}

static struct hence_error *check_seeds(const struct dual *dual, const struct dual_seed *seeds,
                                       uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (unsigned side = 0; side < 2; side++)
			if (seeds[i].times[side] &&
			    !dual_run_of_time(&dual->pair.runs[side], seeds[i].times[side]))
				return error_create(HENCE_ERROR_INPUT,
				                    "the %s run has no statement %llu: it has %u",
				                    side ? "second" : "first",
				                    (unsigned long long)seeds[i].times[side],
				                    dual->pair.runs[side].ends.size);
	return NULL;
}

/* --- what is told of it --- */

static bool writes(const struct dual_run *run, uint32_t instance)
{
	switch ((enum code_op)execution_insn(run->e, instance)->op) {
	case CODE_STORE:
	case CODE_STORE_WIDE:
	case CODE_COPY:
	case CODE_FILL:
	case CODE_ATOMIC:
	case CODE_VA_COPY: return true;
	case CODE_CALL: return (execution_source(run->e, instance) & EXECUTION_GROUP) != 0;
	default: return false;
	}
}

static void find_definitions(struct dual *dual, unsigned side)
{
	const struct dual_run *run = &dual->pair.runs[side];
	const uint64_t *in = dual->walk.found[side].in;

	for (uint32_t i = marks_next(in, 0, run->end); i < run->end;
	     i = marks_next(in, i + 1, run->end)) {
		uint64_t time, last = 0;

		if (!writes(run, i))
			continue;
		time = dual_run_time(run, i);
		if (dual->definitions[side].at.size)
			last = dual->definitions[side].at.at[dual->definitions[side].at.size - 1];
		if (time > last)
			*vec_push(&dual->definitions[side].at) = time;
	}
}

static bool has_time(const struct dual *dual, unsigned side, uint64_t time)
{
	uint32_t instance = dual_run_of_time(&dual->pair.runs[side], time);

	return instance && dual_has(dual, side, instance);
}

static void find_forks(struct dual *dual)
{
	const struct alignment *alignment = dual->pair.alignment;

	for (uint32_t i = 0; i < alignment->forks.size; i++)
		if (has_time(dual, 0, alignment->forks.at[i].a) ||
		    has_time(dual, 1, alignment->forks.at[i].b))
			*vec_push(&dual->forks) = i;
}

/* --- the whole --- */

struct hence_error *dual_find(const struct recording *a, const struct recording *b,
                              const struct alignment *alignment, const struct dual_seed *seeds,
                              uint32_t count, const struct dual_options *options, struct dual **out)
{
	const struct recording *const runs[2] = {a, b};
	struct dual *dual = mem_alloc(sizeof(*dual));
	struct hence_error *error;
	uint64_t ends[2];
	bool stopped;

	choose_ends(alignment, seeds, count, ends);
	error = decode(dual, runs, ends, options);
	stopped = dual->pair.runs[0].stopped || dual->pair.runs[1].stopped;
	if (!error && !stopped)
		error = check_seeds(dual, seeds, count);
	if (error) {
		dual_destroy(dual);
		return error;
	}
	dual_pair_init(&dual->pair, alignment);
	dual_walk_init(&dual->walk, &dual->pair);
	dual->walk.stopped = stopped;
	for (uint32_t i = 0; i < count && !stopped; i++)
		dual_walk_seed(&dual->walk, &seeds[i]);
	dual_walk_run(&dual->walk, options ? options->stop : NULL,
	              options ? options->context : NULL);
	for (unsigned i = 0; i < 2; i++) {
		dual_cut_init(&dual->cuts[i], &dual->pair.runs[i], &dual->walk.found[i]);
		find_definitions(dual, i);
	}
	find_forks(dual);
	*out = dual;
	return NULL;
}

void dual_destroy(struct dual *dual)
{
	if (!dual)
		return;
	for (unsigned i = 0; i < 2; i++) {
		dual_cut_deinit(&dual->cuts[i]);
		vec_deinit(&dual->definitions[i].at);
	}
	vec_deinit(&dual->forks);
	dual_walk_deinit(&dual->walk);
	dual_pair_deinit(&dual->pair);
	free(dual);
}

bool dual_stopped(const struct dual *dual)
{
	return dual->walk.stopped;
}

const struct execution *dual_execution(const struct dual *dual, unsigned side)
{
	return dual->pair.runs[side].e;
}

const struct dual_edge *dual_edges(const struct dual *dual, unsigned side, uint32_t *count)
{
	*count = dual->walk.found[side].edges.at.size;
	return dual->walk.found[side].edges.at.at;
}

bool dual_has(const struct dual *dual, unsigned side, uint32_t instance)
{
	return instance < dual->pair.runs[side].end &&
	       marks_has(dual->walk.found[side].in, instance);
}

uint64_t dual_statement(const struct dual *dual, unsigned side, uint32_t instance)
{
	return dual_run_time(&dual->pair.runs[side], instance);
}

bool dual_is_before(const struct dual *dual, unsigned side, uint32_t instance, uint64_t time)
{
	const struct dual_run *run = &dual->pair.runs[side];
	uint64_t own = dual_run_time(run, instance);

	return own < time || (own == time && dual_run_is_in_front(run, instance));
}

uint64_t dual_place(const struct dual *dual, unsigned side, uint32_t instance, uint64_t address)
{
	return dual_pair_place(&dual->pair, side, instance, address);
}

uint32_t dual_counterpart(const struct dual *dual, unsigned side, uint32_t instance)
{
	return dual_pair_counterpart(&dual->pair, side, instance);
}

bool dual_crosses(const struct dual *dual, unsigned side, uint64_t time, uint64_t address,
                  uint64_t size)
{
	return dual_cut_crosses(&dual->cuts[side], time, address, size);
}

const uint32_t *dual_forks(const struct dual *dual, uint32_t *count)
{
	*count = dual->forks.size;
	return dual->forks.at;
}

const uint64_t *dual_definitions(const struct dual *dual, unsigned side, uint32_t *count)
{
	*count = dual->definitions[side].at.size;
	return dual->definitions[side].at.at;
}
