/* Calculates 2*(3-1)-4 and the like. */
#include <ctype.h>
#include <stdio.h>

static const char *at;

static int sum(void);

static int factor(void)
{
	int value = 0;
	if (*at == '(') {
		at++;
		value = sum();
		if (*at == ')')
			at++;
		return value;
	}
	while (isdigit((unsigned char)*at))
		value = 10 * value + (*at++ - '0');
	return value;
}

static int product(void)
{
	int value = factor();
	while (*at == '*') {
		at++;
		value *= factor();
	}
	return value;
}

static int sum(void)
{
	int value = product();
	while (*at == '+' || *at == '-') {
		char sign = *at++;
		int right = sum();
		if (sign == '+')
			value += right;
		else
			value -= right;
	}
	return value;
}

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	at = argv[1];
	int value = sum();
	if (*at)
		printf("what is '%s'?\n", at);
	else
		printf("%d\n", value);
	return 0;
}
