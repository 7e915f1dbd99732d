/* NUMBER OPERATOR NUMBER, by a table of functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int operation(int, int);

static int add(int a, int b)
{
	return a + b;
}

static int subtract(int a, int b)
{
	return a - b;
}

static int multiply(int a, int b)
{
	return a * b;
}

static int divide(int a, int b)
{
	return b ? a / b : 0;
}

static const char signs[] = "+-x/";
static operation *const operations[] = {add, subtract, divide, multiply};

static operation *operation_of(const char *sign)
{
	const char *place = strchr(signs, sign[0]);
	if (!place)
		exit(2);
	int number = place - signs;
	return operations[number];
}

int main(int argc, char *argv[])
{
	if (argc != 4)
		return 2;
	int left = atoi(argv[1]);
	int right = atoi(argv[3]);
	operation *apply = operation_of(argv[2]);
	int result = apply(left, right);
	printf("%d\n", result);
	return 0;
}
