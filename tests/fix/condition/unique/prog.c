/* Each argument once. */
#include <stdio.h>
#include <string.h>

static const char *seen[32];
static int count;

static int is_known(const char *word)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(seen[i], word))
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc && i < 32; i++) {
		if (!is_known(argv[i]))
			continue;
		seen[count++] = argv[i];
		printf("%d %s\n", count, argv[i]);
	}
	printf("%d of %d are different\n", count, argc - 1);
	return 0;
}
