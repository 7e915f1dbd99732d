/* errno: set by libc and by the program, kept across successful calls, in loops, as an lvalue. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int parse(const char *text, long *out)
{
	char *end;

	errno = 0;
	*out = strtol(text, &end, 10);
	if (errno)
		return errno;
	return *end || end == text ? EINVAL : 0;
}

static int own_error(int v)
{
	if (v < 0) {
		errno = EDOM;
		return -1;
	}
	return v;
}

static void show(const char *what, int error)
{
	printf("%s: %s\n", what, error ? strerror(error) : "ok");
}

int main(void)
{
	static const char *const texts[] = {"12", "99999999999999999999", "x", "", "-7 "};
	int *place = &errno;
	char buffer[4];
	volatile double minus = -1;
	long v;

	for (int i = 0; i < 5; i++) {
		int error = parse(texts[i], &v);

		printf("'%s' %ld ", texts[i], v);
		show("parse", error);
	}
	errno = 0;
	show("open", open("/no/such/file", O_RDONLY) < 0 ? errno : 0);
	show("read", read(-1, buffer, 4) < 0 ? errno : 0);
	show("close", close(12345) < 0 ? errno : 0);
	show("chdir", chdir("prog") < 0 ? errno : 0);
	errno = EPIPE;
	printf("%zu ", strlen("kept"));
	printf("%d ", own_error(5));
	printf("%d\n", errno == EPIPE);
	printf("%d ", own_error(-1));
	printf("%d\n", *place == EDOM);
	*place = ERANGE;
	printf("%d\n", errno == ERANGE);
	errno = 0;
	minus = log(minus);
	printf("%d\n", errno == EDOM);
	errno = ENOSPC;
	printf("%m\n");
	return 0;
}
