/* Edits as changes of the source: lines, and what they become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "edit/text.h"

/* The line at `line` (from 1) of the source, after the edit; NULL: there is no patch. */
static void check(const char *const *source, uint32_t count, struct edit_found e, const char *after)
{
	struct edit_text text;

	e.file = (char *)"a.c";
	edit_text(&e, (char *const *)source, count, &text);
	if (after) {
		assert_non_null(text.patch);
		assert_string_equal(text.after, after);
	} else {
		assert_null(text.patch);
		assert_non_null(text.no_patch);
	}
	edit_text_deinit(&text);
}

/* The edit at the first place where `mark` stands in a line of its own kind. */
static void line(const char *text, const char *mark, enum edit_kind kind, uint32_t operand,
                 uint32_t part, const char *was, const char *is, const char *after)
{
	const char *source[] = {"int main(void) {", text, "}"};

	check(source, 3,
	      (struct edit_found){.kind = kind,
	                          .line = 2,
	                          .column = (unsigned)(strstr(text, mark) - text) + 1,
	                          .operand = operand,
	                          .part = part,
	                          .was = (char *)was,
	                          .is = (char *)is},
	      after);
}

static void operators_bind_as_before(void **state)
{
	line("x = c - a * b;", "*", EDIT_ARITHMETIC, 0, 0, "*", "+", "x = c - (a + b);");
	line("x = c + a * b;", "*", EDIT_ARITHMETIC, 0, 0, "*", "-", "x = c + (a - b);");
	line("x = a * b + c;", "*", EDIT_ARITHMETIC, 0, 0, "*", "+", "x = a + b + c;");
	line("x = c - a + b;", "+", EDIT_ARITHMETIC, 0, 0, "+", "*", "x = (c - a) * b;");
	line("x = a + b / c;", "+", EDIT_ARITHMETIC, 0, 0, "+", "*", "x = a * (b / c);");
	line("x = a + b;", "+", EDIT_ARITHMETIC, 0, 0, "+", "*", "x = a * b;");
	line("x += b;", "+=", EDIT_ARITHMETIC, 0, 0, "+", "*", "x *= b;");
	line("x = a | b & c;", "&", EDIT_BITWISE, 0, 0, "&", "^", "x = a | b ^ c;");
	/* Its right operand is on another line. */
	line("x = a +", "+", EDIT_ARITHMETIC, 0, 0, "+", "*", NULL);
}

/* One branch is edited: the one on the condition before the operator. */
static void conditions_are_joined_in_pairs(void **state)
{
	line("if (a && b)", "&&", EDIT_JOINED, 0, 0, "&&", "||", "if (a || b)");
	line("if (a && b && c)", "&&", EDIT_JOINED, 0, 0, "&&", "||", "if ((a || b) && c)");
	line("if (a && b && c)", "&& c", EDIT_JOINED, 0, 0, "&&", "||", "if (a && (b || c))");
	line("if (a || b || c)", "|| c", EDIT_JOINED, 0, 0, "||", "&&", "if (a || b && c)");
	line("if (a && (b && c))", "&& c", EDIT_JOINED, 0, 0, "&&", "||", "if (a && (b || c))");
	line("if (f(a && b) && c)", "&& c", EDIT_JOINED, 0, 0, "&&", "||", "if (f(a && b) || c)");
	line("while (a && (b || c))", "&&", EDIT_JOINED, 0, 0, "&&", "||", "while (a || (b || c))");
	line("if ((a && b) && c)", "&& c", EDIT_JOINED, 0, 0, "&&", "||", NULL);
}

/* The branch is at the first `mark`, and on what is at the first `condition`. */
static void branch(const char *text, const char *mark, const char *condition, enum edit_kind kind,
                   const char *is, const char *after)
{
	const char *source[] = {"int main(void) {", text, "}"};

	check(source, 3,
	      (struct edit_found){.kind = kind,
	                          .line = 2,
	                          .column = (unsigned)(strstr(text, mark) - text) + 1,
	                          .condition = (unsigned)(strstr(text, condition) - text) + 1,
	                          .part = EDIT_PART_PLAIN,
	                          .was = (char *)"condition",
	                          .is = (char *)is},
	      after);
}

/* A branch is on one part of a condition, wherever the compiler says that the branch is. */
static void conditions_have_parts(void **state)
{
	branch("if (a && b)", "&&", "a", EDIT_FORCED, "1", "if (1 && b)");
	branch("if (a && b)", "&&", "b", EDIT_FORCED, "1", "if (a && 1)");
	branch("if (a && b)", "a", "b", EDIT_FORCED, "1", "if (a && 1)");
	branch("if (a && b && c)", "&& c", "b", EDIT_FORCED, "1", "if (a && 1 && c)");
	branch("if (a && b && c)", "&& c", "c", EDIT_NEGATED, "!", "if (a && b && !c)");
	branch("if (a && (b || c))", "&&", "c", EDIT_FORCED, "0", "if (a && (b || 0))");
	branch("if ((a || b) && c)", "&&", "b", EDIT_FORCED, "1", "if ((a || 1) && c)");
	branch("if (!(a && b > 2))", "!", ">", EDIT_FORCED, "1", "if (!(a && 1))");
	branch("if (a > 1 && b)", "a", ">", EDIT_NEGATED, "!", "if (!(a > 1) && b)");
	branch("if (a && b > 1)", "&&", ">", EDIT_LOOSENED, "|| n == 3",
	       "if (a && (b > 1 || n == 3))");
	branch("return a && b > 3 ? 7 : 8;", "a", ">", EDIT_FORCED, "1", "return a && 1 ? 7 : 8;");
	branch("for (i = f(0); i < n; i++)", "for", "<", EDIT_FORCED, "1",
	       "for (i = f(0); 1; i++)");
	branch("if (a > sizeof(b) && c)", "&&", ">", EDIT_FORCED, "1", "if (1 && c)");
	branch("if ((char)x)", "(char)", "(char)", EDIT_NEGATED, "!", "if (!(char)x)");
	branch("if (x = y = f(z) && w)", "=", "=", EDIT_NEGATED, "!", "if (!(x = y = f(z) && w))");
	branch("while ((c = *p) != 0 && c != x)", "&&", "!=", EDIT_NEGATED, "!",
	       "while (!((c = *p) != 0) && c != x)");
	/* What it does would be gone. */
	branch("while ((c = *p) != 0 && c != x)", "&&", "!=", EDIT_FORCED, "1", NULL);
	/* Macros: the branch is in what they stand for. */
	branch("assert(x > 3);", "assert", "assert", EDIT_FORCED, "1", NULL);
	branch("i = 0; assert(x > 3); i++;", "assert", "assert", EDIT_FORCED, "1", NULL);
	branch("if (MAX(a, b) > 3)", "MAX", "MAX", EDIT_FORCED, "1", NULL);
	branch("if (f(MAX(a, b)))", "MAX", "MAX", EDIT_FORCED, "1", NULL);
	/* It goes on in the next line. */
	branch("if (a && b >", "&&", ">", EDIT_FORCED, "1", NULL);
}

/* Clang exchanges the ways of a branch on !x, so the edit is one of x. */
static void negations_are_known(void **state)
{
	uint32_t plain = EDIT_PART_PLAIN;

	line("if (!done)", "done", EDIT_NEGATED, 0, plain, "condition", "!", "if (done)");
	line("if (!done)", "done", EDIT_FORCED, 0, plain, "condition", "1", "if (0)");
	line("if (!done)", "done", EDIT_TIGHTENED, 0, plain, "condition", "&& n < 3",
	     "if (!done || n >= 3)");
	line("if (!done)", "done", EDIT_LOOSENED, 0, plain, "condition", "|| n == 3",
	     "if (!done && n != 3)");
	branch("if (a && !f(b))", "&&", "f(b", EDIT_FORCED, "0", "if (a && 1)");
	line("if (!a == b)", "=", EDIT_FORCED, 0, plain, "condition", "0", "if (0)");
	/* Here it is negated before the branch. */
	line("while (!done)", "while", EDIT_TIGHTENED, 0, 0, "condition", "&& n < 3",
	     "while (!done && n < 3)");
	line("if (done)", "done", EDIT_FORCED, 0, plain, "condition", "1", "if (1)");
}

static void statements_leave_one_behind(void **state)
{
	const char *alone[] = {"{", "f();", "x = 1;", "g();", "}"};
	const char *body[] = {"{", "if (x) // or not", "x = 1;", "g();", "}"};
	const char *split[] = {"{", "if (x &&", "y)", "g();", "}"};
	struct edit_found e = {.kind = EDIT_DELETED,
	                       .line = 3,
	                       .column = 3,
	                       .was = (char *)"statement",
	                       .is = (char *)""};

	check(alone, 5, e, "");
	check(body, 5, e, ";");
	line("x += f(1);", "+=", EDIT_DELETED, 0, 0, "statement", "", NULL);
	line("x = y++;", "=", EDIT_DELETED, 0, 0, "statement", "", NULL);
	line("y++;", "++", EDIT_DELETED, 0, 0, "statement", "", "");
	line("x = (y + 1);", "=", EDIT_DELETED, 0, 0, "statement", "", "");
	e = (struct edit_found){.kind = EDIT_LEFT_IF,
	                        .line = 3,
	                        .column = 1,
	                        .was = (char *)"before",
	                        .is = (char *)"break if y < 1"};
	check(alone, 5, e, "if (y < 1) break; x = 1;");
	check(body, 5, e, NULL);
	check(split, 5, e, NULL);
}

static void constants_stay_what_they_are(void **state)
{
	line("x = 1L << n;", "<<", EDIT_NEAR, 0, 0, "1", "2", "x = 2L << n;");
	line("x = 1.0 / n;", "/", EDIT_NEAR, 0, 0, "1", "2", "x = 2.0 / n;");
	line("x = n-3;", "-", EDIT_OTHER_CONSTANT, 1, 0, "3", "-3", "x = n-(-3);");
	line("for (i = 0; i < n; i += 2) {", "+=", EDIT_NEAR, 1, 0, "2", "1",
	     "for (i = 0; i < n; i += 1) {");
	line("x = y == 'a';", "==", EDIT_NEAR, 1, 0, "97", "98", "x = y == 'b';");
	/* 8 is computed, not written. */
	line("x = y + 2 * 4;", "+", EDIT_NEAR, 1, 0, "8", "9", NULL);
	line("x = y + MOST;", "+", EDIT_NEAR, 1, 0, "8", "9", NULL);
}

static void members_have_names(void **state)
{
	line("n->right = n->left;", "left", EDIT_MEMBER, 1, 0, "left", "right",
	     "n->right = n->right;");
	line("n->right = NEXT(n);", "NEXT", EDIT_MEMBER, 1, 0, "left", "right", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_bind_as_before),
		cmocka_unit_test(conditions_are_joined_in_pairs),
		cmocka_unit_test(conditions_have_parts),
		cmocka_unit_test(negations_are_known),
		cmocka_unit_test(statements_leave_one_behind),
		cmocka_unit_test(constants_stay_what_they_are),
		cmocka_unit_test(members_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
