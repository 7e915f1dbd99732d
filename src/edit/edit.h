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
#include "trace/recording.h"

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
	EDIT_DEFINED,        /* a macro or an enumerator that stands for another number */
	EDIT_OFF_BY_ONE,     /* x + 1 or x - 1 for x */
	EDIT_VARIABLE,       /* another variable */
	EDIT_MEMBER,         /* another member of the structure */
	EDIT_TARGET,         /* another variable is assigned to */
	EDIT_CONSTANT_FOR,   /* a constant for a variable */
	EDIT_VARIABLE_FOR,   /* a variable for a constant */
	EDIT_DROPPED,        /* a or b for a + b */
	EDIT_EXTENDED,       /* a + c for a */
	EDIT_VALUE,          /* another expression for a whole value or condition */
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
	EDIT_PRINTED,  /* an output that is expected, and was missing */
	EDIT_MOVED,    /* a statement is executed after the next one */
	EDIT_ASSIGNED, /* an assignment that was not there */
	EDIT_LEFT,     /* break, continue, return that was not there */
	EDIT_LEFT_IF,  /* the same under a condition */
	EDIT_GUARDED,  /* a statement is executed only under a condition */
	EDIT_CASE,     /* another case of a switch; its break is missing, or too much */
	EDIT_ELSE,     /* an else that was missing, or was too much */
	EDIT_INITIAL,  /* the initial value of a variable */
	EDIT_ENTRY,    /* an entry of a table */
	EDIT_TEXT,     /* a string literal that is printed */
	EDIT_ANSWER, /* one that has a number of the expected output, which fits just this input */
	EDIT_WIDER,  /* computed in a wider or other type */
	EDIT_DECLARED, /* variables of another type */
	EDIT_KINDS,
};

struct edit_kind_row {
	const char *name; /* in the name of an edit */
	enum edit_class class;
	/* Of a plausible edit of this kind, that its line is the faulty one: from one failing run, and
	   when passing runs agree. Also the order in which edits are tried. */
	double one, all;
	bool adds; /* it does more or less than the code, instead of the same with something else: that fits
	              by accident more often */
};

extern const struct edit_kind_row edit_kinds[EDIT_KINDS];

/* How it is built. */
enum edit_where {
	EDIT_RESULT,  /* what the instruction computes is replaced */
	EDIT_OPERAND, /* what it uses as operand `operand` is */
	EDIT_SKIP,    /* it is not executed: a store, a call whose result nobody uses */
	EDIT_COPY, /* before it, the statement from `first` to `copied` is executed, with the variable
	                 `b` for `a`, or else `a` is printed; with `code` 1, before a branch, only if that
	                 goes its false way */
	EDIT_MOVE, /* the statement from it to `first` is executed after the one that ends with `copied` */
	EDIT_GO,  /* before it, control goes to block `to`, or returns the value of the slots */
	EDIT_WAY, /* a branch: with `code` 1 its false way is `to`, with 0 its true way; with 2 or 3 its ways are exchanged, and the
	             phi in its false (2) or true (3) successor gets the other truth value */
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
	EDIT_SELECT, /* b, if the original one is a; with `code` 1 also a, if it is b */
	EDIT_RETYPE, /* as it is with another type of variables: `declared`; see declared.h. Of a division, operand 1 becomes 1: its
	                result is not used */
	EDIT_FIELD, /* a load from another member: the address of a with index b.constant at the end */
};

/* How an expression such as p->n or a[i + 1], which is read somewhere in the function, is computed elsewhere. */
struct edit_tree {
	enum edit_tree_kind {
		EDIT_TREE_LEAF,    /* a variable's address or a constant: `leaf` */
		EDIT_TREE_LOAD,    /* of `type`, from operand 0 */
		EDIT_TREE_ELEMENT, /* the address in operand 0, with indices for `type` */
		EDIT_TREE_CAST,    /* `opcode` to `type` */
		EDIT_TREE_BINARY,  /* `opcode` */
	} kind;
	int opcode;
	LLVMTypeRef type;
	LLVMValueRef leaf;
	uint32_t count;
	const struct edit_tree *operands[3];
};

struct edit_term {
	enum edit_term_kind {
		EDIT_NONE,
		EDIT_ORIGINAL, /* the value that is replaced */
		EDIT_ITS,      /* operand `operand` of the instruction */
		EDIT_CONSTANT,
		EDIT_LOADED,  /* of the variable `value` */
		EDIT_READ,    /* from the address `tree` */
		EDIT_STORED,  /* what is where the instruction, a store, writes to */
		EDIT_ADDRESS, /* `value` itself: a variable, a function */
		EDIT_STRING,  /* the address of a new string literal, `text` */
	} kind;
	uint32_t operand;
	int64_t constant;
	double real;
	LLVMValueRef value;
	LLVMTypeRef type;
	const char *text;
	const struct edit_tree *tree;
};

/* A branch is on x and not on its negation: where the source has !x, its ways are exchanged. */
#define EDIT_PART_PLAIN 4u

/* With which what there is now begins, if all of a && b is changed, and not only the part at the place. */
#define EDIT_WHOLE "whole "

/* The variables that the choices of a place have. */
struct edit_slots {
	uint32_t count;
	LLVMValueRef storage[HENCE_CHOICE_SLOTS]; /* NULL: its address is computed, by the tree */
	const struct edit_tree *trees[HENCE_CHOICE_SLOTS];
	const char *names[HENCE_CHOICE_SLOTS];
	const struct ctype
		*pointers[HENCE_CHOICE_SLOTS]; /* types of those that are; NULL: numbers */
	struct hence_choice_variable types[HENCE_CHOICE_SLOTS];
	LLVMValueRef
		result; /* set to `value` when control goes to return; NULL: nothing is. Where control
	                        leaves to nowhere, `value` is returned at once */
	int64_t value;
	const struct edit_watched *watched; /* NULL: it is no place of edits by value */
};

#define EDIT_WATCHED_CONSTANTS 10u

/* A place of edits by value (value.h): an integer that is assigned, returned or passed, or the condition of a branch. */
struct edit_watched {
	bool condition;
	bool effects;  /* more is done to compute it, so it cannot be replaced as a whole */
	bool variadic; /* its C type must be the same */
	uint32_t bits;
	uint32_t near;  /* variables that are read on the line, a bit for each */
	uint32_t usual; /* those that ordinary edits compare already */
	int64_t constants[EDIT_WATCHED_CONSTANTS]; /* 0, 1, 2, and some of the function */
	uint32_t constant_count;
};

/* An edit by value. */
struct edit_fitted {
	uint32_t module, function, ordinal, operand;
	struct hence_choice choice;
};

struct edit_declared;

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
	LLVMValueRef first, copied;
	uint32_t from; /* ordinal of `copied` in the function */
	LLVMBasicBlockRef to;
	struct hence_image_poke poke;
	struct hence_choice choice;
	bool fitted; /* it was made by value, to fit the known runs */
	const struct edit_slots
		*slots; /* EDIT_CHOICE: its variables; the same for all of a table */
	struct edit_declared
		*declared; /* EDIT_RETYPE: the variables; the same for all of a group */
	/* Said: */
	const char *file; /* of the source, as the compiler was given it; NULL: none */
	unsigned line, column;
	unsigned condition; /* column of what a branch is on, if it is in the line; 0: not known */
	uint32_t part;      /* EDIT_PART_PLAIN; of a definition, 1: not all uses were changed */
	const char *was, *is; /* in the source: tokens or expressions, as text.c needs them */
	const char *
		reader; /* of data, of a definition: a file and line that use it; NULL: not known */
	unsigned reader_line;
	/* Edits with the same group, in any module, are one edit that changes several places, under one id. NULL: it is one
	   by itself. The first place that is executed leads; the others are counted nowhere. */
	const char *group;
	bool follows;
	uint32_t id; /* from 1 on: the selector */
};

/* A file of the source. */
struct edit_source {
	char *name;
	VEC(char *)
	lines; /* from line 1 on; none: it is not there, or was changed since it was compiled */
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
	VEC(bool) poked;                 /* by number of a global: it has its edits */
	VEC(LLVMValueRef) constants;     /* some of its integers; empty: not asked for yet */
	VEC(struct edit_source) sources; /* that were asked for */
};

/* Which edits are wanted. */
struct edit_wish {
	const bool *functions; /* of the plan: those that have edits */
	bool *const *
		blocks; /* if this is not NULL: of each function the blocks that have; NULL: none */
	bool narrow;    /* the classes that change what is there */
	bool wide; /* the large classes, which add something: conditions, guards, assignments, jumps */
	bool watch;                       /* HENCE_CHOICE_WATCH at each place of edits by value */
	const struct edit_fitted *fitted; /* these edits by value, those of a place together */
	uint32_t fitted_count;
	/* What the failing run printed, and what it should have; NULL: not known. From them come texts for
	   string literals. */
	const struct str *printed, *expected;
	/* Initial values that the failing run read: only they have edits. NULL: not known, so all have that are in small
	   tables. */
	const struct edit_reads *reads;
	bool tables; /* without `reads`: those of large tables have, too */
	/* The text of a source file as it was compiled; NULL: it is not there, or was changed. `name` may be relative to
	   `directory`, `elf` is the program. Caller frees. NULL: there are no sources. */
	char *(*read_source)(const char *directory, const char *name, const char *elf);
};

/* Reads a module of the program anew. Caller frees with edit_module_close(). */
MUST_USE struct hence_error *edit_module_open(const struct program_module *loaded, uint32_t number,
                                              struct edit_module *out);
void edit_module_close(struct edit_module *module);

/* Adds all edits of the wish, in the order of the code. */
void edit_generate(struct edit_module *module, const struct edit_wish *wish);

/* data.c: the edits of the data that an instruction of the function names, if they were not added before. */
void edit_generate_data(struct edit_module *module, uint32_t function, LLVMValueRef instruction,
                        const struct edit_wish *wish);

/* names.c: the edits of constants that have a name in the source. */
void edit_generate_names(struct edit_module *module, const struct edit_wish *wish);

/* Puts the edits in the order of the code. Those of one instruction keep theirs. */
void edit_sort(struct edit_module *module);

/* Has the function none? Code with computed gotos, setjmp() and the like cannot be built anew safely. */
bool edit_is_refused(LLVMValueRef function);

/* The C type of what a pointer points to; NULL: it is not known. */
const struct ctype *edit_pointee(struct edit_module *module, LLVMValueRef pointer);

/* Of each group, in all modules, lets one edit lead, and gives its id to those that follow. */
void edit_follow(struct edit_module *modules, uint32_t count);

/* A file of the module's source; NULL: it cannot be read. Valid until the module is closed. */
const struct edit_source *edit_source_of(struct edit_module *module, const struct edit_wish *wish,
                                         const char *file);

/* Puts one edit into the IR, and plans it anew: what a run with it is decoded by. */
void edit_apply(struct edit_module *module, const struct edit *edit);

/* Compiles those edits whose id is not 0, under a selector, as a part of the image. With `only` there
   is no selector: just that edit is in force. The module has then been used. */
MUST_USE struct hence_error *edit_build(struct edit_module *module, const struct edit *only,
                                        struct image *image);

/* The edit with this name (edit_name()) among those of the module; NULL: none. */
const struct edit *edit_named(const struct edit_module *module, const char *name);

/* The edit by value that this is the name of. False: it is another one, or one of another module. */
bool edit_read_fitted(const char *name, const struct plan *plan, uint32_t module,
                      struct edit_fitted *out);

/* 'main:27:relational:slt', the same each time. Other modules may have a static function of the same name, from a
   header for instance: unless it is of the first module, the name has the number of its module, 'swap@2:27:...'.
   Caller frees. */
char *edit_name(const struct edit_module *module, const struct edit *edit);

/* Is it the name of an edit of this function? `module` is the number of its module. */
bool edit_names(const char *name, const struct plan_function *function, uint32_t module);

/* --- data that was read (reads.c) --- */

/* Initial values that a run read before anything else was written there: of all entries of the program's tables, only
   these can have to do with how it ended. */
struct edit_reads;

/* Decodes the run. *out is NULL if `stop` (which may be NULL) said so before its end. Caller frees with
   edit_reads_destroy(). */
MUST_USE struct hence_error *edit_reads_find(const struct recording *run,
                                             bool (*stop)(void *context), void *context,
                                             struct edit_reads **out);
void edit_reads_destroy(struct edit_reads *reads);

/* A line that read some of these bytes: `number` 0, 1, ... False: there are no more, or none at all. The file is valid as
   long as `reads`; NULL: not known. */
bool edit_reads_at(const struct edit_reads *reads, uint64_t address, uint64_t size, uint32_t number,
                   const char **file, unsigned *line);

/* --- formats (formats.c) --- */

/* What the text of an output call would have to be so that the output is as expected where it is first wrong: one piece of
   a format between its directives is another one, or one directive is. Calls `tell` for each text that fits, the
   likeliest first; perhaps more than once for the same. */
void formats_expected(const char *format, const struct str *printed, const struct str *expected,
                      void (*tell)(void *context, const char *text), void *context);

#endif
