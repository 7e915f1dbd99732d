/* Saved runs: round trip, and files that are cut off, damaged or foreign. */
#include <fcntl.h>
#include <sys/stat.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "run/saved.h"

#define STREAM_SIZE 300000u
#define SIDE_AT     0x100000u

static char folder[] = "/tmp/hence-unit-XXXXXX";
static char tape_path[64], side_path[64], file_path[64], other_path[64];

/* A tape with a stream that does not compress to nothing; with a handlers' stream far behind. */
static void write_tape(const char *path, struct tape *tape, uint32_t number, bool side)
{
	uint8_t *bytes = malloc(STREAM_SIZE);
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	tape->path = strdup(path);
	tape->number = number;
	tape->condition = TAPE_GOOD;
	tape->end = HENCE_STREAM + STREAM_SIZE;
	memcpy(tape->head.magic, HENCE_TAPE_MAGIC, 8);
	tape->head.number = number;
	tape->head.side_offset = side ? SIDE_AT : 0;
	tape->head.side_size = side ? 10 : 0;
	tape->side_end = side ? SIDE_AT + 10 : 0;
	srand(number);
	for (uint32_t i = 0; i < STREAM_SIZE; i++)
		bytes[i] = (uint8_t)(rand() % 7);
	assert_int_equal(pwrite(fd, &tape->head, sizeof(tape->head), 0), sizeof(tape->head));
	assert_int_equal(pwrite(fd, bytes, STREAM_SIZE, HENCE_STREAM), STREAM_SIZE);
	if (side)
		assert_int_equal(pwrite(fd, "0123456789", 10, SIDE_AT), 10);
	assert_int_equal(ftruncate(fd, 4 * SIDE_AT), 0);
	close(fd);
	free(bytes);
}

static void make_run(struct saved_run *run)
{
	*vec_push(&run->argv) = strdup("./prog");
	*vec_push(&run->argv) = strdup("");
	*vec_push(&run->argv) = strdup("two words");
	*vec_push(&run->outcomes) = (struct saved_outcome){
		SAVED_COMMAND, {.kind = OUTCOME_SIGNALLED, .signal = 11, .detail = strdup("why")}};
	*vec_push(&run->outcomes) =
		(struct saved_outcome){4, {.kind = OUTCOME_EXITED, .status = 9}};
	*vec_push(&run->elfs) = (struct saved_elf){strdup("/x/prog"), {1, 2, 3}};
}

static int set_up(void **state)
{
	struct saved_run run = {.argv = VEC_INIT};
	struct tapes tapes = {VEC_INIT};
	struct hence_error *error;

	if (!mkdtemp(folder))
		return 1;
	snprintf(tape_path, sizeof(tape_path), "%s/3.tape", folder);
	snprintf(side_path, sizeof(side_path), "%s/4.tape", folder);
	snprintf(file_path, sizeof(file_path), "%s/saved", folder);
	snprintf(other_path, sizeof(other_path), "%s/other", folder);
	make_run(&run);
	write_tape(tape_path, vec_push(&tapes.list), 3, false);
	write_tape(side_path, vec_push(&tapes.list), 4, true);
	vec_push(&tapes.list)->condition = TAPE_DAMAGED;
	error = saved_write(file_path, &run, &tapes);
	saved_run_deinit(&run);
	tapes_deinit(&tapes);
	return error ? 1 : 0;
}

static int tear_down(void **state)
{
	unlink(tape_path);
	unlink(side_path);
	unlink(file_path);
	unlink(other_path);
	return rmdir(folder);
}

static char *read_file(const char *path, size_t size)
{
	char *bytes = malloc(size);
	int fd = open(path, O_RDONLY);

	assert_int_equal(read(fd, bytes, size), size);
	close(fd);
	return bytes;
}

static void check_same(const char *a, const char *b, size_t size)
{
	char *x = read_file(a, size), *y = read_file(b, size);

	assert_memory_equal(x, y, size);
	free(x);
	free(y);
}

static void test_round_trip(void **state)
{
	const struct saved_run *run;
	struct saved *saved;

	assert_null(saved_open(file_path, &saved));
	run = saved_get(saved);
	assert_int_equal(run->argv.size, 3);
	assert_string_equal(run->argv.at[1], "");
	assert_string_equal(run->argv.at[2], "two words");
	assert_int_equal(run->outcomes.size, 2);
	assert_int_equal(run->outcomes.at[0].tape, SAVED_COMMAND);
	assert_string_equal(run->outcomes.at[0].outcome.detail, "why");
	assert_int_equal(run->outcomes.at[1].outcome.status, 9);
	assert_string_equal(run->elfs.at[0].path, "/x/prog");
	assert_int_equal(run->elfs.at[0].hash[2], 3);
	assert_int_equal(saved_tapes(saved), 2);
	assert_int_equal(saved_tape_number(saved, 0), 3);
	assert_int_equal(saved_tape_number(saved, 1), 4);
	assert_null(saved_extract(saved, 0, other_path));
	check_same(tape_path, other_path, HENCE_STREAM + STREAM_SIZE);
	assert_null(saved_extract(saved, 1, other_path));
	check_same(side_path, other_path, SIDE_AT + 10);
	saved_close(saved);
}

static struct stat info_of(const char *path)
{
	struct stat info;

	assert_int_equal(stat(path, &info), 0);
	return info;
}

static void write_other(const char *bytes, size_t size)
{
	int fd = open(other_path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

/* Opens the other file and extracts its tapes; the first error, or NULL. */
static struct hence_error *use_other(void)
{
	char to[80];
	struct saved *saved;
	struct hence_error *error = saved_open(other_path, &saved);

	if (error)
		return error;
	snprintf(to, sizeof(to), "%s/extracted", folder);
	for (uint32_t i = 0; !error && i < saved_tapes(saved); i++)
		error = saved_extract(saved, i, to);
	unlink(to);
	saved_close(saved);
	return error;
}

static void expect_error(const char *text)
{
	struct hence_error *error = use_other();

	assert_non_null(error);
	assert_int_equal(error->kind, HENCE_ERROR_INPUT);
	assert_non_null(strstr(error->message, text));
	error_destroy(error);
}

static void test_cut_off(void **state)
{
	size_t size = (size_t)info_of(file_path).st_size;
	char *bytes = read_file(file_path, size);

	for (size_t cut = sizeof(struct saved_header); cut < size - 9; cut += cut < 400 ? 1 : 997) {
		write_other(bytes, cut);
		expect_error("is damaged (it is cut off)");
	}
	free(bytes);
}

static void test_damaged(void **state)
{
	size_t size = (size_t)info_of(file_path).st_size;
	char *bytes = read_file(file_path, size);
	unsigned errors = 0, tries = 0;

	/* Whatever byte is wrong: no crash, and what is not noticed does not matter. */
	for (size_t at = sizeof(struct saved_header); at < size; at += at < 600 ? 1 : 499) {
		struct hence_error *error;

		bytes[at] ^= 0x55;
		write_other(bytes, size);
		error = use_other();
		errors += error != NULL;
		tries++;
		error_destroy(error);
		bytes[at] ^= 0x55;
	}
	assert_true(errors > tries * 8 / 10);
	free(bytes);
}

static void test_foreign(void **state)
{
	struct saved_header header = {.version = SAVED_VERSION + 1, .protocol = HENCE_PROTOCOL};
	struct saved *saved;
	struct hence_error *error;

	write_other("", 0);
	expect_error("was not saved by 'hence run --save'");
	write_other("#!/bin/sh\necho some script\n", 27);
	expect_error("was not saved by 'hence run --save'");
	memcpy(header.magic, SAVED_MAGIC, 8);
	write_other((const char *)&header, sizeof(header));
	expect_error("was saved by another version of hence");
	error = saved_open("/nonexistent/file", &saved);
	assert_non_null(error);
	error_destroy(error);
}

static void test_unwritable(void **state)
{
	struct saved_run run = {.argv = VEC_INIT};
	struct tapes tapes = {VEC_INIT};
	struct hence_error *error = saved_write("/nonexistent/file", &run, &tapes);

	assert_non_null(error);
	assert_non_null(strstr(error->message, "cannot write /nonexistent/file"));
	error_destroy(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_damaged),    cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_unwritable),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
