/* Trials with files: what they may touch, what they find, and that everything is as it was after
 * each. */
#include <netinet/in.h>
#include <sys/socket.h>
#include <utime.h>

#include "trial/trial_tree.h"
#include "trial_run.h"

/* Attempts on the user's files, by their absolute names; each that succeeds says so. */
static char *attempts(int port)
{
	return str_format(
		"h=%s; t() { if \"$@\" 2>/dev/null; then echo \"did: $*\"; fi; }\n"
		"t sh -c \"echo x >$h/victim\"; t sh -c \"echo x >>$h/victim\"\n"
		"t rm $h/victim; t mv $h/victim $h/other; t ln $h/victim $h/link\n"
		"t ln -s a $h/symlink; t mkdir $h/dir; t rmdir $h/sub; t truncate -s 0 $h/victim\n"
		"t touch $h/new; t sh -c 'echo x >/tmp/hence-trial-leak'\n"
		"t mv $h/victim $TMPDIR/stolen; t mkfifo $h/fifo; t mknod $TMPDIR/dev c 1 1\n"
		"t sh -c \"sh -c 'echo x >$h/victim' & wait \\$!\"\n"
		"t setsid sh -c \"echo x >$h/victim\"\n"
		"t bash -c 'exec 3<>/dev/tcp/127.0.0.1/%d'\n"
		"t touch $TMPDIR/mine\n",
		home, port);
}

static void make_victim(void)
{
	put("victim", "precious\n");
	assert_int_equal(mkdir("sub", 0700), 0);
	chmod("sub", 0700);
}

static void check_victim(void)
{
	has("victim", "precious\n");
	assert_int_equal(access("sub", F_OK), 0);
	assert_int_equal(entries("."), 4);
	assert_int_equal(access("/tmp/hence-trial-leak", F_OK), -1);
	unlink("victim");
	rmdir("sub");
}

/* A socket that accepts connections, so that only the confinement can be why there is none. */
static int listen_somewhere(int *port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 5) ||
	    getsockname(fd, (struct sockaddr *)&address, &size))
		fail_msg("cannot listen");
	*port = ntohs(address.sin_port);
	return fd;
}

static void check_confined(bool as_test)
{
	int port, fd = listen_somewhere(&port);
	char *text = attempts(port);
	struct pool pool;

	make_victim();
	shell(&pool, as_test ? "" : text);
	pool.options.test = as_test ? text : NULL;
	start(&pool);
	assert_int_equal(strncmp(str_text(&pool.first.output), "did: touch ", 11), 0);
	assert_non_null(strstr(pool.first.output.text, "/tmp/mine\n"));
	assert_null(strstr(pool.first.output.text + 11, "did:"));
	stop(&pool);
	check_victim();
	close(fd);
	free(text);
}

static void test_confined(void **state)
{
	check_confined(false);
}

static void test_confined_test(void **state)
{
	check_confined(true);
}

/* The attempts are real ones. */
static void test_attempts(void **state)
{
	int port, fd = listen_somewhere(&port), lines = 0;
	char *text = attempts(port), line[256];
	FILE *out;

	make_victim();
	setenv("TMPDIR", base, 1);
	put("script", text);
	out = popen("sh ./script", "r");
	while (fgets(line, sizeof(line), out))
		lines += !strncmp(line, "did:", 4);
	pclose(out);
	unsetenv("TMPDIR");
	assert_true(lines >= 12);
	assert_int_equal(system("rm -rf ./* ../stolen ../dev ../mine /tmp/hence-trial-leak"), 0);
	close(fd);
	free(text);
}

/* A program that writes beside its input gets a copy of the directory, as it was, each time. */
static void test_copy(void **state)
{
	static const char text[] =
		"ls -R | sort; cat keep data sub/deep; [ -x tool ] && echo tool; readlink link\n"
		"echo changed >keep; rm gone; touch new; mkdir -p dir/in; rm -r sub; chmod -x "
		"tool\n"
		"ln -sf elsewhere link; rm fifo 2>/dev/null; mv data data2; touch ../up; exit 1";
	struct trial_result result;
	struct pool pool;

	put("keep", "kept\n");
	put("data", "d\n");
	put("gone", "");
	script("tool", "");
	assert_int_equal(mkdir("sub", 0755), 0);
	put("sub/deep", "deep\n");
	assert_int_equal(symlink("keep", "link"), 0);
	shell(&pool, text);
	input_add_bytes(&pool.input, INPUT_FILE, "./data", "varied\n", 7);
	start(&pool);
	assert_non_null(strstr(str_text(&pool.first.output), "kept\nvaried\ndeep\ntool\nkeep\n"));
	for (int i = 0; i < 3; i++) {
		again(&pool, &result);
		assert_string_equal(str_text(&result.output), str_text(&pool.first.output));
		trial_result_deinit(&result);
	}
	has("keep", "kept\n");
	has("data", "d\n");
	assert_int_equal(access("gone", F_OK), 0);
	assert_int_equal(access("new", F_OK), -1);
	stop(&pool);
	assert_int_equal(system("rm -rf ./*"), 0);
}

/* Without varied files, a copy is made only when the program needs it. */
static void test_needs_copy(void **state)
{
	struct pool pool;

	put("keep", "kept\n");
	shell(&pool, "echo x >out && cat out keep && pwd");
	start(&pool);
	assert_int_equal(pool.first.outcome.status, 0);
	assert_int_equal(strncmp(str_text(&pool.first.output), "x\nkept\n", 7), 0);
	/* What it says of its directory is what the user calls it. */
	assert_non_null(strstr(pool.first.output.text, home));
	stop(&pool);
	assert_int_equal(access("out", F_OK), -1);
	unlink("keep");
}

/* A file elsewhere: the argument that names it names a copy. */
static void test_outside(void **state)
{
	char *path = str_format("%s/data", base), *option = str_format("--in=%s", path);
	struct trial_result result;
	struct pool pool;

	put(path, "real\n");
	shell(&pool, "cat \"$0\" \"${1#--in=}\"; echo \"$1\"; echo x >$0");
	say(&pool.input, path);
	say(&pool.input, option);
	input_add_bytes(&pool.input, INPUT_FILE, path, "varied\n", 7);
	start(&pool);
	for (int i = 0; i < 2; i++) {
		char *wanted = str_format("varied\nvaried\n--in=%s\n", path);

		again(&pool, &result);
		assert_string_equal(str_text(&result.output), wanted);
		trial_result_deinit(&result);
		free(wanted);
	}
	has(path, "real\n");
	stop(&pool);
	shell(&pool, "exit 1");
	input_add_bytes(&pool.input, INPUT_FILE, path, "varied\n", 7);
	refused(&pool, "no argument names it");
	unlink(path);
	free(option);
	free(path);
}

/* A link that leads out of the directory must not lead us out either. */
static void test_link_out(void **state)
{
	char *folder = str_format("%s/far", base), *path = str_format("%s/data", folder);
	struct pool pool;

	assert_int_equal(mkdir(folder, 0700), 0);
	put(path, "real\n");
	assert_int_equal(symlink(folder, "near"), 0);
	shell(&pool, "cat $0");
	say(&pool.input, "near/data");
	input_add_bytes(&pool.input, INPUT_FILE, "near/data", "varied\n", 7);
	start(&pool);
	assert_string_equal(str_text(&pool.first.output), "varied\n");
	has(path, "real\n");
	stop(&pool);
	unlink("near");
	assert_int_equal(trial_scratch_remove(folder), 0);
	free(folder);
	free(path);
}

/* The scratch directory may lie in the directory that is copied into it, beside tapes that are
   too large for a copy. */
static void test_scratch_inside(void **state)
{
	struct pool pool;

	put("keep", "kept\n");
	assert_int_equal(mkdir("tapes", 0700), 0);
	assert_int_equal(mkdir("tapes/hence-abcdef", 0700), 0);
	put("tapes/hence-abcdef/lock", "");
	put("tapes/hence-abcdef/1", "");
	assert_int_equal(truncate("tapes/hence-abcdef/1", 1ll << 30), 0);
	setenv("HENCE_TAPE_DIR", "tapes", 1);
	shell(&pool, "touch new && ls . tapes");
	start(&pool);
	assert_string_equal(str_text(&pool.first.output), ".:\nkeep\nnew\ntapes\n\ntapes:\n");
	stop(&pool);
	setenv("HENCE_TAPE_DIR", tapes, 1);
	assert_int_equal(trial_scratch_remove("tapes"), 0);
	unlink("keep");
}

static void test_program_in_copy(void **state)
{
	struct pool pool;

	script("prog", "echo \"$0\"; cat data");
	put("data", "");
	pool = (struct pool){.options = {.program = "./prog", .name = "./prog", .workers = 1}};
	pool.options.input = &pool.input;
	say(&pool.input, "data");
	input_add_bytes(&pool.input, INPUT_FILE, "data", "varied\n", 7);
	start(&pool);
	assert_non_null(strstr(str_text(&pool.first.output), "varied\n"));
	stop(&pool);
	unlink("prog");
	unlink("data");
}

/* The same size, put right within the clock's tick. */
static void test_tree(void **state)
{
	struct stat before, after;
	struct trial_tree tree;
	char *from = str_format("%s/from", base), *to = str_format("%s/to", base);
	char *file = str_format("%s/file", from), *copy = str_format("%s/file", to);

	assert_int_equal(mkdir(from, 0700), 0);
	put(file, "abc");
	chmod(file, 0640);
	assert_null(trial_tree_create(from, to, &tree));
	stat(file, &before);
	stat(copy, &after);
	assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	assert_int_equal(after.st_mode & 0777, 0640);
	for (int i = 0; i < 20; i++) {
		put(copy, "xyz");
		assert_null(trial_tree_restore(&tree));
		has(copy, "abc");
	}
	chmod(copy, 0600);
	assert_null(trial_tree_restore(&tree));
	stat(copy, &after);
	assert_int_equal(after.st_mode & 0777, 0640);
	assert_int_equal(trial_scratch_remove(to), 0);
	assert_null(trial_tree_restore(&tree));
	has(copy, "abc");
	unlink(copy);
	assert_int_equal(mkdir(copy, 0),
	                 0); /* a directory that cannot be read, in place of the file */
	assert_null(trial_tree_restore(&tree));
	has(copy, "abc");
	trial_tree_deinit(&tree);
	assert_int_equal(trial_scratch_remove(from), 0);
	assert_int_equal(trial_scratch_remove(to), 0);
	free(from);
	free(to);
	free(file);
	free(copy);
}

static void test_too_large(void **state)
{
	struct pool pool;

	put("data", "x");
	assert_int_equal(truncate("data", (off_t)TREE_MOST_BYTES + 1), 0);
	shell(&pool, "exit 3");
	input_add_bytes(&pool.input, INPUT_FILE, "data", "x", 1);
	refused(&pool, "too large to be copied");
	/* When nothing needs the copy, it goes without. */
	shell(&pool, "exit 3");
	start(&pool);
	assert_int_equal(pool.first.outcome.status, 3);
	assert_non_null(strstr(trials_note(pool.trials), "too large"));
	stop(&pool);
	unlink("data");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_confined),        cmocka_unit_test(test_confined_test),
		cmocka_unit_test(test_attempts),        cmocka_unit_test(test_copy),
		cmocka_unit_test(test_needs_copy),      cmocka_unit_test(test_outside),
		cmocka_unit_test(test_link_out),        cmocka_unit_test(test_scratch_inside),
		cmocka_unit_test(test_program_in_copy), cmocka_unit_test(test_tree),
		cmocka_unit_test(test_too_large),
	};

	return cmocka_run_group_tests(tests, enter_home, leave_home);
}
