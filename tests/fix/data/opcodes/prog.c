/* Cycles that a few instructions take: prog NAME ... */
#include <stdio.h>
#include <string.h>

enum form { PLAIN, MEMORY, JUMP };

struct opcode {
	const char *name;
	enum form form;
	int cycles;
};

/* The table has the name of its structure. */
static const struct opcode opcode[] = {
	{ "nop", PLAIN, 1 }, { "load", MEMORY, 3 },
	{ "store", MEMORY, 3 }, { "add", PLAIN, 1 },
	{ "mul", PLAIN, 2 }, { "div", PLAIN, 9 },
	{ "jump", JUMP, 2 },
};

static int taken[3];

int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 1; i < argc; i++)
		for (unsigned n = 0; n < sizeof(opcode) / sizeof(*opcode); n++)
			if (!strcmp(opcode[n].name, argv[i])) {
				sum += opcode[n].cycles;
				taken[opcode[n].form]++;
			}
	printf("%d cycles: %d plain, %d of memory, %d jumps\n", sum, taken[PLAIN], taken[MEMORY],
	       taken[JUMP]);
	return 0;
}
