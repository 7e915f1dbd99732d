/*
 * Programs for tests of what was violated: C text is compiled and recorded with its output, decoded and kept whole, and
 * violation_find() is called.
 */
#ifndef HENCE_TESTS_UNIT_VIOLATION_RUN_H
#define HENCE_TESTS_UNIT_VIOLATION_RUN_H

#include "trace_decoded.h"

#include <stdio.h>

#include "failure/violation.h"

struct asked {
	struct decoded d;
	struct outcome outcome;
	struct walk_place death;
	struct str output;
	struct recording run;
	struct terms *terms;
	struct symbolic *symbolic;
	struct violation found;
	struct hence_error *error;
};

static inline void asked_read_output(struct asked *a)
{
	FILE *file = fopen("out", "r");
	int c;

	assert_non_null(file);
	while ((c = getc(file)) != EOF)
		str_add_char(&a->output, (char)c);
	fclose(file);
	unlink("out");
}

static inline void asked_launch(struct asked *a, double timeout)
{
	char *argv[] = {"./prog", "word", NULL};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int out = open("out", O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
	struct launch_options launch = {.path = "./prog",
	                                .argv = argv,
	                                .session = decoded_session.path,
	                                .streams = {null, out, null},
	                                .timeout = timeout};
	struct launch_result result;

	assert_null(launch_run(&launch, &result));
	outcome_copy(&a->outcome, &result.processes.list.at[0].outcome);
	launch_result_deinit(&result);
	close(null);
	close(out);
	asked_read_output(a);
}

/* Builds, records and decodes the program. Free with asked_close(). */
static inline struct asked asked_open_for(const char *source, double timeout)
{
	struct asked a = {.d = {.source = source}};
	struct session_options options = {
		.tape_limit = 64 << 20, .table = decoded_models, .table_size = decoded_models_size};
	struct execution_options keep = {.retain = true, .bytes = true, .table = decoded_models};

	decoded_end(); /* of a test that failed */
	decoded_build(source);
	assert_null(session_create(&options, &decoded_session));
	asked_launch(&a, timeout);
	a.d.modules = modules_create();
	a.run = (struct recording){
		.modules = a.d.modules, .folder = decoded_session.path, .table = decoded_models};
	assert_null(execution_create(a.d.modules, decoded_session.path, 0, &keep, &a.d.e));
	return a;
}

static inline struct asked asked_open(const char *source)
{
	return asked_open_for(source, 60);
}

/* The rest of it, where the structure stays. */
static inline void asked_keep(struct asked *a)
{
	if (a->outcome.kind == OUTCOME_SIGNALLED) {
		a->death = (struct walk_place){.function = a->outcome.place.function,
		                               .line = (unsigned)a->outcome.place.line,
		                               .column = (unsigned)a->outcome.place.column};
		a->run.death = &a->death;
	}
	a->d.error = execution_run(a->d.e, a->run.death);
	assert_null(a->d.error);
	a->terms = terms_create();
	a->symbolic = symbolic_create(a->d.e, a->terms);
}

/* Asks; `expected` and `check` may be NULL. */
static inline struct hence_error *asked_try(struct asked *a, const char *expected,
                                            const char *check)
{
	struct violation_check parsed = {0};
	struct violation_question question = {.outcome = &a->outcome,
	                                      .expected = expected,
	                                      .expected_size = expected ? strlen(expected) : 0,
	                                      .output = &a->output};

	violation_deinit(&a->found);
	error_destroy(a->error);
	if (!a->symbolic)
		asked_keep(a);
	a->error = NULL;
	if (check) {
		a->error = violation_check_parse(check, &parsed);
		question.check = &parsed;
	}
	if (!a->error)
		a->error = violation_find(&a->run, a->symbolic, &question, &a->found);
	violation_check_deinit(&parsed);
	return a->error;
}

static inline void asked_must(struct asked *a, const char *expected, const char *check)
{
	asked_try(a, expected, check);
	if (a->error)
		fail_msg("%s", a->error->message);
}

static inline void asked_close(struct asked *a)
{
	violation_deinit(&a->found);
	error_destroy(a->error);
	symbolic_destroy(a->symbolic);
	terms_destroy(a->terms);
	str_deinit(&a->output);
	outcome_deinit(&a->outcome);
	decoded_free(&a->d);
}

/* --- what was found --- */

struct asked_variables {
	uint64_t number;
	uint32_t count;
};

static inline void asked_count(void *context, uint64_t number)
{
	struct asked_variables *v = context;

	v->number = number;
	v->count++;
}

static inline uint64_t asked_given(void *context, uint64_t number)
{
	return *(uint64_t *)context;
}

/* Would the claim hold if the only value that it is about were another? */
static inline bool asked_holds(const struct asked *a, uint64_t value)
{
	struct asked_variables v = {0};

	assert_int_equal(a->found.kind, VIOLATION_CHECK);
	term_variables(a->terms, a->found.claim, asked_count, &v);
	assert_int_equal(v.count, 1);
	return term_evaluate(a->terms, a->found.claim, asked_given, &value);
}

/* And it does not with the value that it had, which is given. */
static inline uint64_t asked_actual(const struct asked *a)
{
	struct asked_variables v = {0};

	assert_int_equal(a->found.kind, VIOLATION_CHECK);
	assert_false(term_evaluate(a->terms, a->found.claim, symbolic_actual, a->symbolic));
	term_variables(a->terms, a->found.claim, asked_count, &v);
	return symbolic_actual(a->symbolic, v.number);
}

static inline void asked_words(const struct asked *a, const char *what, const char *wanted,
                               const char *numbers)
{
	if (what)
		assert_string_equal(str_text(&a->found.what), what);
	assert_string_equal(str_text(&a->found.wanted), wanted);
	assert_string_equal(str_text(&a->found.numbers), numbers);
}

/* The line with this comment. */
static inline void asked_at(const struct asked *a, const char *mark)
{
	assert_non_null(a->found.file);
	assert_string_equal(a->found.file, "prog.c");
	assert_int_equal(a->found.line, decoded_line(&a->d, mark));
	assert_int_equal(decoded_line_of(&a->d, a->found.instance), a->found.line);
}

#endif
