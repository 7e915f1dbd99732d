/* `hence gdb`: opens gdb at the moment of a step of a saved report. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/installed.h"
#include "methods/repeat.h"
#include "cli/replay.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "trial/confine.h"
#include "trial/server.h"
#include "trial/trial_scratch.h"
#include "trial/trial_tree.h"
#include "trial/worker_room.h"

/* Where gdb has to stop. */
struct gdb_moment {
	VEC(uint64_t) addresses; /* of the statement in the code: there may be several */
	uint64_t count;          /* it is passed for the nth time */
	bool library; /* the code is in a shared library, and there only when main() begins */
	bool copied;  /* the run needed a copy of the working directory */
	struct edited *edited; /* the program runs with this edit; NULL: as it is */
};

/* A scratch directory with what the program reads, and how it is started. */
struct gdb_room {
	struct trial_scratch scratch;
	char *hence; /* the executable: with GDB_START and `start` it executes what follows these */
	char *start; /* a file for gdb_start() */
	char *script; /* commands for gdb */
};

/*
 * `hence gdb --start FILE PROGRAM`, which gdb executes instead of the program: confines itself and becomes the program. FILE has
 * texts, each ended by a zero byte: the directory to confine to, or nothing; the one to go to, or nothing; the file for
 * standard input; then variables and arguments, with a letter in front.
 */
#define GDB_START "--start"

enum gdb_start_letter {
	GDB_START_SET = '=',   /* NAME=VALUE */
	GDB_START_UNSET = '-', /* NAME */
	GDB_START_ARGUMENT = '+',
	GDB_START_EDIT =
		'!', /* path of an image of edited code, which the runtime of the program loads */
};

/* --- the moment of a step: where gdb has to stop --- */

#define TURNS 1000u /* of a loop that does not end, after which gdb stops in it */

static const struct explanation_step *step_of(const struct options *options,
                                              const struct replay *replay)
{
	return &replay->report.steps.at[options->step - 1];
}

/* The tree may be of another input than the rest. */
static bool is_of_given(const struct options *options, const struct replay *replay)
{
	const char *method = step_of(options, replay)->method;

	return replay->recipe->tree_of_given && method && !strcmp(method, "tree");
}

/* The input of the run that is looked at. */
static const struct input *gdb_input(const struct options *options, const struct replay *replay)
{
	const struct recipe *recipe = replay->recipe;

	if (options->reference && recipe->kind == RECIPE_INPUT)
		return &recipe->reference;
	return is_of_given(options, replay) ? &recipe->given : &recipe->failing;
}

/* --- the moment: when --- */

static struct hence_error *no_point(const struct options *options, const char *why)
{
	return error_create(HENCE_ERROR_INPUT, "step %llu: %s", (unsigned long long)options->step,
	                    why);
}

/* A step that was only seen, like the failure itself, has a time and no number. */
static struct hence_error *find_time(const struct options *options, struct replay *replay,
                                     const struct recording *run, uint64_t *out)
{
	const struct explanation_step *step = step_of(options, replay);
	struct repeat_place place = {
		.at = &step->at,
		.instance = options->reference ? step->reference_instance : step->instance,
		.hint = options->reference ? step->reference_time : step->time,
	};
	struct hence_error *error = NULL;

	/* Of the tree, `time` is that of the statement. */
	if (step->method && !strcmp(step->method, "tree") && step->proofs.size)
		place.hint = step->proofs.at[0].time;
	*out = place.hint;
	/* In another version, and in edited code, the place is another one. */
	if (place.instance && !(options->reference && (replay->recipe->kind == RECIPE_PROGRAM ||
	                                               replay->recipe->kind == RECIPE_EDIT))) {
		error = repeat_locate(run, &place, 1);
		*out = place.time;
	}
	if (error || *out)
		return error;
	return no_point(
		options,
		place.instance ? "the run does not come to its place as often as the report says"
		: options->reference ? "the reference has no such moment; leave out --reference"
				     : "it has no place in the run where gdb could stop");
}

/* --- the moment: where --- */

/* What goes on for ever is the same all the time, and gdb takes long to count. */
static bool is_endless(const struct options *options, const struct replay *replay)
{
	const struct explanation_step *step = step_of(options, replay);

	return step->observed && step->kind == EXPLANATION_HANG;
}

static struct hence_error *find_code(const struct recording *run, const char *program,
                                     const struct point *point, struct gdb_moment *out)
{
	struct point_sites *sites;
	struct hence_error *error = point_sites_create(run, &sites);
	uint32_t count;

	if (error)
		return error;
	count = point_sites_find(sites, &point->site, HENCE_SITE_STATEMENT, NULL, 0);
	vec_reserve(&out->addresses, count);
	out->addresses.size = point_sites_find(sites, &point->site, HENCE_SITE_STATEMENT,
	                                       out->addresses.at, count);
	out->count = point->count;
	out->library = strcmp(point_sites_file(sites, &point->site), program);
	point_sites_destroy(sites);
	return NULL;
}

static struct hence_error *find_in(const struct options *options, struct replay *replay,
                                   const struct recording *run, struct gdb_moment *out)
{
	const struct recipe *recipe = replay->recipe;
	bool other = options->reference && recipe->kind == RECIPE_PROGRAM;
	char *path GUARD_FREE = realpath(other ? recipe->other.path : replay->program, NULL);
	struct point point;
	uint64_t time;
	struct hence_error *error = find_time(options, replay, run, &time);

	if (!error)
		error = points_find(run, &time, 1, &point);
	if (!error)
		error = find_code(run, path ? path : "", &point, out);
	if (!error && is_endless(options, replay) && out->count > TURNS)
		out->count = TURNS;
	if (!error && !out->addresses.size)
		error = no_point(options, "its statement has no code");
	return error;
}

/* --- the moment: the run, made again --- */

static struct hence_error *check(const struct options *options, const struct replay *replay)
{
	if (!options->reference)
		return NULL;
	if (replay->recipe->kind == RECIPE_PATCHED)
		return error_create(HENCE_ERROR_INPUT,
		                    "the reference of the report is the failing run with a branch "
		                    "switched, which gdb cannot do; leave out --reference");
	if (replay->recipe->kind == RECIPE_NONE || is_of_given(options, replay))
		return error_create(
			HENCE_ERROR_INPUT,
			"step %llu is compared with no other run; leave out --reference",
			(unsigned long long)options->step);
	return NULL;
}

/* Runs the program again as the report has it and finds the moment of a step; *code is the exit code. Caller frees with
   gdb_moment_deinit(), after an error too. */
static struct hence_error *gdb_find_moment(const struct options *options, struct replay *replay,
                                           struct gdb_moment *out, int *code)
{
	struct hence_error *error = check(options, replay);
	struct references pair;

	if (error)
		return error;
	interrupt_catch();
	replay_begin(replay, !options->reference, is_of_given(options, replay), &pair);
	error = references_repeat(&pair);
	*code = cli_refused(&pair.refused);
	if (!error && !*code && (options->reference ? !pair.has_reference : !pair.has_failing))
		error = error_create(HENCE_ERROR_INPUT,
		                     "the run of the report cannot be had again");
	if (!error && !*code)
		error = find_in(options, replay,
		                options->reference ? &pair.reference.recording
		                                   : &pair.failing.recording,
		                out);
	if (!error && !*code)
		out->copied = experiments_copied(options->reference ? pair.reference.pool
		                                                    : pair.failing.pool);
	/* Once more, with what gdb needs: a run that nobody debugs is faster without. */
	if (!error && !*code && options->reference && pair.edited)
		error = edited_create(&pair.failing.recording, replay->recipe->edit, true,
		                      &out->edited);
	references_deinit(&pair);
	return error;
}

/* --- a scratch directory in which the program runs --- */

/* Writes one of its files. */
static struct hence_error *gdb_room_write(const struct gdb_room *room, const char *name,
                                          const struct str *bytes, char **path)
{
	*path = str_format("%s/%s", room->scratch.path, name);
	return trial_write(*path, str_text(bytes), bytes->length, 0600);
}

/* --- the directory: files --- */

/* A file of the input. */
struct own_file {
	struct worker_file file;
	char *path; /* of its copy */
};

struct own_files {
	char *folder; /* that the program runs in; NULL: the working directory */
	VEC(struct own_file) all;
};

static bool has_files(const struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_FILE)
			return true;
	return false;
}

static struct hence_error *copy_folder(const struct gdb_room *room, struct own_files *files)
{
	uint64_t bytes;
	uint32_t count;

	if (!trial_tree_measure(".", &bytes, &count))
		return error_create(HENCE_ERROR_INPUT,
		                    "the working directory is too large to be copied, and files in "
		                    "it are part of the input; run gdb yourself on a copy");
	files->folder = str_format("%s/folder", room->scratch.path);
	return trial_tree_copy(".", files->folder);
}

/* --- the directory: how the program is started --- */

static void add_text(struct str *out, const char *text)
{
	str_add_bytes(out, text, strlen(text) + 1);
}

/* An argument that names a file of the input names its copy. */
static void add_argument(const struct input_part *part, const struct own_files *files,
                         struct str *out)
{
	const char *text = str_text(&part->bytes);

	str_add_char(out, GDB_START_ARGUMENT);
	for (uint32_t i = 0; i < files->all.size; i++) {
		size_t end = worker_file_match(&files->all.at[i].file, text);

		if (!end)
			continue;
		str_add_bytes(out, text, part->bytes.length - end);
		add_text(out, files->all.at[i].path);
		return;
	}
	add_text(out, text);
}

/* `value` is NULL: it is not set. */
static void add_variable(const char *name, const char *value, struct str *out)
{
	str_add_char(out, value ? GDB_START_SET : GDB_START_UNSET);
	str_add(out, name);
	if (value)
		str_printf(out, "=%s", value);
	str_add_char(out, '\0');
}

static void add_start(const struct input *input, const struct gdb_room *room, bool confined,
                      const struct own_files *files, const char *from, struct str *out)
{
	char *temporary GUARD_FREE = str_format("%s/tmp", room->scratch.path);

	add_text(out, confined ? room->scratch.path : "");
	add_text(out, files->folder ? files->folder : "");
	add_text(out, from);
	/* gdb tells the program how large its own terminal is. */
	add_variable("LINES", getenv("LINES"), out);
	add_variable("COLUMNS", getenv("COLUMNS"), out);
	if (confined)
		add_variable("TMPDIR", temporary, out);
	if (files->folder)
		add_variable("PWD", files->folder, out);
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		if (part->kind == INPUT_VARIABLE)
			add_variable(part->name, part->unset ? NULL : str_text(&part->bytes), out);
		else if (part->kind == INPUT_ARGUMENT)
			add_argument(part, files, out);
	}
}

static struct hence_error *write_input(const struct input *input, const struct gdb_room *room,
                                       char **from)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_STDIN)
			return gdb_room_write(room, "stdin", &input->parts.at[i].bytes, from);
	*from = mem_strdup("/dev/null");
	return NULL;
}

/* Writes the input into a scratch directory, below which a `confined` program may write. If the input has files, or a confined
   program needed a copy when its moment was found, it runs in a copy of the working directory, else in that itself. Caller frees with
   gdb_room_deinit(), after an error too. */
static struct hence_error *gdb_room_init(const struct input *input, bool confined,
                                         const struct gdb_moment *moment, struct gdb_room *out)
{
	struct own_files files = {0};
	struct str start = STR_INIT;
	char *from = NULL, *temporary;
	struct hence_error *error;

	*out = (struct gdb_room){.scratch.lock = -1, .hence = mem_strdup(installed_executable())};
	error = trial_scratch_create(&out->scratch);
	if (error)
		return error;
	temporary = str_format("%s/tmp", out->scratch.path);
	if (mkdir(temporary, 0700))
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot make %s", temporary);
	free(temporary);
	if (!error && (has_files(input) || (confined && moment->copied))) {
		error = copy_folder(out, &files);
		for (uint32_t i = 0; i < input->parts.size && !error; i++) {
			const struct input_part *part = &input->parts.at[i];
			struct own_file *own;

			if (part->kind != INPUT_FILE)
				continue;
			own = vec_push(&files.all);
			worker_file_init(&own->file, part->name, input);
			own->path = own->file.below
			                    ? str_format("%s/%s", files.folder, own->file.below)
			                    : str_format("%s/file%u", out->scratch.path, i);
			error = trial_write(own->path, str_text(&part->bytes), part->bytes.length,
			                    0600);
		}
	}
	if (!error)
		error = write_input(input, out, &from);
	if (!error) {
		add_start(input, out, confined, &files, from, &start);
		if (moment->edited) {
			str_add_char(&start, GDB_START_EDIT);
			add_text(&start, moment->edited->path);
		}
		error = gdb_room_write(out, "start", &start, &out->start);
	}
	str_deinit(&start);
	free(from);
	for (uint32_t i = 0; i < files.all.size; i++) {
		worker_file_deinit(&files.all.at[i].file);
		free(files.all.at[i].path);
	}
	vec_deinit(&files.all);
	free(files.folder);
	return error;
}

/* --- becoming the program that gdb debugs; no shell reads what a report says --- */

/* The next text, which is ended by a zero byte. NULL: there is none. */
static char *next_text(struct str *all, size_t *at)
{
	char *text = all->text + *at;

	if (*at >= all->length)
		return NULL;
	*at += strlen(text) + 1;
	return text;
}

static struct hence_error *read_input(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0 || dup2(fd, 0) < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", path);
	if (fd)
		close(fd);
	return NULL;
}

static struct hence_error *confine(const char *folder)
{
	const struct confine_limits limits = {0};
	struct confine confine;
	struct hence_error *error =
		confine_create(*folder ? folder : NULL, NULL, &limits, &confine);

	if (error)
		return error;
	errno = confine_self(&confine);
	if (errno)
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot confine the program");
	confine_deinit(&confine);
	return error;
}

/* The program does as always, but its runtime loads edited code. */
static struct hence_error *load_edit(const char *image)
{
	struct server_page page;
	struct hence_error *error = server_page_init(true, &page);
	char number[16];

	if (error)
		return error;
	page.at->wait = HENCE_WAIT_NEVER;
	server_page_load(&page, image);
	snprintf(number, sizeof(number), "%d", page.file);
	if (fcntl(page.file, F_SETFD, 0) || setenv(HENCE_SERVER_ENV, number, 1))
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot hand on the edit");
	return NULL;
}

/* Does not come back but for an error: `words` are FILE and PROGRAM. Gives the exit code. */
static int gdb_start(char *const *words)
{
	struct input read = {VEC_INIT};
	struct hence_error *error = input_add_file(&read, INPUT_FILE, NULL, words[0]);
	VEC(char *) argv = VEC_INIT;
	char *folder, *text;
	struct str *all;
	size_t at = 0;

	if (error)
		return cli_fail(error);
	all = &read.parts.at[0].bytes;
	text = next_text(all, &at);
	folder = next_text(all, &at);
	if (*folder && chdir(folder))
		return cli_fail(error_from_errno(HENCE_ERROR_INPUT, "cannot enter %s", folder));
	error = read_input(next_text(all, &at));
	if (!error)
		error = confine(text);
	if (error)
		return cli_fail(error);
	*vec_push(&argv) = words[1];
	while (!error && (text = next_text(all, &at)))
		switch ((enum gdb_start_letter) * text) {
		case GDB_START_SET: putenv(text + 1); break;
		case GDB_START_UNSET: unsetenv(text + 1); break;
		case GDB_START_ARGUMENT: *vec_push(&argv) = text + 1; break;
		case GDB_START_EDIT: error = load_edit(text + 1); break;
		}
	if (error)
		return cli_fail(error);
	*vec_push(&argv) = NULL;
	execv(words[1], argv.at);
	return cli_fail(error_from_errno(HENCE_ERROR_INPUT, "cannot execute %s", words[1]));
}

/* --- commands: where to stop --- */

/* Machine code that begins so is a site: see runtime/sites.h. */
#define SITE "0x00441f0f"

static void add_breaks(const struct gdb_moment *moment, struct str *out)
{
	if (moment->addresses.size == 1) {
		str_printf(out, "tbreak *0x%llx\n", (unsigned long long)moment->addresses.at[0]);
		if (moment->count > 1)
			str_printf(out, "ignore $bpnum %llu\n",
			           (unsigned long long)(moment->count - 1));
		return;
	}
	/* The compiler has made the code several times: all of them are counted together. */
	str_add(out, "set $hence_count = 0\n");
	for (uint32_t i = 0; i < moment->addresses.size; i++)
		str_printf(out, "tbreak *0x%llx if ++$hence_count == %llu\n",
		           (unsigned long long)moment->addresses.at[i],
		           (unsigned long long)moment->count);
}

/* The commands that lead gdb to the moment. */
static void gdb_add_script(const struct gdb_moment *moment, const struct gdb_room *room,
                           struct str *out)
{
	str_add(out, "set disable-randomization on\n"
	             "set startup-with-shell on\n"
	             "set print null-stop on\n");
	str_add(out, "set exec-wrapper ");
	str_add_quoted(out, room->hence);
	str_add(out, " gdb " GDB_START " ");
	str_add_quoted(out, room->start);
	str_add_char(out, '\n');
	/* New code is there when the runtime has loaded it. It overwrites the beginning of the old one, and a breakpoint
	   there. */
	if (moment->edited)
		str_add(out, "tbreak hence_rt_edits_select\nrun\n"
		             "if $_thread == 0\n"
		             "echo hence: gdb did not stop where the change of the code is loaded: "
		             "the program has no symbols, or lies elsewhere under gdb than when it "
		             "was recorded\\n\nend\n");
	else
		str_add(out, moment->library ? "tbreak main\nrun\n" : "starti\n");
	if (moment->edited && moment->edited->symbols) {
		str_add(out, "set confirm off\nadd-symbol-file ");
		str_add_quoted(out, moment->edited->symbols);
		str_add(out, "\nset confirm on\n");
	}
	/* Another base address would be another statement. */
	for (uint32_t i = 0; i < moment->addresses.size; i++)
		str_printf(out,
		           "if *(unsigned int *)0x%llx != " SITE "\n"
		           "echo hence: the program lies elsewhere under gdb than when it was "
		           "recorded\\n\nend\n",
		           (unsigned long long)moment->addresses.at[i]);
	add_breaks(moment, out);
	str_add(out, "continue\n");
}

/* --- commands: what to display --- */

/* As a text of gdb's echo. */
static void add_echo(struct str *out, const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			str_printf(out, "\\\\%03o", (unsigned char)*text);
		else if (*text == '\\' || *text == ' ')
			str_printf(out, "\\%c", *text);
		else
			str_add_char(out, *text);
}

static char *print_value(const struct explanation_value *value, bool reference, const char *why)
{
	const char *now = reference ? value->reference : value->failing;
	struct str out = STR_INIT;

	str_add(&out, "echo ");
	add_echo(&out, value->name ? value->name : "?");
	str_add(&out, "\\ is\\ ");
	add_echo(&out, now ? now : "?");
	str_add(&out, "\\ in\\ the\\ report;\\ ");
	add_echo(&out, why);
	str_add(&out, "\\n");
	return str_steal(&out);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* A local of a caller: 'main.argc', or of recursive functions 'down@3.n'. Gives the length of what stands in front of
   the variable; 0: nothing does. */
static size_t qualified(const struct explanation_value *value)
{
	size_t length = value->function ? strlen(value->function) : 0;
	const char *behind = value->name + length;

	for (size_t i = 0; i < length; i++)
		if (!is_word(value->function[i]))
			return 0;
	if (!length || strncmp(value->name, value->function, length))
		return 0;
	if (*behind == '@')
		behind += 1 + strspn(behind + 1, "0123456789");
	if (*behind != '.')
		return 0;
	return (size_t)(behind + 1 - value->name);
}

/* Is it '=' that assigns, not part of a comparison? `<<=` and `>>=` assign, too. */
static bool assigns(const char *name, const char *at)
{
	size_t before = (size_t)(at - name);

	if (*at != '=' || at[1] == '=')
		return false;
	if (!before || !strchr("=!<>", at[-1]))
		return true;
	return before > 1 && strchr("<>", at[-1]) && at[-2] == at[-1];
}

/* The length of a character constant: 'a', '\\n', '\\033'; 0: gdb would take it for a quoted name. */
static size_t character(const char *at)
{
	size_t length = at[1] == '\\' && at[2] ? 3 : 2;

	while (length < 6 && at[1] == '\\' && isalnum((unsigned char)at[length]))
		length++;
	return at[1] && at[1] != '\'' && at[length] == '\'' ? length + 1 : 0;
}

/* gdb would call functions, and change what is assigned to; it has no words for all that hence has. The author of the
   report gets no further than to look at variables: a parenthesis opens only after an operator, where it calls nothing. */
static bool is_expression(const char *name)
{
	char last = 0; /* that is no space */

	if (!strncmp(name, "return value", 12) || *name == '(' || *name == '/' ||
	    strstr(name, "...") || strstr(name, "++") || strstr(name, "--") ||
	    strpbrk(name, "$\"`{}#;"))
		return false;
	for (const char *at = name; *at; at++) {
		if ((unsigned char)*at < ' ' || (unsigned char)*at >= 127 || assigns(name, at))
			return false;
		if (*at == '\'') {
			size_t length = character(at);

			if (!length)
				return false;
			at += length - 1;
		}
		if (*at == '(' && !(last && strchr("!&|^+-*/%<>=,([~?:", last)))
			return false;
		if (*at != ' ')
			last = *at;
	}
	return true;
}

/* A part of an array: a[3..5] is the 3 elements from a[3] on, for gdb a[3]@3. */
struct part {
	size_t open;         /* where the bracket is; 0: it is no such part */
	unsigned long first; /* element */
	unsigned long count;
};

static struct part part_of(const char *name)
{
	const char *dots = strstr(name, ".."), *open = dots;
	unsigned long first, last;
	char *end;

	while (open && open > name && *open != '[')
		open--;
	if (!dots || *open != '[' || open == name)
		return (struct part){0};
	first = strtoul(open + 1, &end, 10);
	if (end != dots)
		return (struct part){0};
	last = strtoul(dots + 2, &end, 10);
	if (strcmp(end, "]") || last < first)
		return (struct part){0};
	return (struct part){(size_t)(open - name), first, last - first + 1};
}

/* What main() was given is called so everywhere. */
static bool is_argument(const struct explanation_step *step, const char *name)
{
	return !strncmp(name, "argv[", 5) && step->at.function && strcmp(step->at.function, "main");
}

/* The variable, or the first of its elements. */
static void add_place(struct str *out, const char *name, const struct part *part)
{
	if (part->open) {
		str_add_bytes(out, name, part->open);
		str_printf(out, "[%lu]", part->first);
	} else {
		/* gdb does not know NULL. */
		for (const char *at = name; *at; at++)
			if (!strncmp(at, "NULL", 4) && !is_word(at[4]) &&
			    (at == name || !is_word(at[-1]))) {
				str_add_char(out, '0');
				at += 3;
			} else {
				str_add_char(out, *at);
			}
	}
}

static void add_count(struct str *out, const struct part *part)
{
	if (part->open)
		str_printf(out, "@%lu", part->count);
}

/* gdb displays locals of a function only where that is selected; what an address leads to, always. The address is kept in a
   variable of gdb's that is called like it: $main_argc. */
static void add_elsewhere(struct str *out, const char *function, const char *name,
                          const struct part *part)
{
	struct str variable GUARD(str_deinit) = STR_INIT;

	str_printf(&variable, "$%s_", function);
	for (const char *at = name; *at; at++)
		if (is_word(*at))
			str_add_char(&variable, *at);
		else if (str_text(&variable)[variable.length - 1] != '_' && at[1])
			str_add_char(&variable, '_');
	str_printf(out, "set %s = &%s::", str_text(&variable), function);
	add_place(out, name, part);
	str_printf(out, "\ndisplay *%s", str_text(&variable));
	add_count(out, part);
}

/* The commands that display a variable of a step, or say why there is none, each on a line. `edited`: it is a condition that the edit of the
   reference changes. Caller frees. */
static char *gdb_display(const struct explanation_step *step, const struct explanation_value *value,
                         bool reference, bool edited)
{
	struct str out = STR_INIT;
	const char *name = value->name;
	struct part part;
	size_t front;

	if (!name || !is_expression(name))
		return print_value(value, reference, "gdb has no name for it");
	/* gdb would compute what stands in the source. */
	if (edited)
		return print_value(value, reference, "the change of the code is here");
	front = qualified(value);
	if (front && name[strlen(value->function)] == '@')
		return print_value(value, reference,
		                   "it belongs to a call further up: see 'up' and 'frame'");
	part = part_of(name + front);
	if (front || is_argument(step, name)) {
		add_elsewhere(&out, front ? value->function : "main", name + front, &part);
		return str_steal(&out);
	}
	str_add(&out, "display ");
	add_place(&out, name, &part);
	add_count(&out, &part);
	return str_steal(&out);
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

static bool is_batch(const struct options *options)
{
	for (char **word = options->words; *word; word++)
		if (!strcmp(*word, "-batch") || !strcmp(*word, "--batch"))
			return true;
	return options->batch;
}

static void make_argv(const struct options *options, const struct replay *replay, const char *gdb,
                      const char *script, struct gdb_argv *argv)
{
	const struct recipe *recipe = replay->recipe;
	bool other = options->reference && recipe->kind == RECIPE_PROGRAM;
	const struct explanation_step *step;
	bool edited = false;

	add(argv, gdb);
	add(argv, "-q");
	/* The report chose the directory. Commands that lie there are not the user's, whatever he allows elsewhere. */
	add(argv, "-iex");
	add(argv, "set auto-load local-gdbinit off");
	if (options->batch)
		add(argv, "-batch");
	add(argv, "-x");
	add(argv, script);
	/* Each display is a command of its own: one that gdb refuses ends none of the others. */
	step = &replay->report.steps.at[options->step - 1];
	for (uint32_t i = 0;
	     i < replay->report.fixes.size && options->reference && replay->report.reference.edit;
	     i++) {
		const struct explanation_fix *fix = &replay->report.fixes.at[i];

		edited |= !strcmp(fix->edit, replay->report.reference.edit) &&
		          step->kind == EXPLANATION_BRANCH && step->at.file && fix->at.file &&
		          !strcmp(step->at.file, fix->at.file) && step->at.line == fix->at.line;
	}
	for (uint32_t i = 0; i < step->values.size; i++) {
		if (step->observed && !step->values.at[i].name)
			continue;
		add_commands(argv,
		             gdb_display(step, &step->values.at[i], options->reference, edited));
	}
	/* In batch mode gdb shows them only on request. */
	if (is_batch(options)) {
		add(argv, "-ex");
		add(argv, "display");
	}
	/* What the user wants done is done at the moment of the step. */
	for (char **word = options->words; *word; word++)
		add(argv, *word);
	add(argv, other ? recipe->other.path : replay->program);
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
		if (interrupt_seen())
			kill(child, SIGTERM);
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	if (child < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot start gdb");
	*code = WIFEXITED(status) ? WEXITSTATUS(status) : HENCE_ERROR_INTERNAL;
	return NULL;
}

/* --- the command --- */

static struct hence_error *debug(const struct options *options, struct replay *replay,
                                 const char *gdb, const struct gdb_moment *moment, int *code)
{
	struct gdb_argv argv = {VEC_INIT};
	struct gdb_room room;
	struct str script = STR_INIT;
	struct hence_error *error = gdb_room_init(
		gdb_input(options, replay), !options->report.failure.unconfined, moment, &room);

	if (!error) {
		gdb_add_script(moment, &room, &script);
		error = gdb_room_write(&room, "commands", &script, &room.script);
	}
	if (!error) {
		make_argv(options, replay, gdb, room.script, &argv);
		error = run(&argv, code);
	}
	vec_free(&argv.at);
	str_deinit(&script);
	if (room.scratch.path)
		trial_scratch_destroy(&room.scratch);
	free(room.hence);
	free(room.start);
	free(room.script);
	return error;
}

static struct hence_error *open_step(const struct options *options, struct replay *replay,
                                     int *code)
{
	struct gdb_moment moment = {0};
	char *gdb GUARD_FREE = NULL;
	struct hence_error *error = find_gdb(&gdb);

	if (!error && options->step > replay->report.steps.size)
		error = error_create(HENCE_ERROR_INPUT, "there is no step %llu: the report has %u",
		                     (unsigned long long)options->step, replay->report.steps.size);
	if (!error)
		error = gdb_find_moment(options, replay, &moment, code);
	if (!error && !*code)
		error = debug(options, replay, gdb, &moment, code);
	edited_destroy(moment.edited);
	vec_deinit(&moment.addresses);
	return error;
}

static struct hence_error *gdb(struct options *options, int *code)
{
	const char *step;
	char *end;

	if (options->operands.size < 2)
		return error_create(
			HENCE_ERROR_INPUT,
			"no %s given; use 'hence gdb [OPTIONS] REPORT STEP [-- GDB-ARGS...]'",
			options->operands.size ? "step" : "report");
	if (options->operands.size > 2)
		return error_create(HENCE_ERROR_INPUT, "what is %s? Put what is for gdb after --",
		                    options->operands.at[2]);
	step = options->operands.at[1];
	errno = 0;
	options->step = strtoull(step, &end, 10);
	if (*end || errno || !options->step || *step == '-')
		return error_create(HENCE_ERROR_INPUT, "%s is no step; steps are counted from 1",
		                    step);
	return replay_run(options, options->operands.at[0], open_step, code);
}

/* Called by gdb, to become the program. */
static int start(int argc, char **argv)
{
	return argc == 4 && !strcmp(argv[1], GDB_START) ? gdb_start(argv + 2) : -1;
}

const struct command command_gdb = {
	.name = "gdb",
	.bit = COMMAND_GDB,
	.formats = 1u << REPORT_TEXT,
	.usage = "hence gdb [OPTIONS] REPORT STEP [-- GDB-ARGS...]",
	.summary = "open gdb on the program, stopped at the moment of a step",
	.about = "Opens gdb on the program of a saved report, with its arguments, input and "
		 "variables, stopped at the moment of a step in the failing run, with the "
		 "variables of the step displayed. What stands after -- is for gdb. The program "
		 "is confined, as in all runs: it writes to a scratch directory only. It runs in "
		 "its own directory, or, if it wrote there or files are part of the input "
		 "(--file), in a copy of that, which is removed when gdb ends.",
	.run = gdb,
	.raw = start,
};
