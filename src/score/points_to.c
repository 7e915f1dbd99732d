/* Pointers: see points_to.h. The constraints are made here, and solved in points_to_solve.c. */
#include "score/points_to.h"

#include <string.h>

#include "score/points_to_work.h"

/* --- cells and objects --- */

uint32_t points_new_cell(struct points_to *p)
{
	vec_push(&p->cells);
	return p->cells.size - 1;
}

static uint32_t new_object(struct points_to *p, LLVMValueRef value, uint32_t owner, uint64_t size)
{
	uint32_t content = points_new_cell(p);

	*vec_push(&p->objects) = (struct points_object){value, owner, size};
	*vec_push(&p->contents) = content;
	return p->objects.size - 1;
}

static uint64_t size_of(const struct points_to *p, LLVMTypeRef type)
{
	LLVMTargetDataRef layout = p->functions->all.at[0].plan->layout;

	return LLVMTypeIsSized(type) ? LLVMABISizeOfType(layout, type) : 0;
}

/* The object of a value that has storage of its own, made when it is new. */
static uint32_t object_of(struct points_to *p, LLVMValueRef value, uint32_t owner, uint64_t size)
{
	uint32_t *known = score_value_map_put(&p->by_value, (uintptr_t)value), object;

	if (*known)
		return *known - 1;
	object = new_object(p, value, owner, size);
	*score_value_map_put(&p->by_value, (uintptr_t)value) = object + 1;
	return object;
}

uint32_t points_to_find(const struct points_to *p, LLVMValueRef storage)
{
	uint32_t *known = score_value_map_find(
		&p->by_value, (uintptr_t)score_functions_global(p->functions, storage));

	return known ? *known - 1 : UINT32_MAX;
}

uint32_t points_to_rest(const struct points_to *p, uint32_t function)
{
	return p->rests[function];
}

/* --- constants: all globals and functions that are in them --- */

static void point_constant(struct points_to *p, uint32_t cell, LLVMValueRef constant, int depth);

static void point_global(struct points_to *p, uint32_t cell, LLVMValueRef global)
{
	uint32_t function = score_functions_find(p->functions, global);
	LLVMValueRef own = function == SCORE_NO_FUNCTION
	                           ? score_functions_global(p->functions, global)
	                           : p->functions->all.at[function].of->function;
	bool known = score_value_map_find(&p->by_value, (uintptr_t)own) != NULL;
	uint64_t size = LLVMIsAGlobalVariable(own) ? size_of(p, LLVMGlobalGetValueType(own)) : 0;
	uint32_t object = object_of(p, own, SCORE_NO_FUNCTION, size);

	points_add(p, cell, object);
	if (!known && LLVMIsAGlobalVariable(own) && LLVMGetInitializer(own))
		point_constant(p, p->contents.at[object], LLVMGetInitializer(own), 0);
}

static void point_constant(struct points_to *p, uint32_t cell, LLVMValueRef constant, int depth)
{
	if (LLVMIsAFunction(constant) || LLVMIsAGlobalVariable(constant)) {
		point_global(p, cell, constant);
		return;
	}
	if (depth > MOST_NESTED || LLVMIsABasicBlock(constant))
		return;
	for (int i = 0; i < LLVMGetNumOperands(constant); i++) {
		LLVMValueRef operand = LLVMGetOperand(constant, (unsigned)i);

		if (LLVMIsAConstant(operand))
			point_constant(p, cell, operand, depth + 1);
	}
}

uint32_t points_cell_of(struct points_to *p, LLVMValueRef value)
{
	uint32_t *known = score_value_map_find(&p->cell_of, (uintptr_t)value), cell;

	if (known)
		return *known;
	cell = points_new_cell(p);
	*score_value_map_put(&p->cell_of, (uintptr_t)value) = cell;
	if (LLVMIsAConstant(value))
		point_constant(p, cell, value, 0);
	return cell;
}

/* --- instructions --- */

static void constrain_outside(struct points_to *p, LLVMValueRef call)
{
	uint32_t result = points_cell_of(p, call), moved = points_new_cell(p);
	unsigned count = score_argument_count(call);
	bool writes = false;

	if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind)
		points_add(p, result, object_of(p, call, SCORE_NO_FUNCTION, 0));
	for (unsigned i = 0; i < count; i++) {
		uint32_t argument = points_cell_of(p, LLVMGetOperand(call, i));

		if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind)
			points_copy(p, argument, result);
		writes |= score_functions_access(p->functions, call, i).writes;
	}
	for (unsigned i = 0; writes && i < count; i++) {
		uint32_t argument = points_cell_of(p, LLVMGetOperand(call, i));

		*vec_push(&p->cells.at[argument].loads) = moved;
		if (score_functions_access(p->functions, call, i).writes)
			*vec_push(&p->cells.at[argument].stores) = moved;
	}
	for (unsigned i = 0; i < count; i++)
		*vec_push(&p->cells.at[points_cell_of(p, LLVMGetOperand(call, i))].callbacks) =
			call;
}

static void constrain_call(struct points_to *p, uint32_t caller, LLVMValueRef call)
{
	LLVMValueRef callee = ir_callee(call);
	const char *intrinsic = ir_intrinsic(call);
	uint32_t function = score_functions_find(p->functions, callee);

	if (intrinsic && !strncmp(intrinsic, "va_start", 8)) {
		uint32_t rest = points_new_cell(p),
			 list = points_cell_of(p, LLVMGetOperand(call, 0));

		if (p->rests[caller] != UINT32_MAX)
			points_add(p, rest, p->rests[caller]);
		*vec_push(&p->cells.at[list].stores) = rest;
	} else if (function != SCORE_NO_FUNCTION) {
		points_connect(p, call, function);
	} else {
		if (!callee)
			*vec_push(&p->cells.at[points_cell_of(p, LLVMGetCalledValue(call))].calls) =
				call;
		constrain_outside(p, call);
	}
}

static void constrain_memory(struct points_to *p, LLVMValueRef i, uint32_t caller)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMAlloca:
		points_add(
			p, points_cell_of(p, i),
			object_of(p, i, caller,
		                  LLVMIsConstant(LLVMGetOperand(i, 0))
		                          ? size_of(p, LLVMGetAllocatedType(i)) *
		                                    LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0))
		                          : 0));
		break;
	case LLVMLoad: {
		uint32_t own = points_cell_of(p, i), from = points_cell_of(p, LLVMGetOperand(i, 0));

		*vec_push(&p->cells.at[from].loads) = own;
		break;
	}
	case LLVMStore:
	case LLVMAtomicRMW: {
		bool store = LLVMIsAStoreInst(i);
		uint32_t value = points_cell_of(p, LLVMGetOperand(i, store ? 0 : 1));
		uint32_t at = points_cell_of(p, LLVMGetOperand(i, store ? 1 : 0));

		*vec_push(&p->cells.at[at].stores) = value;
		break;
	}
	default: break;
	}
}

static void constrain(struct points_to *p, uint32_t caller, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMAlloca:
	case LLVMLoad:
	case LLVMStore:
	case LLVMAtomicRMW: constrain_memory(p, i, caller); break;
	case LLVMRet:
		if (LLVMGetNumOperands(i))
			points_copy(p, points_cell_of(p, LLVMGetOperand(i, 0)), p->results[caller]);
		break;
	case LLVMCall:
		if (score_is_call(i))
			constrain_call(p, caller, i);
		break;
	case LLVMBr:
	case LLVMSwitch: break;
	default:
		/* Whatever is computed from a pointer may still be one. */
		for (int k = 0; k < LLVMGetNumOperands(i); k++)
			if (!LLVMIsABasicBlock(LLVMGetOperand(i, (unsigned)k)))
				points_copy(p, points_cell_of(p, LLVMGetOperand(i, (unsigned)k)),
				            points_cell_of(p, i));
	}
}

/* --- functions --- */

/* Parameters that are passed in memory are objects; what main() gets is outside. */
static void constrain_parameters(struct points_to *p, uint32_t index)
{
	LLVMValueRef function = p->functions->all.at[index].of->function;
	uint32_t outside = p->outside;

	for (unsigned i = 0; i < LLVMCountParams(function); i++) {
		LLVMValueRef parameter = LLVMGetParam(function, i);
		LLVMTypeRef byval = ir_parameter_type(function, i, "byval");

		if (byval)
			points_add(p, points_cell_of(p, parameter),
			           object_of(p, parameter, index, size_of(p, byval)));
		else if (!strcmp(p->functions->all.at[index].of->name, "main"))
			points_add(p, points_cell_of(p, parameter), outside);
	}
	if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
		p->rests[index] = new_object(p, NULL, index, 0);
}

static void constrain_function(struct points_to *p, uint32_t index)
{
	LLVMValueRef function = p->functions->all.at[index].of->function;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			constrain(p, index, i);
}

struct points_to *points_to_create(const struct score_functions *functions)
{
	struct points_to *p = mem_alloc(sizeof(*p));
	uint32_t count = functions->all.size;

	p->functions = functions;
	p->results = mem_alloc((count + 1) * sizeof(*p->results));
	p->rests = mem_alloc((count + 1) * sizeof(*p->rests));
	p->outside = new_object(p, NULL, SCORE_NO_FUNCTION, 0);
	points_add(p, p->contents.at[p->outside], p->outside);
	for (uint32_t i = 0; i < count; i++) {
		p->results[i] = points_new_cell(p);
		p->rests[i] = UINT32_MAX;
		constrain_parameters(p, i);
	}
	for (uint32_t i = 0; i < count; i++)
		constrain_function(p, i);
	points_solve(p);
	return p;
}

void points_to_destroy(struct points_to *p)
{
	for (uint32_t i = 0; i < p->cells.size; i++) {
		struct points_cell *cell = &p->cells.at[i];

		if (cell->points)
			roaring_bitmap_free(cell->points);
		if (cell->to)
			roaring_bitmap_free(cell->to);
		vec_deinit(&cell->loads);
		vec_deinit(&cell->stores);
		vec_deinit(&cell->calls);
		vec_deinit(&cell->callbacks);
	}
	vec_deinit(&p->cells);
	vec_deinit(&p->objects);
	vec_deinit(&p->contents);
	vec_deinit(&p->queue);
	score_value_map_deinit(&p->cell_of);
	score_value_map_deinit(&p->by_value);
	score_value_map_deinit(&p->calls);
	score_value_map_deinit(&p->connected);
	free(p->results);
	free(p->rests);
	free(p);
}
