/* Minutes after midnight as hours and minutes. */
#include <stdio.h>
#include <stdlib.h>

static void show(int minutes)
{
	printf("%02d:", minutes / 60 % 24);
	printf("%d\n", minutes % 60);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		show(atoi(argv[i]));
	return 0;
}
