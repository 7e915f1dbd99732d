#include <stddef.h>
#include <stdio.h>

struct link {
	struct link *next;
};

struct item {
	int key[3];
	struct link link;
	int value;
};

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

int main(void)
{
	struct item b = {{2}, {NULL}, 20}, a = {{1}, {&b.link}, 10};
	int sum = 0;
	for (struct link *l = &a.link; l; l = l->next)
		sum += container_of(l, struct item, link)->key[0] +
		       container_of(l, struct item, link)->value;
	printf("%d\n", sum);
	return 0;
}
