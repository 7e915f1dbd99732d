/* huffman: prints the codes for standard input, and how long it would be. */
#include <stdio.h>
#include "huffman.h"

static size_t length_of(const char *code)
{
	size_t length = 0;
	while (code[length])
		length++;
	return length;
}

static void print_code(int symbol, unsigned weight, const char *code)
{
	if (symbol > ' ' && symbol < 127)
		printf("'%c' %u %s\n", symbol, weight, code);
	else
		printf("%d %u %s\n", symbol, weight, code);
}

int main(void)
{
	struct coder coder;
	unsigned char text[1000];
	size_t size = fread(text, 1, sizeof text, stdin), bits = 0;
	coder_init(&coder);
	coder_count(&coder, text, size);
	coder_build(&coder);
	for (int i = 0; i < SYMBOLS; i++) {
		if (!coder.codes[i])
			continue;
		bits += coder.weights[i] * length_of(coder.codes[i]);
		print_code(i, coder.weights[i], coder.codes[i]);
	}
	printf("%zu bytes, %zu bits\n", size, bits);
	return 0;
}
