#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last member has more elements than it is declared with. */
struct header {
	int length;
	char data[1];
};

struct flexible {
	int length;
	int data[];
};

int main(void)
{
	struct header *h = malloc(sizeof(*h) + 16);
	struct flexible *f = malloc(sizeof(*f) + 4 * sizeof(int));
	strcpy(h->data, "fifteen letters");
	h->length = (int)strlen(h->data);
	h->data[h->length - 1] = '.';
	for (int i = 0; i < 4; i++)
		f->data[i] = i;
	printf("%s %d\n", h->data, f->data[3]);
	free(h);
	free(f);
	return 0;
}
