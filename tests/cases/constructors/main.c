/* Constructors and destructors with priorities, in two files, with arguments, and atexit in a
 * constructor. */
#include <stdio.h>
#include <stdlib.h>

extern int registered[16], registrations;

static void note(const char *what)
{
	printf("%s %d\n", what, registrations);
}

static void from_constructor(void)
{
	note("atexit of a constructor");
}

__attribute__((constructor(200))) static void second(void)
{
	registered[registrations++] = 200;
	note("constructor 200");
}

__attribute__((constructor(101))) static void first(void)
{
	registered[registrations++] = 101;
	note("constructor 101");
	atexit(from_constructor);
}

__attribute__((constructor)) static void with_arguments(int argc, char **argv)
{
	registered[registrations++] = argc * 1000 + (argv[argc] == NULL);
	note("constructor");
}

__attribute__((destructor(101))) static void last(void)
{
	note("destructor 101");
}

__attribute__((destructor(200))) static void early(void)
{
	registrations++;
	note("destructor 200");
}

__attribute__((destructor)) static void earliest(void)
{
	registrations++;
	note("destructor");
}

int main(void)
{
	for (int i = 0; i < registrations; i++)
		printf("%d ", registered[i]);
	printf("main\n");
	return 6;
}
