/*
 * Programs for tests of the decoder: C text is compiled, recorded and decoded. Places in the text
 * are named by comments, as in `x = 1;` followed by the comment `first`.
 */
#ifndef HENCE_TESTS_UNIT_TRACE_DECODED_H
#define HENCE_TESTS_UNIT_TRACE_DECODED_H

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/str.h"
#include "outside/table.h"
#include "run/launch.h"
#include "run/session.h"
#include "trace/execution.h"

static char decoded_folder[] = "/tmp/hence-unit-XXXXXX";
static void *decoded_models; /* their table */
static size_t decoded_models_size;
static struct session decoded_session; /* the last one; there may be one at a time */

/* A run, decoded as often as asked for. There may be one at a time. */
struct decoded {
	const char *source;
	struct modules *modules;
	struct execution *e; /* the last one */
	struct hence_error *error;
};

/* --- recording and decoding --- */

static inline int decoded_set_up(void **state)
{
	char *path;

	if (!getenv("HENCE_CC") || !getenv("SRC")) {
		print_message("HENCE_CC and SRC must be set, as tests/runner does\n");
		return 1;
	}
	path = str_format("%s/models", getenv("SRC"));
	assert_null(outside_table_load(path, NULL, 0, &decoded_models, &decoded_models_size));
	free(path);
	return !mkdtemp(decoded_folder) || chdir(decoded_folder) ||
	       setenv("HENCE_TAPE_DIR", decoded_folder, 1);
}

static inline void decoded_end(void)
{
	if (decoded_session.path)
		session_destroy(&decoded_session);
	memset(&decoded_session, 0, sizeof(decoded_session));
}

static inline int decoded_tear_down(void **state)
{
	decoded_end();
	free(decoded_models);
	unlink("prog.c");
	unlink("prog");
	return chdir("/") || rmdir(decoded_folder);
}

static inline void decoded_build(const char *source)
{
	int fd = open("prog.c", O_CREAT | O_TRUNC | O_WRONLY, 0600);

	assert_int_equal(write(fd, source, strlen(source)), strlen(source));
	close(fd);
	assert_int_equal(system("$HENCE_CC -w prog.c -o prog -lm"), 0);
}

/* Records a run of the program. Free with decoded_free(). */
static inline struct decoded decoded_record(const char *source)
{
	struct decoded d = {.source = source};
	char *argv[] = {"./prog", "word", NULL};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct session_options options = {
		.tape_limit = 64 << 20, .table = decoded_models, .table_size = decoded_models_size};
	struct launch_result result;

	decoded_end(); /* of a test that failed */
	decoded_build(source);
	assert_null(session_create(&options, &decoded_session));
	struct launch_options launch = {.path = "./prog",
	                                .argv = argv,
	                                .session = decoded_session.path,
	                                .streams = {null, null, null},
	                                .timeout = 60};

	assert_null(launch_run(&launch, &result));
	launch_result_deinit(&result);
	close(null);
	d.modules = modules_create();
	return d;
}

static inline void decoded_drop(struct decoded *d)
{
	execution_destroy(d->e);
	error_destroy(d->error);
	d->e = NULL;
	d->error = NULL;
}

static inline void decoded_free(struct decoded *d)
{
	decoded_drop(d);
	modules_destroy(d->modules);
	decoded_end();
}

/* Decodes; what went wrong is in d->error. The models are put in. */
static inline struct execution *decoded_try(struct decoded *d, struct execution_options options)
{
	decoded_drop(d);
	options.table = decoded_models;
	assert_null(execution_create(d->modules, decoded_session.path, 0, &options, &d->e));
	d->error = execution_run(d->e, NULL);
	return d->e;
}

/* Decodes a run that is right: no mismatches. */
static inline struct execution *decoded_run(struct decoded *d, struct execution_options options)
{
	uint64_t count;
	uint32_t kept;

	decoded_try(d, options);
	if (d->error)
		fail_msg("%s", d->error->message);
	execution_mismatches(d->e, &kept, &count);
	assert_int_equal(count, 0);
	return d->e;
}

/* Records, and decodes all of it. */
static inline struct decoded decoded_all(const char *source)
{
	struct decoded d = decoded_record(source);
	struct execution_options options = {.retain = true};

	decoded_run(&d, options);
	return d;
}

/* --- places --- */

/* The line with this comment. */
static inline uint32_t decoded_line(const struct decoded *d, const char *name)
{
	char *comment = str_format("/*%s*/", name);
	const char *found = strstr(d->source, comment);
	uint32_t line = 1;

	if (!found)
		fail_msg("there is no %s", comment);
	for (const char *c = d->source; c < found; c++)
		line += *c == '\n';
	free(comment);
	return line;
}

static inline uint32_t decoded_line_of(const struct decoded *d, uint32_t instance)
{
	return LLVMGetDebugLocLine(execution_instruction(d->e, instance));
}

/* Instance number `nth`, from 0, of an operation on the line with this comment; 0: there is none. */
static inline uint32_t decoded_find(const struct decoded *d, const char *name, uint8_t op,
                                    uint32_t nth)
{
	uint32_t line = decoded_line(d, name), first, end;

	execution_kept(d->e, &first, &end);
	for (uint32_t i = first; i < end; i++)
		if (execution_insn(d->e, i)->op == op && decoded_line_of(d, i) == line &&
		    nth-- == 0)
			return i;
	return 0;
}

/* The same; it must be there. */
static inline uint32_t decoded_at(const struct decoded *d, const char *name, uint8_t op,
                                  uint32_t nth)
{
	uint32_t found = decoded_find(d, name, op, nth);

	if (!found)
		fail_msg("no operation %u number %u at %s", op, nth, name);
	return found;
}

static inline uint64_t decoded_operand(const struct decoded *d, uint32_t instance, uint32_t operand)
{
	uint64_t value = 0;
	uint32_t made;

	assert_true(execution_operand(d->e, instance, operand, &value, &made));
	return value;
}

#endif
