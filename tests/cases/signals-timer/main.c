/* Signals at unknown places: alarm and setitimer break into busy loops, libc calls and the other
 * handler. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks, alarms;
static sigjmp_buf escape;

static int work_in_handler(int n)
{
	int r = 1;

	for (int i = 1; i < n; i++)
		r = r * i % 1009 + 1;
	return r;
}

static void tick(int sig)
{
	if (work_in_handler(20) > 0 && sig == SIGALRM)
		ticks++;
}

static void tick_virtual(int sig)
{
	alarms += sig == SIGVTALRM;
}

static void jump_out(int sig)
{
	siglongjmp(escape, sig);
}

static unsigned step(unsigned x)
{
	return x * 1664525u + 1013904223u;
}

static void every(int which, long usec)
{
	struct itimerval t = {{0, usec}, {0, usec}};

	setitimer(which, &t, NULL);
}

static int by_low(const void *a, const void *b)
{
	return (int)(*(const unsigned *)a & 0xffff) - (int)(*(const unsigned *)b & 0xffff);
}

int main(void)
{
	unsigned v[256], x = 1, sum = 0;
	char text[64];

	signal(SIGALRM, tick);
	signal(SIGVTALRM, tick_virtual);
	every(ITIMER_REAL, 400);
	every(ITIMER_VIRTUAL, 1000);
	while (ticks < 10 || alarms < 1)
		x = step(x);
	x = 1;
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 256; i++)
			v[i] = x = step(x);
		qsort(v, 256, sizeof(v[0]), by_low);
		snprintf(text, sizeof(text), "%u-%u", v[0] & 0xffff, v[255] & 0xffff);
		sum = sum * 31 + (unsigned)strlen(text) + (v[100] & 0xffff);
	}
	every(ITIMER_VIRTUAL, 0);
	every(ITIMER_REAL, 0);
	printf("ticks %d alarms %d sum %u\n", ticks >= 10, alarms >= 1, sum);
	signal(SIGALRM, jump_out);
	if (sigsetjmp(escape, 1) == 0) {
		ualarm(2000, 0);
		for (;;)
			x = step(x);
	}
	printf("jumped out of the endless loop\n");
	signal(SIGALRM, SIG_DFL);
	return 0;
}
