/*
 * Programs for tests of experiments: C text is compiled, recorded in a pool, and changed. Places in
 * the text are named by comments. Programs print the addresses that tests want to change, as
 * `NAME=ADDRESS` at the start of a line.
 */
#ifndef HENCE_TESTS_UNIT_EXPERIMENT_RUN_H
#define HENCE_TESTS_UNIT_EXPERIMENT_RUN_H

#include "trace_decoded.h"

#include <stdio.h>

#include "experiment/experiment.h"

/* A recorded run and its pool. */
struct lab {
	const char *source;
	struct input input;
	struct experiments_options options;
	struct experiments *pool;
	struct modules *modules;
	struct recording run;
	struct trial_result recorded;
	uint64_t statements;
	VEC(struct point) points; /* all of the run */
	VEC(unsigned) lines;      /* of each */
};

static inline void lab_must(struct hence_error *error)
{
	if (error)
		fail_msg("%s", error->message);
}

/* The line of a statement, from its last instruction. */
static inline unsigned lab_line(const struct plan_function *function, const struct site *site)
{
	const struct plan_block *block = &function->blocks.at[site->block];
	LLVMValueRef insn = LLVMGetFirstInstruction(block->block);
	uint32_t statement = 0;

	for (; insn; insn = LLVMGetNextInstruction(insn))
		if (plan_ends_statement(insn) && statement++ == site->statement)
			return LLVMGetDebugLocLine(insn);
	return 0;
}

static inline void lab_find_points(struct lab *lab)
{
	struct walk *walk;
	VEC(uint64_t) times = VEC_INIT;

	lab_must(walk_create(lab->modules, lab->run.folder, lab->run.tape, &walk));
	lab_must(walk_to_end(walk, NULL));
	lab->statements = walk_counts(walk)->statements;
	for (uint64_t i = 1; i <= lab->statements; i++) {
		*vec_push(&times) = i;
		vec_push(&lab->points);
	}
	lab_must(points_find(&lab->run, times.at, times.size, lab->points.at));
	for (uint32_t i = 0; i < lab->points.size; i++) {
		const struct site *site = &lab->points.at[i].site;
		struct program_place place = {site->module, site->function, site->block};

		*vec_push(&lab->lines) =
			lab_line(program_function(walk_program(walk), place), site);
	}
	walk_destroy(walk);
	vec_deinit(&times);
}

/* Records the program `prog`, which is there. The input may have been filled. */
static inline void lab_start(struct lab *lab)
{
	struct session_options session = {
		.tape_limit = 64 << 20, .table = decoded_models, .table_size = decoded_models_size};

	lab->options.trials.program = "./prog";
	lab->options.trials.name = "./prog";
	lab->options.trials.input = &lab->input;
	if (!lab->options.trials.workers)
		lab->options.trials.workers = 1;
	decoded_end();
	lab_must(session_create(&session, &decoded_session));
	lab_must(experiments_create(&lab->options, &lab->pool));
	lab_must(experiments_record(lab->pool, decoded_session.path, &lab->recorded));
	lab->modules = modules_create();
	lab->run = (struct recording){
		.modules = lab->modules, .folder = decoded_session.path, .table = decoded_models};
	lab_must(experiments_use(lab->pool, &lab->run));
	lab_find_points(lab);
}

static inline struct lab lab_open(const char *source)
{
	struct lab lab = {.source = source};

	decoded_build(source);
	return lab;
}

static inline void lab_close(struct lab *lab)
{
	experiments_destroy(lab->pool);
	modules_destroy(lab->modules);
	trial_result_deinit(&lab->recorded);
	input_deinit(&lab->input);
	vec_deinit(&lab->points);
	vec_deinit(&lab->lines);
	decoded_end();
}

/* The number of the line that has this comment. */
static inline unsigned lab_marked(const struct lab *lab, const char *mark)
{
	char *comment = str_format("/* %s */", mark);
	const char *at = strstr(lab->source, comment);
	unsigned line = 1;

	if (!at)
		fail_msg("no comment %s", comment);
	for (const char *c = lab->source; c < at; c++)
		line += *c == '\n';
	free(comment);
	return line;
}

/* The point before the first statement of a marked line, when that is executed for the nth time. */
static inline const struct point *lab_point(const struct lab *lab, const char *mark, uint32_t nth)
{
	unsigned line = lab_marked(lab, mark);
	const struct point *first = NULL;

	for (uint32_t i = 0; i < lab->points.size; i++) {
		const struct point *point = &lab->points.at[i];

		if (lab->lines.at[i] != line)
			continue;
		if (!first)
			first = point;
		if (!memcmp(&first->site, &point->site, sizeof(point->site)) && !--nth)
			return point;
	}
	fail_msg("line %u is not executed so often", line);
	return NULL;
}

/* An address that the program printed. */
static inline uint64_t lab_address(const struct lab *lab, const char *name)
{
	char *prefix = str_format("%s=", name);
	const char *at = str_text(&lab->recorded.output);

	for (; at && strncmp(at, prefix, strlen(prefix)); at = strchr(at, '\n'), at += !!at)
		if (!*at)
			break;
	if (!at || !*at)
		fail_msg("the program did not print the address of %s", name);
	at += strlen(prefix);
	free(prefix);
	return strtoull(at, NULL, 16);
}

/* --- experiments with one change --- */

static inline struct stop lab_stop(const struct point *point)
{
	return (struct stop){.site = point->site, .count = point->count};
}

static inline struct experiment_result lab_run(struct lab *lab, const struct point *first,
                                               const struct stop *stops, uint32_t count)
{
	struct experiment experiment = {.time = first->time, .stops = stops, .stop_count = count};
	struct experiment_result result;

	lab_must(experiments_run(lab->pool, &experiment, &result));
	assert_int_equal(result.stops.size, count);
	return result;
}

/* Changes bytes at a point. */
static inline struct experiment_result lab_change(struct lab *lab, const struct point *point,
                                                  uint64_t address, const void *bytes,
                                                  uint32_t size)
{
	struct change change = {.address = address, .size = size, .bytes = bytes};
	struct stop stop = lab_stop(point);

	stop.changes = &change;
	stop.change_count = 1;
	return lab_run(lab, point, &stop, 1);
}

static inline struct experiment_result lab_change_int(struct lab *lab, const struct point *point,
                                                      const char *name, int value)
{
	return lab_change(lab, point, lab_address(lab, name), &value, sizeof(value));
}

/* The last line of what was printed, without its end. Valid as long as the result. */
static inline const char *lab_last_line(struct trial_result *run)
{
	char *text = run->output.text, *at;

	if (!run->output.length)
		return "";
	if (text[run->output.length - 1] == '\n')
		text[--run->output.length] = '\0';
	at = strrchr(text, '\n');
	return at ? at + 1 : text;
}

/* The experiment ended well, and its last line is that. Frees the result. */
static inline void lab_prints(struct experiment_result result, const char *line)
{
	assert_false(result.diverged);
	assert_false(result.unreadable);
	assert_int_equal(result.run.outcome.kind, OUTCOME_EXITED);
	assert_string_equal(lab_last_line(&result.run), line);
	experiment_result_deinit(&result);
}

#endif
