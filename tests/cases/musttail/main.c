/* Calls that must be tail calls: nothing may come between the call and the return. */
#include <stdio.h>

struct state {
	const char *text;
	int words, letters;
};

static int count_down(int n, int sum);

static int count_up(int n, int sum)
{
	if (n >= 1000)
		return sum;
	__attribute__((musttail)) return count_down(n + 3, sum + 1);
}

static int count_down(int n, int sum)
{
	if (n <= 0)
		return -sum;
	__attribute__((musttail)) return count_up(n - 1, sum * 3 % 1009);
}

static int outside_word(struct state *s);

static int inside_word(struct state *s)
{
	if (!*s->text || *s->text == ' ')
		__attribute__((musttail)) return outside_word(s);
	s->letters++;
	s->text++;
	__attribute__((musttail)) return inside_word(s);
}

static int outside_word(struct state *s)
{
	if (!*s->text)
		return s->words * 100 + s->letters;
	if (*s->text == ' ') {
		s->text++;
		__attribute__((musttail)) return outside_word(s);
	}
	s->words++;
	__attribute__((musttail)) return inside_word(s);
}

/* An ordinary function between two of that kind. */
static int ordinary(int n)
{
	return count_up(n, n) + 1;
}

static int (*const table[])(int, int) = {count_up, count_down};

int main(void)
{
	struct state s = {"state machines  of tail calls", 0, 0};

	printf("%d %d\n", ordinary(0), ordinary(990));
	printf("%d %d\n", table[0](500, 1), table[1](999, 2));
	printf("%d\n", outside_word(&s));
	return 0;
}
