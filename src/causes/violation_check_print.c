/* A C expression with values: see violation_check.h. */
#include "causes/violation_check.h"

#define LONGEST 40u /* characters of a value */

static const struct {
	const char *text;
	int level; /* how tightly it binds */
} words[] = {
	[CHECK_PLUS] = {"+", 11},       [CHECK_MINUS] = {"-", 11},    [CHECK_NOT] = {"!", 11},
	[CHECK_COMPLEMENT] = {"~", 11}, [CHECK_ADDRESS] = {"&", 11},  [CHECK_MUL] = {" * ", 10},
	[CHECK_DIV] = {" / ", 10},      [CHECK_REM] = {" % ", 10},    [CHECK_ADD] = {" + ", 9},
	[CHECK_SUB] = {" - ", 9},       [CHECK_SHL] = {" << ", 8},    [CHECK_SHR] = {" >> ", 8},
	[CHECK_LT] = {" < ", 7},        [CHECK_LE] = {" <= ", 7},     [CHECK_GT] = {" > ", 7},
	[CHECK_GE] = {" >= ", 7},       [CHECK_EQ] = {" == ", 6},     [CHECK_NE] = {" != ", 6},
	[CHECK_AND] = {" & ", 5},       [CHECK_XOR] = {" ^ ", 4},     [CHECK_OR] = {" | ", 3},
	[CHECK_BOTH] = {" && ", 2},     [CHECK_EITHER] = {" || ", 1}, [CHECK_CHOICE] = {" ? ", 0},
};

static int level_of(const struct check_node *node)
{
	return words[node->op].text ? words[node->op].level : 12;
}

static void print_value(struct check_evaluator *e, const struct check_value *v, struct str *out)
{
	struct ctype_part part = {.type = v->type};
	uint64_t bits = check_actual(e, v->value);

	if (v->type->kind == CTYPE_CHAR && bits >= ' ' && bits < 127)
		str_printf(out, "'%s%c'", bits == '\'' || bits == '\\' ? "\\" : "", (char)bits);
	else if (v->type->kind == CTYPE_CHAR)
		str_printf(out, "%d", v->type->is_signed ? (int8_t)bits : (int)(uint8_t)bits);
	else
		names_print(e->names, &part, (const uint8_t *)&bits, NULL, v->type->size, 0,
		            LONGEST, out);
}

/* What lies in memory, and what is made of it in ways that no number shows. */
static void print_leaf(struct check_evaluator *e, const struct check_node *node, struct str *out)
{
	struct check_value v = check_scalar(e, node);

	if (e->problem) {
		free(e->problem);
		e->problem = NULL;
		str_add(out, "...");
		return;
	}
	print_value(e, &v, out);
}

static void print_part(struct check_evaluator *e, const struct check_node *node, int level,
                       struct str *out)
{
	bool wrapped = level_of(node) < level;

	if (wrapped)
		str_add_char(out, '(');
	check_print(e, node, out);
	if (wrapped)
		str_add_char(out, ')');
}

void check_print(struct check_evaluator *e, const struct check_node *node, struct str *out)
{
	int level = level_of(node);

	switch (node->op) {
	case CHECK_NUMBER: str_add(out, node->name ? node->name : "0"); return;
	case CHECK_NAME:
	case CHECK_MEMBER:
	case CHECK_ARROW:
	case CHECK_INDEX:
	case CHECK_TARGET:
	case CHECK_ADDRESS:
	case CHECK_CAST:
	case CHECK_SIZEOF:
	case CHECK_SIZEOF_TYPE: print_leaf(e, node, out); return;
	default: break;
	}
	if (node->b)
		print_part(e, node->a, node->op == CHECK_CHOICE ? level + 1 : level, out);
	str_add(out, words[node->op].text);
	print_part(e, node->b ? node->b : node->a, level + (node->b ? 1 : 0), out);
	if (!node->c)
		return;
	str_add(out, " : ");
	print_part(e, node->c, level, out);
}
