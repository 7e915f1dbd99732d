/* atexit and on_exit: order, handlers that register handlers, exit inside a handler, state that
 * handlers see. */
#include <stdio.h>
#include <stdlib.h>

static int counter = 1;

static void plain(void)
{
	counter *= 3;
	printf("plain %d\n", counter);
}

static void late(void)
{
	printf("late, registered by a handler %d\n", counter);
}

static void registers(void)
{
	printf("registers %d\n", counter++);
	atexit(late);
}

static void with_data(int status, void *data)
{
	int *p = data;

	printf("on_exit status %d data %d\n", status, *p);
	*p += 5;
	if (status == 3)
		exit(9);
}

static void last(void)
{
	printf("last %d\n", counter);
}

static int deep(int n)
{
	if (n == 0) {
		printf("leaving from the depth\n");
		exit(3);
	}
	return deep(n - 1) + 1;
}

int main(void)
{
	static int data = 40;

	atexit(last);
	on_exit(with_data, &data);
	for (int i = 0; i < 3; i++)
		atexit(plain);
	on_exit(with_data, &data);
	atexit(registers);
	return deep(25);
}
