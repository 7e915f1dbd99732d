/*
 * What an executed statement did, in words of C: `a[2] = 7`, `i < n is true`, `malloc(24) = 0x...`,
 * with the places that it read and wrote and their values. All is asked while an execution stands
 * right behind the statement, since names and values are those of that moment.
 */
#ifndef HENCE_WORDS_DESCRIBE_H
#define HENCE_WORDS_DESCRIBE_H

#include "words/names.h"

/* A place that was read or written, and its value. */
struct described_value {
	struct name name;
	struct str value;
};

enum described_kind {
	DESCRIBED_STORE,
	DESCRIBED_COPY, /* a struct or array is assigned */
	DESCRIBED_FILL,
	DESCRIBED_BRANCH,
	DESCRIBED_SWITCH,
	DESCRIBED_JUMP, /* computed goto */
	DESCRIBED_CALL,
	DESCRIBED_RETURN,
	DESCRIBED_OTHER,
};

struct described {
	uint64_t number;
	uint32_t depth; /* calls under way with its own; that of main() is 1 */
	struct walk_place place;
	enum described_kind kind;
	struct str text;    /* what it did, for a person */
	struct str result;  /* of a call, return, branch or switch; empty: none */
	const char *callee; /* NULL: it is not a call */
	struct str arguments;
	bool unfinished; /* a call that did not return */
	bool calls_back; /* a call of outside code that now calls back, and is told again later */
	VEC(struct described_value) reads, writes;
};

void described_deinit(struct described *statement);

/* Fills text, result, reads, writes and kind of the statement that the function on top has just
   executed; `inside`: it is a call and the callee is about to begin. */
void describe_statement(struct names *names, struct execution *execution, bool inside,
                        struct described *out);

/* Names are asked for the statement that the function at this depth has just executed. */
void describe_stand_at(struct names *names, struct execution *execution);

/* The instance that ended the statement which the function on top has just executed. */
uint32_t describe_instance(const struct execution *execution);

/* --- the code of a value, as C --- */

/* A function under way and what its operands are called. */
struct describe_scope {
	struct names *names;
	const struct activation *a;
	bool values; /* expressions have the values of variables and calls instead of their names */
};

/* Appends an expression: `i < n`, `list->next != NULL`. */
void describe_expression(const struct describe_scope *scope, LLVMValueRef value, struct str *out);

/* Appends what must hold for a condition to be true, or to be false: `i < n`, `i >= n`. */
void describe_truth(const struct describe_scope *scope, LLVMValueRef condition, bool truth,
                    struct str *out);

/* Appends a value as its type and origin suggest. */
void describe_operand(const struct describe_scope *scope, LLVMValueRef value, struct str *out);

/* Appends the value of a case (an index as in ir_case_value()), as what the switch goes by suggests: the name
   of an enumerator, a character. */
void describe_case(const struct describe_scope *scope, LLVMValueRef switch_, uint32_t index,
                   struct str *out);

/* The name of what a load reads. Caller frees with name_deinit(). */
void describe_load(const struct describe_scope *scope, LLVMValueRef load, struct name *out);

/* --- && || ?: --- */

/* What decided the value of a phi of && or ||, or else the value that it took; NULL: nobody knows
   any more. */
LLVMValueRef describe_decider(const struct describe_scope *scope, LLVMValueRef phi);

/* --- isdigit() and its like --- */

/* --- errors.c: memory errors, in words --- */

struct describe_errors;

/* Both must outlive it. Caller frees with describe_errors_destroy(). */
struct describe_errors *describe_errors_create(struct names *names, struct execution *execution);
void describe_errors_destroy(struct describe_errors *errors);

/* Goes on with another execution of the same run: errors that it has already are not named. */
void describe_errors_move(struct describe_errors *errors, struct execution *execution);

/* Names what new errors are about. To be called after each statement and at the end. */
void describe_errors_follow(struct describe_errors *errors);

/* Appends what an error that was followed is (`index` of execution_errors()): `writes buf[8], 1 byte
   past the end of buf (8 bytes, a.c:3)`. */
void describe_error(struct describe_errors *errors, uint32_t index, struct str *out);

/* What is known of an error that was followed. Valid until the next is followed. */
struct described_error {
	char *name;   /* what was read or written, or has no value; NULL: nobody knows */
	char *there;  /* variable that lies where the object has ended; NULL: none */
	bool derived; /* it was written, but with a value that depends on one that was not */
	uint64_t
		address; /* of the first byte without a value; 0: it lies nowhere, or it is not about that */
	uint64_t start; /* of the variable, or part of it, that the byte is in */
	/* What computed the address of the access from: the index or the pointer. Size 0: not known. */
	uint64_t maker, maker_size;
	bool maker_is_parameter;
};

const struct described_error *describe_error_parts(const struct describe_errors *errors,
                                                   uint32_t index);

/* The kind of an error, as JSON has it: 'out-of-bounds'. */
const char *describe_error_kind(enum execution_error_kind kind);

/* --- lookup.c: what a text of C means --- */

/* A place that a text named. */
struct describe_place {
	uint64_t address, size;
	struct ctype_part part;
};

/* Finds what `text` means in the function at `depth` (0 is on top), where it stands now: x, a[2],
   p->next->val, *p, s.f, main.count, fact@3.n, a[i]. NULL: found; else why not, in words that go on
   from the text: 'has no member z'. Caller frees with free(). */
char *describe_lookup(struct names *names, uint32_t depth, const char *text,
                      struct describe_place *out);

/* --- files.c: how people name source files --- */

/* Does the user mean this file? `sort.c` is also src/sort.c, and so is /home/me/src/sort.c. */
bool describe_is_file(const char *file, const char *wanted);

#endif
