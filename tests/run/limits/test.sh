#!/bin/bash
# What recording cannot follow: it stops there, says so, and the program goes on.
source "$SRC/tests/run/lib.sh"
build threads -pthread <<'END'
#include <pthread.h>
#include <stdio.h>
static void *work(void *p) { return (char *)p + 1; }
int main(void)
{
	pthread_t t;
	void *r;
	pthread_create(&t, 0, work, (void *)4);
	pthread_join(t, &r);
	printf("%d\n", (int)(long)r);
	return 0;
}
END
run 0 -- ./threads
only out 5
has err "hence: threads are not supported yet: a second thread ran instrumented code; recorded up to there"
run 0 --account account -- ./threads
has account "state: threads"

build contexts <<'END'
#include <stdio.h>
#include <ucontext.h>
static ucontext_t main_context, other;
static char stack[65536];
static void work(void) { puts("other"); }
int main(void)
{
	getcontext(&other);
	other.uc_stack.ss_sp = stack;
	other.uc_stack.ss_size = sizeof(stack);
	other.uc_link = &main_context;
	makecontext(&other, work, 0);
	swapcontext(&main_context, &other);
	puts("back");
	return 0;
}
END
run 0 -- ./contexts
[[ $(tr '\n' ' ' <out) == "other back " ]] || fail output
has err "hence: makecontext and swapcontext are not supported yet; recorded up to there"
