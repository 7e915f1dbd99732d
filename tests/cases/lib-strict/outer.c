/* The upper library; its helper has the same name as one in the lower. */
#include <stdio.h>
#include <string.h>

int inner_square(int n);
int inner_calls(void);
int outer_work(int n, int (*f)(int));

int helper(int n)
{
	char text[20];

	snprintf(text, sizeof(text), "%d", n);
	return (int)strlen(text);
}

int outer_work(int n, int (*f)(int))
{
	int square = f(inner_square(n + 3));

	return square * 100 + inner_calls() + helper(n * 1000);
}
