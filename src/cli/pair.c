/* The failing run and its reference: see pair.h. */
#include "cli/pair.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"

void pair_note(struct pair *p, char *text)
{
	for (uint32_t i = 0; i < p->notes.size; i++)
		if (!strcmp(p->notes.at[i], text)) {
			free(text);
			return;
		}
	*vec_push(&p->notes) = text;
}

bool pair_is_over(void *context)
{
	const struct pair *p = context;

	return search_is_over(&p->search);
}

/* --- the inputs --- */

/* A passing input is all that is wanted of reduce when the user has given some: it is chosen when the
   search proper begins. */
static void begin_search(void *context, const struct input *failing)
{
	struct search *search = context;
	struct pair *p = search->context;

	if (p->failure.reduce.passing_count || !p->failure.varies)
		p->chosen = true;
}

static bool is_chosen(void *context)
{
	const struct pair *p = context;

	return p->chosen;
}

static struct hence_error *find_inputs(struct pair *p, int *code)
{
	struct hence_error *error;
	bool found = false;

	p->search.stop = is_chosen;
	p->search.context = p;
	search_begin(&p->search, p->options, &p->failure.reduce);
	p->failure.reduce.better = begin_search;
	error = reduce_run(&p->failure.reduce, &p->reduced, &found);
	progress_end(&p->search.progress);
	if (error)
		return error;
	if (p->reduced.end != REDUCE_DONE && p->reduced.end != REDUCE_STOPPED)
		*code = search_refuse(p->options, &p->reduced);
	if (p->as_given) {
		input_deinit(&p->reduced.failing);
		p->reduced.failing = (struct input){VEC_INIT};
		input_copy(&p->reduced.failing, &p->reduced.given);
	}
	return NULL;
}

static void note_inputs(struct pair *p)
{
	const struct reduce_result *r = &p->reduced;

	if (r->note)
		pair_note(p, mem_strdup(r->note));
	if (r->refused)
		pair_note(p, str_format("%u of the passing inputs %s not pass and %s left out",
		                        r->refused, r->refused == 1 ? "does" : "do",
		                        r->refused == 1 ? "was" : "were"));
	if (r->has_passing)
		return;
	if (!p->failure.varies)
		pair_note(p,
		          str_format("%s has no arguments and no input that could be varied, so "
		                     "there is no run to compare with; give --stdin FILE, --file "
		                     "PATH or --env NAME, or an input that passes with --pass or "
		                     "--pass-stdin",
		                     p->options->command[0]));
	else if (pair_is_over(p))
		pair_note(p,
		          str_format("the search was ended before an input was found that passes"));
	else
		pair_note(
			p,
			str_format("no input that passes was found near the failing one; give one "
		                   "with --pass or --pass-stdin"));
}

/* --- the whole --- */

static struct hence_error *align(struct pair *p)
{
	const struct align_options options = {.stop = pair_is_over, .context = p};
	struct hence_error *error =
		align_runs(&p->failing.recording, &p->reference.recording, &options, &p->alignment);

	if (error)
		return error;
	p->is_aligned = true;
	return NULL;
}

/* A long search for nothing would be a pity. */
static struct hence_error *check(const struct pair *p)
{
	struct executable program = {0};
	struct hence_error *error = NULL;

	if (p->options->pass_program)
		error = error_create(
			HENCE_ERROR_INPUT,
			"--pass-prog is not supported by this command yet: it compares "
			"two runs of the same program; give an input that passes with "
			"--pass or --pass-stdin, and what is right with --expect");
	if (!error)
		error = executable_find(pair_program(p), &program);
	executable_deinit(&program);
	return error;
}

const char *pair_program(const struct pair *p)
{
	return p->options->path ? p->options->path : p->options->command[0];
}

static struct hence_error *compare(struct pair *p, int *code)
{
	struct hence_error *error = pair_record(p, code);

	if (!error && !*code && p->has_reference && !pair_is_over(p))
		error = align(p);
	return error;
}

struct hence_error *pair_find(struct pair *p, int *code)
{
	struct hence_error *error = check(p);

	p->began = progress_clock();
	if (!error)
		error = failure_case_read(p->options, &p->failure);
	if (!error)
		error = find_inputs(p, code);
	if (error || *code)
		return error;
	note_inputs(p);
	error = compare(p, code);
	/* Whoever was at work when the time was over may call it an error. What is known is told. */
	if (error && pair_is_over(p)) {
		error_destroy(error);
		error = NULL;
	}
	return error;
}

static void side_deinit(struct pair_side *side)
{
	if (side->pool)
		experiments_destroy(side->pool);
	trial_result_deinit(&side->result);
}

void pair_deinit(struct pair *p)
{
	if (p->is_aligned)
		alignment_deinit(&p->alignment);
	side_deinit(&p->failing);
	side_deinit(&p->reference);
	if (p->modules)
		modules_destroy(p->modules);
	run_deinit(&p->run);
	reduce_result_deinit(&p->reduced);
	failure_case_deinit(&p->failure);
	for (uint32_t i = 0; i < p->notes.size; i++)
		free(p->notes.at[i]);
	vec_deinit(&p->notes);
}
