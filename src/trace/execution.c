/* Decodes a tape: follows a walk and evaluates. See execution.h; the parts are in execute*.c. */
#include <assert.h>
#include <string.h>

#include "trace/constants.h"
#include "trace/executor.h"

/* ------ what is known of an execution ------ */

uint64_t execution_instances(const struct execution *e)
{
	return e->forgotten + e->next - EXECUTION_FIRST;
}

bool execution_renumbered(const struct execution *e)
{
	return e->forgotten > 0;
}

uint64_t execution_statements(const struct execution *e)
{
	return e->statements;
}

void execution_kept(const struct execution *e, uint32_t *first, uint32_t *end)
{
	*first = e->kept_from;
	*end = e->kept_end == UINT32_MAX ? e->next : e->kept_end;
}

uint64_t execution_value(const struct execution *e, uint32_t instance)
{
	assert(executor_is_kept(e, instance));
	return e->values[instance - e->kept_from];
}

uint32_t execution_source(const struct execution *e, uint32_t instance)
{
	assert(executor_is_kept(e, instance));
	return e->sources[instance - e->kept_from];
}

const uint32_t *execution_sources(const struct execution *e)
{
	return e->sources;
}

const uint64_t *execution_copy_bits(const struct execution *e)
{
	return e->copies;
}

/* Between which two segments it is: near the last one that was asked for, most often. */
static void narrow(const struct execution *e, uint32_t instance, uint32_t *low, uint32_t *high)
{
	const struct execution_segment *s = e->segments.at;
	uint32_t at = e->hint < e->segments.size ? e->hint : 0, step = 1;

	*low = 0;
	*high = e->segments.size;
	if (s[at].first > instance) {
		for (*high = at; *high > step && s[*high - step].first > instance; step *= 2)
			*high -= step;
		*low = *high > step ? *high - step : 0;
	} else {
		*low = at;
		while (*low + step < e->segments.size && s[*low + step].first <= instance) {
			*low += step;
			step *= 2;
		}
		*high = *low + step < e->segments.size ? *low + step : e->segments.size;
	}
}

const struct execution_segment *execution_segment(const struct execution *e, uint32_t instance)
{
	uint32_t low, high;

	assert(executor_is_kept(e, instance));
	narrow(e, instance, &low, &high);
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (e->segments.at[middle].first <= instance)
			low = middle;
		else
			high = middle;
	}
	((struct execution *)e)->hint = low;
	return &e->segments.at[low];
}

uint32_t execution_code(const struct execution *e, uint32_t instance)
{
	const struct execution_segment *segment = execution_segment(e, instance);

	return segment->code + (instance - segment->first);
}

const struct code_insn *execution_insn(const struct execution *e, uint32_t instance)
{
	uint32_t code = execution_code(e, instance);
	const struct code_function *f = code_of(e->code, code);

	return &f->insns[code - f->first];
}

struct walk_place execution_place(const struct execution *e, uint32_t code)
{
	const struct code_function *f = code_of(e->code, code);
	LLVMValueRef instruction = f->instructions[code - f->first];
	struct walk_place place = {.function = f->plan->name};
	unsigned length;

	if (!LLVMInstructionGetDebugLoc(instruction))
		return place;
	place.file = LLVMGetDebugLocFilename(instruction, &length);
	place.line = LLVMGetDebugLocLine(instruction);
	place.column = LLVMGetDebugLocColumn(instruction);
	return place;
}

void execution_occurrences(const struct execution *e, const uint32_t *instances, uint32_t count,
                           uint32_t *out)
{
	uint32_t *seen = mem_alloc((e->code->size + 1) * sizeof(*seen)), next = 0;

	for (uint32_t k = 0; k < e->segments.size && next < count; k++) {
		const struct execution_segment *s = &e->segments.at[k];
		uint32_t end = k + 1 < e->segments.size ? s[1].first : executor_segment_end(e, s);

		for (uint32_t i = s->first; i < end; i++) {
			uint32_t now = ++seen[s->code + (i - s->first)];

			while (next < count && instances[next] <= i)
				out[next++] = now;
		}
	}
	free(seen);
}

LLVMValueRef execution_instruction(const struct execution *e, uint32_t instance)
{
	uint32_t code = execution_code(e, instance);
	const struct code_function *f = code_of(e->code, code);

	return f->instructions[code - f->first];
}

const struct execution_segment *execution_segments(const struct execution *e, uint32_t *count)
{
	*count = e->segments.size;
	return e->segments.at;
}

const struct execution_frame *execution_frames(const struct execution *e, uint32_t *count)
{
	*count = e->frames.size;
	return e->frames.at;
}

const struct execution_group *execution_group(const struct execution *e, uint32_t source)
{
	assert(source & EXECUTION_GROUP);
	return &e->groups.at[source & ~EXECUTION_GROUP];
}

const struct execution_flow *execution_flows(const struct execution *e,
                                             const struct execution_group *group)
{
	return e->flows.at + group->first;
}

const struct execution_call *execution_call(const struct execution *e, uint32_t index)
{
	return &e->calls.at[index - 1];
}

uint32_t execution_call_count(const struct execution *e)
{
	return e->calls.size;
}

const struct execution_mismatch *execution_mismatches(const struct execution *e, uint32_t *kept,
                                                      uint64_t *count)
{
	*kept = e->mismatches.size;
	*count = e->mismatch_count;
	return e->mismatches.at;
}

const struct execution_error *execution_errors(const struct execution *e, uint32_t *count)
{
	*count = e->errors.size;
	return e->errors.at;
}

struct objects *execution_objects(struct execution *e)
{
	return &e->objects;
}

struct memory *execution_memory(struct execution *e)
{
	return &e->memory;
}

struct code *execution_code_table(struct execution *e)
{
	return e->code;
}

struct walk *execution_walk(struct execution *e)
{
	return e->walk;
}

uint64_t execution_guesses(const struct execution *e)
{
	return e->guesses;
}

struct outputs *execution_outputs(const struct execution *e)
{
	return e->outputs;
}

uint64_t execution_bytes(const struct execution *e)
{
	uint32_t first, end;

	execution_kept(e, &first, &end);
	return (uint64_t)(end - first) * (sizeof(*e->values) + sizeof(*e->sources)) +
	       e->segments.size * sizeof(*e->segments.at) + e->frames.size * sizeof(*e->frames.at) +
	       e->flows.size * sizeof(*e->flows.at) + e->groups.size * sizeof(*e->groups.at) +
	       e->calls.size * sizeof(*e->calls.at) + e->bytes.size;
}

uint32_t execution_depth(const struct execution *e)
{
	return e->stack.size;
}

const struct code_function *execution_callee(const struct execution *e)
{
	return e->callee;
}

const struct activation *execution_top(const struct execution *e, uint32_t depth)
{
	return depth < e->stack.size ? &e->stack.at[e->stack.size - 1 - depth] : NULL;
}

const struct code_slot *execution_slot(const struct execution *e, const struct activation *a,
                                       uint32_t operand)
{
	return operand == CODE_NO_OPERAND ? NULL : executor_slot(e, a, operand);
}

/* ------ the instruction that a program died of ------ */

/* The tape ends somewhere before it; the place of the crash tells which it was, or if that is not known, the instructions themselves. */

/* May the instruction be what a program dies of? */
static bool may_fault(const struct code_insn *i)
{
	switch (i->op) {
	case CODE_LOAD:
	case CODE_LOAD_WIDE:
	case CODE_STORE:
	case CODE_STORE_WIDE:
	case CODE_COPY:
	case CODE_FILL:
	case CODE_ATOMIC:
	case CODE_EVAL:
	case CODE_CALL:
	case CODE_STOP:
	case CODE_NOTHING: return true;
	default: return false;
	}
}

/* Only the tape has its value. */
static bool is_recorded(const struct code_insn *i)
{
	return i->op == CODE_ALLOCA || i->op == CODE_RECORDED || i->op == CODE_ASM ||
	       i->op == CODE_VA_START || i->op == CODE_ATOMIC || i->op >= CODE_GOTO;
}

/* The instruction with this place, in the block and not executed yet; UINT32_MAX: none. Of several the
   first that does not just read or write a variable: that only fails when the stack is full. */
static uint32_t find_death(const struct activation *a, uint32_t block,
                           const struct walk_place *death)
{
	const struct code_function *f = a->function;
	uint32_t k = f->blocks[block], end = f->blocks[block + 1], found = UINT32_MAX;

	if (a->pc > k && a->pc < end)
		k = a->pc;
	for (; k < end && !is_recorded(&f->insns[k]); k++)
		if (may_fault(&f->insns[k]) &&
		    LLVMGetDebugLocLine(f->instructions[k]) == death->line &&
		    LLVMGetDebugLocColumn(f->instructions[k]) == death->column) {
			if (!(f->insns[k].flags & CODE_DIRECT))
				return k;
			found = found == UINT32_MAX ? k : found;
		}
	return found;
}

/* --- without a place --- */

enum health { FINE, FAULTS, UNCERTAIN };

/* Whether an access faults, as far as that is certain. */
static enum health look_at_access(struct execution *e, const struct code_slot *pointer,
                                  uint64_t size, bool writes)
{
	const struct object *o = pointer->object && pointer->object != EXECUTOR_FOREIGN
	                                 ? objects_at(&e->objects, pointer->object)
	                                 : NULL;

	if (pointer->undefined)
		return UNCERTAIN;
	if (pointer->bits < 4096 || pointer->bits >> 47)
		return FAULTS;
	/* A global may be constant. */
	if (!o || o->death || (writes && o->kind == OBJECT_GLOBAL) || pointer->bits < o->address ||
	    pointer->bits - o->address + size > o->size)
		return UNCERTAIN;
	return FINE;
}

static enum health look_at_division(struct execution *e, const struct activation *a, uint32_t pc)
{
	LLVMValueRef instruction = a->function->instructions[pc];
	const struct code_eval *eval = a->function->insns[pc].more;
	const struct code_slot *divisor;

	if (!LLVMIsAInstruction(instruction) || eval->count != 2)
		return FINE;
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMSDiv:
	case LLVMUDiv:
	case LLVMSRem:
	case LLVMURem: break;
	default: return FINE;
	}
	divisor = executor_slot(e, a, eval->in[1].operand);
	if (divisor->undefined || eval->in[1].words > 1)
		return UNCERTAIN;
	return divisor->bits ? FINE : FAULTS;
}

static enum health look_at(struct execution *e, const struct activation *a, uint32_t pc)
{
	const struct code_insn *i = &a->function->insns[pc];

	switch (i->op) {
	case CODE_LOAD:
	case CODE_LOAD_WIDE: return look_at_access(e, executor_slot(e, a, i->a), i->bytes, false);
	case CODE_STORE:
	case CODE_STORE_WIDE: return look_at_access(e, executor_slot(e, a, i->b), i->bytes, true);
	case CODE_EVAL: return look_at_division(e, a, pc);
	default: return UNCERTAIN;
	}
}

/* The first instruction that must fault, if all before it cannot. In a program without debug
   information nothing but the tape tells where it died. */
static void search_death(struct execution *e, struct activation *a, uint32_t block)
{
	const struct code_function *f = a->function;
	uint32_t k = f->blocks[block], end = f->blocks[block + 1];
	enum health health = FINE;

	if (a->pc > k && a->pc < end)
		k = a->pc;
	for (; health == FINE && k < end && !is_recorded(&f->insns[k]); k++) {
		if (!may_fault(&f->insns[k]) || f->insns[k].flags & CODE_DIRECT)
			continue;
		executor_reach(e, a, block, k, NULL);
		health = look_at(e, a, k);
	}
	if (health == FAULTS) {
		executor_fault(e, a);
		e->died = true;
	}
}

/* Executes what the tape does not show, up to the instruction that the program died of. That one
   has no effect, but it is an instance. */
void executor_die(struct execution *e, const struct walk_place *death)
{
	struct activation *a = executor_top(e);
	uint32_t block = walk_block(e->walk), pc;

	if (!a || e->failure || e->open.size || block == UINT32_MAX)
		return;
	if (!death->line) {
		search_death(e, a, block);
		return;
	}
	if (strcmp(a->function->plan->name, death->function))
		return;
	pc = find_death(a, block, death);
	if (pc == UINT32_MAX)
		return;
	executor_reach(e, a, block, pc, NULL);
	executor_fault(e, a);
	e->died = true;
}

bool execution_died(const struct execution *e)
{
	return e->died;
}

/* ------ what the operands of an instance were, found from what is kept ------ */

uint32_t executor_segment_end(const struct execution *e, const struct execution_segment *s)
{
	uint32_t index = (uint32_t)(s - e->segments.at);

	if (index + 1 < e->segments.size)
		return e->segments.at[index + 1].first;
	return e->kept_end < e->next ? e->kept_end : e->next;
}

/* The last instance before `instance`, in its frame, of instruction `code`. 0: not kept. */
static uint32_t last_of(const struct execution *e, uint32_t instance, uint32_t code, uint8_t op)
{
	const struct execution_segment *s = execution_segment(e, instance);
	uint32_t end = instance;

	if (op == CODE_ALLOCA)
		return executor_last_alloca(e, s->frame, code, instance);
	for (;;) {
		if (code >= s->code && code - s->code < end - s->first)
			return s->first + (code - s->code);
		if (!s->previous)
			return 0;
		s = &e->segments.at[s->previous - 1];
		end = executor_segment_end(e, s);
	}
}

/* Parameters are stored at once: the first block has their values, also when the call that passed
   them is not kept. */
static bool stored_value(const struct execution *e, const struct execution_segment *s,
                         const struct code_function *f, uint32_t operand, uint64_t *value)
{
	uint32_t end;

	while (s->previous)
		s = &e->segments.at[s->previous - 1];
	end = executor_segment_end(e, s);
	for (uint32_t i = s->first; i < end; i++) {
		const struct code_insn *insn = &f->insns[s->code + (i - s->first) - f->first];

		if (insn->op == CODE_STORE && insn->a == operand) {
			*value = e->values[i - e->kept_from];
			return true;
		}
	}
	return false;
}

/* The callee's own copy of a structure. */
static bool copy_address(const struct execution *e, uint32_t frame, uint32_t index, uint64_t *value)
{
	for (uint32_t n = e->frames.at[frame].object; n-- > 1;) {
		const struct object *o = objects_at(&e->objects, n);

		if (o->kind != OBJECT_BYVAL || o->owner != frame)
			return false;
		if (o->index == index) {
			*value = o->address;
			return true;
		}
	}
	return false;
}

/* --- what was passed --- */

static uint32_t call_of(const struct execution *e, uint32_t frame)
{
	const struct execution_frame *f = &e->frames.at[frame];

	return f->call ? f->call : f->within;
}

const struct code_call *executor_caller(const struct execution *e, uint32_t frame)
{
	uint32_t call = call_of(e, frame), caller = e->frames.at[frame].caller;
	const struct activation *a;

	if (executor_is_kept(e, call))
		return execution_insn(e, call)->more;
	a = call && caller ? executor_saved(e, caller - 1) : NULL;
	return a ? a->function->insns[a->pc - 1].more : NULL;
}

uint32_t execution_caller_code(const struct execution *e, uint32_t frame)
{
	uint32_t call = call_of(e, frame), caller = e->frames.at[frame].caller;
	const struct activation *a;

	if (executor_is_kept(e, call))
		return execution_code(e, call);
	a = call && caller ? executor_saved(e, caller - 1) : NULL;
	return a ? a->function->first + a->pc - 1 : UINT32_MAX;
}

static bool saved_operand(const struct execution *e, uint32_t frame, uint32_t operand,
                          uint64_t *value, uint32_t *made);

bool executor_passed(const struct execution *e, uint32_t frame, uint32_t operand, uint64_t *value,
                     uint32_t *made)
{
	uint32_t call = call_of(e, frame);

	if (executor_is_kept(e, call))
		return execution_operand(e, call, operand, value, made);
	*made = 0;
	*value = 0;
	return saved_operand(e, e->frames.at[frame].caller - 1, operand, value, made);
}

static bool parameter(const struct execution *e, uint32_t frame, const struct code_function *f,
                      uint32_t operand, uint64_t *value, uint32_t *made)
{
	uint32_t index = f->makers[operand >> 1] & ~CODE_PARAMETER, by = e->frames.at[frame].call;
	const struct activation *a = executor_saved(e, frame);
	const struct code_call *call = by ? executor_caller(e, frame) : NULL;

	*made = call_of(e, frame);
	if (f->parameters[index].byval)
		return copy_address(e, frame, index, value);
	if (call && index < call->count &&
	    executor_passed(e, frame, call->arguments[index].operand, value, made)) {
		*made = *made ? *made : by;
		return true;
	}
	*made = by && !call ? SOURCE_EARLIER : call_of(e, frame);
	if (a)
		*value = executor_saved_slot(e, a, operand)->bits;
	return a != NULL;
}

/* An operand of a function under way, as it was when the window began. */
static bool saved_operand(const struct execution *e, uint32_t frame, uint32_t operand,
                          uint64_t *value, uint32_t *made)
{
	const struct activation *a = executor_saved(e, frame);
	const struct executor_late *late;
	const struct code_slot *slot;
	uint32_t maker;

	if (!a || operand == CODE_NO_OPERAND)
		return false;
	slot = executor_saved_slot(e, a, operand);
	*value = slot->bits;
	if (operand & 1)
		return true;
	maker = a->function->makers[operand >> 1];
	if (maker & CODE_PARAMETER)
		return parameter(e, frame, a->function, operand, value, made);
	if (a->function->insns[maker].op != CODE_LOCAL)
		*made = slot->made;
	/* The call that was under way has returned since. */
	late = maker + 1 == a->pc ? executor_late(e, a->call) : NULL;
	if (late) {
		*value = late->value;
		*made = late->instance;
	}
	return true;
}

bool execution_operand(const struct execution *e, uint32_t instance, uint32_t operand,
                       uint64_t *value, uint32_t *made)
{
	const struct execution_segment *s = execution_segment(e, instance);
	const struct code_function *f = code_of(e->code, s->code);
	uint32_t maker, found;

	*made = 0;
	*value = 0;
	if (operand == CODE_NO_OPERAND)
		return false;
	if (operand & 1) {
		*value = f->constants[operand >> 1].bits;
		return true;
	}
	maker = f->makers[operand >> 1];
	if (maker & CODE_PARAMETER)
		return parameter(e, s->frame, f, operand, value, made) ||
		       stored_value(e, s, f, operand, value);
	if (f->insns[maker].op == CODE_LOCAL) {
		*value = e->frames.at[s->frame].address + (uint64_t)f->insns[maker].imm;
		return true;
	}
	found = last_of(e, instance, f->first + maker, f->insns[maker].op);
	if (!found)
		return saved_operand(e, s->frame, operand, value, made);
	*value = e->values[found - e->kept_from];
	*made = found;
	return true;
}

/* ------ where values came from, found from what is kept ------ */

struct teller {
	const struct execution *e;
	uint32_t instance;
	uint32_t frame;                       /* that it is of */
	const struct execution_range *ranges; /* bytes that count */
	uint32_t count;                       /* 0: all of them do */
	void (*tell)(void *context, const struct execution_origin *origin);
	void *context;
};

static bool is_parameter(const struct execution *e, uint32_t instance, uint32_t operand)
{
	const struct code_function *f = code_of(e->code, execution_segment(e, instance)->code);

	return !(operand & 1) && f->makers[operand >> 1] & CODE_PARAMETER;
}

static uint32_t root(const struct execution_frame *frame)
{
	return frame->call ? frame->call : frame->within;
}

/* Is `call` the one that this instance's function, or a caller of it, was called by? */
static bool is_under_way(const struct execution *e, uint32_t instance, uint32_t call)
{
	const struct execution_frame *frame = &e->frames.at[execution_segment(e, instance)->frame];

	while (root(frame) > call && frame->caller)
		frame = &e->frames.at[frame->caller - 1];
	return root(frame) == call;
}

/* A parameter that outside code gave: it may be made from anything that this code was given. */
static void tell_received(const struct teller *t, uint32_t operand)
{
	const struct execution_segment *s = execution_segment(t->e, t->instance);
	const struct code_function *f = code_of(t->e->code, s->code);
	const struct code_call *call = executor_caller(t->e, s->frame);
	struct execution_origin origin = {.source = SOURCE_GIVEN,
	                                  .from = f->makers[operand >> 1] & ~CODE_PARAMETER};

	if (t->e->frames.at[s->frame].within)
		origin = (struct execution_origin){.source = t->e->frames.at[s->frame].within,
		                                   .itself = true};
	t->tell(t->context, &origin);
	origin.itself = false;
	for (uint32_t i = 0; call && i < call->count; i++) {
		uint64_t value;

		if (executor_passed(t->e, s->frame, call->arguments[i].operand, &value,
		                    &origin.source) &&
		    origin.source)
			t->tell(t->context, &origin);
	}
}

static void tell_operand(const struct teller *t, uint32_t operand)
{
	struct execution_origin origin = {0};
	uint64_t value;

	if (operand == CODE_NO_OPERAND)
		return;
	if (is_parameter(t->e, t->instance, operand) &&
	    !t->e->frames.at[execution_segment(t->e, t->instance)->frame].call) {
		tell_received(t, operand);
		return;
	}
	if (!execution_operand(t->e, t->instance, operand, &value, &origin.source))
		origin.source = t->e->kept_from + t->e->forgotten > EXECUTION_FIRST ? SOURCE_EARLIER
		                                                                    : SOURCE_NONE;
	if (!origin.source)
		return;
	/* A call that has not returned has no value of its own: it only passed something on. */
	origin.itself = is_parameter(t->e, t->instance, operand) &&
	                is_under_way(t->e, t->instance, origin.source);
	t->tell(t->context, &origin);
}

/* --- bytes of structures that were passed by value --- */

/* Is it a call of a function that we see? Such a call writes nothing but what it passes. */
static bool only_passes(const struct execution *e, uint32_t source)
{
	return executor_is_kept(e, source) && execution_insn(e, source)->op == CODE_CALL &&
	       !(e->sources[source - e->kept_from] & EXECUTION_GROUP);
}

bool execution_wrote(const struct execution *e, uint32_t source, uint64_t at, uint64_t size)
{
	bool kept = executor_is_kept(e, source);
	uint32_t group = kept ? e->sources[source - e->kept_from] : execution_late(e, source);
	uint8_t op = kept ? execution_insn(e, source)->op : CODE_CALL;
	const struct execution_flow *flows;
	bool somewhere = false;

	if ((op != CODE_COPY && op != CODE_VA_COPY && op != CODE_CALL) ||
	    !(group & EXECUTION_GROUP))
		return true;
	flows = execution_flows(e, execution_group(e, group));
	for (uint32_t i = 0; i < execution_group(e, group)->count; i++) {
		somewhere |= flows[i].to != 0;
		if (flows[i].to && at < flows[i].to + flows[i].size && flows[i].to < at + size)
			return true;
	}
	return !somewhere;
}

/* The place from which a structure was passed to this function, if the address is in that. */
static uint64_t to_original(const struct execution *e, uint32_t frame, uint64_t at)
{
	const struct code_call *call = executor_caller(e, frame);
	uint64_t original;
	uint32_t made;

	for (uint32_t n = e->frames.at[frame].object; call && n-- > 1;) {
		const struct object *o = objects_at(&e->objects, n);

		if (o->kind != OBJECT_BYVAL || o->owner != frame)
			break;
		if (at >= o->address && at - o->address < o->size && o->index < call->count &&
		    executor_passed(e, frame, call->arguments[o->index].operand, &original, &made))
			return at + original - o->address;
	}
	return at;
}

/* Where the source wrote bytes that were read at `from`. They went through all structures passed by
   value since then that they are in, for those were written whole when they were passed. */
static uint64_t written_at(const struct teller *t, const struct execution_origin *origin)
{
	const struct execution *e = t->e;
	uint64_t at = origin->from;

	if (origin->source < EXECUTION_FIRST)
		return at;
	for (uint32_t f = t->frame + 1; f && e->frames.at[f - 1].first > origin->source;
	     f = e->frames.at[f - 1].caller)
		if (e->frames.at[f - 1].call)
			at = to_original(e, f - 1, at);
	if (executor_is_kept(e, origin->source) &&
	    !execution_wrote(e, origin->source, at, origin->size))
		return 0;
	return at;
}

static void tell_bytes(const struct teller *t, struct execution_origin *origin)
{
	origin->written = written_at(t, origin);
	origin->itself = only_passes(t->e, origin->source);
	t->tell(t->context, origin);
}

/* --- what instances tell --- */

/* The first range that ends behind the address. */
static uint32_t first_range(const struct teller *t, uint64_t at)
{
	uint32_t low = 0, high = t->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (t->ranges[middle].to > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The parts of a flow that are in the ranges. */
static void tell_parts(const struct teller *t, const struct execution_flow *flow,
                       const uint8_t *bytes)
{
	uint64_t end = flow->to + flow->size;

	for (uint32_t i = first_range(t, flow->to); i < t->count && t->ranges[i].from < end; i++) {
		uint64_t from = t->ranges[i].from > flow->to ? t->ranges[i].from : flow->to;
		uint64_t to = t->ranges[i].to < end ? t->ranges[i].to : end;
		struct execution_origin origin = {.source = flow->source,
		                                  .from = flow->from + (from - flow->to),
		                                  .size = to - from,
		                                  .to = from,
		                                  .bytes =
		                                          bytes ? bytes + (from - flow->to) : NULL};

		tell_bytes(t, &origin);
	}
}

static const uint8_t *kept_bytes(const struct execution *e, uint32_t flow)
{
	uint32_t *at = flow_bytes_map_find(&e->flow_bytes, flow);

	return at ? e->bytes.at + *at : NULL;
}

/* Flows of a group that touch the bytes asked for; those without a place touch all. */
static void tell_flows(const struct teller *t, const struct execution_group *group)
{
	const struct execution_flow *flows = t->e->flows.at + group->first;

	for (uint32_t i = 0; i < group->count; i++) {
		struct execution_origin origin = {.source = flows[i].source,
		                                  .from = flows[i].from,
		                                  .size = flows[i].size,
		                                  .to = flows[i].to,
		                                  .bytes = kept_bytes(t->e, group->first + i)};

		if (!origin.size) /* a callback returned */
			t->tell(t->context, &origin);
		else if (t->count && (flows[i].to || !group->call))
			tell_parts(t, &flows[i], origin.bytes);
		else
			tell_bytes(t, &origin);
	}
}

static void tell_loaded(const struct teller *t, const struct code_insn *insn)
{
	uint32_t source = t->e->sources[t->instance - t->e->kept_from], made;
	struct execution_origin origin = {.source = source, .size = insn->bytes};

	/* `bytes` is what the tape has of an atomic instruction. */
	if (insn->op == CODE_ATOMIC)
		origin.size = (uint64_t)insn->imm;
	if (source & EXECUTION_GROUP) {
		tell_flows(t, execution_group(t->e, source));
		return;
	}
	execution_operand(t->e, t->instance, insn->a, &origin.from, &made);
	if (t->count) {
		struct execution_flow flow = {
			.from = origin.from, .size = origin.size, .source = source};

		tell_parts(t, &flow, NULL);
		return;
	}
	tell_bytes(t, &origin);
}

/* Which value a phi took, the branch before it decided. */
static void tell_phi(const struct teller *t)
{
	const struct execution_segment *s = execution_segment(t->e, t->instance);
	struct execution_origin origin = {.source = t->e->sources[t->instance - t->e->kept_from]};
	const struct activation *a = executor_saved(t->e, s->frame);
	uint32_t last;

	if (origin.source)
		t->tell(t->context, &origin);
	origin.chosen = true;
	origin.source = 0;
	if (s->previous) {
		s = &t->e->segments.at[s->previous - 1];
		last = executor_segment_end(t->e, s) - 1;
		origin.source = execution_insn(t->e, last)->op == CODE_GOTO ? s->parent : last;
	} else if (a) {
		const struct code_function *f = a->function;

		last = f->blocks[a->block + 1] - 1;
		origin.source = f->insns[last].op == CODE_GOTO ? a->parent : a->chosen;
	}
	if (origin.source)
		t->tell(t->context, &origin);
}

static void tell_call(const struct teller *t, const struct code_insn *insn)
{
	const struct code_call *call = insn->more;
	uint32_t source = t->e->sources[t->instance - t->e->kept_from];
	struct execution_origin origin = {.source = source};

	tell_operand(t, call->callee);
	if (!(source & EXECUTION_GROUP)) {
		if (source)
			t->tell(t->context, &origin);
		return;
	}
	for (uint32_t i = 0; i < call->count; i++)
		tell_operand(t, call->arguments[i].operand);
	tell_flows(t, execution_group(t->e, source));
}

/* A call that began before the window. */
static void tell_late(const struct teller *t)
{
	struct execution_origin origin = {.source = execution_late(t->e, t->instance)};

	if (origin.source & EXECUTION_GROUP)
		tell_flows(t, execution_group(t->e, origin.source));
	else if (origin.source)
		t->tell(t->context, &origin);
}

static void tell_list(const struct teller *t, const struct code_insn *insn)
{
	const struct code_eval *eval = insn->more;
	const struct code_indices *indices = insn->more;

	if (insn->op == CODE_EVAL)
		for (uint32_t i = 0; i < eval->count; i++)
			tell_operand(t, eval->in[i].operand);
	else
		for (uint32_t i = 0; i < indices->count; i++)
			tell_operand(t, indices->at[i].operand);
}

static void tell_copied(const struct teller *t, const struct code_insn *insn)
{
	uint32_t source = t->e->sources[t->instance - t->e->kept_from];

	tell_operand(t, insn->a);
	tell_operand(t, insn->b);
	if (insn->op != CODE_VA_COPY)
		tell_operand(t, insn->c);
	if (source & EXECUTION_GROUP)
		tell_flows(t, execution_group(t->e, source));
}

/* The variable arguments that calls returned. */
static void tell_variable(const struct teller *t)
{
	uint32_t source = t->e->sources[t->instance - t->e->kept_from];
	const struct execution_group *group;

	if (!(source & EXECUTION_GROUP))
		return;
	group = execution_group(t->e, source);
	for (uint32_t i = 0; i < group->count; i++) {
		const struct execution_flow *flow = &t->e->flows.at[group->first + i];
		struct execution_origin origin = {
			.source = flow->source, .size = flow->size, .to = flow->to, .value = true};
		uint32_t k = first_range(t, flow->to);

		if (!t->count || (k < t->count && t->ranges[k].from < flow->to + flow->size))
			t->tell(t->context, &origin);
	}
}

static void tell_asm(const struct teller *t, const struct code_asm *given)
{
	for (uint32_t i = 0; i < given->operand_count; i++)
		tell_operand(t, given->operands[i]);
}

void execution_origins(const struct execution *e, uint32_t instance, uint64_t from, uint64_t to,
                       void (*tell)(void *context, const struct execution_origin *origin),
                       void *context)
{
	const struct execution_range range = {from, to};

	execution_origins_of(e, instance, &range, to ? 1 : 0, tell, context);
}

void execution_origins_of(const struct execution *e, uint32_t instance,
                          const struct execution_range *ranges, uint32_t count,
                          void (*tell)(void *context, const struct execution_origin *origin),
                          void *context)
{
	struct teller t = {e, instance, 0, ranges, count, tell, context};
	const struct code_insn *insn;

	if (!executor_is_kept(e, instance)) {
		t.frame = executor_saved_caller(e, instance);
		tell_late(&t);
		return;
	}
	t.frame = execution_segment(e, instance)->frame;
	insn = execution_insn(e, instance);
	switch ((enum code_op)insn->op) {
	case CODE_LOAD:
	case CODE_LOAD_WIDE:
		tell_operand(&t, insn->a);
		tell_loaded(&t, insn);
		break;
	case CODE_ATOMIC:
		tell_operand(&t, insn->a);
		tell_operand(&t, insn->b);
		tell_operand(&t, insn->c);
		tell_loaded(&t, insn);
		break;
	case CODE_STORE:
	case CODE_STORE_WIDE:
	case CODE_INDEX:
		tell_operand(&t, insn->a);
		tell_operand(&t, insn->b);
		break;
	case CODE_TRUNC:
	case CODE_SEXT:
	case CODE_MOVE:
	case CODE_STEP:
	case CODE_ALLOCA:
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_JUMP:
	case CODE_RETURN: tell_operand(&t, insn->a); break;
	case CODE_VA_START:
		tell_operand(&t, insn->a);
		tell_variable(&t);
		break;
	case CODE_INDICES:
		tell_operand(&t, insn->a);
		tell_list(&t, insn);
		break;
	case CODE_EVAL: tell_list(&t, insn); break;
	case CODE_PHI: tell_phi(&t); break;
	case CODE_COPY:
	case CODE_FILL:
	case CODE_VA_COPY: tell_copied(&t, insn); break;
	case CODE_CALL: tell_call(&t, insn); break;
	case CODE_ASM: tell_asm(&t, insn->more); break;
	default:
		if (insn->op >= CODE_ADD && insn->op <= CODE_SLE) {
			tell_operand(&t, insn->a);
			tell_operand(&t, insn->b);
		}
	}
}

/* ------ the whole ------ */

void executor_fail(struct execution *e, struct hence_error *error)
{
	if (e->failure)
		error_destroy(error);
	else
		e->failure = error;
	walk_halt(e->walk);
}

/* --- memory at birth --- */

/* What an object's bytes are on a page when both come together. */
static void begin_on_page(struct memory_page *page, const struct object *o)
{
	uint64_t start = o->address > page->address ? o->address : page->address;
	uint64_t end = o->address + o->size;
	bool undefined = o->kind == OBJECT_HEAP && !o->zeroed;
	uint32_t source = undefined                ? SOURCE_UNDEFINED
	                  : o->kind == OBJECT_HEAP ? o->birth
	                                           : SOURCE_INITIAL;

	if (end > page->address + MEMORY_PAGE)
		end = page->address + MEMORY_PAGE;
	for (uint64_t at = start; at < end; at++) {
		uint32_t k = (uint32_t)(at - page->address);

		page->bytes[k] = 0;
		page->undefined[k] = undefined ? 0xff : 0;
		page->source[k] = source;
		page->object[k / MEMORY_WORD] = 0;
	}
}

static void fresh_page(void *context, struct memory_page *page)
{
	struct execution *e = context;
	uint64_t at = page->address, end = at + MEMORY_PAGE;
	uint32_t number;

	while (at < end && (number = objects_next(&e->objects, at))) {
		const struct object *o = objects_at(&e->objects, number);

		if (o->address >= end)
			break;
		if (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_HEAP)
			begin_on_page(page, o);
		at = o->address + o->size;
	}
}

/* On pages that are there already; the others ask when they come. */
void executor_begin_object(struct execution *e, const struct object *o)
{
	uint64_t first = o->address & ~(uint64_t)(MEMORY_PAGE - 1), end = o->address + o->size;

	if (memory_is_sparse(&e->memory, o->size)) {
		map_each(&e->memory.pages, i)
		{
			uint64_t address = e->memory.pages.at[i].key;

			if (address >= first && address < end)
				begin_on_page(memory_page(&e->memory, address), o);
		}
		return;
	}
	for (uint64_t page = first; page < end; page += MEMORY_PAGE)
		if (memory_has_page(&e->memory, page))
			begin_on_page(memory_page(&e->memory, page), o);
}

/* --- modules --- */

struct global_sink {
	struct execution *e;
	uint64_t address;
};

static void write_initial(void *context, uint64_t offset, const uint8_t *bytes, uint64_t size)
{
	struct global_sink *to = context;

	memory_write(&to->e->memory, to->address + offset, bytes, size, SOURCE_INITIAL);
}

static void bear_global(struct execution *e, uint32_t number, uint32_t index, uint64_t address)
{
	const struct program_module *module = &e->code->program->modules.at[number];
	LLVMValueRef global = module->plan->globals.at[index];
	struct object object = {.address = address,
	                        .owner = number,
	                        .index = (uint16_t)index,
	                        .kind = OBJECT_GLOBAL};
	struct global_sink to = {e, address};
	struct constants_sink sink = {write_initial, &to};
	uint32_t there = objects_find(&e->objects, address);

	object.size = LLVMABISizeOfType(module->plan->layout, LLVMGlobalGetValueType(global));
	if (!object.size || (there && objects_at(&e->objects, there)->address == address))
		return;
	objects_add(&e->objects, &object);
	executor_begin_object(e, &object);
	if (LLVMGetInitializer(global) &&
	    !constants_write(module, LLVMGetInitializer(global), &sink))
		memory_lose(&e->memory, object.address, object.size, true);
}

/* Is it the definition of the variable that `global` of another or the same module means? */
static bool defines(const struct program_module *module, uint32_t g, LLVMValueRef global)
{
	LLVMValueRef other = module->plan->globals.at[g];
	size_t length, other_length;

	if (other == global)
		return !LLVMIsDeclaration(global);
	return LLVMIsDeclaration(global) && !LLVMIsDeclaration(other) && LLVMIsThreadLocal(other) &&
	       LLVMGetLinkage(other) != LLVMInternalLinkage &&
	       !strcmp(LLVMGetValueName2(other, &other_length), LLVMGetValueName2(global, &length));
}

void executor_thread_local(struct execution *e, LLVMValueRef global, uint64_t address)
{
	const struct program *program = e->code->program;

	if (objects_find(&e->objects, address))
		return;
	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct program_module *module = &program->modules.at[m];

		for (uint32_t g = 0; module->plan && g < module->plan->globals.size; g++)
			if (defines(module, g, global)) {
				bear_global(e, m, g, address);
				return;
			}
	}
}

static void follow_loaded(void *context, uint32_t number)
{
	struct execution *e = context;
	struct program *program = (struct program *)walk_program(e->walk);
	struct program_module *module = &program->modules.at[number];
	const uint64_t *addresses = module->addresses + module->plan->functions.size;

	while (e->born.size <= number)
		*vec_push(&e->born) = false;
	if (e->born.at[number] || !module->plan)
		return;
	e->born.at[number] = true;
	if (!module->values.size)
		program_index(program, number);
	for (uint32_t i = 0; i < module->imports + module->plan->imports.size; i++)
		if (module->addresses[i])
			executor_note_address(e, module->addresses[i]);
	for (uint32_t g = 0; g < module->plan->globals.size; g++) {
		LLVMValueRef global = module->plan->globals.at[g];

		if (addresses[g] && !LLVMIsDeclaration(global) && !LLVMIsThreadLocal(global) &&
		    LLVMGetLinkage(global) != LLVMAvailableExternallyLinkage)
			bear_global(e, number, g, addresses[g]);
	}
}

/* --- what the program was given --- */

#define MOST_STRINGS OBJECT_ARRAY
#define LONGEST      (1u << 20)

static void bear_given(struct execution *e, uint64_t address, uint64_t size, uint32_t list,
                       uint64_t index)
{
	struct object object = {.address = address,
	                        .size = size,
	                        .owner = list,
	                        .index = (uint16_t)index,
	                        .kind = OBJECT_GIVEN};

	if (address && size && !objects_find(&e->objects, address))
		objects_add(&e->objects, &object);
}

static uint64_t string_size(struct execution *e, uint64_t address)
{
	uint64_t size = 0;
	uint8_t byte;

	while (size < LONGEST && memory_read(&e->memory, address + size, 1, &byte) == 1) {
		size++;
		if (!byte)
			return size;
	}
	return 0;
}

/* argv or environ: an array of strings with a NULL at its end. */
static void bear_strings(struct execution *e, uint64_t array, uint32_t list)
{
	uint64_t count = 0, string;

	while (array && count < MOST_STRINGS &&
	       memory_read(&e->memory, array + 8 * count, 8, (uint8_t *)&string) == 8 && string) {
		bear_given(e, string, string_size(e, string), list, count);
		count++;
	}
	bear_given(e, array, 8 * count + 8, list, OBJECT_ARRAY);
}

static void follow_given(void *context, struct effects effects)
{
	struct execution *e = context;
	struct effect effect;

	while (effects_next(&effects, &effect)) {
		if (effect.head.kind != HENCE_WROTE || !effect.bytes)
			continue;
		memory_write(&e->memory, effect.head.address, effect.bytes, effect.head.size,
		             SOURCE_GIVEN);
		executor_note_address(e, effect.head.address);
		if (effect.head.argument && effect.head.argument <= OUTSIDE_GLOBALS)
			e->libc[effect.head.argument - 1] = effect.head.address;
	}
	bear_strings(e, walk_tape(e->walk)->head.argv, 0);
	bear_strings(e, walk_tape(e->walk)->head.environ, 1);
}

/* --- the walk's steps --- */

/* Is it where it was told to stop? */
static void stop_here(struct execution *e)
{
	if (e->next >= e->pause)
		walk_halt(e->walk);
}

static uint32_t pc_of(const struct activation *a, uint32_t block, const struct plan_record *record)
{
	return a->function->blocks[block] + record->instruction_number;
}

static void follow_entered(void *context, struct program_place place, uint64_t frame,
                           const uint8_t *byvals, const uint8_t *arguments, uint32_t size)
{
	struct execution *e = context;

	if (!e->failure)
		executor_enter(e, place, frame, byvals, arguments, size);
	stop_here(e);
}

static void follow_reached(void *context, uint32_t block, const struct plan_record *record)
{
	struct execution *e = context;
	struct activation *a = executor_top(e);

	if (a && !e->failure) {
		executor_reach(e, a, block, pc_of(a, block, record), NULL);
		executor_tell_begin(e, a);
	}
}

static void follow_executed(void *context, uint32_t block, const struct plan_record *record,
                            const uint8_t *bytes)
{
	struct execution *e = context;
	struct activation *a = executor_top(e);

	if (a && !e->failure)
		executor_reach(e, a, block, pc_of(a, block, record) + 1, bytes);
	stop_here(e);
}

static void follow_left(void *context)
{
	struct execution *e = context;

	if (!e->failure)
		executor_leave(e);
}

/* Counts as an outside call that may have changed anything: its place is not exact. */
static void follow_interrupted(void *context)
{
	struct execution *e = context;
	const struct activation *a = executor_top(e);

	if (!a)
		return;
	e->handler_first = e->next;
	e->handler_end = UINT32_MAX;
	e->last_unmodelled = "a signal handler";
	e->last_unmodelled_instance = e->next;
	e->last_unmodelled_code = a->function->first + (a->pc ? a->pc - 1 : 0);
}

static void follow_unwound(void *context, uint32_t depth)
{
	struct execution *e = context;

	if (e->handler_end == UINT32_MAX)
		e->handler_end = e->next;
	executor_drop(context, depth);
}

static void follow_resumed(void *context, uint32_t block, const struct plan_record *record)
{
	struct execution *e = context;
	struct activation *a = executor_top(e);

	if (!a || e->failure)
		return;
	a->pc = pc_of(a, block, record) + 1;
	a->block = block;
	a->broken = true;
}

/* --- the whole --- */

/* Whatever the walk takes is told to the execution. */
static void follow(struct execution *e)
{
	e->follower = (struct walk_follower){.context = e,
	                                     .loaded = follow_loaded,
	                                     .given = follow_given,
	                                     .entered = follow_entered,
	                                     .reached = follow_reached,
	                                     .executed = follow_executed,
	                                     .left = follow_left,
	                                     .interrupted = follow_interrupted,
	                                     .unwound = follow_unwound,
	                                     .resumed = follow_resumed};
	walk_follow(e->walk, &e->follower);
	walk_listen(e->walk, executor_outside, e);
}

struct hence_error *execution_create(struct modules *modules, const char *folder, uint32_t number,
                                     const struct execution_options *options,
                                     struct execution **out)
{
	struct execution *e = mem_alloc(sizeof(*e));
	struct hence_error *error = walk_create(modules, folder, number, &e->walk);

	if (error) {
		free(e);
		return error;
	}
	/* The walk that it is counts as a decode. */
	__atomic_sub_fetch(&walk_work()->walks, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&walk_work()->decodes, 1, __ATOMIC_RELAXED);
	e->options = *options;
	e->outputs = options->outputs ? outputs_create() : NULL;
	e->next = e->kept_from = e->kept_end = EXECUTION_FIRST;
	e->pause = UINT64_MAX;
	if (!e->options.memory)
		e->options.memory = mem_available() / 2;
	memory_init(&e->memory, fresh_page, e);
	e->memory.most = e->options.memory / sizeof(struct memory_page);
	objects_init(&e->objects);
	e->code = code_create(walk_program(e->walk), &e->objects);
	follow(e);
	*out = e;
	return NULL;
}

struct execution *execution_resume(struct execution *of, const struct execution_options *options)
{
	struct execution *e = mem_alloc(sizeof(*e));

	assert(of->options.windows && options->windows && !of->open.size && !of->failure);
	*e = *of;
	e->options = *options;
	e->options.memory = options->memory ? options->memory : of->options.memory;
	e->options.lasting = of->options.lasting;
	e->options.table = options->table ? options->table : of->options.table;
	e->pause = UINT64_MAX;
	e->walk = walk_resume(of->walk);
	follow(e);
	e->code->users++;
	memory_share(&of->memory, &e->memory, fresh_page, e);
	objects_own(&e->objects);
	vec_own(&e->born);
	vec_own(&e->stack);
	vec_own(&e->slots);
	vec_own(&e->branches);
	vec_own(&e->dynamic);
	vec_own(&e->ranges);
	vec_own(&e->mismatches);
	vec_own(&e->errors);
	error_map_own(&e->error_index);
	/* Of what was kept before, the whole run knows. */
	e->outputs = options->outputs ? outputs_create() : NULL;
	e->values = NULL;
	e->sources = NULL;
	e->copies = NULL;
	e->room = 0;
	e->actions = (struct actions){0};
	e->flow_bytes = (struct flow_bytes_map){0};
	e->allocas = (struct alloca_map){0};
	memset(&e->open, 0, sizeof(e->open));
	memset(&e->arguments, 0, sizeof(e->arguments));
	memset(&e->segments, 0, sizeof(e->segments));
	memset(&e->flows, 0, sizeof(e->flows));
	memset(&e->bytes, 0, sizeof(e->bytes));
	memset(&e->groups, 0, sizeof(e->groups));
	memset(&e->calls, 0, sizeof(e->calls));
	memset(&e->saved, 0, sizeof(e->saved));
	memset(&e->saved_slots, 0, sizeof(e->saved_slots));
	memset(&e->late, 0, sizeof(e->late));
	executor_own_frames(e);
	execution_window(e, options->retain);
	return e;
}

bool execution_can_resume(const struct execution *of)
{
	return of->options.windows && !of->open.size && !of->failure && !of->jumped;
}

uint64_t execution_resume_cost(const struct execution *of)
{
	uint64_t cost = sizeof(*of) + of->objects.all.size * sizeof(struct object) +
	                of->slots.size * sizeof(struct code_slot) +
	                of->memory.pages.room * sizeof(*of->memory.pages.at);

	/* Pages that were touched since the last one was made. */
	for (uint32_t i = 0; i < MEMORY_CACHE; i++)
		cost += of->memory.cache[i] ? sizeof(struct memory_page) : 0;
	return cost;
}

bool execution_is_full(const struct execution *e)
{
	return e->full;
}

void execution_set_whole(struct execution *e, const struct execution *whole)
{
	e->whole = whole;
}

const struct execution *execution_whole(const struct execution *e)
{
	return e->whole;
}

void execution_destroy(struct execution *e)
{
	if (!e)
		return;
	while (e->open.size)
		executor_drop_call(e);
	executor_drop_window(e);
	vec_deinit(&e->stack);
	vec_deinit(&e->slots);
	vec_deinit(&e->branches);
	vec_deinit(&e->dynamic);
	vec_deinit(&e->open);
	vec_deinit(&e->arguments);
	vec_deinit(&e->ranges);
	vec_deinit(&e->segments);
	vec_deinit(&e->frames);
	vec_deinit(&e->flows);
	vec_deinit(&e->bytes);
	flow_bytes_map_deinit(&e->flow_bytes);
	vec_deinit(&e->groups);
	vec_deinit(&e->calls);
	vec_deinit(&e->mismatches);
	vec_deinit(&e->errors);
	error_map_deinit(&e->error_index);
	actions_deinit(&e->actions);
	outputs_destroy(e->outputs);
	code_release(e->code);
	vec_deinit(&e->born);
	memory_deinit(&e->memory);
	objects_deinit(&e->objects);
	walk_destroy(e->walk);
	error_destroy(e->failure);
	free(e);
}

struct hence_error *execution_run(struct execution *e, const struct walk_place *death)
{
	struct hence_error *error = walk_to_end(e->walk, death);

	if (!error && death)
		executor_die(e, death);
	if (!error && !e->failure)
		executor_check_dying(e);
	if (!error && !e->failure && e->open.size)
		executor_leave_call(e);
	if (error || !e->failure)
		return error;
	error = e->failure;
	e->failure = NULL;
	return error;
}
