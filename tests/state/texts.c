// run: ab wonderful
// run: abc wonder
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[32] = "the same";
static char buffer[16] = "xxxxxxxxxxxxxxx";
static const char *label;
static char *words[4];

int main(int argc, char **argv)
{
	char local[16] = "";
	char *copy = strdup(argv[2]), *middle = argv[2] + 6;
	unsigned char bytes[3] = {0, (unsigned char)strlen(argv[1]), 3};
	char used[12] = "0123456789";

	strcpy(local, argv[1]);
	strcpy(buffer, "same");
	strcpy(used + 5, argv[1]);
	used[2] = 0;
	buffer[8] = argv[2][6] ? 'f' : '-';
	label = strlen(argv[1]) == 2 ? "short" : "long";
	words[0] = "fixed";
	words[1] = copy;
	words[2] = argv[1];
	printf("%s %s %s %c %s\n", local, copy, middle, buffer[8], label); /*end*/
	printf("%s %s\n", used, used + 3);
	printf("%d %s %s %s\n", bytes[1], words[0], words[1], words[2]);
	printf("%s %s %s\n", line, argv[1], argv[2]);
	return 0;
}
