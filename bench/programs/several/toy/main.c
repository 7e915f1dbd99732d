/* Assembles standard input, executes it and reports what it did. */
#include "toy.h"

static struct program program;
static struct machine machine;

int main(void)
{
	if (assemble(&program) > 0)
		return 0;
	machine_start(&machine, &program);
	machine_run(&machine, &program, 5000);
	report_print(&machine, &program);
	return 0;
}
