/*
 * Prints 2 * a + b. When a and b are the same, which no run has of its own, but an experiment may that changes only one of them, it
 * does what its third argument says.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *folder; /* the user's */

static void fork_many(void)
{
	for (int i = 0; i < 30; i++) {
		if (fork() == 0) {
			setsid();
			sleep(100);
			_exit(0);
		}
	}
}

static void fork_and_wait(void)
{
	if (fork() == 0)
		_exit(7);
	wait(NULL);
}

static void close_output(void)
{
	fclose(stdout);
	close(1);
}

static void fill_disk(const char *path)
{
	static char block[1 << 20];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	for (int i = 0; i < 4000; i++) {
		if (write(fd, block, sizeof block) < 0)
			break;
	}
}

static void print_much(void)
{
	for (int i = 0; i < 100000000; i++)
		puts("and so on, and so on, and so on, and so on, and so on, and so on");
}

/* All files of a directory. */
static void remove_all(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	if (!dir || chdir(path))
		return;
	while ((entry = readdir(dir)))
		unlink(entry->d_name);
	closedir(dir);
}

static void change_all(const char *path)
{
	char name[300];
	snprintf(name, sizeof name, "%s/data.txt", path);
	truncate(name, 0);
	chmod(name, 0);
	rename(name, "stolen.txt");
	symlink("/etc/passwd", "link");
	mkdir("more", 0700);
	FILE *file = fopen(name, "w");
	if (file)
		fputs("changed\n", file);
}

static void run_shell(void)
{
	execl("/bin/sh", "sh", "-c", "echo changed >data.txt; rm -f *.txt; sleep 100 & echo 1",
	      NULL);
}

static void use_memory(void)
{
	for (;;) {
		char *block = malloc(1 << 24);
		if (!block)
			abort();
		memset(block, 1, 1 << 24);
	}
}

static int recurse(int depth)
{
	volatile char block[1000];
	block[depth % 1000] = 1;
	return recurse(depth + 1) + block[0];
}

static void loop(void)
{
	for (volatile int i = 0;; i++)
		;
}

static void sleep_long(void)
{
	for (;;)
		pause();
}

static void be_nasty(const char *how)
{
	if (!strcmp(how, "crash"))
		abort();
	else if (!strcmp(how, "exit"))
		exit(42);
	else if (!strcmp(how, "fork"))
		fork_many();
	else if (!strcmp(how, "wait"))
		fork_and_wait();
	else if (!strcmp(how, "close"))
		close_output();
	else if (!strcmp(how, "disk"))
		fill_disk("large.bin");
	else if (!strcmp(how, "print"))
		print_much();
	else if (!strcmp(how, "remove"))
		remove_all(".");
	else if (!strcmp(how, "remove-there"))
		remove_all(folder);
	else if (!strcmp(how, "change"))
		change_all(".");
	else if (!strcmp(how, "change-there"))
		change_all(folder);
	else if (!strcmp(how, "group"))
		kill(0, SIGKILL);
	else if (!strcmp(how, "parent"))
		kill(getppid(), SIGKILL);
	else if (!strcmp(how, "stop"))
		raise(SIGSTOP);
	else if (!strcmp(how, "shell"))
		run_shell();
	else if (!strcmp(how, "memory"))
		use_memory();
	else if (!strcmp(how, "recurse"))
		recurse(0);
	else if (!strcmp(how, "loop"))
		loop();
	else if (!strcmp(how, "sleep"))
		sleep_long();
}

int main(int argc, char *argv[])
{
	if (argc != 5)
		return 2;
	folder = argv[4];
	FILE *file = fopen("data.txt", "r");
	if (!file)
		return 3;
	int number = 0;
	if (fscanf(file, "%d", &number) != 1)
		return 4;
	fclose(file);
	int a = atoi(argv[1]);
	int b = atoi(argv[2]);
	if (a == b)
		be_nasty(argv[3]);
	int result = 2 * a + b;
	printf("%d\n", result);
	return 0;
}
