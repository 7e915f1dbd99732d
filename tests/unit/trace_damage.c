/*
 * Damaged tapes: real ones are recorded here, then changed in many ways, always the same ones, and
 * walked. Each walk must end, with counts or with an error that names the tape; it must not crash,
 * run on for ever, or ask for a lot of memory. Tapes name absolute paths, so none are kept: the
 * changes are given by offsets and by the seeds of a generator.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/str.h"
#include "outside/table.h"
#include "run/launch.h"
#include "run/session.h"
#include "trace/execution.h"
#include "trace/walk.h"

#define SECONDS 60          /* for one walk, on a slow machine with sanitizers */
#define MEMORY  (2ul << 20) /* KB that the whole test may use */

static char folder[] = "/tmp/hence-unit-XXXXXX";
static uint64_t clean, refused, told, decoded;
static void *models; /* their table */
static size_t models_size;

/* --- recording --- */

/* Calls of all kinds, branches, switches, computed goto, setjmp, callbacks, input and output. */
static const char plain_source[] =
	"#include <setjmp.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	"static jmp_buf back;\n"
	"static int depth(int n) { if (n == 0) longjmp(back, 7); return depth(n - 1) + 1; }\n"
	"static int one(int n) { return n + 1; }\n"
	"static int two(int n) { return n * 2; }\n"
	"static int (*table[])(int) = {one, two};\n"
	"static int order(const void *a, const void *b) { return *(int *)a - *(int *)b; }\n"
	"static int choose(int n) { switch (n) { case 0: return 5; case 3: return 2; case 900: "
	"return 1; }"
	" return 9; }\n"
	"static int jump(int n) { static void *to[] = {&&a, &&b}; goto *to[n & 1];\n"
	"a: return 1;\nb: return 2; }\n"
	"int main(void)\n{\n"
	"	int list[20], sum = 0; char text[40]; FILE *f = fopen(\"prog.c\", \"r\");\n"
	"	for (int i = 0; i < 20; i++) list[i] = (i * 7) % 20;\n"
	"	qsort(list, 20, sizeof(int), order);\n"
	"	for (int i = 0; i < 20; i++) sum += table[i & 1](choose(i)) + jump(i) + list[i];\n"
	"	if (!setjmp(back)) depth(5);\n"
	"	while (f && fgets(text, sizeof(text), f)) sum += (int)strlen(text);\n"
	"	char *copy = malloc(20); strcpy(copy, \"something\"); free(copy);\n"
	"	printf(\"%d\\n\", sum);\n	return 0;\n}\n";

/* Handlers that interrupt instrumented code: one returns, one jumps away, one ends the program. */
static const char handler_source[] =
	"#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\n"
	"static sigjmp_buf back;\nstatic volatile int count;\n"
	"static void trapped(int n) { count += n > 0 ? 1 : 2; }\n"
	"static void fault(int n) { if (++count > 5) _exit(3); siglongjmp(back, n); }\n"
	"static int risky(volatile int *p) { count++; return *p; }\n"
	"int main(void)\n{\n"
	"	signal(SIGTRAP, trapped); signal(SIGSEGV, fault);\n"
	"	for (int i = 0; i < 2; i++) { __asm__ volatile(\"int3\"); count += 0; }\n"
	"	if (sigsetjmp(back, 1)) printf(\"back %d\\n\", count);\n"
	"	return risky(0);\n}\n";

static const char fork_source[] =
	"#include <stdio.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
	"static int work(int n) { int s = 0; while (n-- > 0) s += n; return s; }\n"
	"int main(void)\n{\n"
	"	int n = work(10);\n"
	"	if (!fork()) { if (!fork()) _exit(work(5) > 100); wait(0); _exit(work(6)); }\n"
	"	wait(0);\n	return work(n) < 0;\n}\n";

static const char endless_source[] =
	"static int f(int n) { return n ? n : 1; }\n"
	"int main(int argc, char **argv) { if (f(argc)) for (;;) ; }\n";

static void build(const char *source)
{
	int fd = open("prog.c", O_CREAT | O_TRUNC | O_WRONLY, 0600);

	assert_int_equal(write(fd, source, strlen(source)), strlen(source));
	close(fd);
	assert_int_equal(system("$HENCE_CC -w prog.c -o prog"), 0);
}

static struct session record(const char *source, double timeout)
{
	char *argv[] = {"./prog", NULL};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct session_options options = {.tape_limit = 1 << 20};
	struct launch_result result;
	struct session session;

	build(source);
	options.table = models;
	options.table_size = models_size;
	assert_null(session_create(&options, &session));
	struct launch_options launch = {.path = "./prog",
	                                .argv = argv,
	                                .session = session.path,
	                                .streams = {null, null, null},
	                                .timeout = timeout};

	assert_null(launch_run(&launch, &result));
	launch_result_deinit(&result);
	close(null);
	return session;
}

/* --- walking --- */

static void hear(void *context, const struct walk_call *call)
{
	struct effects effects = call->effects;
	struct walk_place place;
	struct effect effect;

	assert_true(walk_where(context, 0, &place));
	assert_non_null(call->name);
	while (effects_next(&effects, &effect))
		told++;
}

/* Walks a tape that may be anything. */
static struct hence_error *walk(const struct session *session, uint32_t number,
                                uint64_t *instructions)
{
	struct modules *modules = modules_create();
	struct walk *w = NULL;
	struct hence_error *error;

	alarm(SECONDS);
	error = walk_create(modules, session->path, number, &w);
	if (!error) {
		walk_listen(w, hear, w);
		error = walk_to_end(w, NULL);
	}
	if (!error && instructions)
		*instructions = walk_counts(w)->instructions;
	walk_destroy(w);
	modules_destroy(modules);
	alarm(0);
	return error;
}

/* Decodes it, too, and asks about every instance where it came from. */
static void count_origin(void *context, const struct execution_origin *origin)
{
	uint64_t *count = context;

	*count += origin->source != 0;
}

static void decode(const struct session *session, uint32_t number)
{
	struct execution_options options = {.table = models, .retain = true, .memory = 512ul << 20};
	struct modules *modules = modules_create();
	struct execution *e = NULL;
	struct hence_error *error;
	uint32_t first, end;

	alarm(SECONDS);
	error = execution_create(modules, session->path, number, &options, &e);
	if (!error)
		error = execution_run(e, NULL);
	if (e) {
		execution_kept(e, &first, &end);
		for (uint32_t i = first; i < end; i++)
			execution_origins(e, i, 0, 0, count_origin, &decoded);
	}
	execution_destroy(e);
	modules_destroy(modules);
	error_destroy(error);
	alarm(0);
}

static void survive(const struct session *session, uint32_t number)
{
	struct hence_error *error = walk(session, number, NULL);

	clean += !error;
	refused += error != NULL;
	if (error && !strstr(error->message, ".tape"))
		fail_msg("does not name the tape: %s", error->message);
	error_destroy(error);
	decode(session, number);
}

/* As it was recorded, it can be walked. */
static void expect_good(const struct session *session, uint32_t number)
{
	uint64_t instructions = 0;
	struct hence_error *error = walk(session, number, &instructions);

	if (error)
		fail_msg("%s", error->message);
	assert_true(instructions > 0);
}

/* --- changing --- */

struct target {
	const struct session *session;
	uint32_t number;
	int fd;
	struct hence_head head;
	uint64_t end; /* of the stream */
};

static struct target target_open(const struct session *session, uint32_t number)
{
	struct target t = {.session = session, .number = number};
	char *path = str_format("%s/%08u.tape", session->path, number);

	t.fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(t.fd >= 0);
	assert_int_equal(pread(t.fd, &t.head, sizeof(t.head), 0), sizeof(t.head));
	t.end = (uint64_t)(t.head.cur - t.head.base);
	free(path);
	return t;
}

/* Walks with these bytes at this place, and puts back what was there. */
static void with(const struct target *t, uint64_t at, const void *bytes, size_t size)
{
	uint8_t old[64];

	assert_true(size <= sizeof(old));
	assert_int_equal(pread(t->fd, old, size, (off_t)at), size);
	assert_int_equal(pwrite(t->fd, bytes, size, (off_t)at), size);
	survive(t->session, t->number);
	assert_int_equal(pwrite(t->fd, old, size, (off_t)at), size);
}

static void with_byte(const struct target *t, uint64_t at, uint8_t flip)
{
	uint8_t byte;

	assert_int_equal(pread(t->fd, &byte, 1, (off_t)at), 1);
	byte ^= flip;
	with(t, at, &byte, 1);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* One change, chosen by the seed: a bit, a byte, a number, or bytes from elsewhere on the tape. */
static void with_seed(const struct target *t, uint64_t from, uint64_t to, uint64_t seed)
{
	static const uint32_t numbers[] = {
		0,          1,           0x7fffffff, 0x80000000,   0xffffffff,
		0xfe5e0001, HENCE_ENTER, HENCE_CALL, HENCE_RETURN, HENCE_RESUME};
	uint64_t state = seed * 0x9e3779b97f4a7c15u + 1, range = to - from;
	uint64_t kind = next_random(&state) % 4, at = from + next_random(&state) % range;
	uint8_t bytes[16];

	switch (kind) {
	case 0: with_byte(t, at, (uint8_t)(1u << next_random(&state) % 8)); break;
	case 1: with_byte(t, at, (uint8_t)next_random(&state)); break;
	case 2: with(t, at, &numbers[next_random(&state) % (sizeof(numbers) / 4)], 4); break;
	default:
		assert_int_equal(
			pread(t->fd, bytes, 16, (off_t)(from + next_random(&state) % range)), 16);
		with(t, at, bytes, 1 + next_random(&state) % 16);
	}
}

static void all_of_head(const struct target *t)
{
	static const uint8_t flips[] = {1, 0x80, 0xff};

	for (uint64_t at = 0; at < sizeof(t->head); at++)
		for (size_t i = 0; i < sizeof(flips); i++)
			with_byte(t, at, flips[i]);
}

/* The stream ends earlier than it did, or goes on into what was never written. */
static void other_ends(const struct target *t, uint64_t step)
{
	for (uint64_t end = HENCE_STREAM; end < t->end + 64; end += step) {
		const uint8_t *cur = t->head.base + end;

		with(t, offsetof(struct hence_head, cur), &cur, sizeof(cur));
	}
}

static uint32_t seeds(uint32_t normal)
{
	return getenv("HENCE_TEST_LONG") ? 20 * normal : normal / 2;
}

static void many_seeds(const struct target *t, uint64_t from, uint64_t to, uint32_t count)
{
	for (uint32_t seed = 0; seed < seeds(count); seed++)
		with_seed(t, from, to, seed);
}

/* Both ways to end are met, or the changes do not test much. */
static void expect_both(void)
{
	print_message("%lu walks to the end, %lu errors, %lu effects\n", clean, refused, told);
	assert_true(clean > 20 && refused > 20);
	clean = refused = told = 0;
}

/* --- tests --- */

static void test_plain(void **state)
{
	struct session session = record(plain_source, 0);
	struct target t = target_open(&session, 0);

	expect_good(&session, 0);
	assert_true(told > 20);
	all_of_head(&t);
	other_ends(&t, t.end / 200);
	for (uint64_t at = HENCE_STREAM; at < HENCE_STREAM + 60; at++) /* the module's record */
		with_byte(&t, at, 0xff);
	many_seeds(&t, HENCE_STREAM, t.end, 1000);
	expect_both();
	expect_good(&session, 0);
	close(t.fd);
	session_destroy(&session);
}

/* A return in the stream of a handler, which was called by nobody. */
static void return_from_handler(const struct target *t)
{
	uint64_t at = t->head.side_offset + sizeof(struct hence_side_record);
	uint32_t back[2] = {HENCE_RETURN, 0}, old[2];
	struct hence_error *error;

	assert_int_equal(pread(t->fd, old, 8, (off_t)at), 8);
	assert_int_equal(old[0], HENCE_ENTER);
	assert_int_equal(pwrite(t->fd, back, 8, (off_t)at), 8);
	error = walk(t->session, t->number, NULL);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "a return from nowhere"));
	error_destroy(error);
	assert_int_equal(pwrite(t->fd, old, 8, (off_t)at), 8);
}

static void test_handlers(void **state)
{
	struct session session = record(handler_source, 0);
	struct target t = target_open(&session, 0);
	uint64_t side = t.head.side_offset, end = side + t.head.side_size;

	expect_good(&session, 0);
	assert_true(side && t.head.side_size > 4 * sizeof(struct hence_side_record));
	assert_true(t.end > side); /* it ended in a handler */
	return_from_handler(&t);
	all_of_head(&t);
	for (uint64_t at = side; at < end; at++)
		with_byte(&t, at, at & 1 ? 0xff : 2);
	many_seeds(&t, side, t.end, 300);
	many_seeds(&t, HENCE_STREAM, HENCE_STREAM + 2000, 300);
	expect_both();
	expect_good(&session, 0);
	close(t.fd);
	session_destroy(&session);
}

static void test_family(void **state)
{
	static const uint32_t parents[] = {0, 1, 2, 3, 77, 0x7fffffff, 0xffffffff};
	static const uint64_t places[] = {0, 1, 4095, 4096, 4100, 1 << 20, 1 << 30, ~0ull};
	struct session session = record(fork_source, 0);

	for (uint32_t number = 0; number < 3; number++) {
		struct target t = target_open(&session, number);
		uint32_t parent = t.head.parent;

		expect_good(&session, number);
		for (size_t i = 0; i < sizeof(parents) / sizeof(*parents); i++)
			with(&t, offsetof(struct hence_head, parent), &parents[i], 4);
		for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
			with(&t, offsetof(struct hence_head, parent_at), &places[i], 8);
		for (uint64_t at = HENCE_STREAM; at < t.head.parent_at; at += 31)
			with(&t, offsetof(struct hence_head, parent_at), &at, 8);
		if (parent != number) /* what its parent's tape says matters too */
			many_seeds(&t, HENCE_STREAM, t.end, 50);
		close(t.fd);
	}
	expect_both();
	session_destroy(&session);
}

/* Two tapes that each say to come from the other. */
static void test_circle(void **state)
{
	struct session session = record(fork_source, 0);
	struct target first = target_open(&session, 0), second = target_open(&session, 1);
	uint32_t one = 1, zero = 0;
	uint64_t at = HENCE_STREAM;

	pwrite(first.fd, &one, 4, offsetof(struct hence_head, parent));
	pwrite(first.fd, &at, 8, offsetof(struct hence_head, parent_at));
	pwrite(second.fd, &zero, 4, offsetof(struct hence_head, parent));
	pwrite(second.fd, &at, 8, offsetof(struct hence_head, parent_at));
	for (uint32_t number = 0; number < 2; number++) {
		struct hence_error *error = walk(&session, number, NULL);

		assert_non_null(error);
		assert_non_null(strstr(error->message, "a child forked from nowhere"));
		error_destroy(error);
	}
	close(first.fd);
	close(second.fd);
	session_destroy(&session);
}

/* The program ran round in a loop that writes nothing: the walk ends where the tape does; if there
   is more on the tape, it is wrong. */
static void test_endless(void **state)
{
	struct session session = record(endless_source, 0.5);
	struct target t = target_open(&session, 0);
	const uint8_t *longer = t.head.base + t.end + 100;
	struct hence_error *error;

	expect_good(&session, 0);
	pwrite(t.fd, &longer, 8, offsetof(struct hence_head, cur));
	error = walk(&session, 0, NULL);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "a loop without an end"));
	error_destroy(error);
	close(t.fd);
	session_destroy(&session);
}

/* Files that end where they should not. */
static void test_truncated(void **state)
{
	struct session session = record(plain_source, 0);
	struct target t = target_open(&session, 0);
	uint64_t sizes[] = {t.head.limit, t.end + 1, t.end, t.end - 1, 8192,
	                    4097,         4096,      4095,  1,         0};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		assert_int_equal(ftruncate(t.fd, (off_t)sizes[i]), 0);
		survive(&session, 0);
	}
	assert_int_equal(clean, 1);
	assert_int_equal(refused, sizeof(sizes) / sizeof(*sizes) - 1);
	clean = refused = 0;
	close(t.fd);
	session_destroy(&session);
}

static void test_memory(void **state)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	assert_true((unsigned long)usage.ru_maxrss < MEMORY);
}

static int set_up(void **state)
{
	if (!getenv("HENCE_CC") || !getenv("SRC")) {
		print_message("HENCE_CC and SRC must be set, as tests/runner does\n");
		return 1;
	}
	char *path = str_format("%s/models", getenv("SRC"));

	assert_null(outside_table_load(path, NULL, 0, &models, &models_size));
	free(path);
	return !mkdtemp(folder) || chdir(folder) || setenv("HENCE_TAPE_DIR", folder, 1);
}

static int tear_down(void **state)
{
	free(models);
	assert_true(decoded > 1000000);
	unlink("prog.c");
	unlink("prog");
	return chdir("/") || rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),   cmocka_unit_test(test_handlers),
		cmocka_unit_test(test_family),  cmocka_unit_test(test_circle),
		cmocka_unit_test(test_endless), cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests_name("trace_damage", tests, set_up, tear_down);
}
