/* Solves the constraints of points_to.c: a work list of cells that have got something new. */
#include "score/points_to_work.h"

static void queue(struct points_to *p, uint32_t cell)
{
	if (p->cells.at[cell].queued)
		return;
	p->cells.at[cell].queued = true;
	*vec_push(&p->queue) = cell;
}

void points_add(struct points_to *p, uint32_t cell, uint32_t object)
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

void points_copy(struct points_to *p, uint32_t from, uint32_t to)
{
	struct points_cell *c = &p->cells.at[from];

	if (from == to)
		return;
	if (!c->to)
		c->to = roaring_bitmap_create();
	if (roaring_bitmap_add_checked(c->to, to))
		give(p, from, to);
}

/* --- calls --- */

static void pass(struct points_to *p, uint32_t argument, LLVMValueRef function, unsigned index)
{
	LLVMValueRef parameter = LLVMGetParam(function, index);
	uint32_t object = points_to_find(p, parameter);

	/* A copy of what the argument points to is passed in memory. */
	if (object != UINT32_MAX)
		*vec_push(&p->cells.at[argument].loads) = p->contents.at[object];
	else
		points_copy(p, argument, points_cell_of(p, parameter));
	queue(p, argument);
}

static bool is_connected(struct points_to *p, LLVMValueRef call, uint32_t function)
{
	uint32_t next = (uint32_t)p->calls.size + 1;
	uint32_t *number = score_value_map_put(&p->calls, (uintptr_t)call), *known;

	if (!*number)
		*number = next;
	known = score_value_map_put(&p->connected, (uint64_t)*number << 32 | function);
	return (*known)++ > 0;
}

void points_connect(struct points_to *p, LLVMValueRef call, uint32_t index)
{
	LLVMValueRef function = p->functions->all.at[index].of->function;
	unsigned params = LLVMCountParams(function);

	if (is_connected(p, call, index))
		return;
	for (unsigned i = 0; i < score_argument_count(call); i++) {
		uint32_t argument = points_cell_of(p, LLVMGetOperand(call, i));

		if (i < params)
			pass(p, argument, function, i);
		else if (p->rests[index] != UINT32_MAX)
			points_copy(p, argument, p->contents.at[p->rests[index]]);
	}
	points_copy(p, p->results[index], points_cell_of(p, call));
}

/* Any argument of the outside function may become any of the callback. */
static void call_back(struct points_to *p, LLVMValueRef call, uint32_t index)
{
	LLVMValueRef function = p->functions->all.at[index].of->function;

	for (unsigned i = 0; i < score_argument_count(call); i++)
		for (unsigned k = 0; k < LLVMCountParams(function); k++)
			points_copy(p, points_cell_of(p, LLVMGetOperand(call, i)),
			            points_cell_of(p, LLVMGetParam(function, k)));
}

static void call_all(struct points_to *p, uint32_t cell, uint32_t object)
{
	uint32_t function = score_functions_find(p->functions, p->objects.at[object].value);

	if (function == SCORE_NO_FUNCTION)
		return;
	for (uint32_t i = 0; i < p->cells.at[cell].calls.size; i++)
		points_connect(p, p->cells.at[cell].calls.at[i], function);
	for (uint32_t i = 0; i < p->cells.at[cell].callbacks.size; i++)
		call_back(p, p->cells.at[cell].callbacks.at[i], function);
}

/* --- the work list --- */

static void apply(struct points_to *p, uint32_t cell, uint32_t object)
{
	uint32_t content = p->contents.at[object];

	for (uint32_t i = 0; i < p->cells.at[cell].loads.size; i++)
		points_copy(p, content, p->cells.at[cell].loads.at[i]);
	for (uint32_t i = 0; i < p->cells.at[cell].stores.size; i++)
		points_copy(p, p->cells.at[cell].stores.at[i], content);
	call_all(p, cell, object);
}

static void work(struct points_to *p, uint32_t cell)
{
	roaring_bitmap_t *points, *to;
	roaring_uint32_iterator_t each;

	if (!p->cells.at[cell].points)
		return;
	/* Copies: cells may move, and grow, while they are gone through. */
	points = roaring_bitmap_copy(p->cells.at[cell].points);
	for (roaring_init_iterator(points, &each); each.has_value;
	     roaring_advance_uint32_iterator(&each))
		apply(p, cell, each.current_value);
	roaring_bitmap_free(points);
	if (!p->cells.at[cell].to)
		return;
	to = roaring_bitmap_copy(p->cells.at[cell].to);
	for (roaring_init_iterator(to, &each); each.has_value;
	     roaring_advance_uint32_iterator(&each))
		give(p, cell, each.current_value);
	roaring_bitmap_free(to);
}

void points_solve(struct points_to *p)
{
	while (p->queue.size) {
		uint32_t cell = p->queue.at[--p->queue.size];

		p->cells.at[cell].queued = false;
		work(p, cell);
	}
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

uint32_t points_to_count(const struct points_to *p)
{
	return p->objects.size;
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
