/* A list of words of a command line, ending in NULL where an exec wants it; response files. */
#ifndef HENCE_CC_WORDS_H
#define HENCE_CC_WORDS_H

#include "base/error.h"
#include "base/vec.h"

struct cc_words {
	VEC(char *) list;
};

/* Appends a copy of `word`. */
static inline void words_add(struct cc_words *words, const char *word)
{
	*vec_push(&words->list) = mem_strdup(word);
}

/* Appends a copy of `word` unless the list has it already. */
static inline void words_add_once(struct cc_words *words, const char *word)
{
	for (uint32_t i = 0; i < words->list.size; i++)
		if (!strcmp(words->list.at[i], word))
			return;
	words_add(words, word);
}

/* Appends a word that is handed over. */
static inline void words_take(struct cc_words *words, char *word)
{
	*vec_push(&words->list) = word;
}

/* The words as an argv, with NULL at the end. Valid until the list changes. */
static inline char **words_argv(struct cc_words *words)
{
	vec_reserve(&words->list, words->list.size + 1);
	words->list.at[words->list.size] = NULL;
	return words->list.at;
}

/* Frees the words; the list is empty and usable again. */
static inline void words_deinit(struct cc_words *words)
{
	for (uint32_t i = 0; i < words->list.size; i++)
		free(words->list.at[i]);
	vec_deinit(&words->list);
}

/*
 * Appends the words of a command line to `words`, each @FILE replaced by what the file holds, also
 * in nested files. Words in a file are split at white space; '...' and "..." keep it, and a
 * backslash takes the next character as it is. A file that cannot be read stays as it was written,
 * as gcc does it. Files that name each other in a circle are an error.
 */
MUST_USE struct hence_error *response_expand(int argc, char *const *argv, struct cc_words *words);

/* Writes words to a response file that response_expand() and clang read back unchanged. */
MUST_USE struct hence_error *response_write(const struct cc_words *words, const char *path);

#endif
