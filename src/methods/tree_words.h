/* Inside the cause tree: conditions and statements as C. */
#ifndef HENCE_METHODS_TREE_WORDS_H
#define HENCE_METHODS_TREE_WORDS_H

#include "trace/execution.h"
#include "words/names.h"

/* What should have held: the kind of a condition. Conditions about the same instruction are one
   node if they are of the same kind. */
enum tree_kind {
	TREE_OF_FAILURE,
	TREE_OF_BRANCH,  /* it should have gone another way */
	TREE_OF_ADDRESS, /* the access should have been elsewhere */
	TREE_OF_MISSED,  /* it should have been to an address that was read later */
};

/* What should have held at a branch or access (instruction `code`) of the statement that the
   function on top has just executed, as C, and the same with values. `address` is where a write
   should have been that missed it. What is not known stays as it was; *numbers also if it is the
   same. Caller frees both. */
void tree_words_condition(struct names *names, uint32_t code, enum tree_kind kind, uint64_t address,
                          char **wanted, char **numbers);

/* What the statement did that the function on top has just executed: 'd = c + 3 = 4'. Caller
   frees. */
char *tree_words_statement(struct names *names, enum execution_event event);

/* What the load with this code, of the statement that the function on top has just executed, read
   of a variable that still had its initial value: 'operations[2] = divide (initial value)', and
   where that is declared. NULL: it is no variable of the program's. Caller frees. */
char *tree_words_initial(struct names *names, uint32_t code, struct walk_place *place);

#endif
