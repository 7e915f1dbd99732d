/* Running clang: see clang.h. */
#include "cc/clang.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "cc/child.h"
#include "cc/reject.h"
#include "cc/response.h"

#define QUOTE_(x)  #x
#define QUOTE(x)   QUOTE_(x)
#define CLANG_NAME "clang-" QUOTE(HENCE_LLVM)

#define LONG_LINE 65536 /* bytes of command line from which a response file is used */

static bool is_program(const char *path)
{
	struct stat info;

	return !stat(path, &info) && S_ISREG(info.st_mode) && !access(path, X_OK);
}

static bool has_mark(const char *folder)
{
	char *mark = str_format("%s/" CLANG_MARK, folder);
	bool there = !access(mark, F_OK);

	free(mark);
	return there;
}

/* The path of a program in the folders of PATH, or NULL. Caller frees. */
static char *search_path(const char *name)
{
	const char *path = getenv("PATH");
	char *folders = mem_strdup(path ? path : "/usr/local/bin:/usr/bin:/bin");
	char *rest = folders;
	char *found = NULL;

	for (char *folder = strsep(&rest, ":"); folder && !found; folder = strsep(&rest, ":")) {
		char *candidate = str_format("%s/%s", *folder ? folder : ".", name);

		if (is_program(candidate) && !has_mark(*folder ? folder : "."))
			found = candidate;
		else
			free(candidate);
	}
	free(folders);
	return found;
}

struct hence_error *clang_find(char **path)
{
	const char *wish = getenv("HENCE_CLANG");
	char *found;

	if (wish && strchr(wish, '/'))
		found = is_program(wish) ? mem_strdup(wish) : NULL;
	else
		found = search_path(wish && *wish ? wish : CLANG_NAME);
	if (!found && !(wish && *wish) &&
	    is_program("/usr/lib/llvm-" QUOTE(HENCE_LLVM) "/bin/clang"))
		found = mem_strdup("/usr/lib/llvm-" QUOTE(HENCE_LLVM) "/bin/clang");
	if (!found && wish && *wish)
		return error_create(HENCE_ERROR_INPUT,
		                    "HENCE_CLANG names no program that can be run: %s", wish);
	if (!found)
		return error_create(HENCE_ERROR_INPUT,
		                    CLANG_NAME " was not found; install it "
		                               "or set HENCE_CLANG to the path of one");
	*path = found;
	return NULL;
}

/* Puts the words into a response file if they are too many for an exec. */
static struct hence_error *shorten(struct clang_run *run, struct cc_words *words)
{
	struct hence_error *error;
	size_t size = 0;
	char *path;

	for (uint32_t i = 0; i < words->list.size; i++)
		size += strlen(words->list.at[i]) + 1;
	if (size < LONG_LINE)
		return NULL;
	path = str_format("%s/%u.args", run->scratch, run->files++);
	error = response_write(words, path);
	if (!error) {
		words_deinit(words);
		words_take(words, str_format("@%s", path));
	}
	free(path);
	return error;
}

static struct hence_error *run_captured(struct clang_run *run, struct cc_words *words, int errors,
                                        int *status)
{
	struct hence_error *error = shorten(run, words);
	struct cc_words line = {VEC_INIT};

	if (error)
		return error;
	words_add(&line, run->clang);
	for (uint32_t i = 0; i < words->list.size; i++)
		words_add(&line, words->list.at[i]);
	error = child_run(words_argv(&line), errors, status);
	words_deinit(&line);
	return error;
}

static struct hence_error *read_back(int fd, struct str *text)
{
	char block[8192];
	ssize_t got;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot read clang's messages");
	while ((got = read(fd, block, sizeof(block))) > 0)
		str_add_bytes(text, block, (size_t)got);
	if (got < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot read clang's messages");
	return NULL;
}

/* Runs clang once; what it wrote to stderr goes to `said`. */
static struct hence_error *run_once(struct clang_run *run, clang_words *build, const void *context,
                                    struct str *said, int *status)
{
	struct cc_words words = {VEC_INIT};
	char *path = str_format("%s/%u.errors", run->scratch, run->files++);
	int errors = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
	struct hence_error *error;

	if (errors < 0) {
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", path);
		free(path);
		return error;
	}
	build(run, context, &words);
	error = run_captured(run, &words, errors, status);
	if (!error)
		error = read_back(errors, said);
	close(errors);
	unlink(path);
	free(path);
	words_deinit(&words);
	return error;
}

/* Passes clang's messages on, with our own files under the names that the user knows. */
static void show(const struct clang_run *run, const struct str *said)
{
	struct str text = STR_INIT;

	for (const char *at = str_text(said); *at;) {
		size_t skip = 0;

		for (uint32_t i = 0; i < run->hidden.list.size && !skip; i++) {
			if (!args_begins(at, run->hidden.list.at[i]))
				continue;
			skip = strlen(run->hidden.list.at[i]);
			str_add(&text, run->shown.list.at[i]);
		}
		if (!skip)
			str_add_char(&text, *at);
		at += skip ? skip : 1;
	}
	if (strstr(str_text(said), "function definition is not allowed here"))
		str_add(&text, "hence cc: functions within functions are an extension of gcc that "
		               "clang does not have; move them to the top level\n");
	if (text.length)
		run->diagnostics(text.text, text.length);
	str_deinit(&text);
}

static struct hence_error *judge(const struct clang_run *run, int status, int *code)
{
	if (WIFSIGNALED(status) && !child_caught())
		return error_create(HENCE_ERROR_INTERNAL, "%s died of a signal: %s", run->clang,
		                    strsignal(WTERMSIG(status)));
	*code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return NULL;
}

struct hence_error *clang_run(struct clang_run *run, clang_words *build, const void *context,
                              int *code)
{
	for (;;) {
		struct str said = STR_INIT;
		struct hence_error *error;
		int status = 0;
		bool again;

		error = run_once(run, build, context, &said, &status);
		if (error) {
			str_deinit(&said);
			return error;
		}
		/* Each round drops or adds at least one option, so this ends. */
		again = WIFEXITED(status) && WEXITSTATUS(status) &&
		        (reject_drop(run->args, args_base(run->clang), str_text(&said),
		                     run->told) ||
		         reject_forgive(run->args, str_text(&said), &run->forgiven));
		if (!again) {
			show(run, &said);
			error = judge(run, status, code);
		}
		str_deinit(&said);
		if (!again)
			return error;
	}
}
