/*
 * A spreadsheet: lines like `B3 = A1 * 2 + SUM(A1:A5)` define cells; what refers to an empty cell
 * gets zero, and what refers to itself is an error.
 */
#ifndef CELLS_H
#define CELLS_H

#include <stdbool.h>

enum { COLUMNS = 8, ROWS = 20 };

struct place {
	int column, row;
};

/* From the upper left to the lower right corner, both of them included. */
struct range {
	struct place first, last;
};

enum token_kind { T_END, T_NUMBER, T_CELL, T_NAME, T_MARK };

struct token {
	enum token_kind kind;
	double number;
	struct place place;
	char name[8];
	char mark; /* + - * / ( ) : , or anything else */
};

struct lexer {
	const char *at;
	struct token token;
};

enum node_kind { N_NUMBER, N_CELL, N_NEGATIVE, N_OPERATOR, N_FUNCTION };

struct node {
	enum node_kind kind;
	char sign;
	double number;
	struct place place;
	struct range range;
	const struct function *function;
	struct node *left, *right;
};

enum state { UNKNOWN, UNDER_WAY, KNOWN };

struct cell {
	struct node *formula; /* NULL: the cell is empty */
	enum state state;
	const char *error;
	double value;
};

struct sheet {
	struct cell cells[ROWS][COLUMNS];
};

/* What a function of a range makes of its cells that are not empty. */
struct summary {
	int count;
	double sum, least, most;
};

struct function {
	const char *name;
	double (*result)(const struct summary *);
};

/* lexer.c */
void lexer_start(struct lexer *l, const char *text);
void lexer_next(struct lexer *l);
bool lexer_accept(struct lexer *l, char mark);

/* parse.c: a whole line; NULL if all is well, or what is wrong. The sheet owns the formula. */
const char *parse_line(struct sheet *s, const char *text);
void node_free(struct node *node);

/* functions.c */
const struct function *function_find(const char *name);

/* value.c: computes a cell and what it needs. */
struct cell *sheet_cell(struct sheet *s, struct place place);
void sheet_compute(struct sheet *s, struct place place);

/* print.c */
void sheet_print(struct sheet *s);

#endif
