/* The cause tree: its nodes and how they are put together. See tree.h. */
#include "methods/tree.h"

#include <roaring/roaring.h>
#include <stdlib.h>
#include <time.h>

#include "slice/marks.h"
#include "slice/relevant.h"
#include "words/describe.h"

static inline uint64_t tree_key(uint32_t code, enum tree_kind kind)
{
	return (uint64_t)code << 2 | kind;
}

/* A critical condition. */
struct tree_condition {
	enum tree_reason reason;
	uint32_t instance;
	uint32_t via;     /* instance of the cause that it is critical for */
	uint64_t address; /* TREE_MISSED: where it should have written */
};

struct tree_conditions {
	VEC(struct tree_condition) all;
};

MAP_DEFINE_U64(tree_index, uint32_t);

/* Beside each node of the tree. */
struct tree_more {
	VEC(struct tree_condition) pending; /* conditions whose causes were not looked for yet */
	roaring_bitmap_t *conditions;       /* all of the node */
	roaring_bitmap_t *full;             /* all instances of the cause */
	roaring_bitmap_t *fresh;            /* of these, whose critical conditions are not known */
	struct tree_index counts; /* of these, by instruction; not those of correct functions */
	uint32_t folded;          /* conditions whose causes were looked for */
	uint64_t address;         /* of the condition that stands for it: TREE_MISSED */
};

/* A store to a place that was computed. */
struct tree_store {
	uint32_t instance;
	uint64_t address;
};

/* All executions of one such instruction, the first first. */
struct tree_stores {
	uint32_t code;
	uint32_t step;      /* bytes between places where it could have been */
	uint64_t low, high; /* the lowest and highest address that it wrote to */
	VEC(struct tree_store) all;
};

struct tree_life {
	uint32_t birth, death; /* death 0: it lives */
};

/* Objects at one place, one after the other. */
struct tree_objects {
	uint64_t address, size;
	bool constant;  /* nothing can write there */
	uint64_t reach; /* the furthest end of these and all before them */
	VEC(struct tree_life) lives;
};

struct tree_work {
	const struct recording *run;
	const struct tree_options *options;
	struct execution *e;
	bool shared; /* the history of the run owns it */
	struct terms *terms;
	struct symbolic *symbolic;
	struct solver *solver;
	struct refute_cache *cache;
	struct code *code;
	const struct execution_segment *segments;
	uint32_t segment_count;
	const struct execution_frame *frames;
	uint32_t frame_count;
	uint32_t first, end; /* instances that are kept */
	struct sides_table sides;
	VEC(struct tree_more) more;
	struct tree_index index;        /* tree_key(): 1 + node */
	uint8_t *correct;               /* of frames: 1 no, 2 yes; 0 not asked yet */
	VEC(struct tree_stores) stores; /* of which some may have missed their place */
	VEC(struct tree_objects) objects;
	bool indexed;
	double seconds;
};

static inline bool tree_keeps(const struct tree_work *work, uint32_t instance)
{
	return instance >= work->first && instance < work->end;
}

/* The instance after the last of a segment. */
static inline uint32_t tree_segment_end(const struct tree_work *work, uint32_t segment)
{
	return segment + 1 < work->segment_count ? work->segments[segment + 1].first : work->end;
}

/* ------ queries about a finished cause tree ------ */

/* Figures, and the order of its nodes. */

/* --- order --- */

struct rank {
	uint32_t node;
	bool proven; /* it, or something below it */
	uint32_t place;
};

static int by_rank(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->proven != y->proven)
		return x->proven ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* A parent's index is always smaller than its children's. */
void tree_sort(struct tree *tree)
{
	bool *proven = mem_alloc(tree->nodes.size + 1);

	for (uint32_t i = tree->nodes.size; i-- > 0;) {
		proven[i] |= tree->nodes.at[i].proven;
		if (proven[i])
			proven[tree->nodes.at[i].parent] = true;
	}
	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		struct tree_node *n = &tree->nodes.at[i];
		struct rank *ranks = mem_alloc((n->children.size + 1) * sizeof(*ranks));

		for (uint32_t k = 0; k < n->children.size; k++)
			ranks[k] = (struct rank){n->children.at[k], proven[n->children.at[k]], k};
		qsort(ranks, n->children.size, sizeof(*ranks), by_rank);
		for (uint32_t k = 0; k < n->children.size; k++)
			n->children.at[k] = ranks[k].node;
		free(ranks);
	}
	free(proven);
}

/* --- figures --- */

MAP_DEFINE_STRING(line_map, bool);

static void add_line(struct line_map *lines, const char *file, unsigned line)
{
	char *key;

	if (!file || !line)
		return;
	key = str_format("%u:%s", line, file);
	if (line_map_find(lines, key))
		free(key);
	else
		*line_map_put(lines, key) = true;
}

static uint64_t count_lines(const struct tree *tree)
{
	struct line_map lines = MAP_INIT;
	uint64_t count;

	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		const struct tree_node *n = &tree->nodes.at[i];

		add_line(&lines, n->file, n->line);
		for (uint32_t k = 0; k < n->statements.size; k++)
			add_line(&lines, n->statements.at[k].file, n->statements.at[k].line);
	}
	count = lines.size;
	map_each(&lines, i) free((char *)lines.at[i].key);
	line_map_deinit(&lines);
	return count;
}

struct tree_counts tree_counts(const struct tree *tree)
{
	roaring_bitmap_t *inside = roaring_bitmap_create(), *all = roaring_bitmap_create();
	struct tree_counts counts = {
		.instances = tree->violation.instance + 1 - EXECUTION_FIRST,
		.lines = count_lines(tree),
		.solver = solver_counts(tree->work->solver),
		.seconds = tree->work->seconds,
	};

	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		const struct tree_node *n = &tree->nodes.at[i];

		roaring_bitmap_add_many(inside, n->cause.size, n->cause.at);
		roaring_bitmap_add_many(all, n->conditions.size, n->conditions.at);
		roaring_bitmap_or_inplace(all, tree->work->more.at[i].full);
	}
	counts.inside = roaring_bitmap_get_cardinality(inside);
	counts.collapsed = roaring_bitmap_andnot_cardinality(all, inside);
	roaring_bitmap_free(inside);
	roaring_bitmap_free(all);
	return counts;
}

/* ------ what a cause tree keeps of its run ------ */

#define NEAR    4u       /* segments of a statement that are looked at */
#define AT_ONCE 2000000u /* instances that are decoded before somebody looks at the time */

/* --- decoding --- */

static struct hence_error *create(const struct recording *run, bool keep, struct execution **out)
{
	/* Copies are only told apart where windows are possible. */
	const struct execution_options options = {.table = run->table,
	                                          .windows = true,
	                                          .outputs = true,
	                                          .bytes = true,
	                                          .retain = keep};

	return execution_create(run->modules, run->folder, run->tape, &options, out);
}

/* execution_advance(), which is ended when the time is over. */
static struct hence_error *advance(const struct tree_work *w, struct execution *e, uint64_t until,
                                   bool *ended)
{
	while (!*ended && execution_next(e) < until) {
		uint64_t next = execution_next(e) + AT_ONCE;
		struct hence_error *error =
			execution_advance(e, next < until ? next : until, w->run->death, ended);

		if (error)
			return error;
		if (!*ended && budget_is_over(w->options->budget))
			return error_create(HENCE_ERROR_INPUT,
			                    "the time was up before the run was read; give more "
			                    "with --time");
	}
	return NULL;
}

/* Keeps what comes from instance `from` on. */
static struct hence_error *keep_from(const struct tree_work *w, uint64_t from,
                                     struct execution **out)
{
	struct execution *e;
	struct hence_error *error = create(w->run, false, &e);
	bool ended = false;

	if (error)
		return error;
	error = advance(w, e, from, &ended);
	if (!error) {
		execution_window(e, true);
		error = advance(w, e, UINT64_MAX, &ended);
	}
	if (error)
		execution_destroy(e);
	else
		*out = e;
	return error;
}

/* Tries to keep all. When that is too much, the rest is only counted. */
static struct hence_error *keep_all(const struct tree_work *w, uint64_t most,
                                    struct execution **out, uint64_t *next)
{
	struct execution *e;
	struct hence_error *error = create(w->run, true, &e);
	bool ended = false;

	if (error)
		return error;
	error = advance(w, e, EXECUTION_FIRST + most, &ended);
	if (!error && !ended) {
		execution_window(e, false);
		error = advance(w, e, UINT64_MAX, &ended);
		*next = execution_next(e);
		execution_destroy(e);
		*out = NULL;
		return error;
	}
	if (error)
		execution_destroy(e);
	else
		*out = e;
	return error;
}

/* Decodes the run; keeps all of it or the end. Fills in what belongs to the execution. */
static struct hence_error *tree_decode(struct tree_work *w, bool *window)
{
	uint64_t most = slice_window(w->run), next = 0;
	struct execution *e = NULL;
	struct hence_error *error = history_whole(w->run, &e);

	w->shared = e != NULL;
	if (!error && !e)
		error = keep_all(w, most, &e, &next);
	if (!error && !e) {
		error = keep_from(w, next - most, &e);
		*window = true;
	}
	if (error)
		return error;
	w->e = e;
	w->code = execution_code_table(e);
	w->segments = execution_segments(e, &w->segment_count);
	w->frames = execution_frames(e, &w->frame_count);
	execution_kept(e, &w->first, &w->end);
	w->correct = mem_alloc(w->frame_count + 1);
	sides_table_init(&w->sides, w->code->program);
	w->sides.outside = w->run->table;
	return NULL;
}

/* --- statements --- */

/* Does it put a parameter into its place, before the first statement of its function? */
static bool tree_takes_parameter(const struct tree_work *w, uint32_t instance)
{
	const struct execution_segment *s = execution_segment(w->e, instance);
	const struct code_function *f = w->code->functions.at[w->frames[s->frame].function];
	const struct code_insn *insn = execution_insn(w->e, instance);

	return insn->op == CODE_STORE && !(insn->flags & CODE_STATEMENT) && !(insn->a & 1) &&
	       f->makers[insn->a >> 1] & CODE_PARAMETER;
}

/* The first instance from this one on, in its segment, that ends a statement; 0: none. */
static uint32_t find_end(const struct tree_work *w, uint32_t segment, uint32_t instance)
{
	const struct execution_segment *s = &w->segments[segment];
	const struct code_function *f = w->code->functions.at[w->frames[s->frame].function];
	uint32_t end = tree_segment_end(w, segment);

	for (uint32_t i = instance; i < end; i++)
		if (f->insns[s->code - f->first + (i - s->first)].flags & CODE_STATEMENT)
			return i;
	return 0;
}

/* The next segment of the same frame; 0: there is none near. */
static uint32_t next_segment(const struct tree_work *w, uint32_t segment)
{
	for (uint32_t i = segment + 1; i < w->segment_count && i - segment <= NEAR; i++)
		if (w->segments[i].frame == w->segments[segment].frame)
			return i;
	return 0;
}

/* The instance that ends the statement which an instance belongs to; the last one, if the program
   died in it. Parameters are put into their places by the call. 0: none, as for those of main(). */
static uint32_t tree_statement_of(const struct tree_work *w, uint32_t instance)
{
	const struct execution_segment *s = execution_segment(w->e, instance);
	uint32_t segment = (uint32_t)(s - w->segments), call = w->frames[s->frame].call, end;

	if (tree_takes_parameter(w, instance))
		return tree_keeps(w, call) ? call : 0;
	/* A side of ?: has no end of its own: it is part of what comes after it. */
	end = find_end(w, segment, instance);
	for (uint32_t i = 0; !end && i < NEAR && segment + 1 < w->segment_count; i++) {
		segment = next_segment(w, segment);
		if (!segment)
			return 0;
		end = find_end(w, segment, w->segments[segment].first);
	}
	/* None: the program died in it. */
	return end || segment + 1 < w->segment_count ? end : w->end - 1;
}

/* --- functions that are designated correct --- */

static bool is_correct(struct tree_work *w, uint32_t frame)
{
	const struct execution_frame *f = &w->frames[frame];

	if (!w->options->is_correct)
		return false;
	if (!w->correct[frame])
		w->correct[frame] =
			1 + w->options->is_correct(w->options->context,
		                                   w->code->functions.at[f->function]->plan->name);
	return w->correct[frame] == 2;
}

/* The call, in a function that is not designated correct, by which an instance was executed in one
   that is; the instance itself if it is in none. 0: it was called by nobody that we see. */
static uint32_t tree_outside_correct(struct tree_work *w, uint32_t instance)
{
	uint32_t frame = execution_segment(w->e, instance)->frame;

	if (!w->options->is_correct)
		return instance;
	/* The outermost that is correct: whatever it calls is so, too. */
	for (uint32_t f = frame + 1; f; f = w->frames[f - 1].caller) {
		const struct execution_frame *at = &w->frames[f - 1];

		if (is_correct(w, f - 1))
			instance = at->call ? at->call : at->within;
	}
	return tree_keeps(w, instance) ? instance : 0;
}

/* ------ pointers that could have been others ------ */

/* With an index or arithmetic in them, or taken from a variable that is written in several ways.
   The address of a variable that was only handed on has nothing in it that could be wrong. */

#define STEPS_POINTER 64u /* instances that are followed */

struct chase {
	const struct tree_work *w;
	VEC(uint32_t) next;
	bool computed;
};

/* A text or function that was passed or stored is one of several that could have been. */
static bool is_choice(LLVMValueRef value)
{
	return LLVMIsAFunction(value) ||
	       (LLVMIsAGlobalVariable(value) && LLVMGetLinkage(value) == LLVMPrivateLinkage);
}

static void follow_operand(struct chase *c, uint32_t instance, uint32_t operand)
{
	const struct execution_segment *s = execution_segment(c->w->e, instance);
	const struct code_function *f = c->w->code->functions.at[c->w->frames[s->frame].function];
	uint64_t value;
	uint32_t made, maker;

	if (operand == CODE_NO_OPERAND || operand & 1 ||
	    !execution_operand(c->w->e, instance, operand, &value, &made) ||
	    !tree_keeps(c->w, made))
		return;
	maker = f->makers[operand >> 1];
	if (!(maker & CODE_PARAMETER) || made != c->w->frames[s->frame].call)
		*vec_push(&c->next) = made;
	else if (execution_insn(c->w->e, made)->op == CODE_CALL) /* it passed a constant */
		c->computed |= is_choice(LLVMGetOperand(execution_instruction(c->w->e, made),
		                                        maker & ~CODE_PARAMETER));
}

/* What a store or return handed on. */
static void follow_value(struct chase *c, uint32_t instance)
{
	LLVMValueRef instruction = execution_instruction(c->w->e, instance);

	if (LLVMGetNumOperands(instruction) > 0)
		c->computed |= is_choice(LLVMGetOperand(instruction, 0));
	follow_operand(c, instance, execution_insn(c->w->e, instance)->a);
}

/* Is the variable that a store writes written nowhere else, and here in any case? */
static bool writes_alone(const struct tree_work *w, uint32_t store)
{
	LLVMValueRef instruction = execution_instruction(w->e, store);
	LLVMValueRef variable = LLVMGetOperand(instruction, 1);
	const struct execution_segment *s = execution_segment(w->e, store);
	uint32_t writes = 0;

	if (!LLVMIsAAllocaInst(variable) || s->parent != w->frames[s->frame].call)
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		writes += LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable;
	}
	return writes == 1;
}

static void follow_load(struct chase *c, uint32_t instance, const struct code_insn *insn)
{
	uint32_t source = execution_source(c->w->e, instance);
	const struct code_insn *writer;

	if (source & EXECUTION_GROUP) {
		c->computed = true;
		return;
	}
	if (!tree_keeps(c->w, source)) {
		follow_operand(c, instance, insn->a);
		return;
	}
	writer = execution_insn(c->w->e, source);
	if (writer->op != CODE_STORE ||
	    (!tree_takes_parameter(c->w, source) && !writes_alone(c->w, source)))
		c->computed = true;
	else
		follow_value(c, source);
}

/* The result of outside code is fixed if it does not depend on the arguments: that of malloc(), not
   of strchr(). */
static void follow_call(struct chase *c, uint32_t instance)
{
	uint32_t source = execution_source(c->w->e, instance);
	const struct term_node *n;
	term value;

	if (!(source & EXECUTION_GROUP)) {
		if (tree_keeps(c->w, source))
			follow_value(c, source);
		return;
	}
	value = symbolic_value(c->w->symbolic, instance);
	n = value ? term_at(c->w->terms, value) : NULL;
	c->computed |=
		n && n->op == TERM_VARIABLE &&
		symbolic_define(c->w->symbolic, (uint32_t)n->value)->form == SYMBOLIC_RETURNED;
}

static void follow_pointer(struct chase *c, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(c->w->e, instance);
	const struct code_indices *indices = insn->more;

	switch (insn->op) {
	case CODE_LOCAL:
	case CODE_ALLOCA: break;
	case CODE_STEP:
	case CODE_MOVE: follow_operand(c, instance, insn->a); break;
	/* An index that is a variable. */
	case CODE_INDEX:
		c->computed |= !(insn->b & 1);
		follow_operand(c, instance, insn->a);
		break;
	case CODE_INDICES:
		for (uint32_t i = 0; i < indices->count; i++)
			c->computed |= !(indices->at[i].operand & 1);
		follow_operand(c, instance, insn->a);
		break;
	case CODE_LOAD: follow_load(c, instance, insn); break;
	case CODE_CALL: follow_call(c, instance); break;
	default: c->computed = true;
	}
}

/* Could the pointer have been another: is there more to it than the address of a variable that was
   handed on? */
static bool tree_is_computed(const struct tree_work *w, uint32_t instance, uint32_t operand)
{
	struct chase c = {.w = w};

	follow_operand(&c, instance, operand);
	for (uint32_t i = 0; i < c.next.size && i < STEPS_POINTER && !c.computed; i++)
		follow_pointer(&c, c.next.at[i]);
	vec_deinit(&c.next);
	return c.computed;
}

/* The operand by which an access finds its place, and a call through a pointer its function. */
static uint32_t tree_pointer_operand(const struct code_insn *insn)
{
	switch (insn->op) {
	case CODE_STORE:
	case CODE_STORE_WIDE: return insn->b;
	case CODE_CALL: return ((const struct code_call *)insn->more)->callee;
	default: return insn->a;
	}
}

/* ------ writes that may have missed their place ------ */

/* To the same object as what a cause read, between who wrote that and the read, but elsewhere in
   it. Only writes through a pointer or index that was computed can have gone astray. */

#define STEPS          256u /* executions of one store that are looked at for one read */
#define READS          64u  /* executions of one load that are looked at */
#define MOST_OMISSIONS 8u   /* instructions that may have missed what a cause read: the nearest */

/* --- all stores, by instruction --- */

/* How far apart the places are that a store could have been at: the size of an element that its
   index counts, or that its pointer walks over. 0: it could only be where it was. */
static uint32_t find_step(const struct tree_work *w, const struct code_function *f,
                          const struct code_insn *store)
{
	const struct code_insn *insn;
	uint32_t operand = store->b, step = store->bytes;

	for (;;) {
		LLVMValueRef pointer;

		if (operand & 1 || f->makers[operand >> 1] & CODE_PARAMETER)
			return 0;
		insn = &f->insns[f->makers[operand >> 1]];
		if (insn->op != CODE_STEP && insn->op != CODE_MOVE)
			break;
		/* A member of the structure that a pointer walks over. */
		pointer = f->instructions[f->makers[operand >> 1]];
		if (LLVMIsAGetElementPtrInst(pointer))
			step = (uint32_t)LLVMABISizeOfType(
				w->code->program->modules.at[f->place.module].plan->layout,
				LLVMGetGEPSourceElementType(pointer));
		operand = insn->a;
	}
	if (insn->op == CODE_INDEX)
		return insn->scale;
	return insn->op == CODE_LOAD ? step : 0;
}

static void index_stores(struct tree_work *w)
{
	struct tree_index at = MAP_INIT;

	for (uint32_t s = 0; s < w->segment_count; s++) {
		const struct execution_segment *segment = &w->segments[s];
		const struct code_function *f =
			w->code->functions.at[w->frames[segment->frame].function];
		uint32_t end = tree_segment_end(w, s);

		for (uint32_t i = segment->first; i < end; i++) {
			uint32_t code = segment->code + (i - segment->first), made;
			const struct code_insn *insn = &f->insns[code - f->first];
			struct tree_stores *stores;
			uint64_t address;
			uint32_t *number;

			if (!((insn->op == CODE_STORE || insn->op == CODE_STORE_WIDE) &&
			      !(insn->flags & CODE_DIRECT)) ||
			    !execution_operand(w->e, i, insn->b, &address, &made))
				continue;
			number = tree_index_put(&at, code);
			if (!*number) {
				*vec_push(&w->stores) =
					(struct tree_stores){.code = code,
				                             .step = find_step(w, f, insn),
				                             .low = address,
				                             .high = address};
				*number = w->stores.size;
			}
			stores = &w->stores.at[*number - 1];
			stores->low = address < stores->low ? address : stores->low;
			stores->high = address > stores->high ? address : stores->high;
			*vec_push(&stores->all) = (struct tree_store){i, address};
		}
	}
	tree_index_deinit(&at);
}

/* --- objects, by address --- */

static int by_place(const void *a, const void *b)
{
	const struct object *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return x->birth < y->birth ? -1 : x->birth > y->birth;
}

static void index_objects(struct tree_work *w)
{
	const struct objects *objects = execution_objects(w->e);
	struct object *all = mem_alloc((objects->all.size + 1) * sizeof(*all));
	uint64_t reach = 0;

	if (objects->all.size)
		memcpy(all, objects->all.at, objects->all.size * sizeof(*all));
	qsort(all, objects->all.size, sizeof(*all), by_place);
	for (uint32_t i = 0; i < objects->all.size; i++) {
		struct tree_objects *last =
			w->objects.size ? &w->objects.at[w->objects.size - 1] : NULL;

		if (!all[i].size)
			continue;
		if (!last || last->address != all[i].address || last->size != all[i].size) {
			if (all[i].address + all[i].size > reach)
				reach = all[i].address + all[i].size;
			last = vec_push(&w->objects);
			last->address = all[i].address;
			last->size = all[i].size;
			last->reach = reach;
			if (all[i].kind == OBJECT_GLOBAL) {
				const struct plan *plan =
					w->code->program->modules.at[all[i].owner].plan;

				last->constant =
					LLVMIsGlobalConstant(plan->globals.at[all[i].index]);
			}
		}
		*vec_push(&last->lives) = (struct tree_life){all[i].birth, all[i].death};
	}
	free(all);
}

static bool lives(const struct tree_objects *o, uint32_t instance)
{
	uint32_t low = 0, high = o->lives.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (o->lives.at[middle].birth <= instance)
			low = middle + 1;
		else
			high = middle;
	}
	return low && (!o->lives.at[low - 1].death || instance < o->lives.at[low - 1].death);
}

/* The object that held an address at a moment; NULL: none is known. */
static const struct tree_objects *find_object(const struct tree_work *w, uint64_t address,
                                              uint32_t instance)
{
	uint32_t low = 0, high = w->objects.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (w->objects.at[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low && w->objects.at[low - 1].reach > address; low--) {
		const struct tree_objects *o = &w->objects.at[low - 1];

		if (address - o->address < o->size && lives(o, instance))
			return o;
	}
	return NULL;
}

static void index_run(struct tree_work *w)
{
	if (w->indexed)
		return;
	index_stores(w);
	index_objects(w);
	w->indexed = true;
}

/* Does a constant, as a text in quotes, lie at an address? */
static bool tree_is_constant(struct tree_work *w, uint64_t address, uint32_t instance)
{
	const struct tree_objects *o;

	index_run(w);
	o = find_object(w, address, instance);
	return o && o->constant;
}

/* --- finding --- */

struct reader {
	struct tree_work *w;
	struct tree_conditions found;
	uint32_t instance;
};

/* Index of the first store from `instance` on. */
static uint32_t first_from(const struct tree_stores *s, uint32_t instance)
{
	uint32_t low = 0, high = s->all.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->all.at[middle].instance < instance)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Could its index or pointer have led there? */
static bool could_reach(const struct tree_work *w, const struct tree_stores *s,
                        const struct tree_store *store, uint64_t address)
{
	return s->step && !((int64_t)(store->address - address) % (int64_t)s->step) &&
	       tree_is_computed(w, store->instance, execution_insn(w->e, store->instance)->b);
}

/* Has another member of the object been written by other code than that which filled it in? Then
   this member may have been forgotten there. */
static bool forgets(const struct tree_work *w, uint32_t store, uint32_t writer)
{
	return tree_keeps(w, writer) &&
	       execution_segment(w->e, store)->frame != execution_segment(w->e, writer)->frame &&
	       LLVMIsAGetElementPtrInst(LLVMGetOperand(execution_instruction(w->e, store), 1));
}

/* The last one between the write and the read that went elsewhere in the object. */
static void find_store(struct reader *r, const struct tree_stores *s, const struct tree_objects *o,
                       const struct execution_origin *origin)
{
	uint32_t steps = 0;
	bool computed;

	for (uint32_t i = first_from(s, r->instance); i-- && steps < STEPS; steps++) {
		const struct tree_store *store = &s->all.at[i];

		if (store->instance <= origin->source)
			return;
		if (store->address - o->address >= o->size || store->address == origin->from ||
		    tree_outside_correct(r->w, store->instance) != store->instance)
			continue;
		computed = could_reach(r->w, s, store, origin->from);
		if (!computed && !forgets(r->w, store->instance, origin->source))
			continue;
		*vec_push(&r->found.all) = (struct tree_condition){.reason = TREE_MISSED,
		                                                   .instance = store->instance,
		                                                   .via = r->instance,
		                                                   .address = origin->from};
		return;
	}
}

static void find_stores(void *context, const struct execution_origin *origin)
{
	struct reader *r = context;
	const struct tree_objects *o;
	uint32_t writer;

	if (!origin->size || origin->value || origin->chosen)
		return;
	o = find_object(r->w, origin->from, r->instance);
	/* All of an object cannot be missed within it. */
	if (!o || o->size <= origin->size)
		return;
	writer = tree_keeps(r->w, origin->source) ? execution_code(r->w->e, origin->source)
	                                          : UINT32_MAX;
	for (uint32_t i = 0; i < r->w->stores.size; i++) {
		const struct tree_stores *s = &r->w->stores.at[i];

		/* Where the instruction that wrote the value has written is a condition of the
		   cause itself. */
		if (s->code != writer && s->high >= o->address &&
		    s->low <= o->address + o->size - 1)
			find_store(r, s, o, origin);
	}
}

static int latest_omission_first(const void *a, const void *b)
{
	const struct tree_condition *x = a, *y = b;

	return x->instance < y->instance ? 1 : x->instance > y->instance ? -1 : 0;
}

/* Those of the instructions whose last executions are nearest to the end. */
static void choose(const struct tree_work *w, struct tree_conditions *found,
                   struct tree_conditions *out)
{
	struct tree_index codes = MAP_INIT;

	if (found->all.size)
		qsort(found->all.at, found->all.size, sizeof(*found->all.at),
		      latest_omission_first);
	for (uint32_t i = 0; i < found->all.size; i++) {
		uint32_t code = execution_code(w->e, found->all.at[i].instance);

		if (codes.size == MOST_OMISSIONS && !tree_index_find(&codes, code))
			continue;
		*tree_index_put(&codes, code) = 1;
		*vec_push(&out->all) = found->all.at[i];
	}
	tree_index_deinit(&codes);
}

/* ------ indirect critical conditions ------ */

/* Branches that could have changed what a cause read, had they gone another way. */

struct scan {
	struct tree_work *w;
	struct relevant open;
	uint32_t oldest;   /* of what is open: who wrote it */
	uint32_t instance; /* that reads */
};

static void open_origin(void *context, const struct execution_origin *o)
{
	struct scan *s = context;
	uint32_t since = o->source < EXECUTION_FIRST ? 0 : o->source;

	if (!o->size || o->value || o->chosen ||
	    (o->source == SOURCE_INITIAL && tree_is_constant(s->w, o->from, s->instance)))
		return;
	relevant_add(&s->open, o->from, o->size, since, s->instance,
	             relevant_classes(s->w->e, s->instance));
	if (since < s->oldest)
		s->oldest = since;
}

static uint32_t segment_of(const struct tree_work *w, uint32_t instance)
{
	return (uint32_t)(execution_segment(w->e, instance) - w->segments);
}

/* --- output that did not come --- */

static bool prints(const struct tree_work *w, const struct execution_call *call)
{
	const struct outside_clause *clauses;

	if (!call->model)
		return false;
	clauses = outside_table_clauses(w->run->table, call->model);
	for (uint32_t i = 0; i < call->model->clause_count; i++)
		if (clauses[i].kind == OUTSIDE_PRODUCES)
			return true;
	return false;
}

/* Branches since the last output before an instance that could have printed something. */
static void tree_find_silent(struct tree_work *w, uint32_t instance, struct tree_conditions *out)
{
	uint32_t since = 0;

	for (uint32_t i = execution_call_count(w->e); i && !since; i--) {
		const struct execution_call *call = execution_call(w->e, i);

		if (call->instance < instance && prints(w, call))
			since = call->instance;
	}
	for (uint32_t segment = segment_of(w, instance);; segment--) {
		const struct execution_segment *s = &w->segments[segment];
		uint32_t branch = tree_segment_end(w, segment) - 1;

		if (branch < since)
			return;
		if (branch < instance &&
		    relevant_prints(&w->sides, w->e, s,
		                    w->code->functions.at[w->frames[s->frame].function], branch))
			*vec_push(&out->all) = (struct tree_condition){
				.reason = TREE_INDIRECT, .instance = branch, .via = instance};
		if (!segment)
			return;
	}
}

/* ------ critical conditions of a cause ------ */

#define POINTERS 4u /* of an outside call that are looked at */
MAP_DEFINE_U64(seen_map, bool);

/* What is looked at, and what was found so far. */
struct finder {
	struct tree_work *w;
	struct tree_conditions *out;
	struct seen_map seen; /* of branches */
	uint32_t instance;    /* whose origins are being told */
};

static uint8_t op_of(const struct tree_work *w, uint32_t instance)
{
	return execution_insn(w->e, instance)->op;
}

static bool is_branch(uint8_t op)
{
	return op == CODE_BRANCH || op == CODE_SWITCH || op == CODE_JUMP;
}

/* --- direct --- */

static uint32_t parent_of(const struct tree_work *w, uint32_t instance)
{
	uint32_t parent = execution_segment(w->e, instance)->parent;

	return tree_keeps(w, parent) ? parent : 0;
}

/* The branch that controls an instance; 0: none. */
static uint32_t tree_branch_of(const struct tree_work *w, uint32_t instance)
{
	uint32_t at = parent_of(w, instance);

	while (at && !is_branch(op_of(w, at)))
		at = parent_of(w, at);
	return at;
}

static void add(struct finder *f, enum tree_reason reason, uint32_t instance, uint32_t via)
{
	*vec_push(&f->out->all) =
		(struct tree_condition){.reason = reason, .instance = instance, .via = via};
}

static void add_branch(struct finder *f, enum tree_reason reason, uint32_t branch, uint32_t via)
{
	bool *seen;

	/* A branch in a function that is correct stands for the call outside of it. */
	uint32_t outside = branch ? tree_outside_correct(f->w, branch) : 0;
	branch = !outside || outside == branch ? outside : tree_branch_of(f->w, outside);

	if (!branch)
		return;
	seen = seen_map_put(&f->seen, branch);
	if (!*seen)
		add(f, reason, branch, via);
	*seen = true;
}

static void tell_chosen(void *context, const struct execution_origin *origin)
{
	struct finder *f = context;

	if (origin->chosen && tree_keeps(f->w, origin->source) &&
	    is_branch(op_of(f->w, origin->source)))
		add_branch(f, TREE_DIRECT, origin->source, f->instance);
}

static void add_direct(struct finder *f, uint32_t instance)
{
	uint32_t outside = tree_outside_correct(f->w, instance);
	uint32_t branch = outside ? tree_branch_of(f->w, outside) : 0;
	uint32_t code;

	if (!outside)
		return;
	if (op_of(f->w, instance) == CODE_PHI && outside == instance) {
		f->instance = instance;
		execution_origins(f->w->e, instance, 0, 0, tell_chosen, f);
	}
	/* Each execution of a loop's test is controlled by the one before. All count as one, the
	   first. */
	code = execution_code(f->w->e, outside);
	while (branch && execution_code(f->w->e, branch) == code)
		branch = tree_branch_of(f->w, branch);

	/* Which function a pointer named is a condition of all that it executed. */
	uint32_t at = parent_of(f->w, outside);

	for (; at && !is_branch(op_of(f->w, at)); at = parent_of(f->w, at)) {
		const struct code_insn *insn = execution_insn(f->w->e, at);

		if (insn->op == CODE_CALL && !((const struct code_call *)insn->more)->name &&
		    tree_outside_correct(f->w, at) == at)
			add(f, TREE_ADDRESS, at, outside);
	}

	add_branch(f, TREE_DIRECT, branch, instance);
}

/* --- address --- */

static bool accesses(uint8_t op)
{
	return op == CODE_LOAD || op == CODE_LOAD_WIDE || op == CODE_STORE ||
	       op == CODE_STORE_WIDE || op == CODE_COPY || op == CODE_FILL || op == CODE_ATOMIC ||
	       op == CODE_CALL;
}

/* Of a call of outside code any of its arguments may be a pointer. */
static bool is_computed(const struct tree_work *w, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(w->e, instance);
	const struct code_call *call = insn->op == CODE_CALL ? insn->more : NULL;
	bool computed = tree_is_computed(w, instance, tree_pointer_operand(insn));

	for (uint32_t i = 0; call && !computed && i < call->count; i++)
		if (call->arguments[i].letter == 'p')
			computed = tree_is_computed(w, instance, call->arguments[i].operand);
	return computed;
}

/* The function that was called through a pointer, as a term, and its address; 0: it was called by
   its name. */
static term find_callee(struct tree_work *w, uint32_t instance, uint64_t *value)
{
	const struct code_insn *insn = execution_insn(w->e, instance);
	const struct code_call *call = insn->op == CODE_CALL ? insn->more : NULL;
	uint32_t made;

	if (!call || call->name || !execution_operand(w->e, instance, call->callee, value, &made))
		return 0;
	return symbolic_operand(w->symbolic, instance, call->count);
}

/* The pointer that an access or call goes by, as far as it was computed, and its value; 0: there is
   none. */
static term tree_pointer(struct tree_work *w, uint32_t instance, uint64_t *value)
{
	term pointer = find_callee(w, instance, value);

	for (uint32_t i = 0; !pointer && i < POINTERS; i++)
		if (!symbolic_address(w->symbolic, instance, i, &pointer, value))
			pointer = 0;
	return pointer;
}

/* --- all --- */

typedef void find_one(struct finder *finder, uint32_t instance);

/* From the last to the first. */
static void each(struct finder *f, const roaring_bitmap_t *instances, find_one *find)
{
	roaring_uint32_iterator_t i;

	roaring_init_iterator_last(instances, &i);
	for (; i.has_value; roaring_previous_uint32_iterator(&i))
		find(f, i.current_value);
}

static void find_address(struct finder *f, uint32_t instance)
{
	if (tree_outside_correct(f->w, instance) == instance) {
		uint64_t value;

		if (accesses(op_of(f->w, instance)) && is_computed(f->w, instance) &&
		    tree_pointer(f->w, instance, &value))
			add(f, TREE_ADDRESS, instance, instance);
	}
}

/* Branches whose other side may write what an instance read. One way backwards: what it read is open from there to who
   wrote it. Where nothing is open, the way goes on with the next instance that reads. */
static void find_indirect(struct tree_work *w, const roaring_bitmap_t *instances,
                          struct tree_conditions *out)
{
	struct scan s = {.w = w, .oldest = UINT32_MAX};
	uint32_t segment = segment_of(w, roaring_bitmap_maximum(instances));
	roaring_uint32_iterator_t next;

	roaring_init_iterator_last(instances, &next);
	for (;;) {
		uint32_t first = w->segments[segment].first;

		if (s.oldest < UINT32_MAX) {
			const struct execution_segment *at = &w->segments[segment];
			uint32_t branch = tree_segment_end(w, segment) - 1;
			uint32_t load = relevant_try(
				&s.open, &w->sides, w->e, at,
				w->code->functions.at[w->frames[at->frame].function], branch);

			if (load)
				*vec_push(&out->all) = (struct tree_condition){
					.reason = TREE_INDIRECT, .instance = branch, .via = load};
		}
		for (; next.has_value && next.current_value >= first;
		     roaring_previous_uint32_iterator(&next)) {
			uint32_t instance = next.current_value;

			if (tree_outside_correct(s.w, instance) == instance) {
				s.instance = instance;
				execution_origins(s.w->e, instance, 0, 0, open_origin, &s);
			}
		}
		if (s.oldest < first && segment) {
			segment--;
			continue;
		}
		if (!next.has_value)
			break;
		segment = segment_of(w, next.current_value);
		s.oldest = UINT32_MAX;
	}
	relevant_deinit(&s.open);
}

/* Stores that went to another part of an object that an instance read. */
static void find_missed(struct tree_work *w, const roaring_bitmap_t *instances,
                        struct tree_conditions *out)
{
	struct reader r = {.w = w};
	struct tree_index reads = MAP_INIT;
	roaring_uint32_iterator_t i;

	index_run(w);
	roaring_init_iterator_last(instances, &i);
	for (; i.has_value; roaring_previous_uint32_iterator(&i)) {
		uint8_t op = execution_insn(w->e, i.current_value)->op;

		r.instance = i.current_value;
		if ((op != CODE_LOAD && op != CODE_LOAD_WIDE) ||
		    tree_outside_correct(w, r.instance) != r.instance ||
		    ++*tree_index_put(&reads, execution_code(w->e, r.instance)) > READS)
			continue;
		execution_origins(w->e, r.instance, 0, 0, find_stores, &r);
	}
	choose(w, &r.found, out);
	vec_deinit(&r.found.all);
	tree_index_deinit(&reads);
}

/* Critical conditions of instances (computeCC): direct ones first, each with the same instance, reason and
   address once. */
static void tree_find_critical(struct tree_work *w, const roaring_bitmap_t *instances,
                               struct tree_conditions *out)
{
	struct finder f = {.w = w, .out = out};
	struct tree_conditions indirect = {0};

	if (roaring_bitmap_is_empty(instances))
		return;
	each(&f, instances, add_direct);
	find_indirect(w, instances, &indirect);
	for (uint32_t i = 0; i < indirect.all.size; i++)
		add_branch(&f, TREE_INDIRECT, indirect.all.at[i].instance, indirect.all.at[i].via);
	each(&f, instances, find_address);
	find_missed(w, instances, out);
	vec_deinit(&indirect.all);
	seen_map_deinit(&f.seen);
}

/* ------ causes of the nodes of a tree: why a condition was false ------ */

#define FOLDS       8u      /* conditions of a node that are looked at, at a time */
#define ALL_FOLDS   32u     /* and in all */
#define ASSUMPTIONS 256u    /* branches that a solver is told of */
#define SYMBOLS     300000u /* that are followed for one question */
#define CALLS       16u     /* questions to a solver */
#define FEW         8u      /* instances: a cause that is small enough without it */
#define UNKNOWN     2u      /* of these that it may fail to answer */
#define MOST        4096u   /* instances that are followed without terms */

static enum tree_kind tree_kind(enum tree_reason reason)
{
	switch (reason) {
	case TREE_FAILURE: return TREE_OF_FAILURE;
	case TREE_ADDRESS: return TREE_OF_ADDRESS;
	case TREE_MISSED: return TREE_OF_MISSED;
	default: return TREE_OF_BRANCH;
	}
}

/* --- claims --- */

/* Any of the pointers should have been another; 0: there is none. */
static term claim_elsewhere(struct tree_work *w, uint32_t instance)
{
	uint64_t value;
	term pointer = find_callee(w, instance, &value), claim = 0;

	if (pointer)
		return term_not(w->terms, term_equals(w->terms, pointer, value));
	for (uint32_t i = 0; i < POINTERS; i++) {
		term other;

		if (!symbolic_address(w->symbolic, instance, i, &pointer, &value))
			continue;
		other = term_not(w->terms, term_equals(w->terms, pointer, value));
		claim = claim ? term_make(w->terms, TERM_OR, 1, claim, other, 0) : other;
	}
	return claim;
}

/* The condition's negation as a claim; 0: it has no term. */
static term tree_claim(struct tree_work *w, const struct tree_condition *c)
{
	uint64_t value;
	term t;

	if (tree_kind(c->reason) == TREE_OF_BRANCH) {
		t = symbolic_branch(w->symbolic, c->instance, UINT32_MAX);
		return t ? term_not(w->terms, t) : 0;
	}
	if (c->reason != TREE_MISSED)
		return claim_elsewhere(w, c->instance);
	t = tree_pointer(w, c->instance, &value);
	return t ? term_equals(w->terms, t, c->address) : 0;
}

/* --- what the solver may assume --- */

struct assumptions {
	uint32_t at[ASSUMPTIONS];
	uint32_t size;
};

static bool has(const struct assumptions *a, uint32_t branch)
{
	for (uint32_t i = 0; i < a->size; i++)
		if (a->at[i] == branch)
			return true;
	return false;
}

/* The branches that control an instance, directly and indirectly, up to one that is there
   already. */
static void assume(const struct tree_work *w, uint32_t instance, struct assumptions *a)
{
	for (uint32_t at = tree_branch_of(w, instance); at && a->size < ASSUMPTIONS && !has(a, at);
	     at = tree_branch_of(w, at))
		a->at[a->size++] = at;
}

static int descending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* Those of the condition, then those of what made it false. The nearest are first. */
static void find_assumptions(const struct tree_work *w, uint32_t condition,
                             const struct refutation *folded, struct assumptions *out)
{
	uint32_t near;

	assume(w, condition, out);
	near = out->size;
	for (uint32_t i = 0; i < folded->transforming.size; i++)
		assume(w, folded->transforming.at[i], out);
	if (out->size > near)
		qsort(out->at + near, out->size - near, sizeof(*out->at), descending);
}

/* --- without terms --- */

struct follower {
	struct tree_work *w;
	roaring_bitmap_t *found;
	VEC(uint32_t) next;
};

static void follow(void *context, const struct execution_origin *origin)
{
	struct follower *f = context;

	if (origin->chosen || !tree_keeps(f->w, origin->source) ||
	    !roaring_bitmap_add_checked(f->found, origin->source) || origin->itself)
		return;
	*vec_push(&f->next) = origin->source;
}

/* The instance whose value decides; 0: nobody knows. */
static uint32_t decider(const struct tree_work *w, const struct tree_condition *c)
{
	const struct code_insn *insn = execution_insn(w->e, c->instance);
	uint64_t value;
	uint32_t made;

	if (tree_kind(c->reason) == TREE_OF_BRANCH || tree_pointer_operand(insn) == CODE_NO_OPERAND)
		return c->instance;
	execution_operand(w->e, c->instance, tree_pointer_operand(insn), &value, &made);
	return tree_keeps(w, made) ? made : 0;
}

/* --- one condition --- */

struct taker {
	struct tree_work *w;
	struct tree_more *more;
};

static void take(struct tree_more *more, uint32_t instance)
{
	if (roaring_bitmap_add_checked(more->full, instance))
		roaring_bitmap_add(more->fresh, instance);
}

static void take_refutation(struct tree_work *w, struct tree_more *more, const struct refutation *r)
{
	for (uint32_t i = 0; i < r->transforming.size; i++)
		if (tree_keeps(w, r->transforming.at[i]))
			take(more, r->transforming.at[i]);
	for (uint32_t i = 0; i < r->core.size; i++)
		take(more, r->core.at[i]);
}

/* Does a refutation not tell enough? What has no term, or no contradiction that could be found, is
   followed by its data; and so is what nothing could have made true. */
static bool is_weak(const struct tree_work *w, const struct refutation *r)
{
	if (r->how == REFUTED_NOT || r->limited)
		return true;
	/* A claim may be false whatever was read: a bit-field of three bits is not 9. */
	for (uint32_t i = 0; i < r->transforming.size; i++) {
		const struct code_insn *insn = execution_insn(w->e, r->transforming.at[i]);

		if (!insn->words || insn->op == CODE_CALL || insn->op == CODE_LOAD)
			return false;
	}
	return r->transforming.size > 0;
}

static void take_data(struct tree_work *w, struct tree_more *more, const struct tree_condition *c)
{
	roaring_bitmap_t *found = roaring_bitmap_create(), *new;
	uint32_t instance = decider(w, c);

	if (instance) {
		/* All that a value came from, the nearest first, as far as that is not too much. */
		struct follower f = {.w = w, .found = found};

		roaring_bitmap_add(found, instance);
		*vec_push(&f.next) = instance;
		for (uint32_t i = 0; i < f.next.size && i < MOST; i++)
			execution_origins(w->e, f.next.at[i], 0, 0, follow, &f);
		vec_deinit(&f.next);
	}
	new = roaring_bitmap_andnot(found, more->full);
	roaring_bitmap_or_inplace(more->full, new);
	roaring_bitmap_or_inplace(more->fresh, new);
	roaring_bitmap_free(new);
	roaring_bitmap_free(found);
}

static struct refute_question ask(const struct tree_work *w, const struct tree_condition *c,
                                  term claim, bool after)
{
	return (struct refute_question){
		.claim = claim, .before = c->instance + after, .most = SYMBOLS, .cache = w->cache};
}

static void refute_folded(struct tree_work *w, struct tree_more *more,
                          const struct tree_condition *c)
{
	term claim = tree_claim(w, c);
	struct refute_question question = ask(w, c, claim, false);
	struct refutation r = {.how = REFUTED_NOT};

	take(more, c->instance);
	if (claim)
		refute(w->symbolic, NULL, &question, &r);
	take_refutation(w, more, &r);
	if (is_weak(w, &r))
		take_data(w, more, c);
	refutation_deinit(&r);
}

/* Many questions, or several that it could not answer, cost more time than the causes they make
   smaller are worth. */
static bool may_ask(const struct tree_work *w)
{
	struct solver_counts counts = solver_counts(w->solver);

	return !w->options->no_solver && counts.calls < CALLS && counts.unknown < UNKNOWN;
}

/* Folds first: that tells which branches the solver may need. */
static void refute_solved(struct tree *tree, uint32_t node, const struct tree_condition *c,
                          bool after)
{
	struct tree_work *w = tree->work;
	struct tree_node *n = &tree->nodes.at[node];
	struct refute_question question = ask(w, c, n->claim, after);
	struct refutation r = {.how = REFUTED_NOT};
	struct assumptions assumptions = {.size = 0};

	take(&w->more.at[node], c->instance);
	if (n->claim)
		refute(w->symbolic, NULL, &question, &r);
	if (n->claim && (r.how == REFUTED_NOT || r.transforming.size > FEW) && may_ask(w)) {
		find_assumptions(w, c->instance, &r, &assumptions);
		question.assumptions = assumptions.at;
		question.assumption_count = assumptions.size;
		refutation_deinit(&r);
		refute(w->symbolic, w->solver, &question, &r);
	}
	take_refutation(w, &w->more.at[node], &r);
	if (is_weak(w, &r))
		take_data(w, &w->more.at[node], c);
	n->how = r.how;
	n->certain = r.certain;
	n->limited = r.limited;
	for (uint32_t i = 0; i < r.core.size; i++)
		*vec_push(&n->core) = r.core.at[i];
	for (uint32_t i = 0; i < r.conjuncts.size; i++)
		*vec_push(&n->conjuncts) = r.conjuncts.at[i];
	refutation_deinit(&r);
}

/* --- the node --- */

struct ends {
	uint32_t first, last;
};

MAP_DEFINE_U64(ends_map, struct ends);

/* Of each instruction the first and the last execution are told; the others they stand for. */
static void choose_cause(struct tree_work *w, struct tree_more *more, struct tree_node *node)
{
	struct ends_map all = MAP_INIT;
	roaring_uint32_iterator_t i;
	uint64_t inside = 0;

	tree_index_deinit(&more->counts);
	roaring_init_iterator(more->full, &i);
	for (; i.has_value; roaring_advance_uint32_iterator(&i)) {
		struct ends *e;
		uint32_t code;

		if (tree_outside_correct(w, i.current_value) != i.current_value)
			continue;
		inside++;
		code = execution_code(w->e, i.current_value);
		++*tree_index_put(&more->counts, code);
		e = ends_map_put(&all, code);
		if (!e->first)
			e->first = i.current_value;
		e->last = i.current_value;
	}
	node->cause.size = 0;
	map_each(&all, k)
	{
		*vec_push(&node->cause) = all.at[k].value.last;
		if (all.at[k].value.first != all.at[k].value.last)
			*vec_push(&node->cause) = all.at[k].value.first;
	}
	if (node->cause.size)
		qsort(node->cause.at, node->cause.size, sizeof(*node->cause.at), descending);
	node->collapsed = inside - node->cause.size;
	if (node->conditions.size > more->folded)
		node->collapsed += node->conditions.size - more->folded;
	ends_map_deinit(&all);
}

static int latest_first(const void *a, const void *b)
{
	const struct tree_condition *x = a, *y = b;

	return descending(&x->instance, &y->instance);
}

/* What tree_describe() said of a node is not right any more. */
static void tree_forget_words(struct tree_node *n)
{
	for (uint32_t i = 0; i < n->statements.size; i++) {
		free(n->statements.at[i].file);
		free(n->statements.at[i].function);
		free(n->statements.at[i].text);
	}
	vec_deinit(&n->statements);
	free(n->file);
	free(n->via_file);
	free(n->function);
	free(n->wanted);
	free(n->numbers);
	n->file = n->via_file = n->function = n->wanted = n->numbers = NULL;
	n->described = false;
}

/* Looks for causes of the conditions that are pending. */
static void tree_find_cause(struct tree *tree, uint32_t node)
{
	struct tree_work *w = tree->work;
	struct tree_more *more = &w->more.at[node];
	struct tree_node *n = &tree->nodes.at[node];
	uint32_t count = more->pending.size, taken = 0, picks;

	if (!count)
		return;
	qsort(more->pending.at, count, sizeof(*more->pending.at), latest_first);
	if (!n->condition) {
		/* The last of them stands for the node; it alone is given to the solver. */
		const struct tree_condition *c = &more->pending.at[0];

		n->condition = c->instance;
		n->reason = c->reason;
		n->via = c->via;
		n->claim = tree_claim(w, c);
		more->address = c->address;
		refute_solved(tree, node, c, false);
		more->folded++;
		taken = 1;
	}
	/* Evenly spread, with the last and the first. */
	picks = count - taken < FOLDS ? count - taken : FOLDS;
	for (uint32_t i = 0; i < picks && more->folded < ALL_FOLDS; i++, more->folded++) {
		uint32_t at = picks > 1 ? i * (count - 1 - taken) / (picks - 1) : 0;

		refute_folded(w, more, &more->pending.at[taken + at]);
	}
	more->pending.size = 0;
	if (n->conditions.size)
		qsort(n->conditions.at, n->conditions.size, sizeof(*n->conditions.at), descending);
	choose_cause(w, more, n);
	tree_forget_words(n);
}

static void take_choice(void *context, const struct execution_origin *origin)
{
	struct taker *c = context;

	if (!origin->size && tree_keeps(c->w, origin->source) &&
	    execution_insn(c->w->e, origin->source)->op == CODE_PHI)
		take(c->more, origin->source);
}

/* The root's, from the violation. */
static void tree_find_root(struct tree *tree)
{
	struct tree_work *w = tree->work;
	struct tree_node *root = &tree->nodes.at[0];
	const struct violation *v = &tree->violation;
	struct tree_condition c = {.reason = TREE_DIRECT, .instance = v->instance};
	bool calls = execution_insn(w->e, v->instance)->op == CODE_CALL;

	root->condition = v->instance;
	root->code = execution_code(w->e, v->instance);
	*vec_push(&root->conditions) = v->instance;
	root->how = REFUTED_NOT;
	w->more.at[0].folded = 1;
	/* What is violated is not a condition of its own cause. */
	*tree_index_put(&w->index, tree_key(root->code, TREE_OF_BRANCH)) = 1;
	if (!calls)
		*tree_index_put(&w->index, tree_key(root->code, TREE_OF_ADDRESS)) = 1;
	roaring_bitmap_add(w->more.at[0].conditions, v->instance);
	take(&w->more.at[0], v->instance);
	/* What a call was given by ?: belongs to it, whatever is claimed of the call. */
	if (calls)
		execution_origins(w->e, v->instance, 0, 0, take_choice,
		                  &(struct taker){w, &w->more.at[0]});
	for (uint32_t i = 0; i < v->also.size; i++)
		if (tree_keeps(w, v->also.at[i]))
			take(&w->more.at[0], v->also.at[i]);
	if (v->kind != VIOLATION_EVENT) {
		root->claim = v->kind == VIOLATION_BRANCH ? tree_claim(w, &c) : v->claim;
		refute_solved(tree, 0, &c, v->after);
	} else if (calls) {
		take_data(w, &w->more.at[0], &c);
	}
	choose_cause(w, &w->more.at[0], root);
}

/* ------ conditions and statements as C, where the decoder stands ------ */

#define CASES 4u /* of a switch that are listed */

/* --- switches --- */

/* The block that a switch went to. */
static LLVMBasicBlockRef target_of(const struct describe_scope *scope, LLVMValueRef switch_)
{
	const struct code_slot *slot =
		names_slot(scope->names, scope->a, LLVMGetOperand(switch_, 0));

	for (uint32_t i = 0; slot && i < ir_case_count(switch_); i++)
		if (slot->bits == LLVMConstIntGetZExtValue(ir_case_value(switch_, i)))
			return LLVMGetSuccessor(switch_, i + 1);
	return LLVMGetSuccessor(switch_, 0);
}

/* Another case: `class != 2`; of the default `c == 'a' || c == 'b'`. */
static void add_other_case(const struct describe_scope *scope, LLVMValueRef switch_,
                           struct str *out)
{
	LLVMBasicBlockRef target = target_of(scope, switch_);
	bool other = target == LLVMGetSuccessor(switch_, 0);
	uint32_t listed = 0;

	for (uint32_t i = 0; i < ir_case_count(switch_); i++) {
		if ((LLVMGetSuccessor(switch_, i + 1) == target) == other)
			continue;
		if (listed)
			str_add(out, other ? " || " : " && ");
		if (listed++ == CASES) {
			str_add(out, "...");
			return;
		}
		describe_expression(scope, LLVMGetOperand(switch_, 0), out);
		str_add(out, other ? " == " : " != ");
		describe_case(scope, switch_, i, out);
	}
}

/* --- pointers --- */

/* The pointer that an access goes by, as far as it is not fixed; NULL: none. */
static LLVMValueRef pointer_of(LLVMValueRef instruction)
{
	LLVMValueRef callee;

	if (LLVMIsALoadInst(instruction))
		return LLVMGetOperand(instruction, 0);
	if (LLVMIsAStoreInst(instruction))
		return LLVMGetOperand(instruction, 1);
	if (!LLVMIsACallInst(instruction))
		return NULL;
	callee = LLVMGetCalledValue(instruction);
	if (LLVMIsAInstruction(callee))
		return callee;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(instruction); i++) {
		LLVMValueRef argument = LLVMGetOperand(instruction, i);

		if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind &&
		    LLVMIsAInstruction(argument) && !LLVMIsAAllocaInst(argument))
			return argument;
	}
	return NULL;
}

/* The last index of an element's address that is computed; NULL: there is none. */
static LLVMValueRef index_of(LLVMValueRef pointer)
{
	if (!LLVMIsAGetElementPtrInst(pointer))
		return NULL;
	for (int i = LLVMGetNumOperands(pointer); --i > 0;)
		if (LLVMIsAInstruction(LLVMGetOperand(pointer, (unsigned)i)))
			return LLVMGetOperand(pointer, (unsigned)i);
	return NULL;
}

static void add_address(const struct describe_scope *scope, uint64_t address, struct str *out)
{
	struct names_use use = {.size = 0};
	struct name name = {0};

	if (address)
		names_of_address(scope->names, address, &use, &name);
	if (name.known)
		str_printf(out, "&%s", str_text(&name.text));
	else
		str_printf(out, address ? "0x%llx" : "NULL", (unsigned long long)address);
	name_deinit(&name);
}

/* `i == 2`; false: the index does not lead there, and nothing is appended. */
static bool add_index(const struct describe_scope *scope, LLVMValueRef pointer,
                      const uint64_t *wanted, struct str *out)
{
	LLVMValueRef index = index_of(pointer);
	const struct code_slot *slot = index ? names_slot(scope->names, scope->a, index) : NULL;
	const struct code_function *f = scope->a->function;
	uint32_t insn = names_index(scope->names, f, pointer), scale, unused;
	int64_t number, distance;
	const struct code_slot *at;

	/* How far one step of the index goes. */
	scale = insn < f->size && f->insns[insn].op == CODE_INDEX ? f->insns[insn].scale : 0;
	if (!slot || !scale)
		return false;
	unused = LLVMGetIntTypeWidth(LLVMTypeOf(index)) < 64
	                 ? 64 - LLVMGetIntTypeWidth(LLVMTypeOf(index))
	                 : 0;
	number = (int64_t)(slot->bits << unused) >> unused;
	at = names_slot(scope->names, scope->a, pointer);
	distance = wanted && at ? (int64_t)(*wanted - at->bits) : 0;
	if (distance % scale)
		return false;
	describe_expression(scope, index, out);
	str_printf(out, " %s %lld", wanted ? "==" : "!=", (long long)(number + distance / scale));
	return true;
}

/* The address of what a store wrote; false: it has no name, and nothing is appended. */
static bool add_written(const struct describe_scope *scope, LLVMValueRef store, struct str *out)
{
	struct names_use use = {.instruction = store};
	struct name name = {0};
	bool known;

	if (!LLVMIsAStoreInst(store))
		return false;
	use.size = scope->a->function->insns[names_index(scope->names, scope->a->function, store)]
	                   .bytes;
	names_of_pointer(scope->names, scope->a, LLVMGetOperand(store, 1), &use, &name);
	known = name.known;
	if (known)
		str_printf(out, "&%s", str_text(&name.text));
	name_deinit(&name);
	return known;
}

/* Elsewhere than it was, or where it should have been: `i != 3`, `p == &x`. */
static void add_place(const struct describe_scope *scope, LLVMValueRef instruction,
                      const uint64_t *wanted, struct str *out)
{
	LLVMValueRef pointer = pointer_of(instruction), base;
	const struct code_slot *slot;

	if (!pointer || add_index(scope, pointer, wanted, out))
		return;
	/* The pointer that a member's address is made from. */
	for (base = pointer; LLVMIsAGetElementPtrInst(base) && !index_of(base);)
		base = LLVMGetOperand(base, 0);
	if (base != pointer && !wanted && add_index(scope, base, NULL, out))
		return;
	if (wanted)
		base = pointer;
	slot = names_slot(scope->names, scope->a, base);
	if (!slot)
		return;
	if (!wanted || !add_written(scope, instruction, out))
		describe_expression(scope, base, out);
	str_add(out, wanted ? " == " : " != ");
	add_address(scope, wanted ? *wanted : slot->bits, out);
}

/* --- conditions --- */

static void add_condition_words(const struct describe_scope *scope, LLVMValueRef instruction,
                                enum tree_kind kind, uint64_t address, struct str *out)
{
	const struct code_slot *slot;

	if (kind == TREE_OF_ADDRESS || kind == TREE_OF_MISSED) {
		add_place(scope, instruction, kind == TREE_OF_MISSED ? &address : NULL, out);
	} else if (LLVMIsASwitchInst(instruction)) {
		add_other_case(scope, instruction, out);
	} else if (LLVMIsABranchInst(instruction) && LLVMIsConditional(instruction)) {
		slot = names_slot(scope->names, scope->a, LLVMGetCondition(instruction));
		if (slot)
			describe_truth(scope, LLVMGetCondition(instruction), !(slot->bits & 1),
			               out);
	}
}

void tree_words_condition(struct names *names, uint32_t code, enum tree_kind kind, uint64_t address,
                          char **wanted, char **numbers)
{
	struct execution *e = names_execution(names);
	const struct activation *a = execution_top(e, 0);
	struct describe_scope scope = {.names = names, .a = a};
	struct str text = STR_INIT, values = STR_INIT;
	LLVMValueRef instruction;

	if (!a || code - a->function->first >= a->function->size)
		return;
	instruction = a->function->instructions[code - a->function->first];
	describe_stand_at(names, e);
	add_condition_words(&scope, instruction, kind, address, &text);
	scope.values = true;
	add_condition_words(&scope, instruction, kind, address, &values);
	names_at(names, 0, 0, 0, 0);
	if (values.length && strcmp(str_text(&text), str_text(&values)))
		*numbers = str_steal(&values);
	if (text.length)
		*wanted = str_steal(&text);
	str_deinit(&text);
	str_deinit(&values);
}

/* --- statements --- */

/* What a store computed, if that is more than a name or a number: 'd = c + 3 = 4'. */
static bool add_computation(struct names *names, const struct described *d, struct str *out)
{
	struct execution *e = names_execution(names);
	const struct activation *a = execution_top(e, 0);
	struct describe_scope scope = {.names = names, .a = a};
	LLVMValueRef store = a->function->instructions[a->pc - 1];
	struct str text = STR_INIT;
	bool is;

	if (!LLVMIsAStoreInst(store) || d->writes.size != 1 ||
	    LLVMIsConstant(LLVMGetOperand(store, 0)))
		return false;
	describe_stand_at(names, e);
	describe_expression(&scope, LLVMGetOperand(store, 0), &text);
	names_at(names, 0, 0, 0, 0);
	is = strcmp(str_text(&text), str_text(&d->writes.at[0].value)) &&
	     !strstr(str_text(&text), "...");
	if (is)
		str_printf(out, "%s = %s = %s", str_text(&d->writes.at[0].name.text),
		           str_text(&text), str_text(&d->writes.at[0].value));
	str_deinit(&text);
	return is;
}

/* What the statement did that the function on top has just executed: 'd = c + 3 = 4'. Caller
   frees. */
static char *words_of_statement(struct names *names, enum execution_event event)
{
	struct described d = {.unfinished = event == EXECUTION_LEFT};
	struct str text = STR_INIT;

	describe_statement(names, names_execution(names), event == EXECUTION_CALLS, &d);
	if (!add_computation(names, &d, &text))
		str_add(&text, str_text(&d.text));
	if (d.unfinished)
		str_add(&text, " did not return");
	described_deinit(&d);
	return str_steal(&text);
}

/* --- initial values --- */

/* The variable at an address, as it was declared; NULL: none. */
static const struct variable *variable_at(struct names *names, uint64_t address)
{
	struct execution *e = names_execution(names);
	uint32_t number = execution_object_at(e, address);
	const struct object *o = number ? objects_at(execution_objects(e), number) : NULL;
	const struct plan *plan;

	if (!o || o->kind != OBJECT_GLOBAL)
		return NULL;
	plan = walk_program(execution_walk(e))->modules.at[o->owner].plan;
	return variables_of_global(names_variables(names, o->owner), plan->globals.at[o->index]);
}

/* What the load with this code, of the statement that the function on top has just executed, read
   of a variable that still had its initial value: 'operations[2] = divide (initial value)', and
   where that is declared. NULL: it is no variable of the program's. Caller frees. */
static char *words_of_initial(struct names *names, uint32_t code, struct walk_place *place)
{
	struct execution *e = names_execution(names);
	const struct activation *a = execution_top(e, 0);
	struct describe_scope scope = {.names = names, .a = a};
	const struct code_slot *slot;
	const struct variable *variable;
	struct name name = {0};
	struct str text = STR_INIT;
	LLVMValueRef load;

	if (!a || code - a->function->first >= a->function->size)
		return NULL;
	load = a->function->instructions[code - a->function->first];
	slot = names_slot(names, a, LLVMGetOperand(load, 0));
	variable = slot ? variable_at(names, slot->bits) : NULL;
	if (!variable || !variable->file)
		return NULL;
	*place = (struct walk_place){.file = variable->file, .line = variable->line};
	describe_stand_at(names, e);
	describe_load(&scope, load, &name);
	str_printf(&text, "%s = ", str_text(&name.text));
	describe_operand(&scope, load, &text);
	str_add(&text, " (initial value)");
	names_at(names, 0, 0, 0, 0);
	name_deinit(&name);
	return str_steal(&text);
}

/* ------ places and texts of a cause tree's nodes ------ */

/* One decoding of the run, in which their statements are met. */

/* An instance of a node's cause. */
struct part {
	uint32_t statement; /* instance that ends the statement it belongs to */
	uint32_t instance;
	uint32_t node;
	uint32_t
		/* of the statement, where all instances are kept; 0: it is counted on the way */
		occurrence;
	bool done;
};

struct describing {
	struct tree *tree;
	struct names *names;
	VEC(struct part) parts;   /* by statement */
	uint32_t left;            /* that were not met yet */
	VEC(uint64_t) executions; /* of statements, by instruction */
};

static int by_statement(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->statement != y->statement)
		return x->statement < y->statement ? -1 : 1;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x->instance < y->instance ? -1 : x->instance > y->instance;
}

static void add_part(struct describing *d, uint32_t node, uint32_t instance)
{
	struct part part = {
		.statement = tree_statement_of(d->tree->work, instance),
		.instance = instance,
		.node = node,
	};

	if (!part.statement && instance == d->tree->nodes.at[node].condition)
		part.statement = instance;
	if (part.statement)
		*vec_push(&d->parts) = part;
}

/* The first of a statement. */
static uint32_t parts_of(const struct describing *d, uint32_t statement)
{
	uint32_t low = 0, high = d->parts.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (d->parts.at[middle].statement < statement)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* --- one statement --- */

/* Where and when it is. */
struct moment {
	struct walk_place place;
	uint64_t time, occurrence;
	uint32_t statement; /* instance */
	char *text;         /* NULL: not made yet */
	enum execution_event event;
};

/* How often the instruction is in a cause, be it that others stand for it. */
static uint64_t count_executions(const struct tree *tree, const struct part *part)
{
	const struct tree_work *w = tree->work;
	const struct tree_node *n = &tree->nodes.at[part->node];
	const uint32_t *count = tree_index_find(&w->more.at[part->node].counts,
	                                        execution_code(w->e, part->instance));

	if (part->instance == n->condition)
		return n->conditions.size;
	return count ? *count : 1;
}

static bool is_condition(const struct tree_node *n, uint32_t instance)
{
	for (uint32_t i = 0; i < n->core.size; i++)
		if (n->core.at[i] == instance)
			return true;
	return n->condition == instance;
}

/* The statement, if it is the last one that was added but for initial values; NULL: it is not. */
static struct tree_statement *last_of(struct tree_node *n, uint32_t statement)
{
	for (uint32_t i = n->statements.size; i-- > 0;)
		if (n->statements.at[i].time)
			return n->statements.at[i].instance == statement ? &n->statements.at[i]
			                                                 : NULL;
	return NULL;
}

/* A load that read what a variable began with: where that is declared belongs to the cause. */
static void take_initial(struct describing *d, const struct part *part)
{
	struct tree_node *n = &d->tree->nodes.at[part->node];
	struct tree_statement *s;
	struct walk_place place;
	char *text;

	if (execution_insn(d->tree->work->e, part->instance)->op != CODE_LOAD ||
	    execution_source(d->tree->work->e, part->instance) != SOURCE_INITIAL)
		return;
	text = words_of_initial(d->names, execution_code(d->tree->work->e, part->instance), &place);
	if (!text)
		return;
	s = vec_push(&n->statements);
	s->instance = part->instance;
	s->count = 1;
	s->file = mem_strdup_or_null(place.file);
	s->function = mem_strdup_or_null(place.function);
	s->line = place.line;
	s->column = place.column;
	s->text = text;
}

static void take_node(struct describing *d, const struct moment *m, uint32_t node)
{
	struct tree_node *n = &d->tree->nodes.at[node];
	const struct violation *v = &d->tree->violation;
	enum tree_kind kind = node ? tree_kind(n->reason) : TREE_OF_BRANCH;
	struct walk_place place = names_place(d->names, n->code);

	if (!place.line)
		place = m->place;
	n->file = mem_strdup_or_null(place.file);
	n->function = mem_strdup_or_null(place.function);
	n->line = place.line;
	n->column = place.column;
	n->time = m->time;
	n->occurrence = m->occurrence;
	n->described = true;
	if (!node && v->wanted.length) {
		n->wanted = mem_strdup(str_text(&v->wanted));
		n->numbers = v->numbers.length ? mem_strdup(str_text(&v->numbers)) : NULL;
	} else if (node || v->kind == VIOLATION_BRANCH) {
		tree_words_condition(d->names, n->code, kind, d->tree->work->more.at[node].address,
		                     &n->wanted, &n->numbers);
	}
}

static void take_parts(struct describing *d, struct moment *m)
{
	for (uint32_t i = parts_of(d, m->statement);
	     i < d->parts.size && d->parts.at[i].statement == m->statement; i++) {
		struct part *part = &d->parts.at[i];

		if (part->done)
			continue;
		if (part->occurrence)
			m->occurrence = part->occurrence;
		if (!m->text)
			m->text = words_of_statement(d->names, m->event);
		part->done = true;
		d->left--;

		struct tree_node *n = &d->tree->nodes.at[part->node];
		struct tree_statement *s = last_of(n, m->statement);
		uint64_t count = count_executions(d->tree, part);

		if (!s) {
			s = vec_push(&n->statements);
			s->instance = m->statement;
			s->time = m->time;
			s->file = mem_strdup_or_null(m->place.file);
			s->function = mem_strdup_or_null(m->place.function);
			s->line = m->place.line;
			s->column = m->place.column;
			s->text = mem_strdup(m->text);
		}
		if (count > s->count)
			s->count = count;
		s->condition |= is_condition(n, part->instance);

		take_initial(d, part);
		if (d->tree->nodes.at[part->node].condition == part->instance)
			take_node(d, m, part->node);
	}
	free(m->text);
}

/* --- the run --- */

static uint64_t count_statement(struct describing *d, uint32_t code)
{
	while (d->executions.size <= code)
		vec_push(&d->executions);
	return ++d->executions.at[code];
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct describing *d = context;
	const struct activation *a = execution_top(e, 0);
	struct moment m = {.time = number, .event = event, .statement = describe_instance(e)};
	uint32_t code = a->function->first + a->pc - 1;

	names_follow(d->names);
	if (event == EXECUTION_CALLS_BACK) /* it is told again */
		return;
	if (!execution_whole(e))
		m.occurrence = count_statement(d, code);
	if (!d->left) {
		walk_halt(execution_walk(e));
		return;
	}
	m.place = names_place(d->names, code);
	take_parts(d, &m);
}

/* What the program died in never ends: it is told by what went wrong there. Of what is no statement
   at all, only the place is known. */
static void take_rest(void *context, struct execution *e)
{
	struct describing *d = context;
	const struct tree *tree = d->tree;
	uint32_t violated = tree_statement_of(tree->work, tree->violation.instance);

	for (uint32_t i = 0; i < d->parts.size; i++) {
		const struct part *part = &d->parts.at[i];
		uint32_t code = execution_code(tree->work->e, part->statement);
		struct moment m = {.time = execution_whole(e) ? history_statement(tree->work->run,
		                                                                  part->statement)
		                                              : execution_statements(e) + 1,
		                   .place = names_place(d->names, code),
		                   .statement = part->statement};

		if (part->done)
			continue;
		m.occurrence = part->occurrence ? part->occurrence : count_statement(d, code);
		if (part->statement != violated && part->statement + 1 != tree->work->end) {
			if (part->instance == tree->nodes.at[part->node].condition)
				take_node(d, &m, part->node);
			continue;
		}
		m.text = mem_strdup(part->statement == violated ? str_text(&tree->violation.what)
		                                                : "the program died here");
		take_parts(d, &m);
	}
}

static struct hence_error *decode(struct describing *d)
{
	const struct recording *run = d->tree->work->run;
	const struct execution_options options = {
		.table = run->table, .statement = on_statement, .context = d};
	VEC(uint64_t) times = VEC_INIT;
	struct hence_error *error;

	if (d->tree->work->shared) {
		uint32_t *instances = mem_alloc((d->parts.size + 1) * sizeof(*instances));
		uint32_t *counts = mem_alloc((d->parts.size + 1) * sizeof(*counts));

		for (uint32_t i = 0; i < d->parts.size; i++) {
			instances[i] = d->parts.at[i].statement;
			*vec_push(&times) = history_statement(run, instances[i]);
		}
		execution_occurrences(d->tree->work->e, instances, d->parts.size, counts);
		for (uint32_t i = 0; i < d->parts.size; i++)
			d->parts.at[i].occurrence = counts[i];
		free(instances);
		free(counts);
	}
	error = names_visit(run, times.at, times.size, &options, &d->names, take_rest);
	vec_deinit(&times);
	return error;
}

static int by_time(const void *a, const void *b)
{
	const struct tree_statement *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->instance < y->instance ? -1 : x->instance > y->instance;
}

struct hence_error *tree_describe(struct tree *tree)
{
	struct describing d = {.tree = tree};
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < d.tree->nodes.size; i++) {
		const struct tree_node *n = &d.tree->nodes.at[i];

		if (n->described || !n->condition)
			continue;
		add_part(&d, i, n->condition);
		for (uint32_t k = 0; k < n->cause.size; k++)
			if (n->cause.at[k] != n->condition)
				add_part(&d, i, n->cause.at[k]);
	}
	d.left = d.parts.size;
	if (d.left)
		qsort(d.parts.at, d.parts.size, sizeof(*d.parts.at), by_statement);

	if (d.left)
		error = decode(&d);

	/* Where what nodes are critical for is: it may lie in a function that was not executed yet when the node was
	   described. */
	struct names *names = names_create(tree->work->e);

	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		struct tree_node *n = &tree->nodes.at[i];
		struct walk_place via;

		if (!n->described || !n->via || n->via_file)
			continue;
		via = names_place(names, execution_code(tree->work->e, n->via));
		n->via_file = mem_strdup_or_null(via.file);
		n->via_line = via.line;
	}
	names_destroy(names);
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		if (tree->nodes.at[i].statements.size)
			qsort(tree->nodes.at[i].statements.at, tree->nodes.at[i].statements.size,
			      sizeof(struct tree_statement), by_time);
	vec_deinit(&d.parts);
	vec_deinit(&d.executions);
	return error;
}

/* ------ which proven value of a node came from which ------ */

#define MOST_FOLLOWED 20000u /* instances that are looked at for one value */

struct follow_range {
	uint64_t from, to; /* bytes that matter; both 0: all */
};

MAP_DEFINE_U64(follow_ranges, struct follow_range);

/* A walk back from one value, the latest instance first. */
struct follow_origin {
	const struct tree_work *work;
	const struct tree_node *node;
	roaring_bitmap_t *pending;
	struct follow_ranges ranges; /* of the pending ones */
};

/* Does the experiment show that another value there makes the run pass? */
static bool is_link(const struct tree_proof *proof)
{
	return proof->counts && !proof->branch;
}

static void widen(struct follow_range *range, bool known, uint64_t from, uint64_t to)
{
	if (!known) {
		*range = (struct follow_range){from, to};
	} else if (!to || !range->to) {
		*range = (struct follow_range){0, 0};
	} else {
		range->from = from < range->from ? from : range->from;
		range->to = to > range->to ? to : range->to;
	}
}

static void take_followed(void *context, const struct execution_origin *origin)
{
	struct follow_origin *f = context;
	bool ranged = origin->size && origin->written;

	if (origin->itself || origin->source < EXECUTION_FIRST ||
	    !tree_keeps(f->work, origin->source))
		return;
	widen(follow_ranges_put(&f->ranges, origin->source),
	      roaring_bitmap_contains(f->pending, origin->source), ranged ? origin->written : 0,
	      ranged ? origin->written + origin->size : 0);
	roaring_bitmap_add(f->pending, origin->source);
}

/* The experiment whose value is the nearest that this one came from; 0: none. */
static uint64_t follow_origin(struct follow_origin *f, const struct tree_proof *proof)
{
	uint64_t found = 0;

	execution_origins(f->work->e, proof->instance, 0, 0, take_followed, f);
	for (uint32_t i = 0; i < MOST_FOLLOWED && !found && !roaring_bitmap_is_empty(f->pending);
	     i++) {
		uint32_t instance = roaring_bitmap_maximum(f->pending);
		struct follow_range range = *follow_ranges_find(&f->ranges, instance);

		roaring_bitmap_remove(f->pending, instance);
		/* The experiment that changed what this instance stored. */
		for (uint32_t k = 0; k < f->node->proofs.size && !found; k++)
			if (f->node->proofs.at[k].instance == instance &&
			    is_link(&f->node->proofs.at[k]))
				found = f->node->proofs.at[k].experiment;
		if (!found)
			execution_origins(f->work->e, instance, range.from, range.to, take_followed,
			                  f);
	}
	roaring_bitmap_clear(f->pending);
	return found;
}

void tree_follow_proofs(struct tree *tree, uint32_t node)
{
	struct tree_node *n = &tree->nodes.at[node];
	struct follow_origin f = {
		.work = tree->work, .node = n, .pending = roaring_bitmap_create()};

	for (uint32_t i = 0; i < n->proofs.size; i++) {
		struct tree_proof *proof = &n->proofs.at[i];

		proof->after = is_link(proof) ? follow_origin(&f, proof) : 0;
		follow_ranges_deinit(&f.ranges);
		f.ranges = (struct follow_ranges)MAP_INIT;
	}
	roaring_bitmap_free(f.pending);
}

/* ------ experiments on nodes of the cause tree ------ */

void tree_proof_deinit(struct tree_proof *proof)
{
	free(proof->file);
	free(proof->function);
	free(proof->changed);
	free(proof->from);
	free(proof->to);
	free(proof->point.file);
	free(proof->point.function);
}

/* ------ the whole ------ */

#define NODES         400u
#define STEPS_AT_ONCE 40000u /* of the solver for one question: some hundredths of a second */
#define SIZE          1500u  /* nodes of terms in one */
#define SECONDS       2.0    /* in all, as a last resort: steps do not count everything */
#define FLOATS        3u     /* operations on floating-point numbers in one */

/* --- nodes --- */

static uint32_t add_node(struct tree *tree, uint32_t parent)
{
	struct tree_more *more = vec_push(&tree->work->more);
	struct tree_node *n = vec_push(&tree->nodes);

	more->conditions = roaring_bitmap_create();
	more->full = roaring_bitmap_create();
	more->fresh = roaring_bitmap_create();
	n->parent = parent;
	if (tree->nodes.size > 1)
		n->level = tree->nodes.at[parent].level + 1;
	return tree->nodes.size - 1;
}

/* The node of a condition's instruction, made below `parent` if there is none; UINT32_MAX: no more
   can be. */
static uint32_t node_of(struct tree *tree, uint32_t parent, const struct tree_condition *c)
{
	struct tree_work *w = tree->work;
	uint32_t code = execution_code(w->e, c->instance);
	uint32_t most = w->options->nodes ? w->options->nodes : NODES;
	uint32_t *found = tree_index_put(&w->index, tree_key(code, tree_kind(c->reason)));

	if (*found)
		return *found - 1;
	if (tree->nodes.size >= most) {
		tree->full = true;
		return UINT32_MAX;
	}
	*found = add_node(tree, parent) + 1;
	tree->nodes.at[*found - 1].code = code;
	*vec_push(&tree->nodes.at[parent].children) = *found - 1;
	return *found - 1;
}

static void add_condition(struct tree *tree, uint32_t parent, const struct tree_condition *c)
{
	uint32_t node = node_of(tree, parent, c);

	if (node == UINT32_MAX)
		return;
	if (node != parent && tree->nodes.at[node].parent != parent) {
		struct tree_node *p = &tree->nodes.at[parent];
		uint32_t i = 0;

		while (i < p->again.size && p->again.at[i] != node)
			i++;
		if (i == p->again.size)
			*vec_push(&p->again) = node;
	}
	if (!roaring_bitmap_add_checked(tree->work->more.at[node].conditions, c->instance))
		return;
	*vec_push(&tree->nodes.at[node].conditions) = c->instance;
	*vec_push(&tree->work->more.at[node].pending) = *c;
}

/* Finds the children of a node, or those that are new since its cause has grown. */
static void expand(struct tree *tree, uint32_t node)
{
	struct tree_work *w = tree->work;
	struct tree_conditions found = {0};
	const struct violation *v = &tree->violation;

	tree_find_critical(w, w->more.at[node].fresh, &found);
	/* Could other output have been due first? It should have come at the last of the instances at the latest. */
	if (!node && !tree->nodes.at[0].expanded &&
	    (v->kind == VIOLATION_EVENT || v->failure == EXPLANATION_WRONG_OUTPUT)) {
		uint32_t last = v->instance;

		for (uint32_t i = 0; i < v->also.size; i++)
			if (v->also.at[i] > last)
				last = v->also.at[i];
		tree_find_silent(w, last, &found);
	}
	roaring_bitmap_clear(w->more.at[node].fresh);
	tree->nodes.at[node].expanded = true;
	for (uint32_t i = 0; i < found.all.size; i++)
		add_condition(tree, node, &found.all.at[i]);
	vec_deinit(&found.all);
}

/* --- levels --- */

static bool wants(const struct tree *tree, uint32_t node)
{
	const struct tree_more *more = &tree->work->more.at[node];
	const struct tree_node *n = &tree->nodes.at[node];

	return more->pending.size || ((n->expanded || n->level < tree->work->options->levels) &&
	                              (!n->expanded || !roaring_bitmap_is_empty(more->fresh)));
}

/* Nodes are in the order of their levels, so that all conditions of one are mostly known when its
   turn comes. Those that come later are looked at in the next round. */
static void work(struct tree *tree)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < tree->nodes.size; i++) {
			if (!wants(tree, i))
				continue;
			tree->stopped |= budget_is_over(tree->work->options->budget);
			if (tree->stopped)
				return;
			changed = true;
			tree_find_cause(tree, i);
			if (wants(tree, i))
				expand(tree, i);
		}
	}
}

void tree_expand(struct tree *tree, uint32_t node)
{
	double began = budget_clock();

	if (tree->nodes.at[node].expanded)
		return;
	tree->stopped = false;
	expand(tree, node);
	work(tree);
	tree->work->seconds += budget_clock() - began;
}

/* --- making it --- */

static struct hence_error *build(struct tree *tree, const struct violation_question *question)
{
	struct tree_work *w = tree->work;
	struct solver_options options = {.steps = STEPS_AT_ONCE,
	                                 .floats = FLOATS,
	                                 .size = SIZE,
	                                 .seconds = SECONDS,
	                                 .stop = budget_stops,
	                                 .context = (void *)w->options->budget};
	struct hence_error *error = tree_decode(w, &tree->window);

	if (error)
		return error;
	if (tree->window)
		*vec_push(&tree->notes) = str_format(
			"the run is too long to be kept whole: only the last %u of %u instructions "
			"are followed, and what was there before is taken as it was",
			w->end - w->first, w->end - EXECUTION_FIRST);
	w->terms = terms_create();
	w->symbolic = symbolic_create(w->e, w->terms);
	w->solver = solver_create(w->terms, &options);
	w->cache = refute_cache_create();
	error = violation_find(w->run, w->symbolic, question, &tree->violation);
	if (!error && !tree_keeps(w, tree->violation.instance))
		error = error_create(
			HENCE_ERROR_INPUT,
			"the run is too long for a cause tree: the failure lies before the last "
			"%u instructions, which is all that fits into memory",
			w->end - w->first);
	if (error)
		return error;
	add_node(tree, 0);
	tree_find_root(tree);
	work(tree);
	return NULL;
}

struct hence_error *tree_build(const struct recording *run,
                               const struct violation_question *question,
                               const struct tree_options *options, struct tree *out)
{
	struct tree tree = {0};
	struct hence_error *error;
	double began = budget_clock();

	tree.work = mem_alloc(sizeof(*tree.work));
	tree.work->run = run;
	tree.work->options = options;
	error = build(&tree, question);
	tree.work->seconds = budget_clock() - began;
	if (error)
		tree_deinit(&tree);
	else
		*out = tree;
	return error;
}

/* --- the end of it --- */

void tree_deinit(struct tree *tree)
{
	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		struct tree_node *n = &tree->nodes.at[i];

		tree_forget_words(n);
		for (uint32_t k = 0; k < n->proofs.size; k++)
			tree_proof_deinit(&n->proofs.at[k]);
		vec_deinit(&n->conditions);
		vec_deinit(&n->cause);
		vec_deinit(&n->core);
		vec_deinit(&n->conjuncts);
		vec_deinit(&n->children);
		vec_deinit(&n->again);
		vec_deinit(&n->proofs);
	}
	vec_deinit(&tree->nodes);
	for (uint32_t i = 0; i < tree->notes.size; i++)
		free(tree->notes.at[i]);
	vec_deinit(&tree->notes);
	violation_deinit(&tree->violation);
	if (tree->work) {
		struct tree_work *w = tree->work;

		for (uint32_t i = 0; i < w->more.size; i++) {
			vec_deinit(&w->more.at[i].pending);
			tree_index_deinit(&w->more.at[i].counts);
			roaring_bitmap_free(w->more.at[i].conditions);
			roaring_bitmap_free(w->more.at[i].full);
			roaring_bitmap_free(w->more.at[i].fresh);
		}
		vec_deinit(&w->more);
		tree_index_deinit(&w->index);

		for (uint32_t i = 0; i < w->stores.size; i++)
			vec_deinit(&w->stores.at[i].all);
		for (uint32_t i = 0; i < w->objects.size; i++)
			vec_deinit(&w->objects.at[i].lives);
		vec_deinit(&w->stores);
		vec_deinit(&w->objects);

		if (w->e)
			sides_table_deinit(&w->sides);
		refute_cache_destroy(w->cache);
		solver_destroy(w->solver);
		symbolic_destroy(w->symbolic);
		terms_destroy(w->terms);
		if (!w->shared)
			execution_destroy(w->e);
		free(w->correct);
		free(w);
	}
	*tree = (struct tree){0};
}

struct symbolic *tree_symbolic(const struct tree *tree)
{
	return tree->work->symbolic;
}

struct solver *tree_solver(const struct tree *tree)
{
	return tree->work->solver;
}
