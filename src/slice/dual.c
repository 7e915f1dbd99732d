/* Dual slices: see dual.h. */
#include "slice/dual.h"

#include "slice/dual_cut.h"

#define INSTANCE_BYTES 60u /* that one takes if it is in the slice, with its edges */
#define INSTANCES      6u  /* of a statement */

struct dual {
	struct dual_pair pair;
	struct dual_walk walk;
	struct dual_cut cuts[2];
	VEC(uint32_t) forks;
	struct {
		VEC(uint64_t) at;
	} definitions[2];
};

/* --- what is decoded --- */

static uint64_t last_time(const struct dual_seed *seeds, uint32_t count, unsigned side)
{
	uint64_t last = 0;

	for (uint32_t i = 0; i < count; i++)
		last = seeds[i].times[side] > last ? seeds[i].times[side] : last;
	return last;
}

/* The other run is decoded to where the seed is aligned, if it does not have one of its own: all before
   that counts. */
static void choose_ends(const struct alignment *alignment, const struct dual_seed *seeds,
                        uint32_t count, uint64_t out[2])
{
	const struct align_span *span = NULL;

	for (unsigned side = 0; side < 2; side++)
		out[side] = last_time(seeds, count, side);
	for (uint32_t i = 0; i < alignment->spans.size && !(out[0] && out[1]); i++) {
		const struct align_span *s = &alignment->spans.at[i];

		if (out[0] ? s->a <= out[0] : s->b <= out[1])
			span = s;
	}
	if (span && !out[0])
		out[0] = span->a + span->count;
	if (span && !out[1])
		out[1] = span->b + span->count;
	if (out[0] > alignment->a_statements)
		out[0] = alignment->a_statements + 1;
	if (out[1] > alignment->b_statements)
		out[1] = alignment->b_statements + 1;
}

static struct hence_error *check_length(const uint64_t ends[2], uint64_t memory)
{
	uint64_t statements = ends[0] + ends[1];
	uint64_t need = statements * INSTANCES * INSTANCE_BYTES;

	if (need <= memory)
		return NULL;
	return error_create(
		HENCE_ERROR_INPUT,
		"the runs are too long to be compared: %llu statements, about %llu "
		"instructions, need %llu MB of memory, and %llu MB may be used; give the "
		"program less to do",
		(unsigned long long)statements, (unsigned long long)(statements * INSTANCES),
		(unsigned long long)(need >> 20), (unsigned long long)(memory >> 20));
}

static struct hence_error *decode(struct dual *dual, const struct recording *const runs[2],
                                  const uint64_t ends[2], const struct dual_options *options)
{
	uint64_t memory = options && options->memory ? options->memory : mem_available() / 2;
	struct hence_error *error = check_length(ends, memory);

	for (unsigned i = 0; i < 2 && !error; i++) {
		error = dual_run_decode(&dual->pair.runs[i], runs[i], ends[i], memory,
		                        options ? options->stop : NULL,
		                        options ? options->context : NULL);
		memory -= error || execution_bytes(dual->pair.runs[i].e) > memory
		                  ? 0
		                  : execution_bytes(dual->pair.runs[i].e);
	}
	return error;
}

static struct hence_error *check_seeds(const struct dual *dual, const struct dual_seed *seeds,
                                       uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (unsigned side = 0; side < 2; side++)
			if (seeds[i].times[side] &&
			    !dual_run_of_time(&dual->pair.runs[side], seeds[i].times[side]))
				return error_create(HENCE_ERROR_INPUT,
				                    "the %s run has no statement %llu: it has %u",
				                    side ? "second" : "first",
				                    (unsigned long long)seeds[i].times[side],
				                    dual->pair.runs[side].ends.size);
	return NULL;
}

/* --- what is told of it --- */

static bool writes(const struct dual_run *run, uint32_t instance)
{
	switch ((enum code_op)execution_insn(run->e, instance)->op) {
	case CODE_STORE:
	case CODE_STORE_WIDE:
	case CODE_COPY:
	case CODE_FILL:
	case CODE_ATOMIC:
	case CODE_VA_COPY: return true;
	case CODE_CALL: return (execution_source(run->e, instance) & EXECUTION_GROUP) != 0;
	default: return false;
	}
}

static void find_definitions(struct dual *dual, unsigned side)
{
	const struct dual_run *run = &dual->pair.runs[side];
	const uint64_t *in = dual->walk.found[side].in;

	for (uint32_t i = marks_next(in, 0, run->end); i < run->end;
	     i = marks_next(in, i + 1, run->end)) {
		uint64_t time, last = 0;

		if (!writes(run, i))
			continue;
		time = dual_run_time(run, i);
		if (dual->definitions[side].at.size)
			last = dual->definitions[side].at.at[dual->definitions[side].at.size - 1];
		if (time > last)
			*vec_push(&dual->definitions[side].at) = time;
	}
}

static bool has_time(const struct dual *dual, unsigned side, uint64_t time)
{
	uint32_t instance = dual_run_of_time(&dual->pair.runs[side], time);

	return instance && dual_has(dual, side, instance);
}

static void find_forks(struct dual *dual)
{
	const struct alignment *alignment = dual->pair.alignment;

	for (uint32_t i = 0; i < alignment->forks.size; i++)
		if (has_time(dual, 0, alignment->forks.at[i].a) ||
		    has_time(dual, 1, alignment->forks.at[i].b))
			*vec_push(&dual->forks) = i;
}

/* --- the whole --- */

struct hence_error *dual_find(const struct recording *a, const struct recording *b,
                              const struct alignment *alignment, const struct dual_seed *seeds,
                              uint32_t count, const struct dual_options *options, struct dual **out)
{
	const struct recording *const runs[2] = {a, b};
	struct dual *dual = mem_alloc(sizeof(*dual));
	struct hence_error *error;
	uint64_t ends[2];
	bool stopped;

	choose_ends(alignment, seeds, count, ends);
	error = decode(dual, runs, ends, options);
	stopped = dual->pair.runs[0].stopped || dual->pair.runs[1].stopped;
	if (!error && !stopped)
		error = check_seeds(dual, seeds, count);
	if (error) {
		dual_destroy(dual);
		return error;
	}
	dual_pair_init(&dual->pair, alignment);
	dual_walk_init(&dual->walk, &dual->pair);
	dual->walk.stopped = stopped;
	for (uint32_t i = 0; i < count && !stopped; i++)
		dual_walk_seed(&dual->walk, &seeds[i]);
	dual_walk_run(&dual->walk, options ? options->stop : NULL,
	              options ? options->context : NULL);
	for (unsigned i = 0; i < 2; i++) {
		dual_cut_init(&dual->cuts[i], &dual->pair.runs[i], &dual->walk.found[i]);
		find_definitions(dual, i);
	}
	find_forks(dual);
	*out = dual;
	return NULL;
}

void dual_destroy(struct dual *dual)
{
	if (!dual)
		return;
	for (unsigned i = 0; i < 2; i++) {
		dual_cut_deinit(&dual->cuts[i]);
		vec_deinit(&dual->definitions[i].at);
	}
	vec_deinit(&dual->forks);
	dual_walk_deinit(&dual->walk);
	dual_pair_deinit(&dual->pair);
	free(dual);
}

bool dual_stopped(const struct dual *dual)
{
	return dual->walk.stopped;
}

const struct execution *dual_execution(const struct dual *dual, unsigned side)
{
	return dual->pair.runs[side].e;
}

const struct dual_edge *dual_edges(const struct dual *dual, unsigned side, uint32_t *count)
{
	*count = dual->walk.found[side].edges.at.size;
	return dual->walk.found[side].edges.at.at;
}

bool dual_has(const struct dual *dual, unsigned side, uint32_t instance)
{
	return instance < dual->pair.runs[side].end &&
	       marks_has(dual->walk.found[side].in, instance);
}

uint64_t dual_statement(const struct dual *dual, unsigned side, uint32_t instance)
{
	return dual_run_time(&dual->pair.runs[side], instance);
}

bool dual_is_before(const struct dual *dual, unsigned side, uint32_t instance, uint64_t time)
{
	const struct dual_run *run = &dual->pair.runs[side];
	uint64_t own = dual_run_time(run, instance);

	return own < time || (own == time && dual_run_is_in_front(run, instance));
}

uint64_t dual_place(const struct dual *dual, unsigned side, uint32_t instance, uint64_t address)
{
	return dual_pair_place(&dual->pair, side, instance, address);
}

uint32_t dual_counterpart(const struct dual *dual, unsigned side, uint32_t instance)
{
	return dual_pair_counterpart(&dual->pair, side, instance);
}

bool dual_crosses(const struct dual *dual, unsigned side, uint64_t time, uint64_t address,
                  uint64_t size)
{
	return dual_cut_crosses(&dual->cuts[side], time, address, size);
}

const uint32_t *dual_forks(const struct dual *dual, uint32_t *count)
{
	*count = dual->forks.size;
	return dual->forks.at;
}

const uint64_t *dual_definitions(const struct dual *dual, unsigned side, uint32_t *count)
{
	*count = dual->definitions[side].at.size;
	return dual->definitions[side].at.at;
}
