/* Sums of expressions like 1+2+3; a bad one is reported, and the next begins afresh. */
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf recover;
static const char *at;
static int depth;

static void fail(void)
{
	longjmp(recover, 1);
}

static int sum(void);

static int primary(void)
{
	if (*at == '(') {
		at++;
		depth++;
		int value = sum();
		if (*at != ')')
			fail();
		at++;
		depth--;
		return value;
	}
	if (!isdigit((unsigned char)*at))
		fail();
	int value = 0;
	while (isdigit((unsigned char)*at))
		value = value * 10 + (*at++ - '0');
	return value;
}

static int sum(void)
{
	int value = primary();
	while (*at == '+') {
		at++;
		value += primary();
	}
	return value;
}

static void evaluate(const char *text)
{
	if (setjmp(recover)) {
		printf("%s: error\n", text);
		return;
	}
	at = text;
	int value = sum();
	if (*at || depth > 0)
		fail();
	printf("%s: %d\n", text, value);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		evaluate(argv[i]);
	return 0;
}
