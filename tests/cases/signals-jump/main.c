/* Handlers that leave by siglongjmp after real faults (SIGSEGV, SIGFPE, SIGILL), also on another
 * stack. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile sig_atomic_t faults;
static volatile int on_other_stack;
static char other_stack[65536];

static void fault(int sig)
{
	char here;

	faults++;
	on_other_stack = &here >= other_stack && &here < other_stack + sizeof(other_stack);
	siglongjmp(back, sig);
}

static int divide(int a, int b)
{
	return a / b;
}

static int dig(int n, int *where)
{
	return n ? dig(n - 1, where) + 1 : *where;
}

static volatile char sink;

/* Never ends: each call needs its own array, until the stack is used up. */
static int endless(int n)
{
	volatile char room[2000];

	room[n % 2000] = (char)n;
	n = endless(n + 1) + room[(n + 1) % 2000];
	sink = (char)n;
	return n;
}

static void unprotect(int sig, siginfo_t *info, void *context)
{
	(void)context;
	faults += sig == SIGSEGV;
	mprotect((void *)((unsigned long)info->si_addr & ~4095ul), 4096, PROT_READ | PROT_WRITE);
}

static void catch_with(void (*handler)(int), int flags)
{
	struct sigaction act;

	memset(&act, 0, sizeof(act));
	act.sa_handler = handler;
	act.sa_flags = flags;
	sigaction(SIGSEGV, &act, NULL);
	sigaction(SIGFPE, &act, NULL);
	sigaction(SIGILL, &act, NULL);
	sigaction(SIGBUS, &act, NULL);
}

static void protected_page(void)
{
	struct sigaction act = {0};
	char *page = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	act.sa_sigaction = unprotect;
	act.sa_flags = SA_SIGINFO;
	sigaction(SIGSEGV, &act, NULL);
	page[10] = 'x';
	page[4097] = 'y';
	page[11] = 'z';
	printf("page %c%c%c faults %d\n", page[10], page[4097], page[11], faults);
	munmap(page, 8192);
}

int main(void)
{
	stack_t st = {.ss_sp = other_stack, .ss_size = sizeof(other_stack)};
	volatile int step = 0;
	volatile int zero = 0;
	int sig;

	catch_with(fault, 0);
	for (step = 0; step < 6; step++) {
		sig = sigsetjmp(back, 1);
		if (sig) {
			printf("step %d: %s\n", step, strsignal(sig));
			continue;
		}
		switch (step % 3) {
		case 0: printf("%d\n", divide(step + 1, zero)); break;
		case 1: printf("%d\n", dig(10, NULL)); break;
		case 2: __builtin_trap();
		}
		printf("unreached\n");
	}
	sigaltstack(&st, NULL);
	catch_with(fault, SA_ONSTACK);
	if (sigsetjmp(back, 1) == 0)
		printf("%d\n", endless(0));
	printf("overflow caught on the other stack: %d, faults %d\n", on_other_stack, faults);
	if (sigsetjmp(back, 1) == 0)
		printf("%d\n", dig(3, (int *)8));
	printf("again: %d, faults %d\n", on_other_stack, faults);
	protected_page();
	return 0;
}
