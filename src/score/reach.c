/*
 * Data dependences through memory (flow.h): each write is followed along all ways that the program may go, into calls and back out of them, until
 * all of the object is surely written again; who may read it on the way depends on it. Calls are not told apart: a way out of a function leads to
 * each of its callers. A function that does not touch the object, nor calls one that does, is passed over.
 */
#include "score/flow.h"

struct walk {
	struct flow *flow;
	uint32_t write, object; /* event */
	roaring_bitmap_t
		*seen; /* events that the walk went on from, and blocks, behind them in number */
	VEC(uint32_t) todo;                  /* the same */
	struct score_value_map *function_of; /* block -> function */
};

static void go_to_block(struct walk *w, uint32_t block)
{
	uint32_t state = w->flow->events.size + block;

	if (roaring_bitmap_add_checked(w->seen, state))
		*vec_push(&w->todo) = state;
}

static void go_on_behind(struct walk *w, uint32_t event)
{
	if (roaring_bitmap_add_checked(w->seen, event))
		*vec_push(&w->todo) = event;
}

static void note_read(struct walk *w, const struct flow_event *read)
{
	const struct flow_event *write = &w->flow->events.at[w->write];

	if (read->line == FLOW_NO_LINE)
		return;
	if (write->line != FLOW_NO_LINE)
		score_graph_edge(w->flow->graph, write->line, read->line, SCORE_DATA);
	else if (write->value)
		flow_depend_on(w->flow, write->value, read->line);
}

/* Can a call of the function that the object is a local of get at the object of a call before it? Only if it is handed its address. */
static bool is_handed_on(const struct walk *w, uint32_t owner)
{
	LLVMValueRef function = w->flow->functions->all.at[owner].of->function;

	for (unsigned i = 0; i < LLVMCountParams(function); i++) {
		const roaring_bitmap_t *points =
			points_to_of(w->flow->points, LLVMGetParam(function, i));

		if (points && roaring_bitmap_contains(points, w->object))
			return true;
	}
	return false;
}

static bool enters(const struct walk *w, uint32_t callee, uint32_t owner)
{
	return roaring_bitmap_contains(w->flow->all.at[callee].touched, w->object) &&
	       (callee != owner || is_handed_on(w, owner));
}

/* Enters what is called and touches the object. False: all ways on lead through it. Of a local there is another one in each call, so that
   what is called may not be the last word about it. */
static bool pass_call(struct walk *w, const struct flow_call *call)
{
	uint32_t owner = points_to_object(w->flow->points, w->object)->owner;
	bool over = call->callees.outside || owner != SCORE_NO_FUNCTION;

	for (uint32_t i = 0; i < call->callees.all.size; i++) {
		uint32_t callee = call->callees.all.at[i];

		if (enters(w, callee, owner))
			go_to_block(w, w->flow->all.at[callee].first_block);
		else
			over = true;
	}
	return over;
}

static void leave(struct walk *w, uint32_t function)
{
	const struct flow_function *own = &w->flow->all.at[function];

	if (points_to_object(w->flow->points, w->object)->owner == function)
		return;
	for (uint32_t i = 0; i < own->calls.size; i++)
		go_on_behind(w, w->flow->calls.at[own->calls.at[i]].event);
}

/* The block from an event on. */
static void follow(struct walk *w, uint32_t number, uint32_t event)
{
	struct flow *f = w->flow;
	const struct flow_block *block = &f->blocks.at[number];
	uint32_t function = *score_value_map_find(w->function_of, number);
	const struct plan_function *of = f->functions->all.at[function].of;
	const struct plan_block *plan = &of->blocks.at[number - f->all.at[function].first_block];

	for (; event < block->first + block->count; event++) {
		const struct flow_event *e = &f->events.at[event];

		if (e->kind == FLOW_CALL) {
			if (!pass_call(w, &f->calls.at[e->call]))
				return;
		} else if (flow_is_about(e, w->object)) {
			if (e->kind == FLOW_READ)
				note_read(w, e);
			else if (e->whole)
				return;
		}
	}
	if (block->returns)
		leave(w, function);
	for (uint32_t i = 0; i < plan->successors; i++)
		go_to_block(w, f->all.at[function].first_block +
		                       of->successors.at[plan->successor + i]);
}

/* The block that an event is in. */
static uint32_t block_of(const struct flow *f, uint32_t event)
{
	uint32_t low = 0, high = f->blocks.size;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (f->blocks.at[middle].first <= event)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void follow_write(struct walk *w, uint32_t event, uint32_t object)
{
	w->write = event;
	w->object = object;
	roaring_bitmap_clear(w->seen);
	go_on_behind(w, event);
	while (w->todo.size) {
		uint32_t state = w->todo.at[--w->todo.size], events = w->flow->events.size;

		if (state < events)
			follow(w, block_of(w->flow, state), state + 1);
		else
			follow(w, state - events, w->flow->blocks.at[state - events].first);
	}
}

static void follow_all(struct walk *w, uint32_t number)
{
	const struct flow_event *event = &w->flow->events.at[number];
	roaring_uint32_iterator_t each;

	if (event->kind != FLOW_WRITE)
		return;
	if (!event->objects) {
		if (event->object != UINT32_MAX)
			follow_write(w, number, event->object);
		return;
	}
	for (roaring_init_iterator(event->objects, &each); each.has_value;
	     roaring_advance_uint32_iterator(&each))
		follow_write(w, number, each.current_value);
}

void flow_reach(struct flow *f)
{
	struct score_value_map function_of = MAP_INIT;
	struct walk w = {.flow = f, .seen = roaring_bitmap_create(), .function_of = &function_of};

	for (uint32_t i = 0; i < f->all.size; i++)
		for (uint32_t b = 0; b < f->functions->all.at[i].of->blocks.size; b++)
			*score_value_map_put(&function_of, f->all.at[i].first_block + b) = i;
	for (uint32_t i = 0; i < f->events.size; i++)
		follow_all(&w, i);
	roaring_bitmap_free(w.seen);
	vec_deinit(&w.todo);
	score_value_map_deinit(&function_of);
}
