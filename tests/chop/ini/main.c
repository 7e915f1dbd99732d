/* ini NAME...: reads settings from standard input and prints those that are asked for. */
#include "ini.h"

int main(int argc, char **argv)
{
	int bad = ini_read(stdin);
	if (bad) {
		fprintf(stderr, "line %d is neither a section nor a setting\n", bad);
		return 1;
	}
	for (int i = 1; i < argc; i++) {
		const char *value = ini_get(argv[i]);
		printf("%s: %s\n", argv[i], value ? value : "(not set)");
	}
	return 0;
}
