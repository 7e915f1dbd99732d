/* The functions of string.h, ctype.h and the number parsers, incl. those with hidden state
 * (strtok). */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void show(const char *what, const void *data, size_t n)
{
	const unsigned char *p = data;

	printf("%s:", what);
	for (size_t i = 0; i < n; i++)
		printf(" %02x", p[i]);
	printf("\n");
}

static int sgn(int v)
{
	return (v > 0) - (v < 0);
}

static long at(const char *base, const char *found)
{
	return found ? (long)(found - base) : -1;
}

static void copying(void)
{
	char a[24], b[24] = "0123456789";

	memset(a, '.', sizeof(a));
	strcpy(a, "hello");
	show("strcpy", a, 8);
	strncpy(a, "hi", 6);
	show("strncpy", a, 8);
	strcat(a, " there");
	strncat(a, " friend", 3);
	puts(a);
	puts(stpcpy(a, "end") - 3);
	memcpy(a, b, 11);
	memmove(a + 2, a, 6);
	puts(a);
	memmove(a, a + 3, 7);
	puts(a);
	show("mempcpy", a, (size_t)((char *)mempcpy(a, "xyz", 3) - a));
	memccpy(a, "ab,cd", ',', 5);
	show("memccpy", a, 6);
	printf("%s\n", strdup(b));
	printf("%s\n", strndup(b, 4));
	bzero(a, 4);
	show("bzero", a, 5);
}

static void comparing(void)
{
	printf("%d %d %d %d\n", sgn(strcmp("abc", "abd")), sgn(strcmp("abc", "ab")), strcmp("", ""),
	       sgn(strncmp("abcx", "abcy", 3)));
	printf("%d %d %d\n", sgn(memcmp("a\0b", "a\0c", 3)), sgn(strcasecmp("HeLLo", "hEllO")),
	       sgn(strncasecmp("ABx", "aby", 3)));
	printf("%d\n", sgn(strcoll("a", "b")));
	printf("%d\n", sgn(strverscmp("file9", "file10")));
}

static void finding(void)
{
	static const char s[] = "the cat sat on the mat";

	printf("%ld %ld %ld %ld\n", at(s, strchr(s, 'c')), at(s, strrchr(s, 't')),
	       at(s, strstr(s, "sat")), at(s, strchr(s, 'z')));
	printf("%ld %ld %ld\n", at(s, strpbrk(s, "xyzm")), at(s, memchr(s, 'o', sizeof(s))),
	       at(s, strchrnul(s, '!')));
	printf("%zu %zu %zu %zu\n", strspn(s, "the "), strcspn(s, "s"), strlen(s), strnlen(s, 5));
	printf("%ld %ld\n", at(s, memmem(s, sizeof(s), "on", 2)), at(s, strcasestr(s, "MAT")));
}

static void cutting(void)
{
	char line[] = "one,two;;three four", other[] = "a:b::c", *save, *rest = other, *p;

	for (p = strtok(line, ",; "); p; p = strtok(NULL, ",; "))
		printf("[%s]", p);
	strcpy(line, "x=1&y=2&z");
	for (p = strtok_r(line, "&", &save); p; p = strtok_r(NULL, "&", &save))
		printf("<%s>", p);
	while ((p = strsep(&rest, ":")))
		printf("{%s}", p);
	printf("\n");
}

static void numbers(void)
{
	char *end;

	printf("%d %ld %.3f\n", atoi("  42x"), atol("-99"), atof("2.5e3"));
	printf("%ld", strtol("0x1fz", &end, 0));
	printf(" %s", end);
	printf(" %lu", strtoul("777", &end, 8));
	printf(" %lld", strtoll("-zz", &end, 36));
	printf(" %llu\n", strtoull("18446744073709551615", &end, 10));
	printf("%g", strtod("1e-3abc", &end));
	printf(" %s %a %Lg\n", end, (double)strtof("0.1", NULL), strtold("1.25", NULL));
	printf("%" PRIdMAX "\n", strtoimax("-123456789012", NULL, 10));
}

static void classes(void)
{
	unsigned sum = 0;

	for (int c = -1; c < 256; c++)
		sum = sum * 3 +
		      (unsigned)(!!isalpha(c) + 2 * !!isdigit(c) + 4 * !!isspace(c) +
		                 8 * !!ispunct(c) + 16 * !!isxdigit(c) + 32 * !!iscntrl(c)) +
		      (unsigned)toupper(c) + (unsigned)tolower(c);
	printf("classes %u\n", sum);
}

int main(void)
{
	char text[100];
	int n = 0;

	copying();
	comparing();
	finding();
	cutting();
	numbers();
	classes();
	printf("%d ", sprintf(text, "%5d|%-5s|%05.1f|%c|%%|%x%n", 42, "ab", 3.14159, 'q', 255, &n));
	printf("%s %d\n", text, n);
	printf("%d %s\n", snprintf(text, 8, "truncated %d", 5), text);
	printf("%s\n", strerror(2));
	return 0;
}
