/* A case of an evaluation: its programs are built, each method runs as a child process, and patches of edits are compared with the corrected program. See
   eval.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/installed.h"
#include "base/mem.h"
#include "base/str.h"
#include "cc/scratch.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "report/json.h"
#include "research/eval.h"
#include "trial/trial_tree.h"

/* ------ child processes ------ */

#define GRACE 2.0 /* seconds between asking and killing */

static volatile sig_atomic_t interrupted;
static int interruption = -1; /* becomes readable, and stays so */

/* --- signals --- */

static void catch (int signal)
{
	uint64_t one = 1;
	int before = errno;

	(void)signal;
	interrupted = 1;
	if (write(interruption, &one, sizeof(one)) < 0)
		interrupted = 1;
	errno = before;
}

struct hence_error *eval_child_catch_signals(void)
{
	struct sigaction action = {.sa_handler = catch, .sa_flags = SA_RESETHAND | SA_RESTART};
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

	interruption = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (interruption < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot watch for signals");
	for (unsigned i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
	return NULL;
}

bool eval_child_interrupted(void)
{
	return interrupted;
}

void eval_child_wait(int milliseconds)
{
	struct pollfd watched = {interruption, POLLIN, 0};

	poll(&watched, 1, milliseconds);
}

/* --- the child --- */

/* Our environment, with PATH extended. Its first element is to be freed, and the list. */
static char **make_environment(const char *path)
{
	extern char **environ;
	const char *old = getenv("PATH");
	size_t count = 0, kept = 1;
	char **out;

	while (environ[count])
		count++;
	out = mem_alloc((count + 2) * sizeof(*out));
	out[0] = path ? str_format("PATH=%s:%s", path, old ? old : "/usr/bin:/bin")
	              : str_format("PATH=%s", old ? old : "/usr/bin:/bin");
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], "PATH=", 5))
			out[kept++] = environ[i];
	return out;
}

static struct hence_error *start(const struct eval_child *child, pid_t *pid)
{
	char **environment = make_environment(child->path);
	int in = open(child->in ? child->in : "/dev/null", O_RDONLY | O_CLOEXEC);
	int out = open(child->out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int err = open(child->err, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	struct hence_error *error = NULL;

	if (in < 0) {
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", child->in);
	} else if (out < 0 || err < 0) {
		error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot write %s", child->out);
	} else {
		*pid = fork();
		if (!*pid) {
			/* In the child: only system calls, since other threads may hold locks. */
			signal(SIGINT, SIG_DFL);
			signal(SIGTERM, SIG_DFL);
			signal(SIGHUP, SIG_DFL);
			setpgid(0, 0);
			prctl(PR_SET_PDEATHSIG, SIGTERM);
			if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 ||
			    chdir(child->folder) < 0)
				_exit(127);
			if (child->confine && confine_self(child->confine))
				_exit(127);
			execve(child->program ? child->program : child->argv[0], child->argv,
			       environment);
			_exit(127);
		}
		if (*pid < 0)
			error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot start %s",
			                         child->argv[0]);
		else
			setpgid(*pid, *pid);
	}
	for (int i = 0, all[] = {in, out, err}; i < 3; i++)
		if (all[i] >= 0)
			close(all[i]);
	free(environment[0]);
	free(environment);
	return error;
}

/* Waits until it ends, the time is over, or a signal comes. True: it has ended. */
static bool wait_until(int process, double until, bool interruptible)
{
	struct pollfd watched[] = {{process, POLLIN, 0}, {interruption, POLLIN, 0}};

	for (;;) {
		double left = until - budget_clock();
		int ready = poll(watched, interruptible && interruption >= 0 ? 2 : 1,
		                 left > 0 ? (int)(left * 1000) + 1 : 0);

		if (watched[0].revents)
			return true;
		if (ready < 0 && errno != EINTR)
			return false;
		if (watched[1].revents || left <= 0)
			return false;
	}
}

struct hence_error *eval_child_run(const struct eval_child *child, struct eval_ended *out)
{
	double begun = budget_clock();
	struct hence_error *error;
	struct rusage used = {0};
	int process, status = 0;
	bool ended;
	pid_t pid = -1;

	*out = (struct eval_ended){.end = EVAL_INTERRUPTED};
	if (interrupted)
		return NULL;
	error = start(child, &pid);
	if (error)
		return error;
	process = (int)syscall(SYS_pidfd_open, pid, 0);
	if (process < 0)
		error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot watch %s", child->argv[0]);
	ended = process >= 0 && wait_until(process, begun + child->limit, true);
	if (!ended) {
		out->end = interrupted ? EVAL_INTERRUPTED : EVAL_TIMED_OUT;
		kill(-pid, SIGTERM);
		wait_until(process, budget_clock() + (process < 0 ? 0 : GRACE), false);
	}
	/* It, or what it started and left. It is not waited for yet, so that the number is still that of its group. */
	kill(-pid, SIGKILL);
	while (wait4(pid, &status, 0, &used) < 0 && errno == EINTR)
		;
	if (process >= 0)
		close(process);
	out->seconds = budget_clock() - begun;
	out->cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
	if (ended)
		out->end = WIFEXITED(status) ? EVAL_EXITED : EVAL_KILLED;
	out->code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
	return error;
}

/* ------ methods ------ */

const char *const eval_method_names[EVAL_METHODS] = {
	"explain", "transitions", "chain",  "patched", "compare", "tree", "chop",
	"slice",   "relevant",    "switch", "fix",     "ideal",   "dual",
};

/* How hence is called for a method. */
struct form {
	const char *command;
	const char *word; /* an option that it always gets; NULL: none */
	bool passing;     /* it gets the passing commands */
	bool as_given;    /* it must be about the input as it is: --no-reduce */
	bool corrected; /* the reference is the corrected program, which says what is right, too */
	bool alone;     /* it runs the program once: neither -j nor --file */
};

static const struct form forms[EVAL_METHODS] = {
	[EVAL_EXPLAIN] = {"explain", .passing = true},
	[EVAL_TRANSITIONS] = {"transitions", .passing = true, .as_given = true},
	[EVAL_CHAIN] = {"chain", .passing = true, .as_given = true},
	[EVAL_PATCHED] = {"chain", .as_given = true},
	[EVAL_COMPARE] = {"compare", .passing = true, .as_given = true},
	[EVAL_TREE] = {"tree"},
	[EVAL_CHOP] = {"chop", .passing = true},
	[EVAL_SLICE] = {"slice", .alone = true},
	[EVAL_RELEVANT] = {"slice", "--relevant", .alone = true},
	[EVAL_SWITCH] = {"switch"},
	[EVAL_FIX] = {"fix", .passing = true},
	[EVAL_IDEAL] = {"chain", .as_given = true, .corrected = true},
	[EVAL_DUAL] = {"compare", "--dual-slice", .as_given = true, .corrected = true},
};

/* --- the command line --- */

struct line {
	struct arena arena;
	VEC(char *) words;
};

static void add(struct line *line, const char *word)
{
	*vec_push(&line->words) = arena_strdup(&line->arena, word);
}

static void add_option(struct line *line, const char *name, const char *value)
{
	if (!value)
		return;
	add(line, name);
	add(line, value);
}

static void add_seconds(struct line *line, const char *name, double seconds)
{
	if (seconds > 0)
		add_option(line, name, arena_printf(&line->arena, "%g", seconds));
}

/* Arguments as one word that hence takes apart as a shell does. */
static char *quote_all(const struct eval_texts *texts)
{
	struct str out = STR_INIT;

	for (uint32_t i = 0; i < texts->list.size; i++) {
		str_add(&out, i ? " " : "");
		str_add_quoted(&out, texts->list.at[i]);
	}
	return str_steal(&out);
}

static void make_line(const struct eval_setup *setup, const struct eval_case *c,
                      const struct eval_work *work, enum eval_method method, struct line *line)
{
	const struct form *form = &forms[method];

	add(line, installed_executable());
	add(line, form->command);
	add(line, "--json");
	if (form->word)
		add(line, form->word);
	if (form->as_given)
		add(line, "--no-reduce");
	add_seconds(line, "--time", setup->time);
	add_seconds(line, "--timeout", c->timeout);
	add_option(line, "--stdin", c->input);
	if (form->corrected) {
		add_option(line, "--pass-prog", work->corrected);
	} else {
		add_option(line, "--expect", c->expected);
		add_option(line, "--expect-text", c->expected_text);
	}
	if (!form->alone) {
		add_option(line, "-j", "1");
		for (uint32_t i = 0; i < c->files.list.size; i++)
			add_option(line, "--file", c->files.list.at[i]);
	}
	for (uint32_t i = 0; form->passing && i < c->passing.list.size; i++) {
		const struct eval_command *passing = &c->passing.list.at[i];

		if (passing->has_arguments) {
			char *words = quote_all(&passing->arguments);

			add_option(line, "--pass", words);
			free(words);
		}
		add_option(line, "--pass-stdin", passing->input);
	}
	if (work->has_ideal && (method == EVAL_CHAIN || method == EVAL_PATCHED)) {
		char *ideal = eval_report_path(work, EVAL_IDEAL);

		add_option(line, "--against", ideal);
		free(ideal);
	}
	for (uint32_t i = 0; i < c->options.size; i++) {
		const struct eval_extra *extra = &c->options.at[i];

		if (strcmp(extra->method, eval_method_names[method]) &&
		    strcmp(extra->method, "all"))
			continue;
		for (uint32_t k = 0; k < extra->words.list.size; k++)
			add(line, extra->words.list.at[k]);
	}
	add(line, "--");
	add(line, strchr(c->faulty.program, '/')
	                  ? c->faulty.program
	                  : arena_printf(&line->arena, "./%s", c->faulty.program));
	for (uint32_t i = 0; i < c->arguments.list.size; i++)
		add(line, c->arguments.list.at[i]);
	*vec_push(&line->words) = NULL;
}

/* --- the row --- */

char *eval_report_path(const struct eval_work *work, enum eval_method method)
{
	return str_format("%s/%s.json", work->reports, eval_method_names[method]);
}

/* What the end of hence means. Codes are those of cli_exit and of errors. */
static const char *state_of(const struct eval_ended *ended)
{
	switch (ended->end) {
	case EVAL_TIMED_OUT: return "timed-out";
	case EVAL_INTERRUPTED: return "interrupted";
	case EVAL_KILLED: return "crashed";
	default: break;
	}
	switch (ended->code) {
	case CLI_DONE: return "done";
	case CLI_DOES_NOT_FAIL: return "does-not-fail";
	case CLI_NOT_PROVEN: return "not-proven";
	case HENCE_ERROR_INPUT: return "refused";
	case HENCE_ERROR_INTERNAL: return "error";
	default: return "crashed";
	}
}

static json_t *make_row(const struct eval_ended *ended, const char *err)
{
	const char *state = state_of(ended);
	json_t *row = json_object();
	char *line = eval_message(err);

	json_object_set_new(row, "state", json_string(state));
	json_object_set_new(row, "code", json_integer(ended->code));
	json_object_set_new(row, "seconds", json_real(ended->seconds));
	json_object_set_new(row, "cpu", json_real(ended->cpu));
	if (!*line && !strcmp(state, "crashed")) {
		free(line);
		line = str_format(ended->end == EVAL_KILLED ? "killed by signal %d"
		                                            : "ended with exit code %d",
		                  ended->code);
	}
	if (*line && strcmp(state, "done"))
		json_object_set_new(row, "message", eval_json_text(line));
	free(line);
	return row;
}

/* A method that has no answer at all may print nothing, and say why. */
static bool is_empty(const char *path)
{
	struct stat file;

	return !stat(path, &file) && !file.st_size;
}

static void read_report(const char *path, const struct eval_ended *ended, json_t *row,
                        json_t **report)
{
	json_error_t wrong;

	if (ended->code == CLI_NOT_PROVEN && is_empty(path))
		return;
	*report = json_load_file(path, 0, &wrong);
	if (*report && json_is_object(*report))
		return;
	json_decref(*report);
	*report = NULL;
	json_object_set_new(row, "state", json_string("bad-output"));
	json_object_set_new(row, "message", eval_json_text(wrong.text));
}

json_t *eval_method_run(struct eval_setup *setup, const struct eval_case *c,
                        const struct eval_work *work, enum eval_method method, json_t **report)
{
	char *out = eval_report_path(work, method), *err = str_format("%s/err", work->folder);
	struct line line = {0};
	struct eval_child child = {.folder = work->faulty, .out = out, .err = err};
	struct eval_ended ended = {0};
	struct hence_error *error;
	json_t *row;

	make_line(setup, c, work, method, &line);
	child.argv = line.words.at;
	child.limit = 2 * setup->time + 2;
	error = eval_child_run(&child, &ended);
	row = make_row(&ended, err);
	*report = NULL;
	if (error) {
		json_object_set_new(row, "state", json_string("error"));
		json_object_set_new(row, "message", eval_json_text(error->message));
		error_destroy(error);
	} else if (ended.end == EVAL_EXITED &&
	           (ended.code == CLI_DONE || ended.code == CLI_NOT_PROVEN)) {
		read_report(out, &ended, row, report);
	}
	json_object_set_new(row, "answered", json_boolean(*report != NULL));
	setup->done++;
	vec_deinit(&line.words);
	arena_deinit(&line.arena);
	free(out);
	free(err);
	return row;
}

/* ------ patches of edits ------ */

#define MOST_REPAIRS 5u           /* first fixes of a report that are looked at */
#define TIME         10.0         /* seconds of a run, unless the case has a timeout */
#define MOST_BYTES   (256u << 20) /* that a run may write to one file */

struct method_command {
	const struct eval_texts *arguments;
	const char *input; /* NULL: nothing */
};

struct repair {
	struct eval_setup *setup;
	const struct eval_case *c;
	const struct eval_work *work;
	VEC(struct method_command) commands;
	VEC(struct eval_ended) right; /* how the corrected program ends on each of them */
};

static void add_commands(struct repair *r, const struct eval_commands *from)
{
	for (uint32_t i = 0; i < from->list.size; i++) {
		const struct eval_command *command = &from->list.at[i];

		*vec_push(&r->commands) = (struct method_command){
			command->has_arguments ? &command->arguments : &r->c->arguments,
			command->input ? command->input : r->c->input};
	}
}

/* What a program prints on a command. Caller frees. */
static char *output_path(const struct repair *r, const char *name, uint32_t command)
{
	return str_format("%s/%s.%u", r->work->folder, name, command);
}

/* One command, in a folder of its own that is all it may write to. */
static struct hence_error *run(const struct repair *r, uint32_t number, const char *name,
                               const char *folder, const char *program, struct eval_ended *out)
{
	const struct method_command *command = &r->commands.at[number];
	const struct confine_limits limits = {.file_size = MOST_BYTES};
	const char *own = r->c->faulty.program;
	char *called GUARD_FREE = str_format("%s%s", strchr(own, '/') ? "" : "./", own);
	char *input GUARD_FREE = !command->input ? NULL
	                         : *command->input == '/'
	                                 ? mem_strdup(command->input)
	                                 : str_format("%s/%s", folder, command->input);
	char *printed = output_path(r, name, number), *err = str_format("%s/err", r->work->folder);
	VEC(char *) argv = VEC_INIT;
	struct confine confine;
	struct hence_error *error = confine_create(folder, NULL, &limits, &confine);

	*vec_push(&argv) = called;
	for (uint32_t i = 0; i < command->arguments->list.size; i++)
		*vec_push(&argv) = (char *)command->arguments->list.at[i];
	vec_push(&argv);
	if (!error) {
		const struct eval_child child = {.argv = argv.at,
		                                 .folder = folder,
		                                 .out = printed,
		                                 .err = err,
		                                 .limit = r->c->timeout > 0 ? r->c->timeout : TIME,
		                                 .program = program,
		                                 .in = input,
		                                 .confine = &confine};

		error = eval_child_run(&child, out);
		confine_deinit(&confine);
	}
	vec_deinit(&argv);
	free(printed);
	free(err);
	return error;
}

static bool has_same_bytes(const char *one, const char *two)
{
	FILE *a = fopen(one, "r"), *b = fopen(two, "r");
	int x = EOF, y = EOF;

	while (a && b && (x = getc(a)) == (y = getc(b)) && x != EOF)
		;
	if (a)
		fclose(a);
	if (b)
		fclose(b);
	return a && b && x == y;
}

/* The corrected program on all commands, where the faulty one would run: in another copy of its folder, as built. */
static struct hence_error *run_corrected(struct repair *r)
{
	struct eval_program program = r->c->faulty;
	char *folder = NULL, *path = NULL;
	struct hence_error *error;

	program.program = r->work->corrected;
	program.in_place = false;
	error = eval_work_build(r->setup, &program, r->work, "right", NULL, &folder, &path);
	for (uint32_t i = 0; i < r->commands.size && !error; i++) {
		struct eval_ended *ended = vec_push(&r->right);

		error = run(r, i, "right", folder, path, ended);
		if (!error && ended->end == EVAL_TIMED_OUT)
			error = error_create(HENCE_ERROR_INPUT,
			                     "the corrected program takes more than %.0f seconds",
			                     ended->seconds);
	}
	scratch_remove(folder);
	free(path);
	return error;
}

/* The program with the patch. */
static struct hence_error *run_patched(const struct repair *r, const char *patch, bool *right)
{
	char *folder = NULL, *path = NULL;
	struct hence_error *error =
		eval_work_build(r->setup, &r->c->faulty, r->work, "patched", patch, &folder, &path);

	*right = true;
	for (uint32_t i = 0; i < r->commands.size && *right && !error; i++) {
		char *ours = output_path(r, "patched", i), *theirs = output_path(r, "right", i);
		struct eval_ended ended;

		error = run(r, i, "patched", folder, path, &ended);
		*right = !error && ended.end == r->right.at[i].end &&
		         ended.code == r->right.at[i].code && has_same_bytes(ours, theirs);
		free(ours);
		free(theirs);
	}
	scratch_remove(folder);
	free(path);
	return error;
}

/* In a word. *message says why it was not built, if nothing is there yet. */
static const char *judge_patch(const struct repair *r, const json_t *fix, char **message)
{
	char *path GUARD_FREE = str_format("%s/change.diff", r->work->folder);
	struct str patch GUARD(str_deinit) = STR_INIT;
	const char *word = "no-patch";
	bool right = false;

	if (json_read_bytes(json_object_get(fix, "patch"), &patch)) {
		struct hence_error *error = trial_write(path, str_text(&patch), patch.length, 0600);

		if (!error)
			error = run_patched(r, path, &right);
		word = error ? "not-built" : right ? "right" : "wrong";
		if (error && !*message)
			*message = mem_strdup(error->message);
		error_destroy(error);
	}
	return word;
}

void eval_repair(struct eval_setup *setup, const struct eval_case *c, const struct eval_work *work,
                 const json_t *report, json_t *row)
{
	const json_t *fixes = json_object_get(report, "fixes");
	struct repair r = {.setup = setup, .c = c, .work = work};
	json_t *repairs = json_array();
	struct hence_error *error;
	char *message = NULL;
	bool right = false;

	/* An absolute path would be the same program in each copy. */
	if (!work->corrected || !c->faulty.build || *c->faulty.program == '/') {
		json_decref(repairs);
		return;
	}
	*vec_push(&r.commands) = (struct method_command){&c->arguments, c->input};
	add_commands(&r, &c->passing);
	add_commands(&r, &c->held_out);
	error = json_array_size(fixes) ? run_corrected(&r) : NULL;
	if (error)
		message = mem_strdup(error->message);
	for (size_t i = 0; i < json_array_size(fixes) && i < MOST_REPAIRS && !error && !right;
	     i++) {
		const char *word = judge_patch(&r, json_array_get(fixes, i), &message);

		right = !strcmp(word, "right");
		json_array_append_new(repairs, json_string(word));
	}
	if (!eval_child_interrupted()) {
		if (!error)
			json_object_set(row, "repairs", repairs);
		if (message)
			json_object_set_new(row, "repair_message", eval_json_text(message));
	}
	json_decref(repairs);
	error_destroy(error);
	free(message);
	vec_deinit(&r.commands);
	vec_deinit(&r.right);
}

/* ------ a case ------ */

#define LARGEST_GRAPH (64 << 20) /* bytes of its JSON */
#define COPY_TIME     600        /* seconds for copying a folder */

/* --- messages --- */

char *eval_message(const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL, *found = NULL;
	size_t room = 0;

	/* What the program itself writes may be there, too. */
	while (file && getline(&line, &room, file) > 0) {
		bool own = !strncmp(line, "hence: ", 7);

		line[strcspn(line, "\n")] = 0;
		if (found && !own)
			continue;
		free(found);
		found = mem_strdup(own ? line + 7 : line);
		if (own)
			break;
	}
	free(line);
	if (file)
		fclose(file);
	return found ? found : mem_strdup("");
}

json_t *eval_json_text(const char *text)
{
	struct str out GUARD(str_deinit) = STR_INIT;
	json_t *json;

	while (*text) {
		size_t length = json_utf8_length((const unsigned char *)text);

		if (length && !json_is_obeyed((const unsigned char *)text, length))
			str_add_bytes(&out, text, length);
		else
			str_add_char(&out, '?');
		text += length ? length : 1;
	}
	json = json_string(str_text(&out));
	return json;
}

/* The last line of a file that is not empty: where a compiler or make says what was wrong is its end. Caller frees. */
static char *last_line(const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL, *last = mem_strdup("");
	size_t room = 0;

	while (file && getline(&line, &room, file) > 0) {
		line[strcspn(line, "\n")] = 0;
		if (!*line)
			continue;
		free(last);
		last = mem_strdup(line);
	}
	free(line);
	if (file)
		fclose(file);
	return last;
}

/* --- programs --- */

static struct hence_error *make_folder(const char *path)
{
	if (mkdir(path, 0777) && errno != EEXIST)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot make %s", path);
	return NULL;
}

/* What a build was doing when it was over. */
static struct hence_error *judge_build(const char *what, const struct eval_ended *ended,
                                       const char *message)
{
	switch (ended->end) {
	case EVAL_INTERRUPTED: return error_create(HENCE_ERROR_INPUT, "interrupted");
	case EVAL_TIMED_OUT:
		return error_create(HENCE_ERROR_INPUT, "%s takes more than %.0f seconds", what,
		                    ended->seconds);
	case EVAL_KILLED:
		return error_create(HENCE_ERROR_INPUT, "%s died of signal %d", what, ended->code);
	default:
		if (!ended->code)
			return NULL;
		return error_create(HENCE_ERROR_INPUT, "%s ended with exit code %d: %s", what,
		                    ended->code, message);
	}
}

/* Runs a shell's command in a folder; `what` it is, for messages. The folder of hence is in its PATH. */
static struct hence_error *shell(struct eval_setup *setup, const struct eval_work *work,
                                 const char *what, char *const *argv, const char *folder,
                                 double limit)
{
	char *log = str_format("%s/log", work->folder), *own = mem_strdup(installed_executable()),
	     *message;
	struct eval_child child = {.argv = argv,
	                           .folder = folder,
	                           .out = log,
	                           .err = log,
	                           .path = own,
	                           .limit = limit};
	struct eval_ended ended;
	struct hence_error *error;

	*strrchr(own, '/') = 0;
	error = eval_child_run(&child, &ended);
	message = last_line(log);
	if (!error)
		error = judge_build(what, &ended, message);
	setup->done++;
	free(message);
	free(own);
	free(log);
	return error;
}

/* The folder that a program is built and run in: its own, or a copy. */
static struct hence_error *find_folder(struct eval_setup *setup, const struct eval_program *program,
                                       const struct eval_work *work, const char *name, bool patched,
                                       char **out)
{
	bool is_copy = patched || (program->build && !program->in_place);
	char *from GUARD_FREE = str_format("%s/.", program->folder);
	char *copy[] = {"/bin/cp", "-Rp", "--", from, NULL, NULL};
	struct hence_error *error = NULL;

	*out = is_copy ? str_format("%s/%s", work->folder, name) : mem_strdup(program->folder);
	copy[4] = *out;
	if (access(program->folder, X_OK))
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot use the folder %s",
		                         program->folder);
	else if (is_copy)
		error = make_folder(*out);
	if (!error && is_copy)
		error = shell(setup, work, "copying the folder", copy, work->folder, COPY_TIME);
	return error;
}

struct hence_error *eval_work_build(struct eval_setup *setup, const struct eval_program *program,
                                    const struct eval_work *work, const char *name,
                                    const char *patch, char **folder, char **path)
{
	char *argv[] = {"/bin/sh", "-c", (char *)program->build, NULL};
	/* Exactly there, without a question, and nothing beside the file. */
	char *apply[] = {"/bin/sh", "-c",
	                 "exec patch -p0 -f -F 0 -r - --no-backup-if-mismatch -i \"$0\"",
	                 (char *)patch, NULL};
	struct hence_error *error = find_folder(setup, program, work, name, patch, folder);

	if (!error && patch)
		error = shell(setup, work, "patch", apply, *folder, COPY_TIME);
	if (!error && program->build)
		error = shell(setup, work, "the build", argv, *folder, setup->build_time);
	*path = *program->program == '/' ? mem_strdup(program->program)
	                                 : str_format("%s/%s", *folder, program->program);
	if (!error && access(*path, X_OK))
		error = error_from_errno(HENCE_ERROR_INPUT, "%s cannot be run", program->program);
	return error;
}

static void build_corrected(struct eval_setup *setup, const struct eval_case *c, json_t *result,
                            struct eval_work *work)
{
	struct hence_error *error;
	char *folder;

	if (!c->corrected.program)
		return;
	error = eval_work_build(setup, &c->corrected, work, "corrected", NULL, &folder,
	                        &work->corrected);
	free(folder);
	if (!error)
		return;
	json_object_set_new(result, "corrected_message", eval_json_text(error->message));
	error_destroy(error);
	free(work->corrected);
	work->corrected = NULL;
}

static void work_deinit(struct eval_work *work)
{
	free(work->folder);
	free(work->reports);
	free(work->faulty);
	free(work->corrected);
	*work = (struct eval_work){0};
}

/* Builds the programs of a case. The error says why the faulty one cannot be used; a corrected one that cannot be built is noted
   in the result. Caller frees with work_deinit(). */
static struct hence_error *work_init(struct eval_setup *setup, const struct eval_case *c,
                                     uint32_t number, json_t *result, struct eval_work *out)
{
	struct hence_error *error;
	char *program = NULL;

	*out = (struct eval_work){.folder = str_format("%s/%u", setup->scratch, number)};
	out->reports = setup->reports ? str_format("%s/%s", setup->reports, c->name)
	                              : mem_strdup(out->folder);
	error = make_folder(out->folder);
	if (!error)
		error = make_folder(out->reports);
	if (!error)
		error = eval_work_build(setup, &c->faulty, out, "faulty", NULL, &out->faulty,
		                        &program);
	free(program);
	if (error)
		work_deinit(out);
	else
		build_corrected(setup, c, result, out);
	return error;
}

/* --- the case --- */

/* A case under way. */
struct run {
	struct eval_setup *setup;
	const struct eval_case *c;
	struct eval_work work;
	json_t *rows;
	json_t *graph;                 /* NULL: not known */
	json_t *reports[EVAL_METHODS]; /* NULL: not asked, or of no use */
	uint32_t lines;
};

static void set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, eval_json_text(text));
}

/* --- the graph --- */

/* One that would take all memory to no use. */
static bool is_too_large(const char *path)
{
	struct stat file;

	return !stat(path, &file) && file.st_size > LARGEST_GRAPH;
}

static json_t *load_graph(struct run *run, char **why)
{
	char *out GUARD_FREE = str_format("%s/pdg.json", run->work.reports);
	char *err GUARD_FREE = str_format("%s/err", run->work.folder);
	char *argv[] = {(char *)installed_executable(), "eval", "--pdg",
	                (char *)run->c->faulty.program, NULL};
	struct eval_child child = {.argv = argv,
	                           .folder = run->work.faulty,
	                           .out = out,
	                           .err = err,
	                           .limit = 2 * run->setup->time + 2};
	struct eval_ended ended;
	struct hence_error *error = eval_child_run(&child, &ended);
	json_t *graph = NULL;

	*why = NULL;
	if (error)
		*why = mem_strdup(error->message);
	else if (ended.end == EVAL_EXITED && !ended.code && is_too_large(out))
		*why = mem_strdup("it is too large: too many lines depend on each other");
	else if (ended.end == EVAL_EXITED && !ended.code)
		graph = json_load_file(out, 0, NULL);
	else if (ended.end == EVAL_TIMED_OUT)
		*why = mem_strdup("it takes too long");
	else
		*why = eval_message(err);
	error_destroy(error);
	return graph;
}

/* --- methods --- */

static void run_method(struct run *run, enum eval_method method)
{
	json_t **report = &run->reports[method];
	json_t *row = eval_method_run(run->setup, run->c, &run->work, method, report);

	if (*report)
		eval_measure(run->c, method, *report, run->lines, row);
	if (method == EVAL_FIX)
		eval_repair(run->setup, run->c, &run->work, *report, row);
	json_object_set_new(run->rows, eval_method_names[method], row);
}

/* Has a chain a step that a statement made? Else there is nothing that another could be compared with. */
static bool has_statement(const json_t *report)
{
	const json_t *steps = json_object_get(report, "steps"), *step;
	size_t i;

	json_array_foreach(steps, i, step) if (json_object_get(step, "cause")) return true;
	return false;
}

json_t *eval_case_run(struct eval_setup *setup, const struct eval_case *c, uint32_t number)
{
	json_t *result = json_object();
	struct run run = {.setup = setup, .c = c, .rows = json_object()};
	struct hence_error *error;

	set_text(result, "name", c->name);
	set_text(result, "state", "done");
	error = work_init(setup, c, number, result, &run.work);
	if (error) {
		set_text(result, "state", eval_child_interrupted() ? "interrupted" : "not-built");
		set_text(result, "message", error->message);
		error_destroy(error);
	} else {
		char *why;
		const bool *chosen = setup->methods;

		run.graph = load_graph(&run, &why);
		setup->done++;
		if (run.graph) {
			run.lines = (uint32_t)json_array_size(json_object_get(run.graph, "nodes"));
			json_object_set_new(result, "lines", json_integer(run.lines));
		} else {
			set_text(result, "graph_message", why ? why : "it is no JSON");
		}
		free(why);
		/* What is compared with must be there before. */
		if (run.work.corrected) {
			if (chosen[EVAL_CHAIN] || chosen[EVAL_PATCHED]) {
				run_method(&run, EVAL_IDEAL);
				run.work.has_ideal = has_statement(run.reports[EVAL_IDEAL]);
			}
			if (chosen[EVAL_TRANSITIONS])
				run_method(&run, EVAL_DUAL);
		}
		for (enum eval_method m = 0; m < EVAL_CHOSEN && !eval_child_interrupted(); m++) {
			/* Without a passing command the chain has a patched run as its reference anyway. */
			if (m == EVAL_PATCHED && chosen[EVAL_CHAIN] && !c->passing.list.size)
				continue;
			if (chosen[m])
				run_method(&run, m);
		}
		if (eval_child_interrupted())
			set_text(result, "state", "interrupted");
		if (run.graph && run.reports[EVAL_TRANSITIONS])
			json_object_set_new(result, "score",
			                    eval_score(c, run.graph, run.reports[EVAL_TRANSITIONS],
			                               run.reports[EVAL_DUAL]));
	}
	json_object_set_new(result, "methods", run.rows);
	for (unsigned i = 0; i < EVAL_METHODS; i++)
		json_decref(run.reports[i]);
	json_decref(run.graph);
	work_deinit(&run.work);
	return result;
}
