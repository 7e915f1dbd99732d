/* The calls of a run: see transition_path.h. */
#include "methods/transition_path.h"

#include "trace/history.h"

#define MOST_CALLS 4000000u /* that are kept */

struct search {
	struct transition_path *out;
	uint64_t until;
	uint64_t count;   /* of calls that are kept */
	uint32_t deepest; /* levels from this on are not kept */
	VEC(bool) kept;   /* for each call under way */
	bool returned;    /* the one on top has, or will before the next statement */
	uint64_t latest;  /* statement */
};

void transition_path_deinit(struct transition_path *path)
{
	for (uint32_t i = 0; i < path->levels.size; i++)
		vec_deinit(&path->levels.at[i].calls);
	vec_deinit(&path->levels);
}

/* --- while it is decoded --- */

/* Too many: what is called most deeply is forgotten, until half is gone. */
static void drop_deep(struct search *s)
{
	while (s->out->levels.size > 1 && s->count > MOST_CALLS / 2) {
		struct path_level *level = &s->out->levels.at[--s->out->levels.size];

		s->count -= level->calls.size;
		vec_deinit(&level->calls);
	}
	s->deepest = s->out->levels.size;
	s->out->partial = true;
	for (uint32_t i = s->deepest; i < s->kept.size; i++)
		s->kept.at[i] = false;
}

static void enter(struct search *s, uint64_t time)
{
	uint32_t depth = s->kept.size;

	*vec_push(&s->kept) = depth < s->deepest;
	if (depth >= s->deepest)
		return;
	while (s->out->levels.size <= depth)
		vec_push(&s->out->levels);
	*vec_push(&s->out->levels.at[depth].calls) =
		(struct path_call){.entered = time, .left = UINT64_MAX};
	if (++s->count > MOST_CALLS)
		drop_deep(s);
}

static void leave(struct search *s, uint64_t time)
{
	uint32_t depth = --s->kept.size;
	struct path_level *level;

	if (!s->kept.at[depth])
		return;
	level = &s->out->levels.at[depth];
	level->calls.at[level->calls.size - 1].left = time;
}

/* The call on top has begun: its frame is known. */
static void note_frame(struct search *s, const struct activation *a)
{
	uint32_t depth = s->kept.size - 1;
	struct path_call *call;

	if (!s->kept.at[depth])
		return;
	call = &s->out->levels.at[depth].calls.at[s->out->levels.at[depth].calls.size - 1];
	call->frame = a->address;
	call->size = a->function->plan->frame_size;
}

/* As many calls are under way as the decoder has. One may have returned, and outside code have called
   another since. */
static void follow(struct search *s, const struct execution *e, uint64_t time)
{
	uint32_t depth = execution_depth(e);

	while (s->kept.size > depth || (s->returned && s->kept.size == depth)) {
		s->returned = false;
		leave(s, time);
	}
	s->returned = false;
	while (s->kept.size < depth)
		enter(s, time);
	note_frame(s, execution_top(e, 0));
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct search *s = context;
	const struct activation *a = execution_top(e, 0);

	/* A call of outside code that called back is told again when it returns. */
	if (number <= s->latest)
		return;
	s->latest = number;
	follow(s, e, number);
	if (!s->out->main && !strcmp(a->function->plan->name, "main"))
		s->out->main = number;
	s->returned = a->function->insns[a->pc - 1].op == CODE_RETURN;
	if (event == EXECUTION_CALLS)
		enter(s, number + 1);
	if (number >= s->until)
		walk_halt(execution_walk(e));
}

struct hence_error *transition_path_find(const struct recording *run, uint64_t until,
                                         struct transition_path *out)
{
	struct transition_path found = {0};
	struct search s = {.out = &found, .until = until, .deepest = UINT32_MAX};
	struct execution_options options = {
		.table = run->table, .statement = on_statement, .context = &s};
	struct execution *whole, *e;
	struct hence_error *error = history_whole(run, &whole);

	if (whole) {
		uint32_t count;
		const struct history_call *calls = history_calls(run, &count, &found.main);

		for (uint32_t i = 0; i < count && calls[i].entered - 1 <= until; i++) {
			while (found.levels.size <= calls[i].depth)
				vec_push(&found.levels);
			*vec_push(&found.levels.at[calls[i].depth].calls) = (struct path_call){
				.entered = calls[i].entered,
				.left = calls[i].left <= until ? calls[i].left : UINT64_MAX,
				.frame = calls[i].frame,
				.size = calls[i].size};
		}
		found.main = found.main <= until ? found.main : 0;
	} else if (!error) {
		error = execution_create(run->modules, run->folder, run->tape, &options, &e);
		if (error)
			return error;
		error = execution_run(e, run->death);
		execution_destroy(e);
	}
	vec_deinit(&s.kept);
	if (error)
		transition_path_deinit(&found);
	else
		*out = found;
	return error;
}

/* --- answers --- */

/* How many calls of the level were entered up to `time`. */
static uint32_t entered_by(const struct path_level *level, uint64_t time)
{
	uint32_t low = 0, high = level->calls.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (level->calls.at[middle].entered <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t transition_path_depth(const struct transition_path *path, uint64_t time)
{
	uint32_t depth = 0;

	for (; depth < path->levels.size; depth++) {
		const struct path_level *level = &path->levels.at[depth];
		uint32_t entered = entered_by(level, time);

		if (!entered || level->calls.at[entered - 1].left <= time)
			break;
	}
	return depth;
}

uint64_t transition_path_entered(const struct transition_path *path, uint64_t time, uint32_t depth)
{
	const struct path_level *level = &path->levels.at[depth];

	return level->calls.at[entered_by(level, time) - 1].entered;
}

uint64_t transition_path_owner(const struct transition_path *path, uint64_t time, uint64_t address)
{
	uint32_t depth = transition_path_depth(path, time);

	for (uint32_t i = 0; i < depth; i++) {
		const struct path_level *level = &path->levels.at[i];
		const struct path_call *call = &level->calls.at[entered_by(level, time) - 1];

		if (address - call->frame < call->size)
			return call->entered;
	}
	return 0;
}

uint64_t transition_path_key(const struct transition_path *path, uint64_t time,
                             const struct difference *d)
{
	uint64_t at = d->a_text ? d->a_text : d->a_address;

	if (!at)
		return ~d->b_address;
	return at ^ transition_path_owner(path, time, at) << 48;
}

static bool is_entered_at(const struct transition_path *path, uint64_t time)
{
	for (uint32_t i = 0; i < path->levels.size; i++) {
		const struct path_level *level = &path->levels.at[i];
		uint32_t entered = entered_by(level, time);

		if (entered && level->calls.at[entered - 1].entered == time)
			return true;
	}
	return false;
}

bool transition_path_calls(const struct transition_path *path, uint64_t time)
{
	/* What begins next may also be called back by outside code, or return to a caller. */
	return is_entered_at(path, time + 1) &&
	       transition_path_depth(path, time + 1) == transition_path_depth(path, time) + 1;
}

bool transition_path_begins(const struct transition_path *path, uint64_t time)
{
	return is_entered_at(path, time);
}

static void add_time(struct path_times *out, uint64_t time, uint64_t from, uint64_t to)
{
	if (time > from && time < to && (!out->at.size || out->at.at[out->at.size - 1] < time))
		*vec_push(&out->at) = time;
}

/* The calls of one level; a return is before the next call. */
static void list_level(const struct path_level *level, uint64_t from, uint64_t to,
                       struct path_times *out)
{
	uint32_t i = entered_by(level, from);

	for (i = i ? i - 1 : 0; i < level->calls.size && level->calls.at[i].entered - 1 < to; i++) {
		add_time(out, level->calls.at[i].entered - 1, from, to);
		add_time(out, level->calls.at[i].entered, from, to);
		if (level->calls.at[i].left != UINT64_MAX)
			add_time(out, level->calls.at[i].left, from, to);
	}
}

void transition_path_between(const struct transition_path *path, uint64_t from, uint64_t to,
                             bool (*usable)(void *context, uint64_t time), void *context,
                             struct path_times *out)
{
	for (uint32_t depth = 0; depth < path->levels.size && !out->at.size; depth++) {
		uint32_t kept = 0;

		list_level(&path->levels.at[depth], from, to, out);
		for (uint32_t i = 0; i < out->at.size; i++)
			if (usable(context, out->at.at[i]))
				out->at.at[kept++] = out->at.at[i];
		out->at.size = kept;
	}
}

void transition_path_inside(const struct transition_path *path, uint64_t time, uint32_t most,
                            struct path_times *out)
{
	uint32_t depth = transition_path_depth(path, time), from, to;
	uint64_t begin = depth ? transition_path_entered(path, time, depth - 1) : 0;
	const struct path_level *level = &path->levels.at[depth];

	if (depth >= path->levels.size)
		return;
	from = entered_by(level, begin);
	to = entered_by(level, time);
	for (uint32_t i = to - from > most ? to - most : from; i < to; i++) {
		add_time(out, level->calls.at[i].entered - 1, begin, time);
		add_time(out, level->calls.at[i].left - 1, begin, time);
	}
}
