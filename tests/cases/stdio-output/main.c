/* Output by every function, buffered and not, to stdout, stderr and files; interleaved; partly
 * flushed. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static char own_buffer[64];

static void message(FILE *f, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vfprintf(f, format, ap);
	va_end(ap);
}

static void formats(void)
{
	int n = 0;

	printf("%d %5d|%-5d|%05d|%+d|% d\n", 1, 2, 3, 4, 5, 6);
	printf("%u %o %x %X %#x %#o %c %s %10s|%-10s|%.3s\n", 7u, 8u, 255u, 255u, 255u, 8u, 'c',
	       "str", "right", "left", "truncated");
	printf("%hhd %hd %ld %lld %zu %td %jd\n", (signed char)300, (short)70000, 1L << 40, -1LL,
	       sizeof(int), (ptrdiff_t)-5, (intmax_t)9);
	printf("%*d|%-*d|%.*f|%n", 6, 42, 6, 42, 2, 3.14159, &n);
	printf("%2$s %1$s\n", "world", "hello");
	printf("%p %s\n", (void *)0, n ? "set" : "unset");
}

static void files(void)
{
	FILE *f = fopen("made.txt", "w"), *g = fopen("made.txt", "a");
	char buffer[16] = "binary\0bytes";

	setvbuf(f, own_buffer, _IOFBF, sizeof(own_buffer));
	for (int i = 0; i < 20; i++)
		fprintf(f, "%d,", i * i);
	fputc('\n', f);
	fwrite(buffer, 1, 12, f);
	fflush(f);
	fputs("appended\n", g);
	fclose(g);
	setvbuf(f, NULL, _IONBF, 0);
	putc('!', f);
	putw(0x41424344, f);
	fclose(f);
	f = fopen("big.bin", "wb");
	for (int i = 0; i < 3000; i++)
		fwrite(&i, sizeof(i), 1, f);
	fclose(f);
}

static void raw(void)
{
	struct iovec parts[] = {{"gathered ", 9}, {"from ", 5}, {"parts\n", 6}};

	fflush(stdout);
	write(1, "written\n", 8);
	dprintf(1, "dprintf %d\n", 5);
	if (writev(1, parts, 3) != 20)
		puts("short");
	fprintf(stderr, "unbuffered %s\n", "error");
	write(2, "raw error\n", 10);
	perror("perror");
}

int main(void)
{
	setvbuf(stdout, NULL, _IOFBF, 8192);
	puts("first");
	putchar('a');
	putc('b', stdout);
	fputc('c', stdout);
	putchar_unlocked('\n');
	formats();
	files();
	raw();
	message(stdout, "%s %d\n", "vfprintf", 3);
	message(stderr, "%s\n", "to stderr");
	for (int i = 0; i < 300; i++)
		printf("%d%c", i, i % 20 == 19 ? '\n' : ' ');
	setvbuf(stderr, NULL, _IOLBF, 100);
	fprintf(stderr, "half a line,");
	fprintf(stderr, " and the rest\n");
	fprintf(stdout, "%s", "");
	printf("not flushed by the program");
	return ferror(stdout) ? 1 : 0;
}
