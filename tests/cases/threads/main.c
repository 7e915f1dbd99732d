/* Threads that run instrumented code: works plainly; a recording stops at the second thread with a
 * message. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;
static _Thread_local int own;

static void *work(void *data)
{
	int n = *(int *)data;

	for (int i = 0; i < 200; i++) {
		own += i % n;
		pthread_mutex_lock(&lock);
		total += i % n;
		pthread_mutex_unlock(&lock);
	}
	*(int *)data = own;
	return data;
}

int main(void)
{
	pthread_t t[4];
	int n[4] = {2, 3, 5, 7};

	for (int i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, work, &n[i]))
			return 1;
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	printf("%ld %d %d %d %d %d\n", total, n[0], n[1], n[2], n[3], own);
	return 0;
}
