/* Memory that libc writes to later: streams in memory, buffers of streams, flags of options. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static char *made;
static size_t made_size;

/* How often a byte is in what the stream has made so far. */
static int count(char c)
{
	int n = 0;

	for (size_t i = 0; i < made_size; i++)
		n += made[i] == c;
	return n;
}

static void growing(void)
{
	FILE *f = open_memstream(&made, &made_size);

	for (int i = 0; i < 300; i++) {
		fprintf(f, "%d ", i);
		if (i % 50 == 0) {
			fflush(f);
			printf("%zu bytes, %d ones\n", made_size, count('1'));
		}
	}
	fseek(f, 4, SEEK_SET);
	fputs("and", f);
	fflush(f);
	printf("%zu %.10s\n", made_size, made);
	fseek(f, 0, SEEK_END);
	fclose(f);
	printf("%zu %d\n", made_size, count('1'));
	free(made);
}

static void growing_again(int times)
{
	for (int i = 0; i < times; i++) {
		char *text;
		size_t size;
		FILE *f = open_memstream(&text, &size);

		putc('a' + i, f);
		fputs("same", f);
		fclose(f);
		if (size == 5 && text[4] == 'e')
			puts(text);
		free(text);
	}
}

static void wide(void)
{
	wchar_t *text;
	size_t size;
	FILE *f = open_wmemstream(&text, &size);

	fputws(L"wide", f);
	fclose(f);
	printf("%zu %d\n", size, text[0] == L'w' && text[3] == L'e' && !text[4]);
	free(text);
}

/* The second time, what is written is what lies there already. */
static int given(int number)
{
	char buffer[40];
	FILE *f = fmemopen(buffer, sizeof(buffer), "w");
	int sum = 0;

	fprintf(f, "number %d", number);
	fflush(f);
	for (const char *p = buffer; *p; p++)
		sum += *p;
	fputs("!", f);
	fclose(f);
	return sum + (int)strlen(buffer) + (buffer[8] == '!');
}

static void changed(void)
{
	char text[20] = "one two three";
	FILE *f = fmemopen(text, sizeof(text), "r+");
	char word[10];

	if (fscanf(f, "%9s", word) == 1)
		printf("%s\n", word);
	fseek(f, 4, SEEK_SET);
	fputs("TWO", f);
	rewind(f);
	if (text[4] == 'T')
		printf("%s\n", text);
	memset(text, '.', 3);
	fputs("one", f);
	fclose(f);
	if (text[0] == 'o')
		printf("%s\n", text);
}

static char own[4096];

static void lent(void)
{
	FILE *f = fopen("out.txt", "w+");
	char *heap = malloc(100);
	int found = 0;

	setvbuf(f, own, _IOFBF, sizeof(own));
	for (int i = 0; i < 5; i++) {
		fprintf(f, "%d,", i);
		found += own[2 * i] == '0' + i;
	}
	rewind(f);
	found += getc(f) == '0' && own[1] == ',';
	fclose(f);
	f = fopen("out.txt", "r");
	setbuffer(f, heap, 100);
	found += getc(f);
	found += heap[2] == '1';
	fclose(f);
	heap[0] = '#';
	found += heap[0] == '#';
	free(heap);
	printf("found %d\n", found);
}

static int quiet, level;

static void options(int argc, char **argv)
{
	static const struct option longs[] = {{"quiet", no_argument, &quiet, 1},
	                                      {"level", no_argument, &level, 0x10203},
	                                      {"loud", no_argument, &quiet, 0},
	                                      {NULL, 0, NULL, 0}};
	int c;

	while ((c = getopt_long(argc, argv, "v", longs, NULL)) != -1)
		printf("%d: quiet %d level %x\n", c, quiet, (unsigned)level);
}

int main(int argc, char **argv)
{
	growing();
	growing_again(3);
	wide();
	printf("%d\n", given(7));
	printf("%d\n", given(7));
	changed();
	lent();
	options(argc, argv);
	return 0;
}
