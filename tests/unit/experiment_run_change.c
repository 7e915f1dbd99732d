/* Experiments that change memory: what the program prints then follows from its text. */
#include "experiment_run.h"

static const char simple[] =
	"#include <stdio.h>\n"
	"static int global = 1;\n"
	"static int add(int a, int b)\n"
	"{\n"
	"	static int calls;\n"
	"	int sum = a + b; /* sum */\n"
	"	calls++; /* count */\n"
	"	if (calls == 1)\n"
	"		printf(\"a=%p\\nb=%p\\nsum=%p\\ncalls=%p\\n\", (void *)&a, (void *)&b,\n"
	"		       (void *)&sum, (void *)&calls);\n"
	"	if (calls > 100) /* many */\n"
	"		sum += 1000;\n"
	"	return sum; /* return */\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"	int i, total = 0;\n"
	"	printf(\"total=%p\\nglobal=%p\\ni=%p\\n\", (void *)&total, (void *)&global, (void "
	"*)&i);\n"
	"	for (i = 0; i < 10; i++) /* head */\n"
	"		total = add(total, i * global); /* loop */\n"
	"	printf(\"%d\\n\", total); /* print */\n"
	"	return 0;\n"
	"}\n";

static void expect_number(struct experiment_result result, int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", number);
	lab_prints(result, text);
}

/* 0 + 1 + ... + 9 is 45; before i is added it is i * (i - 1) / 2. */
static void test_local(void **state)
{
	struct lab lab = lab_open(simple);

	lab_start(&lab);
	assert_string_equal(lab_last_line(&lab.recorded), "45");
	lab_prints(lab_change_int(&lab, lab_point(&lab, "print", 1), "total", 7), "7");
	for (int i = 0; i < 10; i++)
		expect_number(lab_change_int(&lab, lab_point(&lab, "loop", i + 1), "total", 1000),
		              1000 + 45 - i * (i - 1) / 2);
	/* i jumps over some: 0 1 2, then 8 9. */
	lab_prints(lab_change_int(&lab, lab_point(&lab, "loop", 4), "i", 8), "20");
	lab_close(&lab);
}

static void test_parameter(void **state)
{
	struct lab lab = lab_open(simple);

	lab_start(&lab);
	/* At the first point of the function the parameters are there, and stay changed. */
	for (int i = 0; i < 10; i++)
		expect_number(lab_change_int(&lab, lab_point(&lab, "sum", i + 1), "b", 100),
		              45 - i + 100);
	/* Behind the sum it does not matter any more, but the result does. */
	lab_prints(lab_change_int(&lab, lab_point(&lab, "return", 3), "a", 100), "45");
	expect_number(lab_change_int(&lab, lab_point(&lab, "return", 3), "sum", 100),
	              100 + 3 + 4 + 5 + 6 + 7 + 8 + 9);
	lab_close(&lab);
}

static void test_global(void **state)
{
	struct lab lab = lab_open(simple);

	lab_start(&lab);
	expect_number(lab_change_int(&lab, lab_point(&lab, "loop", 6), "global", 2),
	              0 + 1 + 2 + 3 + 4 + 2 * (5 + 6 + 7 + 8 + 9));
	/* The static local: from the 8th call on there are more than 100. */
	expect_number(lab_change_int(&lab, lab_point(&lab, "count", 8), "calls", 200), 3045);
	lab_close(&lab);
}

static const char heap[] =
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"struct node { char tag; int value; struct node *next; unsigned low : 3, mid : 7, high : "
	"5; };\n"
	"int main(void)\n"
	"{\n"
	"	struct node *list = NULL, *n;\n"
	"	double numbers[4] = {0.5, 1.5, 2.5, 3.5}, all = 0;\n"
	"	char *text = malloc(20);\n"
	"	int sum = 0;\n"
	"	strcpy(text, \"hello\");\n"
	"	for (int i = 0; i < 4; i++) {\n"
	"		n = malloc(sizeof(*n));\n"
	"		*n = (struct node){'a' + i, i, list, 1, 2, 3};\n"
	"		list = n;\n"
	"	}\n"
	"	printf(\"value=%p\\nnext=%p\\nbits=%p\\ntext=%p\\nnumber=%p\\nlist=%p\\n\",\n"
	"	       (void *)&list->next->value, (void *)&list->next,\n"
	"	       (char *)&list->next + sizeof(list), text, (void *)&numbers[2], (void "
	"*)&list);\n"
	"	for (n = list; n; n = n->next) /* sum */\n"
	"		sum += n->value * 10 + n->mid;\n"
	"	for (int i = 0; i < 4; i++)\n"
	"		all += numbers[i];\n"
	"	printf(\"%d %d %d %d %s %g\\n\", sum, list->low, list->mid, list->high, text, "
	"all);\n"
	"	return 0;\n"
	"}\n";

static void test_heap(void **state)
{
	struct lab lab = lab_open(heap);
	const struct point *point;
	double number = 100.5;
	void *null = NULL;

	lab_start(&lab);
	assert_string_equal(lab_last_line(&lab.recorded), "68 1 2 3 hello 8");
	point = lab_point(&lab, "sum", 1);
	/* An element of a list: 0 10 20 30 and 4 times 2. */
	lab_prints(lab_change_int(&lab, point, "value", 5), "98 1 2 3 hello 8");
	/* A pointer: the list has one element. */
	lab_prints(lab_change(&lab, point, lab_address(&lab, "next"), &null, sizeof(null)),
	           "32 1 2 3 hello 8");
	/* An element of an array, a string that becomes longer. */
	lab_prints(lab_change(&lab, point, lab_address(&lab, "number"), &number, sizeof(number)),
	           "68 1 2 3 hello 106");
	lab_prints(lab_change(&lab, point, lab_address(&lab, "text"), "good morning", 13),
	           "68 1 2 3 good morning 8");
	lab_close(&lab);
}

/* low is in bits 0 to 2, mid in 3 to 9, high in 10 to 14. */
static void test_bits(void **state)
{
	struct lab lab = lab_open(heap);
	const uint8_t bytes[2] = {0xff, 0xff}, mid[2] = {0xf8, 0x03}, high[2] = {0, 0x7c};
	struct change change = {.size = 2, .bytes = bytes, .mask = mid};
	struct stop stop;

	lab_start(&lab);
	stop = lab_stop(lab_point(&lab, "sum", 1));
	stop.changes = &change;
	stop.change_count = 1;
	change.address = lab_address(&lab, "bits");
	lab_prints(lab_run(&lab, lab_point(&lab, "sum", 1), &stop, 1), "193 1 127 3 hello 8");
	change.mask = high;
	lab_prints(lab_run(&lab, lab_point(&lab, "sum", 1), &stop, 1), "68 1 2 31 hello 8");
	lab_close(&lab);
}

/* Two new elements in front of the list, the second one before the old head. */
static void test_new(void **state)
{
	struct lab lab = lab_open(heap);
	int value[2] = {100, 200};
	uint64_t list, old;
	struct change changes[] = {
		{.kind = CHANGE_NEW, .size = 24},
		{.kind = CHANGE_NEW, .size = 24},
		{.object = 1, .address = 4, .size = 4, .bytes = (uint8_t *)&value[0]},
		{.object = 2, .address = 4, .size = 4, .bytes = (uint8_t *)&value[1]},
		{.kind = CHANGE_POINTER, .object = 1, .address = 8, .target = 2},
		{.object = 2, .address = 8, .size = 8},
		{.kind = CHANGE_POINTER, .target = 1},
	};
	struct stop stop;

	lab_start(&lab);
	list = lab_address(&lab, "list");
	old = lab_address(&lab, "next") - 8;
	changes[5].bytes = (uint8_t *)&old;
	changes[6].address = list;
	stop = lab_stop(lab_point(&lab, "sum", 1));
	stop.changes = changes;
	stop.change_count = 7;
	/* The first one is all zero but for its value. */
	lab_prints(lab_run(&lab, lab_point(&lab, "sum", 1), &stop, 1), "3068 0 0 0 hello 8");
	lab_close(&lab);
}

static void test_no_memory(void **state)
{
	struct lab lab = lab_open(simple);
	int value = 1;
	struct experiment_result result;
	struct reading readings[] = {{.address = 0x10, .size = 8}, {.size = 4}, {.size = 4}};
	struct stop stop;

	lab_start(&lab);
	result = lab_change(&lab, lab_point(&lab, "loop", 1), 0x10, &value, sizeof(value));
	assert_true(result.unreadable);
	assert_false(result.diverged);
	experiment_result_deinit(&result);
	/* To read where nothing is is no fault. */
	readings[1].address = lab_address(&lab, "i");
	readings[2].address = UINT64_MAX - 1;
	stop = lab_stop(lab_point(&lab, "loop", 3));
	stop.readings = readings;
	stop.reading_count = 3;
	result = lab_run(&lab, lab_point(&lab, "loop", 3), &stop, 1);
	assert_true(result.stops.at[0].reached);
	assert_int_equal(result.stops.at[0].bytes.length, 16);
	assert_memory_equal(result.stops.at[0].bytes.text, "\0\0\0\0\0\0\0\0\2\0\0\0\0\0\0", 16);
	lab_prints(result, "45");
	lab_close(&lab);
}

/* What a pointer leads to; nothing where it leads nowhere. */
static void test_through(void **state)
{
	static const char source[] = "#include <stdio.h>\n"
				     "static int a[] = {1, 2, 3}, *p, *q;\n"
				     "int main(void)\n"
				     "{\n"
				     "	printf(\"p=%p\\nq=%p\\n\", (void *)&p, (void *)&q);\n"
				     "	p = a + 1;\n"
				     "	puts(\"done\"); /* done */\n"
				     "	return 0;\n"
				     "}\n";
	struct lab lab = lab_open(source);
	struct reading readings[] = {{.size = 4, .through = true, .offset = 4},
	                             {.size = 4, .through = true, .offset = -4},
	                             {.size = 4, .through = true, .offset = 4}};
	struct experiment_result result;
	struct stop stop;

	lab_start(&lab);
	readings[0].address = readings[1].address = lab_address(&lab, "p");
	readings[2].address = lab_address(&lab, "q");
	stop = lab_stop(lab_point(&lab, "done", 1));
	stop.readings = readings;
	stop.reading_count = 3;
	result = lab_run(&lab, lab_point(&lab, "done", 1), &stop, 1);
	assert_int_equal(result.stops.at[0].bytes.length, 12);
	assert_memory_equal(result.stops.at[0].bytes.text, "\3\0\0\0\1\0\0\0\0\0\0", 12);
	lab_prints(result, "done");
	lab_close(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_local),     cmocka_unit_test(test_parameter),
		cmocka_unit_test(test_global),    cmocka_unit_test(test_heap),
		cmocka_unit_test(test_bits),      cmocka_unit_test(test_new),
		cmocka_unit_test(test_no_memory), cmocka_unit_test(test_through),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
