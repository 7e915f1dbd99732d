/* main that ends without a return, after a call chain, with arguments of the unusual form. */
#include <stdio.h>

static int status(int a)
{
	return a * 2;
}

int main(int argc, char **argv, char **envp)
{
	printf("%d %d %s\n", argc, envp[0] != NULL, argv[argc] == NULL ? "closed" : "open");
	if (status(argc) == 99)
		return 4;
}
