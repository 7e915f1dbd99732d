/* The entry: chooses the subcommand. A new subcommand is a file in this folder and a row here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/version.h"
#include "cli/commands.h"

#define EXIT_USAGE 2

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *usage;
	const char *help; /* one line, for the list */
};

static const struct command commands[] = {
	{"cc", command_cc, "hence cc ARGS...   (or: hence-cc ARGS...)",
         "compile and link as gcc or clang would, ready for hence"},
	{"build", command_build, "hence build [--] COMMAND ARGS...",
         "run a build with cc, gcc and clang replaced by hence cc"},
	{"explain", command_explain,
         "hence explain [OPTIONS] -- PROGRAM ARGS...   (or: hence explain [OPTIONS] FILE.c ... -- "
         "ARGS...)",
         "explain why a program failed: a chain of causes, each proven by experiment"},
	{"fix", command_fix,
         "hence fix [OPTIONS] -- PROGRAM ARGS...   (or: hence fix [OPTIONS] FILE.c ... -- ARGS...)",
         "find small changes of the code with which a failing program passes"},
	{"run", command_run, "hence run [OPTIONS] -- PROGRAM ARGS...",
         "run a program, record it, and say how it went"},
	{"trace", command_trace, "hence trace [OPTIONS] -- PROGRAM ARGS...",
         "run a program, and print each statement that it executed"},
	{"slice", command_slice, "hence slice [OPTIONS] -- PROGRAM ARGS...",
         "show the statements that a failure, a value or an output came from"},
	{"chop", command_chop, "hence chop [OPTIONS] -- PROGRAM ARGS...",
         "show the code between the input that decides and the failure"},
	{"transitions", command_transitions, "hence transitions [OPTIONS] -- PROGRAM ARGS...",
         "show where the cause of a failure moves from one variable to another"},
	{"chain", command_chain, "hence chain [OPTIONS] -- PROGRAM ARGS...",
         "show the chain of definitions and branches that leads to a failure"},
	{"compare", command_compare, "hence compare [OPTIONS] -- PROGRAM ARGS...",
         "show which values bring about a failure, and what brought them about, step by step"},
	{"switch", command_switch, "hence switch [OPTIONS] -- PROGRAM ARGS...",
         "find branches that make a failing program pass when they go the other way"},
	{"tree", command_tree,
         "hence tree [OPTIONS] -- PROGRAM ARGS...   (or: hence tree [OPTIONS] FILE.c ... -- "
         "ARGS...)",
         "show all potential causes of a failure as a tree, from the failing run alone"},
	{"reduce", command_reduce, "hence reduce [OPTIONS] -- PROGRAM ARGS...",
         "find the smallest input with which a program still fails"},
	{"rank", command_rank, "hence rank [OPTIONS] --tests FILE",
         "say where to look first, from a test suite and the causes of its failures"},
	{"show", command_show, "hence show [OPTIONS] REPORT",
         "print a saved report again, in any format"},
	{"verify", command_verify, "hence verify [OPTIONS] REPORT",
         "make the experiments of a saved report again, and say which still hold"},
	{"gdb", command_gdb, "hence gdb REPORT STEP [-- GDB-ARGS...]",
         "open gdb on the program, stopped at the moment of a step"},
	{"eval", command_eval, "hence eval [OPTIONS] MANIFEST.json",
         "measure how good explanations are, on programs whose faults are known"},
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static int fail_unknown(const char *name)
{
	const char *names[COMMANDS], *near;

	for (size_t i = 0; i < COMMANDS; i++)
		names[i] = commands[i].name;
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
		fprintf(out, "  %-11s %s\n", commands[i].name, commands[i].help);
	fputs("\n'hence help COMMAND' shows how to call one; 'hence --version' says which this "
	      "is.\n",
	      out);
}

static int help(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		print_help(stdout);
		return 0;
	}
	command = find_command(argv[1]);
	if (!command)
		return fail_unknown(argv[1]);
	printf("%s\n\n%s: %s\n", command->usage, command->name, command->help);
	printf("'hence %s --help' shows its options, the manual page hence-%s(1) tells all.\n",
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

	if (command)
		return command->run(argc, argv);
	if (!strcmp(argv[0], "help") || !strcmp(argv[0], "--help") || !strcmp(argv[0], "-h"))
		return help(argc, argv);
	if (!strcmp(argv[0], "--version"))
		return version();
	return fail_unknown(argv[0]);
}

/* What was printed may lie in a buffer: a full disk shows only now. */
static int finish(int code)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	perror("hence: cannot write to standard output");
	return code ? code : HENCE_ERROR_INTERNAL;
}

int main(int argc, char **argv)
{
	if (strcmp(own_name(argv[0]), "hence-cc") == 0) {
		argv[0] = "cc";
		return finish(command_cc(argc, argv));
	}
	if (argc < 2) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	return finish(dispatch(argc - 1, argv + 1));
}
