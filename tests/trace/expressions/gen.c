/*
 * gen SEED: prints a random C program of a few hundred statements that compute with all scalar types
 * and print each result. It does nothing undefined but what hence cc defines (sums of signed integers
 * wrap): divisors are neither 0 nor -1, shifts are smaller than the width, floating point fits the
 * integer that it becomes, indices fit their arrays.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define FUNCTIONS    12
#define STATEMENTS   28
#define DEEP         4
#define TEXT         8192

/* --- types --- */

struct type {
	const char *name;
	const char *letters;    /* of its variables */
	int bits;               /* after promotion; 0: floating point */
	const char *low, *high; /* floating point between these fits */
	const char *print;      /* format and argument; @ is its name */
};

static const struct type types[] = {
	{"_Bool", "bo", 32, "0", "1", "\"%d\", (int)(@)"},
	{"char", "ch", 32, "-120", "120", "\"%d\", @"},
	{"signed char", "sc", 32, "-120", "120", "\"%hhd\", @"},
	{"unsigned char", "uc", 32, "0", "250", "\"%hhu\", @"},
	{"short", "sh", 32, "-32000", "32000", "\"%hd\", @"},
	{"unsigned short", "us", 32, "0", "65000", "\"%5hu\", @"},
	{"int", "in", 32, "-2e9", "2e9", "\"%d\", @"},
	{"unsigned", "un", 32, "0", "4e9", "\"%08x\", @"},
	{"enum color", "en", 32, "0", "4e9", "\"%u\", @"},
	{"long", "lo", 64, "-9e18", "9e18", "\"%ld\", @"},
	{"unsigned long", "ul", 64, "0", "1.8e19", "\"%#lo\", @"},
	{"long long", "ll", 64, "-9e18", "9e18", "\"%+lld\", @"},
	{"unsigned long long", "ull", 64, "0", "1.8e19", "\"%llu\", @"},
	{"__int128", "sq", 128, "-1.6e38", "1.6e38", "\"%lx %lx\", (long)(@ >> 64), (long)@"},
	{"unsigned __int128", "uq", 128, "0", "3e38", "\"%lx %lx\", (long)(@ >> 64), (long)@"},
	{"float", "fl", 0, NULL, NULL, "\"%a %g\", @, @"},
	{"double", "db", 0, NULL, NULL, "\"%a %.9e\", @, @"},
	{"long double", "ld", 0, NULL, NULL, "\"%La %Lg\", @, @"},
};

#define REALS   3
#define ALL     ((int)COUNT(types))
#define WHOLES  (ALL - REALS)
#define EACH    3 /* variables of each type: a global, a local, a field */
#define FIELDS  8 /* bit-fields */
#define ENTRIES 8 /* of arrays */

static const struct {
	const char *type;
	int bits;
} fields[FIELDS] = {{"int", 3},   {"unsigned", 5},    {"long", 37}, {"unsigned long", 61},
                    {"_Bool", 1}, {"signed char", 7}, {"int", 32},  {"unsigned short", 9}};

/* --- chance --- */

static uint64_t state;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dull;
}

static int below(int n)
{
	return (int)((draw() >> 20) % (uint64_t)n);
}

static bool one_in(int n)
{
	return below(n) == 0;
}

/* --- text --- */

/* Adds to the end of `out`, which has room for TEXT. */
static void add(char **out, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	*out += vsprintf(*out, format, list);
	va_end(list);
}

/* --- leaves --- */

/* Calls of all variables look alike: a global, a parameter or local, or a field of a structure. */
static void add_variable(char **out, int type)
{
	static const char *const places[EACH] = {"g_%s", "l_%s", "box->%s"};

	add(out, places[below(EACH)], types[type].letters);
}

static void add_whole_constant(char **out)
{
	static const char *const corners[] = {"0",
	                                      "1",
	                                      "-1",
	                                      "127",
	                                      "-128",
	                                      "255u",
	                                      "0x8000",
	                                      "65535",
	                                      "0x7fffffff",
	                                      "0x80000000u",
	                                      "0xffffffffu",
	                                      "0x7fffffffffffffffl",
	                                      "0x8000000000000000ul",
	                                      "0xfffffffffffffffful",
	                                      "((__int128)1 << 100)",
	                                      "'z'",
	                                      "GREEN"};

	if (one_in(2))
		add(out, "%s", corners[below(COUNT(corners))]);
	else if (one_in(2))
		add(out, "%d", below(200) - 100);
	else
		add(out, "0x%llxul", (unsigned long long)(draw() >> below(60)));
}

static void add_real_constant(char **out)
{
	static const char *const corners[] = {"0.0",   "-0.0f", "1.5",    "0x1p-1070", "1e300",
	                                      "1e38f", "0.1",   "3.5L",   "1e4000L",   "-2.25f",
	                                      "1e10",  "0.1L",  "1e-45f", "16777217.0"};

	add(out, "%s", corners[below(COUNT(corners))]);
}

/* --- expressions --- */

static void add_whole(char **out, int depth);
static void add_real(char **out, int depth);

static void add_any(char **out, int depth)
{
	if (one_in(3))
		add_real(out, depth);
	else
		add_whole(out, depth);
}

/* What a condition is made from: anything. */
static void add_condition(char **out, int depth)
{
	static const char *const compares[] = {"<", ">", "<=", ">=", "==", "!="};
	const char *compare = compares[below(COUNT(compares))];

	switch (below(6)) {
	case 0: add(out, "!"); break;
	case 1: add(out, "(p_%c %s p_%c)", "ab"[below(2)], compare, "ab"[below(2)]); return;
	case 2:
		add(out, "(");
		add_condition(out, depth - 1 > 0 ? depth - 1 : 0);
		add(out, one_in(2) ? " && " : " || ");
		add_any(out, depth - 1);
		add(out, ")");
		return;
	default: break;
	}
	add(out, "(");
	add_any(out, depth - 1);
	add(out, " %s ", compare);
	add_any(out, depth - 1);
	add(out, ")");
}

/* An integer that is made from floating point. */
static void add_cut(char **out, int type, int depth)
{
	static const char kinds[] = "fdl";
	char kind = kinds[below(3)];

	add(out, "(%s)within_%c(", types[type].name, kind);
	add_real(out, depth - 1);
	add(out, ", %s, %s)", types[type].low, types[type].high);
}

static void add_division(char **out, int depth)
{
	static const char *const divisors[] = {" %c (((", " %c -((("};

	add(out, "(");
	add_whole(out, depth - 1);
	add(out, divisors[below(2)], "/%"[below(2)]);
	add_whole(out, depth - 1);
	add(out, ") & %d) + 2))", (1 << below(8)) - 1);
}

static void add_shift(char **out, int depth)
{
	int type = below(WHOLES);

	add(out, "((%s)(", types[type].name);
	add_whole(out, depth - 1);
	add(out, ") %s ((", one_in(2) ? "<<" : ">>");
	add_whole(out, depth - 1);
	add(out, ") & %d))", types[type].bits - 1);
}

static void add_two(char **out, const char *operators, int depth,
                    void (*side)(char **out, int depth))
{
	static const char *const marks[] = {" + ", " - ", " * ", " / ", " & ", " | ", " ^ "};
	int count = 0;

	while (operators[count])
		count++;
	add(out, "(");
	side(out, depth - 1);
	add(out, "%s", marks[operators[below(count)] - '0']);
	side(out, depth - 1);
	add(out, ")");
}

static void add_choice(char **out, int depth, void (*side)(char **out, int depth))
{
	add(out, "(");
	add_condition(out, depth - 1);
	add(out, " ? ");
	side(out, depth - 1);
	add(out, " : ");
	side(out, depth - 1);
	add(out, ")");
}

static void add_whole_leaf(char **out)
{
	static const char *const steps[] = {"%s%s", "++%s", "--%s", "%s++", "%s--", "~%s", "-%s"};
	int type = below(WHOLES), step = below(14);
	char name[64], *end = name;

	switch (below(12)) {
	case 0:
	case 1: add_whole_constant(out); return;
	case 2: add(out, "bits.f%d", below(FIELDS)); return;
	case 3: add(out, "(p_%c - p_%c)", "ab"[below(2)], "ab"[below(2)]); return;
	case 4: add(out, "*p_%c", "ab"[below(2)]); return;
	case 5: add(out, "(l_un & 1 ? view.u : (unsigned)view.l)"); return;
	case 6: add(out, "bytes_%s[%d]", types[below(WHOLES)].letters, below(ENTRIES)); return;
	default: break;
	}
	add_variable(&end, type);
	if (step < (int)COUNT(steps))
		add(out, step ? steps[step] : steps[0], name, "");
	else
		add(out, "%s", name);
}

static void add_whole(char **out, int depth)
{
	int type = below(WHOLES);

	if (depth <= 0) {
		add_whole_leaf(out);
		return;
	}
	switch (below(14)) {
	case 0: add_cut(out, type, depth); break;
	case 1:
	case 2: add_division(out, depth); break;
	case 3:
	case 4: add_shift(out, depth); break;
	case 5: add_condition(out, depth); break;
	case 6: add_choice(out, depth, add_whole); break;
	case 7:
	case 8:
		add(out, "(%s)(", types[type].name);
		add_whole(out, depth - 1);
		add(out, ")");
		break;
	case 9:
		add(out, "mix_%s(", types[type].letters);
		add_whole(out, depth - 1);
		add(out, ", ");
		add_whole(out, depth - 1);
		add(out, ")");
		break;
	case 10: add_whole_leaf(out); break;
	default: add_two(out, "0124560", depth, add_whole); break;
	}
}

static void add_real_leaf(char **out)
{
	if (one_in(4))
		add_real_constant(out);
	else if (one_in(6))
		add(out, "%s", one_in(2) ? "view.d" : "view.f");
	else
		add_variable(out, WHOLES + below(REALS));
}

static void add_real(char **out, int depth)
{
	int type = WHOLES + below(REALS);

	if (depth <= 0) {
		add_real_leaf(out);
		return;
	}
	switch (below(10)) {
	case 0: add_choice(out, depth, add_real); break;
	case 1:
		add(out, "-(");
		add_real(out, depth - 1);
		add(out, ")");
		break;
	case 2:
	case 3:
		add(out, "(%s)(", types[type].name);
		add_any(out, depth - 1);
		add(out, ")");
		break;
	case 4:
		add(out, "mix_%s(", types[type].letters);
		add_real(out, depth - 1);
		add(out, ", ");
		add_any(out, depth - 1);
		add(out, ")");
		break;
	case 5: add_real_leaf(out); break;
	default: add_two(out, "0123", depth, add_real); break;
	}
}

/* --- statements --- */

static void print_value(int type, const char *name)
{
	printf("\tprintf(\"%s \" ", name);
	for (const char *at = types[type].print; *at; at++)
		if (*at == '@')
			printf("%s", name);
		else
			putchar(*at);
	printf(");\n\tputchar('\\n');\n");
}

static void state_whole(int type, const char *name, char *text)
{
	static const char *const operators[] = {"=", "=", "=", "+=", "-=", "*=", "&=", "|=", "^="};
	char *end = text;

	switch (below(8)) {
	case 0:
		add(&end, "%s %s ((", name, one_in(2) ? "<<=" : ">>=");
		add_whole(&end, DEEP - 1);
		add(&end, ") & %d)", types[type].bits - 1);
		break;
	case 1:
		add(&end, "%s %c= (((", name, "/%"[below(2)]);
		add_whole(&end, DEEP - 1);
		add(&end, ") & 63) + 2)");
		break;
	case 2:
		add(&end, "%s = ", name);
		add_cut(&end, type, DEEP);
		break;
	case 3: add(&end, "%s%s", name, one_in(2) ? "++" : "--"); break;
	default:
		add(&end, "%s %s ", name, operators[below(COUNT(operators))]);
		add_whole(&end, DEEP);
	}
	printf("\t%s;\n", text);
}

/* Which NaN comes out of arithmetic is not for the IR to say: the code generator makes x + -y a
   difference, and the sign is another. So NaNs are not stored. */
static void state_real(int type, const char *name, char *text)
{
	static const char *const operators[] = {"", "", "", "+", "-", "*", "/"};
	const char *with = operators[below(COUNT(operators))];
	char *end = text;

	add(&end, "%s = no_nan_%s(", name, types[type].letters);
	if (*with)
		add(&end, "%s %s ", name, with);
	add_any(&end, DEEP);
	printf("\t%s);\n", text);
}

static void state_field(char *text)
{
	int field = below(FIELDS);
	char name[16], *end = text;

	sprintf(name, "bits.f%d", field);
	if (one_in(4))
		add(&end, "%s%s", name, one_in(2) ? "++" : "--");
	else {
		add(&end, "%s %s ", name, one_in(2) ? "=" : "^=");
		add_whole(&end, DEEP);
	}
	printf("\t%s;\n\tprintf(\"%s %%ld\\n\", (long)%s);\n", text, name, name);
}

static void state_pointer(char *text)
{
	char which = "ab"[below(2)], *end = text;

	switch (below(3)) {
	case 0:
		add(&end, "p_%c = &entries[(", which);
		add_whole(&end, DEEP - 1);
		add(&end, ") & %d]", ENTRIES - 1);
		break;
	case 1:
		add(&end, "p_%c = entries + ((p_%c - entries + (", which, "ab"[below(2)]);
		add_whole(&end, DEEP - 2);
		add(&end, ")) & %d)", ENTRIES - 1);
		break;
	default: add(&end, "*p_%c %s ", which, one_in(2) ? "=" : "+="); add_whole(&end, DEEP);
	}
	printf("\t%s;\n\tprintf(\"%c: %%ld %%d %%d\\n\", (long)(p_%c - entries), *p_%c, p_a < "
	       "p_b);\n",
	       text, which, which, which);
}

static void state_array(char *text)
{
	const char *letters = types[below(WHOLES)].letters;
	char name[64], *end = text;

	sprintf(name, "bytes_%s[%d]", letters, below(ENTRIES));
	add(&end, "%s = ", name);
	add_whole(&end, DEEP - 1);
	printf("\t%s;\n\tprintf(\"%s %%lx\\n\", (long)%s);\n", text, name, name);
}

/* The same bytes as another type. */
static void state_view(char *text)
{
	static const char *const members[] = {"u", "l", "f", "d", "s[1]", "c[3]"};
	int member = below(COUNT(members));
	bool is_real = member == 2 || member == 3;
	char *end = text;

	add(&end, "view.%s = ", members[member]);
	if (is_real) {
		add(&end, "no_nan_%s(", types[WHOLES + member - 2].letters);
		add_real(&end, DEEP - 1);
		add(&end, ")");
	} else {
		add_whole(&end, DEEP - 1);
	}
	printf("\t%s;\n", text);
	printf("\tprintf(\"view %%lx %%d %%a %%a\\n\", view.l, view.c[1], view.f, view.d);\n");
}

static void put_statement(void)
{
	char text[1 << 20], name[64], *end = name;
	int type = below(ALL);

	switch (below(12)) {
	case 0:
	case 1: state_field(text); return;
	case 2: state_pointer(text); return;
	case 3: state_array(text); return;
	case 4: state_view(text); return;
	default: break;
	}
	add_variable(&end, type);
	if (type < WHOLES)
		state_whole(type, name, text);
	else
		state_real(type, name, text);
	print_value(type, name);
}

/* --- the program --- */

/* A constant to begin with. */
static const char *first_value(int type)
{
	static char text[256];
	char *end = text;

	add(&end, "(%s)", types[type].name);
	if (type < WHOLES)
		add_whole_constant(&end);
	else
		add_real_constant(&end);
	return text;
}

static void put_declarations(void)
{
	printf("#include <stdio.h>\n#include <string.h>\n\n");
	printf("enum color { RED, GREEN, BLUE };\n");
	for (const char *kind = "fdl"; *kind; kind++) {
		const char *name = types[WHOLES + (kind[0] == 'd') + 2 * (kind[0] == 'l')].name;

		printf("static %s within_%c(%s x, %s low, %s high)\n"
		       "{\n\treturn x > low && x < high ? x : (low + high) / 2 + 1;\n}\n\n",
		       name, *kind, name, name, name);
	}
	printf("struct box {\n");
	for (int i = 0; i < ALL; i++)
		printf("\t%s %s;\n", types[i].name, types[i].letters);
	printf("};\n\nstatic struct {\n");
	for (int i = 0; i < FIELDS; i++)
		printf("\t%s f%d : %d;\n", fields[i].type, i, fields[i].bits);
	printf("} bits;\n\nstatic union {\n\tunsigned u;\n\tunsigned long l;\n\tfloat f;\n\tdouble "
	       "d;\n"
	       "\tshort s[4];\n\tsigned char c[8];\n} view;\n\n");
	printf("static int entries[%d] = {1, -2, 3, -4, 5, -6, 7, -8};\n", ENTRIES);
	for (int i = 0; i < ALL; i++)
		printf("static %s g_%s = %s, bytes_%s[%d] = {1, %d};\n", types[i].name,
		       types[i].letters, first_value(i), types[i].letters, ENTRIES, below(100));
	printf("\n");
}

static void put_mixers(void)
{
	for (int i = 0; i < ALL; i++)
		printf("static %s mix_%s(%s a, %s b)\n{\n\treturn %s;\n}\n\n", types[i].name,
		       types[i].letters, types[i].name, types[i].name,
		       one_in(2)   ? "a < b ? a : b"
		       : one_in(2) ? "a - b"
		                   : "a * 3 + b");
}

static void put_no_nan(void)
{
	for (int i = WHOLES; i < ALL; i++)
		printf("static %s no_nan_%s(%s x)\n{\n\treturn x == x ? x : %d.5;\n}\n\n",
		       types[i].name, types[i].letters, types[i].name, below(10));
}

static void put_function(int number)
{
	printf("static struct box part_%d(struct box *box, struct box old)\n{\n", number);
	printf("\tint *p_a = entries + %d, *p_b = &entries[%d];\n", below(ENTRIES), below(ENTRIES));
	for (int i = 0; i < ALL; i++)
		if (one_in(2))
			printf("\t%s l_%s = old.%s;\n", types[i].name, types[i].letters,
			       types[i].letters);
		else
			printf("\t%s l_%s = %s;\n", types[i].name, types[i].letters,
			       first_value(i));
	printf("\n");
	for (int i = 0; i < STATEMENTS; i++)
		put_statement();
	for (int i = 0; i < ALL; i++)
		printf("\told.%s = l_%s;\n", types[i].letters, types[i].letters);
	printf("\treturn old;\n}\n\n");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: gen SEED\n");
		return 2;
	}
	state = strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15ull + 1;
	put_declarations();
	put_mixers();
	put_no_nan();
	for (int i = 0; i < FUNCTIONS; i++)
		put_function(i);
	printf("int main(void)\n{\n\tstruct box box, old;\n\n\tmemset(&box, 0, "
	       "sizeof(box));\n");
	for (int i = 0; i < ALL; i++)
		printf("\tbox.%s = %s;\n", types[i].letters, first_value(i));
	printf("\told = box;\n");
	for (int i = 0; i < FUNCTIONS; i++)
		printf("\told = part_%d(&box, old);\n", i);
	printf("\treturn 0;\n}\n");
	return 0;
}
