/*
 * Alignment of two runs: see align.h. Both are taken through their events; `matched` nodes of their
 * indices are the same. Who stands above that is alone and goes on until it does not; when neither
 * does, both take their next event together.
 */
#include "align/align.h"

#include "align/versions.h"
#include "base/map.h"
#include "model/control.h"
#include "trace/path.h"
#include "trace/program.h"
#include "trace/recording.h"

struct align_function {
	const struct plan_function *plan; /* of the run that had it first */
	uint32_t *until;                  /* of each block where its ways meet: control_regions() */
	bool *branches; /* does the block end in a choice (that is in both versions)? */
	bool *ends;     /* of each record: does its instruction end a statement? */
	/* Of a function that was changed: */
	const struct align_function *other; /* NULL: not entered yet */
	const uint32_t *matches;            /* of each statement: version_pair; NULL: not changed */
	uint32_t *first;                    /* number of the first statement of each block */
	uint32_t *where;                    /* block of each statement */
};

struct align_module {
	uint8_t hash[16];
	const struct plan *plan;           /* of two with the same hash one may be edited */
	bool taken[2];                     /* by a module of that run */
	struct align_function **functions; /* of each number; NULL: not entered yet */
};

MAP_DEFINE_U64(align_function_map, struct align_function *);

struct align_functions {
	const struct versions *versions; /* NULL: the runs are of one program */
	VEC(struct align_function *) all;
	struct align_function_map
		paired[2]; /* functions that are in both versions, by their pair */
	VEC(struct align_module *) modules;
	VEC(struct align_module *) numbered[2]; /* of each run, by the number there */
};

#define SIDE_NOWHERE (UINT32_MAX - 1) /* before its first block */

struct side_node {
	uint32_t until; /* a block of the same call; CONTROL_EXIT: it ends with the call */
	bool sealed;    /* what opens next may not be taken for a part of it */
};

struct side_frame {
	const struct align_function *function; /* NULL: outside code, or a handler */
	uint32_t base;                         /* nodes below its own */
	uint32_t depth;                        /* functions up to and with it */
	uint32_t block;
	uint32_t statements; /* of the block, that it has executed */
};

/* A call that may return once more. */
struct side_mark {
	uint32_t frame, record;
	uint32_t height; /* nodes that have been open ever since it was made */
};

struct side {
	struct path_reader *reader;
	unsigned number; /* 0 or 1 */
	struct align_functions *known;
	VEC(const struct align_function *) functions; /* of each callee; NULL: outside code */
	const struct path_callee *callees;
	const struct path_event *event, *end; /* the next, and where those at hand end */
	VEC(struct side_node) nodes;
	VEC(struct side_frame) frames;
	VEC(struct side_mark) marks;
	uint32_t until;      /* where the node of the next PATH_RESUMED ends */
	uint64_t statements; /* executed */
	bool died;           /* of the next statement */
	bool ended;
};

/* The function on top; its `function` is NULL when there is none. */
static inline const struct side_frame *side_top(const struct side *side)
{
	static const struct side_frame none;

	return side->frames.size ? &side->frames.at[side->frames.size - 1] : &none;
}

/* ------ functions of two runs ------ */

/*
 * Where the ways out of each block meet again, and which records are statements. Functions of two runs of one
 * program are the same object, whatever numbers their modules have in each run: modules are the same when their IR
 * has the same hash. Of two versions of a program functions are the same object, too, if they have the same blocks
 * and statements; functions that were changed know which of their statements are in the other one.
 */

static struct align_function *create(struct align_functions *functions,
                                     const struct plan_function *plan)
{
	struct align_function *f = mem_alloc(sizeof(*f));

	*vec_push(&functions->all) = f;
	f->plan = plan;
	f->until = control_regions(plan);
	f->branches = mem_alloc(plan->blocks.size);
	f->ends = mem_alloc(plan->records.size + 1);
	for (uint32_t i = 0; i < plan->records.size; i++)
		f->ends[i] = plan_ends_statement(plan->records.at[i].instruction);
	for (uint32_t b = 0; b < plan->blocks.size; b++) {
		const struct plan_block *block = &plan->blocks.at[b];
		enum plan_kind kind = plan->records.at[block->first + block->count - 1].kind;

		f->branches[b] = kind == PLAN_BRANCH || kind == PLAN_SWITCH || kind == PLAN_JUMP;
	}
	return f;
}

static struct align_module *module_create(struct align_functions *functions,
                                          const struct program_module *module)
{
	struct align_module *m = mem_alloc(sizeof(*m));

	memcpy(m->hash, module->hash, sizeof(m->hash));
	m->plan = module->plan;
	m->functions = mem_alloc((module->plan->functions.size + 1) * sizeof(*m->functions));
	*vec_push(&functions->modules) = m;
	return m;
}

static void align_functions_deinit(struct align_functions *functions)
{
	for (uint32_t i = 0; i < functions->all.size; i++) {
		struct align_function *f = functions->all.at[i];

		free(f->until);
		free(f->first);
		free(f->where);
		free(f->branches);
		free(f->ends);
		free(f);
	}
	vec_deinit(&functions->all);
	for (uint32_t i = 0; i < functions->modules.size; i++) {
		free(functions->modules.at[i]->functions);
		free(functions->modules.at[i]);
	}
	align_function_map_deinit(&functions->paired[0]);
	align_function_map_deinit(&functions->paired[1]);
	vec_deinit(&functions->modules);
	vec_deinit(&functions->numbered[0]);
	vec_deinit(&functions->numbered[1]);
}

/* The same IR may be in a program twice: the first such module of one run is the first of the other. */
static struct align_module *find_module(struct align_functions *functions, unsigned run,
                                        const struct program_module *module)
{
	for (uint32_t i = 0; i < functions->modules.size; i++) {
		struct align_module *m = functions->modules.at[i];

		if (!m->taken[run] && !memcmp(m->hash, module->hash, sizeof(m->hash)) &&
		    (!functions->versions || m->plan == module->plan))
			return m;
	}
	return module_create(functions, module);
}

/* --- versions --- */

static struct align_function *create_changed(struct align_functions *functions, unsigned run,
                                             const struct version_pair *pair)
{
	struct align_function *f = create(functions, pair->functions[run]);
	struct align_function **other =
		align_function_map_find(&functions->paired[!run], (uint64_t)pair);
	uint32_t count;
	uint32_t number = 0;

	f->matches = pair->matches[run];
	count = pair->counts[run];
	f->first = mem_alloc(f->plan->blocks.size * sizeof(*f->first));
	f->where = mem_alloc((count + 1) * sizeof(*f->where));
	for (uint32_t b = 0; b < f->plan->blocks.size; b++) {
		f->first[b] = number;
		for (uint32_t i = 0; i < f->plan->blocks.at[b].statements; i++)
			f->where[number++] = b;
	}
	/* A branch that only one version has opens no node. */
	for (uint32_t b = 0; b < f->plan->blocks.size; b++) {
		const struct plan_block *block = &f->plan->blocks.at[b];

		f->branches[b] &= f->ends[block->first + block->count - 1] &&
		                  f->matches[f->first[b] + block->statements - 1] != VERSIONS_NONE;
	}
	if (other) {
		f->other = *other;
		(*other)->other = f;
	}
	return f;
}

/* A function of run 0 or 1. Valid until align_functions_deinit(). */
static const struct align_function *align_function(struct align_functions *functions, unsigned run,
                                                   const struct program *program,
                                                   struct program_place place)
{
	struct align_module **module;
	struct align_function **function;

	while (functions->numbered[run].size <= place.module)
		vec_push(&functions->numbered[run]);
	module = &functions->numbered[run].at[place.module];
	if (!*module) {
		*module = find_module(functions, run, &program->modules.at[place.module]);
		(*module)->taken[run] = true;
	}
	function = &(*module)->functions[place.function];
	if (!*function && functions->versions) {
		const struct plan_function *plan = program_function(program, place);
		const struct version_pair *pair = versions_find(functions->versions, run, plan);
		struct align_function **known;

		if (!pair) {
			*function = create(functions, plan);
		} else {
			known = align_function_map_put(&functions->paired[pair->same ? 0 : run],
			                               (uint64_t)pair);
			if (!*known)
				*known = pair->same ? create(functions, plan)
				                    : create_changed(functions, run, pair);
			*function = *known;
		}
	} else if (!*function) {
		*function = create(functions, program_function(program, place));
	}
	return *function;
}

/* ------ one of two runs that are being aligned ------ */

/*
 * The nodes of its execution index that are open, and where it stands. Nodes are calls (of functions and of outside
 * code), handlers, and regions of branches; regions that end at the same place one in the other, as those of a
 * loop's iterations do, are one, unless a call between them may return once more.
 */

static void side_deinit(struct side *s)
{
	path_close(s->reader);
	vec_deinit(&s->functions);
	vec_deinit(&s->nodes);
	vec_deinit(&s->frames);
	vec_deinit(&s->marks);
}

/* Reads on. */
static struct hence_error *side_read(struct side *s)
{
	const struct program *program = path_reader_program(s->reader);
	uint32_t count;
	struct hence_error *error = path_next(s->reader, &s->event, &count);

	if (error) {
		s->event = s->end = NULL;
		return error;
	}
	s->end = s->event + count;
	s->callees = path_callees(s->reader, &count);
	while (s->functions.size < count) {
		const struct path_callee *callee = &s->callees[s->functions.size];

		*vec_push(&s->functions) =
			callee->plan ? align_function(s->known, s->number, program, callee->place)
				     : NULL;
	}
	return NULL;
}

/* Puts the next event at side->event. */
static struct hence_error *side_next(struct side *s)
{
	do {
		if (s->event == s->end || ++s->event == s->end) {
			struct hence_error *error = side_read(s);

			if (error)
				return error;
		}
	} while (s->event->kind > PATH_END);
	return NULL;
}

/* The function that the event calls; NULL: outside code. */
static const struct align_function *side_callee(const struct side *s)
{
	return s->functions.at[s->event->callee];
}

/* The name of outside code that it calls through a pointer; NULL: it does not. */
static const char *side_name(const struct side *s)
{
	return s->event->indirect ? s->callees[s->event->callee].name : NULL;
}

static struct side_frame *side_frame_of(struct side *s)
{
	return &s->frames.at[s->frames.size - 1];
}

/* --- branches --- */

/* Nodes have closed. */
static void lower_marks(struct side *s)
{
	for (uint32_t i = s->marks.size; i-- > 0 && s->marks.at[i].frame + 1 == s->frames.size;)
		if (s->marks.at[i].height > s->nodes.size)
			s->marks.at[i].height = s->nodes.size;
}

static uint32_t take_block(struct side *s)
{
	struct side_frame *f = side_frame_of(s);
	uint32_t kept = s->nodes.size, block = s->event->at;

	if (f->block != SIDE_NOWHERE && f->function->branches[f->block]) {
		uint32_t until = f->function->until[f->block], height = s->nodes.size;
		const struct side_node *top = &s->nodes.at[height - 1];

		/* The branch at the end of the block opens a node, or takes the place of one
		   that ends with it. */
		if (height > f->base + 1 && !top->sealed && top->until == until) {
			kept = height - 1;
		} else {
			vec_push(&s->nodes)->until = until;
			kept = height;
		}
	}
	while (s->nodes.size > f->base + 1 && s->nodes.at[s->nodes.size - 1].until == block)
		s->nodes.size--;
	lower_marks(s);
	f->block = block;
	f->statements = 0;
	return kept < s->nodes.size ? kept : s->nodes.size;
}

/* --- calls --- */

static void side_push(struct side *s, const struct align_function *function)
{
	uint32_t depth = side_top(s)->depth + (function != NULL);
	struct side_frame *f = vec_push(&s->frames);

	f->function = function;
	f->depth = depth;
	f->base = s->nodes.size;
	f->block = SIDE_NOWHERE;
	vec_push(&s->nodes)->until = CONTROL_EXIT;
}

static uint32_t keep_frames(struct side *s, uint32_t count)
{
	s->nodes.size = s->frames.at[count].base;
	s->frames.size = count;
	while (s->marks.size && s->marks.at[s->marks.size - 1].frame >= count)
		s->marks.size--;
	return s->nodes.size;
}

/* The mark of a call by the function on top; it is NULL if there is none. */
static struct side_mark *find_mark(const struct side *s, uint32_t record)
{
	for (uint32_t i = s->marks.size; i-- > 0;)
		if (s->marks.at[i].frame + 1 == s->frames.size && s->marks.at[i].record == record)
			return &s->marks.at[i];
	return NULL;
}

/* --- calls that return once more --- */

/* What was open since the call was made closes. */
static uint32_t take_back(struct side *s)
{
	struct side_frame *f = side_frame_of(s);
	const struct side_mark *m = find_mark(s, s->event->at);

	s->until = f->function->until[f->block];
	if (m && m->height < s->nodes.size) {
		s->until = s->nodes.at[m->height].until;
		s->nodes.size = m->height;
	}
	lower_marks(s);
	return s->nodes.size;
}

/* --- all --- */

/* Only as many statements of an PATH_STATEMENTS as make `until` of the block. */
static void side_take_some(struct side *s, uint32_t until)
{
	struct side_frame *f = side_frame_of(s);

	s->statements += until - f->statements;
	f->statements = until;
}

/* Takes the event, but does not go on to the next. Returns how many nodes it left as they were: what is
   above is closed, new, or of a branch that was taken anew. */
static uint32_t side_take(struct side *s)
{
	switch (s->event->kind) {
	case PATH_BLOCK: return take_block(s);
	case PATH_STATEMENTS: side_take_some(s, s->event->at); return s->nodes.size;
	case PATH_CALL: {
		const struct path_event *e = s->event;
		struct side_frame *f = side_frame_of(s);

		f->statements += e->counts;
		s->statements += e->counts;
		if (f->function->plan->records.at[e->at].returns_twice) {
			struct side_mark *m = find_mark(s, e->at);

			if (!m)
				m = vec_push(&s->marks);
			*m = (struct side_mark){s->frames.size - 1, e->at, s->nodes.size};
			s->nodes.at[s->nodes.size - 1].sealed = true;
		}
		side_push(s, side_callee(s));
		return s->nodes.size - 1;
	}
	case PATH_CALLBACK: side_push(s, side_callee(s)); return s->nodes.size - 1;
	case PATH_HANDLER: side_push(s, NULL); return s->nodes.size - 1;
	case PATH_RETURN: return keep_frames(s, s->frames.size - 1);
	case PATH_UNWOUND: return keep_frames(s, s->event->at);
	case PATH_BACK: return take_back(s);
	case PATH_RESUMED: {
		struct side_frame *f = side_frame_of(s);

		/*
		 * A new node opens, so that what is executed once more is not taken for what was executed before; it ends
		 * where the outermost of those that closed would have ended, since nothing from there on was executed.
		 */
		vec_push(&s->nodes)->until = s->until;
		f->block = path_block_of(f->function->plan, s->event->at);
		f->statements = f->function->plan->records.at[s->event->at].statement +
		                f->function->ends[s->event->at];
		return s->nodes.size - 1;
	}
	case PATH_DYING: s->died = true; return s->nodes.size;
	case PATH_END:
		s->ended = true;
		s->nodes.size = s->frames.size = s->marks.size = 0;
		return 0;
	}
	return s->nodes.size;
}

/* ------ both runs ------ */

struct merge {
	const struct align_options *options;
	struct alignment *out;
	struct align_functions functions;
	struct side sides[2];
	uint32_t matched; /* nodes that are the same on both sides */
	bool apart;       /* at least one was alone since both took an event together */
	bool forked;      /* because of the last fork */
};

/* --- what is found --- */

/* The next statements of both sides are aligned. */
static void merge_add_span(struct merge *m, uint64_t count)
{
	uint64_t a = m->sides[0].statements + 1, b = m->sides[1].statements + 1;
	struct align_span *last = NULL;

	if (m->out->spans.size)
		last = &m->out->spans.at[m->out->spans.size - 1];
	if (last && last->a + last->count == a && last->b + last->count == b)
		last->count += count;
	else
		*vec_push(&m->out->spans) = (struct align_span){a, b, count};
}

/* Both are at the same place again. */
static void join(struct merge *m)
{
	struct align_fork *fork;

	m->apart = false;
	if (!m->forked)
		return;
	fork = &m->out->forks.at[m->out->forks.size - 1];
	fork->a_end = m->sides[0].statements + 1 + m->sides[0].died;
	fork->b_end = m->sides[1].statements + 1 + m->sides[1].died;
	m->forked = false;
}

/* --- alone --- */

/* One takes its event alone. */
static struct hence_error *merge_step(struct merge *m, struct side *s)
{
	uint32_t kept = side_take(s);

	m->apart = true;
	if (kept < m->matched)
		m->matched = kept;
	return side_next(s);
}

/* The call that both are in cannot be followed together any more. */
static void merge_give_up_call(struct merge *m)
{
	const struct side_frame *f = side_top(&m->sides[0]);

	m->matched = f->base < m->matched ? f->base : m->matched;
	m->apart = true;
}

/* Is `to` on every way from the block to the end of the function? */
static bool merge_leads_to(const struct align_function *function, uint32_t block, uint32_t to)
{
	for (uint32_t i = 0; i <= function->plan->blocks.size; i++) {
		if (block == to)
			return true;
		if (block >= function->plan->blocks.size)
			return false;
		block = function->until[block];
	}
	return false;
}

/* In the same call, but one is behind: as when the other came back to a setjmp() and has passed by here
   a second time. */
static struct hence_error *catch_up(struct merge *m)
{
	const struct side_frame *a = side_top(&m->sides[0]), *b = side_top(&m->sides[1]);
	bool first = a->block == b->block ? a->statements < b->statements
	                                  : merge_leads_to(a->function, a->block, b->block);
	struct side *behind = &m->sides[first ? 0 : 1];
	uint32_t until = first ? b->statements : a->statements;

	if (!first && a->block != b->block && !merge_leads_to(b->function, b->block, a->block)) {
		merge_give_up_call(m);
		return NULL;
	}
	if (a->block == b->block && behind->event->kind == PATH_STATEMENTS &&
	    until < behind->event->at) {
		side_take_some(behind, until);
		return NULL;
	}
	return merge_step(m, behind);
}

/* --- together --- */

static struct hence_error *take_both(struct merge *m, uint32_t kept[2])
{
	struct hence_error *error;

	kept[0] = side_take(&m->sides[0]);
	kept[1] = side_take(&m->sides[1]);
	error = side_next(&m->sides[0]);
	return error ? error : side_next(&m->sides[1]);
}

/* Both take theirs: the same one; or a branch or call that went different ways. */
static struct hence_error *merge_take_same(struct merge *m)
{
	uint32_t kept[2];
	struct hence_error *error = take_both(m, kept);

	m->matched = m->sides[0].nodes.size;
	if (m->sides[1].nodes.size != m->matched)
		m->matched = kept[0] < kept[1] ? kept[0] : kept[1];
	return error;
}

static struct hence_error *merge_take_different(struct merge *m, enum align_fork_kind kind)
{
	uint32_t kept[2], depth = side_top(&m->sides[0])->depth;
	struct hence_error *error = take_both(m, kept);
	struct align_fork *fork = vec_push(&m->out->forks);

	fork->kind = kind;
	fork->a = m->sides[0].statements;
	fork->b = m->sides[1].statements;
	fork->depth = depth;
	m->forked = true;
	m->apart = true;
	for (unsigned i = 0; i < 2; i++)
		if (kept[i] < m->matched)
			m->matched = kept[i];
	return error;
}

static struct hence_error *take_statements(struct merge *m)
{
	struct side *a = &m->sides[0], *b = &m->sides[1];
	uint32_t until = a->event->at < b->event->at ? a->event->at : b->event->at;
	bool whole[2] = {a->event->at == until, b->event->at == until};
	struct hence_error *error = NULL;

	merge_add_span(m, until - side_top(a)->statements);
	side_take_some(a, until);
	side_take_some(b, until);
	if (whole[0])
		error = side_next(a);
	if (!error && whole[1])
		error = side_next(b);
	return error;
}

/* Both make the same call, or are called back. */
static struct hence_error *merge_take_calls(struct merge *m)
{
	struct side *a = &m->sides[0], *b = &m->sides[1];
	const struct align_function *f = side_callee(a), *g = side_callee(b);
	const char *name = side_name(a), *other = side_name(b);
	struct hence_error *error;

	if (a->event->counts)
		merge_add_span(m, 1);
	if ((f == g || (f && g && f->other == g)) && (!name || !other || !strcmp(name, other)))
		return merge_take_same(m);
	if (a->event->kind == PATH_CALL)
		return merge_take_different(m, FORK_CALL);
	error = merge_step(m, a);
	return error ? error : merge_step(m, b);
}

/* Is the next thing that the side does a statement? */
static bool is_statement(const struct side *s)
{
	return s->event->kind == PATH_STATEMENTS || s->event->kind == PATH_DYING ||
	       (s->event->kind == PATH_CALL && s->event->counts);
}

static struct hence_error *step_both(struct merge *m)
{
	const struct path_event *a = m->sides[0].event, *b = m->sides[1].event;

	if (a->kind != b->kind) {
		/* Their next events are not of the same kind. */
		for (unsigned i = 0; i < 2; i++) {
			struct side *s = &m->sides[i];

			switch (s->event->kind) {
			case PATH_DYING:
				if (is_statement(&m->sides[!i]))
					merge_add_span(m, 1);
				return merge_step(m, s);
			case PATH_HANDLER:
			case PATH_RETURN:
			case PATH_UNWOUND:
			case PATH_END: return merge_step(m, s);
			}
		}
		merge_give_up_call(m);
		return NULL;
	}
	switch (a->kind) {
	case PATH_BLOCK:
		return a->at == b->at ? merge_take_same(m) : merge_take_different(m, FORK_BRANCH);
	case PATH_STATEMENTS: return take_statements(m);
	case PATH_CALL:
		if (a->at == b->at)
			return merge_take_calls(m);
		merge_give_up_call(m);
		return NULL;
	case PATH_CALLBACK: return merge_take_calls(m);
	case PATH_DYING: merge_add_span(m, 1); return merge_take_same(m);
	default: return merge_take_same(m);
	}
}

static bool is_same_place(const struct merge *m)
{
	const struct side_frame *a = side_top(&m->sides[0]), *b = side_top(&m->sides[1]);

	return !a->function || a->function->matches ||
	       (a->block == b->block && a->statements == b->statements);
}

/* Or about to leave more of what both are in. */
static bool is_alone(const struct merge *m, const struct side *s)
{
	return s->nodes.size > m->matched || s->event->kind == PATH_BACK;
}

/* ------ functions that were changed between the versions ------ */

/*
 * Alignment of two runs inside a function that was changed between the versions. Each side skips what only
 * its own version has; where the next statements that both versions have are not the same, the one that
 * is behind goes on alone. Branches that only one version has open no node, so what lies in them is
 * executed at the level around.
 */

/* The number of the statement that the side is at. */
static uint32_t statement_of(const struct side *s)
{
	const struct side_frame *f = side_top(s);

	return f->function->first[f->block] + f->statements;
}

static bool is_at_statement(const struct side *s)
{
	return s->event->kind == PATH_STATEMENTS || s->event->kind == PATH_DYING ||
	       (s->event->kind == PATH_CALL && s->event->counts);
}

/* Behind a branch that both versions have. */
static bool is_at_choice(const struct side *s)
{
	const struct side_frame *f = side_top(s);

	return s->event->kind == PATH_BLOCK && f->block != SIDE_NOWHERE &&
	       f->function->branches[f->block];
}

/* Is the next thing something that the other version does not have? */
static bool is_own(const struct side *s)
{
	if (is_at_statement(s))
		return side_top(s)->function->matches[statement_of(s)] == VERSIONS_NONE;
	return s->event->kind == PATH_CALL || (s->event->kind == PATH_BLOCK && !is_at_choice(s));
}

/* One event, or one statement of it. */
static struct hence_error *skip(struct merge *m, struct side *s)
{
	uint32_t next = side_top(s)->statements + 1;

	m->apart = true;
	if (s->event->kind != PATH_STATEMENTS || s->event->at == next)
		return merge_step(m, s);
	side_take_some(s, next);
	return NULL;
}

/* One that is aligned. */
static struct hence_error *take_statement(struct merge *m, struct side *s)
{
	uint32_t next = side_top(s)->statements + 1;
	bool whole = s->event->at == next;

	if (s->event->kind == PATH_CALL)
		return merge_step(m, s);
	side_take_some(s, next);
	return whole ? side_next(s) : NULL;
}

/* --- choices --- */

static LLVMValueRef end_of(const struct side_frame *f)
{
	const struct plan_block *b = &f->function->plan->blocks.at[f->block];

	return f->function->plan->records.at[b->first + b->count - 1].instruction;
}

/* Which of the ways out of the block leads to the next one. */
static uint32_t way_of(const struct side *s)
{
	const struct side_frame *f = side_top(s);
	uint32_t way = plan_way(f->function->plan, f->block, s->event->at);

	return way == UINT32_MAX ? 0 : way;
}

/* The way of the other version's switch for the value of this way; 0 is the default. */
static uint32_t same_case(LLVMValueRef from, uint32_t way, LLVMValueRef to)
{
	int64_t value;

	if (!way)
		return 0;
	value = LLVMConstIntGetSExtValue(ir_case_value(from, way - 1));
	for (unsigned i = 0; i < ir_case_count(to); i++)
		if (LLVMConstIntGetSExtValue(ir_case_value(to, i)) == value)
			return i + 1;
	return 0;
}

static uint32_t target_of(const struct side_frame *f, uint32_t way)
{
	const struct plan_function *plan = f->function->plan;

	return plan->successors.at[plan->blocks.at[f->block].successor + way];
}

static bool is_same_way(const struct side *a, const struct side *b)
{
	const struct side_frame *f = side_top(a), *g = side_top(b);
	uint32_t way = way_of(a);

	if (LLVMIsASwitchInst(end_of(f)))
		return target_of(g, same_case(end_of(f), way, end_of(g))) == b->event->at;
	return way == way_of(b);
}

static uint32_t branch_of(const struct side_frame *f)
{
	return f->function->first[f->block] + f->function->plan->blocks.at[f->block].statements - 1;
}

/* --- statements --- */

/* Has the side yet to come to where the other one stands? */
static bool is_behind(const struct side *s, const struct side *other)
{
	const struct align_function *f = side_top(s)->function;
	uint32_t at = statement_of(s);
	uint32_t to = side_top(other)->function->matches[statement_of(other)];

	if (f->where[at] == f->where[to])
		return at < to;
	return merge_leads_to(f, f->where[at], f->where[to]);
}

/* Both are in a function that was changed between the versions: takes the next event of one or both. */
static struct hence_error *merge_step_changed(struct merge *m)
{
	struct side *a = &m->sides[0], *b = &m->sides[1];

	if (is_own(a))
		return skip(m, a);
	if (is_own(b))
		return skip(m, b);
	if (is_at_choice(a) || is_at_choice(b)) {
		/* At least one is past a branch. */
		if (!is_at_choice(a))
			return merge_step(m, b);
		if (!is_at_choice(b) || side_top(a)->function->matches[branch_of(side_top(a))] !=
		                                branch_of(side_top(b)))
			return merge_step(m, a);
		if (is_same_way(a, b))
			return merge_take_same(m);
		return merge_take_different(m, FORK_BRANCH);
	}
	if (is_at_statement(a) && is_at_statement(b)) {
		struct hence_error *error;

		/* Both are at a statement that both versions have. */
		if (side_top(a)->function->matches[statement_of(a)] != statement_of(b)) {
			if (is_behind(b, a))
				return skip(m, b);
			if (is_behind(a, b))
				return skip(m, a);
			merge_give_up_call(m);
			return NULL;
		}
		if (a->event->kind == PATH_CALL && b->event->kind == PATH_CALL)
			return merge_take_calls(m);
		merge_add_span(m, 1);
		if (a->event->kind == PATH_DYING || b->event->kind == PATH_DYING)
			return merge_step(m, a->event->kind == PATH_DYING ? a : b);
		error = take_statement(m, a);
		return error ? error : take_statement(m, b);
	}
	if (a->event->kind == b->event->kind)
		return merge_take_same(m);
	/* One of them leaves, or is interrupted. */
	return merge_step(m, is_at_statement(a) ? b : a);
}

/* ------ all ------ */

static struct hence_error *advance(struct merge *m)
{
	struct side *a = &m->sides[0], *b = &m->sides[1];

	if (is_alone(m, a) || b->ended)
		return merge_step(m, a);
	if (is_alone(m, b) || a->ended)
		return merge_step(m, b);
	if (a->event->kind == PATH_RESUMED || b->event->kind == PATH_RESUMED) {
		/* At least one comes back to a call. If both do, it is the same: neither has got on in between. */
		if (a->event->kind != PATH_RESUMED)
			return merge_step(m, b);
		if (b->event->kind == PATH_RESUMED && a->event->at == b->event->at &&
		    a->until == b->until) {
			join(m);
			return merge_take_same(m);
		}
		return merge_step(m, a);
	}
	if (m->apart && !is_same_place(m))
		return catch_up(m);
	if (m->apart)
		join(m);
	if (side_top(a)->function && side_top(a)->function->matches)
		return merge_step_changed(m);
	return step_both(m);
}

/* --- the whole --- */

/* What they have executed so far shows whether they have anything in common. */
static struct hence_error *check_programs(const struct merge *m)
{
	const struct align_functions *f = &m->functions;
	bool any[2] = {false};

	for (uint32_t i = 0; i < f->modules.size; i++) {
		const bool *taken = f->modules.at[i]->taken;

		if (taken[0] && taken[1])
			return NULL;
		any[0] |= taken[0];
		any[1] |= taken[1];
	}
	if (f->versions || !any[0] || !any[1])
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "the two runs are of different programs, or of "
	                                       "different builds of one: nothing in them is the "
	                                       "same");
}

static struct hence_error *open_sides(struct merge *m, const struct recording *const runs[2])
{
	struct hence_error *error = NULL;

	for (unsigned i = 0; i < 2 && !error; i++) {
		m->sides[i].number = i;
		m->sides[i].known = &m->functions;
		error = path_open(runs[i], &m->sides[i].reader);
		if (!error)
			error = side_next(&m->sides[i]);
	}
	return error ? error : check_programs(m);
}

struct hence_error *align_runs(const struct recording *a, const struct recording *b,
                               const struct align_options *options, struct alignment *out)
{
	const struct recording *const runs[2] = {a, b};
	struct alignment found = {0};
	struct merge m = {.options = options, .out = &found};
	struct hence_error *error;

	found.versions = m.functions.versions = options ? options->versions : NULL;
	error = open_sides(&m, runs);
	if (!error) {
		const struct align_options *o = m.options;

		for (uint32_t steps = 1; !error && !(m.sides[0].ended && m.sides[1].ended);
		     steps++) {
			if (steps % 65536 == 0 && o && o->stop && o->stop(o->context)) {
				m.out->stopped = true;
				break;
			}
			error = advance(&m);
		}
	}
	join(&m);
	found.a_statements = m.sides[0].statements;
	found.b_statements = m.sides[1].statements;
	side_deinit(&m.sides[0]);
	side_deinit(&m.sides[1]);
	align_functions_deinit(&m.functions);
	if (error)
		alignment_deinit(&found);
	else
		*out = found;
	return error;
}

void alignment_deinit(struct alignment *alignment)
{
	vec_deinit(&alignment->spans);
	vec_deinit(&alignment->forks);
}

/* ------ questions about an alignment ------ */

/* The last span that begins at or before the statement; NULL: none. */
static const struct align_span *find_span(const struct alignment *alignment, bool first,
                                          uint64_t time)
{
	uint32_t low = 0, high = alignment->spans.size;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		const struct align_span *s = &alignment->spans.at[middle];

		if ((first ? s->a : s->b) <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &alignment->spans.at[low - 1] : NULL;
}

uint64_t alignment_of_a(const struct alignment *alignment, uint64_t a)
{
	const struct align_span *s = find_span(alignment, true, a);

	return s && a - s->a < s->count ? s->b + (a - s->a) : 0;
}

uint64_t alignment_of_b(const struct alignment *alignment, uint64_t b)
{
	const struct align_span *s = find_span(alignment, false, b);

	return s && b - s->b < s->count ? s->a + (b - s->b) : 0;
}

uint64_t alignment_from_a(const struct alignment *alignment, uint64_t a)
{
	const struct align_span *s = find_span(alignment, true, a);
	const struct align_span *next = s ? s + 1 : alignment->spans.at;

	if (s && a - s->a < s->count)
		return a;
	return next < alignment->spans.at + alignment->spans.size ? next->a : 0;
}

/* `passed` statements after the beginning of the span. */
static uint64_t last_of(const struct align_span *s, uint64_t passed)
{
	return s->a + (passed < s->count ? passed : s->count - 1);
}

uint64_t alignment_until_a(const struct alignment *alignment, uint64_t a)
{
	const struct align_span *s = find_span(alignment, true, a);

	return s ? last_of(s, a - s->a) : 0;
}

uint64_t alignment_until_b(const struct alignment *alignment, uint64_t b)
{
	const struct align_span *s = find_span(alignment, false, b);

	return s ? last_of(s, b - s->b) : 0;
}

const struct align_fork *alignment_decided(const struct alignment *alignment, bool first,
                                           uint64_t time)
{
	uint32_t low = 0, high = alignment->forks.size;
	const struct align_fork *fork;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		fork = &alignment->forks.at[middle];
		if ((first ? fork->a : fork->b) < time)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	fork = &alignment->forks.at[low - 1];
	return time < (first ? fork->a_end : fork->b_end) ? fork : NULL;
}
