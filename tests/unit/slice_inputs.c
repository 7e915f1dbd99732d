/*
 * Forward slices of input, and bytes: just the statements that a person finds. Statements that must be in the
 * slice have a comment that begins with `in`, those that must not be in it one with `out`.
 */
#include "slice_run.h"

#include <sys/mman.h>

/* Records a run with this standard input. */
static struct decoded record(const char *source, const char *input)
{
	struct decoded d = {.source = source};
	char *argv[] = {"./prog", "word", "123", NULL};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), in = memfd_create("input", MFD_CLOEXEC);
	struct session_options options = {
		.tape_limit = 64 << 20, .table = decoded_models, .table_size = decoded_models_size};
	struct launch_result result;

	decoded_end();
	decoded_build(source);
	assert_int_equal(write(in, input, strlen(input)), strlen(input));
	lseek(in, 0, SEEK_SET);
	assert_null(session_create(&options, &decoded_session));
	struct launch_options launch = {.path = "./prog",
	                                .argv = argv,
	                                .session = decoded_session.path,
	                                .streams = {in, null, null},
	                                .timeout = 60};

	assert_null(launch_run(&launch, &result));
	launch_result_deinit(&result);
	close(null);
	close(in);
	d.modules = modules_create();
	return d;
}

/* --- lines --- */

static void check_lines(const struct decoded *d, const struct slice *slice)
{
	uint32_t line = 1, checked = 0;

	for (const char *c = d->source; *c; c++) {
		bool in = !strncmp(c, "/*in", 4), out = !strncmp(c, "/*out", 5);

		line += *c == '\n';
		if (!in && !out)
			continue;
		checked++;
		if (slice_has_line(d, slice->instances, line) != in)
			fail_msg("line %u (%.12s) is %s the slice", line, c, in ? "not in" : "in");
	}
	assert_true(checked > 0);
}

/* In windows of several sizes. */
static void expect(const char *source, const char *text, struct slice_input input)
{
	struct decoded d = record(source, text);

	slice_whole(&d, 0);
	for (uint64_t memory = 0; memory < 3000; memory = memory ? 2 * memory : 800) {
		struct recording run = slice_run_of(&d, memory);
		struct slice_options options = {0};
		struct slice slice;

		slice_must(slice_forward(&run, NULL, 0, &input, 1, &options, &slice));
		check_lines(&d, &slice);
		slice_deinit(&slice);
	}
	decoded_free(&d);
}

#define HEAD "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"

/* --- arguments and environment --- */

static void test_argument(void **state)
{
	static const char source[] = HEAD "int main(int argc, char **argv)\n{\n"
					  "	char copy[16];\n"
					  "	int a = argv[1][0]; /*out: the first byte*/\n"
					  "	int b = argv[1][1]; /*in*/\n"
					  "	int n = argc + 1; /*out*/\n"
					  "	int k = atoi(argv[2]); /*out: another argument*/\n"
					  "	strcpy(copy, argv[1]); /*in*/\n"
					  "	a += copy[0]; /*out*/\n"
					  "	b += copy[2]; /*in*/\n"
					  "	k += copy[3]; /*out*/\n"
					  "	return a + b + n + k; /*in*/\n}\n";
	struct slice_input input = {.kind = SLICE_ARGUMENT, .index = 1, .from = 1, .to = 3};

	expect(source, "", input);
}

static void test_end_of_argument(void **state)
{
	static const char source[] = HEAD "int main(int argc, char **argv)\n{\n"
					  "	int a = argv[1][3]; /*in: the last byte*/\n"
					  "	int b = argv[1][4]; /*in: its end*/\n"
					  "	int c = argv[1][2]; /*out*/\n"
					  "	int n = strlen(argv[1]); /*in*/\n"
					  "	return a + b + c + n;\n}\n";
	struct slice_input input = {.kind = SLICE_ARGUMENT, .index = 1, .from = 3, .to = 4};

	expect(source, "", input);
}

static void test_count(void **state)
{
	static const char source[] = HEAD "int main(int argc, char **argv)\n{\n"
					  "	int n = argc + 1; /*in*/\n"
					  "	char *p = argv[1]; /*in*/\n"
					  "	int k = 7; /*out*/\n"
					  "	if (argc > 2) /*in*/\n"
					  "		k++; /*in*/\n"
					  "	return n + k + *p;\n}\n";
	struct slice_input input = {.kind = SLICE_COUNT};

	expect(source, "", input);
}

static void test_variable(void **state)
{
	static const char source[] = HEAD "int main(void)\n{\n"
					  "	char *h = getenv(\"HOME\"); /*out*/\n"
					  "	char *v = getenv(\"SLICED\"); /*in*/\n"
					  "	int a = v[0]; /*in*/\n"
					  "	int b = h[0]; /*out*/\n"
					  "	return a + b;\n}\n";
	struct slice_input input = {.kind = SLICE_VARIABLE, .name = "SLICED"};

	setenv("SLICED", "abc", 1);
	setenv("HOME", "/", 0);
	expect(source, "", input);
}

/* --- standard input --- */

static void test_fgets(void **state)
{
	static const char source[] = HEAD "int main(void)\n{\n"
					  "	char line[32];\n	int a = 0, b = 0;\n"
					  "	fgets(line, 32, stdin); /*in*/\n"
					  "	a += line[0]; /*out*/\n"
					  "	b += line[4]; /*in*/\n"
					  "	fgets(line, 32, stdin); /*out: another line*/\n"
					  "	a += line[1]; /*out*/\n"
					  "	return a + b;\n}\n";
	struct slice_input input = {.kind = SLICE_STREAM, .from = 3, .to = 6};

	expect(source, "one two\nthree\n", input);
}

static void test_getchar(void **state)
{
	static const char source[] = HEAD "int main(void)\n{\n"
					  "	int a = getchar(); /*out*/\n"
					  "	int b = getchar(); /*in*/\n"
					  "	int c = fgetc(stdin); /*out*/\n"
					  "	int d = getc(stdin); /*out: the end*/\n"
					  "	if (b == 'y') /*in*/\n"
					  "		a++; /*in*/\n"
					  "	return a + b + c + d;\n}\n";
	struct slice_input input = {.kind = SLICE_STREAM, .from = 1, .to = 2};

	expect(source, "xyz", input);
}

static void test_end(void **state)
{
	static const char source[] = HEAD "int main(void)\n{\n"
					  "	int c, n = 0, k = 0;\n"
					  "	k += getchar(); /*out*/\n"
					  "	c = getchar(); /*in: the last byte*/\n"
					  "	c = getchar(); /*in: the end*/\n"
					  "	if (c == EOF) /*in*/\n"
					  "		n = 1; /*in*/\n"
					  "	return n + k;\n}\n";
	struct slice_input input = {.kind = SLICE_STREAM, .from = 1, .to = 2};

	expect(source, "ab", input);
}

static void test_read(void **state)
{
	static const char source[] = HEAD "int main(void)\n{\n"
					  "	char b[8];\n	int a, n;\n"
					  "	n = read(0, b, 4); /*in*/\n"
					  "	a = b[0]; /*in*/\n"
					  "	a = b[1]; /*out*/\n"
					  "	n = n + 1; /*out*/\n"
					  "	fread(b, 1, 2, stdin); /*out*/\n"
					  "	a = b[1]; /*out*/\n"
					  "	return a + n;\n}\n";
	struct slice_input input = {.kind = SLICE_STREAM, .from = 0, .to = 1};

	expect(source, "abcdefgh", input);
}

static void test_short(void **state)
{
	static const char source[] = HEAD "int main(void)\n{\n"
					  "	char b[8];\n	int a, n;\n"
					  "	n = fread(b, 1, 8, stdin); /*in*/\n"
					  "	a = b[4]; /*in*/\n"
					  "	a = b[1]; /*out*/\n"
					  "	n = n + 1; /*in: how many there were*/\n"
					  "	return a + n;\n}\n";
	struct slice_input input = {.kind = SLICE_STREAM, .from = 4, .to = 5};

	expect(source, "abcde", input);
}

static void test_scanf(void **state)
{
	static const char source[] = HEAD "int main(void)\n{\n"
					  "	int a = 0, b = 0, c, d;\n"
					  "	scanf(\"%d %d\", &a, &b); /*in*/\n"
					  "	c = a + 1; /*out*/\n"
					  "	d = b + 1; /*in*/\n"
					  "	return c + d;\n}\n";
	struct slice_input input = {.kind = SLICE_STREAM, .from = 4, .to = 5};

	expect(source, "12 345\n", input);
}

/* How many values there were depends on all bytes that were looked at, also on one that did not fit. */
static void test_scanf_result(void **state)
{
	static const char source[] =
		HEAD "int main(void)\n{\n"
		     "	int a = 0, b = 0, k = 1, n;\n	char c = 0;\n"
		     "	n = scanf(\"%d\", &a); /*out: the byte behind it is a space*/\n"
		     "	k += n; /*out*/\n"
		     "	n = scanf(\"%d\", &b); /*in: it does not fit*/\n"
		     "	k += a; /*out*/\n"
		     "	if (n == 1) /*in*/\n"
		     "		k++;\n"
		     "	n = scanf(\"%c\", &c); /*in*/\n"
		     "	k += n; /*in*/\n"
		     "	n = scanf(\"%c\", &c); /*out: the next byte*/\n"
		     "	return k + n; /*in*/\n}\n";
	struct slice_input input = {.kind = SLICE_STREAM, .from = 3, .to = 4};

	expect(source, "12 x!\n", input);
	input.from = 0;
	input.to = 1;
	expect(HEAD "int main(void)\n{\n	int a, b, n;\n"
	            "	n = scanf(\"%d\", &a); /*in*/\n"
	            "	b = n; /*in*/\n"
	            "	n = scanf(\"%d\", &a); /*out*/\n	return b;\n}\n",
	       "12 34", input);
}

/* The end of the input is as good as a byte that does not fit; it belongs to the last one. */
static void test_scanf_end(void **state)
{
	static const char source[] = HEAD "int main(void)\n{\n"
					  "	int x, n = 0;\n"
					  "	while (scanf(\"%d\", &x) == 1) /*in*/\n"
					  "		n++; /*in: the third time*/\n"
					  "	return n; /*in*/\n}\n";
	struct slice_input input = {.kind = SLICE_STREAM, .from = 4, .to = 5};

	expect(source, "1 2 3", input);
	expect(source, "1 2 3\n", input);
	expect(HEAD "int main(void)\n{\n	int x, n = 0;\n"
	            "	while (scanf(\"%d\", &x) == 1) /*in*/\n"
	            "		n++; /*out: before it*/\n"
	            "	return n;\n}\n",
	       "1 2 x\n", input);
}

static void test_sscanf_result(void **state)
{
	static const char source[] = HEAD "int main(int argc, char **argv)\n{\n"
					  "	int a = 0, b = 0, n, k;\n"
					  "	n = sscanf(argv[1], \"wo%d\", &a); /*in*/\n"
					  "	k = n; /*in*/\n"
					  "	n = sscanf(argv[2], \"%d\", &b); /*out*/\n"
					  "	return k + n + b; /*in*/\n}\n";
	struct slice_input input = {.kind = SLICE_ARGUMENT, .index = 1, .from = 2, .to = 3};

	expect(source, "", input);
}

/* A variable argument that an outside call returned. */
static void test_variable_argument(void **state)
{
	static const char source[] =
		HEAD "#include <stdarg.h>\n"
		     "static int pick(int n, ...)\n{\n"
		     "	va_list ap;\n	int v, w;\n"
		     "	va_start(ap, n);\n"
		     "	v = va_arg(ap, int); /*in*/\n"
		     "	w = va_arg(ap, int); /*out*/\n"
		     "	w += va_arg(ap, int); /*out*/\n"
		     "	va_end(ap);\n"
		     "	n = w; /*out*/\n"
		     "	return v; /*in*/\n}\n"
		     "int main(int argc, char **argv)\n{\n"
		     "	return pick(1, atoi(argv[2]), 2, abs(argc)); /*in*/\n}\n";
	struct slice_input input = {.kind = SLICE_ARGUMENT, .index = 2};

	expect(source, "", input);
}

static void test_getline(void **state)
{
	static const char source[] = HEAD "int main(void)\n{\n"
					  "	char *line = NULL;\n	size_t n = 0;\n	int a, b;\n"
					  "	getline(&line, &n, stdin); /*out*/\n"
					  "	a = line[1]; /*out*/\n"
					  "	getline(&line, &n, stdin); /*in*/\n"
					  "	b = line[0]; /*in*/\n"
					  "	a += line[1]; /*out*/\n"
					  "	free(line); /*out*/\n"
					  "	return a + b;\n}\n";
	struct slice_input input = {.kind = SLICE_STREAM, .from = 4, .to = 5};

	expect(source, "one\ntwo\n", input);
}

/* A file by its name; and the descriptor, which is standard input again afterwards. */
static void test_file(void **state)
{
	static const char source[] =
		HEAD "int main(void)\n{\n"
		     "	FILE *f = fopen(\"prog.c\", \"r\"); /*out*/\n"
		     "	int a = getc(f); /*in*/\n	int b = getchar(); /*out*/\n"
		     "	int c = getc(f); /*out*/\n	fclose(f); /*out*/\n"
		     "	return a + b + c;\n}\n";
	struct slice_input input = {.kind = SLICE_STREAM, .name = "prog.c", .to = 1};

	expect(source, "xyz", input);
}

static void test_copied_descriptor(void **state)
{
	static const char source[] = HEAD "int main(void)\n{\n"
					  "	char b[4];\n	int a, c, d = dup(0); /*out*/\n"
					  "	read(d, b, 2); /*in*/\n	a = b[0]; /*in*/\n"
					  "	c = b[1]; /*out*/\n	return a + c;\n}\n";
	struct slice_input input = {.kind = SLICE_STREAM, .from = 0, .to = 1};

	expect(source, "xyz", input);
}

/* --- anything --- */

static void test_any(void **state)
{
	static const char source[] =
		HEAD "#include <time.h>\n"
		     "int main(int argc, char **argv)\n{\n"
		     "	int n = 5; /*out*/\n	int t = time(NULL) > 3; /*in*/\n"
		     "	int c = getchar(); /*in*/\n	int k = strlen(\"abc\"); /*out*/\n"
		     "	char *p = malloc(n); /*out*/\n	int g = getpid() > 1; /*in*/\n"
		     "	int a = argc; /*out*/\n	int w = argv[1][0]; /*in*/\n"
		     "	strcpy(p, \"x\"); /*out*/\n"
		     "	return n + t + c + k + g + a + w + *p; /*in*/\n}\n";
	struct slice_input input = {.kind = SLICE_ANY};

	expect(source, "z", input);
}

/* --- bytes of structures, both ways --- */

static const char fields[] =
	HEAD "struct s { int x, y; char t[8]; long more; };\n"
	     "static struct s pass(struct s s) { return s; }\n"
	     "int main(void)\n{\n	struct s a, b, c;\n	char raw[sizeof(a)];\n"
	     "	int u, v;\n"
	     "	a.x = 1; /*out*/\n	a.y = 2; /*seed*/ /*in*/\n"
	     "	a.t[0] = 3; /*out: t*/\n	b = pass(a); /*in*/\n"
	     "	memcpy(raw, &b, sizeof(b)); /*in*/\n"
	     "	memcpy(&c, raw, sizeof(c)); /*in*/\n"
	     "	u = c.x + c.t[0]; /*out: u*/\n	v = c.y; /*in*/\n"
	     "	return v; /*in*/\n}\n";

static void test_fields_forward(void **state)
{
	struct decoded d = record(fields, "");
	struct recording run = slice_run_of(&d, 0);
	struct slice_options options = {0};
	struct slice_criterion criterion;
	struct slice slice;

	slice_whole(&d, 0);
	criterion = (struct slice_criterion){.instance = decoded_at(&d, "seed", CODE_STORE, 0)};
	slice_must(slice_forward(&run, &criterion, 1, NULL, 0, &options, &slice));
	check_lines(&d, &slice);
	slice_deinit(&slice);
	decoded_free(&d);
}

/* From the last instruction, in windows of several sizes. */
static void expect_backward(const char *source, const char *text)
{
	struct decoded d = record(source, text);
	struct slice_options options = {0};
	struct slice_criterion criterion;
	uint32_t first, end;

	slice_whole(&d, 0);
	execution_kept(d.e, &first, &end);
	criterion = (struct slice_criterion){.instance = end - 1};
	for (uint64_t memory = 0; memory < 3000; memory = memory ? 2 * memory : 800) {
		struct recording run = slice_run_of(&d, memory);
		struct slice slice;

		slice_must(slice_backward(&run, &criterion, 1, &options, &slice));
		check_lines(&d, &slice);
		slice_deinit(&slice);
	}
	decoded_free(&d);
}

static void test_fields_backward(void **state)
{
	expect_backward(fields, "");
}

/* --- variable arguments --- */

/* Their values are those that calls returned: in registers, and on the stack. */
static void test_variable_arguments(void **state)
{
	static const char source[] =
		HEAD "#include <stdarg.h>\n"
		     "static int seven(void)\n{\n	return 7; /*in*/\n}\n"
		     "static int eight(void)\n{\n	return 8; /*out: not taken*/\n}\n"
		     "static double half(void)\n{\n	return 0.5; /*in*/\n}\n"
		     "static int nine(void)\n{\n	return 9; /*in: on the stack*/\n}\n"
		     "static double real(void)\n{\n	return 10.5; /*in: on the stack*/\n}\n"
		     "static int pick(int n, ...)\n{\n"
		     "	va_list ap;\n	int v, w, i;\n	double d, r;\n"
		     "	va_start(ap, n);\n"
		     "	v = va_arg(ap, int); /*in*/\n"
		     "	i = va_arg(ap, int);\n"
		     "	d = va_arg(ap, double); /*in*/\n"
		     "	for (i = 0; i < 7; i++)\n"
		     "		w = va_arg(ap, int); /*in*/\n"
		     "	for (i = 0; i < 8; i++)\n"
		     "		r = va_arg(ap, double); /*in*/\n"
		     "	va_end(ap);\n"
		     "	return v + (d > 0.2) + w + (r > 1.0); /*in*/\n}\n"
		     "int main(void)\n{\n"
		     "	return pick(1, seven(), eight(), half(), 1, 2, 3, 4, 5, 6, nine(), /*in*/\n"
		     "		0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, real());\n}\n";

	expect_backward(source, "");
}

/* --- what models say --- */

/* Where the text goes that is appended, the old text decides. */
static void test_appended(void **state)
{
	static const char source[] = HEAD "int main(int argc, char **argv)\n{\n"
					  "	char a[20], b[20] = \"b\", c[20] = \"c\";\n"
					  "	int n = 0, k = 0;\n"
					  "	strcpy(a, argv[1]); /*in*/\n"
					  "	strcat(b, argv[2]); /*out*/\n"
					  "	strcat(a, \"-old\"); /*in*/\n"
					  "	n += a[4]; /*in: what was appended*/\n"
					  "	k += b[1]; /*out*/\n"
					  "	strncat(a, \"xyz\", 2); /*in*/\n"
					  "	n += a[9]; /*in*/\n"
					  "	strncat(c, \"c\", 1); /*out*/\n"
					  "	k += c[1]; /*out*/\n"
					  "	return n + k; /*in*/\n}\n";
	struct slice_input input = {.kind = SLICE_ARGUMENT, .index = 1};

	expect(source, "", input);
}

static void test_tokens(void **state)
{
	static const char source[] =
		HEAD "int main(int argc, char **argv)\n{\n"
		     "	char a[20], b[20], c[20] = \"x,y\", *p, *q, *r, *save, *at = b;\n"
		     "	int n = 0, k = 0;\n"
		     "	strcpy(a, argv[1]); /*in*/\n"
		     "	strcpy(b, argv[1]); /*in*/\n"
		     "	p = strtok(a, \"o\"); /*in*/\n"
		     "	n += p == NULL; /*in*/\n"
		     "	p = strtok(NULL, \"o\"); /*in*/\n"
		     "	n += p == NULL; /*in*/\n"
		     "	q = strsep(&at, \"o\"); /*in*/\n"
		     "	n += at == NULL; /*in*/\n"
		     "	r = strtok_r(c, \",\", &save); /*out*/\n"
		     "	k += r == NULL; /*out*/\n"
		     "	r = strtok_r(NULL, \",\", &save); /*out*/\n"
		     "	k += r == NULL; /*out*/\n"
		     "	strcpy(b, argv[1]); /*in*/\n"
		     "	r = strtok_r(b, \"o\", &save); /*in*/\n"
		     "	n += r == NULL; /*in*/\n"
		     "	r = strtok_r(NULL, \"o\", &save); /*in*/\n"
		     "	r = strtok_r(NULL, \"o\", &save); /*in: there is none*/\n"
		     "	n += r == NULL; /*in*/\n"
		     "	return n + k; /*in*/\n}\n";
	struct slice_input input = {.kind = SLICE_ARGUMENT, .index = 1};

	expect(source, "", input);
}

static void test_command(void **state)
{
	static const char source[] =
		HEAD "int main(int argc, char **argv)\n{\n"
		     "	char line[64];\n	int x = 0, y = 0;\n	FILE *f;\n"
		     "	sprintf(line, \"echo %s\", argv[2]); /*in*/\n"
		     "	f = popen(line, \"r\"); /*in*/\n"
		     "	fscanf(f, \"%d\", &x); /*in*/\n"
		     "	pclose(f);\n"
		     "	f = popen(\"echo 5\", \"r\"); /*out*/\n"
		     "	fscanf(f, \"%d\", &y); /*out*/\n"
		     "	y++; /*out*/\n"
		     "	return x + y; /*in*/\n}\n";
	struct slice_input input = {.kind = SLICE_ARGUMENT, .index = 2};

	expect(source, "", input);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_argument),
		cmocka_unit_test(test_end_of_argument),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_variable),
		cmocka_unit_test(test_fgets),
		cmocka_unit_test(test_getchar),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_scanf),
		cmocka_unit_test(test_scanf_result),
		cmocka_unit_test(test_scanf_end),
		cmocka_unit_test(test_sscanf_result),
		cmocka_unit_test(test_variable_argument),
		cmocka_unit_test(test_getline),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_copied_descriptor),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_fields_forward),
		cmocka_unit_test(test_fields_backward),
		cmocka_unit_test(test_variable_arguments),
		cmocka_unit_test(test_appended),
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_command),
	};

	return cmocka_run_group_tests_name("slice_inputs", tests, decoded_set_up,
	                                   decoded_tear_down);
}
