/*
 * Inside violation.h: a C expression that the user gives, as a tree; and what it is where an execution stands, as
 * a term. The same evaluation serves to find the first time that it is false, where all that is read from memory is
 * a constant and so the whole folds to one, and to follow it back, where bytes are symbols.
 */
#ifndef HENCE_FAILURE_VIOLATION_CHECK_H
#define HENCE_FAILURE_VIOLATION_CHECK_H

#include "base/arena.h"
#include "failure/violation_work.h"

enum check_op {
	CHECK_NUMBER, /* `bits` of `type` */
	CHECK_NAME,
	CHECK_MEMBER, /* a.name */
	CHECK_ARROW,  /* a->name */
	CHECK_INDEX,  /* a[b] */
	CHECK_TARGET, /* *a */
	CHECK_ADDRESS,
	CHECK_PLUS,
	CHECK_MINUS,
	CHECK_NOT,
	CHECK_COMPLEMENT,
	CHECK_CAST,        /* to `type` */
	CHECK_SIZEOF,      /* of an expression */
	CHECK_SIZEOF_TYPE, /* of `type` */
	CHECK_MUL,
	CHECK_DIV,
	CHECK_REM,
	CHECK_ADD,
	CHECK_SUB,
	CHECK_SHL,
	CHECK_SHR,
	CHECK_LT,
	CHECK_LE,
	CHECK_GT,
	CHECK_GE,
	CHECK_EQ,
	CHECK_NE,
	CHECK_AND,
	CHECK_XOR,
	CHECK_OR,
	CHECK_BOTH,   /* a && b */
	CHECK_EITHER, /* a || b */
	CHECK_CHOICE, /* a ? b : c */
};

struct check_node {
	enum check_op op;
	const struct check_node *a, *b, *c;
	unsigned column; /* from 1 */
	const char *name;
	const struct ctype *type;
	uint64_t bits;
};

/* --- violation_check_lexer.c --- */

enum check_token_kind {
	TOKEN_END,
	TOKEN_NUMBER,
	TOKEN_NAME,
	TOKEN_OPERATOR,
};

struct check_token {
	enum check_token_kind kind;
	const char *text; /* in the expression */
	size_t length;
	const struct ctype *type; /* of a number */
	uint64_t bits;
};

/* The first token of the text; what is wrong with it, in words, or NULL. Caller frees with free(). */
char *check_token(const char *text, struct check_token *out);

/* --- violation_check_parse.c --- */

/* The expression as a tree, valid until the arena is freed, as long as the text. The error says what is wrong, and
   at which column. */
struct hence_error *check_parse(const char *text, struct arena *arena,
                                const struct check_node **out);

/* --- violation_check_type.c --- */

enum check_basic {
	BASIC_VOID,
	BASIC_BOOL,
	BASIC_CHAR,
	BASIC_SIGNED_CHAR,
	BASIC_UNSIGNED_CHAR,
	BASIC_SHORT,
	BASIC_UNSIGNED_SHORT,
	BASIC_INT,
	BASIC_UNSIGNED,
	BASIC_LONG,
	BASIC_UNSIGNED_LONG,
	BASIC_FLOAT,
	BASIC_DOUBLE,
};

const struct ctype *check_basic(enum check_basic which);

/* The type that is left of a name such as size_t or uint8_t; NULL: it is none that everybody has. */
const struct ctype *check_usual_name(const char *name, size_t length);

const struct ctype *check_pointer_to(struct arena *arena, const struct ctype *target);

bool check_is_integer(const struct ctype *type); /* also bool, char, enum */
bool check_is_real(const struct ctype *type);    /* float or double */
bool check_is_pointer(const struct ctype *type);

/* What integers become before anything is done with them; `bit_size`: of a bit-field, or 0. */
const struct ctype *check_promoted(const struct ctype *type, uint32_t bit_size);

/* The common type of two promoted numbers. */
const struct ctype *check_common(const struct ctype *a, const struct ctype *b);

/* --- violation_check_value.c --- */

/* What a part of the expression is. */
struct check_value {
	const struct ctype *type; /* without names and qualifiers */
	bool place;               /* it lies in memory */
	uint64_t address;
	term at;                /* of a place: its address */
	uint32_t bit, bit_size; /* of a bit-field */
	term value;             /* of what is no place */
};

/* A name that means the same everywhere. */
struct check_known {
	const struct check_node *node;
	const struct ctype *type;
	bool place;
	uint64_t bits; /* its address, or an enumerator's value */
};

struct check_evaluator {
	struct names *names;
	const struct activation *a;
	LLVMValueRef where; /* the instruction whose scope counts */
	struct terms *terms;
	struct violation_work *work; /* NULL: what memory has are constants */
	struct arena *arena;
	char *problem; /* NULL: none */
	bool sizing;   /* only types matter: nothing is read */
	VEC(struct check_known) known;
	bool wrong;      /* the problem is the expression's, not that of this moment */
	unsigned column; /* of the problem */
};

/* The node as it is, and as a number or pointer. After a problem what they give is of no use. */
struct check_value check_evaluate(struct check_evaluator *e, const struct check_node *node);
struct check_value check_scalar(struct check_evaluator *e, const struct check_node *node);

/* Is it true? One bit. */
term check_truth(struct check_evaluator *e, const struct check_node *node);

/* What the value is in the run. A term that hangs on what C does not define is a problem. */
uint64_t check_actual(struct check_evaluator *e, term t);

/* The first problem counts. Takes the text over. */
void check_fail(struct check_evaluator *e, const struct check_node *node, bool wrong,
                char *problem);

/* --- violation_check_name.c --- */

/* A variable or an enumerator. */
struct check_value check_find_name(struct check_evaluator *e, const struct check_node *node);

/* --- violation_check_apply.c --- */

term check_convert(struct check_evaluator *e, struct check_value v, const struct ctype *to);
term check_is_true(struct check_evaluator *e, struct check_value v);
struct check_value check_apply(struct check_evaluator *e, const struct check_node *node,
                               struct check_value a, struct check_value b);

/* --- violation_check_print.c --- */

/* Appends the expression with values in place of what lies in memory. */
void check_print(struct check_evaluator *e, const struct check_node *node, struct str *out);

#endif
