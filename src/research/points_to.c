/* Pointers: see points_to.h. Constraints are made from the IR, and solved with a work list. */
#include "research/points_to.h"

#include <string.h>

#define MOST_NESTED 16 /* constants within constants */

/* Something that can hold pointers: a value of the IR, what a function returns, or all of an object. */
struct points_cell {
	roaring_bitmap_t *points;    /* objects; NULL: none */
	roaring_bitmap_t *to;        /* cells that hold all that this one does; NULL: none */
	VEC(uint32_t) loads;         /* cells that hold what the objects do */
	VEC(uint32_t) stores;        /* cells whose pointers the objects hold */
	VEC(LLVMValueRef) calls;     /* calls of what it points to */
	VEC(LLVMValueRef) callbacks; /* outside calls that may call what it points to */
	bool queued;
};

struct points_to {
	const struct score_functions *functions;
	VEC(struct points_cell) cells;
	VEC(struct points_object) objects;
	VEC(uint32_t) contents; /* of each object: its cell */
	VEC(uint32_t) queue;
	struct score_value_map cell_of;   /* value -> cell */
	struct score_value_map by_value;  /* value -> 1 + object */
	uint32_t *results;                /* of each function: the cell of what it returns */
	uint32_t *rests;                  /* of each function: see points_to_rest() */
	uint32_t outside;                 /* the object */
	struct score_value_map calls;     /* call -> 1 + number */
	struct score_value_map connected; /* number of a call << 32 | function */
};

/* --- solving the constraints --- */

/* A work list of cells that have got something new. */

static void queue(struct points_to *p, uint32_t cell)
{
	if (p->cells.at[cell].queued)
		return;
	p->cells.at[cell].queued = true;
	*vec_push(&p->queue) = cell;
}

/* The cell may point to the object; `to` holds all that `from` does. */
static void points_add(struct points_to *p, uint32_t cell, uint32_t object)
{
	struct points_cell *c = &p->cells.at[cell];

	if (!c->points)
		c->points = roaring_bitmap_create();
	if (roaring_bitmap_add_checked(c->points, object))
		queue(p, cell);
}

static void give(struct points_to *p, uint32_t from, uint32_t to)
{
	const roaring_bitmap_t *points = p->cells.at[from].points;
	struct points_cell *c = &p->cells.at[to];

	if (!points)
		return;
	if (!c->points)
		c->points = roaring_bitmap_create();
	if (roaring_bitmap_is_subset(points, c->points))
		return;
	roaring_bitmap_or_inplace(c->points, points);
	queue(p, to);
}

static void points_copy(struct points_to *p, uint32_t from, uint32_t to)
{
	struct points_cell *c = &p->cells.at[from];

	if (from == to)
		return;
	if (!c->to)
		c->to = roaring_bitmap_create();
	if (roaring_bitmap_add_checked(c->to, to))
		give(p, from, to);
}

/* --- solving: calls --- */

static uint32_t points_cell_of(struct points_to *p, LLVMValueRef value);

static bool is_connected(struct points_to *p, LLVMValueRef call, uint32_t function)
{
	uint32_t next = (uint32_t)p->calls.size + 1;
	uint32_t *number = score_value_map_put(&p->calls, (uintptr_t)call), *known;

	if (!*number)
		*number = next;
	known = score_value_map_put(&p->connected, (uint64_t)*number << 32 | function);
	return (*known)++ > 0;
}

/* The call may call the function of the program. Telling it again does nothing. */
static void points_connect(struct points_to *p, LLVMValueRef call, uint32_t index)
{
	LLVMValueRef function = p->functions->all.at[index].of->function;
	unsigned params = LLVMCountParams(function);

	if (is_connected(p, call, index))
		return;
	for (unsigned i = 0; i < score_argument_count(call); i++) {
		uint32_t argument = points_cell_of(p, LLVMGetOperand(call, i));

		if (i < params) {
			LLVMValueRef parameter = LLVMGetParam(function, i);
			uint32_t object = points_to_find(p, parameter);

			/* A copy of what the argument points to is passed in memory. */
			if (object != UINT32_MAX)
				*vec_push(&p->cells.at[argument].loads) = p->contents.at[object];
			else
				points_copy(p, argument, points_cell_of(p, parameter));
			queue(p, argument);
		} else if (p->rests[index] != UINT32_MAX)
			points_copy(p, argument, p->contents.at[p->rests[index]]);
	}
	points_copy(p, p->results[index], points_cell_of(p, call));
}

/* --- solving: the work list --- */

static void work(struct points_to *p, uint32_t cell)
{
	roaring_bitmap_t *points, *to;
	roaring_uint32_iterator_t each;

	if (!p->cells.at[cell].points)
		return;
	/* Copies: cells may move, and grow, while they are gone through. */
	points = roaring_bitmap_copy(p->cells.at[cell].points);
	for (roaring_init_iterator(points, &each); each.has_value;
	     roaring_advance_uint32_iterator(&each)) {
		uint32_t object = each.current_value, content = p->contents.at[object];
		uint32_t function = score_functions_find(p->functions, p->objects.at[object].value);

		for (uint32_t i = 0; i < p->cells.at[cell].loads.size; i++)
			points_copy(p, content, p->cells.at[cell].loads.at[i]);
		for (uint32_t i = 0; i < p->cells.at[cell].stores.size; i++)
			points_copy(p, p->cells.at[cell].stores.at[i], content);
		if (function != SCORE_NO_FUNCTION) {
			for (uint32_t i = 0; i < p->cells.at[cell].calls.size; i++)
				points_connect(p, p->cells.at[cell].calls.at[i], function);
			for (uint32_t i = 0; i < p->cells.at[cell].callbacks.size; i++) {
				/* Any argument of the outside function may become any of the callback. */
				LLVMValueRef called = p->functions->all.at[function].of->function;

				for (unsigned j = 0;
				     j < score_argument_count(p->cells.at[cell].callbacks.at[i]);
				     j++)
					for (unsigned k = 0; k < LLVMCountParams(called); k++)
						points_copy(
							p,
							points_cell_of(
								p, LLVMGetOperand(
									   p->cells.at[cell]
										   .callbacks.at[i],
									   j)),
							points_cell_of(p, LLVMGetParam(called, k)));
			}
		}
	}
	roaring_bitmap_free(points);
	if (!p->cells.at[cell].to)
		return;
	to = roaring_bitmap_copy(p->cells.at[cell].to);
	for (roaring_init_iterator(to, &each); each.has_value;
	     roaring_advance_uint32_iterator(&each))
		give(p, cell, each.current_value);
	roaring_bitmap_free(to);
}

/* --- answers --- */

const roaring_bitmap_t *points_to_of(const struct points_to *p, LLVMValueRef pointer)
{
	uint32_t *cell = score_value_map_find(&p->cell_of, (uintptr_t)pointer);

	return cell ? p->cells.at[*cell].points : NULL;
}

const struct points_object *points_to_object(const struct points_to *p, uint32_t object)
{
	return &p->objects.at[object];
}

static void add_callee(struct points_callees *out, uint32_t function)
{
	for (uint32_t i = 0; i < out->all.size; i++)
		if (out->all.at[i] == function)
			return;
	*vec_push(&out->all) = function;
}

static void add_pointed(const struct points_to *p, LLVMValueRef pointer, struct points_callees *out)
{
	const roaring_bitmap_t *points = points_to_of(p, pointer);
	roaring_uint32_iterator_t each;

	if (!points)
		return;
	for (roaring_init_iterator(points, &each); each.has_value;
	     roaring_advance_uint32_iterator(&each)) {
		LLVMValueRef value = p->objects.at[each.current_value].value;
		uint32_t function = score_functions_find(p->functions, value);

		if (function != SCORE_NO_FUNCTION)
			add_callee(out, function);
	}
}

void points_to_callees(const struct points_to *p, LLVMValueRef call, struct points_callees *out)
{
	LLVMValueRef callee = ir_callee(call);
	uint32_t function = score_functions_find(p->functions, callee);

	*out = (struct points_callees){.outside = function == SCORE_NO_FUNCTION};
	if (function != SCORE_NO_FUNCTION) {
		add_callee(out, function);
		return;
	}
	if (!callee) {
		add_pointed(p, LLVMGetCalledValue(call), out);
		out->outside = !out->all.size;
		return;
	}
	for (unsigned i = 0; i < score_argument_count(call); i++)
		add_pointed(p, LLVMGetOperand(call, i), out);
}

/* --- constraints of a program: cells and objects --- */

static uint32_t points_new_cell(struct points_to *p)
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

/* --- constraints: constants: all globals and functions that are in them --- */

static void point_constant(struct points_to *p, uint32_t cell, LLVMValueRef constant, int depth);

static void point_constant(struct points_to *p, uint32_t cell, LLVMValueRef constant, int depth)
{
	if (LLVMIsAFunction(constant) || LLVMIsAGlobalVariable(constant)) {
		uint32_t function;
		LLVMValueRef own;
		uint64_t size;
		bool known;
		uint32_t object;

		function = score_functions_find(p->functions, constant);
		own = function == SCORE_NO_FUNCTION ? score_functions_global(p->functions, constant)
		                                    : p->functions->all.at[function].of->function;
		size = LLVMIsAGlobalVariable(own) ? size_of(p, LLVMGlobalGetValueType(own)) : 0;
		known = score_value_map_find(&p->by_value, (uintptr_t)own) != NULL;
		object = object_of(p, own, SCORE_NO_FUNCTION, size);
		points_add(p, cell, object);
		if (!known && LLVMIsAGlobalVariable(own) && LLVMGetInitializer(own))
			point_constant(p, p->contents.at[object], LLVMGetInitializer(own), 0);
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

/* The cell of a value, made when it is new. */
static uint32_t points_cell_of(struct points_to *p, LLVMValueRef value)
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

/* --- constraints: instructions --- */

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

/* --- constraints: functions --- */

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
		LLVMValueRef function = p->functions->all.at[i].of->function;

		p->results[i] = points_new_cell(p);
		p->rests[i] = UINT32_MAX;
		/* Parameters that are passed in memory are objects; what main() gets is outside. */
		for (unsigned j = 0; j < LLVMCountParams(function); j++) {
			LLVMValueRef parameter = LLVMGetParam(function, j);
			LLVMTypeRef byval = ir_parameter_type(function, j, "byval");

			if (byval)
				points_add(p, points_cell_of(p, parameter),
				           object_of(p, parameter, i, size_of(p, byval)));
			else if (!strcmp(p->functions->all.at[i].of->name, "main"))
				points_add(p, points_cell_of(p, parameter), p->outside);
		}
		if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
			p->rests[i] = new_object(p, NULL, i, 0);
	}
	for (uint32_t i = 0; i < count; i++) {
		LLVMValueRef own = p->functions->all.at[i].of->function;

		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(own); b;
		     b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef k = LLVMGetFirstInstruction(b); k;
			     k = LLVMGetNextInstruction(k))
				constrain(p, i, k);
	}
	while (p->queue.size) {
		uint32_t cell = p->queue.at[--p->queue.size];

		p->cells.at[cell].queued = false;
		work(p, cell);
	}
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
