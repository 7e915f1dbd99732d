/* Money that came in and went out. */
#include <stdio.h>
#include <stdlib.h>

struct account {
	long in, out;
	int bookings;
};

static void book(struct account *a, long amount)
{
	if (amount >= 0)
		a->in += amount;
	else
		a->in -= amount;
	a->bookings++;
}

int main(int argc, char **argv)
{
	struct account a = {0, 0, 0};

	for (int i = 1; i < argc; i++)
		book(&a, atol(argv[i]));
	printf("in %ld, out %ld, left %ld, %d bookings\n", a.in, a.out, a.in - a.out, a.bookings);
	return 0;
}
