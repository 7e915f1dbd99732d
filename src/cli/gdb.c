/* `hence gdb`: opens gdb at the moment of a step of a saved report. */
#include "cli/gdb.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.h"

static const char help[] =
	"hence gdb [OPTIONS] REPORT STEP [-- GDB-ARGS...]\n"
	"\n"
	"Opens gdb on the program of a saved report, with its arguments, input and variables, "
	"stopped at\n"
	"the moment of a step in the failing run, with the variables of the step displayed. What "
	"stands\n"
	"behind -- is for gdb. The program is confined, as in all runs: it writes to a scratch "
	"directory\n"
	"only. It runs in its own directory, or, if it wrote there or files are part of the input "
	"(--file),\n"
	"in a copy of that, which is removed when gdb ends.\n"
	"\n"
	"  --reference         stop in the run that the failing one is compared with\n"
	"  --batch             print what is displayed, and end\n"
	"  --anyway            use a program that was rebuilt since\n"
	"  --unconfined        let the program do what you may do; also for a report that was made "
	"so\n"
	"  --help              this text\n";

/* --- the command line --- */

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	static const char *const names[] = {"--reference", "--batch", "--anyway", "--unconfined",
	                                    "--help"};
	struct gdb_command *c = context;

	if (!strcmp(name, "--reference"))
		c->reference = true;
	else if (!strcmp(name, "--batch"))
		c->batch = true;
	else if (!strcmp(name, "--anyway"))
		c->trust.anyway = true;
	else if (!strcmp(name, "--unconfined"))
		c->trust.unconfined = true;
	else if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		c->help = true;
	else
		return words_unknown(words, name, names, sizeof(names) / sizeof(*names));
	return NULL;
}

static struct hence_error *take_step(const char *word, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoull(word, &end, 10);
	if (*end || errno || !*out || *word == '-')
		return error_create(HENCE_ERROR_INPUT, "%s is no step; steps are counted from 1",
		                    word);
	return NULL;
}

/* Options may stand anywhere before '--'. */
static struct hence_error *parse(char **argv, struct gdb_command *out)
{
	struct words words = {argv + 1, NULL, "gdb"};
	struct hence_error *error = NULL;
	const char *given[2] = {NULL, NULL};

	for (unsigned i = 0; i < 3 && !error && !out->help; i++) {
		error = words_read(&words, take, out);
		if (!error && i < 2 && *words.at && strcmp(words.at[-1], "--"))
			given[i] = *words.at++;
	}
	if (error || out->help)
		return error;
	if (!given[0] || !given[1])
		return error_create(HENCE_ERROR_INPUT,
		                    "no %s given; use 'hence gdb [OPTIONS] REPORT STEP [-- "
		                    "GDB-ARGS...]'",
		                    given[0] ? "step" : "report");
	if (*words.at && strcmp(words.at[-1], "--"))
		return error_create(HENCE_ERROR_INPUT, "what is %s? Put what is for gdb behind --",
		                    *words.at);
	out->path = given[0];
	out->words = words.at;
	return take_step(given[1], &out->step);
}

static struct hence_error *find_gdb(char **out)
{
	struct hence_error *error = executable_locate("gdb", out);

	if (!error)
		return NULL;
	error_destroy(error);
	return error_create(HENCE_ERROR_INPUT,
	                    "there is no gdb in PATH; install it (the package is called gdb)");
}

/* --- gdb itself --- */

struct gdb_argv {
	VEC(char *) at;
};

static void add(struct gdb_argv *argv, const char *word)
{
	*vec_push(&argv->at) = mem_strdup(word);
}

/* Takes the text, which has a command on each line. */
static void add_commands(struct gdb_argv *argv, char *text)
{
	char *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		add(argv, "-ex");
		add(argv, line);
	}
	free(text);
}

/* Each display is a command of its own: one that gdb refuses ends none of the others. */
static void add_displays(const struct explanation *report, const struct explanation_step *step,
                         bool reference, struct gdb_argv *argv)
{
	bool edited = false;

	for (uint32_t i = 0; i < report->fixes.size && reference && report->reference.edit; i++) {
		const struct explanation_fix *fix = &report->fixes.at[i];

		edited |= !strcmp(fix->edit, report->reference.edit) && step->kind &&
		          !strcmp(step->kind, "branch") && step->at.file && fix->at.file &&
		          !strcmp(step->at.file, fix->at.file) && step->at.line == fix->at.line;
	}
	for (uint32_t i = 0; i < step->values.size; i++) {
		if (step->observed && !step->values.at[i].name)
			continue;
		add_commands(argv, gdb_display(step, &step->values.at[i], reference, edited));
	}
}

static bool is_batch(const struct gdb_command *command)
{
	for (char **word = command->words; *word; word++)
		if (!strcmp(*word, "-batch") || !strcmp(*word, "--batch"))
			return true;
	return command->batch;
}

static void make_argv(const struct gdb_command *command, const struct again *again, const char *gdb,
                      const char *script, struct gdb_argv *argv)
{
	const struct recipe *recipe = again->recipe;
	bool other = command->reference && recipe->kind == RECIPE_PROGRAM;

	add(argv, gdb);
	add(argv, "-q");
	/* The report chose the directory. Commands that lie there are not the user's, whatever he allows elsewhere. */
	add(argv, "-iex");
	add(argv, "set auto-load local-gdbinit off");
	if (command->batch)
		add(argv, "-batch");
	add(argv, "-x");
	add(argv, script);
	add_displays(&again->report, &again->report.steps.at[command->step - 1], command->reference,
	             argv);
	/* In batch mode gdb only shows them when it is asked to. */
	if (is_batch(command)) {
		add(argv, "-ex");
		add(argv, "display");
	}
	/* What the user wants done is done at the moment of the step. */
	for (char **word = command->words; *word; word++)
		add(argv, *word);
	add(argv, other ? recipe->other.path : again->program);
	vec_push(&argv->at);
}

/* Ctrl-C is for gdb. Gives its exit code. */
static struct hence_error *run(const struct gdb_argv *argv, int *code)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
	pid_t child;
	int status = 0;

	fflush(stdout);
	sigaction(SIGINT, &ignore, &interrupt);
	sigaction(SIGQUIT, &ignore, &quit);
	child = fork();
	if (!child) {
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		execv(argv->at.at[0], argv->at.at);
		perror("hence: cannot start gdb");
		_exit(HENCE_ERROR_INTERNAL);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		if (search_is_interrupted())
			kill(child, SIGTERM);
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	if (child < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot start gdb");
	*code = WIFEXITED(status) ? WEXITSTATUS(status) : HENCE_ERROR_INTERNAL;
	return NULL;
}

/* --- the whole --- */

static struct hence_error *debug(const struct gdb_command *command, struct again *again,
                                 const char *gdb, const struct gdb_moment *moment, int *code)
{
	struct gdb_argv argv = {VEC_INIT};
	struct gdb_room room;
	struct str script = STR_INIT;
	struct hence_error *error =
		gdb_room_init(gdb_input(command, again), !command->trust.unconfined, moment, &room);

	if (!error) {
		gdb_add_script(moment, &room, &script);
		error = gdb_room_write(&room, "commands", &script, &room.script);
	}
	if (!error) {
		make_argv(command, again, gdb, room.script, &argv);
		error = run(&argv, code);
	}
	for (uint32_t i = 0; i < argv.at.size; i++)
		free(argv.at.at[i]);
	vec_deinit(&argv.at);
	str_deinit(&script);
	gdb_room_deinit(&room);
	return error;
}

static struct hence_error *open_step(void *context, struct again *again, int *code)
{
	const struct gdb_command *command = context;
	struct gdb_moment moment = {0};
	char *gdb = NULL;
	struct hence_error *error = find_gdb(&gdb);

	if (!error && command->step > again->report.steps.size)
		error = error_create(HENCE_ERROR_INPUT, "there is no step %llu: the report has %u",
		                     (unsigned long long)command->step, again->report.steps.size);
	if (!error)
		error = gdb_find_moment(command, again, &moment, code);
	if (!error && !*code)
		error = debug(command, again, gdb, &moment, code);
	gdb_moment_deinit(&moment);
	free(gdb);
	return error;
}

int command_gdb(int argc, char **argv)
{
	struct gdb_command command = {0};
	const struct again_command again = {&command.path, &command.trust, open_step, &command};
	struct hence_error *error;

	if (argc == 4 && !strcmp(argv[1], GDB_START))
		return gdb_start(argv + 2);
	error = parse(argv, &command);

	return again_run(error, command.help ? help : NULL, &again);
}
