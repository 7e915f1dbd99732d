/* Fails if a file has a mark and a variable begins with x. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "text";
	struct stat info;
	/* It would wait for a pipe. */
	FILE *file = !stat(name, &info) && S_ISREG(info.st_mode) ? fopen(name, "r") : NULL;
	char line[100] = "", *mode = getenv("MODE");
	int bad = 0;

	if (!file || !fgets(line, sizeof(line), file))
		return 0;
	if (strchr(line, '!') && mode && *mode == 'x')
		bad = 1;
	fclose(file);
	return bad ? 3 : 0;
}
