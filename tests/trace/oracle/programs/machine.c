/* A small interpreter: one loop and one switch, data that decides where to go. */
#include <stdio.h>
#include <stdlib.h>

enum op { PUSH, ADD, SUB, MUL, DUP, SWAP, JUMP, JUMPZ, LOAD, STORE, CALL, RET, PRINT, HALT };

struct insn {
	unsigned char op;
	short arg;
};

struct machine {
	const struct insn *code;
	int stack[16], memory[4], back[4];
	int sp, bp, pc;
	unsigned long ticks;
};

static void push(struct machine *m, int value)
{
	if (m->sp == 16)
		abort();
	m->stack[m->sp++] = value;
}

static int pop(struct machine *m)
{
	if (m->sp == 0)
		abort();
	return m->stack[--m->sp];
}

static int run(struct machine *m)
{
	int a;

	for (;;) {
		struct insn i = m->code[m->pc++];

		m->ticks++;
		switch ((enum op)i.op) {
		case PUSH: push(m, i.arg); break;
		case ADD: push(m, pop(m) + pop(m)); break;
		case SUB:
			a = pop(m);
			push(m, pop(m) - a);
			break;
		case MUL: push(m, pop(m) * pop(m)); break;
		case DUP: push(m, m->stack[m->sp - 1]); break;
		case SWAP:
			a = m->stack[m->sp - 1];
			m->stack[m->sp - 1] = m->stack[m->sp - 2];
			m->stack[m->sp - 2] = a;
			break;
		case JUMP: m->pc = i.arg; break;
		case JUMPZ:
			if (!pop(m))
				m->pc = i.arg;
			break;
		case LOAD: push(m, m->memory[i.arg]); break;
		case STORE: m->memory[i.arg] = pop(m); break;
		case CALL:
			m->back[m->bp++] = m->pc;
			m->pc = i.arg;
			break;
		case RET: m->pc = m->back[--m->bp]; break;
		case PRINT: printf("%d\n", pop(m)); break;
		case HALT: return m->sp;
		default: abort();
		}
	}
}

/* Factorials of 4 and 5; `n` is in memory[0], the product in memory[1]. */
static const struct insn program[] = {
	{PUSH, 4},  {STORE, 0}, {CALL, 7},  {PUSH, 5},  {STORE, 0},  {CALL, 7},
	{HALT, 0},  {PUSH, 1},  {STORE, 1}, {LOAD, 0},  {JUMPZ, 20}, {LOAD, 0},
	{DUP, 0},   {LOAD, 1},  {MUL, 0},   {STORE, 1}, {PUSH, 1},   {SUB, 0},
	{STORE, 0}, {JUMP, 9},  {LOAD, 1},  {PRINT, 0}, {RET, 0},
};

int main(void)
{
	struct machine m = {.code = program};
	int left = run(&m);

	printf("%lu %d\n", m.ticks, left);
	return 0;
}
