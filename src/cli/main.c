/* The entry: chooses the subcommand. A new subcommand is a file in this folder, and listed here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/version.h"
#include "cli/commands.h"
#include "cli/options.h"

#define EXIT_USAGE 2

static const struct command cc = {.name = "cc",
                                  .usage = "hence cc ARGS...   (or: hence-cc ARGS...)",
                                  .summary =
                                          "compile and link as gcc or clang would, ready for hence",
                                  .raw = command_cc};
static const struct command build = {
	.name = "build",
	.usage = "hence build [--] COMMAND ARGS...",
	.summary = "run a build with cc, gcc and clang replaced by hence cc",
	.raw = command_build};

static const struct command *const commands[] = {
	&cc,
	&build,
	&command_explain,
	&command_fix,
	&command_run,
	&command_trace,
	&command_slice,
	&command_chop,
	&command_transitions,
	&command_chain,
	&command_compare,
	&command_switch,
	&command_tree,
	&command_reduce,
	&command_rank,
	&command_show,
	&command_verify,
	&command_gdb,
	&command_eval,
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static int fail_unknown(const char *name)
{
	const char *names[COMMANDS], *near;

	for (size_t i = 0; i < COMMANDS; i++)
		names[i] = commands[i]->name;
	near = cli_nearest(name, names, COMMANDS);
	if (near)
		fprintf(stderr, "hence: unknown command '%s'; did you mean '%s'?\n", name, near);
	else
		fprintf(stderr, "hence: unknown command '%s'; 'hence --help' lists them\n", name);
	return EXIT_USAGE;
}

static void print_help(FILE *out)
{
	fputs("hence explains why a C program failed.\n\nUsage: hence COMMAND ARGS...\n\n", out);
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-11s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n'hence help COMMAND' shows how to call one; 'hence --version' says which this "
	      "is.\n",
	      out);
}

/* `hence help [COMMAND]`; for completion also `hence help --options COMMAND`. */
static int help(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		print_help(stdout);
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "--options")) {
		command = find_command(argv[2]);
		if (command && command->bit)
			options_print_list(command, stdout);
		return 0;
	}
	command = find_command(argv[1]);
	if (!command)
		return fail_unknown(argv[1]);
	printf("%s\n\n%s: %s\n", command->usage, command->name, command->summary);
	printf("'hence %s --help' shows its options, the manual page hence-%s(1) has all.\n",
	       command->name, command->name);
	return 0;
}

static int version(void)
{
	unsigned major, minor, patch;

	LLVMGetVersion(&major, &minor, &patch);
	printf("hence %s (LLVM %u.%u.%u)\n", HENCE_VERSION, major, minor, patch);
	return 0;
}

/* The name that hence was called by, without its folder. */
static const char *own_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ? path : "hence";
}

static int dispatch(int argc, char **argv)
{
	const struct command *command = find_command(argv[0]);

	if (!strcmp(argv[0], "help") || !strcmp(argv[0], "--help") || !strcmp(argv[0], "-h"))
		return help(argc, argv);
	if (!strcmp(argv[0], "--version"))
		return version();
	if (!command)
		return fail_unknown(argv[0]);
	return cli_run(command, argc, argv);
}

int main(int argc, char **argv)
{
	if (strcmp(own_name(argv[0]), "hence-cc") == 0) {
		argv[0] = "cc";
		return cli_finish(command_cc(argc, argv));
	}
	if (argc < 2) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	return cli_finish(dispatch(argc - 1, argv + 1));
}
