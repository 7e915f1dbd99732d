/* Sessions: what is made, what is removed, whose is spared; and the comparison of tapes. */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <utime.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/str.h"
#include "run/folder.h"
#include "run/repeat.h"
#include "run/session.h"
#include "run/tapes.h"

static char folder[] = "/tmp/hence-unit-XXXXXX";

static int set_up(void **state)
{
	return !mkdtemp(folder) || setenv("HENCE_TAPE_DIR", folder, 1);
}

static int tear_down(void **state)
{
	return rmdir(folder); /* fails if a test left something */
}

static bool exists(const char *path, const char *name)
{
	char *whole = str_format("%s/%s", path, name);
	bool there = !access(whole, F_OK);

	free(whole);
	return there;
}

static void test_create(void **state)
{
	struct session_options options = {.tape_limit = 5 << 20, .table = "TABLE", .table_size = 5};
	struct hence_control control;
	struct session session;
	struct stat info;

	assert_null(session_create(&options, &session));
	assert_int_equal(strncmp(session.path, folder, strlen(folder)), 0);
	assert_int_equal(stat(session.path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0700);
	assert_null(session_control(&session, &control));
	assert_int_equal(control.protocol, HENCE_PROTOCOL);
	assert_int_equal(control.tape_limit, 5 << 20);
	assert_int_equal(control.table_size, 5);
	assert_int_equal(control.table_offset, sizeof(control));
	assert_int_equal(control.repeat, 0);
	session_destroy(&session);
	assert_int_equal(stat(folder, &info), 0);
	assert_int_equal(info.st_nlink, 2); /* no directory in it */
}

static char *make_old_session(const char *name, bool lock_file)
{
	char *path = str_format("%s/%s", folder, name), *lock = str_format("%s/lock", path);

	assert_int_equal(mkdir(path, 0700), 0);
	if (lock_file)
		close(open(lock, O_RDWR | O_CREAT, 0600));
	free(lock);
	return path;
}

static void test_stale(void **state)
{
	char *dead = make_old_session("hence-aaaaaa", true);
	char *alive = make_old_session("hence-bbbbbb", true);
	char *fresh = make_old_session("hence-cccccc", false);
	char *ancient = make_old_session("hence-dddddd", false);
	char *foreign = make_old_session("other-eeeeee", true);
	char *name = str_format("%s/lock", alive);
	struct utimbuf old = {1000, 1000};
	int lock = open(name, O_RDWR);

	assert_int_equal(utime(ancient, &old), 0);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	folder_remove_stale(folder, "hence-", folder_remove);
	assert_false(exists(dead, ""));
	assert_false(exists(ancient, ""));
	assert_true(exists(alive, "lock"));
	assert_true(exists(fresh, ""));
	assert_true(exists(foreign, "lock"));
	close(lock);
	folder_remove_stale(folder, "hence-", folder_remove);
	assert_false(exists(alive, ""));
	folder_remove(fresh);
	folder_remove(foreign);
	free(name);
	free(dead);
	free(alive);
	free(fresh);
	free(ancient);
	free(foreign);
}

static void test_bad_folder(void **state)
{
	struct session_options options = {.tape_limit = 5 << 20};
	struct session session;
	struct hence_error *error;

	setenv("HENCE_TAPE_DIR", "/nonexistent/folder", 1);
	error = session_create(&options, &session);
	setenv("HENCE_TAPE_DIR", folder, 1);
	assert_non_null(error);
	assert_int_equal(error->kind, HENCE_ERROR_INPUT);
	assert_non_null(strstr(error->message, "/nonexistent/folder"));
	assert_non_null(strstr(error->message, "set HENCE_TAPE_DIR"));
	error_destroy(error);
}

/* A tape as a program might leave it: one module, then some bytes. */
static void write_tape(const struct session *session, uint32_t number, const char *bytes)
{
	struct {
		uint32_t tag, size;
		struct hence_module_record module;
	} record = {HENCE_MODULE, sizeof(record.module) + sizeof("/x/prog"), {.number = 0}};
	struct hence_head head = {.protocol = HENCE_PROTOCOL, .number = number, .parent = number};
	char *path = str_format("%s/%08u.tape", session->path, number);
	char *control = str_format("%s/control", session->path);
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	struct str stream = STR_INIT;

	str_add_bytes(&stream, &record, sizeof(record));
	str_add_bytes(&stream, "/x/prog", sizeof("/x/prog"));
	str_add(&stream, bytes);
	memcpy(head.magic, HENCE_TAPE_MAGIC, 8);
	head.base = (uint8_t *)0x10000;
	head.cur = head.base + HENCE_STREAM + stream.length;
	head.state = HENCE_ENDED;
	strcpy(head.program, "/x/prog");
	assert_true(pwrite(fd, &head, sizeof(head), 0) > 0);
	assert_true(pwrite(fd, stream.text, stream.length, HENCE_STREAM) > 0);
	ftruncate(fd, 1 << 20);
	close(fd);
	fd = open(control, O_RDWR);
	number++;
	assert_true(pwrite(fd, &number, 4, offsetof(struct hence_control, tapes)) == 4);
	close(fd);
	str_deinit(&stream);
	free(control);
	free(path);
}

static void test_tapes(void **state)
{
	struct session_options options = {.tape_limit = 5 << 20};
	struct repeat_difference difference;
	struct tapes first, second;
	struct session session;

	assert_null(session_create(&options, &session));
	write_tape(&session, 0, "same");
	write_tape(&session, 1, "abcd");
	assert_null(session_repeat(&session));
	write_tape(&session, 0, "same");
	write_tape(&session, 1, "abXd");
	assert_null(tapes_list(&session, true, &first));
	assert_null(tapes_list(&session, false, &second));
	assert_int_equal(first.list.size, 2);
	assert_string_equal(tape_program(&first.list.at[0]), "/x/prog");
	assert_string_equal(first.list.at[0].elfs.at[0], "/x/prog");
	assert_int_equal(tape_bytes(&first.list.at[0]),
	                 8 + sizeof(struct hence_module_record) + sizeof("/x/prog") + 4);
	assert_null(repeat_compare(&first, &second, &difference));
	assert_false(difference.same);
	assert_int_equal(difference.tape, 1);
	assert_null(difference.field);
	assert_int_equal(difference.offset, first.list.at[1].end - 2);
	second.list.at[1].head.argc = 3;
	assert_null(repeat_compare(&first, &first, &difference));
	assert_true(difference.same);
	assert_int_equal(difference.bytes,
	                 tape_bytes(&first.list.at[0]) + tape_bytes(&first.list.at[1]));
	second.list.size = 1;
	assert_null(repeat_compare(&first, &second, &difference));
	assert_false(difference.same);
	assert_string_equal(difference.field, "number of tapes");
	second.list.at[0].head.argc = 3;
	assert_null(repeat_compare(&first, &second, &difference));
	assert_string_equal(difference.field, "number of arguments");
	second.list.size = 2;
	tapes_deinit(&first);
	tapes_deinit(&second);
	session_destroy(&session);
}

static void test_damaged_tapes(void **state)
{
	struct session_options options = {.tape_limit = 5 << 20};
	struct session session;
	struct tapes tapes;
	char *path;
	int fd;

	assert_null(session_create(&options, &session));
	write_tape(&session, 0, "x");
	write_tape(&session, 1, "x");
	path = str_format("%s/00000000.tape", session.path);
	fd = open(path, O_RDWR);
	assert_true(pwrite(fd, "wild pointer", 12, 0) == 12);
	close(fd);
	free(path);
	path = str_format("%s/00000001.tape", session.path);
	assert_int_equal(truncate(path, 0), 0);
	free(path);
	assert_null(tapes_list(&session, false, &tapes));
	assert_int_equal(tapes.list.at[0].condition, TAPE_DAMAGED);
	assert_int_equal(tapes.list.at[1].condition, TAPE_EMPTY);
	assert_int_equal(tape_bytes(&tapes.list.at[0]), 0);
	tapes_deinit(&tapes);
	session_destroy(&session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create),        cmocka_unit_test(test_stale),
		cmocka_unit_test(test_bad_folder),    cmocka_unit_test(test_tapes),
		cmocka_unit_test(test_damaged_tapes),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
