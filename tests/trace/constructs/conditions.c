/*
 * Conditions: && and || whose value goes on, tests of ctype.h, errno, an assignment by mistake.
 * stdin: 7 x
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

static int weigh(int c)
{
	return isdigit(c) ? c - '0' : isalpha(c) && !isupper(c);
}

int main(void)
{
	int n = 0, c, sum = 0;
	bool again;

	while (n < 3 && (c = getchar()) != '\n')
		sum += weigh(c), n++;
	errno = 2;
	do {
		again = !sum || errno > 1;
		errno--;
	} while (again && n && !(sum & 8));
	if (again = 1)
		sum = -sum;
	return sum == 0;
}
