#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(void)
{
	int values[5] = {3, 1, 2, 5, 4};
	struct stat info;
	struct tm date;
	time_t when = 86400;
	char text[32], *rest, *copy, *word;
	qsort(values, 5, sizeof(*values), by_value);
	if (stat("/", &info) == 0 && S_ISDIR(info.st_mode))
		puts("folder");
	gmtime_r(&when, &date);
	strftime(text, sizeof(text), "%Y-%m-%d", &date);
	copy = strdup(text);
	for (word = strtok(copy, "-"); word; word = strtok(NULL, "-"))
		printf("%ld\n", strtol(word, &rest, 10) + *rest);
	snprintf(text, sizeof(text), "%s %d", copy, values[4]);
	copy = realloc(copy, 100);
	memmove(copy + 2, copy, strlen(copy) + 1);
	puts(text);
	free(copy);
	return errno == EDOM;
}
