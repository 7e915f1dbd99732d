/* `hence chop`: the code between the part of the input that decides and the failure. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "methods/chop.h"
#include "failure/criterion.h"
#include "methods/deciding.h"
#include "cli/progress.h"
#include "cli/commands.h"
#include "cli/record.h"
#include "explain/reduced_input.h"
#include "cli/options.h"
#include "explain/search.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/source.h"

/* What is to be printed. */
struct chop_answer {
	const struct options *options;
	const struct reduce_result *reduced;
	const struct deciding *deciding;
	bool isolated; /* `deciding` is a difference to a passing input */
	const struct criterion *criterion;
	const struct chop *chop;
	struct listing *listing;    /* of the chop */
	uint64_t backward, forward; /* lines */
	VEC(char *) notes;
};

/* --- printing: what was executed last comes first --- */

static uint32_t last_instance(const struct listing_line *line)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < line->statements.size; i++) {
		const struct listing_statement *s = &line->statements.at[i];

		if (s->instances.size && s->instances.at[s->instances.size - 1].instance > last)
			last = s->instances.at[s->instances.size - 1].instance;
	}
	return last;
}

static int by_time(const void *a, const void *b)
{
	uint32_t first = last_instance(a), second = last_instance(b);

	return (first < second) - (first > second);
}

static void order(struct listing *listing)
{
	qsort(listing->lines.at, listing->lines.size, sizeof(*listing->lines.at), by_time);
}

/* --- printing: text --- */

static void add_failure(const struct chop_answer *a, struct str *out)
{
	str_printf(out, "%s ", a->options->report.failure.command[0]);
	oracle_write_text(&a->reduced->oracle, out);
}

static void print_input(const struct chop_answer *a, FILE *file)
{
	struct str text = STR_INIT;

	deciding_write_text(a->deciding, &text);
	if (!a->options->as_given)
		fprintf(file, "input: %llu of %llu bytes are enough (%llu tests)\n",
		        (unsigned long long)a->reduced->reduced,
		        (unsigned long long)a->reduced->original,
		        (unsigned long long)a->reduced->tests);
	if (!a->deciding->inputs.size)
		fputs("it fails without any input\n", file);
	else
		fprintf(file, "%s: %s\n", a->isolated ? "what decides" : "what matters",
		        str_text(&text));
	str_deinit(&text);
}

/* Lines that are in the chop only because no input reaches them. */
static uint64_t count_independent(const struct listing *listing)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < listing->lines.size; i++)
		count += listing->lines.at[i].chosen && listing->lines.at[i].independent;
	return count;
}

static void print_sizes(const struct chop_answer *a, FILE *file)
{
	fprintf(file,
	        "lines: %llu in the chop, %llu of them (marked =) reached by no input; %llu in the "
	        "backward slice, %llu in the forward slice, %llu executed, %llu in the program\n",
	        (unsigned long long)a->listing->chosen,
	        (unsigned long long)count_independent(a->listing), (unsigned long long)a->backward,
	        (unsigned long long)a->forward, (unsigned long long)a->listing->executed,
	        (unsigned long long)a->listing->program);
}

static void print_text(const struct chop_answer *a, FILE *file)
{
	const struct listing_style style = {
		.colour = report_use_color(a->options->report.color, a->options->report.out)};
	struct str failure = STR_INIT, notes = STR_INIT;

	add_failure(a, &failure);
	fprintf(file, "%s%s%s\n", style.colour ? "\x1b[1m" : "", str_text(&failure),
	        style.colour ? "\x1b[0m" : "");
	if (a->criterion->why.length)
		fprintf(file, "%s\n", str_text(&a->criterion->why));
	print_input(a, file);
	print_sizes(a, file);
	for (uint32_t i = 0; i < a->notes.size; i++)
		fprintf(file, "%s\n", a->notes.at[i]);
	fputs("\nfrom the failure back to the input:\n", file);
	listing_print_sequence(a->listing, &style, file, &notes);
	if (notes.length)
		fprintf(file, "\n%s", str_text(&notes));
	str_deinit(&notes);
	str_deinit(&failure);
}

/* --- printing: JSON --- */

static void add_failure_json(const struct chop_answer *a, struct str *out)
{
	const struct criterion *c = a->criterion;
	struct str text = STR_INIT;

	add_failure(a, &text);
	json_add_key(out, "failure");
	str_add_char(out, '{');
	json_add_member(out, "kind", failure_kind_name(a->reduced->oracle.failure.kind));
	if (c->file) {
		json_add_member(out, "file", c->file);
		json_add_number(out, "line", c->line);
	}
	if (c->function)
		json_add_member(out, "function", c->function);
	json_add_member(out, "message", str_text(&text));
	if (c->why.length)
		json_add_member(out, "why", str_text(&c->why));
	str_add_char(out, '}');
	str_deinit(&text);
}

static void add_sizes(const struct chop_answer *a, struct str *out)
{
	json_add_key(out, "sizes");
	str_add_char(out, '{');
	json_add_number(out, "program", a->listing->program);
	json_add_number(out, "executed", a->listing->executed);
	json_add_number(out, "backward", a->backward);
	json_add_number(out, "forward", a->forward);
	json_add_number(out, "chop", a->listing->chosen);
	json_add_number(out, "independent", count_independent(a->listing));
	str_add_char(out, '}');
}

static void add_notes_json(const struct chop_answer *a, struct str *out)
{
	json_add_key(out, "notes");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < a->notes.size; i++) {
		str_add(out, i ? "," : "");
		json_add_string(out, a->notes.at[i]);
	}
	str_add_char(out, ']');
}

static void print_json(const struct chop_answer *a, FILE *file)
{
	struct str out = STR_INIT, deciding = STR_INIT;

	deciding_write_text(a->deciding, &deciding);
	str_add_char(&out, '{');
	json_add_number(&out, "hence", 1);
	reduce_add_command(a->options->report.failure.command, &out);
	add_failure_json(a, &out);
	add_sizes(a, &out);
	json_add_key(&out, "reduced_input");
	str_add_char(&out, '{');
	reduce_add_inputs(a->reduced, &out);
	str_add_char(&out, '}');
	json_add_member(&out, "deciding", str_text(&deciding));
	json_add_key(&out, "chop");
	listing_add_json(a->listing, &out);
	add_notes_json(a, &out);
	str_add(&out, "}\n");
	fwrite(str_text(&out), 1, out.length, file);
	str_deinit(&out);
	str_deinit(&deciding);
}

static void chop_print(const struct chop_answer *a, FILE *file)
{
	order(a->listing);
	switch (a->options->report.format) {
	case REPORT_JSON: print_json(a, file); break;
	case REPORT_GCC: listing_print_gcc(a->listing, file); break;
	default: print_text(a, file); break;
	}
}

#define HANG_TAPE (1ull << 20) /* bytes that are recorded of a run that does not end */

/* All that is made on the way. */
struct work {
	const struct options *options;
	struct failure_case failure;
	struct search search;
	struct reduce_result reduced;
	struct run_options run_options;
	struct run run;
	struct run_confined confined;
	struct modules *modules;
	struct walk_place death;
	struct recording tape;
	struct criterion criterion;
	struct deciding deciding;
	struct chop chop;
	struct listing listing;
	struct chop_answer answer;
};

static bool is_hang(const struct work *w)
{
	return w->reduced.oracle.failure.kind == FAILURE_HANG;
}

static void note(struct work *w, char *text)
{
	*vec_push(&w->answer.notes) = text;
}

/* --- the criterion --- */

/* The last byte that can be seen; UINT64_MAX: there is none. */
static uint64_t last_visible(const struct str *output)
{
	for (size_t i = output->length; i > 0; i--)
		if (!isspace((unsigned char)output->text[i - 1]))
			return i - 1;
	return UINT64_MAX;
}

/* The first byte that the passing input does not print; UINT64_MAX: there is none. */
static uint64_t first_other(const struct str *output, const struct str *passed)
{
	size_t at = 0;

	while (at < output->length && at < passed->length && output->text[at] == passed->text[at])
		at++;
	return at < output->length ? at : UINT64_MAX;
}

/* `at` UINT64_MAX: something is missing at the end. */
static struct hence_error *find_wrong(struct work *w, uint64_t at)
{
	const struct str *output = &w->confined.first.output;

	return criterion_of_wrong_output(
		&w->tape, output, at < output->length ? at : output->length, 0, &w->criterion);
}

/* The user's test has judged the run, not the program: what does it print that the passing input
   does not? */
static struct hence_error *find_by_test(struct work *w)
{
	const struct str *output = &w->confined.first.output;
	uint64_t at;

	if (w->confined.passing_tape) {
		at = first_other(output, &w->confined.passed);
		note(w, str_format("only the test knows what is wrong; the first byte of output "
		                   "that is not as with the passing input is taken for it"));
	} else {
		at = last_visible(output);
		note(w,
		     str_format(
			     "only the test knows what is wrong; the last output is taken for it"));
	}
	return find_wrong(w, at);
}

static struct hence_error *find_criterion(struct work *w)
{
	const struct oracle *oracle = &w->reduced.oracle;
	struct hence_error *error;

	if (oracle->failure.kind == FAILURE_OUTPUT)
		return find_wrong(w, oracle_wrong_byte(oracle, &w->confined.first));
	error = criterion_of_failure(&w->tape, &w->run.recorded.at[0].outcome, 0, &w->criterion);
	if (error || w->criterion.kind != CRITERION_NONE)
		return error;
	criterion_deinit(&w->criterion);
	w->criterion = (struct criterion){0};
	return find_by_test(w);
}

/* --- the chop --- */

/* Does the run of the passing input come to where the failure begins? */
static bool passing_gets_there(const struct work *w)
{
	const struct criterion_point point = {
		.file = w->criterion.file, .line = w->criterion.line, .instance = -1};
	struct criterion found = {0};
	struct walk_place death;
	struct recording tape;
	struct hence_error *error;

	if (!w->confined.passing_tape || !w->criterion.file)
		return false;
	tape = record_slice_run(&w->run, &w->run.recorded.at[w->confined.passing_tape], w->modules,
	                        &death);
	error = criterion_of_place(&tape, &point, 0, &found);
	if (!error)
		criterion_deinit(&found);
	error_destroy(error);
	return !error;
}

/* Is what decides the difference to the passing input? One that was only found may pass because the
   program gives up early, and what separates the two need not be what the fault handles: so it counts
   only if the user wants it. */
static bool is_isolated(const struct work *w)
{
	return w->reduced.has_passing &&
	       (w->reduced.chosen >= 0 || (w->options->isolate && passing_gets_there(w)));
}

static struct hence_error *compute(struct work *w)
{
	const struct slice_options options = {.relevant = w->options->relevant,
	                                      .stop = budget_stops,
	                                      .context = (void *)&w->search.budget};

	w->answer.isolated = is_isolated(w);
	deciding_find(&w->reduced.failing, w->answer.isolated ? &w->reduced.passing : NULL,
	              &w->deciding);
	return chop_compute(&w->tape, w->criterion.at.at, w->criterion.at.size,
	                    w->deciding.inputs.at, w->deciding.inputs.size, &options, &w->chop);
}

static struct hence_error *list(struct work *w)
{
	struct listing_set sets[] = {{.codes = w->chop.backward.codes},
	                             {.codes = w->chop.forward.codes}};
	struct listing_choice choice = {
		.codes = w->chop.codes,
		.instances = w->chop.backward.instances,
		.potential = w->chop.backward.potential,
		.special = w->chop.independent,
		.marks = w->criterion.marks.at,
		.mark_count = w->criterion.marks.size,
		.sets = sets,
		.set_count = 2,
		.end = w->criterion.end,
	};
	struct hence_error *error = listing_collect(&w->tape, &choice, &w->listing);

	w->answer.backward = sets[0].lines;
	w->answer.forward = sets[1].lines;
	return error;
}

static void add_notes(struct work *w)
{
	const struct slice *s = &w->chop.backward;

	for (uint32_t i = 0; i < w->criterion.notes.size; i++)
		note(w, mem_strdup(w->criterion.notes.at[i]));
	for (uint32_t i = 0; i < w->run.notes.size && !is_hang(w); i++)
		note(w, mem_strdup(w->run.notes.at[i]));
	if (is_hang(w))
		note(w, str_format("of the run without end, %llu statements were recorded",
		                   (unsigned long long)s->statements));
	if (w->reduced.end == REDUCE_STOPPED && !w->options->as_given)
		note(w, str_format("the search ended early: the input may not be minimal"));
	if (s->unseen)
		note(w, str_format("the backward slice reaches memory that code without a model "
		                   "wrote: the chop may lack something"));
	if (s->guesses)
		note(w,
		     str_format("%u call%s of functions without a model %s in the backward slice: "
		                "what %s read and wrote is a guess (--models FILE says)",
		                s->guesses, s->guesses == 1 ? "" : "s",
		                s->guesses == 1 ? "is" : "are", s->guesses == 1 ? "it" : "they"));
	if (s->stopped || w->chop.forward.stopped)
		note(w, str_format("the time was over before the whole run was read: the chop is "
		                   "incomplete"));
}

static struct hence_error *print(struct work *w)
{
	FILE *file;
	struct hence_error *error = record_open(w->options->report.out, &file);

	if (error)
		return error;
	chop_print(&w->answer, file);
	return record_close(w->options->report.out, file);
}

static bool is_complete(const struct work *w)
{
	return (w->reduced.end == REDUCE_DONE || w->options->as_given) &&
	       !w->chop.backward.stopped && !w->chop.forward.stopped;
}

static struct hence_error *explain(struct work *w, int *code)
{
	struct hence_error *error;

	w->modules = modules_create();
	w->tape = record_slice_run(&w->run, &w->run.recorded.at[0], w->modules, &w->death);
	error = find_criterion(w);
	if (!error)
		error = compute(w);
	if (!error)
		error = list(w);
	if (error)
		return error;
	add_notes(w);
	w->answer.options = w->options;
	w->answer.reduced = &w->reduced;
	w->answer.deciding = &w->deciding;
	w->answer.criterion = &w->criterion;
	w->answer.chop = &w->chop;
	w->answer.listing = &w->listing;
	*code = is_complete(w) ? CLI_DONE : CLI_NOT_PROVEN;
	return print(w);
}

/* --- the runs --- */

/* Runs the reduced input once more, recorded, and the passing one for its output. */
static struct hence_error *record(struct work *w)
{
	struct trials_options options = w->failure.reduce.trials;

	options.input = &w->reduced.failing;
	options.workers = 1;
	options.plain = true;
	options.test = NULL;
	/* Of a run without end a part will do. */
	if (is_hang(w) && w->run_options.tape_limit > HANG_TAPE)
		w->run_options.tape_limit = HANG_TAPE;
	w->confined.trials = &options;
	if (w->reduced.has_passing)
		w->confined.passing = &w->reduced.passing;
	return run_record_confined(&w->run, &w->confined);
}

/* Without a search: it ends before it begins. */
static bool at_once(void *context)
{
	return true;
}

static int say_unstable(const struct work *w)
{
	fprintf(stderr,
	        "hence: %s does not always print the same for the reduced input, perhaps since "
	        "it uses memory that is not initialised ('hence trace' reports it); use "
	        "--no-reduce, or "
	        "a --test that refuses such input\n",
	        w->options->report.failure.command[0]);
	return CLI_NOT_PROVEN;
}

/* A long search for nothing would be a pity. */
static struct hence_error *check(const struct options *c)
{
	struct hence_error *error = run_check_output(c->report.out, "-o", false);
	struct executable program = {0};

	if (!error)
		error = executable_find(c->report.run.command[0], &program);
	executable_deinit(&program);
	return error;
}

static struct hence_error *perform(struct work *w, int *code)
{
	struct hence_error *error = check(w->options);
	bool found = false;

	if (!error)
		error = failure_case_read(&w->options->report.failure, &w->failure);
	if (error)
		return error;
	if (w->options->as_given)
		w->search.stop = at_once;
	progress_watch(&w->search);
	search_begin(&w->search, &w->options->report.failure, &w->failure.reduce);
	error = reduce_run(&w->failure.reduce, &w->reduced, &found);
	cli_end_search(&w->search, &w->reduced);
	if (error)
		return error;
	if (w->reduced.end != REDUCE_DONE && w->reduced.end != REDUCE_STOPPED) {
		*code = cli_refuse_search(&w->options->report.failure, &w->reduced);
		return NULL;
	}
	error = record(w);
	if (error)
		return error;
	if (w->confined.differs && w->reduced.oracle.failure.kind == FAILURE_OUTPUT) {
		*code = say_unstable(w);
		return NULL;
	}
	return explain(w, code);
}

static void deinit(struct work *w)
{
	listing_deinit(&w->listing);
	if (w->chop.codes)
		chop_deinit(&w->chop);
	deciding_deinit(&w->deciding);
	criterion_deinit(&w->criterion);
	for (uint32_t i = 0; i < w->answer.notes.size; i++)
		free(w->answer.notes.at[i]);
	vec_deinit(&w->answer.notes);
	if (w->modules)
		modules_destroy(w->modules);
	trial_result_deinit(&w->confined.first);
	str_deinit(&w->confined.passed);
	run_deinit(&w->run);
	reduce_result_deinit(&w->reduced);
	failure_case_deinit(&w->failure);
}

static struct hence_error *chop(struct options *options, int *code)
{
	struct work w = {.options = options,
	                 .run_options = options->report.run,
	                 .run = {.options = &w.run_options, .input = -1, .output = -1}};
	struct hence_error *error = perform(&w, code);

	deinit(&w);
	return error;
}

const struct command command_chop = {
	.name = "chop",
	.bit = COMMAND_CHOP,
	.formats = REPORT_LISTS,
	.usage = "hence chop [OPTIONS] -- PROGRAM ARGS...",
	.summary = "show the code between the input that decides and the failure",
	.about = "Finds the part of the input that decides between pass and failure, and shows the "
		 "statements that lie between it and the failure, from the failure back to the "
		 "input, with the values that they had; and those that the failure came from and "
		 "that depend on no input. The program must have been built with hence cc; it runs "
		 "confined, so no file of yours is changed.",
	.run = chop,
};
