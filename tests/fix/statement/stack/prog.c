/* A calculator: numbers are pushed, + and * take two. What is left is printed from the top. */
#include <stdio.h>
#include <stdlib.h>

struct stack {
	long values[32];
	int top;
};

static void run(struct stack *s, const char *word)
{
	if (*word == '+') {
		s->top--;
		s->values[s->top - 1] += s->values[s->top];
		return;
	}
	if (*word == '*') {
		s->values[s->top - 1] *= s->values[s->top];
		return;
	}
	s->values[s->top++] = atol(word);
}

int main(int argc, char **argv)
{
	struct stack s = {{0}, 0};

	for (int i = 1; i < argc; i++)
		run(&s, argv[i]);
	printf("%d:", s.top);
	while (s.top > 0)
		printf(" %ld", s.values[--s.top]);
	printf("\n");
	return 0;
}
