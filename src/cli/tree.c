/* `hence tree`: all potential causes of a failure, from the failing run alone. */
#include "base/guard.h"
#include "explain/provenance.h"
#include "explain/question.h"
#include "cli/progress.h"
#include "cli/tree.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "explain/alone.h"
#include "cli/commands.h"
#include "cli/explain.h"
#include "explain/references.h"
#include "cli/record.h"
#include "cli/options.h"
#include "explain/alone.h"
#include "cli/tree_walk.h"
#include "report/source.h"
#include "report/explanation_words.h"

#define TREE_SHOWN 30u /* causes that a text shows, as far as whole levels go */
#define TREE_DEPTH 2u  /* levels that it shows at least, if in part */

/* All that is made on the way. */
struct tree_run {
	const struct options *options;
	struct references pair;
	struct violation_check check;
	struct tree_correct correct;
	struct tree_search search;
	struct explain_sources *sources;
	struct cause_tree report;
};

/* --- printing --- */

static void print_text(const struct cause_tree *tree, const struct report_options *options,
                       uint64_t show, uint32_t chosen, FILE *file)
{
	const struct explanation_style style = report_options_style(options);
	uint32_t deepest = cause_tree_deepest(tree, TREE_SHOWN);

	if (deepest < TREE_DEPTH)
		deepest = TREE_DEPTH;
	if (show)
		deepest = (uint32_t)show;
	else if (options->full)
		deepest = UINT32_MAX;
	if (chosen)
		cause_tree_print_path(tree, chosen, &style, file);
	else
		cause_tree_print_text(tree, &style, deepest, options->full, file);
}

void tree_print_report(const struct cause_tree *tree, const struct report_options *options,
                       uint64_t show, uint32_t chosen, FILE *file)
{
	switch (options->format) {
	case REPORT_JSON: cause_tree_print_json(tree, chosen, file); break;
	case REPORT_DOT: cause_tree_print_dot(tree, file); break;
	case REPORT_GCC: cause_tree_print_gcc(tree, file); break;
	default: print_text(tree, options, show, chosen, file); break;
	}
}

static struct hence_error *save(const struct tree_run *run, uint32_t chosen)
{
	const char *path = run->options->report.save;
	FILE *file;
	struct hence_error *error = record_open_option(path, "--save", &file);

	if (error)
		return error;
	cause_tree_print_json(&run->report, chosen, file);
	return record_close_option(path, "--save", file);
}

/* Prints the tree as the command says; `chosen`: the way to that cause; 0: all. */
static struct hence_error *tree_print(const struct tree_run *run, uint32_t chosen)
{
	const struct options *c = run->options;
	struct hence_error *error = c->report.save ? save(run, chosen) : NULL;
	FILE *file;

	if (!error)
		error = record_open(c->report.out, &file);
	if (error)
		return error;
	tree_print_report(&run->report, &c->report, c->show, chosen, file);
	return record_close(c->report.out, file);
}

/* --- for other solvers --- */

static struct hence_error *write_file(const char *path, const struct str *text)
{
	FILE *file = fopen(path, "we");
	bool failed;

	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "--smt: cannot write %s", path);
	failed = fwrite(str_text(text), 1, text->length, file) != text->length;
	failed |= fclose(file) != 0;
	if (failed)
		return error_from_errno(HENCE_ERROR_INPUT, "--smt: cannot write %s", path);
	return NULL;
}

static struct hence_error *write_node(const struct options *command, const struct tree *tree,
                                      uint32_t index)
{
	const struct tree_node *node = &tree->nodes.at[index];
	char *path GUARD_FREE = str_format("%s/%u.smt2", command->smt, index + 1);
	struct str text GUARD(str_deinit) = STR_INIT;
	struct hence_error *error;

	solver_print(tree_solver(tree), node->conjuncts.at, node->conjuncts.size, &text);
	error = write_file(path, &text);
	return error;
}

/* --- functions that are designated correct, by --correct and --correct-file --- */

#define USUAL_FILE "hence.correct"

static bool is_name(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_' && text[i] != '$')
			return false;
	return length && !isdigit((unsigned char)*text);
}

/* --- a list --- */

static struct hence_error *add_list(const char *list, struct tree_correct *out)
{
	for (const char *at = list;; at++) {
		size_t length = strcspn(at, ",");

		if (!is_name(at, length))
			return error_create(HENCE_ERROR_INPUT,
			                    "--correct %s: '%.*s' is no name of a function; give "
			                    "names with commas between them",
			                    list, (int)length, at);
		*vec_push(&out->names) = mem_strndup(at, length);
		at += length;
		if (!*at)
			return NULL;
	}
}

/* --- a file --- */

/* One line: a name, or nothing, and perhaps a comment. */
static struct hence_error *add_line(const char *path, unsigned number, char *line,
                                    struct tree_correct *out)
{
	char *begin = line + strspn(line, " \t\r\n"), *end;

	line[strcspn(line, "#")] = '\0';
	for (end = begin + strlen(begin); end > begin && strchr(" \t\r\n", end[-1]);)
		*--end = '\0';
	if (end == begin)
		return NULL;
	/* 'f()' is what people write, too. */
	if (end - begin > 2 && !strcmp(end - 2, "()"))
		end -= 2;
	if (!is_name(begin, (size_t)(end - begin)))
		return error_create(HENCE_ERROR_INPUT,
		                    "%s:%u: give one name of a function a line; # begins a comment",
		                    path, number);
	*vec_push(&out->names) = mem_strndup(begin, (size_t)(end - begin));
	return NULL;
}

static struct hence_error *read_lines(const char *path, FILE *file, struct tree_correct *out)
{
	struct hence_error *error = NULL;
	char *line GUARD_FREE = NULL;
	size_t room = 0;
	ssize_t length;

	for (unsigned number = 1; !error && (length = getline(&line, &room, file)) >= 0; number++) {
		if (strlen(line) != (size_t)length)
			error = error_create(
				HENCE_ERROR_INPUT,
				"%s:%u: this is no text; give one name of a function a line", path,
				number);
		else
			error = add_line(path, number, line, out);
	}
	if (!error && ferror(file))
		error = error_from_errno(HENCE_ERROR_INPUT, "--correct-file: cannot read %s", path);
	return error;
}

static struct hence_error *add_file(const char *path, bool usual, struct tree_correct *out)
{
	FILE *file = fopen(path, "re");
	struct hence_error *error;

	if (!file && usual && errno == ENOENT)
		return NULL;
	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "--correct-file: cannot read %s", path);
	error = read_lines(path, file, out);
	fclose(file);
	return error;
}

/* --- both of them --- */

/* What the command says, and the file of that name in the working directory. Caller frees with
   tree_correct_deinit(), after an error too. */
static struct hence_error *tree_correct_read(const struct options *command,
                                             struct tree_correct *out)
{
	struct hence_error *error =
		add_file(command->correct_file ? command->correct_file : USUAL_FILE,
	                 !command->correct_file, out);

	for (uint32_t i = 0; !error && i < command->correct.size; i++)
		error = add_list(command->correct.at[i], out);
	return error;
}

/* --- the tree --- */

/* What judges a run? With a condition of the user's alone nothing does: it is not looked at from outside. */
static bool can_judge(const struct tree_run *run)
{
	const struct failure_options *failure = &run->options->report.failure;

	if (run->options->no_experiments || run->pair.reduced.end == REDUCE_NO_FAILURE)
		return false;
	return !run->options->condition || failure->expect || failure->expect_text || failure->test;
}

/* --- what is kept of it --- */

static void make_report(struct tree_run *run)
{
	struct explanation e = {0};

	cause_tree_deinit(&run->report);
	tree_report(&run->search.tree, &run->search.counts, run->sources, &run->report);
	references_describe(&run->pair, &e);
	run->report.program = e.program;
	e.program = NULL;
	for (uint32_t i = 0; i < e.command.size; i++)
		*vec_push(&run->report.command) = e.command.at[i];
	e.command.size = 0;
	explain_sources_note(run->sources, &e);
	for (uint32_t i = 0; i < e.notes.size; i++) {
		*vec_push(&run->report.notes) = e.notes.at[i];
		e.notes.at[i] = NULL;
	}
	explanation_deinit(&e);
	if (!run->search.experiments && run->options->condition && !run->options->no_experiments)
		*vec_push(&run->report.notes) = mem_strdup(
			"no experiments were made: whether the condition holds in another run "
			"cannot be seen from outside; say what is right with --expect or --test");
	if (run->search.counts.stopped)
		*vec_push(&run->report.notes) = mem_strdup(
			interrupt_seen() ? "interrupted before all causes were tried"
					 : "the time was up before all causes were tried; "
					   "give more with --time");
	run->report.stats.seconds = budget_clock() - run->pair.began;
	cause_tree_settle(&run->report);
}

/* Computes what is below a cause, describes and tries it, and makes the report anew. */
static struct hence_error *tree_run_expand(struct tree_run *run, uint32_t number)
{
	double time = run->options->report.failure.time;
	struct hence_error *error;

	run->search.until = time > 0 ? budget_clock() + time : 0;
	tree_expand(&run->search.tree, number - 1);
	error = tree_search_go_on(&run->search);
	make_report(run);
	return error;
}

/* --- the dialogue of -i; tree_walk.h says what answers do --- */

#define AROUND 2u /* lines before and after the one of a cause that are shown */

static const char answers_help[] =
	"  n        not it: this cause, and what leads only to it, is not looked at any more\n"
	"  s        suspicious: go to what led to it\n"
	"  y        yes, this is it: write the report, and end\n"
	"  b        back: take the last answer back\n"
	"  l        list all causes with the answers (- not it, ? suspicious, . cut off)\n"
	"  g N      go to cause N\n"
	"  w FILE   save the session to FILE; --session FILE takes it up again\n"
	"  q        quit\n"
	"  h        this help\n";

struct talk {
	struct tree_run *run;
	struct tree_walk walk;
	FILE *answers;
	struct explanation_style style;
	uint32_t levels;
};

/* --- what is shown --- */

static void show(const struct talk *talk)
{
	const struct cause_tree *tree = &talk->run->report;
	const struct cause_node *node = cause_tree_node(tree, talk->walk.at);
	unsigned first;

	putchar('\n');
	if (talk->walk.at == 1) {
		struct str text = STR_INIT;

		explanation_add_safe(&text, tree->what ? tree->what : "the failure");
		printf("%s\n", str_text(&text));
		str_deinit(&text);
	}
	/* The line of a cause and those around it. */
	first = node->at.line > AROUND ? node->at.line - AROUND : 1;
	for (unsigned line = first; node->at.source && line <= node->at.line + AROUND; line++) {
		struct explanation_place place =
			explain_place(talk->run->sources, node->at.file, line, 0, NULL);
		struct str code = STR_INIT, text = STR_INIT;

		source_add_expanded(place.source ? place.source : "", &code);
		explanation_add_safe(&text, str_text(&code));
		if (place.source)
			printf("%c %5u  %s\n", line == node->at.line ? '>' : ' ', line,
			       str_text(&text));
		str_deinit(&code);
		str_deinit(&text);
		explanation_place_deinit(&place);
	}
	cause_node_print_text(tree, talk->walk.at, &talk->style, stdout);
	printf("   level %u", node->level);
	if (!node->expanded)
		printf("; what led to it is not computed yet");
	else if (!node->children.size && !node->again.size)
		printf("; nothing is known that led to it");
	for (uint32_t i = 0; i < node->children.size; i++)
		printf("%s%u", i ? ", " : "; led to by ", node->children.at[i]);
	putchar('\n');
}

static char letter(const struct talk *talk, const bool *alive, uint32_t number)
{
	switch (tree_walk_mark(&talk->walk, number)) {
	case TREE_MARK_NOT: return '-';
	case TREE_MARK_SUSPICIOUS: return '?';
	case TREE_MARK_IT: return '!';
	case TREE_MARK_NONE: break;
	}
	return alive[number - 1] ? ' ' : '.';
}

static void list_below(const struct talk *talk, const bool *alive, uint32_t number)
{
	const struct cause_node *node = cause_tree_node(&talk->run->report, number);
	struct str text = STR_INIT;

	explanation_add_place(&text, &node->at);
	str_add(&text, node->wanted ? "  " : "");
	cause_node_add_condition(node, &text);
	printf("%c%c%*s%u. %s%s\n", number == talk->walk.at ? '>' : ' ',
	       letter(talk, alive, number), 1 + (int)(2 * (node->level < 20 ? node->level : 20)),
	       "", number, str_text(&text), node->proven ? " PROVEN" : "");
	str_deinit(&text);
	for (uint32_t i = 0; i < node->children.size; i++)
		list_below(talk, alive, node->children.at[i]);
}

static void list(const struct talk *talk)
{
	bool *alive = tree_walk_alive(&talk->walk, &talk->run->report);

	list_below(talk, alive, 1);
	free(alive);
}

/* --- answers --- */

/* A line without its end. False: there is none. */
static bool read_answer(const struct talk *talk, char **line, size_t *room)
{
	ssize_t length;

	printf("hence> ");
	fflush(stdout);
	length = getline(line, room, talk->answers);
	if (length < 0) {
		putchar('\n');
		return false;
	}
	while (length > 0 && strchr(" \t\r\n", (*line)[length - 1]))
		(*line)[--length] = '\0';
	if (talk->run->options->answers) {
		struct str text = STR_INIT;

		explanation_add_safe(&text, *line);
		printf("%s\n", str_text(&text));
		str_deinit(&text);
	}
	return true;
}

/* A file that cannot be written does not end the dialogue. */
static void save_walk(const struct talk *talk, const char *path)
{
	struct hence_error *error =
		tree_session_write(path, &talk->walk, &talk->run->report, talk->levels);

	printf("%s\n", error ? error->message : "saved");
	error_destroy(error);
}

static struct hence_error *expand(struct talk *talk)
{
	struct hence_error *error = tree_run_expand(talk->run, talk->walk.at);
	struct tree_walk_reply reply;

	if (error)
		return error;
	reply = tree_walk_enter(&talk->walk, &talk->run->report);
	if (reply.say)
		printf("%s\n", reply.say);
	if (reply.action == TREE_WALK_SHOW)
		show(talk);
	return NULL;
}

/* One answer. *end: it was the last. */
static struct hence_error *answer(struct talk *talk, const char *line, bool *end, int *code)
{
	struct tree_walk_reply reply = tree_walk_take(&talk->walk, &talk->run->report, line);

	if (reply.say)
		printf("%s\n", reply.say);
	switch (reply.action) {
	case TREE_WALK_SHOW: show(talk); break;
	case TREE_WALK_SAY: break;
	case TREE_WALK_EXPAND: return expand(talk);
	case TREE_WALK_LIST: list(talk); break;
	case TREE_WALK_SAVE: save_walk(talk, reply.argument); break;
	case TREE_WALK_HELP: fputs(answers_help, stdout); break;
	case TREE_WALK_QUIT: *end = true; break;
	case TREE_WALK_REPORT:
		*end = true;
		*code = CLI_DONE;
		putchar('\n');
		return tree_print(talk->run, talk->walk.at);
	}
	return NULL;
}

/* --- the dialogue itself --- */

/* The terminal: standard input may be the program's. */
static struct hence_error *open_answers(struct talk *talk)
{
	const char *path = talk->run->options->answers;

	if (path)
		talk->answers = fopen(path, "re");
	else if (isatty(0))
		talk->answers = stdin;
	else
		talk->answers = fopen("/dev/tty", "re");
	if (talk->answers)
		return NULL;
	if (path)
		return error_from_errno(HENCE_ERROR_INPUT, "--answers: cannot read %s", path);
	return error_create(HENCE_ERROR_INPUT,
	                    "-i needs a terminal for the answers; give them with --answers FILE");
}

/* Goes on where the session ended. */
static struct hence_error *resume(struct talk *talk)
{
	const char *path = talk->run->options->session;
	struct tree_session session;
	bool exists = false;
	struct hence_error *error = path ? tree_session_read(path, &session, &exists) : NULL;

	if (error || !exists)
		return error;
	error = tree_session_check(path, &session, &talk->run->report, talk->levels, false);
	for (uint32_t i = 0; !error && i < session.walk.expanded.size; i++)
		if (cause_tree_node(&talk->run->report, session.walk.expanded.at[i]))
			error = tree_run_expand(talk->run, session.walk.expanded.at[i]);
	if (!error)
		error = tree_session_check(path, &session, &talk->run->report, talk->levels, true);
	if (!error) {
		tree_walk_deinit(&talk->walk);
		talk->walk = session.walk;
		session.walk = (struct tree_walk){0};
	}
	tree_session_deinit(&session);
	return error;
}

static struct hence_error *converse(struct talk *talk, int *code)
{
	struct hence_error *error = NULL;
	char *line = NULL;
	size_t room = 0;
	bool end = false;

	show(talk);
	while (!error && !end && !interrupt_seen() && read_answer(talk, &line, &room))
		error = answer(talk, line, &end, code);
	free(line);
	if (!error && talk->run->options->session)
		error = tree_session_write(talk->run->options->session, &talk->walk,
		                           &talk->run->report, talk->levels);
	return error;
}

/* Walks through the tree with the user. */
static struct hence_error *tree_talk(struct tree_run *run, int *code)
{
	const struct report_options terminal = {.color = run->options->report.color};
	struct talk talk = {.run = run,
	                    .style = report_options_style(&terminal),
	                    .levels = run->search.options.levels};
	struct hence_error *error = open_answers(&talk);

	tree_walk_init(&talk.walk);
	if (!error)
		error = resume(&talk);
	if (!error)
		error = converse(&talk, code);
	tree_walk_deinit(&talk.walk);
	if (talk.answers && talk.answers != stdin)
		fclose(talk.answers);
	return error;
}

/* --- the work --- */

static struct hence_error *find(struct tree_run *run)
{
	const struct options *c = run->options;
	struct hence_error *error;

	run->search = (struct tree_search){
		.pair = &run->pair,
		.check = c->condition ? &run->check : NULL,
		.correct = &run->correct,
		.levels = (uint32_t)(c->levels ? c->levels : TREE_LEVELS),
		.nodes = (uint32_t)c->nodes,
		.experiments = can_judge(run),
		.until = run->pair.search.budget.until,
	};
	error = tree_search_run(&run->search);
	if (!error)
		error = explain_sources_create(&run->pair.failing.recording,
		                               &run->pair.search.budget, &run->sources);
	return error;
}

/* Is something proven, or where nothing can be, is there a cause at all? */
static int exit_code(const struct tree_run *run)
{
	const struct cause_tree *t = &run->report;

	if (run->search.experiments)
		return t->stats.proven ? CLI_DONE : CLI_NOT_PROVEN;
	return t->nodes.size && t->nodes.at[0].statements.size ? CLI_DONE : CLI_NOT_PROVEN;
}

/* A test says that a run fails, but not where that shows. */
static struct hence_error *explain_test(const struct tree_run *run, struct hence_error *error)
{
	if (!error || error->kind != HENCE_ERROR_NOTHING || !run->options->report.failure.test ||
	    run->options->condition)
		return error;
	error_destroy(error);
	return error_create(HENCE_ERROR_INPUT,
	                    "the test calls the run a failure, but the run exits with 0: say what "
	                    "is wrong with "
	                    "it with --check 'FILE:LINE: EXPR' as well, or with --expect instead");
}

static struct hence_error *search(struct tree_run *run, int *code)
{
	struct hence_error *error = references_find(&run->pair);

	*code = cli_refused(&run->pair.refused);
	if (error || *code)
		return error;
	if (run->pair.has_failing)
		error = explain_test(run, find(run));
	if (!error && run->search.built) {
		make_report(run);
		*code = exit_code(run);
		if (run->options->smt) {
			/* The conjuncts of each cause, a file each. */
			for (uint32_t i = 0; i < run->search.tree.nodes.size && !error; i++) {
				const struct tree_node *node = &run->search.tree.nodes.at[i];

				if (node->conjuncts.size && node->how != REFUTED_NOT)
					error = write_node(run->options, &run->search.tree, i);
			}
		}
		if (error)
			return error;
		return run->options->interactive ? tree_talk(run, code) : tree_print(run, 0);
	}
	if (!error) {
		fprintf(stderr, interrupt_seen()
		                        ? "hence: interrupted before a cause was found\n"
		                        : "hence: the time was up before a cause was found; give "
		                          "more with --time\n");
		*code = CLI_NOT_PROVEN;
	}
	return error;
}

/* Builds the tree of the command and prints it, or walks through it with the user. *code is the exit code. */
static struct hence_error *tree_perform(const struct options *command, int *code)
{
	const struct explain_question question = {.failure = &command->report.failure,
	                                          .run = &command->report.run};
	struct tree_run run = {.options = command};
	struct hence_error *error = NULL;

	references_begin(&run.pair, &question);
	progress_watch(&run.pair.search);
	run.pair.as_given = run.pair.alone = run.pair.memory_errors = true;
	run.pair.may_pass = command->condition != NULL;
	if (command->condition)
		error = violation_check_parse(command->condition, &run.check);
	if (!error)
		error = tree_correct_read(command, &run.correct);
	if (!error)
		error = search(&run, code);
	cause_tree_deinit(&run.report);
	explain_sources_destroy(run.sources);
	tree_search_deinit(&run.search);
	vec_free(&run.correct.names);
	violation_check_deinit(&run.check);
	references_deinit(&run.pair);
	return error;
}

/* --- do they go together? --- */

static struct hence_error *check_number(const char *name, uint64_t number, uint64_t most)
{
	if (number <= most)
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "%s %llu: give at most %llu", name,
	                    (unsigned long long)number, (unsigned long long)most);
}

static struct hence_error *make_folder(const char *path)
{
	struct stat info;

	if (mkdir(path, 0777) && errno != EEXIST)
		return error_from_errno(HENCE_ERROR_INPUT, "--smt: cannot make the directory %s",
		                        path);
	if (!stat(path, &info) && S_ISDIR(info.st_mode))
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "--smt: %s is no directory", path);
}

/* What is wrong with these is found before the search, which may take long. */
static struct hence_error *check_files(const struct options *c)
{
	struct hence_error *error = run_check_output(c->report.out, "-o", false);

	if (!error)
		error = run_check_output(c->report.save, "--save", false);
	if (!error)
		error = run_check_output(c->session, "--session", true);
	if (!error && c->smt)
		error = make_folder(c->smt);
	if (!error && c->answers && access(c->answers, R_OK))
		error = error_from_errno(HENCE_ERROR_INPUT, "--answers: cannot read %s",
		                         c->answers);
	return error;
}

static struct hence_error *check(struct options *c)
{
	struct hence_error *error = check_number("--levels", c->levels, 1000);

	if (!error)
		error = check_number("--nodes", c->nodes, 1000000);
	if (!error)
		error = check_number("--show", c->show, 1000);
	if (!error && c->report.failure.pass_program)
		error = error_create(HENCE_ERROR_INPUT,
		                     "hence tree compares with no other program; give what is "
		                     "right with --expect FILE instead of --pass-prog");
	if (!error && c->session && !c->interactive && !c->answers)
		error = error_create(HENCE_ERROR_INPUT, "--session is about answers; add -i");
	if (!error)
		error = check_files(c);
	c->interactive |= c->answers != NULL;
	return error;
}

static struct hence_error *tree(struct options *options, int *code)
{
	struct explain_compiled compiled = {0};
	struct hence_error *error = check(options);

	options->report.failure.fixed = true;
	if (!error && options->report.sources)
		error = explain_compile(&options->report, false, &compiled, code);
	if (!error && !*code)
		error = tree_perform(options, code);
	explain_compiled_deinit(&compiled);
	return error;
}

const struct command command_tree = {
	.name = "tree",
	.bit = COMMAND_TREE,
	.formats = REPORT_LISTS | 1u << REPORT_DOT,
	.usage = "hence tree [OPTIONS] -- PROGRAM ARGS...\n"
		 "hence tree [OPTIONS] FILE.c ... [-- ARGS...]",
	.summary = "show all potential causes of a failure as a tree, from the failing run alone",
	.about = "Computes the cause tree of a failing run, which needs no run that passes. A "
		 "cause is a condition that was false and would have avoided the failure, with the "
		 "statements that made it so. Below it are the causes of that: branches that "
		 "decided about these statements, or that could have changed what they read. Each "
		 "is tried by experiment: is there a branch or a value that makes the run pass? "
		 "The program must have been built with hence cc; sources are compiled first. It "
		 "runs confined, so no file of yours is changed.",
	.run = tree,
};
