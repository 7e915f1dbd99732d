#!/bin/bash
# Fork servers: where programs wait, what a trial finds, what ends it, and who is refused. See drive.c.
. "$SRC/tests/run/lib.sh"

"$SRC/scripts/build-tool" "$B" drive "$CASE/drive.c" || fail "cannot build drive"

# drive SCENARIO PROGRAM...
drive() {
	./drive "$@" >out 2>err || fail "drive $*"
}

# Prints and sleeps before it reads: that happens once, but its output is in each trial's.
build startup <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
	int n[] = {3, 1, 2}, i;
	char *memory = malloc(100);
	write(9, "s", 1);
	printf("early\n");
	fflush(stdout);
	usleep(300000);
	qsort(n, 3, sizeof(n[0]), compare);
	strcpy(memory, "buffered");
	printf("%s\n", memory);
	if (scanf("%d", &i) != 1)
		return 1;
	write(9, "t", 1);
	printf("read %d\n", i);
	return 0;
}
END
exec 9<>marks
drive startup ./startup
exec 9>&-

cat >words <<'END'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	printf("%d ", argc);
	for (int i = 1; i < argc; i++)
		printf("<%s>", argv[i]);
	printf("\n");
	if (argv[argc])
		return 1;
	for (int i = 1; i < argc; i++)
		memset(argv[i], '!', strlen(argv[i]));
	return 0;
}
END
for flags in '' -no-pie -static; do
	# shellcheck disable=SC2086 # none or one
	build arguments $flags <words
	drive arguments ./arguments
done

build variables <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern char **environ;
static const char *find(char **list)
{
	for (; *list; list++)
		if (!strncmp(*list, "V=", 2))
			return *list + 2;
	return "-";
}
int main(int argc, char **argv, char **environment)
{
	const char *v = getenv("V");
	printf("<%s><%s><%s>\n", v ? v : "-", find(environ), find(environment));
	for (char **e = environ; *e; e++)
		if (!strncmp(*e, "HENCE_S", 7))
			puts(*e);
	return argc > 1 || !argv[0];
}
END
drive variables ./variables

build files <<'END'
#include <stdio.h>
int main(void)
{
	FILE *file = fopen("data", "r");
	for (int c; file && (c = getc(file)) != EOF;)
		putchar(c);
	return 0;
}
END
drive files ./files

build work <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long sum;
int main(void)
{
	long n = 0;
	if (scanf("%ld", &n) != 1)
		return 1;
	if (n < 0 && fork()) {
		wait(NULL);
		printf("the child has ended\n");
		return 0;
	}
	for (long i = 0; n <= 0 || i < n; i++)
		sum += i;
	printf("%ld\n", n);
	return 0;
}
END
drive work ./work

build tree <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
/* A child, one in a session of its own, and one whose parent is gone. */
static int make(int kind)
{
	int fds[2], id = 0;
	if (pipe(fds))
		exit(1);
	if (!fork()) {
		signal(SIGTERM, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
		if (kind)
			setsid();
		if (kind == 2 && fork())
			_exit(0);
		id = getpid();
		write(fds[1], &id, sizeof(id));
		for (;;)
			pause();
	}
	read(fds[0], &id, sizeof(id));
	return id;
}
int main(void)
{
	getchar();
	for (int i = 0; i < 3; i++)
		printf("%d ", make(i));
	return 5;
}
END
drive tree ./tree

build mischief <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
	char line[32] = "";
	write(1, "prefix\n", 7);
	read(0, line, sizeof(line) - 1);
	line[strcspn(line, "\n")] = 0;
	if (!strcmp(line, "group"))
		kill(0, SIGTERM);
	if (!strcmp(line, "spoil")) {
		pwrite(1, "PREFIX", 6, 0);
		lseek(1, 1000, SEEK_SET);
		write(1, "far", 3);
		lseek(0, 0, SEEK_END);
		return 0;
	}
	printf("%s", line);
	if (!strcmp(line, "flags")) {
		printf(" %d %d", fcntl(0, F_GETFL) & O_NONBLOCK, fcntl(1, F_GETFL) & O_APPEND);
		fcntl(0, F_SETFL, O_NONBLOCK);
		fcntl(1, F_SETFL, O_APPEND);
	}
	printf("\n");
	return 0;
}
END
drive mischief ./mischief

build sleeper <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	int n = 0;
	if (scanf("%d", &n) != 1)
		return 1;
	sleep(n);
	printf("slept\n");
	return 0;
}
END
drive limits ./sleeper
drive killed ./sleeper
drive errors ./sleeper

# --- refused ---

build constructor <<'END'
#include <stdio.h>
static int seen;
__attribute__((constructor)) static void early(int argc) { seen = argc; }
int main(void) { return getchar() == seen; }
END
build reader <<'END'
#include <stdio.h>
__attribute__((constructor)) static void early(void) { getchar(); }
int main(void) { return getchar() == 'x'; }
END
build unnoticed <<'END'
#include <stdio.h>
int main(void)
{
	char c;
	long n = 0;
	__asm__ volatile("syscall" : "+a"(n) : "D"(0L), "S"(&c), "d"(1L) : "rcx", "r11", "memory");
	return getchar() == c;
}
END
build silent <<'END'
int main(void) { return 3; }
END
build endless <<'END'
#include <stdio.h>
int main(void) { for (;;) printf("x"); }
END
cat >library.c <<'END'
#include <stdio.h>
int answer(void);
int answer(void) { return getchar(); }
END
cat >user.c <<'END'
int answer(void);
int main(int argc, char **argv) { return answer() == argc && !argv; }
END
"$HENCE_CC" -fPIC -shared library.c -o libanswer.so && "$CLANG" user.c -o user -L. -lanswer -Wl,-rpath,"$PWD" || fail "cannot build user"
"$CLANG" user.c library.c -o plain || fail "cannot build plain"
drive refused arguments ./constructor 'before main' stdin ./reader 'before main' stdin ./unnoticed 'not noticed' \
	stdin ./silent 'ended before' stdin ./endless 'too long' stdin ./user 'before main' arguments ./user 'before main' \
	stdin ./plain 'not built' arguments ./plain 'not built'

# A variable that is not ours does no harm.
build inherits <<'END'
#include <unistd.h>
int main(void)
{
	char c;
	return read(5, &c, 1) == 1 && c == 'y' ? 0 : 1;
}
END
echo y >word
for value in 5 '' x 99999999999999999999; do
	HENCE_SERVER=$value ./inherits 5<word || fail "HENCE_SERVER=$value hurts"
done
