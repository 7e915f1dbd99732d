/* A static executable: no dynamic loader, libc inside. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bye(void)
{
	puts("bye");
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv)
{
	const char *words[] = {"static", "executables", "have", "no", "loader"};

	atexit(bye);
	qsort(words, 5, sizeof(words[0]), compare);
	for (int i = 0; i < 5; i++)
		printf("%s ", words[i]);
	printf("%d %.6f %s\n", argc, cos(argc), strrchr(argv[0], '/'));
	return 5;
}
