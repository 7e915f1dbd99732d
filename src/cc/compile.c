/* Compiling one input: see compile.h. */
#include "cc/compile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cc/args.h"
#include "cc/child.h"
#include "cc/instrument.h"
#include "cc/scratch.h"
#include "cc/words.h"

/* ------ dependency files ------ */

static bool has(const struct cc_args *args, const char *prefix)
{
	for (uint32_t i = 0; i < args->items.size; i++)
		if (args->items.at[i].kind == CC_DEPS &&
		    args_begins(args->items.at[i].text, prefix))
			return true;
	return false;
}

/* A path with another suffix. Caller frees. */
static char *with_suffix(const char *path, const char *suffix)
{
	const char *base = args_base(path);
	const char *dot = strrchr(base, '.');
	size_t length = dot ? (size_t)(dot - path) : strlen(path);

	return str_format("%.*s%s", (int)length, path, suffix);
}

/* ------ compiling ------ */

struct c_job {
	const struct cc_item *input;
	const char *bitcode;
};

struct other_job {
	const struct cc_item *input;
	const char *output;
};

/* Does the user want errors where gcc 12 only warns? With -w there are no warnings to make errors of. */
static bool asks_for_errors(const struct cc_args *args)
{
	bool errors = false, quiet = false, pedantic = false;

	for (uint32_t i = 0; i < args->items.size; i++) {
		const struct cc_item *item = &args->items.at[i];

		if (item->kind != CC_FLAG)
			continue;
		errors = !strcmp(item->text, "-Werror") ||
		         (errors && strcmp(item->text, "-Wno-error"));
		quiet |= !strcmp(item->text, "-w");
		pedantic |= !strcmp(item->text, "-pedantic-errors");
	}
	return pedantic || (errors && !quiet);
}

/*
 * Where gcc only warns, clang must not fail: old C compiles with warnings, and -Werror does not count for options that clang
 * does not know, nor for warnings that only clang has (clang.h). These options come before the user's own, which win.
 */
static void emit_tolerance(const struct clang_run *run, struct cc_words *words)
{
	static const char *const old_c[] = {
		"-Wno-error=implicit-function-declaration",
		"-Wno-error=implicit-int",
		"-Wno-error=int-conversion",
		"-Wno-error=incompatible-pointer-types",
		"-Wno-error=incompatible-function-pointer-types",
		"-Wno-error=return-mismatch",
		"-Wno-error=initializer-overrides",
	};

	words_add(words, "-Qunused-arguments");
	words_add(words, "-Wno-error=unknown-warning-option");
	words_add(words, "-Wno-error=ignored-optimization-argument");
	if (!asks_for_errors(run->args))
		for (size_t i = 0; i < sizeof(old_c) / sizeof(old_c[0]); i++)
			words_add(words, old_c[i]);
	for (uint32_t i = 0; i < run->forgiven.list.size; i++)
		words_add(words, run->forgiven.list.at[i]);
}

static void emit_flags(const struct cc_args *args, struct cc_words *words)
{
	for (uint32_t i = 0; i < args->items.size; i++)
		if (args->items.at[i].kind == CC_FLAG)
			args_emit(&args->items.at[i], words);
}

static void emit_input(const struct cc_item *input, struct cc_words *words)
{
	words_add(words, "-x");
	words_add(words, input->forced ? input->forced : "none");
	words_add(words, input->text);
}

static void build_c(const struct clang_run *run, const void *context, struct cc_words *words)
{
	static const char *const ours[] = {"-O0",        "-g", "-Xclang", "-disable-O0-optnone",
	                                   "-emit-llvm", "-c", "-o"};
	const struct c_job *job = context;

	emit_tolerance(run, words);
	emit_flags(run->args, words);

	/* The dependency options, if the user asked for such files. */
	const struct cc_args *args = run->args;

	if (has(args, "-MD") || has(args, "-MMD")) {
		for (uint32_t i = 0; i < args->items.size; i++)
			if (args->items.at[i].kind == CC_DEPS)
				args_emit(&args->items.at[i], words);
		if (!has(args, "-MF")) {
			/* No file can be made beside /dev/null. */
			bool by_output = args->output && strcmp(args->output, "/dev/null");

			words_add(words, "-MF");
			words_take(words, with_suffix(by_output ? args->output
			                                        : args_base(job->input->text),
			                              ".d"));
		}
		if (!has(args, "-MT") && !has(args, "-MQ")) {
			words_add(words, "-MQ");
			if (args->output)
				words_add(words, args->output);
			else
				words_take(words, with_suffix(args_base(job->input->text), ".o"));
		}
	}

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		words_add(words, ours[i]);
	words_add(words, job->bitcode);
	emit_input(job->input, words);
}

static struct hence_error *instrument(const void *context)
{
	return cc_instrument(context);
}

/* From clang's bitcode to the output. */
static struct hence_error *finish_c(struct clang_run *run, const struct cc_item *input,
                                    const char *bitcode, const char *output)
{
	char *made = str_format("%s/%u.made", run->scratch, run->files++);
	struct cc_emit emit = {
		.kind = run->args->mode == CC_ASSEMBLING ? CC_EMIT_ASSEMBLY : CC_EMIT_OBJECT,
		.bitcode = bitcode,
		.output = made,
	};
	struct hence_error *error = child_call(instrument, &emit, input->text);

	if (!error)
		error = scratch_deliver(made, output);
	unlink(made);
	free(made);
	return error;
}

struct hence_error *compile_c(struct clang_run *run, const struct cc_item *input,
                              const char *output, int *code)
{
	char *bitcode = str_format("%s/%u.bc", run->scratch, run->files++);
	struct c_job job = {.input = input, .bitcode = bitcode};
	struct hence_error *error;
	int result = 0;

	words_add(&run->hidden, bitcode);
	words_add(&run->shown, output);
	error = clang_run(run, build_c, &job, &result);
	if (!error && !result && !child_caught())
		error = finish_c(run, input, bitcode, output);
	if (error || result || child_caught())
		scratch_retract(output);
	unlink(bitcode);
	free(bitcode);
	if (!error)
		*code = result;
	return error;
}

static void build_other(const struct clang_run *run, const void *context, struct cc_words *words)
{
	const struct other_job *job = context;

	emit_tolerance(run, words);
	emit_flags(run->args, words);
	for (uint32_t i = 0; i < run->args->items.size; i++)
		if (run->args->items.at[i].kind == CC_DEPS)
			args_emit(&run->args->items.at[i], words);
	words_add(words, run->args->mode == CC_ASSEMBLING ? "-S" : "-c");
	words_add(words, "-o");
	words_add(words, job->output);
	emit_input(job->input, words);
}

struct hence_error *compile_other(struct clang_run *run, const struct cc_item *input,
                                  const char *output, int *code)
{
	struct other_job job = {.input = input, .output = output};

	return clang_run(run, build_other, &job, code);
}

static void build_through(const struct clang_run *run, const void *context, struct cc_words *words)
{
	const char *language = "none";

	(void)context;
	emit_tolerance(run, words);
	words_add(words, "-O0");
	for (uint32_t i = 0; i < run->args->items.size; i++) {
		const struct cc_item *item = &run->args->items.at[i];
		const char *wish = item->forced ? item->forced : "none";

		if (item->kind == CC_INPUT && strcmp(wish, language)) {
			words_add(words, "-x");
			words_add(words, wish);
			language = wish;
		}
		args_emit(item, words);
	}
}

struct hence_error *compile_through(struct clang_run *run, int *code)
{
	return clang_run(run, build_through, NULL, code);
}
