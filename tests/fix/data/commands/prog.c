/* A stack machine: prog WORD ... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int stack[64], depth;

static int pop(void) { return depth ? stack[--depth] : 0; }
static void push(int v) { if (depth < 64) stack[depth++] = v; }

void add(void) { push(pop() + pop()); }
void sub(void) { int b = pop(); push(pop() - b); }
void mul(void) { push(pop() * pop()); }
void twice(void) { int a = pop(); push(a); push(a); }
void swap(void) { int a = pop(), b = pop(); push(a); push(b); }

static const struct word {
	const char *name;
	void (*run)(void);
} words[] = {
	{"add", add},
	{"sub", sub},
	{"mul", mul},
	{"dup", swap},
	{"swap", swap},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const struct word *w = words;

		while (w->name && strcmp(w->name, argv[i]))
			w++;
		if (w->name)
			w->run();
		else
			push(atoi(argv[i]));
	}
	while (depth)
		printf("%d\n", pop());
	return 0;
}
