/*
 * Linking: see link.h.
 *
 * Programs and shared libraries each get the runtime. It must still be one runtime in a process, so
 * its symbols are exported everywhere and the first one loaded serves all. Two things would hide
 * them: an executable exports nothing by itself, and the version script of a library says what is
 * local, usually all but its interface. The script is therefore copied with a line of ours.
 */
#include "cc/link.h"

#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cc/scripts.h"

static bool is_gold(const struct cc_args *args)
{
	return args_has(args, "-fuse-ld=gold");
}

/* -r in one of its forms: the result is an object, which gets its runtime when it is linked. */
static bool is_relocatable(const struct cc_args *args)
{
	struct cc_words words = {VEC_INIT};
	bool found = args_has(args, "-r") || args_has(args, "--relocatable");

	scripts_linker_words(args, &words);
	for (uint32_t i = 0; i < words.list.size && !found; i++)
		found = !strcmp(words.list.at[i], "-r") || !strcmp(words.list.at[i], "-i") ||
		        !strcmp(words.list.at[i], "--relocatable") ||
		        !strcmp(words.list.at[i], "-Ur");
	words_deinit(&words);
	return found;
}

/* The -x in force changes only where it must, so that -x of one input does not hit the next. */
static void emit_language(const char *wish, const char **current, struct cc_words *words)
{
	if (!strcmp(wish, *current))
		return;
	words_add(words, "-x");
	words_add(words, wish);
	*current = wish;
}

static void emit_input(const struct cc_item *item, const struct link_job *job, uint32_t *object,
                       const char **language, struct cc_words *words)
{
	if (item->language == CC_LANG_C) {
		emit_language("none", language, words);
		words_add(words, job->objects->list.at[(*object)++]);
		return;
	}
	emit_language(item->forced ? item->forced : "none", language, words);
	words_add(words, item->text);
}

static void emit_runtime(const struct cc_args *args, const struct link_job *job,
                         struct cc_words *words)
{
	bool is_static = args_has(args, "-static") || args_has(args, "-static-pie");
	bool bare = args_has(args, "-nostdlib") || args_has(args, "-nodefaultlibs") ||
	            args_has(args, "-nolibc");

	if (!is_static && !is_gold(args))
		words_add(words, "-Wl,--export-dynamic-symbol=hence_rt_*");
	words_add(words, "-Wl,-u,hence_rt_unit");
	words_add(words, job->runtime);
	/* The runtime needs a C library even where the program says that it does not. */
	if (bare && !args_has(args, "-shared"))
		words_add(words, "-lc");
}

static void build_words(const struct clang_run *run, const void *context, struct cc_words *words)
{
	const struct link_job *job = context;
	const struct cc_args *args = run->args;
	const char *language = "none";
	uint32_t object = 0;

	words_add(words, "-Qunused-arguments");
	for (uint32_t i = 0; i < args->items.size; i++) {
		const struct cc_item *item = &args->items.at[i];

		if (item->kind == CC_INPUT)
			emit_input(item, job, &object, &language, words);
		else if (item->kind != CC_DEPS || !job->objects->list.size)
			args_emit(item, words);
	}
	emit_language("none", &language, words);
	if (!is_relocatable(args))
		emit_runtime(args, job, words);
}

struct hence_error *link_run(struct clang_run *run, const struct link_job *job, int *code)
{
	struct hence_error *error;

	if (access(job->runtime, R_OK))
		return error_from_errno(HENCE_ERROR_INPUT,
		                        "cannot read the runtime library %s (is hence installed?)",
		                        job->runtime);
	error = scripts_open(run);
	if (error)
		return error;
	return clang_run(run, build_words, job, code);
}
