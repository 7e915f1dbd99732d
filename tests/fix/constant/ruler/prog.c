/* A table with a ruler between its rows: prog WORD ... */
#include <stdio.h>
#include <string.h>

enum layout {
	COLUMNS = 2,
	WIDTH = 8,
	GAP = 1,
};

static void ruler(void)
{
	for (int c = 0; c < COLUMNS; c++) {
		for (int i = 0; i < WIDTH + 1; i++)
			putchar('-');
		putchar(c + 1 < COLUMNS ? '+' : '\n');
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int pad = WIDTH - (int)strlen(argv[i]);

		printf("%s", argv[i]);
		while (pad-- > 0)
			putchar(' ');
		for (int g = 0; g < GAP; g++)
			putchar(' ');
		putchar(i % COLUMNS ? '|' : '\n');
		if (i % COLUMNS == 0)
			ruler();
	}
	return 0;
}
