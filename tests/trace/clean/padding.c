#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* Copies of structures take padding and members without a value along. */
struct s { char c; int i; char d[3]; double x; };
static struct s make(int i)
{
	struct s s;
	s.c = 'a';
	s.i = i;
	return s;
}
int main(void)
{
	struct s a = make(3), b = a, *p = malloc(2 * sizeof(*p));
	p[0] = b;
	memcpy(&p[1], &p[0], sizeof(*p));
	if (p[1].i == 3 && p[1].c == 'a')
		printf("%c %d\n", p[1].c, p[1].i);
	free(p);
	return 0;
}
