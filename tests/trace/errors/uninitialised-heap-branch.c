#include <stdlib.h>
struct opt { int verbose, level; };
int main(void)
{
	struct opt *o = malloc(sizeof(*o));
	o->level = 2;
	while (o->level-- > 0)
		if (o->verbose)
			break;
	free(o);
	return 0;
}
