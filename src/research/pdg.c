/* The program dependence graph: see pdg.h. */
#include "research/pdg.h"

#include <string.h>

#include "model/control.h"
#include "research/flow.h"
#include "run/blobs.h"
#include "trace/modules.h"

/* --- data dependences through values of the IR, parameters and results --- */

#define DEEPEST 16 /* operands of operands that belong to no line */

static void depend_on(struct flow *f, LLVMValueRef value, uint32_t line, int depth)
{
	uint32_t from;

	if (LLVMIsAArgument(value)) {
		uint32_t function = score_functions_find(f->functions, LLVMGetParamParent(value));

		for (uint32_t i = 0;
		     function != SCORE_NO_FUNCTION && i < f->all.at[function].calls.size; i++) {
			from = f->calls.at[f->all.at[function].calls.at[i]].line;
			if (from != FLOW_NO_LINE)
				score_graph_edge(f->graph, from, line, SCORE_DATA);
		}
		return;
	}
	if (!LLVMIsAInstruction(value) || LLVMIsAAllocaInst(value))
		return;
	from = flow_line(f, value);
	if (from != FLOW_NO_LINE) {
		score_graph_edge(f->graph, from, line, SCORE_DATA);
		return;
	}
	for (int i = 0; depth && i < LLVMGetNumOperands(value); i++)
		depend_on(f, LLVMGetOperand(value, (unsigned)i), line, depth - 1);
}

/* A line depends on those that a value comes from: that of an instruction, and of a parameter those of the calls. */
static void depend_on_value(struct flow *f, LLVMValueRef value, uint32_t line)
{
	depend_on(f, value, line, DEEPEST);
}

static void add_uses(struct flow *f, LLVMValueRef i)
{
	uint32_t line = flow_line(f, i);

	if (line == FLOW_NO_LINE)
		return;
	if (LLVMIsAPHINode(i)) {
		/* `a && b` as a value: which side it came from was decided by the branch. */
		for (unsigned j = 0; j < LLVMCountIncoming(i); j++) {
			LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(i, j));

			if (LLVMGetNumSuccessors(end) > 1)
				depend_on_value(f, end, line);
		}
	}
	for (int k = 0; k < LLVMGetNumOperands(i); k++) {
		LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);

		if (!LLVMIsABasicBlock(operand))
			depend_on_value(f, operand, line);
	}
}

/* The line of the call depends on those that return. An outside function that calls back, as qsort(), does with the result what it likes. */
static void add_returns(struct flow *f, const struct flow_call *call, uint32_t callee)
{
	const struct plan_function *of = f->functions->all.at[callee].of;

	if (call->line == FLOW_NO_LINE ||
	    (!call->callees.outside &&
	     LLVMGetTypeKind(LLVMTypeOf(call->instruction)) == LLVMVoidTypeKind))
		return;
	for (uint32_t b = 0; b < of->blocks.size; b++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(of->blocks.at[b].block);

		if (end && LLVMIsAReturnInst(end))
			depend_on_value(f, end, call->line);
	}
}

static bool starts_rest(LLVMValueRef i)
{
	const char *intrinsic = ir_intrinsic(i);

	return intrinsic && !strncmp(intrinsic, "va_start", 8);
}

static void add_rest(struct flow *f, uint32_t function, LLVMValueRef start)
{
	uint32_t line = flow_line(f, start), from;

	for (uint32_t i = 0; line != FLOW_NO_LINE && i < f->all.at[function].calls.size; i++) {
		from = f->calls.at[f->all.at[function].calls.at[i]].line;
		if (from != FLOW_NO_LINE)
			score_graph_edge(f->graph, from, line, SCORE_DATA);
	}
}

static void find_values(struct flow *f)
{
	for (uint32_t n = 0; n < f->functions->all.size; n++) {
		const struct plan_function *of = f->functions->all.at[n].of;

		for (uint32_t b = 0; b < of->blocks.size; b++)
			for (LLVMValueRef i = LLVMGetFirstInstruction(of->blocks.at[b].block); i;
			     i = LLVMGetNextInstruction(i)) {
				add_uses(f, i);
				if (starts_rest(i))
					add_rest(f, n, i);
			}
	}
	for (uint32_t i = 0; i < f->calls.size; i++)
		for (uint32_t k = 0; k < f->calls.at[i].callees.all.size; k++)
			add_returns(f, &f->calls.at[i], f->calls.at[i].callees.all.at[k]);
	/* What setjmp() gives comes from longjmp(), and so does that it goes on there. */
	for (uint32_t n = 0; f->landings.size && n < f->events.size; n++) {
		uint32_t from = f->events.at[n].line, to;

		for (uint32_t k = 0; f->events.at[n].kind == FLOW_LEAP && k < f->landings.size;
		     k++) {
			to = f->events.at[f->landings.at[k]].line;
			if (from != FLOW_NO_LINE && to != FLOW_NO_LINE)
				score_graph_edge(f->graph, from, to, SCORE_DATA);
		}
	}
}

/*
 * --- data dependences through memory ---
 *
 * Each write is followed along all ways that the program may go, into calls and back out of them, until
 * all of the object is surely written again; who may read it on the way depends on it. Calls are not told apart: a way out of a function leads to
 * each of its callers. A function that does not touch the object, nor calls one that does, is passed over.
 *
 * Objects that nothing surely overwrites and that live on when functions return (arrays, structs, the heap) are followed together.
 */

struct walk {
	struct flow *flow;
	uint32_t write;            /* the event */
	roaring_bitmap_t *objects; /* that are followed */
	uint32_t
		owner; /* of the only one: the function that it is a local of, or SCORE_NO_FUNCTION */
	uint32_t *seen; /* for each event and then each block: the last walk that went on from it */
	uint32_t number; /* of this walk */
	VEC(uint32_t)
	todo; /* events after which the walk continues; a block is the number of events plus its own */
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

/* --- through memory: calls --- */

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

/* Enters what is called and touches the objects. False: all ways on lead through it. Of a local there is another one in each call, so that
   what is called may not be the last word about it. */
static bool pass_call(struct walk *w, const struct flow_call *call)
{
	bool over = call->callees.outside || w->owner != SCORE_NO_FUNCTION;

	for (uint32_t i = 0; i < call->callees.all.size; i++) {
		uint32_t callee = call->callees.all.at[i];

		if (roaring_bitmap_intersect(w->flow->all.at[callee].touched, w->objects) &&
		    (callee != w->owner || is_handed_on(w)))
			go_to_block(w, w->flow->all.at[callee].first_block);
		else
			over = true;
	}
	return over;
}

/* --- through memory: the walk --- */

/* The events of a block from one on. False: nothing goes on at its end. */
static bool pass_events(struct walk *w, const struct flow_block *block, uint32_t event)
{
	for (; event < block->first + block->count; event++) {
		const struct flow_event *e = &w->flow->events.at[event];

		if (e->kind == FLOW_CALL) {
			if (!pass_call(w, &w->flow->calls.at[e->call]))
				return false;
		} else if (e->kind == FLOW_LEAP) {
			for (uint32_t i = 0; i < w->flow->landings.size; i++)
				go_on(w, w->flow->landings.at[i]);
			return false;
		} else if (is_about(w, e)) {
			if (e->kind == FLOW_READ) {
				const struct flow_event *write = &w->flow->events.at[w->write];

				if (e->line != FLOW_NO_LINE) {
					if (write->line != FLOW_NO_LINE)
						score_graph_edge(w->flow->graph, write->line,
						                 e->line, SCORE_DATA);
					else if (write->value)
						depend_on_value(w->flow, write->value, e->line);
				}
			} else if (e->whole)
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
	if (block->returns) {
		const struct flow_function *own = &w->flow->all.at[block->function];

		for (uint32_t i = 0; w->owner != block->function && i < own->calls.size; i++)
			go_on(w, w->flow->calls.at[own->calls.at[i]].event);
	}
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

static void find_memory(struct flow *f)
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

/*
 * --- control dependences ---
 *
 * After Ferrante, Ottenstein and Warren: what lies between a successor of a branch and the place where its
 * ways meet again depends on the branch. What is executed whenever the function is depends on the calls of it.
 */

/* From a block along the places where ways meet, up to `end`. A loop without an end may lead back to itself. */
static void depend_ways(struct flow *f, const struct plan_function *of, const uint32_t *meets,
                        uint32_t from, uint32_t end, uint32_t line)
{
	for (uint32_t steps = 0; from != end && from != CONTROL_EXIT && steps < of->blocks.size;
	     steps++) {
		/* All lines of a block depend on `line`. */
		for (LLVMValueRef i = LLVMGetFirstInstruction(of->blocks.at[from].block); i;
		     i = LLVMGetNextInstruction(i)) {
			uint32_t *own = score_value_map_find(&f->lines, (uintptr_t)i);

			if (own)
				score_graph_edge(f->graph, line, *own - 1, SCORE_CONTROL);
		}
		from = meets[from];
	}
}

static void find_branches(struct flow *f)
{
	for (uint32_t i = 0; i < f->functions->all.size; i++) {
		const struct plan_function *of = f->functions->all.at[i].of;
		uint32_t *meets = control_postdominators(of), line;

		for (uint32_t b = 0; b < of->blocks.size; b++) {
			const struct plan_block *block = &of->blocks.at[b];
			LLVMValueRef end = LLVMGetBasicBlockTerminator(block->block);

			if (block->successors < 2 || !end)
				continue;
			line = flow_line(f, end);
			for (uint32_t j = 0; line != FLOW_NO_LINE && j < block->successors; j++)
				depend_ways(f, of, meets, of->successors.at[block->successor + j],
				            meets[b], line);
		}
		for (uint32_t j = 0; j < f->all.at[i].calls.size; j++) {
			line = f->calls.at[f->all.at[i].calls.at[j]].line;
			if (line != FLOW_NO_LINE)
				depend_ways(f, of, meets, 0, CONTROL_EXIT, line);
		}
		free(meets);
	}
}

/* --- the graph --- */

void pdg_build(const struct plan *const *plans, uint32_t count, const struct outside_table *models,
               struct score_graph *out)
{
	struct score_functions functions;
	struct points_to *points;
	struct flow flow;

	*out = (struct score_graph){0};
	score_functions_init(&functions, plans, count, models);
	if (functions.all.size) {
		points = points_to_create(&functions);
		flow_init(&flow, &functions, points, out);
		find_values(&flow);
		find_memory(&flow);
		find_branches(&flow);
		flow_deinit(&flow);
		points_to_destroy(points);
	}
	score_functions_deinit(&functions);
}

static struct hence_error *build_from(const struct blobs *blobs, const char *path,
                                      const struct outside_table *models, struct score_graph *out)
{
	struct modules *modules = modules_create();
	VEC(const struct plan *) plans = VEC_INIT;
	struct hence_error *error = NULL;

	for (uint32_t i = 0; !error && i < blobs_count(blobs); i++)
		error = modules_find(modules, path, blobs_at(blobs, i)->header.hash,
		                     vec_push(&plans));
	if (!error)
		pdg_build(plans.at, plans.size, models, out);
	vec_deinit(&plans);
	modules_destroy(modules);
	return error;
}

struct hence_error *pdg_read(const char *path, const struct outside_table *models,
                             struct score_graph *out)
{
	struct blobs *blobs;
	struct hence_error *error = blobs_open(path, &blobs);

	if (error)
		return error;
	if (!blobs_count(blobs))
		error = error_create(HENCE_ERROR_INPUT,
		                     "%s was not built with hence cc; build it with hence-cc",
		                     path);
	else
		error = build_from(blobs, path, models, out);
	blobs_close(blobs);
	return error;
}
