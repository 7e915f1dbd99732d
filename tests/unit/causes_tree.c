/* The cause tree: which statements are in its nodes, which conditions lead to which. */
#include "experiment_run.h"

#include "causes/tree.h"

struct case_ {
	struct lab lab;
	struct walk_place death;
	struct violation_question question;
	struct tree_options options;
	struct tree tree;
};

/* For who wants to see it: HENCE_TEST_SHOW=1. */
static void show(const struct tree *tree)
{
	struct tree_counts counts = tree_counts(tree);

	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		const struct tree_node *n = &tree->nodes.at[i];

		printf("%*s#%u %s:%u reason %d (for line of %u): %s (%s), how %d, %u conditions, %u + %llu instances\n",
		       (int)n->level * 4, "", i, n->file, n->line, n->reason, n->parent, n->wanted,
		       n->numbers, n->how, n->conditions.size, n->cause.size,
		       (unsigned long long)n->collapsed);
		for (uint32_t k = 0; k < n->statements.size; k++)
			printf("%*s  %u: %s (%llu)%s\n", (int)n->level * 4, "",
			       n->statements.at[k].line, n->statements.at[k].text,
			       (unsigned long long)n->statements.at[k].count,
			       n->statements.at[k].condition ? " !" : "");
		for (uint32_t k = 0; k < n->again.size; k++)
			printf("%*s  again #%u\n", (int)n->level * 4, "", n->again.at[k]);
	}
	printf("%llu of %llu instances, %llu collapsed, %llu lines, %.3f s, %llu calls of Z3\n",
	       (unsigned long long)counts.inside, (unsigned long long)counts.instances,
	       (unsigned long long)counts.collapsed, (unsigned long long)counts.lines,
	       counts.seconds, (unsigned long long)counts.solver.calls);
}

/* Builds and records. */
static void case_open(struct case_ *c, const char *source)
{
	const struct outcome *outcome = &c->lab.recorded.outcome;

	*c = (struct case_){.lab = lab_open(source), .options = {.levels = 4}};
	lab_start(&c->lab);
	c->question.outcome = outcome;
	c->question.output = &c->lab.recorded.output;
	if (outcome->kind != OUTCOME_SIGNALLED)
		return;
	c->death = (struct walk_place){.function = outcome->place.function,
	                               .line = (unsigned)outcome->place.line,
	                               .column = (unsigned)outcome->place.column};
	c->lab.run.death = &c->death;
}

static void case_grow(struct case_ *c)
{
	lab_must(tree_build(&c->lab.run, &c->question, &c->options, &c->tree));
	lab_must(tree_describe(&c->tree));
	if (getenv("HENCE_TEST_SHOW"))
		show(&c->tree);
}

static void case_close(struct case_ *c)
{
	tree_deinit(&c->tree);
	lab_close(&c->lab);
}

/* --- what nodes have --- */

static const struct tree_node *find(const struct case_ *c, const char *mark,
                                    enum tree_reason reason)
{
	unsigned line = lab_marked(&c->lab, mark);

	for (uint32_t i = 0; i < c->tree.nodes.size; i++)
		if (c->tree.nodes.at[i].line == line && c->tree.nodes.at[i].reason == reason)
			return &c->tree.nodes.at[i];
	return NULL;
}

static const struct tree_node *node(const struct case_ *c, const char *mark,
                                    enum tree_reason reason)
{
	const struct tree_node *n = find(c, mark, reason);

	if (!n)
		fail_msg("no node at %s", mark);
	return n;
}

static bool has_line(const struct tree_node *n, unsigned line)
{
	for (uint32_t i = 0; i < n->statements.size; i++)
		if (n->statements.at[i].line == line)
			return true;
	return false;
}

/* The lines of the node's statements are those with these marks (words), and no others. */
static void check_lines(const struct case_ *c, const struct tree_node *n, const char *marks)
{
	char *words = mem_strdup(marks), *rest = words, *word;
	VEC(unsigned) lines = VEC_INIT;

	while ((word = strsep(&rest, " "))) {
		*vec_push(&lines) = lab_marked(&c->lab, word);
		if (!has_line(n, lab_marked(&c->lab, word)))
			fail_msg("%s is not in the cause", word);
	}
	for (uint32_t i = 0; i < n->statements.size; i++) {
		bool is = false;

		for (uint32_t k = 0; k < lines.size; k++)
			is |= lines.at[k] == n->statements.at[i].line;
		if (!is)
			fail_msg("line %u is in the cause, and not one of: %s",
			         n->statements.at[i].line, marks);
	}
	free(words);
	vec_deinit(&lines);
}

static const char *text(const struct case_ *c, const struct tree_node *n, const char *mark)
{
	for (uint32_t i = 0; i < n->statements.size; i++)
		if (n->statements.at[i].line == lab_marked(&c->lab, mark))
			return n->statements.at[i].text;
	fail_msg("no statement at %s", mark);
	return NULL;
}

/* --- programs --- */

/* Two conditions are critical for d: one that lets it be computed, one that could have changed c. What stands in a
   branch that was not taken is none. */
static const char critical[] = "#include <assert.h>\n"
			       "int main(void)\n"
			       "{\n"
			       "	int a = 2; /* a */\n"
			       "	int b = 1; /* b */\n"
			       "	int c = 1; /* c */\n"
			       "	int d = 0; /* d */\n"
			       "	if (a > 0) { /* direct */\n"
			       "		if (b < 0) { /* indirect */\n"
			       "			if (a < 5) /* unseen */\n"
			       "				c = 2;\n"
			       "		}\n"
			       "		d = c + 3; /* sum */\n"
			       "	}\n"
			       "	assert(d == 5); /* assert */\n"
			       "	return 0;\n"
			       "}\n";

static void test_critical(void **state)
{
	const struct tree_node *n;
	struct case_ c;

	case_open(&c, critical);
	case_grow(&c);
	assert_int_equal(c.tree.nodes.size, 3);
	n = node(&c, "assert", TREE_FAILURE);
	check_lines(&c, n, "c sum assert");
	assert_string_equal(text(&c, n, "sum"), "d = c + 3 = 4");
	assert_string_equal(text(&c, n, "c"), "c = 1");
	assert_int_equal(n->children.size, 2);
	assert_true(n->expanded);
	n = node(&c, "direct", TREE_DIRECT);
	check_lines(&c, n, "a direct");
	assert_int_equal(n->level, 1);
	assert_string_equal(n->wanted, "a <= 0");
	assert_string_equal(n->numbers, "2 <= 0");
	assert_int_equal(n->parent, 0);
	assert_int_equal(n->occurrence, 1);
	n = node(&c, "indirect", TREE_INDIRECT);
	check_lines(&c, n, "b indirect");
	assert_int_equal(n->level, 1);
	assert_string_equal(n->wanted, "b < 0");
	assert_string_equal(n->numbers, "1 < 0");
	case_close(&c);
}

/* The root alone; the rest when it is asked for. */
static void test_levels(void **state)
{
	struct case_ c;

	case_open(&c, critical);
	c.options.levels = 0;
	case_grow(&c);
	assert_int_equal(c.tree.nodes.size, 1);
	assert_false(c.tree.nodes.at[0].expanded);
	tree_expand(&c.tree, 0);
	lab_must(tree_describe(&c.tree));
	assert_int_equal(c.tree.nodes.size, 3);
	assert_true(c.tree.nodes.at[0].expanded);
	assert_false(c.tree.nodes.at[1].expanded);
	check_lines(&c, node(&c, "direct", TREE_DIRECT), "a direct");
	tree_expand(&c.tree, 1);
	assert_int_equal(c.tree.nodes.size, 3);
	assert_true(c.tree.nodes.at[1].expanded);
	case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_critical),
		cmocka_unit_test(test_levels),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
