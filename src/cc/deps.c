/* Dependency files: see deps.h. The rules for names are those of clang's driver. */
#include "cc/deps.h"

#include <string.h>

#include "base/str.h"

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

static void add_file(const struct cc_args *args, const struct cc_item *input,
                     struct cc_words *words)
{
	/* No file can be made beside /dev/null. */
	bool by_output = args->output && strcmp(args->output, "/dev/null");

	words_add(words, "-MF");
	words_take(words, with_suffix(by_output ? args->output : args_base(input->text), ".d"));
}

static void add_target(const struct cc_args *args, const struct cc_item *input,
                       struct cc_words *words)
{
	words_add(words, "-MQ");
	if (args->output)
		words_add(words, args->output);
	else
		words_take(words, with_suffix(args_base(input->text), ".o"));
}

void deps_emit(const struct cc_args *args, const struct cc_item *input, struct cc_words *words)
{
	if (!has(args, "-MD") && !has(args, "-MMD"))
		return;
	for (uint32_t i = 0; i < args->items.size; i++)
		if (args->items.at[i].kind == CC_DEPS)
			args_emit(&args->items.at[i], words);
	if (!has(args, "-MF"))
		add_file(args, input, words);
	if (!has(args, "-MT") && !has(args, "-MQ"))
		add_target(args, input, words);
}
