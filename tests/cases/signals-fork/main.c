/* Handlers that interrupt a busy loop in a program and in its forked children. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;
static volatile unsigned work;

static void tick(int sig)
{
	(void)sig;
	ticks++;
}

static void spin(int until)
{
	while (ticks < until)
		work = work * 3 + 1;
}

static void start(void)
{
	struct itimerval every = {{0, 2000}, {0, 2000}};

	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &every, NULL);
}

static void stop(void)
{
	struct itimerval never = {{0, 0}, {0, 0}};

	setitimer(ITIMER_REAL, &never, NULL);
}

static int child(int until)
{
	ticks = 0;
	start();
	spin(until);
	stop();
	return ticks >= until;
}

int main(void)
{
	int status, good = 0;

	start();
	spin(3);
	stop();
	for (int i = 1; i <= 3; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(child(2 * i));
		while (waitpid(pid, &status, 0) < 0)
			continue;
		good += WEXITSTATUS(status);
	}
	ticks = 0;
	start();
	spin(2);
	stop();
	printf("%d %d\n", good, ticks >= 2);
	return 0;
}
