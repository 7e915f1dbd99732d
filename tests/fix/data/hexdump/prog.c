/* Bytes as hexadecimal numbers: prog TEXT */
#include <stdio.h>

static const char digits[] =
	"0123456789"
	;
static const char letters[] =
	"abcdff";

static void put(unsigned value)
{
	putchar(value < 10 ? digits[value] : letters[value - 10]);
}

int main(int argc, char **argv)
{
	for (const char *c = argc > 1 ? argv[1] : ""; *c; c++) {
		put((unsigned char)*c >> 4);
		put(*c & 15);
		putchar(c[1] ? ' ' : '\n');
	}
	return 0;
}
