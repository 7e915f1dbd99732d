/* Outside code in a walk: the tagged records between a call and its return. */
#include "trace/walker.h"

#include <string.h>

/* Head of a tagged record whose body is wholly there. */
struct hence_error *walker_begin_tagged(struct walk *w, uint32_t tag, uint32_t least,
                                        uint32_t *size)
{
	if (!walker_has(w, 8)) {
		w->stopped = true;
		return NULL;
	}
	if (tag && walker_peek_tag(w) != tag)
		return walker_damaged(w, "an unexpected record");
	memcpy(size, w->at + 4, 4);
	if (*size == HENCE_UNFINISHED) {
		w->stopped = true;
		return NULL;
	}
	if (!walker_has(w, 8ull + *size))
		return walker_damaged(w, "a record that goes beyond the end");
	if (*size < least)
		return walker_damaged(w, "a record that is too short");
	w->at += 8;
	return NULL;
}

const char *walker_outside_name(const struct walk *w, uint64_t address)
{
	const char **name = name_at_map_find(&w->program->outside, address);

	return name ? *name : "?";
}

bool walker_is_call(const struct plan_record *r)
{
	return r->kind >= PLAN_CALL && r->kind <= PLAN_INDIRECT;
}

/* Bytes of the call's result on the tape: small ones only (runtime/runtime.h). */
static uint32_t result_size(const struct walk *w, const struct context *c)
{
	LLVMTypeRef type = LLVMTypeOf(c->function->records.at[c->record].instruction);
	uint32_t size = 0;

	if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
		size = ir_store_size(w->program->modules.at[c->place.module].plan->layout, type);
	return size <= HENCE_RESULT ? size : 0;
}

/* The call on top begins, or it returns; what its record says of it are `size` bytes at `from`. */
struct hence_error *walker_tell(struct walk *w, bool returned, const uint8_t *from, uint32_t size)
{
	const struct context *c = &w->stack.at[w->stack.size - 2];
	const struct plan_record *r = &c->function->records.at[c->record];
	const struct program_module *module = &w->program->modules.at[c->place.module];
	struct walk_call call = {.address = walker_top(w)->callee,
	                         .returned = returned,
	                         .ancestor = !w->counting,
	                         .block = c->block,
	                         .record = c->record};

	if (!w->hear)
		return NULL;
	if (r->kind == PLAN_IMPORT)
		call.name = module->plan->imports.at[r->target].name;
	else
		call.name = walker_outside_name(w, call.address);
	call.result_size = returned ? result_size(w, c) : 0;
	if (call.result_size)
		call.result = from;
	if (call.result_size > size ||
	    !effects_begin(from + call.result_size, size - call.result_size, &call.effects))
		return walker_damaged(w, "an outside call with damaged effects");
	w->hear(w->hearer, &call);
	return NULL;
}

void walk_listen(struct walk *w, void (*hear)(void *context, const struct walk_call *call),
                 void *context)
{
	w->hear = hear;
	w->hearer = context;
}

static struct hence_error *step_enter(struct walk *w, uint32_t size)
{
	struct hence_enter_record record;
	struct program *p = w->program;

	if (size < sizeof(record))
		return walker_damaged(w, "a record that is too short");
	memcpy(&record, w->at, sizeof(record));
	if (record.module >= p->modules.size || !p->modules.at[record.module].plan ||
	    record.function >= p->modules.at[record.module].plan->functions.size)
		return walker_damaged(w, "a function that does not exist");
	w->at += size;
	return walker_call_function(w, (struct program_place){record.module, record.function, 0},
	                            w->at - size + sizeof(record),
	                            (uint32_t)(size - sizeof(record)), record.frame);
}

static struct hence_error *step_return(struct walk *w, uint32_t size)
{
	const struct context *c = w->stack.size < 2 ? NULL : &w->stack.at[w->stack.size - 2];
	struct hence_error *error;

	if (!c || !c->function || !walker_is_call(&c->function->records.at[c->record]))
		return walker_damaged(w, "a return from nowhere");
	w->at += size;
	error = walker_tell(w, true, w->at - size, size);
	if (error)
		return error;
	w->stack.size--;
	walker_continue_after_call(w);
	return NULL;
}

static struct hence_error *step_resume(struct walk *w, uint32_t size)
{
	struct context *c;
	uint64_t frame;
	uint32_t record;

	if (size < 12)
		return walker_damaged(w, "a record that is too short");
	memcpy(&frame, w->at, 8);
	memcpy(&record, w->at + 8, 4);
	while (w->stack.size > 1 && (!walker_top(w)->function || walker_top(w)->frame != frame))
		walker_pop(w);
	c = walker_top(w);
	if (!c->function || record >= c->function->records.size ||
	    !c->function->records.at[record].returns_twice)
		return walker_damaged(w, "a jump back to nowhere");
	w->at += size;
	walker_count_part(w, c);
	c->record = record;
	c->block = (uint32_t)(walker_block_of(c->function, record) - c->function->blocks.at);
	c->instruction = c->function->records.at[record].instruction_number + 1;
	c->statement = c->function->records.at[record].statement + 1;
	if (w->follower) {
		w->follower->unwound(w->follower->context, w->stack.size);
		w->follower->resumed(w->follower->context, c->block,
		                     &c->function->records.at[record]);
	}
	walker_push_outside(w, 0);
	return NULL;
}

static uint32_t number_of(const uint8_t *module)
{
	struct hence_module_record record;

	memcpy(&record, module, sizeof(record));
	return record.number;
}

/* What is wrong may be the program's file, or what the tape says of it. */
static struct hence_error *load_module(struct walk *w, const uint8_t *record, uint32_t size)
{
	struct hence_error *error = program_load(w->program, record, size), *named;

	if (!error) {
		if (w->follower)
			w->follower->loaded(w->follower->context, number_of(record));
		return NULL;
	}
	named = error_create(error->kind, "%s: %s", w->tape->path, error->message);
	error_destroy(error);
	return named;
}

static struct hence_error *step_given(struct walk *w, uint32_t size)
{
	struct effects given;

	if (!effects_begin(w->at, size, &given))
		return walker_damaged(w, "damaged arguments or environment");
	w->at += size;
	if (w->follower)
		w->follower->given(w->follower->context, given);
	return NULL;
}

struct hence_error *walker_step_outside(struct walk *w)
{
	uint32_t tag = walker_peek_tag(w), size;
	struct hence_error *error = walker_begin_tagged(w, 0, 0, &size);

	if (error || w->stopped)
		return error;
	switch (tag) {
	case HENCE_MODULE: w->at += size; return load_module(w, w->at - size, size);
	case HENCE_ENTER: return step_enter(w, size);
	case HENCE_RETURN: return step_return(w, size);
	case HENCE_RESUME: return step_resume(w, size);
	case HENCE_GIVEN: return step_given(w, size);
	case HENCE_SIGNAL:
	case HENCE_SIGNALED: w->at += size; return NULL;
	default: return walker_damaged(w, "an unknown record");
	}
}
