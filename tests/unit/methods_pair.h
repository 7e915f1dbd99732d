/*
 * Pairs of runs for tests of the methods: a C text is built, run on a failing and a passing input,
 * recorded through pools of experiments, and aligned.
 */
#ifndef HENCE_TESTS_UNIT_METHODS_PAIR_H
#define HENCE_TESTS_UNIT_METHODS_PAIR_H

#include <signal.h>

#include "trace_decoded.h"

#include "methods/transitions.h"

static inline void pair_must(struct hence_error *error)
{
	if (error)
		fail_msg("%s", error->message);
}

/* One of the two runs. */
struct pair_run {
	struct input input;
	struct experiments_options options;
	struct experiments *pool;
	struct trial_result result;
	struct recording recording;
	struct walk_place death;
	struct symptom_run run;
};

struct pair {
	const char *source;
	struct modules *modules;
	struct pair_run runs[2]; /* the failing one is 1 */
	struct alignment alignment;
	struct str expected;
	struct oracle_options oracle_options;
	struct oracle oracle;
	struct symptom symptom;
	struct transitions transitions;
	bool found; /* the transitions */
};

/* Words that are separated by blanks; what is behind `<` is standard input. */
static inline void pair_input(struct input *input, const char *words)
{
	const char *file = strchr(words, '<');

	while (*words && words != file) {
		size_t length = strcspn(words, " <");

		if (length)
			input_add_bytes(input, INPUT_ARGUMENT, NULL, words, length);
		words += length;
		words += *words == ' ';
	}
	input_add_bytes(input, INPUT_STDIN, NULL, file ? file + 1 : "",
	                file ? strlen(file + 1) : 0);
}

/* Where the program died, as the decoder has to be told. */
static inline void pair_set_death(struct pair_run *r)
{
	const struct outcome *outcome = &r->result.outcome;

	if (outcome->kind != OUTCOME_SIGNALLED)
		return;
	r->death = (struct walk_place){.function = outcome->place.function,
	                               .line = (unsigned)outcome->place.line,
	                               .column = (unsigned)outcome->place.column};
	r->recording.death = &r->death;
}

/* Records a run, which has its input, as that tape. */
static inline void pair_record_run(struct pair *p, struct pair_run *r, uint32_t tape)
{
	r->options.trials.program = "./prog";
	r->options.trials.name = "./prog";
	r->options.trials.input = &r->input;
	r->options.trials.workers = 2;
	pair_must(experiments_create(&r->options, &r->pool));
	pair_must(experiments_record(r->pool, decoded_session.path, &r->result));
	r->recording = (struct recording){.modules = p->modules,
	                                  .folder = decoded_session.path,
	                                  .tape = tape,
	                                  .table = decoded_models};
	pair_set_death(r);
	pair_must(experiments_use(r->pool, &r->recording));
	r->run = (struct symptom_run){&r->recording, &r->result};
}

/* Records and aligns ./prog, once the runs have their input. `expected` is the right output of the failing
   input; NULL: not known. */
static inline void pair_complete(struct pair *p, const char *expected)
{
	struct session_options options = {
		.tape_limit = 64 << 20, .table = decoded_models, .table_size = decoded_models_size};

	pair_must(session_create(&options, &decoded_session));
	p->modules = modules_create();
	pair_record_run(p, &p->runs[true], 0);
	pair_record_run(p, &p->runs[false], 1);
	if (expected) {
		str_add(&p->expected, expected);
		p->oracle_options.expected = &p->expected;
	}
	assert_true(oracle_create(&p->oracle_options, &p->runs[true].result, &p->oracle));
	pair_must(align_runs(&p->runs[true].recording, &p->runs[false].recording,
	                     &(struct align_options){0}, &p->alignment));
}

/* The same for a C text and inputs as pair_input() has them. Caller frees with pair_free(). */
static inline void pair_make(struct pair *p, const char *source, const char *failing,
                             const char *passing, const char *expected)
{
	*p = (struct pair){.source = source};
	decoded_end(); /* of a test that failed */
	decoded_build(source);
	pair_input(&p->runs[true].input, failing);
	pair_input(&p->runs[false].input, passing);
	pair_complete(p, expected);
}

static inline void pair_find_symptom(struct pair *p)
{
	pair_must(symptom_find(&p->runs[true].run, &p->runs[false].run, &p->alignment, &p->oracle,
	                       &p->symptom));
}

/* As methods get them; `budget` may be NULL. */
static inline struct comparison pair_comparison(const struct pair *p, const struct budget *budget)
{
	return (struct comparison){.runs = {p->runs[0].run, p->runs[1].run},
	                           .pools = {p->runs[0].pool, p->runs[1].pool},
	                           .alignment = &p->alignment,
	                           .symptom = &p->symptom,
	                           .oracle = &p->oracle,
	                           .workers = 2,
	                           .budget = budget};
}

static inline void pair_run_free(struct pair_run *r)
{
	experiments_destroy(r->pool);
	trial_result_deinit(&r->result);
	input_deinit(&r->input);
}

static inline void pair_free(struct pair *p)
{
	if (p->found)
		transitions_deinit(&p->transitions);
	symptom_deinit(&p->symptom);
	alignment_deinit(&p->alignment);
	oracle_deinit(&p->oracle);
	str_deinit(&p->expected);
	pair_run_free(&p->runs[0]);
	pair_run_free(&p->runs[1]);
	modules_destroy(p->modules);
	decoded_end();
}

/* The line of the source with this comment. */
static inline uint32_t pair_line(const struct pair *p, const char *name)
{
	struct decoded d = {.source = p->source};

	return decoded_line(&d, name);
}

/* The name of a line that has a comment; else its number. */
static inline void pair_add_line(const char *source, unsigned line, struct str *out)
{
	const char *at = source, *end, *comment;

	for (unsigned i = 1; i < line && at; i++)
		at = strchr(at, '\n') + 1;
	end = strchr(at, '\n');
	comment = strstr(at, "/*");
	if (comment && comment < end)
		str_add_bytes(out, comment + 2, (size_t)(strstr(comment, "*/") - comment - 2));
	else
		str_printf(out, "%u", line);
}

#endif
