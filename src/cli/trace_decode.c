/*
 * Decodes a tape and prints its statements as they go by: nothing is kept, so a run of any length
 * can be traced.
 */
#include <string.h>

#include "cli/record.h"
#include "cli/trace.h"
#include "report/source.h"

#define LOOK 0xffffu /* statements between looks at the clock, less 1 */

struct tracer {
	const struct trace_options *options;
	struct run *run;
	struct execution *e;
	struct names *names;
	struct trace_filter *filter;
	struct describe_errors *errors;
	struct trace_printer printer;
	VEC(const char *) files; /* that were looked at: did they change? */
	bool measured;
	double until;
	bool halted;
	bool late; /* since the time was over */
};

/* --- sources that changed --- */

static void look_at_source(struct tracer *t, const struct activation *a, const char *file)
{
	const struct program *program = walk_program(execution_walk(t->e));
	const char *elf = program->modules.at[a->function->place.module].path;
	const char *name;
	char *directory;
	unsigned length;

	for (uint32_t i = 0; i < t->files.size; i++)
		if (t->files.at[i] == file)
			return;
	*vec_push(&t->files) = file;
	name = LLVMGetDebugLocDirectory(a->function->instructions[a->pc - 1], &length);
	directory = name ? mem_strndup(name, length) : mem_strdup(".");
	if (source_is_newer(directory, file, elf))
		run_note(t->run, "note: %s changed after %s was built: lines may not fit", file,
		         t->run->program.name);
	free(directory);
}

/* --- one statement --- */

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

static void tell(struct tracer *t, enum execution_event event, uint64_t number)
{
	const struct activation *a = execution_top(t->e, 0);
	struct described s = {.number = number,
	                      .depth = execution_depth(t->e),
	                      .unfinished = event == EXECUTION_LEFT,
	                      .calls_back = event == EXECUTION_CALLS_BACK};

	if (!t->measured)
		measure(t);
	t->measured = true;
	s.place = names_place(t->names, a->function->first + a->pc - 1);
	if (s.place.file && *s.place.file)
		look_at_source(t, a, s.place.file);
	if (!trace_filter_place(t->filter, number, &s.place))
		return;
	describe_statement(t->names, t->e, event == EXECUTION_CALLS, &s);
	if (trace_filter_values(t->filter, t->names, &s))
		trace_print(&t->printer, &s);
	described_deinit(&s);
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct tracer *t = context;

	if (t->halted)
		return;
	names_follow(t->names);
	describe_errors_follow(t->errors);
	tell(t, event, number);
	t->late = !(number & LOOK) && record_now() > t->until;
	t->halted = t->late || (t->options->to && number >= t->options->to);
	if (t->halted)
		walk_halt(execution_walk(e));
}

/* --- the whole --- */

/* Where a program was that did not end by itself: a loop may leave no statement behind. */
static void note_end(struct tracer *t, const struct run_tape *recorded)
{
	struct walk_place place;
	struct str text = STR_INIT;
	uint64_t count = execution_statements(t->e);

	if (recorded->outcome.kind != OUTCOME_TIMED_OUT || t->halted ||
	    !walk_where(execution_walk(t->e), 0, &place))
		return;
	str_printf(&text, "when it was stopped, after %llu statement%s, it was ",
	           (unsigned long long)count, count == 1 ? "" : "s");
	if (place.file)
		str_printf(&text, "at %s:%u ", place.file, place.line);
	str_printf(&text, "in %s()", place.function);
	if (place.outside)
		str_printf(&text, ", in a call of %s()", place.outside);
	run_note(t->run, "%s", str_text(&text));
	str_deinit(&text);
}

static void finish(struct tracer *t, const struct run_tape *recorded)
{
	describe_errors_follow(t->errors);
	if (t->late)
		run_note(t->run,
		         "reading ended after %g seconds, at statement %llu; --time SECONDS allows "
		         "more",
		         t->options->run.time, (unsigned long long)execution_statements(t->e));
	note_end(t, recorded);
	fflush(t->printer.file);
	trace_errors_print(t->names, t->errors, t->printer.json ? t->printer.file : NULL,
	                   t->halted);
}

static void deinit(struct tracer *t)
{
	trace_filter_destroy(t->filter);
	describe_errors_destroy(t->errors);
	names_destroy(t->names);
	execution_destroy(t->e);
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
	                   .until = record_now() + options->run.time};
	struct execution_options settings = {
		.table = run->table, .statement = on_statement, .context = &t};
	struct walk_place death;
	bool died = record_death(&recorded->outcome, &death);
	struct hence_error *error = execution_create(modules, run->session.path,
	                                             recorded->tape->number, &settings, &t.e);

	if (error)
		return error;
	t.names = names_create(t.e);
	t.errors = describe_errors_create(t.names, t.e);
	t.filter = trace_filter_create(options);
	error = execution_run(t.e, died ? &death : NULL);
	finish(&t, recorded);
	if (!error)
		error = trace_filter_explain(t.filter, t.names, t.e);
	deinit(&t);
	return error;
}
