/* Taking a command line apart: see args.h. */
#include "cc/args.h"

#include <string.h>

#include "base/str.h"
#include "cc/options.h"

/* Where the parser is. */
struct reader {
	const struct cc_words *words;
	uint32_t at;
	const char *forced; /* the -x in force; NULL: by suffix */
	bool only_inputs;   /* after -- */
	struct cc_args *args;
};

bool args_begins(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

const char *args_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static struct cc_item *add_item(struct reader *reader, enum cc_item_kind kind, const char *text)
{
	struct cc_item *item = vec_push(&reader->args->items);

	item->kind = kind;
	item->text = mem_strdup(text);
	return item;
}

static void add_input(struct reader *reader, const char *name)
{
	struct cc_item *item = add_item(reader, CC_INPUT, name);

	/* A file that looks like an option gets a name that does not. */
	if (name[0] == '-' && name[1]) {
		free(item->text);
		item->text = str_format("./%s", name);
	}
	item->language = reader->forced ? options_language(reader->forced) : options_suffix(name);
	item->forced = reader->forced ? mem_strdup(reader->forced) : NULL;
}

/* The word after an option. */
static struct hence_error *next_word(struct reader *reader, const char *option, const char **word)
{
	if (reader->at >= reader->words->list.size)
		return error_create(HENCE_ERROR_INPUT, "%s needs a word after it", option);
	*word = reader->words->list.at[reader->at++];
	return NULL;
}

static void set_language(struct reader *reader, const char *name)
{
	reader->forced = strcmp(name, "none") ? name : NULL;
}

/* An option in its short form, with the value that a long form brought along, or NULL. */
static struct hence_error *add_option(struct reader *reader, const char *text, const char *value)
{
	bool language = !strcmp(text, "-x");
	struct cc_option option = options_find(text);
	struct hence_error *error;
	struct cc_item *item;

	if (!value && (option.takes_word || language)) {
		error = next_word(reader, text, &value);
		if (error)
			return error;
	}
	if (language) {
		set_language(reader, value);
		return NULL;
	}
	item = add_item(reader, option.kind, text);
	item->value = value ? mem_strdup(value) : NULL;
	reader->args->mode = options_mode(text, reader->args->mode);
	return NULL;
}

/* -Wp,-MD,FILE says -MD -MF FILE to the preprocessor; clang reads it so, too. */
static bool add_deps_for_preprocessor(struct reader *reader, const char *text)
{
	size_t skip = args_begins(text, "-Wp,-MD,") ? 8 : args_begins(text, "-Wp,-MMD,") ? 9 : 0;

	if (!skip || strchr(text + skip, ','))
		return false;
	add_item(reader, CC_DEPS, skip == 8 ? "-MD" : "-MMD");
	add_item(reader, CC_DEPS, "-MF")->value = mem_strdup(text + skip);
	return true;
}

static struct hence_error *add_word(struct reader *reader, const char *word)
{
	const char *name;
	const char *value;

	if (reader->only_inputs || word[0] != '-' || !word[1]) {
		add_input(reader, word);
		return NULL;
	}
	if (!strcmp(word, "--")) {
		reader->only_inputs = true;
		return NULL;
	}
	if (args_begins(word, "-x") && word[2]) {
		set_language(reader, word + 2);
		return NULL;
	}
	if (add_deps_for_preprocessor(reader, word))
		return NULL;
	if (options_shorten(word, &name, &value))
		return add_option(reader, name, value);
	return add_option(reader, word, NULL);
}

static bool has_something_to_link(const struct cc_args *args)
{
	for (uint32_t i = 0; i < args->items.size; i++) {
		const struct cc_item *item = &args->items.at[i];

		if (args_begins(item->text, "-l") || args_begins(item->text, "-Wl,") ||
		    !strcmp(item->text, "-Xlinker"))
			return true;
	}
	return false;
}

/* What the inputs say about the mode: none is a question, and headers alone are precompiled. */
static void settle_mode(struct cc_args *args)
{
	uint32_t inputs = 0;
	uint32_t headers = 0;

	for (uint32_t i = 0; i < args->items.size; i++) {
		const struct cc_item *item = &args->items.at[i];

		inputs += item->kind == CC_INPUT;
		headers += item->kind == CC_INPUT && item->language == CC_LANG_HEADER;
		/* Clang asks for -x when standard input has none; let it say so. */
		if (item->kind == CC_INPUT && !strcmp(item->text, "-") && !item->forced &&
		    args->mode < CC_THROUGH)
			args->mode = CC_THROUGH;
	}
	if (!inputs && (args->mode != CC_LINKING || !has_something_to_link(args)))
		args->mode = CC_ASKING;
	else if (inputs && headers == inputs && args->mode < CC_THROUGH)
		args->mode = CC_THROUGH;
}

static void find_output(struct cc_args *args)
{
	for (uint32_t i = 0; i < args->items.size; i++) {
		const struct cc_item *item = &args->items.at[i];

		if (item->kind == CC_OUTPUT)
			args->output = item->value ? item->value : item->text + 2;
	}
}

struct hence_error *args_parse(const struct cc_words *words, struct cc_args *args)
{
	struct cc_args parsed = {.mode = CC_LINKING};
	struct reader reader = {.words = words, .args = &parsed};

	while (reader.at < words->list.size) {
		struct hence_error *error = add_word(&reader, words->list.at[reader.at++]);

		if (error) {
			args_deinit(&parsed);
			return error;
		}
	}
	settle_mode(&parsed);
	find_output(&parsed);
	*args = parsed;
	return NULL;
}

void args_deinit(struct cc_args *args)
{
	for (uint32_t i = 0; i < args->items.size; i++) {
		free(args->items.at[i].text);
		free(args->items.at[i].value);
		free(args->items.at[i].forced);
	}
	vec_deinit(&args->items);
}

bool args_has(const struct cc_args *args, const char *text)
{
	for (uint32_t i = 0; i < args->items.size; i++) {
		const struct cc_item *item = &args->items.at[i];

		if (item->kind != CC_INPUT && !item->dropped && !strcmp(item->text, text))
			return true;
	}
	return false;
}

void args_emit(const struct cc_item *item, struct cc_words *words)
{
	if (item->dropped)
		return;
	words_add(words, item->text);
	if (item->value)
		words_add(words, item->value);
}
