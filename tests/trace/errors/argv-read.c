/* Reads behind the end of an argument, into what lies there. */
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	size_t length = strlen(argv[0]);
	printf("%d\n", argv[0][length + 1] > 0);
	return argc != 1;
}
