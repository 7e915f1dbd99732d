/*
 * Decodes a tape and prints its statements as they go by: nothing is kept, so a run of any length
 * can be traced.
 *
 * The decoder tells of each statement when it has ended. A call of an instrumented function has
 * then not ended for long: it is printed when the callee's first statement is told, which is the
 * next one. Numbers follow from that: statements are numbered as they begin.
 */
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/trace.h"

#define LOOK 0xffffu /* statements between looks at the clock, less 1 */

/* A function under way. */
struct level {
	uint32_t frame;
	uint32_t call;   /* instance of the outside call that it makes, */
	uint64_t number; /* and the number of that statement; 0: none known */
};

struct tracer {
	const struct trace_options *options;
	struct run *run;
	struct execution *e;
	struct names *names;
	struct trace_filter *filter;
	struct trace_errors *errors;
	struct trace_printer printer;
	VEC(struct level) levels;
	VEC(const char *) files; /* that were looked at: did they change? */
	uint64_t last;           /* number of the last statement that was told */
	double until;
	bool halted;
	bool late; /* since the time was over */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

bool trace_death(const struct run_tape *recorded, struct walk_place *out)
{
	const struct place *place = &recorded->outcome.place;

	if (recorded->outcome.kind != OUTCOME_SIGNALLED || !place->function || !place->line)
		return false;
	*out = (struct walk_place){.function = place->function,
	                           .line = (unsigned)place->line,
	                           .column = (unsigned)place->column};
	return true;
}

/* --- sources that changed --- */

static bool is_newer(const char *directory, const char *file, const char *elf)
{
	struct stat source, built;
	char path[PATH_MAX];

	if (*file == '/')
		snprintf(path, sizeof(path), "%s", file);
	else
		snprintf(path, sizeof(path), "%s/%s", directory, file);
	return !stat(path, &source) && !stat(elf, &built) &&
	       (source.st_mtim.tv_sec > built.st_mtim.tv_sec ||
	        (source.st_mtim.tv_sec == built.st_mtim.tv_sec &&
	         source.st_mtim.tv_nsec > built.st_mtim.tv_nsec));
}

static void look_at_source(struct tracer *t, const struct activation *a, const char *file)
{
	const struct program *program = walk_program(execution_walk(t->e));
	const char *elf = program->modules.at[a->function->place.module].path;
	char *directory;
	unsigned length;

	for (uint32_t i = 0; i < t->files.size; i++)
		if (t->files.at[i] == file)
			return;
	*vec_push(&t->files) = file;
	directory =
		mem_strdup(LLVMGetDebugLocDirectory(a->function->instructions[a->pc - 1], &length));
	if (is_newer(directory, file, elf))
		run_note(t->run, "note: %s changed after %s was built: lines may not fit", file,
		         t->run->program.name);
	free(directory);
}

/* --- one statement --- */

enum tell {
	TELL_ENDED,
	TELL_CALL,       /* a call whose callee begins now */
	TELL_CALLBACK,   /* a call of outside code that calls back now */
	TELL_UNFINISHED, /* a call that did not return */
};

/* How wide `sort.c:120` and names of functions get, so that columns stay where they are. */
static void measure(struct tracer *t)
{
	const struct program *program = walk_program(execution_walk(t->e));

	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct plan *plan = program->modules.at[m].plan;

		for (uint32_t i = 0; plan && i < plan->functions.size; i++)
			trace_measure(&t->printer, plan->functions.at[i].function,
			              plan->functions.at[i].name);
	}
}

/* Tells of the statement of the function at this depth. */
static void tell(struct tracer *t, uint32_t depth, uint64_t number, enum tell how)
{
	const struct activation *a = execution_top(t->e, depth);
	struct trace_statement s = {.number = number,
	                            .unfinished = how == TELL_UNFINISHED,
	                            .calls_back = how == TELL_CALLBACK};

	if (!t->last)
		measure(t);
	t->last = number > t->last ? number : t->last;
	s.place = names_place(t->names, a->function->first + a->pc - 1);
	if (s.place.file && *s.place.file)
		look_at_source(t, a, s.place.file);
	if (!trace_filter_place(t->filter, number, &s.place))
		return;
	s.depth = t->levels.size - depth;
	trace_describe(t->names, t->e, depth, how == TELL_CALL, &s);
	if (trace_filter_values(t->filter, t->names, &s))
		trace_print(&t->printer, &s);
	trace_statement_deinit(&s);
}

static const struct code_insn *call_of(const struct activation *a)
{
	const struct code_insn *insn = a && a->pc ? &a->function->insns[a->pc - 1] : NULL;

	return insn && insn->op == CODE_CALL && insn->flags & CODE_STATEMENT ? insn : NULL;
}

/* Forgets functions that have returned. Gives how many new ones there are on top. */
static uint32_t find_new(struct tracer *t)
{
	const struct activation *a;
	uint32_t count = 0;

	for (; (a = execution_top(t->e, count)); count++) {
		while (t->levels.size && t->levels.at[t->levels.size - 1].frame > a->frame)
			t->levels.size--;
		if (t->levels.size && t->levels.at[t->levels.size - 1].frame == a->frame)
			return count;
	}
	t->levels.size = 0;
	return count;
}

/* The call at depth `depth`, which led to the function above it; its number is `number`. */
static bool tell_call(struct tracer *t, uint32_t depth, uint64_t number)
{
	const struct activation *caller = execution_top(t->e, depth);
	struct level *level = t->levels.size ? &t->levels.at[t->levels.size - 1] : NULL;
	bool entered;

	if (!call_of(caller) || !level)
		return false;
	entered = execution_top(t->e, depth - 1)->entered;
	if (entered && level->number && level->call == caller->call)
		return false;
	if (entered) {
		level->call = caller->call;
		level->number = number;
	}
	/* While it is told, levels must reach up to the top. */
	t->levels.size += depth;
	tell(t, depth, number, entered ? TELL_CALLBACK : TELL_CALL);
	t->levels.size -= depth;
	return true;
}

/* Tells of calls that led to the function on top, whose statement `number` is next to be told. */
static void tell_calls(struct tracer *t, uint64_t number)
{
	uint32_t count = find_new(t);
	uint64_t at = number;

	vec_reserve(&t->levels, t->levels.size + count + 1);
	/* Each call is the statement before the first of its callee. */
	for (uint32_t depth = 1; depth <= count; depth++) {
		const struct activation *caller = execution_top(t->e, depth);
		bool known = depth == count && t->levels.size &&
		             t->levels.at[t->levels.size - 1].number && caller &&
		             t->levels.at[t->levels.size - 1].call == caller->call &&
		             execution_top(t->e, depth - 1)->entered;

		at -= call_of(caller) && !known ? 1 : 0;
	}
	for (uint32_t depth = count; depth > 0; depth--) {
		const struct activation *a = execution_top(t->e, depth - 1);

		at += tell_call(t, depth, at) ? 1 : 0;
		*vec_push(&t->levels) = (struct level){.frame = a->frame};
	}
}

static void halt(struct tracer *t)
{
	t->halted = true;
	walk_halt(execution_walk(t->e));
}

/* The number of the statement that the function on top has just ended. */
static uint64_t number_of(const struct tracer *t)
{
	const struct activation *a = execution_top(t->e, 0);
	const struct level *level = &t->levels.at[t->levels.size - 1];

	if (call_of(a) && level->number && level->call == a->call)
		return level->number;
	return execution_statements(t->e);
}

static void on_statement(void *context, struct execution *e)
{
	struct tracer *t = context;
	uint64_t count = execution_statements(e);

	if (t->halted)
		return;
	names_follow(t->names);
	trace_errors_follow(t->errors);
	tell_calls(t, count);
	tell(t, 0, number_of(t), TELL_ENDED);
	t->late = !(count & LOOK) && now() > t->until;
	if (t->late || (t->options->to && count >= t->options->to))
		halt(t);
}

/* The program ended inside a call: exit(), abort(), or what killed it. */
static void tell_end(struct tracer *t)
{
	const struct activation *a = execution_top(t->e, 0);

	if (t->halted || !a || !call_of(a))
		return;
	tell_calls(t, execution_statements(t->e));
	if (number_of(t) > t->last)
		tell(t, 0, number_of(t), TELL_UNFINISHED);
}

/* --- the whole --- */

static void finish(struct tracer *t)
{
	tell_end(t);
	trace_errors_follow(t->errors);
	if (t->late)
		run_note(t->run,
		         "reading ended after %g seconds, at statement %llu; --time SECONDS allows "
		         "more",
		         t->options->run.time, (unsigned long long)execution_statements(t->e));
	fflush(t->printer.file);
	trace_errors_print(t->errors, t->printer.json ? t->printer.file : NULL, t->halted);
}

static void deinit(struct tracer *t)
{
	trace_filter_destroy(t->filter);
	trace_errors_destroy(t->errors);
	names_destroy(t->names);
	execution_destroy(t->e);
	vec_deinit(&t->levels);
	vec_deinit(&t->files);
}

struct hence_error *trace_decode(struct run *run, const struct trace_options *options,
                                 const struct run_tape *recorded, struct modules *modules,
                                 FILE *out)
{
	struct tracer t = {.options = options,
	                   .run = run,
	                   .printer = {.file = out,
	                               .json = options->json,
	                               .place_width = 8,
	                               .function_width = 4},
	                   .until = now() + options->run.time};
	struct execution_options settings = {
		.table = run->table, .statement = on_statement, .context = &t};
	struct walk_place death;
	bool died = trace_death(recorded, &death);
	struct hence_error *error = execution_create(modules, run->session.path,
	                                             recorded->tape->number, &settings, &t.e);

	if (error)
		return error;
	t.names = names_create(t.e);
	t.errors = trace_errors_create(t.names, t.e);
	t.filter = trace_filter_create(options);
	error = execution_run(t.e, died ? &death : NULL);
	finish(&t);
	if (!error)
		error = trace_filter_explain(t.filter, t.names, t.e);
	deinit(&t);
	return error;
}
