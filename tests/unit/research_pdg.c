/*
 * Program dependence graphs of tiny programs, against edges that were derived by hand from the source. A program is a list of lines;
 * an expected graph is 'FROM>TO' for each edge, 'd' behind it for data, 'c' for control, in any order.
 */
#include "model_source.h"

#include "model/plan.h"
#include "outside/table.h"
#include "research/pdg.h"

static void read_graph(const char *text, struct score_graph *out)
{
	LLVMModuleRef module = source_compile(text, "-std=gnu11");
	struct plan *plan = plan_create(module, NULL);
	const struct plan *plans[] = {plan};
	void *models = NULL;
	char *folder;
	size_t size;

	folder = str_format("%s/models", getenv("SRC") ? getenv("SRC") : ".");
	assert_null(outside_table_load(folder, NULL, 0, &models, &size));
	free(folder);
	pdg_build(plans, 1, models, out);
	free(models);
	plan_destroy(plan);
	source_free(module);
}

static bool has_node(const struct score_graph *graph, unsigned line)
{
	for (uint32_t i = 0; i < graph->nodes.size; i++)
		if (graph->nodes.at[i].line == line)
			return true;
	return false;
}

static unsigned kind_of(const struct score_graph *graph, unsigned from, unsigned to)
{
	map_each(&graph->edges, i)
	{
		uint64_t key = graph->edges.at[i].key;

		if (graph->nodes.at[key >> 32].line == from &&
		    graph->nodes.at[(uint32_t)key].line == to)
			return graph->edges.at[i].value;
	}
	return 0;
}

static void print_graph(const struct score_graph *graph)
{
	map_each(&graph->edges, i)
	{
		uint64_t key = graph->edges.at[i].key;

		print_error("%u>%u%s%s ", graph->nodes.at[key >> 32].line,
		            graph->nodes.at[(uint32_t)key].line,
		            graph->edges.at[i].value & SCORE_DATA ? "d" : "",
		            graph->edges.at[i].value & SCORE_CONTROL ? "c" : "");
	}
	print_error("\n");
}

static void expect_edge(const struct score_graph *graph, const char *word)
{
	unsigned from, to, kind;
	char kinds[3] = "";

	assert_true(sscanf(word, "%u>%u%2[dc]", &from, &to, kinds) >= 2);
	kind = (strchr(kinds, 'd') ? SCORE_DATA : 0u) | (strchr(kinds, 'c') ? SCORE_CONTROL : 0u);
	if (kind_of(graph, from, to) != kind) {
		print_graph(graph);
		fail_msg("%s: the graph has %u", word, kind_of(graph, from, to));
	}
}

/* The nodes are `lines`, and the edges are these. */
static void expect(const char *text, const char *lines, const char *edges)
{
	struct score_graph graph;
	char *words = strdup(edges), *numbers = strdup(lines), *rest = NULL;
	uint32_t count = 0;

	read_graph(text, &graph);
	for (char *w = strtok_r(numbers, " ", &rest); w; w = strtok_r(NULL, " ", &rest), count++)
		if (!has_node(&graph, (unsigned)atoi(w)))
			fail_msg("line %s is no node", w);
	assert_int_equal(graph.nodes.size, count);
	count = 0;
	for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest), count++)
		expect_edge(&graph, w);
	if (graph.edges.size != count) {
		print_graph(&graph);
		fail_msg("%u edges, not %u", (unsigned)graph.edges.size, count);
	}
	free(words);
	free(numbers);
	score_graph_deinit(&graph);
}

/* The published example of chains: x decides about t by the branch, and gives y; both give the output. */
static void test_branch(void **state)
{
	expect("int f(int a)\n"        /* 1 */
	       "{\n"                   /* 2 */
	       "\tint x = a, t, s;\n"  /* 3 */
	       "\tint y = x << 1;\n"   /* 4 */
	       "\tif (x > 0)\n"        /* 5 */
	       "\t\tt = x << 2;\n"     /* 6 */
	       "\telse\n"              /* 7 */
	       "\t\tt = 0;\n"          /* 8 */
	       "\ts = y << 1;\n"       /* 9 */
	       "\treturn s + t > 0;\n" /* 10 */
	       "}\n",
	       "3 4 5 6 8 9 10", "3>4d 3>5d 3>6d 5>6c 5>8c 4>9d 9>10d 6>10d 8>10d");
}

/* What is surely overwritten does not reach; what a branch may leave does. */
static void test_overwritten(void **state)
{
	expect("int f(int a)\n"
	       "{\n"
	       "\tint x = 1;\n" /* 3 */
	       "\tx = 2;\n"     /* 4 */
	       "\tif (a)\n"     /* 5 */
	       "\t\tx = 3;\n"   /* 6 */
	       "\treturn x;\n"  /* 7 */
	       "}\n",
	       "3 4 5 6 7", "4>7d 6>7d 5>6c");
}

/* A loop is one line; its body depends on it, and it on its body. */
static void test_loop(void **state)
{
	expect("int f(int n)\n"
	       "{\n"
	       "\tint s = 0;\n"      /* 3 */
	       "\twhile (n > 0) {\n" /* 4 */
	       "\t\ts += n;\n"       /* 5 */
	       "\t\tn--;\n"          /* 6 */
	       "\t}\n"
	       "\treturn s;\n" /* 8 */
	       "}\n",
	       "3 4 5 6 8", "4>5c 4>6c 6>4d 6>5d 3>5d 3>8d 5>8d");
}

/* Parameters come from the call, results from the return; what is called is executed because of the call. */
static void test_call(void **state)
{
	expect("static int twice(int n)\n"
	       "{\n"
	       "\tint m = 2;\n"    /* 3 */
	       "\treturn m * n;\n" /* 4 */
	       "}\n"
	       "int main(void)\n"
	       "{\n"
	       "\tint a = 3;\n"        /* 8 */
	       "\tint b = twice(a);\n" /* 9 */
	       "\treturn b;\n"         /* 10 */
	       "}\n",
	       "3 4 8 9 10", "8>9d 9>3c 9>4dc 3>4d 4>9d 9>10d");
}

/* A global that a function sets reaches who reads it after the call, and what it was before does not. */
static void test_global(void **state)
{
	expect("static int g, h;\n"
	       "static void set(void)\n"
	       "{\n"
	       "\tg = 1;\n" /* 4 */
	       "}\n"        /* 5 */
	       "int main(void)\n"
	       "{\n"
	       "\tg = 5;\n"        /* 8 */
	       "\th = 6;\n"        /* 9 */
	       "\tset();\n"        /* 10 */
	       "\treturn g + h;\n" /* 11 */
	       "}\n",
	       "4 5 8 9 10 11", "10>4c 10>5c 4>11d 9>11d");
}

/* Through a pointer one of two may be written, so that both keep what they had; a third cannot be. */
static void test_pointer(void **state)
{
	expect("int f(int c)\n"
	       "{\n"
	       "\tint a = 1;\n"   /* 3 */
	       "\tint b = 2;\n"   /* 4 */
	       "\tint d = 3;\n"   /* 5 */
	       "\tint *p = &a;\n" /* 6 */
	       "\tif (c)\n"       /* 7 */
	       "\t\tp = &b;\n"    /* 8 */
	       "\t*p = 4;\n"      /* 9 */
	       "\treturn a + b\n" /* 10 */
	       "\t\t+ d;\n"
	       "}\n",
	       "3 4 5 6 7 8 9 10", "7>8c 6>9d 8>9d 3>10d 4>10d 5>10d 9>10d");
}

/* A local of a function that calls itself is another one in each call. */
static void test_recursion(void **state)
{
	expect("int f(int n)\n"
	       "{\n"
	       "\tint m = n;\n"  /* 3 */
	       "\tif (n > 0)\n"  /* 4 */
	       "\t\tf(n - 1);\n" /* 5 */
	       "\treturn m;\n"   /* 6 */
	       "}\n",
	       "3 4 5 6", "5>3dc 5>4dc 5>6c 4>5c 3>6d 6>5d");
}

/* The models say what outside functions write and read: strlen() writes nothing, strcpy() does not read where it writes, and may leave something
   of it. */
static void test_outside(void **state)
{
	expect("#include <string.h>\n"
	       "unsigned long f(void)\n"
	       "{\n"
	       "\tchar b[8] = \"abc\", c[8];\n"   /* 4 */
	       "\tunsigned long n = strlen(b);\n" /* 5 */
	       "\tstrcpy(b, \"x\");\n"            /* 6 */
	       "\tstrcpy(c, b);\n"                /* 7 */
	       "\treturn n + strlen(c);\n"        /* 8 */
	       "}\n",
	       "4 5 6 7 8", "4>5d 5>8d 6>7d 4>7d 7>8d");
}

/* Functions that are called through a table, or by qsort(). */
static void test_indirect(void **state)
{
	expect("static int one(int n)\n"
	       "{\n"
	       "\treturn n + 1;\n" /* 3 */
	       "}\n"
	       "static int two(int n)\n"
	       "{\n"
	       "\treturn n + 2;\n" /* 7 */
	       "}\n"
	       "static int (*const table[])(int) = {one, two};\n"
	       "int f(int i)\n"
	       "{\n"
	       "\tint k = 5;\n"          /* 12 */
	       "\treturn table[i](k);\n" /* 13 */
	       "}\n",
	       "3 7 12 13", "13>3dc 13>7dc 3>13d 7>13d 12>13d");
}

/* What the order is that qsort() makes depends on what the function returns that it calls. */
static void test_callback(void **state)
{
	expect("#include <stdlib.h>\n"
	       "static int compare(const void *a, const void *b)\n"
	       "{\n"
	       "\tint x = *(const int *)a;\n"    /* 4 */
	       "\treturn x - *(const int *)b;\n" /* 5 */
	       "}\n"
	       "int f(void)\n"
	       "{\n"
	       "\tint n[2];\n"
	       "\tn[0] = 2;\n"                /* 10 */
	       "\tqsort(n, 2, 4, compare);\n" /* 11 */
	       "\treturn n[1];\n"             /* 12 */
	       "}\n",
	       "4 5 10 11 12", "10>4d 10>5d 10>11d 10>12d 11>4dc 11>5dc 4>5d 5>11d 11>12d");
}

/* longjmp() goes on behind setjmp(), with what is in memory then. */
static void test_leap(void **state)
{
	expect("#include <setjmp.h>\n"
	       "static jmp_buf back;\n"
	       "static int depth;\n"
	       "static void fail(int n)\n"
	       "{\n"
	       "\tdepth = n;\n"        /* 6 */
	       "\tlongjmp(back, 1);\n" /* 7 */
	       "}\n"
	       "int f(int n)\n"
	       "{\n"
	       "\tif (setjmp(back))\n" /* 11 */
	       "\t\treturn depth;\n"   /* 12 */
	       "\tfail(n);\n"          /* 13 */
	       "\treturn 0;\n"         /* 14 */
	       "}\n",                  /* 15 */
	       "6 7 11 12 13 14 15",
	       "13>6dc 13>7c 6>12d 7>11d 11>12c 11>13c 11>14c 12>15d 14>15d 11>7d");
}

/* A struct that is passed in memory is copied by the call. */
static void test_struct(void **state)
{
	expect("struct big { int a[20]; };\n"
	       "static int sum(struct big b)\n"
	       "{\n"
	       "\treturn b.a[3];\n" /* 4 */
	       "}\n"
	       "int main(void)\n"
	       "{\n"
	       "\tstruct big x = {{0}};\n" /* 8 */
	       "\tx.a[3] = 7;\n"           /* 9 */
	       "\treturn sum(x);\n"        /* 10 */
	       "}\n",
	       "4 8 9 10", "8>10d 9>10d 10>4dc 4>10d");
}

/* What is allocated is an object of its own. */
static void test_heap(void **state)
{
	expect("#include <stdlib.h>\n"
	       "int f(void)\n"
	       "{\n"
	       "\tint *p = malloc(4);\n" /* 4 */
	       "\tint *q = malloc(4);\n" /* 5 */
	       "\t*p = 1;\n"             /* 6 */
	       "\t*q = 2;\n"             /* 7 */
	       "\treturn *p;\n"          /* 8 */
	       "}\n",
	       "4 5 6 7 8", "4>6d 4>8d 5>7d 6>8d");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_branch),    cmocka_unit_test(test_overwritten),
		cmocka_unit_test(test_loop),      cmocka_unit_test(test_call),
		cmocka_unit_test(test_global),    cmocka_unit_test(test_pointer),
		cmocka_unit_test(test_recursion), cmocka_unit_test(test_outside),
		cmocka_unit_test(test_indirect),  cmocka_unit_test(test_struct),
		cmocka_unit_test(test_heap),      cmocka_unit_test(test_callback),
		cmocka_unit_test(test_leap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
