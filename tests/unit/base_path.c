/* base/path.h: where files really lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/path.h"

static void check(const char *path, const char *folder, const char *expected)
{
	char *rest = path_within(path, folder);

	if (expected)
		assert_string_equal(rest ? rest : "(nowhere)", expected);
	else
		assert_null(rest);
	assert_int_equal(path_is_within(path, folder), expected != NULL);
	free(rest);
}

static void within(void **state)
{
	char top[] = "/tmp/hence-path-XXXXXX";

	assert_non_null(mkdtemp(top));
	assert_int_equal(chdir(top), 0);
	assert_int_equal(mkdir("a", 0700) | mkdir("a/b", 0700) | mkdir("ab", 0700), 0);
	assert_int_equal(symlink("/", "out") | symlink("a/b", "in") | symlink("none", "broken"), 0);
	check("a/b", ".", "a/b");
	check("a/b", "a", "b");
	check("./a//../a/b/", top, "a/b");
	check("in", ".", "a/b");
	check("in/..", ".", "a");
	check("a", "in/..", "");
	check(".", ".", "");
	check("ab", "a", NULL); /* only begins like it */
	check("..", ".", NULL);
	check("out", ".", NULL);
	check("out/etc", ".", NULL);
	check("/etc", "/", "etc");
	check("/", "/", "");
	check("broken", ".", NULL);
	check("missing", ".", NULL);
	check("a", "missing", NULL);
	unlink("out");
	unlink("in");
	unlink("broken");
	rmdir("a/b");
	rmdir("a");
	rmdir("ab");
	assert_int_equal(rmdir(top), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(within)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
