/* The other file's constructors fall between those of the first. */
#include <stdio.h>

int registered[16], registrations;

__attribute__((constructor(150))) static void between(void)
{
	registered[registrations++] = 150;
	printf("constructor 150\n");
}

__attribute__((constructor)) __attribute__((destructor)) static void both(void)
{
	registered[registrations++] = 1;
	printf("both %d\n", registrations);
}
