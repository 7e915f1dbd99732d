/* Half of the program is not instrumented (built by gcc): calls, callbacks, shared globals, memory
 * effects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

int shared_counter;
struct point shared_points[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};

int instrumented_twice(int x)
{
	shared_counter++;
	return x * 2;
}

static int visit(struct point *p, void *data)
{
	int *sum = data;

	*sum = *sum * 31 + p->x;
	p->y += plain_depth > 2 ? 1 : 2;
	return *sum % 5 != 0;
}

static int nested(int n)
{
	return n <= 0 ? 1 : plain_callback(nested, n - 2) + 1;
}

static struct point build(int a, int b)
{
	return plain_make(b, a);
}

int main(void)
{
	char text[32] = "hello";
	int sum = 1, *numbers;
	struct point p;
	void *state;

	plain_upper(text);
	printf("%s\n", text);
	plain_bump_all(10);
	for (int i = 0; i < 4; i++)
		printf("%d,%d ", shared_points[i].x, shared_points[i].y);
	printf("\n%d", plain_each(shared_points, 4, visit, &sum));
	printf(" %d %d\n", sum, shared_points[1].y);
	printf("%d\n", nested(9));
	p = build(5, 6);
	printf("%d %d %d\n", p.x, p.y, shared_counter);
	numbers = plain_numbers(20);
	for (int i = 0; i < 20; i++)
		sum = (sum * 7 + numbers[i]) % 10007;
	free(numbers);
	state = plain_open("state");
	for (int i = 0; i < 3; i++)
		printf("%s ", plain_next(state));
	plain_close(state);
	printf("%d %d %.3f\n", sum, plain_variable(3, 10, 20, 30),
	       plain_mixed(1, 2.5, 3.5f, 4L, 'e'));
	return shared_counter;
}
