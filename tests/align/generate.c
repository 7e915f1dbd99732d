/*
 * generate SEED COUNT: a random C program, made of COUNT programs: its first argument chooses one. Its second
 * says which of its choices go another way than usual, so that two runs agree in most and differ in some: the
 * way of a run only depends on choose(), which knows how often it was asked at that place.
 */
#include <stdio.h>
#include <stdlib.h>

static unsigned long long state;
static int program, functions, choices, labels;
static int jumps; /* does the function being written have setjmp()? then it may not return early */

static unsigned pick(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

static void indent(int depth)
{
	while (depth-- > 0)
		putchar('\t');
}

static void line(int depth, const char *text)
{
	indent(depth);
	puts(text);
}

static void choice(unsigned n)
{
	printf("choose(%d, %u)", choices++, n);
}

static void condition(void)
{
	switch (pick(6)) {
	case 0:
		choice(2);
		printf(" && ");
		choice(2);
		break;
	case 1:
		choice(2);
		printf(" || (");
		choice(3);
		printf(" && x != 3)");
		break;
	case 2:
		printf("(");
		choice(2);
		printf(" ? ");
		choice(2);
		printf(" : ");
		choice(3);
		printf(")");
		break;
	default: choice(2);
	}
}

static void body(int depth, int loop, int most);

static void write_if(int depth, int loop)
{
	indent(depth);
	printf("if (");
	condition();
	puts(") {");
	body(depth + 1, loop, 3);
	if (pick(2)) {
		line(depth, "} else {");
		body(depth + 1, loop, 3);
	}
	line(depth, "}");
}

static void write_loop(int depth)
{
	indent(depth);
	switch (pick(5)) {
	case 0:
		printf("while (");
		condition();
		puts(") {");
		break;
	case 1:
		printf("for (int i%d = 0; i%d < (int)", depth, depth);
		choice(5);
		printf("; i%d++) {\n", depth);
		break;
	case 2:
		printf("for (int n%d = (int)", depth);
		choice(6);
		printf("; n%d > 0; n%d--) {\n", depth, depth);
		break;
	case 3:
		puts("do {");
		body(depth + 1, 1, 3);
		indent(depth);
		printf("} while (");
		condition();
		puts(");");
		return;
	default:
		if (pick(3)) {
			printf("while (x++ %% 5 && ");
			choice(5);
			puts(") {");
		} else {
			/* Only choose() ends it. */
			puts("for (;;) {");
			body(depth + 1, 0, 3);
			indent(depth + 1);
			printf("x += (int)");
			choice(4);
			puts(";");
			line(depth, "}");
			return;
		}
	}
	body(depth + 1, 1, 4);
	line(depth, "}");
}

static void write_switch(int depth, int loop)
{
	unsigned cases = 2 + pick(4);

	indent(depth);
	printf("switch (");
	choice(cases + 1);
	puts(") {");
	for (unsigned i = 0; i < cases; i++) {
		indent(depth);
		printf("case %u:\n", i);
		body(depth + 1, loop, 2);
		if (pick(3))
			line(depth + 1, "break;");
	}
	if (pick(2)) {
		line(depth, "default:");
		body(depth + 1, loop, 2);
	}
	line(depth, "}");
}

static void write_goto(int depth, int loop)
{
	int l = labels;

	labels += 2;
	switch (pick(3)) {
	case 0: /* back */
		indent(depth);
		printf("l%d:\n", l);
		body(depth, loop, 2);
		indent(depth);
		printf("if (");
		condition();
		printf(")\n");
		indent(depth + 1);
		printf("goto l%d;\n", l);
		break;
	case 1: /* into a loop: it cannot be reduced */
		indent(depth);
		printf("if (");
		condition();
		printf(")\n");
		indent(depth + 1);
		printf("goto l%d;\n", l);
		indent(depth);
		printf("while (");
		condition();
		puts(") {");
		body(depth + 1, 1, 2);
		indent(depth);
		printf("l%d:\n", l);
		body(depth + 1, 1, 2);
		line(depth, "}");
		break;
	default: /* computed */
		line(depth, "{");
		indent(depth + 1);
		printf("static void *const to[] = {&&l%d, &&l%d};\n", l, l + 1);
		indent(depth + 1);
		printf("goto *to[");
		choice(2);
		puts("];");
		indent(depth);
		printf("l%d:\n", l);
		body(depth + 1, loop, 2);
		indent(depth);
		printf("l%d:\n", l + 1);
		body(depth + 1, loop, 2);
		line(depth, "}");
	}
}

static void write_call(int depth)
{
	indent(depth);
	switch (pick(5)) {
	case 0:
		printf("x += p%d_table[", program);
		choice((unsigned)functions);
		puts("](x);");
		break;
	case 1:
		printf("sort_some((int)");
		choice(7);
		printf(", compare%u);\n", pick(2));
		break;
	case 2: printf("x += p%d_jump%u(x);\n", program, pick(2)); break;
	default: printf("x += p%d_f%u(x);\n", program, pick((unsigned)functions));
	}
}

static void write_end(int depth, int loop)
{
	indent(depth);
	printf("if (");
	choice(2 + pick(2));
	puts(")");
	indent(depth + 1);
	switch (pick(9)) {
	case 0: puts("exit(3);"); break;
	case 1: puts("abort();"); break;
	case 2:
	case 3: puts("jump();"); break;
	case 4:
	case 5: puts(loop ? "break;" : "x++;"); break;
	case 6: puts(loop ? "continue;" : "x--;"); break;
	default: puts(jumps ? "jump();" : "return x;");
	}
}

static void statement(int depth, int loop)
{
	if (depth > 3) {
		line(depth, "x = x * 3 + 1;");
		return;
	}
	switch (pick(12)) {
	case 0:
	case 1:
	case 2: write_if(depth, loop); break;
	case 3:
	case 4: write_loop(depth); break;
	case 5: write_switch(depth, loop && pick(2)); break;
	case 6: write_goto(depth, loop); break;
	case 7:
	case 8: write_call(depth); break;
	case 9: write_end(depth, loop); break;
	default: line(depth, "x = x * 5 + 7;");
	}
}

static void body(int depth, int loop, int most)
{
	unsigned count = 1 + pick((unsigned)most);

	while (count--)
		statement(depth, loop);
	line(depth, "x++;");
}

static void write_function(int number)
{
	printf("static int p%d_f%d(int x)\n{\n", program, number);
	line(1, "if (++depth > 6) {");
	line(2, "depth--;");
	line(2, "return x;");
	line(1, "}");
	body(1, 0, 3);
	line(1, "depth--;");
	line(1, "return x;");
	puts("}\n");
}

/* setjmp(), in each of its usual forms; what it left may be left again. */
static void write_jump(int number)
{
	jumps = 1;
	printf("static int p%d_jump%d(int x)\n{\n", program, number);
	line(1, "jmp_buf here, *volatile old = top;");
	line(1, "volatile int deep = depth + 1;");
	line(1, "");
	line(1, "if (++depth > 6) {");
	line(2, "depth--;");
	line(2, "return x;");
	line(1, "}");
	line(1, "top = &here;");
	switch (pick(4)) {
	case 0:
		line(1, "if (setjmp(here) == 0) {");
		body(2, 0, 3);
		line(1, "} else {");
		line(2, pick(2) ? "top = old;" : "depth = deep;");
		body(2, 0, 2);
		line(1, "}");
		break;
	case 1:
		line(1, "setjmp(here);");
		line(1, "depth = deep;");
		body(1, 0, 4);
		break;
	case 2:
		line(1, "switch (setjmp(here)) {");
		line(1, "case 0:");
		body(2, 0, 3);
		line(1, "default:");
		line(2, "depth = deep;");
		body(2, 0, 2);
		line(1, "}");
		break;
	default:
		indent(1);
		printf("while (setjmp(here) < 1 && ");
		choice(3);
		puts(") {");
		body(2, 1, 3);
		line(1, "}");
	}
	line(1, "top = old;");
	line(1, "depth = deep;");
	body(1, 0, 2);
	line(1, "depth--;");
	line(1, "return x;");
	puts("}\n");
	jumps = 0;
}

static void write_program(void)
{
	functions = 2 + (int)pick(2);
	for (int i = 0; i < functions; i++)
		printf("static int p%d_f%d(int x);\n", program, i);
	printf("static int p%d_jump0(int x), p%d_jump1(int x);\n", program, program);
	printf("static int (*const p%d_table[])(int) = {", program);
	for (int i = 0; i < functions; i++)
		printf("%sp%d_f%d", i ? ", " : "", program, i);
	puts("};\n");
	for (int i = 0; i < functions; i++)
		write_function(i);
	write_jump(0);
	write_jump(1);
	printf("static int p%d_main(void)\n{\n", program);
	line(1, "int x = 1;");
	line(1, "");
	for (int i = 0; i < 3; i++)
		write_call(1);
	body(1, 0, 4);
	line(1, "return x;");
	puts("}\n");
}

static void prologue(void)
{
	puts("#include <setjmp.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n"
	     "static unsigned other;\n"
	     "static int depth, fuel = 1500;\n"
	     "static jmp_buf *top;\n"
	     "static unsigned asked[9999];\n\n"
	     "static unsigned mix(unsigned a, unsigned b, unsigned c)\n{\n"
	     "	unsigned h = a * 2654435761u ^ b * 2246822519u ^ c * 3266489917u;\n\n"
	     "	h = (h ^ h >> 15) * 2246822519u;\n"
	     "	return h ^ h >> 13;\n}\n\n"
	     "static unsigned choose(unsigned place, unsigned n)\n{\n"
	     "	unsigned time = asked[place]++;\n\n"
	     "	if (--fuel < 0) {\n"
	     "		if (fuel < -300)\n"
	     "			exit(5);\n"
	     "		return 0;\n"
	     "	}\n"
	     "	if (other && mix(other, place, time) % 9 == 0)\n"
	     "		return mix(place, time, other) % n;\n"
	     "	return mix(place, time, 0) % n;\n}\n\n"
	     "static void jump(void)\n{\n"
	     "	if (top)\n"
	     "		longjmp(*top, 1 + fuel % 2);\n}\n\n"
	     "static int compare0(const void *a, const void *b)\n{\n"
	     "	int x = *(const int *)a, y = *(const int *)b;\n\n"
	     "	if (x < y)\n"
	     "		return -1;\n"
	     "	return x > y;\n}\n\n"
	     "static int compare1(const void *a, const void *b)\n{\n"
	     "	return compare0(b, a);\n}\n\n"
	     "static void sort_some(int count, int (*compare)(const void *, const void *))\n{\n"
	     "	int some[8];\n\n"
	     "	for (int i = 0; i < count; i++)\n"
	     "		some[i] = (int)(mix(other, (unsigned)i, 7) % 50);\n"
	     "	qsort(some, (size_t)count, sizeof(*some), compare);\n}\n");
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 1;

	state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	pick(2);
	prologue();
	for (program = 0; program < count; program++)
		write_program();
	puts("int main(int argc, char **argv)\n{\n"
	     "	int x = 0;\n\n"
	     "	other = (unsigned)atoi(argv[2]);\n"
	     "	switch (atoi(argv[1])) {");
	for (program = 0; program < count; program++)
		printf("	case %d: x = p%d_main(); break;\n", program, program);
	puts("	}\n	printf(\"%d\\n\", x);\n	return 0;\n}");
	return 0;
}
