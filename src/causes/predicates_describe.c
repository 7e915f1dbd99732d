/* What critical predicates are, as a C programmer says it: see predicates_work.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "causes/predicates_work.h"

struct describing {
	struct predicates *predicates;
	VEC(uint32_t) order; /* of them, by time */
	uint32_t next;
	struct names *names;
};

static int by_time(const void *a, const void *b, void *context)
{
	const struct predicates *p = context;
	const struct predicate *x = &p->all.at[*(const uint32_t *)a];
	const struct predicate *y = &p->all.at[*(const uint32_t *)b];

	return x->time < y->time ? -1 : x->time > y->time;
}

static void describe(struct describing *d, struct execution *e, struct predicate *p)
{
	const struct activation *a = execution_top(e, 0);
	struct walk_place place = names_place(d->names, a->function->first + a->pc - 1);
	struct branch_words words;

	branch_describe(d->names, e, p->patch.outcome, &words);
	p->file = place.file ? mem_strdup(place.file) : NULL;
	p->function = mem_strdup(place.function);
	p->line = place.line;
	p->column = place.column;
	p->condition = words.condition;
	p->failing = words.failing;
	p->patched = words.other;
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct describing *d = context;

	names_follow(d->names);
	for (; event == EXECUTION_ENDED && d->next < d->order.size; d->next++) {
		struct predicate *p = &d->predicates->all.at[d->order.at[d->next]];

		if (p->time != number)
			break;
		describe(d, e, p);
	}
	if (d->next == d->order.size)
		walk_halt(execution_walk(e));
}

struct hence_error *predicates_describe(const struct recording *run, struct predicates *predicates)
{
	struct describing d = {.predicates = predicates};
	const struct execution_options options = {
		.table = run->table, .statement = on_statement, .context = &d};
	struct hence_error *error;

	if (!predicates->all.size)
		return NULL;
	for (uint32_t i = 0; i < predicates->all.size; i++)
		*vec_push(&d.order) = i;
	qsort_r(d.order.at, d.order.size, sizeof(*d.order.at), by_time, predicates);
	error = names_decode(run, &options, &d.names);
	vec_deinit(&d.order);
	return error;
}

bool predicate_counts(const struct predicate *predicate)
{
	return !predicate->early && !predicate->check;
}
