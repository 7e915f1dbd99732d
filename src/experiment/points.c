/* Points of a run: see point.h. */
#include "base/map.h"
#include "experiment/point_clock.h"

/* --- which statement it is --- */

struct search {
	struct clock clock;
	const uint64_t *times;
	uint32_t next, count;
	struct point *out;
};

static void found(struct search *s, const struct clock_frame *frame, uint32_t statement)
{
	s->out[s->next] = (struct point){.time = s->times[s->next],
	                                 .site = {.module = frame->place.module,
	                                          .function = frame->place.function,
	                                          .block = frame->block,
	                                          .statement = statement}};
	s->next++;
}

static void search_passed(void *context, const struct clock_frame *frame, uint32_t from,
                          uint32_t to)
{
	struct search *s = context;
	uint64_t time = s->clock.time;

	while (s->next < s->count && s->times[s->next] <= time + (to - from))
		found(s, frame, from + (uint32_t)(s->times[s->next] - time - 1));
	if (s->next == s->count)
		walk_halt(s->clock.walk);
}

/* Statements of the last block that leave nothing on the tape: the program died in one of them. */
static void search_rest(struct search *s)
{
	const struct clock_frame *frame = clock_standing(&s->clock);
	uint64_t rest;

	while (frame && s->next < s->count) {
		rest = frame->done + (s->times[s->next] - s->clock.time - 1);
		if (rest >= frame->function->blocks.at[frame->block].statements)
			return;
		found(s, frame, (uint32_t)rest);
	}
}

static struct hence_error *search_sites(const struct recording *run, const uint64_t *times,
                                        uint32_t count, struct point *out)
{
	struct search s = {.times = times, .count = count, .out = out};
	struct hence_error *error = clock_init(&s.clock, run);
	bool ended = false;

	if (error)
		return error;
	s.clock.passed = search_passed;
	s.clock.context = &s;
	error = clock_run(&s.clock, run, &ended);
	if (!error && ended)
		search_rest(&s);
	if (!error && s.next < count)
		error = error_create(HENCE_ERROR_INPUT,
		                     "there is no point %llu: the run has only %llu statements",
		                     (unsigned long long)times[s.next],
		                     (unsigned long long)s.clock.time);
	clock_deinit(&s.clock);
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
	struct clock clock;
	VEC(struct counted) sites;
	VEC(struct wanted) wanted;
	struct marks_map marks; /* by module << 32 | function */
	uint64_t last;          /* time that is asked for */
};

static uint64_t key_of(uint32_t module, uint32_t function)
{
	return (uint64_t)module << 32 | function;
}

static bool is_same(const struct site *a, const struct site *b)
{
	return a->module == b->module && a->function == b->function && a->block == b->block &&
	       a->statement == b->statement;
}

static struct counted *counted_site(struct counting *c, const struct site *site)
{
	uint32_t **marks = marks_map_put(&c->marks, key_of(site->module, site->function));
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

static const uint32_t *count_mark(void *context, struct program_place place)
{
	struct counting *c = context;
	uint32_t **marks = marks_map_find(&c->marks, key_of(place.module, place.function));

	return marks ? *marks : NULL;
}

static void count_passed(void *context, const struct clock_frame *frame, uint32_t from, uint32_t to)
{
	struct counting *c = context;
	uint64_t time = c->clock.time;
	uint32_t k = 0;

	if (time >= c->last)
		walk_halt(c->clock.walk);
	if (frame->marks && frame->block < frame->marks[0])
		k = frame->marks[1 + frame->block];
	for (; k; k = c->sites.at[k - 1].next) {
		struct counted *counted = &c->sites.at[k - 1];
		uint32_t statement = counted->site.statement;

		if (statement < from || statement >= to)
			continue;
		answer(c, counted, time + 1 + (statement - from));
		counted->passed++;
	}
}

static struct hence_error *count_all(struct counting *c, const struct recording *run)
{
	struct hence_error *error = clock_init(&c->clock, run);
	bool ended;

	if (error)
		return error;
	c->clock.passed = count_passed;
	c->clock.mark = count_mark;
	c->clock.context = c;
	error = clock_run(&c->clock, run, &ended);
	for (uint32_t k = 0; !error && k < c->sites.size; k++)
		answer(c, &c->sites.at[k], UINT64_MAX);
	clock_deinit(&c->clock);
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
