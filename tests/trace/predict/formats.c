/* All conversions of printf, with arguments in the call and in lists, and the other ways to print. */
#include <err.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

__attribute__((format(printf, 1, 2))) static void print(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vprintf(format, list);
	va_end(list);
}

static void integers(void)
{
	printf("%d %i %u %x %X %o %c %%\n", -1, 2, 3u, 0xabc, 0xabc, 8, 'c');
	printf("%hhd %hd %ld %lld %jd %zu %td\n", (signed char)-3, (short)-4, -5l, -6ll,
	       (intmax_t)-7, sizeof(int), (ptrdiff_t)-8);
	printf("%5d|%-5d|%05d|%+d|% d|%#x|%#o|%.3d|%8.3d|%-8.3d|\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
	printf("%*d|%-*d|%.*d|%*.*d|%*d|\n", 4, 1, 5, 2, 3, 3, 6, 2, 4, -7, 5);
	printf("%2$d %1$s %2$*3$d\n", "one", 2, 4);
	printf("%c%c%c\n", 'a', 0, 'b');
}

static void reals(void)
{
	double zero = 0;

	printf("%f %e %g %a %F %E %G %A\n", 1.5, 1e10, 1e-10, 0.1, 2.5, 3e100, 1e20, 255.0);
	printf("%.0f %.10f %8.2f|%-8.2f|%+.1e|%#g\n", 0.5, 1 / 3.0, 3.14159, 2.71828, 12345.678,
	       1.0);
	printf("%f %g %f\n", 1 / zero, -1 / zero, (float)0.1f);
	printf("%Lf %.20Lg %La\n", 1.5L, 1 / 3.0L, -1e4000L);
	printf("%s\n", zero ? "not" : "zero");
}

static void strings(const char *null)
{
	char large[3000], letters[3] = {'x', 'y', 'z'};

	memset(large, 'l', sizeof(large));
	large[sizeof(large) - 1] = 0;
	printf("%s|%10s|%-10s|%.2s|%10.2s|%s\n", "word", "word", "word", "word", "word", "");
	printf("%.3s|%.*s\n", letters, 2, letters);
	printf("%s|%.2s|%8s|\n", null, null, null);
	printf("%ls|%.1ls|%lc\n", L"wide", L"wide", (wint_t)L'w');
	printf("%s%5000d\n", large, 7);
	printf("%p %p\n", (void *)null, (void *)0x1234);
}

static void lists(void)
{
	print("%d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7);
	print("%f %f %f %f %f %f %f %f %f %f\n", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.);
	print("%d %s %Lf %f %c %Lg %s\n", 1, "two", 3.0L, 4.0, '5', 6.0L, "seven");
	print("%*d|%.*s|%ld\n", 5, 1, 2, "abc", 1l << 40);
}

static void other_ways(void)
{
	struct iovec pieces[3] = {{"vec", 3}, {"", 0}, {"tor\n", 4}};
	int count = 0;

	puts("puts");
	putchar('p');
	putc('c', stdout);
	fputc('\n', stdout);
	fputs("fputs\n", stdout);
	fwrite("fwrite\n", 1, 7, stdout);
	fprintf(stdout, "fprintf %d%n\n", 1, &count);
	printf("%d\n", count);
	fflush(stdout);
	write(1, "write\n", 6);
	writev(1, pieces, 3);
	dprintf(1, "dprintf %s\n", "x");
	fprintf(stderr, "to stderr %d\n", 1);
	warnx("careful: %s", "this");
	fputs("end\n", stderr);
}

static void streams(void)
{
	int copy = dup(1), old;

	dprintf(copy, "copy\n");
	old = dup(1);
	dup2(2, 1);
	dprintf(1, "now on stderr\n");
	dup2(old, 1);
	dprintf(1, "and back\n");
	close(old);
	dprintf(copy, "the end\n");
}

int main(int argc, char **argv)
{
	integers();
	reals();
	strings(argc > 5 ? *argv : NULL);
	lists();
	other_ways();
	streams();
	return 0;
}
