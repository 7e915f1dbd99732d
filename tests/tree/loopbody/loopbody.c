/* Adler's checksum of generated text. */
#include <stdio.h>
#include <stdlib.h>

struct checksum {
	unsigned a, b;
};

static void add_byte(struct checksum *sum, unsigned char byte)
{
	sum->a = (sum->a + byte) % 65521;
	sum->b = (sum->b + sum->a) % 65520;
}

int main(int argc, char **argv)
{
	unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 0, seed = 7;
	struct checksum sum = {1, 0};
	for (unsigned i = 0; i < count; i++) {
		seed = seed * 75 % 65537;
		add_byte(&sum, (unsigned char)seed);
	}
	printf("%u bytes\n", count);
	printf("%08x\n", sum.b << 16 | sum.a);
	return 0;
}
