/*
 * Programs for tests of states: C text is compiled once and recorded several times, with different
 * arguments. Points are named by comments on lines, as in trace_decoded.h.
 */
#ifndef HENCE_TESTS_UNIT_STATE_RUNS_H
#define HENCE_TESTS_UNIT_STATE_RUNS_H

#include "trace_decoded.h"

#include "state/state.h"

#define RUNS_ARGS 8

/* A recorded run; its tape lies in a folder of its own. */
struct run {
	struct decoded source; /* only its text and modules */
	struct recording recording;
	char *folder;
};

static inline void runs_must(struct hence_error *error)
{
	if (error)
		fail_msg("%s", error->message);
}

/* Runs ./prog with these arguments, separated by spaces. Free with runs_free(). */
static inline struct run runs_record(struct modules *modules, const char *source,
                                     const char *arguments)
{
	static unsigned number;
	struct run run = {.source = {.source = source, .modules = modules}};
	char *words = mem_strdup(arguments), *argv[RUNS_ARGS + 2] = {"./prog"}, *command;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), count = 1;
	struct session_options options = {
		.tape_limit = 64 << 20, .table = decoded_models, .table_size = decoded_models_size};
	struct launch_result result;

	for (char *word = strtok(words, " "); word && count <= RUNS_ARGS; word = strtok(NULL, " "))
		argv[count++] = word;
	decoded_end();
	assert_null(session_create(&options, &decoded_session));
	struct launch_options launch = {.path = "./prog",
	                                .argv = argv,
	                                .session = decoded_session.path,
	                                .streams = {null, null, null},
	                                .timeout = 60};

	runs_must(launch_run(&launch, &result));
	launch_result_deinit(&result);
	close(null);
	run.folder = str_format("run%u", number++);
	command = str_format("cp -r '%s' %s", decoded_session.path, run.folder);
	assert_int_equal(system(command), 0);
	free(command);
	free(words);
	decoded_end();
	run.recording = (struct recording){
		.modules = modules, .folder = run.folder, .table = decoded_models};
	return run;
}

static inline void runs_free(struct run *run)
{
	char *command = str_format("rm -rf %s", run->folder);

	assert_int_equal(system(command), 0);
	free(command);
	free(run->folder);
}

/* --- points --- */

struct runs_finder {
	uint32_t line;
	uint32_t nth;
	uint64_t found;
	uint32_t last; /* line of the statement before */
};

static inline uint32_t runs_line(const struct activation *a)
{
	uint32_t at = a->pc;

	while (!(a->function->insns[at].flags & CODE_STATEMENT))
		at++;
	return LLVMGetDebugLocLine(a->function->instructions[at]);
}

static inline void runs_look(void *context, struct execution *e, enum execution_event event,
                             uint64_t number)
{
	struct runs_finder *f = context;
	uint32_t line;

	if (event != EXECUTION_BEGINS)
		return;
	line = runs_line(execution_top(e, 0));
	if (line == f->line && f->last != line && !f->found && f->nth-- == 0)
		f->found = number;
	f->last = line;
}

/* The point before the line with this comment is executed for the `nth` time, from 0. */
static inline uint64_t runs_point(const struct run *run, const char *comment, uint32_t nth)
{
	struct runs_finder f = {.line = decoded_line(&run->source, comment), .nth = nth};
	struct execution_options options = {
		.table = decoded_models, .begins = true, .statement = runs_look, .context = &f};
	struct execution *e;

	runs_must(execution_create(run->recording.modules, run->folder, run->recording.tape,
	                           &options, &e));
	runs_must(execution_run(e, NULL));
	execution_destroy(e);
	if (!f.found)
		fail_msg("%s is not reached", comment);
	return f.found;
}

/* --- states --- */

static inline bool runs_keep(void *context, uint32_t index, struct state *state)
{
	((struct state **)context)[index] = state;
	return true;
}

static inline struct state *runs_state(const struct run *run, uint64_t time)
{
	struct state *state = NULL;

	runs_must(states_take(&run->recording, &time, 1, NULL, runs_keep, &state));
	assert_non_null(state);
	assert_null(state_partial(state));
	return state;
}

/* All differences as text: `name a b`, a line each. */
static inline char *runs_print(const struct state_diff *diff)
{
	uint32_t count;
	const struct difference *all = state_diff_all(diff, &count);
	static const char *const kinds[] = {"", " pointer", " text", " extra", " missing"};
	struct str out = STR_INIT;

	for (uint32_t i = 0; i < count; i++)
		str_printf(&out, "%s: %s | %s%s\n", all[i].name, all[i].a, all[i].b,
		           kinds[all[i].kind]);
	return str_steal(&out);
}

#endif
