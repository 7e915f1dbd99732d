/*
 * Formulas of functions of the library: a program calls them once; the terms must then say what the functions give
 * for other strings, characters and numbers, too. Compared with the functions themselves.
 */
#include "trace_decoded.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "solve/symbolic.h"

#define ROOM 12 /* bytes of each string */
#define RUNS 3000

static struct decoded d;
static struct terms *terms;
static struct symbolic *s;

/* The bytes are stored one by one, so that each has a symbol. `a` and `b` must be strings. */
static const char source[] =
	"#include <arpa/inet.h>\n#include <ctype.h>\n#include <math.h>\n#include "
	"<stdlib.h>\n#include <string.h>\n"
	"#include <strings.h>\n"
	"static volatile int digit, space;\n"
	"static void look(int c) { digit = isdigit(c); /*digit*/\n"
	"  space = isspace((unsigned char)c); /*space*/ }\n"
	"#undef isdigit\n#undef isalpha\n#undef isalnum\n#undef isspace\n#undef isupper\n"
	"#undef islower\n#undef ispunct\n#undef isprint\n#undef isgraph\n#undef iscntrl\n"
	"#undef isxdigit\n#undef isblank\n#undef toupper\n#undef tolower\n"
	"static volatile long r; static volatile void *p; static volatile double f;\n"
	/* The compiler knows these: through pointers they are called. */
	"static int (*volatile pabs)(int) = abs; static long (*volatile plabs)(long) = labs;\n"
	"static double (*volatile pfabs)(double) = fabs;\n"
	"int main(void) {\n"
	"  static const char first[12] = \"abcaBca\", second[12] = \"abCab\", digits[12] = \" "
	"-4217x\";\n"
	"  char a[12], b[12], n[12]; int i, c; long l; double x; float y; char *e;\n"
	"  for (i = 0; i < 12; i++) { a[i] = first[i]; b[i] = second[i]; n[i] = digits[i]; }\n"
	"  c = 'c'; l = -5; x = 2.25; y = -1.5f;\n"
	"  r = strlen(a); /*strlen*/\n"
	"  r = strnlen(a, 5); /*strnlen*/\n"
	"  r = strcmp(a, b); /*strcmp*/\n"
	"  r = strncmp(a, b, 4); /*strncmp*/\n"
	"  r = strcasecmp(a, b); /*strcasecmp*/\n"
	"  r = strncasecmp(a, b, 4); /*strncasecmp*/\n"
	"  r = memcmp(a, b, 7); /*memcmp*/\n"
	"  i = 7; r = memcmp(a, b, i); /*memcmp_called*/\n"
	"  p = strchr(a, c); /*strchr*/\n"
	"  p = strrchr(a, c); /*strrchr*/\n"
	"  p = memchr(a, c, 9); /*memchr*/\n"
	"  r = atoi(n); /*atoi*/\n"
	"  r = atol(n); /*atol*/\n"
	"  r = strtol(n, &e, 10); /*strtol*/\n"
	"  r = strtoul(n, 0, 10); /*strtoul*/\n"
	"  r = strtol(n, &e, 0); /*strtol_any*/\n"
	"  r = pabs(c - 100); /*abs*/\n"
	"  r = plabs(l); /*labs*/\n"
	"  f = pfabs(x - 9); /*fabs*/\n"
	"  f = sqrt(x); /*sqrt*/\n"
	"  f = sqrtf(y * y); /*sqrtf*/\n"
	"  r = (htonl)(l); /*htonl*/\n"
	"  r = (ntohs)(l); /*ntohs*/\n"
	"  r = (toupper)(c); /*toupper*/\n"
	"  r = (tolower)(c); /*tolower*/\n"
	"  r = (isdigit)(c); /*isdigit*/\n"
	"  r = (isalpha)(c); /*isalpha*/\n"
	"  r = (isalnum)(c); /*isalnum*/\n"
	"  r = (isspace)(c); /*isspace*/\n"
	"  r = (isupper)(c); /*isupper*/\n"
	"  r = (islower)(c); /*islower*/\n"
	"  r = (ispunct)(c); /*ispunct*/\n"
	"  r = (isprint)(c); /*isprint*/\n"
	"  r = (isgraph)(c); /*isgraph*/\n"
	"  r = (iscntrl)(c); /*iscntrl*/\n"
	"  r = (isxdigit)(c); /*isxdigit*/\n"
	"  r = (isblank)(c); /*isblank*/\n"
	"  look(c);\n"
	"  p = strcpy(a, b); /*strcpy*/\n"
	"  return 0;\n"
	"}\n";

static int set_up(void **state)
{
	struct execution_options options = {.retain = true, .bytes = true};

	if (decoded_set_up(state))
		return 1;
	d = decoded_record(source);
	decoded_run(&d, options);
	terms = terms_create();
	s = symbolic_create(d.e, terms);
	return 0;
}

static int tear_down(void **state)
{
	symbolic_destroy(s);
	terms_destroy(terms);
	decoded_free(&d);
	return decoded_tear_down(state);
}

/* --- other inputs --- */

/* What symbols are now. Of a byte that was stored, what stands at its address. */
struct inputs {
	uint64_t address[2]; /* of the two strings */
	char text[2][ROOM + 1];
	uint64_t number; /* of the other symbols */
	bool kept;       /* these are as they were */
	uint64_t any;
};

static uint64_t random_word(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dull >> 8;
}

static uint64_t value_of(void *context, uint64_t number)
{
	const struct inputs *in = context;
	const struct symbol *symbol;
	uint64_t at;

	if (number >= TERM_ANY)
		return in->any;
	symbol = symbolic_symbol(s, (uint32_t)number);
	if (execution_insn(d.e, symbol->instance)->op == CODE_STORE && symbol->bits == 8) {
		at = decoded_operand(&d, symbol->instance,
		                     execution_insn(d.e, symbol->instance)->b);
		for (unsigned k = 0; k < 2; k++)
			if (at - in->address[k] < ROOM)
				return (uint8_t)in->text[k][at - in->address[k]];
	}
	/* Pointers to the strings are as they were, too. */
	return in->kept || (in->address[0] && symbol->bits == 64) ? symbolic_actual(s, number)
	                                                          : in->number;
}

/* The formula of the call on the line, which must be one. */
static term formula(const char *name, uint32_t *call)
{
	const struct symbolic_definition *definition;
	term t;

	*call = decoded_at(&d, name, CODE_CALL, 0);
	t = symbolic_value(s, *call);
	assert_int_not_equal(t, 0);
	definition = symbolic_define(s, (uint32_t)term_at(terms, t)->value);
	if (definition->form != SYMBOLIC_RETURNED)
		fail_msg("%s has no formula", name);
	return definition->term;
}

/* False: it may be anything. */
static bool evaluate(term t, struct inputs *in, uint64_t *out)
{
	in->any = 0x5555;
	*out = term_evaluate(terms, t, value_of, in);
	in->any = ~in->any;
	return term_evaluate(terms, t, value_of, in) == *out;
}

/* --- strings --- */

/* Short alphabets, so that strings are often alike; terminated within the bytes that the program's had. */
static void fill(char *text, const char *alphabet, uint32_t most)
{
	uint32_t size = (uint32_t)(random_word() % (most + 1));

	memset(text, 0, ROOM + 1);
	for (uint32_t i = 0; i < size; i++)
		text[i] = alphabet[random_word() % strlen(alphabet)];
}

/* Functions of two strings, of one and a character, or of one. */
struct text_case {
	const char *name;
	uint64_t (*call)(const struct inputs *in);
	const char *alphabet;
	uint32_t most; /* length; longer strings may be anything */
};

static uint64_t position(const struct inputs *in, const char *found)
{
	return found ? in->address[0] + (uint64_t)(found - in->text[0]) : 0;
}

/*
 * The C library's own function. In a sanitized build the plain name is the sanitizer's, whose
 * comparisons return -1 and 1 instead of the difference.
 */
static void *libc(const char *name)
{
	void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD), *function;

	assert_non_null(library);
	function = dlsym(library, name);
	assert_non_null(function);
	dlclose(library);
	return function;
}

#define LIBC(name) ((__typeof__(&name))libc(#name))

#define TEXT(name, result)                                                                         \
	static uint64_t name##_(const struct inputs *in)                                           \
	{                                                                                          \
		const char *volatile a = in->text[0], *volatile b = in->text[1];                   \
		(void)b;                                                                           \
		return (uint64_t)(result);                                                         \
	}

TEXT(strlen, strlen(a))
TEXT(strnlen, strnlen(a, 5))
TEXT(strcmp, (uint32_t)LIBC(strcmp)(a, b))
TEXT(strncmp, (uint32_t)LIBC(strncmp)(a, b, 4))
TEXT(strcasecmp, (uint32_t)LIBC(strcasecmp)(a, b))
TEXT(strncasecmp, (uint32_t)LIBC(strncasecmp)(a, b, 4))
TEXT(memcmp_called, (uint32_t)LIBC(memcmp)(a, b, 7))
TEXT(memcmp, (uint32_t)(memcmp(a, b, 7) < 0 ? -1 : memcmp(a, b, 7) > 0))
TEXT(strchr, position(in, strchr(a, (int)in->number)))
TEXT(strrchr, position(in, strrchr(a, (int)in->number)))
TEXT(memchr, position(in, memchr(a, (int)in->number, 9)))
TEXT(atoi, (uint32_t)atoi(a))
TEXT(atol, atol(a))
TEXT(strtol, strtol(a, NULL, 10))
TEXT(strtoul, strtoul(a, NULL, 10))
TEXT(strtol_any, strtol(a, NULL, 0))

/* Known for at least a third of the strings: else the formula says nothing. */
static void check_text(const struct text_case *c)
{
	uint32_t call, known = 0;
	term t = formula(c->name, &call);
	const struct code_call *code = execution_insn(d.e, call)->more;
	struct inputs in = {0};

	for (uint32_t k = 0; k < 2 && k < code->count; k++)
		in.address[k] = decoded_operand(&d, call, code->arguments[k].operand);
	for (uint32_t run = 0; run < RUNS; run++) {
		uint64_t out, expected;

		fill(in.text[0], c->alphabet, c->most);
		fill(in.text[1], c->alphabet, c->most);
		in.number = (uint8_t)c->alphabet[random_word() % 3];
		in.kept = !strstr(c->name, "chr");
		expected = c->call(&in);
		if (!evaluate(t, &in, &out))
			continue;
		known++;
		if (out != expected)
			fail_msg("%s of '%s' and '%s', %lu: %lx, not %lx", c->name, in.text[0],
			         in.text[1], in.number, out, expected);
	}
	if (known < RUNS / 3)
		fail_msg("%s is known for %u of %u only", c->name, known, RUNS);
}

static void test_strings(void **state)
{
	static const struct text_case cases[] = {
		{"strlen", strlen_, "ab", 7},
		{"strnlen", strnlen_, "ab", 9},
		{"strcmp", strcmp_, "ab\xff", 5},
		{"strncmp", strncmp_, "ab\xff", 5},
		{"strcasecmp", strcasecmp_, "abAB@", 5},
		{"strncasecmp", strncasecmp_, "abAB[", 5},
		{"memcmp", memcmp_, "ab\xff", 9},
		{"memcmp_called", memcmp_called_, "ab\xff", 9},
		{"strchr", strchr_, "abc", 7},
		{"strrchr", strrchr_, "abc", 7},
		{"memchr", memchr_, "abc", 11},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_text(&cases[i]);
}

/* As long as sign and digits stay what they are. */
static void test_numbers_in_strings(void **state)
{
	static const struct text_case cases[] = {{"atoi", atoi_, "", 0},
	                                         {"atol", atol_, "", 0},
	                                         {"strtol", strtol_, "", 0},
	                                         {"strtoul", strtoul_, "", 0},
	                                         {"strtol_any", strtol_any_, "", 0}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint32_t call;
		term t = formula(cases[i].name, &call);
		const struct code_call *code = execution_insn(d.e, call)->more;
		struct inputs in = {0};
		uint64_t out;

		in.address[0] = decoded_operand(&d, call, code->arguments[0].operand);
		for (int run = 0; run < RUNS; run++) {
			snprintf(in.text[0], sizeof(in.text[0]), " -%04u%c",
			         (unsigned)(random_word() % 10000), "x\0 "[run % 3]);
			/* A 0 in front may mean another base. */
			if (!evaluate(t, &in, &out)) {
				assert_true(in.text[0][2] == '0' && strstr(cases[i].name, "any"));
				continue;
			}
			assert_int_equal(out, cases[i].call(&in));
		}
		memcpy(in.text[0], " -42x7x", 8);
		assert_false(evaluate(t, &in, &out));
		memcpy(in.text[0], " -42178", 8);
		assert_false(evaluate(t, &in, &out));
		memcpy(in.text[0], " +4217x", 8);
		assert_false(evaluate(t, &in, &out));
	}
}

/* --- numbers and characters --- */

static uint64_t bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static uint64_t bits_of_float(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static double double_of(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* The argument itself takes the value. */
static term over_argument(const char *name, uint32_t bits)
{
	uint32_t call;
	term t = formula(name, &call);

	assert_int_equal(term_at(terms, symbolic_operand(s, call, 0))->bits, bits);
	return t;
}

static void test_characters(void **state)
{
	static const struct {
		const char *name;
		int (*call)(int c);
	} cases[] = {{"toupper", toupper},   {"tolower", tolower}, {"isdigit", isdigit},
	             {"isalpha", isalpha},   {"isalnum", isalnum}, {"isspace", isspace},
	             {"isupper", isupper},   {"islower", islower}, {"ispunct", ispunct},
	             {"isprint", isprint},   {"isgraph", isgraph}, {"iscntrl", iscntrl},
	             {"isxdigit", isxdigit}, {"isblank", isblank}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		term t = over_argument(cases[i].name, 32);

		for (int c = -1; c < 256; c++) {
			struct inputs in = {.number = (uint32_t)c};
			uint64_t out;

			assert_true(evaluate(t, &in, &out));
			if (out != (uint32_t)cases[i].call(c))
				fail_msg("%s(%d): %lx, not %x", cases[i].name, c, out,
				         cases[i].call(c));
		}
	}
}

static void test_numbers(void **state)
{
	term t = over_argument("abs", 32), l = over_argument("labs", 64);
	term absolute = over_argument("fabs", 64), root = over_argument("sqrt", 64);
	term root_float = over_argument("sqrtf", 32);

	for (int run = 0; run < RUNS; run++) {
		struct inputs in = {.number = (uint32_t)random_word()};
		uint64_t out, word = random_word() << 8 ^ random_word();
		double x = double_of(word);

		assert_true(evaluate(t, &in, &out));
		assert_int_equal(out, (uint32_t)abs((int)in.number));
		in.number = word;
		assert_true(evaluate(l, &in, &out));
		assert_int_equal(out, (uint64_t)labs((long)word));
		x = x == x ? x : 3;
		in.number = bits_of(x);
		assert_true(evaluate(absolute, &in, &out));
		assert_int_equal(out, bits_of(fabs(x)));
		in.number = bits_of(fabs(x));
		assert_true(evaluate(root, &in, &out));
		assert_int_equal(out, bits_of(sqrt(fabs(x))));
		in.number = bits_of_float((float)run);
		assert_true(evaluate(root_float, &in, &out));
		assert_int_equal(out, bits_of_float(sqrtf((float)run)));
	}
}

static void test_byte_order(void **state)
{
	term four = over_argument("htonl", 32), two = over_argument("ntohs", 16);

	for (int run = 0; run < RUNS; run++) {
		struct inputs in = {.number = (uint32_t)random_word()};
		uint64_t out;

		assert_true(evaluate(four, &in, &out));
		assert_int_equal(out, htonl((uint32_t)in.number));
		in.number = (uint16_t)in.number;
		assert_true(evaluate(two, &in, &out));
		assert_int_equal(out, ntohs((uint16_t)in.number));
	}
}

/* A macro that looks into a table: exact for ASCII, and for what else is known. */
static void test_table(void **state)
{
	struct inputs in = {0};
	uint64_t out;

	for (int k = 0; k < 2; k++) {
		uint32_t load = decoded_at(&d, k ? "space" : "digit", CODE_LOAD, 2);
		term t =
			symbolic_define(s, (uint32_t)term_at(terms, symbolic_value(s, load))->value)
				->term;

		assert_int_equal(term_at(terms, t)->bits, 16);
		for (int c = -1; c < 128; c++) {
			in.number = (uint64_t)c;
			assert_true(evaluate(t, &in, &out));
			assert_int_equal(!!(k ? isspace(c) : isdigit(c)),
			                 !!(out & (k ? _ISspace : _ISdigit)));
		}
		in.number = 200;
		assert_false(evaluate(t, &in, &out));
	}
}

/* It returns what it was given. */
static void test_copies(void **state)
{
	uint32_t call;
	term t = formula("strcpy", &call);

	assert_int_equal(t, symbolic_operand(s, call, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings),    cmocka_unit_test(test_numbers_in_strings),
		cmocka_unit_test(test_characters), cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_byte_order), cmocka_unit_test(test_table),
		cmocka_unit_test(test_copies),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
