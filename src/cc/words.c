/* Response files: see words.h. */
#include "cc/words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/str.h"

#define DEEPEST 32 /* nested files; more must be a circle */

static bool read_file(const char *path, struct str *text)
{
	char block[8192];
	size_t size;
	FILE *file = fopen(path, "re");
	bool good;

	if (!file)
		return false;
	while ((size = fread(block, 1, sizeof(block), file)) > 0)
		str_add_bytes(text, block, size);
	good = !ferror(file);
	fclose(file);
	return good;
}

/* Reads one word at *at, which is no white space, into `word`, and moves *at behind it. */
static void read_word(const char **at, struct str *word)
{
	char quote = 0;

	for (; **at && (quote || !isspace((unsigned char)**at)); ++*at) {
		char c = **at;

		if (c == '\\' && (*at)[1])
			str_add_char(word, *++*at);
		else if (c == quote)
			quote = 0;
		else if (!quote && (c == '\'' || c == '"'))
			quote = c;
		else
			str_add_char(word, c);
	}
}

static void split(const char *text, struct cc_words *words)
{
	while (*text) {
		struct str word = STR_INIT;

		if (isspace((unsigned char)*text)) {
			text++;
			continue;
		}
		read_word(&text, &word);
		words_take(words, str_steal(&word));
	}
}

static struct hence_error *expand_word(const char *word, int depth, struct cc_words *words);

static struct hence_error *expand_text(const char *text, int depth, struct cc_words *words)
{
	struct hence_error *error = NULL;
	struct cc_words inner = {VEC_INIT};

	split(text, &inner);
	for (uint32_t i = 0; i < inner.list.size && !error; i++)
		error = expand_word(inner.list.at[i], depth, words);
	words_deinit(&inner);
	return error;
}

static struct hence_error *expand_word(const char *word, int depth, struct cc_words *words)
{
	struct str text = STR_INIT;
	struct hence_error *error = NULL;

	if (word[0] != '@' || !read_file(word + 1, &text))
		words_add(words, word);
	else if (depth >= DEEPEST)
		error = error_create(HENCE_ERROR_INPUT, "response files name each other: %s", word);
	else
		error = expand_text(str_text(&text), depth + 1, words);
	str_deinit(&text);
	return error;
}

struct hence_error *response_expand(int argc, char *const *argv, struct cc_words *words)
{
	struct hence_error *error = NULL;

	for (int i = 0; i < argc && !error; i++)
		error = expand_word(argv[i], 0, words);
	return error;
}

struct hence_error *response_write(const struct cc_words *words, const char *path)
{
	FILE *file = fopen(path, "we");
	bool good;

	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", path);
	for (uint32_t i = 0; i < words->list.size; i++) {
		fputc('"', file);
		for (const char *c = words->list.at[i]; *c; c++) {
			if (*c == '"' || *c == '\\')
				fputc('\\', file);
			fputc(*c, file);
		}
		fputs("\"\n", file);
	}
	good = !ferror(file);
	if (fclose(file) || !good)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", path);
	return NULL;
}
