/* Threads that run only library code: the start routines are functions of libc, so the run is
 * recorded whole. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int length(const char *s)
{
	int n = 0;

	while (*s++)
		n++;
	return n;
}

int main(void)
{
	static const char *const texts[] = {"first", "second one", "third of them"};
	pthread_t t[3];
	void *result;
	int sum = 0;

	for (int i = 0; i < 3; i++)
		if (pthread_create(&t[i], NULL, (void *(*)(void *))strdup, (void *)texts[i]))
			return 1;
	for (int i = 0; i < 3; i++) {
		pthread_join(t[i], &result);
		printf("%s %d\n", (char *)result, length(result));
		sum += length(result);
		free(result);
	}
	return sum;
}
