/*
 * Guard rails from an alignment: see rails.h. The branches of both runs are merged: those that are
 * aligned come in pairs; what lies between pairs, alone in its run, are the two ways of a region.
 */
#include "align/rails.h"

#include <stdlib.h>

#include "align/align.h"
#include "align/versions.h"
#include "base/mem.h"
#include "experiment/point.h"

struct rails_sites {
	const struct versions *versions; /* NULL: both runs are of one program */
	bool second;                     /* the own run is the second */
	const struct point_branches *own, *other;
	uint32_t *modules; /* of the other run's modules, the number in the own; UINT32_MAX: none */
};

/* ------ branches of one run as the other has them ------ */

/* --- one program --- */

/* Modules may be loaded in another order. The same IR may be there twice: the first is the first. */
static uint32_t find_module(const struct rails_sites *s, uint32_t module)
{
	const uint8_t *hash = s->other->modules.at[module].hash;
	uint32_t before = 0;

	for (uint32_t i = 0; i < module; i++)
		before += !memcmp(s->other->modules.at[i].hash, hash, 16);
	for (uint32_t i = 0; i < s->own->modules.size; i++)
		if (!memcmp(s->own->modules.at[i].hash, hash, 16) && !before--)
			return i;
	return UINT32_MAX;
}

/* --- two versions --- */

static bool find_function(const struct rails_sites *s, const struct plan_function *function,
                          struct site *out)
{
	for (uint32_t i = 0; i < s->own->modules.size; i++) {
		const struct plan *plan = s->own->modules.at[i].plan;

		if (plan && function >= plan->functions.at &&
		    function < plan->functions.at + plan->functions.size) {
			out->module = i;
			out->function = (uint32_t)(function - plan->functions.at);
			return true;
		}
	}
	return false;
}

/* The block that ends with this statement of the function. */
static bool find_block(const struct plan_function *function, uint32_t statement, uint32_t *out)
{
	for (uint32_t b = 0; b < function->blocks.size; b++) {
		uint32_t count = function->blocks.at[b].statements;

		if (statement < count) {
			*out = b;
			return statement + 1 == count;
		}
		statement -= count;
	}
	return false;
}

static uint32_t statement_of(const struct plan_function *function, const struct site *site)
{
	uint32_t number = site->statement;

	for (uint32_t b = 0; b < site->block; b++)
		number += function->blocks.at[b].statements;
	return number;
}

/* The way of the own branch for the same value. */
static bool translate(const struct plan_function *from, const struct site *branch, uint32_t way,
                      const struct plan_function *to, const struct site *own, uint32_t *out)
{
	uint64_t value;
	uint32_t successor;

	if (!plan_branch_value(from, branch->block, way, &value))
		return false;
	successor = plan_branch_successor(to, own->block, value);
	*out = plan_way(to, own->block,
	                to->successors.at[to->blocks.at[own->block].successor + successor]);
	return true;
}

/* The branch of the other run as one of the own: its site and way. False: the own program does not have
   it. */
static bool rails_sites_find(const struct rails_sites *s, const struct point_branch *branch,
                             struct site *site, uint32_t *way)
{
	if (branch->way == POINTS_NO_WAY)
		return false;
	*site = branch->site;
	*way = branch->way;
	if (s->versions) {
		const struct plan_function *from = &s->other->modules.at[branch->site.module]
		                                            .plan->functions
		                                            .at[branch->site.function],
					   *to;
		const struct version_pair *pair = versions_find(s->versions, !s->second, from);
		uint32_t statement;

		if (!pair || !find_function(s, pair->functions[s->second], site))
			return false;
		to = pair->functions[s->second];
		if (pair->same) {
			site->block = branch->site.block;
			*way = branch->way;
			return true;
		}
		if (branch->loose)
			return false;
		statement = pair->matches[!s->second][statement_of(from, &branch->site)];
		return statement != VERSIONS_NONE && find_block(to, statement, &site->block) &&
		       translate(from, &branch->site, branch->way, to, site, way);
	}
	site->module = s->modules[branch->site.module];
	return site->module != UINT32_MAX;
}

/* ------ the whole ------ */

#define FOR_GOOD (1u << 31) /* entries: the rails end there */

/* The entry is ahead of aligned points up to this time of the own run. */
struct mark {
	uint64_t until;
	uint32_t entry;
};

struct rails {
	VEC(struct rail) all;
	VEC(struct mark) marks;
};

/* A run that is being merged. */
struct run {
	struct point_branches branches;
	uint32_t at;   /* the next branch */
	uint32_t span; /* those that begin at or before it: also the number of a gap behind them */
};

struct merger {
	const struct alignment *alignment;
	struct run runs[2]; /* the own one, the other */
	bool second;        /* the own run is the second of the alignment */
	struct rails_sites sites;
	struct rails *out;
	/* The region: each way as entries. */
	VEC(struct rail) ways[2];
	bool lost;    /* the own program cannot go the other's way */
	uint32_t gap; /* its number */
	/* The last branch at which the runs parted. */
	bool forked;
	uint32_t fork;     /* its entry */
	uint32_t fork_gap; /* the region that it decides; 0: it has none */
};

static uint64_t start_of(const struct merger *m, uint32_t span, bool other)
{
	const struct align_span *s = &m->alignment->spans.at[span];

	return m->second != other ? s->b : s->a;
}

static const struct point_branch *next_of(const struct run *run)
{
	return run->at < run->branches.all.size ? &run->branches.all.at[run->at] : NULL;
}

static void advance(struct merger *m, bool other)
{
	struct run *run = &m->runs[other];
	const struct point_branch *next;

	run->at++;
	next = next_of(run);
	while (next && run->span < m->alignment->spans.size &&
	       start_of(m, run->span, other) + next->loose <= next->time)
		run->span++;
}

/* --- regions --- */

static void emit(struct merger *m, struct rail rail)
{
	*vec_push(&m->out->all) = rail;
}

static void emit_way(struct merger *m, bool other)
{
	for (uint32_t i = 0; i < m->ways[other].size; i++)
		emit(m, m->ways[other].at[i]);
}

/* The ways in this order: behind the first the second is skipped. */
static void emit_ways(struct merger *m, bool first)
{
	emit_way(m, first);
	if (m->ways[!first].size)
		emit(m, (struct rail){.kind = RAIL_SKIP, .skip = m->ways[!first].size});
	emit_way(m, !first);
}

static uint32_t skip_of(const struct merger *m, bool first)
{
	return m->ways[first].size + (m->ways[!first].size != 0);
}

/* Aligned points before the next span have it ahead. */
static void mark(struct merger *m, uint64_t until)
{
	*vec_push(&m->out->marks) = (struct mark){until, m->out->all.size};
}

static void close_region(struct merger *m)
{
	bool decided = m->forked && m->fork_gap == m->gap, first;
	uint64_t until =
		m->gap < m->alignment->spans.size ? start_of(m, m->gap, false) - 1 : UINT64_MAX;

	if (m->lost) {
		m->ways[true].size = 0;
		if (decided)
			*vec_push(&m->ways[true]) =
				(struct rail){.kind = RAIL_SKIP, .skip = FOR_GOOD};
	}
	if (decided) {
		m->out->all.at[m->fork].skip = skip_of(m, false);
		emit_ways(m, false);
	} else if (m->ways[false].size || m->ways[true].size) {
		first = !m->ways[false].size;
		mark(m, until);
		emit(m, (struct rail){.kind = RAIL_CHOOSE, .skip = skip_of(m, first)});
		emit_ways(m, first);
	}
	m->ways[false].size = m->ways[true].size = 0;
	m->forked = m->lost = false;
}

/* A branch that its run has alone. */
static void take_alone(struct merger *m, bool other)
{
	const struct point_branch *branch = next_of(&m->runs[other]);
	struct rail rail = {.kind = RAIL_FORCE, .site = branch->site, .way = branch->way};

	if (m->runs[other].span != m->gap)
		close_region(m);
	m->gap = m->runs[other].span;
	if (other && !rails_sites_find(&m->sites, branch, &rail.site, &rail.way))
		m->lost = true;
	if (!other && branch->way == POINTS_NO_WAY)
		rail = (struct rail){.kind = RAIL_SKIP, .skip = FOR_GOOD};
	*vec_push(&m->ways[other]) = rail;
	advance(m, other);
}

/* --- pairs --- */

/* The region that the branch decides: it is the last in its span. */
static uint32_t region_of(const struct merger *m, const struct point_branch *branch)
{
	uint32_t span = m->runs[false].span;
	uint64_t last = start_of(m, span - 1, false) + m->alignment->spans.at[span - 1].count - 1;

	return branch->time - branch->loose == last ? span : 0;
}

static void take_pair(struct merger *m)
{
	const struct point_branch *own = next_of(&m->runs[false]);
	struct rail rail = {.kind = RAIL_FORCE, .site = own->site, .way = own->way};
	struct site site;

	close_region(m);
	mark(m, own->time - own->loose);
	if (own->way == POINTS_NO_WAY ||
	    !rails_sites_find(&m->sites, next_of(&m->runs[true]), &site, &rail.other)) {
		emit(m, (struct rail){.kind = RAIL_SKIP, .skip = FOR_GOOD});
	} else if (rail.way == rail.other) {
		emit(m, rail);
	} else {
		rail.kind = RAIL_EVALUATE;
		m->forked = true;
		m->fork = m->out->all.size;
		m->fork_gap = m->gap = region_of(m, own);
		emit(m, rail);
	}
	advance(m, false);
	advance(m, true);
}

/* --- the merge --- */

/* Of a branch of the own run, the time in the other; 0: it is alone. */
static uint64_t aligned(const struct merger *m, const struct point_branch *branch)
{
	return m->second ? alignment_of_b(m->alignment, branch->time)
	                 : alignment_of_a(m->alignment, branch->time);
}

static bool is_pair(const struct merger *m)
{
	const struct point_branch *own = next_of(&m->runs[false]);
	const struct point_branch *other = next_of(&m->runs[true]);

	return own && other && own->loose == other->loose && aligned(m, own) == other->time;
}

/* Does the other run come to the branch that is aligned with the own run's next one? A run that dies of
   the statement does not. */
static bool has_partner(const struct merger *m)
{
	const struct run *run = &m->runs[true];
	const struct point_branch *own = next_of(&m->runs[false]);
	uint64_t time = own ? aligned(m, own) : 0;
	uint32_t low = run->at, high = run->branches.all.size;

	while (time && low < high) {
		uint32_t middle = (low + high) / 2;

		if (run->branches.all.at[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	for (; time && low < run->branches.all.size && run->branches.all.at[low].time == time;
	     low++)
		if (run->branches.all.at[low].loose == own->loose)
			return true;
	return false;
}

static void merge(struct merger *m)
{
	const struct run *own = &m->runs[false], *other = &m->runs[true];

	while (next_of(own) || next_of(other)) {
		if (is_pair(m))
			take_pair(m);
		else if (next_of(own) && !has_partner(m) &&
		         (!next_of(other) || own->span <= other->span))
			take_alone(m, false);
		else if (next_of(other))
			take_alone(m, true);
		else
			take_alone(m, false);
	}
	close_region(m);
}

static void begin(struct merger *m, bool other)
{
	m->runs[other].at = UINT32_MAX;
	advance(m, other);
}

struct hence_error *rails_create(const struct recording *a, const struct recording *b,
                                 const struct alignment *alignment, bool second, struct rails **out)
{
	struct rails *rails = mem_alloc(sizeof(*rails));
	struct merger m = {.alignment = alignment, .second = second, .out = rails};
	struct hence_error *error =
		points_branches(second ? b : a, UINT64_MAX, &m.runs[false].branches);

	if (!error)
		error = points_branches(second ? a : b, UINT64_MAX, &m.runs[true].branches);
	if (!error) {
		const struct point_branches *other = &m.runs[true].branches;
		const struct point_branches *own = &m.runs[false].branches;

		m.sites = (struct rails_sites){alignment->versions, second, own, other, NULL};
		m.sites.modules = mem_alloc((other->modules.size + 1) * sizeof(*m.sites.modules));
		for (uint32_t i = 0; i < other->modules.size; i++)
			m.sites.modules[i] = find_module(&m.sites, i);
		begin(&m, false);
		begin(&m, true);
		merge(&m);
		*out = rails;
	} else {
		rails_destroy(rails);
	}
	free(m.sites.modules);
	for (unsigned i = 0; i < 2; i++) {
		point_branches_deinit(&m.runs[i].branches);
		vec_deinit(&m.ways[i]);
	}
	return error;
}

void rails_destroy(struct rails *rails)
{
	if (!rails)
		return;
	vec_deinit(&rails->all);
	vec_deinit(&rails->marks);
	free(rails);
}

const struct rail *rails_all(const struct rails *rails, uint32_t *count)
{
	*count = rails->all.size;
	return rails->all.at;
}

uint32_t rails_at(const struct rails *rails, uint64_t time)
{
	uint32_t low = 0, high = rails->marks.size;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (rails->marks.at[middle].until < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low < rails->marks.size ? rails->marks.at[low].entry : rails->all.size;
}
