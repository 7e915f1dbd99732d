/* Makes a random program with a planted fault: generate SEED RIGHT.c FAULTY.c prints the line in which they differ, by one constant or
   operator of an assignment or a condition. The programs have globals, arrays, functions, loops and conditions; they always end, and
   print what they have. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GLOBALS   5
#define ARRAYS    2
#define FUNCTIONS 3
#define NOWHERE   (-1)

static uint64_t state;

static char text[1 << 16];
static size_t used;
static int line;

static int sites; /* places for a fault so far */
static int plant; /* the number of the one that is taken; NOWHERE: none */
static int planted_line;

static int function; /* that is being written: it calls those before it; FUNCTIONS: main() */
static int depth;    /* of blocks */
static int loops;    /* around */

static unsigned pick(unsigned count)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % count;
}

static void put(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	used += vsnprintf(text + used, sizeof text - used, format, arguments);
	va_end(arguments);
	if (used >= sizeof text)
		exit(3);
}

static void begin_line(void)
{
	for (int i = 0; i <= depth; i++)
		put("\t");
}

static void end_line(const char *end)
{
	put("%s\n", end);
	line++;
}

/* Is the fault here? */
static int is_planted(void)
{
	if (sites++ != plant)
		return 0;
	planted_line = line;
	return 1;
}

static void put_variable(void)
{
	switch (pick(4)) {
	case 0: put("%c", function == FUNCTIONS ? 'n' : "pq"[pick(2)]); break;
	case 1: put("a%d[g%d %% 4]", pick(ARRAYS), pick(GLOBALS)); break;
	default: put("g%d", pick(GLOBALS)); break;
	}
}

static void put_constant(unsigned limit)
{
	unsigned constant = pick(limit);
	put("%u", is_planted() ? constant + 1 : constant);
}

static void put_operator(void)
{
	static const char *const operators[] = {"+", "-", "*", "^", "+"};
	unsigned which = pick(4);
	put(" %s ", operators[which + is_planted()]);
}

static void put_expression(void)
{
	put_variable();
	put_operator();
	if (pick(2)) {
		put_variable();
		put(" %% %u", 2 + pick(30));
	} else {
		put_constant(20);
	}
}

static void put_condition(void)
{
	unsigned modulus = 2 + pick(4);
	put_variable();
	put(" %% %u", modulus);
	put(is_planted() ? " >= " : " > ");
	put_constant(modulus);
}

static void put_block(int statements);

static void put_assignment(void)
{
	begin_line();
	if (pick(3) == 0)
		put("a%d[%d]", pick(ARRAYS), pick(4));
	else
		put("g%d", pick(GLOBALS));
	put(" = ");
	put_expression();
	end_line(";");
}

static void put_if(void)
{
	begin_line();
	put("if (");
	put_condition();
	end_line(") {");
	put_block(1 + pick(2));
	if (pick(2)) {
		begin_line();
		end_line("} else {");
		put_block(1 + pick(2));
	}
	begin_line();
	end_line("}");
}

static void put_loop(void)
{
	begin_line();
	put("for (int i%d = 0; i%d < %u; i%d++", loops, loops, 2 + pick(3), loops);
	end_line(") {");
	loops++;
	put_block(1 + pick(3));
	loops--;
	begin_line();
	end_line("}");
}

/* Arguments are variables, so a fault is never in a line with a call. */
static void put_call(void)
{
	begin_line();
	put("g%d = f%d(g%d, g%d)", pick(GLOBALS), pick(function), pick(GLOBALS), pick(GLOBALS));
	end_line(";");
}

static void put_block(int statements)
{
	depth++;
	for (int i = 0; i < statements; i++) {
		unsigned kind = pick(10);
		if (kind < 2 && depth < 3)
			put_if();
		else if (kind < 4 && loops < 2 && depth < 3)
			put_loop();
		else if (kind < 6 && function > 0 && loops < 2)
			put_call();
		else
			put_assignment();
	}
	depth--;
}

static void put_function(void)
{
	end_line("");
	put("static unsigned f%d(unsigned p, unsigned q)", function);
	end_line("");
	end_line("{");
	put_block(2 + pick(3));
	put("\treturn g%d + p", pick(GLOBALS));
	end_line(";");
	end_line("}");
}

static void put_main(void)
{
	end_line("");
	end_line("int main(int argc, char *argv[])");
	end_line("{");
	end_line("\tunsigned n = argc > 1 ? atoi(argv[1]) : 7;");
	for (int i = 0; i < GLOBALS; i++) {
		put("\tg%d = n + %d;", i, 3 * i);
		end_line("");
	}
	put_block(6 + pick(6));
	for (int i = 0; i < GLOBALS; i++) {
		put("\tprintf(\"%%u\\n\", g%d);", i);
		end_line("");
	}
	for (int i = 0; i < ARRAYS; i++) {
		put("\tprintf(\"%%u %%u %%u %%u\\n\", a%d[0], a%d[1], a%d[2], a%d[3]);", i, i, i, i);
		end_line("");
	}
	end_line("\treturn 0;");
	end_line("}");
}

static void put_program(uint64_t seed, int where)
{
	state = seed * 2654435761u + 12345;
	used = 0;
	line = 1;
	sites = 0;
	plant = where;
	depth = -1;
	end_line("#include <stdio.h>");
	end_line("#include <stdlib.h>");
	end_line("");
	for (int i = 0; i < GLOBALS; i++) {
		put("static unsigned g%d;", i);
		end_line("");
	}
	for (int i = 0; i < ARRAYS; i++) {
		put("static unsigned a%d[4];", i);
		end_line("");
	}
	for (function = 0; function < FUNCTIONS; function++)
		put_function();
	put_main();
}

static void save(const char *path)
{
	FILE *file = fopen(path, "w");
	if (!file || fwrite(text, 1, used, file) != used || fclose(file) != 0)
		exit(2);
}

int main(int argc, char *argv[])
{
	if (argc != 4)
		return 2;
	uint64_t seed = strtoull(argv[1], NULL, 10);
	put_program(seed, NOWHERE);
	save(argv[2]);
	put_program(seed, seed * 7919 % sites);
	save(argv[3]);
	printf("%d\n", planted_line);
	return 0;
}
