/* Signal handlers that run at known places: raise, kill, masks, nesting, siginfo, sigsuspend,
 * restore. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t count[65];
static volatile int depth, deepest, order, value;

static void simple(int sig)
{
	count[sig]++;
}

static void nested(int sig)
{
	count[sig]++;
	if (++depth > deepest)
		deepest = depth;
	order = order * 10 + depth;
	if (depth < 4)
		raise(SIGUSR2);
	order = order * 10 + depth;
	depth--;
}

static void with_info(int sig, siginfo_t *info, void *context)
{
	count[sig]++;
	if (context && info->si_signo == sig && info->si_pid == getpid())
		value += info->si_value.sival_int + 1;
	errno = 0;
}

static int busy(int n)
{
	int r = 0;

	for (int i = 0; i < n; i++)
		r = r * 5 + i + count[SIGUSR1];
	return r;
}

static void install(int sig, void (*handler)(int), int flags)
{
	struct sigaction act;

	memset(&act, 0, sizeof(act));
	act.sa_handler = handler;
	act.sa_flags = flags;
	sigaction(sig, &act, NULL);
}

static void masks(void)
{
	sigset_t set, old, pending;
	int result;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, &old);
	kill(getpid(), SIGUSR1);
	kill(getpid(), SIGUSR1);
	sigpending(&pending);
	printf("blocked %d pending %d %d\n", count[SIGUSR1], sigismember(&pending, SIGUSR1),
	       sigismember(&pending, SIGUSR2));
	result = sigsuspend(&old);
	printf("suspend %d %d\n", result, errno == EINTR);
	sigprocmask(SIG_SETMASK, &old, NULL);
	printf("after %d\n", count[SIGUSR1]);
}

static void queued(void)
{
	struct sigaction act = {0};
	union sigval v;

	act.sa_sigaction = with_info;
	act.sa_flags = SA_SIGINFO | SA_RESTART;
	sigemptyset(&act.sa_mask);
	sigaction(SIGRTMIN, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
	for (int i = 0; i < 5; i++) {
		v.sival_int = i * i;
		sigqueue(getpid(), SIGRTMIN, v);
	}
	printf("queued %d value %d\n", count[SIGRTMIN], value);
}

static void interrupted_wait(void)
{
	struct pollfd nothing = {.fd = -1};
	sigset_t set, old;
	pid_t pid;
	int result;

	install(SIGCHLD, simple, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &old);
	pid = fork();
	if (pid == 0)
		_exit(5);
	result = ppoll(&nothing, 1, NULL, &old);
	printf("poll %d %d", result, errno == EINTR);
	waitpid(pid, &result, 0);
	printf(" children %d status %d\n", count[SIGCHLD], WEXITSTATUS(result));
	sigprocmask(SIG_SETMASK, &old, NULL);
	signal(SIGCHLD, SIG_DFL);
}

int main(void)
{
	void (*before)(int) = signal(SIGUSR1, simple);

	printf("default %d\n", before == SIG_DFL);
	raise(SIGUSR1);
	printf("%d %d\n", busy(5), count[SIGUSR1]);
	kill(getpid(), SIGUSR1);
	printf("%d %d\n", busy(5), count[SIGUSR1]);
	install(SIGUSR2, nested, SA_NODEFER);
	raise(SIGUSR2);
	printf("nested %d deepest %d order %d\n", count[SIGUSR2], deepest, order);
	masks();
	queued();
	install(SIGTERM, simple, (int)SA_RESETHAND);
	raise(SIGTERM);
	signal(SIGPIPE, SIG_IGN);
	raise(SIGPIPE);
	interrupted_wait();
	before = signal(SIGUSR1, SIG_IGN);
	raise(SIGUSR1);
	printf("restored %d %d\n", before == simple, count[SIGUSR1]);
	fflush(stdout);
	raise(SIGTERM);
	return 1;
}
