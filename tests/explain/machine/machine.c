/* A stack machine. Its program is its arguments: numbers are pushed, + - x work on the two on top,
   d doubles the top, p prints it. */
#include <stdio.h>
#include <stdlib.h>

enum opcode { PUSH, ADD, SUBTRACT, MULTIPLY, DOUBLE, PRINT, HALT };

struct instruction {
	enum opcode opcode;
	int operand;
};

struct machine {
	struct instruction *code;
	int pc;
	int stack[16];
	int depth;
};

static void compile(const char *word, struct instruction *out)
{
	out->operand = 0;
	switch (word[0]) {
	case '+': out->opcode = ADD; break;
	case '-': out->opcode = SUBTRACT; break;
	case 'x': out->opcode = MULTIPLY; break;
	case 'd': out->opcode = DOUBLE; break;
	case 'p': out->opcode = PRINT; break;
	default: out->opcode = PUSH; out->operand = atoi(word);
	}
}

static void push(struct machine *machine, int value)
{
	if (machine->depth == 16)
		exit(3);
	machine->stack[machine->depth++] = value;
}

static int pop(struct machine *machine)
{
	if (machine->depth == 0)
		exit(4);
	return machine->stack[--machine->depth];
}

static void execute(struct machine *machine, struct instruction instruction)
{
	int left, right;
	switch (instruction.opcode) {
	case PUSH: push(machine, instruction.operand); break;
	case ADD:
		right = pop(machine);
		left = pop(machine);
		push(machine, left + right);
		break;
	case SUBTRACT:
		left = pop(machine);
		right = pop(machine);
		push(machine, left - right);
		break;
	case MULTIPLY:
		right = pop(machine);
		left = pop(machine);
		push(machine, left * right);
		break;
	case DOUBLE:
		left = pop(machine);
		push(machine, 2 * left);
		break;
	case PRINT: printf("%d\n", pop(machine)); break;
	case HALT: break;
	}
}

int main(int argc, char *argv[])
{
	struct machine machine = {0};
	machine.code = calloc(argc, sizeof *machine.code);
	for (int i = 1; i < argc; i++)
		compile(argv[i], &machine.code[i - 1]);
	machine.code[argc - 1].opcode = HALT;
	while (machine.code[machine.pc].opcode != HALT)
		execute(&machine, machine.code[machine.pc++]);
	free(machine.code);
	return 0;
}
