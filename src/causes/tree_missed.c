/*
 * Writes that may have missed their place: to the same object as what a cause read, between who wrote that and the
 * read, but elsewhere in it. Only writes through a pointer or index that was computed can have gone astray.
 */
#include "causes/tree_work.h"

#define STEPS 256u /* executions of one store that are looked at for one read */
#define READS 64u  /* executions of one load that are looked at */
#define MOST  8u   /* instructions that may have missed what a cause read: the nearest */

/* --- all stores, by instruction --- */

static bool is_store(const struct code_insn *insn)
{
	return (insn->op == CODE_STORE || insn->op == CODE_STORE_WIDE) &&
	       !(insn->flags & CODE_DIRECT);
}

/* How far apart the places are that a store could have been at: the size of an element that its index counts, or
   that its pointer walks over. 0: it could only be where it was. */
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
			uint64_t address;
			uint32_t *number;

			if (!is_store(insn) ||
			    !execution_operand(w->e, i, insn->b, &address, &made))
				continue;
			number = tree_index_put(&at, code);
			if (!*number) {
				vec_push(&w->stores)->step = find_step(w, f, insn);
				*number = w->stores.size;
			}
			*vec_push(&w->stores.at[*number - 1].all) = (struct tree_store){i, address};
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

static bool is_constant(const struct tree_work *w, const struct object *o)
{
	const struct plan *plan;

	if (o->kind != OBJECT_GLOBAL)
		return false;
	plan = w->code->program->modules.at[o->owner].plan;
	return LLVMIsGlobalConstant(plan->globals.at[o->index]);
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
			last->constant = is_constant(w, &all[i]);
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

bool tree_is_constant(struct tree_work *w, uint64_t address, uint32_t instance)
{
	const struct tree_objects *o;

	index_run(w);
	o = find_object(w, address, instance);
	return o && o->constant;
}

void tree_missed_deinit(struct tree_work *w)
{
	for (uint32_t i = 0; i < w->stores.size; i++)
		vec_deinit(&w->stores.at[i].all);
	for (uint32_t i = 0; i < w->objects.size; i++)
		vec_deinit(&w->objects.at[i].lives);
	vec_deinit(&w->stores);
	vec_deinit(&w->objects);
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

/* Has another member of the object been written by other code than that which filled it in? Then this member may have
   been forgotten there. */
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

/* Did this instruction write what was read? Then where it wrote is a condition of the cause itself. */
static bool wrote(const struct tree_work *w, const struct tree_stores *s, uint32_t source)
{
	return tree_keeps(w, source) &&
	       execution_code(w->e, source) == execution_code(w->e, s->all.at[0].instance);
}

static void find_stores(void *context, const struct execution_origin *origin)
{
	struct reader *r = context;
	const struct tree_objects *o;

	if (!origin->size || origin->value || origin->chosen)
		return;
	o = find_object(r->w, origin->from, r->instance);
	/* All of an object cannot be missed within it. */
	if (!o || o->size <= origin->size)
		return;
	for (uint32_t i = 0; i < r->w->stores.size; i++)
		if (!wrote(r->w, &r->w->stores.at[i], origin->source))
			find_store(r, &r->w->stores.at[i], o, origin);
}

static bool is_load(const struct tree_work *w, uint32_t instance)
{
	uint8_t op = execution_insn(w->e, instance)->op;

	return op == CODE_LOAD || op == CODE_LOAD_WIDE;
}

static int latest_first(const void *a, const void *b)
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
		qsort(found->all.at, found->all.size, sizeof(*found->all.at), latest_first);
	for (uint32_t i = 0; i < found->all.size; i++) {
		uint32_t code = execution_code(w->e, found->all.at[i].instance);

		if (codes.size == MOST && !tree_index_find(&codes, code))
			continue;
		*tree_index_put(&codes, code) = 1;
		*vec_push(&out->all) = found->all.at[i];
	}
	tree_index_deinit(&codes);
}

void tree_find_missed(struct tree_work *w, const roaring_bitmap_t *instances,
                      struct tree_conditions *out)
{
	struct reader r = {.w = w};
	struct tree_index reads = MAP_INIT;
	roaring_uint32_iterator_t i;

	index_run(w);
	roaring_init_iterator_last(instances, &i);
	for (; i.has_value; roaring_previous_uint32_iterator(&i)) {
		r.instance = i.current_value;
		if (!is_load(w, r.instance) || tree_outside_correct(w, r.instance) != r.instance ||
		    ++*tree_index_put(&reads, execution_code(w->e, r.instance)) > READS)
			continue;
		execution_origins(w->e, r.instance, 0, 0, find_stores, &r);
	}
	choose(w, &r.found, out);
	vec_deinit(&r.found.all);
	tree_index_deinit(&reads);
}
