/* Until the parts of the cause tree are there: the real ones replace these. Goes away with the last of them. */
#include "causes/tree_report.h"

#define WEAK __attribute__((weak))

static struct hence_error *missing(void)
{
	return error_create(HENCE_ERROR_INTERNAL, "the cause tree is not built yet");
}

WEAK struct hence_error *tree_build(const struct recording *run,
                                    const struct violation_question *question,
                                    const struct tree_options *options, struct tree *out)
{
	(void)run, (void)question, (void)options, (void)out;
	return missing();
}

WEAK void tree_deinit(struct tree *tree)
{
	(void)tree;
}

WEAK void tree_expand(struct tree *tree, uint32_t node)
{
	(void)tree, (void)node;
}

WEAK struct hence_error *tree_describe(struct tree *tree)
{
	(void)tree;
	return missing();
}

WEAK void tree_sort(struct tree *tree)
{
	(void)tree;
}

WEAK struct tree_counts tree_counts(const struct tree *tree)
{
	(void)tree;
	return (struct tree_counts){0};
}

WEAK struct symbolic *tree_symbolic(const struct tree *tree)
{
	(void)tree;
	return NULL;
}

WEAK struct solver *tree_solver(const struct tree *tree)
{
	(void)tree;
	return NULL;
}

WEAK struct hence_error *angelic_check(struct experiments *pool, const struct recording *run,
                                       const struct trial_result *result,
                                       const struct oracle *oracle,
                                       const struct angelic_options *options, struct tree *tree,
                                       struct angelic_counts *out)
{
	(void)pool, (void)run, (void)result, (void)oracle, (void)options, (void)tree, (void)out;
	return missing();
}

WEAK struct hence_error *violation_check_parse(const char *text, struct violation_check *out)
{
	(void)text, (void)out;
	return missing();
}

WEAK void violation_check_deinit(struct violation_check *check)
{
	(void)check;
}

WEAK struct hence_error *violation_find(const struct recording *run, struct symbolic *symbolic,
                                        const struct violation_question *question,
                                        struct violation *out)
{
	(void)run, (void)symbolic, (void)question, (void)out;
	return missing();
}

WEAK void violation_deinit(struct violation *violation)
{
	(void)violation;
}
