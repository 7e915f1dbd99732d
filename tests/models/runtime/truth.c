/*
 * Does libc.model tell the truth? Functions are called on an arena of memory, and whatever changes
 * there must be what the model says: recorded as written, or following from `copies` and `fills`,
 * whose bytes are checked too. So are results that the model claims to know. The same calls also go
 * through what hence itself makes of models (applied.h).
 */
#include "applied.h"

#include <search.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <regex.h>
#include <signal.h>
#include <locale.h>
#include <libgen.h>

#include "runtime/outside.h"
#include "runtime/outside_eval.h"

#undef basename
#undef strdup
extern int __xpg_strerror_r(int number, char *buffer, size_t size);

static char arena[16384] __attribute__((aligned(16)));
static char before[sizeof(arena)];
static uint8_t covered[sizeof(arena)];
static struct hence_rt_call *current;
static int64_t olds[OUTSIDE_OLDS];
static int64_t returned;

/* --- evaluating what the runtime leaves to the decoder --- */

static int64_t leaf_value(void *context, uint32_t op, int32_t value)
{
	switch (op) {
	case OUTSIDE_ARG: return hence_rt_argument(current, (uint32_t)value);
	case OUTSIDE_RET: return returned;
	case OUTSIDE_OLD: return olds[value];
	default: return 0;
	}
}

static int64_t load(void *context, uint64_t address, int32_t size)
{
	int64_t value = 0;

	if (address < 4096)
		return 0;
	memcpy(&value, (const void *)address, (size_t)size);
	return size == 4 ? (int32_t)value : size == 2 ? (int16_t)value : value;
}

static int64_t length(void *context, uint64_t address, uint32_t unit, uint64_t most)
{
	int64_t n = 0;

	if (unit == 4)
		return (int64_t)wcslen((const wchar_t *)address);
	while (address >= 4096 && (uint64_t)n < most && ((const char *)address)[n])
		n++;
	return n;
}

static int64_t object(void *context, uint64_t address)
{
	return 0;
}

static int64_t value_of(uint32_t code)
{
	static const struct outside_world world = {leaf_value, load, length, object};
	const char *base = (const char *)hence_rt_table;

	return outside_eval((const struct outside_insn *)(base + hence_rt_table->insns) + code,
	                    &world, NULL);
}

/* --- before --- */

static void check_begin(struct hence_rt_call *call)
{
	const struct outside_function *f = hence_rt_model(call->import->model);

	if (!f)
		fail_msg("no model of %s", call->import->name);
	current = call;
	memcpy(before, arena, sizeof(arena));
	memset(covered, 0, sizeof(covered));
	for (uint32_t k = 0; k < f->old_count; k++)
		olds[k] = value_of(f->olds[k]);
	applied_begin(call, arena, sizeof(arena));
}

/* --- after --- */

static void cover(uint64_t address, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++)
		if (address + i - (uint64_t)arena < sizeof(arena))
			covered[address + i - (uint64_t)arena] = 1;
}

/* A byte as it was before the call. */
static char old_byte(uint64_t address)
{
	uint64_t at = address - (uint64_t)arena;

	return at < sizeof(arena) ? before[at] : *(const char *)address;
}

static void check_copies(const struct outside_clause *c, const char *name)
{
	uint64_t to = (uint64_t)value_of(c[0].at), from = (uint64_t)value_of(c[1].at);
	int64_t start = value_of(c->from), end = value_of(c->to);

	for (int64_t i = start; i < end; i++)
		if (((const char *)to)[i] != old_byte(from + (uint64_t)i))
			fail_msg("%s: byte %d was not copied", name, (int)i);
	if (end > start)
		cover(to + (uint64_t)start, (uint64_t)(end - start));
}

static void check_fills(const struct outside_clause *c, const char *name)
{
	uint64_t to = (uint64_t)value_of(c->at);
	int64_t start = value_of(c->from), end = value_of(c->to);

	for (int64_t i = start; i < end; i++)
		if (((const char *)to)[i] != (char)value_of(c->extra))
			fail_msg("%s: byte %d was not filled", name, (int)i);
	if (end > start)
		cover(to + (uint64_t)start, (uint64_t)(end - start));
}

static void check_lends(const struct outside_clause *c)
{
	cover((uint64_t)value_of(c->at), (uint64_t)value_of(c->to));
}

static void check_clause(const struct outside_clause *c, const char *name)
{
	if (c->when && !value_of(c->when))
		return;
	if (c->kind == OUTSIDE_COPIES)
		check_copies(c, name);
	else if (c->kind == OUTSIDE_FILLS)
		check_fills(c, name);
	else if (c->kind == OUTSIDE_LENDS)
		check_lends(c);
	else if (c->kind == OUTSIDE_RETURNS && value_of(c->at) != returned)
		fail_msg("%s returned %llx, not %llx", name, (long long)returned,
		         (long long)value_of(c->at));
	else if (c->kind == OUTSIDE_RETURNS_INTO && returned &&
	         (uint64_t)returned - (uint64_t)arena >= sizeof(arena))
		fail_msg("%s returned a pointer to elsewhere", name);
}

static void check_end(struct hence_rt_call *call, void *result, uint32_t size)
{
	const struct outside_function *f = hence_rt_model(call->import->model);
	const char *name = call->import->name;

	call->result = result;
	call->result_size = size;
	returned = hence_rt_result_value(call);
	for (uint32_t i = 0; i < f->clause_count; i++)
		check_clause(&hence_rt_clauses(f)[i], name);
	call_end(call, result, size);
	for (uint32_t i = 0; i < effect_count; i++)
		if (effects[i].e.kind == HENCE_WROTE)
			cover(effects[i].e.address, effects[i].e.size);
	for (size_t i = 0; i < sizeof(arena); i++)
		if (arena[i] != before[i] && !covered[i])
			fail_msg("%s: changed byte %zu of the arena without a word", name, i);
	applied_end(name, result, size);
}

#define CHECK(result, name, signature, args)                                                       \
	do {                                                                                       \
		struct hence_rt_call *call_ = call_begin(#name, signature, UNPACK args);           \
		check_begin(call_);                                                                \
		(result) = name args;                                                              \
		check_end(call_, &(result), sizeof(result));                                       \
	} while (0)
#define CHECK_VOID(name, signature, args)                                                          \
	do {                                                                                       \
		struct hence_rt_call *call_ = call_begin(#name, signature, UNPACK args);           \
		check_begin(call_);                                                                \
		name args;                                                                         \
		check_end(call_, NULL, 0);                                                         \
	} while (0)

/* --- the functions --- */

#define A (arena)
#define B (arena + 1000)
#define C (arena + 2000)
#define D (arena + 3000)

static int fresh(void **state)
{
	for (size_t i = 0; i < sizeof(arena); i++)
		arena[i] = (char)(i * 7 + 1);
	memcpy(A, "hello, big world", 17);
	memcpy(B, "big", 4);
	memcpy(C, ", ", 3);
	return 0;
}

static void test_strings(void **state)
{
	char *p;
	size_t n;
	int r;

	CHECK(p, memcpy, "pppl", (D, A, (size_t)10));
	CHECK(p, memmove, "pppl", (A + 1, A, (size_t)10));
	fresh(NULL);
	CHECK(p, mempcpy, "pppl", (D, A, (size_t)10));
	CHECK(p, memccpy, "pppil", (D, A, ',', (size_t)15));
	CHECK(p, memccpy, "pppil", (D, A, '?', (size_t)15));
	CHECK(p, memset, "ppil", (D, 300, (size_t)77));
	CHECK_VOID(bzero, "vpl", (D, (size_t)7));
	CHECK_VOID(bcopy, "vppl", (A, D, (size_t)7));
	CHECK(p, memchr, "ppil", (A, 'w', (size_t)17));
	CHECK(p, memmem, "pplpl", (A, (size_t)17, B, (size_t)3));
	CHECK(p, strcpy, "ppp", (D, A));
	CHECK(p, stpcpy, "ppp", (D, A));
	CHECK(p, strncpy, "pppl", (D, A, (size_t)5));
	CHECK(p, strncpy, "pppl", (D, A, (size_t)50));
	CHECK(p, stpncpy, "pppl", (D, B, (size_t)9));
	CHECK(p, stpncpy, "pppl", (D, B, (size_t)2));
	strcpy(D, "x");
	CHECK(p, strcat, "ppp", (D, A));
	CHECK(p, strncat, "pppl", (D, A, (size_t)4));
	CHECK(p, strncat, "pppl", (D, A, (size_t)400));
	CHECK(p, strchr, "ppi", (A, 'b'));
	CHECK(p, strrchr, "ppi", (A, 'l'));
	CHECK(p, strstr, "ppp", (A, B));
	CHECK(p, strpbrk, "ppp", (A, C));
	CHECK(p, strtok, "ppp", (A, C));
	CHECK(p, strtok, "ppp", (NULL, C));
	CHECK(p, strtok, "ppp", (NULL, C));
	CHECK(p, strtok, "ppp", (NULL, C));
	assert_null(p);
	fresh(NULL);
	CHECK(p, strtok_r, "pppp", (A, C, (char **)(D)));
	CHECK(p, strtok_r, "pppp", (NULL, C, (char **)(D)));
	fresh(NULL);
	*(char **)(D) = A;
	CHECK(p, strsep, "ppp", ((char **)(D), C));
	CHECK(p, strsep, "ppp", ((char **)(D), C));
	CHECK(n, strxfrm, "lppl", (D, A, (size_t)5));
	CHECK(n, strxfrm, "lppl", (D, B, (size_t)50));
	CHECK_VOID(swab, "vppl", (A, D, (ssize_t)6));
	CHECK(p, strdup, "pp", (B));
	free(p);
	CHECK(p, strndup, "ppl", (B, (size_t)2));
	free(p);
	CHECK(r, __xpg_strerror_r, "iipl", (2, D, (size_t)100));
	CHECK(p, basename, "pp", (B));
	strcpy(A, "/usr/lib/");
	CHECK(p, dirname, "pp", (A));
}

static int by_byte(const void *a, const void *b)
{
	return *(const char *)a - *(const char *)b;
}

static void test_stdlib(void **state)
{
	long l;
	double d;
	char *p;
	int r;
	size_t count = 10;

	strcpy(A, "12.5e1x");
	CHECK(l, strtol, "lppi", (A, (char **)(D), 10));
	CHECK(d, strtod, "dpp", (A, (char **)(D)));
	CHECK(r, rand_r, "ip", ((unsigned *)(D)));
	CHECK(d, erand48, "dp", ((unsigned short *)(D)));
	CHECK(p, initstate, "pipl", (1u, D, (size_t)64));
	CHECK(p, setstate, "pp", (p));
	CHECK_VOID(qsort, "vpllp", (B, (size_t)300, (size_t)1, by_byte));
	CHECK_VOID(qsort, "vpllp", (B, (size_t)30, (size_t)10, by_byte));
	CHECK(p, bsearch, "pppllp", (A, B, (size_t)30, (size_t)10, by_byte));
	*(size_t *)(D) = count;
	A[0] = 'q';
	CHECK(p, lsearch, "ppppllp", (A, B, (size_t *)(D), (size_t)1, by_byte));
	CHECK(r, posix_memalign, "ipll", ((void **)(D), (size_t)64, (size_t)100));
	free(*(void **)(D));
	strcpy(A, "/tmp/../tmp");
	CHECK(p, realpath, "ppp", (A, B));
	strcpy(A, "/tmp/hence-x-XXXXXX");
	CHECK(r, mkstemp, "ip", (A));
	close(r);
	unlink(A);
	CHECK(p, gcvt, "pdip", (1.5, 5, D));
	CHECK(d, frexp, "ddp", (6.5, (int *)(D)));
	CHECK(d, modf, "ddp", (6.5, (double *)(D)));
	CHECK(d, remquo, "dddp", (6.5, 2.0, (int *)(D)));
	(void)l;
	(void)d;
}

static void test_formats(void **state)
{
	int r;
	FILE *file;

	CHECK(r, sprintf, "ippip", (D, "%d %s", 12, A));
	CHECK(r, snprintf, "iplpip", (D, (size_t)4, "%d %s", 12, A));
	CHECK(r, asprintf, "ippip", ((char **)(D), "%d %s", 12, A));
	free(*(char **)(D));
	CHECK(r, swprintf, "iplpi", ((wchar_t *)(D), (size_t)50, L"%d", 12));
	strcpy(A, "12 0x1f word 1.5 x [abc] 7");
	CHECK(r, sscanf, "ipppppppppp",
	      (A, "%d %x %5s %lf %c [%3[abc]] %hhd%n", (int *)(D), (unsigned *)(D + 8), D + 16,
	       (double *)(D + 32), D + 40, D + 48, D + 56, (int *)(D + 60)));
	assert_int_equal(r, 7);
	CHECK(r, sscanf, "ippp", (A, "%Lf", (long double *)(D)));
	CHECK(r, sscanf, "ippp", (A, "%3c", D));
	CHECK(r, sscanf, "ippp", (A, "%ls", (wchar_t *)(D)));
	CHECK(r, sscanf, "ippp", (A, "zzz%d", (int *)(D)));
	file = tmpfile();
	fputs("line one\n\0two\nthree 3", file);
	CHECK_VOID(rewind, "vp", (file));
	char *p;
	CHECK(p, fgets, "ppip", (D, 5, file));
	CHECK(p, fgets, "ppip", (D, 500, file));
	size_t n;
	CHECK(n, fread, "lpllp", (B, (size_t)2, (size_t)3, file));
	CHECK(r, fscanf, "ippp", (file, "%s", D));
	CHECK(r, fgetpos, "ipp", (file, (fpos_t *)(D)));
	CHECK(r, fsetpos, "ipp", (file, (const fpos_t *)(D)));
	ssize_t l;
	CHECK(l, pread, "lipll", (fileno(file), D, (size_t)5, (off_t)2));
	CHECK(r, fstat, "iip", (fileno(file), (struct stat *)(D)));
	fclose(file);
	(void)n;
	(void)l;
}

static void test_time_and_system(void **state)
{
	time_t t;
	int r;
	char *p;
	struct tm *tm;
	size_t n;
	ssize_t l;

	CHECK(t, time, "lp", ((time_t *)(D)));
	CHECK(tm, gmtime_r, "ppp", ((time_t *)(D), (struct tm *)(B)));
	CHECK(tm, localtime_r, "ppp", ((time_t *)(D), (struct tm *)(B)));
	CHECK(t, mktime, "lp", ((struct tm *)(B)));
	CHECK(p, asctime_r, "ppp", ((struct tm *)(B), D));
	strcpy(A, "%Y-%m-%d");
	CHECK(n, strftime, "lplpp", (D, (size_t)100, A, (struct tm *)(B)));
	CHECK(p, strptime, "pppp", (D, A, (struct tm *)(B)));
	CHECK(r, clock_gettime, "iip", (CLOCK_REALTIME, (struct timespec *)(D)));
	clock_t c;
	CHECK(c, times, "lp", ((struct tms *)(D)));
	CHECK(r, uname, "ip", ((struct utsname *)(D)));
	CHECK(p, getcwd, "ppl", (D, (size_t)1000));
	strcpy(A, "/proc/self/exe");
	CHECK(r, stat, "ipp", (A, (struct stat *)(D)));
	CHECK(l, readlink, "lppl", (A, D, (size_t)500));
	CHECK(r, gethostname, "ipl", (D, (size_t)100));
	CHECK(r, sigemptyset, "ip", ((sigset_t *)(D)));
	CHECK(r, sigaddset, "ipi", ((sigset_t *)(D), SIGUSR1));
	CHECK(r, sigprocmask, "iipp", (SIG_BLOCK, (sigset_t *)(D), (sigset_t *)(B)));
	CHECK(r, sigaction, "iipp", (SIGUSR2, NULL, (struct sigaction *)(D)));
	strcpy(A, "b*a\\(.\\)");
	CHECK(r, regcomp, "ippi", ((regex_t *)(D), A, 0));
	strcpy(A, "xxbbaz");
	CHECK(r, regexec, "ipplpi", ((regex_t *)(D), A, (size_t)2, (regmatch_t *)(B), 0));
	assert_int_equal(r, 0);
	CHECK(n, regerror, "lippl", (r, (regex_t *)(D), C, (size_t)100));
	CHECK_VOID(regfree, "vp", ((regex_t *)(D)));
	(void)t;
	(void)tm;
	(void)c;
	(void)n;
	(void)l;
}

static void test_wide(void **state)
{
	wchar_t *w = (wchar_t *)(B), *v = (wchar_t *)(D), *r;
	size_t n;
	int i;

	CHECK(n, mbstowcs, "lppl", (w, A, (size_t)100));
	CHECK(n, mbstowcs, "lppl", (v, A, (size_t)3));
	CHECK(n, wcstombs, "lppl", (D, w, (size_t)100));
	CHECK(i, mbtowc, "ippl", (v, A, (size_t)5));
	CHECK(i, wctomb, "ipi", (D, L'x'));
	memset(C, 0, 8);
	CHECK(n, mbrtowc, "lpplp", (v, A, (size_t)5, (mbstate_t *)(C)));
	CHECK(r, wcscpy, "ppp", (v, w));
	CHECK(r, wcpcpy, "ppp", (v, w));
	CHECK(r, wcscat, "ppp", (v, w));
	CHECK(r, wcsncpy, "pppl", (v, w, (size_t)50));
	CHECK(r, wcsncat, "pppl", (v, w, (size_t)3));
	CHECK(r, wmemcpy, "pppl", (v, w, (size_t)3));
	CHECK(r, wmemset, "ppil", (v, L'q', (size_t)3));
	CHECK(r, wcschr, "ppi", (w, L'b'));
	(void)n;
	(void)r;
}

/* A model that is wrong must be found out, or all of this proves nothing. */
static void test_a_lie_is_found(void **state)
{
	struct hence_rt_call *call = call_begin("rand_r", "ip", D);
	const struct outside_function *f;
	int r;

	check_begin(call);
	r = rand_r((unsigned *)(D));
	A[0] ^= 1;
	f = hence_rt_model(call->import->model);
	assert_int_equal(f->active, 2);
	call_end(call, &r, sizeof(r));
	for (uint32_t i = 0; i < effect_count; i++)
		cover(effects[i].e.address, effects[i].e.size);
	assert_true(covered[D - A] && !covered[0] && arena[0] != before[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_strings, fresh),
		cmocka_unit_test_setup(test_stdlib, fresh),
		cmocka_unit_test_setup(test_formats, fresh),
		cmocka_unit_test_setup(test_time_and_system, fresh),
		cmocka_unit_test_setup(test_wide, fresh),
		cmocka_unit_test_setup(test_a_lie_is_found, fresh),
	};

	core_start(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
