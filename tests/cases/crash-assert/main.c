/* Fails an assertion, after some that hold. */
#include <assert.h>
#include <stdio.h>

static int root(int n)
{
	int r = 0;

	assert(n >= 0);
	while ((r + 1) * (r + 1) <= n)
		r++;
	assert(r * r <= n && (r + 1) * (r + 1) > n);
	return r;
}

int main(void)
{
	for (int n = 50; n > -50; n -= 7) {
		printf("%d %d\n", n, root(n));
		fflush(stdout);
	}
	return 0;
}
