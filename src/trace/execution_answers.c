/* What is known of an execution: see execution.h. */
#include <assert.h>

#include "trace/executor.h"

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
	const struct code_function *f = code_of(&e->code, code);

	return &f->insns[code - f->first];
}

LLVMValueRef execution_instruction(const struct execution *e, uint32_t instance)
{
	uint32_t code = execution_code(e, instance);
	const struct code_function *f = code_of(&e->code, code);

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
	return &e->code;
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
