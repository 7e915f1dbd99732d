/* Dies by writing through a null pointer that a function gave. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *find(int *v, int n, int key)
{
	for (int i = 0; i < n; i++)
		if (v[i] == key)
			return &v[i];
	return NULL;
}

int main(void)
{
	int v[] = {3, 1, 4, 1, 5};

	setvbuf(stdout, NULL, _IONBF, 0);
	for (int key = 5; key >= 0; key--) {
		int *p = find(v, 5, key);

		printf("%d %s\n", key, p ? "found" : "missing");
		*p = key * 10;
	}
	return 0;
}
