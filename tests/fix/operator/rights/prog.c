/* Rights as letters, said twice now and then: as numbers. */
#include <stdio.h>

enum { EXECUTE = 1, WRITE = 2, READ = 4 };

static unsigned bit(char c)
{
	switch (c) {
	case 'r': return READ;
	case 'w': return WRITE;
	case 'x': return EXECUTE;
	}
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		unsigned mask = 0;

		for (const char *at = argv[i]; *at; at++)
			mask ^= bit(*at);
		printf("%s is %u\n", argv[i], mask);
	}
	return 0;
}
