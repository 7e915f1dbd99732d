/* What a program sees of its own handlers when it asks: hence's part in them must not show. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void show(const char *when, int sig);

static void plain(int sig)
{
	show("in plain", sig);
}

static void full(int sig, siginfo_t *info, void *context)
{
	(void)context;
	printf("number %d\n", info->si_signo == sig);
	show("in full", sig);
}

static void show(const char *when, int sig)
{
	struct sigaction sa;

	sigaction(sig, NULL, &sa);
	printf("%s: siginfo %d reset %d restart %d plain %d full %d default %d\n", when,
	       !!(sa.sa_flags & SA_SIGINFO), !!(sa.sa_flags & SA_RESETHAND),
	       !!(sa.sa_flags & SA_RESTART), sa.sa_handler == plain, sa.sa_sigaction == full,
	       sa.sa_handler == SIG_DFL);
}

static void try(int flags, int with_info)
{
	struct sigaction sa, old;

	memset(&sa, 0, sizeof(sa));
	sa.sa_flags = flags | (with_info ? SA_SIGINFO : 0);
	if (with_info)
		sa.sa_sigaction = full;
	else
		sa.sa_handler = plain;
	sigaction(SIGUSR1, &sa, &old);
	printf("before: plain %d full %d siginfo %d\n", old.sa_handler == plain,
	       old.sa_sigaction == full, !!(old.sa_flags & SA_SIGINFO));
	raise(SIGUSR1);
	show("after", SIGUSR1);
}

int main(void)
{
	try(0, 0);
	try(SA_RESETHAND, 0);
	try(SA_RESTART, 1);
	try(SA_RESETHAND, 1);
	printf("%d\n", sigaction(SIGKILL, &(struct sigaction){.sa_handler = plain}, NULL));
	printf("%d\n", signal(SIGUSR2, plain) == SIG_DFL);
	printf("%d\n", signal(SIGUSR2, SIG_IGN) == plain);
	raise(SIGUSR2);
	printf("%d\n", signal(SIGUSR2, SIG_DFL) == SIG_IGN);
	return 0;
}
