/* Files: read twice, seek, tell, rewind, update mode, freopen, mmap, pread, memstreams, temporary
 * files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned hash_file(const char *name)
{
	FILE *f = fopen(name, "rb");
	unsigned h = 1;
	int c;

	if (!f)
		return 0;
	while ((c = getc(f)) != EOF)
		h = h * 31 + (unsigned)c;
	fclose(f);
	return h;
}

static void twice(void)
{
	FILE *a = fopen("input.txt", "r"), *b = fopen("input.txt", "r");
	char x[64], y[64];

	while (fgets(x, sizeof(x), a) && fgets(y, sizeof(y), b))
		printf("%d %s", strcmp(x, y), x);
	rewind(a);
	printf("%s", fgets(x, sizeof(x), a));
	fclose(a);
	fclose(b);
	printf("%u %u %u\n", hash_file("input.txt"), hash_file("input.txt"), hash_file("missing"));
}

static void positions(void)
{
	FILE *f = fopen("input.txt", "r+");
	char word[8] = "";
	fpos_t pos;

	fseek(f, 6, SEEK_SET);
	printf("%ld ", ftell(f));
	printf("%zu ", fread(word, 1, 5, f));
	fgetpos(f, &pos);
	fseek(f, -4, SEEK_END);
	printf("%s %ld ", word, ftell(f));
	printf("%c ", getc(f));
	fsetpos(f, &pos);
	fputs("#", f);
	fflush(f);
	fseek(f, -1, SEEK_CUR);
	printf("%c\n", getc(f));
	fclose(f);
	printf("%u\n", hash_file("input.txt"));
}

static void raw(void)
{
	int fd = open("raw.bin", O_CREAT | O_RDWR | O_TRUNC, 0644);
	int numbers[64];
	char part[9] = "";
	struct stat st;

	for (int i = 0; i < 64; i++)
		numbers[i] = i * i * 77;
	printf("%zd ", write(fd, numbers, sizeof(numbers)));
	printf("%zd ", pwrite(fd, "inserted", 8, 100));
	printf("%zd ", pread(fd, part, 8, 100));
	printf("%s ", part);
	printf("%ld ", (long)lseek(fd, 0, SEEK_END));
	fstat(fd, &st);
	printf("%ld %d\n", (long)st.st_size, S_ISREG(st.st_mode));
	ftruncate(fd, 200);
	close(fd);
	printf("%u\n", hash_file("raw.bin"));
}

static void mapped(void)
{
	int fd = open("input.txt", O_RDONLY),
	    out = open("map.out", O_CREAT | O_RDWR | O_TRUNC, 0600);
	size_t size = (size_t)lseek(fd, 0, SEEK_END);
	char *in = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0), *to;
	int lines = 0;

	ftruncate(out, (off_t)size);
	to = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, out, 0);
	for (size_t i = 0; i < size; i++) {
		lines += in[i] == '\n';
		to[size - 1 - i] = in[i];
	}
	printf("mapped %d lines, %zu bytes\n", lines, size);
	munmap(in, size);
	munmap(to, size);
	close(fd);
	close(out);
	printf("%u\n", hash_file("map.out"));
}

static void memory_streams(void)
{
	char text[] = "10 20 thirty", *made = NULL, word[16];
	size_t size = 0;
	FILE *f = fmemopen(text, sizeof(text), "r"), *g = open_memstream(&made, &size);
	int a, b;

	if (fscanf(f, "%d %d %15s", &a, &b, word) == 3)
		fprintf(g, "%d and %s", a + b, word);
	fclose(f);
	fclose(g);
	printf("%zu %s\n", size, made);
	free(made);
	f = tmpfile();
	fputs("temporary", f);
	rewind(f);
	printf("%s\n", fgets(word, sizeof(word), f));
	fclose(f);
}

int main(void)
{
	char line[64];

	twice();
	positions();
	raw();
	mapped();
	memory_streams();
	printf("%d ", rename("raw.bin", "renamed.bin"));
	printf("%d\n", remove("not-there"));
	printf("%d ", errno == ENOENT);
	printf("%s\n", fopen("no/such/dir", "w") ? "opened" : "refused");
	if (freopen("input.txt", "r", stdin))
		while (fgets(line, sizeof(line), stdin))
			printf("stdin now: %s", line);
	printf("appended\n");
	if (freopen("out.txt", "a", stdout))
		printf("this goes to the file\n");
	return 0;
}
