/* What a block may write: see sides_scan.h. */
#include "slice/sides_scan.h"

#include "model/ir.h"

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

void sides_scan_block(struct sides_scope *s, uint32_t block)
{
	LLVMBasicBlockRef b = s->function->blocks.at[block].block;

	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		add_instruction(s, i);
}
