/* system and popen: shells as children, reading from and writing to them, itself below a shell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void shell(const char *command)
{
	int status;

	fflush(stdout);
	status = system(command);
	printf("'%s' gave %d\n", command, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void read_from(const char *command)
{
	char line[100];
	FILE *f = popen(command, "r");
	int lines = 0;

	while (fgets(line, sizeof(line), f)) {
		lines++;
		line[strcspn(line, "\n")] = 0;
		printf("[%s]", line);
	}
	printf(" %d lines, %d\n", lines, WEXITSTATUS(pclose(f)));
}

static void write_to(const char *command)
{
	FILE *f;

	fflush(stdout);
	f = popen(command, "w");
	for (int i = 9; i > 4; i--)
		fprintf(f, "%d\n", i * 7 % 11);
	printf("closed %d\n", WEXITSTATUS(pclose(f)));
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		printf("below a shell: %s\n", argv[1]);
		return 12;
	}
	printf("shell %d\n", system(NULL) != 0);
	shell("exit 3");
	shell("echo to stdout; echo to stderr >&2");
	shell("echo kept > made-by-shell; test -f made-by-shell");
	shell("./prog child; s=$?; ./prog 'other child' | tr a-z A-Z; exit $s");
	read_from("printf 'one\\ntwo\\nthree\\n'; exit 4");
	read_from("./prog popened");
	write_to("sort -n > sorted");
	read_from("cat sorted made-by-shell");
	return 0;
}
