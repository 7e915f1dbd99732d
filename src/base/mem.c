/* Allocation that cannot fail: see mem.h. */
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *check(void *memory)
{
	if (!memory) {
		fputs("hence: out of memory\n", stderr);
		exit(4);
	}
	return memory;
}

void *mem_alloc(size_t size)
{
	return check(calloc(1, size ? size : 1));
}

void *mem_resize(void *memory, size_t size)
{
	return check(realloc(memory, size ? size : 1));
}

char *mem_strdup(const char *text)
{
	return mem_strndup(text, strlen(text));
}

char *mem_strdup_or_null(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

char *mem_strndup(const char *text, size_t size)
{
	char *copy = check(malloc(size + 1));

	memcpy(copy, text, size);
	copy[size] = '\0';
	return copy;
}

uint64_t mem_available(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	unsigned long long kilobytes = UINT64_MAX / 2048;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %llu", &kilobytes) == 1)
			break;
	if (file)
		fclose(file);
	return kilobytes * 1024;
}
