/*
 * Two runs of a program for tests of alignment: C text is compiled and recorded twice, with one argument
 * each. Statements are named by the comments behind them, as in trace_decoded.h.
 */
#ifndef HENCE_TESTS_UNIT_ALIGN_PAIR_H
#define HENCE_TESTS_UNIT_ALIGN_PAIR_H

#include "trace_decoded.h"

#include <sys/stat.h>

#include "align/align.h"
#include "align/versions.h"

/* Where a statement is; its number is the index. */
struct pair_run {
	const char *source;
	struct recording recording;
	struct walk_place death;
	VEC(uint32_t) lines;
	uint64_t statements;
};

struct pair {
	struct modules *modules;
	struct pair_run runs[2];
	struct alignment al;
};

static inline void pair_must(struct hence_error *error)
{
	if (error)
		fail_msg("%s", error->message);
}

static inline void pair_launch(const char *program, const char *argument)
{
	char *argv[] = {(char *)program, (char *)argument, NULL};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct launch_options launch = {.path = program,
	                                .argv = argv,
	                                .session = decoded_session.path,
	                                .streams = {null, null, null},
	                                .timeout = 60};
	struct launch_result result;

	pair_must(launch_run(&launch, &result));
	launch_result_deinit(&result);
	close(null);
}

static inline void pair_see(void *context, struct execution *e, enum execution_event event,
                            uint64_t number)
{
	struct pair_run *run = context;
	const struct activation *a = execution_top(e, 0);

	while (run->lines.size <= number)
		vec_push(&run->lines);
	if (!run->lines.at[number])
		run->lines.at[number] = LLVMGetDebugLocLine(a->function->instructions[a->pc - 1]);
}

static inline void pair_decode(struct pair_run *run)
{
	struct execution_options options = {
		.table = decoded_models, .statement = pair_see, .context = run};
	struct execution *e;

	pair_must(execution_create(run->recording.modules, run->recording.folder,
	                           run->recording.tape, &options, &e));
	pair_must(execution_run(e, run->recording.death));
	run->statements = execution_statements(e);
	/* What it died of. */
	if (execution_died(e))
		*vec_push(&run->lines) = run->death.line;
	execution_destroy(e);
}

static inline uint32_t pair_line(const char *source, const char *name)
{
	struct decoded d = {.source = source};

	return decoded_line(&d, name);
}

static inline void pair_session(void)
{
	struct session_options options = {
		.tape_limit = 64 << 20, .table = decoded_models, .table_size = decoded_models_size};

	decoded_end();
	pair_must(session_create(&options, &decoded_session));
}

/* Runs are aligned when their tapes and deaths are known. */
static inline void pair_align_with(struct pair *p, const uint32_t tapes[2],
                                   const struct align_options *options)
{
	for (unsigned i = 0; i < 2; i++) {
		struct pair_run *run = &p->runs[i];

		run->recording = (struct recording){.modules = p->modules,
		                                    .folder = decoded_session.path,
		                                    .tape = tapes[i],
		                                    .table = decoded_models,
		                                    .death = run->death.line ? &run->death : NULL};
		pair_decode(run);
	}
	pair_must(align_runs(&p->runs[0].recording, &p->runs[1].recording, options, &p->al));
	assert_int_equal(p->al.a_statements, p->runs[0].statements);
	assert_int_equal(p->al.b_statements, p->runs[1].statements);
}

static inline void pair_align(struct pair *p, const uint32_t tapes[2])
{
	pair_align_with(p, tapes, NULL);
}

/* Free with pair_free(). */
static inline struct pair pair_record(const char *source, const char *a, const char *b)
{
	struct pair p = {.modules = modules_create()};

	p.runs[0].source = p.runs[1].source = source;
	pair_session();
	decoded_build(source);
	pair_launch("./prog", a);
	pair_launch("./prog", b);
	return p;
}

static inline struct pair pair_create(const char *source, const char *a, const char *b)
{
	struct pair p = pair_record(source, a, b);

	pair_align(&p, (uint32_t[]){0, 1});
	return p;
}

/* --- two versions --- */

static inline void pair_build(const char *folder, const char *source)
{
	char *command = str_format("cd %s && $HENCE_CC -w prog.c -o prog", folder);
	char *path = str_format("%s/prog.c", folder);
	int fd;

	mkdir(folder, 0700);
	fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	assert_int_equal(write(fd, source, strlen(source)), strlen(source));
	close(fd);
	assert_int_equal(system(command), 0);
	free(command);
	free(path);
}

/* Both versions with one argument. Free with pair_free(), and in the end with pair_clean_versions(). */
static inline struct pair pair_versions(const char *old, const char *new, const char *argument)
{
	struct pair p = {.modules = modules_create()};
	struct align_options options = {0};
	struct versions *versions;

	p.runs[0].source = old;
	p.runs[1].source = new;
	pair_session();
	pair_build("old", old);
	pair_build("new", new);
	pair_launch("./old/prog", argument);
	pair_launch("./new/prog", argument);
	pair_must(versions_create(p.modules, "./old/prog", p.modules, "./new/prog", &versions));
	options.versions = versions;
	pair_align_with(&p, (uint32_t[]){0, 1}, &options);
	versions_destroy(versions);
	return p;
}

static inline int pair_clean_versions(void **state)
{
	return system("rm -rf old new") || decoded_tear_down(state);
}

static inline void pair_free(struct pair *p)
{
	alignment_deinit(&p->al);
	vec_deinit(&p->runs[0].lines);
	vec_deinit(&p->runs[1].lines);
	modules_destroy(p->modules);
	decoded_end();
}

/* The statement that is the nth, from 0, on the line with this comment; 0: there is none. */
static inline uint64_t pair_find(const struct pair *p, unsigned run, const char *name, uint32_t nth)
{
	uint32_t line = pair_line(p->runs[run].source, name);

	for (uint32_t i = 1; i < p->runs[run].lines.size; i++)
		if (p->runs[run].lines.at[i] == line && nth-- == 0)
			return i;
	return 0;
}

static inline uint64_t pair_time(const struct pair *p, unsigned run, const char *name, uint32_t nth)
{
	uint64_t time = pair_find(p, run, name, nth);

	if (!time)
		fail_msg("run %u has no statement %u at %s", run, nth, name);
	return time;
}

/* The nth at the comment is aligned with the mth of the other run; m < 0: with nothing. */
static inline void pair_expect(const struct pair *p, const char *name, uint32_t n, int m)
{
	uint64_t a = pair_time(p, 0, name, n);
	uint64_t b = m < 0 ? 0 : pair_time(p, 1, name, (uint32_t)m);

	if (alignment_of_a(&p->al, a) != b)
		fail_msg("%s %u (statement %llu) is aligned with %llu, not %llu", name, n,
		         (unsigned long long)a, (unsigned long long)alignment_of_a(&p->al, a),
		         (unsigned long long)b);
	if (b)
		assert_int_equal(alignment_of_b(&p->al, b), a);
}

/* The nth at the comment is alone in the second run. */
static inline void pair_expect_alone(const struct pair *p, const char *name, uint32_t n)
{
	assert_int_equal(alignment_of_b(&p->al, pair_time(p, 1, name, n)), 0);
}

/* What decided that the nth at the comment was executed is the kth statement at `by`; NULL: nothing did. */
static inline void pair_expect_decided(const struct pair *p, unsigned run, const char *name,
                                       uint32_t n, const char *by, uint32_t k)
{
	const struct align_fork *fork =
		alignment_decided(&p->al, run == 0, pair_time(p, run, name, n));

	if (!by) {
		assert_null(fork);
		return;
	}
	assert_non_null(fork);
	assert_int_equal(run ? fork->b : fork->a, pair_time(p, run, by, k));
}

#endif
