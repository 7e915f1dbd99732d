/* Memory graphs of steps: what a programmer would draw, reasoned from the source. */
#include "state_runs.h"

#include "explain/illustrations.h"

/* --- the drawing as text --- */

static void dump_cell(const struct explanation_cell *cell, struct str *out)
{
	str_printf(out, "  %s", cell->name ? cell->name : "-");
	if (cell->value)
		str_printf(out, " = %s", cell->value);
	if (cell->reference)
		str_printf(out, " (not %s)", cell->reference);
	if (cell->target)
		str_printf(out, " -> %u", cell->target);
	str_add(out, cell->decides ? " !\n" : "\n");
}

/* `1 sort(), locals` and below it `  i = 3 (not 2) -> 4 !`: what decides has a mark. */
static char *dump(const struct explanation_memory *memory)
{
	struct str out = STR_INIT;

	for (uint32_t i = 0; i < memory->boxes.size; i++) {
		const struct explanation_box *box = &memory->boxes.at[i];

		str_printf(&out, "%u %s", i + 1, box->name);
		if (box->type)
			str_printf(&out, ": %s", box->type);
		if (box->where)
			str_printf(&out, ", %s", box->where);
		str_add_char(&out, '\n');
		for (uint32_t k = 0; k < box->cells.size; k++)
			dump_cell(&box->cells.at[k], &out);
		if (box->more)
			str_printf(&out, "  and %llu\n", (unsigned long long)box->more);
	}
	if (memory->more)
		str_printf(&out, "and %llu\n", (unsigned long long)memory->more);
	return str_steal(&out);
}

/* --- runs --- */

static struct modules *modules;
static struct run runs[2]; /* the failing one, the reference */
static struct alignment alignment;

static void make(const char *source, const char *failing, const char *passing)
{
	decoded_build(source);
	modules = modules_create();
	runs[0] = runs_record(modules, source, failing);
	runs[1] = runs_record(modules, source, passing);
	runs_must(align_runs(&runs[0].recording, &runs[1].recording, &(struct align_options){0},
	                     &alignment));
}

static void unmake(void)
{
	alignment_deinit(&alignment);
	runs_free(&runs[0]);
	runs_free(&runs[1]);
	modules_destroy(modules);
}

static void add_value(struct explanation_step *step, const char *name)
{
	struct explanation_value *value = vec_push(&step->values);

	value->name = mem_strdup(name);
	value->failing = mem_strdup("?");
}

/* A step before the nth time that the line with this comment is executed. */
static struct explanation_step *add_step(struct explanation *e, const char *point, uint32_t nth,
                                         const char *name)
{
	struct explanation_step *step = vec_push(&e->steps);

	step->kind = EXPLANATION_VALUE;
	step->time = runs_point(&runs[0], point, nth);
	step->reference_time = alignment_of_a(&alignment, step->time);
	add_value(step, name);
	return step;
}

static void draw(struct explanation *e)
{
	const struct explain_memory_options options = {.failing = &runs[0].recording,
	                                               .reference = &runs[1].recording,
	                                               .alignment = &alignment};

	runs_must(explain_memory(&options, e));
}

static void assert_memory(const struct explanation *e, uint32_t step, const char *expected)
{
	char *text = dump(&e->steps.at[step].memory);

	if (strcmp(text, expected))
		fail_msg("step %u is\n%sand not\n%s", step, text, expected);
	free(text);
}

/* One program, one point, one or two variables. */
static void check(const char *source, const char *failing, const char *passing, uint32_t nth,
                  const char *first, const char *second, const char *expected)
{
	struct explanation e = {0};
	struct explanation_step *step;

	make(source, failing, passing);
	step = add_step(&e, "here", nth, first);
	if (second)
		add_value(step, second);
	draw(&e);
	assert_memory(&e, 0, expected);
	explanation_deinit(&e);
	unmake();
}

/* --- linked lists --- */

static const char list[] = "#include <stdlib.h>\n"
			   "struct item { int value; struct item *next; };\n"
			   "static struct item *push(struct item *list, int value)\n"
			   "{\n"
			   "	struct item *item = malloc(sizeof *item);\n"
			   "	item->value = value;\n"
			   "	item->next = list;\n"
			   "	return item; /*here*/\n"
			   "}\n"
			   "int main(int argc, char **argv)\n"
			   "{\n"
			   "	struct item *list = NULL;\n"
			   "	for (int i = 1; i < argc; i++)\n"
			   "		list = push(list, atoi(argv[i]));\n"
			   "	return !list; /*end*/\n"
			   "}\n";

/* The variable is in the second block: both blocks and the way to it are there. */
static void test_list(void **state)
{
	check(list, "1 2", "5 2", 1, "item->next->value", NULL,
	      "1 *list: struct item, heap\n"
	      "  value = 1 (not 5) !\n"
	      "  next = NULL\n"
	      "2 push(), locals\n"
	      "  list -> 1\n"
	      "  value = 2\n"
	      "  item -> 3\n"
	      "3 *item: struct item, heap\n"
	      "  value = 2\n"
	      "  next -> 1\n");
}

/* A longer list than there is room for. */
static void test_long_list(void **state)
{
	struct explanation e = {0};
	char *text;

	make(list, "1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 8");
	add_step(&e, "end", 0, "list");
	draw(&e);
	text = dump(&e.steps.at[0].memory);
	assert_int_equal(e.steps.at[0].memory.boxes.size, 10);
	assert_non_null(strstr(text, "1 main(), locals\n"));
	assert_non_null(
		strstr(text, "4 *list->next: struct item, heap\n  value = 7\n  next -> 5\n"));
	free(text);
	explanation_deinit(&e);
	unmake();
}

/* --- structures and arrays --- */

static const char shape[] =
	"#include <stdlib.h>\n"
	"enum color { RED, GREEN };\n"
	"struct point { int x, y; };\n"
	"struct shape {\n"
	"	enum color color;\n"
	"	struct point from;\n"
	"	short side[3];\n"
	"	union { int whole; double real; void *where; } size;\n"
	"	unsigned flag : 1, rest : 7;\n"
	"	char name[8];\n"
	"};\n"
	"static struct shape shape = {GREEN, {1, 2}, {3, 4, 5}, {0}, 1, 9, \"box\"};\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	shape.size.real = atoi(argv[1]);\n"
	"	shape.side[1] = atoi(argv[1]);\n"
	"	shape.rest = 6 + argv[1][0] % 2;\n"
	"	return argc; /*here*/\n"
	"}\n";

/* Members of members have their whole name; a union is the member that was stored. */
static void test_structure(void **state)
{
	check(shape, "7", "8", 0, "shape.side[1]", "shape.rest",
	      "1 shape: struct shape, global\n"
	      "  color = GREEN\n"
	      "  from.x = 1\n"
	      "  from.y = 2\n"
	      "  side[0] = 3\n"
	      "  side[1] = 7 (not 8) !\n"
	      "  side[2] = 5\n"
	      "  size.real = 7 (not 8)\n"
	      "  flag = 1\n"
	      "  rest = 7 (not 6) !\n"
	      "  name = \"box\"\n"
	      "2 main(), locals\n"
	      "  argc = 2\n"
	      "  argv -> 3\n"
	      "3 argv[]: char *[3], arguments\n"
	      "  [0] = \"./prog\"\n"
	      "  [1] = \"7\" (not \"8\")\n"
	      "  [2] = NULL\n");
}

static const char sum[] = "#include <stdlib.h>\n"
			  "static int sum(const int *p, int n)\n"
			  "{\n"
			  "	int s = 0;\n"
			  "	for (int i = 0; i < n; i++)\n"
			  "		s += p[i];\n"
			  "	return s; /*here*/\n"
			  "}\n"
			  "int main(int argc, char **argv)\n"
			  "{\n"
			  "	int a[6] = {1, 2, 3, 4, 5, 6};\n"
			  "	a[2] = atoi(argv[1]);\n"
			  "	return sum(a + 2, 2);\n"
			  "}\n";

/* A pointer into the middle of an array of the caller says where. */
static void test_middle(void **state)
{
	check(sum, "9", "3", 0, "p[0]", NULL,
	      "1 main.a: int [6], main()\n"
	      "  [0] = 1\n"
	      "  [1] = 2\n"
	      "  [2] = 9 (not 3) !\n"
	      "  [3] = 4\n"
	      "  [4] = 5\n"
	      "  [5] = 6\n"
	      "2 sum(), locals\n"
	      "  p = &main.a[2] -> 1\n"
	      "  n = 2\n"
	      "  s = 13 (not 7)\n");
}

static const char block[] = "#include <stdlib.h>\n"
			    "static int last(int *p)\n"
			    "{\n"
			    "	return p[-1]; /*inside*/\n"
			    "}\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	int *a = malloc(4 * sizeof *a), *q;\n"
			    "	for (int i = 0; i < 4; i++)\n"
			    "		a[i] = i;\n"
			    "	q = a + atoi(argv[1]);\n"
			    "	*q = 9;\n"
			    "	return last(q) + a[2]; /*here*/\n"
			    "}\n";

/* Two pointers to one block; they differ, and what they made different does. */
static void test_block(void **state)
{
	check(block, "2", "1", 0, "q", NULL,
	      "1 main(), locals\n"
	      "  argc = 2\n"
	      "  argv -> 2\n"
	      "  a -> 3\n"
	      "  q = &a[2] (not &a[1]) -> 3 !\n"
	      "2 argv[]: char *[3], arguments\n"
	      "  [0] = \"./prog\"\n"
	      "  [1] = \"2\" (not \"1\")\n"
	      "  [2] = NULL\n"
	      "3 a[]: int [4], heap\n"
	      "  [0] = 0\n"
	      "  [1] = 1 (not 9)\n"
	      "  [2] = 9 (not 2)\n"
	      "  [3] = 3\n");
}

/* A block that only a pointer into its middle leads to from here: counted from where that points. */
static void test_relative(void **state)
{
	struct explanation e = {0};

	make(block, "2", "2");
	add_step(&e, "inside", 0, "p[-1]");
	draw(&e);
	assert_memory(&e, 0,
	              "1 p[]: int [4], heap\n"
	              "  [-2] = 0\n"
	              "  [-1] = 1 !\n"
	              "  [0] = 9\n"
	              "  [1] = 3\n"
	              "2 last(), locals\n"
	              "  p = &p[0] -> 1\n");
	explanation_deinit(&e);
	unmake();
}

static const char grown[] = "#include <stdlib.h>\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	int n = atoi(argv[1]);\n"
			    "	int *a = malloc(n * sizeof *a);\n"
			    "	for (int i = 0; i < n; i++)\n"
			    "		a[i] = i;\n"
			    "	return a[0]; /*here*/\n"
			    "}\n";

/* What only the longer block of the other run has. */
static void test_shorter(void **state)
{
	check(grown, "2", "3", 0, "n", "a[1]",
	      "1 main(), locals\n"
	      "  argc = 2\n"
	      "  argv -> 3\n"
	      "  n = 2 (not 3) !\n"
	      "  a -> 2\n"
	      "2 a[]: int [2], heap\n"
	      "  [0] = 0\n"
	      "  [1] = 1 !\n"
	      "  [2] = not known (not 2)\n"
	      "3 argv[]: char *[3], arguments\n"
	      "  [0] = \"./prog\"\n"
	      "  [1] = \"2\" (not \"3\")\n"
	      "  [2] = NULL\n");
}

/* --- texts --- */

static const char words[] = "#include <stdlib.h>\n"
			    "#include <string.h>\n"
			    "struct word { char *text; char small[4]; unsigned char bytes[3]; };\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	struct word word = {strdup(argv[1]), \"ab\", {200, 1, 2}};\n"
			    "	char *at = word.text + 1, line[16];\n"
			    "	const char *kind = \"plain\";\n"
			    "	strcpy(line, argv[1]);\n"
			    "	line[2] = 0;\n"
			    "	return at[0] == kind[0]; /*here*/\n"
			    "}\n";

/* A text of its own has a box, a literal has none; what lies behind the end of a text is told if it differs. */
static void test_texts(void **state)
{
	check(words, "hello", "help", 0, "word.text", NULL,
	      "1 word: struct word, main()\n"
	      "  text -> 2 !\n"
	      "  small = \"ab\"\n"
	      "  bytes = {200, 1, 2}\n"
	      "2 word.text[]: char [6], heap\n"
	      "  - = \"hello\" (not \"help\") !\n"
	      "3 main(), locals\n"
	      "  argc = 2\n"
	      "  argv -> 4\n"
	      "  at = &word.text[1] -> 2\n"
	      "  kind = \"plain\"\n"
	      "4 argv[]: char *[3], arguments\n"
	      "  [0] = \"./prog\"\n"
	      "  [1] = \"hello\" (not \"help\")\n"
	      "  [2] = NULL\n"
	      "5 line: char [16], main()\n"
	      "  - = \"he\"\n"
	      "  [3..4] = \"lo\" (not \"p\\000\")\n");
}

static const char strip[] = "#include <string.h>\n"
			    "static char line[8], other[8];\n"
			    "static int strip(char *text, const char *end)\n"
			    "{\n"
			    "	return *text == *end; /*here*/\n"
			    "}\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	strcpy(line, argv[1]);\n"
			    "	strcpy(other, \"x\");\n"
			    "	return strip(line, other);\n"
			    "}\n";

/* A text is called like the pointer to it: where the pointer is the same it is the text that decides. */
static void test_parameter(void **state)
{
	check(strip, "a", "b", 0, "text", "end",
	      "1 strip(), locals\n"
	      "  text -> 2 !\n"
	      "  end -> 3 !\n"
	      "2 line: char [8], global\n"
	      "  - = \"a\" (not \"b\") !\n"
	      "3 other: char [8], global\n"
	      "  - = \"x\"\n");
}

/* Not even a byte has a value: one mark is enough. What nothing leads to is not drawn before it has one. */
static void test_empty(void **state)
{
	check("#include <string.h>\n"
	      "int main(int argc, char **argv)\n"
	      "{\n"
	      "	char a[4], b[4], *p = a;\n"
	      "	memcpy(p, argv[1], 2); /*here*/\n"
	      "	b[0] = *p;\n"
	      "	return b[0];\n"
	      "}\n",
	      "xy", "xy", 0, "p", NULL,
	      "1 main(), locals\n"
	      "  argc = 2\n"
	      "  argv -> 2\n"
	      "  p -> 3 !\n"
	      "2 argv[]: char *[3], arguments\n"
	      "  [0] = \"./prog\"\n"
	      "  [1] = \"xy\"\n"
	      "  [2] = NULL\n"
	      "3 a: char [4], main()\n"
	      "  - = ?\n");
}

/* --- blocks that are gone --- */

static const char freed[] = "#include <stdlib.h>\n"
			    "struct node { int key; struct node *left, *right; };\n"
			    "static struct node *root;\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	struct node *old;\n"
			    "	root = calloc(1, sizeof *root);\n"
			    "	root->left = calloc(1, sizeof *root);\n"
			    "	root->key = atoi(argv[1]);\n"
			    "	old = root->left;\n"
			    "	free(old);\n"
			    "	return root->key; /*here*/\n"
			    "}\n";

/* Nothing of a freed block is known, but pointers still lead to it. */
static void test_freed(void **state)
{
	check(freed, "4", "5", 0, "root->left", NULL,
	      "1 *root: struct node, heap\n"
	      "  key = 4 (not 5)\n"
	      "  left -> 4 !\n"
	      "  right = NULL\n"
	      "2 root: struct node *, global\n"
	      "  - -> 1\n"
	      "3 main(), locals\n"
	      "  argc = 2\n"
	      "  argv -> 5\n"
	      "  old -> 4\n"
	      "4 *old: struct node, freed\n"
	      "5 argv[]: char *[3], arguments\n"
	      "  [0] = \"./prog\"\n"
	      "  [1] = \"4\" (not \"5\")\n"
	      "  [2] = NULL\n");
}

/* --- functions --- */

static const char fact[] = "#include <stdlib.h>\n"
			   "static int fact(int n)\n"
			   "{\n"
			   "	int rest;\n"
			   "	if (n <= 1)\n"
			   "		return 1; /*here*/\n"
			   "	rest = fact(n - 1);\n"
			   "	return n * rest;\n"
			   "}\n"
			   "int main(int argc, char **argv)\n"
			   "{\n"
			   "	return fact(atoi(argv[1]));\n"
			   "}\n";

/* A function that is under way several times has a box for each, called as in names. */
static void test_recursion(void **state)
{
	check(fact, "3", "3", 0, "n", "fact@3.n",
	      "1 fact@4(), locals\n"
	      "  n = 1 !\n"
	      "  rest = uninitialised\n"
	      "2 fact@3(), locals\n"
	      "  n = 2 !\n"
	      "  rest = uninitialised\n");
}

static const char ops[] = "#include <stdlib.h>\n"
			  "static int add(int a, int b) { return a + b; }\n"
			  "static int sub(int a, int b) { return a - b; }\n"
			  "struct op { const char *name; int (*run)(int, int); };\n"
			  "static const struct op ops[2] = {{\"add\", add}, {\"sub\", sub}};\n"
			  "int main(int argc, char **argv)\n"
			  "{\n"
			  "	const struct op *op = &ops[atoi(argv[1])];\n"
			  "	int (*run)(int, int) = op->run;\n"
			  "	return run(1, 2); /*here*/\n"
			  "}\n";

/* Pointers to functions are values. */
static void test_functions(void **state)
{
	check(ops, "1", "0", 0, "run", NULL,
	      "1 main(), locals\n"
	      "  argc = 2\n"
	      "  argv -> 2\n"
	      "  op = &ops[1] (not &ops[0]) -> 3\n"
	      "  run = sub (not add) !\n"
	      "2 argv[]: char *[3], arguments\n"
	      "  [0] = \"./prog\"\n"
	      "  [1] = \"1\" (not \"0\")\n"
	      "  [2] = NULL\n"
	      "3 ops: const struct op [2], global\n"
	      "  [0].name = \"add\"\n"
	      "  [0].run = add\n"
	      "  [1].name = \"sub\"\n"
	      "  [1].run = sub\n");
}

static const char swap[] = "#include <stdlib.h>\n"
			   "static int calls;\n"
			   "static void swap(int *x, int *y)\n"
			   "{\n"
			   "	static int count;\n"
			   "	int t = *x;\n"
			   "	*x = *y;\n"
			   "	*y = t;\n"
			   "	calls = ++count; /*here*/\n"
			   "}\n"
			   "int main(int argc, char **argv)\n"
			   "{\n"
			   "	int a = 1, b = atoi(argv[1]);\n"
			   "	swap(&a, &b);\n"
			   "	return calls;\n"
			   "}\n";

/* Scalars of a caller share its box, so arrows to them say which. */
static void test_callers(void **state)
{
	check(swap, "2", "3", 0, "main.a", "count",
	      "1 main(), locals\n"
	      "  argc = 2\n"
	      "  argv -> 4\n"
	      "  a = 2 (not 3) !\n"
	      "  b = 1\n"
	      "2 count: int, static in swap()\n"
	      "  - = 0 !\n"
	      "3 swap(), locals\n"
	      "  x = &main.a -> 1\n"
	      "  y = &main.b -> 1\n"
	      "  t = 1\n"
	      "4 main.argv[]: char *[3], arguments\n"
	      "  [0] = \"./prog\"\n"
	      "  [1] = \"2\" (not \"3\")\n"
	      "  [2] = NULL\n");
}

/* --- limits --- */

static const char many[] = "#include <stdlib.h>\n"
			   "struct item { struct item *next; };\n"
			   "static int a[100];\n"
			   "int main(int argc, char **argv)\n"
			   "{\n"
			   "	struct item *list = NULL, *item;\n"
			   "	for (int i = 0; i < 20; i++) {\n"
			   "		item = malloc(sizeof *item);\n"
			   "		item->next = list;\n"
			   "		list = item;\n"
			   "	}\n"
			   "	a[70] = atoi(argv[1]);\n"
			   "	a[80] = atoi(argv[1]);\n"
			   "	return 0; /*here*/\n"
			   "}\n";

static uint32_t count_cells(const struct explanation_box *box, bool decides)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < box->cells.size; i++)
		count += decides ? box->cells.at[i].decides : box->cells.at[i].reference != NULL;
	return count;
}

/* Of a long array what decides and what differs stays; of a long list what is near. What is left out is counted, and
   where an arrow would be there is a value. */
static void test_limits(void **state)
{
	struct explanation e = {0};
	const struct explanation_memory *memory;
	const struct explanation_box *box;

	make(many, "7", "8");
	add_step(&e, "here", 0, "a[70]");
	draw(&e);
	memory = &e.steps.at[0].memory;
	box = &memory->boxes.at[0];
	assert_string_equal(box->name, "a");
	assert_int_equal(box->cells.size, 16);
	assert_int_equal(box->more, 84);
	assert_string_equal(box->cells.at[13].name, "[13]");
	assert_string_equal(box->cells.at[14].name, "[70]");
	assert_string_equal(box->cells.at[15].name, "[80]");
	assert_int_equal(count_cells(box, true), 1);
	assert_int_equal(count_cells(box, false), 2);
	/* The array, main(), argv, and 9 of the list. */
	assert_int_equal(memory->boxes.size, 12);
	assert_int_equal(memory->more, 1);
	box = &memory->boxes.at[11];
	assert_int_equal(box->cells.at[0].target, 0);
	assert_non_null(box->cells.at[0].value);
	explanation_deinit(&e);
	unmake();
}

static bool stop(void *context)
{
	return (*(uint32_t *)context)-- == 0;
}

/* Ended before a step: what was drawn stays, the others have none. Too long: a note. */
static void test_stopped(void **state)
{
	struct explanation e = {0};
	uint32_t left = 1;
	const struct budget budget = {.ended = stop, .context = &left};
	struct explain_memory_options options = {.budget = &budget};

	make(list, "1 2", "1 2");
	options.failing = &runs[0].recording;
	add_step(&e, "here", 1, "value");
	add_step(&e, "here", 0, "value");
	runs_must(explain_memory(&options, &e));
	assert_int_equal(e.steps.at[0].memory.boxes.size + e.steps.at[1].memory.boxes.size, 0);
	left = 2;
	runs_must(explain_memory(&options, &e));
	/* The second step is the first in time; there was no reference. */
	assert_int_equal(e.steps.at[0].memory.boxes.size, 0);
	assert_memory(&e, 1,
	              "1 push(), locals\n"
	              "  list = NULL\n"
	              "  value = 1 !\n"
	              "  item -> 2\n"
	              "2 *item: struct item, heap\n"
	              "  value = 1\n"
	              "  next = NULL\n");
	assert_int_equal(e.notes.size, 2);
	assert_non_null(strstr(e.notes.at[0], "2 of the steps have no memory graph"));
	assert_non_null(strstr(e.notes.at[1], "1 of the steps has no memory graph"));
	options.most = 3;
	left = 99;
	runs_must(explain_memory(&options, &e));
	assert_int_equal(e.steps.at[0].memory.boxes.size, 0);
	assert_int_equal(e.notes.size, 3);
	assert_non_null(strstr(e.notes.at[2], "memory graphs are left out"));
	explanation_deinit(&e);
	unmake();
}

static const char slow[] = "int main(int argc, char **argv)\n"
			   "{\n"
			   "	volatile unsigned sum = 0;\n"
			   "	for (unsigned i = 0; i < 400000; i++)\n"
			   "		sum += i;\n"
			   "	return sum == 1; /*here*/\n"
			   "}\n";

/* On the way to the first step, which is far away. */
static void test_stopped_early(void **state)
{
	struct explanation e = {0};
	uint32_t left = 1;
	const struct budget budget = {.ended = stop, .context = &left};
	struct explain_memory_options options = {.budget = &budget};

	make(slow, "1", "1");
	options.failing = &runs[0].recording;
	add_step(&e, "here", 0, "sum");
	runs_must(explain_memory(&options, &e));
	assert_int_equal(left, UINT32_MAX);
	assert_int_equal(e.steps.at[0].memory.boxes.size, 0);
	assert_int_equal(e.notes.size, 1);
	explanation_deinit(&e);
	unmake();
}

/* Two steps, not in order of time, and the failure itself, whose time is told apart. */
static void test_steps(void **state)
{
	struct explanation e = {0};
	struct explain_memory_options options = {.alignment = &alignment};
	struct explanation_step *last;

	make(list, "1 2", "1 3");
	options.failing = &runs[0].recording;
	options.reference = &runs[1].recording;
	options.failing_time = runs_point(&runs[0], "end", 0);
	add_step(&e, "here", 1, "item->value");
	add_step(&e, "here", 0, "item->value");
	last = vec_push(&e.steps);
	last->kind = EXPLANATION_CRASH;
	last->observed = true;
	runs_must(explain_memory(&options, &e));
	assert_string_equal(e.steps.at[0].memory.boxes.at[0].cells.at[0].value, "2");
	assert_string_equal(e.steps.at[0].memory.boxes.at[0].cells.at[0].reference, "3");
	assert_string_equal(e.steps.at[1].memory.boxes.at[0].cells.at[0].value, "1");
	assert_null(e.steps.at[1].memory.boxes.at[0].cells.at[0].reference);
	assert_string_equal(e.steps.at[2].memory.boxes.at[0].name, "main()");
	explanation_deinit(&e);
	unmake();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),          cmocka_unit_test(test_long_list),
		cmocka_unit_test(test_structure),     cmocka_unit_test(test_middle),
		cmocka_unit_test(test_block),         cmocka_unit_test(test_relative),
		cmocka_unit_test(test_shorter),       cmocka_unit_test(test_texts),
		cmocka_unit_test(test_parameter),     cmocka_unit_test(test_empty),
		cmocka_unit_test(test_freed),         cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_functions),     cmocka_unit_test(test_callers),
		cmocka_unit_test(test_limits),        cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_stopped_early), cmocka_unit_test(test_steps),
	};

	return cmocka_run_group_tests_name("explain_memory", tests, decoded_set_up,
	                                   decoded_tear_down);
}
