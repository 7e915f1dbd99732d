/* Dies by endless recursion, with a small stack (it starts itself again with the limit set). */
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static int endless(int n)
{
	volatile char room[256];

	room[n % 256] = (char)n;
	n = endless(n + 1);
	return n + room[n % 256];
}

int main(int argc, char **argv)
{
	struct rlimit limit = {256 * 1024, 256 * 1024};

	if (argc == 1) {
		setrlimit(RLIMIT_STACK, &limit);
		execl(argv[0], argv[0], "again", (char *)NULL);
		return 1;
	}
	printf("begin\n");
	fflush(stdout);
	return endless(0);
}
