/*
 * Data dependences through memory (flow.h): each write is followed along all ways that the program may go, into calls and back out of them, until
 * all of the object is surely written again; who may read it on the way depends on it. Calls are not told apart: a way out of a function leads to
 * each of its callers. A function that does not touch the object, nor calls one that does, is passed over.
 *
 * Objects that nothing surely overwrites and that live on when functions return (arrays, structs, the heap) are followed together.
 */
#include "research/flow.h"

struct walk {
	struct flow *flow;
	uint32_t write;            /* the event */
	roaring_bitmap_t *objects; /* that are followed */
	uint32_t
		owner; /* of the only one: the function that it is a local of, or SCORE_NO_FUNCTION */
	uint32_t *seen; /* for each event and then each block: the last walk that went on from it */
	uint32_t number;    /* of this walk */
	VEC(uint32_t) todo; /* events to go on behind, and blocks behind them in number */
};

static void go_on(struct walk *w, uint32_t state)
{
	if (w->seen[state] == w->number)
		return;
	w->seen[state] = w->number;
	*vec_push(&w->todo) = state;
}

static void go_to_block(struct walk *w, uint32_t block)
{
	go_on(w, w->flow->events.size + block);
}

static bool is_about(const struct walk *w, const struct flow_event *e)
{
	if (e->objects)
		return roaring_bitmap_intersect(e->objects, w->objects);
	return e->object != UINT32_MAX && roaring_bitmap_contains(w->objects, e->object);
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

/* --- calls --- */

/* Can a call of the function that the object is a local of get at the object of a call before it? Only if it is handed its address. */
static bool is_handed_on(const struct walk *w)
{
	LLVMValueRef function = w->flow->functions->all.at[w->owner].of->function;

	for (unsigned i = 0; i < LLVMCountParams(function); i++) {
		const roaring_bitmap_t *points =
			points_to_of(w->flow->points, LLVMGetParam(function, i));

		if (points && roaring_bitmap_intersect(points, w->objects))
			return true;
	}
	return false;
}

static bool enters(const struct walk *w, uint32_t callee)
{
	return roaring_bitmap_intersect(w->flow->all.at[callee].touched, w->objects) &&
	       (callee != w->owner || is_handed_on(w));
}

/* Enters what is called and touches the objects. False: all ways on lead through it. Of a local there is another one in each call, so that
   what is called may not be the last word about it. */
static bool pass_call(struct walk *w, const struct flow_call *call)
{
	bool over = call->callees.outside || w->owner != SCORE_NO_FUNCTION;

	for (uint32_t i = 0; i < call->callees.all.size; i++) {
		uint32_t callee = call->callees.all.at[i];

		if (enters(w, callee))
			go_to_block(w, w->flow->all.at[callee].first_block);
		else
			over = true;
	}
	return over;
}

static void leap(struct walk *w)
{
	for (uint32_t i = 0; i < w->flow->landings.size; i++)
		go_on(w, w->flow->landings.at[i]);
}

static void leave(struct walk *w, uint32_t function)
{
	const struct flow_function *own = &w->flow->all.at[function];

	for (uint32_t i = 0; w->owner != function && i < own->calls.size; i++)
		go_on(w, w->flow->calls.at[own->calls.at[i]].event);
}

/* --- the walk --- */

/* The events of a block from one on. False: nothing goes on at its end. */
static bool pass_events(struct walk *w, const struct flow_block *block, uint32_t event)
{
	for (; event < block->first + block->count; event++) {
		const struct flow_event *e = &w->flow->events.at[event];

		if (e->kind == FLOW_CALL) {
			if (!pass_call(w, &w->flow->calls.at[e->call]))
				return false;
		} else if (e->kind == FLOW_LEAP) {
			leap(w);
			return false;
		} else if (is_about(w, e)) {
			if (e->kind == FLOW_READ)
				note_read(w, e);
			else if (e->whole)
				return false;
		}
	}
	return true;
}

static void follow(struct walk *w, uint32_t number, uint32_t event)
{
	const struct flow *f = w->flow;
	const struct flow_block *block = &f->blocks.at[number];
	const struct plan_function *of = f->functions->all.at[block->function].of;
	uint32_t first = f->all.at[block->function].first_block;
	const struct plan_block *plan = &of->blocks.at[number - first];

	if ((block->leaps || roaring_bitmap_intersect(block->touched, w->objects)) &&
	    !pass_events(w, block, event))
		return;
	if (block->returns)
		leave(w, block->function);
	for (uint32_t i = 0; i < plan->successors; i++)
		go_to_block(w, first + of->successors.at[plan->successor + i]);
}

static void follow_write(struct walk *w, uint32_t event, uint32_t owner)
{
	uint32_t events = w->flow->events.size;

	w->write = event;
	w->owner = owner;
	w->number++;
	go_on(w, event);
	while (w->todo.size) {
		uint32_t state = w->todo.at[--w->todo.size];

		if (state < events)
			follow(w, w->flow->events.at[state].block, state + 1);
		else
			follow(w, state - events, w->flow->blocks.at[state - events].first);
	}
}

/* An object that has to be followed by itself. */
static bool is_alone(const struct walk *w, const roaring_bitmap_t *overwritten, uint32_t object)
{
	return points_to_object(w->flow->points, object)->owner != SCORE_NO_FUNCTION ||
	       roaring_bitmap_contains(overwritten, object);
}

static void follow_alone(struct walk *w, uint32_t event, uint32_t object)
{
	roaring_bitmap_clear(w->objects);
	roaring_bitmap_add(w->objects, object);
	follow_write(w, event, points_to_object(w->flow->points, object)->owner);
}

static void follow_all(struct walk *w, const roaring_bitmap_t *overwritten, uint32_t number)
{
	const struct flow_event *event = &w->flow->events.at[number];
	roaring_uint32_iterator_t each;

	if (event->kind != FLOW_WRITE)
		return;
	if (!event->objects) {
		if (event->object != UINT32_MAX)
			follow_alone(w, number, event->object);
		return;
	}
	for (roaring_init_iterator(event->objects, &each); each.has_value;
	     roaring_advance_uint32_iterator(&each))
		if (is_alone(w, overwritten, each.current_value))
			follow_alone(w, number, each.current_value);
	roaring_bitmap_clear(w->objects);
	for (roaring_init_iterator(event->objects, &each); each.has_value;
	     roaring_advance_uint32_iterator(&each))
		if (!is_alone(w, overwritten, each.current_value))
			roaring_bitmap_add(w->objects, each.current_value);
	if (!roaring_bitmap_is_empty(w->objects))
		follow_write(w, number, SCORE_NO_FUNCTION);
}

/* Objects of which some write leaves nothing. */
static roaring_bitmap_t *find_overwritten(const struct flow *f)
{
	roaring_bitmap_t *out = roaring_bitmap_create();

	for (uint32_t i = 0; i < f->events.size; i++) {
		const struct flow_event *event = &f->events.at[i];

		if (event->kind != FLOW_WRITE || !event->whole)
			continue;
		if (event->objects)
			roaring_bitmap_or_inplace(out, event->objects);
		else
			roaring_bitmap_add(out, event->object);
	}
	return out;
}

void flow_reach(struct flow *f)
{
	size_t states = (size_t)f->events.size + f->blocks.size + 1;
	struct walk w = {.flow = f,
	                 .objects = roaring_bitmap_create(),
	                 .seen = mem_alloc(states * sizeof(uint32_t))};
	roaring_bitmap_t *overwritten = find_overwritten(f);

	for (uint32_t i = 0; i < f->events.size; i++)
		follow_all(&w, overwritten, i);
	roaring_bitmap_free(overwritten);
	roaring_bitmap_free(w.objects);
	vec_deinit(&w.todo);
	free(w.seen);
}
