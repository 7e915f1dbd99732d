/*
 * Edits: small changes of a program's code, each in force in every execution of one place. They are
 * generated from the IR in the program (generate.c), compiled many at a time into new code for the
 * functions that they are in (build.c), which is loaded into the running program (image.h), and
 * said as a change of the source (text.c). search.h tries them.
 *
 * An edit is built at one instruction of un-hooked IR: the value that it computes is replaced, or one
 * that it uses; it is skipped; something is done before it; or it goes elsewhere.
 */
#ifndef HENCE_EDIT_EDIT_H
#define HENCE_EDIT_EDIT_H

#include "base/arena.h"
#include "edit/image.h"
#include "model/variables.h"

/* What a person calls it; JSON has the name. */
enum edit_class {
	EDIT_CLASS_OPERATOR,
	EDIT_CLASS_CONSTANT,
	EDIT_CLASS_VARIABLE,
	EDIT_CLASS_OPERAND,
	EDIT_CLASS_CONDITION,
	EDIT_CLASS_CALL,
	EDIT_CLASS_STATEMENT,
	EDIT_CLASS_DATA,
	EDIT_CLASS_WIDTH,
	EDIT_CLASSES,
};

extern const char *const edit_class_names[EDIT_CLASSES];

/* Finer: rows of the table of priors (rank.c). */
enum edit_kind {
	EDIT_RELATIONAL,     /* another comparison */
	EDIT_ARITHMETIC,     /* + - * / % */
	EDIT_BITWISE,        /* & | ^ << >> */
	EDIT_STEP,           /* ++ for -- */
	EDIT_SIGN,           /* -x, ~x, !x for x */
	EDIT_NEAR,           /* a constant one more or one less */
	EDIT_OTHER_CONSTANT, /* 0, 1, its negative, another one of the function */
	EDIT_OFF_BY_ONE,     /* x + 1 or x - 1 for x */
	EDIT_VARIABLE,       /* another variable */
	EDIT_MEMBER,         /* another member of the structure */
	EDIT_TARGET,         /* another variable is assigned to */
	EDIT_CONSTANT_FOR,   /* a constant for a variable */
	EDIT_VARIABLE_FOR,   /* a variable for a constant */
	EDIT_DROPPED,        /* a or b for a + b */
	EDIT_EXTENDED,       /* a + c for a */
	EDIT_NEGATED,        /* a condition */
	EDIT_FORCED,         /* a condition, or a part of one, that is always true or false */
	EDIT_JOINED,         /* || for && */
	EDIT_TIGHTENED,      /* && something */
	EDIT_LOOSENED,       /* || something */
	EDIT_CALLEE,         /* another function */
	EDIT_EXCHANGED,      /* two arguments */
	EDIT_CALL_DROPPED,
	EDIT_DELETED,  /* a statement */
	EDIT_COPIED,   /* a copy of another statement */
	EDIT_ASSIGNED, /* an assignment that was not there */
	EDIT_LEFT,     /* break, continue, return that was not there */
	EDIT_LEFT_IF,  /* the same under a condition */
	EDIT_GUARDED,  /* a statement is executed only under a condition */
	EDIT_INITIAL,  /* the initial value of a variable */
	EDIT_ENTRY,    /* an entry of a table */
	EDIT_TEXT,     /* a character of a string literal */
	EDIT_WIDER,    /* computed in a wider or other type */
	EDIT_KINDS,
};

struct edit_kind_row {
	const char *name; /* in the name of an edit */
	enum edit_class class;
	/* Of a plausible edit of this kind, that its line is the faulty one: from one failing run, and
	   when passing runs agree. Also the order in which edits are tried. */
	double one, all;
};

extern const struct edit_kind_row edit_kinds[EDIT_KINDS];

/* How it is built. */
enum edit_where {
	EDIT_RESULT,  /* what the instruction computes is replaced */
	EDIT_OPERAND, /* what it uses as operand `operand` is */
	EDIT_SKIP,    /* it is not executed: a store, a call whose result nobody uses */
	EDIT_COPY,    /* the statement that ends with `copied` is executed before it */
	EDIT_GO,      /* before it, control goes to block `to` (or returns, if there is none) */
	EDIT_WAY,     /* a branch: with `code` 1 its true way is `to`, else its false way */
	EDIT_CHOICE, /* one of a table (struct hence_choices): before it, variables are compared or set;
	                 then an operand is replaced, or control goes to `to` */
	EDIT_POKE, /* none: data has another initial value */
};

enum edit_operation {
	EDIT_TAKE,    /* a */
	EDIT_BINARY,  /* a op b: `code` is an LLVMOpcode */
	EDIT_COMPARE, /* a < b: `code` is a predicate */
	EDIT_AND,     /* the original one && a < b */
	EDIT_OR,
	EDIT_CAST, /* `code` is an LLVMOpcode: the original one's operands are cast to its type first; `inner`
	                 is the operation on them */
	EDIT_FIELD, /* a load from another member: the address of a with index b.constant at the end */
};

struct edit_term {
	enum edit_term_kind {
		EDIT_NONE,
		EDIT_ORIGINAL, /* the value that is replaced */
		EDIT_ITS,      /* operand `operand` of the instruction */
		EDIT_CONSTANT,
		EDIT_LOADED,  /* of the variable `value` */
		EDIT_ADDRESS, /* `value` itself: a variable, a function */
		EDIT_STRING,  /* the address of a new string literal, `text` */
	} kind;
	uint32_t operand;
	int64_t constant;
	double real;
	LLVMValueRef value;
	LLVMTypeRef type;
	const char *text;
};

/* A branch is on x and not on its negation: where the source has !x, its ways are exchanged. */
#define EDIT_PART_PLAIN 4u

/* The variables that the choices of a place have. */
struct edit_slots {
	uint32_t count;
	LLVMValueRef storage[HENCE_CHOICE_SLOTS];
	struct hence_choice_variable types[HENCE_CHOICE_SLOTS];
	LLVMValueRef
		result; /* set to `value` when control goes to return; NULL: nothing is. Where control
	                        leaves to nowhere, `value` is returned at once */
	int64_t value;
};

struct edit {
	enum edit_kind kind;
	enum edit_where where;
	uint32_t module;   /* number in the program */
	uint32_t function; /* in the module's plan */
	uint32_t ordinal;  /* of the instruction in the function */
	LLVMValueRef at;   /* the instruction; valid until the module is built */
	uint32_t operand;
	enum edit_operation operation;
	int code, inner;
	struct edit_term a, b;
	LLVMValueRef copied;
	LLVMBasicBlockRef to;
	struct hence_image_poke poke;
	struct hence_choice choice;
	const struct edit_slots
		*slots; /* EDIT_CHOICE: its variables; the same for all of a table */
	/* Said: */
	const char *file; /* of the source, as the compiler was given it; NULL: none */
	unsigned line, column;
	uint32_t part;        /* of a condition a && b: 1 the left, 2 the right operand; 0: all; and
	                         EDIT_PART_PLAIN */
	const char *was, *is; /* in the source: tokens or expressions, as text.c needs them */
	uint32_t id;          /* from 1 on: the selector */
};

/* A module of the program with its edits. */
struct edit_module {
	uint32_t number;
	const struct program_module *loaded;
	LLVMContextRef context;
	LLVMModuleRef ir;
	struct plan *plan;
	struct types *types;
	struct variables *variables;
	struct arena arena; /* texts of edits */
	VEC(struct edit) edits;
	VEC(bool) poked; /* by number of a global: it has its edits */
};

/* Which edits are wanted. */
struct edit_wish {
	const bool *functions; /* of the plan: those that have edits */
	bool *const *
		blocks; /* if this is not NULL: of each function the blocks that have; NULL: none */
	bool narrow;    /* the classes that change what is there */
	bool wide; /* the large classes, which add something: conditions, guards, assignments, jumps */
	/* What the failing run printed, and what it should have; NULL: not known. From them come texts for
	   string literals. */
	const struct str *printed, *expected;
};

/* Reads a module of the program anew. Caller frees with edit_module_close(). */
struct hence_error *edit_module_open(const struct program_module *loaded, uint32_t number,
                                     struct edit_module *out);
void edit_module_close(struct edit_module *module);

/* Adds all edits of the wish, in the order of the code. */
void edit_generate(struct edit_module *module, const struct edit_wish *wish);

/* Puts one edit into the IR, and plans it anew: what a run with it is decoded by. */
void edit_apply(struct edit_module *module, const struct edit *edit);

/* Compiles those edits whose id is not 0, under a selector, as a part of the image. With `only` there
   is no selector: just that edit is in force. The module has then been used. */
struct hence_error *edit_build(struct edit_module *module, const struct edit *only,
                               struct image *image);

/* The edit with this name (edit_name()) among those of the module; NULL: none. */
const struct edit *edit_named(const struct edit_module *module, const char *name);

/* 'main:27:relational:slt', the same each time. Other modules may have a static function of the same name, from a
   header for instance: unless it is of the first module, the name has the number of its module, 'swap@2:27:...'.
   Caller frees. */
char *edit_name(const struct edit_module *module, const struct edit *edit);

/* Is it the name of an edit of this function? `module` is the number of its module. */
bool edit_names(const char *name, const struct plan_function *function, uint32_t module);

#endif
