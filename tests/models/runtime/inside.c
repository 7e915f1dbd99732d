/* Objects that libc allocates, moves and frees inside of calls: are they seen? */
#include "harness.h"

#include <getopt.h>
#include <malloc.h>
#include <obstack.h>
#include <regex.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/objects.h"

static uint64_t size_at(const void *p)
{
	return hence_rt_objects_size((uint64_t)p);
}

static void test_usable_size(void **state)
{
	void *p;
	size_t n;

	CALL(p, malloc, "pl", ((size_t)1001));
	CALL(n, malloc_usable_size, "lp", (p));
	assert_true(n > 1001);
	assert_int_equal(size_at(p), n);
	CALL_VOID(free, "vp", (p));
	CALL(n, malloc_usable_size, "lp", (NULL));
	assert_int_equal(effect_count, 0);
}

static void compile(struct re_pattern_buffer *pattern, const char *text)
{
	memset(pattern, 0, sizeof(*pattern));
	re_set_syntax(RE_SYNTAX_POSIX_EXTENDED);
	assert_null(re_compile_pattern(text, strlen(text), pattern));
}

static void test_registers(void **state)
{
	struct re_pattern_buffer pattern;
	struct re_registers regs;
	regoff_t *start, at;

	compile(&pattern, "(a+)b");
	memset(&regs, 0x55, sizeof(regs));
	CALL(at, re_search, "ippiiip", (&pattern, "xyz", 3, 0, 3, &regs));
	assert_int_equal(at, -1);
	assert_int_equal(count_of(HENCE_ALLOCATED), 0);
	CALL(at, re_search, "ippiiip", (&pattern, "xxaab", 5, 0, 5, &regs));
	assert_int_equal(at, 2);
	assert_int_equal(count_of(HENCE_ALLOCATED), 2);
	assert_int_equal(count_of(HENCE_FREED), 0);
	assert_int_equal(size_at(regs.start), 4 * regs.num_regs);
	assert_int_equal(size_at(regs.end), 4 * regs.num_regs);
	CALL(at, re_match, "ippiip", (&pattern, "ab", 2, 0, &regs));
	assert_int_equal(at, 2);
	assert_int_equal(count_of(HENCE_ALLOCATED), 0);
	assert_wrote(effect_of(HENCE_WROTE, 2), regs.start, regs.start, 4 * regs.num_regs);
	assert_wrote(effect_of(HENCE_WROTE, 3), regs.end, regs.end, 4 * regs.num_regs);

	/* More of them are needed. */
	start = regs.start;
	regfree(&pattern);
	compile(&pattern, "(a)(b)(c)(d)(e)");
	pattern.regs_allocated = REGS_REALLOCATE;
	CALL(at, re_search, "ippiiip", (&pattern, "abcde", 5, 0, 5, &regs));
	assert_int_equal(at, 0);
	assert_int_equal(count_of(HENCE_FREED), 2);
	assert_int_equal(effect_of(HENCE_FREED, 0)->e.address, (uint64_t)start);
	assert_int_equal(size_at(regs.end), 4 * regs.num_regs);
	regfree(&pattern);
	CALL_VOID(free, "vp", (regs.start));
	CALL_VOID(free, "vp", (regs.end));
}

/* The pointers in the registers may be anything when the pattern was told not to set them. */
static void test_no_registers(void **state)
{
	struct re_pattern_buffer pattern;
	struct re_registers regs;
	regoff_t at;

	compile(&pattern, "b");
	pattern.no_sub = 1;
	memset(&regs, 0x55, sizeof(regs));
	CALL(at, re_search, "ippiiip", (&pattern, "ab", 2, 0, 2, &regs));
	assert_int_equal(at, 1);
	assert_int_equal(count_of(HENCE_ALLOCATED), 0);
	regfree(&pattern);
}

static void test_regfree(void **state)
{
	struct re_pattern_buffer pattern;
	char *map;

	compile(&pattern, "ab");
	CALL(map, malloc, "pl", ((size_t)256));
	pattern.fastmap = map;
	CALL_VOID(regfree, "vp", (&pattern));
	assert_int_equal(count_of(HENCE_FREED), 1);
	assert_int_equal(size_at(map), 0);
}

#define obstack_chunk_alloc malloc
#define obstack_chunk_free  free

static void test_obstack(void **state)
{
	struct obstack stack;
	struct _obstack_chunk *first;
	void (*release)(void *) = free;
	void *(*get)(long) = (void *(*)(long))malloc;
	int good;

	CALL(good, _obstack_begin, "ipiipp", (&stack, 0, 0, get, release));
	assert_true(good);
	first = stack.chunk;
	assert_int_equal(size_at(first), stack.chunk_limit - (char *)first);
	obstack_grow(&stack, "half", 4);
	CALL_VOID(_obstack_newchunk, "vpi", (&stack, 5000));
	assert_ptr_not_equal(stack.chunk, first);
	assert_int_equal(size_at(stack.chunk), stack.chunk_limit - (char *)stack.chunk);
	/* Nothing but what moved was in the first one: it is gone. */
	assert_null(stack.chunk->prev);
	assert_int_equal(size_at(first), 0);
	obstack_free(&stack, NULL);
}

static void test_maps(void **state)
{
	char *p, *q;
	int gone;

	CALL(p, mmap, "ppliiil",
	     (NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	assert_int_equal(size_at(p), 4096);
	CALL(q, mremap, "ppllip", (p, (size_t)4096, (size_t)65536, MREMAP_MAYMOVE, NULL));
	assert_int_equal(size_at(q), 65536);
	CALL(gone, munmap, "ipl", (q, (size_t)65536));
	assert_int_equal(gone, 0);
	assert_int_equal(size_at(q), 0);
}

static void test_flag_of_an_option(void **state)
{
	int flag = 0, index = 0, got;
	struct option options[] = {{"x", 0, NULL, 'x'}, {"flag", 0, &flag, 7}, {0}};
	char *words[] = {"prog", "--flag", NULL};

	optind = 0;
	CALL(got, getopt_long, "iipppp", (2, words, "", options, &index));
	assert_int_equal(got, 0);
	assert_int_equal(flag, 7);
	for (uint32_t n = 0; n < count_of(HENCE_WROTE); n++)
		if (effect_of(HENCE_WROTE, n)->e.address == (uint64_t)&flag)
			return;
	fail_msg("the flag was not recorded");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usable_size),       cmocka_unit_test(test_registers),
		cmocka_unit_test(test_no_registers),      cmocka_unit_test(test_regfree),
		cmocka_unit_test(test_obstack),           cmocka_unit_test(test_maps),
		cmocka_unit_test(test_flag_of_an_option),
	};

	core_start(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
