/* What the files of `hence trace` share: its options, and what is known of a statement. */
#ifndef HENCE_CLI_TRACE_H
#define HENCE_CLI_TRACE_H

#include "cli/run.h"
#include "names/names.h"

struct trace_options {
	struct run_options run;
	const char *function;
	char *file; /* of --line */
	uint64_t line;
	const char *variable;
	uint64_t from, to; /* statements; 0: from the first, to the last */
	uint64_t process;  /* 0: the first */
	const char *output;
	bool check;
	bool json;
};

struct hence_error *trace_options_parse(int argc, char **argv, struct trace_options *out);
void trace_options_deinit(struct trace_options *options);

/* A place that was read or written, and its value. */
struct trace_value {
	struct name name;
	struct str value;
};

enum trace_kind {
	TRACE_STORE,
	TRACE_COPY, /* a struct or array is assigned */
	TRACE_FILL,
	TRACE_BRANCH,
	TRACE_SWITCH,
	TRACE_JUMP, /* computed goto */
	TRACE_CALL,
	TRACE_RETURN,
	TRACE_OTHER,
};

struct trace_statement {
	uint64_t number;
	uint32_t depth; /* calls under way with its own; that of main() is 1 */
	struct walk_place place;
	enum trace_kind kind;
	struct str text;    /* what it did, for a person */
	struct str result;  /* of a call, return, branch or switch; empty: none */
	const char *callee; /* NULL: it is not a call */
	struct str arguments;
	bool unfinished; /* a call that did not return */
	bool calls_back; /* a call of outside code that now calls back, and is told again later */
	VEC(struct trace_value) reads, writes;
};

void trace_statement_deinit(struct trace_statement *statement);

/* Fills text, result, reads, writes and kind of the statement that the function on top has just
   executed; `inside`: it is a call and the callee is about to begin. */
void trace_describe(struct names *names, struct execution *execution, bool inside,
                    struct trace_statement *out);

/* Names are asked for the statement that the function at this depth has just executed. */
void trace_stand_at(struct names *names, struct execution *execution);

/* --- trace_expression.c: the code of a value, as C --- */

/* A function under way and what its operands are called. */
struct trace_scope {
	struct names *names;
	const struct activation *a;
};

/* Appends an expression: `i < n`, `list->next != NULL`. */
void trace_expression(const struct trace_scope *scope, LLVMValueRef value, struct str *out);

/* Appends a value as its type and origin suggest. */
void trace_print_operand(const struct trace_scope *scope, LLVMValueRef value, struct str *out);

/* Appends a value of this type; NULL: as LLVM's type suggests. */
void trace_print_typed(const struct trace_scope *scope, const struct ctype *type,
                       LLVMValueRef value, struct str *out);

/* Appends what an argument of an outside function is: text in quotes where it points to text. */
void trace_print_argument(const struct trace_scope *scope, LLVMValueRef value, struct str *out);

/* Appends `&x`, or `a` of an array, for the address of something that has a name in the source.
   `type` is that of the pointer; NULL: not known. False: it is none, and nothing is appended. */
bool trace_print_address(const struct trace_scope *scope, LLVMValueRef value,
                         const struct ctype *type, struct str *out);

/* The name of what a load reads. Caller frees with name_deinit(). */
void trace_name_load(const struct trace_scope *scope, LLVMValueRef load, struct name *out);

/* --- trace_choice.c: && || ?: --- */

/* What decided the value of a phi of && or ||, or else the value that it took; NULL: nobody knows
   any more. */
LLVMValueRef trace_decider(const struct trace_scope *scope, LLVMValueRef phi);

/* Appends `a && b`; what was not evaluated is `...`. False: the phi is none, and nothing is
   appended. */
bool trace_express_choice(const struct trace_scope *scope, LLVMValueRef phi, struct str *out);

/* --- trace_class.c: isdigit() and its like --- */

/* The name of the function that the value is the result of, and its argument; NULL: it is none. */
const char *trace_class(LLVMValueRef value, LLVMValueRef *character);

/* Does a macro of the C library make the call, so that its name stands in no program? */
bool trace_is_hidden(LLVMValueRef call);

/* --- trace_print.c --- */

struct trace_printer {
	FILE *file;
	bool json;
	int place_width, function_width;
};

/* Makes columns as wide as the statements of a function need them, within limits. */
void trace_measure(struct trace_printer *printer, LLVMValueRef function, const char *name);

void trace_print(struct trace_printer *printer, const struct trace_statement *statement);

/* Appends a text as a string of JSON, with its quotes. */
void trace_json_string(struct str *out, const char *text);

/* --- trace_filter.c: which statements are shown --- */

struct trace_filter;

/* The options must outlive it. Caller frees with trace_filter_destroy(). */
struct trace_filter *trace_filter_create(const struct trace_options *options);
void trace_filter_destroy(struct trace_filter *filter);

/* May the statement be shown, as far as its number and place tell? */
bool trace_filter_place(struct trace_filter *filter, uint64_t number,
                        const struct walk_place *place);

/* And as far as the places tell that it read and wrote? */
bool trace_filter_values(struct trace_filter *filter, struct names *names,
                         const struct trace_statement *statement);

/* Why nothing was shown. NULL: something was. */
struct hence_error *trace_filter_explain(const struct trace_filter *filter, struct names *names,
                                         struct execution *execution);

/* --- trace_errors.c: memory errors --- */

struct trace_errors;

struct trace_errors *trace_errors_create(struct names *names, struct execution *execution);
void trace_errors_destroy(struct trace_errors *errors);

/* Names what new errors are about. To be called after each statement and at the end. */
void trace_errors_follow(struct trace_errors *errors);

/* Prints all: to stderr, or as JSON to `json` if that is not NULL. `halted`: the end was not
   reached. */
void trace_errors_print(struct trace_errors *errors, FILE *json, bool halted);

/* --- trace_decode.c --- */

/* Decodes a tape and prints its statements. */
struct hence_error *trace_decode(struct run *run, const struct trace_options *options,
                                 const struct run_tape *recorded, struct modules *modules,
                                 FILE *out);

/* --- trace_check.c --- */

/* Decodes all tapes and prints what does not fit. *clean: there is nothing. */
struct hence_error *trace_check(struct run *run, const struct trace_options *options, FILE *out,
                                bool *clean);

/* Where the process died, for execution_run(). False: it did not, or nobody knows. */
bool trace_death(const struct run_tape *recorded, struct walk_place *out);

#endif
