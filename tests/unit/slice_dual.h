/*
 * Dual slices of two runs for tests: the lines with a comment that are in it are compared with those that
 * were worked out by hand.
 */
#ifndef HENCE_TESTS_UNIT_SLICE_DUAL_H
#define HENCE_TESTS_UNIT_SLICE_DUAL_H

#include "align_pair.h"

#include "slice/dual.h"

/* From the statement at this comment in the runs that have it. Free with dual_destroy(). */
static inline struct dual *dual_from(const struct pair *p, const char *name)
{
	struct dual_seed seed = {{pair_find(p, 0, name, 0), pair_find(p, 1, name, 0)}, {0}, {0}};
	struct dual *dual;

	pair_must(dual_find(&p->runs[0].recording, &p->runs[1].recording, &p->al, &seed, 1, NULL,
	                    &dual));
	return dual;
}

static inline bool dual_has_line(const struct dual *dual, unsigned run, uint32_t line)
{
	const struct execution *e = dual_execution(dual, run);
	uint32_t first, end;

	execution_kept(e, &first, &end);
	for (uint32_t i = first; i < end; i++)
		if (dual_has(dual, run, i) &&
		    LLVMGetDebugLocLine(execution_instruction(e, i)) == line)
			return true;
	return false;
}

static inline bool dual_is_named(const char *names, const char *name, size_t length)
{
	for (const char *at = names; (at = strstr(at, name)); at++)
		if ((at == names || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

/* Of the lines with a comment, exactly these have an instance in the slice of that run. */
static inline void dual_expect(const struct pair *p, const struct dual *dual, unsigned run,
                               const char *names)
{
	const char *source = p->runs[run].source, *at = source;
	uint32_t wrong = 0;

	while ((at = strstr(at, "/*"))) {
		size_t length = strcspn(at + 2, "*");
		char *name = strndup(at + 2, length);
		bool there = dual_has_line(dual, run, pair_line(source, name));

		if (there != dual_is_named(names, name, length)) {
			print_message("run %u: %s is %s\n", run, name,
			              there ? "too much" : "missing");
			wrong++;
		}
		free(name);
		at += 2;
	}
	assert_int_equal(wrong, 0);
}

/* Both arguments, the seed, what is expected of each run. */
static inline void dual_check(const char *source, const char *a, const char *b, const char *seed,
                              const char *first, const char *second)
{
	struct pair p = pair_create(source, a, b);
	struct dual *dual = dual_from(&p, seed);

	dual_expect(&p, dual, 0, first);
	dual_expect(&p, dual, 1, second);
	dual_destroy(dual);
	pair_free(&p);
}

#endif
