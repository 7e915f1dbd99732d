#include <stdio.h>
#include <string.h>

struct record {
	char name[4];
	int key;
	char kind; /* then there is padding */
};

int main(void)
{
	struct record a = {"abc", 7, 'x'}, b, c;
	unsigned char bytes[sizeof(a)];
	memcpy(&b, &a, sizeof(a));
	memcpy(bytes, &b, sizeof(bytes));
	memcpy(&c, bytes, sizeof(c));
	memset(b.name, 0, sizeof(b));
	/* All members at once, from the first one on. */
	memcpy(a.name, c.name, sizeof(a));
	printf("%s %d %c %d\n", a.name, a.key, a.kind, b.key);
	return 0;
}
