/* `hence slice`: which statements a failure, a value or an output came from, or an input went to. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/str.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/record.h"
#include "explain/failure_case.h"
#include "failure/criterion.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/slice_graph.h"

#define DEPTH 4u /* of a graph, when none is given */

/* What is sliced, and what is found. */
struct slicing {
	const struct options *options;
	struct str expected; /* standard output, by --expect or --expect-text */
	int output;          /* takes that of the program; -1: nothing is expected */
	struct run run;
	const struct run_tape *recorded;
	struct modules *modules;
	struct recording tape;
	double until;
	struct criterion criterion;
	struct slice slice;
	struct listing listing;
	struct slice_graph *dependences; /* of --format dot; NULL: another format */
	struct graph graph;
	struct str title;
	VEC(char *) notes;
};

/* --- options that do not go together --- */

static struct hence_error *judge_forward(const struct options *c)
{
	if (c->has_output || c->report.failure.expect || c->report.failure.expect_text)
		return error_create(HENCE_ERROR_INPUT,
		                    "a forward slice begins with input or with --at; leave out "
		                    "--output, --expect and --expect-text");
	if (c->relevant)
		return error_create(HENCE_ERROR_INPUT,
		                    "--relevant is for backward slices; leave out --forward");
	if (!c->file && !c->inputs.size)
		return error_create(HENCE_ERROR_INPUT,
		                    "--forward: say from where, with --at FILE:LINE[:VARIABLE], "
		                    "--argument N, --input FROM-TO or --env NAME");
	return NULL;
}

static struct hence_error *judge_backward(const struct options *c)
{
	int given = !!c->file + c->has_output +
	            (c->report.failure.expect || c->report.failure.expect_text);

	if (c->inputs.size)
		return error_create(HENCE_ERROR_INPUT, "--argument, --input and --env are where a "
		                                       "forward slice begins; add --forward");
	if (given > 1)
		return error_create(
			HENCE_ERROR_INPUT,
			"give only one of --at, --output and --expect: a slice has one criterion");
	return NULL;
}

static struct hence_error *judge(const struct options *c)
{
	if (c->instance && !c->file)
		return error_create(
			HENCE_ERROR_INPUT,
			"--instance counts executions of a line; give it with --at FILE:LINE");
	if (c->depth && c->report.format != REPORT_DOT)
		return error_create(HENCE_ERROR_INPUT,
		                    "--depth is how far a graph goes; give it with --format dot");
	if (c->relevant && c->data)
		return error_create(
			HENCE_ERROR_INPUT,
			"--relevant adds branches, and --data leaves all out; give one of them");
	return c->forward ? judge_forward(c) : judge_backward(c);
}

/* --- printing --- */

static void print_text(const struct slicing *s, FILE *file)
{
	const bool coloured = report_use_color(s->options->report.color, s->options->report.out);
	struct listing_style style = {.colour = coloured};
	struct str notes GUARD(str_deinit) = STR_INIT;
	struct winsize size;
	bool potential = false;

	if (isatty(fileno(file)) && !ioctl(fileno(file), TIOCGWINSZ, &size))
		style.width = size.ws_col;
	fprintf(file, "%s%s%s\n", coloured ? "\x1b[1m" : "", str_text(&s->title),
	        coloured ? "\x1b[0m" : "");
	if (s->criterion.why.length)
		fprintf(file, "%s\n", str_text(&s->criterion.why));
	for (uint32_t i = 0; i < s->notes.size; i++)
		fprintf(file, "%s\n", s->notes.at[i]);
	listing_print_text(&s->listing, &style, file, &notes);
	for (uint32_t i = 0; i < s->listing.lines.size; i++)
		potential |= s->listing.lines.at[i].potential && !s->listing.lines.at[i].criterion;
	if (potential)
		fputs("\n? taken the other way, this could have changed what a line of the slice "
		      "read\n",
		      file);
	if (notes.length)
		fprintf(file, "\n%s", str_text(&notes));
}

static void print_json(const struct slicing *s, FILE *file)
{
	const struct criterion *c = &s->criterion;
	struct str out GUARD(str_deinit) = STR_INIT;

	str_add_char(&out, '{');
	json_add_number(&out, "hence", 1);
	json_add_member(&out, "slice", s->options->forward ? "forward" : "backward");

	json_add_key(&out, "criterion");
	str_add_char(&out, '{');
	json_add_member(&out, "kind", criterion_kind_name(c->kind));
	json_add_member(&out, "what", str_text(&c->what));
	if (c->why.length)
		json_add_member(&out, "why", str_text(&c->why));
	if (c->file) {
		json_add_member(&out, "file", c->file);
		json_add_number(&out, "line", c->line);
		json_add_number(&out, "column", c->column);
	}
	if (c->function)
		json_add_member(&out, "function", c->function);
	str_add_char(&out, '}');

	json_add_key(&out, "sizes");
	str_add_char(&out, '{');
	json_add_number(&out, "program", s->listing.program);
	json_add_number(&out, "executed", s->listing.executed);
	json_add_number(&out, "slice", s->listing.chosen);
	json_add_number(&out, "instances", roaring_bitmap_get_cardinality(s->slice.instances));
	json_add_number(&out, "executed_instances", s->slice.total);
	json_add_number(&out, "statements", s->slice.statements);
	str_add_char(&out, '}');

	json_add_key(&out, "lines");
	listing_add_json(&s->listing, &out);
	json_add_texts(&out, "notes", s->notes.at, s->notes.size);
	json_add_flag(&out, "complete", !s->slice.stopped);
	fprintf(file, "%s}\n", str_text(&out));
}

static struct hence_error *print(const struct slicing *s)
{
	const struct report_options *report = &s->options->report;
	FILE *file;
	struct hence_error *error = record_open(report->out, &file);

	if (error)
		return error;
	switch (report->format) {
	default: print_text(s, file); break;
	case REPORT_GCC: listing_print_gcc(&s->listing, file); break;
	case REPORT_JSON: print_json(s, file); break;
	case REPORT_DOT: graph_print_dot(&s->graph, file); break;
	}
	error = record_close(report->out, file);
	fflush(stdout);
	record_print_outcome(&s->run);
	return error;
}

/* --- the criterion --- */

/* Compares the output with what is expected. A program that died early says more by that than by output that is missing. */
static struct hence_error *find_wrong(struct slicing *s)
{
	enum outcome_kind kind = s->recorded->outcome.kind;
	const struct str *expected = &s->expected;
	struct str output GUARD(str_deinit) = STR_INIT;
	size_t common = 0, length;
	bool missing;

	lseek(s->output, 0, SEEK_SET);
	if (!str_add_from(&output, s->output))
		return error_from_errno(HENCE_ERROR_INPUT, "reading");
	/* The user still sees what the program prints. */
	for (size_t done = 0; done < output.length;) {
		ssize_t size = write(2, output.text + done, output.length - done);

		if (size <= 0)
			break;
		done += (size_t)size;
	}
	length = output.length;
	/* A line that is given on the command line lacks its end. */
	if (!s->options->report.failure.expect && length && output.text[length - 1] == '\n' &&
	    (!expected->length || expected->text[expected->length - 1] != '\n'))
		length--;
	while (common < length && common < expected->length &&
	       output.text[common] == expected->text[common])
		common++;
	missing = common == length;
	if (missing &&
	    (common == expected->length || kind == OUTCOME_SIGNALLED || kind == OUTCOME_TIMED_OUT))
		return criterion_of_failure(&s->tape, &s->recorded->outcome, s->until,
		                            &s->criterion);
	if (missing)
		output.length = common;
	return criterion_of_wrong_output(&s->tape, &output, common, s->until, &s->criterion);
}

static struct hence_error *find_criterion(struct slicing *s)
{
	const struct options *c = s->options;
	const struct criterion_point point = {.file = c->file,
	                                      .line = c->line,
	                                      .variable = c->at_variable,
	                                      .instance = c->instance ? c->instance : -1};

	if (c->file)
		return criterion_of_place(&s->tape, &point, s->until, &s->criterion);
	if (c->has_output)
		return criterion_of_output(&s->tape, c->stream, c->byte, s->until, &s->criterion);
	if (s->output >= 0)
		return find_wrong(s);
	return criterion_of_failure(&s->tape, &s->recorded->outcome, s->until, &s->criterion);
}

/* --- the input of a forward slice --- */

/* Arguments can be looked at beforehand. */
static struct hence_error *check_inputs(const struct options *c)
{
	uint32_t count = 0;

	while (c->report.run.command[count])
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
		length = strlen(c->report.run.command[input->index]);
		if (input->to && input->from >= length)
			return error_create(
				HENCE_ERROR_INPUT,
				"--argument %u:%llu: '%s' has %zu bytes, and the first is 0",
				input->index, (unsigned long long)input->from,
				c->report.run.command[input->index], length);
	}
	return NULL;
}

/* Appends 'argument 2, bytes 0 to 3'. */
static void describe_input(const struct slice_input *input, struct str *out)
{
	if (input->kind == SLICE_ARGUMENT)
		str_printf(out, "argument %u", input->index);
	else if (input->kind == SLICE_VARIABLE)
		str_printf(out, "the environment's %s", input->name);
	else
		str_add(out, input->name ? input->name : "standard input");
	if (!input->to)
		return;
	str_printf(out, input->to - input->from == 1 ? ", byte %llu" : ", bytes %llu",
	           (unsigned long long)input->from);
	if (input->to == UINT64_MAX)
		str_add(out, " to the end");
	else if (input->to - input->from > 1)
		str_printf(out, " to %llu", (unsigned long long)input->to - 1);
}

/* --- the slice --- */

static bool is_late(void *context)
{
	const struct slicing *s = context;

	return budget_clock() > s->until;
}

static void on_edge(void *context, const struct slice_edge *edge)
{
	struct slicing *s = context;

	slice_graph_add_edge(s->dependences, edge);
}

static void on_member(void *context, uint32_t part, uint32_t whole, uint32_t code)
{
	struct slicing *s = context;

	slice_graph_add_member(s->dependences, part, whole, code);
}

static struct hence_error *find_slice(struct slicing *s)
{
	const struct options *c = s->options;
	const struct criterion *from = &s->criterion;
	const struct slice_options options = {
		.data_only = c->data,
		.relevant = c->relevant,
		.edge = s->dependences ? on_edge : NULL,
		.stop = is_late,
		.context = s,
	};
	struct listing_choice choice = {
		.marks = from->marks.at,
		.mark_count = from->marks.size,
		.end = from->end,
		.member = s->dependences ? on_member : NULL,
		.context = s,
	};
	struct hence_error *error = NULL;

	if (!from->at.size && !c->inputs.size)
		/* A value that no statement computed. */
		s->slice = (struct slice){.instances = roaring_bitmap_create(),
		                          .codes = roaring_bitmap_create(),
		                          .potential = roaring_bitmap_create()};
	else if (c->forward)
		error = slice_forward(&s->tape, from->at.at, from->at.size, c->inputs.at,
		                      c->inputs.size, &options, &s->slice);
	else
		error = slice_backward(&s->tape, from->at.at, from->at.size, &options, &s->slice);
	if (error)
		return error;
	choice.codes = s->slice.codes;
	choice.instances = s->slice.instances;
	choice.potential = s->slice.potential;
	choice.until = budget_clock() + c->report.run.time;
	return listing_collect(&s->tape, &choice, &s->listing);
}

static void note(struct slicing *s, char *text)
{
	*vec_push(&s->notes) = text;
}

static void add_notes(struct slicing *s)
{
	char *doubts[RECORD_DOUBTS];
	unsigned count = record_slice_doubts(&s->slice, "the slice", "it", doubts);

	for (uint32_t i = 0; i < s->criterion.notes.size; i++)
		note(s, mem_strdup(s->criterion.notes.at[i]));
	/* A person reads them on standard error. */
	for (uint32_t i = 0; s->options->report.format == REPORT_JSON && i < s->run.notes.size; i++)
		note(s, mem_strdup(s->run.notes.at[i]));
	if (!s->options->forward && !s->listing.chosen && !s->criterion.notes.size)
		note(s, str_format("no statement computed it: it is as the program was given it"));
	if (s->options->forward && !s->listing.chosen)
		note(s, str_format("no statement depends on it: the program never used it"));
	for (unsigned i = 0; i < count; i++)
		note(s, doubts[i]);
	if (s->slice.stopped)
		note(s, str_format("reading ended after %g seconds, so the slice is incomplete; "
		                   "--time SECONDS allows more",
		                   s->options->report.run.time));
}

static void make_graph(struct slicing *s)
{
	const struct options *c = s->options;
	VEC(uint32_t) first = VEC_INIT;
	struct slice_graph_options options = {.instances = s->slice.instances,
	                                      .listing = &s->listing,
	                                      .depth = c->depth ? c->depth : DEPTH,
	                                      .forward = c->forward};

	for (uint32_t i = 0; i < s->criterion.marks.size && !c->forward; i++)
		*vec_push(&first) = s->criterion.marks.at[i];
	for (uint32_t i = 0; i < s->criterion.at.size; i++)
		*vec_push(&first) = s->criterion.at.at[i].instance;
	options.first = first.at;
	options.first_count = first.size;
	s->graph.title = mem_strdup(str_text(&s->title));
	if (slice_graph_build(s->dependences, &options, &s->graph))
		run_note(&s->run, "note: the slice has too many dependences for a graph; some are "
		                  "missing in it");
	vec_deinit(&first);
}

/* --- the command --- */

static struct hence_error *record(struct slicing *s)
{
	const struct options *c = s->options;
	const struct failure_options *failure = &c->report.failure;
	struct hence_error *error = run_check_output(c->report.out, "-o", false);

	if (!error)
		error = check_inputs(c);
	if (!error && failure->expect)
		error = failure_case_read_file("--expect", failure->expect, &s->expected);
	else if (!error && failure->expect_text)
		str_add(&s->expected, failure->expect_text);
	if (error)
		return error;
	if (failure->expect || failure->expect_text) {
		s->output = memfd_create("hence-output", MFD_CLOEXEC);
		if (s->output < 0)
			return error_from_errno(HENCE_ERROR_INTERNAL,
			                        "cannot keep the program's output");
	}
	s->run.output = s->output >= 0 ? s->output : c->report.out ? -1 : 2;
	error = run_record(&s->run);
	return error ? error : record_choose(&s->run, c->process, &s->recorded);
}

static struct hence_error *slice_run(struct slicing *s, int *code)
{
	const struct options *c = s->options;
	struct walk_place death;
	struct hence_error *error = record(s);

	if (error)
		return error;
	s->modules = modules_create();
	s->tape = record_slice_run(&s->run, s->recorded, s->modules, &death);
	s->until = budget_clock() + c->report.run.time;
	if (!c->forward || c->file)
		error = find_criterion(s);
	if (error)
		return error;
	for (uint32_t i = 0; i < c->inputs.size; i++) {
		str_add(&s->criterion.what, s->criterion.what.length ? " and " : "");
		describe_input(&c->inputs.at[i], &s->criterion.what);
	}
	if (!c->forward && s->criterion.kind == CRITERION_NONE) {
		record_print_outcome(&s->run);
		fprintf(stderr,
		        "hence: %s does not fail%s; choose what to slice from with --at "
		        "FILE:LINE[:VAR] or --output BYTE%s\n",
		        s->run.program.name,
		        s->output >= 0 ? ": its output is as expected" : " (exit status 0)",
		        s->output >= 0 ? "" : ", or say what it should print with --expect FILE");
		*code = CLI_DOES_NOT_FAIL;
		return NULL;
	}
	error = find_slice(s);
	if (error)
		return error;
	str_printf(&s->title, "%s slice of %s", c->forward ? "forward" : "backward",
	           str_text(&s->criterion.what));
	criterion_add_place(&s->criterion, &s->title);
	str_printf(&s->title, ": %llu of %llu executed lines (of %llu)",
	           (unsigned long long)s->listing.chosen, (unsigned long long)s->listing.executed,
	           (unsigned long long)s->listing.program);
	add_notes(s);
	if (s->dependences)
		make_graph(s);
	return print(s);
}

static struct hence_error *slice(struct options *options, int *code)
{
	struct slicing s = {.options = options,
	                    .output = -1,
	                    .run = {.options = &options->report.run, .input = -1, .output = -1}};
	struct hence_error *error = judge(options);

	if (options->report.format == REPORT_DOT)
		s.dependences = slice_graph_create();
	if (!error)
		error = slice_run(&s, code);
	slice_graph_destroy(s.dependences);
	graph_deinit(&s.graph);
	listing_deinit(&s.listing);
	if (s.slice.instances)
		slice_deinit(&s.slice);
	criterion_deinit(&s.criterion);
	str_deinit(&s.title);
	vec_free(&s.notes);
	if (s.modules)
		modules_destroy(s.modules);
	run_deinit(&s.run);
	str_deinit(&s.expected);
	if (s.output >= 0)
		close(s.output);
	return error;
}

const struct command command_slice = {
	.name = "slice",
	.bit = COMMAND_SLICE,
	.formats = REPORT_LISTS | 1u << REPORT_DOT,
	.usage = "hence slice [OPTIONS] -- PROGRAM ARGS...",
	.summary = "show the statements that a failure, a value or an output came from",
	.about = "Runs a program that was built with hence cc, and shows the statements that a "
		 "failure, a value or an output came from, with the values that they had. Without "
		 "options the failure is the criterion: a crash, a failed assert, exit() with a "
		 "status that is not 0, a hang (--timeout), or the first memory error. The "
		 "exit code is 0 when a slice was printed, 1 when the program does not fail, 2 for "
		 "bad input, 4 for an internal error.",
	.run = slice,
};
