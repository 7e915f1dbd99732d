/* Tape files that are not what they should be: each has its message, and none is believed. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/str.h"
#include "trace/tape.h"

#define SIZE 65536u
#define BASE 0x10000000u

static char folder[] = "/tmp/hence-unit-XXXXXX";
static char *path;

static int set_up(void **state)
{
	if (!mkdtemp(folder))
		return 1;
	path = str_format("%s/00000000.tape", folder);
	return 0;
}

static int tear_down(void **state)
{
	unlink(path);
	free(path);
	return rmdir(folder);
}

static struct hence_head good_head(void)
{
	struct hence_head head = {
		.cur = (uint8_t *)(uintptr_t)(BASE + HENCE_STREAM + 100),
		.protocol = HENCE_PROTOCOL,
		.state = HENCE_ENDED,
		.base = (uint8_t *)(uintptr_t)BASE,
		.limit = SIZE / 2,
		.populated = SIZE / 4,
	};

	memcpy(head.magic, HENCE_TAPE_MAGIC, sizeof(head.magic));
	return head;
}

static void write_tape(const struct hence_head *head, size_t size)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, head, sizeof(*head), 0), sizeof(*head));
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	close(fd);
}

/* Opens the tape, which must fail with these words, and with its name. */
static void refused(const struct hence_head *head, size_t size, const char *words)
{
	struct tape_file *tape = NULL;
	struct hence_error *error;

	write_tape(head, size);
	error = tape_open(path, &tape);
	assert_non_null(error);
	assert_null(tape);
	assert_non_null(strstr(error->message, path));
	if (!strstr(error->message, words))
		fail_msg("'%s' does not say '%s'", error->message, words);
	error_destroy(error);
}

static struct tape_file *opened(const struct hence_head *head)
{
	struct tape_file *tape;

	write_tape(head, SIZE);
	assert_null(tape_open(path, &tape));
	return tape;
}

static void test_good(void **state)
{
	struct hence_head head = good_head();
	struct tape_file *tape = opened(&head);

	assert_int_equal(tape->end, HENCE_STREAM + 100);
	assert_int_equal(tape->tail, tape->end);
	assert_int_equal(tape->side_end, 0);
	tape_close(tape);
	/* Killed in instrumented code: what has memory may be written. */
	head.end = head.cur;
	head.state = HENCE_RECORDING;
	tape = opened(&head);
	assert_int_equal(tape->end, HENCE_STREAM + 100);
	assert_int_equal(tape->tail, SIZE / 4);
	tape_close(tape);
	/* But not more than there is. */
	head.populated = ~0ull;
	tape = opened(&head);
	assert_int_equal(tape->tail, tape->end);
	tape_close(tape);
}

static void test_not_a_tape(void **state)
{
	struct hence_head head = good_head();
	struct tape_file *tape;
	struct hence_error *error;

	refused(&head, 0, "too short");
	refused(&head, 1, "too short");
	refused(&head, HENCE_STREAM - 1, "too short");
	head.magic[7] ^= 1;
	refused(&head, SIZE, "is not a tape");
	unlink(path);
	error = tape_open(path, &tape);
	assert_non_null(strstr(error->message, "No such file"));
	error_destroy(error);
	error = tape_open(folder, &tape);
	assert_non_null(error);
	error_destroy(error);
}

static void test_protocol(void **state)
{
	struct hence_head head = good_head();

	head.protocol++;
	refused(&head, SIZE, "another version of hence");
}

static void test_position(void **state)
{
	struct hence_head head = good_head();

	refused(&head, HENCE_STREAM, "write position");
	head.cur = head.base;
	refused(&head, SIZE, "write position");
	head.cur = head.base + HENCE_STREAM - 1;
	refused(&head, SIZE, "write position");
	head.cur = head.base + SIZE + 1;
	refused(&head, SIZE, "write position");
	head.cur = head.base - 1;
	refused(&head, SIZE, "write position");
	head = good_head();
	head.limit = SIZE + 1;
	refused(&head, SIZE, "write position");
}

static void test_side(void **state)
{
	struct hence_head head = good_head();
	struct tape_file *tape;

	head.side_offset = SIZE / 2;
	head.side_size = 1000;
	tape = opened(&head);
	assert_int_equal(tape->side_end, SIZE / 2 + 1000);
	tape_close(tape);
	head.side_size = SIZE / 2 + 1;
	refused(&head, SIZE, "handlers' stream");
	head.side_size = ~0ull;
	refused(&head, SIZE, "handlers' stream");
	head.side_offset = ~0ull;
	head.side_size = 1;
	refused(&head, SIZE, "handlers' stream");
}

/* The program ended in a handler: its record, not closed, says where the main stream stood. */
static void test_died_in_handler(void **state)
{
	struct hence_head head = good_head();

	head.side_offset = SIZE / 2;
	head.side_size = 64;
	head.cur = head.base + SIZE / 2 + 64 + sizeof(struct hence_side_record) - 1;
	refused(&head, SIZE, "ends too early");
	head.cur++;
	/* Its record is all zeros: position 0 is in the head. */
	refused(&head, SIZE, "a handler ran nowhere");
	head.cur = head.base + SIZE;
	refused(&head, SIZE, "a handler ran nowhere");
	head.side_size = SIZE / 2 - sizeof(struct hence_side_record) + 1;
	refused(&head, SIZE, "ends too early");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),     cmocka_unit_test(test_not_a_tape),
		cmocka_unit_test(test_protocol), cmocka_unit_test(test_position),
		cmocka_unit_test(test_side),     cmocka_unit_test(test_died_in_handler),
	};

	return cmocka_run_group_tests_name("trace_tape", tests, set_up, tear_down);
}
