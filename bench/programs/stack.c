/* For bench/tree: an interpreter of a stack machine adds up numbers; 'less' compares in the wrong way for equal ones, so a number too many
   is added. stack LIMIT; a number is about 630 executed IR instructions. */
#include <assert.h>
#include <stdlib.h>

enum code { PUSH, LOAD, STORE, ADD, LESS, JUMP_IF, HALT };

struct machine {
	long stack[16], variables[4];
	int depth, at;
};

static void push(struct machine *m, long value)
{
	m->stack[m->depth++] = value;
}

static long pop(struct machine *m)
{
	return m->stack[--m->depth];
}

static void compare(struct machine *m)
{
	long b = pop(m), a = pop(m);
	push(m, a <= b);
}

static void add(struct machine *m)
{
	long b = pop(m), a = pop(m);
	push(m, a + b);
}

static void run(struct machine *m, const int *program)
{
	for (;;) {
		enum code code = program[m->at++];
		switch (code) {
		case PUSH:
			push(m, program[m->at++]);
			break;
		case LOAD:
			push(m, m->variables[program[m->at++]]);
			break;
		case STORE:
			m->variables[program[m->at++]] = pop(m);
			break;
		case ADD:
			add(m);
			break;
		case LESS:
			compare(m);
			break;
		case JUMP_IF: {
			int target = program[m->at++];
			if (pop(m))
				m->at = target;
			break;
		}
		case HALT:
			return;
		}
	}
}

/* s = s + i; i = i + 1; while (i < limit) */
static const int program[] = {
	LOAD,  1, LOAD, 0, ADD, STORE,   1,
	LOAD,  0, PUSH, 1, ADD, STORE,   0,
	LOAD,  0, LOAD, 2, LESS, JUMP_IF, 0,
	HALT,
};

int main(int argc, char **argv)
{
	struct machine machine = {.depth = 0};
	long limit = argc > 1 ? atol(argv[1]) : 10;
	machine.variables[2] = limit;
	run(&machine, program);
	assert(machine.variables[1] == limit * (limit - 1) / 2);
	return 0;
}
