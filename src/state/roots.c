/* The variables of a state: of functions under way those in scope, and globals. See capture.h. */
#include <stdio.h>

#include "state/capture.h"

/* Where a function stands. */
struct position {
	const struct activation *a;
	const struct variables *variables;
	const struct variable_scope *scope;
	LLVMMetadataRef location, inlined;
	LLVMValueRef next; /* what ends the statement */
};

/* --- scopes --- */

/* The instruction that says where a function stands: of the one on top the end of the next
   statement, of the others the call. */
static LLVMValueRef standing(const struct activation *a, bool top)
{
	const struct code_function *f = a->function;
	uint32_t at = a->pc;

	if (!top)
		return f->instructions[at ? at - 1 : 0];
	while (at + 1 < f->blocks[a->block + 1] && !(f->insns[at].flags & CODE_STATEMENT))
		at++;
	return f->instructions[at < f->size ? at : f->size - 1];
}

static struct position position_of(struct capture *c, const struct activation *a, bool top)
{
	LLVMValueRef instruction = standing(a, top);
	struct position p = {.a = a,
	                     .variables = names_variables(c->names, a->function->place.module),
	                     .location = LLVMInstructionGetDebugLoc(instruction),
	                     .next = instruction};

	p.scope = variables_scope(p.variables, instruction);
	p.inlined = p.location ? LLVMDILocationGetInlinedAt(p.location) : NULL;
	return p;
}

static bool encloses(const struct variable_scope *outer, const struct variable_scope *scope)
{
	while (scope && scope != outer)
		scope = scope->parent;
	return scope == outer;
}

/* Is it declared before the position, and not initialised by the next statement? In the head of a loop
   columns tell nothing: a branch is where the loop begins. */
static bool is_declared(const struct position *p, const struct variable *variable)
{
	uint32_t line = p->location ? LLVMDILocationGetLine(p->location) : 0;

	if (line && LLVMIsAStoreInst(p->next) && LLVMGetOperand(p->next, 1) == variable->storage &&
	    variable->line == line && variable->column == LLVMDILocationGetColumn(p->location))
		return false;
	return !line || variable->line <= line;
}

static bool in_scope(const struct position *p, const struct variable *variable)
{
	if (variable->indirect || variable->artificial)
		return false;
	if (variable->argument && !variable->inlined)
		return true;
	if (p->inlined) /* scopes are those of the inlined function: only its own are known */
		return variable->inlined == p->inlined ? encloses(variable->scope, p->scope)
		                                       : !variable->inlined;
	return !variable->inlined && encloses(variable->scope, p->scope) &&
	       is_declared(p, variable);
}

/* The variable in scope that lives in a storage; NULL: none. */
static const struct variable *variable_at(const struct position *p, LLVMValueRef storage)
{
	const struct variable *variable = variables_of_alloca(p->variables, storage);

	while (variable && !in_scope(p, variable))
		variable = variable->also;
	return variable;
}

/* --- locals --- */

/* Variables of the same name that are hidden by one further in say where they are declared. */
static void mark_hidden(struct capture *c, uint32_t first)
{
	struct state *s = c->state;

	for (uint32_t i = first; i < s->objects.size; i++)
		for (uint32_t k = first; k < s->objects.size; k++) {
			struct state_object *o = &s->objects.at[i];
			const struct variable *v = o->variable, *w = s->objects.at[k].variable;

			if (i != k && v && w && !strcmp(v->name, w->name) && v->scope && w->scope &&
			    v->scope->depth < w->scope->depth)
				o->hint = arena_printf(&s->arena, " (line %u)", v->line);
		}
}

static void set_variable(struct capture *c, struct state_object *o, const struct variable *variable)
{
	uint32_t same = 0;

	for (uint32_t i = c->state->frames.at[c->frame - 1].first; i + 1 < c->state->objects.size;
	     i++)
		same += c->state->objects.at[i].variable &&
		        !strcmp(c->state->objects.at[i].variable->name, variable->name);
	o->frame = c->frame;
	o->elements = false;
	o->variable = variable;
	o->type = variable->type;
	o->key = arena_printf(&c->state->arena, "%s#%u", variable->name, same);
}

/* Is it what the function will return? The compiler gives it a place without a name. */
static bool is_result(LLVMValueRef storage)
{
	for (LLVMUseRef use = LLVMGetFirstUse(storage); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef load = LLVMGetUser(use);
		LLVMUseRef first = LLVMIsALoadInst(load) ? LLVMGetFirstUse(load) : NULL;

		if (first && LLVMIsAReturnInst(LLVMGetUser(first)))
			return true;
	}
	return false;
}

static const struct ctype *result_type(struct capture *c, const struct activation *a)
{
	const struct ctype *type = types_of_function(
		names_types(c->names, a->function->place.module), a->function->plan->function);

	type = ctype_strip(type);
	return type && type->kind == CTYPE_FUNCTION ? type->target : NULL;
}

/* The number of the object that a local is; 0: it is private. */
static uint32_t number_of(const struct activation *a, uint32_t local)
{
	for (uint32_t i = 0; i < a->function->object_count; i++)
		if (a->function->objects[i] == local)
			return a->object + i;
	return 0;
}

static void add_locals(struct capture *c, const struct position *p)
{
	const struct plan_function *plan = p->a->function->plan;

	for (uint32_t i = 0; i < plan->locals.size; i++) {
		const struct plan_local *local = &plan->locals.at[i];
		const struct variable *variable = variable_at(p, local->alloca_);
		bool result = !variable && !variables_of_alloca(p->variables, local->alloca_) &&
		              is_result(local->alloca_);
		struct state_object *o;

		if (!variable && !result)
			continue;
		o = capture_add(c, number_of(p->a, i), p->a->address + local->offset, local->size,
		                OBJECT_LOCAL);
		if (variable) {
			set_variable(c, o, variable);
			continue;
		}
		o->frame = c->frame;
		o->type = result_type(c, p->a);
		o->hint = "return value";
		o->key = "#result";
	}
}

/* Structures passed by value, and arrays of variable length. */
static void add_others(struct capture *c, const struct position *p)
{
	const struct code_function *f = p->a->function;
	struct objects *objects = execution_objects(c->e);

	for (uint32_t i = 0; i < f->size + f->plan->byvals.size; i++) {
		bool byval = i >= f->size;
		uint32_t index = byval ? f->plan->byvals.at[i - f->size] : 0, number;
		LLVMValueRef storage;
		const struct variable *variable;
		uint64_t address;

		if (!byval && f->insns[i].op != CODE_ALLOCA)
			continue;
		storage = byval ? LLVMGetParam(f->plan->function, index) : f->instructions[i];
		variable = variable_at(p, storage);
		address = execution_slot(c->e, p->a,
		                         (byval ? f->parameters[index].slot : f->insns[i].to) << 1)
		                  ->bits;
		number = variable && address >= 4096 ? objects_find(objects, address) : 0;
		if (!number || objects_at(objects, number)->owner != p->a->frame ||
		    objects_at(objects, number)->address != address)
			continue;
		set_variable(c,
		             capture_add(c, number, address, objects_at(objects, number)->size,
		                         objects_at(objects, number)->kind),
		             variable);
	}
}

static void add_frame(struct capture *c, const struct activation *a, bool top)
{
	struct position p = position_of(c, a, top);
	uint32_t first = c->state->objects.size;
	struct state_frame *frame = vec_push(&c->state->frames);

	frame->function = a->function->plan->name;
	frame->call = statements_of(c->statements, a->root);
	frame->first = first;
	c->frame = c->state->frames.size;
	add_locals(c, &p);
	add_others(c, &p);
	c->state->frames.at[c->frame - 1].count = c->state->objects.size - first;
	mark_hidden(c, first);
	waiting_capture(c, a, top);
}

/* --- globals --- */

static void add_global(struct capture *c, uint32_t number, const struct object *o)
{
	const struct program *program = walk_program(execution_walk(c->e));
	LLVMValueRef global = program->modules.at[o->owner].plan->globals.at[o->index];

	if (!LLVMIsGlobalConstant(global) &&
	    variables_of_global(names_variables(c->names, o->owner), global))
		capture_add(c, number, o->address, o->size, OBJECT_GLOBAL);
}

/* Those of threads have their addresses only in the list of all objects. */
static void add_thread_locals(struct capture *c)
{
	const struct program *program = walk_program(execution_walk(c->e));
	struct objects *objects = execution_objects(c->e);

	for (uint32_t i = 0; i < objects->all.size; i++) {
		const struct object *o = &objects->all.at[i];

		if (o->kind == OBJECT_GLOBAL &&
		    LLVMIsThreadLocal(program->modules.at[o->owner].plan->globals.at[o->index]))
			add_global(c, i + 1, o);
	}
}

static void add_globals(struct capture *c)
{
	const struct program *program = walk_program(execution_walk(c->e));
	struct objects *objects = execution_objects(c->e);
	bool threads = false;

	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct program_module *module = &program->modules.at[m];

		for (uint32_t g = 0; module->plan && g < module->plan->globals.size; g++) {
			uint64_t at = module->addresses[module->plan->functions.size + g];
			uint32_t number;

			threads |= LLVMIsThreadLocal(module->plan->globals.at[g]);
			number = at && !LLVMIsThreadLocal(module->plan->globals.at[g])
			                 ? objects_find(objects, at)
			                 : 0;
			if (number && objects_at(objects, number)->kind == OBJECT_GLOBAL &&
			    objects_at(objects, number)->owner == m &&
			    objects_at(objects, number)->index == g)
				add_global(c, number, objects_at(objects, number));
		}
	}
	if (threads)
		add_thread_locals(c);
}

void capture_roots(struct capture *c)
{
	const struct hence_head *head = &walk_tape(execution_walk(c->e))->head;
	struct objects *objects = execution_objects(c->e);
	uint32_t given = head->argv ? objects_find(objects, head->argv) : 0;

	for (uint32_t depth = execution_depth(c->e); depth-- > 0;)
		add_frame(c, execution_top(c->e, depth), !depth);
	add_globals(c);
	if (given)
		capture_add(c, given, objects_at(objects, given)->address,
		            objects_at(objects, given)->size, OBJECT_GIVEN);
}
