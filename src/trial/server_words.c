/* Arguments and environment of a trial, as arrays for an exec and as bytes for a fork. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trial/server_work.h"

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Read by the dynamic linker and libc before anything of the program runs. */
bool server_input_needs_exec(const struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		if (part->kind == INPUT_VARIABLE && part->varied &&
		    (begins(part->name, "LD_") || begins(part->name, "MALLOC_") ||
		     begins(part->name, "GLIBC_")))
			return true;
	}
	return false;
}

bool server_input_has(const struct input *input, const char *entry)
{
	size_t length = strcspn(entry, "=");

	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		if (part->kind == INPUT_VARIABLE && strlen(part->name) == length &&
		    !memcmp(part->name, entry, length))
			return true;
	}
	return false;
}

char **server_argv(const struct server *server, const struct input *input)
{
	VEC(char *) words = VEC_INIT;

	*vec_push(&words) = mem_strdup(str_text(&server->name));
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_ARGUMENT)
			*vec_push(&words) = mem_strdup(str_text(&input->parts.at[i].bytes));
	vec_push(&words);
	return words.at;
}

char **server_environment(const struct server *server, const struct input *input, const char *extra)
{
	VEC(char *) words = VEC_INIT;

	for (uint32_t i = 0; i < server->environment.size; i++)
		*vec_push(&words) = mem_strdup(server->environment.at[i]);
	for (uint32_t i = 0; i < input->parts.size && !server->fixed; i++)
		if (input->parts.at[i].kind == INPUT_VARIABLE && !input->parts.at[i].unset)
			*vec_push(&words) = str_format("%s=%s", input->parts.at[i].name,
			                               str_text(&input->parts.at[i].bytes));
	if (extra)
		*vec_push(&words) = mem_strdup(extra);
	vec_push(&words);
	return words.at;
}

void server_free_words(char **words)
{
	for (char **at = words; *at; at++)
		free(*at);
	free(words);
}

/* Appends the words to what lies in the page; false: there is no room. */
static bool append(struct server *server, char **words, uint32_t *count)
{
	struct hence_server *page = server->page;
	char *base = (char *)page + HENCE_SERVER_WORDS;

	for (*count = 0; words[*count]; ++*count) {
		size_t size = strlen(words[*count]) + 1;

		if (size > HENCE_SERVER_ROOM - page->words)
			return false;
		memcpy(base + page->words, words[*count], size);
		page->words += size;
	}
	return true;
}

struct hence_error *server_give_words(struct server *server, const struct input *input)
{
	char **argv = server_argv(server, input);
	char **environment = server_environment(server, input, NULL);
	bool fits;

	server->page->words = 0;
	fits = append(server, argv, &server->page->argc) &&
	       append(server, environment, &server->page->envc);
	server_free_words(argv);
	server_free_words(environment);
	if (fits)
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "the arguments and variables for %s are too long",
	                    str_text(&server->name));
}
