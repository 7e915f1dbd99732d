/* Boxes: area and outline of each, and the sums. */
#include <stdio.h>
#include <stdlib.h>

struct box {
	int width, height;
	int area, outline;
};

static struct box boxes[8];

static void measure(struct box *b)
{
	b->area = b->width * b->width;
	b->outline = 2 * (b->width + b->height);
}

int main(int argc, char **argv)
{
	int count = (argc - 1) / 2, area = 0, outline = 0;

	for (int i = 0; i < count && i < 8; i++) {
		boxes[i].width = atoi(argv[2 * i + 1]);
		boxes[i].height = atoi(argv[2 * i + 2]);
		measure(&boxes[i]);
	}
	for (int i = 0; i < count && i < 8; i++) {
		printf("%d: %d %d\n", i, boxes[i].area, boxes[i].outline);
		area += boxes[i].area;
		outline += boxes[i].outline;
	}
	printf("%d %d\n", area, outline);
	return 0;
}
