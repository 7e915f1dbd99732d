/* Points of a run: see point.h. */
#include "base/map.h"
#include "experiment/point.h"

/* --- which statement it is --- */

struct search {
	const uint64_t *times;
	uint32_t next, count;
	struct point *out;
	uint64_t statements;
};

static void found(struct search *s, const struct site *site, uint32_t statement)
{
	struct point *point = &s->out[s->next];

	*point = (struct point){.time = s->times[s->next], .site = *site};
	point->site.statement = statement;
	s->next++;
}

static bool search_passed(void *context, const struct site *site, uint32_t to, uint64_t time)
{
	struct search *s = context;

	while (s->next < s->count && s->times[s->next] <= time + (to - site->statement))
		found(s, site, site->statement + (uint32_t)(s->times[s->next] - time - 1));
	return s->next < s->count;
}

/* Statements of the last block that leave nothing on the tape: the program died in one of them. */
static void search_rest(void *context, const struct path_end *end)
{
	struct search *s = context;
	const struct plan_function *f =
		end->over && end->standing
			? program_function(
				  end->program,
				  (struct program_place){end->at.module, end->at.function, 0})
			: NULL;

	s->statements = end->statements;
	while (f && s->next < s->count) {
		uint64_t rest = end->at.statement + (s->times[s->next] - end->statements - 1);

		if (rest >= f->blocks.at[end->at.block].statements)
			return;
		found(s, &end->at, (uint32_t)rest);
	}
}

static struct hence_error *search_sites(const struct recording *run, const uint64_t *times,
                                        uint32_t count, struct point *out)
{
	struct search s = {.times = times, .count = count, .out = out};
	const struct path_visitor visitor = {
		.context = &s, .passed = search_passed, .ended = search_rest};
	struct hence_error *error = path_visit(run, &visitor);

	if (!error && s.next < count)
		error = error_create(HENCE_ERROR_INPUT,
		                     "there is no point %llu: the run has only %llu statements",
		                     (unsigned long long)times[s.next],
		                     (unsigned long long)s.statements);
	return error;
}

/* --- how often it was passed --- */

/* A question: how often had the site been passed before this time? */
struct wanted {
	uint64_t time;
	uint64_t *out;
	uint32_t
		next; /* 1 + index of the next question about the site, later or at the same time */
};

struct counted {
	struct site site;
	uint64_t passed;
	uint32_t first, last; /* 1 + index of the next question, and of the last */
	uint32_t next;        /* 1 + index of the next site of the block */
};

/* For each block of a function 1 + index of its first site that is counted. */
MAP_DEFINE_U64(marks_map, uint32_t *);

struct counting {
	VEC(struct counted) sites;
	VEC(struct wanted) wanted;
	struct marks_map marks; /* by module << 32 | function */
	uint64_t last;          /* time that is asked for */
	uint64_t key;           /* of the function that was looked for last, */
	const uint32_t *own;    /* and its marks */
};

static uint64_t key_of(const struct site *site)
{
	return (uint64_t)site->module << 32 | site->function;
}

static bool is_same(const struct site *a, const struct site *b)
{
	return a->module == b->module && a->function == b->function && a->block == b->block &&
	       a->statement == b->statement;
}

static struct counted *counted_site(struct counting *c, const struct site *site)
{
	uint32_t **marks = marks_map_put(&c->marks, key_of(site));
	uint32_t *head, k;

	if (!*marks || (*marks)[0] <= site->block) {
		uint32_t room = *marks ? (*marks)[0] : 0, need = site->block + 1;

		*marks = mem_resize(*marks, (need + 1) * sizeof(**marks));
		memset(*marks + 1 + room, 0, (need - room) * sizeof(**marks));
		(*marks)[0] = need;
	}
	head = &(*marks)[1 + site->block];
	for (k = *head; k; k = c->sites.at[k - 1].next)
		if (is_same(&c->sites.at[k - 1].site, site))
			return &c->sites.at[k - 1];
	*vec_push(&c->sites) = (struct counted){.site = *site, .next = *head};
	*head = c->sites.size;
	return &c->sites.at[c->sites.size - 1];
}

static void want(struct counting *c, const struct site *site, uint64_t time, uint64_t *out)
{
	struct counted *counted = counted_site(c, site);

	*vec_push(&c->wanted) = (struct wanted){.time = time, .out = out};
	if (counted->last)
		c->wanted.at[counted->last - 1].next = c->wanted.size;
	else
		counted->first = c->wanted.size;
	counted->last = c->wanted.size;
	c->last = time;
}

/* Answers the questions about a site up to, and with, this time. */
static void answer(struct counting *c, struct counted *counted, uint64_t time)
{
	while (counted->first && c->wanted.at[counted->first - 1].time <= time) {
		struct wanted *wanted = &c->wanted.at[counted->first - 1];

		*wanted->out = counted->passed;
		counted->first = wanted->next;
	}
}

static bool count_passed(void *context, const struct site *site, uint32_t to, uint64_t time)
{
	struct counting *c = context;
	uint32_t k = 0;

	if (time >= c->last)
		return false;
	if (!c->own || c->key != key_of(site)) {
		uint32_t **marks = marks_map_find(&c->marks, key_of(site));

		if (!marks)
			return true;
		c->key = key_of(site);
		c->own = *marks;
	}
	if (site->block < c->own[0])
		k = c->own[1 + site->block];
	for (; k; k = c->sites.at[k - 1].next) {
		struct counted *counted = &c->sites.at[k - 1];
		uint32_t statement = counted->site.statement;

		if (statement < site->statement || statement >= to)
			continue;
		answer(c, counted, time + 1 + (statement - site->statement));
		counted->passed++;
	}
	return true;
}

static struct hence_error *count_all(struct counting *c, const struct recording *run)
{
	const struct path_visitor visitor = {.context = c, .passed = count_passed};
	struct hence_error *error = path_visit(run, &visitor);

	for (uint32_t k = 0; !error && k < c->sites.size; k++)
		answer(c, &c->sites.at[k], UINT64_MAX);
	return error;
}

static void counting_deinit(struct counting *c)
{
	map_each(&c->marks, i) free(c->marks.at[i].value);
	marks_map_deinit(&c->marks);
	vec_deinit(&c->sites);
	vec_deinit(&c->wanted);
}

/* --- both --- */

struct hence_error *points_find(const struct recording *run, const uint64_t *times, uint32_t count,
                                struct point *out)
{
	struct point *points = mem_alloc((count + 1) * sizeof(*points));
	struct hence_error *error = search_sites(run, times, count, points);
	struct counting c = {0};

	for (uint32_t i = 0; !error && i < count; i++)
		want(&c, &points[i].site, points[i].time, &points[i].count);
	if (!error)
		error = count_all(&c, run);
	for (uint32_t i = 0; !error && i < count; i++) {
		out[i] = points[i];
		out[i].count++;
	}
	counting_deinit(&c);
	free(points);
	return error;
}

struct hence_error *points_count(const struct recording *run, const struct site *site,
                                 const uint64_t *times, uint32_t count, uint64_t *out)
{
	uint64_t *counts = mem_alloc((count + 1) * sizeof(*counts));
	struct hence_error *error;
	struct counting c = {0};

	for (uint32_t i = 0; i < count; i++)
		want(&c, site, times[i], &counts[i]);
	error = count_all(&c, run);
	if (!error && count)
		memcpy(out, counts, count * sizeof(*out));
	counting_deinit(&c);
	free(counts);
	return error;
}

/* --- branches and the ways that they went --- */

struct listing {
	uint64_t until;
	struct point_branches found;
};

static bool list_branched(void *context, const struct site *site, bool loose, uint64_t time)
{
	struct listing *l = context;

	*vec_push(&l->found.all) = (struct point_branch){
		.time = time + loose, .site = *site, .loose = loose, .way = POINTS_NO_WAY};
	return time < l->until;
}

static void list_went(void *context, uint32_t branch, uint32_t way)
{
	struct listing *l = context;

	l->found.all.at[branch].way = way;
}

static void list_modules(void *context, const struct path_end *end)
{
	struct listing *l = context;

	for (uint32_t i = 0; i < end->program->modules.size; i++) {
		const struct program_module *loaded = &end->program->modules.at[i];
		struct point_module *module = vec_push(&l->found.modules);

		memcpy(module->hash, loaded->hash, sizeof(module->hash));
		module->plan = loaded->plan;
	}
}

void point_branches_deinit(struct point_branches *branches)
{
	vec_deinit(&branches->all);
	vec_deinit(&branches->modules);
}

struct hence_error *points_branches(const struct recording *run, uint64_t until,
                                    struct point_branches *out)
{
	struct listing l = {.until = until};
	const struct path_visitor visitor = {
		.context = &l, .branched = list_branched, .went = list_went, .ended = list_modules};
	struct hence_error *error = path_visit(run, &visitor);

	if (error)
		point_branches_deinit(&l.found);
	else
		*out = l.found;
	return error;
}

struct hence_error *points_ways(const struct recording *run, const uint64_t *times, uint32_t count,
                                uint32_t *out)
{
	struct point_branches all = {0};
	struct hence_error *error = count ? points_branches(run, times[count - 1], &all) : NULL;
	uint32_t at = 0;

	for (uint32_t i = 0; i < count && !error; i++) {
		while (at < all.all.size &&
		       (all.all.at[at].time < times[i] || all.all.at[at].loose))
			at++;
		out[i] = at < all.all.size && all.all.at[at].time == times[i] ? all.all.at[at].way
		                                                              : POINTS_NO_WAY;
	}
	point_branches_deinit(&all);
	return error;
}
