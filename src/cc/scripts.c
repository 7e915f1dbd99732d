/* Version scripts: see scripts.h. */
#include "cc/scripts.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

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

void scripts_linker_words(const struct cc_args *args, struct cc_words *words)
{
	for (uint32_t i = 0; i < args->items.size; i++)
		if (args->items.at[i].kind == CC_LINK)
			split_item(&args->items.at[i], words);
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

/* What follows the first '{' that is not inside a comment, or NULL. */
static const char *find_braced(const char *at)
{
	while (*at && *at != '{') {
		const char *next = skip_comment(at);

		at = next == at ? at + 1 : next;
	}
	return *at ? skip_blank(at + 1) : NULL;
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
	const char *first = find_braced(text);
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

struct hence_error *scripts_open(struct clang_run *run)
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
