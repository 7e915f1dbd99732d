/* Standard input by every function: getc, ungetc, fgets, scanf, fread, getline, getdelim, read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned hash;

static void mix(const void *data, size_t n)
{
	const unsigned char *p = data;

	while (n--)
		hash = hash * 33 + *p++;
}

static void characters(void)
{
	int c, upper = 0;

	while ((c = getchar()) != EOF && c != '\n')
		if (c >= 'A' && c <= 'Z')
			upper++;
	c = fgetc(stdin);
	ungetc('X', stdin);
	printf("upper %d, then %c", upper, c);
	printf(", pushed back %c", getc(stdin));
	printf(", next %c", getchar_unlocked());
	while ((c = getc(stdin)) != '\n')
		mix(&(char){(char)c}, 1);
	printf(" %u\n", hash);
}

static void lines(void)
{
	char small[8], *line = NULL;
	size_t room = 0;
	ssize_t n;

	while (fgets(small, sizeof(small), stdin)) {
		printf("[%.6s]", small);
		if (strchr(small, '\n'))
			break;
	}
	n = getline(&line, &room, stdin);
	printf(" %zd %s", n, line);
	n = getdelim(&line, &room, ';', stdin);
	printf("%zd %s", n, line);
	n = getline(&line, &room, stdin);
	printf("%zd\n", n);
	free(line);
}

static void scanning(void)
{
	int a = 0, b = 0, got, n = 0;
	unsigned x = 0;
	double d = 0;
	char word[20] = "", set[20] = "", c = 0, *made = NULL;

	got = scanf("%d,%d %x %lf", &a, &b, &x, &d);
	printf("%d: %d %d %x %g\n", got, a, b, x, d);
	got = scanf("%19s %c %19[a-z]%n", word, &c, set, &n);
	printf("%d: %s %c %s %d\n", got, word, c, set, n);
	got = scanf("%*d %ms", &made);
	printf("%d: %s\n", got, made);
	free(made);
	got = scanf("%d", &a);
	printf("%d %d\n", got, a);
	got = scanf("%19s\n", word);
	printf("%d %s\n", got, word);
}

static void blocks(void)
{
	struct {
		char tag[4];
		char value[6];
	} record[2];
	size_t n = fread(record, sizeof(record[0]), 2, stdin);

	printf("%zu %.4s %.6s\n", n, record[1].tag, record[0].value);
}

/* What is left, past stdio's buffer: position it exactly, then use read(). */
static void raw(void)
{
	char buffer[64];
	ssize_t n;

	if (fseek(stdin, 0, SEEK_CUR))
		return;
	while ((n = read(0, buffer, 7)) > 0) {
		mix(buffer, (size_t)n);
		printf("%zd ", n);
	}
	printf("%u %d\n", hash, feof(stdin));
	clearerr(stdin);
	printf("%d ", getchar());
	printf("%d\n", feof(stdin) != 0);
}

int main(void)
{
	characters();
	lines();
	scanning();
	blocks();
	raw();
	return 0;
}
