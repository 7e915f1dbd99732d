/*
 * Linking: see link.h.
 *
 * Programs and shared libraries each get the runtime. It must still be one runtime in a process, so
 * its symbols are exported everywhere and the first one loaded serves all. Two things would hide
 * them: an executable exports nothing by itself, and the version script of a library says what is
 * local, usually all but its interface. The script is therefore copied with a line of ours.
 */
#include "cc/link.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/str.h"
#include "cc/clang.h"
#include "cc/words.h"

/* ------ version scripts ------ */

static const char *const spellings[] = {"--version-script", "-version-script"};

/* Appends what one item tells the linker. */
static void split_item(const struct cc_item *item, struct cc_words *words)
{
	char *text;
	char *rest;

	if (item->dropped)
		return;
	if (!strcmp(item->text, "-Xlinker")) {
		words_add(words, item->value);
		return;
	}
	if (!args_begins(item->text, "-Wl,"))
		return;
	text = mem_strdup(item->text + strlen("-Wl,"));
	rest = text;
	for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ","))
		words_add(words, word);
	free(text);
}

static bool read_text(const char *path, struct str *text)
{
	FILE *file = fopen(path, "re");
	int c;

	if (!file)
		return false;
	while ((c = fgetc(file)) != EOF)
		str_add_char(text, (char)c);
	fclose(file);
	return true;
}

/* The end of the comment that begins here; `at` itself if none does. */
static const char *skip_comment(const char *at)
{
	const char *end;

	if (*at == '#')
		return at + strcspn(at, "\n");
	if (at[0] != '/' || at[1] != '*')
		return at;
	end = strstr(at + 2, "*/");
	return end ? end + 2 : at + strlen(at);
}

static const char *skip_blank(const char *at)
{
	for (;;) {
		const char *next = skip_comment(at + strspn(at, " \t\r\n"));

		if (next == at)
			return at;
		at = next;
	}
}

/* What follows `label` and a colon, or NULL if that is not what comes. */
static const char *after_label(const char *at, const char *label)
{
	if (!args_begins(at, label))
		return NULL;
	at = skip_blank(at + strlen(label));
	return *at == ':' ? at + 1 : NULL;
}

/*
 * Where to put the runtime's symbols into a script, and in which words. A version's braces hold
 * `global: NAMES local: NAMES`, each at most once, or just names, which are global. NULL: it is no
 * script that we understand.
 */
static const char *find_place(const char *text, const char **words)
{
	/* The first '{' that is not inside a comment. */
	const char *at = text;

	while (*at && *at != '{') {
		const char *next = skip_comment(at);

		at = next == at ? at + 1 : next;
	}
	const char *first = *at ? skip_blank(at + 1) : NULL;

	const char *names = first ? after_label(first, "global") : NULL;

	*words = " hence_rt_*; ";
	if (names)
		return names;
	if (first && after_label(first, "local"))
		*words = "global: hence_rt_*; ";
	return first;
}

/* The path of an opened-up copy, or NULL if there is nothing to do. Caller frees. */
static struct hence_error *open_script(struct clang_run *run, const char *path, char **copy)
{
	struct str text = STR_INIT;
	const char *words = "";
	const char *place = read_text(path, &text) ? find_place(str_text(&text), &words) : NULL;
	struct hence_error *error = NULL;
	char *made = NULL;
	FILE *file;

	if (place) {
		made = str_format("%s/%u.version", run->scratch, run->files++);
		file = fopen(made, "we");
		if (file) {
			fwrite(text.text, 1, (size_t)(place - text.text), file);
			fprintf(file, "%s%s", words, place);
		}
		if (!file || fclose(file))
			error = error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", made);
	}
	str_deinit(&text);
	if (error) {
		free(made);
		return error;
	}
	if (made) {
		words_add(&run->hidden, made);
		words_add(&run->shown, path);
	}
	*copy = made;
	return NULL;
}

/* Where the script's name begins in a word such as --version-script=NAME; NULL: no such word. An
   empty name means that it is in the next word. */
static const char *script_name(const char *word)
{
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		size_t length = strlen(spellings[i]);

		if (!strncmp(word, spellings[i], length) && !word[length])
			return word + length;
		if (!strncmp(word, spellings[i], length) && word[length] == '=')
			return word + length + 1;
	}
	return NULL;
}

/* The words of one item, with scripts replaced. *pending: the word before asked for a script. */
static struct hence_error *replace(struct clang_run *run, struct cc_words *words, bool *pending,
                                   bool *changed)
{
	for (uint32_t i = 0; i < words->list.size; i++) {
		char *word = words->list.at[i];
		const char *name = *pending ? word : script_name(word);
		struct hence_error *error;
		char *copy = NULL;

		*pending = !*pending && name && !*name;
		if (!name || !*name)
			continue;
		error = open_script(run, name, &copy);
		if (error)
			return error;
		if (!copy)
			continue;
		words->list.at[i] = str_format("%.*s%s", (int)(name - word), word, copy);
		*changed = true;
		free(word);
		free(copy);
	}
	return NULL;
}

/* Puts the words back into the item in the form that it had. */
static void join_item(struct cc_item *item, const struct cc_words *words)
{
	struct str text = STR_INIT;

	if (item->value) {
		free(item->value);
		item->value = mem_strdup(words->list.at[0]);
		return;
	}
	str_add(&text, "-Wl");
	for (uint32_t i = 0; i < words->list.size; i++)
		str_printf(&text, ",%s", words->list.at[i]);
	free(item->text);
	item->text = str_steal(&text);
}

/*
 * Replaces each version script on the line by a copy in the scratch directory that exports the
 * runtime's symbols too. A script that cannot be read is left for the linker to complain about.
 */
static struct hence_error *scripts_open(struct clang_run *run)
{
	struct hence_error *error = NULL;
	bool pending = false;

	for (uint32_t i = 0; i < run->args->items.size && !error; i++) {
		struct cc_item *item = &run->args->items.at[i];
		struct cc_words words = {VEC_INIT};
		bool changed = false;

		if (item->kind == CC_LINK)
			split_item(item, &words);
		error = replace(run, &words, &pending, &changed);
		if (!error && changed)
			join_item(item, &words);
		words_deinit(&words);
	}
	return error;
}

/* ------ the link step ------ */

static bool is_gold(const struct cc_args *args)
{
	return args_has(args, "-fuse-ld=gold");
}

/* -r in one of its forms: the result is an object, which gets its runtime when it is linked. */
static bool is_relocatable(const struct cc_args *args)
{
	struct cc_words words = {VEC_INIT};
	bool found = args_has(args, "-r") || args_has(args, "--relocatable");

	/* All words for the linker: what -Wl, and -Xlinker carry. */
	for (uint32_t i = 0; i < args->items.size; i++)
		if (args->items.at[i].kind == CC_LINK)
			split_item(&args->items.at[i], &words);
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
	if (!is_relocatable(args)) {
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
