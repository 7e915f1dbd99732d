/* The cause tree: which statements are in its nodes, which conditions lead to which. */
#include "experiment_run.h"

#include "methods/tree.h"

struct case_ {
	struct lab lab;
	struct walk_place death;
	struct violation_question question;
	struct tree_options options;
	struct tree tree;
};

/* Prints the tree if HENCE_TEST_SHOW is set. */
static void show(const struct tree *tree)
{
	struct tree_counts counts = tree_counts(tree);

	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		const struct tree_node *n = &tree->nodes.at[i];

		printf("%*s#%u %s:%u reason %d (for line of %u): %s (%s), how %d, %u conditions, "
		       "%u + %llu instances\n",
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

/* The root alone; the rest on demand. */
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

/* The class of a triangle decides how its area is computed; `!=` should be `==`. */
static const char triangle[] = "#include <assert.h>\n"
			       "enum class { SCALENE, RIGHT, EQUAL };\n"
			       "static int area(int a, int b, int c)\n"
			       "{\n"
			       "	enum class class = SCALENE;\n"
			       "	int area = 0;\n"
			       "	if (a >= b && b >= c) { /* sorted */\n"
			       "		if (a == b || b == c) /* two */\n"
			       "			class = EQUAL;\n"
			       "		if (a * a != b * b + c * c) /* fault */\n"
			       "			class = RIGHT; /* class */\n"
			       "		if (a == b && b == c) /* three */\n"
			       "			class = EQUAL;\n"
			       "		switch (class) { /* switch */\n"
			       "		case RIGHT:\n"
			       "			area = b * c / 2; /* area */\n"
			       "			break;\n"
			       "		case EQUAL:\n"
			       "			area = 1;\n"
			       "			break;\n"
			       "		default:\n"
			       "			area = 9;\n"
			       "		}\n"
			       "	}\n"
			       "	return area; /* return */\n"
			       "}\n"
			       "int main(void)\n"
			       "{\n"
			       "	int result = area(6, 5, 4); /* call */\n"
			       "	assert(result == 9); /* assert */\n"
			       "	return 0;\n"
			       "}\n";

static void test_triangle(void **state)
{
	const struct tree_node *root, *n;
	struct case_ c;

	case_open(&c, triangle);
	case_grow(&c);
	root = node(&c, "assert", TREE_FAILURE);
	assert_true(has_line(root, lab_marked(&c.lab, "area")));
	assert_false(has_line(root, lab_marked(&c.lab, "class")));
	assert_false(has_line(root, lab_marked(&c.lab, "fault")));
	assert_string_equal(text(&c, root, "area"), "area = b * c / 2 = 10");
	n = node(&c, "switch", TREE_DIRECT);
	assert_int_equal(n->level, 1);
	check_lines(&c, n, "switch class");
	assert_string_equal(n->wanted, "class != RIGHT");
	assert_string_equal(text(&c, n, "class"), "class = RIGHT");
	n = node(&c, "fault", TREE_DIRECT);
	assert_int_equal(n->level, 2);
	assert_int_equal(c.tree.nodes.at[n->parent].line, lab_marked(&c.lab, "switch"));
	assert_string_equal(n->wanted, "a * a == b * b + c * c");
	assert_string_equal(n->numbers, "6 * 6 == 5 * 5 + 4 * 4");
	/* It could have been changed before the switch, and the area without it. */
	node(&c, "three", TREE_INDIRECT);
	node(&c, "sorted", TREE_DIRECT);
	/* What this one could have written is overwritten. */
	assert_null(find(&c, "two", TREE_INDIRECT));
	case_close(&c);
}

/* A thousand rounds are one node, and a cause has the first and the last of each instruction. */
static const char rounds[] = "#include <assert.h>\n"
			     "int main(void)\n"
			     "{\n"
			     "	int i = 0, sum = 0;\n"
			     "	while (i < 1000) { /* loop */\n"
			     "		if (i % 2 == 0) /* even */\n"
			     "			sum += i; /* add */\n"
			     "		i++; /* step */\n"
			     "	}\n"
			     "	assert(sum == 7); /* assert */\n"
			     "	return 0;\n"
			     "}\n";

static void test_rounds(void **state)
{
	struct tree_counts counts;
	const struct tree_node *n;
	struct case_ c;
	uint32_t loops = 0;

	case_open(&c, rounds);
	case_grow(&c);
	n = node(&c, "assert", TREE_FAILURE);
	assert_true(has_line(n, lab_marked(&c.lab, "add")));
	assert_true(n->cause.size < 60);
	assert_true(n->collapsed > 500);
	/* The last of them was not so, and might have been. */
	n = node(&c, "even", TREE_INDIRECT);
	assert_true(n->conditions.size >= 500);
	assert_true(n->conditions.at[0] > n->conditions.at[1]);
	assert_int_equal(n->condition, n->conditions.at[0]);
	node(&c, "loop", TREE_INDIRECT);
	for (uint32_t i = 0; i < c.tree.nodes.size; i++)
		loops += c.tree.nodes.at[i].line == lab_marked(&c.lab, "loop");
	assert_int_equal(loops, 1);
	counts = tree_counts(&c.tree);
	assert_true(counts.instances > 13000);
	assert_true(counts.inside < counts.instances / 50);
	case_close(&c);
}

/* What happens in half() is right: its branch stands for what controls its call. */
static const char correct[] = "#include <assert.h>\n"
			      "static int even(int n)\n"
			      "{\n"
			      "	return n % 2 == 0; /* even */\n"
			      "}\n"
			      "static int half(int n)\n"
			      "{\n"
			      "	int h = 0;\n"
			      "	if (even(n)) /* inside */\n"
			      "		h = n / 2; /* halved */\n"
			      "	return h;\n"
			      "}\n"
			      "int main(void)\n"
			      "{\n"
			      "	int n = 8, r = 0; /* n */\n"
			      "	if (n > 7) /* outside */\n"
			      "		r = half(n); /* call */\n"
			      "	assert(r == 5); /* assert */\n"
			      "	return 0;\n"
			      "}\n";

static bool is_half(void *context, const char *function)
{
	return !strcmp(function, "half");
}

static void test_correct(void **state)
{
	struct case_ c;

	case_open(&c, correct);
	case_grow(&c);
	assert_true(has_line(node(&c, "assert", TREE_FAILURE), lab_marked(&c.lab, "halved")));
	node(&c, "inside", TREE_DIRECT);
	tree_deinit(&c.tree);
	c.options.is_correct = is_half;
	case_grow(&c);
	for (uint32_t i = 0; i < c.tree.nodes.size; i++)
		for (uint32_t k = 0; k < c.tree.nodes.at[i].statements.size; k++)
			assert_string_equal(c.tree.nodes.at[i].statements.at[k].function, "main");
	assert_true(has_line(node(&c, "assert", TREE_FAILURE), lab_marked(&c.lab, "n")));
	assert_null(find(&c, "inside", TREE_DIRECT));
	assert_int_equal(node(&c, "outside", TREE_DIRECT)->level, 1);
	case_close(&c);
}

/* The write that should have reached a[2] went to a[1]; a[2] still has what it began with. */
static const char missed[] = "#include <assert.h>\n"
			     "int main(void)\n"
			     "{\n"
			     "	int a[4], i, k = 1; /* k */\n"
			     "	for (i = 0; i < 4; i++)\n"
			     "		a[i] = 0; /* clear */\n"
			     "	a[k] = 7; /* store */\n"
			     "	i = 2; /* i */\n"
			     "	assert(a[i] == 7); /* assert */\n"
			     "	return 0;\n"
			     "}\n";

static void test_missed(void **state)
{
	const struct tree_node *n;
	struct case_ c;

	case_open(&c, missed);
	case_grow(&c);
	n = node(&c, "assert", TREE_FAILURE);
	assert_true(has_line(n, lab_marked(&c.lab, "clear")));
	assert_false(has_line(n, lab_marked(&c.lab, "store")));
	n = node(&c, "store", TREE_MISSED);
	assert_int_equal(n->level, 1);
	check_lines(&c, n, "k store");
	assert_string_equal(n->wanted, "k == 2");
	assert_string_equal(n->numbers, "1 == 2");
	n = node(&c, "assert", TREE_ADDRESS);
	check_lines(&c, n, "i assert");
	assert_string_equal(n->wanted, "i != 2");
	case_close(&c);
}

/* The pointer is NULL since the option was not seen. */
static const char null[] = "#include <stddef.h>\n"
			   "struct item { int value; };\n"
			   "static struct item one = {3};\n"
			   "static struct item *pick(int flags)\n"
			   "{\n"
			   "	struct item *p = NULL; /* null */\n"
			   "	if (flags & 4) /* mask */\n"
			   "		p = &one;\n"
			   "	return p; /* return */\n"
			   "}\n"
			   "int main(void)\n"
			   "{\n"
			   "	int flags = 2; /* flags */\n"
			   "	struct item *item = pick(flags); /* call */\n"
			   "	return item->value; /* crash */\n"
			   "}\n";

static void test_null(void **state)
{
	const struct tree_node *n;
	struct case_ c;

	case_open(&c, null);
	case_grow(&c);
	n = node(&c, "crash", TREE_FAILURE);
	check_lines(&c, n, "null return call crash");
	n = node(&c, "mask", TREE_INDIRECT);
	assert_int_equal(n->level, 1);
	check_lines(&c, n, "flags call mask");
	assert_string_equal(n->wanted, "(flags & 4) != 0");
	case_close(&c);
}

/* An object is changed later, and one of its members forgotten. Who filled it in forgot nothing. */
static const char forgotten[] = "#include <assert.h>\n"
				"#include <stdlib.h>\n"
				"struct item { int key, value; };\n"
				"static struct item *make(int key, int value)\n"
				"{\n"
				"	struct item *item = malloc(sizeof *item);\n"
				"	item->value = value; /* value */\n"
				"	item->key = key; /* key */\n"
				"	return item;\n"
				"}\n"
				"static void replace(struct item *item, int key, int value)\n"
				"{\n"
				"	item->key = key; /* update */\n"
				"}\n"
				"int main(void)\n"
				"{\n"
				"	struct item *item = make(1, 2);\n"
				"	replace(item, 3, 4);\n"
				"	assert(item->value == 4); /* assert */\n"
				"	return 0;\n"
				"}\n";

static void test_forgotten(void **state)
{
	struct case_ c;

	case_open(&c, forgotten);
	case_grow(&c);
	assert_true(has_line(node(&c, "assert", TREE_FAILURE), lab_marked(&c.lab, "value")));
	assert_string_equal(node(&c, "update", TREE_MISSED)->wanted, "&item->key == &item->value");
	assert_null(find(&c, "key", TREE_MISSED));
	/* The pointer was only handed on: there is nothing wrong with it. */
	for (uint32_t i = 0; i < c.tree.nodes.size; i++)
		assert_int_not_equal(c.tree.nodes.at[i].reason, TREE_ADDRESS);
	case_close(&c);
}

/* No value of the three bits is 9: who wrote them is told all the same. */
static const char narrow[] = "#include <assert.h>\n"
			     "struct bits { unsigned low : 3; };\n"
			     "int main(void)\n"
			     "{\n"
			     "	struct bits bits;\n"
			     "	int n = 9; /* n */\n"
			     "	bits.low = n; /* store */\n"
			     "	assert(bits.low == 9); /* assert */\n"
			     "	return 0;\n"
			     "}\n";

static void test_narrow(void **state)
{
	struct case_ c;

	case_open(&c, narrow);
	case_grow(&c);
	check_lines(&c, node(&c, "assert", TREE_FAILURE), "n store assert");
	case_close(&c);
}

/* Nothing is printed. Two branches could have done it; what the third could have done is no output. */
static const char silent[] = "#include <stdio.h>\n"
			     "static int x;\n"
			     "static void say(void) { puts(\"yes\"); }\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	if (argc > 5) /* direct */\n"
			     "		puts(\"yes\");\n"
			     "	if (argc > 6) /* called */\n"
			     "		say();\n"
			     "	if (argc > 7) /* other */\n"
			     "		x = 1;\n"
			     "	return 0;\n"
			     "}\n";

static const char skipped[] = "#include <stdio.h>\n"
			      "int main(int argc, char **argv)\n"
			      "{\n"
			      "	if (argc > 5) /* before */\n"
			      "		puts(\"yes\");\n"
			      "	puts(\"no\");\n"
			      "	return 0;\n"
			      "}\n";

static void test_silent(void **state)
{
	struct case_ c;

	case_open(&c, silent);
	c.question.expected = "yes\n";
	c.question.expected_size = 4;
	case_grow(&c);
	assert_int_equal(node(&c, "direct", TREE_INDIRECT)->level, 1);
	assert_int_equal(node(&c, "called", TREE_INDIRECT)->level, 1);
	assert_null(find(&c, "other", TREE_INDIRECT));
	case_close(&c);
}

/* Something else is printed where that should have come. */
static void test_skipped(void **state)
{
	struct case_ c;

	case_open(&c, skipped);
	c.question.expected = "yes\nno\n";
	c.question.expected_size = 7;
	case_grow(&c);
	assert_int_equal(node(&c, "before", TREE_INDIRECT)->level, 1);
	case_close(&c);
}

/* What was printed was chosen by ?:. */
static const char choice[] = "#include <stdio.h>\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	int yes = argc > 1; /* yes */\n"
			     "	printf(\"it %s\\n\", yes ? argv[0] : \"fails\"); /* print */\n"
			     "	return 0;\n"
			     "}\n";

static void test_choice(void **state)
{
	const struct tree_node *n;
	struct case_ c;

	case_open(&c, choice);
	c.question.expected = "it ./prog\n";
	c.question.expected_size = 10;
	case_grow(&c);
	n = node(&c, "print", TREE_DIRECT);
	assert_int_equal(n->level, 1);
	assert_string_equal(n->wanted, "yes != 0");
	assert_true(has_line(n, lab_marked(&c.lab, "yes")));
	case_close(&c);
}

/* A text that is handed through functions: the wrong one was passed. */
static const char text_[] = "#include <assert.h>\n"
			    "#include <string.h>\n"
			    "static char name[8];\n"
			    "static void inner(const char *s) { strcpy(name, s); } /* copy */\n"
			    "static void outer(const char *s) { inner(s); }\n"
			    "int main(void)\n"
			    "{\n"
			    "	outer(\"xy\"); /* passed */\n"
			    "	assert(name[1] == 'z'); /* assert */\n"
			    "	return 0;\n"
			    "}\n";

static void test_text(void **state)
{
	struct case_ c;

	case_open(&c, text_);
	case_grow(&c);
	assert_true(has_line(node(&c, "assert", TREE_FAILURE), lab_marked(&c.lab, "copy")));
	assert_true(has_line(node(&c, "copy", TREE_ADDRESS), lab_marked(&c.lab, "passed")));
	case_close(&c);
}

/* Which function is called is the cause of all that it does. */
static const char callee[] = "#include <assert.h>\n"
			     "static int add(int a, int b) { return a + b; } /* add */\n"
			     "static int sub(int a, int b) { return a - b; } /* sub */\n"
			     "static int (*table[])(int, int) = {add, sub}; /* table */\n"
			     "int main(void)\n"
			     "{\n"
			     "	int op = 1; /* op */\n"
			     "	int r = table[op](5, 3); /* call */\n"
			     "	assert(r == 8); /* assert */\n"
			     "	return 0;\n"
			     "}\n";

static void test_callee(void **state)
{
	const struct tree_node *n;
	struct case_ c;

	case_open(&c, callee);
	case_grow(&c);
	assert_true(has_line(node(&c, "assert", TREE_FAILURE), lab_marked(&c.lab, "sub")));
	n = node(&c, "call", TREE_ADDRESS);
	/* The wrong function may be a wrong entry: what the table began with is told. */
	check_lines(&c, n, "op call table");
	assert_non_null(strstr(text(&c, n, "table"), "table[1] = "));
	assert_non_null(strstr(text(&c, n, "table"), "<sub> (initial value)"));
	case_close(&c);
}

/* --- words --- */

/* Conditions as they are told: what should have held, and the same with values. All of them are inverted. */
static const char conditions[] =
	"#include <ctype.h>\n"
	"#include <stdlib.h>\n"
	"enum kind { RED, GREEN, BLUE };\n"
	"struct bits { unsigned low : 3, high : 5; };\n"
	"static int twice(int n) { return 2 * n; }\n"
	"int main(void)\n"
	"{\n"
	"	int a = 2, b = 3, c = 4, list[] = {5, 6}, *p = NULL;\n"
	"	unsigned u = 7;\n"
	"	char letter = 'x';\n"
	"	double d = 1.5;\n"
	"	enum kind kind = GREEN;\n"
	"	struct bits bits = {5, 9};\n"
	"	if (a < b) c++; /* less */\n"
	"	if (a) c++; /* plain */\n"
	"	if (!a) c++; /* not */\n"
	"	if (!(a > b)) c++; /* not-more */\n"
	"	if (a * b + c == (a + b) * c) c++; /* sums */\n"
	"	if (a - (b - c) > a - b - c) c++; /* order */\n"
	"	if ((u & 6) == 6) c++; /* bits */\n"
	"	if (u << 1 > 3u) c++; /* shift */\n"
	"	if (p) c++; /* pointer */\n"
	"	if (letter == 'x') c++; /* letter */\n"
	"	if (d < 2.5) c++; /* real */\n"
	"	if (d != 1.5) c++; /* unequal */\n"
	"	if (kind != BLUE) c++; /* enum */\n"
	"	if (bits.low == 5) c++; /* field */\n"
	"	if (list[1] > list[0]) c++; /* element */\n"
	"	if (twice(b) == 6) c++; /* call */\n"
	"	if (isdigit(letter)) c++; /* class */\n"
	"	switch (kind) { case RED: case GREEN: c++; break; default: c--; } /* cases */\n"
	"	switch (a) { case 5: case 6: c++; break; default: c--; } /* default */\n"
	"	abort();\n"
	"}\n";

static const struct {
	const char *mark, *wanted, *numbers;
} said[] = {
	{"less", "a >= b", "2 >= 3"},
	{"plain", "a == 0", "2 == 0"},
	{"not", "a == 0", "2 == 0"},
	{"not-more", "a > b", "2 > 3"},
	/* c has been counted up three times by now: 7. */
	{"sums", "a * b + c == (a + b) * c", "2 * 3 + 7 == (2 + 3) * 7"},
	{"order", "a - (b - c) <= a - b - c", "2 - (3 - 7) <= 2 - 3 - 7"},
	{"bits", "(u & 6) != 6", "(7 & 6) != 6"},
	{"shift", "(u << 1) <= 3", "(7 << 1) <= 3"},
	{"pointer", "p != NULL", "NULL != NULL"},
	{"letter", "letter != 'x'", "'x' != 'x'"},
	{"real", "!(d < 2.5)", "!(1.5 < 2.5)"},
	{"unequal", "d != 1.5", "1.5 != 1.5"},
	{"enum", "kind == BLUE", "GREEN == BLUE"},
	{"field", "bits.low != 5", "5 != 5"},
	{"element", "list[1] <= list[0]", "6 <= 5"},
	{"call", "twice() != 6", "6 != 6"},
	{"class", "isdigit(letter) != 0", "isdigit('x') != 0"},
	{"cases", "kind != RED && kind != GREEN", "GREEN != RED && GREEN != GREEN"},
	{"default", "a == 5 || a == 6", "2 == 5 || 2 == 6"},
};

struct listener {
	const struct case_ *c;
	struct names *names;
	uint32_t checked;
};

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct listener *l = context;
	const struct activation *a = execution_top(e, 0);
	uint32_t code = a->function->first + a->pc - 1;
	char *wanted = NULL, *numbers = NULL;

	names_follow(l->names);
	tree_words_condition(l->names, code, TREE_OF_BRANCH, 0, &wanted, &numbers);
	for (uint32_t i = 0; wanted && i < sizeof(said) / sizeof(*said); i++) {
		if (lab_marked(&l->c->lab, said[i].mark) != names_place(l->names, code).line)
			continue;
		assert_string_equal(wanted, said[i].wanted);
		assert_string_equal(numbers, said[i].numbers);
		l->checked++;
	}
	free(wanted);
	free(numbers);
}

static void test_words(void **state)
{
	struct listener l = {0};
	const struct execution_options options = {
		.table = decoded_models, .statement = on_statement, .context = &l};
	struct case_ c;

	case_open(&c, conditions);
	l.c = &c;
	lab_must(names_visit(&c.lab.run, NULL, 0, &options, &l.names, NULL));
	assert_int_equal(l.checked, sizeof(said) / sizeof(*said));
	case_close(&c);
}

/* --- bounds --- */

static void test_nodes(void **state)
{
	struct case_ c;

	case_open(&c, triangle);
	c.options.nodes = 3;
	case_grow(&c);
	assert_int_equal(c.tree.nodes.size, 3);
	assert_true(c.tree.full);
	case_close(&c);
}

static bool at_once(void *context)
{
	return true;
}

static void test_stop(void **state)
{
	struct case_ c;

	case_open(&c, triangle);
	c.options.budget = &(struct budget){.ended = at_once};
	case_grow(&c);
	assert_int_equal(c.tree.nodes.size, 1);
	assert_true(c.tree.stopped);
	assert_true(c.tree.nodes.at[0].described);
	case_close(&c);
}

/* Only the end fits: what was there before is taken as it was. */
static void test_window(void **state)
{
	struct case_ c;

	case_open(&c, rounds);
	c.lab.run.memory = 16 * 1000;
	case_grow(&c);
	assert_true(c.tree.window);
	assert_int_equal(c.tree.notes.size, 1);
	assert_true(has_line(node(&c, "assert", TREE_FAILURE), lab_marked(&c.lab, "add")));
	node(&c, "even", TREE_INDIRECT);
	assert_true(tree_counts(&c.tree).instances > 13000);
	case_close(&c);
}

static void test_sort(void **state)
{
	struct case_ c;

	case_open(&c, critical);
	case_grow(&c);
	c.tree.nodes.at[2].proven = true;
	tree_sort(&c.tree);
	assert_int_equal(c.tree.nodes.at[0].children.at[0], 2);
	assert_int_equal(c.tree.nodes.at[0].children.at[1], 1);
	case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_critical), cmocka_unit_test(test_levels),
		cmocka_unit_test(test_triangle), cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_correct),  cmocka_unit_test(test_missed),
		cmocka_unit_test(test_null),     cmocka_unit_test(test_callee),
		cmocka_unit_test(test_nodes),    cmocka_unit_test(test_stop),
		cmocka_unit_test(test_window),   cmocka_unit_test(test_sort),
		cmocka_unit_test(test_words),    cmocka_unit_test(test_forgotten),
		cmocka_unit_test(test_narrow),   cmocka_unit_test(test_silent),
		cmocka_unit_test(test_skipped),  cmocka_unit_test(test_choice),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
