#include <stdlib.h>

#include "cells.h"

struct parser {
	struct lexer lexer;
	const char *error;
};

static struct node *parse_sum(struct parser *p);

static struct node *make_node(enum node_kind kind)
{
	struct node *node = calloc(1, sizeof *node);

	if (!node)
		abort();
	node->kind = kind;
	return node;
}

void node_free(struct node *node)
{
	if (!node)
		return;
	node_free(node->left);
	node_free(node->right);
	free(node);
}

static void complain(struct parser *p, const char *what)
{
	if (!p->error)
		p->error = what;
}

static bool parse_place(struct parser *p, struct place *place)
{
	*place = p->lexer.token.place;
	if (p->lexer.token.kind != T_CELL) {
		complain(p, "a cell is missing");
		return false;
	}
	if (place->column >= COLUMNS || place->row < 0 || place->row >= ROWS) {
		complain(p, "there is no such cell");
		return false;
	}
	lexer_next(&p->lexer);
	return true;
}

static void swap(int *a, int *b)
{
	int kept = *a;

	*a = *b;
	*b = kept;
}

/* The corners of a range may be any two that lie opposite. */
static void parse_range(struct parser *p, struct range *range)
{
	if (!parse_place(p, &range->first))
		return;
	range->last = range->first;
	if (!lexer_accept(&p->lexer, ':'))
		return;
	if (!parse_place(p, &range->last))
		return;
	if (range->first.row > range->last.row)
		swap(&range->first.row, &range->last.row);
	if (range->first.column > range->last.column)
		swap(&range->first.row, &range->last.column);
}

static struct node *parse_function(struct parser *p)
{
	struct node *node = make_node(N_FUNCTION);

	node->function = function_find(p->lexer.token.name);
	if (!node->function)
		complain(p, "there is no such function");
	lexer_next(&p->lexer);
	if (!lexer_accept(&p->lexer, '('))
		complain(p, "( is missing");
	else
		parse_range(p, &node->range);
	if (!lexer_accept(&p->lexer, ')'))
		complain(p, ") is missing");
	return node;
}

static struct node *parse_factor(struct parser *p)
{
	struct token *token = &p->lexer.token;
	struct node *node;

	if (lexer_accept(&p->lexer, '(')) {
		node = parse_sum(p);
		if (!lexer_accept(&p->lexer, ')'))
			complain(p, ") is missing");
		return node;
	}
	if (lexer_accept(&p->lexer, '-')) {
		node = make_node(N_NEGATIVE);
		node->left = parse_factor(p);
		return node;
	}
	if (token->kind == T_NAME)
		return parse_function(p);
	if (token->kind == T_NUMBER) {
		node = make_node(N_NUMBER);
		node->number = token->number;
		lexer_next(&p->lexer);
		return node;
	}
	node = make_node(N_CELL);
	parse_place(p, &node->place);
	return node;
}

static struct node *parse_operators(struct parser *p, const char *operators,
                                    struct node *(*parse)(struct parser *))
{
	struct node *left = parse(p);

	for (;;) {
		char sign = 0;
		struct node *node;

		for (const char *o = operators; *o && !sign; o++)
			if (lexer_accept(&p->lexer, *o))
				sign = *o;
		if (!sign)
			return left;
		node = make_node(N_OPERATOR);
		node->sign = sign;
		node->left = left;
		node->right = parse(p);
		left = node;
	}
}

static struct node *parse_product(struct parser *p)
{
	return parse_operators(p, "*/", parse_factor);
}

static struct node *parse_sum(struct parser *p)
{
	return parse_operators(p, "+-", parse_product);
}

const char *parse_line(struct sheet *s, const char *text)
{
	struct parser p = {.error = NULL};
	struct node *formula = NULL;
	struct place place;

	lexer_start(&p.lexer, text);
	if (p.lexer.token.kind == T_END)
		return NULL;
	if (!parse_place(&p, &place))
		return p.error;
	if (!lexer_accept(&p.lexer, '='))
		complain(&p, "= is missing");
	else if (p.lexer.token.kind != T_END)
		formula = parse_sum(&p);
	if (p.lexer.token.kind != T_END)
		complain(&p, "the end of the line is missing");
	if (p.error) {
		node_free(formula);
		return p.error;
	}
	node_free(sheet_cell(s, place)->formula);
	sheet_cell(s, place)->formula = formula;
	return NULL;
}
