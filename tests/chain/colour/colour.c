/* A colour RED GREEN BLUE (0 to 255 each) in 16 bits. */
#include <stdio.h>
#include <stdlib.h>

struct colour {
	unsigned blue : 5;
	unsigned green : 6;
	unsigned red : 5;
};

static unsigned packed(struct colour colour)
{
	return (unsigned)colour.red << 11 | (unsigned)colour.green << 5 | colour.blue;
}

static struct colour make(int red, int green, int blue)
{
	struct colour colour = {0};
	colour.red = red >> 3;
	colour.green = green >> 3;
	colour.blue = blue >> 3;
	return colour;
}

int main(int argc, char *argv[])
{
	if (argc != 4)
		return 2;
	struct colour colour = make(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
	unsigned bits = packed(colour);
	printf("%04x\n", bits);
	return 0;
}
