/* hence cc: the compiler. Also reached as hence-cc. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <llvm-c/Core.h>

#include "base/guard.h"
#include "base/installed.h"
#include "cc/clang.h"
#include "cc/driver.h"
#include "base/version.h"
#include "cli/commands.h"

static void print_note(const char *text)
{
	fprintf(stderr, "hence cc: note: %s\n", text);
}

static void print_diagnostics(const char *bytes, size_t size)
{
	fwrite(bytes, 1, size, stderr);
}

static bool shows_colours(void)
{
	const char *none = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	return isatty(STDERR_FILENO) && !(none && *none) && terminal && strcmp(terminal, "dumb");
}

/* Builds look at the code of a compiler: 1 for what is wrong with the input. */
static int fail(struct hence_error *error)
{
	int code = error->kind == HENCE_ERROR_INTERNAL ? 4 : 1;

	fprintf(stderr, "hence cc: %s\n", error->message);
	error_destroy(error);
	return code;
}

int command_cc(int argc, char **argv)
{
	struct cc_tools tools = {.runtime = installed_runtime_library(),
	                         .colours = shows_colours(),
	                         .note = print_note,
	                         .diagnostics = print_diagnostics};
	char *clang GUARD_FREE = NULL;
	struct hence_error *error = clang_find(&clang);
	int code = 0;

	for (int i = 1; i < argc && !error; i++)
		if (!strcmp(argv[i], "--version")) {
			/* Tools such as Meson take the first version that they read for the compiler's: so LLVM's comes
			   first, which is clang's. */
			unsigned major, minor, patch;

			LLVMGetVersion(&major, &minor, &patch);
			printf("hence cc (LLVM %u.%u.%u) of hence " HENCE_VERSION "\n", major,
			       minor, patch);
		}
	tools.clang = clang;
	if (!error)
		error = cc_main(&tools, argc, argv, &code);
	return error ? fail(error) : code;
}
