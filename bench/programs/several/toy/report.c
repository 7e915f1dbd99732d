#include <stdio.h>

#include "toy.h"

static void print_memory(const struct machine *m, int size)
{
	for (int i = 0; i < size; i++)
		printf("%s%6d", i % 8 == 0 ? "\n  " : " ", m->memory[i]);
	printf("\n");
}

/* How often each kind of instruction was executed. */
static void print_profile(const struct program *p)
{
	int counts[OPERATIONS] = {0};

	for (int i = 0; i < p->size; i++)
		counts[p->code[i].operation] += p->code[i].executed;
	for (int i = 0; i < OPERATIONS; i++)
		if (counts[i])
			printf("  %-5s %5d\n", descriptions[i].name, counts[i]);
}

void report_print(const struct machine *m, const struct program *p)
{
	printf("%s after %ld steps\n", m->stopped, m->steps);
	printf("registers");
	for (int i = 0; i < REGISTERS; i++)
		printf(" %d", m->registers[i]);
	printf("\nmemory");
	print_memory(m, p->data_size);
	print_profile(p);
}
