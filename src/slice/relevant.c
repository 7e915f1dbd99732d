/* Potential dependences: see relevant.h. */
#include "slice/relevant.h"

#include "model/control.h"
#include "model/ir.h"

/* ------ what the sides of a branch may write: see relevant.h ------ */

/* Whose code is being looked at. */
struct sides_scope {
	struct sides_table *table;
	const struct program_module *module;
	const struct plan_function *function;
	struct sides_set set;      /* grows; its bitmap must be there */
	struct sides_list callees; /* grows */
	bool locals;               /* they are asked for */
};

/* ------ what a block may write ------ */

/* --- places --- */

/* The class, as a set of one, of an access to a value of this type; all if the type is none. */
static uint32_t sides_class(LLVMTargetDataRef layout, LLVMTypeRef type)
{
	uint64_t size = type && LLVMTypeIsSized(type) ? LLVMABISizeOfType(layout, type) : 0;
	LLVMTypeKind kind = type ? LLVMGetTypeKind(type) : LLVMVoidTypeKind;
	uint32_t log = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : 4;

	if (!size)
		return SIDES_ALL;
	if (kind == LLVMPointerTypeKind)
		return 1u << 15;
	if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind)
		return 1u << (8 + log);
	return 1u << log;
}

static LLVMValueRef base_of(LLVMValueRef pointer)
{
	for (;;) {
		bool constant = LLVMIsAConstantExpr(pointer) != NULL;

		if (!LLVMIsAGetElementPtrInst(pointer) && !LLVMIsABitCastInst(pointer) &&
		    !(constant && LLVMGetNumOperands(pointer)))
			return pointer;
		pointer = LLVMGetOperand(pointer, 0);
	}
}

static uint32_t number_of(struct sides_table *table, uint64_t at, uint64_t size)
{
	uint32_t *number = sides_number_map_put(&table->global_numbers, at);

	if (!*number) {
		vec_push(&table->globals)->from = at;
		*number = table->globals.size;
	}
	/* Files may know different sizes of it. */
	if (table->globals.at[*number - 1].to < at + size)
		table->globals.at[*number - 1].to = at + size;
	return *number - 1;
}

static void add_range(struct sides_scope *s, LLVMValueRef global)
{
	const uint64_t *at = value_map_find(&s->module->values, (uint64_t)global);
	LLVMTypeRef type = LLVMGlobalGetValueType(global);
	uint64_t size =
		LLVMTypeIsSized(type) ? LLVMABISizeOfType(s->module->plan->layout, type) : 0;

	if (at && *at && size)
		roaring_bitmap_add(s->set.globals, number_of(s->table, *at, size));
}

static void add_bytes(struct sides_set *set, uint64_t from, uint64_t to)
{
	for (uint32_t i = 0; i < set->locals.size; i++)
		if (set->locals.at[i].from <= from && to <= set->locals.at[i].to)
			return;
	*vec_push(&set->locals) = (struct execution_range){from, to};
}

static void add_local(struct sides_scope *s, LLVMValueRef alloca_, LLVMValueRef pointer,
                      uint64_t size)
{
	int64_t offset;
	int local = plan_local_of(s->module->plan, s->function, pointer, &offset);

	if (!s->locals)
		return;
	for (uint32_t i = 0; i < s->function->locals.size; i++) {
		const struct plan_local *l = &s->function->locals.at[i];
		uint64_t from = l->offset, to = l->offset + l->size;

		if (l->alloca_ != alloca_)
			continue;
		if (local == (int)i && offset >= 0 && size && (uint64_t)offset + size <= l->size) {
			from += (uint64_t)offset;
			to = from + size;
		}
		add_bytes(&s->set, from, to);
	}
}

/* Something is written there. `size` 0: nobody knows how much. */
static void add_place(struct sides_scope *s, LLVMValueRef pointer, uint64_t size, uint32_t class)
{
	LLVMValueRef base = base_of(pointer);

	if (LLVMIsAAllocaInst(base))
		add_local(s, base, pointer, size);
	else if (LLVMIsAGlobalVariable(base))
		add_range(s, base);
	else
		s->set.pointers |= class;
}

/* --- instructions --- */

static uint32_t function_number(struct sides_table *table, struct program_place place)
{
	uint64_t key = (uint64_t)place.module << 32 | place.function;
	uint32_t *number = sides_number_map_put(&table->function_numbers, key);

	if (!*number) {
		vec_push(&table->functions)->place = place;
		*number = table->functions.size;
	}
	return *number - 1;
}

static void add_callee(struct sides_scope *s, struct program_place place)
{
	uint32_t number = function_number(s->table, place);

	for (uint32_t i = 0; i < s->callees.all.size; i++)
		if (s->callees.all.at[i] == number)
			return;
	*vec_push(&s->callees.all) = number;
}

static bool is_write(uint8_t kind)
{
	switch (kind) {
	case OUTSIDE_WRITES:
	case OUTSIDE_PERMUTES:
	case OUTSIDE_SCANS:
	case OUTSIDE_CONSUMES:
	case OUTSIDE_COPIES:
	case OUTSIDE_FILLS:
	case OUTSIDE_KEEPS:
	case OUTSIDE_LENDS: return true;
	default: return false;
	}
}

/* What the model of a function of the library says. False: it writes to nothing that it is given. */
static bool look_up(struct sides_scope *s, LLVMValueRef callee)
{
	const struct outside_function *model = NULL;
	const struct outside_clause *clauses;
	bool writes = false;
	size_t length;

	if (s->table->outside && LLVMIsAFunction(callee))
		model = outside_table_find(s->table->outside, LLVMGetValueName2(callee, &length));
	if (!model)
		return true;
	clauses = outside_table_clauses(s->table->outside, model);
	for (uint32_t i = 0; i < model->clause_count; i++) {
		writes |= is_write(clauses[i].kind);
		s->set.prints |= clauses[i].kind == OUTSIDE_PRODUCES;
	}
	return writes;
}

/* An outside function may write to what it is given. */
static void add_outside(struct sides_scope *s, LLVMValueRef call)
{
	unsigned count = LLVMGetNumArgOperands(call);

	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef argument = LLVMGetOperand(call, i);

		if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind)
			add_place(s, argument, 0, SIDES_ALL);
	}
}

static void add_call(struct sides_scope *s, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	const uint64_t *at = value_map_find(&s->module->values, (uint64_t)callee);
	const struct program_place *place = at ? program_at(s->table->program, *at) : NULL;

	if (ir_intrinsic(call)) {
		if (LLVMIsAMemIntrinsic(call))
			add_place(s, LLVMGetOperand(call, 0), 0, SIDES_ALL);
		return;
	}
	if (place)
		add_callee(s, *place);
	else if (!look_up(s, callee))
		return;
	/* A place of this function that is given away may be written there. */
	add_outside(s, call);
}

static void add_instruction(struct sides_scope *s, LLVMValueRef i)
{
	LLVMTargetDataRef layout = s->module->plan->layout;
	LLVMTypeRef type;

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMStore:
		type = LLVMTypeOf(LLVMGetOperand(i, 0));
		add_place(s, LLVMGetOperand(i, 1), LLVMStoreSizeOfType(layout, type),
		          sides_class(layout, type));
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg: add_place(s, LLVMGetOperand(i, 0), 0, SIDES_ALL); break;
	case LLVMCall: add_call(s, i); break;
	default: break;
	}
}

/* Adds what the block writes itself, and the functions that it calls. */
static void sides_scan_block(struct sides_scope *s, uint32_t block)
{
	LLVMBasicBlockRef b = s->function->blocks.at[block].block;

	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		add_instruction(s, i);
}

/* ------ what a side may write ------ */

void sides_table_init(struct sides_table *table, const struct program *program)
{
	*table = (struct sides_table){.program = program};
}

static void deinit_set(struct sides_set *set)
{
	vec_deinit(&set->locals);
	if (set->globals)
		roaring_bitmap_free(set->globals);
}

void sides_table_deinit(struct sides_table *table)
{
	map_each(&table->sides, i)
	{
		deinit_set(table->sides.at[i].value);
		free(table->sides.at[i].value);
	}
	for (uint32_t i = 0; i < table->functions.size; i++) {
		deinit_set(&table->functions.at[i].set);
		vec_deinit(&table->functions.at[i].callees.all);
	}
	sides_map_deinit(&table->sides);
	vec_deinit(&table->functions);
	sides_number_map_deinit(&table->function_numbers);
	vec_deinit(&table->globals);
	sides_number_map_deinit(&table->global_numbers);
}

/* Did it grow? */
static bool add_set(struct sides_set *to, const struct sides_set *from)
{
	uint64_t before = roaring_bitmap_get_cardinality(to->globals);
	uint32_t pointers = to->pointers;
	bool prints = to->prints;

	if (to == from)
		return false;
	roaring_bitmap_or_inplace(to->globals, from->globals);
	to->pointers |= from->pointers;
	to->prints |= from->prints;
	return to->prints != prints || to->pointers != pointers ||
	       roaring_bitmap_get_cardinality(to->globals) != before;
}

/* --- functions --- */

static struct sides_scope begin_scan(struct sides_table *table, uint32_t module,
                                     const struct plan_function *function)
{
	return (struct sides_scope){.table = table,
	                            .module = &table->program->modules.at[module],
	                            .function = function,
	                            .set = {.globals = roaring_bitmap_create()}};
}

static void scan(struct sides_table *table, uint32_t number)
{
	struct program_place place = table->functions.at[number].place;
	struct sides_scope s =
		begin_scan(table, place.module, program_function(table->program, place));
	struct sides_function *f;

	for (uint32_t b = 0; b < s.function->blocks.size; b++)
		sides_scan_block(&s, b);
	/* The vector may have moved. */
	f = &table->functions.at[number];
	f->set = s.set;
	f->callees = s.callees;
}

static void list_function(struct sides_table *table, uint32_t number, struct sides_list *list)
{
	struct sides_function *f = &table->functions.at[number];

	if (f->finished || f->listed)
		return;
	f->listed = true;
	*vec_push(&list->all) = number;
}

/* What is reached from these and not finished yet, callers mostly before callees. */
static void list_reached(struct sides_table *table, const struct sides_list *from,
                         struct sides_list *list)
{
	for (uint32_t i = 0; i < from->all.size; i++)
		list_function(table, from->all.at[i], list);
	for (uint32_t i = 0; i < list->all.size; i++) {
		uint32_t number = list->all.at[i];

		scan(table, number);
		for (uint32_t k = 0; k < table->functions.at[number].callees.all.size; k++)
			list_function(table, table->functions.at[number].callees.all.at[k], list);
	}
}

static bool add_callees(struct sides_table *table, struct sides_set *set,
                        const struct sides_list *callees)
{
	bool grown = false;

	for (uint32_t i = 0; i < callees->all.size; i++)
		grown |= add_set(set, &table->functions.at[callees->all.at[i]].set);
	return grown;
}

/* Completes these functions and all that they call. */
static void finish(struct sides_table *table, const struct sides_list *functions)
{
	struct sides_list list = {0};
	bool grown;

	list_reached(table, functions, &list);
	do {
		grown = false;
		for (uint32_t i = list.all.size; i-- > 0;) {
			struct sides_function *f = &table->functions.at[list.all.at[i]];

			grown |= add_callees(table, &f->set, &f->callees);
		}
	} while (grown);
	for (uint32_t i = 0; i < list.all.size; i++)
		table->functions.at[list.all.at[i]].finished = true;
	vec_deinit(&list.all);
}

/* --- sides --- */

/* All blocks from `first` on, up to where the sides meet. */
static void scan_side(struct sides_scope *s, uint32_t first, uint32_t meeting)
{
	const struct plan_function *f = s->function;
	bool *seen = mem_alloc(f->blocks.size);
	VEC(uint32_t) todo = VEC_INIT;

	*vec_push(&todo) = first;
	while (todo.size) {
		uint32_t b = todo.at[--todo.size];

		if (b == meeting || seen[b])
			continue;
		seen[b] = true;
		sides_scan_block(s, b);
		for (uint32_t i = 0; i < f->blocks.at[b].successors; i++)
			*vec_push(&todo) = f->successors.at[f->blocks.at[b].successor + i];
	}
	vec_deinit(&todo);
	free(seen);
}

/* What the side of a block's branch may write that begins with successor number `side`. Valid until
   sides_table_deinit(). */
static const struct sides_set *sides_of(struct sides_table *table,
                                        const struct code_function *function, uint32_t block,
                                        uint32_t side)
{
	const struct plan_block *b = &function->plan->blocks.at[block];
	uint64_t key = ((uint64_t)function->first + function->blocks[block + 1]) << 24 | side;
	struct sides_set **there = sides_map_find(&table->sides, key), *out;
	struct sides_scope s;

	if (there)
		return *there;
	s = begin_scan(table, function->place.module, function->plan);
	s.locals = true;
	if (side < b->successors)
		scan_side(&s, function->plan->successors.at[b->successor + side],
		          function->postdominators[block]);
	finish(table, &s.callees);
	add_callees(table, &s.set, &s.callees);
	vec_deinit(&s.callees.all);
	out = mem_alloc(sizeof(*out));
	*out = s.set;
	*sides_map_put(&table->sides, key) = out;
	return out;
}

/* ------ open memory ------ */

#define WORD  3u  /* bits of an address */
#define PAGE  12u /* the same, for larger variables */
#define SMALL 16u /* bytes that are looked at one by one */
#define LARGE 64u
#define MOST  (1u << 16) /* bytes of one read that are followed */

/* Set in keys of words and pages. */
#define WORDS (1ull << 62)
#define PAGES (1ull << 63)

void relevant_deinit(struct relevant *r)
{
	relevant_map_deinit(&r->open);
}

static void add(struct relevant_open *open, uint32_t since, uint32_t load)
{
	/* What is there and younger than the load ended before it. */
	if (!open->load || open->since >= load || since < open->since)
		*open = (struct relevant_open){since, load};
}

void relevant_add(struct relevant *r, uint64_t at, uint64_t size, uint32_t since, uint32_t load,
                  uint32_t classes)
{
	uint64_t end = at + (size < MOST ? size : MOST);

	for (uint64_t k = at; size <= SMALL && k < end; k++)
		add(relevant_map_put(&r->open, k), since, load);
	for (uint64_t k = at >> WORD; size > SMALL && k << WORD < end; k++)
		add(relevant_map_put(&r->open, WORDS | k), since, load);
	for (uint64_t k = at >> PAGE; k << PAGE < end; k++)
		add(relevant_map_put(&r->open, PAGES | k), since, load);
	for (uint32_t c = 0; c < SIDES_CLASSES; c++)
		if (classes >> c & 1)
			add(&r->classes[c], since, load);
}

static uint32_t find_keys(const struct relevant *r, uint64_t first, uint64_t last, uint32_t branch)
{
	for (uint64_t k = first; k <= last; k++) {
		const struct relevant_open *open = relevant_map_find(&r->open, k);

		if (open && open->since < branch)
			return open->load;
	}
	return 0;
}

static uint32_t find_range(const struct relevant *r, uint64_t from, uint64_t to, uint32_t branch)
{
	uint64_t last = to - 1;
	uint32_t load;

	if (to - from > LARGE)
		return find_keys(r, PAGES | from >> PAGE, PAGES | last >> PAGE, branch);
	load = find_keys(r, from, last, branch);
	return load ? load : find_keys(r, WORDS | from >> WORD, WORDS | last >> WORD, branch);
}

static uint32_t find_globals(const struct relevant *r, const struct sides_table *sides,
                             const roaring_bitmap_t *globals, uint32_t branch)
{
	roaring_uint32_iterator_t i;
	uint32_t load = 0;

	roaring_init_iterator(globals, &i);
	for (; !load && i.has_value; roaring_advance_uint32_iterator(&i)) {
		const struct execution_range *range = &sides->globals.at[i.current_value];

		load = find_range(r, range->from, range->to, branch);
	}
	return load;
}

/* The load that a branch in the function with this frame could have changed; 0: none. */
static uint32_t relevant_find(const struct relevant *r, const struct sides_table *sides,
                              const struct sides_set *set, uint64_t frame, uint32_t branch)
{
	uint32_t load = 0;

	for (uint32_t i = 0; !load && i < set->locals.size; i++)
		load = find_range(r, frame + set->locals.at[i].from, frame + set->locals.at[i].to,
		                  branch);
	if (!load)
		load = find_globals(r, sides, set->globals, branch);
	for (uint32_t c = 0; !load && c < SIDES_CLASSES; c++)
		if (set->pointers >> c & 1 && r->classes[c].load && r->classes[c].since < branch)
			load = r->classes[c].load;
	return load;
}

uint32_t relevant_classes(const struct execution *e, uint32_t instance)
{
	const struct code *code = execution_code_table((struct execution *)e);
	uint32_t number = execution_code(e, instance);
	const struct code_function *f = code_of(code, number);
	const struct code_insn *insn = &f->insns[number - f->first];

	if (insn->op != CODE_LOAD && insn->op != CODE_LOAD_WIDE)
		return SIDES_ALL;
	if (!(insn->a & 1) && !(f->makers[insn->a >> 1] & CODE_PARAMETER)) {
		const struct code_insn *maker = &f->insns[f->makers[insn->a >> 1]];

		if (maker->op == CODE_LOCAL && maker->b == UINT32_MAX)
			return 0; /* a local whose address is not taken */
	}
	return sides_class(code->program->modules.at[f->place.module].plan->layout,
	                   LLVMTypeOf(f->instructions[number - f->first]));
}

/* The ways of a branch: those of its block, and which it took. */
struct ways {
	uint32_t block, count, taken;
};

/* False: it is no branch. */
static bool find_ways(const struct execution *e, const struct execution_segment *s,
                      const struct code_function *f, uint32_t branch, struct ways *out)
{
	uint32_t pc = s->code - f->first + (branch - s->first);
	uint8_t op = f->insns[pc].op;

	if (op != CODE_BRANCH && op != CODE_SWITCH && op != CODE_JUMP)
		return false;
	out->block = code_block(f, pc);
	out->count = f->plan->blocks.at[out->block].successors;
	out->taken = op == CODE_BRANCH ? !execution_value(e, branch) : UINT32_MAX;
	return true;
}

uint32_t relevant_try(const struct relevant *r, struct sides_table *sides,
                      const struct execution *e, const struct execution_segment *s,
                      const struct code_function *f, uint32_t branch)
{
	uint32_t load = 0, frames;
	struct ways ways;

	if (!find_ways(e, s, f, branch, &ways))
		return 0;
	for (uint32_t side = 0; !load && side < ways.count; side++)
		if (side != ways.taken)
			load = relevant_find(r, sides, sides_of(sides, f, ways.block, side),
			                     execution_frames(e, &frames)[s->frame].address,
			                     branch);
	return load;
}

bool relevant_prints(struct sides_table *sides, const struct execution *e,
                     const struct execution_segment *s, const struct code_function *f,
                     uint32_t branch)
{
	bool prints = false;
	struct ways ways;

	if (!find_ways(e, s, f, branch, &ways))
		return false;
	for (uint32_t side = 0; !prints && side < ways.count; side++)
		prints = side != ways.taken && sides_of(sides, f, ways.block, side)->prints;
	return prints;
}

void relevant_drop(struct relevant *r, uint32_t from)
{
	struct relevant_map old = r->open;

	r->open = (struct relevant_map)MAP_INIT;
	map_each(&old, i) if (old.at[i].value.since < from) *
		relevant_map_put(&r->open, old.at[i].key) = old.at[i].value;
	relevant_map_deinit(&old);
	for (uint32_t c = 0; c < SIDES_CLASSES; c++)
		if (r->classes[c].since >= from)
			r->classes[c] = (struct relevant_open){0};
}
