/*
 * Inside src/outside: the parser of .model files in three parts. parse.c reads entries,
 * parse_clause.c what an entry says, parse_expr.c lengths, addresses and conditions.
 *
 * The first error is kept in parser->error; from then on every function returns false and reads no
 * further.
 */
#ifndef HENCE_OUTSIDE_PARSER_H
#define HENCE_OUTSIDE_PARSER_H

#include "outside/lexer.h"
#include "outside/models.h"

struct parser {
	struct outside_models *models;
	const char *file;
	struct lexer lexer;
	struct word word; /* the one that is looked at */
	struct hence_error *error;

	/* The entry being read. */
	VEC(struct word) names;
	struct outside_function function;
	struct word params[OUTSIDE_PARAMS];
	VEC(struct outside_clause) active, passive;

	/* The clause and the expression being read. */
	uint8_t kind; /* enum outside_clause_kind */
	VEC(struct outside_clause) sources;
	bool in_old;
	VEC(struct outside_insn) code;
	uint32_t depth;    /* values on the evaluator's stack */
	uint32_t nesting;  /* of the parser itself */
	uint16_t argument; /* 1 + first parameter met */
};

/* Sets the error 'FILE:LINE:COLUMN: TEXT' at the word; always false. */
bool parser_fail(struct parser *p, const struct word *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Sets the error 'expected WHAT, found WORD' at the present word; always false. */
bool parser_expected(struct parser *p, const char *what);

void parser_advance(struct parser *p);

/* Takes the word if it is this one. */
bool parser_accept(struct parser *p, const char *text);

/* The same, and an error if it is not. */
bool parser_expect(struct parser *p, const char *text);

/* Index of the parameter that the word names; -1: none. */
int parser_param(const struct parser *p, const struct word *word);

/* Reads an expression (with comparisons, && and ||) and gives its code. */
bool parser_expression(struct parser *p, uint32_t *code);

/* Reads an expression that needs no parentheses: an address. Sets *argument to 1 + the first
   parameter in it, 0 if none. */
bool parser_address(struct parser *p, uint32_t *code, uint16_t *argument);

/* Reads ADDRESS[LENGTH], ADDRESS[FROM .. TO], ADDRESS[..nul] or vectors(IOV, COUNT)[LENGTH]. */
bool parser_region(struct parser *p, struct outside_clause *clause);

/* The same or flags(OPTIONS), for what is only written. */
bool parser_target(struct parser *p, struct outside_clause *clause);

/* Reads only what stands behind the address. */
bool parser_extent(struct parser *p, struct outside_clause *clause);

/* Reads a stream: file X, fd X, stdin, stdout, stderr or environment. */
bool parser_stream(struct parser *p, struct outside_clause *clause);

/* Reads one clause with its `when` into p->active or p->passive. */
bool parser_clause(struct parser *p);

#endif
