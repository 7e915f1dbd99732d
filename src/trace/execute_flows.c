/* Where bytes came from, when that is more than one instance: groups of flows. */
#include "trace/executor.h"

uint32_t executor_open_group(struct execution *e)
{
	struct execution_group *group;

	if (!e->keeping)
		return 0;
	group = vec_push(&e->groups);
	group->first = e->flows.size;
	return EXECUTION_GROUP | (e->groups.size - 1);
}

/* The bytes that the next flow carries. */
static void keep_bytes(struct execution *e, uint64_t from, uint64_t size)
{
	uint32_t at = e->bytes.size;

	if (size > e->bytes_left || size > UINT32_MAX / 2 - at)
		return;
	e->bytes_left -= (uint32_t)size;
	vec_reserve(&e->bytes, at + (uint32_t)size);
	e->bytes.size += (uint32_t)size;
	memory_read(&e->memory, from, size, e->bytes.at + at);
	*flow_bytes_map_put(&e->flow_bytes, e->flows.size) = at;
}

/* Appends a flow for each run of bytes with one source. */
void executor_add_flows(struct execution *e, uint32_t argument, uint64_t to, uint64_t from,
                        uint64_t size)
{
	for (uint64_t done = 0; e->keeping && done < size;) {
		uint32_t source;
		uint64_t run = memory_source_run(&e->memory, from + done, size - done, &source);

		if (e->bytes_left)
			keep_bytes(e, from + done, run);
		*vec_push(&e->flows) = (struct execution_flow){.to = to ? to + done : 0,
		                                               .from = from + done,
		                                               .size = run,
		                                               .source = source,
		                                               .argument = argument};
		done += run;
	}
}

void executor_close_group(struct execution *e, uint32_t group)
{
	struct execution_group *g = &e->groups.at[group & ~EXECUTION_GROUP];

	if (group)
		g->count = e->flows.size - g->first;
}

uint32_t executor_group(struct execution *e, uint64_t to, uint64_t from, uint64_t size)
{
	uint32_t group = executor_open_group(e);

	executor_add_flows(e, 0, to, from, size);
	executor_close_group(e, group);
	return group;
}
