/* A machine with a stack, and its assembler. */
#ifndef VM_H
#define VM_H

#include <stdio.h>

#define MEMORY 32
#define STACK  16

enum opcode {
	OP_HALT,
	OP_PUSH,
	OP_LOAD,
	OP_STORE,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_JUMP,
	OP_JUMPZ,
	OP_PRINT,
	OP_COUNT
};

/* A program: words, operation and operand after each other. */
struct program {
	int words[256];
	int count;
};

/* Returns the number of the first bad line, 0 if there is none. */
int assemble(FILE *in, struct program *out);

void machine_load(const struct program *program);
/* Returns 0 when the program halts, else what is wrong. */
const char *machine_run(int steps);

#endif
