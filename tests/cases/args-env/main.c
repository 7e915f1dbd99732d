/* Arguments and environment: odd ones, changes to both, getenv and friends, main's third parameter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void show_args(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		printf("%d:", i);
		for (const char *p = argv[i]; *p; p++)
			printf(" %02x", (unsigned char)*p);
		printf("\n");
	}
}

static const char *get(const char *name)
{
	const char *v = getenv(name);

	return v ? v : "(none)";
}

static int count_prefix(char **env, const char *prefix)
{
	int n = 0;

	for (; *env; env++)
		n += !strncmp(*env, prefix, strlen(prefix));
	return n;
}

int main(int argc, char **argv, char **envp)
{
	char *mine = strdup("CASE_PUT=put"), *first;

	show_args(argc, argv);
	printf("%s %s %s %s\n", get("CASE_ONE"), get("CASE_EMPTY"), get("CASE_SPACES"),
	       get("CASE_MISSING"));
	printf("%d %d\n", count_prefix(envp, "CASE_"), envp == environ);
	setenv("CASE_ONE", "changed", 1);
	setenv("CASE_ONE", "not again", 0);
	setenv("CASE_NEW", "new", 0);
	putenv(mine);
	mine[9] = 'P';
	unsetenv("CASE_EMPTY");
	printf("%s %s %s %s %d\n", get("CASE_ONE"), get("CASE_NEW"), get("CASE_PUT"),
	       get("CASE_EMPTY"), count_prefix(environ, "CASE_"));
	qsort(argv + 1, (size_t)argc - 1, sizeof(argv[0]), by_text);
	first = argv[1];
	first[0] = '#';
	for (int i = 1; i < argc; i++)
		printf("<%s>", argv[i]);
	printf("\n%s\n", argv[0] + (strlen(argv[0]) - 4));
	return argc;
}
