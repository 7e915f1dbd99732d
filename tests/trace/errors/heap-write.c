#include <stdlib.h>
struct item { int key; char name[10]; };
int main(void)
{
	struct item *list = calloc(2, sizeof(*list));
	int n = 2;
	list[n].key = 5;
	free(list);
	return 0;
}
