/* vm [STEPS]: assembles standard input and runs it. */
#include <stdlib.h>
#include "vm.h"

int main(int argc, char **argv)
{
	static struct program program;
	int steps = argc > 1 ? atoi(argv[1]) : 1000;
	int bad = assemble(stdin, &program);
	if (bad) {
		fprintf(stderr, "line %d is wrong\n", bad);
		return 2;
	}
	machine_load(&program);
	const char *wrong = machine_run(steps);
	if (wrong) {
		fprintf(stderr, "the program %s\n", wrong);
		return 1;
	}
	return 0;
}
