/* Running clang: see clang.h. */
#include "cc/clang.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "cc/args.h"
#include "cc/child.h"
#include "cc/words.h"

/* ------ options that clang rejects ------ */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The messages that name an option which can be left out, up to the quote before its name. */
static const char *const messages_known[] = {
	"unknown argument: '",
	"unknown argument '",
	"unsupported option '",
	"the clang compiler does not support '",
};

/* Here the quotes hold the option's value, and the option itself comes next. */
static const char value_first[] = "unsupported argument '";
static const char value_then[] = "' to option '";

/* A line without the escape sequences that colour it. */
static void strip_colours(const char *line, size_t length, struct str *plain)
{
	for (size_t i = 0; i < length; i++) {
		if (line[i] != '\033') {
			str_add_char(plain, line[i]);
			continue;
		}
		while (i + 1 < length && line[i] != 'm')
			i++;
	}
}

/* The text up to `end`, or NULL. Caller frees. */
static char *cut(const char *text, const char *end)
{
	const char *at = strstr(text, end);

	return at ? mem_strndup(text, (size_t)(at - text)) : NULL;
}

/* Whether an item is the option that clang names; it names some up to the '=' only. */
static bool is_named(const struct cc_item *item, const char *name, const char *value)
{
	size_t length = strlen(name);

	if (item->kind == CC_INPUT || item->dropped || !*name)
		return false;
	if (value)
		return args_begins(item->text, name) &&
		       !strcmp(item->value ? item->value : item->text + length, value);
	if (name[length - 1] == '=')
		return args_begins(item->text, name);
	return !strcmp(item->text, name);
}

static bool drop(struct cc_args *args, const char *name, const char *value, struct cc_words *told)
{
	bool any = false;

	for (uint32_t i = 0; i < args->items.size; i++) {
		struct cc_item *item = &args->items.at[i];

		if (!is_named(item, name, value))
			continue;
		item->dropped = true;
		any = true;
		words_add_once(told, item->text);
	}
	return any;
}

/* `text` is a message without its 'clang: error: '. */
static bool drop_for_message(struct cc_args *args, const char *text, struct cc_words *told)
{
	char *name = NULL;
	char *value = NULL;
	bool any;

	for (size_t i = 0; i < COUNT(messages_known) && !name; i++)
		if (args_begins(text, messages_known[i]))
			name = cut(text + strlen(messages_known[i]), "'");
	if (args_begins(text, value_first)) {
		value = cut(text + strlen(value_first), value_then);
		if (value)
			name = cut(strstr(text, value_then) + strlen(value_then), "'");
	}
	any = name && drop(args, name, value, told);
	free(name);
	free(value);
	return any;
}

/* Only the driver's own messages count: a source file can make clang say anything. */
static const char *driver_error(const char *line, const char *program)
{
	size_t length = strlen(program);

	if (strncmp(line, program, length) || !args_begins(line + length, ": error: "))
		return NULL;
	return line + length + strlen(": error: ");
}

/*
 * Reads clang's messages for options that it rejects, marks those as dropped, and appends their
 * names to `told`. `program` is the name that begins its messages. False if there was none to drop.
 */
static bool reject_drop(struct cc_args *args, const char *program, const char *messages,
                        struct cc_words *told)
{
	bool any = false;

	while (*messages) {
		size_t length = strcspn(messages, "\n");
		struct str line = STR_INIT;
		const char *text;

		strip_colours(messages, length, &line);
		text = driver_error(str_text(&line), program);
		if (text && drop_for_message(args, text, told))
			any = true;
		str_deinit(&line);
		messages += length + (messages[length] == '\n');
	}
	return any;
}

/* Warnings of clang that gcc 12 has as well, by the same name or by another. */
/* clang-format off */
static const char *const shared[] = {
	"#warnings", "absolute-value", "address-of-packed-member", "alloca", "array-bounds",
	"array-compare", "array-parameter", "attribute-warning", "bad-function-cast",
	"bitwise-op-parentheses", "bool-operation", "builtin-macro-redefined",
	"builtin-requires-header", "c++-compat", "c11-extensions", "c23-extensions",
	"c99-extensions", "cast-align", "cast-qual", "char-subscripts", "comment",
	"compare-distinct-pointer-types", "constant-conversion", "conversion", "dangling-else",
	"date-time", "declaration-after-statement", "deprecated", "deprecated-declarations",
	"division-by-zero", "double-promotion", "duplicate-decl-specifier", "empty-body",
	"enum-compare", "excess-initializers", "expansion-to-defined", "extern-initializer",
	"extra-tokens", "float-conversion", "float-equal", "format", "format-extra-args",
	"format-insufficient-args", "format-invalid-specifier", "format-nonliteral",
	"format-overflow", "format-pedantic", "format-security", "format-signedness",
	"format-truncation", "format-zero-length", "frame-address", "frame-larger-than",
	"free-nonheap-object", "gnu-folding-constant", "ignored-attributes", "ignored-qualifiers",
	"implicit-fallthrough", "implicit-function-declaration", "implicit-int",
	"implicit-int-conversion", "implicit-int-float-conversion", "implicitly-unsigned-literal",
	"incompatible-function-pointer-types", "incompatible-library-redeclaration",
	"incompatible-pointer-types", "incompatible-pointer-types-discards-qualifiers",
	"infinite-recursion", "initializer-overrides", "int-conversion", "int-in-bool-context",
	"int-to-pointer-cast", "int-to-void-pointer-cast", "integer-overflow", "invalid-noreturn",
	"jump-misses-init", "logical-not-parentheses", "logical-op-parentheses", "long-long",
	"macro-redefined", "main", "main-return-type", "memset-transposed-args",
	"misleading-indentation", "missing-braces", "missing-declarations",
	"missing-field-initializers", "missing-format-attribute", "missing-include-dirs",
	"missing-noreturn", "missing-prototypes", "multichar", "nonnull", "null-character",
	"null-dereference", "overlength-strings", "packed", "padded", "parentheses", "pedantic",
	"pointer-arith", "pointer-compare", "pointer-integer-compare", "pointer-sign",
	"pointer-to-int-cast", "pointer-type-mismatch", "pragmas", "return-mismatch",
	"return-stack-address", "return-type", "shadow", "shift-count-negative",
	"shift-count-overflow", "shift-negative-value", "shift-op-parentheses", "shift-overflow",
	"shorten-64-to-32", "sign-compare", "sign-conversion", "sizeof-array-argument",
	"sizeof-array-div", "sizeof-pointer-div", "sizeof-pointer-memaccess",
	"sometimes-uninitialized", "strict-prototypes", "string-compare", "switch", "switch-bool",
	"switch-default", "switch-enum", "tautological-compare", "trigraphs",
	"trivial-auto-var-init", "undef", "undefined-inline", "undefined-internal", "uninitialized",
	"unknown-attributes", "unknown-escape-sequence", "unknown-pragmas", "unreachable-code",
	"unsequenced", "unused-but-set-parameter", "unused-but-set-variable", "unused-comparison",
	"unused-const-variable", "unused-function", "unused-label", "unused-local-typedef",
	"unused-macros", "unused-parameter", "unused-result", "unused-value", "unused-variable",
	"varargs", "variadic-macros", "visibility", "vla", "void-pointer-to-int-cast",
};
/* clang-format on */

/* Must this warning stay an error under -Werror? */
static bool is_wanted(const struct cc_args *args, const char *name)
{
	char *asked = str_format("-Werror=%s", name);
	bool wanted = args_has(args, asked);

	free(asked);
	for (size_t i = 0; i < COUNT(shared) && !wanted; i++)
		wanted = !strcmp(shared[i], name);
	return wanted;
}

/*
 * Reads clang's messages for warnings that -Werror made errors but gcc does not have, and appends -Wno-error=NAME
 * for each to `forgiven`, unless the user names it in a -Werror=NAME. False if there was no new one.
 */
static bool reject_forgive(const struct cc_args *args, const char *messages,
                           struct cc_words *forgiven)
{
	static const char mark[] = "[-Werror,-W";
	uint32_t before = forgiven->list.size;

	while ((messages = strstr(messages, mark))) {
		char *name = cut(messages += strlen(mark), "]");

		if (name && !is_wanted(args, name)) {
			char *option = str_format("-Wno-error=%s", name);

			words_add_once(forgiven, option);
			free(option);
		}
		free(name);
	}
	return forgiven->list.size > before;
}

/* ------ running clang ------ */

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
