/*
 * An assembler and a simulator of a small machine: eight registers of 16 bits, 256 words of memory.
 */
#ifndef TOY_H
#define TOY_H

#include <stdbool.h>
#include <stdint.h>

enum { REGISTERS = 8, MEMORY = 256, MOST_CODE = 200, MOST_LABELS = 40, NAME_SIZE = 12 };

enum operation {
	LDI,
	MOV,
	LD,
	ST,
	ADD,
	ADDI,
	SUB,
	MUL,
	SHR,
	CMP,
	JMP,
	JEQ,
	JNE,
	JLT,
	JLE,
	CALL,
	RET,
	OUT,
	HALT,
	OPERATIONS
};

/* What an instruction has behind its name, one letter for each. */
struct description {
	const char *name;
	const char *operands; /* r: register, n: number or label */
};

extern const struct description descriptions[OPERATIONS];

struct instruction {
	enum operation operation;
	uint8_t a, b;
	int16_t number;
	int line;
	int executed;
};

struct label {
	char name[NAME_SIZE];
	int16_t value;
};

struct program {
	struct instruction code[MOST_CODE];
	int size;
	struct label labels[MOST_LABELS];
	int label_count;
	int16_t data[MEMORY];
	int data_size;
};

struct machine {
	int16_t registers[REGISTERS];
	int16_t memory[MEMORY];
	int pc, sp;
	bool zero, negative;
	long steps;
	const char *stopped; /* why it stopped; NULL: it runs */
};

/* labels.c */
bool label_add(struct program *p, const char *name, int value); /* false: no room, or it is there */
const struct label *label_find(const struct program *p, const char *name);

/* assemble.c: reads standard input; returns the number of mistakes, which it prints. */
int assemble(struct program *p);

/* simulate.c */
void machine_start(struct machine *m, const struct program *p);
void machine_run(struct machine *m, struct program *p, long most);

/* report.c */
void report_print(const struct machine *m, const struct program *p);

#endif
