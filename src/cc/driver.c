/* The compiler driver: see driver.h. */
#include "cc/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cc/args.h"
#include "cc/child.h"
#include "cc/compile.h"
#include "cc/clang.h"
#include "cc/link.h"
#include "cc/policy.h"
#include "cc/words.h"
#include "cc/scratch.h"

/* The output of a -c or -S for one input. Caller frees. */
static char *output_of(const struct cc_args *args, const struct cc_item *input)
{
	const char *base = args_base(input->text);
	const char *dot = strrchr(base, '.');
	size_t length = dot ? (size_t)(dot - base) : strlen(base);

	if (args->output)
		return mem_strdup(args->output);
	return str_format("%.*s%s", (int)length, base, args->mode == CC_ASSEMBLING ? ".s" : ".o");
}

/* -c and -S: each input by itself; a failed one does not keep the others from being tried. */
static struct hence_error *compile_all(struct clang_run *run, int *code)
{
	struct cc_args *args = run->args;
	int worst = 0;

	for (uint32_t i = 0; i < args->items.size && !child_caught(); i++) {
		const struct cc_item *item = &args->items.at[i];
		struct hence_error *error;
		char *output;
		int one = 0;

		if (item->kind != CC_INPUT || item->language == CC_LANG_LINKED)
			continue;
		output = output_of(args, item);
		if (item->language == CC_LANG_C)
			error = compile_c(run, item, output, &one);
		else
			error = compile_other(run, item, output, &one);
		free(output);
		if (error)
			return error;
		worst = one ? one : worst;
	}
	*code = worst;
	return NULL;
}

/* Compiles the C inputs to temporary objects, in order. */
static struct hence_error *compile_for_link(struct clang_run *run, struct cc_words *objects,
                                            int *code)
{
	struct cc_args *args = run->args;
	int worst = 0;

	for (uint32_t i = 0; i < args->items.size && !child_caught(); i++) {
		const struct cc_item *item = &args->items.at[i];
		struct hence_error *error;
		char *object;
		int one = 0;

		if (item->kind != CC_INPUT || item->language != CC_LANG_C)
			continue;
		object = str_format("%s/%u.o", run->scratch, run->files++);
		words_add(&run->hidden, object);
		words_add(&run->shown, item->text);
		error = compile_c(run, item, object, &one);
		words_take(objects, object);
		if (error)
			return error;
		worst = one ? one : worst;
	}
	*code = worst;
	return NULL;
}

static struct hence_error *compile_and_link(struct clang_run *run, const char *runtime, int *code)
{
	struct cc_words objects = {VEC_INIT};
	struct link_job job = {.runtime = runtime, .objects = &objects};
	int result = 0;
	struct hence_error *error = compile_for_link(run, &objects, &result);

	if (!error && !result && !child_caught())
		error = link_run(run, &job, &result);
	if (error || result)
		scratch_retract(run->args->output ? run->args->output : "a.out");
	words_deinit(&objects);
	if (!error)
		*code = result;
	return error;
}

/* Clang's stderr is not the terminal when we capture it, so it must be told. */
static void add_colours(struct cc_args *args)
{
	struct cc_item *item;

	/* Options that choose colours begin with one of these. */
	static const char *const prefixes[] = {"-fcolor-diagnostics", "-fno-color-diagnostics",
	                                       "-fdiagnostics-color", "-fno-diagnostics-color"};

	for (uint32_t i = 0; i < args->items.size; i++)
		for (size_t k = 0; k < sizeof(prefixes) / sizeof(prefixes[0]); k++)
			if (args_begins(args->items.at[i].text, prefixes[k]))
				return;

	item = vec_push(&args->items);
	item->kind = CC_FLAG;
	item->text = mem_strdup("-fcolor-diagnostics");
}

static struct hence_error *run_mode(struct clang_run *run, const char *runtime, int *code)
{
	struct hence_error *error = NULL;

	switch (run->args->mode) {
	case CC_THROUGH: return compile_through(run, code);
	case CC_COMPILING:
	case CC_ASSEMBLING:
		error = policy_check(run->args);
		return error ? error : compile_all(run, code);
	case CC_LINKING:
		error = policy_check(run->args);
		return error ? error : compile_and_link(run, runtime, code);
	case CC_ASKING: break;
	}
	return error_create(HENCE_ERROR_INTERNAL, "bad mode %d", (int)run->args->mode);
}

static struct hence_error *run_in_scratch(const struct cc_tools *tools, struct cc_args *args,
                                          int *code)
{
	struct cc_words told = {VEC_INIT};
	struct clang_run run = {.clang = tools->clang,
	                        .args = args,
	                        .told = &told,
	                        .diagnostics = tools->diagnostics};
	struct hence_error *error;
	char *scratch;

	child_guard();
	error = scratch_create("hence-cc", &scratch);
	if (error)
		return error;
	run.scratch = scratch;
	policy_clean(args, &told);
	if (tools->colours)
		add_colours(args);
	error = run_mode(&run, tools->runtime, code);
	scratch_remove(scratch);
	if (!child_caught()) {
		for (uint32_t i = 0; i < told.list.size; i++) {
			char *text = str_format("dropped %s (not supported)", told.list.at[i]);

			tools->note(text);
			free(text);
		}
	}
	words_deinit(&run.forgiven);
	words_deinit(&run.hidden);
	words_deinit(&run.shown);
	words_deinit(&told);
	if (child_caught()) {
		error_destroy(error);
		error = NULL;
		child_pass_on_signal();
	}
	return error;
}

/* Becomes clang, with the very words of the user. */
static struct hence_error *ask_clang(const struct cc_tools *tools, int argc, char **argv)
{
	char **line = mem_alloc((size_t)(argc + 1) * sizeof(*line));
	struct hence_error *error;

	line[0] = mem_strdup(tools->clang);
	for (int i = 1; i < argc; i++)
		line[i] = argv[i];
	fflush(NULL);
	execv(line[0], line);
	error = error_from_errno(HENCE_ERROR_INPUT, "cannot start %s", tools->clang);
	free(line[0]);
	free(line);
	return error;
}

struct hence_error *cc_main(const struct cc_tools *tools, int argc, char **argv, int *exit_code)
{
	struct cc_words words = {VEC_INIT};
	struct cc_args args = {.mode = CC_ASKING};
	struct hence_error *error = response_expand(argc - 1, argv + 1, &words);

	if (!error)
		error = args_parse(&words, &args);
	if (!error && args.mode == CC_ASKING)
		error = ask_clang(tools, argc, argv);
	else if (!error)
		error = run_in_scratch(tools, &args, exit_code);
	args_deinit(&args);
	words_deinit(&words);
	return error;
}
