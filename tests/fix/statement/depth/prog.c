/* A stack of open brackets. A closing one without an opening one is passed over. */
#include <stdio.h>
#include <stdlib.h>

struct open {
	int place;
	struct open *below;
};

static struct open *top;

static void push(int place)
{
	struct open *o = calloc(1, sizeof(*o));

	o->place = place;
	o->below = top;
	top = o;
}

static void pop(void)
{
	struct open *old = top;

	printf("closes %d\n", old->place);
	top = old->below;
	free(old);
}

int main(int argc, char **argv)
{
	const char *text = argv[1] ? argv[1] : "";

	for (int i = 0; text[i]; i++) {
		if (text[i] == '(')
			push(i);
		if (text[i] == ')')
			pop();
	}
	return 0;
}
