/*
 * What an executed statement did, in words of C: `a[2] = 7`, `i < n is true`, `malloc(24) = 0x...`,
 * with the places that it read and wrote and their values. All is asked while an execution stands
 * right behind the statement, since names and values are those of that moment.
 */
#ifndef HENCE_DESCRIBE_DESCRIBE_H
#define HENCE_DESCRIBE_DESCRIBE_H

#include "names/names.h"

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

/* --- expression.c: the code of a value, as C --- */

/* A function under way and what its operands are called. */
struct describe_scope {
	struct names *names;
	const struct activation *a;
};

/* Appends an expression: `i < n`, `list->next != NULL`. */
void describe_expression(const struct describe_scope *scope, LLVMValueRef value, struct str *out);

/* Appends a value as its type and origin suggest. */
void describe_operand(const struct describe_scope *scope, LLVMValueRef value, struct str *out);

/* Appends a value of this type; NULL: as LLVM's type suggests. */
void describe_typed(const struct describe_scope *scope, const struct ctype *type,
                    LLVMValueRef value, struct str *out);

/* Appends what an argument of an outside function is: text in quotes where it points to text. */
void describe_argument(const struct describe_scope *scope, LLVMValueRef value, struct str *out);

/* Appends `&x`, or `a` of an array, for the address of something that has a name in the source.
   `type` is that of the pointer; NULL: not known. False: it is none, and nothing is appended. */
bool describe_address(const struct describe_scope *scope, LLVMValueRef value,
                      const struct ctype *type, struct str *out);

/* The name of what a load reads. Caller frees with name_deinit(). */
void describe_load(const struct describe_scope *scope, LLVMValueRef load, struct name *out);

/* --- choice.c: && || ?: --- */

/* What decided the value of a phi of && or ||, or else the value that it took; NULL: nobody knows
   any more. */
LLVMValueRef describe_decider(const struct describe_scope *scope, LLVMValueRef phi);

/* Appends `a && b`; what was not evaluated is `...`. False: the phi is none, and nothing is
   appended. */
bool describe_choice(const struct describe_scope *scope, LLVMValueRef phi, struct str *out);

/* --- class.c: isdigit() and its like --- */

/* The name of the function that the value is the result of, and its argument; NULL: it is none. */
const char *describe_class(LLVMValueRef value, LLVMValueRef *character);

/* Does a macro of the C library make the call, so that its name stands in no program? */
bool describe_is_hidden(LLVMValueRef call);

#endif
