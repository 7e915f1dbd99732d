#!/bin/bash
# Trials of real programs, built with gcc -g, without debug information, and with hence cc: how they end and
# where, the same in every trial, forked or executed; nothing is left behind.
source "$SRC/tests/run/lib.sh"
"$SRC/scripts/build-tool" "$B" tool "$CASE/tool.c" || fail "cannot build the tool"

cat >prog.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

static char buffer[64];

__attribute__((noinline)) static void copy(char *to)
{
	strcpy(to, buffer);
}

static void handler(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

static void *crash(void *data)
{
	*(volatile int *)data = 1;
	return NULL;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t thread;

	if (!fgets(buffer, sizeof(buffer), stdin))
		strcpy(buffer, "nothing\n");
	printf("got %s", buffer);
	fflush(stdout);
	if (!strcmp(what, "null"))
		*(volatile int *)0 = 1;
	if (!strcmp(what, "divide"))
		return atoi("7") / (argc - 2);
	if (!strcmp(what, "assert"))
		assert(argc == 1);
	if (!strcmp(what, "abort"))
		abort();
	if (!strcmp(what, "copy"))
		copy((char *)8);
	if (!strcmp(what, "free"))
		free(buffer + 8);
	if (!strcmp(what, "hang"))
		for (;;)
			copy(buffer + 32);
	if (!strcmp(what, "exit"))
		exit(9);
	if (!strcmp(what, "handler")) {
		signal(SIGSEGV, handler);
		*(volatile int *)0 = 1;
	}
	if (!strcmp(what, "thread")) {
		pthread_create(&thread, NULL, crash, NULL);
		pthread_join(thread, NULL);
	}
	if (!strcmp(what, "fork")) {
		if (!fork()) {
			puts("child");
			exit(3);
		}
		wait(NULL);
	}
	if (!strcmp(what, "write"))
		return !freopen("out.txt", "wx", stdout);
	return 0;
}
END
gcc -g -w prog.c -o plain -pthread || fail "cannot compile"
gcc -w prog.c -o bare -pthread && strip bare
gcc -g -w -static prog.c -o static -pthread
"$HENCE_CC" -w prog.c -o built -pthread || fail "cannot compile"
printf 'hello\n' >input
lines=$(grep -n . prog.c)

# line TEXT: the number of the line that has it.
line() {
	local found
	found=$(grep -F -m1 -- "$1" <<<"$lines") || fail "no line $1"
	echo "${found%%:*}"
}

# trials PROGRAM WHAT FIRST: the first run starts like this, and all others go the same way.
trials() {
	./tool -n 8 -j 2 -i input "${@:4}" "./$1" "$2" >out 2>err || fail "tool $1 $2"
	[[ $(head -n1 out) == "first: $3"* ]] || fail "$1 $2: not $3"
	has out "0 different"
	nothing_left
}

null=$(line '*(volatile int *)0 = 1;')
for prog in plain static built; do
	trials $prog none "exit 0, output 10 'got hello"
	trials $prog exit "exit 9, output"
	trials $prog null "signal SIGSEGV at prog.c:$null"
	trials $prog divide "signal SIGFPE at prog.c:$(line 'return atoi("7") / ')"
	trials $prog assert "assert argc == 1 at prog.c:$(line 'assert(argc')"
	trials $prog abort "signal SIGABRT at prog.c:$(line 'abort();')"
	trials $prog copy "signal SIGSEGV at prog.c:$(line 'strcpy(to')"
	trials $prog fork "exit 0, output"
	trials $prog write "exit 0, output"
	trials $prog handler "signal SIGSEGV at prog.c:"
	trials $prog thread "signal SIGSEGV at prog.c:$(line '*(volatile int *)data = 1;')"
	[[ ! -e out.txt ]] || fail "$prog wrote to the user's directory"
done
trials plain free "signal SIGABRT at prog.c:$(line 'free(buffer')"
trials bare null "signal SIGSEGV in "
trials bare assert "assert argc == 1 at prog.c:"

# A program built with hence cc is forked, unless that is not wanted; a plain one never.
trials built none "exit 0" && has out forked
trials built none "exit 0" -p && has out executed
trials plain none "exit 0" && has out executed

# A hang is one, by the clock.
./tool -n 2 -t 0.3 -i input ./plain hang >out 2>err || fail "hang"
like out "first: timeout, output 10 'got hello"
has out "0 different"
nothing_left

# A loop that a trial makes endless is cut by the work that it did, at the same place each time.
./tool -n 4 -j 2 -i input -x hang ./built none >out 2>err || fail "cut"
has out "4 different"
like out "different: timeout, cut, output 10 'got hello"
has out forked
./tool -p -n 4 -j 2 -i input -x hang ./built none >out 2>err || fail "cut, executed"
has out "4 different"
like out "different: timeout, cut, output 10 'got hello"
has out executed
# One that cannot be forked, since it reads its input before main; a child of it loops.
cat >early.c <<'DONE'
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char buffer[64];

__attribute__((constructor)) static void early(void)
{
	fgets(buffer, sizeof(buffer), stdin);
	printf("got %s", buffer);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	for (volatile int i = 0; i < 200000; i++)
		;
	if (!strcmp(argv[1], "hang") && !fork())
		for (;;)
			buffer[0]++;
	while (wait(NULL) > 0)
		;
	return 0;
}
DONE
"$HENCE_CC" -w early.c -o early || fail "cannot compile"
./tool -n 4 -j 2 -t 60 -i input -x hang ./early none >out 2>err || fail "cut, early"
has out "4 different"
like out "different: timeout, cut, output 10 'got hello"
has out executed
nothing_left

# Another crash than the first is told apart, and a second look at the same stack gives the same place.
for prog in plain built; do
	./tool -n 6 -i input -x copy ./$prog null >out 2>err || fail "other crash"
	like out "first: signal SIGSEGV at prog.c:$null.*"
	like out "different: signal SIGSEGV at prog.c:$(line 'strcpy(to').*"
	has out "6 different"
done
nothing_left

# AddressSanitizer checks for leaks at the end, which does not work in a traced program.
if gcc -g -w -fsanitize=address prog.c -o asan -pthread 2>/dev/null; then
	trials asan none "exit 0, output 10 'got hello"
	trials asan null "exit 1, output 10 'got hello"
fi
