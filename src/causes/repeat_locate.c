/* Points that a report names by place and number: see repeat_work.h. */
#include <string.h>

#include "base/map.h"
#include "causes/cause.h"
#include "causes/repeat_work.h"

MAP_DEFINE_U64(locate_map, uint32_t);

enum { AS_POINT, AS_STATEMENT };

/* One of the wanted places is at this statement of the code. */
struct match {
	uint32_t place;
	bool as;
};

/* A statement of the code that was executed. */
struct visited {
	uint64_t count;
	VEC(struct match) matches;
};

struct locating {
	struct repeat_place *places;
	uint32_t count;
	struct locate_map numbers; /* 1 + index, by the number of its first instruction */
	VEC(struct visited) all;
	struct names *names;
};

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool is_at(const struct explanation_place *place, const struct walk_place *at)
{
	return place->line == at->line && place->column == at->column &&
	       same_text(place->file, at->file) &&
	       (!place->function || same_text(place->function, at->function));
}

/* The instruction that ends the statement. */
static uint32_t end_of(const struct code_function *f, uint32_t pc)
{
	while (!(f->insns[pc].flags & CODE_STATEMENT))
		pc++;
	return pc;
}

static void match(struct locating *l, const struct code_function *f, uint32_t pc,
                  struct visited *out)
{
	struct walk_place point = cause_place(l->names, f, pc);
	struct walk_place statement = names_place(l->names, f->first + end_of(f, pc));

	for (uint32_t i = 0; i < l->count; i++)
		if (is_at(l->places[i].at, &point))
			*vec_push(&out->matches) = (struct match){i, AS_POINT};
		else if (is_at(l->places[i].at, &statement))
			*vec_push(&out->matches) = (struct match){i, AS_STATEMENT};
}

static struct visited *visit(struct locating *l, const struct code_function *f, uint32_t pc)
{
	uint32_t *number = locate_map_put(&l->numbers, f->first + pc);
	struct visited *visited;

	if (*number)
		return &l->all.at[*number - 1];
	visited = vec_push(&l->all);
	*number = l->all.size;
	match(l, f, pc, visited);
	return visited;
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct locating *l = context;
	const struct activation *a;
	struct visited *visited;

	if (event != EXECUTION_BEGINS)
		return;
	a = execution_top(e, 0);
	visited = visit(l, a->function, a->pc);
	visited->count++;
	for (uint32_t i = 0; i < visited->matches.size; i++) {
		struct repeat_place *place = &l->places[visited->matches.at[i].place];
		uint64_t *found = &place->found[visited->matches.at[i].as];

		if (place->instance == visited->count && (!*found || place->hint == number))
			*found = number;
	}
}

static void choose(struct repeat_place *place)
{
	place->time = place->found[AS_POINT] ? place->found[AS_POINT] : place->found[AS_STATEMENT];
	if (place->hint && place->found[AS_STATEMENT] == place->hint)
		place->time = place->hint;
}

struct hence_error *repeat_locate(const struct recording *run, struct repeat_place *places,
                                  uint32_t count)
{
	struct locating l = {.places = places, .count = count};
	const struct execution_options options = {
		.table = run->table, .begins = true, .statement = on_statement, .context = &l};
	struct hence_error *error = count ? names_decode(run, &options, &l.names) : NULL;

	for (uint32_t i = 0; i < count && !error; i++)
		choose(&places[i]);
	for (uint32_t i = 0; i < l.all.size; i++)
		vec_deinit(&l.all.at[i].matches);
	vec_deinit(&l.all);
	locate_map_deinit(&l.numbers);
	return error;
}
