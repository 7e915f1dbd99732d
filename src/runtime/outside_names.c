/*
 * Names for functions that are met through a pointer and that dladdr() cannot name: libc chooses
 * the best of several implementations of some when the program starts, and those are local. In a
 * static program dladdr() knows no names at all; the functions that are passed about most follow.
 */
#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "runtime/outside.h"

/* clang-format off */
#define NAMED(X) \
	X(memchr) X(memcmp) X(memcpy) X(memmove) X(mempcpy) X(memrchr) X(memset) X(rawmemchr) \
	X(stpcpy) X(stpncpy) X(strcasecmp) X(strcat) X(strchr) X(strchrnul) X(strcmp) X(strcpy) \
	X(strcspn) X(strlen) X(strncasecmp) X(strncat) X(strncmp) X(strncpy) X(strnlen) \
	X(strpbrk) X(strrchr) X(strspn) X(strstr) X(wcscpy) X(wcslen) X(wcsnlen) X(wmemset) \
	X(time) X(gettimeofday) \
	X(malloc) X(calloc) X(realloc) X(free) X(strdup) X(fopen) X(fclose) X(fread) X(fwrite) \
	X(fgets) X(fputs) X(fputc) X(fgetc) X(getc) X(putc) X(ungetc) X(putchar) X(getchar) \
	X(puts) X(printf) X(fprintf) X(sprintf) X(snprintf) X(vfprintf) X(vprintf) X(fflush) \
	X(isalnum) X(isalpha) X(isdigit) X(islower) X(isprint) X(ispunct) X(isspace) X(isupper) \
	X(isxdigit) X(tolower) X(toupper) X(atoi) X(abs) X(exit) X(abort) X(getenv) X(strcoll) \
	X(read) X(write) X(close) X(sin) X(cos) X(tan) X(sqrt) X(exp) X(log) X(pow) X(floor) \
	X(ceil) X(fabs) X(atan2) X(fmod)
/* clang-format on */

/* Weak: a program is not made to link what it does not use, nor libm. */
#define WEAK(name) extern __typeof__(name) name __attribute__((weak));
NAMED(WEAK)

const char *hence_rt_name_of(const void *address)
{
	if (!address)
		return NULL;
#define COMPARE(name)                                                                              \
	if (address == (const void *)name)                                                         \
		return #name;
	NAMED(COMPARE)
	return NULL;
}
