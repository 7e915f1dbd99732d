/* Lengths of runs of the same letter. */
#include <stdio.h>

int main(int argc, char **argv)
{
	const char *text = argv[1];
	int length = 0;

	for (int i = 0; text[i]; i++) {
		length++;
		if (text[i] != text[i + 1]) {
			printf("%c%d", text[i], length);
		}
	}
	printf("\n");
	return 0;
}
