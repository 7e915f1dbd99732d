/* The search in time: see transition_search.h. */
#include "methods/transition_search.h"

/* Points that were prepared for one interval: from moment `at` to the next. */
struct interval {
	uint32_t at;
	bool detour; /* the only point is asked about though the sets are the same */
	uint32_t count;
	struct transition_choice choices[TRANSITION_CHOICES];
};

struct round {
	const struct transition_search *search;
	struct transition_moments *moments;
	VEC(struct interval) open;
};

static bool is_over(struct round *r)
{
	if (!r->moments->stopped && budget_is_over(r->search->budget))
		r->moments->stopped = true;
	return r->moments->stopped;
}

/* --- which points come next --- */

/* Does nothing change between two moments? Where nothing could be isolated, something may be at points
   between. */
static bool is_same(const struct transition_moment *a, const struct transition_moment *b)
{
	return a->set == b->set && a->set;
}

/* Is something to be found between two moments? */
static bool is_open(const struct round *r, uint32_t i)
{
	const struct transition_moment *a = &r->moments->all.at[i], *b = a + 1;
	uint64_t count;

	if (is_same(a, b) || b->direct)
		return false;
	count = r->search->count(r->search->context, a->time, b->time);
	if (!count)
		r->moments->all.at[i + 1].direct = a->set != b->set;
	return count && (a->set != b->set || count <= TRANSITION_FEW);
}

/* Where nothing could be isolated at two moments that are far apart, points are tried back from the
   second, once, if something is relevant after it: what made it so was somewhere. */
static void add_back(struct round *r, uint32_t i)
{
	struct transition_moment *a = &r->moments->all.at[i], *b = a + 1;
	struct interval *interval;

	if (a->set || b->set || b->checked || i + 2 >= r->moments->all.size || !b[1].set)
		return;
	b->checked = true;
	interval = vec_push(&r->open);
	interval->at = i;
	interval->count = r->search->back(r->search->context, a->time, b->time, interval->choices);
	r->open.size -= !interval->count;
}

/* The point of a detour, once for each two moments. */
static bool add_detour(struct round *r, uint32_t i)
{
	const struct transition_moment *a = &r->moments->all.at[i], *b = a + 1;
	struct interval *interval;
	uint64_t time;

	if (!is_same(a, b) || b->checked)
		return false;
	r->moments->all.at[i + 1].checked = true;
	time = r->search->detour(r->search->context, a->time, b->time);
	if (!time)
		return false;
	interval = vec_push(&r->open);
	interval->at = i;
	interval->detour = true;
	interval->count = 1;
	interval->choices[0].time = time;
	return true;
}

/* The intervals in which something changes, and points of them. */
static void choose(struct round *r)
{
	r->open.size = 0;
	for (uint32_t i = 0; i + 1 < r->moments->all.size; i++) {
		struct interval *interval;

		if (add_detour(r, i))
			continue;
		if (!is_open(r, i)) {
			add_back(r, i);
			continue;
		}
		interval = vec_push(&r->open);
		interval->at = i;
		interval->count =
			r->search->between(r->search->context, r->moments->all.at[i].time,
		                           r->moments->all.at[i + 1].time, interval->choices);
	}
}

static struct hence_error *prepare(struct round *r)
{
	VEC(uint64_t) times = VEC_INIT;
	struct hence_error *error;

	for (uint32_t i = 0; i < r->open.size; i++)
		for (uint32_t k = 0; k < r->open.at[i].count; k++)
			*vec_push(&times) = r->open.at[i].choices[k].time;
	error = r->search->prepare(r->search->context, times.at, times.size);
	vec_deinit(&times);
	return error;
}

/* --- one interval --- */

static uint32_t pick(const struct interval *interval, uint32_t low, uint32_t high)
{
	for (uint32_t i = low; i < high; i++)
		if (interval->choices[i].likely)
			return i;
	return low + (high - low) / 2;
}

static void insert(struct transition_moments *moments, uint32_t at, struct transition_moment moment)
{
	vec_push(&moments->all);
	memmove(&moments->all.at[at + 1], &moments->all.at[at],
	        (moments->all.size - 1 - at) * sizeof(moment));
	moments->all.at[at] = moment;
}

/* Between moments `at` and at + 1, with the choices from `low` up to, but not with, `high`. The later
   half comes first, so that numbers of moments before it stay. */
static struct hence_error *split(struct round *r, const struct interval *interval, uint32_t at,
                                 uint32_t low, uint32_t high)
{
	struct transition_moments *m = r->moments;
	struct transition_moment moment = {0};
	struct hence_error *error;
	uint32_t chosen;

	if (low == high || is_over(r) ||
	    (!interval->detour && is_same(&m->all.at[at], &m->all.at[at + 1])))
		return NULL;
	chosen = pick(interval, low, high);
	moment.time = interval->choices[chosen].time;
	error = r->search->relevant(r->search->context, moment.time, m->all.at[at].set,
	                            m->all.at[at + 1].set, &moment.set);
	if (error)
		return error;
	/* No detour: it is not looked for any further back. */
	moment.checked = interval->detour && moment.set == m->all.at[at].set;
	insert(m, at + 1, moment);
	error = split(r, interval, at + 1, chosen + 1, high);
	return error ? error : split(r, interval, at, low, chosen);
}

/* --- all --- */

struct hence_error *transition_search_run(const struct transition_search *search,
                                          struct transition_moments *moments)
{
	struct round r = {.search = search, .moments = moments};
	struct hence_error *error = NULL;

	for (choose(&r); !error && r.open.size && !is_over(&r); choose(&r)) {
		error = prepare(&r);
		for (uint32_t i = r.open.size; i-- > 0 && !error;)
			error = split(&r, &r.open.at[i], r.open.at[i].at, 0, r.open.at[i].count);
	}
	vec_deinit(&r.open);
	return error;
}

void transition_moments_add(struct transition_moments *moments, uint64_t time, uint32_t set)
{
	uint32_t at = 0;

	while (at < moments->all.size && moments->all.at[at].time < time)
		at++;
	insert(moments, at, (struct transition_moment){.time = time, .set = set});
}
