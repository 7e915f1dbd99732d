/* Critical conditions of a cause: see tree.h. */
#include "causes/tree_work.h"

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

uint32_t tree_branch_of(const struct tree_work *w, uint32_t instance)
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

/* A branch in a function that is correct stands for the call outside of it. */
static uint32_t map_branch(struct tree_work *w, uint32_t branch)
{
	uint32_t outside = branch ? tree_outside_correct(w, branch) : 0;

	return !outside || outside == branch ? outside : tree_branch_of(w, outside);
}

static void add_branch(struct finder *f, enum tree_reason reason, uint32_t branch, uint32_t via)
{
	bool *seen;

	branch = map_branch(f->w, branch);
	if (!branch)
		return;
	seen = seen_map_put(&f->seen, branch);
	if (!*seen)
		add(f, reason, branch, via);
	*seen = true;
}

/* Which function a pointer named is a condition of all that it executed. */
static void add_callees(struct finder *f, uint32_t instance)
{
	uint32_t at = parent_of(f->w, instance);

	for (; at && !is_branch(op_of(f->w, at)); at = parent_of(f->w, at)) {
		const struct code_insn *insn = execution_insn(f->w->e, at);

		if (insn->op == CODE_CALL && !((const struct code_call *)insn->more)->name &&
		    tree_outside_correct(f->w, at) == at)
			add(f, TREE_ADDRESS, at, instance);
	}
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
	/* A loop's test hangs on the one before: they are one. What hangs on it is asked of the first. */
	code = execution_code(f->w->e, outside);
	while (branch && execution_code(f->w->e, branch) == code)
		branch = tree_branch_of(f->w, branch);
	add_callees(f, outside);
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

static void add_address(struct finder *f, uint32_t instance)
{
	uint64_t value;

	if (accesses(op_of(f->w, instance)) && is_computed(f->w, instance) &&
	    tree_pointer(f->w, instance, &value))
		add(f, TREE_ADDRESS, instance, instance);
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
	if (tree_outside_correct(f->w, instance) == instance)
		add_address(f, instance);
}

void tree_find_critical(struct tree_work *w, const roaring_bitmap_t *instances,
                        struct tree_conditions *out)
{
	struct finder f = {.w = w, .out = out};
	struct tree_conditions indirect = {0};

	if (roaring_bitmap_is_empty(instances))
		return;
	each(&f, instances, add_direct);
	tree_find_indirect(w, instances, &indirect);
	for (uint32_t i = 0; i < indirect.all.size; i++)
		add_branch(&f, TREE_INDIRECT, indirect.all.at[i].instance, indirect.all.at[i].via);
	each(&f, instances, find_address);
	tree_find_missed(w, instances, out);
	vec_deinit(&indirect.all);
	seen_map_deinit(&f.seen);
}
