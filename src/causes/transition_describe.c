/* Where the points of the result are, and what was executed there: see transition_work.h. */
#include "causes/transition_work.h"

#include "describe/describe.h"

/* A statement that somebody wants to know about. */
struct wanted {
	uint64_t time;
	struct transition_point *point;
	bool maker; /* of a transition; else it is where the point lies */
};

struct describing {
	VEC(struct wanted) wanted; /* in order of time */
	uint32_t next;
	struct names *names;
};

static int by_time(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

static char *copy(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

/* Where the point lies: the decoder stands there. */
static void place_point(struct describing *d, const struct execution *e,
                        struct transition_point *point)
{
	const struct activation *a = execution_top(e, 0);
	struct walk_place place = names_place(d->names, a->function->first + a->pc);

	point->file = copy(place.file);
	point->function = copy(place.function);
	point->line = place.line;
	point->column = place.column;
}

/* The statement that made a transition has been executed; or the one at a point, which calls. */
static void describe(struct describing *d, struct execution *e, const struct wanted *wanted,
                     bool inside)
{
	const struct activation *a = execution_top(e, 0);
	struct walk_place place = names_place(d->names, a->function->first + a->pc - 1);
	struct transition_point *point = wanted->point;
	struct described described = {0};

	describe_statement(d->names, e, inside, &described);
	if (wanted->maker) {
		point->cause_file = copy(place.file);
		point->cause_function = copy(place.function);
		point->cause_line = place.line;
		point->cause_column = place.column;
		point->statement = str_steal(&described.text);
	} else {
		point->callee = copy(described.callee);
	}
	described_deinit(&described);
}

static void on_begin(struct describing *d, const struct execution *e, uint64_t number)
{
	for (uint32_t i = d->next; i < d->wanted.size && d->wanted.at[i].time == number; i++)
		if (!d->wanted.at[i].maker)
			place_point(d, e, d->wanted.at[i].point);
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct describing *d = context;

	if (event == EXECUTION_BEGINS) {
		on_begin(d, e, number);
		return;
	}
	names_follow(d->names);
	if (event == EXECUTION_CALLS_BACK)
		return;
	for (; d->next < d->wanted.size && d->wanted.at[d->next].time <= number; d->next++)
		if (d->wanted.at[d->next].time == number &&
		    (d->wanted.at[d->next].maker || d->wanted.at[d->next].point->call))
			describe(d, e, &d->wanted.at[d->next], event == EXECUTION_CALLS);
	if (d->next == d->wanted.size)
		walk_halt(execution_walk(e));
}

static struct hence_error *decode(struct describing *d, const struct recording *run)
{
	struct execution_options options = {
		.table = run->table, .begins = true, .statement = on_statement, .context = d};
	struct execution *e;
	struct hence_error *error =
		execution_create(run->modules, run->folder, run->tape, &options, &e);

	if (error)
		return error;
	d->names = names_create(e);
	error = execution_run(e, run->death);
	names_destroy(d->names);
	execution_destroy(e);
	return error;
}

struct hence_error *transition_describe(struct finder *f, const struct described_point *points,
                                        uint32_t count)
{
	struct describing d = {0};
	struct hence_error *error;

	for (uint32_t i = 0; i < count; i++) {
		*vec_push(&d.wanted) =
			(struct wanted){points[i].point->failing_time, points[i].point, false};
		if (points[i].maker)
			*vec_push(&d.wanted) =
				(struct wanted){points[i].maker, points[i].point, true};
	}
	if (!d.wanted.size)
		return NULL;
	qsort(d.wanted.at, d.wanted.size, sizeof(*d.wanted.at), by_time);
	error = decode(&d, f->h.runs[true]);
	vec_deinit(&d.wanted);
	return error;
}
