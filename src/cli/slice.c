/* `hence slice`: which statements a failure, a value or an output came from, or an input went to. */
#include "cli/slice.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/slice_expect.h"

#define NOT_FAILING 1 /* exit code when there is nothing to explain */

static const char help[] =
	"hence slice [OPTIONS] -- PROGRAM ARGS...\n"
	"\n"
	"Runs a program that was built with hence cc, and shows the statements that a failure, a\n"
	"value or an output came from, with the values that they had. Without options the failure\n"
	"is the criterion: a crash, a failed assert, exit() with a status that is not 0, a hang\n"
	"(--timeout), or the first error with memory. The exit code is 0 when a slice was "
	"printed,\n"
	"1 when the program does not fail, 2 for bad input, 4 for an internal error.\n"
	"\n"
	"  --at FILE:LINE[:VAR]   slice from a line, or from a variable as it is right after it\n"
	"  --instance N           at its Nth execution, -1 is the last (default)\n"
	"  --output [NAME:]BYTE   slice from a byte, from 0 on, of standard output, of stderr, or\n"
	"                         of a file that the program wrote\n"
	"  --expect FILE          slice from the first byte of standard output that is not as in\n"
	"                         FILE; --expect-text TEXT gives the text itself\n"
	"  --forward              what depends on something, instead of what it depends on; from\n"
	"                         --at, or from input:\n"
	"  --argument N[:RANGE]   argument N, or bytes of it, like 1:0-3\n"
	"  --input [NAME:]RANGE   bytes of standard input or of a file\n"
	"  --env NAME             a variable of the environment\n"
	"  --relevant             also branches that, taken the other way, could have mattered\n"
	"  --data                 only data: not the branches that decided what was executed\n"
	"  --process N            of several recorded processes the Nth (default: the first)\n"
	"  --format FORMAT        text, gcc (for editors), json or dot (for graphviz)\n"
	"  --json                 the same as --format json\n"
	"  --depth N              dot: so many dependences from the criterion (default 4)\n"
	"  -o FILE                write to FILE\n"
	"  --color=WHEN           always, never or auto\n"
	"  --stdin FILE           standard input of the program\n"
	"  --models FILE          models of further outside functions (may be repeated)\n"
	"  --timeout SECONDS      kill the program after that time\n"
	"  --time SECONDS         read the tape no longer than that (default 30)\n"
	"  --tape-limit SIZE      most that one process may record, like 500M (8G)\n";

/* All that is made on the way. */
struct work {
	const struct slice_command *command;
	struct run run;
	struct slice_expect expect;
	struct modules *modules;
	const struct run_tape *recorded;
	struct walk_place death;
	struct recording tape;
	struct criterion criterion;
	struct slice slice;
	struct slice_graph *dependences;
	struct listing listing;
	struct graph graph;
	struct slice_answer answer;
	double until;
};

static void note(struct work *w, char *text)
{
	*vec_push(&w->answer.notes) = text;
}

/* --- the criterion --- */

static struct hence_error *find_place(struct work *w)
{
	const struct slice_command *c = w->command;
	struct criterion_point point = {.file = c->file,
	                                .line = c->line,
	                                .variable = c->variable,
	                                .instance = c->instance ? c->instance : -1};

	return criterion_of_place(&w->tape, &point, w->until, &w->criterion);
}

static struct hence_error *find_failure(struct work *w)
{
	return criterion_of_failure(&w->tape, &w->recorded->outcome, w->until, &w->criterion);
}

/* A program that died early says more by that than by output that is missing. */
static struct hence_error *find_wrong(struct work *w)
{
	enum outcome_kind kind = w->recorded->outcome.kind;
	struct str output;
	struct hence_error *error = slice_expect_compare(&w->expect);

	if (error)
		return error;
	if (w->expect.same ||
	    (w->expect.missing && (kind == OUTCOME_SIGNALLED || kind == OUTCOME_TIMED_OUT)))
		return find_failure(w);
	output = w->expect.actual;
	/* An end of line that was not asked for is not a part of it. */
	if (w->expect.missing)
		output.length = w->expect.wrong;
	return criterion_of_wrong_output(&w->tape, &output, w->expect.wrong, w->until,
	                                 &w->criterion);
}

static struct hence_error *find_criterion(struct work *w)
{
	const struct slice_command *c = w->command;

	if (c->file)
		return find_place(w);
	if (c->output)
		return criterion_of_output(&w->tape, c->stream, c->byte, w->until, &w->criterion);
	if (c->expect || c->expect_text)
		return find_wrong(w);
	return find_failure(w);
}

/* --- input --- */

static void add_range(const struct slice_input *input, struct str *out)
{
	if (!input->to)
		return;
	str_printf(out, input->to - input->from == 1 ? ", byte %llu" : ", bytes %llu",
	           (unsigned long long)input->from);
	if (input->to == UINT64_MAX)
		str_add(out, " to the end");
	else if (input->to - input->from > 1)
		str_printf(out, " to %llu", (unsigned long long)input->to - 1);
}

static void add_input(const struct slice_input *input, struct str *out)
{
	if (input->kind == SLICE_ARGUMENT)
		str_printf(out, "argument %u", input->index);
	else if (input->kind == SLICE_VARIABLE)
		str_printf(out, "the environment's %s", input->name);
	else
		str_add(out, input->name ? input->name : "standard input");
	add_range(input, out);
}

/* Arguments can be looked at beforehand. */
static struct hence_error *check_inputs(const struct slice_command *c)
{
	uint32_t count = 0;

	while (c->run.command[count])
		count++;
	for (uint32_t i = 0; i < c->inputs.size; i++) {
		const struct slice_input *input = &c->inputs.at[i];
		size_t length;

		if (input->kind != SLICE_ARGUMENT)
			continue;
		if (input->index >= count)
			return error_create(HENCE_ERROR_INPUT,
			                    "--argument %u: the program is given %u argument%s",
			                    input->index, count - 1, count == 2 ? "" : "s");
		length = strlen(c->run.command[input->index]);
		if (input->to && input->from >= length)
			return error_create(HENCE_ERROR_INPUT,
			                    "--argument %u:%llu: '%s' has %zu bytes, and the first "
			                    "is 0",
			                    input->index, (unsigned long long)input->from,
			                    c->run.command[input->index], length);
	}
	return NULL;
}

static void describe_inputs(struct work *w)
{
	const struct slice_command *c = w->command;

	for (uint32_t i = 0; i < c->inputs.size; i++) {
		if (w->criterion.what.length)
			str_add(&w->criterion.what, " and ");
		add_input(&c->inputs.at[i], &w->criterion.what);
	}
}

/* --- the slice --- */

static bool is_late(void *context)
{
	const struct work *w = context;

	return record_now() > w->until;
}

/* A value that no statement computed. */
static void slice_nothing(struct slice *out)
{
	*out = (struct slice){.instances = roaring_bitmap_create(),
	                      .codes = roaring_bitmap_create(),
	                      .potential = roaring_bitmap_create()};
}

/* The edge goes to whom it concerns by one context. */
static void on_edge(void *context, const struct slice_edge *edge)
{
	struct work *w = context;

	slice_graph_edge(w->dependences, edge);
}

static void on_member(void *context, uint32_t part, uint32_t whole, uint32_t code)
{
	struct work *w = context;

	slice_graph_member(w->dependences, part, whole, code);
}

static struct hence_error *make_slice(struct work *w)
{
	const struct slice_command *c = w->command;
	struct slice_options options = {
		.data_only = c->data,
		.relevant = c->relevant,
		.edge = c->format == SLICE_DOT ? on_edge : NULL,
		.stop = is_late,
		.context = w,
	};

	if (!w->criterion.at.size && !c->inputs.size) {
		slice_nothing(&w->slice);
		return NULL;
	}
	if (c->forward)
		return slice_forward(&w->tape, w->criterion.at.at, w->criterion.at.size,
		                     c->inputs.at, c->inputs.size, &options, &w->slice);
	return slice_backward(&w->tape, w->criterion.at.at, w->criterion.at.size, &options,
	                      &w->slice);
}

static struct hence_error *make_listing(struct work *w)
{
	struct listing_choice choice = {
		.codes = w->slice.codes,
		.instances = w->slice.instances,
		.potential = w->slice.potential,
		.marks = w->criterion.marks.at,
		.mark_count = w->criterion.marks.size,
		.end = w->criterion.end,
		.until = record_now() + w->command->run.time,
		.member = w->dependences ? on_member : NULL,
		.context = w,
	};

	return listing_collect(&w->tape, &choice, &w->listing);
}

/* --- what is told about it --- */

static void add_title(struct work *w)
{
	struct str *title = &w->answer.title;

	str_printf(title, "%s slice of %s", w->command->forward ? "forward" : "backward",
	           str_text(&w->criterion.what));
	criterion_add_place(&w->criterion, title);
	str_printf(title, ": %llu of %llu executed lines (of %llu)",
	           (unsigned long long)w->listing.chosen, (unsigned long long)w->listing.executed,
	           (unsigned long long)w->listing.program);
}

static void add_notes(struct work *w)
{
	const struct slice *s = &w->slice;

	for (uint32_t i = 0; i < w->criterion.notes.size; i++)
		note(w, mem_strdup(w->criterion.notes.at[i]));
	/* A person reads them on standard error. */
	for (uint32_t i = 0; w->command->format == SLICE_JSON && i < w->run.notes.size; i++)
		note(w, mem_strdup(w->run.notes.at[i]));
	if (!w->command->forward && !w->listing.chosen && !w->criterion.notes.size)
		note(w, str_format("no statement computed it: it is as the program was given it"));
	if (w->command->forward && !w->listing.chosen)
		note(w, str_format("no statement depends on it: the program never used it"));
	if (s->unseen)
		note(w, str_format("the slice reaches memory that code without a model wrote: it "
		                   "may lack something"));
	if (s->guesses)
		note(w,
		     str_format("%u call%s of functions without a model %s in the slice: what "
		                "%s read and wrote is a guess (--models FILE tells)",
		                s->guesses, s->guesses == 1 ? "" : "s",
		                s->guesses == 1 ? "is" : "are", s->guesses == 1 ? "it" : "they"));
	if (s->stopped)
		note(w, str_format("reading ended after %g seconds, so the slice is incomplete; "
		                   "--time SECONDS allows more",
		                   w->command->run.time));
}

static void make_graph(struct work *w)
{
	if (!w->dependences)
		return;
	w->graph.title = mem_strdup(str_text(&w->answer.title));
	if (slice_graph_build(w->dependences, &w->criterion, &w->slice, &w->listing,
	                      w->command->depth, w->command->forward, &w->graph))
		run_note(&w->run, "note: the slice has too many dependences for a graph; some are "
		                  "missing in it");
	w->answer.graph = &w->graph;
}

/* --- all of it --- */

static struct hence_error *explain(struct work *w)
{
	struct hence_error *error = make_slice(w);

	if (!error)
		error = make_listing(w);
	if (error)
		return error;
	w->answer.command = w->command;
	w->answer.criterion = &w->criterion;
	w->answer.slice = &w->slice;
	w->answer.listing = &w->listing;
	add_title(w);
	add_notes(w);
	make_graph(w);
	return NULL;
}

static struct hence_error *print(struct work *w)
{
	FILE *file;
	struct hence_error *error = record_open(w->command->out, &file);

	if (error)
		return error;
	slice_print(&w->answer, file);
	error = record_close(w->command->out, file);
	fflush(stdout);
	record_print_outcome(&w->run);
	return error;
}

static int say_no_failure(struct work *w)
{
	record_print_outcome(&w->run);
	fprintf(stderr,
	        "hence: %s does not fail%s; choose what to slice from with --at FILE:LINE[:VAR] or "
	        "--output BYTE%s\n",
	        w->run.program.name,
	        w->expect.fd > 0 ? ": its output is as expected" : " (exit status 0)",
	        w->expect.fd > 0 ? "" : ", or say what it should print with --expect FILE");
	return NOT_FAILING;
}

static struct hence_error *record(struct work *w)
{
	const struct slice_command *c = w->command;
	struct hence_error *error = run_check_output(c->out, "-o", false);

	if (!error)
		error = check_inputs(c);
	if (!error && (c->expect || c->expect_text))
		error = slice_expect_init(&w->expect, c->expect, c->expect_text);
	if (error)
		return error;
	w->run.output = w->expect.fd > 0 ? w->expect.fd : c->out ? -1 : 2;
	error = run_record(&w->run);
	if (!error)
		error = record_choose(&w->run, c->process, &w->recorded);
	return error;
}

static struct hence_error *perform(struct work *w, int *code)
{
	const struct slice_command *c = w->command;
	struct hence_error *error = record(w);

	if (error)
		return error;
	w->modules = modules_create();
	w->tape = record_slice_run(&w->run, w->recorded, w->modules, &w->death);
	w->until = record_now() + c->run.time;
	if (!c->forward || c->file)
		error = find_criterion(w);
	if (error)
		return error;
	describe_inputs(w);
	if (!c->forward && w->criterion.kind == CRITERION_NONE) {
		*code = say_no_failure(w);
		return NULL;
	}
	error = explain(w);
	return error ? error : print(w);
}

static void deinit(struct work *w)
{
	slice_graph_destroy(w->dependences);
	graph_deinit(&w->graph);
	listing_deinit(&w->listing);
	if (w->slice.instances)
		slice_deinit(&w->slice);
	criterion_deinit(&w->criterion);
	str_deinit(&w->answer.title);
	for (uint32_t i = 0; i < w->answer.notes.size; i++)
		free(w->answer.notes.at[i]);
	vec_deinit(&w->answer.notes);
	if (w->modules)
		modules_destroy(w->modules);
	run_deinit(&w->run);
	slice_expect_deinit(&w->expect);
}

int command_slice(int argc, char **argv)
{
	struct slice_command command;
	struct work w = {.command = &command,
	                 .run = {.options = &command.run, .input = -1, .output = -1}};
	struct hence_error *error = slice_command_parse(argc, argv, &command);
	int code = 0;

	if (error)
		return cli_fail(error);
	if (command.format == SLICE_DOT)
		w.dependences = slice_graph_create();
	if (command.run.help)
		fputs(help, stdout);
	else
		error = perform(&w, &code);
	deinit(&w);
	slice_command_deinit(&command);
	return error ? cli_fail(error) : code;
}
