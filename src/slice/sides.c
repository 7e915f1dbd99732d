/* What the sides of a branch may write: see sides.h. */
#include "slice/sides.h"

#include "model/control.h"
#include "model/ir.h"

/* Whose code is being looked at. */
struct scope {
	struct sides_table *table;
	const struct program_module *module;
	const struct plan_function *function;
	struct sides_set *out;
	bool locals; /* they are asked for */
};

void sides_table_init(struct sides_table *table, const struct program *program)
{
	*table = (struct sides_table){.program = program};
}

static void free_sets(struct sides_map *map)
{
	map_each(map, i)
	{
		vec_deinit(&map->at[i].value->locals);
		vec_deinit(&map->at[i].value->globals);
		free(map->at[i].value);
	}
	sides_map_deinit(map);
}

void sides_table_deinit(struct sides_table *table)
{
	free_sets(&table->sides);
	free_sets(&table->functions);
}

/* --- places --- */

uint32_t sides_class(LLVMTargetDataRef layout, LLVMTypeRef type)
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

static void add_range(struct scope *s, LLVMValueRef global)
{
	const uint64_t *at = value_map_find(&s->module->values, (uint64_t)global);
	LLVMTypeRef type = LLVMGlobalGetValueType(global);
	uint64_t size =
		LLVMTypeIsSized(type) ? LLVMABISizeOfType(s->module->plan->layout, type) : 0;

	if (at && *at && size)
		*vec_push(&s->out->globals) = (struct execution_range){*at, *at + size};
}

static void add_local(struct scope *s, LLVMValueRef alloca_, LLVMValueRef pointer, uint64_t size)
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
		*vec_push(&s->out->locals) = (struct execution_range){from, to};
	}
}

/* Something is written there. `size` 0: nobody knows how much. */
static void add_place(struct scope *s, LLVMValueRef pointer, uint64_t size, uint32_t class)
{
	LLVMValueRef base = base_of(pointer);

	if (LLVMIsAAllocaInst(base))
		add_local(s, base, pointer, size);
	else if (LLVMIsAGlobalVariable(base))
		add_range(s, base);
	else
		s->out->pointers |= class;
}

/* --- instructions --- */

static const struct sides_set *of_function(struct sides_table *table, struct program_place place);

static void add_set(struct sides_set *to, const struct sides_set *from)
{
	for (uint32_t i = 0; i < from->globals.size; i++)
		*vec_push(&to->globals) = from->globals.at[i];
	to->pointers |= from->pointers;
}

/* An outside function may write to what it is given. */
static void add_outside(struct scope *s, LLVMValueRef call)
{
	unsigned count = LLVMGetNumArgOperands(call);

	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef argument = LLVMGetOperand(call, i);

		if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind)
			add_place(s, argument, 0, SIDES_ALL);
	}
}

static void add_call(struct scope *s, LLVMValueRef call)
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
		add_set(s->out, of_function(s->table, *place));
	/* A place of this function that is given away may be written there. */
	add_outside(s, call);
}

static void add_instruction(struct scope *s, LLVMValueRef i)
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

static void add_block(struct scope *s, uint32_t block)
{
	LLVMBasicBlockRef b = s->function->blocks.at[block].block;

	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		add_instruction(s, i);
}

/* --- functions and sides --- */

static const struct sides_set *of_function(struct sides_table *table, struct program_place place)
{
	uint64_t key = (uint64_t)place.module << 32 | place.function;
	struct sides_set **there = sides_map_find(&table->functions, key);
	struct sides_set *out;

	if (there)
		return *there;
	out = mem_alloc(sizeof(*out));
	*sides_map_put(&table->functions, key) = out;
	struct scope s = {table, &table->program->modules.at[place.module],
	                  program_function(table->program, place), out, false};

	for (uint32_t b = 0; b < s.function->blocks.size; b++)
		add_block(&s, b);
	return out;
}

/* All blocks from `first` on, up to where the sides meet. */
static void add_side(struct scope *s, uint32_t first, uint32_t meeting)
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
		add_block(s, b);
		for (uint32_t i = 0; i < f->blocks.at[b].successors; i++)
			*vec_push(&todo) = f->successors.at[f->blocks.at[b].successor + i];
	}
	vec_deinit(&todo);
	free(seen);
}

const struct sides_set *sides_of(struct sides_table *table, const struct code_function *function,
                                 uint32_t block, uint32_t side)
{
	const struct plan_block *b = &function->plan->blocks.at[block];
	uint64_t key = ((uint64_t)function->first + function->blocks[block + 1]) << 24 | side;
	struct sides_set **there = sides_map_find(&table->sides, key), *out;

	if (there)
		return *there;
	out = mem_alloc(sizeof(*out));
	*sides_map_put(&table->sides, key) = out;
	struct scope s = {table, &table->program->modules.at[function->place.module],
	                  function->plan, out, true};

	if (side < b->successors)
		add_side(&s, function->plan->successors.at[b->successor + side],
		         function->postdominators[block]);
	return out;
}
