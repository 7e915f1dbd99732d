/*
 * Calls of the C library: text, input, output, memory.
 * stdin: 12 apples
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char line[32], name[16], *copy;
	int count = 0;

	if (!fgets(line, sizeof(line), stdin))
		return 1;
	line[strcspn(line, "\n")] = '\0';
	sscanf(line, "%d %15s", &count, name);
	copy = malloc(strlen(name) + 1);
	strcpy(copy, name);
	memset(line, '-', 3);
	line[3] = '\0';
	count = printf("%s%c%d\n", copy, line[0], count);
	copy = realloc(copy, 100);
	free(copy);
	return memcmp(name, "apple", 5) != 0;
}
