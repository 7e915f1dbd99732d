#include "vm.h"

/* What an operation does; NULL, or what is wrong. */
typedef const char *(*operation)(int operand);

int memory[MEMORY] = {OP_HALT};
operation operations[OP_COUNT] = {NULL};
static int stack[STACK];
static int depth, at, running;

static int pop(void)
{
	return depth ? stack[--depth] : 0;
}

static const char *push(int value)
{
	if (depth == STACK)
		return "stack is full";
	stack[depth++] = value;
	return NULL;
}

static const char *do_halt(int operand)
{
	(void)operand;
	running = 0;
	return NULL;
}

static const char *do_load(int place)
{
	if (place < 0 || place >= MEMORY)
		return "load from nowhere";
	return push(memory[place]);
}

static const char *do_store(int place)
{
	if (place < 0 || place >= MEMORY)
		return "store to nowhere";
	memory[place] = pop();
	return NULL;
}

static const char *do_add(int operand)
{
	(void)operand;
	int b = pop(), a = pop();
	return push(a + b);
}

static const char *do_sub(int operand)
{
	(void)operand;
	int b = pop(), a = pop();
	return push(a - b);
}

static const char *do_mul(int operand)
{
	(void)operand;
	int b = pop(), a = pop();
	return push(a * b);
}

static const char *do_jump(int place)
{
	at = place;
	return NULL;
}

static const char *do_jumpz(int place)
{
	if (!pop())
		at = place;
	return NULL;
}

static const char *do_print(int operand)
{
	(void)operand;
	printf("%d\n", pop());
	return NULL;
}

static void prepare(void)
{
	operations[OP_HALT] = do_halt;
	operations[OP_PUSH] = push;
	operations[OP_LOAD] = do_load;
	operations[OP_STORE] = do_store;
	operations[OP_ADD] = do_add;
	operations[OP_SUB] = do_sub;
	operations[OP_MUL] = do_mul;
	operations[OP_JUMP] = do_jump;
	operations[OP_JUMPZ] = do_jumpz;
	operations[OP_PRINT] = do_print;
}

void machine_load(const struct program *program)
{
	prepare();
	for (int i = 0; i < program->count; i++)
		memory[i] = program->words[i];
}

const char *machine_run(int steps)
{
	const char *wrong = NULL;
	for (running = 1; running && !wrong; steps--) {
		if (!steps)
			return "runs for too long";
		if (at < 0 || at + 1 >= MEMORY || (at & 1))
			return "jumps to nowhere";
		int code = memory[at], operand = memory[at + 1];
		if (code < 0 || code >= OP_COUNT)
			return "no such operation";
		at += 2;
		wrong = operations[code](operand);
	}
	return wrong;
}
