/* Decodes a run and takes states on the way: see state.h. */
#include "state/graph.h"

#define MOST (256ull << 20)
#define LOOK 0xffffu /* statements between two questions whether to stop, less 1 */

struct taking {
	const struct recording *run;
	const uint64_t *times;
	uint32_t count, next;
	uint64_t most;
	const struct state_options *options;
	struct names *names; /* the world's */
	struct statements statements;
	struct birth_types types;
	struct state_world *world;
	bool (*take)(void *context, uint32_t index, struct state *state);
	void *context;
	bool enough;
};

/* --- notes on the way, where the run has no history --- */

/* A call gave a block: what as? */
static void note_birth(struct taking *t, struct execution *e, const struct activation *a,
                       const struct code_insn *insn)
{
	const struct code_slot *slot = execution_slot(e, a, insn->to << 1);
	struct objects *objects = execution_objects(e);
	const struct object *o;
	const struct ctype *type;

	if (!slot || !slot->object || slot->object > objects->all.size)
		return;
	o = objects_at(objects, slot->object);
	if (o->kind != OBJECT_HEAP || o->birth != a->call)
		return;
	type = birth_type(t->world->names);
	if (type)
		*birth_types_put(&t->types, slot->object) = type;
	else
		birth_types_remove(&t->types, slot->object);
}

static void note(struct taking *t, struct execution *e, uint64_t number)
{
	const struct activation *a = execution_top(e, 0);
	const struct code_insn *insn = &a->function->insns[a->pc - 1];

	if (insn->op == CODE_CALL && insn->words && insn->flags & CODE_POINTER)
		note_birth(t, e, a, insn);
	else if (insn->op == CODE_STORE || insn->op == CODE_STORE_WIDE)
		statements_stored(&t->statements, number,
		                  statements_kind(a->function->instructions[a->pc - 1]));
}

/* --- states --- */

static void note_modules(struct state_world *world, const struct program *program)
{
	while (world->modules.size < program->modules.size) {
		const struct program_module *m = &program->modules.at[world->modules.size];
		struct state_module *to = vec_push(&world->modules);

		to->plan = m->plan;
		for (uint32_t i = 0; m->plan && i < m->imports && !to->base; i++)
			to->base = m->addresses[i];
	}
}

static void name_functions(struct state_world *world, const struct program *program)
{
	map_each(&program->functions, i)
	{
		const struct program_place *place = &program->functions.at[i].value;

		*function_names_put(&world->functions, program->functions.at[i].key) =
			program_function(program, *place)->name;
	}
}

static void take_state(struct taking *t, struct execution *e, uint64_t time)
{
	struct state *state;

	if (!t->statements.run)
		statements_rank(&t->statements);
	note_modules(t->world, walk_program(execution_walk(e)));
	name_functions(t->world, walk_program(execution_walk(e)));
	while (t->next < t->count && t->times[t->next] == time && !t->enough) {
		state = state_capture(t->world, e, &t->statements, &t->types, time, t->most);
		t->enough = !t->take(t->context, t->next++, state);
	}
	t->enough |= t->next == t->count;
	if (t->enough)
		walk_halt(execution_walk(e));
}

static void follow(void *context, struct execution *e, enum execution_event event, uint64_t number)
{
	struct taking *t = context;

	if (t->enough)
		return;
	if (!t->statements.run && event == EXECUTION_BEGINS)
		statements_begin(&t->statements, execution_next(e));
	if (event == EXECUTION_BEGINS && t->next < t->count && number == t->times[t->next])
		take_state(t, e, number);
	else if (!t->statements.run && event == EXECUTION_ENDED)
		note(t, e, number);
	if (!(number & LOOK) && t->options && t->options->stop &&
	    t->options->stop(t->options->context)) {
		t->enough = true;
		walk_halt(execution_walk(e));
	}
}

static void on_moved(void *context, struct execution *e)
{
	struct taking *t = context;

	if (t->names)
		names_move(t->names, e);
	else
		t->names = names_create(e);
	t->world->names = t->names;
	t->statements.whole = execution_whole(e);
	t->statements.run = t->statements.whole ? t->run : NULL;
}

struct hence_error *states_take(const struct recording *run, const uint64_t *times, uint32_t count,
                                const struct state_options *options,
                                bool (*take)(void *context, uint32_t index, struct state *state),
                                void *context)
{
	struct taking t = {.run = run,
	                   .times = times,
	                   .count = count,
	                   .most = options && options->memory ? options->memory : MOST,
	                   .options = options,
	                   .take = take,
	                   .context = context};
	const struct execution_options how = {.table = run->table,
	                                      .windows = true,
	                                      .begins = true,
	                                      .statement = follow,
	                                      .context = &t};
	struct execution *e = NULL;
	struct hence_error *error;

	if (!count)
		return NULL;
	t.world = mem_alloc(sizeof(*t.world));
	t.world->users = 1;
	error = history_visit(run, times, count, &how, on_moved, &e);
	if (!error && !t.enough && t.next < count)
		error = error_create(HENCE_ERROR_INTERNAL,
		                     "there is no statement %llu: the run has only %llu",
		                     (unsigned long long)times[t.next],
		                     (unsigned long long)execution_statements(e));
	statements_deinit(&t.statements);
	birth_types_deinit(&t.types);
	state_world_release(t.world);
	execution_destroy(e);
	return error;
}
