/* Streams: which bytes of which input went where, and which call produced which output. */
#include "harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

static char path[] = "/tmp/hence-input-XXXXXX";

/* A file with this content, opened by fopen() as an outside call. */
static FILE *open_text(const char *text, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	FILE *file;

	assert_int_equal(write(fd, text, size), (ssize_t)size);
	close(fd);
	CALL(file, fopen, "ppp", (path, "r"));
	assert_int_equal(effect_of(HENCE_OPENED, 0)->e.stream, fileno(file));
	assert_int_equal(effect_of(HENCE_OPENED, 0)->e.size, strlen(path));
	assert_memory_equal(effect_of(HENCE_OPENED, 0)->bytes, path, strlen(path));
	return file;
}

static void close_text(FILE *file)
{
	int fd = fileno(file), r;

	CALL(r, fclose, "ip", (file));
	assert_int_equal(r, 0);
	assert_int_equal(effect_of(HENCE_CLOSED, 0)->e.stream, fd);
}

static void assert_input(uint32_t n, const void *address, uint64_t offset, uint64_t size)
{
	const struct hence_effect *e = &effect_of(HENCE_INPUT, n)->e;

	assert_int_equal(e->address, (uint64_t)address);
	assert_int_equal(e->offset, offset);
	assert_int_equal(e->size, size);
}

static void test_getc_and_fgets(void **state)
{
	FILE *file = open_text("abc\ndef\n\0x\nend", 15);
	char line[20], *p;
	int c;

	CALL(c, getc, "ip", (file));
	assert_int_equal(c, 'a');
	assert_int_equal(effect_count, 1);
	assert_input(0, NULL, 0, 1);
	assert_int_equal(effects[0].e.stream, fileno(file));
	CALL(p, fgets, "ppip", (line, 20, file));
	assert_input(0, line, 1, 3);
	assert_wrote(effect_of(HENCE_WROTE, 0), line, "bc\n", 4);
	CALL(c, ungetc, "iip", ('\n', file));
	CALL(c, getc, "ip", (file));
	assert_input(0, NULL, 3, 1);
	CALL(c, ungetc, "iip", ('X', file));
	CALL(c, getc, "ip", (file));
	assert_int_equal(c, 'X');
	assert_input(0, NULL, 3, 1);
	CALL(p, fgets, "ppip", (line, 20, file));
	assert_input(0, line, 4, 4);
	CALL(p, fgets, "ppip", (line, 20, file));
	assert_input(0, line, 8, 3);
	assert_wrote(effect_of(HENCE_WROTE, 0), line, "\0x\n", 4);
	CALL(p, fgets, "ppip", (line, 20, file));
	assert_input(0, line, 11, 4);
	CALL(p, fgets, "ppip", (line, 20, file));
	assert_null(p);
	assert_int_equal(effect_count, 0);
	CALL(c, getc, "ip", (file));
	assert_int_equal(effect_count, 0);
	close_text(file);
}

/* Buffers are filled again and again, and lines are longer than they are. */
static void test_long_input(void **state)
{
	enum { SIZE = 50000 };
	char *text = malloc(SIZE), *line = malloc(SIZE), *p;
	uint64_t at = 0;
	FILE *file;
	int c;

	for (int i = 0; i < SIZE; i++)
		text[i] = i % 9973 == 9972 ? '\n' : 'a' + i % 26;
	file = open_text(text, SIZE);
	for (int round = 0;; round++) {
		CALL(p, fgets, "ppip", (line, SIZE, file));
		if (!p)
			break;
		assert_input(0, line, at, strlen(line));
		at += strlen(line);
		CALL(c, getc, "ip", (file));
		if (c != EOF)
			assert_input(0, NULL, at++, 1);
	}
	assert_int_equal(at, SIZE);
	close_text(file);
	free(text);
	free(line);
}

static void test_fread_and_seek(void **state)
{
	FILE *file = open_text("0123456789", 10);
	char buffer[10];
	size_t n;
	int r;

	CALL(r, fseek, "ipli", (file, 4l, SEEK_SET));
	CALL(n, fread, "lpllp", (buffer, (size_t)2, (size_t)2, file));
	assert_int_equal(n, 2);
	assert_input(0, buffer, 4, 4);
	assert_wrote(effect_of(HENCE_WROTE, 0), buffer, "4567", 4);
	CALL_VOID(rewind, "vp", (file));
	CALL(n, fread, "lpllp", (buffer, (size_t)1, (size_t)10, file));
	assert_input(0, buffer, 0, 10);
	close_text(file);
}

static void test_getline(void **state)
{
	FILE *file = open_text("one\ntwo\n", 8);
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	CALL(n, getline, "lppp", (&line, &room, file));
	assert_int_equal(effect_of(HENCE_ALLOCATED, 0)->e.address, (uint64_t)line);
	assert_int_equal(effect_of(HENCE_ALLOCATED, 0)->e.size, room);
	assert_wrote(effect_of(HENCE_WROTE, 0), &line, &line, 8);
	assert_wrote(effect_of(HENCE_WROTE, 1), &room, &room, 8);
	assert_input(0, line, 0, 4);
	assert_wrote(effect_of(HENCE_WROTE, 2), line, "one\n", 5);
	CALL(n, getline, "lppp", (&line, &room, file));
	assert_int_equal(n, 4);
	assert_int_equal(effect_count, 2);
	assert_input(0, line, 4, 4);
	free(line);
	close_text(file);
}

static void test_fscanf(void **state)
{
	FILE *file = open_text("  12 abc,0x1f-1.5e3z [hi]\n77", 28);
	int a, c, n;
	char word[10], letter, set[10];
	double d;
	unsigned x;

	CALL(n, fscanf, "ipppppppp", (file, "%d %3[a-z],%x%lf%c", &a, word, &x, &d, &letter));
	assert_int_equal(n, 5);
	assert_int_equal(count_of(HENCE_INPUT), 6);
	assert_input(5, NULL, 0, 20); /* the result; %c does not look further */
	assert_input(0, &a, 2, 2);
	assert_input(1, word, 5, 3);
	assert_input(2, &x, 9, 4);
	assert_input(3, &d, 13, 6);
	assert_input(4, &letter, 19, 1);
	assert_wrote(effect_of(HENCE_WROTE, 0), &a, &a, 4);
	assert_wrote(effect_of(HENCE_WROTE, 1), word, "abc", 4);
	assert_wrote(effect_of(HENCE_WROTE, 3), &d, &d, 8);
	assert_wrote(effect_of(HENCE_WROTE, 4), &letter, "z", 1);
	assert_int_equal(effect_of(HENCE_INPUT, 4)->e.argument, 7);
	CALL(n, fscanf, "ippppp", (file, " [%[^]]]%n%*d%d", set, &c, &a));
	assert_int_equal(n, 1);
	assert_input(0, set, 22, 2);
	assert_int_equal(count_of(HENCE_INPUT), 2);
	assert_input(1, NULL, 20, 8); /* up to the end */
	assert_wrote(effect_of(HENCE_WROTE, 1), &c, &c, 4);
	CALL(n, fscanf, "ippp", (file, "%d", &a));
	assert_int_equal(n, EOF);
	assert_int_equal(count_of(HENCE_WROTE), 0);
	close_text(file);
}

/* What does not fit was looked at, though it stays in the stream. */
static void test_fscanf_misfit(void **state)
{
	FILE *file = open_text(" 12x3\n", 6);
	int a, n;

	CALL(n, fscanf, "ippp", (file, "%d", &a));
	assert_int_equal(n, 1);
	assert_int_equal(count_of(HENCE_INPUT), 2);
	assert_input(0, &a, 1, 2);
	assert_input(1, NULL, 0, 4);
	CALL(n, fscanf, "ippp", (file, "%d", &a));
	assert_int_equal(n, 0);
	assert_int_equal(count_of(HENCE_INPUT), 1);
	assert_input(0, NULL, 3, 1);
	assert_int_equal(fgetc(file), 'x');
	close_text(file);
}

static void test_sscanf(void **state)
{
	static const char text[] = "7 -8 nine";
	long a;
	short b;
	char *word;
	int n;

	CALL(n, sscanf, "ippppp", (text, "%ld%hd%ms", &a, &b, &word));
	assert_int_equal(n, 3);
	/* From memory: no stream, and the offset is an address. */
	assert_input(0, &a, (uint64_t)text, 1);
	assert_int_equal(effect_of(HENCE_INPUT, 0)->e.stream, -1);
	assert_input(1, &b, (uint64_t)text + 2, 2);
	assert_input(2, word, (uint64_t)text + 5, 4);
	assert_wrote(effect_of(HENCE_WROTE, 0), &a, &a, 8);
	assert_wrote(effect_of(HENCE_WROTE, 1), &b, &b, 2);
	assert_wrote(effect_of(HENCE_WROTE, 2), &word, &word, 8);
	assert_wrote(effect_of(HENCE_WROTE, 3), word, "nine", 5);
	assert_int_equal(effect_of(HENCE_ALLOCATED, 0)->e.size, 5);
	free(word);
	CALL(n, sscanf, "ippppp", (text, "%*d%2$ld%1$hd", &b, &a, NULL));
	assert_input(0, &a, (uint64_t)text + 2, 2);
}

static void test_descriptors(void **state)
{
	FILE *file = open_text("0123456789", 10);
	int fd = fileno(file), p[2], r;
	char a[4], b[4];
	struct iovec iov[2] = {{a, 3}, {b, 4}};
	ssize_t n;

	CALL(n, read, "lipl", (fd, a, (size_t)4));
	assert_input(0, a, 0, 4);
	assert_wrote(effect_of(HENCE_WROTE, 0), a, "0123", 4);
	CALL(n, readv, "lipi", (fd, iov, 2));
	assert_int_equal(n, 6);
	assert_input(0, a, 4, 3);
	assert_input(1, b, 7, 3);
	assert_wrote(effect_of(HENCE_WROTE, 1), b, "789", 3);
	CALL(n, pread, "lipll", (fd, b, (size_t)2, (off_t)5));
	assert_input(0, b, 5, 2);
	CALL(n, read, "lipl", (fd, a, (size_t)4));
	assert_int_equal(effect_count, 0);
	close_text(file);

	CALL(r, pipe, "ip", (p));
	assert_int_equal(count_of(HENCE_OPENED), 2);
	assert_int_equal(effect_of(HENCE_OPENED, 1)->e.stream, p[1]);
	CALL(n, write, "lipl", (p[1], "abc", (size_t)3));
	CALL(n, write, "lipl", (p[1], "defg", (size_t)4));
	assert_int_equal(effect_of(HENCE_OUTPUT, 0)->e.offset, 3);
	assert_int_equal(effect_of(HENCE_OUTPUT, 0)->e.size, 4);
	CALL(n, read, "lipl", (p[0], a, (size_t)2));
	CALL(n, read, "lipl", (p[0], a, (size_t)4));
	assert_input(0, a, 2, 4);
	CALL(r, close, "ii", (p[0]));
	assert_int_equal(effect_of(HENCE_CLOSED, 0)->e.stream, p[0]);
	CALL(r, close, "ii", (p[1]));
	CALL(r, close, "ii", (p[1]));
	assert_int_equal(count_of(HENCE_CLOSED), 0);
}

/* A pipe cannot be asked for its position: the bytes are counted. */
static void test_stdio_on_a_pipe(void **state)
{
	int p[2], c;
	char line[10], *s;
	FILE *file;

	assert_int_equal(pipe(p), 0);
	assert_int_equal(write(p[1], "ab\ncd\n12 x", 10), 10);
	close(p[1]);
	CALL(file, fdopen, "pip", (p[0], "r"));
	CALL(c, getc, "ip", (file));
	assert_input(0, NULL, 0, 1);
	CALL(c, ungetc, "iip", ('a', file));
	CALL(c, ungetc, "iip", ('Q', file));
	CALL(c, getc, "ip", (file));
	CALL(s, fgets, "ppip", (line, 10, file));
	assert_string_equal(s, "ab\n");
	CALL(s, fgets, "ppip", (line, 10, file));
	assert_input(0, line, 3, 3);
	CALL(c, fscanf, "ippp", (file, "%d", (int *)line));
	assert_input(0, line, 6, 2);
	CALL(s, fgets, "ppip", (line, 10, file));
	assert_input(0, line, 8, 2);
	close_text(file);
}

static void assert_output(int fd, uint64_t offset, uint64_t size)
{
	const struct hence_effect *e = &effect_of(HENCE_OUTPUT, 0)->e;

	assert_int_equal(count_of(HENCE_OUTPUT), 1);
	assert_int_equal(e->stream, fd);
	assert_int_equal(e->offset, offset);
	assert_int_equal(e->size, size);
}

static void test_output(void **state)
{
	int n, saved = dup(1), null = open("/dev/null", O_WRONLY);
	size_t items;

	fflush(stdout);
	dup2(null, 1);
	CALL(n, printf, "ippi", ("%s%d\n", "ab", 7));
	assert_output(1, 0, 4);
	CALL(n, puts, "ip", ("hello"));
	assert_output(1, 4, 6);
	CALL(n, putchar, "ii", ('x'));
	assert_output(1, 10, 1);
	CALL(n, fputs, "ipp", ("abc", stdout));
	assert_output(1, 11, 3);
	CALL(items, fwrite, "lpllp", ("12345678", (size_t)2, (size_t)3, stdout));
	assert_output(1, 14, 6);
	CALL(n, fprintf, "ippi", (stderr, "%.0d", 0));
	assert_int_equal(count_of(HENCE_OUTPUT), 0);
	fflush(stdout);
	dup2(saved, 1);
	close(saved);
	close(null);
}

static void test_perror_counts(void **state)
{
	int saved = dup(2), fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	struct hence_rt_call *call;

	dup2(fd, 2);
	call = call_begin("perror", "vp", "prog");
	perror("prog"); /* errno is 0 */
	call_end(call, NULL, 0);
	dup2(saved, 2);
	assert_output(2, 0, (uint64_t)lseek(fd, 0, SEEK_CUR));
	close(saved);
	close(fd);
}

static void test_environment(void **state)
{
	char *value;

	setenv("HENCE_TEST_VALUE", "some", 1);
	CALL(value, getenv, "pp", ("HENCE_TEST_VALUE"));
	assert_input(0, value, (uint64_t)value, 5);
	assert_int_equal(effect_of(HENCE_INPUT, 0)->e.stream, -2);
	assert_wrote(effect_of(HENCE_WROTE, 0), value, "some", 5);
	CALL(value, getenv, "pp", ("HENCE_TEST_NOTHING"));
	assert_int_equal(effect_count, 0);
}

static void test_stream_in_memory(void **state)
{
	char text[] = "12 ab", line[10], *s;
	FILE *file;
	int n, a;

	CALL(file, fmemopen, "pplp", (text, sizeof(text) - 1, "r"));
	assert_int_equal(count_of(HENCE_OPENED), 0);
	CALL(n, fscanf, "ippp", (file, "%d", &a));
	assert_int_equal(n, 1);
	assert_int_equal(count_of(HENCE_INPUT), 0);
	assert_wrote(effect_of(HENCE_WROTE, 0), &a, &a, 4);
	CALL(s, fgets, "ppip", (line, 10, file));
	assert_wrote(effect_of(HENCE_WROTE, 0), line, " ab", 4);
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_getc_and_fgets),   cmocka_unit_test(test_long_input),
		cmocka_unit_test(test_fread_and_seek),   cmocka_unit_test(test_getline),
		cmocka_unit_test(test_fscanf),           cmocka_unit_test(test_fscanf_misfit),
		cmocka_unit_test(test_sscanf),           cmocka_unit_test(test_descriptors),
		cmocka_unit_test(test_stdio_on_a_pipe),  cmocka_unit_test(test_output),
		cmocka_unit_test(test_perror_counts),    cmocka_unit_test(test_environment),
		cmocka_unit_test(test_stream_in_memory),
	};
	int failed;

	core_start(NULL);
	close(mkstemp(path));
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
