/* A handler and a destructor write to a file that main left open; exit status is cut to 8 bits. */
#include <stdio.h>
#include <stdlib.h>

static FILE *log_file;

static void finish(void)
{
	fprintf(log_file, "handler\n");
}

__attribute__((destructor)) static void destroy(void)
{
	fprintf(log_file, "destructor\n");
}

int main(void)
{
	log_file = fopen("log", "w");
	if (!log_file)
		return 1;
	atexit(finish);
	fprintf(log_file, "main\n");
	exit(256 + 42);
}
