/* The depth of nesting of each argument; those with a bracket too few are refused. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf refused;
static int depth, deepest;

static const char *skip_group(const char *at)
{
	depth++;
	if (depth > deepest)
		deepest = depth;
	at++;
	while (*at != ')') {
		if (*at == '\0')
			longjmp(refused, 1);
		at = *at == '(' ? skip_group(at) : at + 1;
	}
	depth--;
	return at + 1;
}

static void measure(const char *text)
{
	deepest = 0;
	for (const char *at = text; *at;)
		at = *at == '(' ? skip_group(at) : at + 1;
}

int main(int argc, char *argv[])
{
	for (volatile int i = 1; i < argc; i++) {
		if (setjmp(refused) == 0) {
			measure(argv[i]);
			printf("depth %d\n", deepest);
		} else {
			printf("refused\n");
		}
	}
	return 0;
}
